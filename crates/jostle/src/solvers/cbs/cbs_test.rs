use std::collections::BTreeMap;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::grid::Grid;
use crate::grid::{CornerRule, Crossing, Neighbours, Rules};
use crate::instance::Reach;
use crate::solvers::Solution;
use crate::solvers::testing::{is_proven, joint_optimum, small, wide};

const FOUR: Rules = Rules {
    neighbours: Neighbours::Four,
    corners: CornerRule::BothFree,
    crossing: Crossing::Allowed,
};
const EIGHT: Rules = Rules { neighbours: Neighbours::Eight, ..FOUR };

/// An instance drawn with letters: each agent goes from its capital letter to the small one.
fn drawn(drawing: &str, rules: Rules) -> Instance {
    let mut places: BTreeMap<char, (u32, u32)> = BTreeMap::new();
    for (y, row) in (0..).zip(drawing.lines()) {
        for (x, letter) in (0..).zip(row.chars()) {
            if letter.is_ascii_alphabetic() {
                places.insert(letter, (x, y));
            }
        }
    }
    let floor = drawing.replace(|letter: char| letter.is_ascii_alphabetic(), ".");
    let grid = Grid::from_ascii(&floor).unwrap().with_rules(rules);
    let at = |letter: char| grid.locate(places[&letter]).unwrap();
    let agents = places.keys().filter(|letter| letter.is_ascii_uppercase());
    let tasks = agents.map(|&letter| (at(letter), at(letter.to_ascii_lowercase()))).collect();
    Instance::new(grid, tasks, Reach::Required).unwrap()
}

/// Every option alone, and all options but one.
fn all_options(objective: Objective) -> [Cbs; 21] {
    let alone = Cbs { objective, ..Cbs::PLAIN };
    let whole = Cbs { objective, ..Cbs::default() };
    [
        alone,
        Cbs { prioritise: true, ..alone },
        Cbs { bypass: true, ..alone },
        Cbs { target: true, ..alone },
        Cbs { corridor: true, ..alone },
        Cbs { rectangle: true, ..alone },
        Cbs { mutex: true, ..alone },
        Cbs { heuristic: Heuristic::Cardinal, ..alone },
        Cbs { heuristic: Heuristic::Dependent, ..alone },
        Cbs { heuristic: Heuristic::Weighted, ..alone },
        whole,
        Cbs { prioritise: false, ..whole },
        Cbs { bypass: false, ..whole },
        Cbs { target: false, ..whole },
        Cbs { corridor: false, ..whole },
        Cbs { rectangle: true, ..whole },
        Cbs { rectangle: true, mutex: false, ..whole },
        Cbs { mutex: false, ..whole },
        Cbs { heuristic: Heuristic::None, ..whole },
        Cbs { heuristic: Heuristic::Cardinal, ..whole },
        Cbs { heuristic: Heuristic::Dependent, ..whole },
    ]
}

fn solve(cbs: Cbs, instance: &Instance, expansions: u64) -> Answer {
    let mut budget = Budget::expansions(expansions);
    let answer = { cbs }.solve(instance, &mut budget, &mut |_| ());
    if let Some(Solution { plan, cost }) = &answer.best {
        assert_eq!(plan.first_conflict(), None);
        assert!(plan.is_walkable());
        assert_eq!(cbs.objective.of(plan), *cost);
        for (path, &(start, goal)) in plan.paths().iter().zip(instance.tasks()) {
            assert_eq!((path.cells.first(), path.cells.last()), (Some(&start), Some(&goal)));
        }
        plan.to_trace().unwrap();
    }
    answer
}

#[test]
fn o8_conflicts_that_cost_something() {
    for (drawing, cost) in
        [("#b#\nA.a\n#B#", 5), (".A..\nB...\n...b\n..a.", 9), ("#B#C#\nA...a\n#b#c#", 9)]
    {
        let instance = drawn(drawing, FOUR);
        for cbs in all_options(Objective::SumOfCosts) {
            let answer = solve(cbs, &instance, 100_000);
            assert_eq!((answer.proof, answer.bound), (Proof::Optimal, cost), "{cbs:?}\n{drawing}");
        }
    }
}

/// An instance whose agents exchange places: A goes to B's place, and B to A's.
fn swapped(drawing: &str, rules: Rules) -> Instance {
    let grid = Grid::from_ascii(&drawing.replace(['A', 'B'], ".")).unwrap().with_rules(rules);
    let at = |letter: char| {
        let (y, row) = (0..).zip(drawing.lines()).find(|(_, row)| row.contains(letter)).unwrap();
        grid.at(row.find(letter).unwrap() as u32, y).unwrap()
    };
    let tasks = vec![(at('A'), at('B')), (at('B'), at('A'))];
    Instance::new(grid, tasks, Reach::Required).unwrap()
}

