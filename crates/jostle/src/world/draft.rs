//! A joint move under construction, for planners that move agents one after another.

use super::{Agent, Configuration, Moves, World};
use crate::grid::{Cell, Direction};

/// The configuration after the moves decided so far.
///
/// Planners that move agents one by one (BMAA\*, LRA\*) ask it which agent stands where *now*. The moves that
/// it allows are legal as a joint move: an agent moves at most once, and only onto a cell that is free at
/// that moment, so agents cannot collide or swap.
///
/// It follows the world's configuration, so that a tick touches only the cells that agents move between.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    now: Configuration,
    has_moved: Vec<bool>,
}

impl Draft {
    /// Starts a tick: every agent stands where it does in the world, and none has moved.
    pub fn begin(&mut self, world: &World) {
        self.now.follow(world.configuration());
        self.has_moved.clear();
        self.has_moved.resize(self.now.len(), false);
    }

    /// The agent that stands on a cell now.
    pub fn occupant(&self, world: &World, cell: Cell) -> Option<Agent> {
        self.now.occupant(cell).and_then(|slot| world.in_slot(slot))
    }

    /// Whether an agent stands on a cell now.
    pub fn is_occupied(&self, cell: Cell) -> bool {
        self.now.is_occupied(cell)
    }

    /// Whether the agent has moved in this tick.
    pub fn has_moved(&self, agent: &Agent) -> bool {
        self.has_moved.get(agent.slot()).is_some_and(|&has_moved| has_moved)
    }

    /// Whether the agent can take this step now: the cell is free, and no forbidden crossing results. The step
    /// must be one that the floor allows.
    pub fn is_free(&self, world: &World, moves: &Moves, agent: &Agent, step: Direction) -> bool {
        let to = world.grid().beside(agent.cell, step);
        !self.now.is_occupied(to) && world.crosser(moves, agent.cell, step).is_none()
    }

    /// Moves the agent to a free cell, here and in the joint move. Does nothing for an agent that is not there, or if
    /// the cell is not free.
    pub fn step(&mut self, moves: &mut Moves, agent: &Agent, to: Cell) {
        if let Some(has_moved) = self.has_moved.get_mut(agent.slot())
            && self.now.step(agent.slot(), to)
        {
            *has_moved = true;
            moves.set(agent.id, to);
        }
    }

    /// Bytes this draft holds.
    pub fn memory(&self) -> usize {
        self.now.memory() + self.has_moved.capacity()
    }
}
