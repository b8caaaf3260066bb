// The player: the clock, what is shown, and the frame that is drawn sixty times a second.

class Player {
  constructor(timeline) {
    this.timeline = timeline;
    this.canvas = byId("stage");
    this.context = this.canvas.getContext("2d");
    this.floor = new Floor(timeline);
    this.heat = new Heat(timeline);
    this.crowd = new Crowd(timeline);
    this.dots = new Dots(timeline, this.crowd);
    this.camera = new Camera(this.canvas, timeline.width, timeline.height);
    this.marks = new MeetingMarks(timeline, this.crowd);
    this.sparkline = new Sparkline(byId("sparkline"), timeline);
    this.here = timeline.keyframes[0].copy();
    this.next = timeline.keyframes[0].copy();
    // In ticks; the fraction is how far agents are between two cells.
    this.time = 0;
    this.speed = this.fittingSpeed();
    this.isPlaying = false;
    this.isScrubbing = false;
    this.followed = NOWHERE;
    this.isTracking = false;
    this.layers = { trails: false, starts: false, goals: false, heat: false, meetings: false };
    this.isStale = true;
    this.lastFrame = performance.now();
  }

  // Fast enough to play a run in half a minute, slow enough to see the moves.
  fittingSpeed() {
    const fitting = SPEEDS.find((speed) => this.timeline.lastMove / speed <= 30);
    return Math.min(60, Math.max(4, fitting ?? 60));
  }

