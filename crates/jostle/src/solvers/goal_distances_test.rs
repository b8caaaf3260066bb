use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::grid::{CornerRule, Rules};

#[test]
fn distances_are_those_of_whole_tables_in_whatever_order_they_are_asked_for() {
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    for number in 0..200 {
        let rules = Rules {
            neighbours: if dice.random() { Neighbours::Four } else { Neighbours::Eight },
            corners: [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Ignored]
                [dice.random_range(0..3)],
            ..Rules::default()
        };
        let (width, height) = (dice.random_range(1..12), dice.random_range(1..12));
        let grid = Grid::new(width, height, rules, |_, _| dice.random_ratio(3, 4)).unwrap();
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
            let found = (found != Distances::NONE).then_some(found);
            assert_eq!(found, whole.get(agent, cell), "{number}");
        }
    }
}

#[test]
fn an_agent_that_is_sent_elsewhere_has_the_distances_of_its_new_goal() {
    let grid = Grid::from_ascii("....\n.##.\n....").unwrap();
    let mut floor = grid.floor_cells();
    let goals = [(); 3].map(|()| floor.next().unwrap());
    let mut distances = GoalDistances::to(&grid, goals);
    for goal in grid.floor_cells() {
        distances.redirect(1, goal);
        let whole = Distances::to(&grid, [goals[0], goal, goals[2]]);
        for cell in grid.floor_cells().collect::<Vec<_>>().into_iter().rev() {
            for agent in 0..3 {
                assert_eq!(Some(distances.get(agent, cell)), whole.get(agent, cell));
            }
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
    assert_eq!(distances.get(1, at(2)), Distances::NONE, "no agent can walk in");
}
