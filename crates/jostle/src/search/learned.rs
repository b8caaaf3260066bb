//! What one agent has learned about how far cells are from its goal.

use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

use super::Place;
use crate::Cost;
/// The heuristic values that one agent has learned: a compact hash table from cells to costs.
///
/// Eight entries share a bucket of one cache line, and a block of 2x2 cells shares a home bucket, so that
/// the neighbours of a cell are found close together, and most of what was never learned is known after
/// one line. An entry takes 8 bytes, and a table that is 3/4 full grows by
/// two fifths: a learned cell costs between 10 and 15 bytes, whatever the size of the map. (The first
/// seven cells share one line.)
#[derive(Clone, Debug, Default)]
pub struct Learned {
    buckets: Vec<Bucket>,
    len: usize,
}

const ENTRIES: usize = 8;
/// Marks an entry that nothing was learned in; no grid has such a cell.
const FREE: u32 = u32::MAX;

/// Entries fill a bucket from the front. What does not fit goes to the next bucket that has room.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket {
    /// Row and column of each entry, packed into one word, or `FREE`.
    cells: [u32; ENTRIES],
    costs: [Cost; ENTRIES],
}

impl Bucket {
    const EMPTY: Self = Self { cells: [FREE; ENTRIES], costs: [Cost::ZERO; ENTRIES] };

    /// The entry of a cell. All eight are compared at once, without a branch that could be guessed
    /// wrong.
    fn find(&self, cell: u32) -> Option<usize> {
        let mut found = 0;
        for (number, &known) in (1..).zip(&self.cells) {
            found |= number & u32::from(known == cell).wrapping_neg();
        }
        (found as usize).checked_sub(1)
    }

    fn len(&self) -> usize {
        self.cells.iter().map(|&cell| u32::from(cell != FREE)).sum::<u32>() as usize
    }

    fn is_full(&self) -> bool {
        self.cells[ENTRIES - 1] != FREE
    }
}

impl Learned {
    /// Where the learned value of a cell is kept, if there is one.
    pub fn find(&self, place: Place) -> Option<Entry> {
        if self.len == 0 {
            return None;
        }
        let cell = pack(place);
        let mut at = self.home(cell);
        loop {
            let bucket = &self.buckets[at];
            if let Some(entry) = bucket.find(cell) {
                return Entry::new(at, entry);
            }
            if !bucket.is_full() {
                return None;
            }
            at = self.after(at);
        }
    }

    /// The learned value of a cell.
    pub fn get(&self, place: Place) -> Option<Cost> {
        self.find(place).map(|entry| self[entry])
    }

    /// Learns the value of a cell that had none: [`Learned::find`] has found nothing. Entries found
    /// before are not where they were.
    pub fn insert(&mut self, place: Place, cost: Cost) {
        if self.len >= self.room() {
            self.grow();
        }
        self.put(pack(place), cost);
    }

    /// Forgets everything, and keeps the room.
    pub fn clear(&mut self) {
        if self.len > 0 {
            self.buckets.fill(Bucket::EMPTY);
            self.len = 0;
        }
    }

    /// How many cells have a learned value.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing was learned.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes this table holds.
    pub fn memory(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>()
    }

    /// How many cells fit before the table grows.
    fn room(&self) -> usize {
        // One cell more than 3/4, so that small tables are not emptier than large ones.
        if self.buckets.is_empty() { 0 } else { self.buckets.len() * ENTRIES * 3 / 4 + 1 }
    }

    fn put(&mut self, cell: u32, cost: Cost) {
        let mut at = self.home(cell);
        while self.buckets[at].is_full() {
            at = self.after(at);
        }
        let bucket = &mut self.buckets[at];
        let entry = bucket.len();
        bucket.cells[entry] = cell;
        bucket.costs[entry] = cost;
        self.len += 1;
    }

    /// The bucket where a cell belongs: one for each block of 2x2.
    fn home(&self, cell: u32) -> usize {
        let block = (cell & !0x0001_0001).wrapping_mul(0x9e37_79b9);
        let hash = block ^ (block >> 15);
        ((u64::from(hash) * self.buckets.len() as u64) >> 32) as usize
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 == self.buckets.len() { 0 } else { at + 1 }
    }

    fn grow(&mut self) {
        let room = self.buckets.len() + (self.buckets.len() * 2 / 5).max(1);
        let old = std::mem::replace(&mut self.buckets, vec![Bucket::EMPTY; room]);
        self.len = 0;
        for bucket in &old {
            for (&cell, &cost) in bucket.cells.iter().zip(&bucket.costs) {
                if cell != FREE {
                    self.put(cell, cost);
                }
            }
        }
    }
}

/// Where a learned value is kept, until something is inserted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry(NonZeroU32);

impl Entry {
    fn new(bucket: usize, entry: usize) -> Option<Self> {
        NonZeroU32::new((bucket * ENTRIES + entry + 1) as u32).map(Self)
    }

    const fn bucket_and_entry(self) -> (usize, usize) {
        let at = self.0.get() as usize - 1;
        (at / ENTRIES, at % ENTRIES)
    }
}

impl Index<Entry> for Learned {
    type Output = Cost;
    fn index(&self, entry: Entry) -> &Cost {
        let (bucket, entry) = entry.bucket_and_entry();
        &self.buckets[bucket].costs[entry]
    }
}

impl IndexMut<Entry> for Learned {
    fn index_mut(&mut self, entry: Entry) -> &mut Cost {
        let (bucket, entry) = entry.bucket_and_entry();
        &mut self.buckets[bucket].costs[entry]
    }
}

/// Row and column in one word. Sides of a grid fit into 15 bits each.
const fn pack(place: Place) -> u32 {
    (place.y as u32) << 16 | place.x as u32
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::grid::Cell;

    impl Learned {
        fn set(&mut self, place: Place, cost: Cost) {
            match self.find(place) {
                Some(entry) => self[entry] = cost,
                None => self.insert(place, cost),
            }
        }
    }

    fn place(index: usize) -> Place {
        let (x, y) = ((index % 300) as i32, (index / 300) as i32);
        Place { cell: Cell::from_index(index), x, y }
    }

    #[test]
    fn a_learned_cell_costs_at_most_16_bytes() {
        let mut learned = Learned::default();
        for index in 0..20_000 {
            learned.set(place(index * 7), Cost::CARDINAL);
            if learned.len() >= 8 {
                let bytes = learned.memory() as f64 / learned.len() as f64;
                assert!(bytes <= 16.0, "{bytes} bytes at {} cells", learned.len());
            }
        }
    }

    proptest! {
        #[test]
        fn it_remembers_what_a_plain_map_does(
            values in prop::collection::vec((0usize..3000, 0u32..500), 0..2000),
            clear_at in 0usize..3000,
        ) {
            let (mut learned, mut plain) = (Learned::default(), HashMap::new());
            for (step, (index, steps)) in values.into_iter().enumerate() {
                if step == clear_at {
                    learned.clear();
                    plain.clear();
                }
                let cost = Cost::of_steps(steps, 1);
                learned.set(place(index), cost);
                plain.insert(index, cost);
                prop_assert_eq!(learned.len(), plain.len());
            }
            for index in 0..3000 {
                prop_assert_eq!(learned.get(place(index)), plain.get(&index).copied());
            }
        }
    }
}
