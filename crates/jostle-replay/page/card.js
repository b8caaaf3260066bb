// The card of the agent that is followed: a row for each run in which it is.

// The length of the shortest path over open floor.
function airDistance(timeline, from, to) {
  const { width, four } = timeline;
  const dx = Math.abs((from % width) - (to % width));
  const dy = Math.abs(Math.floor(from / width) - Math.floor(to / width));
  return four ? dx + dy : Math.max(dx, dy) + (Math.SQRT2 - 1) * Math.min(dx, dy);
}

function stateOf(timeline, moment, slot, number) {
  if (number >= moment.joined) return ["gone", "not in the world yet"];
  if (!moment.holds(slot, number)) return ["gone", timeline.tasks.ofSlot[slot] ? "done, and gone" : "has left"];
  if (timeline.tasks.ofSlot[slot] && moment.waiting[slot] === 0) return timeline.tasks.stateOf(slot, moment.tick);
  if (moment.ours[slot] === 0) return ["foreign", "moved by the game"];
  if (moment.hasArrived(slot)) return ["arrived", "arrived"];
  const waiting = moment.waiting[slot];
  if (waiting > 0) return ["waiting", `waits: ${plural(waiting, "tick")}`];
  return moment.tick === 0 ? ["walking", "ready"] : ["walking", "walking"];
}

// The columns: a name, its meaning, and the value for an agent in a run. A column without any value is left out.
const CARD_COLUMNS = [
  ["state", "", ({ words }) => words],
  ["cell", "Column and row", ({ place, cell }) => place(cell)],
  ["goal", "Column and row", ({ place, goal, isOurs }) => (isOurs ? place(goal) : "–")],
  [
    "to the goal",
    "Shortest distance over open floor, in cells",
    ({ timeline, cell, goal, isOurs }) => (isOurs && cell !== NOWHERE ? airDistance(timeline, cell, goal).toFixed(1) : "–"),
  ],
  ["walked", "In cells", ({ moment, slot, isKnown }) => isKnown && moment.walked[slot].toFixed(1)],
  ["waited", "Ticks spent standing away from the goal", ({ moment, slot, isKnown }) => isKnown && plural(moment.waited[slot], "tick")],
  ["partner", "", ({ task, slot }) => task && `agent ${slot === task.initiator ? task.executor : task.initiator}`],
  ["meets", "Where and when it meets its partner", ({ task, place }) => task && `${place(task.meeting)} at tick ${task.metAt}`],
];

class Card {
  constructor() {
    this.root = byId("card");
    this.rows = [];
  }

  // Makes the table of an agent: a row for each of these panels.
  lay(number, panels) {
    write(byId("card-name"), `Agent ${number}`);
    const hasTask = panels.some(({ timeline }) => timeline.tasks.ofSlot[timeline.slotOf[number]]);
    this.columns = CARD_COLUMNS.filter(([name]) => hasTask || (name !== "partner" && name !== "meets"));
    const head = element("tr");
    const names = this.columns.map(([name, meaning]) => {
      const cell = element("th", "", name);
      cell.scope = "col";
      cell.title = meaning;
      return cell;
    });
    head.append(element("td"), ...names);
    this.rows = panels.map((panel) => {
      const row = element("tr");
      const values = this.columns.map(([name]) => {
        const cell = element("td");
        // On a small screen, the name stands before every value.
        cell.dataset.name = name;
        return cell;
      });
      row.append(panel.nameCell(), ...values);
      return { panel, row, values };
    });
    byId("card-rows").replaceChildren(head, ...this.rows.map(({ row }) => row));
  }

  write(number) {
    this.rows.forEach(({ panel, values }, at) => {
      const { timeline, here: moment, crowd } = panel;
      const { width } = timeline;
      const slot = timeline.slotOf[number];
      const [state, words] = stateOf(timeline, moment, slot, number);
      const isThere = moment.holds(slot, number);
      const about = {
        timeline,
        moment,
        slot,
        words,
        place: (cell) => (cell === NOWHERE ? "–" : `${cell % width}, ${Math.floor(cell / width)}`),
        cell: isThere ? moment.cells[slot] : NOWHERE,
        goal: isThere ? moment.goals[slot] : NOWHERE,
        isOurs: isThere && moment.ours[slot] === 1,
        // What an agent did is known until another one uses its slot.
        isKnown: moment.numbers[slot] === number,
        task: timeline.tasks.ofSlot[slot],
      };
      this.columns.forEach(([, , valueOf], column) => write(values[column], valueOf(about) || "–"));
      values[0].dataset.state = state;
      if (at > 0) return;
      this.root.dataset.state = state;
      this.root.style.setProperty("--colour", state === "foreign" ? FOREIGN_COLOUR : AGENT_COLOURS[crowd.hue[slot]]);
    });
  }
}
