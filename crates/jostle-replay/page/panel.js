// A run on the page: its title and facts, its counter, and the map with all agents at the time that is shown.

// Titles and lines on the timeline have the colours of their runs.
const RUN_COLOURS = ["#6ee9bd", "#ffc46b", "#8fb8ff", "#f79fd5", "#cbe36a", "#ff9f80"];

const HEATED_ALPHA = 0.72;

class Panel {
  constructor(section, timeline, floor, view, number) {
    Object.assign(this, { section, timeline, floor, view, number });
    this.title = section.querySelector("h2").textContent;
    this.colour = RUN_COLOURS[number % RUN_COLOURS.length];
    section.style.setProperty("--run", this.colour);
    section.setAttribute("aria-label", this.title);
    this.canvas = element("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-describedby", "map-keys");
    this.context = this.canvas.getContext("2d");
    this.heat = new Heat(timeline);
    this.crowd = new Crowd(timeline, view.box);
    this.trails = new Trails(timeline, this.crowd);
    this.dots = new Dots(timeline, this.crowd);
    this.marks = new MeetingMarks(timeline, this.crowd);
    this.camera = new Camera(this.canvas, view, timeline);
    this.here = timeline.keyframes[0].copy();
    this.next = timeline.keyframes[0].copy();
    this.share = 0;
    this.addCounter();
    section.append(this.canvas);
  }

  addCounter() {
    const { timeline } = this;
    const head = this.section.querySelector("header");
    this.counter = element("div", "counter score");
    this.counter.append(
      element("span", "", timeline.tasks.count ? "tasks" : timeline.isLifelong ? "goals" : "arrived"),
      (this.arrivedText = element("b")),
      (this.crowdText = element("small")),
      element("i"),
    );
    this.endText = element("p", "ended", "ended");
    // Where there is little room, the words in the middle are left out.
    this.endText.append(element("span", "", " at tick"), ` ${grouped(timeline.ticks)}`);
    this.endText.hidden = true;
    const name = element("div", "name");
    const title = head.querySelector("h2");
    title.replaceChildren(titleText(this.title));
    name.append(element("i", "swatch"), title, this.endText, this.counter);
    head.prepend(name);
    const crowd = timeline.crowdAt.reduce((most, count) => Math.max(most, count), 0);
    this.counter.style.setProperty("--digits", String(crowd).length);
  }

  // The title as the head of a row.
  nameCell() {
    const cell = element("th");
    cell.scope = "row";
    cell.style.setProperty("--run", this.colour);
    cell.append(element("i", "swatch"), titleText(this.title));
    return cell;
  }

  // What the run has come to at the time that is shown, in words.
  summary() {
    const { timeline, here } = this;
    const count = timeline.arrivedAt[here.tick];
    if (timeline.isLifelong) return `${this.title}: ${plural(count, "goal")} reached`;
    return `${this.title}: ${count} of ${timeline.crowdAt[here.tick]} ${timeline.tasks.count ? "tasks done" : "arrived"}`;
  }

  hasEnded(time) {
    return time >= this.timeline.ticks;
  }

  // Places the crowd as it is at a time, or at the end of the run.
  place(time) {
    const { timeline, here, next } = this;
    const within = Math.min(time, timeline.ticks);
    const tick = Math.floor(within);
    this.share = within - tick;
    timeline.seek(here, tick);
    timeline.seekAfter(next, here);
    this.crowd.place(here, next, this.share);
  }

  // The goals as they are at the time that is shown.
  goals() {
    return this.share > 0 ? this.next.goals : this.here.goals;
  }

  // Whether an agent of this number is ever in the run.
  has(number) {
    return this.timeline.slotOf[number] !== undefined;
  }

  // Where an agent is drawn, in cells, if it is there.
  placeOf(number) {
    const { crowd } = this;
    const slot = crowd.slotDrawn(number);
    return slot === NOWHERE ? null : [crowd.x[slot], crowd.y[slot]];
  }

  // The agent at a point of the page, within a reach in CSS pixels.
  agentAt(pageX, pageY, reach) {
    const [x, y] = this.camera.cellAt(pageX, pageY);
    return this.crowd.nearest(x, y, Math.max(0.6, reach / this.camera.scale()));
  }

  // `scene` is what is common to all panels: the time, the layers, the numbers of the agents that are followed and pointed at.
  draw(scene) {
    const { context, camera, here } = this;
    const { tick } = here;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    // The game edits the map before agents move, so that an agent in a new door stands on floor.
    this.floor.seek(this.share > 0 ? tick + 1 : tick);
    const isMoving = this.view.isGliding || this.view.isHeld;
    this.floor.draw(context, camera, isMoving);
    if (scene.layers.heat) {
      this.heat.seek(tick);
      this.heat.draw(context, camera);
    }
    // The agents of a run that has ended are at rest, but the clock goes on, so that the rings of the last arrivals fade.
    if (this.dots.suit(camera)) this.drawDots(scene);
    else this.drawDiscs(scene);
    if (scene.layers.meetings) this.marks.drawAbove(context, camera, tick, scene.time, scene.speed);
    if (scene.followed !== NOWHERE) {
      this.crowd.drawFollowed(context, camera, here, this.goals(), scene.followed);
      this.crowd.drawDirection(context, camera, scene.followed);
    }
    if (scene.pointed !== NOWHERE && scene.pointed !== scene.followed) this.crowd.drawPointed(context, camera, scene.pointed);
    this.writeCounter(tick, this.hasEnded(scene.time) && !scene.isEnd);
  }

  writeCounter(tick, hasEndedBefore) {
    const [arrived, crowd] = [this.timeline.arrivedAt[tick], this.timeline.crowdAt[tick]];
    write(this.arrivedText, grouped(arrived));
    if (!this.timeline.isLifelong) write(this.crowdText, `/ ${grouped(crowd)}`);
    this.counter.style.setProperty("--share", crowd ? arrived / crowd : 0);
    this.endText.hidden = !hasEndedBefore;
  }

  // Agents stand on the hottest cells: they are drawn faintly, so as not to hide the heat.
  alphaOf(layers) {
    return layers.heat ? HEATED_ALPHA : 1;
  }

  drawDiscs({ layers, time, speed }) {
    const { context, camera, crowd, here, next } = this;
    if (layers.trails) this.trails.draw(context, camera, here, this.view.isGliding || this.view.isHeld);
    if (layers.starts) crowd.drawStarts(context, camera, here.starts);
    if (layers.goals) crowd.drawGoals(context, camera, this.goals());
    if (layers.meetings) this.marks.draw(context, camera, here.tick);
    if (!PREFERS_STILL.matches) crowd.drawRipples(context, camera, here, time, speed);
    context.globalAlpha = this.alphaOf(layers);
    crowd.draw(context, camera, this.share > 0 ? next : here);
    context.globalAlpha = 1;
  }

  drawDots({ layers }) {
    const { context, camera, dots, here } = this;
    dots.begin(camera);
    if (layers.trails) dots.addTrails(here);
    if (layers.starts) dots.addMarks(here.starts);
    if (layers.goals) dots.addMarks(this.goals());
    if (layers.meetings) this.marks.draw(context, camera, here.tick);
    dots.addAgents();
    context.globalAlpha = this.alphaOf(layers);
    dots.draw(context);
    context.globalAlpha = 1;
  }
}
