// Run by `browser.sh`, which makes the pages. Whatever the browser complains about fails the test.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import test, { after, before } from "node:test";

const { chromium } = createRequire(process.env.MODULES)("playwright-core");
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
});
after(() => browser?.close());

// Opens a page, lets a test use it, and makes sure that there were no errors, no requests and no broken rules.
async function withPage(name, options, use, hash = "") {
  const context = await browser.newContext(options);
  const tab = await context.newPage();
  tab.setDefaultTimeout(60_000);
  const wrong = [];
  tab.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(`console: ${message.text()}`));
  tab.on("pageerror", (error) => wrong.push(`exception: ${error.stack}`));
  tab.on("request", (request) => /^(file|data):/.test(request.url()) || wrong.push(`request: ${request.url()}`));
  await tab.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", (event) => console.error(`content policy: ${event.violatedDirective}`)));
  try {
    await tab.goto(`file://${process.env.PAGES}/${name}.html${hash}`);
    await use(new Replay(tab));
    assert.deepEqual(wrong, []);
  } finally {
    await context.close();
  }
}

// What a person does with a page, and sees.
class Replay {
  constructor(tab) {
    this.tab = tab;
  }

  number(selector) {
    return this.tab.$eval(selector, (element) => Number(element.textContent.replace(/[^0-9]/g, "")));
  }

  tick() {
    return this.number("#tick");
  }

  lastTick() {
    return this.number("#ticks");
  }

  press(keys) {
    return this.tab.keyboard.press(keys);
  }

  isVisible(selector) {
    return this.tab.isVisible(selector);
  }

  // Waits until a page that does not play is at rest, and returns a number for the pixels of each map.
  async pixels() {
    for (let before = []; ; ) {
      const now = await this.tab.evaluate(hashMaps);
      if (now.every((hash, panel) => hash === before[panel])) return now;
      before = now;
      await this.tab.waitForTimeout(80);
    }
  }

  async settle() {
    await this.pixels();
  }

  async pause() {
    if ((await this.tab.getAttribute("#play", "aria-label")) === "Pause") await this.tab.click("#play");
    assert.equal(await this.tab.getAttribute("#play", "aria-label"), "Play");
  }

  // The middle of a map on the page.
  async middleOf(panel) {
    const box = await (await this.tab.$$(".panel canvas"))[panel].boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }
}

// Runs in the page: a hash of the pixels of every map (FNV-1a).
function hashMaps() {
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
    [...document.querySelectorAll(".panel canvas")].map((map) => {
      const copy = Object.assign(document.createElement("canvas"), { width: map.width, height: map.height });
      const context = copy.getContext("2d", { willReadFrequently: true });
      context.drawImage(map, 0, 0);
      const pixels = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
      return pixels.reduce((hash, pixel) => Math.imul(hash ^ pixel, 16777619), -2128831035);
    }));
}

const differ = (a, b, what) => a.forEach((one, panel) => assert.notEqual(one, b[panel], `${what}: panel ${panel} looks the same`));

// What every page must do, at any size.
async function playAndScrub(page) {
  const { tab } = page;
  await tab.waitForFunction(() => Number(document.getElementById("tick").textContent) > 1);
  await page.pause();
  const last = await page.lastTick();

  await page.press("Home");
  await page.settle();
  assert.equal(await page.tick(), 0);
  const first = await page.pixels();
  await page.press("ArrowRight");
  await page.press("Shift+ArrowRight");
  await page.press("ArrowLeft");
  await page.settle();
  assert.equal(await page.tick(), Math.min(last, 11) - 1);
  differ(first, await page.pixels(), "ten ticks later");

  // The slider is dragged to the middle.
  const bar = await (await tab.$("#slider")).boundingBox();
  await tab.mouse.move(bar.x + 9, bar.y + 20);
  await tab.mouse.down();
  await tab.mouse.move(bar.x + bar.width / 2, bar.y + 20, { steps: 5 });
  await tab.mouse.up();
  await page.settle();
  assert.ok(Math.abs((await page.tick()) - last / 2) <= 1 + last * 0.03, `at tick ${await page.tick()} of ${last}`);
  const scrubbed = await page.pixels();
  differ(first, scrubbed, "after scrubbing");
  const tick = await page.tick();
  const isSaid = async () => {
    await page.settle();
    assert.match(await tab.textContent("#announcement"), new RegExp(`^Tick ${await page.tick()} of ${last}\\. `));
    assert.match(await tab.getAttribute(".panel canvas", "aria-label"), new RegExp(` at tick ${await page.tick()}$`));
  };
  await isSaid();
  await tab.focus("#slider");
  await page.press("PageUp");
  await isSaid();
  await page.press("Home");
  await page.press("End");
  await page.settle();
  assert.equal(await page.tick(), last);

  // The address leads to the same picture.
  await tab.goto(`${tab.url().split("#")[0]}#t=${tick}`);
  assert.deepEqual(await page.pixels(), scrubbed);

  // Played on from there, until nothing happens any more.
  const speed = await tab.inputValue("#speed");
  await tab.selectOption("#speed", "240");
  await tab.click("#play");
  await tab.waitForFunction(() => document.getElementById("play").getAttribute("aria-label") === "Play");
  await page.settle();
  const over = await page.tick();
  assert.ok(over > tick && over <= last, `playing ended at tick ${over} of ${last}`);
  assert.match(await tab.textContent("#announcement"), new RegExp(`^Tick ${over} of ${last}\\. `));
  await tab.selectOption("#speed", speed);
  await tab.evaluate((tick) => (location.hash = `t=${tick}`), tick);
  assert.deepEqual(await page.pixels(), scrubbed, "from the end back");
}

