//! The changes around the present.

use super::Change;

/// The most recent changes.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// The changes between the last tick and the one before it, then those since the last tick.
    changes: Vec<Change>,
    /// How many of them were made before the last tick.
    previous: usize,
    /// How many changes were made since the world was created.
    count: u64,
}

impl Log {
    pub fn add(&mut self, change: Change) {
        self.changes.push(change);
        self.count += 1;
    }

    /// Forgets the older changes when a tick has passed.
    pub fn turn_over(&mut self) {
        self.changes.drain(..self.previous);
        self.previous = self.changes.len();
    }

    /// Those since the last tick.
    pub fn pending(&self) -> &[Change] {
        &self.changes[self.previous..]
    }

    /// How many there were in the life of the world.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Those between the last tick and the one before it, without the first `after` of all.
    pub fn previous(&self, after: u64) -> &[Change] {
        let previous = &self.changes[..self.previous];
        let earlier = self.count - self.changes.len() as u64;
        let skipped = after.saturating_sub(earlier).min(previous.len() as u64);
        &previous[skipped as usize..]
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.changes.capacity() * size_of::<Change>()
    }
}
