//! What one agent has learned about the distances of cells from its goal.
//!
//! Values are estimates, and are stored in 32 bits: they are capped at 374,000 steps. A lower bound that is
//! capped is still a lower bound.

use std::hint::select_unpredictable;
use std::num::NonZeroU32;

use super::Place;
use crate::Cost;

/// The heuristic values that one agent has learned: a compact hash table from cells to costs.
///
/// Eight entries share a bucket of one cache line, so most cells are found, or found to be missing, after
/// reading one line. An entry takes 8 bytes, and a table that is 3/4 full grows by half: a learned cell
/// costs between 10 and 16 bytes, whatever the size of the map. (The first seven cells share one line.)
#[derive(Clone, Debug, Default)]
pub struct Learned {
    buckets: Vec<Bucket>,
    len: usize,
}

const ENTRIES: usize = 8;
/// Marks an unused entry; no grid has such a cell.
const FREE: u32 = u32::MAX;

/// Entries fill a bucket from the front. Entries that do not fit go to the next bucket that has room.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket {
    /// Row and column of each entry, packed into one word, or `FREE`.
    cells: [u32; ENTRIES],
    /// In units of [`Cost`].
    costs: [i32; ENTRIES],
}

impl Bucket {
    const EMPTY: Self = Self { cells: [FREE; ENTRIES], costs: [0; ENTRIES] };

    /// The number of a cell's entry, counted from 1, or 0 if there is none. All eight are compared at once,
    /// without a branch that could be mispredicted.
    fn find(&self, cell: u32) -> u32 {
        let number =
            |entry: usize| (entry as u32 + 1) & u32::from(self.cells[entry] == cell).wrapping_neg();
        // In two halves, as wide as the registers of every processor are.
        let four: [u32; ENTRIES / 2] =
            std::array::from_fn(|entry| number(entry) | number(entry + ENTRIES / 2));
        four[0] | four[1] | four[2] | four[3]
    }

    /// How many entries are used, in a bucket that is not full.
    fn len(&self) -> usize {
        let is_taken = |entry: usize| usize::from(self.cells[entry % ENTRIES] != FREE);
        let len = 4 * is_taken(3);
        let len = len + 2 * is_taken(len + 1);
        len + is_taken(len)
    }

    fn is_full(&self) -> bool {
        self.cells[ENTRIES - 1] != FREE
    }
}

impl Learned {
    /// The learned value of a cell and where it is stored, or else `guess` and `None`.
    pub fn find(&self, place: Place, guess: Cost) -> (Cost, Option<LearnedAt>) {
        let (learned, entry) = self.find_units(place, guess.to_estimate());
        (if entry.is_some() { Cost::from_units(i64::from(learned)) } else { guess }, entry)
    }

    /// The same in units.
    ///
    /// Whether a cell was learned is unpredictable, so there is no branch on it: one of two numbers is
    /// selected.
    pub(super) fn find_units(&self, place: Place, guess: i32) -> (i32, Option<LearnedAt>) {
        let cell = pack(place);
        let mut at = self.first_bucket(cell);
        while let Some(bucket) = self.buckets.get(at) {
            let found = bucket.find(cell);
            // The highest bit is set if the last entry is free: then the cell is in no later bucket.
            if found | bucket.cells[ENTRIES - 1] >> 31 != 0 {
                let is_found = found != 0;
                let learned = bucket.costs[found.wrapping_sub(1) as usize % ENTRIES];
                let entry = (at * ENTRIES) as u32 + found;
                return (
                    select_unpredictable(is_found, learned, guess),
                    NonZeroU32::new(select_unpredictable(is_found, entry, 0)).map(LearnedAt),
                );
            }
            at = self.after(at);
        }
        (guess, None)
    }

    /// The learned value of a cell.
    pub fn get(&self, place: Place) -> Option<Cost> {
        let (cost, entry) = self.find(place, Cost::ZERO);
        entry.map(|_| cost)
    }

    /// Replaces a learned value.
    pub fn replace(&mut self, entry: LearnedAt, cost: Cost) {
        let (bucket, entry) = entry.bucket_and_entry();
        self.buckets[bucket].costs[entry] = cost.to_estimate();
    }

    /// Replaces a learned value if the new one is larger.
    pub fn raise(&mut self, entry: LearnedAt, cost: Cost) {
        let (bucket, entry) = entry.bucket_and_entry();
        let known = &mut self.buckets[bucket].costs[entry];
        *known = cost.to_estimate().max(*known);
    }

    /// Learns the value of a cell that has none. Positions that [`Learned::find`] returned before are invalid
    /// afterwards.
    pub fn insert(&mut self, place: Place, cost: Cost) {
        if self.len >= room(self.buckets.len()) {
            self.reserve(1);
        }
        self.put(pack(place), cost.to_estimate());
    }

    /// Makes room for this many more cells at once. Positions that [`Learned::find`] returned before are
    /// invalid afterwards.
    pub fn reserve(&mut self, more: usize) {
        let needed = self.len + more;
        if needed <= room(self.buckets.len()) {
            return;
        }
        let mut buckets = self.buckets.len() + (self.buckets.len() / 2).max(1);
        while room(buckets) < needed {
            buckets += 1;
        }
        let old = std::mem::replace(&mut self.buckets, vec![Bucket::EMPTY; buckets]);
        self.len = 0;
        for bucket in &old {
            for (&cell, &cost) in bucket.cells.iter().zip(&bucket.costs) {
                if cell == FREE {
                    break;
                }
                self.put(cell, cost);
            }
        }
    }

    /// Forgets everything, and keeps the memory for reuse.
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

    fn put(&mut self, cell: u32, cost: i32) {
        let mut at = self.first_bucket(cell);
        while self.buckets[at].is_full() {
            at = self.after(at);
        }
        let bucket = &mut self.buckets[at];
        let entry = bucket.len();
        bucket.cells[entry] = cell;
        bucket.costs[entry] = cost;
        self.len += 1;
    }

    /// The bucket in which to look for a cell first.
    fn first_bucket(&self, cell: u32) -> usize {
        let product = cell.wrapping_mul(0x9e37_79b9);
        let hash = product ^ (product >> 15);
        ((u64::from(hash) * self.buckets.len() as u64) >> 32) as usize
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 == self.buckets.len() { 0 } else { at + 1 }
    }
}

/// How many cells fit into this many buckets before the table grows: one more than 3/4, so that small
/// tables are as full as large ones.
const fn room(buckets: usize) -> usize {
    if buckets == 0 { 0 } else { buckets * ENTRIES * 3 / 4 + 1 }
}

/// The position of a learned value in the table. It is valid until something is inserted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LearnedAt(NonZeroU32);

impl LearnedAt {
    const fn bucket_and_entry(self) -> (usize, usize) {
        let at = self.0.get() as usize - 1;
        (at / ENTRIES, at % ENTRIES)
    }
}

/// Row and column in one word. Each fits into 15 bits, because sides of a grid are at most 32,768.
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
            match self.find(place, Cost::ZERO).1 {
                Some(entry) => self.replace(entry, cost),
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
        fn it_holds_the_same_values_as_a_plain_map(
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
