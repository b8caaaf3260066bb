//! The open list of a search in which no edge is short: buckets in a ring.
//!
//! A bucket is narrower than the shortest edge. So the portals of a bucket cannot come closer over each other, and their
//! order does not matter. All that waits lies within the longest edge ahead of the present bucket, so the buckets can be
//! used again, one after the other.

use super::grains::{NO_PATH, step_grains};
use super::hub_table::Slot;
use crate::grid::Direction;

/// A bucket spans `2^BUCKET_BITS` half grains.
const BUCKET_BITS: u32 = 6;
const BUCKETS: usize = 4096;

// An edge is two halves of steps long, and what lies between them.
const _: () = assert!(1 << BUCKET_BITS <= 2 * step_grains(Direction::North));
const _: () = assert!(
    (2 * NO_PATH as u32 + 2 * step_grains(Direction::NorthEast)) >> BUCKET_BITS
        < BUCKETS as u32 - 1
);

/// Portals that wait, by distance.
#[derive(Clone, Debug, Default)]
pub struct Ring {
    buckets: Vec<Vec<Slot>>,
    /// Which bucket is the present one, counted from the beginning of the search.
    present: u32,
    /// How many portals wait.
    waiting: usize,
}

impl Ring {
    /// Adds a portal. Its distance must not be less than that of the present bucket.
    pub fn push(&mut self, distance: u32, slot: Slot) {
        if self.buckets.is_empty() {
            self.buckets.resize(BUCKETS, Vec::new());
        }
        self.buckets[(distance >> BUCKET_BITS) as usize % BUCKETS].push(slot);
        self.waiting += 1;
    }

    /// A portal of the present bucket, or of the next one that is not empty, which is the present one then.
    pub fn first(&mut self) -> Option<Slot> {
        if self.waiting == 0 {
            return None;
        }
        loop {
            if let Some(&slot) = self.buckets[self.present as usize % BUCKETS].last() {
                return Some(slot);
            }
            self.present += 1;
        }
    }

    /// Takes out the portal that [`first`](Self::first) returned.
    pub fn pop(&mut self) {
        self.buckets[self.present as usize % BUCKETS].pop();
        self.waiting -= 1;
    }

    /// Whether a distance belongs into the present bucket.
    pub const fn is_present(&self, distance: u32) -> bool {
        distance >> BUCKET_BITS == self.present
    }

    pub fn clear(&mut self) {
        if self.waiting > 0 {
            self.buckets.iter_mut().for_each(Vec::clear);
        }
        (self.present, self.waiting) = (0, 0);
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let slots: usize = self.buckets.iter().map(Vec::capacity).sum();
        self.buckets.capacity() * size_of::<Vec<Slot>>() + slots * size_of::<Slot>()
    }
}
