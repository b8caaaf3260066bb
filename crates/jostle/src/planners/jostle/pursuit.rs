//! Goals that move: a horde is sent after a player again in every tick.
//!
//! An agent whose goal has moved a little goes on to where the goal was, because far from there that
//! makes hardly a difference: its *drift* is how far the goal is from there at most, on foot. When
//! that is more than a part of what is left of its way, it looks anew. So agents that are far away
//! look rarely, and those that are near share the field of the goal.
//!
//! A path over the old goal to the new one is longer than the shortest by twice the drift at most,
//! and it is left long before the old goal. A goal that moves far, or behind a wall, has another
//! route from the beginning.

use crate::Cost;
use crate::grid::{Cell, Grid};
use crate::search::is_in_sight;

/// An agent looks anew when its goal has drifted by more than one part of so many of what is left.
const SHARE: u32 = 4;
/// The farthest move of a goal, in cells, that is looked at.
const FARTHEST: u32 = 16;

/// How far the goal of an agent is from where its course leads, at most, in units of [`Cost`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Drift(u32);

impl Drift {
    /// The goal is where the course leads.
    pub const NONE: Self = Self(0);

    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The goal has moved on by so much.
    #[must_use]
    pub fn and(self, step: Cost) -> Self {
        Self(self.0.saturating_add(step.units() as u32))
    }

    /// Whether an agent has to look anew that is so far from where its course leads, in a straight
    /// line.
    pub fn is_due(self, left: Cost) -> bool {
        self.0.saturating_mul(SHARE) > left.units() as u32
    }

    /// Whether the goal is now somewhere else altogether, for an agent that is so far from where its
    /// course leads.
    pub fn is_elsewhere(self, left: Cost) -> bool {
        self.0 > left.units() as u32
    }
}

/// How far goals move. Many agents have the same one, so the last answer is kept.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shifts {
    last: Option<((Cell, Cell), Option<Cost>)>,
}

impl Shifts {
    /// How far it is from one goal to another on foot, if they are near and see each other.
    pub fn between(&mut self, grid: &Grid, from: Cell, to: Cell) -> Option<Cost> {
        match self.last {
            Some((ends, step)) if ends == (from, to) => step,
            _ => {
                let far = grid.distance(from, to);
                let is_near = far.units() <= Cost::CARDINAL.units() * i64::from(FARTHEST);
                let is_step = is_near && grid.is_floor(from) && is_in_sight(grid, from, to);
                let step = is_step.then_some(far);
                self.last = Some(((from, to), step));
                step
            }
        }
    }

    /// The map has changed.
    pub const fn forget(&mut self) {
        self.last = None;
    }
}

#[cfg(test)]
#[path = "pursuit_test.rs"]
mod tests;
