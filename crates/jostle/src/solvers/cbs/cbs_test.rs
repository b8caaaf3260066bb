use std::collections::{BTreeMap, BinaryHeap, HashMap};

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::grid::{Cell, Grid};
use crate::grid::{CornerRule, Crossing, Neighbours, Rules};
use crate::instance::Reach;

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

/// All combinations of the options.
fn all_options(objective: Objective) -> impl Iterator<Item = Cbs> {
    (0..8).map(move |bits| Cbs {
        objective,
        prioritise: bits & 1 > 0,
        bypass: bits & 2 > 0,
        heuristic: bits & 4 > 0,
    })
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

/// The cheapest plan, by a search over the positions of all agents at once; `None` if there is none.
///
/// An agent on its goal may declare itself done: from then on it stays and costs nothing.
fn joint_optimum(instance: &Instance, objective: Objective) -> Option<u64> {
    type State = (Vec<Cell>, Vec<bool>);
    let (grid, tasks) = (instance.grid(), instance.tasks());
    let first: State = (tasks.iter().map(|task| task.0).collect(), vec![false; tasks.len()]);
    let mut best: HashMap<State, u64> = HashMap::from([(first.clone(), 0)]);
    let mut states = vec![first];
    let mut open = BinaryHeap::from([Reverse((0_u64, 0_usize))]);
    while let Some(Reverse((cost, number))) = open.pop() {
        let (cells, done) = states[number].clone();
        if best[&(cells.clone(), done.clone())] < cost {
            continue;
        }
        if done.iter().all(|&done| done) {
            return Some(cost);
        }
        // Every agent of those on their goals may declare itself done, at no cost.
        let mut nexts: Vec<(State, u64)> = Vec::new();
        for agent in 0..tasks.len() {
            if !done[agent] && cells[agent] == tasks[agent].1 {
                let mut done = done.clone();
                done[agent] = true;
                nexts.push(((cells.clone(), done), cost));
            }
        }
        let mut moves: Vec<Vec<Cell>> = vec![Vec::new()];
        for (agent, &cell) in cells.iter().enumerate() {
            let own: Vec<Cell> = if done[agent] {
                vec![cell]
            } else {
                grid.neighbours(cell).chain([cell]).collect()
            };
            moves = moves
                .iter()
                .flat_map(|joint| own.iter().map(|&to| [&joint[..], &[to]].concat()))
                .filter(|joint| is_legal(grid, &cells, joint))
                .collect();
        }
        let step = match objective {
            Objective::SumOfCosts => done.iter().filter(|&&done| !done).count() as u64,
            Objective::Makespan => 1,
        };
        nexts.extend(moves.into_iter().map(|joint| ((joint, done.clone()), cost + step)));
        for (state, cost) in nexts {
            if best.get(&state).is_none_or(|&known| cost < known) {
                best.insert(state.clone(), cost);
                states.push(state);
                open.push(Reverse((cost, states.len() - 1)));
            }
        }
    }
    None
}

/// Whether the last of the agents that have chosen where to go is in conflict with none of the others.
fn is_legal(grid: &Grid, cells: &[Cell], joint: &[Cell]) -> bool {
    let (&to, others) = joint.split_last().unwrap();
    let from = cells[others.len()];
    let middle = |from: Cell, to: Cell| {
        let ((x, y), (to_x, to_y)) = (grid.position(from), grid.position(to));
        (x + to_x, y + to_y)
    };
    let is_diagonal = |from: Cell, to: Cell| {
        let ((x, y), (to_x, to_y)) = (grid.position(from), grid.position(to));
        x != to_x && y != to_y
    };
    others.iter().zip(cells).all(|(&other_to, &other_from)| {
        let is_crossing = grid.rules().crossing == Crossing::Forbidden
            && is_diagonal(from, to)
            && is_diagonal(other_from, other_to)
            && middle(from, to) == middle(other_from, other_to);
        let is_swap = from != to && other_to == from && other_from == to;
        other_to != to && !is_swap && !is_crossing
    })
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
fn what_cannot_be_solved_ends_at_the_budget_and_what_cannot_be_reached_at_once() {
    let corridor = swapped("A.B", FOUR);
    let answer = solve(Cbs::default(), &corridor, 20_000);
    assert_eq!((answer.proof, answer.best.is_none()), (Proof::OutOfBudget, true));
    assert!(answer.bound > 4, "the bound rises: {}", answer.bound);

    let grid = Grid::from_ascii(".#.").unwrap();
    let [west, east] = [0, 2].map(|x| grid.at(x, 0).unwrap());
    let apart = Instance::new(grid, vec![(west, east)], Reach::Optional).unwrap();
    assert_eq!(solve(Cbs::default(), &apart, 1000).proof, Proof::Impossible);
}

#[test]
fn every_option_saves_nodes() {
    let instance = drawn("#B#C#D#\nA.....a\n#b#c#d#", FOUR);
    let plain = Cbs { prioritise: false, bypass: false, heuristic: false, ..Cbs::default() };
    let nodes = |cbs: Cbs| solve(cbs, &instance, 1_000_000).nodes;
    assert!(nodes(Cbs { heuristic: true, ..plain }) <= nodes(plain));
    assert!(nodes(Cbs::default()) <= nodes(plain));
}

/// A small map with walls, under any rules, with up to three agents; `None` if there is no room for any.
fn small(dice: &mut ChaCha8Rng) -> Option<Instance> {
    let rules = Rules {
        neighbours: if dice.random() { Neighbours::Four } else { Neighbours::Eight },
        corners: [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Ignored]
            [dice.random_range(0..3)],
        crossing: if dice.random() { Crossing::Allowed } else { Crossing::Forbidden },
    };
    let (width, height) = (dice.random_range(2..5), dice.random_range(2..5));
    let grid = Grid::new(width, height, rules, |_, _| dice.random_ratio(3, 4)).unwrap();
    let floor: Vec<Cell> = grid.floor_cells().collect();
    let mut tasks: Vec<(Cell, Cell)> = Vec::new();
    for _ in 0..dice.random_range(1..4) {
        let (start, goal) = (*floor.choose(dice)?, *floor.choose(dice)?);
        if tasks.iter().all(|task| task.0 != start && task.1 != goal) {
            tasks.push((start, goal));
        }
    }
    Instance::new(grid, tasks, Reach::Optional).ok()
}

#[test]
fn costs_are_those_of_the_joint_optimum() {
    for objective in [Objective::SumOfCosts, Objective::Makespan] {
        let mut dice = ChaCha8Rng::seed_from_u64(8);
        // For each combination of options, how many costs were compared.
        let mut compared = [0; 8];
        for number in 0..900 {
            let Some(instance) = small(&mut dice) else { continue };
            let best = joint_optimum(&instance, objective);
            for (cbs, compared) in all_options(objective).zip(&mut compared) {
                let answer = solve(cbs, &instance, 20_000);
                let what = format!("instance {number}: {cbs:?}");
                match (answer.proof, best) {
                    (Proof::Optimal, Some(cost)) => {
                        assert_eq!(answer.bound, cost, "{what}");
                        *compared += 1;
                    }
                    // Some take very many nodes, and those without a plan never end.
                    (Proof::OutOfBudget, Some(cost)) => assert!(answer.bound <= cost, "{what}"),
                    (Proof::OutOfBudget | Proof::Impossible, None) => {}
                    wrong => panic!("{what}: {wrong:?}"),
                }
            }
        }
        assert!(compared.iter().all(|&compared| compared >= 500), "{objective:?}: {compared:?}");
    }
}
