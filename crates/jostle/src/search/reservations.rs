//! Which agent will be where, and when: the shared knowledge of the cooperative planners.
//!
//! It promises to report every conflict with what is reserved, and to forget what is released. It does not
//! refuse a reservation that conflicts: planners check first.
//!
//! Cost: a look-up is a binary search among the reservations of one cell.

use crate::grid::{Cell, Direction, Grid};

/// The reservation table: cells that agents will stand on at given ticks, and cells that they will hold
/// from a tick on.
///
/// It detects two agents on one cell and two agents that swap cells; a table that only marked cells could not
/// detect swaps. Agents are identified by their slots.
///
/// Memory: four bytes for each cell of the map, and sixteen for each reservation. Released reservations are
/// removed, so a long game needs no more memory than a short one.
#[derive(Clone, Debug, Default)]
pub struct Reservations {
    /// For each cell, one more than the index of its element in `bookings`; 0 if it never had a reservation.
    numbers: Vec<u32>,
    bookings: Vec<Bookings>,
    /// How many pairs of a cell and a tick are reserved.
    len: usize,
    /// The last tick that was ever reserved.
    horizon: u64,
}

/// The reservations of one cell.
#[derive(Clone, Debug, Default)]
struct Bookings {
    /// Ticks, and the agents that will stand here then, in order of time.
    taken: Vec<(u64, u32)>,
    /// The agent that will hold the cell for good, and from which tick.
    held: Option<(u32, u64)>,
}

impl Bookings {
    const NONE: &Self = &Self { taken: Vec::new(), held: None };

    fn owner(&self, tick: u64) -> Option<usize> {
        // Usually no agent has reserved so late a tick.
        let is_late = self.taken.last().is_none_or(|&(last, _)| last < tick);
        let taken = if is_late { None } else { self.find(tick).ok().map(|at| self.taken[at].1) };
        let held = || self.held.filter(|&(_, since)| since <= tick).map(|(agent, _)| agent);
        taken.or_else(held).map(|agent| agent as usize)
    }

    /// The agents that stand here one tick before `tick`, and at `tick`.
    fn owners(&self, tick: u64) -> (Option<usize>, Option<usize>) {
        let (mut before, mut then) = (None, None);
        // Usually no agent has reserved so late a tick.
        if self.taken.last().is_some_and(|&(last, _)| last + 1 >= tick) {
            let begin = self.taken.partition_point(|&(at, _)| at + 1 < tick);
            for &(at, agent) in self.taken[begin..].iter().take(2) {
                if at == tick {
                    then = Some(agent as usize);
                } else if at < tick {
                    before = Some(agent as usize);
                }
            }
        }
        if let Some((holder, since)) = self.held {
            let holder = |at: u64| (since <= at).then_some(holder as usize);
            (before, then) = (before.or(holder(tick - 1)), then.or(holder(tick)));
        }
        (before, then)
    }

    /// The index of a tick in `taken`, or where it would be inserted.
    fn find(&self, tick: u64) -> Result<usize, usize> {
        self.taken.binary_search_by_key(&tick, |&(tick, _)| tick)
    }
}

/// A step in time: from one cell to another (or the same) in the tick that ends at `arrival`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimedStep {
    /// The cell where the step begins.
    pub from: Cell,
    /// The cell where it ends; the same for a wait.
    pub to: Cell,
    /// The direction of the step; `None` for a wait.
    pub direction: Option<Direction>,
    /// The tick at which it ends.
    pub arrival: u64,
}

