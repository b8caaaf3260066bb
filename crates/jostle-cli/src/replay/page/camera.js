// Which part of the floor is visible, and at what scale.

const CELL_MAX = 120;
const GLIDE_SECONDS = 0.14;
// Cells beyond the edge of the map that are visible while an agent at the edge is followed.
const EDGE_CELLS = 2;

class Camera {
  constructor(canvas, width, height) {
    Object.assign(this, { canvas, width, height });
    this.ratio = 1;
    // The part of the canvas that no panel covers.
    this.free = { left: 0, top: 0, right: 0, bottom: 0 };
    // The cell coordinates in the middle of the free part, and CSS pixels per cell. The camera glides to
    // its target.
    this.x = width / 2;
    this.y = height / 2;
    this.scale = 1;
    this.target = { x: this.x, y: this.y, scale: 1 };
    this.fitted = true;
  }

  // Adopts the size of the canvas on the page.
  resize(free) {
    this.ratio = Math.min(3, window.devicePixelRatio || 1);
    const box = this.canvas.getBoundingClientRect();
    this.canvas.width = Math.max(1, Math.round(box.width * this.ratio));
    this.canvas.height = Math.max(1, Math.round(box.height * this.ratio));
    this.free = free;
    if (this.fitted) this.fit(true);
  }

  fitScale() {
    const { left, top, right, bottom } = this.free;
    return Math.min(CELL_MAX / 2, Math.max(1, right - left) / this.width, Math.max(1, bottom - top) / this.height);
  }

  fit(atOnce) {
    this.target = { x: this.width / 2, y: this.height / 2, scale: this.fitScale() };
    this.fitted = true;
    if (atOnce) this.arrive();
  }

  arrive() {
    Object.assign(this, this.target);
  }

  // Brings a place towards the middle, at a scale at which it can be seen, without looking far beyond
  // the edge of the map.
  look(x, y, scaleAtLeast = 0) {
    const { left, top, right, bottom } = this.free;
    const scale = Math.max(this.target.scale, Math.min(CELL_MAX, scaleAtLeast));
    const within = (at, room, side) => {
      const half = room / 2 / scale;
      if (2 * half >= side) return side / 2;
      return Math.min(side - half + EDGE_CELLS, Math.max(half - EDGE_CELLS, at));
    };
    this.target = { x: within(x, right - left, this.width), y: within(y, bottom - top, this.height), scale };
    this.fitted = this.fitted && scale === this.fitScale();
  }

  // Zooms so that the place under a point of the page stays there.
  zoom(factor, pageX, pageY, atOnce) {
    const smallest = Math.min(this.fitScale() * 0.7, CELL_MAX);
    const scale = Math.min(CELL_MAX, Math.max(smallest, this.target.scale * factor));
    const [dx, dy] = [pageX - this.middleX(), pageY - this.middleY()];
    const change = 1 / this.target.scale - 1 / scale;
    this.target = { x: this.target.x + dx * change, y: this.target.y + dy * change, scale };
    this.fitted = false;
    this.keepOnMap();
    if (atOnce) this.arrive();
  }

  pan(dx, dy) {
    this.target.x -= dx / this.scale;
    this.target.y -= dy / this.scale;
    this.fitted = false;
    this.keepOnMap();
    this.arrive();
  }

  keepOnMap() {
    this.target.x = Math.min(this.width, Math.max(0, this.target.x));
    this.target.y = Math.min(this.height, Math.max(0, this.target.y));
  }

  // Glides on, and returns whether it is still moving.
  glide(seconds) {
    const { target } = this;
    const share = 1 - Math.exp(-seconds / GLIDE_SECONDS);
    const left = Math.abs(target.x - this.x) + Math.abs(target.y - this.y);
    if (left * this.scale < 0.3 && Math.abs(target.scale / this.scale - 1) < 0.002) {
      this.arrive();
      return false;
    }
    this.x += (target.x - this.x) * share;
    this.y += (target.y - this.y) * share;
    this.scale *= (target.scale / this.scale) ** share;
    return true;
  }

  middleX() {
    return (this.free.left + this.free.right) / 2;
  }

  middleY() {
    return (this.free.top + this.free.bottom) / 2;
  }

  // Device pixels per cell.
  pixels() {
    return this.scale * this.ratio;
  }

  // The device pixel of the map's north-west corner.
  corner() {
    return [
      (this.middleX() - this.x * this.scale) * this.ratio,
      (this.middleY() - this.y * this.scale) * this.ratio,
    ];
  }

  cellAt(pageX, pageY) {
    return [
      this.x + (pageX - this.middleX()) / this.scale,
      this.y + (pageY - this.middleY()) / this.scale,
    ];
  }

  visibleCells() {
    const [left, top] = this.corner();
    const size = this.pixels();
    return {
      x0: Math.max(0, Math.floor(-left / size)),
      y0: Math.max(0, Math.floor(-top / size)),
      x1: Math.min(this.width, Math.ceil((this.canvas.width - left) / size)),
      y1: Math.min(this.height, Math.ceil((this.canvas.height - top) / size)),
    };
  }
}
