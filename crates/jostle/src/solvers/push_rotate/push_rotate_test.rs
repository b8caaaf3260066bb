//! Every answer against brute force on small floors, and every plan against the independent checker.

use std::collections::{BTreeSet, HashSet};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::check::check_trace;
use crate::grid::{Components, CornerRule, Crossing, Neighbours, Rules};
use crate::instance::Reach;

/// Solves an instance, and checks the plan if there is one.
fn solve(instance: &Instance) -> Proof {
    let answer = PushAndRotate.solve(instance, &mut Budget::unlimited(), &mut |_| ());
    assert_eq!(answer.best.is_some(), answer.proof == Proof::Found, "{instance:?}");
    if let Some(Solution { plan, cost }) = answer.best {
        assert!(answer.bound <= cost, "{instance:?}");
        assert_is_plan(instance, &plan);
    }
    answer.proof
}

fn assert_is_plan(instance: &Instance, plan: &Plan) {
    for (path, &(start, goal)) in plan.paths().iter().zip(instance.tasks()) {
        assert_eq!((path.at(0), path.at(u64::MAX)), (Some(start), Some(goal)), "{instance:?}");
    }
    let trace = plan.to_trace().unwrap_or_else(|error| panic!("{error}: {instance:?}"));
    let legal = check_trace(&trace).unwrap_or_else(|error| panic!("{error}: {instance:?}"));
    assert_eq!(legal.arrived, instance.tasks().len(), "{instance:?}");
}

/// All arrangements that agents can get to, by joint moves as the rules of the engine say.
fn arrangements(grid: &Grid, starts: &[Cell]) -> HashSet<Vec<Cell>> {
    let mut known = HashSet::from([starts.to_vec()]);
    let mut open = vec![starts.to_vec()];
    while let Some(now) = open.pop() {
        extend(grid, &now, &mut Vec::new(), &mut |then: &[Cell]| {
            if known.insert(then.to_vec()) {
                open.push(then.to_vec());
            }
        });
    }
    known
}

/// Adds a move of the next agent to those of the agents before it, in every legal way.
fn extend(grid: &Grid, now: &[Cell], then: &mut Vec<Cell>, found: &mut impl FnMut(&[Cell])) {
    let agent = then.len();
    let Some(&from) = now.get(agent) else { return found(then) };
    for to in grid.neighbours(from).chain([from]) {
        let crosses = |before: usize| {
            let centre = |from, to| {
                let ((x, y), (to_x, to_y)) = (grid.position(from), grid.position(to));
                (x != to_x && y != to_y).then_some((x + to_x, y + to_y))
            };
            grid.rules().crossing == Crossing::Forbidden
                && centre(from, to).is_some()
                && centre(from, to) == centre(now[before], then[before])
        };
        let is_swap = |before: usize| then[before] == from && now[before] == to && from != to;
        let is_legal = |before: usize| then[before] != to && !is_swap(before) && !crosses(before);
        if (0..agent).all(is_legal) {
            then.push(to);
            extend(grid, now, then, found);
            then.pop();
        }
    }
}

/// Compares what is said about random goals on a floor with what is possible. How many were solved, impossible and not known.
fn compare(grid: &Grid, agents: usize, goals: usize, dice: &mut ChaCha8Rng) -> [u32; 3] {
    let mut counts = [0; 3];
    let mut cells: Vec<Cell> = grid.floor_cells().collect();
    cells.shuffle(dice);
    let starts = cells[..agents].to_vec();
    let reachable = arrangements(grid, &starts);
    for _ in 0..goals {
        cells.shuffle(dice);
        let tasks: Vec<_> = starts.iter().copied().zip(cells.iter().copied()).collect();
        let instance = Instance::new(grid.clone(), tasks, Reach::Optional).unwrap();
        let is_possible = reachable.contains(&cells[..agents]);
        let said = is_solvable(&instance);
        assert!(said.is_none_or(|said| said == is_possible), "{instance:?}");
        match solve(&instance) {
            Proof::Found => assert!(is_possible, "{instance:?}"),
            Proof::Impossible => assert!(!is_possible, "{instance:?}"),
            proof => assert!(said.is_none(), "{proof:?}: {instance:?}"),
        }
        counts[match said {
            Some(true) => 0,
            Some(false) => 1,
            None => 2,
        }] += 1;
    }
    counts
}

