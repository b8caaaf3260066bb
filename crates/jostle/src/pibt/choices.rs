//! The cells among which an agent chooses.

use crate::Cost;
use crate::grid::{Cell, Grid};

/// The cells on which an agent could stand next, the best first: its own and those around it, as far as it considers
/// them.
#[derive(Clone, Copy, Debug)]
pub struct Choices {
    cells: [Cell; 9],
    count: u8,
}

impl Choices {
    /// No cell yet.
    pub const NONE: Self = Self { cells: [Cell::NOWHERE; 9], count: 0 };

    /// A single cell.
    pub(super) const fn only(cell: Cell) -> Self {
        let mut choices = Self::NONE;
        choices.push(cell);
        choices
    }

    /// Adds a cell that is not as good as all before it. More than nine are not taken.
    pub const fn push(&mut self, cell: Cell) {
        if (self.count as usize) < self.cells.len() {
            self.cells[self.count as usize] = cell;
            self.count += 1;
        }
    }

    /// Sorts the open cells among `here` and its neighbours by their values, the smallest first. Equally good ones are ordered
    /// by random bits. An agent that knows no values prefers `here`, the cell on which it stands.
    pub fn by_value(
        grid: &Grid,
        here: Cell,
        is_open: impl Fn(Cell) -> bool,
        ties: u64,
        mut value: impl FnMut(Cell) -> Option<Cost>,
    ) -> Self {
        let mut ranked = [(Cost::INFINITY, u64::MAX, Cell::NOWHERE); 9];
        let mut count = 0;
        for cell in grid.neighbours(here).chain([here]).filter(|&cell| is_open(cell)) {
            let value = match value(cell) {
                Some(value) => value,
                None if cell == here => Cost::INFINITY - Cost::CARDINAL,
                None => Cost::INFINITY,
            };
            // Seven random bits for each of nine cells, then the index, which breaks the remaining ties.
            let tie = (ties >> (count * 7) & 0x7f) << 8 | count as u64;
            ranked[count] = (value, tie, cell);
            count += 1;
        }
        ranked[..count].sort_unstable();
        Self { cells: ranked.map(|(_, _, cell)| cell), count: count as u8 }
    }

    /// Sorts the open cells among `here` and its neighbours by keys, the smallest first. `key` is given a cell and how many came before
    /// it; of equal keys the first comes first.
    pub fn by_key(
        grid: &Grid,
        here: Cell,
        is_open: impl Fn(Cell) -> bool,
        mut key: impl FnMut(Cell, u32) -> u64,
    ) -> Self {
        let mut choices = Self::NONE;
        let mut keys = [u64::MAX; 9];
        for cell in grid.neighbours(here).chain([here]).filter(|&cell| is_open(cell)) {
            let key = key(cell, u32::from(choices.count));
            // There are few, and they are nearly in order: this is faster than a general sort.
            let mut at = usize::from(choices.count).min(8);
            while at > 0 && keys[at - 1] > key {
                keys[at] = keys[at - 1];
                choices.cells[at] = choices.cells[at - 1];
                at -= 1;
            }
            keys[at] = key;
            choices.cells[at] = cell;
            choices.count += 1;
        }
        choices
    }

    /// Puts the last cell first.
    pub(super) fn reverse(&mut self) {
        self.cells[..usize::from(self.count)].reverse();
    }

    /// The cell at an index, if there are so many.
    pub(super) const fn get(&self, index: u8) -> Option<Cell> {
        if index < self.count { Some(self.cells[index as usize]) } else { None }
    }
}

impl FromIterator<Cell> for Choices {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut choices = Self::NONE;
        cells.into_iter().for_each(|cell| choices.push(cell));
        choices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_decide_and_then_random_bits_and_unknown_values_come_last() {
        // North, east, south and west of the middle, and the middle.
        let grid = Grid::open(3, 3).unwrap();
        let values = [(1, Some(2)), (5, Some(1)), (7, Some(1)), (3, None), (4, None)];
        let value = |cell: Cell| values.iter().find(|(at, _)| *at == cell.index()).map(|v| v.1);
        let ranked = |ties| {
            let choices = Choices::by_value(
                &grid,
                Cell::from_index(4),
                |cell| value(cell).is_some(),
                ties,
                |cell| value(cell).flatten().map(Cost::from_units),
            );
            (0..6).map_while(|index| choices.get(index)).map(Cell::index).collect::<Vec<_>>()
        };
        assert_eq!(ranked(0), [5, 7, 1, 4, 3]);
        assert_eq!(ranked(0x7f << 7), [7, 5, 1, 4, 3]);
    }

    #[test]
    fn a_tenth_cell_is_not_taken() {
        let choices: Choices = (0..12).map(Cell::from_index).collect();
        assert_eq!((choices.get(8), choices.get(9)), (Some(Cell::from_index(8)), None));
    }
}