async function useLayers(page, expected) {
  const { tab } = page;
  for (const layer of ["trails", "starts", "goals", "heat", "meetings"]) {
    if (!(await page.isVisible(`#${layer}`))) continue;
    const was = await tab.getAttribute(`#${layer}`, "aria-pressed");
    const without = await page.pixels();
    await tab.click(`#${layer}`);
    assert.notEqual(await tab.getAttribute(`#${layer}`, "aria-pressed"), was, layer);
    const changed = await page.pixels();
    if (expected.includes(layer)) differ(without, changed, layer);
    await page.press(layer[0]);
    assert.deepEqual(await page.pixels(), without, `${layer} twice`);
  }
}

async function zoomAndPan(page) {
  const { tab } = page;
  const whole = await page.pixels();
  await page.press("+");
  const near = await page.pixels();
  differ(whole, near, "zoomed in");
  const [x, y] = await page.middleOf(0);
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  await tab.mouse.move(x + 40, y + 25, { steps: 4 });
  await tab.mouse.up();
  await tab.mouse.move(1, 1);
  const panned = await page.pixels();
  differ(near, panned, "dragged");
  await tab.focus(".panel canvas");
  await page.press("ArrowRight");
  differ(panned, await page.pixels(), "moved by a key");
  await page.press("-");
  await tab.click("#fit");
  assert.deepEqual(await page.pixels(), whole, "everything is shown again");
}

async function followAgent(page) {
  const { tab } = page;
  const before = await page.pixels();
  await tab.fill("#who", "3");
  await page.press("Enter");
  assert.ok(await page.isVisible("#card"));
  assert.equal(await tab.textContent("#card-name"), "Agent 3");
  differ(before, await page.pixels(), "followed");
  await tab.click("#card-center");
  await page.settle();
  // The agent is somewhere near the middle: the nearest there is followed by a click as well.
  await tab.click("#card-close");
  assert.ok(!(await page.isVisible("#card")));
  assert.equal(await tab.inputValue("#who"), "");
  await tab.click("#fit");
  assert.deepEqual(await page.pixels(), before, "followed no more");
}

