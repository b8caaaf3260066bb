// Run with `node --test`. The parts of the page's script share one scope, and so they do here.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const part = (name) => readFileSync(new URL(`page/${name}.js`, import.meta.url), "utf8");
const { unpackMoves, unpackFloor, readRun, Timeline, Moment } = new Function(
  `"use strict"; ${part("decode")} ${part("timeline")} ${part("meetings")}
  return { unpackMoves, unpackFloor, readRun, Timeline, Moment };`,
)();

const base64 = (bytes) => Buffer.from(bytes).toString("base64");

// Packs two moves a byte, which is always allowed.
function packPairs(moves) {
  const pairs = [];
  for (let i = 0; i < moves.length; i += 2) pairs.push(moves[i] * 9 + (moves[i + 1] ?? 0));
  return pairs;
}

// A run on an open floor; `moves` holds one list for each slot.
function runOf({ width = 8, height = 8, agents, moves, changes = [], tasks = [] }) {
  return readRun({
    width,
    height,
    four: false,
    floor: base64(new Array(Math.ceil((width * height) / 8)).fill(255)),
    agents: agents.flat(),
    slots: moves.length,
    ticks: moves[0].length,
    changes,
    tasks,
    moves: base64(packPairs(moves.flat())),
  });
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
