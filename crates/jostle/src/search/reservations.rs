//! Who will be where, when: the shared knowledge of the cooperative planners.

use crate::grid::{Cell, Direction, Grid};

use super::keyed::Keyed;

/// The reservation table: cells that agents will stand on at given ticks, and cells that they will hold
/// from a tick on.
///
/// It keeps two agents from one cell and from swapping cells: a table that only marks cells does not
/// prevent swaps. Agents are named by their slots.
///
/// Memory grows with the number of reservations, not with the map.
#[derive(Clone, Debug, Default)]
pub struct Reservations {
    /// Agents by cell and tick.
    taken: Keyed<u32>,
    /// Agents that hold a cell for good, and since when, by cell.
    held: Keyed<(u32, u64)>,
    /// The last tick at which a cell is reserved, by cell. May be later than that, after a release.
    last: Keyed<u64>,
}

/// A step in time: from one cell to another (or the same) in the tick that ends at `arrival`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimedStep {
    /// Where it begins.
    pub from: Cell,
    /// Where it ends.
    pub to: Cell,
    /// The direction; nothing for a wait.
    pub way: Option<Direction>,
    /// The tick at which it ends.
    pub arrival: u64,
}

const fn key(cell: Cell, tick: u64) -> u64 {
    tick << 32 | cell.index() as u64
}

impl Reservations {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.taken.clear();
        self.held.clear();
        self.last.clear();
    }

    /// Lets an agent stand on a cell at a tick. An earlier reservation of another agent is lost.
    pub fn reserve(&mut self, agent: usize, cell: Cell, tick: u64) {
        self.taken.insert(key(cell, tick), agent as u32);
        let last = self.last.get(cell.index() as u64).unwrap_or(0);
        self.last.insert(cell.index() as u64, last.max(tick));
    }

    /// Takes back the reservation of an agent, if it has it.
    pub fn release(&mut self, agent: usize, cell: Cell, tick: u64) {
        if self.taken.get(key(cell, tick)) == Some(agent as u32) {
            self.taken.remove(key(cell, tick));
        }
    }

    /// Lets an agent hold a cell from a tick on.
    pub fn hold(&mut self, agent: usize, cell: Cell, since: u64) {
        self.held.insert(cell.index() as u64, (agent as u32, since));
    }

    /// Lets go of a cell that an agent holds, if it does.
    pub fn let_go(&mut self, agent: usize, cell: Cell) {
        if self.held.get(cell.index() as u64).is_some_and(|(holder, _)| holder == agent as u32) {
            self.held.remove(cell.index() as u64);
        }
    }

    /// Who will stand on a cell at a tick.
    pub fn owner(&self, cell: Cell, tick: u64) -> Option<usize> {
        let taken = self.taken.get(key(cell, tick));
        let held = || self.held.get(cell.index() as u64).filter(|&(_, since)| since <= tick);
        taken.or_else(|| held().map(|(agent, _)| agent)).map(|agent| agent as usize)
    }

    /// Who stands in the way of a step, by standing there, by coming the other way, or, where that is
    /// forbidden, by crossing it.
    pub fn conflict(&self, grid: &Grid, agent: usize, step: TimedStep) -> Option<usize> {
        let TimedStep { from, to, way, arrival } = step;
        let other = |owner: Option<usize>| owner.filter(|&owner| owner != agent);
        if let Some(there) = other(self.owner(to, arrival)) {
            return Some(there);
        }
        let way = way?;
        // Whoever leaves the cell we enter for the cell that we leave.
        let passes = |here: Cell, there: Cell| {
            other(self.owner(here, arrival - 1))
                .filter(|&owner| self.owner(there, arrival) == Some(owner))
        };
        if let Some(oncoming) = passes(to, from) {
            return Some(oncoming);
        }
        let crossed = grid.crossed_steps(from, way)?;
        crossed.into_iter().find_map(|(here, there)| passes(here, there))
    }

    /// Whether an agent can stay on a cell from a tick on, because no other agent has plans for it.
    pub fn is_free_from(&self, agent: usize, cell: Cell, tick: u64) -> bool {
        let holder = self.held.get(cell.index() as u64).map(|(holder, _)| holder as usize);
        if holder.is_some_and(|holder| holder != agent) {
            return false;
        }
        let last = self.last.get(cell.index() as u64).unwrap_or(0);
        (tick..=last).all(|later| {
            let owner = self.taken.get(key(cell, later));
            owner.is_none_or(|owner| owner as usize == agent)
        })
    }

    /// The last tick that anything is reserved at, or an earlier reservation was.
    pub fn horizon(&self) -> u64 {
        self.last.values().max().unwrap_or(0)
    }

    /// How many cells and ticks are reserved.
    pub fn len(&self) -> usize {
        self.taken.len()
    }

    /// Whether nothing is reserved.
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    /// Bytes this table holds.
    pub fn memory(&self) -> usize {
        self.taken.memory() + self.held.memory() + self.last.memory()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Crossing, Rules};

    fn step(grid: &Grid, from: (u32, u32), to: (u32, u32), arrival: u64) -> TimedStep {
        let (from, to) = (grid.at(from.0, from.1).unwrap(), grid.at(to.0, to.1).unwrap());
        TimedStep { from, to, way: grid.way_between(from, to), arrival }
    }

    #[test]
    fn a_cell_a_swap_and_a_crossing_are_conflicts() {
        let grid = Grid::open(3, 3).unwrap();
        let strict = Rules { crossing: Crossing::Forbidden, ..Rules::default() };
        let strict = grid.clone().with_rules(strict);
        let cell = |x, y| grid.at(x, y).unwrap();
        let mut table = Reservations::default();
        // Agent 7 goes from (1, 0) to (0, 1), and stays.
        table.reserve(7, cell(1, 0), 4);
        table.reserve(7, cell(0, 1), 5);
        table.hold(7, cell(0, 1), 6);
        let conflict = |from, to, at, forbids| {
            let grid = if forbids { &strict } else { &grid };
            table.conflict(grid, 1, step(grid, from, to, at))
        };
        assert_eq!(conflict((0, 0), (0, 1), 5, false), Some(7), "it is there");
        assert_eq!(conflict((0, 0), (0, 1), 4, false), None, "not yet");
        assert_eq!(conflict((0, 0), (0, 1), 99, false), Some(7), "for good");
        assert_eq!(conflict((0, 1), (1, 0), 5, false), Some(7), "a swap");
        assert_eq!(conflict((0, 0), (1, 1), 5, false), None);
        assert_eq!(conflict((0, 0), (1, 1), 5, true), Some(7), "a crossing");
        let own = table.conflict(&strict, 7, step(&strict, (0, 0), (0, 1), 5));
        assert_eq!(own, None, "its own plans are in nobody's way");
    }

    #[test]
    fn only_the_owner_can_release() {
        let grid = Grid::open(2, 1).unwrap();
        let cell = grid.at(0, 0).unwrap();
        let mut table = Reservations::default();
        table.reserve(1, cell, 3);
        table.hold(1, cell, 5);
        table.release(2, cell, 3);
        table.let_go(2, cell);
        assert_eq!(
            (table.owner(cell, 3), table.owner(cell, 4), table.owner(cell, 5)),
            (Some(1), None, Some(1))
        );
        assert!(!table.is_free_from(2, cell, 0));
        table.let_go(1, cell);
        assert!(!table.is_free_from(2, cell, 2), "agent 1 passes at tick 3");
        assert!(table.is_free_from(2, cell, 4));
        table.release(1, cell, 3);
        assert!(table.is_empty() && table.is_free_from(2, cell, 0));
    }
}
