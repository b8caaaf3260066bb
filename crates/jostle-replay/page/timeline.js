// The position of every agent at any tick. A `Moment` is the crowd at one tick; the `Timeline` moves it to
// any other. Forwards it steps tick by tick; backwards it starts at the last keyframe before.

const JOIN = 0;
const LEAVE = 1;
const SEND = 2;
const PLACE = 3;
const SET_FLOOR = 4;

// Keyframes are this many ticks apart, or more if they would take too much memory.
const KEYFRAME_EVERY = 16;
const KEYFRAME_BYTES = 1 << 28;
const SLOT_BYTES = 39;
const LONG_AGO = -1e9;

class Moment {
  constructor(slots) {
    this.tick = 0;
    this.arrived = 0;
    this.crowd = 0;
    // The goals that were reached so far. A start that is a goal does not count.
    this.reached = 0;
    this.cells = new Int32Array(slots).fill(NOWHERE);
    this.goals = new Int32Array(slots).fill(NOWHERE);
    this.starts = new Int32Array(slots).fill(NOWHERE);
    this.ours = new Uint8Array(slots);
    // The number of the agent in the slot, or of the last one. Agents are numbered in the order in which they join, as in
    // path files; a slot that one has left may be used by another.
    this.numbers = new Int32Array(slots).fill(NOWHERE);
    // How many agents have joined so far.
    this.joined = 0;
    // Ticks waited away from the goal, in all and without a break.
    this.waited = new Uint32Array(slots);
    this.waiting = new Uint32Array(slots);
    this.walked = new Float32Array(slots);
    // The last move that led somewhere.
    this.heading = new Uint8Array(slots);
    // Whether the agent has not reached its goal since it was sent there.
    this.isUnderWay = new Uint8Array(slots);
    this.arrivedSince = new Int32Array(slots).fill(LONG_AGO);
    // The tick after which every change of place was a move.
    this.unbrokenSince = new Int32Array(slots);
  }

  copyFrom(other) {
    for (const [field, value] of Object.entries(other)) {
      if (ArrayBuffer.isView(value)) this[field].set(value);
      else this[field] = value;
    }
  }

  copy() {
    const copy = new Moment(this.cells.length);
    copy.copyFrom(this);
    return copy;
  }

  // Whether an agent is in this slot now.
  holds(slot, number) {
    return this.numbers[slot] === number && this.cells[slot] !== NOWHERE;
  }

  hasArrived(slot) {
    return this.ours[slot] === 1 && this.cells[slot] === this.goals[slot];
  }

  countArrived() {
    this.arrived = 0;
    this.crowd = 0;
    for (let slot = 0; slot < this.cells.length; slot++) {
      if (this.ours[slot] === 0 || this.cells[slot] === NOWHERE) continue;
      this.crowd++;
      if (this.cells[slot] === this.goals[slot]) this.arrived++;
    }
  }
}

class Timeline {
  constructor(run) {
    Object.assign(this, run);
    this.moveBy = MOVE_DX.map((dx, move) => MOVE_DY[move] * run.width + dx);
    this.keyframes = [];
    this.keyframeEvery = Math.max(KEYFRAME_EVERY, Math.ceil((run.slots * run.ticks * SLOT_BYTES) / KEYFRAME_BYTES));
    this.arrivedAt = new Uint32Array(run.ticks + 1);
    this.crowdAt = new Uint32Array(run.ticks + 1);
    this.reachedAt = new Uint32Array(run.ticks + 1);
    this.waits = new WaitList(run.ticks);
    this.edits = [];
    // The slot of every agent, by its number.
    this.slotOf = [];
    // By slot, where its agents had several goals: from which tick on they had each.
    this.goalsOf = new Map();
    // The tick after which nothing happens: nobody moves, and the game changes nothing.
    const lastMove = run.moves.findLastIndex((move) => move !== 0);
    const lastChange = [...run.changes.keys()].at(-1) ?? 0;
    this.lastEvent = Math.max(Math.floor(lastMove / Math.max(1, run.slots)) + 1, lastChange);
    this.playThrough();
  }

  // Plays the run once and keeps the keyframes, counts and edits from which any tick is found.
  playThrough() {
    const moment = new Moment(this.slots);
    const { agents } = this;
    for (let at = 0; at < agents.length; at += 3) {
      if (agents[at] !== NOWHERE) this.join(moment, at / 3, agents[at], agents[at + 1], agents[at + 2]);
    }
    moment.countArrived();
    const floor = this.floor.slice();
    let sentOn = 0;
    for (;;) {
      this.tasks.watch(moment);
      // Of agents that meet, the tasks are counted: they may leave when their part is done.
      this.arrivedAt[moment.tick] = this.tasks.count ? this.tasks.doneBy(moment.tick) : moment.arrived;
      this.crowdAt[moment.tick] = this.tasks.count || moment.crowd;
      this.reachedAt[moment.tick] = moment.reached;
      if (moment.tick % this.keyframeEvery === 0) this.keyframes.push(moment.copy());
      if (moment.tick === this.ticks) break;
      sentOn += this.countSentOn(moment);
      this.step(moment, this.waits);
      this.waits.endTick(moment.tick);
      for (const change of this.changes.get(moment.tick) ?? []) {
        const [kind, cell, isFloor] = change;
        if (kind === JOIN) this.noteGoal(moment.tick, change[1], change[3]);
        if (kind === SEND) this.noteGoal(moment.tick, change[1], change[2]);
        if (kind !== SET_FLOOR || floor[cell] === isFloor) continue;
        this.edits.push({ tick: moment.tick, cell, isFloor });
        floor[cell] = isFloor;
      }
    }
    // Most who arrive are sent elsewhere at once: it means little how many stand on their goals.
    this.isLifelong = sentOn > 0 && 2 * sentOn >= moment.reached;
    if (this.isLifelong) this.countGoals(moment.reached);
  }

