// The player: the clock that all panels share, what is shown, and the frame that is drawn sixty times a second.

class Player {
  constructor(panels, views) {
    Object.assign(this, { panels, views });
    this.ticks = Math.max(...panels.map(({ timeline }) => timeline.ticks));
    this.isAlone = panels.length === 1;
    this.hasTasks = panels.some(({ timeline }) => timeline.tasks.count > 0);
    // Whether agents of one number are the same agent in all runs.
    this.isOneCrowd = panels.every(({ timeline }) => beginsAs(timeline, panels[0].timeline));
    this.sparkline = new Sparkline(byId("sparkline"), panels, this.ticks);
    this.card = new Card();
    // In ticks; the fraction is how far agents are between two cells.
    this.time = 0;
    // Where playing ends: a crowd may stand still for thousands of ticks after that. Whoever wants to see them goes there.
    this.lastEvent = Math.max(...panels.map(({ timeline }) => timeline.lastEvent));
    this.speed = this.fittingSpeed();
    this.isPlaying = false;
    this.isScrubbing = false;
    this.followed = NOWHERE;
    this.pointed = NOWHERE;
    // The panel in which an agent was picked: the camera follows it there.
    this.lead = panels[0];
    // The panel in which a number that is typed is looked for first: the one that was used last.
    this.used = panels[0];
    this.pointedIn = panels[0];
    this.isTracking = false;
    this.layers = { trails: false, starts: false, goals: false, heat: false, meetings: false };
    this.isStale = true;
    this.isToAnnounce = false;
    this.news = "";
    this.lastFrame = performance.now();
  }

  fittingSpeed() {
    return fittingSpeed(this.panels.map(({ timeline }) => timeline.lastEvent));
  }

