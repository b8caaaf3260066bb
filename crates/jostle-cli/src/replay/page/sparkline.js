// The share of agents that have arrived over time, drawn behind the slider.

class Sparkline {
  constructor(canvas, timeline) {
    this.canvas = canvas;
    this.timeline = timeline;
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    const box = this.canvas.getBoundingClientRect();
    this.canvas.width = Math.max(1, Math.round(box.width * ratio));
    this.canvas.height = Math.max(1, Math.round(box.height * ratio));
    this.curve = this.measure(this.canvas.width);
    // The columns of ticks at which agents meet, or before which the game changed something.
    const { changes, ticks, tasks } = this.timeline;
    const events = tasks.count ? tasks.list.map((task) => task.metAt) : [...changes.keys()];
    const columns = events.map((tick) => Math.floor((tick / ticks) * (this.canvas.width - 1)));
    this.notches = new Set(columns);
  }

  // The share that has arrived at each column.
  measure(columns) {
    const { arrivedAt, crowdAt, ticks } = this.timeline;
    return Float32Array.from({ length: columns }, (_, column) => {
      const tick = Math.round((column / Math.max(1, columns - 1)) * ticks);
      return arrivedAt[tick] / Math.max(1, crowdAt[tick]);
    });
  }

  draw(time) {
    const { canvas, curve } = this;
    const { ticks } = this.timeline;
    const context = canvas.getContext("2d");
    const { width, height } = canvas;
    const played = Math.round((time / Math.max(1, ticks)) * width);
    context.clearRect(0, 0, width, height);
    const ground = height - 1;
    const area = new Path2D();
    const line = new Path2D();
    area.moveTo(0, height);
    for (let x = 0; x < width; x++) {
      const y = ground - curve[x] * (height - 4);
      area.lineTo(x, y);
      line.lineTo(x, y);
    }
    area.lineTo(width, height);
    const part = (from, to, fill, stroke) => {
      context.save();
      context.beginPath();
      context.rect(from, 0, to - from, height);
      context.clip();
      context.fillStyle = fill;
      context.fill(area);
      context.strokeStyle = stroke;
      context.lineWidth = Math.max(1.5, height / 26);
      context.stroke(line);
      context.restore();
    };
    part(0, played, "rgba(94, 226, 178, 0.30)", "#6ee9bd");
    part(played, width, "rgba(140, 158, 200, 0.12)", "rgba(140, 158, 200, 0.45)");
    context.fillStyle = "rgba(255, 200, 110, 0.75)";
    for (const column of this.notches) context.fillRect(column, height - 4, 1, 4);
  }
}
