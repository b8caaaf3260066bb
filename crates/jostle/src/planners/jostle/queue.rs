//! Agents that wait for a route.
//!
//! With several threads, the routes of the next ones are looked up in advance, as many at a time as there are threads.
//! Whether that was done changes nothing but the time that it takes.

use std::collections::VecDeque;

use super::walkers::{Walker, Walkers};
use crate::search::{Scout, Scouted, Sectors};
use crate::threads;
use crate::world::World;

/// How many routes a thread looks up in advance. If the budget is not enough for all of them, some are looked up in vain.
const BATCH: usize = 64;

/// The agents that wait for a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    /// Their slots, in the order in which they began to wait.
    slots: VecDeque<u32>,
    scouts: Vec<Scout>,
    /// The routes of the first ones, as far as they are lookups.
    scouted: Vec<Scouted>,
    /// How many of those have been served already.
    served: usize,
    /// How many there are, with those.
    known: usize,
}

impl Queue {
    /// How many wait. Some of them may have left.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Lets a walker join, if it does not wait already.
    pub fn join(&mut self, walker: &mut Walker) {
        if !std::mem::replace(&mut walker.is_waiting, true) {
            self.slots.push_back(walker.slot);
        }
    }

    /// The slot of the first one, and its route if that was looked up in advance.
    pub fn first(
        &mut self,
        (world, sectors): (&World, &Sectors),
        walkers: &Walkers,
        threads: usize,
    ) -> Option<(u32, Option<&Scouted>)> {
        let threads = threads::available(threads);
        if threads > 1 && self.served == self.known && sectors.has_tables() {
            self.look_ahead((world, sectors), walkers, threads);
        }
        let slot = *self.slots.front()?;
        let scouted = (self.served < self.known).then(|| &self.scouted[self.served]);
        Some((slot, scouted))
    }

    /// Lets the first one go.
    pub fn pop(&mut self) {
        self.slots.pop_front();
        self.served = (self.served + 1).min(self.known);
    }

    /// Forgets what was looked up in advance: in the next tick, agents are somewhere else.
    pub const fn end_tick(&mut self) {
        (self.served, self.known) = (0, 0);
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<u32>()
            + self.scouts.capacity() * size_of::<Scout>()
            + self.scouts.iter().map(Scout::memory).sum::<usize>()
            + self.scouted.capacity() * size_of::<Scouted>()
            + self.scouted.iter().map(Scouted::memory).sum::<usize>()
    }

    /// Looks up the routes of the first ones.
    fn look_ahead(
        &mut self,
        (world, sectors): (&World, &Sectors),
        walkers: &Walkers,
        threads: usize,
    ) {
        let Self { slots, scouts, scouted, served, known } = self;
        (*served, *known) = (0, slots.len().min(threads * BATCH));
        scouts.resize_with(threads, Scout::default);
        scouted.resize_with(scouted.len().max(*known), Scouted::default);
        let (cells, grid) = (world.configuration().raw_cells(), world.grid());
        let slots = slots.make_contiguous();
        let shares = scouted[..*known].chunks_mut(BATCH).zip(slots.chunks(BATCH)).zip(scouts);
        threads::for_each(threads, shares, |((scouted, slots), scout)| {
            for (scouted, &slot) in scouted.iter_mut().zip(slots) {
                if let Some(walker) = walkers.get(slot as usize).filter(|one| one.is_waiting) {
                    let ends = (cells[slot as usize], walker.course.goal());
                    scouted.find(scout, sectors, grid, ends);
                }
            }
        });
    }
}
