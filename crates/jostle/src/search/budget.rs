//! How much work may be done, and how much was done: one type that limits and counts.
//!
//! A budget holds a number of expansions. A search takes its expansions from it, and stops when
//! none are left; what was taken is the [`Work`] done. On request, a deadline, a flag to cancel and
//! a limit on what a search holds end it earlier.
//!
//! What a search holds is counted in *nominal bytes*: the entries of its lists and tables, times a
//! fixed weight for each kind of entry, which is about what one takes. The real size also depends
//! on how lists grow, on what a copy leaves out, and on how wide a pointer is, so that a search
//! that looked at it would end elsewhere in a copy, or on another machine. It is for reports.
//!
//! It promises that no search expands more than was granted, and, without a deadline or a flag,
//! that every run can be reproduced exactly. The engine reads no clock: the caller supplies the
//! function that checks a deadline, and no planner sets a deadline by itself.
//!
//! Cost: one subtraction for a slice of expansions. Whether to stop early is checked before the first
//! expansion and then every [`Budget::LOOK_EVERY`] expansions, so a search stops at most that many expansions
//! late.

use std::fmt;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering};

/// The work done by a search, by a planner in a tick, or in a whole run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Searches made.
    pub searches: u64,
    /// Nodes expanded in them.
    pub expansions: u64,
}

impl AddAssign for Work {
    fn add_assign(&mut self, more: Self) {
        self.searches += more.searches;
        self.expansions += more.expansions;
    }
}

