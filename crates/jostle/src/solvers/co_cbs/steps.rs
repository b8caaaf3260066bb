//! Tables of the steps to cells on which agents meet, kept as long as there is room.

use std::collections::HashMap;
use std::sync::Arc;

use crate::grid::{Cell, Grid};
use crate::solvers::distances::steps_to;

/// The most bytes of tables that are kept.
const MOST_BYTES: usize = 64 << 20;

/// The steps to cells from everywhere. A table takes a search over the whole map, and the same meetings come up
/// again and again.
#[derive(Clone, Debug, Default)]
pub struct StepsCache {
    tables: HashMap<Cell, Arc<[u32]>>,
    bytes: usize,
}

impl StepsCache {
    /// The steps to a cell from every cell.
    pub fn to(&mut self, grid: &Grid, cell: Cell) -> Arc<[u32]> {
        if let Some(known) = self.tables.get(&cell) {
            return Arc::clone(known);
        }
        let table = steps_to(grid, cell);
        let bytes = size_of_val(&*table);
        if self.bytes + bytes > MOST_BYTES {
            self.tables.clear();
            self.bytes = 0;
        }
        self.bytes += bytes;
        self.tables.insert(cell, Arc::clone(&table));
        table
    }

    /// Bytes the tables hold.
    pub const fn memory(&self) -> usize {
        self.bytes
    }
}
