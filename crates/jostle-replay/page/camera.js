// Which part of the floor is visible, and at what scale.

const CELL_MAX = 120;
const GLIDE_SECONDS = 0.14;
// Cells beyond the floor that are visible while an agent at its edge is followed.
const EDGE_CELLS = 2;
// Cells around the floor when all of it is visible, so that the walls next to it are too.
const FIT_CELLS = 1;

// The smallest rectangle with all floor that runs ever have, and everybody's first cells.
function boxOfFloor(timelines) {
  const [{ width, height }] = timelines;
  const box = { x0: width, y0: height, x1: 0, y1: 0 };
  const widen = (cell) => {
    const [x, y] = [cell % width, Math.floor(cell / width)];
    box.x0 = Math.min(box.x0, x);
    box.y0 = Math.min(box.y0, y);
    box.x1 = Math.max(box.x1, x + 1);
    box.y1 = Math.max(box.y1, y + 1);
  };
  for (const { floor, edits } of timelines) {
    floor.forEach((isFloor, cell) => isFloor && widen(cell));
    for (const { cell } of edits) widen(cell);
  }
  return box.x0 < box.x1 ? box : { x0: 0, y0: 0, x1: width, y1: height };
}

// What panels of one map look at: panning or zooming one moves all.
class View {
  constructor(box) {
    this.box = box;
    // CSS pixels that every panel has for the map.
    this.room = { width: 1, height: 1 };
    // The cell coordinates in the middle of a panel, and CSS pixels per cell. The view glides to its target.
    this.x = this.y = 0;
    this.scale = 1;
    this.fitted = true;
    this.isGliding = false;
    // Whether somebody is dragging the map.
    this.isHeld = false;
    this.fit(true);
  }

  get middle() {
    const { x0, y0, x1, y1 } = this.box;
    return { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
  }

  fitScale() {
    const { x0, y0, x1, y1 } = this.box;
    const fitting = (room, cells) => room / (cells + 2 * FIT_CELLS);
    return Math.min(CELL_MAX, fitting(this.room.width, x1 - x0), fitting(this.room.height, y1 - y0));
  }

  resize(width, height) {
    this.room = { width: Math.max(1, width), height: Math.max(1, height) };
    if (this.fitted) this.fit(true);
  }

  fit(atOnce) {
    this.target = { ...this.middle, scale: this.fitScale() };
    this.fitted = true;
    if (atOnce) this.arrive();
  }

  arrive() {
    Object.assign(this, this.target);
  }

  // Brings a place towards the middle, at a scale at which it can be seen, without looking far beyond the floor.
  look(x, y, scaleAtLeast = 0) {
    const { box, room } = this;
    const scale = Math.max(this.target.scale, Math.min(CELL_MAX, scaleAtLeast));
    const within = (at, pixels, low, high) => {
      const half = pixels / 2 / scale;
      if (2 * half >= high - low) return (low + high) / 2;
      return Math.min(high - half + EDGE_CELLS, Math.max(low + half - EDGE_CELLS, at));
    };
    this.target = { x: within(x, room.width, box.x0, box.x1), y: within(y, room.height, box.y0, box.y1), scale };
    this.fitted = this.fitted && scale === this.fitScale();
  }

  // Zooms so that the place so many CSS pixels from the middle stays there.
  zoom(factor, dx, dy, atOnce) {
    const smallest = Math.min(this.fitScale() * 0.7, CELL_MAX);
    const scale = Math.min(CELL_MAX, Math.max(smallest, this.target.scale * factor));
    const change = 1 / this.target.scale - 1 / scale;
    this.target = { x: this.target.x + dx * change, y: this.target.y + dy * change, scale };
    this.fitted = false;
    this.keepOnFloor();
    if (atOnce) this.arrive();
  }

  pan(dx, dy) {
    this.target.x -= dx / this.scale;
    this.target.y -= dy / this.scale;
    this.fitted = false;
    this.keepOnFloor();
    this.arrive();
  }

  keepOnFloor() {
    const { x0, y0, x1, y1 } = this.box;
    this.target.x = Math.min(x1, Math.max(x0, this.target.x));
    this.target.y = Math.min(y1, Math.max(y0, this.target.y));
  }

  // Glides on, and returns whether it has moved.
  glide(seconds) {
    const { target } = this;
    if (target.x === this.x && target.y === this.y && target.scale === this.scale) {
      this.isGliding = false;
      return false;
    }
    const share = PREFERS_STILL.matches ? 1 : 1 - Math.exp(-seconds / GLIDE_SECONDS);
    this.x += (target.x - this.x) * share;
    this.y += (target.y - this.y) * share;
    this.scale *= (target.scale / this.scale) ** share;
    const left = Math.abs(target.x - this.x) + Math.abs(target.y - this.y);
    this.isGliding = left * this.scale >= 0.3 || Math.abs(target.scale / this.scale - 1) >= 0.002;
    if (!this.isGliding) this.arrive();
    return true;
  }
}

const PREFERS_STILL = matchMedia("(prefers-reduced-motion: reduce)");

// A view on the canvas of a panel.
class Camera {
  constructor(canvas, view, { width, height }) {
    Object.assign(this, { canvas, view, width, height });
    this.ratio = 1;
  }

  // Adopts the size of the canvas on the page.
  resize() {
    this.ratio = Math.min(3, window.devicePixelRatio || 1);
    this.canvas.width = Math.max(1, Math.round(this.canvas.clientWidth * this.ratio));
    this.canvas.height = Math.max(1, Math.round(this.canvas.clientHeight * this.ratio));
  }

  // CSS pixels per cell.
  scale() {
    return this.view.scale;
  }

  // Device pixels per cell.
  pixels() {
    return this.view.scale * this.ratio;
  }

  // The device pixel of the map's north-west corner.
  corner() {
    const { view, canvas } = this;
    return [canvas.width / 2 - view.x * this.pixels(), canvas.height / 2 - view.y * this.pixels()];
  }

  // How far a point of the page is from the middle of the canvas, in CSS pixels.
  fromMiddle(pageX, pageY) {
    const box = this.canvas.getBoundingClientRect();
    return [pageX - (box.left + box.right) / 2, pageY - (box.top + box.bottom) / 2];
  }

  cellAt(pageX, pageY) {
    const [dx, dy] = this.fromMiddle(pageX, pageY);
    return [this.view.x + dx / this.view.scale, this.view.y + dy / this.view.scale];
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
