// Every agent between two ticks: where it is drawn, and how.

const RADIUS = 0.37;
const RADIUS_MIN = 1.7;
// From this radius on, in pixels, agents show whether they walk or wait.
const DETAIL_RADIUS = 5;
const RIPPLE_SECONDS = 0.45;
// Half the length of an arrow to an agent that is outside of the view, in CSS pixels.
const ARROW_LENGTH = 10;
// Marks reach into cells at most so far from theirs.
const MARK_REACH = 4;

// Whether a place is at most `reach` cells outside a rectangle of cells.
const isWithin = ({ x0, y0, x1, y1 }, x, y, reach) => x >= x0 - reach && x <= x1 + reach && y >= y0 - reach && y <= y1 + reach;

class Crowd {
  constructor(timeline, box) {
    const { slots, width, height } = timeline;
    Object.assign(this, { timeline, box });
    this.x = new Float32Array(slots);
    this.y = new Float32Array(slots);
    // From 0 (absent) to 1; agents grow as they join and shrink as they leave.
    this.presence = new Float32Array(slots);
    this.hue = new Uint8Array(slots);
    this.hueOfCell = new Uint8Array(width * height).fill(HUES);
    this.arrived = new Uint8Array(slots);
    this.foreign = new Uint8Array(slots);
    // The number of the agent that is drawn.
    this.number = new Int32Array(slots).fill(NOWHERE);
    this.trailTicks = slots <= 300 ? 40 : slots <= 1000 ? 28 : 16;
    this.sprites = new Sprites();
  }

  // Places every agent between its cell at this tick and its cell at the next. Moves are linear in time, so
  // that a walk over many ticks is one smooth motion and agents that keep their distance never seem to touch.
  place(here, next, share) {
    const { width, slots, tasks } = this.timeline;
    const goals = share > 0 ? next.goals : here.goals;
    for (let slot = 0; slot < slots; slot++) {
      const from = here.cells[slot];
      const to = share > 0 ? next.cells[slot] : from;
      if (from === NOWHERE && to === NOWHERE) {
        this.presence[slot] = 0;
        continue;
      }
      let life = here;
      const fromX = from % width;
      const fromY = (from / width) | 0;
      const toX = to % width;
      const toY = (to / width) | 0;
      const isMove =
        from !== NOWHERE &&
        to !== NOWHERE &&
        here.numbers[slot] === next.numbers[slot] &&
        Math.abs(toX - fromX) <= 1 &&
        Math.abs(toY - fromY) <= 1;
      if (isMove || share === 0) {
        this.presence[slot] = 1;
        this.x[slot] = fromX + (toX - fromX) * share + 0.5;
        this.y[slot] = fromY + (toY - fromY) * share + 0.5;
      } else {
        const isThere = share >= 0.5;
        life = isThere ? next : here;
        const cell = isThere ? to : from;
        this.presence[slot] = cell === NOWHERE ? 0 : Math.abs(2 * share - 1);
        this.x[slot] = (cell % width) + 0.5;
        this.y[slot] = ((cell / width) | 0) + 0.5;
      }
      this.foreign[slot] = 1 - life.ours[slot];
      this.number[slot] = life.numbers[slot];
      // The two agents of a task have one colour.
      const goal = tasks.ofSlot[slot]?.goal ?? (isMove && share > 0 ? next : life).goals[slot];
      const isStanding = from === goals[slot] && to === goals[slot];
      this.arrived[slot] = isStanding && tasks.isDone(slot, here.tick) ? 1 : 0;
      if (goal !== NOWHERE) this.hue[slot] = this.hueOf(goal);
    }
  }

  // The colour that an agent had in a tick, and since which tick.
  hueAt(slot, tick) {
    const task = this.timeline.tasks.ofSlot[slot];
    if (task) return { hue: this.hueOf(task.goal), since: 0 };
    const { goal, since } = this.timeline.goalAt(slot, tick);
    return { hue: goal === NOWHERE ? this.hue[slot] : this.hueOf(goal), since };
  }

