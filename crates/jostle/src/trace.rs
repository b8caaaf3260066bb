//! What happened: everyone's cell at every tick.

use crate::grid::{Cell, Grid};
use crate::world::{Agent, Change, World};

/// What happened in a run: the world it began with, and after every tick what the game had changed and
/// where everyone stood.
///
/// Agents appear in the order of their slots. A slot that holds nobody is [nowhere](Cell::NOWHERE).
#[derive(Clone, Debug)]
pub struct Trace {
    grid: Grid,
    opening: Vec<Agent>,
    frames: Vec<Frame>,
    forbids_crossing: bool,
}

/// One tick of a [`Trace`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// What the game changed before the tick.
    pub changes: Vec<Change>,
    /// Where everyone stood after it, by slot.
    pub cells: Vec<Cell>,
}

impl Trace {
    /// Begins a trace with the world as it is. Its pending changes count as part of the beginning.
    pub fn begin(world: &World) -> Self {
        Self {
            grid: world.grid().clone(),
            opening: world.slots().to_vec(),
            frames: Vec::new(),
            forbids_crossing: world.forbids_crossing(),
        }
    }

    /// Records a tick that has just passed, before which the game had changed `changes`.
    pub fn record(&mut self, changes: Vec<Change>, world: &World) {
        let cells = world.slots().iter().map(|agent| agent.cell).collect();
        self.frames.push(Frame { changes, cells });
    }

    /// The floor at the beginning.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The agents at the beginning, by slot.
    pub fn opening(&self) -> &[Agent] {
        &self.opening
    }

    /// The ticks, from the first.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// How many ticks passed.
    pub fn ticks(&self) -> usize {
        self.frames.len()
    }

    /// Whether crossing diagonals were forbidden.
    pub const fn forbids_crossing(&self) -> bool {
        self.forbids_crossing
    }

    /// Where everyone stood after `tick` ticks, by slot.
    pub fn cells_at(&self, tick: usize) -> Vec<Cell> {
        match tick.checked_sub(1) {
            None => self.opening.iter().map(|agent| agent.cell).collect(),
            Some(last) => self.frames[last].cells.clone(),
        }
    }

    /// A number that two traces share only if everyone stood on the same cells at the same ticks.
    pub fn fingerprint(&self) -> u64 {
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(self.opening.iter().map(|agent| agent.cell));
        for frame in &self.frames {
            fingerprint.add(frame.cells.iter().copied());
        }
        fingerprint.value()
    }
}

/// The [fingerprint](Trace::fingerprint) of a trace that is still being made (FNV-1a over the cells).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// Adds where everyone stands at the beginning or after a tick, by slot.
    pub fn add(&mut self, cells: impl Iterator<Item = Cell>) {
        self.0 = cells.fold(self.0, |hash, cell| {
            (hash ^ cell.index() as u64).wrapping_mul(0x0000_0100_0000_01b3)
        });
    }

    /// The number.
    pub const fn value(self) -> u64 {
        self.0
    }
}