// Every control has a name, can be reached with the keyboard, and shows when it is.
async function reachEverything(page) {
  const { tab } = page;
  const nameless = await tab.$$eval("button, select, input, canvas[tabindex]", (controls) =>
    controls.filter((control) => !(control.getAttribute("aria-label") || control.closest("label")?.textContent.trim())).map((control) => control.outerHTML));
  assert.deepEqual(nameless, []);
  const wanted = await tab.$$eval("#bar button, #bar select, #bar input, canvas[tabindex]", (controls) =>
    controls.filter((control) => control.getClientRects().length > 0).map((control, at) => (control.dataset.stop = String(at))));
  await tab.evaluate(() => document.activeElement.blur());
  const reached = new Set();
  for (let stop = 0; stop < wanted.length + 6; stop++) {
    await page.press("Tab");
    const [at, isShown] = await tab.evaluate(() => {
      const focused = document.activeElement;
      const ring = [focused, focused.parentElement].map((element) => getComputedStyle(element)).some(({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && outlineWidth !== "0px");
      return [focused.dataset.stop, ring];
    });
    if (at === undefined) continue;
    assert.ok(isShown, `the focus on control ${at} is not visible`);
    reached.add(at);
  }
  assert.deepEqual([...reached].sort(), wanted.sort());

  // Space presses the button that has the focus; after a click it plays.
  await tab.focus("#play");
  await tab.focus("#goals");
  const pressed = () => tab.getAttribute("#goals", "aria-pressed");
  const before = await pressed();
  await page.press("Tab");
  await page.press("Shift+Tab");
  await page.press(" ");
  assert.notEqual(await pressed(), before);
  await page.press("Enter");
  assert.equal(await pressed(), before);
  assert.equal(await tab.getAttribute("#play", "aria-label"), "Play");
}

async function readHelp(page) {
  const { tab } = page;
  await tab.click("#help");
  assert.ok(await page.isVisible("#help-dialog"));
  await tab.uncheck("#letters");
  await page.press("Escape");
  assert.ok(!(await page.isVisible("#help-dialog")));
  await page.press("t");
  assert.equal(await tab.getAttribute("#trails", "aria-pressed"), "false");
  await page.press("?");
  await tab.check("#letters");
  await tab.click("#help-close");
  assert.ok(!(await page.isVisible("#help-dialog")));
}

// Nothing is cut off or lies over something else.
async function fitsScreen(page) {
  const { tab } = page;
  const outside = await tab.$$eval("button, select, input, h1, .panel canvas, #bar, #card", (elements) =>
    elements
      .filter((element) => element.getClientRects().length > 0 && !element.closest("dialog"))
      .filter((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return left < -0.5 || top < -0.5 || right > window.innerWidth + 0.5 || bottom > window.innerHeight + 0.5;
      })
      .map((element) => element.id || element.className || element.tagName));
  assert.deepEqual(outside, []);
  const overlapping = await tab.$$eval("#head, .panel canvas, #card:not([hidden]), #bar, #bar button, #bar select, #bar input[type=number]", (elements) => {
    const boxes = elements.filter((element) => element.getClientRects().length > 0).map((element) => [element, element.getBoundingClientRect()]);
    return boxes.flatMap(([a, one]) =>
      boxes
        .filter(([b]) => a !== b && !a.contains(b) && !b.contains(a))
        .filter(([, other]) => one.left < other.right - 0.5 && other.left < one.right - 0.5 && one.top < other.bottom - 0.5 && other.top < one.bottom - 0.5)
        .map(([b]) => `${a.id || a.tagName} lies over ${b.id || b.tagName}`));
  });
  assert.deepEqual(overlapping, []);
  const smallest = await tab.$$eval(".panel canvas", (maps) => Math.min(...maps.map(({ clientWidth, clientHeight }) => Math.min(clientWidth, clientHeight))));
  assert.ok(smallest >= 90, `a map has only ${smallest} pixels`);
}

const SIDEWAYS = { ...PHONE, viewport: { width: 844, height: 390 } };
const SMALL = { ...PHONE, viewport: { width: 320, height: 568 } };

for (const [size, options] of Object.entries({ "a phone on its side": SIDEWAYS, "a small phone": SMALL })) {
  for (const name of ["single", "both", "four"]) {
    test(`titles, counts and maps of the page "${name}" can be seen on ${size}, also while an agent is followed`, () =>
      withPage(name, options, async (page) => {
        const { tab } = page;
        for (const who of ["", "&follow=3"]) {
          await tab.evaluate((who) => (location.hash = `t=100${who}`), who);
          await page.settle();
          const cut = await tab.$$eval(".panel h2, .panel .score, #counters .counter", (elements) =>
            elements.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map((element) => element.textContent));
          assert.deepEqual(cut, []);
          const sizes = await tab.$$eval(".panel canvas", (maps) => maps.map(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]));
          assert.ok(sizes.every(([width, height]) => width >= 140 && height >= 65), `maps of ${sizes.join(" and ")} pixels`);
          if (name === "single") await fitsScreen(page);
        }
      }));
  }
}

test("enlarged to 400 percent, the page is scrolled, and its map keeps a size", () =>
  withPage("both", { viewport: { width: 320, height: 256 } }, async (page) => {
    const { tab } = page;
    const heights = await tab.$$eval(".panel canvas", (maps) => maps.map(({ clientHeight }) => clientHeight));
    assert.ok(heights.every((height) => height >= 200), heights.join());
    await page.press("Tab");
    await tab.focus("#help");
    const { top, bottom } = await tab.$eval("#help", (button) => button.getBoundingClientRect());
    assert.ok(top >= 0 && bottom <= 256, `from ${top} to ${bottom}`);
    assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth), 320);
  }));

