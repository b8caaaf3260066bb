//! Which agent will stand on which cell after a step.

use crate::grid::Cell;

/// The agent that will stand on each cell, as far as is decided.
///
/// An entry holds the number of the step in which it was written, and counts only in that step. So nothing has to be
/// cleared from step to step, and memory for cells where no agent ever stands is never touched.
#[derive(Clone, Debug)]
pub(super) struct Claims {
    /// By cell, the number of the step and below it the agent.
    entries: Vec<u64>,
    /// The number of this step, from 1.
    step: u32,
}

impl Claims {
    /// Before the first step.
    pub const NONE: Self = Self { entries: Vec::new(), step: 0 };

    /// Begins a step on a grid with this many cells: nothing is claimed.
    pub fn begin(&mut self, cells: usize) {
        if self.entries.len() != cells || self.step == u32::MAX {
            // The system gives such memory when it is touched.
            self.entries = vec![0; cells];
            self.step = 0;
        }
        self.step += 1;
    }

    /// The agent that has claimed a cell.
    pub fn get(&self, cell: Cell) -> Option<u32> {
        let entry = *self.entries.get(cell.index())?;
        (entry >> u32::BITS == u64::from(self.step)).then_some(entry as u32)
    }

    /// Whether a cell of the grid is not claimed.
    pub fn is_free(&self, cell: Cell) -> bool {
        let entry = self.entries.get(cell.index());
        entry.is_some_and(|entry| entry >> u32::BITS != u64::from(self.step))
    }

    /// Lets an agent claim a cell of the grid.
    pub fn set(&mut self, cell: Cell, agent: u32) {
        self.entries[cell.index()] = u64::from(self.step) << u32::BITS | u64::from(agent);
    }

    /// Bytes this holds.
    pub const fn memory(&self) -> usize {
        self.entries.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_counts_in_its_step_only() {
        let (mut claims, [a, b, far]) = (Claims::NONE, [0, 1, 2].map(Cell::from_index));
        claims.begin(2);
        claims.set(a, 7);
        assert_eq!((claims.get(a), claims.get(b)), (Some(7), None));
        assert!(!claims.is_free(a) && claims.is_free(b) && !claims.is_free(far));
        claims.begin(2);
        assert!(claims.is_free(a));
        claims.set(a, 3);
        claims.step = u32::MAX;
        claims.begin(2);
        assert!(claims.is_free(a), "numbers of steps come again");
        claims.begin(3);
        assert!(claims.is_free(far));
    }
}
