//! Blocks of cells: short searches read estimates and obstacles for sixteen cells at once.

use super::Place;
use crate::Cost;
use crate::grid::{Cell, Grid, Neighbours};

/// A square of 4x4 cells. Blocks lie side by side from the first cell of the map on; those at its eastern and
/// southern ends may reach beyond it.
///
/// What is known about the cells of a block is listed row by row, with one element or one bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its north-western cell.
    pub corner: Place,
}

impl Block {
    /// How many cells a block is wide and high.
    pub const SIDE: usize = 4;
    /// How many cells a block has.
    pub const CELLS: usize = Self::SIDE * Self::SIDE;

    /// The cell so many columns east and rows south of the corner. For one that is not on the grid, the cell is some
    /// other one, or none.
    pub(crate) const fn place(self, grid: &Grid, dx: i32, dy: i32) -> Place {
        let steps = dy as u32 * grid.width() + dx as u32;
        let cell = Cell::from_index(self.corner.cell.index().wrapping_add(steps as usize));
        Place { cell, x: self.corner.x + dx, y: self.corner.y + dy }
    }

    /// The cells of the block that are on the grid, each with its index.
    pub fn places(self, grid: &Grid) -> impl Iterator<Item = (usize, Place)> {
        (0..Self::CELLS).filter_map(move |index| {
            let (dx, dy) = (index % Self::SIDE, index / Self::SIDE);
            let (x, y) = (self.corner.x + dx as i32, self.corner.y + dy as i32);
            let cell = grid.at(x as u32, y as u32)?;
            Some((index, Place { cell, x, y }))
        })
    }

    /// For each cell the length of the path to `goal` if every cell were floor, in units.
    ///
    /// A path has as many diagonal steps as the shorter side of the displacement is long. Because a diagonal step
    /// costs less than two cardinal ones, taking the shorter side for the longer one makes the sum smaller: so the
    /// larger of both sums is the right one.
    pub(crate) fn distances(self, goal: Place, neighbours: Neighbours) -> [i32; Self::CELLS] {
        const LONG: i32 = Cost::CARDINAL.units() as i32;
        const SHORT: i32 = (Cost::DIAGONAL.units() - Cost::CARDINAL.units()) as i32;
        match neighbours {
            Neighbours::Four => self.sums::<LONG, LONG>(goal),
            Neighbours::Eight => self.sums::<LONG, SHORT>(goal),
        }
    }

    /// The larger sums, at so many units for a cell of the longer and the shorter side.
    fn sums<const LONG: i32, const SHORT: i32>(self, goal: Place) -> [i32; Self::CELLS] {
        let (dx, dy) = (self.corner.x - goal.x, self.corner.y - goal.y);
        let long_x: [i32; Self::SIDE] =
            std::array::from_fn(|x| (dx * LONG + x as i32 * LONG).abs());
        let short_x: [i32; Self::SIDE] =
            std::array::from_fn(|x| (dx * SHORT + x as i32 * SHORT).abs());
        let mut sums = [0; Self::CELLS];
        for (dy, row) in (dy..).zip(sums.as_chunks_mut::<{ Self::SIDE }>().0) {
            let (long_y, short_y) = ((dy * LONG).abs(), (dy * SHORT).abs());
            *row = std::array::from_fn(|x| larger(long_x[x] + short_y, short_x[x] + long_y));
        }
        sums
    }

    /// The block of a cell, and the index of the cell in it.
    pub(super) const fn of(grid: &Grid, place: Place) -> (Self, usize) {
        let (dx, dy) = (place.x & 3, place.y & 3);
        let back = dy as u32 * grid.width() + dx as u32;
        let cell = Cell::from_index(place.cell.index().wrapping_sub(back as usize));
        let corner = Place { cell, x: place.x - dx, y: place.y - dy };
        (Self { corner }, dy as usize * Self::SIDE + dx as usize)
    }

    /// A number that no other block of the grid has.
    pub(super) const fn key(self) -> u32 {
        key(self.corner)
    }
}

/// The larger of two distances. Unlike `max`, it consists of instructions that every processor has for several pairs
/// at once.
const fn larger(a: i32, b: i32) -> i32 {
    let more = a - b;
    b + (more & !(more >> 31))
}

/// The key of the block of a cell, and the index of the cell in it.
pub(super) const fn key_and_index(place: Place) -> (u32, usize) {
    (key(place), ((place.y & 3) * Block::SIDE as i32 + (place.x & 3)) as usize)
}

const fn key(place: Place) -> u32 {
    (place.y as u32 >> 2) << 16 | place.x as u32 >> 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cells_of_all_blocks_are_the_cells_of_the_grid() {
        let grid = Grid::open(9, 6).unwrap();
        for cell in grid.cells() {
            let place = Place::of(&grid, cell);
            let (block, index) = Block::of(&grid, place);
            assert_eq!((block.key(), index), key_and_index(place));
            let found = block.places(&grid).find(|&(_, place)| place.cell == cell);
            assert_eq!(found, Some((index, place)));
            assert_eq!(block.corner, Place::of(&grid, block.corner.cell));
        }
    }

    #[test]
    fn distances_are_those_of_every_single_cell() {
        let grid = Grid::open(40, 40).unwrap();
        for neighbours in [Neighbours::Four, Neighbours::Eight] {
            for goal in grid.cells().step_by(7).map(|cell| Place::of(&grid, cell)) {
                for corner in grid.cells().map(|cell| Place::of(&grid, cell)) {
                    let (block, _) = Block::of(&grid, corner);
                    let distances = block.distances(goal, neighbours);
                    for (index, place) in block.places(&grid) {
                        let distance = place.distance(goal, neighbours).units();
                        assert_eq!(i64::from(distances[index]), distance, "{place:?} {goal:?}");
                    }
                }
            }
        }
    }
}
