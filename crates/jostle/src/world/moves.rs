//! The joint move of one tick.

use super::{AgentId, World};
use crate::grid::Cell;

/// The joint move of one tick: one next cell for every agent of ours. Who is not told to move, waits.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    next: Vec<Cell>,
}

impl Moves {
    /// A joint move in which everybody waits.
    pub fn waiting(world: &World) -> Self {
        let mut moves = Self::default();
        moves.reset(world);
        moves
    }

    /// Lets everybody wait.
    pub fn reset(&mut self, world: &World) {
        self.next.clear();
        self.next.extend(world.slots().iter().map(|agent| agent.cell));
    }

    /// Sends an agent to a cell.
    pub fn set(&mut self, agent: AgentId, cell: Cell) {
        self.next[agent.slot()] = cell;
    }

    /// Where an agent is to stand next.
    pub fn next(&self, agent: AgentId) -> Cell {
        self.next[agent.slot()]
    }

    pub(super) fn len(&self) -> usize {
        self.next.len()
    }
}

/// Why a joint move is illegal. Nobody has moved then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalMove {
    /// The joint move was made for another number of agents.
    #[error("the joint move has {found} agents, the world {expected}")]
    WrongLength {
        /// Agents of the joint move.
        found: usize,
        /// Agents of the world.
        expected: usize,
    },
    /// The cell is no neighbour, or a wall.
    #[error("{agent} cannot step from {from:?} to {to:?} at tick {tick}")]
    NoSuchStep {
        /// Who.
        agent: AgentId,
        /// Where it stands.
        from: Cell,
        /// Where it was sent.
        to: Cell,
        /// When.
        tick: u64,
    },
    /// The agent is not ours to move.
    #[error("{agent} is not ours, and was sent to {to:?} at tick {tick}")]
    NotOurs {
        /// Who.
        agent: AgentId,
        /// Where it was sent.
        to: Cell,
        /// When.
        tick: u64,
    },
    /// Two agents would end on one cell.
    #[error("{agent} and {other} both end on {cell:?} at tick {tick}")]
    Collision {
        /// Who came.
        agent: AgentId,
        /// Who is there.
        other: AgentId,
        /// Where.
        cell: Cell,
        /// When.
        tick: u64,
    },
    /// Two agents would exchange cells.
    #[error("{agent} and {other} swap cells at tick {tick}")]
    Swap {
        /// One.
        agent: AgentId,
        /// The other.
        other: AgentId,
        /// When.
        tick: u64,
    },
    /// The paths of two diagonal steps would cross, and the world forbids that.
    #[error("the diagonals of {agent} and {other} cross at tick {tick}")]
    Crossing {
        /// One.
        agent: AgentId,
        /// The other.
        other: AgentId,
        /// When.
        tick: u64,
    },
}