const PAGES = {
  single: ["trails", "starts", "goals"],
  both: ["trails", "starts", "goals", "heat"],
  four: ["starts", "goals"],
  meetings: ["starts", "goals", "meetings"],
  changes: ["starts", "goals"],
  illegal: [],
};

for (const [size, options] of Object.entries({ "a desktop": DESKTOP, "a phone": PHONE })) {
  for (const [name, layers] of Object.entries(PAGES)) {
    test(`the page "${name}" works on ${size}`, () =>
      withPage(name, options, async (page) => {
        await playAndScrub(page);
        await useLayers(page, layers);
        await zoomAndPan(page);
        if (name !== "changes" && name !== "illegal") await followAgent(page);
        await fitsScreen(page);
        await readHelp(page);
        if (options === DESKTOP) await reachEverything(page);
      }));
  }
}

test("runs side by side are in step, and share the view and the marks of agents", () =>
  withPage("both", DESKTOP, async (page) => {
    const { tab } = page;
    await page.pause();
    await page.press("Home");
    const whole = await page.pixels();
    // With the wheel over one map, both are zoomed.
    const [x, y] = await page.middleOf(1);
    await tab.mouse.move(x, y);
    await tab.mouse.wheel(0, -400);
    const near = await page.pixels();
    differ(whole, near, "zoomed by the wheel");
    await page.press("0");
    // Followed, an agent is in the middle of the first map; pointing at it there marks it in both.
    await tab.fill("#who", "5");
    await page.press("Enter");
    assert.deepEqual(await tab.$$eval("#card-rows th[scope=row]", (names) => names.map((name) => name.textContent)), ["jostle", "bmaa"]);
    await tab.click("#fit");
    await page.settle();
    const before = await page.pixels();
    await tab.mouse.move(1, 1);
    const panels = await tab.$$(".panel canvas");
    const box = await panels[0].boundingBox();
    let marked = before;
    // Somewhere on the map stands another agent.
    search: for (let dy = 0.2; dy < 0.9; dy += 0.08) {
      for (let dx = 0.1; dx < 0.9; dx += 0.04) {
        await tab.mouse.move(box.x + box.width * dx, box.y + box.height * dy);
        if ((await panels[1].getAttribute("title"))?.startsWith("agent")) {
          marked = await page.pixels();
          if (marked[0] !== before[0]) break search;
        }
      }
    }
    differ(before, marked, "pointed at");
    await page.press("Escape");
    // The run that ends first says so, and rests.
    await page.press("End");
    await page.settle();
    const ended = await tab.$$eval(".ended", (notes) => notes.filter((note) => !note.hidden).map((note) => note.textContent));
    assert.equal(ended.length, 1);
    assert.match(ended[0], /^ended at tick \d+$/);
    const arrived = await tab.$$eval(".score", (scores) => scores.map((score) => score.textContent));
    assert.equal(arrived[0], "arrived40/ 40");
  }));

test("an address on an open page leads to the same picture as on a fresh one", () =>
  withPage("both", DESKTOP, async (page) => {
    const { tab } = page;
    const state = async () => [
      await page.tick(),
      await tab.$eval("#card", (card) => (card.hidden ? "" : card.textContent)),
      await tab.inputValue("#speed"),
      await tab.$$eval("[aria-pressed=true]", (pressed) => pressed.map(({ id }) => id)),
      await page.pixels(),
    ];
    const states = [];
    for (const hash of ["t=20", "t=31&follow=4&in=1&trails=1&speed=60", "t=12&follow=", "t=31&follow=4&in=1&trails=1&speed=60", "t=20"]) {
      await tab.evaluate((hash) => (location.hash = hash), hash);
      await page.settle();
      states.push(await state());
    }
    assert.deepEqual(states[4], states[0]);
    assert.deepEqual(states[3], states[1]);
    assert.equal(states[2][1], "");
    assert.notDeepEqual(states[1], states[0]);
  }));

test("trails look the same however one got to a tick", () =>
  withPage("changes", DESKTOP, async (page) => {
    const { tab } = page;
    await page.settle();
    for (let tick = 0; tick < 12; tick++) await page.press("ArrowRight");
    await page.settle();
    const stepped = await page.pixels();
    await page.press("+");
    await page.settle();
    await page.press("0");
    assert.deepEqual(await page.pixels(), stepped, "when the view has changed");
    await page.press("End");
    await page.settle();
    await tab.evaluate(() => (location.hash = "t=12&trails=1"));
    assert.deepEqual(await page.pixels(), stepped, "from the end back");
  }, "#t=0&trails=1"));

