//! A limit on what a search holds is in nominal bytes, which are near those that it really takes.

mod counting;

use jostle::instance::Kind;
use jostle::solvers::{Proof, solver};
use jostle::{Budget, Instance, Level};

/// Expansions that no search here makes before it holds too much.
const MANY: u64 = 1 << 40;

/// How many nominal bytes come to one that is allocated, when a limit of so many megabytes ends a
/// search for a plan of so many agents on a square level.
fn ratio(spec: &str, megabytes: usize, (level, side, agents): (Level, u32, usize)) -> f64 {
    let grid = level.generate(side, side, 1).unwrap();
    let instance = Instance::draw(grid, Kind::Random, agents, 1).unwrap();
    let before = counting::live_bytes();
    let mut attempt = solver(spec).unwrap().begin(&instance);
    let mut budget = Budget::expansions(MANY).with_memory(megabytes << 20);
    let answer = attempt.go_on(&mut budget, &mut |_| ());
    assert_eq!(answer.proof, Proof::OutOfBudget, "{spec}");
    assert!(budget.work().expansions < MANY, "{spec}");
    drop(answer);
    (megabytes << 20) as f64 / (counting::live_bytes() - before) as f64
}

#[test]
fn nominal_bytes_are_near_those_that_a_search_takes() {
    let ratios = [
        ratio("lacam-star:refine=false", 12, (Level::Cave, 32, 100)),
        ratio("lacam-star", 8, (Level::Cave, 64, 400)),
        ratio("cbs", 12, (Level::Cave, 32, 90)),
        ratio("cbs", 12, (Level::Maze, 32, 40)),
        ratio("cbs:heuristic=none", 12, (Level::Scatter, 32, 80)),
        ratio("eecbs:w=1.01", 12, (Level::Scatter, 32, 130)),
        ratio("push-and-rotate", 4, (Level::Maze, 96, 1500)),
        ratio("push-and-rotate", 16, (Level::Scatter, 128, 8000)),
    ];
    assert!(ratios.iter().all(|ratio| (0.6..=1.1).contains(ratio)), "{ratios:?}");
}