  // The colour of agents with a goal on a cell.
  hueOf(goal) {
    if (this.hueOfCell[goal] === HUES) this.hueOfCell[goal] = hueOfGoal(goal, this.timeline.width, this.box);
    return this.hueOfCell[goal];
  }

  // The slot in which an agent is drawn, if it is.
  slotDrawn(number) {
    const slot = this.timeline.slotOf[number];
    return slot !== undefined && this.presence[slot] > 0 && this.number[slot] === number ? slot : NOWHERE;
  }

  // The number of the agent drawn nearest to a point, within a reach in cells.
  nearest(x, y, reach) {
    let best = NOWHERE;
    let leastSquare = reach ** 2;
    for (let slot = 0; slot < this.x.length; slot++) {
      const square = (this.x[slot] - x) ** 2 + (this.y[slot] - y) ** 2;
      if (this.presence[slot] === 0 || square >= leastSquare) continue;
      best = this.number[slot];
      leastSquare = square;
    }
    return best;
  }

  draw(context, camera, here) {
    const [left, top] = camera.corner();
    const size = camera.pixels();
    const radius = Math.max(RADIUS * size, RADIUS_MIN * camera.ratio);
    this.sprites.prepare(radius);
    const [right, bottom] = [camera.canvas.width + radius, camera.canvas.height + radius];
    // Agents that have arrived are drawn below those that pass, and foreign agents above all.
    for (const layer of [2, 1, 0]) {
      for (let slot = 0; slot < this.x.length; slot++) {
        const presence = this.presence[slot];
        if (presence === 0 || layer !== (this.foreign[slot] ? 0 : this.arrived[slot] ? 2 : 1)) continue;
        const x = left + this.x[slot] * size;
        const y = top + this.y[slot] * size;
        if (x < -radius || y < -radius || x > right || y > bottom) continue;
        if (layer === 0) this.drawForeign(context, x, y, radius * presence);
        else this.sprites.draw(context, x, y, this.hue[slot], layer === 2, presence);
        if (layer !== 1 || radius < DETAIL_RADIUS) continue;
        if (here.waiting[slot] > 0) this.drawPause(context, x, y, radius * presence);
        else this.drawHeading(context, x, y, radius * presence, here.heading[slot]);
      }
    }
  }

  // A small dot in the direction in which the agent walks.
  drawHeading(context, x, y, radius, heading) {
    if (heading === 0) return;
    const reach = (radius * 0.52) / Math.hypot(MOVE_DX[heading], MOVE_DY[heading]);
    context.fillStyle = "rgba(8, 11, 18, 0.72)";
    context.beginPath();
    context.arc(x + MOVE_DX[heading] * reach, y + MOVE_DY[heading] * reach, radius * 0.19, 0, 7);
    context.fill();
  }

  // Two bars, as on a button that pauses: the agent waits.
  drawPause(context, x, y, radius) {
    context.fillStyle = "rgba(8, 11, 18, 0.72)";
    for (const side of [-1, 1]) {
      context.fillRect(x + (side * 0.26 - 0.12) * radius, y - radius * 0.36, radius * 0.24, radius * 0.72);
    }
  }

  drawForeign(context, x, y, radius) {
    const reach = radius * 1.12;
    context.beginPath();
    context.moveTo(x, y - reach);
    context.lineTo(x + reach, y);
    context.lineTo(x, y + reach);
    context.lineTo(x - reach, y);
    context.closePath();
    context.fillStyle = "rgba(40, 8, 14, 0.75)";
    context.fill();
    context.strokeStyle = FOREIGN_COLOUR;
    context.lineWidth = Math.max(1, radius * 0.28);
    context.stroke();
  }

