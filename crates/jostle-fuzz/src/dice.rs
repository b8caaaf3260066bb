//! Random choices.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A source of random choices.
#[derive(Debug)]
pub struct Dice(pub ChaCha8Rng);

impl Dice {
    /// A number from `least` to `most`, both included.
    pub fn between(&mut self, least: u32, most: u32) -> u32 {
        self.0.random_range(least..=most.max(least))
    }

    /// An index below a length that is not 0.
    pub fn below(&mut self, length: usize) -> usize {
        self.0.random_range(0..length)
    }

    /// True this many times in a hundred.
    pub fn percent(&mut self, share: u32) -> bool {
        self.0.random_range(0..100) < share
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, several: &'a [T]) -> &'a T {
        &several[self.below(several.len())]
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.random()
    }
}