#[test]
fn o3_two_agents_change_places_at_a_bay() {
    for (drawing, makespan) in [("A...B\n##.##", 6), ("A...B\n###.#", 7)] {
        for rules in [FOUR, EIGHT] {
            let instance = swapped(drawing, rules);
            for cbs in all_options(Objective::SumOfCosts) {
                let answer = solve(cbs, &instance, 1_000_000);
                assert_eq!((answer.proof, answer.bound), (Proof::Optimal, 11), "{cbs:?}");
            }
            for cbs in all_options(Objective::Makespan) {
                let answer = solve(cbs, &instance, 1_000_000);
                assert_eq!((answer.proof, answer.bound), (Proof::Optimal, makespan), "{cbs:?}");
            }
        }
    }
}

#[test]
fn o3_agents_that_fill_a_square_rotate() {
    let grid = Grid::open(2, 2).unwrap().with_rules(FOUR);
    let at = |x, y| grid.at(x, y).unwrap();
    let ring = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
    let tasks = (0..4).map(|one| (ring[one], ring[(one + 1) % 4])).collect();
    let instance = Instance::new(grid, tasks, Reach::Required).unwrap();
    let answer = solve(Cbs::default(), &instance, 1000);
    assert_eq!((answer.proof, answer.bound, answer.nodes), (Proof::Optimal, 4, 0));
}

#[test]
fn an_adjacent_pair_changes_places_in_a_room() {
    for (rules, cost, makespan) in [(FOUR, 4, 3), (EIGHT, 3, 2)] {
        let instance = swapped("AB.\n...", rules);
        assert_eq!(solve(Cbs::default(), &instance, 10_000).bound, cost);
        let cbs = Cbs { objective: Objective::Makespan, ..Cbs::default() };
        assert_eq!(solve(cbs, &instance, 10_000).bound, makespan);
    }
}

#[test]
fn what_cannot_be_solved_ends_at_once_or_at_the_budget() {
    assert_eq!(solve(Cbs::default(), &swapped("A.B", FOUR), 1000).proof, Proof::Impossible);

    // All cells are taken: nobody can move.
    let grid = Grid::from_ascii("...\n#.#").unwrap().with_rules(FOUR);
    let [a, b, c, d] = [(0, 0), (1, 0), (2, 0), (1, 1)].map(|(x, y)| grid.at(x, y).unwrap());
    let full = Instance::new(grid, vec![(a, c), (b, b), (c, a), (d, d)], Reach::Required).unwrap();
    let answer = solve(Cbs::default(), &full, 20_000);
    assert_eq!((answer.proof, answer.best.is_none()), (Proof::OutOfBudget, true));
    assert!(answer.bound > 4, "the bound rises: {}", answer.bound);

    let grid = Grid::from_ascii(".#.").unwrap();
    let [west, east] = [0, 2].map(|x| grid.at(x, 0).unwrap());
    let apart = Instance::new(grid, vec![(west, east)], Reach::Optional).unwrap();
    assert_eq!(solve(Cbs::default(), &apart, 1000).proof, Proof::Impossible);
}

/// The bound of the root with a heuristic, before anything is split.
fn root_bound(instance: &Instance, heuristic: Heuristic) -> u64 {
    let joint = joint_of(instance, Objective::SumOfCosts);
    let mut run = Run::of(Cbs { heuristic, ..Cbs::default() }, joint, false);
    let mut budget = Budget::unlimited();
    let root = run.joint.plant(&mut budget).found().unwrap();
    run.enter(root);
    run.order.raises_bound(&mut run.joint, root, &mut budget);
    run.joint.tree.node(root).bound
}

#[test]
fn o8_heuristics_of_the_root() {
    let bounds = |instance: &Instance| {
        let all = [Heuristic::None, Heuristic::Cardinal, Heuristic::Dependent, Heuristic::Weighted];
        all.map(|heuristic| root_bound(instance, heuristic))
    };
    assert_eq!(bounds(&drawn("#b#\nA.a\n#B#", FOUR)), [4, 5, 5, 5]);
    assert_eq!(bounds(&swapped("A...B\n##.##", FOUR)), [8, 9, 9, 11], "they pay 3 together");
    let rectangle = drawn(".A..\nB...\n...b\n..a.", FOUR);
    assert_eq!(bounds(&rectangle), [8, 8, 9, 9], "no conflict costs both something");
}

