//! Whether any path through space and time exists, by safe intervals (Phillips and Likhachev 2011).
//!
//! Between the reservations of other agents a cell is free for a while: an interval. An agent that enters it can
//! wait until its end, so only the earliest arrival in each interval matters, and a few intervals stand for all
//! ticks of a cell. It promises the answer that a search through all ticks would give, but it does not return
//! a path.
//!
//! Its parameter is a [`Budget`]; an expanded interval counts like an expanded node.
//!
//! Cost: every interval that can be reached is expanded at most once. A search through space and time that
//! cannot succeed expands every cell at every tick instead.
//!
//! The paper finds shortest paths with intervals. That would break ties differently from a search through
//! all ticks, so here intervals only say whether such a search can succeed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::keyed::Keyed;
use super::reservations::{Reservations, TimedStep};
use super::{Budget, Traffic, Verdict};
use crate::grid::{Cell, Exits, Grid, Place};

/// Finds out whether an agent can reach its goal and stay there. Its lists are kept from one call to the next.
#[derive(Clone, Debug, Default)]
pub struct Intervals {
    /// Earliest arrivals: the tick, the cell, and the last tick of the interval.
    open: BinaryHeap<Reverse<(u64, u32, u64)>>,
    /// The expanded intervals, by cell and last tick.
    closed: Keyed<()>,
}

impl Intervals {
    /// Whether an agent that stands on `start` at a tick can reach a place where the search may end.
    ///
    /// `traffic` may know other obstacles than those of `table` only if they are gone after
    /// `Traffic::settled` and, once gone, do not come back.
    pub fn lead_to_the_end(
        &mut self,
        grid: &Grid,
        traffic: &impl Traffic,
        (table, agent): (&Reservations, usize),
        (start, tick): (Cell, u64),
        budget: &mut Budget<'_>,
    ) -> Verdict {
        self.open.clear();
        self.closed.clear();
        // The agent stands on `start`, whatever is reserved there now; what matters is how long it can stay.
        let stays = table.gaps(agent, start, tick + 1).next().filter(|gap| gap.0 == tick + 1);
        self.open.push(Reverse((tick, start.index() as u32, stays.map_or(tick, |gap| gap.1))));
        while let Some(Reverse((tick, cell, last))) = self.open.pop() {
            let from = Cell::from_index(cell as usize);
            let key = Self::key(from, last, traffic);
            if self.closed.get(key).is_some() {
                continue;
            }
            if budget.slice(|| self.held()) == 0 {
                return Verdict::OutOfBudget;
            }
            budget.spend(1);
            self.closed.insert(key, ());
            if traffic.is_end(Place::of(grid, from), last) {
                return Verdict::Found(());
            }
            for direction in grid.exits(from) {
                let to = grid.beside(from, direction);
                for (begin, end) in table.gaps(agent, to, tick + 1) {
                    if begin > last.saturating_add(1) {
                        break;
                    }
                    if self.closed.get(Self::key(to, end, traffic)).is_some() {
                        continue;
                    }
                    // After everything has settled, a step that is not free never becomes free.
                    let latest = end.min(last.saturating_add(1)).min(traffic.settled() + 1);
                    let mut arrivals = begin..=latest.max(begin);
                    let is_free = |&arrival: &u64| {
                        traffic.is_free(
                            grid,
                            TimedStep { from, to, direction: Some(direction), arrival },
                        )
                    };
                    if let Some(arrival) = arrivals.find(is_free) {
                        self.open.push(Reverse((arrival, to.index() as u32, end)));
                    }
                }
            }
        }
        Verdict::Nothing
    }

    /// Nominal bytes: 24 for each interval that was reached or is to be expanded.
    fn held(&self) -> usize {
        24 * (self.open.len() + self.closed.len())
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.open.capacity() * size_of::<(u64, u32, u64)>() + self.closed.memory()
    }

    /// Identifies an interval: those of one cell end at different ticks, and at most one ends after everything has
    /// settled.
    fn key(cell: Cell, last: u64, traffic: &impl Traffic) -> u64 {
        last.min(traffic.settled() + 1) << 32 | cell.index() as u64
    }
}

#[cfg(test)]
#[path = "intervals_test.rs"]
mod tests;
