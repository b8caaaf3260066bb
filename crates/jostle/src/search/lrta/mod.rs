//! Real-time heuristic search for one agent, with six parameters: learning real-time A\* (LRTA\*) and its relatives.
//!
//! The agent looks at the neighbours of its cell, raises the estimate of the cell by what they say, and steps to the best of them.
//! The work for a step is the same on every map. What it has learned leads it out of dead ends in the end, after walking to and fro
//! in them for a while; the parameters make that while shorter, each in its own way.
//!
//! Paper: Sigurdson's thesis (2018), Algorithm 1, which takes the parameters from Bulitko (2016). Where it is silent: neighbours
//! are sorted by the unweighted `f`; the median of an even number of values is the mean of the middle two; estimates are capped
//! at 10^12 steps.
//!
//! It promises to arrive, given enough moves, if the goal can be reached, `da` is off, and no estimate reaches the cap, which large
//! weights can lead to: estimates only rise, and expendable cells are not missed. Memory: eight bytes for each cell of the tiles of 8x8 cells that it has been
//! in or beside, and four for each tile of the map.

mod estimates;
mod expendable;
mod neighbourhood;

use rand::{Rng, RngExt};

use super::Place;
use crate::Cost;
use crate::grid::{Cell, Direction, Directions, Exits, Grid};
use estimates::{Estimates, REMOVED};
use expendable::is_expendable;
use neighbourhood::Neighbourhood;

/// The parameters of real-time heuristic search. With the default ones it is LRTA\* (Korf 1990).
///
/// ```
/// use jostle::Grid;
/// use jostle::search::{Lrta, LrtaSearch};
///
/// // A dead end: the goal is behind the wall.
/// let grid = Grid::from_ascii("...#.\n.###.\n.....")?;
/// let [start, goal] = [2, 4].map(|x| grid.at(x, 0).unwrap());
/// let mut search = LrtaSearch::default();
/// let walk = search.walk(&grid, (start, goal), &Lrta::default(), 1000, |_| ());
/// assert!(walk.has_arrived);
/// let weighted = Lrta { w: 2.0, ..Lrta::default() };
/// assert!(search.walk(&grid, (start, goal), &weighted, 1000, |_| ()).moves <= walk.moves);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lrta {
    /// What the learned estimate is multiplied by, from 1 to 10. Default: `1`, as in LRTA\*.
    pub w: f64,
    /// What the cost of a step is multiplied by where it is learned from, from 1 to 10. Default: `1`, as in LRTA\*.
    pub wc: f64,
    /// From which part of the neighbours to learn, the best ones: 0 means from the best one, 1 from all. Default: `1`, as in LRTA\*.
    pub b: f64,
    /// How to make one value of what they say. Default: `min`, as in LRTA\*.
    pub lop: Learning,
    /// Whether to learn from, and step to, only those neighbours for which the least was learned so far. Default: `false`, as in LRTA\*.
    pub da: bool,
    /// Whether never to come back to cells that are not needed to get from one of their neighbours to another one. Default: `false`, as in
    /// LRTA\*.
    pub expendable: bool,
}

impl Default for Lrta {
    fn default() -> Self {
        Self { w: 1.0, wc: 1.0, b: 1.0, lop: Learning::Min, da: false, expendable: false }
    }
}

impl Lrta {
    /// Draws all parameters from their ranges, each value as likely as any other.
    pub fn draw(dice: &mut impl Rng) -> Self {
        let learning = [Learning::Min, Learning::Mean, Learning::Median, Learning::Max];
        Self {
            w: dice.random_range(1.0..=10.0),
            wc: dice.random_range(1.0..=10.0),
            b: dice.random_range(0.0..=1.0),
            lop: learning[dice.random_range(0..learning.len() as u32) as usize],
            da: dice.random(),
            expendable: dice.random(),
        }
    }

    /// Whether this is plain LRTA\*, for which less has to be computed.
    fn is_plain(&self) -> bool {
        // Whatever else it learns from, the best neighbour says the least.
        let learns_least = self.lop == Learning::Min || self.b <= 0.0;
        self.w <= 1.0 && self.wc <= 1.0 && learns_least && !self.da && !self.expendable
    }
}

/// How to make one value of what several neighbours say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Learning {
    /// The least value.
    #[default]
    Min,
    /// The mean of all values.
    Mean,
    /// The value in the middle.
    Median,
    /// The largest value.
    Max,
}

/// How a walk has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walk {
    /// Whether the agent has reached its goal.
    pub has_arrived: bool,
    /// How many steps it has made.
    pub moves: u64,
    /// How long its way was.
    pub cost: Cost,
    /// How many cells it has removed, because they were expendable.
    pub removed: u32,
}

impl Walk {
    /// How many times as long as the shortest path the walk is, from 1. One that has not arrived, or is longer than `longest` says,
    /// counts as `longest`.
    ///
    /// ```
    /// use jostle::search::{Lrta, LrtaSearch, shortest_path};
    /// use jostle::Grid;
    ///
    /// // A dead end: the goal is behind the wall.
    /// let grid = Grid::from_ascii("...#.\n.###.\n.....")?;
    /// let [start, goal] = [2, 4].map(|x| grid.at(x, 0).unwrap());
    /// let (best, _) = shortest_path(&grid, start, goal).unwrap();
    /// let mut search = LrtaSearch::default();
    /// let walk = search.walk(&grid, (start, goal), &Lrta::default(), 1000, |_| ());
    /// assert_eq!(walk.suboptimality(best, 100.0), 1.2); // 12 steps instead of 10
    /// assert_eq!(walk.suboptimality(best, 1.1), 1.1);
    /// let too_short = search.walk(&grid, (start, goal), &Lrta::default(), 3, |_| ());
    /// assert_eq!(too_short.suboptimality(best, 100.0), 100.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn suboptimality(&self, best: Cost, longest: f64) -> f64 {
        if !self.has_arrived {
            return longest;
        }
        // A walk to where it starts has no length, and is as short as can be.
        let times = self.cost.units() as f64 / best.units().max(1) as f64;
        times.max(1.0).min(longest)
    }

    /// How many moves a walk may make before it is certainly longer than `longest` times the shortest path.
    pub fn most_moves(best: Cost, longest: f64) -> u64 {
        // No step is shorter than 1.
        (best.as_f64() * longest) as u64
    }
}

