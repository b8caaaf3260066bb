// The share of agents that have arrived over time, drawn behind the slider: a line for each run. Of agents that get new
// goals all the time, the goals that were reached so far.

const QUIET = "140, 158, 200";

class Sparkline {
  constructor(canvas, panels, ticks) {
    Object.assign(this, { canvas, panels, ticks });
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    const { canvas } = this;
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    this.lines = this.panels.map(({ timeline }) => this.lineOf(timeline));
    // The columns of ticks at which agents meet, or before which the game changed something.
    this.notches = new Set();
    for (const { timeline } of this.panels) {
      const { changes, tasks, isLifelong } = timeline;
      // Where agents get new goals all the time, those would be everywhere.
      const isEvent = ([, list]) => !isLifelong || list.some(([kind]) => kind !== SEND);
      const events = tasks.count ? tasks.list.map((task) => task.metAt) : [...changes].filter(isEvent).map(([tick]) => tick);
      for (const tick of events) this.notches.add(Math.floor((tick / this.ticks) * (canvas.width - 1)));
    }
  }

  // The share that has arrived at each column, up to the last tick of the run.
  lineOf({ arrivedAt, crowdAt, ticks }) {
    const { width, height } = this.canvas;
    const last = Math.max(0, Math.round((ticks / Math.max(1, this.ticks)) * (width - 1)));
    const line = new Path2D();
    let y = 0;
    for (let x = 0; x <= last; x++) {
      const tick = Math.round((x / Math.max(1, last)) * ticks);
      const share = arrivedAt[tick] / Math.max(1, crowdAt[tick]);
      y = height - 1 - share * (height - 4);
      line.lineTo(x, y);
    }
    const area = new Path2D(line);
    area.lineTo(last, height);
    area.lineTo(0, height);
    const isShort = ticks < this.ticks;
    return { line, area, end: isShort ? [last, y] : null };
  }

  draw(time) {
    const { canvas, panels, lines } = this;
    const context = canvas.getContext("2d");
    const { width, height } = canvas;
    const played = Math.round((time / Math.max(1, this.ticks)) * width);
    const isAlone = lines.length === 1;
    context.clearRect(0, 0, width, height);
    const part = (from, to, hasPassed) => {
      context.save();
      context.beginPath();
      context.rect(from, 0, to - from, height);
      context.clip();
      lines.forEach(({ line, area, end }, at) => {
        const colour = panels[at].colour;
        if (isAlone) {
          context.fillStyle = hasPassed ? "rgba(94, 226, 178, 0.30)" : `rgba(${QUIET}, 0.12)`;
          context.fill(area);
        }
        context.globalAlpha = hasPassed ? 1 : isAlone ? 0.6 : 0.5;
        context.strokeStyle = context.fillStyle = hasPassed || !isAlone ? colour : `rgb(${QUIET})`;
        context.lineWidth = Math.max(1.5, height / 26);
        context.stroke(line);
        if (end) {
          context.beginPath();
          context.arc(...end, context.lineWidth * 1.7, 0, 7);
          context.fill();
        }
        context.globalAlpha = 1;
      });
      context.restore();
    };
    part(0, played, true);
    part(played, width, false);
    context.fillStyle = "rgba(255, 200, 110, 0.75)";
    for (const column of this.notches) context.fillRect(column, height - 4, 1, 4);
  }
}
