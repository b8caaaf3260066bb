// Discs, drawn once for each colour and then copied, so that thousands of them are cheap.
class Sprites {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.radius = 0;
  }

  prepare(radius) {
    const rounded = Math.max(1, Math.round(radius * 4) / 4);
    if (rounded === this.radius) return;
    this.radius = rounded;
    this.side = Math.ceil(rounded * 2.3) + 4;
    this.canvas.width = this.side * HUES;
    this.canvas.height = this.side * 2;
    const context = this.canvas.getContext("2d");
    for (let hue = 0; hue < HUES; hue++) {
      this.paintWalker(context, (hue + 0.5) * this.side, 0.5 * this.side, hue);
      this.paintArrived(context, (hue + 0.5) * this.side, 1.5 * this.side, hue);
    }
  }

  paintWalker(context, x, y, hue) {
    const { radius } = this;
    const disc = (dy, r, fill) => {
      context.fillStyle = fill;
      context.beginPath();
      context.arc(x, y + dy, r, 0, 7);
      context.fill();
    };
    if (radius < 4) {
      disc(0, radius, AGENT_COLOURS[hue]);
      return;
    }
    disc(radius * 0.12, radius * 1.04, "rgba(2, 4, 8, 0.5)");
    const light = context.createRadialGradient(x - radius * 0.3, y - radius * 0.35, radius * 0.1, x, y, radius);
    light.addColorStop(0, AGENT_LIGHTS[hue]);
    light.addColorStop(0.45, AGENT_COLOURS[hue]);
    light.addColorStop(1, AGENT_SHADES[hue]);
    disc(0, radius, light);
  }

  paintArrived(context, x, y, hue) {
    const { radius } = this;
    context.fillStyle = radius < 4 ? ARRIVED_COLOURS[hue] : ARRIVED_CENTRES[hue];
    context.beginPath();
    context.arc(x, y, radius * 0.82, 0, 7);
    context.fill();
    if (radius < 4) return;
    context.strokeStyle = ARRIVED_COLOURS[hue];
    context.lineWidth = Math.max(1.5, radius * 0.3);
    context.stroke();
  }

  draw(context, x, y, hue, hasArrived, presence) {
    const { side } = this;
    const half = (side / 2) * presence;
    context.drawImage(this.canvas, hue * side, hasArrived ? side : 0, side, side, x - half, y - half, 2 * half, 2 * half);
  }
}