/// What one agent has learned. Its memory is used again for the next agent.
#[derive(Clone, Debug, Default)]
pub struct LrtaSearch {
    estimates: Estimates,
    removed: u32,
}

/// The highest estimate: 10^12 steps, in units.
const HIGHEST: i64 = 1_000_000_000_000 * Cost::CARDINAL.units();

impl LrtaSearch {
    /// Forgets everything, and begins anew for a goal.
    pub fn begin(&mut self, grid: &Grid, goal: Cell) {
        self.estimates.begin(grid, goal);
        self.removed = 0;
    }

    /// Learns about a cell, and returns the one to step to by one of these exits; none if there are none, or this is the goal. Steps that
    /// are left out, because somebody is there, are not learned from either.
    pub fn step(
        &mut self,
        grid: &Grid,
        lrta: &Lrta,
        from: Cell,
        exits: Directions,
    ) -> Option<Cell> {
        let here = Place::of(grid, from);
        let next = if lrta.is_plain() {
            self.plain_step(grid, here, exits)
        } else {
            self.any_step(grid, lrta, here, exits)
        };
        next.map(|(place, _)| place.cell)
    }

    /// Walks from a start to a goal, with at most so many steps. `visit` is told every cell that the agent steps to.
    pub fn walk(
        &mut self,
        grid: &Grid,
        (start, goal): (Cell, Cell),
        lrta: &Lrta,
        most_moves: u64,
        visit: impl FnMut(Cell),
    ) -> Walk {
        self.begin(grid, goal);
        if lrta.is_plain() {
            self.walk_by(grid, start, most_moves, visit, |search, here| {
                search.plain_step(grid, here, grid.exits(here.cell))
            })
        } else {
            self.walk_by(grid, start, most_moves, visit, |search, here| {
                search.any_step(grid, lrta, here, grid.exits(here.cell))
            })
        }
    }

    fn walk_by(
        &mut self,
        grid: &Grid,
        start: Cell,
        most_moves: u64,
        mut visit: impl FnMut(Cell),
        step: impl Fn(&mut Self, Place) -> Option<(Place, i64)>,
    ) -> Walk {
        let mut here = Place::of(grid, start);
        let (mut moves, mut cost) = (0, 0);
        while moves < most_moves
            && let Some((next, length)) = step(self, here)
        {
            here = next;
            moves += 1;
            cost += length;
            visit(here.cell);
        }
        let has_arrived = self.estimates.goal() == Some(here);
        Walk { has_arrived, moves, cost: Cost::from_units(cost), removed: self.removed }
    }

    /// Learns from the best neighbour, and steps to it.
    fn plain_step(&mut self, grid: &Grid, here: Place, exits: Directions) -> Option<(Place, i64)> {
        if self.estimates.goal() == Some(here) {
            return None;
        }
        let near = self.estimates.around(grid, here, exits);
        // Of equals the first direction wins, so it is part of the number.
        let mut best = i64::MAX;
        for direction in Direction::ALL {
            let f = near[direction as usize] + direction.cost().units();
            let rank = f << 3 | direction as i64;
            best = if exits.contains(direction) { best.min(rank) } else { best };
        }
        let f = best >> 3;
        if f >= REMOVED {
            return None;
        }
        if f > self.estimates.get(here) {
            self.estimates.set(here, f.min(HIGHEST));
        }
        let direction = Direction::ALL[(best & 7) as usize];
        Some((here.beside(grid, direction), direction.cost().units()))
    }

    /// Learns and steps as the parameters say.
    fn any_step(
        &mut self,
        grid: &Grid,
        lrta: &Lrta,
        here: Place,
        exits: Directions,
    ) -> Option<(Place, i64)> {
        if self.estimates.goal() == Some(here) {
            return None;
        }
        let mut near = Neighbourhood::around(grid, here, exits, &mut self.estimates);
        if lrta.da {
            near.keep_least_learned();
        }
        let step = near.first()?;
        let new = (lrta.w * near.learn(lrta)).min(HIGHEST as f64).round() as i64;
        if new > self.estimates.get(here) {
            let mut is_removed = |cell| self.estimates.get(Place::of(grid, cell)) == REMOVED;
            let is_expendable = lrta.expendable && is_expendable(grid, here.cell, &mut is_removed);
            self.estimates.set(here, if is_expendable { REMOVED } else { new });
            self.removed += u32::from(is_expendable);
        }
        Some(step)
    }

    /// How long the way from a cell to the goal is, by what was learned so far; none for a cell that was removed.
    pub fn estimate(&mut self, grid: &Grid, cell: Cell) -> Option<Cost> {
        let estimate = self.estimates.get(Place::of(grid, cell));
        (estimate < REMOVED).then_some(Cost::from_units(estimate))
    }

    /// Bytes that are held.
    pub fn memory(&self) -> usize {
        self.estimates.memory()
    }
}

#[cfg(test)]
#[path = "lrta_test.rs"]
mod tests;
