//! What one agent has learned about the distances of cells from its goal.
//!
//! Values are estimates, and are stored in 32 bits: they are capped at 374,000 steps. A lower bound that is
//! capped is still a lower bound.

use super::Place;
use super::block::{Block, key_and_index};
use crate::Cost;

/// The heuristic values that one agent has learned: tiles of values, each for one [`Block`] of cells, and a hash
/// table that finds them.
///
/// An agent learns about cells that lie together, so most cells of a tile come to have learned values, and a search
/// finds sixteen of them with one look-up. A tile takes 72 bytes, and up to a third more for finding it and for
/// those to come, whatever the size of the map.
#[derive(Clone, Debug, Default)]
pub struct Learned {
    tiles: Vec<Tile>,
    /// For each hash one more than the number of its tile, or 0. A tile whose place is taken goes to the next one
    /// that is not.
    table: Vec<u32>,
}

/// The values of one block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    key: u32,
    /// Which of the values were learned, one bit for each. The others are estimates.
    learned: u16,
    /// In units of [`Cost`].
    values: [i32; Block::CELLS],
}

impl Tile {
    /// The values of all cells, learned or not.
    pub const fn values(&self) -> &[i32; Block::CELLS] {
        &self.values
    }

    /// The learned value of a cell.
    pub fn get(&self, index: usize) -> Option<i32> {
        (self.learned >> index & 1 != 0).then(|| self.values[index])
    }

    /// The larger of the learned values and new ones. Where nothing was learned, they are the new ones.
    #[cold]
    fn raised(&self, values: &[i32; Block::CELLS]) -> [i32; Block::CELLS] {
        std::array::from_fn(|at| self.get(at).map_or(values[at], |learned| learned.max(values[at])))
    }
}

impl Learned {
    /// The learned value of a cell.
    pub fn get(&self, place: Place) -> Option<Cost> {
        let (key, index) = key_and_index(place);
        let value = self.tiles[self.find(key)? as usize].get(index)?;
        Some(Cost::from_units(i64::from(value)))
    }

    /// The number of the tile of a block, by the key of the block.
    pub(super) fn find(&self, key: u32) -> Option<u32> {
        let mut at = self.hash(key);
        while let Some(number) = self.table.get(at)?.checked_sub(1) {
            if self.tiles[number as usize].key == key {
                return Some(number);
            }
            at = self.after(at);
        }
        None
    }

    /// The tile with this number.
    pub(super) fn tile(&self, number: u32) -> &Tile {
        &self.tiles[number as usize]
    }

    /// Adds a tile for a block that has none, with the estimates of its cells. Returns its number.
    pub(super) fn add(&mut self, key: u32, estimates: &[i32; Block::CELLS]) -> u32 {
        if self.tiles.len() == self.tiles.capacity() {
            // Growing by a quarter keeps unused room small.
            self.tiles.reserve_exact((self.tiles.len() / 4).max(4));
        }
        self.tiles.push(Tile { key, learned: 0, values: *estimates });
        // At most two thirds are used, so that look-ups end soon.
        if 3 * self.tiles.len() > 2 * self.table.len() {
            self.table.clear();
            self.table.resize((2 * self.tiles.len()).next_power_of_two(), 0);
            (1..=self.tiles.len() as u32).for_each(|number| self.enter(number));
        } else {
            self.enter(self.tiles.len() as u32);
        }
        self.tiles.len() as u32 - 1
    }

    /// Learns the values of some cells of a tile, given as one bit for each: `values` are those of all its cells. Where
    /// `monotone`, a value that was learned before does not fall.
    pub(super) fn set(
        &mut self,
        tile: u32,
        cells: u16,
        values: &[i32; Block::CELLS],
        monotone: bool,
    ) {
        let tile = &mut self.tiles[tile as usize];
        if monotone {
            tile.values = tile.raised(values);
        } else {
            tile.values = *values;
        }
        tile.learned |= cells;
    }

    /// Forgets everything, and keeps the memory for reuse.
    pub fn clear(&mut self) {
        if !self.tiles.is_empty() {
            self.tiles.clear();
            self.table.fill(0);
        }
    }

    /// How many cells have a learned value.
    pub fn len(&self) -> usize {
        self.tiles.iter().map(|tile| tile.learned.count_ones() as usize).sum()
    }

    /// Whether nothing was learned.
    pub const fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    /// Bytes this table holds.
    pub fn memory(&self) -> usize {
        self.tiles.capacity() * size_of::<Tile>() + self.table.capacity() * size_of::<u32>()
    }

    /// Puts a tile, given by one more than its number, into the table.
    fn enter(&mut self, number: u32) {
        let mut at = self.hash(self.tiles[number as usize - 1].key);
        while self.table[at] != 0 {
            at = self.after(at);
        }
        self.table[at] = number;
    }

    /// Where to look for a tile first.
    fn hash(&self, key: u32) -> usize {
        let product = key.wrapping_mul(0x9e37_79b9);
        ((u64::from(product) * self.table.len() as u64) >> 32) as usize
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 == self.table.len() { 0 } else { at + 1 }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::grid::Cell;

    impl Learned {
        fn learn(&mut self, place: Place, cost: Cost) {
            let (key, index) = key_and_index(place);
            let tile = self.find(key).unwrap_or_else(|| self.add(key, &[7; Block::CELLS]));
            let mut values = *self.tile(tile).values();
            values[index] = cost.to_estimate();
            self.set(tile, 1 << index, &values, false);
        }
    }

    fn place(index: usize) -> Place {
        let (x, y) = ((index % 300) as i32, (index / 300) as i32);
        Place { cell: Cell::from_index(index), x, y }
    }

    #[test]
    fn a_learned_cell_costs_few_bytes_where_all_around_it_are_learned() {
        let mut learned = Learned::default();
        for index in 0..300 * 100 {
            learned.learn(place(index), Cost::CARDINAL);
            if index > 2000 && index % 1200 == 1199 {
                let bytes = learned.memory() as f64 / learned.len() as f64;
                assert!(bytes <= 7.0, "{bytes} bytes at {} cells", learned.len());
            }
        }
    }

    proptest! {
        #[test]
        fn it_holds_the_same_values_as_a_plain_map(
            values in prop::collection::vec((0usize..30_000, 0u32..500), 0..2000),
            clear_at in 0usize..3000,
        ) {
            let (mut learned, mut plain) = (Learned::default(), HashMap::new());
            for (step, (index, steps)) in values.into_iter().enumerate() {
                if step == clear_at {
                    learned.clear();
                    plain.clear();
                }
                let cost = Cost::of_steps(steps, 1);
                learned.learn(place(index), cost);
                plain.insert(index, cost);
                prop_assert_eq!(learned.len(), plain.len());
            }
            for index in 0..30_000 {
                prop_assert_eq!(learned.get(place(index)), plain.get(&index).copied());
            }
        }
    }
}
