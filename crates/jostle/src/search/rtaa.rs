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

use super::block::{Block, key_and_index};
use super::lookahead::Lookahead;
use super::{Budget, Learned, Problem, Search, Verdict};
use crate::Cost;
use crate::grid::{Cell, Direction, Directions, Grid, Place};

/// A bounded search that learns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rtaa {
    /// Keeps the larger of the old and the new value when learning. Off in the papers.
    pub monotone: bool,
    /// Uses a learned value only where it is above the estimate: for estimates that improve while
    /// agents learn. Off in the papers. Where it is off, the estimates of a problem must not change while its values are
    /// learned.
    pub improving: bool,
}

impl Rtaa {
    /// Searches from `start`, updates `learned`, and writes the path to walk into `steps`: from `start` to
    /// the node that was about to be expanded.
    ///
    /// # Returns
    /// Usually [`Verdict::OutOfBudget`], because the budget is the lookahead. If nothing was left to expand
    /// ([`Verdict::Nothing`]), there are no steps and nothing is learned.
    pub fn search(
        &self,
        search: &mut RtaaSearch,
        problem: &impl Problem,
        start: Cell,
        (learned, steps): (&mut Learned, &mut Vec<Direction>),
        budget: &mut Budget<'_>,
    ) -> Verdict {
        if budget.remaining() <= u64::from(Lookahead::MOST_EXPANSIONS) {
            self.search_short(search, problem, start, (learned, steps), budget)
        } else {
            self.search_long(search, problem, start, (learned, steps), budget)
        }
    }

    fn search_short(
        self,
        search: &mut RtaaSearch,
        problem: &impl Problem,
        start: Cell,
        (learned, steps): (&mut Learned, &mut Vec<Direction>),
        budget: &mut Budget<'_>,
    ) -> Verdict {
        search.was_short = true;
        let short = search.short.get_or_insert_default();
        short.run(problem, self.improving, (start, learned), budget);
        short.steps(steps);
        short.learn(learned, self.monotone);
        match short.first() {
            None => Verdict::Nothing,
            Some((place, _)) if problem.is_goal(place) => Verdict::Found(()),
            Some(_) => Verdict::OutOfBudget,
        }
    }

    fn search_long(
        self,
        search: &mut RtaaSearch,
        problem: &impl Problem,
        start: Cell,
        (learned, steps): (&mut Learned, &mut Vec<Direction>),
        budget: &mut Budget<'_>,
    ) -> Verdict {
        search.was_short = false;
        let (long, improving) = (&mut search.long, self.improving);
        let verdict = long.run(&Adapted { problem, learned, improving }, start, budget);
        long.steps(steps);
        self.learn(long, problem, learned);
        verdict
    }

    /// Algorithm 4 of the BMAA\* paper, after a search of any length.
    fn learn(self, search: &Search, problem: &impl Problem, learned: &mut Learned) {
        let Some(f) = search.first_f() else { return };
        for node in search.closed() {
            let (key, index) = key_and_index(node.place);
            let tile = learned.find(key).unwrap_or_else(|| {
                let (block, _) = Block::of(problem.grid(), node.place);
                learned.add(key, &problem.estimates(block))
            });
            let mut values = *learned.tile(tile).values();
            values[index] = (f - node.g).to_estimate();
            learned.set(tile, 1 << index, &values, self.monotone);
        }
    }
}

/// The search that [`Rtaa`] runs. Its lists are kept from one search to the next, so that searching allocates nothing.
///
/// Searches of at most 124 expansions, such as those of agents that look ahead a little in every tick, are done by a
/// variant that is faster. Both expand the same nodes in the same order.
#[derive(Clone, Debug, Default)]
pub struct RtaaSearch {
    /// Made for the first short search.
    short: Option<Box<Lookahead>>,
    long: Search,
    /// Which of the two has done the last search.
    was_short: bool,
}

impl RtaaSearch {
    /// The `f` of the node that was about to be expanded when the last search ended.
    pub fn first_f(&self) -> Option<Cost> {
        match &self.short {
            Some(short) if self.was_short => short.first().map(|(_, f)| f),
            _ => self.long.first_f(),
        }
    }

    /// Bytes this search holds.
    pub fn memory(&self) -> usize {
        self.short.as_ref().map_or(0, |short| short.memory()) + self.long.memory()
    }
}

/// A problem whose estimates are the learned ones, where there are any, or where they are above its own.
struct Adapted<'a, P> {
    problem: &'a P,
    learned: &'a Learned,
    improving: bool,
}

impl<P: Problem> Problem for Adapted<'_, P> {
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
        match self.learned.get(place) {
            None => self.problem.h(place),
            Some(learned) if self.improving => learned.max(self.problem.h(place)),
            Some(learned) => learned,
        }
    }

    fn is_blocked(&self, place: Place) -> bool {
        self.problem.is_blocked(place)
    }
}

#[cfg(test)]
#[path = "rtaa_test.rs"]
mod tests;
