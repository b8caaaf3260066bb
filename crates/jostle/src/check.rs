//! The independent checker: is this run legal?
//!
//! It shares no code with the planners or the world. From a [`Grid`] it takes only which cells are floor
//! and which rules hold, and works out for itself, in coordinates, what a legal step is. So it finds a
//! mistake in the engine's own definition of a step.

mod board;
mod pairs;

use std::collections::HashSet;
use std::convert::Infallible;

use crate::formats::{Paths, PathsOpening, PathsStep, Position};
use crate::grid::{Cell, Grid};
use crate::trace::Trace;
use crate::world::{Agent, Change};
use board::Board;
use pairs::Pairs;

type Point = (i64, i64);

/// Why a run is illegal. Agents are counted from 0, ticks too: tick 0 is the beginning.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// An agent is on a wall or outside the map.
    #[error("tick {tick}: agent {agent} is on ({x}, {y}), which is not floor", x = at.0, y = at.1)]
    NotFloor {
        /// The tick after which the violation was found; 0 is the beginning.
        tick: usize,
        /// The number of the agent.
        agent: usize,
        /// Column and row.
        at: Point,
    },
    /// Two agents are on one cell.
    #[error("tick {tick}: agents {agent} and {other} are both on ({x}, {y})", x = at.0, y = at.1)]
    Collision {
        /// The tick after which the violation was found; 0 is the beginning.
        tick: usize,
        /// The number of the agent.
        agent: usize,
        /// The number of the other agent.
        other: usize,
        /// Column and row.
        at: Point,
    },
    /// Two agents exchanged cells.
    #[error("tick {tick}: agents {agent} and {other} swapped cells")]
    Swap {
        /// The tick after which the violation was found; 0 is the beginning.
        tick: usize,
        /// The number of the agent.
        agent: usize,
        /// The number of the other agent.
        other: usize,
    },
    /// Two diagonal steps crossed, and that is forbidden.
    #[error("tick {tick}: the diagonals of agents {agent} and {other} crossed")]
    Crossing {
        /// The tick after which the violation was found; 0 is the beginning.
        tick: usize,
        /// The number of the agent.
        agent: usize,
        /// The number of the other agent.
        other: usize,
    },
    /// An agent moved to a cell to which no legal step leads.
    #[error(
        "tick {tick}: agent {agent} went from ({}, {}) to ({}, {}), which is not a legal step",
        from.0, from.1, to.0, to.1
    )]
    NoSuchStep {
        /// The tick after which the violation was found; 0 is the beginning.
        tick: usize,
        /// The number of the agent.
        agent: usize,
        /// Column and row before the step.
        from: Point,
        /// Column and row after it.
        to: Point,
    },
    /// An agent that is not ours moved without a change by the game.
    #[error("tick {tick}: agent {agent} is not ours, and was moved")]
    ForeignMoved {
        /// The tick after which the violation was found; 0 is the beginning.
        tick: usize,
        /// The number of the agent.
        agent: usize,
    },
    /// An agent joined or left without a change by the game.
    #[error("tick {tick}: there are {found} agents where {expected} are expected")]
    Headcount {
        /// The tick after which the violation was found; 0 is the beginning.
        tick: usize,
        /// Agents found.
        found: usize,
        /// Agents expected.
        expected: usize,
    },
    /// A change in a path file is not possible: for example, it names a place outside the map, or an agent that
    /// is not present.
    #[error("line {line}: this change is impossible after {tick} ticks")]
    ImpossibleChange {
        /// How many ticks had passed.
        tick: usize,
        /// The line of the file.
        line: usize,
    },
    /// The first positions of a path file are not its starts.
    #[error("tick 0: agent {agent} does not stand on its start")]
    NotAtStart {
        /// The number of the agent.
        agent: usize,
    },
    /// Two agents are not where they are to meet.
    #[error("tick {tick}: agents {agent} and {other} do not meet on ({x}, {y})", x = at.0, y = at.1)]
    MeetingMissed {
        /// The tick of the meeting.
        tick: usize,
        /// The number of the initiator.
        agent: usize,
        /// The number of the executor.
        other: usize,
        /// Column and row of the meeting.
        at: Point,
    },
    /// An initiator has not visited the start of its task when it meets the executor.
    #[error("tick {tick}: agent {agent} has not visited the start ({x}, {y}) of its task", x = start.0, y = start.1)]
    StartNotVisited {
        /// The tick of the meeting.
        tick: usize,
        /// The number of the initiator.
        agent: usize,
        /// Column and row of the start.
        start: Point,
    },
    /// An initiator moves after its meeting.
    #[error("tick {tick}: agent {agent} goes on after its meeting")]
    GoesOn {
        /// The tick after which the violation was found.
        tick: usize,
        /// The number of the initiator.
        agent: usize,
    },
    /// An executor does not end on the goal of its task.
    #[error("agent {agent} does not end on the goal ({x}, {y}) of its task", x = goal.0, y = goal.1)]
    GoalNotReached {
        /// The number of the executor.
        agent: usize,
        /// Column and row of the goal.
        goal: Point,
    },
}

