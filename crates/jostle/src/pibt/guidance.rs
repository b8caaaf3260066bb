//! What agents base their choices on.

use super::choices::Choices;
use crate::grid::{Cell, Grid};

/// What agents base their choices on. Agents are numbered as in the configuration.
pub trait Guidance {
    /// Whether an agent takes part. An agent that does not is an obstacle.
    fn is_movable(&self, agent: usize) -> bool;

    /// The cell to which an agent wants to go.
    fn goal(&self, agent: usize) -> Cell;

    /// The cells on which an agent that stands `here` could stand next, the best first. Those that are not open may be left
    /// out, and so may all that come after `here` if that is open.
    fn choices(
        &mut self,
        grid: &Grid,
        agent: usize,
        here: Cell,
        is_open: impl Fn(Cell) -> bool,
    ) -> Choices;

    /// All cells on which an agent that stands `here` could stand next, the best first. An agent that has to back off in
    /// order to swap with another goes through them from the last.
    fn all_choices(&mut self, grid: &Grid, agent: usize, here: Cell) -> Choices {
        self.choices(grid, agent, here, |_| true)
    }

    /// Whether an agent would come closer to its goal by a step between two cells, which the swap rule asks for.
    fn comes_closer(&mut self, grid: &Grid, agent: usize, from: Cell, to: Cell) -> bool;

    /// A neighbouring cell that an agent takes, if it is free, without comparing it with others: this saves
    /// ranking them. It is the first of its [`choices`](Self::choices).
    fn favourite(&self, _grid: &Grid, _agent: usize, _here: Cell) -> Option<Cell> {
        None
    }
}
