//! Tables of the steps to cells on which agents meet, kept as long as there is room.

use std::collections::HashMap;
use std::sync::Arc;

use crate::grid::{Cell, Grid};
use crate::solvers::distances::steps_to;

/// The most [nominal bytes](crate::search::Budget::with_memory) of tables that are kept, four for
/// each cell.
const MOST_HELD: usize = 64 << 20;

/// The steps to cells from everywhere. A table takes a search over the whole map, and the same meetings come up
/// again and again.
#[derive(Clone, Debug, Default)]
pub struct StepsCache {
    tables: HashMap<Cell, Arc<[u32]>>,
    held: usize,
}

impl StepsCache {
    /// The steps to a cell from every cell.
    pub fn to(&mut self, grid: &Grid, cell: Cell) -> Arc<[u32]> {
        if let Some(known) = self.tables.get(&cell) {
            return Arc::clone(known);
        }
        let table = steps_to(grid, cell);
        let more = 4 * table.len();
        if self.held + more > MOST_HELD {
            self.tables.clear();
            self.held = 0;
        }
        self.held += more;
        self.tables.insert(cell, Arc::clone(&table));
        table
    }

    /// Nominal bytes. The tables never grow, so that they take no more.
    pub const fn held(&self) -> usize {
        self.held
    }
}
