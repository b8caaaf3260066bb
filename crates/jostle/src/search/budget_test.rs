use std::sync::atomic::AtomicU64;

use super::*;
use crate::Grid;
use crate::search::{Landmarks, ReverseSearch, Search, StraightLine, Verdict};

/// A clock that advances by one each time it is read.
#[derive(Default)]
struct CountingClock(AtomicU64);

impl CountingClock {
    fn now(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// Searches for a goal that is out of reach, on a floor of 100x100, and returns how many nodes it expanded.
fn expansions_of_a_flood(budget: &mut Budget<'_>) -> u64 {
    let grid = Grid::new(102, 100, crate::Rules::default(), |x, _| x != 100).unwrap();
    let (start, goal) = (grid.at(0, 0).unwrap(), grid.at(101, 50).unwrap());
    let mut search = Search::default();
    let before = budget.work().expansions;
    let verdict = search.run(&StraightLine::to(goal, &grid), start, budget);
    let expected = if budget.is_spent() { Verdict::OutOfBudget } else { Verdict::Nothing };
    assert_eq!(verdict, expected);
    assert_eq!(budget.work().expansions - before, u64::from(search.expansions()));
    u64::from(search.expansions())
}

#[test]
fn a_search_expands_no_more_than_the_budget_holds() {
    for most in [0, 1, 100, 128, 129, 9_999] {
        let mut budget = Budget::expansions(most);
        assert_eq!(expansions_of_a_flood(&mut budget), most);
        assert!(budget.is_spent());
        assert_eq!(expansions_of_a_flood(&mut budget), 0, "nothing is left for another");
    }
}

#[test]
fn an_unlimited_budget_only_counts() {
    let mut budget = Budget::unlimited();
    budget.count_search();
    assert_eq!(expansions_of_a_flood(&mut budget), 10_000);
    assert_eq!(budget.work(), Work { searches: 1, expansions: 10_000 });
    assert_eq!(expansions_of_a_flood(&mut budget), 10_000);
    assert_eq!(budget.work().expansions, 20_000);
    assert!(!budget.is_spent());
}

#[test]
fn an_option_without_a_number_is_no_limit() {
    assert_eq!(Budget::of_option(Some(7)).remaining(), 7);
    assert_eq!(Budget::of_option(None).remaining(), u64::MAX);
}

#[test]
fn a_raised_flag_ends_a_search() {
    let flag = AtomicBool::new(false);
    let mut budget = Budget::unlimited().with_cancel(&flag);
    assert_eq!(expansions_of_a_flood(&mut budget), 10_000);
    flag.store(true, Ordering::Relaxed);
    // The flag is checked again when the slice granted at the last check is spent.
    let rest = Budget::LOOK_EVERY - 10_000 % Budget::LOOK_EVERY;
    assert_eq!(expansions_of_a_flood(&mut budget), rest);
    assert!(budget.is_spent());
    assert_eq!(budget.work().expansions, 10_000 + rest);

    let mut cancelled = Budget::unlimited().with_cancel(&flag);
    assert_eq!(expansions_of_a_flood(&mut cancelled), 0, "the flag is checked first");
}

#[test]
fn a_deadline_ends_a_search() {
    let clock = CountingClock::default();
    let is_late = || clock.now() >= 3;
    let mut budget = Budget::unlimited().with_deadline(&is_late);
    assert_eq!(expansions_of_a_flood(&mut budget), 3 * Budget::LOOK_EVERY);
    assert!(budget.is_spent());
}

#[test]
fn a_deadline_never_grants_more_expansions_than_the_budget_holds() {
    let mut budget = Budget::expansions(1500).with_deadline(&|| false);
    assert_eq!(expansions_of_a_flood(&mut budget), 1500);
}

#[test]
fn a_limit_on_memory_ends_a_search_that_grows() {
    let mut budget = Budget::unlimited().with_memory(300_000);
    let expansions = expansions_of_a_flood(&mut budget);
    assert!(budget.is_spent() && (1000..9000).contains(&expansions), "{expansions}");
    let mut budget = Budget::unlimited().with_memory(usize::MAX);
    assert_eq!(expansions_of_a_flood(&mut budget), 10_000);
}

#[test]
fn a_raised_flag_stops_a_reverse_search_and_landmarks() {
    let grid = Grid::open(100, 100).unwrap();
    let (start, goal) = (grid.at(0, 0).unwrap(), grid.at(99, 50).unwrap());
    let flag = AtomicBool::new(true);
    let cancelled = || Budget::unlimited().with_cancel(&flag);
    let mut reverse = ReverseSearch::default();
    reverse.begin(&grid, start, goal);
    assert_eq!(reverse.distance(&grid, start, &mut cancelled()), Verdict::OutOfBudget);
    let mut landmarks = Landmarks::default();
    landmarks.begin(&grid, 1);
    landmarks.grow(&grid, 1, &[goal].into_iter(), &mut cancelled());
    assert_eq!(landmarks.ready(), 0);
    landmarks.grow(&grid, 1, &[goal].into_iter(), &mut Budget::unlimited());
    assert_eq!(landmarks.ready(), 1);
}

#[test]
fn a_part_ends_with_the_whole_and_is_deducted_from_it() {
    let flag = AtomicBool::new(false);
    let mut budget = Budget::expansions(1000).with_cancel(&flag);
    for (most, expected) in [(300, 300), (0, 0), (5000, 700)] {
        let mut part = budget.part(most);
        part.count_search();
        assert_eq!(expansions_of_a_flood(&mut part), expected);
        budget.take(&part);
    }
    assert_eq!(budget.work(), Work { searches: 3, expansions: 1000 });
    assert!(budget.is_spent());

    flag.store(true, Ordering::Relaxed);
    let budget = Budget::expansions(1000).with_cancel(&flag);
    assert_eq!(expansions_of_a_flood(&mut budget.part(10)), 0);
}
