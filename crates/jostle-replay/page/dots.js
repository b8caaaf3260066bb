// A large crowd from far away: every agent is a few pixels of one image, so that a frame takes milliseconds however
// many there are. From near by, few agents are visible, and `crowd.js` draws each of them.

// Smaller crowds are drawn as discs at any distance.
const DOTS_FROM = 3000;
// Discs are drawn from this radius on, in pixels. Smaller ones have no details that dots would lack.
const DISC_RADIUS = 4;
// All dots together cover at most this share of the map, so that its shape stays visible.
const COVERED = 0.25;
const MARK_ALPHA = 0.7;

// A colour as it is stored in an image.
const pixelOf = ([red, green, blue], alpha = 1) =>
  ((Math.round(alpha * 255) << 24) | (blue << 16) | (green << 8) | red) >>> 0;

class Dots {
  constructor(timeline, crowd) {
    Object.assign(this, { timeline, crowd });
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d");
    const colours = (lightness, chroma, alpha) =>
      Uint32Array.from({ length: HUES }, (_, hue) => pixelOf(rgbOfOklch(lightness, chroma, hueDegrees(hue)), alpha));
    this.walking = colours(...AGENT_TONE);
    this.arrived = colours(...ARRIVED_TONE);
    this.marks = colours(...AGENT_TONE, MARK_ALPHA);
    this.trails = Array.from({ length: crowd.trailTicks }, (_, age) => colours(...AGENT_TONE, trailAlpha(age, crowd.trailTicks)));
    this.foreign = pixelOf(FOREIGN_RGB);
    // Where agents were, while trails are followed backwards.
    this.past = new Int32Array(timeline.slots);
  }

  // Whether agents are to be drawn as dots.
  suit(camera) {
    return this.timeline.slots >= DOTS_FROM && RADIUS * camera.pixels() < DISC_RADIUS;
  }

  // Begins an image of what the camera sees.
  begin(camera) {
    const { width, height } = camera.canvas;
    if (this.canvas.width !== width || this.canvas.height !== height || !this.image) {
      Object.assign(this.canvas, { width, height });
      this.image = this.context.createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    } else {
      this.pixels.fill(0);
    }
    [this.left, this.top] = camera.corner();
    this.size = camera.pixels();
    const map = this.timeline.width * this.timeline.height * this.size ** 2;
    const fitting = Math.sqrt((COVERED * map) / this.timeline.slots);
    const visible = Math.min(2 * RADIUS_MIN * camera.ratio, fitting);
    this.side = Math.max(1, Math.floor(Math.max(2 * RADIUS * this.size, visible)));
  }

  // Puts a square around a place of the map, in cells.
  put(x, y, colour) {
    const { width, height } = this.image;
    const { side, pixels } = this;
    const x0 = Math.round(this.left + x * this.size - side / 2);
    const y0 = Math.round(this.top + y * this.size - side / 2);
    if (x0 < 0 || y0 < 0 || x0 + side > width || y0 + side > height) return;
    for (let row = y0 * width + x0, end = row + side * width; row < end; row += width) {
      for (let at = row; at < row + side; at++) pixels[at] = colour;
    }
  }

  // The cells that agents crossed in the last ticks: a pixel each. Later ones hide earlier ones.
  addTrails(here) {
    const { timeline, crowd, past, pixels } = this;
    const { moves, slots, width, moveBy, goalsOf } = timeline;
    const isVaried = goalsOf.size > 0;
    const image = this.image;
    past.set(here.cells);
    for (let age = 0; age < Math.min(here.tick, crowd.trailTicks); age++) {
      const tick = here.tick - age;
      const colours = this.trails[age];
      for (let slot = 0; slot < slots; slot++) {
        const move = moves[(tick - 1) * slots + slot];
        if (move === 0 || crowd.presence[slot] < 1 || tick <= here.unbrokenSince[slot]) continue;
        past[slot] -= moveBy[move];
        const x = Math.floor(this.left + ((past[slot] % width) + 0.5) * this.size);
        const y = Math.floor(this.top + (((past[slot] / width) | 0) + 0.5) * this.size);
        if (x < 0 || y < 0 || x >= image.width || y >= image.height) continue;
        const at = y * image.width + x;
        if (pixels[at] !== 0) continue;
        pixels[at] = colours[isVaried && goalsOf.has(slot) ? crowd.hueAt(slot, tick).hue : crowd.hue[slot]];
      }
    }
  }

  // The starts or goals of agents.
  addMarks(cells) {
    const { crowd, marks } = this;
    const { width } = this.timeline;
    for (let slot = 0; slot < cells.length; slot++) {
      const cell = cells[slot];
      if (cell === NOWHERE || crowd.presence[slot] === 0 || crowd.foreign[slot]) continue;
      this.put((cell % width) + 0.5, ((cell / width) | 0) + 0.5, marks[crowd.hue[slot]]);
    }
  }

  // Agents that have arrived are below those that pass, and foreign agents above all.
  addAgents() {
    const { x, y, presence, hue, arrived, foreign } = this.crowd;
    for (let slot = 0; slot < x.length; slot++) {
      if (presence[slot] > 0 && arrived[slot] && !foreign[slot]) this.put(x[slot], y[slot], this.arrived[hue[slot]]);
    }
    for (let slot = 0; slot < x.length; slot++) {
      if (presence[slot] > 0 && !arrived[slot] && !foreign[slot]) this.put(x[slot], y[slot], this.walking[hue[slot]]);
    }
    for (let slot = 0; slot < x.length; slot++) {
      if (presence[slot] > 0 && foreign[slot]) this.put(x[slot], y[slot], this.foreign);
    }
  }

  draw(context) {
    this.context.putImageData(this.image, 0, 0);
    context.drawImage(this.canvas, 0, 0);
  }
}
