//! A joint move: checked and carried out in one pass over the agents that move.

use super::configuration::Clash;
use super::{IllegalMove, Moves, Tenant, World};
use crate::grid::{Cell, Crossing, Direction};

impl World {
    /// Carries out a joint move and lets a tick pass, if the move is legal as a whole. This check runs
    /// in every build.
    ///
    /// # Errors
    /// When it is not legal: then nothing has changed, and the error names the first offender.
    pub fn advance(&mut self, moves: &Moves) -> Result<(), IllegalMove> {
        let mut moving = std::mem::take(&mut self.moved);
        let result = self.advance_together(moves, &mut moving);
        if result.is_ok() {
            self.tick += 1;
            self.log.turn_over();
        } else {
            moving.clear();
        }
        self.moved = moving;
        result
    }

    /// Carries out a joint move, if it is legal, and writes the slots of those who move into `moving`.
    fn advance_together(
        &mut self,
        moves: &Moves,
        moving: &mut Vec<u32>,
    ) -> Result<(), IllegalMove> {
        if moves.population() != Some(self.population) || moves.cells().len() != self.slots() {
            let (found, expected) = (moves.cells().len(), self.slots());
            return Err(IllegalMove::OtherAgents { found, expected });
        }
        self.configuration.differing(moves.cells(), moving);
        self.check_crossings(moves, moving)?;
        let mut away = self.away;
        for (entered, &slot) in moving.iter().enumerate() {
            if let Err(error) = self.take_step(slot as usize, moves, &mut away) {
                self.configuration.take_back(moving, &moving[..entered], moves.cells());
                return Err(error);
            }
        }
        self.configuration.settle(moving, moves.cells());
        self.away = away;
        Ok(())
    }

    /// Lets the agent in a slot take its step, if that is legal, as a part of a joint move.
    fn take_step(
        &mut self,
        slot: usize,
        moves: &Moves,
        away: &mut usize,
    ) -> Result<(), IllegalMove> {
        let (from, to) = (self.configuration.raw_cells()[slot], moves.cells()[slot]);
        let Tenant { id: agent, goal, ours } = self.tenants[slot];
        let tick = self.tick;
        if !ours {
            return Err(IllegalMove::NotOurs { agent, to: self.grid.position(to), tick });
        }
        if self.grid.step_between(from, to).is_none() {
            let (from, to) = (self.grid.position(from), self.grid.position(to));
            return Err(IllegalMove::NoSuchStep { agent, from, to, tick });
        }
        self.configuration.enter(slot, to, moves.cells()).map_err(|clash| match clash {
            Clash::Collision(other) => IllegalMove::Collision {
                agent,
                other: self.id(other),
                at: self.grid.position(to),
                tick,
            },
            Clash::Swap(other) => IllegalMove::Swap { agent, other: self.id(other), tick },
        })?;
        *away = *away + usize::from(from == goal) - usize::from(to == goal);
        Ok(())
    }

    /// The slot of the agent whose diagonal step the step from a cell would cross, where that is forbidden.
    pub(crate) fn crosser(&self, moves: &Moves, from: Cell, step: Direction) -> Option<usize> {
        let crossed = self.grid.crossed_steps(from, step)?;
        crossed.into_iter().find_map(|(here, there)| {
            self.configuration.occupant(here).filter(|&other| moves.next_of(other) == there)
        })
    }

    /// Refuses a joint move in which diagonal steps cross, where that is forbidden. This needs to know where all agents
    /// stand before the first one moves.
    fn check_crossings(&self, moves: &Moves, moving: &[u32]) -> Result<(), IllegalMove> {
        if self.grid.rules().crossing == Crossing::Allowed {
            return Ok(());
        }
        for slot in moving.iter().map(|&slot| slot as usize) {
            let (from, to) = (self.configuration.raw_cells()[slot], moves.cells()[slot]);
            let step = self.grid.step_between(from, to);
            if let Some(other) = step.and_then(|step| self.crosser(moves, from, step)) {
                let (agent, other) = (self.id(slot), self.id(other));
                return Err(IllegalMove::Crossing { agent, other, tick: self.tick });
            }
        }
        Ok(())
    }
}
