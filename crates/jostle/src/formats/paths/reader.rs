//! Reads a path file tick by tick, so that its size does not matter.

use std::io::BufRead;

use super::ending::Ending;
use super::{PathsError, PathsTask, Position, steps};
use crate::formats::quote::quoted;
use crate::formats::script::position;
use crate::script::ScriptEntry;
use crate::world::Change;

/// The most bytes of a line: enough for ten million agents.
const LONGEST_LINE: usize = 1 << 28;

/// Reads a path file tick by tick.
///
/// ```
/// use jostle::formats::PathsReader;
///
/// let text = "starts=(0,0),\ngoals=(2,0),\nsolution=\n0:(0,0),\n1:(1,0),\n2:(2,0),\n";
/// let mut file = PathsReader::begin(text.as_bytes())?;
/// let mut xs = Vec::new();
/// while let Some(step) = file.next_step()? {
///     xs.extend(step.positions.iter().flatten().map(|(x, _)| *x));
/// }
/// assert_eq!(xs, [0, 1, 2]);
/// # Ok::<(), jostle::formats::PathsError>(())
/// ```
#[derive(Debug)]
pub struct PathsReader<R> {
    lines: Lines<R>,
    opening: PathsOpening,
    /// The changes that were listed before the solution, the last first.
    listed: Vec<ScriptEntry>,
    /// Whether the file says that it has a last line, and what that line says once it was read.
    announces_end: bool,
    ending: Option<Ending>,
    /// How many steps were read.
    steps: usize,
    /// How many agents have begun or joined so far.
    columns: usize,
    changes: Vec<ScriptEntry>,
    positions: Vec<Position>,
}

/// How a path file begins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathsOpening {
    /// Where agents begin, by number. Agents that join later are `None` or not listed.
    pub starts: Vec<Position>,
    /// The goals of the agents at the beginning, by number.
    pub goals: Vec<Position>,
    /// The numbers of the agents that were present at the beginning and that only the game moves.
    pub foreign: Vec<u32>,
    /// The tasks of agents that meet.
    pub tasks: Vec<PathsTask>,
}

impl PathsOpening {
    /// The first agent that is not where it should be.
    pub(crate) fn first_elsewhere(starts: &[Position], found: &[Position]) -> Option<usize> {
        let at = |list: &[Position], agent: usize| list.get(agent).copied().flatten();
        (0..starts.len().max(found.len())).find(|&agent| at(starts, agent) != at(found, agent))
    }
}

/// A step of a path file.
#[derive(Clone, Copy, Debug)]
pub struct PathsStep<'a> {
    /// What the game changed since the step before, in order.
    pub changes: &'a [ScriptEntry],
    /// Where agents stand, by number.
    pub positions: &'a [Position],
}

