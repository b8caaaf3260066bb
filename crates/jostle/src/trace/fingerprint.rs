//! One number for the cells of all agents at all ticks.

use crate::grid::Cell;
use crate::world::Agent;

/// The [fingerprint](super::Trace::fingerprint) of a run that is still going on (FNV-1a over the cells).
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
