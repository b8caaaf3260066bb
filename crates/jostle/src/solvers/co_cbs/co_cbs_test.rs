use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::brute_force::joint_optimum;
use super::table::Row;
use super::*;
use crate::check::check_paths;
use crate::formats::TaskList;
use crate::grid::{Cell, CornerRule, Crossing, Grid, Neighbours, Rules};
use crate::instance::Reach;
use crate::meetings::MeetingTask;
use crate::solvers::testing::is_proven;
use crate::solvers::{Proof, Solution};

const FOUR: Rules = Rules {
    neighbours: Neighbours::Four,
    corners: CornerRule::BothFree,
    crossing: Crossing::Allowed,
};
const EIGHT: Rules = Rules { neighbours: Neighbours::Eight, ..FOUR };

fn instance(drawing: &str, rules: Rules, tasks: &str) -> MeetingInstance {
    let grid = Grid::from_ascii(drawing).unwrap().with_rules(rules);
    let list = TaskList::parse(tasks).unwrap();
    MeetingInstance::from_list(grid, &list, Reach::Optional).unwrap()
}

const SETTINGS: usize = 14;

/// All options off, all on, and each of them on alone and off alone.
fn all_options(at_target: AtTarget) -> [CoCbs; SETTINGS] {
    let toggles: [fn(&mut CoCbs); 6] = [
        |options| options.prioritise ^= true,
        |options| options.lazy ^= true,
        |options| options.bypass ^= true,
        |options| options.reason ^= true,
        |options| options.heuristic ^= true,
        |options| options.inherit ^= true,
    ];
    let mut all = vec![CoCbs::PLAIN, CoCbs::default()];
    for toggle in toggles {
        for mut options in [CoCbs::PLAIN, CoCbs::default()] {
            toggle(&mut options);
            all.push(options);
        }
    }
    for options in &mut all {
        options.at_target = at_target;
    }
    all.try_into().unwrap()
}

/// Solves an instance, and lets the independent checker look at the plan.
fn solve(options: CoCbs, instance: &MeetingInstance, expansions: u64) -> Answer<MeetingPlan> {
    let mut budget = Budget::expansions(expansions);
    let answer = options.solve(instance, &mut budget, &mut |_| ());
    if let Some(Solution { plan, cost }) = &answer.best {
        assert_eq!((plan.cost(), answer.bound), (*cost, *cost));
        assert_eq!((plan.tasks(), plan.at_target()), (instance.tasks(), options.at_target));
        assert_eq!(plan.first_conflict(), None);
        let legal = check_paths(plan.grid(), &plan.to_paths());
        assert_eq!(legal.map(|legal| legal.tasks), Ok(instance.tasks().len()));
    }
    answer
}

/// The cheapest meetings of a task, as column, row, tick and cost.
fn rows(instance: &MeetingInstance, count: usize) -> Vec<(u32, u32, u32, u32)> {
    let mut attempt = CoCbs::default().begin(instance);
    let level = attempt.level();
    let rows = (0..count).map(|number| level.row(0, number).unwrap());
    let at = |row: Row| {
        let (x, y) = instance.grid().position(row.cell);
        (x, y, row.tick, row.cost)
    };
    rows.map(at).collect()
}

#[test]
fn o9_an_open_floor() {
    let task = "(0,0) via (2,0) meets (4,4) to (0,4)";
    let floor = ".....\n.....\n.....\n.....\n.....";
    let four = instance(floor, FOUR, task);
    let rows = rows(&four, 3);
    assert_eq!(rows[0], (2, 2, 4, 12));
    assert!(rows.contains(&(1, 2, 5, 13)) && rows.contains(&(2, 3, 5, 13)), "{rows:?}");
    for (rules, cost) in [(FOUR, 12), (EIGHT, 9)] {
        let instance = instance(floor, rules, task);
        assert_eq!(joint_optimum(&instance, AtTarget::Leave, 1 << 20), Ok(Some(cost)));
        for options in all_options(AtTarget::Leave) {
            assert_eq!(solve(options, &instance, 10_000).bound, cost, "{options:?}");
        }
    }
}

