//! Agents that wait for a route.
//!
//! On a large map, most routes are lookups, and a few have to be searched for, which takes a hundred times as long. Those are
//! put off, so that nobody waits for them who needs no more than a lookup. Routes are looked up many at a time, on as many threads as
//! there are.

use std::collections::VecDeque;

use super::walkers::{Walker, Walkers};
use crate::search::{Scout, Scouted, Sectors};
use crate::threads;
use crate::world::World;

/// How many routes are looked up in advance, on any number of threads: none of them takes account of the traffic that the others make. If the
/// budget is not enough for all of them, some are looked up in vain.
const AHEAD: usize = 32;

/// The agents that wait for a route.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    /// Their slots, in the order in which they began to wait.
    slots: VecDeque<u32>,
    /// The slots of those whose routes have to be searched for.
    far: VecDeque<u32>,
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
        self.slots.len() + self.far.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lets a walker join, if it does not wait already.
    pub fn join(&mut self, walker: &mut Walker) {
        if !std::mem::replace(&mut walker.is_waiting, true) {
            self.slots.push_back(walker.slot);
        }
    }

    /// The slot of the first one that has not been put off, and its route if that is a lookup.
    pub fn first_near(
        &mut self,
        (world, sectors): (&World, &Sectors),
        walkers: &Walkers,
        threads: usize,
    ) -> Option<(u32, &Scouted)> {
        if self.served == self.known {
            self.look_up((world, sectors), walkers, threads::available(threads));
        }
        Some((*self.slots.front()?, &self.scouted[self.served]))
    }

    /// Lets that one go.
    pub fn pop_near(&mut self) {
        self.slots.pop_front();
        self.served += 1;
    }

    /// Puts that one off: its route has to be searched for.
    pub fn put_off(&mut self) {
        self.far.extend(self.slots.pop_front());
        self.served += 1;
    }

    /// The slot of the first one whose route has to be searched for.
    pub fn first(&self) -> Option<u32> {
        self.far.front().or(self.slots.front()).copied()
    }

    /// Lets that one go.
    pub fn pop(&mut self) {
        if self.far.pop_front().is_none() {
            self.slots.pop_front();
        }
    }

    /// Forgets what was looked up in advance: in the next tick, agents are somewhere else.
    pub const fn end_tick(&mut self) {
        (self.served, self.known) = (0, 0);
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        (self.slots.capacity() + self.far.capacity()) * size_of::<u32>()
            + self.scouts.capacity() * size_of::<Scout>()
            + self.scouts.iter().map(Scout::memory).sum::<usize>()
            + self.scouted.capacity() * size_of::<Scouted>()
            + self.scouted.iter().map(Scouted::memory).sum::<usize>()
    }

    /// Looks up the routes of the first ones.
    fn look_up(&mut self, (world, sectors): (&World, &Sectors), walkers: &Walkers, threads: usize) {
        let Self { slots, scouts, scouted, served, known, .. } = self;
        (*served, *known) = (0, slots.len().min(AHEAD));
        scouts.resize_with(threads, Scout::default);
        scouted.resize_with(scouted.len().max(*known), Scouted::default);
        let (cells, grid) = (world.configuration().raw_cells(), world.grid());
        let slots = slots.make_contiguous();
        let share = AHEAD.div_ceil(threads);
        let shares = scouted[..*known].chunks_mut(share).zip(slots.chunks(share)).zip(scouts);
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
