//! Which agents have joined and left, in one number.

use super::AgentId;

/// A hash of all agents that joined and left so far (FNV-1a over their IDs): worlds with the same history have the
/// same IDs in the same slots. If two populations had the same hash, a joint move for the one would be checked as a
/// move for the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Population(u64);

impl Default for Population {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Population {
    /// Records that an agent joined or left.
    pub const fn note(&mut self, agent: AgentId) {
        self.0 = (self.0 ^ agent.to_bits()).wrapping_mul(0x0000_0100_0000_01b3);
    }
}
