//! A hash map from whole numbers, fast and the same on every machine.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Values by whole numbers.
#[derive(Clone, Debug)]
pub struct Keyed<V>(HashMap<u64, V, BuildHasherDefault<Multiply>>);

impl<V> Default for Keyed<V> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<V: Copy> Keyed<V> {
    /// The value of a key.
    pub fn get(&self, key: u64) -> Option<V> {
        self.0.get(&key).copied()
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: u64, value: V) {
        self.0.insert(key, value);
    }

    /// Forgets a key.
    pub fn remove(&mut self, key: u64) {
        self.0.remove(&key);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// How many keys have values.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Bytes this map holds: keys, values, and one byte of bookkeeping for each.
    pub fn memory(&self) -> usize {
        self.0.capacity() * (size_of::<(u64, V)>() + 1) * 8 / 7
    }
}

/// Hashes a whole number with one multiplication. That does not resist chosen keys, and need not: keys are cells
/// and ticks.
#[derive(Clone, Copy, Debug, Default)]
struct Multiply(u64);

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("keys are whole numbers of 64 bits");
    }

    fn write_u64(&mut self, key: u64) {
        let product = u128::from(key) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }
}
