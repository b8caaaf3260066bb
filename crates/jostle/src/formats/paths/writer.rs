//! Writes a path file while the run goes on, so that it takes no memory however long the run is.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

use super::ending::Ending;
use super::steps::write_steps;
use super::{PathsOpening, Position};
use crate::grid::{Cell, Grid};
use crate::script::{ScriptEntry, ScriptedChange};
use crate::trace::Trace;
use crate::world::{Agent, AgentId, Change};

/// Writes a path file tick by tick.
///
/// ```
/// use jostle::formats::{Paths, PathsWriter};
/// use jostle::planners::planner;
/// use jostle::{Grid, Moves, World, simulate};
///
/// let mut world = World::new(Grid::open(8, 8)?);
/// let (start, goal) = (world.grid().at(0, 0).unwrap(), world.grid().at(7, 7).unwrap());
/// world.add(start, goal)?;
/// let (mut planner, mut moves) = (planner("jostle")?, Moves::default());
///
/// let mut file = PathsWriter::begin(Vec::new(), world.shared_grid(), world.agents())?;
/// while !world.have_all_arrived() {
///     let changes = world.changes().to_vec();
///     simulate::tick(&mut world, planner.as_mut(), &mut moves)?;
///     file.tick(&changes, world.configuration().cells())?;
/// }
/// let text = String::from_utf8(file.finish()?)?;
/// assert_eq!(Paths::parse(&text)?.steps.len(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PathsWriter<W> {
    out: W,
    grid: Arc<Grid>,
    numbers: Numbers,
    tick: u64,
    /// The line to write next, and the positions in it, by number.
    line: String,
    row: Vec<Position>,
    /// The positions in the line before.
    before: Vec<Position>,
    /// How many bytes were written, and after how many lines are compact.
    bytes: u64,
    compact_after: u64,
}

/// Files of at most this many agents that begin, up to this size, are in the form that other tools read.
const LARGEST_PLAIN_CROWD: usize = 10_000;
const LARGEST_PLAIN_FILE: u64 = 100_000_000;

impl<W: Write> PathsWriter<W> {
    /// Begins a file with these agents on their cells, in the order of their slots.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(
        out: W,
        grid: &Arc<Grid>,
        agents: impl IntoIterator<Item = Agent>,
    ) -> io::Result<Self> {
        let mut numbers = Numbers::default();
        let opening = numbers.begin(agents, grid);
        let mut line = String::new();
        write_opening(&mut line, &opening);
        line.push_str("solution=\n");
        write_step(&mut line, 0, &opening.starts);
        let is_large = opening.starts.len() > LARGEST_PLAIN_CROWD;
        let mut writer = Self {
            out,
            grid: Arc::clone(grid),
            numbers,
            tick: 0,
            line,
            row: opening.starts,
            before: Vec::new(),
            bytes: 0,
            compact_after: if is_large { 0 } else { LARGEST_PLAIN_FILE },
        };
        writer.write_line()?;
        Ok(writer)
    }

    /// Sets after how many bytes lines are compact: a character for each agent. Other tools cannot read those, but they take
    /// less than a tenth of the space, and an agent that stands next to nothing. Without this, lines of more than 10,000 agents are
    /// compact, and those after 100 million bytes.
    #[must_use]
    pub fn compact_after(mut self, bytes: u64) -> Self {
        self.compact_after = bytes;
        self
    }

    /// Adds a tick: the game has made these changes, and after the tick the agents stand on these cells, by slot.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn tick(
        &mut self,
        changes: &[Change],
        cells: impl Iterator<Item = Option<Cell>>,
    ) -> io::Result<()> {
        for change in changes {
            let change = self.numbers.rename(change, &self.grid);
            write_change(&mut self.line, &ScriptEntry { tick: self.tick, change, line: 0 });
        }
        self.tick += 1;
        std::mem::swap(&mut self.before, &mut self.row);
        self.numbers.fill(cells, &self.grid, &mut self.row);
        if self.bytes < self.compact_after {
            write_step(&mut self.line, self.tick, &self.row);
        } else {
            write_steps(&mut self.line, self.tick, &self.before, &self.row);
        }
        self.write_line()
    }

    fn write_line(&mut self) -> io::Result<()> {
        self.out.write_all(self.line.as_bytes())?;
        self.bytes += self.line.len() as u64;
        self.line.clear();
        Ok(())
    }

    /// Ends the file. Without this, readers refuse it as cut off.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> io::Result<W> {
        self.end(Ending::Whole)
    }

    /// Ends the file of a run that somebody stopped before its end. It says so, and otherwise is
    /// the file of a shorter run.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish_stopped(self) -> io::Result<W> {
        self.end(Ending::Stopped)
    }

    fn end(mut self, ending: Ending) -> io::Result<W> {
        ending.write(&mut self.line, self.tick);
        self.write_line()?;
        self.out.flush()?;
        Ok(self.out)
    }
}