  start() {
    document.querySelector("h1").title = document.querySelector("h1").textContent;
    byId("slider").max = this.ticks;
    byId("clock").style.setProperty("--digits", String(this.ticks).length);
    write(byId("ticks"), `/ ${grouped(this.ticks)}`);
    byId("meetings").hidden = !this.hasTasks;
    document.body.classList.toggle("with-tasks", this.hasTasks);
    document.body.classList.toggle("alone", this.isAlone);
    if (this.isAlone) this.spreadOut(this.panels[0]);
    const most = Math.max(...this.panels.map(({ heat }) => heat.most));
    for (const { heat } of this.panels) heat.scaleTo(most);
    const lifelong = this.panels.map(({ timeline }) => timeline).filter(({ isLifelong }) => isLifelong);
    const goals = Math.max(...lifelong.map(({ ticks, arrivedAt }) => arrivedAt[ticks]));
    for (const timeline of lifelong) timeline.countGoals(goals);
    byId("heat-most").textContent = plural(most, "tick");
    byId("heat-scale").style.background = heatGradient();
    if (most === 0) byId("legend").textContent = "no agent waits away from its goal";
    bindButtons(this);
    bindKeys(this);
    for (const panel of this.panels) bindPointer(this, panel);
    const observer = new ResizeObserver(() => this.resize());
    for (const id of ["stage", "panels"]) observer.observe(byId(id));
    this.resize();
    this.readAddress();
    window.addEventListener("hashchange", () => this.readAddress());
    const frame = (now) => {
      this.frame(now);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  // A run that is alone has no head of its own: its facts are beside the title, and its counter beside the clock.
  spreadOut(panel) {
    byId("counters").append(panel.counter);
    byId("head").append(panel.section.querySelector("header"));
  }

  resize() {
    const { panels, views } = this;
    const stage = byId("panels");
    const caption = Math.max(...panels.map(({ section, canvas }) => section.clientHeight - canvas.clientHeight));
    const { x0, y0, x1, y1 } = views[0].box;
    const room = { width: stage.clientWidth, height: stage.clientHeight };
    const columns = bestColumns(panels.length, room, caption, (x1 - x0) / (y1 - y0));
    stage.style.setProperty("--columns", columns);
    stage.style.setProperty("--least", `${leastHeight(Math.ceil(panels.length / columns), room.height, caption)}px`);
    for (const { camera } of panels) camera.resize();
    for (const view of views) {
      const ofView = panels.filter((panel) => panel.view === view).map((panel) => panel.canvas);
      const least = (side) => Math.min(...ofView.map((one) => one[side]));
      view.resize(least("clientWidth"), least("clientHeight"));
    }
    this.sparkline.resize();
    this.isStale = true;
  }

  // ---- time

  play(isPlaying) {
    if (isPlaying && (this.time === this.lastEvent || this.time >= this.ticks)) this.time = 0;
    this.isPlaying = isPlaying;
    document.body.classList.toggle("playing", isPlaying);
    byId("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    if (!isPlaying) this.writeAddress();
    this.isStale = this.isToAnnounce = true;
  }

  toggle() {
    this.play(!this.isPlaying);
  }

  goTo(tick) {
    this.time = Math.min(this.ticks, Math.max(0, Math.round(tick)));
    this.play(false);
  }

  step(ticks) {
    // Between two ticks, a step back goes to the earlier one.
    this.goTo((ticks > 0 ? Math.floor(this.time) : Math.ceil(this.time)) + ticks);
  }

  scrub(tick) {
    this.isScrubbing = true;
    this.time = tick;
    this.isStale = true;
  }

  endScrub() {
    this.isScrubbing = false;
    this.isStale = this.isToAnnounce = true;
    if (!this.isPlaying) this.writeAddress();
  }

  setSpeed(speed) {
    this.speed = speed;
    byId("speed").value = String(speed);
  }

  // ---- what is shown

  show(layer, isShown) {
    this.layers[layer] = isShown;
    byId(layer).setAttribute("aria-pressed", String(isShown));
    if (layer === "heat") byId("legend").hidden = !isShown;
    this.writeAddress();
    this.isStale = true;
  }

  // The panels in which an agent that was picked in one of them is marked.
  panelsWith(number, lead) {
    return this.panels.filter((panel) => (this.isOneCrowd || panel === lead) && panel.has(number));
  }

  // Follows the agent of a number that was typed. Returns what is wrong with it, in words, or nothing.
  followTyped(text) {
    const number = text === "" ? NOWHERE : Number(text);
    const lead = [this.used, ...this.panels].find((panel) => panel.has(number));
    if (lead || number === NOWHERE) {
      this.follow(number, lead);
      return "";
    }
    const last = Math.max(...this.panels.map(({ timeline }) => timeline.slotOf.length - 1));
    const wrong = last < 0 ? "There are no agents." : `There is no agent ${text}. The last one is ${last}.`;
    this.say(wrong);
    return wrong;
  }

  follow(number, lead = this.panels[0]) {
    const before = this.followed;
    this.lead = this.used = lead;
    this.followed = lead.has(number) ? number : NOWHERE;
    if (this.followed !== NOWHERE) this.say(this.storyOf(this.followed));
    else if (before !== NOWHERE) this.say(`Agent ${before} is followed no more.`);
    byId("who").value = this.followed === NOWHERE ? "" : String(this.followed);
    this.isTracking = false;
    byId("card").hidden = this.followed === NOWHERE;
    if (this.followed !== NOWHERE) {
      this.card.lay(this.followed, this.panelsWith(this.followed, lead));
      this.track();
    }
    this.writeAddress();
    this.isStale = true;
  }

  // What an agent does in the runs in which it is marked, in words.
  storyOf(number) {
    const states = this.panelsWith(number, this.lead).map((panel) => {
      panel.place(this.time);
      const [, words] = stateOf(panel.timeline, panel.here, panel.timeline.slotOf[number], number);
      return this.isAlone ? words : `${panel.title}: ${words}`;
    });
    return `Agent ${number} is followed. ${states.join(". ")}.`;
  }

  // Keeps the followed agent in the centre, close enough to see its neighbours.
  track() {
    this.isTracking = true;
    this.lead.place(this.time);
    const place = this.lead.placeOf(this.followed);
    if (place) this.lead.view.look(...place, 20);
    this.isStale = true;
  }

  pick(panel, pageX, pageY, reach) {
    this.follow(panel.agentAt(pageX, pageY, reach), panel);
  }

  // Marks the agent under the mouse in all panels.
  point(panel, pageX, pageY, reach) {
    const pointed = panel.agentAt(pageX, pageY, reach);
    if (pointed !== this.pointed || panel !== this.pointedIn) this.markPointed(pointed, panel);
  }

  pointAtNobody() {
    if (this.pointed !== NOWHERE) this.markPointed(NOWHERE, this.pointedIn);
  }

  markPointed(pointed, panel) {
    this.pointed = pointed;
    this.pointedIn = panel;
    for (const { canvas } of this.panels) canvas.title = pointed === NOWHERE ? "" : `agent ${pointed}`;
    this.isStale = true;
  }

  // While a map is dragged, its trails may be coarse.
  hold(panel, isHeld) {
    panel.view.isHeld = isHeld;
    this.isStale = true;
  }

  pan(panel, dx, dy) {
    this.isTracking = false;
    panel.view.pan(dx, dy);
    this.isStale = true;
  }

  zoom(panel, factor, pageX, pageY, atOnce = false) {
    const isCentred = this.isTracking && panel.view === this.lead.view;
    const [dx, dy] = isCentred ? [0, 0] : panel.camera.fromMiddle(pageX, pageY);
    panel.view.zoom(factor, dx, dy, atOnce);
    this.isStale = true;
  }

  zoomAll(factor) {
    for (const view of this.views) view.zoom(factor, 0, 0, false);
    this.isStale = true;
  }

  fit() {
    this.isTracking = false;
    for (const view of this.views) view.fit(false);
    this.isStale = true;
  }

  // ---- the address: `#t=120&follow=5&heat=1` opens the page in that state

  // What it does not name is as on a page without an address, whatever was shown before.
  readAddress() {
    const wish = new URLSearchParams(location.hash.slice(1));
    this.isReading = true;
    this.goTo(Number(wish.get("t")) || 0);
    for (const layer of LAYERS) {
      const isShown = wish.has(layer) ? wish.get(layer) !== "0" : this.shownAtFirst(layer);
      this.show(layer, isShown && (layer !== "meetings" || this.hasTasks));
    }
    const speed = Number(wish.get("speed"));
    this.setSpeed(SPEEDS.includes(speed) ? speed : this.fittingSpeed());
    for (const view of this.views) view.fit(true);
    const number = /^\d+$/.test(wish.get("follow")) ? Number(wish.get("follow")) : NOWHERE;
    this.follow(number, this.panels[Number(wish.get("in"))]);
    this.lead.view.arrive();
    this.isReading = false;
    this.play(!wish.has("t") && !PREFERS_STILL.matches && this.ticks > 0);
  }

  // Only meetings are shown without being asked for.
  shownAtFirst(layer) {
    return layer === "meetings" && this.hasTasks;
  }

  // Keeps the address of a paused page up to date, so that it can be shared.
  writeAddress() {
    if (this.isPlaying || !this.isStarted || this.isReading) return;
    const wish = [`t=${Math.floor(this.time)}`];
    if (this.followed !== NOWHERE) wish.push(`follow=${this.followed}`);
    if (this.followed !== NOWHERE && this.lead.number > 0) wish.push(`in=${this.lead.number}`);
    for (const layer of LAYERS) if (this.layers[layer] !== this.shownAtFirst(layer)) wish.push(`${layer}=${Number(this.layers[layer])}`);
    try {
      history.replaceState(null, "", `#${wish.join("&")}`);
    } catch {
      // Some embeddings do not allow a page to change its address; it plays all the same.
    }
  }

  // ---- the frame

  frame(now) {
    // The timestamp of the first frame may be earlier than the creation of the player.
    const seconds = Math.min(0.25, Math.max(0, (now - this.lastFrame) / 1000));
    this.lastFrame = now;
    this.isStarted = true;
    if (this.isPlaying && !this.isScrubbing) {
      const end = this.time < this.lastEvent ? this.lastEvent : this.ticks;
      this.time = Math.min(end, this.time + seconds * this.speed);
      if (this.time === end) this.play(false);
      this.isStale = true;
    }
    if (this.isStale) for (const panel of this.panels) panel.place(this.time);
    const place = this.isTracking && this.lead.placeOf(this.followed);
    if (place) this.lead.view.look(...place);
    for (const one of this.views) if (one.glide(seconds)) this.isStale = true;
    if (!this.isStale) return;
    this.isStale = false;
    this.draw();
  }

  draw() {
    const { time, speed, layers, panels } = this;
    const tick = Math.floor(time);
    const followers = this.followed === NOWHERE ? [] : this.panelsWith(this.followed, this.lead);
    const pointers = this.pointed === NOWHERE ? [] : this.panelsWith(this.pointed, this.pointedIn);
    for (const panel of panels) {
      const followed = followers.includes(panel) ? this.followed : NOWHERE;
      const pointed = pointers.includes(panel) ? this.pointed : NOWHERE;
      const isEnd = panel.timeline.ticks === this.ticks;
      panel.draw({ time, speed, layers, followed, pointed, isEnd });
    }
    this.sparkline.draw(time);
    const slider = byId("slider");
    slider.value = String(tick);
    slider.setAttribute("aria-valuetext", `tick ${tick} of ${this.ticks}`);
    write(byId("tick"), grouped(tick));
    if (this.followed !== NOWHERE) this.card.write(this.followed);
    if (this.isToAnnounce || this.news) this.announce(tick);
  }

  // Says something to those who listen to the page.
  say(news) {
    this.news = news;
    this.isStale = true;
  }

  // Says the news, and where a page stands that was paused or moved to another tick.
  announce(tick) {
    const summaries = this.panels.map((panel) => panel.summary());
    const place = this.isToAnnounce && !this.isPlaying ? `Tick ${tick} of ${this.ticks}. ${summaries.join(". ")}.` : "";
    if (this.news || place) write(byId("announcement"), [this.news, place].filter(Boolean).join(" "));
    this.news = "";
    this.isToAnnounce = false;
    for (const panel of this.panels) {
      const { width, height, slotOf } = panel.timeline;
      panel.canvas.setAttribute("aria-label", `Map of ${width} by ${height} cells with ${plural(slotOf.length, "agent")}. ${panel.summary()} at tick ${tick}`);
    }
  }
}

// Whether two runs begin with the same agents on the same map.
function beginsAs(one, other) {
  const isSame = (a, b) => a.length === b.length && a.every((value, at) => value === b[at]);
  return one.width === other.width && one.height === other.height && isSame(one.agents, other.agents);
}

// Reads the runs of the page, and makes what they have in common once: the view of maps of one size, and a floor that no run edits.
function makePlayer() {
  const sections = [...document.querySelectorAll(".panel")];
  const stored = sections.map((section) => {
    const script = section.querySelector(".run");
    const json = JSON.parse(script.textContent);
    // The text is not needed any more, and may be large.
    script.remove();
    return json;
  });
  const timelines = readRuns(stored).map((run) => new Timeline(run));
  const sizeOf = ({ width, height }) => `${width}x${height}`;
  const views = new Map();
  for (const size of timelines.map(sizeOf)) {
    if (!views.has(size)) views.set(size, new View(boxOfFloor(timelines.filter((one) => sizeOf(one) === size))));
  }
  const floors = new Map();
  const floorOf = (timeline) => {
    if (timeline.edits.length > 0) return new Floor(timeline);
    if (!floors.has(timeline.floor)) floors.set(timeline.floor, new Floor(timeline));
    return floors.get(timeline.floor);
  };
  const panels = timelines.map((timeline, number) =>
    new Panel(sections[number], timeline, floorOf(timeline), views.get(sizeOf(timeline)), number));
  return new Player(panels, [...views.values()]);
}

if (document.querySelector(".panel")) makePlayer().start();
else byId("panels").textContent = "There is no run on this page.";