impl Reservations {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.bookings.clear();
        (self.len, self.horizon) = (0, 0);
    }

    /// Reserves a cell at a tick for an agent. An existing reservation of another agent is replaced.
    pub fn reserve(&mut self, agent: usize, cell: Cell, tick: u64) {
        let bookings = self.book(cell);
        match bookings.find(tick) {
            Ok(at) => bookings.taken[at].1 = agent as u32,
            Err(at) => {
                bookings.taken.insert(at, (tick, agent as u32));
                self.len += 1;
            }
        }
        self.horizon = self.horizon.max(tick);
    }

    /// Releases the reservation of an agent, if it has one.
    pub fn release(&mut self, agent: usize, cell: Cell, tick: u64) {
        if let Some(bookings) = self.booked(cell)
            && let Ok(at) = bookings.find(tick)
            && bookings.taken[at].1 == agent as u32
        {
            bookings.taken.remove(at);
            self.len -= 1;
        }
    }

    /// Reserves a cell for an agent from a tick on, for good. It replaces an earlier hold on the cell.
    pub fn hold(&mut self, agent: usize, cell: Cell, since: u64) {
        self.book(cell).held = Some((agent as u32, since));
    }

    /// Ends the hold of an agent on a cell, if it has one.
    pub fn let_go(&mut self, agent: usize, cell: Cell) {
        if let Some(Bookings { held, .. }) = self.booked(cell) {
            *held = held.filter(|&(holder, _)| holder != agent as u32);
        }
    }

    /// The agent that will stand on a cell at a tick.
    pub fn owner(&self, cell: Cell, tick: u64) -> Option<usize> {
        self.bookings(cell).owner(tick)
    }

    /// The agent with which a step conflicts, because it will stand there, would swap cells, or, where that is
    /// forbidden, would cross the step.
    pub fn conflict(&self, grid: &Grid, agent: usize, step: TimedStep) -> Option<usize> {
        let TimedStep { from, to, direction, arrival } = step;
        let other = |owner: Option<usize>| owner.filter(|&owner| owner != agent);
        let Some(direction) = direction else { return other(self.owner(to, arrival)) };
        let (before, then) = self.bookings(to).owners(arrival);
        if let Some(there) = other(then) {
            return Some(there);
        }
        let goes_to = |before: Option<usize>, there: Cell| {
            other(before).filter(|&owner| self.owner(there, arrival) == Some(owner))
        };
        // A swap: the other agent leaves the cell we enter for the cell that we leave.
        if let Some(oncoming) = goes_to(before, from) {
            return Some(oncoming);
        }
        let crossed = grid.crossed_steps(from, direction)?;
        let passes = |here: Cell, there: Cell| goes_to(self.owner(here, arrival - 1), there);
        crossed.into_iter().find_map(|(here, there)| passes(here, there))
    }

    /// Whether an agent can stay on a cell from a tick on, because no other agent has reserved it.
    pub fn is_free_from(&self, agent: usize, cell: Cell, tick: u64) -> bool {
        let Bookings { taken, held } = self.bookings(cell);
        let is_other = |other: u32| other as usize != agent;
        let later = taken.iter().rev().take_while(|&&(at, _)| at >= tick);
        !held.is_some_and(|(holder, _)| is_other(holder))
            && !later.into_iter().any(|&(_, owner)| is_other(owner))
    }

    /// The intervals from a tick on in which no other agent has reserved a cell: the first and last tick of each,
    /// in order. An interval without end has the last tick `u64::MAX - 1`.
    pub fn gaps(&self, agent: usize, cell: Cell, from: u64) -> impl Iterator<Item = (u64, u64)> {
        let Bookings { taken, held } = self.bookings(cell);
        let is_other = move |other: u32| other as usize != agent;
        let begin = taken.partition_point(|&(tick, _)| tick < from);
        let taken = taken[begin..].iter().filter(move |&&(_, owner)| is_other(owner));
        let held = held.filter(|&(holder, _)| is_other(holder)).map(|(_, since)| since);
        let mut first = from;
        let until_held = held.unwrap_or(u64::MAX);
        let ends = taken.map(|&(tick, _)| tick).chain([until_held]);
        ends.filter_map(move |end| {
            let gap = (first, end.min(until_held).saturating_sub(1));
            first = first.max(end.saturating_add(1));
            (gap.0 <= gap.1 && gap.0 < until_held).then_some(gap)
        })
    }

    /// The last tick that was ever reserved, even if it has been released since. Holds do not count.
    pub const fn horizon(&self) -> u64 {
        self.horizon
    }

    /// How many pairs of a cell and a tick are reserved. Holds do not count.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether no cell is reserved at any tick. Holds do not count.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes this table holds.
    pub fn memory(&self) -> usize {
        let taken = self.bookings.iter().map(|bookings| bookings.taken.capacity());
        self.numbers.capacity() * size_of::<u32>()
            + self.bookings.capacity() * size_of::<Bookings>()
            + taken.sum::<usize>() * size_of::<(u64, u32)>()
    }

    fn bookings(&self, cell: Cell) -> &Bookings {
        match self.numbers.get(cell.index()) {
            None | Some(0) => Bookings::NONE,
            Some(&number) => &self.bookings[number as usize - 1],
        }
    }

    /// The bookings of a cell, to be changed, if it ever had any.
    fn booked(&mut self, cell: Cell) -> Option<&mut Bookings> {
        let number = self.numbers.get(cell.index())?.checked_sub(1)?;
        self.bookings.get_mut(number as usize)
    }

    /// The bookings of a cell, to be changed; creates them if there are none.
    fn book(&mut self, cell: Cell) -> &mut Bookings {
        if self.numbers.len() <= cell.index() {
            self.numbers.resize(cell.index() + 1, 0);
        }
        let number = &mut self.numbers[cell.index()];
        if *number == 0 {
            self.bookings.push(Bookings::default());
            *number = self.bookings.len() as u32;
        }
        &mut self.bookings[*number as usize - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Crossing, Rules};

    fn step(grid: &Grid, from: (u32, u32), to: (u32, u32), arrival: u64) -> TimedStep {
        let (from, to) = (grid.at(from.0, from.1).unwrap(), grid.at(to.0, to.1).unwrap());
        TimedStep { from, to, direction: grid.step_between(from, to), arrival }
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
        assert_eq!(own, None, "an agent does not conflict with itself");
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

    #[test]
    fn gaps_are_the_intervals_between_the_reservations_of_others() {
        let cell = Cell::from_index(3);
        let mut table = Reservations::default();
        let gaps = |table: &Reservations, from| table.gaps(1, cell, from).collect::<Vec<_>>();
        let never = u64::MAX - 1;
        assert_eq!(gaps(&table, 2), [(2, never)]);
        for tick in [9, 4, 5, 7] {
            table.reserve(2, cell, tick);
        }
        table.reserve(1, cell, 11);
        assert_eq!(gaps(&table, 2), [(2, 3), (6, 6), (8, 8), (10, never)]);
        assert_eq!(gaps(&table, 5), [(6, 6), (8, 8), (10, never)]);
        table.hold(2, cell, 12);
        assert_eq!(gaps(&table, 7), [(8, 8), (10, 11)]);
        assert_eq!(gaps(&table, 12), []);
        table.hold(2, cell, 5);
        assert_eq!(gaps(&table, 0), [(0, 3)]);
        table.hold(1, cell, 5);
        assert_eq!(gaps(&table, 9), [(10, never)]);
    }

    #[test]
    fn a_long_game_needs_no_more_memory_than_a_short_one() {
        let mut table = Reservations::default();
        let mut after_warm_up = 0;
        for now in 0..20_000u64 {
            for step in 0..30 {
                table.reserve(1, Cell::from_index((now + step) as usize * 7 % 500), now + step);
                table.release(1, Cell::from_index((now + step) as usize * 7 % 500), now + step);
            }
            table.reserve(2, Cell::from_index(now as usize % 500), now + 20);
            if let Some(past) = now.checked_sub(30) {
                table.release(2, Cell::from_index(past as usize % 500), past + 20);
            }
            if now == 1000 {
                after_warm_up = table.memory();
            }
        }
        assert!(table.len() <= 31);
        assert_eq!(table.memory(), after_warm_up);
    }
}