#[test]
fn o9_a_corridor() {
    let instance = instance(".......", FOUR, "(0,0) via (2,0) meets (6,0) to (0,0)");
    assert_eq!(rows(&instance, 1), [(3, 0, 3, 9)]);
    assert_eq!(joint_optimum(&instance, AtTarget::Leave, 1 << 20), Ok(Some(9)));
    assert_eq!(solve(CoCbs::default(), &instance, 10_000).bound, 9);
}

#[test]
fn o9_two_corridors_that_cross() {
    let cross = "##.##\n##.##\n.....\n##.##\n##.##";
    let tasks = "(0,2) via (1,2) meets (4,2) to (0,2)\n(2,0) via (2,1) meets (2,4) to (2,0)";
    let instance = instance(cross, FOUR, tasks);
    assert_eq!(rows(&instance, 1), [(2, 2, 2, 6)]);
    assert_eq!(joint_optimum(&instance, AtTarget::Leave, 1 << 20), Ok(Some(14)));
    for options in all_options(AtTarget::Leave) {
        let mut attempt = options.begin(&instance);
        assert_eq!(
            attempt.go_on(&mut Budget::expansions(0), &mut |_| ()).bound,
            12,
            "both tasks alone"
        );
        let answer = attempt.go_on(&mut Budget::expansions(100_000), &mut |_| ());
        assert_eq!((answer.proof, answer.bound), (Proof::Optimal, 14), "{options:?}");
        assert!(!attempt.counts().is_first, "both cheapest meetings are on one cell");
    }
}

#[test]
fn o9_a_corridor_with_a_bay() {
    let floor = ".......\n###.###";
    let tasks = |executor: &str| {
        let first = "(0,0) via (1,0) meets (3,1) to (3,1)";
        TaskList::parse(&format!("{first}\n(6,0) via (5,0) meets {executor} to (0,0)")).unwrap()
    };
    let grid = Grid::from_ascii(floor).unwrap().with_rules(FOUR);
    // As it is written down, two agents begin on one cell, which an instance does not allow. The values hold all the same.
    let as_written = MeetingInstance::unchecked(grid.clone(), &tasks("(0,0)"));
    assert!(MeetingInstance::from_list(grid.clone(), &tasks("(0,0)"), Reach::Required).is_err());
    let mut attempt = CoCbs::default().begin(&as_written);
    assert_eq!(attempt.go_on(&mut Budget::expansions(0), &mut |_| ()).bound, 15);
    assert_eq!(joint_optimum(&as_written, AtTarget::Leave, 1 << 20), Ok(Some(17)));
    // With the executor one cell further, it is an instance.
    let legal = MeetingInstance::from_list(grid, &tasks("(1,0)"), Reach::Required).unwrap();
    let best = joint_optimum(&legal, AtTarget::Leave, 1 << 20).unwrap().unwrap();
    for options in all_options(AtTarget::Leave) {
        assert_eq!(solve(options, &legal, 1_000_000).bound, best, "{options:?}");
    }
}

/// A small map with walls, under any rules, with one or two tasks; `None` if there is no room for any.
fn small(dice: &mut ChaCha8Rng) -> Option<MeetingInstance> {
    let rules = Rules {
        neighbours: if dice.random() { Neighbours::Four } else { Neighbours::Eight },
        corners: [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Ignored]
            [dice.random_range(0..3)],
        crossing: if dice.random() { Crossing::Allowed } else { Crossing::Forbidden },
    };
    let (width, height) = (dice.random_range(2..5), dice.random_range(2..5));
    let grid = Grid::new(width, height, rules, |_, _| dice.random_ratio(4, 5)).unwrap();
    let floor: Vec<Cell> = grid.floor_cells().collect();
    let mut tasks: Vec<MeetingTask> = Vec::new();
    for _ in 0..dice.random_range(1..3) {
        let [initiator, start, executor, goal] =
            std::array::from_fn(|_| floor.choose(dice).copied());
        tasks.push(MeetingTask {
            initiator: initiator?,
            start: start?,
            executor: executor?,
            goal: goal?,
        });
    }
    MeetingInstance::new(grid, tasks, Reach::Optional).ok()
}

