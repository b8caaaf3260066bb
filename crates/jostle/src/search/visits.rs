//! Who stands where and when, for plans that are made at leisure: each visit of a cell is one entry, however long it lasts.
//!
//! [`Reservations`](super::Reservations) has an entry for each tick, which suits planners that reserve and release a few ticks at a
//! time. Here, a search finds the gaps between visits without looking at every tick, and each gap has a number.
//!
//! It promises to report every visit that was added and not removed. It does not refuse visits that overlap.
//!
//! Cost: a look-up is a binary search among the visits of one cell. Memory: twenty-four bytes a cell, and twelve a visit.

use crate::grid::{Cell, Direction, Grid};
use crate::tally::{self, Kind};

/// Stands for the last tick of a visit or a gap without end.
pub const FOREVER: u32 = u32::MAX;

/// The visits of all cells. Agents are numbered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Visits {
    /// By cell, in order of time.
    cells: Vec<Vec<Visit>>,
}

/// One agent on one cell for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Visit {
    first: u32,
    last: u32,
    agent: u32,
}

/// A while in which nobody visits a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The number of visits to the cell before the gap: no two gaps of a cell have the same.
    pub number: u32,
    /// Its first tick, or the tick from which on gaps were asked for.
    pub first: u32,
    /// Its last tick.
    pub last: u32,
    /// The agent that was there in the tick before `first`.
    pub before: Option<u32>,
}

impl Visits {
    /// No visits on a grid.
    pub fn on(grid: &Grid) -> Self {
        Self { cells: vec![Vec::new(); grid.cells().len()] }
    }

    /// Adds the visits of an agent that is on these cells, one for each tick from tick 0 on, and stays on the last. Those before tick `from` are there
    /// already.
    pub fn add(&mut self, agent: usize, path: &[Cell], from: u32) {
        for (cell, first, last) in stays(path).filter(|stay| stay.2 >= from) {
            let visits = &mut self.cells[cell.index()];
            let at = visits.partition_point(|visit| visit.first < first);
            match visits.get_mut(at) {
                Some(visit) if first < from => visit.last = last,
                _ => visits.insert(at, Visit { first, last, agent: agent as u32 }),
            }
        }
    }

    /// Removes what [`Visits::add`] has added.
    pub fn remove(&mut self, agent: usize, path: &[Cell], from: u32) {
        for (cell, first, _) in stays(path).filter(|stay| stay.2 >= from) {
            let visits = &mut self.cells[cell.index()];
            let at = visits.partition_point(|visit| visit.first < first);
            let is_it = |visit: &&mut Visit| (visit.first, visit.agent) == (first, agent as u32);
            let Some(visit) = visits.get_mut(at).filter(is_it) else { continue };
            if first < from {
                visit.last = from - 1;
            } else {
                visits.remove(at);
            }
        }
    }

    /// The last agent that visits a cell leaves it, and is elsewhere from a tick on.
    pub fn leave(&mut self, cell: Cell, tick: u32) {
        if let Some(visit) = self.cells[cell.index()].last_mut() {
            visit.last = tick - 1;
        }
    }

    /// An agent enters a cell in a tick, after all other visits, and stays.
    pub fn enter(&mut self, agent: usize, cell: Cell, tick: u32) {
        self.cells[cell.index()].push(Visit { first: tick, last: FOREVER, agent: agent as u32 });
    }

    /// The agent that is on a cell at a tick.
    pub fn agent(&self, cell: Cell, tick: u32) -> Option<u32> {
        tally::note(Kind::Gap, 1);
        let visits = &self.cells[cell.index()];
        let at = visits.partition_point(|visit| visit.last < tick);
        visits.get(at).filter(|visit| visit.first <= tick).map(|visit| visit.agent)
    }

    /// The agents that visit a cell, in order of time and perhaps several times.
    pub fn agents(&self, cell: Cell) -> impl Iterator<Item = u32> {
        self.cells[cell.index()].iter().map(|visit| visit.agent)
    }

