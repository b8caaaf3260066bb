//! Real-time adaptive A\* (Koenig and Likhachev): a bounded A\* that learns.
//!
//! One search expands as many nodes as its budget allows (its lookahead) from the cell of the agent. Its path
//! leads to the node that would have been expanded next, and every expanded node `c` learns `h(c) = f - g(c)`,
//! with the `f` of that node. An agent that walks along such paths gets out of every dead end, because the
//! values that it learns there rise until another direction is better.
//!
//! On a fixed floor with a consistent heuristic, learned values never fall, stay lower bounds, and the
//! agent reaches its goal. Where cells are blocked only for a while (by other agents), values may rise
//! above the true distance, and later searches may lower them.

use super::learned::LearnedAt;
use super::{Budget, Learned, Problem, Search, Verdict};
use crate::Cost;
use crate::grid::{Cell, Directions, Grid, Place};

/// The search that [`Rtaa`] runs: its nodes note where a learned value was found.
pub type RtaaSearch = Search<Option<LearnedAt>>;

/// A bounded search that learns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rtaa {
    /// Keeps the larger of the old and the new value when learning. Off in the papers.
    pub monotone: bool,
    /// Uses a learned value only where it is above the estimate: for estimates that improve while
    /// agents learn. Off in the papers.
    pub improving: bool,
}

impl Rtaa {
    /// Searches from `start`, updates `learned`, and writes the path to walk into `path`: from `start` to
    /// the node that was about to be expanded.
    ///
    /// # Returns
    /// Usually [`Verdict::OutOfBudget`], because the budget is the lookahead. If nothing was left to expand
    /// ([`Verdict::Nothing`]), the path is empty and nothing is learned.
    pub fn search(
        &self,
        search: &mut RtaaSearch,
        problem: &impl Problem<Note = ()>,
        start: Cell,
        (learned, path): (&mut Learned, &mut Vec<Cell>),
        budget: &mut Budget<'_>,
    ) -> Verdict {
        let verdict = if self.improving {
            search.run(&Adapted::<_, true> { problem, learned }, start, budget)
        } else {
            search.run(&Adapted::<_, false> { problem, learned }, start, budget)
        };
        search.path(path);
        if let Some(f) = search.first_f() {
            self.learn(f, search, learned);
        }
        verdict
    }

    /// Algorithm 4 of the BMAA\* paper.
    fn learn(self, f: Cost, search: &RtaaSearch, learned: &mut Learned) {
        // Update old entries first: inserting new ones can move them.
        let mut new = 0;
        search.for_each_closed(|node| match node.note {
            Some(entry) if self.monotone => learned.raise(entry, f - node.g),
            Some(entry) => learned.replace(entry, f - node.g),
            None => new += 1,
        });
        if new > 0 {
            learned.reserve(new);
            search.for_each_closed(|node| {
                if node.note.is_none() {
                    learned.insert(node.place, f - node.g);
                }
            });
        }
    }
}

/// A problem whose estimates are the learned ones, where there are any, or where they are above its own.
struct Adapted<'a, P, const IMPROVING: bool> {
    problem: &'a P,
    learned: &'a Learned,
}

impl<P: Problem<Note = ()>, const IMPROVING: bool> Problem for Adapted<'_, P, IMPROVING> {
    /// Where the value was found, so that learning does not look it up again.
    type Note = Option<LearnedAt>;

    fn grid(&self) -> &Grid {
        self.problem.grid()
    }

    fn is_goal(&self, place: Place) -> bool {
        self.problem.is_goal(place)
    }

    fn exits(&self, cell: Cell) -> Directions {
        self.problem.exits(cell)
    }

    fn h(&self, place: Place) -> (Cost, Self::Note) {
        let (h, entry) = self.estimate(place);
        (Cost::from_units(i64::from(h)), entry)
    }

    fn estimate(&self, place: Place) -> (i32, Self::Note) {
        let estimate = self.problem.estimate(place).0;
        let (h, entry) = self.learned.find_units(place, estimate);
        (if IMPROVING { h.max(estimate) } else { h }, entry)
    }

    fn is_blocked(&self, place: Place) -> bool {
        self.problem.is_blocked(place)
    }

    fn has_blocked_beside(&self, place: Place) -> bool {
        self.problem.has_blocked_beside(place)
    }
}

#[cfg(test)]
#[path = "rtaa_test.rs"]
mod tests;