impl Violation {
    /// The tick after which it was found, where 0 is the beginning; none if it is about the run as a whole.
    pub const fn tick(&self) -> Option<usize> {
        match self {
            Self::NotFloor { tick, .. }
            | Self::Collision { tick, .. }
            | Self::Swap { tick, .. }
            | Self::Crossing { tick, .. }
            | Self::NoSuchStep { tick, .. }
            | Self::ForeignMoved { tick, .. }
            | Self::Headcount { tick, .. }
            | Self::ImpossibleChange { tick, .. }
            | Self::MeetingMissed { tick, .. }
            | Self::StartNotVisited { tick, .. }
            | Self::GoesOn { tick, .. } => Some(*tick),
            Self::NotAtStart { .. } => Some(0),
            Self::GoalNotReached { .. } => None,
        }
    }

    /// The numbers of the agents that it is about.
    pub fn agents(&self) -> Vec<usize> {
        match self {
            Self::Collision { agent, other, .. }
            | Self::Swap { agent, other, .. }
            | Self::Crossing { agent, other, .. }
            | Self::MeetingMissed { agent, other, .. } => vec![*agent, *other],
            Self::NotFloor { agent, .. }
            | Self::NoSuchStep { agent, .. }
            | Self::ForeignMoved { agent, .. }
            | Self::NotAtStart { agent }
            | Self::StartNotVisited { agent, .. }
            | Self::GoesOn { agent, .. }
            | Self::GoalNotReached { agent, .. } => vec![*agent],
            Self::Headcount { .. } | Self::ImpossibleChange { .. } => Vec::new(),
        }
    }
}

/// The size and the result of a legal run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Legal {
    /// How many agents of ours are present at the end.
    pub agents: usize,
    /// How many ticks passed.
    pub ticks: usize,
    /// How many of those agents stand on their goals at the end.
    pub arrived: usize,
    /// How many tasks of agents that meet are done: all that the run has.
    pub tasks: usize,
    /// How many goals agents of ours have reached. A goal counts once, at the first tick after which the agent stands on it; a start that
    /// is a goal does not count.
    pub reached: usize,
    /// How often the game has sent an agent to another goal.
    pub sent: usize,
}

/// Checks a whole run, including the changes that the game made.
///
/// # Errors
/// The first violation.
pub fn check_trace(trace: &Trace) -> Result<Legal, Violation> {
    let mut checker = Checker::begin(trace.grid(), trace.opening().iter().copied())?;
    let mut frames = trace.frames();
    while let Some(frame) = frames.next_frame() {
        checker.tick(frame.changes(), frame.cells())?;
    }
    Ok(checker.finish())
}

/// Checks a run tick by tick, while it is going on.
pub struct Checker {
    board: Board,
    next: Vec<Option<Point>>,
}

impl Checker {
    /// Begins with these agents on their cells.
    ///
    /// # Errors
    /// When an agent is not on floor, or two are on one cell.
    pub fn begin(grid: &Grid, agents: impl Iterator<Item = Agent>) -> Result<Self, Violation> {
        let mut board = Board::new(grid);
        for Agent { id, cell, goal, ours } in agents {
            board.join(id.slot(), board.point(cell), board.point(goal), ours);
        }
        board.check_standing()?;
        Ok(Self { board, next: Vec::new() })
    }

