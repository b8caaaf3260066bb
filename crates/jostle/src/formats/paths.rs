//! Path files: the text form in which MAPF tools exchange solutions.
//!
//! ```text
//! starts=(x,y),(x,y),
//! goals=(x,y),(x,y),
//! solution=
//! 0:(x,y),(x,y),
//! 1:(x,y),(x,y),
//! ```
//!
//! If the game changed something during the run, each change has a line before the tick that it precedes: `change=` and
//! a line of a [script](crate::Script). `foreign=` lists the agents that the game moves. Agents are numbered by their
//! columns, in the order in which they joined; `-` stands for an agent that is not present.
//!
//! ```text
//! starts=(1,1),(4,4),
//! goals=(7,7),(4,4),
//! foreign=1,
//! solution=
//! 0:(1,1),(4,4),
//! change=0 wall (5,5)
//! change=0 add 2 (0,0) to (6,6)
//! 1:(2,2),(4,4),(1,1),
//! ```
//!
//! Changes may also be listed before `solution=`. The columns of agents that join later are then there from the
//! beginning, with `-`.

mod writer;

pub use writer::PathsWriter;

use super::quote::quoted;
use super::script::{ScriptTextError, position};
use crate::grid::{Cell, Grid};
use crate::plan::{Plan, TimedPath};
use crate::script::{Refusal, RefusalReason, Script, ScriptEntry, ScriptPlayer};
use crate::trace::Trace;
use crate::world::{Change, ChangeError, IllegalMove, Moves, World};
use writer::{Numbers, write_change, write_opening, write_step};

/// A column and a row, or `None` for an agent that is not present.
pub type Position = Option<(u32, u32)>;

/// Where every agent stood at every tick, and what the game changed during the run, in columns and rows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Paths {
    /// Where agents begin, by number. Agents that join later are `None` or not listed.
    pub starts: Vec<Position>,
    /// The goals of the agents at the beginning, by number.
    pub goals: Vec<Position>,
    /// The numbers of the agents that were present at the beginning and that only the game moves.
    pub foreign: Vec<u32>,
    /// Where agents stand at every tick, from tick 0, by number. A step lists all agents that have begun or joined so
    /// far.
    pub steps: Vec<Vec<Position>>,
    /// The changes that the game made.
    pub script: Script,
}