#[test]
fn o8_a_cardinal_conflict_takes_one_node() {
    let cross = drawn("#b#\nA.a\n#B#", FOUR);
    let prioritised = Cbs { prioritise: true, ..Cbs::PLAIN };
    for cbs in [Cbs::PLAIN, prioritised] {
        assert_eq!(solve(cbs, &cross, 1000).nodes, 1);
    }
    let bay = swapped("A...B\n##.##", FOUR);
    assert_eq!(solve(prioritised, &bay, 100_000).nodes, 7);
}

#[test]
fn crossings_around_walls_and_with_eight_neighbours_take_one_node() {
    let alone = Cbs { mutex: true, ..Cbs::PLAIN };
    let forbidden = Rules { crossing: Crossing::Forbidden, ..EIGHT };
    // In the open, beside walls, and by diagonal steps.
    for (drawing, rules) in [
        (".A..\nB...\n...b\n..a.", FOUR),
        ("...A#\n#.#.B\n.....\n##...\n.#...\n#.b..\n.a...\n..##.", FOUR),
        ("#.....\n.#.b..\n.A#...\n..#...\n......\n....a.\nB#.##.", forbidden),
    ] {
        let instance = drawn(drawing, rules);
        let (plain, mutex) =
            (solve(Cbs::PLAIN, &instance, 100_000), solve(alone, &instance, 100_000));
        assert_eq!((mutex.proof, mutex.bound), (Proof::Optimal, plain.bound), "{drawing}");
        assert!(mutex.nodes <= 1 && plain.nodes > 1, "{} nodes, not {}", mutex.nodes, plain.nodes);
    }
}

#[test]
fn mutex_reasoning_keeps_the_costs_where_there_are_many_shortest_paths() {
    let alone = Cbs { mutex: true, ..Cbs::PLAIN };
    let mut dice = ChaCha8Rng::seed_from_u64(12);
    let (mut compared, mut saved) = (0, 0);
    for number in 0..600 {
        let Some(instance) = wide(&mut dice) else { continue };
        let Some(best) = joint_optimum(&instance, Objective::SumOfCosts) else { continue };
        let plain = solve(Cbs::PLAIN, &instance, 20_000);
        for cbs in [alone, Cbs { prioritise: true, ..alone }, Cbs::default()] {
            let answer = solve(cbs, &instance, 20_000);
            assert_eq!((answer.proof, answer.bound), (Proof::Optimal, best), "{number}: {cbs:?}");
            saved += u32::from(answer.nodes < plain.nodes);
        }
        compared += 1;
    }
    assert!(compared > 400 && saved > 20, "{compared} compared, {saved} with fewer nodes");
}

#[test]
fn slices_find_the_same_plan_as_one_search() {
    let mut dice = ChaCha8Rng::seed_from_u64(6);
    let mut compared = 0;
    for _ in 0..200 {
        let Some(instance) = small(&mut dice) else { continue };
        let Some(best) = joint_optimum(&instance, Objective::SumOfCosts) else { continue };
        let mut attempt = Cbs::default().begin(&instance);
        let mut slices = 0;
        while attempt.go_on(&mut Budget::expansions(3), &mut |_| ()).proof == Proof::OutOfBudget {
            slices += 1;
            assert!(slices < 100_000, "it gets on in every slice");
        }
        let answer = attempt.go_on(&mut Budget::expansions(0), &mut |_| ());
        assert_eq!(answer.best.unwrap().cost, best);
        compared += 1;
    }
    assert!(compared > 100);
}

#[test]
fn every_option_saves_nodes() {
    let instance = drawn("#B#C#D#\nA.....a\n#b#c#d#", FOUR);
    let plain = Cbs::PLAIN;
    let nodes = |cbs: Cbs| solve(cbs, &instance, 1_000_000).nodes;
    assert!(nodes(Cbs { heuristic: Heuristic::Cardinal, ..plain }) <= nodes(plain));
    assert!(nodes(Cbs::default()) <= nodes(plain));
}

#[test]
fn costs_are_those_of_the_joint_optimum() {
    for objective in [Objective::SumOfCosts, Objective::Makespan] {
        let mut dice = ChaCha8Rng::seed_from_u64(8);
        // For each combination of options, how many costs were compared.
        let mut compared = [0; 21];
        for number in 0..900 {
            let Some(instance) = small(&mut dice) else { continue };
            let best = joint_optimum(&instance, objective);
            for (cbs, compared) in all_options(objective).into_iter().zip(&mut compared) {
                let answer = solve(cbs, &instance, 20_000);
                let what = format!("instance {number}: {cbs:?}");
                let is_best = is_proven(answer.proof, answer.bound, best, &what);
                *compared += usize::from(is_best);
            }
        }
        assert!(compared.iter().all(|&compared| compared >= 500), "{objective:?}: {compared:?}");
    }
}
