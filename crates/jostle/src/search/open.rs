//! The open list of long searches, which decides which node is expanded next.
//!
//! It is always the node with the smallest `f`, among equals the one with the largest `g`, among those the one
//! with the smallest number.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::key::Key;
use crate::Cost;

/// The nodes that wait to be expanded, numbered in the order in which they enter: buckets by `f`, of which the
/// first is a heap.
///
/// Most nodes enter with an `f` that is not needed for a while, or ever. They are only thrown into the bucket
/// of their `f`; a bucket is sorted when its turn comes. So the heap stays small, and that makes it fast.
#[derive(Clone, Debug, Default)]
pub(super) struct Buckets {
    /// For each bucket, the index in `thrown` of its last key. The first bucket also takes every smaller `f`,
    /// the last every larger one.
    later: Vec<u32>,
    /// All keys that were thrown into buckets, in the order in which they came. One list for all buckets
    /// takes as much memory as one search needs; a list for each bucket would keep the most that any search
    /// needed there.
    thrown: Vec<Thrown>,
    /// The keys of the present bucket.
    now: BinaryHeap<Reverse<Key>>,
    /// One more key of the present bucket: the best of those that came last. It is often the next one needed,
    /// and then does not go through the heap.
    hot: Option<Key>,
    /// The index of the bucket whose keys are in `now`.
    present: usize,
    /// The last bucket in use.
    last: usize,
    /// The `f` with which the first bucket begins.
    first_f: i64,
    /// The best `g` of each waiting node, by number, in units. Keys of the node with another `g` are outdated.
    best: Vec<i64>,
}

/// A key in a bucket, and the index of the key thrown in before it.
#[derive(Clone, Copy, Debug)]
struct Thrown {
    key: [u64; 2],
    before: u32,
}

const NOTHING: u32 = u32::MAX;
const BUCKETS: usize = 8192;
/// A bucket spans `2^BUCKET_BITS` units of `f`: less than half a step.
const BUCKET_BITS: u32 = 9;
/// The `g` of a node that is no longer waiting.
const GONE: i64 = -1;

impl Buckets {
    fn put(&mut self, f: i64, key: Key) {
        let bucket = ((f - self.first_f) >> BUCKET_BITS).clamp(0, BUCKETS as i64 - 1) as usize;
        if bucket > self.present {
            self.throw(bucket, key);
            return;
        }
        if bucket < self.present {
            // Only inconsistent estimates lead back to an earlier bucket.
            while let Some(key) = self.take() {
                self.throw(self.present, key);
            }
            self.present = bucket;
        }
        match self.hot {
            Some(hot) => {
                self.hot = Some(key.min(hot));
                self.now.push(Reverse(key.max(hot)));
            }
            None => self.hot = Some(key),
        }
    }

    fn throw(&mut self, bucket: usize, key: Key) {
        self.last = self.last.max(bucket);
        let before = std::mem::replace(&mut self.later[bucket], self.thrown.len() as u32);
        self.thrown.push(Thrown { key: key.halves(), before });
    }

    /// Takes out the best key of the present bucket.
    fn take(&mut self) -> Option<Key> {
        match (self.hot, self.now.peek()) {
            (Some(hot), Some(&Reverse(best))) if best < hot => {}
            (Some(_), _) => return self.hot.take(),
            (None, _) => {}
        }
        self.now.pop().map(|Reverse(key)| key)
    }

    /// Moves on to the next bucket that is not empty. Returns whether there is one.
    fn turn(&mut self) -> bool {
        let mut rest = self.later.iter().take(self.last + 1).skip(self.present);
        let Some(next) = rest.position(|&bucket| bucket != NOTHING) else {
            return false;
        };
        self.present += next;
        let mut at = std::mem::replace(&mut self.later[self.present], NOTHING);
        let thrown = &self.thrown;
        self.now.extend(std::iter::from_fn(|| {
            let &Thrown { key, before } = thrown.get(at as usize)?;
            at = before;
            Some(Reverse(Key::from_halves(key)))
        }));
        true
    }