impl Trace {
    /// Writes the run as a path file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_paths<W: Write>(&self, out: W) -> io::Result<W> {
        let writer = PathsWriter::begin(out, self.shared_grid(), self.opening().to_vec())?;
        self.write_steps(writer)
    }

    pub(super) fn write_steps<W: Write>(&self, mut writer: PathsWriter<W>) -> io::Result<W> {
        let mut frames = self.frames();
        while let Some(frame) = frames.next_frame() {
            writer.tick(frame.changes(), frame.cells())?;
        }
        writer.finish()
    }
}

/// The numbers of agents in a path file: in the order in which they joined.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    /// The number of the agent in each slot.
    by_slot: Vec<Option<u32>>,
    /// How many agents have joined so far.
    count: u32,
}

impl Numbers {
    /// Numbers the first agents, and returns how their file begins.
    pub fn begin(&mut self, agents: impl IntoIterator<Item = Agent>, grid: &Grid) -> PathsOpening {
        let mut opening = PathsOpening::default();
        for agent in agents {
            let number = self.give(agent.slot());
            opening.starts.push(Some(grid.position(agent.cell)));
            opening.goals.push(Some(grid.position(agent.goal)));
            opening.foreign.extend((!agent.ours).then_some(number));
        }
        opening
    }

    /// Gives the next number to the agent in a slot.
    fn give(&mut self, slot: usize) -> u32 {
        if slot >= self.by_slot.len() {
            self.by_slot.resize(slot + 1, None);
        }
        self.by_slot[slot] = Some(self.count);
        self.count += 1;
        self.count - 1
    }

    /// A change in numbers and positions. An agent that joins gets its number.
    pub fn rename(&mut self, change: &Change, grid: &Grid) -> ScriptedChange {
        if let Change::Join { agent, .. } = change {
            self.give(agent.slot());
        }
        // An agent that a change concerns has joined before, so it has a number.
        let rename = |agent: AgentId| {
            Ok(self.by_slot.get(agent.slot()).copied().flatten().unwrap_or_default())
        };
        let renamed: Result<_, Infallible> = change.try_map(rename, |cell| Ok(grid.position(cell)));
        let Ok(renamed) = renamed;
        renamed
    }

    /// The positions of all agents so far, by number, from their cells by slot.
    pub fn fill(
        &self,
        cells: impl Iterator<Item = Option<Cell>>,
        grid: &Grid,
        row: &mut Vec<Position>,
    ) {
        row.clear();
        row.resize(self.count as usize, None);
        for (cell, number) in cells.zip(&self.by_slot) {
            if let (Some(cell), Some(number)) = (cell, number) {
                row[*number as usize] = Some(grid.position(cell));
            }
        }
    }
}

/// Writes the lines about the beginning.
pub(super) fn write_opening(text: &mut String, opening: &PathsOpening) {
    text.push_str("starts=");
    write_positions(text, &opening.starts);
    text.push_str("goals=");
    write_positions(text, &opening.goals);
    if !opening.foreign.is_empty() {
        text.push_str("foreign=");
        for &agent in &opening.foreign {
            write_number(text, agent);
            text.push(',');
        }
        text.push('\n');
    }
    for task in &opening.tasks {
        task.write(text);
    }
    Ending::announce(text);
}

/// Writes a change on a line of its own.
pub(super) fn write_change(text: &mut String, entry: &ScriptEntry) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "change={}", entry.write());
}

/// Writes where agents stand after a number of ticks.
pub(super) fn write_step(text: &mut String, tick: u64, positions: &[Position]) {
    let _ = write!(text, "{tick}:");
    write_positions(text, positions);
}

fn write_positions(text: &mut String, positions: &[Position]) {
    for position in positions {
        match *position {
            Some(place) => write_place(text, place),
            None => text.push('-'),
        }
        text.push(',');
    }
    text.push('\n');
}

/// Writes a column and a row.
pub(super) fn write_place(text: &mut String, (x, y): (u32, u32)) {
    text.push('(');
    write_number(text, x);
    text.push(',');
    write_number(text, y);
    text.push(')');
}

/// Writes a number. Path files consist of numbers, and this takes a fraction of the time of `write!`.
pub(super) fn write_number(text: &mut String, mut number: u32) {
    let mut digits = [0; 10];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend(digits[first..].iter().map(|&digit| char::from(digit)));
}