    /// The tick from which on nobody visits a cell any more; `None` if an agent stays there for good.
    pub fn settled(&self, cell: Cell) -> Option<u32> {
        let last = self.cells[cell.index()].last().map(|visit| visit.last);
        last.map_or(Some(0), |last| last.checked_add(1))
    }

    /// The gaps of a cell from a tick on, in order of time.
    pub fn gaps(&self, cell: Cell, from: u32) -> impl Iterator<Item = Gap> {
        let visits = &self.cells[cell.index()];
        let begin = visits.partition_point(|visit| visit.last < from);
        let before = begin.checked_sub(1).map(|at| visits[at]);
        let mut before = before.filter(|visit| visit.last + 1 == from).map(|visit| visit.agent);
        let mut first = Some(from);
        (begin..=visits.len()).filter_map(move |at| {
            tally::note(Kind::Gap, 1);
            let (begin, next) = (first?, visits.get(at));
            let last = next.map_or(Some(FOREVER), |visit| visit.first.checked_sub(1));
            let gap = last.filter(|&last| begin <= last).map(|last| {
                let number = at as u32;
                Gap { number, first: begin, last, before }
            });
            before = next.map(|visit| visit.agent);
            first = next.and_then(|visit| visit.last.checked_add(1));
            gap
        })
    }

    /// How many gaps a cell has at most.
    pub fn most_gaps(&self, cell: Cell) -> usize {
        self.cells[cell.index()].len() + 1
    }

    /// The agent with which another's step, or wait, is in conflict: it is there, would swap cells, or, where that is forbidden, would
    /// cross the step.
    pub fn conflict(
        &self,
        grid: &Grid,
        agent: u32,
        (from, to): (Cell, Cell),
        arrival: u32,
    ) -> Option<u32> {
        let other = |there: Option<u32>| there.filter(|&there| there != agent);
        let goes = |here: Cell, there: Cell| {
            let going = other(self.agent(here, arrival - 1));
            going.filter(|&going| self.agent(there, arrival) == Some(going))
        };
        let there = other(self.agent(to, arrival));
        there.or_else(|| if from == to { None } else { goes(to, from) }).or_else(|| {
            let direction = grid.step_between(from, to)?;
            self.crossing(grid, (from, direction), arrival)
        })
    }

    /// Whether an agent whose visits are not among these can go along a path from tick 0 on, and stay at its end, without a conflict.
    pub fn allow(&self, grid: &Grid, path: &[Cell]) -> bool {
        let Some((&start, &end)) = path.first().zip(path.last()) else { return true };
        let mut steps = path.windows(2).zip(1..);
        self.agent(start, 0).is_none()
            && self.settled(end).is_some_and(|settled| (settled as usize) < path.len())
            && steps.all(|(step, arrival)| {
                self.conflict(grid, FOREVER, (step[0], step[1]), arrival).is_none()
            })
    }

    /// The agent whose step a diagonal step would cross, where that is forbidden.
    pub fn crossing(
        &self,
        grid: &Grid,
        (from, direction): (Cell, Direction),
        arrival: u32,
    ) -> Option<u32> {
        let crossed = grid.crossed_steps(from, direction)?;
        crossed.into_iter().find_map(|(here, there)| {
            let going = self.agent(here, arrival - 1)?;
            (self.agent(there, arrival) == Some(going)).then_some(going)
        })
    }

    /// Nominal bytes: twenty-four for each cell, and sixteen for each visit.
    pub fn held(&self) -> usize {
        24 * self.cells.len() + 16 * self.cells.iter().map(Vec::len).sum::<usize>()
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        let visits = self.cells.iter().map(Vec::capacity).sum::<usize>();
        self.cells.capacity() * size_of::<Vec<Visit>>() + visits * size_of::<Visit>()
    }
}