test("a number that no agent has is said, and whoever is followed is announced", () =>
  withPage("both", DESKTOP, async (page) => {
    const { tab } = page;
    await page.pause();
    await tab.fill("#who", "999");
    await page.press("Enter");
    await page.settle();
    const wrong = "There is no agent 999. The last one is 39.";
    assert.equal(await tab.textContent("#announcement"), wrong);
    assert.deepEqual(await tab.$eval("#who", (who) => [who.value, who.validationMessage]), ["999", wrong]);
    await tab.fill("#who", "4");
    await page.press("Enter");
    await page.settle();
    assert.match(await tab.textContent("#announcement"), /^Agent 4 is followed\. jostle: .+\. bmaa: /);
    assert.equal(await tab.$eval("#who", (who) => who.validationMessage), "");
  }));

test("after a speed was chosen with the mouse, the keys work as before", () =>
  withPage("single", DESKTOP, async (page) => {
    const { tab } = page;
    await page.pause();
    await page.press("Home");
    await tab.selectOption("#speed", "2");
    await page.press("ArrowRight");
    await page.settle();
    assert.equal(await page.tick(), 1);
    await page.press(" ");
    assert.equal(await tab.getAttribute("#play", "aria-label"), "Pause");
  }));

test("the number of an agent is looked for in all runs", () =>
  withPage("illegal", DESKTOP, async (page) => {
    const { tab } = page;
    const rows = () => tab.$$eval("#card-rows th[scope=row]", (names) => names.map((name) => name.textContent));
    await page.pause();
    for (const [map, number, run] of [[2, "1", "swap"], [2, "3", "legal"], [1, "1", "legal"]]) {
      await tab.focus(`.panel:nth-child(${map}) canvas`);
      await tab.fill("#who", number);
      await page.press("Enter");
      await page.settle();
      assert.deepEqual([await tab.textContent("#card-name"), ...(await rows())], [`Agent ${number}`, run]);
      await page.press("Escape");
    }
  }));

test("a click on an agent follows it", () =>
  withPage("single", DESKTOP, async (page) => {
    const { tab } = page;
    await page.pause();
    await tab.evaluate(() => (location.hash = "t=0&follow=7"));
    await page.settle();
    // Wherever the agent is, its number stands on the map that is pointed at.
    const canvas = await tab.$(".panel canvas");
    const box = await canvas.boundingBox();
    let found = null;
    for (let dy = 0.05; dy < 1 && !found; dy += 0.03) {
      for (let dx = 0.05; dx < 1 && !found; dx += 0.02) {
        await tab.mouse.move(box.x + box.width * dx, box.y + box.height * dy);
        const title = await canvas.getAttribute("title");
        if (title && title !== "agent 7") found = title;
      }
    }
    assert.match(found, /^agent \d+$/);
    await tab.mouse.down();
    await tab.mouse.up();
    assert.equal(await tab.textContent("#card-name"), found.replace("agent", "Agent"));
  }));

test("an illegal run is shown up to its first illegal step, with the reason", () =>
  withPage("illegal", DESKTOP, async (page) => {
    const notes = await page.tab.$$eval(".note", (found) => found.map((note) => note.textContent));
    assert.deepEqual(notes, ["illegal: tick 3: agents 1 and 0 swapped cells. It is shown up to there"]);
    assert.equal(await page.tab.textContent(".panel:nth-child(2) .ended"), "ended at tick 2");
  }));

test("who prefers little motion is not surprised by a page that plays", () =>
  withPage("single", { ...DESKTOP, reducedMotion: "reduce" }, async (page) => {
    await page.settle();
    assert.equal(await page.tick(), 0);
    assert.equal(await page.tab.getAttribute("#play", "aria-label"), "Play");
  }));

test("two fingers zoom on a phone", () =>
  withPage("both", PHONE, async (page) => {
    await page.pause();
    const [x, y] = (await page.middleOf(0)).map(Math.round);
    const before = await page.pixels();
    const session = await page.tab.context().newCDPSession(page.tab);
    const touch = (type, spread) =>
      session.send("Input.dispatchTouchEvent", { type, touchPoints: spread === null ? [] : [{ x: x - spread, y, id: 1 }, { x: x + spread, y, id: 2 }] });
    await touch("touchStart", 20);
    for (const spread of [30, 40, 60, 80]) await touch("touchMove", spread);
    await touch("touchEnd", null);
    differ(before, await page.pixels(), "pinched");
  }));
