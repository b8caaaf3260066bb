//! The joint move of one tick.

use super::{AgentId, Population, World};
use crate::grid::Cell;

/// The joint move of one tick: one next cell for every agent of ours. Who is not told to move, waits.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// For whom the move is: their names by slot, and what stands for them.
    agents: Vec<AgentId>,
    population: Option<Population>,
    /// Where each is to stand next, by slot.
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
        if self.population != Some(world.population) {
            self.population = Some(world.population);
            self.agents.clear();
            self.agents.extend(world.ids());
        }
        self.next.clear();
        self.next.extend_from_slice(world.configuration().raw_cells());
    }

    /// Sends an agent to a cell. The name of one who is not there does nothing, even if its slot has another
    /// tenant now.
    pub fn set(&mut self, agent: AgentId, cell: Cell) {
        if self.is_for(agent) {
            self.next[agent.slot()] = cell;
        }
    }

    /// Where an agent is to stand next, if it is there.
    pub fn next(&self, agent: AgentId) -> Option<Cell> {
        self.is_for(agent).then(|| self.next[agent.slot()])
    }

    fn is_for(&self, agent: AgentId) -> bool {
        let slot = agent.slot();
        self.agents.get(slot) == Some(&agent) && self.next[slot] != Cell::NOWHERE
    }

    /// Where the agent in a slot is to stand next; nowhere if there is none.
    pub(crate) fn next_of(&self, slot: usize) -> Cell {
        self.next[slot]
    }

    /// Where everybody is to stand next, by slot.
    pub(super) fn cells(&self) -> &[Cell] {
        &self.next
    }

    /// What stands for those for whom the move is.
    pub(super) const fn population(&self) -> Option<Population> {
        self.population
    }
}

/// Why a joint move is illegal. Nobody has moved then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The joint move was made for other agents than the world has.
    #[error("the joint move is for {found} agents, and the world has {expected}, or others")]
    OtherAgents {
        /// Agents of the joint move.
        found: usize,
        /// Agents of the world.
        expected: usize,
    },
    /// The cell is no neighbour, or a wall.
    #[error("{agent} cannot step from ({}, {}) to ({}, {}) at tick {tick}", from.0, from.1, to.0, to.1)]
    NoSuchStep {
        /// The agent that was sent.
        agent: AgentId,
        /// Where it stands.
        from: (u32, u32),
        /// Where it was sent.
        to: (u32, u32),
        /// How many ticks had passed.
        tick: u64,
    },
    /// The agent is not ours to move.
    #[error("{agent} is not ours, and was sent to ({}, {}) at tick {tick}", to.0, to.1)]
    NotOurs {
        /// The foreign agent.
        agent: AgentId,
        /// Where it was sent.
        to: (u32, u32),
        /// How many ticks had passed.
        tick: u64,
    },
    /// Two agents would end on one cell.
    #[error("{agent} and {other} both end on ({}, {}) at tick {tick}", at.0, at.1)]
    Collision {
        /// The one that would come.
        agent: AgentId,
        /// The one that would be there.
        other: AgentId,
        /// The cell.
        at: (u32, u32),
        /// How many ticks had passed.
        tick: u64,
    },
    /// Two agents would exchange cells.
    #[error("{agent} and {other} swap cells at tick {tick}")]
    Swap {
        /// The first of the two, by slot.
        agent: AgentId,
        /// The other one.
        other: AgentId,
        /// How many ticks had passed.
        tick: u64,
    },
    /// Two diagonal steps would cross, and the rules forbid that.
    #[error("the diagonals of {agent} and {other} cross at tick {tick}")]
    Crossing {
        /// The first of the two, by slot.
        agent: AgentId,
        /// The other one.
        other: AgentId,
        /// How many ticks had passed.
        tick: u64,
    },
}
