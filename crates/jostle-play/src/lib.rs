//! Plays a game that is written as text, and tells what came out of every tick: the fingerprint of
//! the world, and the work of the planner. The same code is a module for wasm32, so that a run on
//! this machine can be compared with one on a machine of 32 bits.
//!
//! [`Game`] is the text, [`Run`] is a game that is being played, and [`play`] does all of it at
//! once. The module takes the text byte by byte and gives numbers back, one by one ([`Console`]),
//! so that nobody passes pointers. `play.mjs` runs it in Node.

pub mod console;
pub mod game;
pub mod run;

// No other crate of the module has functions of these names, so that none is replaced by another.
#[cfg(target_arch = "wasm32")]
#[expect(unsafe_code, reason = "a function is exported by its name, which has to be the only one")]
mod exports;

pub use console::Console;
pub use game::Game;
pub use run::{Run, Tick, play};

/// One number for the sources of the engine and of this crate, in hexadecimal digits.
pub const SOURCES: &str = env!("JOSTLE_SOURCES");
