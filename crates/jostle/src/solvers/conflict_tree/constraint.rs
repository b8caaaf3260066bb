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
    /// The same for an agent that begins so many ticks later, whose ticks count from then on; none if it is over by then.
    pub fn after(&self, ticks: u32, grid: &Grid) -> Option<Self> {
        // An agent is where it is when it begins.
        let later = |tick: u32| tick.checked_sub(ticks).filter(|&tick| tick > 0);
        match *self {
            Self::At { cell, tick } => Some(Self::At { cell, tick: later(tick)? }),
            Self::Step { from, direction, tick } => {
                Some(Self::Step { from, direction, tick: later(tick)? })
            }
            Self::Between { cell, first, last } => {
                let last = if last == Itinerary::NEVER { last } else { later(last)? };
                Some(Self::Between { cell, first: first.saturating_sub(ticks), last })
            }
            Self::Barrier { mut cell, direction, tick, count } => {
                let over = ticks.saturating_sub(tick);
                let count = count.checked_sub(over).filter(|&count| count > 0)?;
                for _ in 0..over {
                    cell = grid.beside(cell, direction);
                }
                Some(Self::Barrier { cell, direction, tick: tick.saturating_sub(ticks), count })
            }
            Self::AtAny(ref places) => {
                let left = places.iter().filter_map(|&(cell, tick)| Some((cell, later(tick)?)));
                let left: Arc<[_]> = left.collect();
                (!left.is_empty()).then_some(Self::AtAny(left))
            }
            Self::EndBefore { tick } => Some(Self::EndBefore { tick: later(tick)? }),
        }
    }

    /// Nominal bytes that it holds beyond its own size: eight for each place of a list.
    pub fn held(&self) -> usize {
        if let Self::AtAny(places) = self { 8 * places.len() } else { 0 }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Exits;

    /// A constraint that counts ticks from a later one forbids what the constraint itself forbids so many ticks later.
    #[test]
    fn constraints_hold_for_an_agent_that_begins_later() {
        let grid = Grid::open(6, 6).unwrap();
        let cell = grid.at(1, 2).unwrap();
        let agent = Itinerary::to(grid.at(0, 0).unwrap(), grid.at(3, 2).unwrap(), Arc::new([]));
        let (direction, tick) = (Direction::East, 5);
        let constraints = [
            Constraint::At { cell, tick },
            Constraint::Step { from: cell, direction, tick },
            Constraint::Between { cell, first: 2, last: 7 },
            Constraint::Between { cell, first: 4, last: Itinerary::NEVER },
            Constraint::Barrier { cell, direction, tick: 3, count: 4 },
            Constraint::AtAny([(cell, 2), (grid.at(4, 2).unwrap(), 6)].into()),
            Constraint::EndBefore { tick: 6 },
        ];
        for constraint in constraints {
            for ticks in 0..10 {
                let mut all = Constraints::default();
                all.set(&grid, std::iter::once(&constraint), &agent);
                let mut rest = Constraints::default();
                rest.set(&grid, constraint.after(ticks, &grid).iter(), &agent);
                assert_eq!(rest.stays_from, all.stays_from.saturating_sub(ticks));
                let places =
                    grid.floor_cells().flat_map(|cell| (1..10).map(move |tick| (cell, tick)));
                for (from, tick) in places {
                    for direction in grid.exits(from) {
                        let to = grid.beside(from, direction);
                        let is_allowed = all.allow(from, Some(direction), to, tick + ticks);
                        assert_eq!(
                            rest.allow(from, Some(direction), to, tick),
                            is_allowed,
                            "{constraint:?} after {ticks} ticks"
                        );
                    }
                }
            }
        }
    }
}
