// The text on the page: the counters, and the card of the agent that is followed.

const byId = (id) => document.getElementById(id);

// Writes only what has changed, because every write makes the browser lay out again.
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// Reserves room for the longest numbers, so that nothing beside them moves as they grow.
function reserveCounters(timeline) {
  const crowd = timeline.crowdAt.reduce((most, count) => Math.max(most, count), 0);
  const reserve = (id, most) => byId(id).parentElement.style.setProperty("--digits", String(most).length);
  reserve("tick", timeline.ticks);
  reserve("arrived", crowd);
  if (timeline.tasks.count) write(byId("arrived-label"), "tasks done");
}

function writeCounters(timeline, tick) {
  const [arrived, crowd] = [timeline.arrivedAt[tick], timeline.crowdAt[tick]];
  write(byId("tick"), String(tick));
  write(byId("ticks"), `/ ${timeline.ticks}`);
  write(byId("arrived"), String(arrived));
  write(byId("crowd"), `/ ${crowd}`);
  byId("arrived-share").style.setProperty("--share", crowd ? arrived / crowd : 0);
}

// The length of the shortest path over open floor.
function airDistance(timeline, from, to) {
  const { width, four } = timeline;
  const dx = Math.abs((from % width) - (to % width));
  const dy = Math.abs(Math.floor(from / width) - Math.floor(to / width));
  return four ? dx + dy : Math.max(dx, dy) + (Math.SQRT2 - 1) * Math.min(dx, dy);
}

function stateOf(timeline, moment, slot) {
  if (moment.cells[slot] === NOWHERE) return ["gone", timeline.tasks.ofSlot[slot] ? "done, and gone" : "not in the world"];
  if (timeline.tasks.ofSlot[slot] && moment.waiting[slot] === 0) return timeline.tasks.stateOf(slot, moment.tick);
  if (moment.ours[slot] === 0) return ["foreign", "moved by the game"];
  if (moment.hasArrived(slot)) return ["arrived", "arrived"];
  const waiting = moment.waiting[slot];
  if (waiting > 0) return ["waiting", `waiting for ${plural(waiting, "tick")}`];
  return moment.tick === 0 ? ["walking", "ready"] : ["walking", "walking"];
}

function writeCard(timeline, moment, crowd, slot) {
  if (slot === NOWHERE) return;
  const card = byId("card");
  const { width } = timeline;
  const place = (cell) => (cell === NOWHERE ? "–" : `${cell % width}, ${Math.floor(cell / width)}`);
  const [cell, goal, isOurs] = [moment.cells[slot], moment.goals[slot], moment.ours[slot] === 1];
  const [kind, words] = stateOf(timeline, moment, slot);
  card.dataset.state = kind;
  card.style.setProperty("--colour", kind === "foreign" ? FOREIGN_COLOUR : AGENT_COLOURS[crowd.hue[slot]]);
  write(byId("card-name"), `Agent ${slot}`);
  write(byId("card-state"), words);
  write(byId("card-cell"), place(cell));
  write(byId("card-goal"), isOurs ? place(goal) : "–");
  write(byId("card-left"), isOurs && cell !== NOWHERE ? airDistance(timeline, cell, goal).toFixed(1) : "–");
  write(byId("card-walked"), moment.walked[slot].toFixed(1));
  write(byId("card-waited"), plural(moment.waited[slot], "tick"));
  const task = timeline.tasks.ofSlot[slot];
  for (const row of document.querySelectorAll(".of-pair")) row.hidden = !task;
  if (!task) return;
  write(byId("card-partner"), `agent ${slot === task.initiator ? task.executor : task.initiator}`);
  write(byId("card-meets"), `${place(task.meeting)} at tick ${task.metAt}`);
}
