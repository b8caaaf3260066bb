//! The random choices of a level.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Level;

/// Makes the random choices of one level. It uses 32-bit numbers only, so that a level is the
/// same on every platform.
pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    /// Dice that make the same choices for the same kind of level, size and seed, and unrelated choices
    /// for all others.
    pub(super) fn new(level: Level, width: u32, height: u32, seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..12].copy_from_slice(&width.to_le_bytes());
        key[12..16].copy_from_slice(&height.to_le_bytes());
        for (byte, letter) in key[16..].iter_mut().zip(level.name().bytes()) {
            *byte = letter;
        }
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number from `low` to `high`, both included; `low` if `high` is less.
    pub(super) fn between(&mut self, low: i32, high: i32) -> i32 {
        self.0.random_range(low..=high.max(low))
    }

    /// Like [`between`](Self::between), but numbers in the middle come up more often.
    pub(super) fn around_middle(&mut self, low: i32, high: i32) -> i32 {
        i32::midpoint(self.between(low, high), self.between(low, high))
    }

    /// True with this probability, in percent.
    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.0.random_range(0..100) < percent
    }

    /// One of the choices. There must be at least one.
    pub(super) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.0.random_range(0..choices.len() as u32) as usize]
    }

    /// Puts things into a random order.
    pub(super) fn shuffle<T>(&mut self, things: &mut [T]) {
        things.shuffle(&mut self.0);
    }
}