/// The cells of a path with the first and the last tick of each stay.
fn stays(path: &[Cell]) -> impl Iterator<Item = (Cell, u32, u32)> {
    let mut first = 0;
    path.chunk_by(|a, b| a == b).map(move |stay| {
        let (begin, end) = (first, first + stay.len());
        first = end;
        let last = if end == path.len() { FOREVER } else { end as u32 - 1 };
        (stay[0], begin as u32, last)
    })
}

#[cfg(test)]
mod tests {
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::grid::{Crossing, Rules};
    use crate::plan::{Plan, TimedPath};

    #[test]
    fn gaps_are_what_visits_leave() {
        let grid = Grid::open(4, 1).unwrap();
        let [a, b, c, d] = [0, 1, 2, 3].map(|x| grid.at(x, 0).unwrap());
        let mut visits = Visits::on(&grid);
        let (east, west) = ([a, b, b, c, d], [d, d, d, d, c, b, a]);
        visits.add(7, &east, 0);
        visits.add(3, &west[..4], 0);
        visits.remove(3, &west[..4], 0);
        visits.add(5, &[c, c, c, b, a], 0);
        let gap = |number, first, last, before| Gap { number, first, last, before };
        let gaps = |cell, from| visits.gaps(cell, from).collect::<Vec<_>>();
        assert_eq!(gaps(b, 0), [gap(0, 0, 0, None), gap(2, 4, FOREVER, Some(5))]);
        assert_eq!(gaps(b, 4), [gap(2, 4, FOREVER, Some(5))]);
        assert_eq!(gaps(b, 9), [gap(2, 9, FOREVER, None)]);
        assert_eq!(gaps(a, 0), [gap(1, 1, 3, Some(7))]);
        assert_eq!(gaps(d, 2), [gap(0, 2, 3, None)]);
        assert_eq!(
            (visits.settled(d), visits.settled(b), visits.settled(c)),
            (None, Some(4), Some(4))
        );
        assert_eq!(
            (visits.agent(b, 2), visits.agent(b, 4), visits.agent(a, 99)),
            (Some(7), None, Some(5))
        );
        assert_eq!(visits.conflict(&grid, 1, (d, c), 2), Some(5));
        assert_eq!(visits.conflict(&grid, 1, (b, b), 2), Some(7));
        assert_eq!(visits.conflict(&grid, 5, (c, b), 3), Some(7), "a swap");
        assert_eq!(visits.conflict(&grid, 1, (c, b), 3), Some(5));
        assert_eq!(visits.conflict(&grid, 5, (b, c), 2), None);
    }

    /// Paths at random are allowed exactly where a plan with them has no conflict.
    #[test]
    fn paths_are_allowed_that_are_in_nobodys_way() {
        let mut dice = ChaCha8Rng::seed_from_u64(8);
        let mut counts = [0; 2];
        for _ in 0..2000 {
            let crossing = if dice.random() { Crossing::Allowed } else { Crossing::Forbidden };
            let grid = Grid::open(3, 3).unwrap().with_rules(Rules { crossing, ..Rules::default() });
            let cells: Vec<Cell> = grid.cells().collect();
            let paths = [0, 1].map(|_| {
                let mut path = vec![*cells.choose(&mut dice).unwrap()];
                for _ in 0..dice.random_range(0..5) {
                    let here = path[path.len() - 1];
                    let near: Vec<Cell> = grid.neighbours(here).chain([here]).collect();
                    path.push(*near.choose(&mut dice).unwrap());
                }
                path
            });
            let mut visits = Visits::on(&grid);
            visits.add(4, &paths[0], 0);
            let is_allowed = visits.allow(&grid, &paths[1]);
            let plan = Plan::new(grid, paths.map(TimedPath::of).into());
            assert_eq!(is_allowed, plan.first_conflict().is_none(), "{plan:?}");
            counts[usize::from(is_allowed)] += 1;
        }
        assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
    }
}
