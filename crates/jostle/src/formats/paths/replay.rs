//! Plays a path file in a world.

use std::collections::HashSet;

use super::{PathsOpening, PathsStep, Position, ReplayError};
use crate::grid::{Cell, Grid};
use crate::script::Cast;
use crate::trace::Trace;
use crate::world::{Change, ChangeError, Moves, World};

/// Replays a path file on its map, step by step, in a world that checks every move.
///
/// A world never lets two agents share a cell, and agents that meet do. So a file with tasks is recorded as it is: whether it is
/// legal is for [`PathsChecker`](crate::check::PathsChecker) to say.
#[derive(Debug)]
pub struct PathsReplay {
    world: World,
    cast: Cast,
    moves: Moves,
    trace: Trace,
    has_tasks: bool,
    /// Where agents have to stand in the first step, which has not come yet.
    starts: Option<Vec<Position>>,
}

impl PathsReplay {
    /// Begins with agents on their starts.
    ///
    /// # Errors
    /// When an agent cannot begin there.
    pub fn begin(grid: &Grid, opening: &PathsOpening) -> Result<Self, ReplayError> {
        let mut world = World::new(grid.clone());
        let mut agents = Vec::new();
        let foreign: HashSet<u32> = opening.foreign.iter().copied().collect();
        for (number, (start, goal)) in (0..).zip(opening.starts.iter().zip(&opening.goals)) {
            let Some(start) = *start else { continue };
            let cell = grid.locate(start).map_err(ChangeError::from)?;
            let id = if foreign.contains(&number) {
                world.add_foreign(cell)?
            } else {
                let goal = grid.locate(goal.unwrap_or(start)).map_err(ChangeError::from)?;
                world.add(cell, goal)?
            };
            agents.push((number, id));
        }
        let trace = Trace::begin(&world);
        let (cast, moves) = (agents.into_iter().collect(), Moves::default());
        let has_tasks = !opening.tasks.is_empty();
        Ok(Self { world, cast, moves, trace, has_tasks, starts: Some(opening.starts.clone()) })
    }

    /// Makes the changes and the moves of a step. In the first step, of tick 0, agents are on their starts.
    ///
    /// # Errors
    /// When they are not legal.
    pub fn step(&mut self, step: PathsStep<'_>) -> Result<(), ReplayError> {
        if let Some(starts) = self.starts.take() {
            return match PathsOpening::first_elsewhere(&starts, step.positions) {
                Some(agent) => Err(ReplayError::NotAtStart { agent }),
                None => Ok(()),
            };
        }
        if self.has_tasks {
            return self.note(step);
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

    /// Records a step as it is. The only changes are those of agents that leave.
    fn note(&mut self, step: PathsStep<'_>) -> Result<(), ReplayError> {
        let Self { world, cast, trace, .. } = self;
        let mut changes = Vec::new();
        for entry in step.changes {
            let agent = entry.change.agent().and_then(|number| cast.agent(number));
            cast.make(world, entry.change)
                .map_err(|reason| ReplayError::Change { line: entry.line, reason })?;
            changes.extend(agent.map(|agent| Change::Leave { agent }));
        }
        let mut cells = vec![Cell::NOWHERE; trace.slots()];
        for (number, position) in (0..).zip(step.positions) {
            let Some(position) = *position else { continue };
            let agent = cast.agent(number).filter(|&agent| world.agent(agent).is_some());
            let presence = ReplayError::Presence { tick: trace.ticks() + 1, agent: number };
            let agent = agent.ok_or(presence)?;
            cells[agent.slot()] = world.grid().locate(position).map_err(ChangeError::from)?;
        }
        trace.note(&changes, &cells);
        Ok(())
    }

    /// The run.
    pub fn finish(self) -> Trace {
        self.trace
    }
}