const FLOORS: [&str; 16] = [
    ".....\n#.###",
    "......\n##.###",
    "#.#\n...\n#.#",
    "#.#.#\n.....",
    ".#.#.\n.....\n.#.#.",
    "#.##\n....\n##.#",
    "....#\n.##..\n....#",
    "...##\n.#...\n...##",
    "...#...\n.#...#.\n...#...",
    "..##\n....\n##..",
    "...\n...\n...",
    "....\n....",
    "....\n.##.\n.##.\n....",
    "..\n..",
    "...\n.#.\n...\n.##",
    "##.##\n..#..\n.....",
];

fn rules(dice: &mut ChaCha8Rng) -> Rules {
    Rules {
        neighbours: if dice.random() { Neighbours::Four } else { Neighbours::Eight },
        corners: [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Ignored]
            [dice.random_range(0..3)],
        crossing: if dice.random() { Crossing::Allowed } else { Crossing::Forbidden },
    }
}

/// Random floors and agents, against brute force.
fn compare_many(floors: u32, arrangements: u64, dice: &mut ChaCha8Rng) -> [u32; 3] {
    let mut counts = [0; 3];
    for number in 0..floors {
        let grid = if number % 2 == 0 {
            Grid::from_ascii(FLOORS[number as usize / 2 % FLOORS.len()]).unwrap()
        } else {
            let walls = dice.random_range(0..8);
            Grid::new(4, 4, Rules::default(), |_, _| !dice.random_ratio(walls, 12)).unwrap()
        };
        let grid = grid.with_rules(rules(dice));
        let cells = grid.floor_cells().count();
        if cells == 0 {
            continue;
        }
        let mut agents = dice.random_range(1..=cells.min(6));
        let many = |agents: usize| (0..agents).map(|agent| (cells - agent) as u64).product::<u64>();
        while many(agents) > arrangements {
            agents -= 1;
        }
        let found = compare(&grid, agents, 6, dice);
        counts.iter_mut().zip(found).for_each(|(sum, count)| *sum += count);
    }
    counts
}

#[test]
fn solvable_means_a_plan_and_unsolvable_means_impossible() {
    let counts = compare_many(600, 3_500, &mut ChaCha8Rng::seed_from_u64(1));
    assert!(counts[0] > 1_500 && counts[1] > 400, "{counts:?}");
    assert_eq!(counts[2], 0, "small floors are always decided");
}

#[test]
#[ignore = "takes minutes"]
fn solvable_means_a_plan_and_unsolvable_means_impossible_on_many_floors() {
    let counts = compare_many(20_000, 400_000, &mut ChaCha8Rng::seed_from_u64(2));
    println!("solvable {}, impossible {}, not known {}", counts[0], counts[1], counts[2]);
}

/// A maze with corridors one cell wide: a tree, and some openings more.
fn maze(side: u32, openings: u32, dice: &mut ChaCha8Rng) -> Grid {
    let mut is_floor = HashSet::from([(0, 0)]);
    let mut ends = vec![(0_u32, 0_u32)];
    while let Some(&(x, y)) = ends.last() {
        let mut nexts = vec![(x + 2, y), (x, y + 2)];
        nexts.extend(x.checked_sub(2).map(|x| (x, y)));
        nexts.extend(y.checked_sub(2).map(|y| (x, y)));
        nexts.retain(|next| next.0 < side && next.1 < side && !is_floor.contains(next));
        nexts.shuffle(dice);
        let Some(&next) = nexts.first() else {
            ends.pop();
            continue;
        };
        is_floor.extend([next, (u32::midpoint(x, next.0), u32::midpoint(y, next.1))]);
        ends.push(next);
    }
    for _ in 0..openings {
        let (x, y) = (dice.random_range(0..side - 1), dice.random_range(0..side - 1));
        if (x + y) % 2 == 1 {
            is_floor.insert((x, y));
        }
    }
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    Grid::new(side, side, rules, |x, y| is_floor.contains(&(x, y))).unwrap()
}

/// An instance with so many percent of the floor taken.
fn crowded(grid: Grid, percent: usize, dice: &mut ChaCha8Rng) -> Instance {
    let mut starts: Vec<Cell> = grid.floor_cells().collect();
    let mut goals = starts.clone();
    starts.shuffle(dice);
    goals.shuffle(dice);
    let agents = starts.len() * percent / 100;
    let tasks = starts.into_iter().zip(goals).take(agents).collect();
    Instance::new(grid, tasks, Reach::Optional).unwrap()
}

#[test]
fn crowded_mazes_get_plans_that_the_checker_accepts() {
    let mut dice = ChaCha8Rng::seed_from_u64(3);
    for percent in [20, 50, 70] {
        for openings in [0, 5] {
            let instance = crowded(maze(15, openings, &mut dice), percent, &mut dice);
            assert_eq!(solve(&instance), Proof::Found, "{percent}% with {openings} openings");
        }
    }
}

