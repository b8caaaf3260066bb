//! Work on several threads. Without the feature `threads`, there is one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many threads there are if so many are wanted.
pub const fn available(wanted: usize) -> usize {
    if cfg!(feature = "threads") && wanted > 1 { wanted } else { 1 }
}

/// Does a piece of work for every item. With several threads, each takes the next item whenever it is done with one. What is
/// done must not depend on their order.
pub fn for_each<T: Send>(
    threads: usize,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) + Send + Sync,
) {
    #[cfg(feature = "threads")]
    if threads > 1 {
        let items = Handout::of(items);
        rayon::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|_| items.for_each(&work));
            }
        });
        return;
    }
    let _ = threads;
    items.for_each(work);
}

/// Items that several threads take, each the next one whenever it is done with one.
#[derive(Debug)]
pub struct Handout<I>(Mutex<I>);

impl<T, I: Iterator<Item = T>> Handout<I> {
    pub const fn of(items: I) -> Self {
        Self(Mutex::new(items))
    }

    /// Does a piece of work for every item that this thread gets.
    pub fn for_each(&self, mut work: impl FnMut(T)) {
        // A lock is poisoned only if a thread has panicked, and then so does the one that has started them.
        let next = || self.0.lock().ok().and_then(|mut items| items.next());
        while let Some(item) = next() {
            work(item);
        }
    }
}

/// A flag that several threads may raise at a time.
#[derive(Debug, Default)]
pub struct Flag(AtomicBool);

impl Flag {
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lowers it. Returns whether it was raised.
    pub fn lower(&mut self) -> bool {
        std::mem::take(self.0.get_mut())
    }
}

impl Clone for Flag {
    fn clone(&self) -> Self {
        Self(self.0.load(Ordering::Relaxed).into())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn every_item_is_worked_on_once() {
        for threads in [1, 3] {
            let sum = AtomicUsize::new(0);
            for_each(available(threads), 1..=100, |item| {
                sum.fetch_add(item, Ordering::Relaxed);
            });
            assert_eq!(sum.into_inner(), 5050);
        }
    }
}
