//! One number for each cell of a map; only the parts that are used take memory.

use super::Place;
use super::keyed::Keyed;
use crate::grid::Grid;

/// One number for each cell, zero until it is set. Cells are kept in square tiles, and a tile takes memory
/// when one of its cells is first set.
///
/// On game maps, where floor comes in patches, setting every floor cell takes about five bytes for each:
/// numbers are stored in 32 bits. Those that do not fit, as on a map with paths of 374,000 steps, are stored
/// separately and take about twenty bytes more.
#[derive(Clone, Debug, Default)]
pub struct Tiles {
    /// For each tile of the map, one more than its index among the used tiles; 0 if it is not used.
    table: Vec<u16>,
    /// The words of the used tiles, one tile after the other.
    words: Vec<i32>,
    /// The numbers of the cells whose words are `ASIDE`.
    aside: Keyed<i64>,
    /// The side of a tile is two to this power.
    shift: u32,
    /// How many tiles the map has from west to east.
    row_length: u32,
}

/// The word of a cell whose number does not fit into 32 bits.
const ASIDE: i32 = i32::MIN;

impl Tiles {
    /// Sets every number to zero, for a map of the size of `grid`. Memory is kept for reuse.
    pub fn clear(&mut self, grid: &Grid) {
        // Small tiles waste least; large maps need larger ones, so that their count fits into the table.
        self.shift = 2;
        let tiles = |side: u32, shift: u32| side.div_ceil(1 << shift);
        while tiles(grid.width(), self.shift) * tiles(grid.height(), self.shift)
            >= u32::from(u16::MAX)
        {
            self.shift += 1;
        }
        self.row_length = tiles(grid.width(), self.shift);
        self.table.clear();
        self.table.resize((self.row_length * tiles(grid.height(), self.shift)) as usize, 0);
        self.words.clear();
        self.aside.clear();
    }

    /// The number of a cell.
    #[inline]
    pub fn get(&self, place: Place) -> i64 {
        match self.word(place) {
            ASIDE => self.get_aside(place),
            word => i64::from(word),
        }
    }

    /// Sets the number of a cell.
    pub fn set(&mut self, place: Place, number: i64) {
        let word = i32::try_from(number).unwrap_or(ASIDE);
        if word == ASIDE {
            self.set_aside(place, number);
        }
        self.set_word(place, word);
    }

    /// Negates the number of a cell that has been set, if it is `number`. Returns whether it was.
    #[inline]
    pub fn negate(&mut self, place: Place, number: i64) -> bool {
        let (tile, within) = self.locate(place);
        let used = self.table.get(tile).copied().unwrap_or(0);
        let Some(before) = used.checked_sub(1) else { return false };
        let word = &mut self.words[((before as usize) << (2 * self.shift)) + within];
        // The negative of `ASIDE` is not an `i32`, so no negated word can be mistaken for it.
        if *word != ASIDE && i64::from(*word) == number {
            *word = -*word;
            return true;
        }
        *word == ASIDE && self.negate_aside(place, number)
    }

    // Hardly any map needs these. Marking them cold keeps the common functions small enough to be inlined.
    #[cold]
    fn get_aside(&self, place: Place) -> i64 {
        self.aside.get(place.cell.index() as u64).unwrap_or(0)
    }

    #[cold]
    fn negate_aside(&mut self, place: Place, number: i64) -> bool {
        let is_equal = self.get_aside(place) == number;
        if is_equal {
            self.set(place, -number);
        }
        is_equal
    }

    #[cold]
    fn set_aside(&mut self, place: Place, number: i64) {
        self.aside.insert(place.cell.index() as u64, number);
    }

    fn word(&self, place: Place) -> i32 {
        let (tile, word) = self.locate(place);
        match self.table.get(tile).copied() {
            None | Some(0) => 0,
            Some(number) => self.words[((number as usize - 1) << (2 * self.shift)) + word],
        }
    }

    fn set_word(&mut self, place: Place, value: i32) {
        let (tile, word) = self.locate(place);
        if self.table[tile] == 0 {
            let size = 1usize << (2 * self.shift);
            if self.words.capacity() == self.words.len() {
                // Growing by an eighth keeps unused room small.
                self.words.reserve_exact((self.words.len() / 8).max(size).next_multiple_of(size));
            }
            self.words.resize(self.words.len() + size, 0);
            self.table[tile] = (self.words.len() >> (2 * self.shift)) as u16;
        }
        let number = self.table[tile] as usize - 1;
        self.words[(number << (2 * self.shift)) + word] = value;
    }

    /// Frees memory that is not in use.
    pub fn shrink(&mut self) {
        self.words.shrink_to_fit();
    }

    /// Nominal bytes: two for each tile of the map, four for each cell of those in use.
    pub fn held(&self) -> usize {
        2 * self.table.len() + 4 * self.words.len() + 24 * self.aside.len()
    }

    /// Bytes these tiles hold.
    pub fn memory(&self) -> usize {
        self.table.capacity() * size_of::<u16>()
            + self.words.capacity() * size_of::<i32>()
            + self.aside.memory()
    }

    /// The tile of a cell, and the cell's word in it.
    fn locate(&self, place: Place) -> (usize, usize) {
        let (x, y) = (place.x as u32, place.y as u32);
        let tile = (y >> self.shift) * self.row_length + (x >> self.shift);
        let within = |at: u32| at & ((1 << self.shift) - 1);
        (tile as usize, ((within(y) << self.shift) | within(x)) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_stored_at_every_position_of_a_map() {
        for (width, height) in [(1, 1), (9, 300), (700, 33), (3000, 3000)] {
            let grid = Grid::open(width, height).unwrap();
            let mut tiles = Tiles::default();
            tiles.clear(&grid);
            let cells: Vec<Place> =
                grid.cells().step_by(997).map(|cell| Place::of(&grid, cell)).collect();
            for (value, &place) in (1..).zip(&cells) {
                assert_eq!(tiles.get(place), 0);
                tiles.set(place, value);
            }
            for (value, &place) in (1..).zip(&cells) {
                assert_eq!(tiles.get(place), value);
            }
            tiles.clear(&grid);
            assert!(cells.iter().all(|&place| tiles.get(place) == 0));
        }
    }

    #[test]
    fn numbers_of_any_size_are_stored() {
        let grid = Grid::open(40, 40).unwrap();
        let mut tiles = Tiles::default();
        tiles.clear(&grid);
        let places: Vec<Place> = grid.cells().map(|cell| Place::of(&grid, cell)).collect();
        let number = |at: usize| (at as i64 - 800) << 24;
        for (at, &place) in places.iter().enumerate() {
            tiles.set(place, -number(at));
            assert!(!tiles.negate(place, number(at) + 1));
            assert!(tiles.negate(place, -number(at)));
        }
        for (at, &place) in places.iter().enumerate() {
            assert_eq!(tiles.get(place), number(at));
        }
    }

    #[test]
    fn only_used_parts_take_memory() {
        let grid = Grid::open(1024, 1024).unwrap();
        let mut tiles = Tiles::default();
        tiles.clear(&grid);
        tiles.set(Place::of(&grid, grid.at(5, 5).unwrap()), 1);
        assert!(tiles.memory() < 70_000, "{}", tiles.memory());
        for cell in grid.cells() {
            tiles.set(Place::of(&grid, cell), 1);
        }
        tiles.shrink();
        assert!(tiles.memory() <= 1024 * 1024 * 9 / 2);
    }
}
