//! The joint move of one tick.

use super::population::Population;
use super::{AgentId, World};
use crate::grid::Cell;

/// The joint move of one tick: the next cell of every agent. An agent that is not told to move waits.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// The agents that the move is for: their IDs by slot, and the hash of all agents that joined and left.
    agents: Vec<AgentId>,
    population: Option<Population>,
    /// The next cell of each agent, by slot.
    next: Vec<Cell>,
}

impl Moves {
    /// A joint move in which every agent waits.
    pub fn waiting(world: &World) -> Self {
        let mut moves = Self::default();
        moves.reset(world);
        moves
    }

    /// Resets the joint move to one in which every agent waits.
    pub fn reset(&mut self, world: &World) {
        if self.population != Some(world.population) {
            self.population = Some(world.population);
            self.agents.clear();
            self.agents.extend(world.ids());
        }
        self.next.clear();
        self.next.extend_from_slice(world.configuration().raw_cells());
    }

    /// Sends an agent to a cell. The ID of an agent that has left does nothing, even if another agent has its
    /// slot now.
    pub fn set(&mut self, agent: AgentId, cell: Cell) {
        if self.is_for(agent) {
            self.next[agent.slot()] = cell;
        }
    }

    /// Sends agents to these cells, by slot. Those whose cell is `NOWHERE` keep theirs.
    pub(crate) fn set_known(&mut self, cells: impl Iterator<Item = Cell>) {
        for (next, cell) in self.next.iter_mut().zip(cells) {
            if cell != Cell::NOWHERE {
                *next = cell;
            }
        }
    }

    /// The next cell of an agent, if it is in the world.
    pub fn next(&self, agent: AgentId) -> Option<Cell> {
        self.is_for(agent).then(|| self.next[agent.slot()])
    }

    fn is_for(&self, agent: AgentId) -> bool {
        let slot = agent.slot();
        self.agents.get(slot) == Some(&agent) && self.next[slot] != Cell::NOWHERE
    }

    /// The next cell of the agent in a slot; `NOWHERE` if the slot is vacant, or the move is not for this world.
    pub(crate) fn next_of(&self, slot: usize) -> Cell {
        self.next.get(slot).copied().unwrap_or(Cell::NOWHERE)
    }

    /// The next cells of all agents, by slot.
    pub(super) fn cells(&self) -> &[Cell] {
        &self.next
    }

    /// The population that the move is for.
    pub(super) const fn population(&self) -> Option<Population> {
        self.population
    }
}

/// Why a joint move is illegal. No agent has moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The joint move was made for a different set of agents.
    #[error("the joint move was made for other agents: it has {found} slots, the world {expected}")]
    OtherAgents {
        /// Slots of the joint move.
        found: usize,
        /// Slots of the world; the number may be the same, for other agents.
        expected: usize,
    },
    /// The cell is not a neighbour, or is a wall.
    #[error("{agent} cannot step from ({}, {}) to ({}, {}) at tick {tick}", from.0, from.1, to.0, to.1)]
    NoSuchStep {
        /// The agent that was sent.
        agent: AgentId,
        /// Column and row of the cell on which it stands.
        from: (u32, u32),
        /// Column and row of the cell to which it was sent.
        to: (u32, u32),
        /// How many ticks had passed.
        tick: u64,
    },
    /// The agent is not ours to move.
    #[error("{agent} is not ours, and was sent to ({}, {}) at tick {tick}", to.0, to.1)]
    NotOurs {
        /// The foreign agent.
        agent: AgentId,
        /// Column and row of the cell to which it was sent.
        to: (u32, u32),
        /// How many ticks had passed.
        tick: u64,
    },
    /// Two agents would end on one cell.
    #[error("{agent} and {other} both end on ({}, {}) at tick {tick}", at.0, at.1)]
    Collision {
        /// An agent that would enter the cell.
        agent: AgentId,
        /// The agent that would stand there.
        other: AgentId,
        /// Column and row of the cell.
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
