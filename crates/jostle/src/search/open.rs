//! The open list of A\*: who is expanded next.
//!
//! Always the node with the smallest `f`, among equals the one with the largest `g`, among those the one
//! with the smallest number. Keys pack the three so that one comparison of whole numbers decides.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Cost;

/// The nodes that wait to be expanded. Nodes are numbered in the order in which they enter.
pub(super) trait Open {
    /// Forgets everybody.
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
/// Eight nodes meet in a round, and the winners of all rounds meet in the final. A node's number is its
/// place, so that a better key replaces the old one. A heap needs fewer comparisons, but nobody can
/// foresee how they end, and the branches guessed wrong cost more than everything else in a short search.
/// Here is hardly a branch.
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
            rounds: Box::new([[Self::NOBODY; WIDTH]; ROUNDS]),
            winners: Box::new([[Self::NOBODY; WIDTH]; ROUNDS / WIDTH]),
            len: 0,
        }
    }
}

impl Tournament {
    /// The longest searches that this is for: their `g` and their numbers fit into its keys.
    pub const MOST_EXPANSIONS: u32 = 128;

    const NUMBER_BITS: u32 = 10;
    const G_BITS: u32 = 20;
    const MOST_NODES: u32 = 1 << Self::NUMBER_BITS;
    /// After all keys.
    const NOBODY: u64 = u64::MAX;

    fn key(f: i64, g: Cost, number: u32) -> u64 {
        const MOST_G: u64 = (1 << Tournament::G_BITS) - 1;
        const { assert!(Cost::DIAGONAL.units() as u64 * Self::MOST_EXPANSIONS as u64 <= MOST_G) }
        // Every expansion adds at most seven nodes, because its parent is known; the first adds eight.
        const { assert!(Self::MOST_EXPANSIONS * 7 + 2 <= Self::MOST_NODES) }
        // The sum of two costs has 33 bits. Adding half its range makes it positive.
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

    /// A node's place in its round, and the round.
    const fn place(number: u32) -> (usize, usize) {
        let number = (number % Self::MOST_NODES) as usize;
        (number % WIDTH, number / WIDTH)
    }
}

impl Open for Tournament {
    fn clear(&mut self) {
        let rounds = (self.len as usize).div_ceil(WIDTH);
        self.rounds[..rounds].fill([Self::NOBODY; WIDTH]);
        self.winners[..rounds.div_ceil(WIDTH)].fill([Self::NOBODY; WIDTH]);
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
        let best = best.filter(|&best| best != Self::NOBODY)?;
        let number = best as u32 % Self::MOST_NODES;
        let (at, round) = Self::place(number);
        self.rounds[round][at] = Self::NOBODY;
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

/// The open list of searches of any length: a heap.
#[derive(Clone, Debug, Default)]
pub(super) struct Heap {
    /// The keys of waiting nodes, and keys that were improved since.
    heap: BinaryHeap<Reverse<u128>>,
    /// The key of each node.
    keys: Vec<u128>,
}

impl Heap {
    fn key(f: i64, g: Cost, number: u32) -> u128 {
        let f = (f + (1 << 32)) as u128;
        let g = (i32::MAX - g.units()) as u128;
        f << 64 | g << 32 | u128::from(number)
    }
}

impl Open for Heap {
    fn clear(&mut self) {
        self.heap.clear();
        self.keys.clear();
    }

    fn push(&mut self, f: i64, g: Cost) {
        let key = Self::key(f, g, self.keys.len() as u32);
        self.keys.push(key);
        self.heap.push(Reverse(key));
    }

    fn improve(&mut self, number: u32, f: i64, g: Cost) {
        let key = Self::key(f, g, number);
        self.keys[number as usize] = key;
        self.heap.push(Reverse(key));
    }

    fn pop(&mut self) -> Option<u32> {
        loop {
            let Reverse(key) = self.heap.pop()?;
            if self.keys[key as u32 as usize] == key {
                return Some(key as u32);
            }
        }
    }

    fn memory(&self) -> usize {
        (self.heap.capacity() + self.keys.capacity()) * size_of::<u128>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_tournament_and_a_heap_agree(
            // Negative `f` too, and so few values that there are many ties.
            nodes in prop::collection::vec((0u8..3, -3i64..3, 1u32..20, 0usize..100), 1..900),
        ) {
            let (mut tournament, mut heap) = (Tournament::default(), Heap::default());
            for _ in 0..2 {
                tournament.clear();
                heap.clear();
                let mut waiting: Vec<Option<(i64, Cost)>> = Vec::new();
                for &(what, f, steps, which) in &nodes {
                    let g = Cost::of_steps(steps, 0);
                    match waiting.get(which).copied().flatten() {
                        Some((old_f, old_g)) if what == 0 => {
                            let (f, g) = (old_f - 1, old_g - Cost::from_units(1));
                            waiting[which] = Some((f, g));
                            tournament.improve(which as u32, f, g);
                            heap.improve(which as u32, f, g);
                        }
                        _ if what == 1 => {
                            let number = tournament.pop();
                            prop_assert_eq!(number, heap.pop());
                            if let Some(number) = number {
                                waiting[number as usize] = None;
                            }
                        }
                        _ => {
                            waiting.push(Some((f, g)));
                            tournament.push(f, g);
                            heap.push(f, g);
                        }
                    }
                }
            }
        }
    }
}
