// Run with `node --test`. The parts of the page's script share one scope, and so they do here.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const part = (name) => readFileSync(new URL(`../page/${name}`, import.meta.url), "utf8");
const scripts = ["decode", "timeline", "palette", "camera", "meetings", "trails", "text", "layout", "controls"].map((name) => part(`${name}.js`));
const names = "fittingSpeed, unpackMoves, unpackFloor, readRun, readRuns, Timeline, Moment, boxOfFloor, View, bestColumns, trailAlpha, hueOfGoal, grouped, rgbOfOklch, ARRIVED_TONE, AGENT_TONE";
const page = new Function("matchMedia", `"use strict"; ${scripts.join("\n")} return { ${names} };`)(() => ({ matches: false }));
const { unpackMoves, unpackFloor, readRun, readRuns, Timeline, Moment, boxOfFloor, View, bestColumns } = page;

const base64 = (bytes) => Buffer.from(bytes).toString("base64");

// Packs two moves a byte, which is always allowed.
function packPairs(moves) {
  const pairs = [];
  for (let i = 0; i < moves.length; i += 2) pairs.push(moves[i] * 9 + (moves[i + 1] ?? 0));
  return pairs;
}

// A run on an open floor; `moves` holds one list for each slot.
function runOf({ width = 8, height = 8, agents, moves, changes = [], tasks = [] }) {
  return readRun(stored({ width, height, agents, moves, changes, tasks }));
}

// The same as it is stored in a page.
function stored({ width = 8, height = 8, agents, moves, changes = [], tasks = [], floor }) {
  return {
    width,
    height,
    four: false,
    floor: floor ?? base64(new Array(Math.ceil((width * height) / 8)).fill(255)),
    agents: agents.flat(),
    slots: moves.length,
    ticks: moves[0].length,
    changes,
    tasks,
    moves: base64(packPairs(moves.flat())),
  };
}

function crowdAt(timeline, tick) {
  const moment = new Moment(timeline.slots);
  moment.copyFrom(timeline.keyframes[0]);
  while (moment.tick < tick) timeline.step(moment);
  return moment;
}

test("packed moves are read as they were written", () => {
  // The same bytes are written by the test in `data_test.rs`.
  const packed = Uint8Array.from([11, 99, 4, 138, 72]);
  const expected = [1, 2, ...new Array(25).fill(0), 3, 3, 3, 8];
  assert.deepEqual([...unpackMoves(packed, 1, expected.length)], expected);
});

test("moves are stored by slot and played by tick", () => {
  assert.deepEqual([...unpackMoves(Uint8Array.from(packPairs([1, 2, 3, 4, 5, 6])), 2, 3)], [1, 4, 2, 5, 3, 6]);
});

test("floor bits are read from the lowest", () => {
  assert.deepEqual([...unpackFloor(Uint8Array.from([0b11011011, 0b01]), 10)], [1, 1, 0, 1, 1, 0, 1, 1, 1, 0]);
});

test("waiting is counted away from the goal only", () => {
  const timeline = new Timeline(
    runOf({
      agents: [
        [0, 2, 1],
        [9, 9, 1],
        [20, 20, 0],
      ],
      moves: [
        [0, 2, 0, 2, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 2, 0, 0],
      ],
    }),
  );
  const end = crowdAt(timeline, 5);
  assert.deepEqual([...end.cells], [2, 9, 21]);
  assert.deepEqual([...end.waited], [2, 0, 0]);
  assert.deepEqual([...timeline.waits.cells.slice(0, timeline.waits.count)], [0, 1]);
  assert.deepEqual([...timeline.arrivedAt], [1, 1, 1, 1, 2, 2]);
  assert.deepEqual([...timeline.crowdAt], [2, 2, 2, 2, 2, 2]);
});

