// Buttons, keys, mouse and touch. They only tell the player what to do.

const SPEEDS = [1, 2, 4, 8, 15, 30, 60, 120, 240];
const LAYERS = ["trails", "starts", "goals", "heat", "meetings"];
const CLICK_SLOP = 6;
const CLICK_REACH = 16;
const WHEEL_ZOOM = 0.0016;
// CSS pixels by which an arrow key moves the map.
const PAN_STEP = 60;

// Runs play slowly enough to see the moves, and fast enough to be over in half a minute. If one of them is much shorter than
// the others, they may take a minute, so that it does not flit past.
const SLOWEST_AT_FIRST = 4;
const FASTEST_AT_FIRST = 60;

// The speed for runs of so many ticks.
function fittingSpeed(lengths) {
  const longest = Math.max(...lengths);
  const within = (seconds) => SPEEDS.find((speed) => longest / speed <= seconds) ?? FASTEST_AT_FIRST;
  const shortest = Math.min(...lengths.filter((ticks) => ticks > 0));
  const unhurried = SPEEDS.findLast((speed) => shortest / speed >= 8) ?? SLOWEST_AT_FIRST;
  const speed = Math.min(within(30), Math.max(unhurried, within(60)));
  return Math.min(FASTEST_AT_FIRST, Math.max(SLOWEST_AT_FIRST, speed));
}

function bindButtons(player) {
  const press = (id, action) => byId(id).addEventListener("click", action);
  press("play", () => player.toggle());
  press("first", () => player.goTo(0));
  press("back", () => player.step(-1));
  press("forward", () => player.step(1));
  press("fit", () => player.fit());
  press("closer", () => player.zoomAll(1.5));
  press("farther", () => player.zoomAll(1 / 1.5));
  press("card-close", () => player.follow(NOWHERE));
  press("card-center", () => player.track());
  press("help", () => byId("help-dialog").showModal());
  press("help-close", () => byId("help-dialog").close());
  // A click beside the dialog closes it, and one between its texts does not.
  byId("help-dialog").addEventListener("click", (event) => {
    const { left, right, top, bottom } = event.currentTarget.getBoundingClientRect();
    const isInside = event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
    if (event.target === event.currentTarget && !isInside) event.target.close();
  });
  for (const layer of LAYERS) press(layer, () => player.show(layer, !player.layers[layer]));

  const speed = byId("speed");
  for (const ticks of SPEEDS) speed.add(new Option(`${ticks}/s`, ticks));
  speed.addEventListener("change", () => player.setSpeed(Number(speed.value)));

  const slider = byId("slider");
  slider.addEventListener("input", () => player.scrub(Number(slider.value)));
  slider.addEventListener("change", () => player.endScrub());

  const who = byId("who");
  // The browser shows what is wrong beside the field.
  const judge = (wrong) => {
    who.setCustomValidity(wrong);
    who.setAttribute("aria-invalid", String(wrong !== ""));
  };
  who.addEventListener("input", () => judge(""));
  who.addEventListener("change", () => {
    judge(who.validity.badInput ? "Numbers of agents have digits only." : player.followTyped(who.value));
    who.reportValidity();
  });
  who.addEventListener("keydown", (event) => event.key === "Enter" && who.blur());
}

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
    "+": () => player.zoomAll(1.5),
    "=": () => player.zoomAll(1.5),
    "-": () => player.zoomAll(1 / 1.5),
    0: () => player.fit(),
    Escape: () => player.follow(NOWHERE),
    "?": () => byId("help-dialog").showModal(),
  };
  // Whoever dictates can turn them off.
  const letters = {
    t: () => player.show("trails", !player.layers.trails),
    s: () => player.show("starts", !player.layers.starts),
    g: () => player.show("goals", !player.layers.goals),
    h: () => player.show("heat", !player.layers.heat),
    m: () => player.show("meetings", !player.layers.meetings && player.hasTasks),
    f: () => (player.followed === NOWHERE ? byId("who").focus() : player.track()),
  };
  const onMap = {
    ArrowLeft: (panel) => player.pan(panel, PAN_STEP, 0),
    ArrowRight: (panel) => player.pan(panel, -PAN_STEP, 0),
    ArrowUp: (panel) => player.pan(panel, 0, PAN_STEP),
    ArrowDown: (panel) => player.pan(panel, 0, -PAN_STEP),
  };
  // Space presses the button that somebody reached with the Tab key. After a click it plays, as everywhere else.
  let isByPointer = false;
  window.addEventListener("pointerdown", () => (isByPointer = true), true);
  // A speed that was chosen with the mouse leaves the keys to the player; with the keyboard, they choose on.
  const speed = byId("speed");
  speed.addEventListener("change", () => isByPointer && speed.blur());
  const isPressed = ({ key, target }) => (key === " " || key === "Enter") && target.matches("button") && !isByPointer;

  window.addEventListener("keydown", (event) => {
    if (event.key === "Tab") isByPointer = false;
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help-dialog").open) return;
    if (event.target.matches("select, input:not([type=range])")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (isPressed(event)) return;
    const panel = player.panels.find(({ canvas }) => canvas === event.target);
    const letter = byId("letters").checked ? letters[event.key.toLowerCase()] : undefined;
    const action = (panel && onMap[event.key]) ?? keys[event.key] ?? letter;
    if (!action) return;
    event.preventDefault();
    action(panel && onMap[event.key] ? panel : event);
  });
  window.addEventListener("keyup", (event) => {
    if (event.key === " " && event.target.matches("button") && !isPressed(event)) event.preventDefault();
  });
}

// Drag to pan, pinch or wheel to zoom, click to follow.
function bindPointer(player, panel) {
  const { canvas } = panel;
  const pointers = new Map();
  let travelled = 0;
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.hypot(a.x - b.x, a.y - b.y) };
  };

  canvas.addEventListener("focus", () => (player.used = panel));
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    travelled = pointers.size === 0 ? 0 : Infinity;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    player.hold(panel, true);
  });
  canvas.addEventListener("pointermove", (event) => {
    const pointer = pointers.get(event.pointerId);
    if (!pointer) {
      if (event.pointerType === "mouse") player.point(panel, event.clientX, event.clientY, CLICK_REACH / 2);
      return;
    }
    const before = pointers.size === 2 ? spread() : null;
    const [dx, dy] = [event.clientX - pointer.x, event.clientY - pointer.y];
    Object.assign(pointer, { x: event.clientX, y: event.clientY });
    travelled += Math.hypot(dx, dy);
    if (before) {
      const after = spread();
      player.pan(panel, after.x - before.x, after.y - before.y);
      if (before.distance > 0) player.zoom(panel, after.distance / before.distance, after.x, after.y, true);
    } else if (pointers.size === 1 && travelled > CLICK_SLOP) {
      canvas.classList.add("dragged");
      player.pan(panel, dx, dy);
    }
  });
  const release = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    canvas.classList.remove("dragged");
    if (pointers.size === 0) player.hold(panel, false);
    if (event.type === "pointerup" && travelled <= CLICK_SLOP) {
      player.pick(panel, event.clientX, event.clientY, CLICK_REACH);
    }
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => player.pointAtNobody());
  canvas.addEventListener("dblclick", (event) => player.zoom(panel, 2, event.clientX, event.clientY));
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      // Some mice report lines or pages instead of pixels.
      const unit = [1, 16, 400][event.deltaMode];
      player.zoom(panel, Math.exp(-event.deltaY * unit * WHEEL_ZOOM), event.clientX, event.clientY);
    },
    { passive: false },
  );
}