/// Why a text is not a path file. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PathsError {
    /// A list of positions was expected.
    #[error("line {line}: expected positions (x,y),(x,y),... and found {found}")]
    Positions {
        /// The line.
        line: usize,
        /// The text that was found, in quotes.
        found: String,
    },
    /// A list of agents was expected.
    #[error("line {line}: expected numbers of agents, as in 3,7, and found {found}")]
    Agents {
        /// The line.
        line: usize,
        /// The text that was found, in quotes.
        found: String,
    },
    /// A tick is missing or out of order.
    #[error("line {line}: expected tick {expected}, found {found}")]
    Tick {
        /// The line.
        line: usize,
        /// The tick that should follow.
        expected: usize,
        /// The text that was found, in quotes, or what it is.
        found: String,
    },
    /// A line has too few or too many positions.
    #[error("line {line}: found {found} positions for {expected} agents")]
    Count {
        /// The line.
        line: usize,
        /// How many positions were found.
        found: usize,
        /// How many agents there are.
        expected: usize,
    },
    /// A change is listed at a tick to which it does not belong.
    #[error("line {line}: expected a change of tick {expected}, found one of tick {found}")]
    ChangeTick {
        /// The line.
        line: usize,
        /// The tick to which the line belongs.
        expected: usize,
        /// The tick that the line names.
        found: u64,
    },
    /// An agent joins whose column is not the next.
    #[error("line {line}: agent {found} joins, but the next agent is number {expected}")]
    Join {
        /// The line.
        line: usize,
        /// The number of the next column.
        expected: usize,
        /// The number that the agent has.
        found: u32,
    },
    /// A `change=` line is not a line of a script.
    #[error(transparent)]
    Change(#[from] ScriptTextError),
    /// A part is missing.
    #[error("there is no '{0}' line")]
    Missing(&'static str),
    /// The file ends after `solution=`.
    #[error("the solution has no ticks")]
    Empty,
}

/// Why a path file is not a legal run on a map.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// An agent cannot begin where the file says.
    #[error(transparent)]
    Start(#[from] ChangeError),
    /// The game cannot have made this change.
    #[error("line {line}: {reason}")]
    Change {
        /// The line of the file.
        line: usize,
        /// Why it is impossible.
        reason: RefusalReason,
    },
    /// Agents cannot have moved like this.
    #[error(transparent)]
    Move(#[from] IllegalMove),
}

impl Paths {
    /// The paths of a run. Agents are numbered in the order in which they joined.
    pub fn of(trace: &Trace) -> Self {
        let (grid, mut numbers) = (trace.grid(), Numbers::default());
        let mut paths = Self::default();
        for agent in trace.opening() {
            let number = numbers.give(agent.slot());
            paths.starts.push(Some(grid.position(agent.cell)));
            paths.goals.push(Some(grid.position(agent.goal)));
            paths.foreign.extend((!agent.ours).then_some(number));
        }
        paths.steps.push(paths.starts.clone());
        let (mut entries, mut frames) = (Vec::new(), trace.frames());
        while let Some(frame) = frames.next_frame() {
            let tick = paths.steps.len() as u64 - 1;
            for change in frame.changes() {
                let change = numbers.rename(change, grid);
                entries.push(ScriptEntry { tick, change, line: 0 });
            }
            let mut step = Vec::new();
            numbers.fill(frame.cells(), grid, &mut step);
            paths.steps.push(step);
        }
        paths.script = Script::of(entries);
        paths
    }

    /// The paths of a plan, up to the last tick of the longest.
    pub fn of_plan(plan: &Plan) -> Self {
        let grid = plan.grid();
        let last = plan.paths().iter().filter_map(TimedPath::ends).max().unwrap_or(0);
        let at = |tick: u64| {
            let cells = plan.paths().iter().map(move |path| path.at(tick));
            cells.map(|cell| cell.map(|cell| grid.position(cell))).collect::<Vec<_>>()
        };
        let goal = |path: &TimedPath| path.cells.last().map(|&cell| grid.position(cell));
        Self {
            starts: at(0),
            goals: plan.paths().iter().map(goal).collect(),
            steps: (0..=last).map(at).collect(),
            ..Self::default()
        }
    }

    /// The paths as a plan on a map; `None` if a position is outside the map, or an agent is not present from the
    /// beginning to the end.
    pub fn to_plan(&self, grid: &Grid) -> Option<Plan> {
        let path = |agent: usize| {
            let cells = self.steps.iter().map(|step| {
                let (x, y) = (*step.get(agent)?)?;
                grid.at(x, y)
            });
            cells.collect::<Option<Vec<Cell>>>().map(TimedPath::of)
        };
        let paths = (0..self.starts.len()).map(path).collect::<Option<Vec<_>>>()?;
        Some(Plan::new(grid.clone(), paths))
    }

    /// Replays the run on its map, tick by tick, in a world that checks every move, and returns its trace.
    ///
    /// # Errors
    /// When it is not legal on this map.
    pub fn to_trace(&self, grid: &Grid) -> Result<Trace, ReplayError> {
        let mut world = World::new(grid.clone());
        let mut cast = Vec::new();
        for (number, (start, goal)) in (0..).zip(self.starts.iter().zip(&self.goals)) {
            let Some(start) = *start else { continue };
            let cell = grid.locate(start).map_err(ChangeError::from)?;
            let id = if self.foreign.contains(&number) {
                world.add_foreign(cell)?
            } else {
                let goal = grid.locate(goal.unwrap_or(start)).map_err(ChangeError::from)?;
                world.add(cell, goal)?
            };
            cast.push((number, id));
        }
        let mut player = ScriptPlayer::with_cast(&self.script, cast);
        let mut trace = Trace::begin(&world);
        let mut moves = Moves::default();
        for step in self.steps.iter().skip(1) {
            player.play(&mut world);
            if let Some(refusal) = player.refusals().first() {
                let Refusal { entry, reason } = *refusal;
                return Err(ReplayError::Change { line: entry.line, reason });
            }
            moves.reset(&world);
            for (number, position) in (0..).zip(step) {
                if let (Some(agent), Some(position)) = (player.agent(number), *position) {
                    moves.set(agent, grid.locate(position).map_err(ChangeError::from)?);
                }
            }
            world.advance(&moves)?;
            trace.record(&world);
        }
        Ok(trace)
    }

    /// Reads a path file. Unknown lines of the form `name=...` before `solution=` are skipped.
    ///
    /// # Errors
    /// When the text is not a complete and valid path file.
    pub fn parse(text: &str) -> Result<Self, PathsError> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        let (mut starts, mut goals) = (None, None);
        let (mut foreign, mut changes) = (Vec::new(), Vec::new());
        loop {
            match lines.next() {
                Some((line, content)) => match content.split_once('=') {
                    Some(("starts", list)) => starts = Some(positions(list, line)?),
                    Some(("goals", list)) => goals = Some((line, positions(list, line)?)),
                    Some(("foreign", list)) => foreign = numbers(list, line)?,
                    Some(("change", change)) => {
                        changes.push(ScriptEntry::parse(change.trim(), line)?);
                    }
                    Some(("solution", "")) => break,
                    Some(_) => {}
                    None if content.is_empty() => {}
                    None => {
                        return Err(PathsError::Positions { line, found: quoted(content) });
                    }
                },
                None => return Err(PathsError::Missing("solution=")),
            }
        }
        let starts = starts.ok_or(PathsError::Missing("starts="))?;
        let (line, goals) = goals.ok_or(PathsError::Missing("goals="))?;
        let expect_agents = |line, found: usize, expected: usize| {
            if found == expected {
                Ok(())
            } else {
                Err(PathsError::Count { line, found, expected })
            }
        };
        expect_agents(line, goals.len(), starts.len())?;
        let mut steps: Vec<Vec<Position>> = Vec::new();
        let mut columns = starts.len();
        for (line, content) in lines.filter(|(_, content)| !content.is_empty()) {
            if let Some(("change", change)) = content.split_once('=') {
                let entry = ScriptEntry::parse(change.trim(), line)?;
                columns = Self::columns_after(&entry, columns, steps.len())?;
                changes.push(entry);
                continue;
            }
            let (tick, list) = content.split_once(':').unwrap_or((content, ""));
            if tick.parse() != Ok(steps.len()) {
                let (expected, found) = (steps.len(), quoted(tick));
                return Err(PathsError::Tick { line, expected, found });
            }
            let step = positions(list, line)?;
            expect_agents(line, step.len(), columns)?;
            steps.push(step);
        }
        if steps.is_empty() {
            return Err(PathsError::Empty);
        }
        Ok(Self { starts, goals, foreign, steps, script: Script::of(changes) })
    }

    /// How many columns there are after a change that follows this many steps.
    fn columns_after(
        entry: &ScriptEntry,
        columns: usize,
        steps: usize,
    ) -> Result<usize, PathsError> {
        let line = entry.line;
        // A change of a tick follows the step of that number.
        let Some(expected) = steps.checked_sub(1) else {
            return Err(PathsError::Tick { line, expected: 0, found: "a change".to_owned() });
        };
        if entry.tick != expected as u64 {
            return Err(PathsError::ChangeTick { line, expected, found: entry.tick });
        }
        match entry.change {
            Change::Join { agent, .. } if agent as usize == columns => Ok(columns + 1),
            Change::Join { agent, .. } if agent as usize > columns => {
                Err(PathsError::Join { line, expected: columns, found: agent })
            }
            _ => Ok(columns),
        }
    }

    /// Writes a path file.
    pub fn write(&self) -> String {
        let mut text = String::new();
        write_opening(&mut text, &self.starts, &self.goals, &self.foreign);
        // Changes after the last step have no step to stand before.
        let steps = self.steps.len() as u64;
        for entry in
            self.script.entries().iter().filter(|entry| entry.tick.saturating_add(1) >= steps)
        {
            write_change(&mut text, entry);
        }
        text.push_str("solution=\n");
        let mut entries = self.script.entries().iter().peekable();
        for (tick, step) in (0..).zip(&self.steps) {
            while let Some(entry) = entries.next_if(|entry| entry.tick < tick) {
                write_change(&mut text, entry);
            }
            write_step(&mut text, tick, step);
        }
        text
    }
}

fn positions(list: &str, line: usize) -> Result<Vec<Position>, PathsError> {
    let wrong = || PathsError::Positions { line, found: quoted(list) };
    let mut rest = list.trim().trim_end_matches(',');
    let mut positions = Vec::new();
    while !rest.is_empty() {
        let (found, end) = if rest.starts_with('-') {
            (None, 1)
        } else {
            let end = rest.find(')').ok_or_else(wrong)? + 1;
            (Some(position(&rest[..end]).ok_or_else(wrong)?), end)
        };
        positions.push(found);
        rest = match rest[end..].trim_start() {
            "" => "",
            more => more.strip_prefix(',').ok_or_else(wrong)?.trim_start(),
        };
    }
    Ok(positions)
}

fn numbers(list: &str, line: usize) -> Result<Vec<u32>, PathsError> {
    let items = list.split(',').map(str::trim).filter(|item| !item.is_empty());
    let numbers = items.map(|item| item.parse().ok()).collect::<Option<_>>();
    numbers.ok_or_else(|| PathsError::Agents { line, found: quoted(list) })
}

#[cfg(test)]
#[path = "paths_test.rs"]
mod tests;
