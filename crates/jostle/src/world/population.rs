//! Which agents have joined and left, and with which goals, in one number each.

use super::{AgentId, Change};

/// A hash of all agents that joined and left so far (FNV-1a over their IDs): worlds with the same history have the
/// same IDs in the same slots. If two populations had the same hash, a joint move for the one would be checked as a
/// move for the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Population(u64);

impl Default for Population {
    fn default() -> Self {
        Self(BASIS)
    }
}

impl Population {
    /// Records that an agent joined or left.
    pub const fn note(&mut self, agent: AgentId) {
        self.0 = add(self.0, agent.to_bits());
    }
}

/// A hash of all agents that joined and left so far, and of all goals that they were given: in worlds with the same
/// history, the agents in the same slots have the same IDs and goals, and the same of them are ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Errands(u64);

impl Default for Errands {
    fn default() -> Self {
        Self(BASIS)
    }
}

impl Errands {
    /// Records a change.
    pub const fn note(&mut self, change: &Change) {
        match change {
            Change::Join { agent, goal, ours, .. } => {
                self.0 =
                    add(add(self.0, agent.to_bits()), (goal.index() as u64) << 1 | *ours as u64);
            }
            Change::Leave { agent } => self.0 = add(add(self.0, agent.to_bits()), u64::MAX),
            Change::Send { agent, goal } => {
                self.0 = add(add(self.0, agent.to_bits()), !(goal.index() as u64));
            }
            Change::Place { .. } | Change::SetFloor { .. } => {}
        }
    }
}

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;

const fn add(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3)
}