/// Limits and counts the work of searches.
///
/// ```
/// use jostle::{Budget, Grid, search::{Search, StraightLine, Verdict}};
///
/// let grid = Grid::open(50, 50)?;
/// let (start, goal) = (grid.at(0, 0).unwrap(), grid.at(49, 20).unwrap());
/// let problem = StraightLine::to(goal, &grid);
/// let mut search = Search::default();
///
/// let mut budget = Budget::expansions(10);
/// assert_eq!(search.run(&problem, start, &mut budget), Verdict::OutOfBudget);
/// assert_eq!(budget.work().expansions, 10);
/// assert_eq!(search.run(&problem, start, &mut Budget::unlimited()), Verdict::Found(()));
/// # Ok::<(), jostle::grid::SizeError>(())
/// ```
pub struct Budget<'a> {
    /// Expansions that were granted in all.
    granted: u64,
    /// Expansions left until the next check for an early end.
    left: u64,
    /// Expansions left after that check.
    later: u64,
    /// Expansions that were made beyond what was granted.
    owed: u64,
    searches: u64,
    /// The most nominal bytes that a search may hold.
    most_held: Option<usize>,
    is_late: Option<&'a (dyn Fn() -> bool + Sync)>,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Budget<'a> {
    /// The number of expansions between two checks of the deadline, the flag and what is held.
    pub const LOOK_EVERY: u64 = 1024;

    /// No limit: for work that is only counted.
    pub const fn unlimited() -> Self {
        Self::expansions(u64::MAX)
    }

    /// At most this many expansions.
    pub const fn expansions(most: u64) -> Self {
        Self {
            granted: most,
            left: most,
            later: 0,
            owed: 0,
            searches: 0,
            most_held: None,
            is_late: None,
            cancel: None,
        }
    }

    /// At most this many expansions, or no limit for `None`: a planner's `budget` option.
    pub fn of_option(most: Option<u32>) -> Self {
        most.map_or_else(Self::unlimited, |most| Self::expansions(u64::from(most)))
    }

    /// Ends when `is_late` returns true. Runs cannot be reproduced then.
    #[must_use]
    pub const fn with_deadline(mut self, is_late: &'a (dyn Fn() -> bool + Sync)) -> Self {
        self.is_late = Some(is_late);
        self.looking()
    }

    /// Ends when the flag is set, for example by another thread.
    #[must_use]
    pub const fn with_cancel(mut self, flag: &'a AtomicBool) -> Self {
        self.cancel = Some(flag);
        self.looking()
    }

    /// Ends when a search that takes from this budget holds more than so many *nominal bytes*: its
    /// entries, times a fixed weight for each kind of entry. Runs can be reproduced: the number is
    /// the same in a copy, on any number of threads and on any machine. At a limit of several
    /// megabytes, solvers really hold 1.0 to 1.6 times as much.
    #[must_use]
    pub const fn with_memory(mut self, nominal_bytes: usize) -> Self {
        self.most_held = Some(nominal_bytes);
        self.looking()
    }

    /// How many expansions a search can make before it asks again; 0 when the budget is spent.
    /// `held` returns how many [nominal bytes](Self::with_memory) the search holds.
    pub fn slice(&mut self, held: impl FnOnce() -> usize) -> u64 {
        if self.left == 0 && self.later > 0 {
            self.look(held);
        }
        self.left
    }

    /// Takes the work that was done with a part of this budget.
    pub fn take(&mut self, part: &Budget<'_>) {
        let work = part.work();
        self.charge(work.expansions + part.owed);
        self.searches += work.searches;
    }

    /// Takes expansions that were made: no more than remain.
    pub const fn spend(&mut self, expansions: u64) {
        debug_assert!(expansions <= self.remaining(), "more was expanded than remained");
        if expansions <= self.left {
            self.left -= expansions;
        } else {
            self.later = (self.left + self.later).saturating_sub(expansions);
            self.left = 0;
        }
    }

    /// Takes what a piece of work has cost of which that was not known beforehand. What is more than remains is [owed](Self::owed).
    pub const fn charge(&mut self, expansions: u64) {
        let remaining = self.remaining();
        let paid = if expansions < remaining { expansions } else { remaining };
        self.spend(paid);
        self.owed += expansions - paid;
    }

    /// What was [charged](Self::charge) beyond what was granted. The next budget has to pay for it.
    pub const fn owed(&self) -> u64 {
        self.owed
    }

    /// Counts a search.
    pub const fn count_search(&mut self) {
        self.searches += 1;
    }

    /// A part of this budget with at most this many expansions, which ends when this one would. Its work is
    /// deducted by [`Budget::take`].
    #[must_use]
    pub fn part(&self, most: u64) -> Self {
        let granted = most.min(self.remaining());
        let part = Self { granted, left: granted, later: 0, owed: 0, searches: 0, ..*self };
        let looks = self.most_held.is_some() || self.is_late.is_some() || self.cancel.is_some();
        if looks { part.looking() } else { part }
    }

    /// The expansions that are left, unless the budget ends early.
    pub const fn remaining(&self) -> u64 {
        self.left + self.later
    }

    /// Whether nothing is left.
    pub const fn is_spent(&self) -> bool {
        self.remaining() == 0
    }

    /// The work done with this budget.
    pub const fn work(&self) -> Work {
        Work { searches: self.searches, expansions: self.granted - self.remaining() }
    }

    /// Makes the next slice check for an early end first.
    const fn looking(mut self) -> Self {
        self.later += self.left;
        self.left = 0;
        self
    }

    #[cold]
    fn look(&mut self, held: impl FnOnce() -> usize) {
        let is_over = self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.is_late.is_some_and(|is_late| is_late())
            || self.most_held.is_some_and(|most| held() > most);
        if is_over {
            self.granted -= self.later;
        } else {
            self.left = self.later.min(Self::LOOK_EVERY);
        }
        self.later = if is_over { 0 } else { self.later - self.left };
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("remaining", &self.remaining())
            .field("work", &self.work())
            .field("owed", &self.owed)
            .field("most_held", &self.most_held)
            .field("has_deadline", &self.is_late.is_some())
            .field("cancel", &self.cancel)
            .finish()
    }
}

#[cfg(test)]
#[path = "budget_test.rs"]
mod tests;
