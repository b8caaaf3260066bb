use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::*;
use crate::grid::{CornerRule, Exits, Rules};
use crate::solvers::Distances;

/// A small grid with random walls, under random rules.
fn scattered(dice: &mut ChaCha8Rng) -> Grid {
    let rules = Rules {
        neighbours: if dice.random() { Neighbours::Four } else { Neighbours::Eight },
        corners: [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Ignored]
            [dice.random_range(0..3)],
        ..Rules::default()
    };
    let (width, height) = (dice.random_range(1..12), dice.random_range(1..12));
    Grid::new(width, height, rules, |_, _| dice.random_ratio(3, 4)).unwrap()
}

/// The lengths of the shortest paths from all cells to a goal, by Dijkstra's algorithm with a heap.
fn lengths_to(grid: &Grid, goal: Cell) -> Vec<Option<u64>> {
    let mut lengths = vec![None; grid.cells().len()];
    let mut open = BinaryHeap::new();
    if grid.is_floor(goal) {
        open.push(Reverse((0, goal)));
    }
    while let Some(Reverse((length, cell))) = open.pop() {
        if lengths[cell.index()].is_none() {
            lengths[cell.index()] = Some(length);
            for direction in grid.exits(cell) {
                let step = match grid.rules().neighbours {
                    Neighbours::Four => 1,
                    Neighbours::Eight => direction.cost().units() as u64,
                };
                open.push(Reverse((length + step, grid.beside(cell, direction))));
            }
        }
    }
    lengths
}

/// Asks for the distance of a cell with small budgets, until it is known.
fn ask(
    distances: &mut GoalDistances,
    agent: usize,
    cell: Cell,
    dice: &mut ChaCha8Rng,
) -> Option<u64> {
    loop {
        let mut budget = Budget::expansions(dice.random_range(1..9));
        match distances.find(agent, cell, &mut budget) {
            Verdict::Found(distance) => break Some(distance),
            Verdict::Nothing => break None,
            Verdict::OutOfBudget => assert!(budget.is_spent()),
        }
    }
}

#[test]
fn lengths_are_those_of_dijkstra_through_edits_new_goals_and_small_budgets() {
    let mut dice = ChaCha8Rng::seed_from_u64(2);
    for number in 0..300 {
        let mut grid = scattered(&mut dice);
        let cells: Vec<Cell> = grid.cells().collect();
        let mut goals: Vec<Cell> = (0..4).map(|_| *cells.choose(&mut dice).unwrap()).collect();
        let mut distances = GoalDistances::new(&grid, Metric::Length);
        for (agent, &goal) in goals.iter().enumerate() {
            assert!(distances.send(agent, Some(goal)));
        }
        for _ in 0..6 {
            for _ in 0..25 {
                let (agent, cell) = (dice.random_range(0..4), *cells.choose(&mut dice).unwrap());
                let length = lengths_to(&grid, goals[agent])[cell.index()];
                let found = ask(&mut distances, agent, cell, &mut dice);
                assert_eq!(found, length, "{number}: {grid:?}, {cell:?} to {:?}", goals[agent]);
                let known = distances.known(agent, cell);
                assert_eq!(known, length, "what was found is known");
            }
            if dice.random() {
                let edits: Vec<Cell> = (0..2).map(|_| *cells.choose(&mut dice).unwrap()).collect();
                for &cell in &edits {
                    grid.set_floor(cell, !grid.is_floor(cell));
                }
                distances.follow_edits(&grid, &edits);
            } else {
                let agent = dice.random_range(0..4);
                goals[agent] = *cells.choose(&mut dice).unwrap();
                distances.send(agent, Some(goals[agent]));
            }
        }
    }
}

#[test]
fn only_a_search_that_came_near_an_edit_begins_again() {
    let mut grid = Grid::open(40, 1).unwrap();
    let at = |x| Grid::open(40, 1).unwrap().at(x, 0).unwrap();
    let mut distances = GoalDistances::to(&grid, [at(0), at(39)]);
    assert_eq!(
        (distances.get(0, at(5)), distances.get(1, at(30)), distances.reached()),
        (5, 9, 14)
    );
    grid.set_floor(at(20), false);
    distances.follow_edits(&grid, &[at(20)]);
    assert_eq!(
        (distances.get(0, at(5)), distances.get(1, at(30)), distances.reached()),
        (5, 9, 14)
    );
    assert_eq!(distances.get(0, at(30)), GoalDistances::NONE);
    grid.set_floor(at(32), false);
    distances.follow_edits(&grid, &[at(32)]);
    let reached = distances.reached();
    assert_eq!((distances.get(0, at(5)), distances.reached()), (5, reached));
    assert_eq!(distances.get(1, at(30)), GoalDistances::NONE);
}

