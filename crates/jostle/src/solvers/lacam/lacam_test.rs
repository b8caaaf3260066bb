use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::check::check_trace;
use crate::grid::{Grid, Neighbours, Rules};
use crate::instance::{Kind, Reach};
use crate::solvers::testing::{joint_optimum, least_loss, small, tiny};
use crate::solvers::{Answer, Progress, Solution};
use crate::{Budget, Level, Work};

/// An instance of a drawing, with four neighbours: for each agent where it starts, and where it wants to go.
fn drawn(drawing: &str, tasks: &[[(u32, u32); 2]]) -> Instance {
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    let grid = Grid::from_ascii(drawing).unwrap().with_rules(rules);
    let at = |(x, y)| grid.at(x, y).unwrap();
    let tasks = tasks.iter().map(|&[start, goal]| (at(start), at(goal))).collect();
    Instance::new(grid, tasks, Reach::Required).unwrap()
}

/// Solves an instance without the quick look at whether it is possible, so that the search itself has to find out.
fn search_alone(instance: &Instance, options: LacamStar, mode: Mode) -> Answer {
    let mut attempt = begin(instance, options, mode, false);
    attempt.go_on(&mut Budget::unlimited(), &mut |_| ())
}

/// Checks that a plan is legal, leads from the starts to the goals, and costs what is said.
fn assert_valid(instance: &Instance, solution: &Solution, objective: Objective) {
    let Solution { plan, cost } = solution;
    assert_eq!((plan.first_conflict(), objective.of(plan)), (None, *cost));
    check_trace(&plan.to_trace().unwrap()).unwrap();
    let ends = plan.paths().iter().map(|path| (path.cells[0], *path.cells.last().unwrap()));
    assert!(ends.eq(instance.tasks().iter().copied()));
}

const BAY: &str = "#######\n#.....#\n###.###\n#######";

fn bay() -> Instance {
    drawn(BAY, &[[(1, 1), (5, 1)], [(5, 1), (1, 1)]])
}

#[test]
fn o12_in_the_bay_the_best_makespan_is_six() {
    let first = (0..20).map(|seed| {
        let answer =
            Lacam { seed, ..Lacam::default() }.solve(&bay(), &mut Budget::unlimited(), &mut |_| ());
        assert_eq!(answer.proof, Proof::Found);
        let best = answer.best.unwrap();
        assert_valid(&bay(), &best, Objective::SumOfCosts);
        best.plan.makespan()
    });
    assert_eq!(first.min(), Some(6));
    let options = LacamStar { objective: Objective::Makespan, ..LacamStar::default() };
    let answer = options.solve(&bay(), &mut Budget::unlimited(), &mut |_| ());
    assert_eq!((answer.proof, answer.bound, answer.best.unwrap().cost), (Proof::Optimal, 6, 6));
}

#[test]
fn o12_a_closed_corridor_is_impossible_after_three_configurations() {
    let corridor = drawn("#####\n#...#\n#####", &[[(1, 1), (3, 1)], [(3, 1), (1, 1)]]);
    for mode in [Mode::First, Mode::Best] {
        let answer = search_alone(&corridor, LacamStar::default(), mode);
        assert_eq!((answer.proof, answer.nodes), (Proof::Impossible, 3));
    }
}

#[test]
fn o12_the_corridor_that_bmaa_cannot_solve() {
    let drawing = "#########\n#...#####\n#.......#\n#...#####\n#########";
    let x = [(2, 2), (7, 2)];
    let parked = [[(4, 2); 2], [(5, 2); 2], [(6, 2); 2]];
    for (others, best) in [(1, 6), (2, 7)] {
        let tasks: Vec<_> = [x].into_iter().chain(parked).take(others + 1).collect();
        let instance = drawn(drawing, &tasks);
        let options = LacamStar { objective: Objective::Makespan, ..LacamStar::default() };
        let answer = options.solve(&instance, &mut Budget::unlimited(), &mut |_| ());
        assert_eq!(answer.proof, Proof::Optimal);
        let solution = answer.best.unwrap();
        assert_valid(&instance, &solution, Objective::Makespan);
        assert_eq!(solution.cost, best);
    }
}

