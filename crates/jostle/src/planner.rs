//! What every online algorithm is to the rest of the engine.

use crate::grid::Cell;
use crate::search::Work;
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
/// new planner would. ([`Follow`](crate::planners::Follow) takes up its plan where the agents stand.) Planners that you write should do
/// the same: a game that goes back in time may restore its world, and not its planner. To go back and move exactly as before, it keeps
/// a [copy](Self::try_clone) of both.
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

    /// Whether the planner knew in the last tick that an agent cannot be on its goal while all others that can be are on theirs, and has given it up until
    /// something changes. [`Crowd::stuck`](crate::Crowd::stuck) reports it. Without this method the answer is `false`.
    fn is_hopeless(&self, agent: &Agent) -> bool {
        let _ = agent;
        false
    }

    /// A copy of the planner with all that it remembers, so that copy and original propose the same moves in the same world.
    /// [`Crowd::try_clone`](crate::Crowd::try_clone) uses it. Without this method there is none.
    fn try_clone(&self) -> Option<Box<dyn Planner>> {
        None
    }

    /// Bytes this planner holds, itself included, for records and tests. 0, which is the default, means not
    /// counted.
    fn memory(&self) -> usize {
        0
    }
}
