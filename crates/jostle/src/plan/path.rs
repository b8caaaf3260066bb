//! One agent's path through time.

use crate::grid::{Cell, Grid};
use crate::metrics::Distance;
use crate::search::Reservations;

/// Where one agent is to be, tick by tick.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimedPath {
    /// The tick of the first cell.
    pub begins: u64,
    /// One cell for each tick from then on.
    pub cells: Vec<Cell>,
    /// Whether the agent stays on the last cell for good. If not, nothing is known of it after the last tick.
    pub stays: bool,
}

impl TimedPath {
    /// A path that begins at tick 0 and ends where the agent stays.
    pub fn of(cells: Vec<Cell>) -> Self {
        Self { begins: 0, cells, stays: true }
    }

    /// Where the agent is to be at a tick.
    pub fn at(&self, tick: u64) -> Option<Cell> {
        let index = tick.checked_sub(self.begins)? as usize;
        match self.cells.get(index) {
            None if self.stays => self.cells.last().copied(),
            cell => cell.copied(),
        }
    }

    /// The cells with their ticks.
    pub fn timed(&self) -> impl Iterator<Item = (Cell, u64)> {
        self.cells.iter().copied().zip(self.begins..)
    }

    /// The last tick for which the path names a cell of its own; none of an empty path.
    pub fn ends(&self) -> Option<u64> {
        (self.cells.len() as u64).checked_sub(1).map(|last| self.begins + last)
    }

    /// The tick at which the agent is on its last cell for good, which counts as its cost. An empty path costs
    /// nothing.
    pub fn cost(&self) -> u64 {
        let Some(last) = self.cells.last() else { return 0 };
        let moves = self.cells.iter().rposition(|cell| cell != last).map_or(0, |at| at + 1);
        self.begins + moves as u64
    }

    /// How far the agent walks. Waiting is free.
    pub fn distance(&self, grid: &Grid) -> Distance {
        let mut distance = Distance::default();
        for step in self.cells.windows(2) {
            distance.add_step(grid, step[0], step[1]);
        }
        distance
    }

    /// Reserves the path for an agent, and its last cell for good if the agent stays there.
    pub fn reserve(&self, agent: usize, table: &mut Reservations) {
        for (cell, tick) in self.timed() {
            table.reserve(agent, cell, tick);
        }
        if let (Some(last), Some(ends)) = (self.kept_cell(), self.ends()) {
            table.hold(agent, last, ends + 1);
        }
    }

    /// Takes back what [`TimedPath::reserve`] has reserved.
    pub fn release(&self, agent: usize, table: &mut Reservations) {
        for (cell, tick) in self.timed() {
            table.release(agent, cell, tick);
        }
        if let Some(last) = self.kept_cell() {
            table.let_go(agent, last);
        }
    }

    /// The cell on which the agent stays for good.
    fn kept_cell(&self) -> Option<Cell> {
        self.cells.last().copied().filter(|_| self.stays)
    }

    /// Whether all steps are legal, by what `is_step` says of each that is not a wait.
    pub fn is_legal(&self, is_step: impl Fn(Cell, Cell) -> bool) -> bool {
        self.cells.windows(2).all(|step| step[0] == step[1] || is_step(step[0], step[1]))
    }
}
