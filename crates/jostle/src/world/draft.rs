//! A joint move in the making, for planners that move agents one after another.

use super::{Agent, Moves, NOBODY, World};
use crate::grid::{Cell, Direction};

/// The world as it will be when the moves decided so far are made.
///
/// Planners that move agents one by one (BMAA\*, LRA\*) ask it who stands where *now*. What it lets
/// through is legal as a joint move: an agent moves at most once, and only onto a cell that is free at
/// that moment, so nobody can meet or swap.
///
/// It keeps its own copy of who stands where and brings it up to date from the agents, so that a tick
/// touches only the cells that agents move between.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The slot of the agent on each cell, or `NOBODY`.
    occupants: Vec<u32>,
    /// Where each agent stands, by slot.
    cells: Vec<Cell>,
    has_moved: Vec<bool>,
}

impl Draft {
    /// Starts a tick: everybody stands where the world says, and nobody has moved.
    pub fn begin(&mut self, world: &World) {
        if self.occupants.len() != world.occupants.len() {
            self.occupants.clear();
            self.occupants.resize(world.occupants.len(), NOBODY);
            self.cells.clear();
        }
        let agents = world.slots();
        self.has_moved.clear();
        self.has_moved.resize(agents.len(), false);
        self.cells.resize(agents.len(), Cell::NOWHERE);
        // Usually everybody stands where our last joint move has led.
        for (known, agent) in self.cells.iter().zip(agents) {
            if *known != agent.cell && *known != Cell::NOWHERE {
                self.occupants[known.index()] = NOBODY;
            }
        }
        for (known, agent) in self.cells.iter_mut().zip(agents) {
            if *known != agent.cell {
                *known = agent.cell;
                if agent.cell != Cell::NOWHERE {
                    self.occupants[agent.cell.index()] = agent.slot() as u32;
                }
            }
        }
    }

    /// Who stands on a cell now.
    pub fn occupant<'a>(&self, world: &'a World, cell: Cell) -> Option<&'a Agent> {
        let slot = self.occupants[cell.index()];
        (slot != NOBODY).then(|| &world.agents[slot as usize])
    }

    /// Whether the agent has moved already.
    pub fn has_moved(&self, agent: &Agent) -> bool {
        self.has_moved[agent.slot()]
    }

    /// Whether the agent can take this way, which the floor allows, now.
    pub fn is_free(&self, world: &World, moves: &Moves, agent: &Agent, way: Direction) -> bool {
        let to = world.grid.beside(agent.cell, way);
        self.occupants[to.index()] == NOBODY && world.crosses(moves, agent.cell, way).is_none()
    }

    /// Moves the agent.
    pub fn step(&mut self, moves: &mut Moves, agent: &Agent, to: Cell) {
        let slot = agent.slot();
        self.occupants[self.cells[slot].index()] = NOBODY;
        self.occupants[to.index()] = slot as u32;
        self.cells[slot] = to;
        self.has_moved[slot] = true;
        moves.set(agent.id, to);
    }

    /// Bytes this draft holds.
    pub fn memory(&self) -> usize {
        self.occupants.capacity() * size_of::<u32>()
            + self.cells.capacity() * size_of::<Cell>()
            + self.has_moved.capacity()
    }
}