    /// Removes all nodes.
    pub fn clear(&mut self) {
        self.now.clear();
        self.hot = None;
        for bucket in self.later.iter_mut().take(self.last + 1) {
            *bucket = NOTHING;
        }
        self.thrown.clear();
        self.best.clear();
        (self.present, self.last) = (0, 0);
    }

    /// Adds the node with the next number.
    pub fn push(&mut self, f: i64, g: Cost) {
        let number = self.best.len() as u32;
        if number == 0 {
            self.first_f = f;
            self.later.resize(BUCKETS, NOTHING);
        }
        self.best.push(g.units());
        self.put(f, Key::new(Cost::from_units(f), g, number));
    }

    /// Gives a waiting node a better key.
    pub fn improve(&mut self, number: u32, f: i64, g: Cost) {
        self.best[number as usize] = g.units();
        self.put(f, Key::new(Cost::from_units(f), g, number));
    }

    /// Takes out the node to expand next.
    pub fn pop(&mut self) -> Option<u32> {
        loop {
            let Some(key) = self.take() else {
                if self.turn() {
                    continue;
                }
                return None;
            };
            let number = key.number();
            let best = &mut self.best[number as usize];
            if *best == key.g().units() {
                *best = GONE;
                return Some(number);
            }
        }
    }

    /// Nominal bytes.
    pub fn held(&self) -> usize {
        4 * self.later.len() + 24 * self.thrown.len() + 16 * self.now.len() + 8 * self.best.len()
    }

    /// Bytes this list holds.
    pub fn memory(&self) -> usize {
        self.later.capacity() * size_of::<u32>()
            + self.thrown.capacity() * size_of::<Thrown>()
            + self.now.capacity() * size_of::<Key>()
            + self.best.capacity() * size_of::<i64>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tournament::Tournament;
    use super::*;

    fn units(g: Cost) -> i32 {
        g.units() as i32
    }

    /// The estimate that a tournament expects in place of `f`.
    fn units_left(f: i64, g: Cost) -> i32 {
        (f - g.units()) as i32
    }

    proptest! {
        #[test]
        fn a_tournament_and_buckets_agree_with_a_plain_list(
            // Negative `f` as well, and so few values that there are many ties.
            nodes in prop::collection::vec((0u8..3, -3i64..3, 1u32..20, 0usize..100), 1..900),
            // From nothing but ties to a range wider than all buckets.
            spread in prop::sample::select(vec![1i64, 1000, 5741, 3_000_000]),
        ) {
            let (mut tournament, mut buckets) = (Tournament::default(), Buckets::default());
            for _ in 0..2 {
                tournament.clear(900);
                buckets.clear();
                let mut waiting: Vec<Option<(i64, Cost)>> = Vec::new();
                for &(what, f, steps, which) in &nodes {
                    let (f, g) = (f * spread, Cost::of_steps(steps, 0));
                    match waiting.get(which).copied().flatten() {
                        Some((old_f, old_g)) if what == 0 => {
                            let (f, g) = (old_f - 1, old_g - Cost::from_units(1));
                            waiting[which] = Some((f, g));
                            tournament.put(which as u32, units(g), units_left(f, g));
                            buckets.improve(which as u32, f, g);
                        }
                        _ if what == 1 => {
                            let keys = waiting.iter().zip(0u32..);
                            let keys = keys.filter_map(|(node, number)| {
                                node.map(|(f, g)| (f, Reverse(g), number))
                            });
                            let number = keys.min().map(|(_, _, number)| number);
                            prop_assert_eq!(number, tournament.pop(waiting.len() as u32));
                            prop_assert_eq!(number, buckets.pop());
                            if let Some(number) = number {
                                waiting[number as usize] = None;
                            }
                        }
                        _ => {
                            waiting.push(Some((f, g)));
                            tournament.put(waiting.len() as u32 - 1, units(g), units_left(f, g));
                            buckets.push(f, g);
                        }
                    }
                }
            }
        }
    }
}
