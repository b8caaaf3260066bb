//! The cells that a search has reached.

use super::Place;
use crate::grid::{Direction, Grid};

/// The number of the node of each cell that a search has generated.
///
/// The table covers the map, or as much of it around the start as a search with this limit can reach,
/// whichever is less, so that bounded searches always use the same small piece of memory. Numbers keep
/// counting up from search to search: a number below `base` belongs to an earlier search, so the table need
/// not be cleared when a search starts.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    table: Vec<u32>,
    width: usize,
    /// How much a step changes the index in the table, by direction.
    offsets: [i32; 8],
    /// Column and row of the first element.
    origin: (i32, i32),
    base: u32,
}

impl Numbers {
    /// Starts a search that expands at most `limit` nodes, after one that has used `used` numbers.
    pub fn begin(&mut self, grid: &Grid, start: Place, limit: u32, used: usize) {
        // Every expansion reaches at most one cell further in each direction; the start is in the middle.
        let reach = limit.min(Grid::MAX_SIDE) as i32 + 1;
        let cover = |at: i32, side: u32| {
            if side as i32 > 2 * reach { (at - reach, 2 * reach + 1) } else { (0, side as i32) }
        };
        let ((x, width), (y, height)) =
            (cover(start.x, grid.width()), cover(start.y, grid.height()));
        self.origin = (x, y);
        let (width, cells) = (width as usize, width as usize * height as usize);
        let has_numbers_left = u32::MAX as usize - self.base as usize > used + cells;
        if (self.width, self.table.len()) == (width, cells) && has_numbers_left {
            self.base += used as u32;
        } else {
            self.table.clear();
            self.table.resize(cells, 0);
            (self.width, self.base) = (width, 1);
            self.offsets = Direction::ALL.map(|direction| {
                let (dx, dy) = direction.delta();
                dy * width as i32 + dx
            });
        }
    }

    /// The index of a place in the table.
    pub fn slot(&self, place: Place) -> u32 {
        let (column, row) = (place.x - self.origin.0, place.y - self.origin.1);
        (row as usize * self.width + column as usize) as u32
    }

    /// The index of the place one step away.
    pub fn beside(&self, slot: u32, direction: Direction) -> u32 {
        slot.wrapping_add_signed(self.offsets[direction as usize])
    }

    /// The number of the node there, if this search has generated one.
    pub fn get(&self, slot: u32) -> Option<u32> {
        self.table[slot as usize].checked_sub(self.base)
    }

    /// Sets the number of the node there.
    pub fn set(&mut self, slot: u32, number: u32) {
        self.table[slot as usize] = self.base + number;
    }

    /// Nominal bytes: four for each cell.
    pub const fn held(&self) -> usize {
        4 * self.table.len()
    }

    /// Bytes this table holds.
    pub fn memory(&self) -> usize {
        self.table.capacity() * size_of::<u32>()
    }
}
