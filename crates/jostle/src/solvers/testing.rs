//! Small instances and their best plans by brute force, for tests.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::ops::Range;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::{Objective, Proof};
use crate::grid::{Cell, CornerRule, Crossing, Grid, Neighbours, Rules};
use crate::instance::{Instance, Reach};

/// The cheapest plan, by a search over the positions of all agents at once; `None` if there is none.
///
/// An agent on its goal may declare itself done: from then on it stays and costs nothing.
pub fn joint_optimum(instance: &Instance, objective: Objective) -> Option<u64> {
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
        let moves = joint_moves(grid, &cells, |agent| !done[agent]);
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

/// The least loss of a plan, by a search over the positions of all agents at once; `None` if there is none.
///
/// The loss is what LaCAM\* minimises: a tick costs nothing for an agent that is on its goal before and after it, even if it leaves later.
pub fn least_loss(instance: &Instance) -> Option<u64> {
    let (grid, tasks) = (instance.grid(), instance.tasks());
    let (starts, goals): (Vec<Cell>, Vec<Cell>) = tasks.iter().copied().unzip();
    let mut best: HashMap<Vec<Cell>, u64> = HashMap::from([(starts.clone(), 0)]);
    let mut open = BinaryHeap::from([Reverse((0_u64, starts))]);
    while let Some(Reverse((loss, cells))) = open.pop() {
        if best[&cells] < loss {
            continue;
        }
        if cells == goals {
            return Some(loss);
        }
        for next in joint_moves(grid, &cells, |_| true) {
            let stays = |&agent: &usize| [cells[agent], next[agent]] == [goals[agent]; 2];
            let step = (0..goals.len()).filter(|agent| !stays(agent)).count() as u64;
            if best.get(&next).is_none_or(|&known| loss + step < known) {
                best.insert(next.clone(), loss + step);
                open.push(Reverse((loss + step, next)));
            }
        }
    }
    None
}

/// All legal joint moves of agents on these cells, of which only some may move.
fn joint_moves(grid: &Grid, cells: &[Cell], may_move: impl Fn(usize) -> bool) -> Vec<Vec<Cell>> {
    let mut moves: Vec<Vec<Cell>> = vec![Vec::new()];
    for (agent, &cell) in cells.iter().enumerate() {
        let own: Vec<Cell> = if may_move(agent) {
            grid.neighbours(cell).chain([cell]).collect()
        } else {
            vec![cell]
        };
        moves = moves
            .iter()
            .flat_map(|joint| own.iter().map(|&to| [&joint[..], &[to]].concat()))
            .filter(|joint| is_legal(grid, cells, joint))
            .collect();
    }
    moves
}

/// Compares what a solver has proven with the best cost, if there is a plan. Whether it has found the best one: some instances take very
/// many nodes, and a search for a plan that does not exist never ends.
pub fn is_proven(proof: Proof, bound: u64, best: Option<u64>, what: &str) -> bool {
    match (proof, best) {
        (Proof::Optimal, Some(cost)) => assert_eq!(bound, cost, "{what}"),
        (Proof::OutOfBudget, Some(cost)) => assert!(bound <= cost, "{what}"),
        (Proof::OutOfBudget | Proof::Impossible, None) => {}
        wrong => panic!("{what}: {wrong:?}"),
    }
    proof == Proof::Optimal
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

/// A small map with walls, under any rules, with up to three agents; `None` if there is no room for any.
pub fn small(dice: &mut ChaCha8Rng) -> Option<Instance> {
    on_floor(dice, 2..5, 3)
}

/// A very small map, under any rules, with up to four agents.
pub fn tiny(dice: &mut ChaCha8Rng) -> Option<Instance> {
    on_floor(dice, 2..4, 4)
}

/// A wider map on which two agents have many shortest paths.
pub fn wide(dice: &mut ChaCha8Rng) -> Option<Instance> {
    on_floor(dice, 5..9, 2)
}

/// A map with sides of such lengths and walls, under any rules, with so many agents at most.
fn on_floor(dice: &mut ChaCha8Rng, sides: Range<u32>, agents: usize) -> Option<Instance> {
    let rules = Rules {
        neighbours: if dice.random() { Neighbours::Four } else { Neighbours::Eight },
        corners: [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Ignored]
            [dice.random_range(0..3)],
        crossing: if dice.random() { Crossing::Allowed } else { Crossing::Forbidden },
    };
    let (width, height) = (dice.random_range(sides.clone()), dice.random_range(sides));
    let grid = Grid::new(width, height, rules, |_, _| dice.random_ratio(3, 4)).unwrap();
    let floor: Vec<Cell> = grid.floor_cells().collect();
    let mut tasks: Vec<(Cell, Cell)> = Vec::new();
    for _ in 0..dice.random_range(1..=agents) {
        let (start, goal) = (*floor.choose(dice)?, *floor.choose(dice)?);
        if tasks.iter().all(|task| task.0 != start && task.1 != goal) {
            tasks.push((start, goal));
        }
    }
    Instance::new(grid, tasks, Reach::Optional).ok()
}
