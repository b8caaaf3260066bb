//! Jostle moves crowds of game characters on grids: real-time multi-agent pathfinding.
//!
//! A game provides a grid, agents and goals, gives agents new goals and edits the map at any time, and asks
//! once per tick where every agent stands next. The answer is collision-free and is found within a fixed
//! search budget.
//!
//! Games start at [`Crowd`]. Researchers start at [`Instance`], [`planners`] and [`Simulation`].
//! Everything goes through one loop: changes are applied to the [`World`], a [`Planner`](planners::Planner)
//! proposes a joint move ([`Moves`]), and the world carries it out if it is legal.

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

/// The README's examples, tested.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
