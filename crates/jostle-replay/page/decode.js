// Reads the run that is stored in the page. `data.rs` documents the format.

const NOWHERE = -1;

// The columns and rows by which each move changes the position: stay, then N, E, S, W, NE, SE, SW, NW.
const MOVE_DX = [0, 0, 1, 0, -1, 1, 1, -1, -1];
const MOVE_DY = [0, -1, 0, 1, 0, -1, 1, 1, -1];
const FIRST_DIAGONAL = 5;

const MOVES = 9;
const FIRST_RUN = MOVES * MOVES;
const SHORTEST_RUN = 3;
const RUN_LENGTHS = 19;

function bytesOfBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Moves are stored slot by slot, because that packs best, and played tick by tick: the move of a slot in
// the tick that ends at `tick` is at `(tick - 1) * slots + slot`.
function unpackMoves(packed, slots, ticks) {
  const moves = new Uint8Array(slots * ticks);
  let slot = 0;
  let tick = 0;
  const put = (move) => {
    if (slot < slots) moves[tick * slots + slot] = move;
    if (++tick === ticks) {
      tick = 0;
      slot++;
    }
  };
  for (let at = 0; at < packed.length; ) {
    const code = packed[at++];
    if (code < FIRST_RUN) {
      put((code / MOVES) | 0);
      put(code % MOVES);
      continue;
    }
    const move = ((code - FIRST_RUN) / RUN_LENGTHS) | 0;
    const length = (code - FIRST_RUN) % RUN_LENGTHS;
    let run = SHORTEST_RUN + length;
    if (length === RUN_LENGTHS - 1) {
      let scale = 1;
      let byte;
      do {
        byte = packed[at++];
        run += (byte & 0x7f) * scale;
        scale *= 128;
      } while (byte & 0x80);
    }
    while (run-- > 0) put(move);
  }
  return moves;
}

function unpackFloor(bits, cells) {
  const floor = new Uint8Array(cells);
  for (let cell = 0; cell < cells; cell++) floor[cell] = (bits[cell >> 3] >> (cell & 7)) & 1;
  return floor;
}

// All runs of a page. A floor is stored once: a later run on it has the number of the first.
function readRuns(stored) {
  const runs = [];
  for (const json of stored) runs.push(readRun(json, runs[json.floor]?.floor));
  return runs;
}

// The run with everything unpacked, in typed arrays: there may be a million agents. Changes become a map from the tick they precede to a list.
function readRun(json, floor = unpackFloor(bytesOfBase64(json.floor), json.width * json.height)) {
  const { width, height, four, slots, ticks } = json;
  return {
    width,
    height,
    four,
    slots,
    ticks,
    agents: Int32Array.from(json.agents),
    floor,
    moves: unpackMoves(bytesOfBase64(json.moves), slots, ticks),
    changes: new Map(json.changes.map(([tick, ...changes]) => [tick, changes])),
    tasks: new Tasks(json.tasks, slots),
  };
}