/// LaCAM on small instances finds a plan exactly where there is one, and LaCAM\* the best one.
fn compare_with_brute_force(instance: &Instance, options: LacamStar) -> bool {
    let mode = options.mode();
    let what = format!("{options:?}, {instance:?}");
    let [sum, makespan] =
        [Objective::SumOfCosts, Objective::Makespan].map(|by| joint_optimum(instance, by));
    let first = search_alone(instance, options, Mode::First);
    assert_eq!(first.best.is_some(), sum.is_some(), "{what}");
    let Some(Solution { cost: first, .. }) = first.best else {
        assert_eq!(first.proof, Proof::Impossible, "{what}");
        let star = search_alone(instance, options, mode);
        assert_eq!(star.proof, Proof::Impossible, "{what}");
        return false;
    };
    let (sum, makespan) = (sum.unwrap(), makespan.unwrap());
    assert!(first >= sum, "{what}");
    let best = search_alone(instance, options, mode);
    let loss = least_loss(instance).unwrap();
    let solution = best.best.unwrap();
    assert_valid(instance, &solution, Objective::SumOfCosts);
    assert!(loss <= best.bound && best.bound <= sum && sum <= solution.cost, "{what}");
    match best.proof {
        Proof::Optimal => assert_eq!(solution.cost, sum, "{what}"),
        Proof::Bounded(factor) => {
            assert_eq!(best.bound, loss, "{what}");
            assert!(solution.cost as f64 <= factor * loss as f64 + 1e-6, "{what}");
        }
        other => panic!("{other:?}: {what}"),
    }
    let by_makespan = LacamStar { objective: Objective::Makespan, ..options };
    let answer = search_alone(instance, by_makespan, mode);
    let solution = answer.best.unwrap();
    assert_valid(instance, &solution, Objective::Makespan);
    assert_eq!((answer.proof, solution.cost), (Proof::Optimal, makespan), "{what}");
    true
}

#[test]
fn plans_are_found_exactly_where_there_are_any_and_the_best_ones_in_the_end() {
    let mut dice = ChaCha8Rng::seed_from_u64(12);
    let mut found = [0; 2];
    for number in 0..300 {
        let draw = if number % 3 == 0 { tiny } else { small };
        let Some(instance) = draw(&mut dice) else { continue };
        let (seed, generators) = (number, 1 + number % 3);
        let refine = number % 2 == 0;
        let batch = 1 + number / 2 % 4;
        let options = LacamStar { seed, generators, refine, batch, ..LacamStar::default() };
        found[usize::from(compare_with_brute_force(&instance, options))] += 1;
    }
    assert!(found[0] > 40 && found[1] > 120, "{found:?}");
}

