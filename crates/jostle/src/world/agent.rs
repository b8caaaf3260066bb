//! Who walks.

use std::fmt;

use crate::grid::Cell;

/// Names an agent of a [`World`](super::World) for as long as it is there. The name of an agent that
/// left is never given to another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId {
    slot: u32,
    generation: u32,
}

impl AgentId {
    pub(super) const fn new(slot: u32, generation: u32) -> Self {
        Self { slot, generation }
    }

    /// The agent's place in arrays with one element for each agent. When an agent leaves, the next
    /// one that arrives takes its place.
    pub const fn slot(self) -> usize {
        self.slot as usize
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
    pub fn is_home(&self) -> bool {
        self.cell == self.goal
    }

    /// The agent's place in arrays with one element for each agent.
    pub const fn slot(&self) -> usize {
        self.id.slot()
    }
}
