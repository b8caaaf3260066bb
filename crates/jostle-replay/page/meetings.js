// Pairs of agents that meet: how far their tasks have come, and the marks on the map.

const BURST_SECONDS = 0.9;
const PARCEL_COLOUR = "#fff6dc";

// The tasks of a run. The initiator visits the start of the task, meets the executor, and the executor goes to the goal.
class Tasks {
  constructor(rows, slots) {
    this.list = rows.map(([initiator, executor, start, meeting, tick, goal]) => ({
      initiator,
      executor,
      start,
      meeting,
      metAt: tick,
      goal,
      visitedAt: Infinity,
      doneAt: Infinity,
    }));
    this.ofSlot = new Array(slots).fill(null);
    for (const task of this.list) this.ofSlot[task.initiator] = this.ofSlot[task.executor] = task;
  }

  get count() {
    return this.list.length;
  }

  // Notes when the stages of tasks end, while the run is played for the first time.
  watch({ tick, cells }) {
    for (const task of this.list) {
      if (task.visitedAt === Infinity && cells[task.initiator] === task.start) task.visitedAt = tick;
      if (task.doneAt === Infinity && tick >= task.metAt && cells[task.executor] === task.goal) task.doneAt = tick;
    }
  }

  doneBy(tick) {
    return this.list.filter((task) => task.doneAt <= tick).length;
  }

  // Whether nothing is left for an agent to do.
  isDone(slot, tick) {
    const task = this.ofSlot[slot];
    return !task || tick >= (slot === task.initiator ? task.metAt : task.doneAt);
  }

  // The agent that has what was fetched at the start of the task.
  carrier(task, tick) {
    if (tick < task.visitedAt || tick >= task.doneAt) return NOWHERE;
    return tick < task.metAt ? task.initiator : task.executor;
  }

  // What an agent is doing, in words.
  stateOf(slot, tick) {
    const task = this.ofSlot[slot];
    if (slot === task.initiator) {
      if (tick < task.visitedAt) return ["walking", "going to the task's start"];
      return tick < task.metAt ? ["walking", "going to the meeting"] : ["arrived", "has met its partner"];
    }
    if (tick < task.metAt) return ["walking", "going to the meeting"];
    return tick < task.doneAt ? ["walking", "going to the task's goal"] : ["arrived", "done"];
  }
}

// Draws the tasks that are not done: where pairs will meet, what is to be fetched, and who carries it.
class MeetingMarks {
  constructor(timeline, crowd) {
    Object.assign(this, { timeline, crowd, tasks: timeline.tasks });
  }

  middleOf(cell) {
    const { width } = this.timeline;
    return [(cell % width) + 0.5, Math.floor(cell / width) + 0.5];
  }

  hueOf(task) {
    return this.crowd.hueOf(task.goal);
  }

  draw(context, camera, tick) {
    const reach = Math.max(0.3, 4 / camera.scale());
    const thin = Math.max(0.06, 1.2 / camera.scale());
    this.crowd.inCells(context, camera, () => {
      for (const task of this.tasks.list) {
        if (tick >= task.doneAt) continue;
        const colour = AGENT_COLOURS[this.hueOf(task)];
        context.strokeStyle = context.fillStyle = colour;
        context.lineWidth = thin;
        if (tick < task.metAt) {
          this.drawTethers(context, task, thin);
          this.drawMeeting(context, task, reach);
        }
        if (tick < task.visitedAt) this.drawStart(context, task, reach);
        this.drawGoal(context, task, reach);
      }
      context.globalAlpha = 1;
    });
  }

  // From both agents to where they will meet.
  drawTethers(context, task, thin) {
    const [x, y] = this.middleOf(task.meeting);
    context.globalAlpha = 0.4;
    context.setLineDash([thin * 3, thin * 4]);
    context.beginPath();
    for (const slot of [task.initiator, task.executor]) {
      if (this.crowd.presence[slot] === 0) continue;
      context.moveTo(this.crowd.x[slot], this.crowd.y[slot]);
      context.lineTo(x, y);
    }
    context.stroke();
    context.setLineDash([]);
  }

  // Two rings that overlap.
  drawMeeting(context, task, reach) {
    const [x, y] = this.middleOf(task.meeting);
    for (const side of [-1, 1]) {
      context.beginPath();
      context.arc(x + side * reach * 0.42, y, reach * 0.72, 0, 7);
      context.globalAlpha = 0.2;
      context.fill();
      context.globalAlpha = 0.9;
      context.stroke();
    }
  }

  // A parcel that waits for the initiator.
  drawStart(context, task, reach) {
    const [x, y] = this.middleOf(task.start);
    context.globalAlpha = 0.9;
    context.fillStyle = PARCEL_COLOUR;
    context.fillRect(x - reach * 0.5, y - reach * 0.5, reach, reach);
    context.strokeRect(x - reach * 0.5, y - reach * 0.5, reach, reach);
    context.fillStyle = context.strokeStyle;
  }

  drawGoal(context, task, reach) {
    const [x, y] = this.middleOf(task.goal);
    context.globalAlpha = 0.12;
    context.fillRect(x - reach, y - reach, 2 * reach, 2 * reach);
    context.globalAlpha = 0.75;
    context.strokeRect(x - reach, y - reach, 2 * reach, 2 * reach);
  }

  // What agents carry, and a burst where two have just met.
  drawAbove(context, camera, tick, time, speed) {
    const lasting = Math.max(2, BURST_SECONDS * speed);
    const size = Math.max(RADIUS * 0.8, 3 / camera.scale());
    this.crowd.inCells(context, camera, () => {
      for (const task of this.tasks.list) {
        const slot = this.tasks.carrier(task, tick);
        if (slot !== NOWHERE && this.crowd.presence[slot] > 0) {
          const [x, y] = [this.crowd.x[slot], this.crowd.y[slot]];
          context.globalAlpha = this.crowd.presence[slot];
          context.fillStyle = PARCEL_COLOUR;
          context.fillRect(x - size / 2, y - size / 2, size, size);
        }
        const age = (time - task.metAt) / lasting;
        if (age >= 0 && age < 1) this.drawBurst(context, camera, task, age);
      }
      context.globalAlpha = 1;
    });
  }

  drawBurst(context, camera, task, age) {
    const [x, y] = this.middleOf(task.meeting);
    const reach = Math.max(0.55, 9 / camera.scale());
    const rings = [
      [age, "#fff"],
      [Math.max(0, age - 0.2), AGENT_LIGHTS[this.hueOf(task)]],
    ];
    for (const [share, colour] of rings) {
      context.globalAlpha = (1 - age) ** 1.5;
      context.strokeStyle = colour;
      context.lineWidth = Math.max(0.14, 2.4 / camera.scale()) * (1 - age);
      context.beginPath();
      context.arc(x, y, reach * (0.9 + 1.9 * share), 0, 7);
      context.stroke();
    }
  }
}
