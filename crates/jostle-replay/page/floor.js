// The floor at any tick, and how it is drawn.

// A wall is brightest where it meets the floor and fades into the dark away from it, so that a cave
// map reads as lit halls and a field of blocks as blocks.
const WALL_BY_DEPTH = ["#2f3a56", "#212940", "#171d2e", "#0f1420"];
const FLOOR_LIGHT = "#1a2130";
const FLOOR_DARK = "#171d2b";
const WALL_FACE = "#232c44";
// All around the floor, because a map is hard to read without it: it has a contrast of more than 3 to 1.
const WALL_LIP = "#62729b";
const FLOOR_SHADE = "rgba(3, 5, 10, 0.5)";

const CORNERS = [[-1, -1], [1, -1], [-1, 1], [1, 1]];

// A fixed order, so that a repainted part looks the same as in the whole.
const PAINT_ORDER = [...WALL_BY_DEPTH, FLOOR_LIGHT, FLOOR_DARK, FLOOR_SHADE, WALL_FACE, WALL_LIP];

// The prerendered map has about this many pixels along its longer side.
const OVERVIEW_SIDE = 2048;
const OVERVIEW_CELL_MAX = 24;
// So many cells can be painted each when the view has come to rest, and cells of this size while it moves.
const PAINTED_CELLS = 300000;
const PAINTED_CELL_MIN = 5;
// From this size on, in pixels, walls have a lip and a face. Smaller ones have the colour of the lip.
const SHADED_CELL_MIN = 3;
const LIP_MOST = 4;

class Floor {
  constructor(timeline) {
    const { width, height, floor, edits } = timeline;
    Object.assign(this, { width, height, edits });
    this.cells = floor.slice();
    this.made = 0;
    this.depths = new Uint8Array(width * height);
    this.measureDepths(0, 0, width, height);
    this.size = Math.min(OVERVIEW_CELL_MAX, Math.max(1, Math.floor(OVERVIEW_SIDE / Math.max(width, height))));
    this.overview = document.createElement("canvas");
    this.overview.width = width * this.size;
    this.overview.height = height * this.size;
    this.paint(this.overview.getContext("2d"), 0, 0, this.size, { x0: 0, y0: 0, x1: width, y1: height });
    // Changes whenever the floor does.
    this.revision = 0;
    this.seen = document.createElement("canvas");
  }

  isFloor(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height && this.cells[y * this.width + x] === 1;
  }

  // Applies or reverts edits until the floor is as it was at a tick.
  seek(tick) {
    const { edits } = this;
    while (this.made < edits.length && edits[this.made].tick <= tick) {
      const { cell, isFloor } = edits[this.made++];
      this.set(cell, isFloor);
    }
    while (this.made > 0 && edits[this.made - 1].tick > tick) {
      const { cell, isFloor } = edits[--this.made];
      this.set(cell, 1 - isFloor);
    }
  }

  set(cell, isFloor) {
    this.cells[cell] = isFloor;
    this.revision++;
    const [x, y, reach] = [cell % this.width, Math.floor(cell / this.width), WALL_BY_DEPTH.length];
    const around = {
      x0: Math.max(0, x - reach),
      y0: Math.max(0, y - reach),
      x1: Math.min(this.width, x + reach + 1),
      y1: Math.min(this.height, y + reach + 1),
    };
    this.measureDepths(around.x0, around.y0, around.x1, around.y1);
    this.paint(this.overview.getContext("2d"), 0, 0, this.size, around);
  }