#[test]
fn costs_are_those_of_the_joint_optimum() {
    for at_target in [AtTarget::Leave, AtTarget::Stay] {
        let mut dice = ChaCha8Rng::seed_from_u64(9);
        // For each combination of options, how many costs were compared; with 4 neighbours, and with 8.
        let mut compared = [[0; SETTINGS]; 2];
        for number in 0..1250 {
            let Some(instance) = small(&mut dice) else { continue };
            let Ok(best) = joint_optimum(&instance, at_target, 1 << 15) else { continue };
            let eight = usize::from(instance.grid().rules().neighbours == Neighbours::Eight);
            for (options, compared) in all_options(at_target).into_iter().zip(&mut compared[eight])
            {
                // Without a plan, a search ends at its budget, however large that is.
                let expansions = if best.is_some() { 4_000 } else { 300 };
                let answer = solve(options, &instance, expansions);
                let what = format!("instance {number}: {options:?}");
                let is_best = is_proven(answer.proof, answer.bound, best, &what);
                *compared += usize::from(is_best);
            }
        }
        // At least 500 instances in all, and many of each kind.
        for compared in compared {
            assert!(
                compared.iter().all(|&compared| compared >= 250),
                "{at_target:?}: {compared:?}"
            );
        }
    }
}

#[test]
fn a_search_in_slices_finds_a_plan_of_the_same_cost() {
    let grid = Grid::from_ascii(".......\n.##.##.\n.......\n.##.##.\n.......").unwrap();
    for (number, options) in [CoCbs::PLAIN, CoCbs::default()].into_iter().enumerate() {
        for seed in 0..20 {
            let instance = MeetingInstance::draw(grid.clone().with_rules(FOUR), 3, seed).unwrap();
            let at_once = solve(options, &instance, 200_000);
            if at_once.proof != Proof::Optimal {
                continue;
            }
            let mut attempt = options.begin(&instance);
            let mut tell = 0;
            let answer = loop {
                let answer = attempt.go_on(&mut Budget::expansions(50), &mut |_| tell += 1);
                if answer.proof != Proof::OutOfBudget {
                    break answer;
                }
            };
            assert_eq!(answer.bound, at_once.bound, "setting {number}, seed {seed}");
            assert!(tell > 0, "the listener is told of the plan");
            let again = attempt.go_on(&mut Budget::expansions(0), &mut |_| ());
            assert_eq!((again.proof, again.best), (Proof::Optimal, answer.best));
        }
    }
}

#[test]
fn what_cannot_be_done_ends_at_a_limit_and_what_is_out_of_reach_at_once() {
    let corridor = "(0,0) via (4,0) meets (1,0) to (5,0)\n(5,0) via (1,0) meets (4,0) to (0,0)";
    let corridor = instance("......", FOUR, corridor);
    for options in all_options(AtTarget::Leave) {
        let answer = solve(options, &corridor, 3_000);
        assert!(answer.best.is_none() && answer.proof != Proof::Optimal, "{options:?}");
        let mut budget = Budget::unlimited().with_memory(100_000);
        let answer = options.solve(&corridor, &mut budget, &mut |_| ());
        assert!(answer.best.is_none(), "the memory ends the search: {options:?}");
    }
    let apart = instance("..#..", FOUR, "(0,0) via (1,0) meets (3,0) to (4,0)");
    assert_eq!(solve(CoCbs::default(), &apart, 1000).proof, Proof::Impossible);
    let shared = "(0,0) via (1,0) meets (2,0) to (4,0)\n(0,1) via (1,1) meets (2,1) to (4,0)";
    let shared = instance(".....\n.....", FOUR, shared);
    let stay = CoCbs { at_target: AtTarget::Stay, ..CoCbs::default() };
    assert_eq!(solve(stay, &shared, 1000).proof, Proof::Impossible, "two stay on one goal");
    assert_eq!(solve(CoCbs::default(), &shared, 10_000).proof, Proof::Optimal);
}