#[test]
fn an_agent_for_which_there_is_no_room_is_refused_and_room_is_used_again() {
    let grid = Grid::open(10, 10).unwrap();
    let at = |x| grid.at(x, 0).unwrap();
    // Four bytes for each of a hundred cells: room for two goals.
    let mut distances = GoalDistances::new(&grid, Metric::Length).with_limit(900);
    let ask = |distances: &mut GoalDistances, agent, cell| {
        distances.find(agent, cell, &mut Budget::unlimited()).found()
    };
    assert!(distances.send(0, Some(at(0))) && distances.send(1, Some(at(1))));
    assert!(!distances.send(2, Some(at(2))));
    assert_eq!((ask(&mut distances, 2, at(2)), distances.known(2, at(2))), (None, None));
    assert!(distances.send(2, Some(at(1))), "the goal is shared");
    assert!(distances.send(1, None) && !distances.send(3, Some(at(3))), "it is still in use");
    assert!(distances.send(2, None) && distances.send(3, Some(at(3))));
    assert_eq!(ask(&mut distances, 3, at(5)), Some(2 * Cost::CARDINAL.units() as u64));
    assert_eq!(ask(&mut distances, 9, at(5)), None, "there is no such agent");
}

#[test]
fn distances_are_those_of_whole_tables_in_whatever_order_they_are_asked_for() {
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    for number in 0..200 {
        let grid = scattered(&mut dice);
        let floor: Vec<Cell> = grid.floor_cells().collect();
        if floor.is_empty() {
            continue;
        }
        let goals: Vec<Cell> = (0..4).map(|_| *floor.choose(&mut dice).unwrap()).collect();
        let whole = Distances::to(&grid, goals.iter().copied());
        let mut lazy = GoalDistances::to(&grid, goals.iter().copied());
        for _ in 0..60 {
            let (agent, cell) = (dice.random_range(0..4), *floor.choose(&mut dice).unwrap());
            let found = lazy.get(agent, cell);
            let found = (found != GoalDistances::NONE).then_some(found);
            assert_eq!(found, whole.get(agent, cell), "{number}");
        }
    }
}

#[test]
fn a_search_goes_no_farther_than_it_is_asked() {
    let grid = Grid::open(100, 1).unwrap();
    let at = |x| grid.at(x, 0).unwrap();
    let mut distances = GoalDistances::to(&grid, [at(0), at(99), at(0)]);
    assert_eq!((distances.get(0, at(7)), distances.reached()), (7, 7));
    assert_eq!((distances.get(2, at(3)), distances.reached()), (3, 7), "the goal is shared");
    assert_eq!((distances.get(1, at(99)), distances.reached()), (0, 7));
}

#[test]
fn paths_that_do_not_fit_into_two_bytes_are_found_too() {
    // A serpentine of 400 rows: one long corridor.
    let is_floor = |x: u32, y: u32| y.is_multiple_of(2) || x == if y % 4 == 1 { 399 } else { 0 };
    let grid = Grid::new(400, 400, Rules::default(), is_floor).unwrap();
    let (first, last) = (grid.at(0, 0).unwrap(), grid.at(0, 398).unwrap());
    let mut distances = GoalDistances::to(&grid, [first]);
    assert_eq!(distances.get(0, last), Distances::to(&grid, [first]).get(0, last).unwrap());
    assert!(distances.get(0, last) > 79_000);
}

#[test]
fn an_agent_on_a_cell_that_has_turned_into_a_wall_can_step_out_or_stay() {
    let mut grid = Grid::open(4, 1).unwrap();
    let at = |x| Grid::open(4, 1).unwrap().at(x, 0).unwrap();
    grid.set_floor(at(0), false);
    let mut distances = GoalDistances::to(&grid, [at(3), at(0)]);
    assert_eq!(distances.start_distance(&grid, 0, at(0)), 3);
    assert_eq!(distances.start_distance(&grid, 1, at(0)), 0);
    assert_eq!(distances.get(1, at(2)), GoalDistances::NONE, "no agent can walk in");
}

#[test]
fn searches_that_are_lent_go_on_where_they_were_and_come_back() {
    let mut dice = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..100 {
        let grid = scattered(&mut dice);
        let cells: Vec<Cell> = grid.cells().collect();
        let goals: Vec<Cell> = cells.iter().copied().take(4).collect();
        let mut distances = GoalDistances::to(&grid, goals.iter().copied());
        let mut not_lent = distances.clone();
        let agents: Vec<u32> = (0..goals.len() as u32).rev().collect();
        let mut lent = LentDistances::default();
        for _ in 0..4 {
            distances.lend(&agents, &mut lent);
            for _ in 0..8 {
                let place = dice.random_range(0..agents.len());
                let cell = *cells.choose(&mut dice).unwrap();
                let steps = distances.get_lent(&mut lent, place, cell);
                assert_eq!(steps, not_lent.get(agents[place] as usize, cell));
            }
            distances.take_back(&agents, &mut lent);
            let (agent, cell) =
                (dice.random_range(0..goals.len()), *cells.choose(&mut dice).unwrap());
            assert_eq!(distances.get(agent, cell), not_lent.get(agent, cell));
            assert_eq!(distances.reached(), not_lent.reached());
        }
    }
}
