//! Blocks of the map, in which agents choose at the same time.
//!
//! Blocks have four colours, as the squares of a pattern of two by two that repeats: no two of one colour touch. Agents choose where their block is, and
//! up to [`MARGIN`] cells around it, so that those of different blocks of one colour never use the same cells.

use crate::grid::{Cell, Grid};
use crate::pibt::Area;

/// The side of a block, in cells.
const SIDE: u32 = 64;
/// How far outside of its block an agent may choose, or somebody who makes room for it. Agents move on between two times at which
/// they are put in order.
const MARGIN: u32 = SIDE / 2 - 2;

pub(super) const COLOURS: usize = 4;

/// Comes before the numbers of all blocks.
pub(super) const FIRST: u32 = 0;
/// Comes after them.
pub(super) const LATE: u32 = (1 << 24) - 1;
const _: () = assert!((Grid::MAX_SIDE / SIDE + 2).pow(2) < LATE);

/// The blocks of a map.
#[derive(Clone, Copy)]
pub(super) struct Blocks<'a> {
    grid: &'a Grid,
    /// How many squares of two by two blocks are in a row, and how many there are.
    columns: u32,
    squares: u32,
}

impl<'a> Blocks<'a> {
    pub const fn of(grid: &'a Grid) -> Self {
        let columns = grid.width().div_ceil(2 * SIDE);
        Self { grid, columns, squares: columns * grid.height().div_ceil(2 * SIDE) }
    }

    /// The number of the block of a cell, from 1, colour by colour.
    pub const fn number(self, cell: Cell) -> u32 {
        let (x, y) = self.grid.position(cell);
        let (column, row) = (x / SIDE, y / SIDE);
        let (colour, square) = (row % 2 * 2 + column % 2, row / 2 * self.columns + column / 2);
        FIRST + 1 + colour * self.squares + square
    }

    /// The colour of the block with this number.
    pub const fn colour(self, number: u32) -> usize {
        ((number - 1) / self.squares) as usize
    }

    /// Where agents in the block with this number choose.
    pub const fn area(self, number: u32) -> Area {
        let (colour, square) = ((number - 1) / self.squares, (number - 1) % self.squares);
        let column = square % self.columns * 2 + colour % 2;
        let row = square / self.columns * 2 + colour / 2;
        let (west, north) = (column * SIDE, row * SIDE);
        Area {
            first: (west.saturating_sub(MARGIN), north.saturating_sub(MARGIN)),
            last: (west + SIDE - 1 + MARGIN, north + SIDE - 1 + MARGIN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_one_colour_are_apart_and_cover_their_cells() {
        let grid = Grid::open(300, 200).unwrap();
        let blocks = Blocks::of(&grid);
        let mut numbers: Vec<u32> = grid.cells().map(|cell| blocks.number(cell)).collect();
        for (cell, &number) in grid.cells().zip(&numbers) {
            assert!(number != FIRST && blocks.area(number).covers(&grid, cell));
        }
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 5 * 4);
        assert!(numbers.iter().is_sorted_by_key(|&number| blocks.colour(number)));
        for (at, &a) in numbers.iter().enumerate() {
            for &b in &numbers[at + 1..] {
                let may_touch = blocks.colour(a) != blocks.colour(b);
                assert!(may_touch || blocks.area(a).is_apart(blocks.area(b)));
            }
        }
    }
}
