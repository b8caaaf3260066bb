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

    /// The route that the agent in a slot needs, if others may need the same one: from behind its next exit. It may have been
    /// looked up or searched for in this tick.
    pub fn shared(
        &mut self,
        (world, sectors): (&World, &Sectors),
        walkers: &Walkers,
        slot: u32,
    ) -> Option<&mut Scouted> {
        let ends = question((world, sectors), walkers, slot);
        let is_own = world.configuration().raw_cells().get(slot as usize) == Some(&ends.0);
        if is_own || ends.0 == Cell::NOWHERE {
            return None;
        }
        let number = self.number(ends);
        Some(&mut self.scouted[number as usize])
    }

    /// The number of the route between two cells, which is a new one if nobody has asked for it in this tick.
    fn number(&mut self, ends: (Cell, Cell)) -> u32 {
        let key = (ends.0.index() as u64) << u32::BITS | ends.1.index() as u64;
        self.numbers.get(key).unwrap_or_else(|| {
            let number = self.known as u32;
            self.numbers.insert(key, number);
            self.known += 1;
            if self.scouted.len() < self.known {
                self.scouted.push(Scouted::default());
            }
            self.scouted[number as usize].ask(ends);
            number
        })
    }

    /// Notes that a slot is in none of the lists.
    fn strike(&mut self, slot: Option<u32>) {
        if let Some(slot) = slot {
            self.is_listed[slot as usize] = false;
        }
    }

    /// Looks up the routes of the first ones. Those who need the same one share it.
    fn look_up(&mut self, (world, sectors): (&World, &Sectors), walkers: &Walkers, threads: usize) {
        let first = self.known;
        self.ahead.clear();
        self.served = 0;
        for at in 0..self.slots.len().min(AHEAD) {
            let ends = question((world, sectors), walkers, self.slots[at]);
            let number = self.number(ends);
            self.ahead.push(number);
        }
        let Self { scouts, scouted, known, .. } = self;
        let (new, grid) = (&mut scouted[first..*known], world.grid());
        scouts.resize_with(threads, Scout::default);
        let share = new.len().div_ceil(threads).max(1);
        let shares = new.chunks_mut(share).zip(scouts);
        threads::for_each(threads, shares, |(scouted, scout)| {
            for scouted in scouted {
                scouted.find(scout, sectors, grid);
            }
        });
    }
}

/// Between which cells the agent in a slot needs a route; nowhere, if it does not wait for one.
fn question((world, sectors): (&World, &Sectors), walkers: &Walkers, slot: u32) -> (Cell, Cell) {
    let waiting = walkers.get(slot as usize).filter(|one| one.is_waiting);
    waiting.map_or((Cell::NOWHERE, Cell::NOWHERE), |walker| {
        let cell = world.configuration().raw_cells()[slot as usize];
        walker.question(sectors, world.grid(), (cell, world.goal_of(slot as usize)))
    })
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::instance::Kind;
    use crate::planners::jostle::{Jostle, JostlePlanner, SMALLEST_POOL};
    use crate::simulate::tick;
    use crate::{AgentId, Instance, Level, Moves};

    #[test]
    fn the_queue_never_holds_an_agent_twice_however_often_it_is_sent() {
        let grid = Level::Cave.generate(96, 96, 1).unwrap();
        let floor: Vec<Cell> = grid.floor_cells().collect();
        let mut world = Instance::draw(grid, Kind::Random, 200, 1).unwrap().world();
        let options = Jostle { pool: SMALLEST_POOL, expansions: 0, ..Jostle::default() };
        let (mut planner, mut moves) = (JostlePlanner::new(options), Moves::default());
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        let mut most = 0;
        for now in 0..400 {
            let agents: Vec<AgentId> = world.ours().map(|agent| agent.id).collect();
            for &agent in &agents {
                for _ in 0..2 {
                    world.send(agent, floor[dice.random_range(0..floor.len())]).unwrap();
                }
            }
            // Others take the slots of those that leave, and wait there.
            for &agent in agents.iter().filter(|_| now % 8 == 0).step_by(10) {
                let cell = world.agent(agent).unwrap().cell;
                world.remove(agent).unwrap();
                world.add(cell, floor[dice.random_range(0..floor.len())]).unwrap();
            }
            tick(&mut world, &mut planner, &mut moves).unwrap();
            let Queue { slots, far, .. } = &planner.queue;
            let mut waiting: Vec<u32> = slots.iter().chain(far).copied().collect();
            waiting.sort_unstable();
            assert!(waiting.windows(2).all(|pair| pair[0] != pair[1]), "tick {now}: {waiting:?}");
            assert!(waiting.len() <= world.slots());
            most = most.max(waiting.len());
        }
        assert!(most > 100, "the budget is enough for nearly all: {most} had to wait");
    }
}
