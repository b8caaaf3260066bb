//! The open list of A\*, which decides which node is expanded next.
//!
//! It is always the node with the smallest `f`, among equals the one with the largest `g`, among those the one
//! with the smallest number.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::key::Key;
use crate::Cost;

/// The nodes that wait to be expanded. Nodes are numbered in the order in which they enter.
pub(super) trait Open {
    /// Removes all nodes.
    fn clear(&mut self);

    /// Adds the node with the next number.
    fn push(&mut self, f: i64, g: Cost);

    /// Gives a waiting node a better key.
    fn improve(&mut self, number: u32, f: i64, g: Cost);

    /// Takes out the node to expand next.
    fn pop(&mut self) -> Option<u32>;

    /// Bytes this list holds.
    fn memory(&self) -> usize;
}

/// The open list of short searches: a tournament.
///
/// Eight nodes form a round, and the winners of all rounds form the final. A node's number is its
/// index, so that a better key replaces the old one. A heap needs fewer comparisons, but their results are
/// unpredictable, and mispredicted branches cost more than everything else in a short search. A tournament
/// has almost no branches.
#[derive(Clone, Debug)]
pub(super) struct Tournament {
    rounds: Box<[Round; ROUNDS]>,
    /// The best key of each round, eight rounds together.
    winners: Box<[Round; ROUNDS / WIDTH]>,
    len: u32,
}

const WIDTH: usize = 8;
const ROUNDS: usize = Tournament::MOST_NODES as usize / WIDTH;
type Round = [u64; WIDTH];

impl Default for Tournament {
    fn default() -> Self {
        Self {
            rounds: Box::new([[Self::NONE; WIDTH]; ROUNDS]),
            winners: Box::new([[Self::NONE; WIDTH]; ROUNDS / WIDTH]),
            len: 0,
        }
    }
}

impl Tournament {
    /// The most expansions of a search that can use this list: its `g` and its numbers still fit into the keys.
    pub const MOST_EXPANSIONS: u32 = 128;

    const NUMBER_BITS: u32 = 10;
    const G_BITS: u32 = 20;
    const MOST_NODES: u32 = 1 << Self::NUMBER_BITS;
    /// Stands for no node: it sorts after all keys.
    const NONE: u64 = u64::MAX;

    fn key(f: i64, g: Cost, number: u32) -> u64 {
        const MOST_G: u64 = (1 << Tournament::G_BITS) - 1;
        const { assert!(Cost::DIAGONAL.units() as u64 * Self::MOST_EXPANSIONS as u64 <= MOST_G) }
        // Every expansion adds at most seven nodes, because the parent exists already; the first adds eight.
        const { assert!(Self::MOST_EXPANSIONS * 7 + 2 <= Self::MOST_NODES) }
        // Estimates are capped at 32 bits, and `g` is small. Adding half the range of 33 bits to their sum
        // makes it positive.
        debug_assert!(f.unsigned_abs() < 1 << 32, "the estimate is capped");
        let f = (f + (1 << 32)) as u64;
        let g = MOST_G - g.units() as u64;
        (f << Self::G_BITS | g) << Self::NUMBER_BITS | u64::from(number)
    }

    fn put(&mut self, number: u32, key: u64) {
        let (at, round) = Self::place(number);
        self.rounds[round][at] = key;
        let winner = &mut self.winners[round / WIDTH][round % WIDTH];
        *winner = key.min(*winner);
    }

    /// A node's index in its round, and the number of the round.
    const fn place(number: u32) -> (usize, usize) {
        let number = (number % Self::MOST_NODES) as usize;
        (number % WIDTH, number / WIDTH)
    }
}

impl Open for Tournament {
    fn clear(&mut self) {
        let rounds = (self.len as usize).div_ceil(WIDTH);
        self.rounds[..rounds].fill([Self::NONE; WIDTH]);
        self.winners[..rounds.div_ceil(WIDTH)].fill([Self::NONE; WIDTH]);
        self.len = 0;
    }

    fn push(&mut self, f: i64, g: Cost) {
        let number = self.len;
        self.len += 1;
        self.put(number, Self::key(f, g, number));
    }

    fn improve(&mut self, number: u32, f: i64, g: Cost) {
        self.put(number, Self::key(f, g, number));
    }

    fn pop(&mut self) -> Option<u32> {
        let finals = (self.len as usize).div_ceil(WIDTH * WIDTH);
        let best = self.winners[..finals].iter().map(winner).min();
        let best = best.filter(|&best| best != Self::NONE)?;
        let number = best as u32 % Self::MOST_NODES;
        let (at, round) = Self::place(number);
        self.rounds[round][at] = Self::NONE;
        self.winners[round / WIDTH][round % WIDTH] = winner(&self.rounds[round]);
        Some(number)
    }

    fn memory(&self) -> usize {
        size_of_val(&*self.rounds) + size_of_val(&*self.winners)
    }
}

/// The smallest key of a round.
fn winner(round: &Round) -> u64 {
    let four: [u64; 4] = std::array::from_fn(|at| round[at].min(round[at + 4]));
    let two: [u64; 2] = std::array::from_fn(|at| four[at].min(four[at + 2]));
    two[0].min(two[1])
}

/// The open list of searches of any length: buckets by `f`, of which the first is a heap.
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
}

impl Open for Buckets {
    fn clear(&mut self) {
        self.now.clear();
        self.hot = None;
        for bucket in self.later.iter_mut().take(self.last + 1) {
            *bucket = NOTHING;
        }
        self.thrown.clear();
        self.best.clear();
        (self.present, self.last) = (0, 0);
    }

    fn push(&mut self, f: i64, g: Cost) {
        let number = self.best.len() as u32;
        if number == 0 {
            self.first_f = f;
            self.later.resize(BUCKETS, NOTHING);
        }
        self.best.push(g.units());
        self.put(f, Key::new(Cost::from_units(f), g, number));
    }

    fn improve(&mut self, number: u32, f: i64, g: Cost) {
        self.best[number as usize] = g.units();
        self.put(f, Key::new(Cost::from_units(f), g, number));
    }

    fn pop(&mut self) -> Option<u32> {
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

    fn memory(&self) -> usize {
        self.later.capacity() * size_of::<u32>()
            + self.thrown.capacity() * size_of::<Thrown>()
            + self.now.capacity() * size_of::<Key>()
            + self.best.capacity() * size_of::<i64>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
                tournament.clear();
                buckets.clear();
                let mut waiting: Vec<Option<(i64, Cost)>> = Vec::new();
                for &(what, f, steps, which) in &nodes {
                    let (f, g) = (f * spread, Cost::of_steps(steps, 0));
                    match waiting.get(which).copied().flatten() {
                        Some((old_f, old_g)) if what == 0 => {
                            let (f, g) = (old_f - 1, old_g - Cost::from_units(1));
                            waiting[which] = Some((f, g));
                            tournament.improve(which as u32, f, g);
                            buckets.improve(which as u32, f, g);
                        }
                        _ if what == 1 => {
                            let keys = waiting.iter().zip(0u32..);
                            let keys = keys.filter_map(|(node, number)| {
                                node.map(|(f, g)| (f, Reverse(g), number))
                            });
                            let number = keys.min().map(|(_, _, number)| number);
                            prop_assert_eq!(number, tournament.pop());
                            prop_assert_eq!(number, buckets.pop());
                            if let Some(number) = number {
                                waiting[number as usize] = None;
                            }
                        }
                        _ => {
                            waiting.push(Some((f, g)));
                            tournament.push(f, g);
                            buckets.push(f, g);
                        }
                    }
                }
            }
        }
    }
}