impl<R: BufRead> PathsReader<R> {
    /// Reads the beginning, up to `solution=`. Unknown lines of the form `name=...` are skipped.
    ///
    /// # Errors
    /// When this is not the beginning of a path file.
    pub fn begin(source: R) -> Result<Self, PathsError> {
        let mut lines = Lines { source, number: 0, bytes: Vec::new(), text: String::new() };
        let (mut starts, mut goals, mut announces_end) = (None, None, false);
        let (mut foreign, mut tasks, mut listed) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            let Some(Line { number: line, content, .. }) = lines.next()? else {
                return Err(PathsError::Missing("solution="));
            };
            match content.split_once('=') {
                Some(("starts", list)) => starts = Some(positions(list, line)?),
                Some(("goals", list)) => goals = Some((line, positions(list, line)?)),
                Some(("foreign", list)) => foreign = numbers(list, line)?,
                Some(("task", task)) => tasks.push((line, PathsTask::parse(task, line)?)),
                Some(("change", change)) => listed.push(ScriptEntry::parse(change.trim(), line)?),
                Some(("solution", "")) => break,
                Some((name, value)) => announces_end |= Ending::is_announced_by(name, value),
                None => return Err(PathsError::Header { line, found: quoted(content) }),
            }
        }
        let starts = starts.ok_or(PathsError::Missing("starts="))?;
        let (line, goals) = goals.ok_or(PathsError::Missing("goals="))?;
        expect_agents(line, goals.len(), starts.len())?;
        PathsTask::check_all(&tasks, &starts)?;
        let tasks: Vec<PathsTask> = tasks.into_iter().map(|(_, task)| task).collect();
        for entry in &listed {
            expect_leaving(entry, &tasks)?;
        }
        listed.sort_by_key(|entry| entry.tick);
        listed.reverse();
        let columns = starts.len();
        let opening = PathsOpening { starts, goals, foreign, tasks };
        let (changes, positions) = (Vec::new(), Vec::new());
        Ok(Self {
            lines,
            opening,
            listed,
            announces_end,
            ending: None,
            steps: 0,
            columns,
            changes,
            positions,
        })
    }

    /// How the file begins.
    pub const fn opening(&self) -> &PathsOpening {
        &self.opening
    }

    /// Whether the file says at its end that somebody stopped the run. Known when there are no more
    /// steps.
    pub fn was_stopped(&self) -> bool {
        self.ending == Some(Ending::Stopped)
    }

    /// The next step, if there is one. The first is that of tick 0.
    ///
    /// # Errors
    /// When the next lines are not a step, or the file announces a last line and ends without it.
    pub fn next_step(&mut self) -> Result<Option<PathsStep<'_>>, PathsError> {
        self.changes.clear();
        // Changes of a tick follow the step of that number.
        if let Some(tick) = self.steps.checked_sub(1) {
            while let Some(entry) = self.listed.pop_if(|entry| entry.tick <= tick as u64) {
                self.changes.push(entry);
            }
        }
        while let Some(Line { number: line, content, is_whole }) = self.lines.next()? {
            if self.ending.is_some() {
                return Err(PathsError::AfterEnd { line, found: quoted(content) });
            }
            let is_cut = self.announces_end && !is_whole;
            if let Some((ending, ticks)) = Ending::of(content) {
                let expected = self.steps.checked_sub(1).ok_or(PathsError::Empty)?;
                self.ending = Some(match ticks.parse() {
                    Ok(ticks) if expected == ticks => ending,
                    _ if is_cut => return Err(PathsError::Cut { line }),
                    _ => return Err(PathsError::End { line, expected, found: quoted(ticks) }),
                });
                continue;
            }
            // What is left of a line may look like a whole one.
            if is_cut {
                return Err(PathsError::Cut { line });
            }
            if let Some(("change", change)) = content.split_once('=') {
                let entry = ScriptEntry::parse(change.trim(), line)?;
                self.columns = columns_after(&entry, self.columns, self.steps)?;
                expect_leaving(&entry, &self.opening.tasks)?;
                self.changes.push(entry);
                continue;
            }
            let (tick, list) = content.split_once(':').unwrap_or((content, ""));
            if tick.parse() != Ok(self.steps) {
                let (expected, found) = (self.steps, quoted(tick));
                return Err(PathsError::Tick { line, expected, found });
            }
            if let Some(steps) = list.strip_prefix(steps::MARK) {
                self.positions.resize(self.columns, None);
                steps::read_steps(steps, line, &mut self.positions)?;
            } else if let Some(moved) = list.strip_prefix("moved") {
                self.positions.resize(self.columns, None);
                read_moved(moved, line, &mut self.positions)?;
            } else {
                read_positions(list, line, &mut self.positions)?;
                expect_agents(line, self.positions.len(), self.columns)?;
            }
            self.steps += 1;
            return Ok(Some(PathsStep { changes: &self.changes, positions: &self.positions }));
        }
        match self.ending {
            None if self.announces_end => {
                Err(PathsError::Cut { line: self.lines.number.saturating_sub(1) })
            }
            None if self.steps == 0 => Err(PathsError::Empty),
            _ => Ok(None),
        }
    }

    /// The changes that belong to no step, after the last step was read.
    pub(super) fn later_changes(self) -> impl Iterator<Item = ScriptEntry> {
        self.changes.into_iter().chain(self.listed.into_iter().rev())
    }
}

