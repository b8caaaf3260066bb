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
    /// Whether the agent stays on the last cell for good. If not, its position after the last tick is unknown.
    pub stays: bool,
}

impl TimedPath {
    /// A path that begins at tick 0 and whose last cell the agent keeps.
    pub fn of(cells: Vec<Cell>) -> Self {
        Self { begins: 0, cells, stays: true }
    }

    /// Where the agent is to be at a tick; `None` before the path begins and, unless it stays, after it ends.
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

    /// The tick of the last cell in `cells`; `None` for an empty path.
    pub fn ends(&self) -> Option<u64> {
        (self.cells.len() as u64).checked_sub(1).map(|last| self.begins + last)
    }

    /// The cost of the path: the first tick from which the agent stays on its last cell. An empty path costs 0.
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

    /// Releases what [`TimedPath::reserve`] has reserved.
    pub fn release(&self, agent: usize, table: &mut Reservations) {
        for (cell, tick) in self.timed() {
            table.release(agent, cell, tick);
        }
        if let Some(last) = self.kept_cell() {
            table.let_go(agent, last);
        }
    }

    /// The cell on which the agent stays for good, if it does.
    fn kept_cell(&self) -> Option<Cell> {
        self.cells.last().copied().filter(|_| self.stays)
    }

    /// Whether all steps are legal: waits always are, and `is_step` decides on the others.
    pub fn is_legal(&self, is_step: impl Fn(Cell, Cell) -> bool) -> bool {
        self.cells.windows(2).all(|step| step[0] == step[1] || is_step(step[0], step[1]))
    }
}
