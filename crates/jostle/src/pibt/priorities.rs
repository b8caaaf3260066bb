//! The order in which agents choose.

use std::cmp::Reverse;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The agents in the order in which they choose: the agent that has been away from its goal longest comes first.
#[derive(Clone, Debug)]
pub struct Priorities {
    /// By agent.
    urgency: Vec<Urgency>,
    /// How far agents had to go when their errands began, as far as that was noted.
    far: Vec<u64>,
    /// The agents that have not arrived, the highest priority first. The others choose only when another agent
    /// wants their cell.
    order: Vec<u32>,
    dice: ChaCha8Rng,
}

#[derive(Clone, Copy, Debug, Default)]
struct Urgency {
    /// For how many ticks the agent has been away from its goal.
    away: u32,
    /// For how many more ticks, this one included, all agents that do not defer choose before it.
    defers: u32,
    /// Random bits that order equally good cells, drawn anew in each tick.
    ties: u64,
}

impl Priorities {
    /// Without agents. The seed decides between cells that are equally good.
    pub fn new(seed: u32) -> Self {
        let dice = ChaCha8Rng::seed_from_u64(u64::from(seed));
        Self { urgency: Vec::new(), far: Vec::new(), order: Vec::new(), dice }
    }

    /// Resets the priority of an agent, because it has just joined or has a new goal.
    pub fn forget(&mut self, agent: usize) {
        if let Some(urgency) = self.urgency.get_mut(agent) {
            (urgency.away, urgency.defers) = (0, 0);
        }
        if let Some(far) = self.far.get_mut(agent) {
            *far = 0;
        }
    }

    /// Notes how far an agent has to go. Of agents that have been away from their goals equally long, the one with the longest way
    /// chooses first; if that is not noted, the one with the smallest number.
    pub fn note_distance(&mut self, agent: usize, far: u64) {
        if agent >= self.far.len() {
            self.far.resize(agent + 1, 0);
        }
        self.far[agent] = far;
    }

    /// Lets others choose before an agent for some ticks, counted from the current one. Its waiting time goes on
    /// counting, and decides again afterwards.
    pub fn defer(&mut self, agent: usize, ticks: u32) {
        if let Some(urgency) = self.urgency.get_mut(agent) {
            urgency.defers = ticks;
        }
    }

    /// Sorts agents, each given with whether it has arrived, for this tick, and draws their random bits.
    pub fn update(&mut self, agents: impl Iterator<Item = (usize, bool)>) {
        self.order.clear();
        for (agent, has_arrived) in agents {
            if agent >= self.urgency.len() {
                self.urgency.resize(agent + 1, Urgency::default());
            }
            let urgency = &mut self.urgency[agent];
            urgency.ties = self.dice.next_u64();
            urgency.defers = urgency.defers.saturating_sub(1);
            if has_arrived {
                urgency.away = 0;
            } else {
                urgency.away = urgency.away.saturating_add(1);
                self.order.push(agent as u32);
            }
        }
        let (urgency, far) = (&self.urgency, &self.far);
        let rank = |&agent: &u32| {
            let Urgency { away, defers, .. } = urgency[agent as usize];
            let far = far.get(agent as usize).copied().unwrap_or(0);
            (defers > 0, Reverse(u128::from(away) << 64 | u128::from(far)), agent)
        };
        self.order.sort_unstable_by_key(rank);
    }

    /// The agents that have not arrived, in the order in which they choose.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Random bits of an agent, which decide between cells that are equally good; 0 for an unknown agent.
    pub fn ties(&self, agent: usize) -> u64 {
        self.urgency.get(agent).map_or(0, |urgency| urgency.ties)
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.urgency.capacity() * size_of::<Urgency>()
            + self.far.capacity() * size_of::<u64>()
            + self.order.capacity() * size_of::<u32>()
    }
}