test("any tick is the same from wherever it is reached", () => {
  const ticks = 300;
  // Back and forth, so that no agent leaves the floor, and two ticks of rest.
  const pace = Array.from({ length: ticks }, (_, tick) => [2, 4, 3, 1, 6, 8, 0, 0][tick % 8]);
  const timeline = new Timeline(
    runOf({
      agents: [
        [0, 20, 1],
        [18, 18, 1],
        [36, 36, 0],
      ],
      moves: [pace, pace, pace, new Array(ticks).fill(0)],
      changes: [
        [10, [0, 3, 50, 51, 1]],
        [70, [2, 1, 30], [4, 63, 0]],
        [130, [1, 3]],
        [135, [3, 0, 27]],
        [200, [0, 3, 40, 40, 0], [4, 63, 1]],
      ],
    }),
  );
  const moment = crowdAt(timeline, 0);
  const after = crowdAt(timeline, 0);
  for (const tick of [300, 0, 129, 130, 134, 135, 64, 63, 299, 65, 10, 9, 200, 199, 300, 128]) {
    timeline.seek(moment, tick);
    assert.deepEqual(moment, crowdAt(timeline, tick), `tick ${tick}`);
    timeline.seekAfter(after, moment);
    assert.deepEqual(after, crowdAt(timeline, Math.min(300, tick + 1)), `after tick ${tick}`);
  }
  assert.deepEqual(timeline.edits.map(({ tick, isFloor }) => [tick, isFloor]), [[70, 0], [200, 1]]);
  assert.equal(crowdAt(timeline, 135).cells[0], 27);
  assert.equal(crowdAt(timeline, 150).cells[3], -1);
  assert.equal(crowdAt(timeline, 200).cells[3], 40);
});

test("agents are numbered in the order in which they join, also in a slot that another has left", () => {
  const rest = new Array(6).fill(0);
  const timeline = new Timeline(
    runOf({
      agents: [
        [0, 2, 1],
        [-1, -1, 0],
        [9, 9, 1],
      ],
      moves: [rest, rest, rest],
      changes: [
        [2, [0, 1, 30, 31, 1]],
        [4, [1, 0]],
        [5, [0, 0, 40, 41, 0]],
      ],
    }),
  );
  assert.deepEqual(timeline.slotOf, [0, 2, 1, 0]);
  const moment = crowdAt(timeline, 0);
  const present = (tick) => {
    timeline.seek(moment, tick);
    return [0, 1, 2, 3].filter((number) => moment.holds(timeline.slotOf[number], number));
  };
  assert.deepEqual([6, 0, 5, 4, 2, 1].map(present), [[1, 2, 3], [0, 1], [1, 2, 3], [1, 2], [0, 1, 2], [0, 1]]);
});

test("the goal of any tick is known, however often an agent was sent elsewhere", () => {
  const rest = new Array(9).fill(0);
  const changes = [[2, [2, 0, 5]], [4, [2, 0, 6], [0, 1, 20, 21, 1]], [7, [1, 1]], [8, [0, 1, 30, 31, 1]]];
  const timeline = new Timeline(runOf({ agents: [[0, 4, 1]], moves: [rest, rest, rest], changes }));
  const goals = (slot) => [1, 2, 3, 4, 7, 8, 9].map((tick) => timeline.goalAt(slot, tick).goal);
  assert.deepEqual(goals(0), [4, 5, 5, 6, 6, 6, 6]);
  assert.deepEqual(goals(1), [-1, -1, -1, 21, 21, 31, 31]);
  assert.equal(timeline.goalAt(0, 3).since, 2);
});

test("where agents get new goals all the time, the goals that were reached are counted", () => {
  const agents = [[0, 1, 1], [8, 8, 1]];
  const moves = [[2, 2, 0, 2], [0, 0, 2, 0]];
  const sends = [[2, [2, 0, 2]], [3, [2, 0, 3], [2, 1, 9]]];
  const lifelong = new Timeline(runOf({ agents, moves, changes: sends }));
  assert.ok(lifelong.isLifelong);
  assert.deepEqual([...lifelong.arrivedAt], [0, 1, 2, 3, 4]);
  // One new goal in a while is no more than a change of plans.
  const sent = new Timeline(runOf({ agents, moves: [[2, 0, 0, 2], [0, 0, 2, 0]], changes: [[4, [2, 0, 2]]] }));
  assert.ok(!sent.isLifelong);
  assert.deepEqual([...sent.arrivedAt], [1, 2, 2, 1, 1]);
});

