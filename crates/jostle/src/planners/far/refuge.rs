//! Looking for a place where an agent is out of the way, nearest first.

use crate::grid::{Cell, Grid};
use crate::search::Budget;

/// The most cells to look at. If there is no bay or crossing within these, the agent is in a long corridor.
const MOST_CELLS: usize = 256;

/// A breadth-first search around an agent for a cell that no other agent needs.
#[derive(Clone, Debug, Default)]
pub(super) struct RefugeSearch {
    /// For each cell the round in which it was last claimed, and the agent that claimed it.
    claims: Vec<(u32, u32)>,
    round: u32,
    /// In which search each cell was reached.
    reached: Vec<u32>,
    search: u32,
    /// The cells reached, in order, each with the index of the cell from which it was reached.
    cells: Vec<(Cell, u32)>,
}

/// Claimed by several agents.
const MANY: u32 = u32::MAX;

impl RefugeSearch {
    /// Starts a round, in which no cell is claimed yet.
    pub fn begin(&mut self, grid: &Grid) {
        let cells = grid.cells().len();
        if self.claims.len() != cells || self.round.max(self.search) > u32::MAX / 2 {
            self.claims.clear();
            self.claims.resize(cells, (0, 0));
            self.reached.clear();
            self.reached.resize(cells, 0);
            (self.round, self.search) = (0, 0);
        }
        self.round += 1;
    }

    /// Marks a cell as needed by an agent.
    pub fn claim(&mut self, slot: usize, cell: Cell) {
        let (round, by) = &mut self.claims[cell.index()];
        if *round != self.round {
            (*round, *by) = (self.round, slot as u32);
        } else if *by != slot as u32 {
            *by = MANY;
        }
    }

    /// Whether another agent needs a cell.
    pub fn is_claimed(&self, slot: usize, cell: Cell) -> bool {
        let (round, by) = self.claims[cell.index()];
        round == self.round && by != slot as u32
    }

    /// Looks for the nearest cell that `is_refuge`, over cells that `is_open`. Writes the path there, both
    /// ends included, and returns whether there is one. Every cell it looks at costs one expansion of
    /// `budget`.
    pub fn find(
        &mut self,
        grid: &Grid,
        start: Cell,
        budget: &mut Budget<'_>,
        is_open: impl Fn(Cell) -> bool,
        is_refuge: impl Fn(&Self, Cell) -> bool,
        path: &mut Vec<Cell>,
    ) -> bool {
        path.clear();
        self.search += 1;
        self.cells.clear();
        self.cells.push((start, 0));
        self.reached[start.index()] = self.search;
        let mut next = 0;
        while next < self.cells.len() && next < MOST_CELLS && !budget.is_spent() {
            let (cell, _) = self.cells[next];
            if next > 0 && is_refuge(self, cell) {
                self.write(next, path);
                return true;
            }
            budget.spend(1);
            for near in grid.neighbours(cell) {
                if self.reached[near.index()] != self.search && is_open(near) {
                    self.reached[near.index()] = self.search;
                    self.cells.push((near, next as u32));
                }
            }
            next += 1;
        }
        false
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.claims.capacity() * size_of::<(u32, u32)>()
            + self.reached.capacity() * size_of::<u32>()
            + self.cells.capacity() * size_of::<(Cell, u32)>()
    }

    fn write(&self, mut at: usize, path: &mut Vec<Cell>) {
        loop {
            let (cell, before) = self.cells[at];
            path.push(cell);
            if at == 0 {
                break;
            }
            at = before as usize;
        }
        path.reverse();
    }
}
