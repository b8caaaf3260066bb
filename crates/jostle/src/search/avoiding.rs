//! Searching past places that are blocked for a while.

use super::Problem;
use crate::Cost;
use crate::grid::{Cell, Directions, Grid, Place};

/// A problem whose search must not enter some places, beside those that the problem itself forbids: cells on which
/// other agents stand, for example.
#[derive(Clone, Copy, Debug)]
pub struct Avoiding<P, F> {
    /// The problem without these obstacles.
    pub problem: P,
    /// Whether the search must not enter a place.
    pub is_obstacle: F,
}

impl<P: Problem, F: Fn(Place) -> bool> Problem for Avoiding<P, F> {
    fn grid(&self) -> &Grid {
        self.problem.grid()
    }

    fn is_goal(&self, place: Place) -> bool {
        self.problem.is_goal(place)
    }

    fn exits(&self, cell: Cell) -> Directions {
        self.problem.exits(cell)
    }

    fn h(&self, place: Place) -> Cost {
        self.problem.h(place)
    }

    fn is_blocked(&self, place: Place) -> bool {
        (self.is_obstacle)(place) || self.problem.is_blocked(place)
    }
}
