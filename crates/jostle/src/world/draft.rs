//! A joint move in the making, for planners that move agents one after another.

use super::{Agent, Configuration, Moves, World};
use crate::grid::{Cell, Direction};

/// The configuration as it will be when the moves decided so far are made.
///
/// Planners that move agents one by one (BMAA\*, LRA\*) ask it who stands where *now*. What it lets
/// through is legal as a joint move: an agent moves at most once, and only onto a cell that is free at
/// that moment, so nobody can meet or swap.
///
/// It follows the world's configuration, so that a tick touches only the cells that agents move between.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    now: Configuration,
    has_moved: Vec<bool>,
}

impl Draft {
    /// Starts a tick: everybody stands where the world says, and nobody has moved.
    pub fn begin(&mut self, world: &World) {
        self.now.follow(world.configuration());
        self.has_moved.clear();
        self.has_moved.resize(self.now.len(), false);
    }

    /// Who stands on a cell now.
    pub fn occupant(&self, world: &World, cell: Cell) -> Option<Agent> {
        self.now.occupant(cell).and_then(|slot| world.in_slot(slot))
    }

    /// Whether anybody stands on a cell now.
    pub fn is_occupied(&self, cell: Cell) -> bool {
        self.now.is_occupied(cell)
    }

    /// Whether the agent has moved already.
    pub fn has_moved(&self, agent: &Agent) -> bool {
        self.has_moved[agent.slot()]
    }

    /// Whether the agent can take this step, which the floor allows, now.
    pub fn is_free(&self, world: &World, moves: &Moves, agent: &Agent, step: Direction) -> bool {
        let to = world.grid().beside(agent.cell, step);
        !self.now.is_occupied(to) && world.crosser(moves, agent.cell, step).is_none()
    }

    /// Moves the agent.
    pub fn step(&mut self, moves: &mut Moves, agent: &Agent, to: Cell) {
        self.now.step(agent.slot(), to);
        self.has_moved[agent.slot()] = true;
        moves.set(agent.id, to);
    }

    /// Bytes this draft holds.
    pub fn memory(&self) -> usize {
        self.now.memory() + self.has_moved.capacity()
    }
}