#[test]
fn open_floors_under_all_rules_get_plans_that_the_checker_accepts() {
    let mut dice = ChaCha8Rng::seed_from_u64(4);
    for percent in [10, 50, 90] {
        for _ in 0..4 {
            let rules = rules(&mut dice);
            let grid = Grid::new(12, 9, rules, |_, _| !dice.random_ratio(1, 5)).unwrap();
            let components = Components::of(&grid);
            let instance = crowded(grid, percent, &mut dice);
            let is_in_reach = |task: &(Cell, Cell)| components.connected(task.0, task.1);
            let tasks: Vec<_> = instance.tasks().iter().copied().filter(is_in_reach).collect();
            if let Ok(instance) = Instance::new(instance.grid().clone(), tasks, Reach::Required) {
                let proof = solve(&instance);
                match is_solvable(&instance) {
                    Some(said) => assert_eq!(said, proof == Proof::Found, "{instance:?}"),
                    None => assert_eq!(proof, Proof::OutOfBudget, "{instance:?}"),
                }
            }
        }
    }
}

/// An instance drawn with letters: who is on which cell at first, and then.
fn drawn(starts: &str, goals: &str) -> Instance {
    let letters = |drawing: &str| -> Vec<(char, (u32, u32))> {
        let rows = drawing
            .lines()
            .zip(0..)
            .flat_map(|(line, y)| line.chars().zip(0..).map(move |(letter, x)| (letter, (x, y))));
        let mut letters: Vec<_> = rows.filter(|(letter, _)| letter.is_alphabetic()).collect();
        letters.sort_unstable();
        letters
    };
    let plain: String =
        starts.chars().map(|letter| if letter.is_alphabetic() { '.' } else { letter }).collect();
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    let grid = Grid::from_ascii(&plain).unwrap().with_rules(rules);
    let at = |(_, (x, y)): &(char, (u32, u32))| grid.at(*x, *y).unwrap();
    let goals = letters(goals);
    let tasks = letters(starts).iter().map(at).zip(goals.iter().map(at)).collect();
    Instance::new(grid, tasks, Reach::Optional).unwrap()
}

#[test]
fn known_answers() {
    let cases = [
        ("a bay in a corridor", "ab.\n#.#", "ba.\n#.#", Some(true)),
        ("a corridor", "ab..", "ba..", Some(false)),
        ("one free cell beside a junction", "ab.\n#c#", "ba.\n#c#", Some(false)),
        ("a full ring turns", "abc\nh#d\ngfe", "hab\ng#c\nfed", Some(true)),
        ("a full ring keeps its order", "abc\nh#d\ngfe", "bac\nh#d\ngfe", Some(false)),
        ("a ring with room turns too", "ab.\n.#.\n.dc", ".ab\n.#.\nd.c", Some(true)),
        ("a full floor of two rings", "abc\ndef", "bac\ndef", Some(true)),
        ("a full tree", "abc\n#d#", "abc\n#d#", Some(true)),
        ("a ring that is full but for its tail", "ab##\ncd..", "db##\nca..", Some(true)),
        ("the fifteen puzzle with rings that turn", "abc\ned.", "bac\ned.", Some(true)),
    ];
    for (name, starts, goals, expected) in cases {
        let instance = drawn(starts, goals);
        assert_eq!(is_solvable(&instance), expected, "{name}");
        let proof = if expected == Some(true) { Proof::Found } else { Proof::Impossible };
        assert_eq!(solve(&instance), proof, "{name}");
    }
}

#[test]
fn a_large_full_floor_is_not_called_impossible() {
    let mut dice = ChaCha8Rng::seed_from_u64(5);
    let instance = crowded(Grid::open(9, 9).unwrap(), 100, &mut dice);
    assert_eq!((is_solvable(&instance), solve(&instance)), (None, Proof::OutOfBudget));
}

#[test]
fn shortened_turns_of_full_rings_do_not_cross() {
    let mut dice = ChaCha8Rng::seed_from_u64(8);
    let rules = Rules { crossing: Crossing::Forbidden, ..Rules::default() };
    for drawing in ["...\n...", "..\n..", "...\n..#\n..#"] {
        let grid = Grid::from_ascii(drawing).unwrap().with_rules(rules);
        let cells = grid.floor_cells().count();
        for agents in [cells - 1, cells] {
            let counts = compare(&grid, agents, 80, &mut dice);
            assert_eq!(counts[2], 0, "small floors are always decided");
        }
    }
}