fn crowd() -> Instance {
    let grid = Level::Cave.generate(32, 32, 3).unwrap();
    Instance::draw(grid, Kind::Random, 60, 5).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_plan_and_another_seed_another() {
    let instance = crowd();
    let solve = |seed| {
        let options = LacamStar { seed, ..LacamStar::default() };
        let answer = options.solve(&instance, &mut Budget::expansions(300_000), &mut |_| ());
        let solution = answer.best.unwrap();
        assert_valid(&instance, &solution, Objective::SumOfCosts);
        solution
    };
    assert_eq!(solve(1), solve(1));
    assert_ne!(solve(1), solve(2));
}

#[test]
fn refinement_makes_plans_better_and_keeps_them_legal() {
    for objective in [Objective::SumOfCosts, Objective::Makespan] {
        let costs = [false, true].map(|refine| {
            let options = LacamStar { objective, refine, ..LacamStar::default() };
            let answer = options.solve(&crowd(), &mut Budget::expansions(400_000), &mut |_| ());
            let solution = answer.best.unwrap();
            assert_valid(&crowd(), &solution, objective);
            assert!(answer.bound <= solution.cost);
            solution.cost
        });
        assert!(costs[1] <= costs[0], "{costs:?}");
        assert!(objective == Objective::Makespan || costs[1] < costs[0], "{costs:?}");
    }
}

#[test]
fn slices_give_the_same_answer_as_one_search() {
    let instance = crowd();
    for options in [LacamStar::default(), LacamStar { generators: 3, ..LacamStar::default() }] {
        let (mut told, mut told_in_slices) = (Vec::new(), Vec::new());
        let mut tell = |progress: Progress<'_>| {
            told.extend(progress.best.map(|best| best.cost));
        };
        let whole = options.solve(&instance, &mut Budget::expansions(200_000), &mut tell);
        let mut attempt = options.begin(&instance);
        let mut sliced = None;
        let sizes = [1, 7, 50, 1000, 3, 20_000].into_iter().cycle();
        let mut left = 200_000;
        for size in sizes {
            let slice = left.min(size);
            left -= slice;
            sliced = Some(attempt.go_on(&mut Budget::expansions(slice), &mut |progress| {
                told_in_slices.extend(progress.best.map(|best| best.cost));
            }));
            if left == 0 {
                break;
            }
        }
        let sliced = sliced.unwrap();
        assert_eq!(sliced.nodes, whole.nodes);
        assert!(sliced.best == whole.best);
        for told in [told, told_in_slices] {
            assert!(told.is_sorted_by(|before, after| before >= after) && !told.is_empty());
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_plan() {
    let mut dice = ChaCha8Rng::seed_from_u64(5);
    for number in 0..6 {
        let side = dice.random_range(12..32);
        let grid = Level::Cave.generate(side, side, number).unwrap();
        let agents = grid.floor_cells().count() / dice.random_range(4..12);
        let instance = Instance::draw(grid, Kind::Random, agents, number).unwrap();
        let objective = if number < 4 { Objective::SumOfCosts } else { Objective::Makespan };
        let batch = [1, 2, 4, 8][number as usize % 4];
        let budget = 150_000;
        let answers = [1, 2, 3, 8].map(|threads| {
            let options = LacamStar { objective, batch, threads, ..LacamStar::default() };
            let mut attempt = options.begin(&instance);
            // More threads have smaller slices.
            let slices = u64::from(threads);
            for _ in 1..slices {
                attempt.go_on(&mut Budget::expansions(budget / slices), &mut |_| ());
            }
            let rest = budget - (slices - 1) * (budget / slices);
            attempt.go_on(&mut Budget::expansions(rest), &mut |_| ())
        });
        let [first, others @ ..] = answers;
        assert_valid(&instance, first.best.as_ref().unwrap(), objective);
        for other in others {
            assert_eq!((&other.best, other.nodes), (&first.best, first.nodes), "{number}");
        }
    }
}

#[test]
fn groups_that_are_planned_at_a_time_make_plans_better_and_keep_them_legal() {
    let instance = crowd();
    let [alone, many] = [1, 8].map(|batch| {
        let options = LacamStar { batch, ..LacamStar::default() };
        let answer = options.solve(&instance, &mut Budget::expansions(400_000), &mut |_| ());
        let solution = answer.best.unwrap();
        assert_valid(&instance, &solution, Objective::SumOfCosts);
        solution.cost
    });
    let first = Lacam::default().solve(&instance, &mut Budget::unlimited(), &mut |_| ());
    let [gained_alone, gained_by_many] =
        [alone, many].map(|cost| first.best.as_ref().unwrap().cost - cost);
    assert!(gained_by_many * 10 >= gained_alone * 8, "{gained_alone} {gained_by_many}");
}

#[test]
fn a_search_that_reaches_its_memory_limit_ends_with_its_best_plan() {
    let instance = crowd();
    let options = LacamStar { memory: 2, refine: false, ..LacamStar::default() };
    let mut attempt = options.begin(&instance);
    let answer = attempt.go_on(&mut Budget::unlimited(), &mut |_| ());
    assert_eq!(answer.proof, Proof::OutOfBudget);
    assert_valid(&instance, &answer.best.unwrap(), Objective::SumOfCosts);
    assert!(attempt.memory() < 3 << 20, "{}", attempt.memory());
    // Not even the tables of distances fit.
    let grid = Grid::open(1000, 600).unwrap();
    let wide = Instance::draw(grid, Kind::Random, 10, 1).unwrap();
    let answer =
        Lacam { memory: 1, ..Lacam::default() }.solve(&wide, &mut Budget::unlimited(), &mut |_| ());
    assert!(answer.best.is_none() && answer.proof == Proof::OutOfBudget);
}

#[test]
fn a_limit_ends_a_copy_of_a_search_where_it_ends_the_search() {
    let instance = crowd();
    let all = u64::MAX >> 1;
    // Whether the limit is that of the budget or of the search.
    for (memory, most) in [(2048, 2 << 20), (2, usize::MAX)] {
        let options = LacamStar { memory, refine: false, ..LacamStar::default() };
        let mut attempt = options.attempt(&instance);
        attempt.go_on(&mut Budget::expansions(30_000), &mut |_| ());
        // A copy of a list has no room to spare.
        let mut copy = attempt.clone();
        let [end, end_of_copy] = [&mut attempt, &mut copy].map(|attempt| {
            let mut budget = Budget::expansions(all).with_memory(most);
            let answer = attempt.go_on(&mut budget, &mut |_| ());
            assert_eq!(answer.proof, Proof::OutOfBudget);
            (budget.work(), answer.nodes)
        });
        assert_eq!(end, end_of_copy);
    }
}

#[test]
fn a_limit_ends_a_search_at_the_same_place_on_any_number_of_threads() {
    let instance = crowd();
    let ends = [1, 3].map(|threads| {
        let options = LacamStar { batch: 4, threads, ..LacamStar::default() };
        [200_000, 400_000, 600_000, 800_000].map(|most| {
            let mut budget = Budget::expansions(1_000_000).with_memory(most);
            options.solve(&instance, &mut budget, &mut |_| ());
            budget.work()
        })
    });
    assert_eq!(ends[0], ends[1]);
    let is_early = |work: &Work| work.expansions < 1_000_000;
    assert!(ends[0].iter().any(is_early), "{ends:?}");
}

#[test]
fn agents_that_have_arrived_already_need_no_search() {
    let instance = drawn("...", &[[(0, 0), (0, 0)], [(2, 0), (2, 0)]]);
    let answer = Lacam::default().solve(&instance, &mut Budget::unlimited(), &mut |_| ());
    assert_eq!((answer.proof, answer.best.unwrap().cost), (Proof::Optimal, 0));
}
