//! Path files: the text form in which MAPF tools exchange solutions.
//!
//! ```text
//! starts=(x,y),(x,y),
//! goals=(x,y),(x,y),
//! marks=end
//! solution=
//! 0:(x,y),(x,y),
//! 1:(x,y),(x,y),
//! end=1
//! ```
//!
//! `marks=end` announces the last line, without which the file is cut off: see `paths/ending.rs`.
//! Files of other tools have neither.
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
//! A file of pairs of agents that [meet](crate::meetings) has a line for each task before `solution=`: the initiator, the
//! executor, the start of the task, where and when they meet, and the goal. The two share a cell at that tick. In such a file
//! agents leave, and nothing else is changed.
//!
//! ```text
//! starts=(0,0),(4,0),
//! goals=(2,0),(3,0),
//! task=0 1 via (1,0) meet (2,0) at 2 to (3,0)
//! solution=
//! 0:(0,0),(4,0),
//! 1:(1,0),(3,0),
//! 2:(2,0),(2,0),
//! change=2 remove 0
//! 3:-,(3,0),
//! ```
//!
//! Lines of more than 10,000 agents, and those after the first 100 MB, are compact: a digit for the step of each agent,
//! and a number in brackets for agents that stay, as in `25:steps 0412[30]83`. The form is described in `paths/steps.rs`.
//! Earlier versions listed the agents that have moved, as in `25:moved 3=(7,4),8=(1,1),`. Such lines are read as well.
//!
//! Changes may also be listed before `solution=`. The columns of agents that join later are then there from the
//! beginning, with `-`.

mod ending;
mod reader;
mod replay;
mod steps;
mod task;
mod writer;

pub use reader::{PathsOpening, PathsReader, PathsStep};
pub use replay::PathsReplay;
pub use task::PathsTask;
pub use writer::PathsWriter;

use super::script::ScriptTextError;
use crate::grid::{Cell, Grid};
use crate::plan::{Plan, TimedPath};
use crate::script::{RefusalReason, Script, ScriptEntry};
use crate::trace::Trace;
use crate::world::{ChangeError, IllegalMove};
use ending::Ending;
use writer::{Numbers, write_change, write_opening, write_step};

/// A column and a row, or `None` for an agent that is not present.
pub type Position = Option<(u32, u32)>;

/// Where every agent stood at every tick, and what the game changed during the run, in columns and rows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Paths {
    /// How the run begins.
    pub opening: PathsOpening,
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
    /// A line before `solution=` is not of the form `name=...`.
    #[error("line {line}: expected starts=, goals=, solution= or another name=, and found {found}")]
    Header {
        /// The line.
        line: usize,
        /// The text that was found, in quotes.
        found: String,
    },
    /// A list of positions was expected.
    #[error("line {line}: expected positions (x,y),(x,y),... and found {found}")]
    Positions {
        /// The line.
        line: usize,
        /// The text that was found, in quotes.
        found: String,
    },
    /// The steps of agents were expected.
    #[error(
        "line {line}: expected a digit from 0 to 8, (x,y), - or [NUMBER] for each agent, and found {found}"
    )]
    Steps {
        /// The line.
        line: usize,
        /// The text from the first wrong step on, in quotes.
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
    /// A line is not a task of two agents that meet.
    #[error(
        "line {line}: expected 'task=AGENT AGENT via (X,Y) meet (X,Y) at TICK to (X,Y)', found {found}"
    )]
    Task {
        /// The line.
        line: usize,
        /// The text that was found, in quotes.
        found: String,
    },
    /// A task is that of an agent that is not there at the beginning, or that has another task.
    #[error("line {line}: agent {agent} {reason}")]
    TaskAgent {
        /// The line.
        line: usize,
        /// The agent's number.
        agent: u32,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// In a file with tasks, something else is changed than that an agent leaves.
    #[error("line {line}: in a file with tasks, agents can leave, and no other change is possible")]
    TaskChange {
        /// The line.
        line: usize,
    },
    /// A `change=` line is not a line of a script.
    #[error(transparent)]
    Change(#[from] ScriptTextError),
    /// The file announces a last line and has none.
    #[error(
        "line {line}: the file is cut off here: its beginning announces a last line, end=TICKS, and there is none"
    )]
    Cut {
        /// The last line that there is.
        line: usize,
    },
    /// The last line names another number of ticks than the file has.
    #[error("line {line}: expected the end of a run of {expected} ticks, found {found}")]
    End {
        /// The line.
        line: usize,
        /// How many ticks there are.
        expected: usize,
        /// The text that was found, in quotes.
        found: String,
    },
    /// Something follows the last line.
    #[error("line {line}: expected nothing after the line that ends the run, found {found}")]
    AfterEnd {
        /// The line.
        line: usize,
        /// The text that was found, in quotes.
        found: String,
    },
    /// A line could not be read.
    #[error("line {line}: {reason}")]
    Unreadable {
        /// The line.
        line: usize,
        /// Why it cannot be read.
        reason: String,
    },
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
    /// The first positions are not the starts.
    #[error("tick 0: agent {agent} does not stand on its start")]
    NotAtStart {
        /// The number of the agent.
        agent: usize,
    },
    /// There is a position for an agent that is not present, or none for one that is.
    #[error("tick {tick}: agent {agent} is present or has a position, and not both")]
    Presence {
        /// The tick of the step.
        tick: usize,
        /// The number of the agent.
        agent: u32,
    },
}

