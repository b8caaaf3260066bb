// Plays games in a module for wasm32: one game as JSON on each line of the standard input, one
// answer on each line of the standard output. Numbers are hexadecimal. The last word of the command
// line is the module.
//
//   {"ready": "5e01..."}                       the first answer: the sources of the module
//   {"game": "planner jostle\nticks 3\n..."}
//   {"numbers": ["9f3a...", "2", "1c", ...]}   fingerprint, searches, expansions of each tick
//   {"error": "..."}                           the game was refused, or the engine has panicked

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

function message(exports) {
  const bytes = [];
  for (let byte; (byte = exports.jostle_letter()) >= 0; ) bytes.push(byte);
  return Buffer.from(bytes).toString();
}

function play(exports, game) {
  for (const byte of Buffer.from(game)) exports.jostle_write(byte);
  const ticks = exports.jostle_play();
  if (ticks < 0) return { error: message(exports) };
  const numbers = Array.from({ length: 3 * ticks }, () =>
    BigInt.asUintN(64, exports.jostle_number()).toString(16),
  );
  return { numbers };
}

let module;
let exports;
try {
  module = new WebAssembly.Module(readFileSync(process.argv.at(-1)));
  exports = new WebAssembly.Instance(module).exports;
  exports.jostle_sources();
  say({ ready: message(exports) });
} catch (error) {
  say({ error: `${error.message}` });
  process.exit(1);
}

for await (const line of createInterface({ input: process.stdin })) {
  // After a panic, nothing is known about the memory of an instance: the next game gets a new one.
  exports ??= new WebAssembly.Instance(module).exports;
  try {
    say(play(exports, JSON.parse(line).game));
  } catch (error) {
    say({ error: `${error}: ${message(exports)}` });
    exports = undefined;
  }
}
