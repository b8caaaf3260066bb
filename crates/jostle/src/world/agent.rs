//! Agents and their IDs.

use std::fmt;

use crate::grid::Cell;

/// Identifies an agent of a [`World`](super::World) from when it joins until it leaves. The ID of an agent
/// that left is never given to another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AgentId {
    slot: u32,
    generation: u32,
}

impl AgentId {
    pub(super) const fn new(slot: u32, generation: u32) -> Self {
        Self { slot, generation }
    }

    /// The agent's index in arrays with one element for each agent. When an agent leaves, its slot goes to
    /// an agent that joins later, 4,294,967,296 times at most: then the slot stays vacant.
    pub const fn slot(self) -> usize {
        self.slot as usize
    }

    /// The ID as one number, for other programs to store: [`AgentId::from_bits`] is the inverse.
    ///
    /// ```
    /// use jostle::{AgentId, Crowd, Grid};
    ///
    /// let mut crowd = Crowd::new(Grid::open(4, 4)?);
    /// let agent = crowd.add((1, 2))?;
    /// assert_eq!(AgentId::from_bits(agent.to_bits()), agent);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn to_bits(self) -> u64 {
        (self.generation as u64) << 32 | self.slot as u64
    }

    /// The ID with these bits. A number that [`AgentId::to_bits`] never returned identifies no agent.
    pub const fn from_bits(bits: u64) -> Self {
        Self { slot: bits as u32, generation: (bits >> 32) as u32 }
    }

    /// The ID of the next agent in this slot; none if all IDs of the slot were given.
    pub(super) fn next_generation(self) -> Option<Self> {
        let generation = self.generation.checked_add(1)?;
        Some(Self { slot: self.slot, generation })
    }
}

impl fmt::Debug for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "agent {}", self.slot)
    }
}

/// An agent: where it stands, what its goal is, and whether planners move it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Agent {
    /// Identifies the agent until it leaves the world.
    pub id: AgentId,
    /// The cell on which it stands.
    pub cell: Cell,
    /// The cell to which it wants to go. The goal of a foreign agent is ignored.
    pub goal: Cell,
    /// Whether planners move it. A foreign agent (an opponent, the player) occupies its cell, and only
    /// the game moves it.
    pub ours: bool,
}

impl Agent {
    /// Whether it stands on its goal.
    pub fn has_arrived(&self) -> bool {
        self.cell == self.goal
    }

    /// The agent's index in arrays with one element for each agent.
    pub const fn slot(&self) -> usize {
        self.id.slot()
    }
}
