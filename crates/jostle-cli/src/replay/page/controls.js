// Buttons, keys, mouse and touch. They only tell the player what to do.

const SPEEDS = [1, 2, 4, 8, 15, 30, 60, 120, 240];
const CLICK_SLOP = 6;
const CLICK_REACH = 16;
const WHEEL_ZOOM = 0.0016;

function bindButtons(player) {
  const press = (id, action) => byId(id).addEventListener("click", action);
  press("play", () => player.toggle());
  press("first", () => player.goTo(0));
  press("back", () => player.step(-1));
  press("forward", () => player.step(1));
  press("fit", () => player.fit());
  press("closer", () => player.zoom(1.5));
  press("farther", () => player.zoom(1 / 1.5));
  press("card-close", () => player.follow(NOWHERE));
  press("card-center", () => player.track());
  press("help", () => byId("help-dialog").showModal());
  byId("help-dialog").addEventListener("click", (event) => event.currentTarget.close());
  for (const layer of LAYERS) press(layer, () => player.show(layer, !player.layers[layer]));

  const speed = byId("speed");
  for (const ticks of SPEEDS) speed.add(new Option(`${ticks}/s`, ticks));
  speed.addEventListener("change", () => {
    player.setSpeed(Number(speed.value));
    speed.blur();
  });

  const slider = byId("slider");
  slider.addEventListener("input", () => player.scrub(Number(slider.value)));
  slider.addEventListener("change", () => player.endScrub());

  const who = byId("who");
  who.addEventListener("change", () => {
    player.follow(who.value === "" ? NOWHERE : Number(who.value));
    who.blur();
  });
}

const LAYERS = ["trails", "starts", "goals", "heat", "meetings"];

function bindKeys(player) {
  const speedBy = (steps) => {
    const at = SPEEDS.indexOf(player.speed) + steps;
    player.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at))]);
  };
  const keys = {
    " ": () => player.toggle(),
    ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
    ArrowUp: () => speedBy(1),
    ArrowDown: () => speedBy(-1),
    Home: () => player.goTo(0),
    End: () => player.goTo(Infinity),
    "+": () => player.zoom(1.5),
    "=": () => player.zoom(1.5),
    "-": () => player.zoom(1 / 1.5),
    0: () => player.fit(),
    t: () => player.show("trails", !player.layers.trails),
    s: () => player.show("starts", !player.layers.starts),
    g: () => player.show("goals", !player.layers.goals),
    h: () => player.show("heat", !player.layers.heat),
    m: () => player.show("meetings", !player.layers.meetings),
    f: () => (player.followed === NOWHERE ? byId("who").focus() : player.track()),
    Escape: () => player.follow(NOWHERE),
    "?": () => byId("help-dialog").showModal(),
  };
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help-dialog").open) return;
    const isTyping = event.target.matches("select, input:not([type=range])");
    if (isTyping) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const action = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!action) return;
    // The keys mean the same whatever has the focus: space never presses a button as well.
    event.preventDefault();
    action(event);
  });
  window.addEventListener("keyup", (event) => {
    if (event.key === " " && event.target.matches("button")) event.preventDefault();
  });
}

// Drag to pan, pinch or wheel to zoom, click to follow.
function bindPointer(player, canvas) {
  const pointers = new Map();
  let travelled = 0;
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.hypot(a.x - b.x, a.y - b.y) };
  };

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (pointers.size === 0) travelled = 0;
    else travelled = Infinity;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  canvas.addEventListener("pointermove", (event) => {
    const pointer = pointers.get(event.pointerId);
    if (!pointer) return;
    const before = pointers.size === 2 ? spread() : null;
    const [dx, dy] = [event.clientX - pointer.x, event.clientY - pointer.y];
    Object.assign(pointer, { x: event.clientX, y: event.clientY });
    travelled += Math.hypot(dx, dy);
    if (before) {
      const after = spread();
      player.pan(after.x - before.x, after.y - before.y);
      if (before.distance > 0) player.zoom(after.distance / before.distance, after.x, after.y, true);
    } else if (pointers.size === 1 && travelled > CLICK_SLOP) {
      canvas.classList.add("dragged");
      player.pan(dx, dy);
    }
  });
  const release = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    canvas.classList.remove("dragged");
    if (event.type === "pointerup" && travelled <= CLICK_SLOP) {
      player.pick(event.clientX, event.clientY, CLICK_REACH);
    }
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("dblclick", (event) => player.zoom(2, event.clientX, event.clientY));
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      // Some mice report lines or pages instead of pixels.
      const unit = [1, 16, 400][event.deltaMode];
      player.zoom(Math.exp(-event.deltaY * unit * WHEEL_ZOOM), event.clientX, event.clientY);
    },
    { passive: false },
  );
}