/// How many columns there are after a change that follows this many steps.
fn columns_after(entry: &ScriptEntry, columns: usize, steps: usize) -> Result<usize, PathsError> {
    let line = entry.line;
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

/// In a file with tasks, agents leave, and nothing else is changed.
const fn expect_leaving(entry: &ScriptEntry, tasks: &[PathsTask]) -> Result<(), PathsError> {
    match entry.change {
        Change::Leave { .. } => Ok(()),
        _ if tasks.is_empty() => Ok(()),
        _ => Err(PathsError::TaskChange { line: entry.line }),
    }
}

fn expect_agents(line: usize, found: usize, expected: usize) -> Result<(), PathsError> {
    if found == expected { Ok(()) } else { Err(PathsError::Count { line, found, expected }) }
}

fn positions(list: &str, line: usize) -> Result<Vec<Position>, PathsError> {
    let mut positions = Vec::new();
    read_positions(list, line, &mut positions)?;
    Ok(positions)
}

fn read_positions(
    list: &str,
    line: usize,
    positions: &mut Vec<Position>,
) -> Result<(), PathsError> {
    let wrong = || PathsError::Positions { line, found: quoted(list) };
    positions.clear();
    let mut rest = list.trim().trim_end_matches(',');
    while !rest.is_empty() {
        let (found, after) = one_position(rest).ok_or_else(wrong)?;
        positions.push(found);
        rest = after;
    }
    Ok(())
}

/// Reads `AGENT=(x,y),...` and puts those agents there.
fn read_moved(list: &str, line: usize, positions: &mut [Position]) -> Result<(), PathsError> {
    let wrong = || PathsError::Positions { line, found: quoted(list) };
    let mut rest = list.trim().trim_end_matches(',');
    while !rest.is_empty() {
        let (agent, position) = rest.split_once('=').ok_or_else(wrong)?;
        let agent: usize = agent.trim().parse().map_err(|_| wrong())?;
        let (found, after) = one_position(position).ok_or_else(wrong)?;
        *positions.get_mut(agent).ok_or_else(wrong)? = found;
        rest = after;
    }
    Ok(())
}

/// The first position of a list, and the rest of it.
fn one_position(list: &str) -> Option<(Position, &str)> {
    let (found, end) = if list.starts_with('-') {
        (None, 1)
    } else {
        let end = list.find(')')? + 1;
        (Some(position(&list[..end])?), end)
    };
    let rest = match list[end..].trim_start() {
        "" => "",
        more => more.strip_prefix(',')?.trim_start(),
    };
    Some((found, rest))
}

fn numbers(list: &str, line: usize) -> Result<Vec<u32>, PathsError> {
    let items = list.split(',').map(str::trim).filter(|item| !item.is_empty());
    let numbers = items.map(|item| item.parse().ok()).collect::<Option<_>>();
    numbers.ok_or_else(|| PathsError::Agents { line, found: quoted(list) })
}

/// A line of a file.
struct Line<'a> {
    number: usize,
    /// Without the spaces around it.
    content: &'a str,
    /// Whether it has its line break.
    is_whole: bool,
}

/// The lines of a file that are not empty.
#[derive(Debug)]
struct Lines<R> {
    source: R,
    number: usize,
    bytes: Vec<u8>,
    text: String,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> Result<Option<Line<'_>>, PathsError> {
        loop {
            self.number += 1;
            self.bytes.clear();
            let is_there = self
                .read_line()
                .map_err(|reason| PathsError::Unreadable { line: self.number, reason })?;
            if !is_there {
                return Ok(None);
            }
            if !self.bytes.trim_ascii().is_empty() {
                break;
            }
        }
        let bytes = match self.bytes.strip_prefix("\u{feff}".as_bytes()) {
            Some(rest) if self.number == 1 => rest,
            _ => &self.bytes,
        };
        // Bytes that are not UTF-8 become a character that no line may contain.
        self.text = String::from_utf8_lossy(bytes).into_owned();
        let is_whole = self.bytes.ends_with(b"\n");
        Ok(Some(Line { number: self.number, content: self.text.trim(), is_whole }))
    }

    /// Reads a line, if there is one. A device that never ends is noticed by its zero bytes or by the length of the line.
    fn read_line(&mut self) -> Result<bool, String> {
        loop {
            let read = self.source.fill_buf().map_err(|error| error.to_string())?;
            let end = read.iter().position(|&byte| byte == b'\n');
            let line = &read[..end.map_or(read.len(), |end| end + 1)];
            if line.is_empty() {
                return Ok(!self.bytes.is_empty());
            }
            self.bytes.extend(line);
            let length = line.len();
            if self.number == 1
                && [b"\xff\xfe", b"\xfe\xff"].iter().any(|mark| self.bytes.starts_with(*mark))
            {
                return Err("this text is in UTF-16: save it as UTF-8".to_owned());
            }
            if line.contains(&0) {
                return Err("there is a zero byte, so this is not a text".to_owned());
            }
            if self.bytes.len() > LONGEST_LINE {
                return Err(format!("it is longer than {} MiB", LONGEST_LINE >> 20));
            }
            self.source.consume(length);
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}
