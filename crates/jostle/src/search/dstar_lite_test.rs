use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;
use crate::grid::{CornerRule, Rules};

/// The steps from one cell to another, by breadth-first search.
fn steps(grid: &Grid, from: Cell, to: Cell) -> Option<u32> {
    let mut known = vec![None; grid.cells().len()];
    known[from.index()] = Some(0);
    let mut queue = VecDeque::from([from]);
    while let Some(cell) = queue.pop_front() {
        for near in grid.neighbours(cell) {
            if known[near.index()].is_none() {
                known[near.index()] = known[cell.index()].map(|steps: u32| steps + 1);
                queue.push_back(near);
            }
        }
    }
    known[to.index()]
}

fn at(grid: &Grid, x: u32, y: u32) -> Cell {
    grid.at(x, y).unwrap()
}

#[test]
fn a_wall_on_the_path_makes_the_search_go_around_and_its_end_straight_again() {
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    let mut grid = Grid::open(7, 3).unwrap().with_rules(rules);
    let (start, goal, wall) = (at(&grid, 2, 1), at(&grid, 6, 1), at(&grid, 3, 1));
    let mut search = DstarLite::default();
    search.begin(&grid, start, goal);
    assert_eq!(search.distance(&grid, &mut Budget::unlimited()), Verdict::Found(4));
    for (is_floor, expected) in [(false, 6), (true, 4)] {
        grid.set_floor(wall, is_floor);
        search.edit(&grid, wall);
        assert_eq!(search.distance(&grid, &mut Budget::unlimited()), Verdict::Found(expected));
        let mut path = Vec::new();
        assert!(search.path(&grid, &mut path, &mut Budget::unlimited()).is_found());
        assert_eq!(
            (path.len(), path[0], path[expected as usize]),
            (expected as usize + 1, start, goal)
        );
        assert!(path.windows(2).all(|step| grid.step_between(step[0], step[1]).is_some()));
    }
}

#[test]
fn a_repair_expands_less_than_a_new_search() {
    let mut grid = crate::Level::Cave.generate(96, 96, 3).unwrap();
    let floor: Vec<Cell> = grid.floor_cells().collect();
    let (start, goal) = (floor[0], floor[floor.len() - 1]);
    let (mut search, mut path) = (DstarLite::default(), Vec::new());
    search.begin(&grid, start, goal);
    assert!(search.path(&grid, &mut path, &mut Budget::unlimited()).is_found());
    let wall = path[2];
    grid.set_floor(wall, false);
    let (mut repair, mut anew) = (Budget::unlimited(), Budget::unlimited());
    search.edit(&grid, wall);
    let repaired = search.distance(&grid, &mut repair);
    let mut other = DstarLite::default();
    other.begin(&grid, start, goal);
    assert_eq!(repaired, other.distance(&grid, &mut anew));
    let [repair, anew] = [repair, anew].map(|budget| budget.work().expansions);
    assert!(repair * 5 < anew, "{repair} expansions to repair, {anew} anew");
}

#[test]
fn a_budget_interrupts_a_search_and_a_later_question_goes_on() {
    let grid = Grid::open(30, 30).unwrap();
    let mut search = DstarLite::default();
    search.begin(&grid, at(&grid, 29, 29), at(&grid, 0, 0));
    let mut asked = 0;
    let distance = loop {
        asked += 1;
        match search.distance(&grid, &mut Budget::expansions(4)) {
            Verdict::OutOfBudget => {}
            answer => break answer,
        }
    };
    assert!(asked > 5, "{asked}");
    assert_eq!(distance, Verdict::Found(29));
}

#[test]
fn an_agent_on_a_new_wall_can_step_out_and_nobody_passes_through() {
    let mut grid = Grid::open(5, 1).unwrap();
    let [a, b, wall, goal] = [0, 1, 2, 4].map(|x| at(&grid, x, 0));
    let mut search = DstarLite::default();
    search.begin(&grid, b, goal);
    assert_eq!(search.distance(&grid, &mut Budget::unlimited()), Verdict::Found(3));
    search.move_to(&grid, wall);
    grid.set_floor(wall, false);
    search.edit(&grid, wall);
    assert_eq!(search.distance(&grid, &mut Budget::unlimited()), Verdict::Found(2));
    assert_eq!(search.distance_from(&grid, a, &mut Budget::unlimited()), Verdict::Nothing);
    grid.set_floor(wall, true);
    search.edit(&grid, wall);
    assert_eq!(search.distance_from(&grid, a, &mut Budget::unlimited()), Verdict::Found(4));
}

#[test]
fn strange_cells_have_no_distance() {
    let grid = Grid::open(3, 3).unwrap();
    let large = Grid::open(90, 90).unwrap();
    let (home, stranger) = (at(&grid, 0, 0), at(&large, 80, 80));
    let mut search = DstarLite::default();
    assert_eq!(search.distance_from(&grid, home, &mut Budget::unlimited()), Verdict::Nothing);
    for (start, goal) in [(stranger, home), (home, stranger), (stranger, stranger)] {
        search.begin(&grid, start, goal);
        search.edit(&grid, stranger);
        search.move_to(&grid, stranger);
        let mut path = Vec::new();
        assert_eq!(search.path(&grid, &mut path, &mut Budget::unlimited()), Verdict::Nothing);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Cells close and open, the agent walks or is put elsewhere, and every cell may be asked for.
    #[test]
    fn distances_are_exact_after_any_edits_and_moves(
        (width, height) in (1u32..9, 1u32..9),
        four in any::<bool>(),
        corners in prop::sample::select(vec![CornerRule::BothFree, CornerRule::OneFree, CornerRule::Ignored]),
        ends in (0usize..81, 0usize..81),
        turns in prop::collection::vec((0usize..81, prop::option::of(0usize..81), 0usize..81), 1..40),
    ) {
        let neighbours = if four { Neighbours::Four } else { Neighbours::Eight };
        let rules = Rules { neighbours, corners, ..Rules::default() };
        let mut grid = Grid::open(width, height).unwrap().with_rules(rules);
        let cells: Vec<Cell> = grid.cells().collect();
        let cell = |number: usize| cells[number % cells.len()];
        let mut start = cell(ends.0);
        let goal = cell(ends.1);
        let mut search = DstarLite::default();
        search.begin(&grid, start, goal);
        for (edited, moved, asked) in turns {
            if let Some(to) = moved {
                start = cell(to);
                search.move_to(&grid, start);
            }
            grid.set_floor(cell(edited), !grid.is_floor(cell(edited)));
            search.edit(&grid, cell(edited));
            let expected = |from: Cell| {
                let can_be_there = grid.is_floor(from) || from == start;
                let found = (can_be_there && grid.is_floor(goal)).then(|| steps(&grid, from, goal)).flatten();
                // An agent on its goal has arrived, even if a wall was built there.
                let found = if from == start && start == goal { Some(0) } else { found };
                found.map_or(Verdict::Nothing, Verdict::Found)
            };
            prop_assert_eq!(search.distance(&grid, &mut Budget::unlimited()), expected(start));
            let asked = cell(asked);
            prop_assert_eq!(search.distance_from(&grid, asked, &mut Budget::unlimited()), expected(asked));
        }
    }
}
