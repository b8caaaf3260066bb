//! Plays a path file in a world.

use super::{PathsOpening, PathsStep, ReplayError};
use crate::grid::Grid;
use crate::script::Cast;
use crate::trace::Trace;
use crate::world::{ChangeError, Moves, World};

/// Replays a path file on its map, step by step, in a world that checks every move.
#[derive(Debug)]
pub struct PathsReplay {
    world: World,
    cast: Cast,
    moves: Moves,
    trace: Trace,
    has_begun: bool,
}

impl PathsReplay {
    /// Begins with agents on their starts.
    ///
    /// # Errors
    /// When an agent cannot begin there.
    pub fn begin(grid: &Grid, opening: &PathsOpening) -> Result<Self, ReplayError> {
        let mut world = World::new(grid.clone());
        let mut agents = Vec::new();
        for (number, (start, goal)) in (0..).zip(opening.starts.iter().zip(&opening.goals)) {
            let Some(start) = *start else { continue };
            let cell = grid.locate(start).map_err(ChangeError::from)?;
            let id = if opening.foreign.contains(&number) {
                world.add_foreign(cell)?
            } else {
                let goal = grid.locate(goal.unwrap_or(start)).map_err(ChangeError::from)?;
                world.add(cell, goal)?
            };
            agents.push((number, id));
        }
        let trace = Trace::begin(&world);
        let (cast, moves) = (agents.into_iter().collect(), Moves::default());
        Ok(Self { world, cast, moves, trace, has_begun: false })
    }

    /// Makes the changes and the moves of a step. The first step, of tick 0, has none.
    ///
    /// # Errors
    /// When they are not legal.
    pub fn step(&mut self, step: PathsStep<'_>) -> Result<(), ReplayError> {
        if !std::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        let Self { world, cast, moves, trace, .. } = self;
        for entry in step.changes {
            cast.make(world, entry.change)
                .map_err(|reason| ReplayError::Change { line: entry.line, reason })?;
        }
        moves.reset(world);
        let mut present = 0;
        for (number, position) in (0..).zip(step.positions) {
            let agent = cast.agent(number).filter(|&agent| world.agent(agent).is_some());
            match (agent, *position) {
                (Some(agent), Some(position)) => {
                    moves.set(agent, world.grid().locate(position).map_err(ChangeError::from)?);
                    present += 1;
                }
                (None, None) => {}
                _ => return Err(ReplayError::Presence { tick: trace.ticks() + 1, agent: number }),
            }
        }
        if present != world.agents().count() {
            let agent = step.positions.len() as u32;
            return Err(ReplayError::Presence { tick: trace.ticks() + 1, agent });
        }
        world.advance(moves)?;
        trace.record(world);
        Ok(())
    }

    /// The run.
    pub fn finish(self) -> Trace {
        self.trace
    }
}
