//! What the conflict tree forbids an agent.

use crate::grid::{Cell, Direction};
use crate::search::Keyed;

/// Something that one agent must not do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Constraint {
    /// Be on a cell at a tick.
    At { cell: Cell, tick: u32 },
    /// Step from a cell in a direction, and end there at a tick.
    Step { from: Cell, direction: Direction, tick: u32 },
}

impl Constraint {
    fn key(self) -> u64 {
        match self {
            Self::At { cell, tick } => key_of(cell, tick, WAIT),
            Self::Step { from, direction, tick } => key_of(from, tick, direction as u64),
        }
    }
}

/// Stands for no direction in keys.
const WAIT: u64 = 15;

/// A number for a cell, a tick and a direction. Cells have 30 bits, directions 4.
fn key_of(cell: Cell, tick: u32, direction: u64) -> u64 {
    u64::from(tick) << 34 | (cell.index() as u64) << 4 | direction
}

/// All constraints of one agent.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    keys: Keyed<()>,
    /// The first tick from which the agent may stay on its goal for good.
    pub stays_from: u32,
}

impl Constraints {
    /// Replaces them by these, of an agent with this goal.
    pub fn set(&mut self, constraints: impl Iterator<Item = Constraint>, goal: Cell) {
        self.keys.clear();
        self.stays_from = 0;
        for constraint in constraints {
            self.keys.insert(constraint.key(), ());
            if let Constraint::At { cell, tick } = constraint
                && cell == goal
            {
                self.stays_from = self.stays_from.max(tick + 1);
            }
        }
    }

    /// Whether the agent may go from a cell in a direction, or wait, and be on `to` at a tick.
    pub fn allow(&self, from: Cell, direction: Option<Direction>, to: Cell, tick: u32) -> bool {
        self.keys.get(key_of(to, tick, WAIT)).is_none()
            && direction.is_none_or(|direction| {
                self.keys.get(key_of(from, tick, direction as u64)).is_none()
            })
    }
}