test("tasks of agents that meet are done in stages, and counted instead of arrivals", () => {
  // Agent 0 fetches on cell 1 and meets agent 1 on cell 2 at tick 2; agent 1 begins on the goal, which does not count.
  const timeline = new Timeline(
    runOf({
      agents: [
        [0, 2, 1],
        [4, 4, 1],
      ],
      moves: [
        [2, 2, 0, 0],
        [4, 4, 2, 2],
      ],
      changes: [[3, [1, 0]]],
      tasks: [[0, 1, 1, 2, 2, 4]],
    }),
  );
  const { tasks } = timeline;
  assert.deepEqual([...timeline.arrivedAt], [0, 0, 0, 0, 1]);
  assert.deepEqual([...timeline.crowdAt], [1, 1, 1, 1, 1]);
  const carriers = [0, 1, 2, 3, 4].map((tick) => tasks.carrier(tasks.list[0], tick));
  assert.deepEqual(carriers, [-1, 0, 1, 1, -1]);
  assert.deepEqual([tasks.isDone(0, 1), tasks.isDone(0, 2), tasks.isDone(1, 3), tasks.isDone(1, 4)], [false, true, false, true]);
  assert.equal(tasks.stateOf(0, 0)[1], "going to the task's start");
  assert.equal(tasks.stateOf(1, 3)[1], "going to the task's goal");
});

test("a floor that an earlier run has too is read from there", () => {
  const run = { agents: [[0, 1, 1]], moves: [[0]] };
  const [first, second, third] = readRuns([stored(run), stored({ ...run, width: 9 }), stored({ ...run, floor: 0 })]);
  assert.equal(third.floor, first.floor);
  assert.notEqual(second.floor, first.floor);
});

test("the camera fits the floor and not the walls around it", () => {
  // Floor on columns 2 to 4 of row 1, and a cell that is opened later.
  const floor = base64([0, 0b00011100, 0, 0, 0, 0, 0, 0]);
  const run = { agents: [[10, 12, 1]], moves: [[0, 0]], floor };
  const walled = new Timeline(readRun(stored(run)));
  assert.deepEqual(boxOfFloor([walled]), { x0: 2, y0: 1, x1: 5, y1: 2 });
  const opened = new Timeline(readRun(stored({ ...run, changes: [[2, [4, 35, 1]]] })));
  const box = boxOfFloor([walled, opened]);
  assert.deepEqual(box, { x0: 2, y0: 1, x1: 5, y1: 5 });
  const view = new View(box);
  view.resize(500, 240);
  assert.deepEqual([view.x, view.y, view.scale], [3.5, 3, 40]);
  // A tiny map fills the panel.
  view.resize(1500, 660);
  assert.equal(view.scale, 110);
  const walls = { agents: [], moves: [[0]], floor: base64(new Array(8).fill(0)) };
  assert.deepEqual(boxOfFloor([new Timeline(readRun(stored(walls)))]), { x0: 0, y0: 0, x1: 8, y1: 8 });
});

test("a view glides to its target, stays on the floor, and keeps the place under the mouse", () => {
  const view = new View({ x0: 0, y0: 0, x1: 100, y1: 50 });
  view.resize(1020, 520);
  const placeAt = (dx) => view.target.x + dx / view.target.scale;
  const before = placeAt(200);
  view.zoom(2, 200, 0, false);
  assert.ok(Math.abs(placeAt(200) - before) < 1e-9);
  let frames = 0;
  while (view.glide(1 / 60)) assert.ok(frames++ < 200);
  assert.deepEqual([view.x, view.scale], [view.target.x, view.target.scale]);
  view.pan(-1e6, 1e6);
  assert.deepEqual([view.x, view.y], [100, 0]);
});

test("runs play in half a minute, or in one if a run is much shorter than the others", () => {
  assert.deepEqual([[44], [300], [1e6], [10], [0]].map(page.fittingSpeed), [4, 15, 60, 4, 4]);
  assert.deepEqual([[44, 120], [100, 1000], [331, 4096], [0, 300]].map(page.fittingSpeed), [4, 30, 60, 15]);
});

test("playing ends where nothing happens any more", () => {
  const run = { agents: [[0, 2, 1]], moves: [[2, 2, 0, 0, 0, 0, 0]] };
  assert.equal(new Timeline(runOf(run)).lastEvent, 2);
  assert.equal(new Timeline(runOf({ ...run, changes: [[5, [4, 9, 0]]] })).lastEvent, 5);
  assert.equal(new Timeline(runOf({ agents: [], moves: [[]] })).lastEvent, 0);
});

