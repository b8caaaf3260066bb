//! The online algorithms: each decides, tick after tick, where everyone stands next.

pub mod bmaa;
pub mod cooperative;
pub mod far;
mod follow;
pub mod lra;
pub mod own;
mod params;
pub mod pibt;
mod registry;
mod schedule;
mod settle;
mod slices;
#[cfg(test)]
mod testing;
pub mod whca;

pub use bmaa::Bmaa;
pub use cooperative::Cooperative;
pub use far::Far;
pub use lra::Lra;
pub use own::Jostle;
pub use params::{Choice, Field, Value};
pub use pibt::Pibt;
pub use registry::{ENTRIES, Entry, Spec, SpecError, planner};
pub use whca::Whca;

pub use crate::search::Work;

use crate::grid::Cell;
use crate::world::{Agent, Moves, World};

/// Decides the next joint move. Every algorithm of the online kind is one.
///
/// A planner follows one world: it remembers what it learned about it from tick to tick, and finds out
/// by itself what the game has changed meanwhile. Give every world a planner of its own.
pub trait Planner: Send {
    /// Decides where our agents stand next. `moves` comes with everybody waiting.
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work;

    /// The cell that an agent would step on next if nobody stood in its way, if it knows one.
    fn wish(&self, agent: &Agent) -> Option<Cell>;

    /// Bytes this planner holds.
    fn memory(&self) -> usize;
}

/// The parameters of a planner, from which it is made.
pub trait Recipe: Send + Sync {
    /// The parameters by name, to read and to set.
    fn fields(&mut self) -> Vec<Field<'_>>;

    /// A new planner with these parameters.
    fn build(&self) -> Box<dyn Planner>;
}
