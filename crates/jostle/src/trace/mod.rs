//! The record of a run: the cell of every agent at every tick.

mod fingerprint;
mod tape;

use std::sync::Arc;

use crate::grid::{Cell, Grid};
use crate::world::{Agent, Change, World};

pub use fingerprint::Fingerprint;
use tape::{Reader, Tape};

/// What happened in a run: the world it began with, and for every tick what the game changed before it and
/// where every agent stood after it.
///
/// Agents are identified by their slots. A step takes four bits, and an agent that stands still takes less, so that
/// 1,000 agents that walk for 1,000 ticks take 500 KB. In turn a trace can be read only from the beginning.
///
/// ```
/// use jostle::planners::planner;
/// use jostle::{Grid, Simulation, World};
///
/// let mut world = World::new(Grid::open(8, 1)?);
/// let (start, goal) = (world.grid().at(0, 0).unwrap(), world.grid().at(7, 0).unwrap());
/// world.add(start, goal)?;
/// let mut planner = planner("jostle")?;
/// let trace = Simulation::new(&mut world, planner.as_mut()).traced().run()?.trace.unwrap();
///
/// let mut frames = trace.frames();
/// while let Some(frame) = frames.next_frame() {
///     println!("agent 0 stands on {:?}", frame.cell(0));
/// }
/// assert_eq!(trace.path(0).last(), Some(&Some(goal)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trace {
    grid: Arc<Grid>,
    opening: Vec<Agent>,
    tape: Tape,
    ticks: usize,
    /// All changes, in order.
    changes: Vec<Change>,
    /// The ticks before which something was changed, each with the number of changes up to it.
    eventful: Vec<(usize, usize)>,
    /// How many changes the world had seen when the last frame was recorded.
    changes_seen: u64,
}

/// Equal traces begin with the same agents on floors of the same size, and then hold the same changes and the same cells at
/// all ticks.
impl PartialEq for Trace {
    fn eq(&self, other: &Self) -> bool {
        let size = |trace: &Self| (trace.grid.width(), trace.grid.height(), trace.ticks);
        if size(self) != size(other) || self.opening != other.opening {
            return false;
        }
        let (mut ours, mut theirs) = (self.frames(), other.frames());
        loop {
            match (ours.next_frame(), theirs.next_frame()) {
                (None, None) => return true,
                (ours, theirs) if ours != theirs => return false,
                _ => {}
            }
        }
    }
}

impl Eq for Trace {}

/// One tick of a [`Trace`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame<'a> {
    changes: &'a [Change],
    /// The cell of each agent, by slot; `NOWHERE` if the slot is vacant.
    cells: &'a [Cell],
}

impl<'a> Frame<'a> {
    /// What the game changed before the tick, in order.
    pub const fn changes(&self) -> &'a [Change] {
        self.changes
    }

    /// Where the agent in a slot stood after the tick, if there was one.
    pub fn cell(&self, slot: usize) -> Option<Cell> {
        self.cells.get(slot).and_then(|cell| cell.known())
    }

    /// Where every agent stood after the tick, by slot; `None` for a vacant slot.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Option<Cell>> + 'a {
        self.cells.iter().map(|cell| cell.known())
    }
}

/// Reads the ticks of a [`Trace`] in order.
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    trace: &'a Trace,
    reader: Reader<'a>,
    tick: usize,
    /// How many of the eventful ticks have passed.
    events: usize,
}

impl Frames<'_> {
    /// The next tick, if there is one. It can be looked at until the next call.
    pub fn next_frame(&mut self) -> Option<Frame<'_>> {
        if !self.reader.advance() {
            return None;
        }
        let eventful = &self.trace.eventful;
        let begin = self.events.checked_sub(1).map_or(0, |last| eventful[last].1);
        let mut end = begin;
        if let Some(&(tick, changes)) = eventful.get(self.events)
            && tick == self.tick
        {
            end = changes;
            self.events += 1;
        }
        self.tick += 1;
        Some(Frame { changes: &self.trace.changes[begin..end], cells: self.reader.cells() })
    }
}

impl Trace {
    /// Begins a trace with the world as it is.
    pub fn begin(world: &World) -> Self {
        Self {
            grid: Arc::clone(world.shared_grid()),
            opening: world.agents().collect(),
            tape: Tape::begin(world.grid().width(), world.configuration().raw_cells()),
            ticks: 0,
            changes: Vec::new(),
            eventful: Vec::new(),
            changes_seen: world.change_count(),
        }
    }

    /// Records the tick that has just passed, and the changes before it that were made since the trace began or
    /// recorded the previous tick.
    pub fn record(&mut self, world: &World) {
        let changes = world.previous_changes(self.changes_seen);
        self.changes_seen += changes.len() as u64;
        self.note(changes, world.configuration().raw_cells());
    }

    /// Records a tick without a world: what was changed before it, and the cells of all agents after it, by slot. A world
    /// never lets two agents share a cell, and agents that meet do.
    pub(crate) fn note(&mut self, changes: &[Change], cells: &[Cell]) {
        if !changes.is_empty() {
            self.changes.extend(changes);
            self.eventful.push((self.ticks, self.changes.len()));
        }
        self.tape.record(cells);
        self.ticks += 1;
    }

    /// The floor at the beginning.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The floor at the beginning, as a shared pointer.
    pub const fn shared_grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// The agents that were present at the beginning, in the order of their slots.
    pub fn opening(&self) -> &[Agent] {
        &self.opening
    }

    /// A frame for each tick, from the first.
    pub fn frames(&self) -> Frames<'_> {
        Frames { trace: self, reader: self.tape.read(), tick: 0, events: 0 }
    }

    /// All changes that the game made before the ticks that were recorded, in order.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// How many ticks were recorded.
    pub const fn ticks(&self) -> usize {
        self.ticks
    }

    /// How many slots agents had in the whole run.
    pub fn slots(&self) -> usize {
        self.tape.slots()
    }

    /// Where the agent in a slot stood at the beginning and after every tick; `None` where the slot was vacant. This
    /// reads the whole trace: for many agents, read the [frames](Self::frames).
    pub fn path(&self, slot: usize) -> Vec<Option<Cell>> {
        let first = self.opening.iter().find(|agent| agent.slot() == slot);
        let mut path = vec![first.map(|agent| agent.cell)];
        let mut frames = self.frames();
        while let Some(frame) = frames.next_frame() {
            path.push(frame.cell(slot));
        }
        path
    }

    /// The bytes of memory that it takes, without the floor.
    pub fn memory(&self) -> usize {
        self.tape.memory()
            + self.opening.capacity() * size_of::<Agent>()
            + self.changes.capacity() * size_of::<Change>()
            + self.eventful.capacity() * size_of::<(usize, usize)>()
    }

    /// A 64-bit hash of the cells of all agents at all ticks: equal for traces in which the same agents stood on
    /// the same cells at the same ticks, and otherwise, barring a collision, different.
    pub fn fingerprint(&self) -> u64 {
        let mut fingerprint = Fingerprint::default();
        fingerprint.begin(self.opening.iter().copied());
        let mut frames = self.frames();
        while let Some(frame) = frames.next_frame() {
            fingerprint.add(frame.cells());
        }
        fingerprint.value()
    }
}
