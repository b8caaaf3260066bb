//! A joint move under construction, for planners that move agents one after another.

use super::{Agent, Moves, World};
use crate::grid::{Cell, Direction};

/// What the moves decided so far change about the world.
///
/// Planners that move agents one by one (BMAA\*, LRA\*) ask it which cells are taken *now*. The moves that
/// it allows are legal as a joint move: an agent moves at most once, and only onto a cell that is free at
/// that moment, so agents cannot collide or swap.
///
/// It knows only the agents that have moved and asks the world about all others, so that a tick touches only
/// the cells that agents move between. Its memory is a bit for each cell of the map and a word for each agent.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The cell that each agent has entered in this tick, by slot; `NOWHERE` if it has not moved.
    entered: Vec<Cell>,
    /// The slots of the agents that have moved.
    movers: Vec<u32>,
    /// A bit for each cell of the map: whether an agent has entered it in this tick.
    taken: Vec<u64>,
}

impl Draft {
    /// Starts a tick: every agent stands where it does in the world, and none has moved.
    pub fn begin(&mut self, world: &World) {
        for slot in self.movers.drain(..) {
            let cell = std::mem::replace(&mut self.entered[slot as usize], Cell::NOWHERE);
            let (at, bit) = bit_of(cell);
            self.taken[at] &= !bit;
        }
        self.entered.resize(world.slots(), Cell::NOWHERE);
        let words = world.grid().cells().len().div_ceil(64);
        if self.taken.len() != words {
            // New memory that is zero comes untouched from the system, so a large map costs nothing here.
            self.taken = vec![0; words];
        }
    }

    /// The agent on a cell, if it has not moved in this tick.
    pub fn unmoved(&self, world: &World, cell: Cell) -> Option<Agent> {
        let slot = world.configuration().occupant(cell)?;
        if self.has_moved_in(slot) { None } else { world.in_slot(slot) }
    }

    /// Whether an agent stands on a cell now.
    pub fn is_occupied(&self, world: &World, cell: Cell) -> bool {
        let stays = |slot| !self.has_moved_in(slot);
        self.is_taken(cell) || world.configuration().occupant(cell).is_some_and(stays)
    }

    /// Whether the agent has moved in this tick.
    pub fn has_moved(&self, agent: &Agent) -> bool {
        self.has_moved_in(agent.slot())
    }

    /// Whether the agent can take this step now: the cell is free, and no forbidden crossing results. The step
    /// must be one that the floor allows.
    #[allow(
        clippy::inline_always,
        reason = "most steps are refused, sooner than a call would take"
    )]
    #[inline(always)]
    pub fn is_free(&self, world: &World, moves: &Moves, agent: &Agent, step: Direction) -> bool {
        let to = world.grid().beside(agent.cell, step);
        !self.is_occupied(world, to) && world.crosser(moves, agent.cell, step).is_none()
    }

    /// Takes a step that the floor allows, if [it is free](Self::is_free). Returns whether it is. The agent must not have
    /// moved in this tick.
    #[allow(
        clippy::inline_always,
        reason = "most steps are refused, sooner than a call would take"
    )]
    #[inline(always)]
    pub fn try_step(
        &mut self,
        world: &World,
        moves: &mut Moves,
        agent: &Agent,
        step: Direction,
    ) -> bool {
        let is_free = self.is_free(world, moves, agent, step);
        if is_free {
            self.enter(moves, agent, world.grid().beside(agent.cell, step));
        }
        is_free
    }

    /// Moves the agent to a free cell, here and in the joint move. Does nothing for an agent that is not there
    /// or has moved already, or if the cell is not free.
    pub fn step(&mut self, world: &World, moves: &mut Moves, agent: &Agent, to: Cell) {
        let is_there = world.configuration().cell(agent.slot()).is_some();
        let is_free = world.grid().contains(to) && !self.is_occupied(world, to);
        if is_there && is_free {
            self.enter(moves, agent, to);
        }
    }

    /// Bytes this draft holds.
    pub fn memory(&self) -> usize {
        self.entered.capacity() * size_of::<Cell>()
            + self.movers.capacity() * size_of::<u32>()
            + self.taken.capacity() * size_of::<u64>()
    }

    fn enter(&mut self, moves: &mut Moves, agent: &Agent, to: Cell) {
        let (slot, (at, bit)) = (agent.slot(), bit_of(to));
        if let Some(entered) = self.entered.get_mut(slot)
            && *entered == Cell::NOWHERE
            && let Some(taken) = self.taken.get_mut(at)
        {
            *entered = to;
            *taken |= bit;
            self.movers.push(slot as u32);
            moves.set(agent.id, to);
        }
    }

    fn has_moved_in(&self, slot: usize) -> bool {
        self.entered.get(slot).is_some_and(|&cell| cell != Cell::NOWHERE)
    }

    fn is_taken(&self, cell: Cell) -> bool {
        let (at, bit) = bit_of(cell);
        self.taken.get(at).is_some_and(|taken| taken & bit != 0)
    }
}

/// The word of a cell in a set of bits, and its bit there.
const fn bit_of(cell: Cell) -> (usize, u64) {
    (cell.index() / 64, 1 << (cell.index() % 64))
}