    /// Checks one tick: the game has made these changes, and after the tick the agents stand on these cells,
    /// by slot.
    ///
    /// # Errors
    /// The first violation in this tick.
    pub fn tick(
        &mut self,
        changes: &[Change],
        cells: impl Iterator<Item = Option<Cell>>,
    ) -> Result<(), Violation> {
        let Self { board, next } = self;
        for change in changes {
            let change: Result<_, Infallible> =
                change.try_map(|agent| Ok(agent.slot()), |cell| Ok(board.point(cell)));
            let Ok(change) = change;
            board.change(&change);
        }
        if !changes.is_empty() {
            board.check_apart()?;
        }
        next.clear();
        next.extend(cells.map(|cell| cell.map(|cell| board.point(cell))));
        board.step(next)
    }

    /// The summary of the run so far.
    pub fn finish(&self) -> Legal {
        self.board.finish()
    }
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checker").field("tick", &self.board.tick()).finish_non_exhaustive()
    }
}

/// Checks a path file against its map, including the changes by the game and the tasks that it lists.
///
/// # Errors
/// The first violation.
pub fn check_paths(grid: &Grid, paths: &Paths) -> Result<Legal, Violation> {
    let mut checker = PathsChecker::begin(grid, &paths.opening)?;
    paths.for_each_step(|step| checker.step(step))?;
    checker.finish()
}

/// Checks a path file against its map, step by step.
pub struct PathsChecker {
    board: Board,
    starts: Vec<Position>,
    has_begun: bool,
    next: Vec<Option<Point>>,
}

impl PathsChecker {
    /// Begins with agents on their starts.
    ///
    /// # Errors
    /// When an agent is not on floor, or two are on one cell.
    pub fn begin(grid: &Grid, opening: &PathsOpening) -> Result<Self, Violation> {
        let PathsOpening { starts, goals, foreign, tasks } = opening;
        let foreign: HashSet<u32> = foreign.iter().copied().collect();
        let mut board = Board::new(grid);
        for (agent, start) in starts.iter().enumerate() {
            if let Some(start) = *start {
                let goal = goals.get(agent).copied().flatten().unwrap_or(start);
                board.join(agent, point(start), point(goal), !foreign.contains(&(agent as u32)));
            }
        }
        board.make_room(starts.len());
        board.expect_meetings(Pairs::new(tasks));
        board.check_standing()?;
        Ok(Self { board, starts: starts.clone(), has_begun: false, next: Vec::new() })
    }

    /// Checks the next step; the first is that of tick 0.
    ///
    /// # Errors
    /// The first violation in this step.
    pub fn step(&mut self, step: PathsStep<'_>) -> Result<(), Violation> {
        let Self { board, starts, has_begun, next } = self;
        if !std::mem::replace(has_begun, true) {
            return match PathsOpening::first_elsewhere(starts, step.positions) {
                Some(agent) => Err(Violation::NotAtStart { agent }),
                None => Ok(()),
            };
        }
        for entry in step.changes {
            let change: Result<_, Infallible> =
                entry.change.try_map(|agent| Ok(agent as usize), |position| Ok(point(position)));
            let Ok(change) = change;
            if !board.can_change(&change) {
                return Err(Violation::ImpossibleChange { tick: board.tick(), line: entry.line });
            }
            board.change(&change);
        }
        if !step.changes.is_empty() {
            board.check_apart()?;
        }
        next.clear();
        next.extend(step.positions.iter().map(|at| at.map(point)));
        board.step(next)
    }

    /// The summary of the run.
    ///
    /// # Errors
    /// When there was no step at all, or a task is not done.
    pub fn finish(&self) -> Result<Legal, Violation> {
        if self.has_begun {
            self.board.check_tasks()?;
            return Ok(self.board.finish());
        }
        let expected = self.starts.iter().flatten().count();
        Err(Violation::Headcount { tick: 0, found: 0, expected })
    }
}

impl std::fmt::Debug for PathsChecker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PathsChecker").field("tick", &self.board.tick()).finish_non_exhaustive()
    }
}

fn point((x, y): (u32, u32)) -> Point {
    (i64::from(x), i64::from(y))
}

#[cfg(test)]
#[path = "check_test.rs"]
mod tests;
