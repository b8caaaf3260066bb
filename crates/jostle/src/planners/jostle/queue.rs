//! Agents that wait for a route.
//!
//! On a large map, most routes are lookups, and a few have to be searched for, which takes a hundred times as long. Those are
//! put off, so that nobody waits for them who needs no more than a lookup. Routes are looked up many at a time, on as many threads as
//! there are.

use std::collections::VecDeque;

use super::walkers::{Walker, Walkers};
use crate::grid::Cell;
use crate::search::{Keyed, Scout, Scouted, Sectors};
use crate::threads;
use crate::world::World;

/// How many routes are looked up in advance, on any number of threads: none of them takes account
/// of the traffic that the others make. If the budget is not enough for all of them, some are
/// looked up in vain.
const AHEAD: usize = 32;

/// The agents that wait for a route.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    /// Their slots, in the order in which they began to wait. One that is sent elsewhere meanwhile
    /// keeps its place.
    slots: VecDeque<u32>,
    /// The slots of those whose routes have to be searched for.
    far: VecDeque<u32>,
    /// By slot, whether it is in one of these lists: no slot is in them twice.
    is_listed: Vec<bool>,
    scouts: Vec<Scout>,
    /// The routes that were looked up in this tick.
    scouted: Vec<Scouted>,
    /// How many there are.
    known: usize,
    /// By the ends of a route, which of them it is.
    numbers: Keyed<u32>,
    /// For the first ones that wait, which route each needs, and how many of these were served.
    ahead: Vec<u32>,
    served: usize,
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
        walker.is_waiting = true;
        let slot = walker.slot as usize;
        if self.is_listed.len() <= slot {
            self.is_listed.resize(slot + 1, false);
        }
        if !std::mem::replace(&mut self.is_listed[slot], true) {
            self.slots.push_back(walker.slot);
        }
    }

    /// The slot of the first one that has not been put off, and its route if that is a lookup.
    pub fn first_near(
        &mut self,
        scene: (&World, &Sectors),
        walkers: &Walkers,
        threads: usize,
    ) -> Option<(u32, &mut Scouted)> {
        if self.served == self.ahead.len() {
            self.look_up(scene, walkers, threads::available(threads));
        }
        let slot = *self.slots.front()?;
        Some((slot, &mut self.scouted[self.ahead[self.served] as usize]))
    }

    /// Lets that one go.
    pub fn pop_near(&mut self) {
        let slot = self.slots.pop_front();
        self.strike(slot);
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
        let slot = self.far.pop_front().or_else(|| self.slots.pop_front());
        self.strike(slot);
    }

    /// Forgets what was looked up in advance: in the next tick, agents are somewhere else. Returns
    /// what it has cost to look up what nobody has taken.
    pub fn end_tick(&mut self) -> u64 {
        let unpaid = self.scouted[..self.known].iter_mut().map(Scouted::take_price).sum();
        self.ahead.clear();
        self.numbers.clear();
        (self.served, self.known) = (0, 0);
        unpaid
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        (self.slots.capacity() + self.far.capacity() + self.ahead.capacity()) * size_of::<u32>()
            + self.is_listed.capacity()
            + self.numbers.memory()
            + self.scouts.capacity() * size_of::<Scout>()
            + self.scouts.iter().map(Scout::memory).sum::<usize>()
            + self.scouted.capacity() * size_of::<Scouted>()
            + self.scouted.iter().map(Scouted::memory).sum::<usize>()
    }

    /// Notes that a slot is in none of the lists.
    fn strike(&mut self, slot: Option<u32>) {
        if let Some(slot) = slot {
            self.is_listed[slot as usize] = false;
        }
    }

    /// Looks up the routes of the first ones. Those who need the same one share it.
    fn look_up(&mut self, (world, sectors): (&World, &Sectors), walkers: &Walkers, threads: usize) {
        let Self { slots, scouts, scouted, known, numbers, ahead, served, .. } = self;
        let (cells, grid) = (world.configuration().raw_cells(), world.grid());
        let first = *known;
        ahead.clear();
        *served = 0;
        for &slot in slots.iter().take(AHEAD) {
            let waiting = walkers.get(slot as usize).filter(|one| one.is_waiting);
            let ends = waiting.map_or((Cell::NOWHERE, Cell::NOWHERE), |walker| {
                walker.question(sectors, grid, (cells[slot as usize], world.goal_of(slot as usize)))
            });
            let key = (ends.0.index() as u64) << 32 | ends.1.index() as u64;
            let number = numbers.get(key).unwrap_or_else(|| {
                let number = *known as u32;
                numbers.insert(key, number);
                *known += 1;
                if scouted.len() < *known {
                    scouted.push(Scouted::default());
                }
                scouted[number as usize].ask(ends);
                number
            });
            ahead.push(number);
        }
        let new = &mut scouted[first..*known];
        scouts.resize_with(threads, Scout::default);
        let share = new.len().div_ceil(threads).max(1);
        let shares = new.chunks_mut(share).zip(scouts);
        threads::for_each(threads, shares, |(scouted, scout)| {
            scouted.iter_mut().for_each(|scouted| scouted.find(scout, sectors, grid));
        });
    }
}
