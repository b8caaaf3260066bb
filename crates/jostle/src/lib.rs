#![doc = include_str!("../README.md")]
//!
//! # Where to go next
//!
//! - **For a game**, [`Crowd`] is all you need: add agents, send them, tick, edit the map, and ask who is stuck and why.
//!   [`planners::Jostle`] has the parameters of the default planner, among them what a tick may cost.
//! - **For a loop of your own**, a [`World`] holds the map and the agents, a [planner](planners) proposes a joint move in every tick, and the
//!   world makes it if it is legal. [`Simulation`] is that loop with limits, measurements ([`Metrics`]) and a recording ([`Trace`]).
//!   [`simulate::tick`] is a single round of it.
//! - **Problems**: an [`Instance`] is a map with starts and goals, read from a file or drawn; a [`Level`] is a built-in map; a [`Script`] holds
//!   changes with their ticks; [`Lifelong`] gives agents that arrive new goals.
//! - **Plans before anybody moves**: the [solvers] find a whole [`Plan`], some of them with a proof of how good it is.
//! - **Files**: [`formats`] reads and writes maps and scenarios of the MovingAI benchmark, path files and scripts.
//! - **Checks**: [`check`] judges a recorded run independently of the rest of the engine.

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

pub mod check;
mod cost;
mod crowd;
pub mod formats;
pub mod grid;
pub mod group;
pub mod instance;
pub mod levels;
pub mod lifelong;
pub mod meetings;
pub mod metrics;
pub mod pibt;
pub mod plan;
mod planner;
pub mod planners;
pub mod registry;
pub mod script;
pub mod search;
pub mod simulate;
pub mod solvers;
#[cfg(not(feature = "tally"))]
mod tally;
#[cfg(feature = "tally")]
#[doc(hidden)]
pub mod tally;
mod threads;
pub mod trace;
pub mod world;

pub use cost::Cost;
pub use crowd::{Crowd, Hindrance, Moved, Status, Stuck};
pub use grid::{Cell, CornerRule, Crossing, Grid, Neighbours, Rules};
pub use group::Gathering;
pub use instance::Instance;
pub use levels::Level;
pub use lifelong::Lifelong;
pub use metrics::Metrics;
pub use plan::Plan;
pub use script::Script;
pub use search::{Budget, Work};
pub use simulate::{Limits, Simulation};
pub use trace::Trace;
pub use world::{Agent, AgentId, Change, Configuration, Moves, World};