  // Draws the whole path of an agent, backwards from where it is drawn now.
  tracePath(context, here, slot) {
    const { moves, slots, width } = this.timeline;
    const cell = here.cells[slot];
    if (cell === NOWHERE) return;
    let x = (cell % width) + 0.5;
    let y = ((cell / width) | 0) + 0.5;
    // A jump is not part of the path.
    if (Math.abs(this.x[slot] - x) <= 1 && Math.abs(this.y[slot] - y) <= 1) context.moveTo(this.x[slot], this.y[slot]);
    context.lineTo(x, y);
    for (let tick = here.tick; tick > here.unbrokenSince[slot]; tick--) {
      const move = moves[(tick - 1) * slots + slot];
      if (move === 0) continue;
      x -= MOVE_DX[move];
      y -= MOVE_DY[move];
      context.lineTo(x, y);
    }
  }

  // Small marks on cells, in the colours of the agents they belong to.
  drawMarks(context, camera, cells, shape) {
    const { width } = this.timeline;
    const paths = new Map();
    const seen = camera.visibleCells();
    for (let slot = 0; slot < cells.length; slot++) {
      const cell = cells[slot];
      if (cell === NOWHERE || this.presence[slot] === 0 || this.foreign[slot]) continue;
      const x = cell % width;
      const y = (cell / width) | 0;
      if (!isWithin(seen, x, y, MARK_REACH)) continue;
      let path = paths.get(this.hue[slot]);
      if (!path) paths.set(this.hue[slot], (path = new Path2D()));
      shape(path, x + 0.5, y + 0.5);
    }
    this.inCells(context, camera, () => {
      context.lineWidth = Math.max(0.07, 1 / camera.scale());
      for (const [hue, path] of paths) {
        context.strokeStyle = AGENT_COLOURS[hue];
        context.globalAlpha = 0.7;
        context.stroke(path);
        context.fillStyle = AGENT_COLOURS[hue];
        context.globalAlpha = 0.14;
        context.fill(path);
      }
      context.globalAlpha = 1;
    });
  }

  drawGoals(context, camera, goals) {
    const reach = Math.max(0.3, 1.5 / camera.scale());
    this.drawMarks(context, camera, goals, (path, x, y) => path.rect(x - reach, y - reach, 2 * reach, 2 * reach));
  }

  drawStarts(context, camera, starts) {
    const reach = Math.max(0.2, 1.5 / camera.scale());
    this.drawMarks(context, camera, starts, (path, x, y) => {
      path.moveTo(x + reach, y);
      path.arc(x, y, reach, 0, 7);
    });
  }

  // A ring around every agent that has just arrived.
  drawRipples(context, camera, here, time, speed) {
    const lasting = Math.max(2, RIPPLE_SECONDS * speed);
    const seen = camera.visibleCells();
    this.inCells(context, camera, () => {
      for (let slot = 0; slot < this.x.length; slot++) {
        const age = (time - here.arrivedSince[slot]) / lasting;
        if (age >= 1 || this.presence[slot] === 0 || !here.hasArrived(slot)) continue;
        if (!isWithin(seen, this.x[slot], this.y[slot], MARK_REACH)) continue;
        context.globalAlpha = (1 - age) ** 2 * 0.9;
        context.strokeStyle = AGENT_LIGHTS[this.hue[slot]];
        context.lineWidth = 0.16 * (1 - age);
        context.beginPath();
        context.arc(this.x[slot], this.y[slot], Math.max(RADIUS, RADIUS_MIN / camera.scale()) * (1 + 1.4 * age), 0, 7);
        context.stroke();
      }
      context.globalAlpha = 1;
    });
  }

