// Where agents walked in the last ticks.
//
// The ticks are divided into stretches, and the trails of each are a picture. In a tick only the newest of them is drawn, from
// all its steps, so that it looks the same however one got there; a frame only copies the pictures, older ones fainter.
// Scrubbing, and another view, draw all of them.

// A trail is divided into so many stretches, each with one shade.
const STRETCHES = 4;
const TRAIL_ALPHA = 0.62;
// From this size of a cell on, in pixels, the gap between an agent and the last cell of its trail shows.
const GAP_FROM = 5;
// While the view moves, the pictures move with it. They are drawn anew when they are off by so much.
const MOST_STRETCHED = 1.6;
const MOST_MOVED = 0.25;

// How visible the steps of a tick are, so many ticks later.
const trailAlpha = (age, reach) => TRAIL_ALPHA * Math.max(0, 1 - age / reach) ** 1.3;

class Trails {
  constructor(timeline, crowd) {
    Object.assign(this, { timeline, crowd });
    this.reach = crowd.trailTicks;
    this.stretch = Math.ceil(this.reach / STRETCHES);
    // One more than are visible at once: the newest grows while the oldest fades.
    this.pictures = Array.from({ length: STRETCHES + 1 }, () => document.createElement("canvas"));
    // All pictures with their shades.
    this.sum = document.createElement("canvas");
    this.frame = null;
    this.tick = NOWHERE;
  }

  // Draws the trails up to the tick of a moment. While the view moves, they may be a little coarse.
  draw(context, camera, here, isMoving) {
    const steps = here.tick - this.tick;
    if (!this.suits(camera, isMoving) || this.tick === NOWHERE || steps < 0 || steps > this.reach) {
      this.begin(camera);
      this.add(here, Math.max(0, here.tick - this.reach));
    } else if (steps > 0) {
      this.add(here, this.tick);
    }
    const { frame, sum } = this;
    const [left, top] = camera.corner();
    const scale = camera.pixels() / frame.size;
    context.drawImage(sum, left - frame.left * scale, top - frame.top * scale, sum.width * scale, sum.height * scale);
    if (camera.pixels() >= GAP_FROM) this.drawHeads(context, camera, here);
  }

  // Whether the pictures can be used for what the camera sees.
  suits(camera, isMoving) {
    const { frame } = this;
    if (!frame) return false;
    const [left, top] = camera.corner();
    const size = camera.pixels();
    const { width, height } = camera.canvas;
    if (frame.width !== width || frame.height !== height) return false;
    if (frame.left === left && frame.top === top && frame.size === size) return true;
    const scale = size / frame.size;
    const moved = Math.max(Math.abs(left - frame.left * scale) / width, Math.abs(top - frame.top * scale) / height);
    return isMoving && scale < MOST_STRETCHED && scale > 1 / MOST_STRETCHED && moved < MOST_MOVED;
  }

  // Begins with empty pictures of what the camera sees.
  begin(camera) {
    const [left, top] = camera.corner();
    const { width, height } = camera.canvas;
    this.frame = { left, top, size: camera.pixels(), scale: camera.scale(), width, height, seen: camera.visibleCells() };
    for (const canvas of [...this.pictures, this.sum]) Object.assign(canvas, { width, height });
    this.stretches = this.pictures.map(() => NOWHERE);
    this.tick = NOWHERE;
  }

