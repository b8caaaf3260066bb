//! What an agent asks, and what it is answered.

use super::Sectors;
use super::course::{Course, Route};
use super::heading::Heading;
use super::questions::Guide;
use crate::grid::{Cell, Grid};
use crate::search::Budget;

/// What [`Follower::ask`] answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Advice {
    /// Go there: the steps from this cell in order of preference.
    Head(Heading),
    /// This is the goal.
    Arrived,
    /// No path leads from here to the goal.
    Unreachable,
    /// The budget was not enough to know. The work that was done is kept: ask again.
    NotYet,
}

/// An agent's way to its goal. It belongs to the [`Sectors`] that it was first asked with.
///
/// ```
/// use jostle::Grid;
/// use jostle::search::{Advice, Budget, Follower, Sectors};
///
/// let grid = Grid::open(200, 100)?;
/// let mut sectors = Sectors::new(&grid, Default::default());
/// let (mut cell, goal) = (grid.at(3, 90).unwrap(), grid.at(190, 10).unwrap());
/// let mut follower = Follower::to(goal);
/// let mut steps = 0;
/// while let Advice::Head(heading) =
///     follower.ask(&mut sectors, &grid, cell, &mut Budget::unlimited())
/// {
///     cell = grid.beside(cell, heading.best().unwrap());
///     steps += 1;
/// }
/// assert_eq!((cell, steps), (goal, 187));
/// # Ok::<(), jostle::grid::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Follower {
    course: Course,
    route: Route,
}

impl Follower {
    /// An agent that goes to this goal.
    pub fn to(goal: Cell) -> Self {
        Self { course: Course::to(goal), route: Route::default() }
    }

    /// The goal.
    pub const fn goal(&self) -> Cell {
        self.course.goal()
    }

    /// Gives it another goal. Its memory is kept.
    pub fn send(&mut self, goal: Cell) {
        if goal != self.goal() {
            self.course = Course::to(goal);
        }
    }

    /// Makes it search for a new route, because there may be a shorter one.
    pub const fn forget(&mut self) {
        self.course.forget();
    }

    /// Where to go from a cell: the one on which the agent stands. It need not have followed the last advice.
    pub fn ask(
        &mut self,
        sectors: &mut Sectors,
        grid: &Grid,
        cell: Cell,
        budget: &mut Budget<'_>,
    ) -> Advice {
        let mut guide = Guide { sectors, grid, budget, scouted: None };
        self.course.ask(&mut self.route, cell, &mut guide)
    }

    /// Where to go from a cell, if that takes no more than a lookup: for most agents in most ticks. Nothing but this follower is
    /// changed, so any number of threads can do this for different agents.
    /// It does not look at the exit after the next one, so it may lead another way than [`ask`](Self::ask) does, which is no
    /// longer.
    pub fn glance(&mut self, sectors: &Sectors, grid: &Grid, cell: Cell) -> Option<Heading> {
        let heading = self.course.glance(sectors, grid, cell);
        self.course.catch_up(&mut self.route);
        heading
    }

    /// The cells from which the middles of the exits ahead are left, the next one first: to be shown. None on the last leg.
    pub fn exits(&self, sectors: &Sectors) -> impl Iterator<Item = Cell> {
        self.course.exits(&self.route, sectors)
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.route.memory()
    }
}

#[cfg(test)]
#[path = "follow_test.rs"]
mod tests;
