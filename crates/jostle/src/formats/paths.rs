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
//! If the game changed something during the run, the changes are listed before `solution=`, in lines that other
//! tools skip: each `change=` is a line of a [script](crate::Script), and `foreign=` lists the agents that the game
//! moves. Agents are numbered by their columns; `-` stands for an agent that is not present.
//!
//! ```text
//! starts=(1,1),(4,4),-,
//! goals=(7,7),(4,4),-,
//! foreign=1,
//! change=3 wall (5,5)
//! change=5 add 2 (0,0) to (6,6)
//! solution=
//! ```

use std::fmt::Write;

use super::quote::quoted;
use super::script::{ScriptTextError, position};
use super::text::without_byte_order_mark;
use crate::grid::{Cell, Grid};
use crate::plan::{Plan, TimedPath};
use crate::script::{Refusal, RefusalReason, Script, ScriptEntry, ScriptPlayer, ScriptedChange};
use crate::trace::{Frame, Trace};
use crate::world::{AgentId, Change, ChangeError, IllegalMove, Moves, World};

/// A column and a row, or `None` for an agent that is not present.
pub type Position = Option<(u32, u32)>;

/// Where every agent stood at every tick, and what the game changed during the run, in columns and rows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Paths {
    /// Where agents begin, by number; `None` for agents that join later.
    pub starts: Vec<Position>,
    /// The goals of the agents at the beginning, by number.
    pub goals: Vec<Position>,
    /// The numbers of the agents that were present at the beginning and that only the game moves.
    pub foreign: Vec<u32>,
    /// Where agents stand at every tick, from tick 0, by number.
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
        /// The text that was found, in quotes.
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
        Transcript::of(trace).paths
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
        let text = without_byte_order_mark(text);
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
                        return Err(PathsError::Header { line, found: quoted(content) });
                    }
                },
                None => return Err(PathsError::Missing("solution=")),
            }
        }
        let starts = starts.ok_or(PathsError::Missing("starts="))?;
        let (line, goals) = goals.ok_or(PathsError::Missing("goals="))?;
        let expect_all_agents = |line, found: usize| {
            let expected = starts.len();
            if found == expected {
                Ok(())
            } else {
                Err(PathsError::Count { line, found, expected })
            }
        };
        expect_all_agents(line, goals.len())?;
        let mut steps = Vec::new();
        for (line, content) in lines.filter(|(_, content)| !content.is_empty()) {
            let (tick, list) = content.split_once(':').unwrap_or((content, ""));
            if tick.parse() != Ok(steps.len()) {
                let (expected, found) = (steps.len(), quoted(tick));
                return Err(PathsError::Tick { line, expected, found });
            }
            let step = positions(list, line)?;
            expect_all_agents(line, step.len())?;
            steps.push(step);
        }
        if steps.is_empty() {
            return Err(PathsError::Empty);
        }
        Ok(Self { starts, goals, foreign, steps, script: Script::of(changes) })
    }

    /// Writes a path file.
    pub fn write(&self) -> String {
        let mut text = String::new();
        let list = |text: &mut String, name: &str, positions: &[Position]| {
            text.push_str(name);
            for position in positions {
                // Writing to a string cannot fail.
                let _ = match position {
                    Some((x, y)) => write!(text, "({x},{y}),"),
                    None => write!(text, "-,"),
                };
            }
            text.push('\n');
        };
        list(&mut text, "starts=", &self.starts);
        list(&mut text, "goals=", &self.goals);
        if !self.foreign.is_empty() {
            let numbers = self.foreign.iter().map(|agent| format!("{agent},"));
            let _ = writeln!(text, "foreign={}", numbers.collect::<String>());
        }
        for entry in self.script.entries() {
            let _ = writeln!(text, "change={}", entry.write());
        }
        text.push_str("solution=\n");
        for (tick, step) in self.steps.iter().enumerate() {
            list(&mut text, &format!("{tick}:"), step);
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

/// The conversion of a trace to paths.
struct Transcript<'a> {
    grid: &'a Grid,
    /// The number of the agent in each slot.
    numbers: Vec<Option<u32>>,
    /// How many agents have joined so far.
    count: u32,
    paths: Paths,
}

impl<'a> Transcript<'a> {
    fn of(trace: &'a Trace) -> Self {
        let changes = trace.frames().iter().flat_map(Frame::changes);
        let joins = changes.filter(|change| matches!(change, Change::Join { .. })).count();
        let agents = trace.opening().len() + joins;
        let mut transcript = Self {
            grid: trace.grid(),
            numbers: Vec::new(),
            count: 0,
            paths: Paths {
                starts: vec![None; agents],
                goals: vec![None; agents],
                ..Paths::default()
            },
        };
        for agent in trace.opening() {
            let number = transcript.number(agent.slot());
            transcript.paths.starts[number as usize] = Some(transcript.grid.position(agent.cell));
            transcript.paths.goals[number as usize] = Some(transcript.grid.position(agent.goal));
            if !agent.ours {
                transcript.paths.foreign.push(number);
            }
        }
        transcript.paths.steps.push(transcript.paths.starts.clone());
        let mut entries = Vec::new();
        for (frame, tick) in trace.frames().iter().zip(0..) {
            for change in frame.changes() {
                entries.push(ScriptEntry { tick, change: transcript.change(change), line: 0 });
            }
            let mut step = vec![None; agents];
            for (cell, number) in frame.cells().zip(&transcript.numbers) {
                if let (Some(cell), Some(number)) = (cell, number) {
                    step[*number as usize] = Some(trace.grid().position(cell));
                }
            }
            transcript.paths.steps.push(step);
        }
        transcript.paths.script = Script::of(entries);
        transcript
    }

    /// Gives the next number to the agent in a slot.
    fn number(&mut self, slot: usize) -> u32 {
        if slot >= self.numbers.len() {
            self.numbers.resize(slot + 1, None);
        }
        self.numbers[slot] = Some(self.count);
        self.count += 1;
        self.count - 1
    }

    fn change(&mut self, change: &Change) -> ScriptedChange {
        if let Change::Join { agent, .. } = change {
            self.number(agent.slot());
        }
        // An agent that a change concerns has joined before, so it has a number.
        let rename = |agent: AgentId| {
            Ok(self.numbers.get(agent.slot()).copied().flatten().unwrap_or_default())
        };
        let renamed: Result<_, std::convert::Infallible> =
            change.try_map(rename, |cell| Ok(self.grid.position(cell)));
        let Ok(renamed) = renamed;
        renamed
    }
}

#[cfg(test)]
#[path = "paths_test.rs"]
mod tests;
