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
#[repr(align(64))]
pub(super) struct Tournament {
    /// The keys of the waiting nodes, by number.
    keys: [f64; NODES],
    /// The best key of each round.
    winners: [f64; ROUNDS],
}

/// The nodes of a round, and the rounds of a group in the final.
const WIDTH: usize = 8;
const NODES: usize = Tournament::MOST_NODES as usize;
const ROUNDS: usize = NODES / WIDTH;

/// Stands for no node: it is above all keys.
const NONE: f64 = f64::INFINITY;

impl Default for Tournament {
    fn default() -> Self {
        Self { keys: [NONE; NODES], winners: [NONE; ROUNDS] }
    }
}

impl Tournament {
    /// The most expansions of a search that can use this list: its `g` and its numbers still fit into the keys.
    pub const MOST_EXPANSIONS: u32 = 124;
    /// The most nodes that such a search generates. Every expansion adds at most seven, because the parent exists
    /// already; the first adds eight.
    pub const MOST_NODES: u32 = 1 << NUMBER_BITS;

    /// Removes all nodes, of which there were at most this many.
    pub fn clear(&mut self, nodes: u32) {
        let rounds = (nodes as usize).div_ceil(WIDTH).min(ROUNDS);
        self.keys[..rounds * WIDTH].fill(NONE);
        self.winners[..rounds].fill(NONE);
    }

    /// Adds a node, or gives a waiting one a better key. New nodes are numbered one after another.
    pub fn put(&mut self, number: u32, g: i32, h: i32) {
        let (key, at) = (key(g, h, number), number as usize % NODES);
        self.keys[at] = f64::from_bits(key);
        let winner = &mut self.winners[at / WIDTH];
        *winner = f64::from_bits(winner.to_bits().min(key));
    }

    /// Takes out the node to expand next, of this many in all that were put in: the one with the smallest `f`, among
    /// equals the one with the largest `g`, among those the one with the smallest number.
    #[allow(clippy::inline_always, reason = "a call would cost as much as the rest")]
    #[inline(always)]
    pub fn pop(&mut self, nodes: u32) -> Option<u32> {
        let (winners, _) = self.winners.as_chunks::<WIDTH>();
        let mut best = smallest(&winners[0]);
        let groups = (nodes as usize).div_ceil(WIDTH * WIDTH);
        if groups > 1 {
            best = winners.iter().take(groups).skip(1).map(smallest).fold(best, smaller);
        }
        if best == NONE {
            return None;
        }
        let number = best.to_bits() as u32 % Self::MOST_NODES;
        let at = number as usize;
        self.keys[at] = NONE;
        let (rounds, _) = self.keys.as_chunks::<WIDTH>();
        self.winners[at / WIDTH] = smallest(&rounds[at / WIDTH]);
        Some(number)
    }
}

const NUMBER_BITS: u32 = 10;
const G_BITS: u32 = 20;

/// The key of a node: from the highest bit down `f`, the negative of `g`, and the number.
fn key(g: i32, h: i32, number: u32) -> u64 {
    const MOST_G: i64 = (1 << G_BITS) - 1;
    const { assert!(Cost::DIAGONAL.units() * Tournament::MOST_EXPANSIONS as i64 <= MOST_G) }
    const { assert!(Tournament::MOST_EXPANSIONS * 7 + 2 <= Tournament::MOST_NODES) }
    // `f` needs 33 bits. Adding half their range makes it positive, and keeps the key away from the bits of
    // floats that are no numbers.
    let (g, h) = (i64::from(g), i64::from(h));
    // The neighbours of a node have only two different `g`, so this part is not computed for each of them.
    let part_of_g = (((g + (1 << 32)) << G_BITS) + MOST_G - g) << NUMBER_BITS;
    (part_of_g + (h << (G_BITS + NUMBER_BITS))) as u64 + u64::from(number)
}

/// The smallest of these keys.
fn smallest(keys: &[f64; WIDTH]) -> f64 {
    let four: [f64; 4] = std::array::from_fn(|at| smaller(keys[at], keys[at + 4]));
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
        ]
        .map(f64::from_bits);
        assert!(ordered.is_sorted_by(|a, b| a < b), "{ordered:?}");
        assert!(ordered.iter().all(|key| key.is_normal() && *key < NONE));
    }
}
