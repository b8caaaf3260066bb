//! Who chooses first: the priorities of agents.

use std::cmp::Reverse;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::world::World;

/// The agents in the order in which they choose: who has been away from its goal longest comes first.
#[derive(Clone, Debug)]
pub struct Lineup {
    /// By slot.
    urgency: Vec<Urgency>,
    /// The slots of our agents that are not home, the highest priority first. Those at home have nothing to
    /// choose, unless somebody asks them to make room.
    order: Vec<u32>,
    dice: ChaCha8Rng,
}

#[derive(Clone, Copy, Debug, Default)]
struct Urgency {
    /// For how many ticks the agent has been away from its goal.
    away: u32,
    /// For how many ticks more it lets others choose before it.
    defers: u32,
    /// The random order of cells that are equally good, in this tick.
    ties: u64,
}

impl Lineup {
    /// Nobody yet.
    pub fn new(seed: u32) -> Self {
        let dice = ChaCha8Rng::seed_from_u64(u64::from(seed));
        Self { urgency: Vec::new(), order: Vec::new(), dice }
    }

    /// Somebody new, or somebody with a new goal, begins with no priority.
    pub fn forget(&mut self, slot: usize) {
        if let Some(urgency) = self.urgency.get_mut(slot) {
            (urgency.away, urgency.defers) = (0, 0);
        }
    }

    /// Lets others choose before an agent for some ticks. Then it is as urgent as before.
    pub fn defer(&mut self, slot: usize, ticks: u32) {
        if let Some(urgency) = self.urgency.get_mut(slot) {
            urgency.defers = ticks;
        }
    }

    /// Puts the agents in order for this tick, and throws the dice.
    pub fn form(&mut self, world: &World) {
        self.urgency.resize(world.slots().len(), Urgency::default());
        self.order.clear();
        for agent in world.ours() {
            let urgency = &mut self.urgency[agent.slot()];
            urgency.ties = self.dice.next_u64();
            urgency.defers = urgency.defers.saturating_sub(1);
            if agent.is_home() {
                urgency.away = 0;
            } else {
                urgency.away = urgency.away.saturating_add(1);
                self.order.push(agent.slot() as u32);
            }
        }
        let urgency = &self.urgency;
        let rank = |&slot: &u32| {
            let Urgency { away, defers, .. } = urgency[slot as usize];
            (defers > 0, Reverse(away), slot)
        };
        self.order.sort_unstable_by_key(rank);
    }

    /// The slots of those that choose, in order.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Random bits of an agent, for cells that are equally good.
    pub fn ties(&self, slot: usize) -> u64 {
        self.urgency[slot].ties
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.urgency.capacity() * size_of::<Urgency>() + self.order.capacity() * size_of::<u32>()
    }
}