  // How far each wall is from the floor, up to the last one that is drawn. 0 is floor.
  measureDepths(x0, y0, x1, y1) {
    const far = WALL_BY_DEPTH.length + 1;
    const { width, height, cells, depths } = this;
    const depthAt = (x, y) => (x < 0 || y < 0 || x >= width || y >= height ? far : depths[y * width + x]);
    for (let y = y0; y < y1; y++) {
      for (let x = x0; x < x1; x++) depths[y * width + x] = cells[y * width + x] ? 0 : far;
    }
    const settle = (x, y, offset) => {
      const near = Math.min(
        depthAt(x - offset, y),
        depthAt(x, y - offset),
        depthAt(x - offset, y - offset),
        depthAt(x + offset, y - offset),
      );
      const at = y * width + x;
      depths[at] = Math.min(depths[at], near + 1);
    };
    for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) settle(x, y, 1);
    for (let y = y1 - 1; y >= y0; y--) for (let x = x1 - 1; x >= x0; x--) settle(x, y, -1);
  }

  // Draws the cells of a rectangle, `size` pixels each. Edges are rounded to whole pixels, so that
  // neighbours leave no seam.
  paint(context, left, top, size, { x0, y0, x1, y1 }) {
    const edgeX = (x) => Math.round(left + x * size);
    const edgeY = (y) => Math.round(top + y * size);
    const layers = new Map(PAINT_ORDER.map((colour) => [colour, []]));
    const fill = (colour, ax, ay, bx, by) => layers.get(colour).push(ax, ay, bx - ax, by - ay);
    context.clearRect(edgeX(x0), edgeY(y0), edgeX(x1) - edgeX(x0), edgeY(y1) - edgeY(y0));
    const checkered = size >= 6;
    const colourOf = (x, y) => {
      const depth = this.depths[y * this.width + x];
      if (depth === 1 && size < SHADED_CELL_MIN) return WALL_LIP;
      if (depth > 0) return WALL_BY_DEPTH[depth - 1];
      return checkered && (x + y) % 2 ? FLOOR_DARK : FLOOR_LIGHT;
    };
    for (let y = y0; y < y1; y++) {
      for (let x = x0; x < x1; ) {
        const colour = colourOf(x, y);
        const from = x++;
        while (x < x1 && colourOf(x, y) === colour) x++;
        if (colour) fill(colour, edgeX(from), edgeY(y), edgeX(x), edgeY(y + 1));
      }
    }
    if (size >= SHADED_CELL_MIN) this.shade(fill, edgeX, edgeY, size, { x0, y0, x1, y1 });
    for (const [colour, boxes] of layers) {
      context.fillStyle = colour;
      for (let i = 0; i < boxes.length; i += 4) {
        context.fillRect(boxes[i], boxes[i + 1], boxes[i + 2], boxes[i + 3]);
      }
    }
  }

  // Light from the north-west: walls get a face, the floor behind them a shadow. The lip is on all sides of the floor, also
  // where the map ends.
  shade(fill, edgeX, edgeY, size, { x0, y0, x1, y1 }) {
    const lip = Math.min(LIP_MOST, Math.max(1, Math.round(size * 0.05)));
    const face = Math.max(1, Math.round(size * 0.24));
    const shadow = Math.max(1, Math.round(size * 0.2));
    for (let y = y0; y < y1; y++) {
      for (let x = x0; x < x1; x++) {
        const [left, right, top, bottom] = [edgeX(x), edgeX(x + 1), edgeY(y), edgeY(y + 1)];
        if (this.isFloor(x, y)) {
          if (y > 0 && !this.isFloor(x, y - 1)) fill(FLOOR_SHADE, left, top, right, top + shadow);
          if (x > 0 && !this.isFloor(x - 1, y)) fill(FLOOR_SHADE, left, top, left + Math.ceil(shadow / 2), bottom);
          if (x === 0) fill(WALL_LIP, left, top, left + lip, bottom);
          if (y === 0) fill(WALL_LIP, left, top, right, top + lip);
          if (x === this.width - 1) fill(WALL_LIP, right - lip, top, right, bottom);
          if (y === this.height - 1) fill(WALL_LIP, left, bottom - lip, right, bottom);
          continue;
        }
        if (this.isFloor(x, y + 1)) {
          fill(WALL_FACE, left, bottom - face, right, bottom);
          fill(WALL_LIP, left, bottom - lip, right, bottom);
        }
        if (this.isFloor(x, y - 1)) fill(WALL_LIP, left, top, right, top + lip);
        if (this.isFloor(x - 1, y)) fill(WALL_LIP, left, top, left + lip, bottom);
        if (this.isFloor(x + 1, y)) fill(WALL_LIP, right - lip, top, right, bottom);
        // Where two lips of other walls end, in a corner of the floor.
        for (const [dx, dy] of CORNERS) {
          if (!this.isFloor(x + dx, y + dy) || this.isFloor(x + dx, y) || this.isFloor(x, y + dy)) continue;
          const [cornerX, cornerY] = [dx < 0 ? left : right - lip, dy < 0 ? top : bottom - lip];
          fill(WALL_LIP, cornerX, cornerY, cornerX + lip, cornerY + lip);
        }
      }
    }
  }

  // Draws what the camera sees, from a copy that is painted again only when the view has changed. While it moves, the copy may
  // be coarse.
  draw(context, camera, isMoving) {
    const [left, top] = camera.corner();
    const size = camera.pixels();
    const { width, height } = camera.canvas;
    const view = [left, top, size, width, height, this.revision].join();
    if (view !== this.view || (this.isCoarse && !isMoving)) {
      this.view = view;
      Object.assign(this.seen, { width, height });
      this.paintView(this.seen.getContext("2d"), camera, isMoving);
    }
    context.drawImage(this.seen, 0, 0);
  }

  // Every cell is painted, unless there are too many of them: far away, and while the view moves, the prerendered map will do.
  paintView(context, camera, isMoving) {
    const [left, top] = camera.corner();
    const size = camera.pixels();
    const seen = camera.visibleCells();
    const isMany = (seen.x1 - seen.x0) * (seen.y1 - seen.y0) > PAINTED_CELLS;
    this.isCoarse = !isMany && isMoving && size <= Math.max(this.size * 2, PAINTED_CELL_MIN);
    if (isMany || this.isCoarse) {
      context.imageSmoothingEnabled = size <= this.size * 2;
      context.imageSmoothingQuality = "high";
      context.drawImage(this.overview, left, top, this.width * size, this.height * size);
    } else {
      this.paint(context, left, top, size, seen);
    }
  }
}