test("panels are in the columns that leave most room for the map", () => {
  const columns = (count, width, height, aspect) => bestColumns(count, { width, height }, 50, aspect);
  assert.deepEqual([columns(2, 1400, 700, 1), columns(4, 1400, 900, 1), columns(3, 1400, 500, 1)], [2, 2, 3]);
  // On a phone, two are stacked.
  assert.equal(columns(2, 380, 650, 1), 1);
  assert.equal(columns(2, 1400, 900, 6), 1);
  assert.equal(columns(1, 300, 300, 1), 1);
  // A phone on its side: six in two rows, and in no more columns where they must be scrolled.
  assert.deepEqual([bestColumns(6, { width: 824, height: 230 }, 28, 1.5), bestColumns(6, { width: 824, height: 130 }, 28, 1.5)], [3, 3]);
  // Nine are scrolled rather than narrower than 150 pixels.
  assert.equal(bestColumns(9, { width: 320, height: 354 }, 60, 1.5), 2);
});

test("colours tell on which side of the floor a goal lies, wherever the floor is on the map", () => {
  const hues = (shift) => {
    const box = { x0: shift, y0: shift, x1: shift + 10, y1: shift + 6 };
    const at = (x, y) => (shift + y) * 100 + shift + x;
    return [at(9, 3), at(0, 3), at(5, 0), at(5, 5)].map((goal) => page.hueOfGoal(goal, 100, box));
  };
  assert.deepEqual(hues(60), hues(0));
  assert.equal(new Set(hues(0)).size, 4);
});

test("trails fade, and are gone in the end", () => {
  const shades = Array.from({ length: 17 }, (_, age) => page.trailAlpha(age, 16));
  assert.ok(shades.every((shade, age) => age === 0 || shade < shades[age - 1]));
  assert.equal(shades[16], 0);
});

test("large numbers have commas", () => {
  assert.deepEqual([0, 999, 1000, 1234567].map(page.grouped), ["0", "999", "1,000", "1,234,567"]);
});

// How WCAG 2 measures contrast.
function luminance(rgb) {
  const [red, green, blue] = rgb.map((value) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const rgbOf = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

test("all text is readable on every ground, and every agent on the floor", () => {
  const colours = Object.fromEntries([...part("style.css").matchAll(/--([a-z]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, rgbOf(hex)]));
  const runs = [...part("panel.js").match(/RUN_COLOURS = \[(.*)\]/)[1].matchAll(/#[0-9a-f]{6}/g)].map(([hex]) => rgbOf(hex));
  assert.equal(runs.length, 6);
  for (const ground of ["ground", "panel", "bar", "key"]) {
    for (const text of ["ink", "soft", "faint", "warm", "mint", "red", "focus"]) {
      assert.ok(contrast(colours[text], colours[ground]) >= 4.5, `--${text} on --${ground}`);
    }
    for (const run of runs) assert.ok(contrast(run, colours[ground]) >= 4.5, `a title on --${ground}`);
  }
  const floor = rgbOf(part("floor.js").match(/FLOOR_LIGHT = "(#[0-9a-f]{6})"/)[1]);
  for (let hue = 0; hue < 360; hue += 10) {
    assert.ok(contrast(page.rgbOfOklch(...page.AGENT_TONE, hue), floor) >= 4.5, `an agent of hue ${hue}`);
    assert.ok(contrast(page.rgbOfOklch(...page.ARRIVED_TONE, hue), floor) >= 3, `an agent of hue ${hue} that has arrived`);
    // They are fainter above the heat.
    const alpha = Number(part("panel.js").match(/HEATED_ALPHA = ([0-9.]+)/)[1]);
    const faint = page.rgbOfOklch(...page.ARRIVED_TONE, hue).map((channel, at) => channel * alpha + floor[at] * (1 - alpha));
    assert.ok(contrast(faint, floor) >= 3, `an agent of hue ${hue} that has arrived, above the heat`);
  }
  const lip = rgbOf(part("floor.js").match(/WALL_LIP = "(#[0-9a-f]{6})"/)[1]);
  assert.ok(contrast(lip, floor) >= 3, "the edge of the floor");
  assert.ok(contrast(colours.control, colours.bar) >= 3, "the edge of a field");
  // The part of a line that has not been played, on the ground of the timeline.
  const ground = [8, 11, 18].map((channel, at) => (channel + colours.bar[at]) / 2);
  const alphas = part("sparkline.js").match(/isAlone \? ([0-9.]+) : ([0-9.]+)/).slice(1).map(Number);
  for (const [at, line] of [[140, 158, 200], ...runs].entries()) {
    const alpha = alphas[at === 0 ? 0 : 1];
    assert.ok(contrast(line.map((channel, at) => channel * alpha + ground[at] * (1 - alpha)), ground) >= 3, `the line ${at}`);
  }
});