  start() {
    byId("slider").max = this.timeline.ticks;
    byId("who").max = Math.max(0, this.timeline.slots - 1);
    reserveCounters(this.timeline);
    byId("meetings").hidden = this.timeline.tasks.count === 0;
    document.body.classList.toggle("with-tasks", this.timeline.tasks.count > 0);
    this.show("meetings", this.shownAtFirst("meetings"));
    byId("heat-most").textContent = plural(this.heat.most, "tick");
    byId("heat-scale").style.background = heatGradient();
    bindButtons(this);
    bindKeys(this);
    bindPointer(this, this.canvas);
    this.setSpeed(this.speed);
    window.addEventListener("resize", () => this.resize());
    new ResizeObserver(() => this.resize()).observe(byId("bar"));
    this.resize();
    const isAtPlace = this.readAddress();
    window.addEventListener("hashchange", () => this.readAddress());
    const prefersStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.play(!isAtPlace && !prefersStill && this.timeline.ticks > 0);
    const frame = (now) => {
      this.frame(now);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  resize() {
    const [head, bar] = [byId("head").getBoundingClientRect(), byId("bar").getBoundingClientRect()];
    const margin = Math.min(24, window.innerWidth * 0.025);
    document.body.style.setProperty("--head", `${head.bottom}px`);
    document.body.style.setProperty("--bar", `${window.innerHeight - bar.top}px`);
    // On a small screen the card is between the map and the bar.
    const card = byId("card").getBoundingClientRect();
    const isCardWide = card.width > window.innerWidth / 2;
    this.camera.resize({
      left: margin,
      top: head.bottom + margin / 2,
      right: window.innerWidth - margin,
      bottom: (isCardWide ? card.top : bar.top) - margin / 2,
    });
    this.sparkline.resize();
    this.isStale = true;
  }

  // ---- time

  play(isPlaying) {
    if (isPlaying && this.time >= this.timeline.ticks) this.time = 0;
    this.isPlaying = isPlaying;
    document.body.classList.toggle("playing", isPlaying);
    byId("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    if (!isPlaying) this.writeAddress();
    this.isStale = true;
  }

  toggle() {
    this.play(!this.isPlaying);
  }

  goTo(tick) {
    this.time = Math.min(this.timeline.ticks, Math.max(0, Math.round(tick)));
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

  follow(slot) {
    this.followed = slot >= 0 && slot < this.timeline.slots ? Math.floor(slot) : NOWHERE;
    byId("who").value = this.followed === NOWHERE ? "" : String(this.followed);
    this.isTracking = false;
    const card = byId("card");
    if (card.hidden !== (this.followed === NOWHERE)) {
      card.hidden = !card.hidden;
      this.resize();
    }
    if (this.followed !== NOWHERE) this.track();
    this.writeAddress();
    this.isStale = true;
  }

  // Keeps the followed agent in the centre, close enough to see its neighbours.
  track() {
    this.isTracking = true;
    this.placeCrowd();
    const slot = this.followed;
    if (this.crowd.presence[slot] > 0) this.camera.look(this.crowd.x[slot], this.crowd.y[slot], 20);
    this.isStale = true;
  }

  pick(pageX, pageY, reach) {
    const [x, y] = this.camera.cellAt(pageX, pageY);
    this.follow(this.crowd.nearest(x, y, Math.max(0.6, reach / this.camera.scale)));
  }

  pan(dx, dy) {
    this.isTracking = false;
    this.camera.pan(dx, dy);
    this.isStale = true;
  }

  zoom(factor, pageX = this.camera.middleX(), pageY = this.camera.middleY(), atOnce = false) {
    if (this.isTracking) [pageX, pageY] = [this.camera.middleX(), this.camera.middleY()];
    this.camera.zoom(factor, pageX, pageY, atOnce);
    this.isStale = true;
  }

  fit() {
    this.isTracking = false;
    this.camera.fit(false);
    this.isStale = true;
  }

  // ---- the address: `#t=120&follow=5&heat=1` opens the page in that state

  readAddress() {
    const wish = new URLSearchParams(location.hash.slice(1));
    const isAtPlace = wish.has("t");
    if (isAtPlace) this.goTo(Number(wish.get("t")) || 0);
    for (const layer of LAYERS) if (wish.has(layer)) this.show(layer, wish.get(layer) !== "0");
    if (wish.has("speed") && SPEEDS.includes(Number(wish.get("speed")))) this.setSpeed(Number(wish.get("speed")));
    if (wish.has("follow")) {
      this.follow(Number(wish.get("follow")));
      this.camera.arrive();
    }
    return isAtPlace;
  }

  // Only meetings are shown without being asked for.
  shownAtFirst(layer) {
    return layer === "meetings" && this.timeline.tasks.count > 0;
  }

  // Keeps the address of a paused page up to date, so that it can be shared.
  writeAddress() {
    if (this.isPlaying || !this.isStarted) return;
    const wish = [`t=${Math.floor(this.time)}`];
    if (this.followed !== NOWHERE) wish.push(`follow=${this.followed}`);
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
      this.time = Math.min(this.timeline.ticks, this.time + seconds * this.speed);
      if (this.time === this.timeline.ticks) this.play(false);
      this.isStale = true;
    }
    this.placeCrowd();
    if (this.isTracking && this.crowd.presence[this.followed] > 0) {
      this.camera.look(this.crowd.x[this.followed], this.crowd.y[this.followed]);
    }
    if (this.camera.glide(seconds)) this.isStale = true;
    if (!this.isStale) return;
    this.isStale = false;
    this.draw();
  }

  placeCrowd() {
    const { timeline, here, next } = this;
    const tick = Math.floor(this.time);
    this.share = this.time - tick;
    timeline.seek(here, tick);
    timeline.seekAfter(next, here);
    this.crowd.place(here, next, this.share);
  }

  draw() {
    const { context, camera, crowd, here, next, layers, timeline } = this;
    const { tick } = here;
    const goals = this.share > 0 ? next.goals : here.goals;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    // The game edits the map before agents move, so that an agent in a new door stands on floor.
    this.floor.seek(this.share > 0 ? tick + 1 : tick);
    this.floor.draw(context, camera);
    if (layers.heat) {
      this.heat.seek(tick);
      this.heat.draw(context, camera);
    }
    if (this.dots.suit(camera)) this.drawDots(goals);
    else this.drawDiscs(goals);
    if (layers.meetings) this.marks.drawAbove(context, camera, tick, this.time, this.speed);
    if (this.followed !== NOWHERE) crowd.drawFollowed(context, camera, here, goals, this.followed);
    this.sparkline.draw(this.time);
    byId("slider").value = String(tick);
    writeCounters(timeline, tick);
    writeCard(timeline, here, crowd, this.followed);
  }

  // Agents stand on the hottest cells: they are drawn faintly, so as not to hide the heat.
  agentAlpha() {
    return this.layers.heat ? 0.4 : 1;
  }

  drawDiscs(goals) {
    const { context, camera, crowd, here, next, layers } = this;
    if (layers.trails) crowd.drawTrails(context, camera, here);
    if (layers.starts) crowd.drawStarts(context, camera, here.starts);
    if (layers.goals) crowd.drawGoals(context, camera, goals);
    if (layers.meetings) this.marks.draw(context, camera, here.tick);
    crowd.drawRipples(context, camera, here, this.time, this.speed);
    context.globalAlpha = this.agentAlpha();
    crowd.draw(context, camera, this.share > 0 ? next : here);
    context.globalAlpha = 1;
  }

  drawDots(goals) {
    const { context, camera, dots, here, layers } = this;
    dots.begin(camera);
    if (layers.trails) dots.addTrails(here);
    if (layers.starts) dots.addMarks(here.starts);
    if (layers.goals) dots.addMarks(goals);
    if (layers.meetings) this.marks.draw(context, camera, here.tick);
    dots.addAgents();
    context.globalAlpha = this.agentAlpha();
    dots.draw(context);
    context.globalAlpha = 1;
  }
}

new Player(new Timeline(readRun(JSON.parse(byId("run").textContent)))).start();