  // The agent that is followed: the whole path behind it, the line to its goal, and a ring.
  drawFollowed(context, camera, here, goals, number) {
    const slot = this.slotDrawn(number);
    if (slot === NOWHERE) return;
    const { width } = this.timeline;
    const [x, y, goal] = [this.x[slot], this.y[slot], goals[slot]];
    const colour = this.foreign[slot] ? FOREIGN_COLOUR : AGENT_COLOURS[this.hue[slot]];
    const thin = Math.max(Math.min(0.07, 4 / camera.scale()), 1.5 / camera.scale());
    this.inCells(context, camera, () => {
      context.strokeStyle = colour;
      context.lineWidth = thin * 1.4;
      context.globalAlpha = 0.75;
      context.beginPath();
      this.tracePath(context, here, slot);
      context.stroke();
      context.globalAlpha = 1;
      context.lineWidth = thin;
      if (goal !== NOWHERE && !this.foreign[slot]) {
        const [goalX, goalY] = [(goal % width) + 0.5, ((goal / width) | 0) + 0.5];
        const reach = Math.max(0.36, 4 / camera.scale());
        context.strokeStyle = "#fff";
        context.setLineDash([thin * 3, thin * 4]);
        context.globalAlpha = 0.55;
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(goalX, goalY);
        context.stroke();
        context.setLineDash([]);
        context.globalAlpha = 1;
        context.strokeRect(goalX - reach, goalY - reach, 2 * reach, 2 * reach);
      }
      context.strokeStyle = "#fff";
      context.lineWidth = thin * 1.3;
      context.beginPath();
      context.arc(x, y, Math.max(RADIUS * 1.38, 7 / camera.scale()), 0, 7);
      context.stroke();
    });
  }

  // An arrow at the edge of the panel, in the direction of an agent that is outside of it.
  drawDirection(context, camera, number) {
    const slot = this.slotDrawn(number);
    if (slot === NOWHERE) return;
    const { width, height } = camera.canvas;
    const [left, top] = camera.corner();
    const size = camera.pixels();
    const [dx, dy] = [left + this.x[slot] * size - width / 2, top + this.y[slot] * size - height / 2];
    const length = ARROW_LENGTH * camera.ratio;
    // How far beyond the edge it is, as a multiple of the way to the edge.
    const beyond = Math.max(Math.abs(dx) / (width / 2), Math.abs(dy) / (height / 2));
    if (beyond <= 1) return;
    const inside = Math.max(Math.abs(dx) / Math.max(1, width / 2 - length), Math.abs(dy) / Math.max(1, height / 2 - length));
    context.save();
    context.translate(width / 2 + dx / inside, height / 2 + dy / inside);
    context.rotate(Math.atan2(dy, dx));
    context.scale(length, length);
    context.beginPath();
    context.moveTo(0.8, 0);
    context.lineTo(-0.6, 0.6);
    context.lineTo(-0.3, 0);
    context.lineTo(-0.6, -0.6);
    context.closePath();
    context.fillStyle = this.foreign[slot] ? FOREIGN_COLOUR : AGENT_COLOURS[this.hue[slot]];
    context.strokeStyle = "#fff";
    context.lineWidth = 0.14;
    context.lineJoin = "round";
    context.fill();
    context.stroke();
    context.restore();
  }

  // The agent that is pointed at: a ring.
  drawPointed(context, camera, number) {
    const slot = this.slotDrawn(number);
    if (slot === NOWHERE) return;
    this.inCells(context, camera, () => {
      context.strokeStyle = "#fff";
      context.globalAlpha = 0.8;
      context.lineWidth = Math.max(0.06, 1.2 / camera.scale());
      context.beginPath();
      context.arc(this.x[slot], this.y[slot], Math.max(RADIUS * 1.3, 6 / camera.scale()), 0, 7);
      context.stroke();
    });
  }

  // Draws in units of cells.
  inCells(context, camera, draw) {
    const [left, top] = camera.corner();
    const size = camera.pixels();
    context.save();
    context.setTransform(size, 0, 0, size, left, top);
    context.lineCap = "round";
    context.lineJoin = "round";
    draw();
    context.restore();
  }
}
