//! The record of a run: the cell of every agent at every tick.

use std::sync::Arc;

use crate::grid::{Cell, Grid};
use crate::world::{Agent, Change, World};

/// What happened in a run: the world it began with, and for every tick what the game changed before it and
/// where every agent stood after it.
///
/// Agents are identified by their slots.
#[derive(Clone, Debug)]
pub struct Trace {
    grid: Arc<Grid>,
    opening: Vec<Agent>,
    frames: Vec<Frame>,
    /// How many changes the world had seen when the last frame was recorded.
    changes_seen: u64,
}

/// One tick of a [`Trace`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    changes: Vec<Change>,
    /// The cell of each agent, by slot; `NOWHERE` if the slot is vacant.
    cells: Vec<Cell>,
}

impl Frame {
    /// What the game changed before the tick, in order.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Where the agent in a slot stood after the tick, if there was one.
    pub fn cell(&self, slot: usize) -> Option<Cell> {
        self.cells.get(slot).and_then(|cell| cell.known())
    }

    /// Where every agent stood after the tick, by slot; `None` for a vacant slot.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Option<Cell>> {
        self.cells.iter().map(|cell| cell.known())
    }
}

impl Trace {
    /// Begins a trace with the world as it is.
    pub fn begin(world: &World) -> Self {
        Self {
            grid: Arc::clone(world.shared_grid()),
            opening: world.agents().collect(),
            frames: Vec::new(),
            changes_seen: world.change_count(),
        }
    }

    /// Records the tick that has just passed, and the changes before it that were made since the trace began or
    /// recorded the previous tick.
    pub fn record(&mut self, world: &World) {
        let changes = world.previous_changes(self.changes_seen).to_vec();
        self.changes_seen += changes.len() as u64;
        let cells = world.configuration().raw_cells().to_vec();
        self.frames.push(Frame { changes, cells });
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

    /// One frame for each tick, from the first.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// How many ticks were recorded.
    pub fn ticks(&self) -> usize {
        self.frames.len()
    }

    /// Where the agent in a slot stood after `tick` ticks, if there was one; tick 0 is the beginning.
    pub fn cell_at(&self, tick: usize, slot: usize) -> Option<Cell> {
        match tick.checked_sub(1) {
            None => self.opening.iter().find(|agent| agent.slot() == slot).map(|agent| agent.cell),
            Some(frame) => self.frames.get(frame)?.cell(slot),
        }
    }

    /// A 64-bit hash of the cells of all agents at all ticks: equal for traces in which the same agents stood on
    /// the same cells at the same ticks, and otherwise, barring a collision, different.
    pub fn fingerprint(&self) -> u64 {
        let mut fingerprint = Fingerprint::default();
        fingerprint.begin(self.opening.iter().copied());
        for frame in &self.frames {
            fingerprint.add(frame.cells());
        }
        fingerprint.value()
    }
}

/// The [fingerprint](Trace::fingerprint) of a run that is still going on (FNV-1a over the cells).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// Adds where agents stand at the beginning. They must be in the order of their slots.
    pub fn begin(&mut self, agents: impl Iterator<Item = Agent>) {
        let mut slots = 0;
        for agent in agents {
            self.add(std::iter::repeat_n(None, agent.slot() - slots).chain([Some(agent.cell)]));
            slots = agent.slot() + 1;
        }
    }

    /// Adds where agents stand after a tick, by slot.
    pub fn add(&mut self, cells: impl Iterator<Item = Option<Cell>>) {
        self.0 = cells.fold(self.0, |hash, cell| {
            let cell = cell.unwrap_or(Cell::NOWHERE).index() as u64;
            (hash ^ cell).wrapping_mul(0x0000_0100_0000_01b3)
        });
    }

    /// The hash of everything added so far.
    pub const fn value(self) -> u64 {
        self.0
    }
}