impl Paths {
    /// The paths of a run. Agents are numbered in the order in which they joined.
    pub fn of(trace: &Trace) -> Self {
        let (grid, mut numbers) = (trace.grid(), Numbers::default());
        let opening = numbers.begin(trace.opening().iter().copied(), grid);
        let mut steps = vec![opening.starts.clone()];
        let (mut entries, mut frames) = (Vec::new(), trace.frames());
        while let Some(frame) = frames.next_frame() {
            let tick = steps.len() as u64 - 1;
            for change in frame.changes() {
                let change = numbers.rename(change, grid);
                entries.push(ScriptEntry { tick, change, line: 0 });
            }
            let mut step = Vec::new();
            numbers.fill(frame.cells(), grid, &mut step);
            steps.push(step);
        }
        Self { opening, steps, script: Script::of(entries) }
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
        let goals = plan.paths().iter().map(goal).collect();
        let opening = PathsOpening { starts: at(0), goals, ..PathsOpening::default() };
        Self { opening, steps: (0..=last).map(at).collect(), script: Script::default() }
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
        let paths = (0..self.opening.starts.len()).map(path).collect::<Option<Vec<_>>>()?;
        Some(Plan::new(grid.clone(), paths))
    }

    /// Calls this for every step.
    pub(crate) fn for_each_step<E>(
        &self,
        mut visit: impl FnMut(PathsStep<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut entries = self.script.entries();
        for (tick, positions) in (0..).zip(&self.steps) {
            let now = entries.partition_point(|entry| entry.tick < tick);
            let (changes, later) = entries.split_at(now);
            entries = later;
            visit(PathsStep { changes, positions })?;
        }
        Ok(())
    }

    /// Replays the run on its map, tick by tick, in a world that checks every move, and returns its trace. A run with tasks is
    /// recorded without a world: see [`PathsReplay`].
    ///
    /// # Errors
    /// When it is not legal on this map.
    pub fn to_trace(&self, grid: &Grid) -> Result<Trace, ReplayError> {
        let mut replay = PathsReplay::begin(grid, &self.opening)?;
        self.for_each_step(|step| replay.step(step))?;
        Ok(replay.finish())
    }

    /// Reads a path file. Unknown lines of the form `name=...` before `solution=` are skipped.
    ///
    /// # Errors
    /// When the text is not a complete and valid path file.
    pub fn parse(text: &str) -> Result<Self, PathsError> {
        let mut reader = PathsReader::begin(text.as_bytes())?;
        let opening = reader.opening().clone();
        let (mut steps, mut changes) = (Vec::new(), Vec::new());
        while let Some(step) = reader.next_step()? {
            changes.extend(step.changes);
            steps.push(step.positions.to_vec());
        }
        changes.extend(reader.later_changes());
        Ok(Self { opening, steps, script: Script::of(changes) })
    }

    /// Writes a path file.
    pub fn write(&self) -> String {
        let mut text = String::new();
        write_opening(&mut text, &self.opening);
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
        Ending::Whole.write(&mut text, steps.saturating_sub(1));
        text
    }
}

#[cfg(test)]
#[path = "paths_test.rs"]
mod tests;