  // Adds the steps of all ticks after `from`, and sums the pictures up. Stretches that get more steps are drawn anew.
  add(here, from) {
    const paths = this.gather(here, Math.floor(from / this.stretch) * this.stretch);
    for (const [stretch, ofStretch] of paths) this.paint(stretch, ofStretch);
    this.tick = here.tick;
    const context = this.sum.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.sum.width, this.sum.height);
    const order = this.stretches.map((stretch, at) => [stretch, at]).sort((a, b) => a[0] - b[0]);
    for (const [stretch, at] of order) {
      if (stretch === NOWHERE) continue;
      const middle = (stretch + 0.5) * this.stretch;
      context.globalAlpha = trailAlpha(Math.max(0, here.tick - middle), this.reach + this.stretch / 2);
      if (context.globalAlpha > 0) context.drawImage(this.pictures[at], 0, 0);
    }
    context.globalAlpha = 1;
  }

  // The steps of all ticks after `from`: for each stretch of ticks, a path in each colour.
  gather(here, from) {
    const { crowd, timeline, frame } = this;
    const { moves, slots, width } = timeline;
    const paths = new Map();
    for (let slot = 0; slot < slots; slot++) {
      const cell = here.cells[slot];
      if (cell === NOWHERE) continue;
      let x = (cell % width) + 0.5;
      let y = ((cell / width) | 0) + 0.5;
      if (!isWithin(frame.seen, x, y, here.tick - from)) continue;
      // A jump is not part of the path.
      const last = Math.max(from, here.unbrokenSince[slot]);
      let path = null;
      let [stretchOfPath, sinceOfPath] = [NOWHERE, NOWHERE];
      for (let tick = here.tick; tick > last; ) {
        const move = moves[(tick - 1) * slots + slot];
        const stretch = Math.floor((tick - 1) / this.stretch);
        // Every step has the colour of the goal to which it led, whatever came after.
        const { hue, since } = crowd.hueAt(slot, tick);
        // A straight run of moves is one line.
        const begin = Math.max(last, stretch * this.stretch, since - 1);
        const end = tick;
        do tick--;
        while (tick > begin && moves[(tick - 1) * slots + slot] === move);
        if (move === 0) continue;
        if (stretch !== stretchOfPath || since !== sinceOfPath) {
          path = pathOf(paths, stretch, here.ours[slot] ? AGENT_COLOURS[hue] : FOREIGN_COLOUR);
          path.moveTo(x, y);
          [stretchOfPath, sinceOfPath] = [stretch, since];
        }
        x -= MOVE_DX[move] * (end - tick);
        y -= MOVE_DY[move] * (end - tick);
        path.lineTo(x, y);
      }
    }
    return paths;
  }

  // Makes the picture of a stretch.
  paint(stretch, paths) {
    const at = stretch % this.pictures.length;
    const context = this.pictures[at].getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    this.stretches[at] = stretch;
    context.clearRect(0, 0, this.sum.width, this.sum.height);
    const { left, top, size, scale } = this.frame;
    context.setTransform(size, 0, 0, size, left, top);
    strokeAll(context, paths, scale);
  }

  // From the last cell of each trail to where the agent is drawn.
  drawHeads(context, camera, here) {
    const { crowd, timeline } = this;
    const { width, slots } = timeline;
    const paths = new Map();
    const seen = camera.visibleCells();
    for (let slot = 0; slot < slots; slot++) {
      const cell = here.cells[slot];
      const [x, y] = [crowd.x[slot], crowd.y[slot]];
      if (cell === NOWHERE || crowd.presence[slot] < 1 || !isWithin(seen, x, y, 1)) continue;
      const [fromX, fromY] = [(cell % width) + 0.5, ((cell / width) | 0) + 0.5];
      if (fromX === x && fromY === y) continue;
      if (Math.abs(fromX - x) > 1 || Math.abs(fromY - y) > 1) continue;
      const colour = crowd.foreign[slot] ? FOREIGN_COLOUR : AGENT_COLOURS[crowd.hue[slot]];
      const path = pathOf(paths, 0, colour);
      path.moveTo(fromX, fromY);
      path.lineTo(x, y);
    }
    if (paths.size === 0) return;
    crowd.inCells(context, camera, () => {
      context.globalAlpha = trailAlpha(0, this.reach);
      strokeAll(context, paths.get(0), camera.scale());
    });
  }
}

// The path in a colour of a stretch.
function pathOf(paths, stretch, colour) {
  let ofStretch = paths.get(stretch);
  if (!ofStretch) paths.set(stretch, (ofStretch = new Map()));
  let path = ofStretch.get(colour);
  if (!path) ofStretch.set(colour, (path = new Path2D()));
  return path;
}

function strokeAll(context, paths, scale) {
  context.lineWidth = Math.max(0.2, 1.3 / scale);
  // Round ends would overlap visibly where one stretch follows another.
  context.lineCap = "butt";
  context.lineJoin = "round";
  for (const [colour, path] of paths) {
    context.strokeStyle = colour;
    context.stroke(path);
  }
}
