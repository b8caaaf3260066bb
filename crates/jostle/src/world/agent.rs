//! Who walks.

use std::fmt;

use crate::grid::Cell;

/// Names an agent of a [`World`](super::World) for as long as it is there. The name of an agent that
/// left is never given to another one.
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

    /// The agent's place in arrays with one element for each agent. When an agent leaves, the next
    /// one that joins takes its place.
    pub const fn slot(self) -> usize {
        self.slot as usize
    }

    /// The name as one number, to be kept by other programs: [`AgentId::from_bits`] takes it back.
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

    /// The name with these bits. A number that [`AgentId::to_bits`] never gave names nobody.
    pub const fn from_bits(bits: u64) -> Self {
        Self { slot: bits as u32, generation: (bits >> 32) as u32 }
    }

    pub(super) const fn next_generation(self) -> Self {
        Self { slot: self.slot, generation: self.generation.wrapping_add(1) }
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

/// Who walks: where it stands, where it wants to be, and whether it is ours to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Agent {
    /// Its name.
    pub id: AgentId,
    /// Where it stands.
    pub cell: Cell,
    /// Where it wants to be. A foreign agent's goal means nothing.
    pub goal: Cell,
    /// Whether planners move it. A foreign agent (an opponent, the player) occupies its cell, and only
    /// the game moves it.
    pub ours: bool,
}

impl Agent {
    /// Whether it stands where it wants to be.
    pub fn has_arrived(&self) -> bool {
        self.cell == self.goal
    }

    /// The agent's place in arrays with one element for each agent.
    pub const fn slot(&self) -> usize {
        self.id.slot()
    }
}
