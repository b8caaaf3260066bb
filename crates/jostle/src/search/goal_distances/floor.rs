//! The floor as a graph in flat lists: cells numbered without gaps, and the numbers of their neighbours.

use crate::grid::{Cell, Direction, Exits, Grid, Neighbours};

/// The floor cells, numbered without gaps, and their neighbours. A cell that turns into a wall keeps its number, so that one that
/// is edited again and again has only one.
#[derive(Clone, Debug)]
pub(super) struct Floor {
    /// The number of each cell. The highest bit is set while it is a wall; all bits, if it never was floor.
    numbers: Vec<u32>,
    count: usize,
    near: Near,
}

/// The neighbours of each numbered cell, by direction. In place of a missing one stands the cell itself, which every search has
/// reached already.
#[derive(Clone, Debug)]
pub(super) enum Near {
    Four(Vec<[u32; 4]>),
    Eight(Vec<[u32; 8]>),
}

const WALL: u32 = 1 << 31;
const NEVER_FLOOR: u32 = u32::MAX;

impl Floor {
    pub fn of(grid: &Grid) -> Self {
        let mut numbers = vec![NEVER_FLOOR; grid.cells().len()];
        let mut count = 0;
        for cell in grid.floor_cells() {
            numbers[cell.index()] = count;
            count += 1;
        }
        let near = match grid.rules().neighbours {
            Neighbours::Four => {
                Near::Four(grid.floor_cells().map(|cell| near(grid, &numbers, cell)).collect())
            }
            Neighbours::Eight => {
                Near::Eight(grid.floor_cells().map(|cell| near(grid, &numbers, cell)).collect())
            }
        };
        Self { numbers, count: count as usize, near }
    }

    /// The number of a cell, if it is floor.
    #[inline]
    pub fn number(&self, cell: Cell) -> Option<u32> {
        self.numbers.get(cell.index()).copied().filter(|&number| number < WALL)
    }

    /// The number of a cell that is floor, or was.
    pub fn old_number(&self, cell: Cell) -> Option<u32> {
        let number = self.numbers.get(cell.index()).copied()?;
        (number != NEVER_FLOOR).then_some(number & !WALL)
    }

    /// How many numbers there are.
    pub const fn count(&self) -> usize {
        self.count
    }

    pub const fn near(&self) -> &Near {
        &self.near
    }

    /// Follows edits of cells, on the grid as it is after all of them.
    pub fn follow(&mut self, grid: &Grid, edited: &[Cell]) {
        let Self { numbers, count, near: lists } = self;
        for &cell in edited {
            let Some(number) = numbers.get_mut(cell.index()) else { continue };
            match (grid.is_floor(cell), *number) {
                (true, NEVER_FLOOR) => {
                    *number = *count as u32;
                    *count += 1;
                    match lists {
                        Near::Four(lists) => lists.push([*number; 4]),
                        Near::Eight(lists) => lists.push([*number; 8]),
                    }
                }
                (true, known) => *number = known & !WALL,
                (false, known) => *number = known | WALL,
            }
        }
        for cell in edited.iter().flat_map(|&cell| grid.around(cell).chain([cell])) {
            match numbers.get(cell.index()) {
                Some(&number) if number < WALL => match lists {
                    Near::Four(lists) => lists[number as usize] = near(grid, numbers, cell),
                    Near::Eight(lists) => lists[number as usize] = near(grid, numbers, cell),
                },
                _ => {}
            }
        }
    }

    /// Nominal bytes: four for each cell, and four for each neighbour of a floor cell.
    pub const fn held(&self) -> usize {
        let near = match &self.near {
            Near::Four(near) => 16 * near.len(),
            Near::Eight(near) => 32 * near.len(),
        };
        4 * self.numbers.len() + near
    }

    /// Bytes on the heap.
    pub const fn memory(&self) -> usize {
        let near = match &self.near {
            Near::Four(near) => near.capacity() * size_of::<[u32; 4]>(),
            Near::Eight(near) => near.capacity() * size_of::<[u32; 8]>(),
        };
        self.numbers.capacity() * size_of::<u32>() + near
    }
}

/// The numbers of the neighbours of a floor cell, by direction; its own where there is none.
fn near<const N: usize>(grid: &Grid, numbers: &[u32], cell: Cell) -> [u32; N] {
    let mut near = [numbers[cell.index()]; N];
    for direction in grid.exits(cell) {
        if let Some(entry) = near.get_mut(direction as usize) {
            *entry = numbers[grid.beside(cell, direction).index()];
        }
    }
    near
}

/// What a step in each direction costs, in the order of [`Near::Eight`].
pub(super) const UNITS: [u64; 8] = {
    let mut units = [0; 8];
    let mut at = 0;
    while at < 8 {
        units[at] = Direction::ALL[at].cost().units() as u64;
        at += 1;
    }
    units
};