#[test]
fn slices_give_the_same_plan_and_count_the_same_work() {
    let instance = crowded(
        maze(11, 3, &mut ChaCha8Rng::seed_from_u64(6)),
        40,
        &mut ChaCha8Rng::seed_from_u64(7),
    );
    let mut whole = Budget::unlimited();
    let expected = PushAndRotate.solve(&instance, &mut whole, &mut |_| ());
    let mut search = PushAndRotate.search(&instance);
    let (mut slices, mut work) = (0, 0);
    let answer = loop {
        let mut budget = Budget::expansions(500);
        let answer = search.go_on(&mut budget, &mut |_| ());
        slices += 1;
        work += budget.work().expansions;
        if answer.proof != Proof::OutOfBudget {
            break answer;
        }
    };
    assert_eq!(answer.best, expected.best);
    assert!(slices > 5 && work == whole.work().expansions, "{slices} slices, {work} of work");
    assert!(search.moves() < search.recorded_moves());
    let again = search.go_on(&mut Budget::expansions(0), &mut |_| ());
    assert_eq!(again.best, expected.best, "it has ended");
}

#[test]
fn a_long_plan_comes_in_instalments_that_lead_from_one_to_the_next() {
    let grid = maze(31, 0, &mut ChaCha8Rng::seed_from_u64(6));
    let instance = crowded(grid, 60, &mut ChaCha8Rng::seed_from_u64(7));
    let mut search = PushAndRotate.search(&instance).in_instalments(20_000);
    let mut paths: Vec<Vec<Cell>> = search.starts.iter().map(|&start| vec![start]).collect();
    let (mut ticks, mut instalments) = (1, 0);
    loop {
        assert_eq!(search.advance(&mut Budget::unlimited()), Proof::Found);
        let is_last = !search.goes_on();
        for (cells, stops) in paths.iter_mut().zip(search.take_stops()) {
            for (tick, cell) in stops {
                let waits = cells[cells.len() - 1];
                cells.resize(ticks - 1 + tick as usize, waits);
                cells.push(cell);
            }
        }
        ticks = paths.iter().map(Vec::len).max().unwrap();
        instalments += 1;
        if is_last {
            break;
        }
    }
    assert!(instalments > 2, "{instalments}");
    let paths = paths.into_iter().map(TimedPath::of).collect();
    assert_is_plan(&instance, &Plan::new(Arc::clone(instance.shared_grid()), paths));
}

#[test]
fn an_agent_on_a_wall_may_stay_there() {
    let mut grid = Grid::from_ascii("...\n...").unwrap();
    let [wall, west, east] = [(1, 1), (0, 0), (2, 0)].map(|(x, y)| grid.at(x, y).unwrap());
    grid.set_floor(wall, false);
    let grid = Arc::new(grid);
    let stays = Instance::unchecked(Arc::clone(&grid), vec![(wall, wall), (west, east)]);
    assert_eq!(is_solvable(&stays), Some(true));
    let answer = PushAndRotate.solve(&stays, &mut Budget::unlimited(), &mut |_| ());
    assert_eq!(answer.proof, Proof::Found);
    let leaves = Instance::unchecked(grid, vec![(wall, east), (west, west)]);
    assert_eq!(is_solvable(&leaves), None);
}

#[test]
fn shortening_leaves_out_detours_and_joins_what_is_independent() {
    // Both walk along a corridor in the same direction: one behind the other, at the same time.
    let instance = drawn("ab...", "...ab");
    let answer = PushAndRotate.solve(&instance, &mut Budget::unlimited(), &mut |_| ());
    let plan = answer.best.unwrap().plan;
    assert_eq!((plan.makespan(), plan.sum_of_costs()), (3, 6));
}

#[test]
fn where_there_is_no_plan_agents_get_goals_that_they_can_have_together() {
    let mut dice = ChaCha8Rng::seed_from_u64(9);
    let mut settled = 0;
    for _ in 0..300 {
        let instance = crowded(maze(7, 1, &mut dice), 60, &mut dice);
        let mut search = PushAndRotate.search(&instance);
        if search.decide(&mut Budget::unlimited()) != Some(Proof::Impossible) {
            continue;
        }
        let aims = search.attainable().unwrap();
        let goals: BTreeSet<Cell> = instance.tasks().iter().map(|task| task.1).collect();
        let taken: BTreeSet<Cell> = aims.iter().copied().collect();
        assert_eq!(taken, goals, "the goals are the same, for other agents");
        let starts = instance.tasks().iter().map(|task| task.0);
        let tasks = starts.zip(aims).collect();
        let possible = Instance::new(instance.grid().clone(), tasks, Reach::Required).unwrap();
        assert_eq!(solve(&possible), Proof::Found, "{possible:?}");
        settled += 1;
    }
    assert!(settled > 20, "{settled}");
}
