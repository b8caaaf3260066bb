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
    rounds: Box<[Round; ROUNDS]>,
    /// The best key of each round, eight rounds together.
    winners: Box<[Round; ROUNDS / WIDTH]>,
    len: u32,
}

const WIDTH: usize = 8;
const ROUNDS: usize = Tournament::MOST_NODES as usize / WIDTH;
type Round = [f64; WIDTH];

/// Stands for no node: it is above all keys.
const NONE: f64 = f64::INFINITY;

impl Default for Tournament {
    fn default() -> Self {
        Self {
            rounds: Box::new([[NONE; WIDTH]; ROUNDS]),
            winners: Box::new([[NONE; WIDTH]; ROUNDS / WIDTH]),
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
        self.rounds[..rounds].fill([NONE; WIDTH]);
        self.winners[..rounds.div_ceil(WIDTH)].fill([NONE; WIDTH]);
        self.len = 0;
    }

    /// Adds the node with the next number.
    pub fn push(&mut self, g: i32, h: i32) {
        let number = self.len;
        self.len += 1;
        self.put(number, g, h);
    }

    /// Gives a waiting node a better key.
    pub fn improve(&mut self, number: u32, g: i32, h: i32) {
        self.put(number, g, h);
    }

    /// Takes out the node to expand next: the one with the smallest `f`, among equals the one with the largest
    /// `g`, among those the one with the smallest number.
    pub fn pop(&mut self) -> Option<u32> {
        let finals = (self.len as usize).div_ceil(WIDTH * WIDTH).min(ROUNDS / WIDTH);
        let best = self.winners[..finals].iter().map(winner).fold(NONE, smaller);
        if best == NONE {
            return None;
        }
        let number = best.to_bits() as u32 % Self::MOST_NODES;
        let (at, round) = place(number);
        self.rounds[round][at] = NONE;
        self.winners[round / WIDTH][round % WIDTH] = winner(&self.rounds[round]);
        Some(number)
    }

    /// Bytes this list holds.
    pub fn memory(&self) -> usize {
        size_of_val(&*self.rounds) + size_of_val(&*self.winners)
    }

    fn put(&mut self, number: u32, g: i32, h: i32) {
        let key = key(g, h, number);
        let (at, round) = place(number);
        self.rounds[round][at] = key;
        let winner = &mut self.winners[round / WIDTH][round % WIDTH];
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

/// The smallest key of a round.
fn winner(round: &Round) -> f64 {
    let four: [f64; 4] = std::array::from_fn(|at| smaller(round[at], round[at + 4]));
    let two: [f64; 2] = std::array::from_fn(|at| smaller(four[at], four[at + 2]));
    smaller(two[0], two[1])
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