  // How many agents have just arrived and are sent to another goal before the next tick.
  countSentOn({ tick, arrivedSince }) {
    const changes = this.changes.get(tick + 1) ?? [];
    return changes.filter(([kind, slot]) => kind === SEND && arrivedSince[slot] === tick).length;
  }

  // Of a run in which agents get new goals all the time, the goals that were reached are counted, out of so many.
  countGoals(most) {
    this.arrivedAt = this.reachedAt;
    this.crowdAt.fill(most);
  }

  noteGoal(tick, slot, goal) {
    let goals = this.goalsOf.get(slot);
    if (!goals) this.goalsOf.set(slot, (goals = { since: [0], cells: [this.agents[3 * slot + 1] ?? NOWHERE] }));
    goals.since.push(tick);
    goals.cells.push(goal);
  }

  // The goal for which the agent in a slot made its move in a tick, and since which tick it had it.
  goalAt(slot, tick) {
    const goals = this.goalsOf.get(slot);
    if (!goals) return { goal: this.agents[3 * slot + 1], since: 0 };
    let [low, high] = [0, goals.since.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (goals.since[middle] <= tick) low = middle;
      else high = middle;
    }
    return { goal: goals.cells[low], since: goals.since[low] };
  }

  join(moment, slot, cell, goal, ours) {
    moment.cells[slot] = cell;
    moment.goals[slot] = goal;
    moment.starts[slot] = cell;
    moment.ours[slot] = ours;
    moment.numbers[slot] = moment.joined;
    this.slotOf[moment.joined++] = slot;
    moment.waited[slot] = 0;
    moment.waiting[slot] = 0;
    moment.walked[slot] = 0;
    moment.heading[slot] = 0;
    moment.arrivedSince[slot] = LONG_AGO;
    moment.isUnderWay[slot] = cell === goal ? 0 : 1;
    moment.unbrokenSince[slot] = moment.tick;
  }

  apply(moment, [kind, slot, a, b, c]) {
    if (kind === JOIN) this.join(moment, slot, a, b, c);
    else if (kind === SEND) {
      moment.goals[slot] = a;
      moment.isUnderWay[slot] = 1;
    } else if (kind === LEAVE) {
      moment.cells[slot] = NOWHERE;
      moment.goals[slot] = NOWHERE;
      moment.ours[slot] = 0;
    } else if (kind === PLACE) {
      moment.cells[slot] = a;
      // An agent that is placed spends the whole tick on that: it neither moves nor waits.
      moment.unbrokenSince[slot] = moment.tick + 1;
    }
  }

  // Advances by one tick. Adds the cells of agents that wait away from their goals to `waits`.
  step(moment, waits) {
    for (const change of this.changes.get(moment.tick + 1) ?? []) this.apply(moment, change);
    const { cells, goals, ours, waiting } = moment;
    const offset = moment.tick * this.slots;
    moment.tick++;
    moment.arrived = 0;
    moment.crowd = 0;
    for (let slot = 0; slot < this.slots; slot++) {
      const move = this.moves[offset + slot];
      const was = cells[slot];
      if (was === NOWHERE) continue;
      if (move !== 0) {
        cells[slot] = was + this.moveBy[move];
        moment.walked[slot] += move < FIRST_DIAGONAL ? 1 : Math.SQRT2;
        waiting[slot] = 0;
        moment.heading[slot] = move;
      }
      if (ours[slot] === 0) continue;
      moment.crowd++;
      if (cells[slot] === goals[slot]) {
        moment.arrived++;
        waiting[slot] = 0;
        moment.reached += moment.isUnderWay[slot];
        moment.isUnderWay[slot] = 0;
        if (move !== 0) moment.arrivedSince[slot] = moment.tick;
      } else if (move === 0 && moment.unbrokenSince[slot] < moment.tick) {
        waiting[slot]++;
        moment.waited[slot]++;
        waits?.add(was);
      }
    }
  }

  // Brings a moment to another tick.
  seek(moment, tick) {
    const keyframe = this.keyframes[Math.floor(tick / this.keyframeEvery)];
    if (tick < moment.tick || keyframe.tick > moment.tick) moment.copyFrom(keyframe);
    while (moment.tick < tick) this.step(moment);
  }

  // Brings a moment to the tick after another one, if there is one.
  seekAfter(moment, here) {
    const tick = Math.min(this.ticks, here.tick + 1);
    if (moment.tick !== tick && moment.tick !== here.tick) moment.copyFrom(here);
    this.seek(moment, tick);
  }
}

// The cells on which agents waited, tick after tick.
class WaitList {
  constructor(ticks) {
    this.cells = new Uint32Array(1024);
    this.count = 0;
    // The number of waits up to each tick.
    this.until = new Uint32Array(ticks + 1);
  }

  add(cell) {
    if (this.count === this.cells.length) {
      const longer = new Uint32Array(this.count * 2);
      longer.set(this.cells);
      this.cells = longer;
    }
    this.cells[this.count++] = cell;
  }

  endTick(tick) {
    this.until[tick] = this.count;
  }
}
