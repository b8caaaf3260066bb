//! The online algorithms: each decides, tick by tick, where every agent stands next.

pub mod bmaa;
mod builtin;
pub mod cooperative;
mod cursor;
pub mod far;
mod follow;
pub mod incremental;
pub mod jostle;
pub mod lra;
mod news;
mod params;
pub mod pibt;
mod registry;
mod schedule;
mod settle;
mod slices;
mod spec;
#[cfg(test)]
mod testing;
pub mod whca;

pub use bmaa::Bmaa;
pub use cooperative::Cooperative;
pub use far::Far;
pub use follow::{Breach, Follow, Following, PlanError};
pub use incremental::{CbsDstarLite, CbsReplan, DiCbs};
pub use jostle::Jostle;
pub use lra::Lra;
pub use params::{Choice, Field, Value};
pub use pibt::Pibt;
pub use registry::{AddError, Entry, Registry, planner};
pub use spec::{Spec, SpecError};
pub use whca::Whca;

pub use crate::search::Work;

use crate::grid::Cell;
use crate::world::{Agent, Moves, World};

/// Decides the next joint move. Every online algorithm implements it.
///
/// A planner follows one world: it remembers what it learned about it from tick to tick, and finds out
/// by itself what the game has changed meanwhile, also in ticks that passed without it. Give every world a planner
/// of its own.
///
/// All the same, it accepts any world at any time: a saved clone of the world that it knows, from before or after,
/// or a different one. Its moves are legal in the world it is given. It takes a world with the same floor, no
/// fewer slots and no earlier tick for the one that it knows, and an agent with the same ID and goal for the same agent,
/// wherever it stands. In any other world, the planners of the engine begin anew, and then move agents exactly as a
/// new planner would. ([`Follow`] takes up its plan where the agents stand.) Planners that you write should do
/// the same: a game that goes back in time restores its world, and not its planner.
///
/// Only [`plan`](Self::plan) has to be written. A planner is `Send` and `Sync`, so that a
/// [`Crowd`](crate::Crowd) can live wherever a game engine keeps its resources.
pub trait Planner: Send + Sync {
    /// Decides where our agents stand next. In `moves`, every agent waits until the planner moves it.
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work;

    /// The cell that an agent would step on next if no agent stood in its way, if the planner knows one.
    /// [`Crowd::stuck`](crate::Crowd::stuck) uses it to find out which agent blocks which. Without this
    /// method the answer is `None`, and agents wait for no known reason.
    fn wish(&self, agent: &Agent) -> Option<Cell> {
        let _ = agent;
        None
    }

    /// Bytes this planner holds, itself included, for records and tests. 0, which is the default, means not
    /// counted.
    fn memory(&self) -> usize {
        0
    }
}

/// The parameters of a planner, which build it: a plain struct with defaults.
///
/// ```
/// use jostle::planners::{Field, Planner, Recipe, Value, Work};
/// use jostle::{Moves, World};
///
/// /// Lets every agent wait.
/// struct Wait;
///
/// impl Planner for Wait {
///     fn plan(&mut self, _: &World, _: &mut Moves) -> Work {
///         Work::default()
///     }
/// }
///
/// #[derive(Default)]
/// struct Patience {
///     ticks: u32,
/// }
///
/// impl Recipe for Patience {
///     fn fields(&mut self) -> Vec<Field<'_>> {
///         let ticks = Value::Count { value: &mut self.ticks, range: 0..=100 };
///         vec![Field { name: "ticks", about: "how long to wait", value: ticks }]
///     }
///
///     fn build(&self) -> Box<dyn Planner> {
///         Box::new(Wait)
///     }
/// }
/// ```
pub trait Recipe: Send + Sync {
    /// The parameters by name, to read and to set. By default there are none.
    fn fields(&mut self) -> Vec<Field<'_>> {
        Vec::new()
    }

    /// A new planner with these parameters.
    fn build(&self) -> Box<dyn Planner>;
}
