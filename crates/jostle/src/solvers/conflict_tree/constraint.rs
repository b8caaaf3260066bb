//! What the conflict tree forbids an agent.

use std::sync::Arc;

use super::Itinerary;
use crate::grid::{Cell, Direction, Grid};
use crate::search::Keyed;

/// Something that one agent must not do.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constraint {
    /// Be on a cell at a tick.
    At { cell: Cell, tick: u32 },
    /// Step from a cell in a direction, and end there at a tick.
    Step { from: Cell, direction: Direction, tick: u32 },
    /// Be on a cell at any of these ticks, the last one included.
    Between { cell: Cell, first: u32, last: u32 },
    /// Be on a cell of a line at the tick at which it would be there if it walked along the line: on `cell` at `tick`, on the next
    /// one in that direction one tick later, and so on.
    Barrier { cell: Cell, direction: Direction, tick: u32, count: u32 },
    /// Be on any of these cells, each at its tick.
    AtAny(Arc<[(Cell, u32)]>),
    /// Be on its last stop for good before a tick.
    EndBefore { tick: u32 },
}

impl Constraint {
    /// Bytes that it holds beyond its own size.
    pub fn memory(&self) -> usize {
        if let Self::AtAny(places) = self { size_of_val(&**places) } else { 0 }
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
    /// Cells that are forbidden for many ticks: the first and the last one.
    ranges: Vec<(Cell, u32, u32)>,
    /// A bit for each cell in `ranges`, by the last digits of its index: most cells are not in there.
    ranged: u64,
    /// The first tick from which the agent may stay on its last stop for good.
    pub stays_from: u32,
    /// The last tick at which a constraint begins or ends: after it they all stay as they are.
    pub settled: u32,
}

impl Constraints {
    /// Replaces them by these, of an agent with this itinerary.
    pub fn set<'a>(
        &mut self,
        grid: &Grid,
        constraints: impl Iterator<Item = &'a Constraint>,
        itinerary: &Itinerary,
    ) {
        self.keys.clear();
        self.ranges.clear();
        (self.ranged, self.stays_from, self.settled) = (0, 0, 0);
        let goal = itinerary.goal();
        for constraint in constraints {
            match *constraint {
                Constraint::At { cell, tick } => self.forbid(cell, tick, goal),
                Constraint::Step { from, direction, tick } => {
                    self.keys.insert(key_of(from, tick, direction as u64), ());
                    self.settled = self.settled.max(tick);
                }
                Constraint::Between { cell, first, last } => {
                    self.ranges.push((cell, first, last));
                    self.ranged |= 1 << (cell.index() % 64);
                    let change = if last == Itinerary::NEVER { first } else { last };
                    self.settled = self.settled.max(change);
                    if cell == goal {
                        self.stays_from = self.stays_from.max(last.saturating_add(1));
                    }
                }
                Constraint::Barrier { mut cell, direction, tick, count } => {
                    for tick in tick..tick + count {
                        self.forbid(cell, tick, goal);
                        cell = grid.beside(cell, direction);
                    }
                }
                Constraint::AtAny(ref places) => {
                    places.iter().for_each(|&(cell, tick)| self.forbid(cell, tick, goal));
                }
                Constraint::EndBefore { tick } => self.stays_from = self.stays_from.max(tick),
            }
        }
    }

    fn forbid(&mut self, cell: Cell, tick: u32, goal: Cell) {
        self.keys.insert(key_of(cell, tick, WAIT), ());
        self.settled = self.settled.max(tick);
        if cell == goal {
            self.stays_from = self.stays_from.max(tick + 1);
        }
    }

    /// Whether the agent may be on a cell at a tick.
    pub fn allow_at(&self, cell: Cell, tick: u32) -> bool {
        let is_ranged = self.ranged >> (cell.index() % 64) & 1 > 0;
        self.keys.get(key_of(cell, tick, WAIT)).is_none()
            && !(is_ranged
                && self.ranges.iter().any(|&(forbidden, first, last)| {
                    forbidden == cell && (first..=last).contains(&tick)
                }))
    }

    /// Whether the agent may go from a cell in a direction, or wait, and be on `to` at a tick.
    pub fn allow(&self, from: Cell, direction: Option<Direction>, to: Cell, tick: u32) -> bool {
        self.allow_at(to, tick)
            && direction.is_none_or(|direction| {
                self.keys.get(key_of(from, tick, direction as u64)).is_none()
            })
    }
}
