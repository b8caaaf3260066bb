//! The open list of short searches: a tournament.

use crate::Cost;

/// The nodes of a short search that wait to be expanded, numbered in the order in which they enter.
///
/// Eight nodes form a round, and the winners of all rounds form the final. A node's number is its
/// index, so that a better key replaces the old one. A heap needs fewer comparisons, but their results are
/// unpredictable, and mispredicted branches cost more than everything else in a short search. A tournament
/// has almost no branches.
///
/// Keys are whole numbers of 63 bits, which are compared as if they were the bits of floats: positive floats are
/// ordered as their bits are, and processors have instructions for the smaller of two floats, several pairs at once.
#[derive(Clone, Debug)]
pub(super) struct Tournament {
    rounds: [Round; ROUNDS],
    /// The best key of each round, eight rounds together.
    winners: [Round; ROUNDS / WIDTH],
    len: u32,
}

const WIDTH: usize = 8;
const ROUNDS: usize = Tournament::MOST_NODES as usize / WIDTH;

/// The keys of eight nodes, or of the winners of eight rounds: a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Round([f64; WIDTH]);

/// Stands for no node: it is above all keys.
const NONE: f64 = f64::INFINITY;

impl Round {
    const EMPTY: Self = Self([NONE; WIDTH]);

    /// The smallest key.
    fn winner(&self) -> f64 {
        let four: [f64; 4] = std::array::from_fn(|at| smaller(self.0[at], self.0[at + 4]));
        let two: [f64; 2] = std::array::from_fn(|at| smaller(four[at], four[at + 2]));
        smaller(two[0], two[1])
    }
}

impl Default for Tournament {
    fn default() -> Self {
        Self {
            rounds: [Round::EMPTY; ROUNDS],
            winners: [Round::EMPTY; ROUNDS / WIDTH],
            len: 0,
        }
    }
}

impl Tournament {
    /// The most expansions of a search that can use this list: its `g` and its numbers still fit into the keys.
    pub const MOST_EXPANSIONS: u32 = 128;
    /// The most nodes that such a search generates. Every expansion adds at most seven, because the parent exists
    /// already; the first adds eight.
    pub const MOST_NODES: u32 = 1 << NUMBER_BITS;

    /// Removes all nodes.
    pub fn clear(&mut self) {
        let rounds = (self.len as usize).div_ceil(WIDTH).min(ROUNDS);
        self.rounds[..rounds].fill(Round::EMPTY);
        self.winners[..rounds.div_ceil(WIDTH)].fill(Round::EMPTY);
        self.len = 0;
    }

    /// Takes out the node to expand next: the one with the smallest `f`, among equals the one with the largest
    /// `g`, among those the one with the smallest number.
    #[inline]
    pub fn pop(&mut self) -> Option<u32> {
        let finals = (self.len as usize).div_ceil(WIDTH * WIDTH).min(ROUNDS / WIDTH);
        let best = self.winners[..finals].iter().map(Round::winner).fold(NONE, smaller);
        if best == NONE {
            return None;
        }
        let number = best.to_bits() as u32 % Self::MOST_NODES;
        let (at, round) = place(number);
        self.rounds[round].0[at] = NONE;
        self.winners[round / WIDTH].0[round % WIDTH] = self.rounds[round].winner();
        Some(number)
    }

    /// Adds a node, or gives a waiting one a better key. New nodes are numbered one after another.
    pub fn put(&mut self, number: u32, g: i32, h: i32) {
        self.len = self.len.max(number + 1);
        let key = key(g, h, number);
        let (at, round) = place(number);
        self.rounds[round].0[at] = key;
        let winner = &mut self.winners[round / WIDTH].0[round % WIDTH];
        *winner = smaller(key, *winner);
    }
}

const NUMBER_BITS: u32 = 10;
const G_BITS: u32 = 20;

/// The key of a node: from the highest bit down `f`, the negative of `g`, and the number.
fn key(g: i32, h: i32, number: u32) -> f64 {
    const MOST_G: i64 = (1 << G_BITS) - 1;
    const { assert!(Cost::DIAGONAL.units() * Tournament::MOST_EXPANSIONS as i64 <= MOST_G) }
    const { assert!(Tournament::MOST_EXPANSIONS * 7 + 2 <= Tournament::MOST_NODES) }
    // `f` needs 33 bits. Adding half their range makes it positive, and keeps the key away from the bits of
    // floats that are no numbers.
    let f = i64::from(g) + i64::from(h) + (1 << 32);
    let key = (((f << G_BITS) + MOST_G - i64::from(g)) << NUMBER_BITS) + i64::from(number);
    f64::from_bits(key as u64)
}

/// A node's index in its round, and the number of the round.
const fn place(number: u32) -> (usize, usize) {
    let number = (number % Tournament::MOST_NODES) as usize;
    (number % WIDTH, number / WIDTH)
}

/// The smaller of two keys. `f64::min` would also care for floats that are no numbers.
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_f_then_the_largest_g_then_the_smallest_number_comes_first() {
        let most_g = (Cost::DIAGONAL.units() * i64::from(Tournament::MOST_EXPANSIONS)) as i32;
        let ordered = [
            key(most_g, i32::MIN, 0),
            key(0, i32::MIN + most_g, 0),
            key(0, -1, 5),
            key(7, -7, 5),
            key(0, 0, 5),
            key(0, 0, Tournament::MOST_NODES - 1),
            key(0, 1, 0),
            key(most_g, i32::MAX - most_g, 9),
            key(0, i32::MAX, 9),
            key(most_g, i32::MAX, 9),
            NONE,
        ];
        assert!(ordered.is_sorted_by(|a, b| a < b), "{ordered:?}");
        assert!(ordered.iter().all(|key| key.is_normal() || *key == NONE));
    }
}
