// Where the crowd waited: the ticks spent on each cell by agents that were not at their goal.

class Heat {
  constructor(timeline) {
    this.waits = timeline.waits;
    this.width = timeline.width;
    this.tick = 0;
    this.counts = new Uint32Array(timeline.width * timeline.height);
    this.canvas = document.createElement("canvas");
    this.canvas.width = timeline.width;
    this.canvas.height = timeline.height;
    this.most = 0;
    this.measure();
  }

  measure() {
    const { cells, count } = this.waits;
    for (let i = 0; i < count; i++) {
      const waited = ++this.counts[cells[i]];
      if (waited > this.most) this.most = waited;
    }
    this.counts.fill(0);
  }

  // The scale is that of all whole runs, so that a colour means the same at any time and beside any run.
  scaleTo(most) {
    this.perCount = 255 / Math.log1p(Math.max(1, most));
  }

  // Waits are counted up or down, so any tick can be reached from any other.
  seek(tick) {
    if (!this.image) this.prepare();
    if (tick === this.tick) return;
    const { cells, until } = this.waits;
    const [from, to] = [until[this.tick], until[tick]];
    for (let i = from; i < to; i++) this.counts[cells[i]]++;
    for (let i = to; i < from; i++) this.counts[cells[i]]--;
    for (let i = Math.min(from, to); i < Math.max(from, to); i++) {
      const waited = this.counts[cells[i]];
      this.pixels[cells[i]] = waited ? this.colours[Math.round(Math.log1p(waited) * this.perCount)] : 0;
    }
    this.tick = tick;
    this.context.putImageData(this.image, 0, 0);
  }

  // The image is made when it is first shown: most viewers never ask for it.
  prepare() {
    this.context = this.canvas.getContext("2d");
    this.image = this.context.createImageData(this.canvas.width, this.canvas.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.colours = Uint32Array.from({ length: 256 }, (_, i) => {
      const [red, green, blue] = heatColour(i / 255);
      const alpha = Math.round(110 + 130 * Math.min(1, i / 120));
      return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
    });
  }

  draw(context, camera) {
    const [left, top] = camera.corner();
    const size = camera.pixels();
    context.imageSmoothingEnabled = size < 3;
    // From far away a hot cell is smaller than a pixel: it is drawn wider so that it stays visible.
    const bleed = size < 3 ? [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]] : [[0, 0]];
    for (const [dx, dy] of bleed) {
      const [x, y] = [left + dx * camera.ratio, top + dy * camera.ratio];
      context.drawImage(this.canvas, x, y, this.canvas.width * size, this.canvas.height * size);
    }
    context.imageSmoothingEnabled = true;
  }
}
