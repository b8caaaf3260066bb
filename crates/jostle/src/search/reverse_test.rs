use proptest::prelude::*;

use super::*;
use crate::grid::Rules;
use crate::search::shortest_path;

#[test]
fn o2b_the_map_behind_the_first_question_is_not_lost() {
    let grid = Grid::open(5, 1).unwrap();
    let cell = |x| grid.at(x, 0).unwrap();
    let mut search = ReverseSearch::default();
    search.begin(&grid, cell(3), cell(0));
    assert_eq!(
        search.distance(&grid, cell(3), &mut Budget::unlimited()),
        Verdict::Found(Cost::of_steps(3, 0))
    );
    assert_eq!(
        search.distance(&grid, cell(4), &mut Budget::unlimited()),
        Verdict::Found(Cost::of_steps(4, 0))
    );
}

#[test]
fn a_budget_interrupts_a_search_and_a_later_one_continues_it() {
    let grid = Grid::open(30, 30).unwrap();
    let (goal, start) = (grid.at(0, 0).unwrap(), grid.at(29, 29).unwrap());
    let mut search = ReverseSearch::default();
    search.begin(&grid, start, goal);
    let mut asked = 0;
    let distance = loop {
        asked += 1;
        let mut budget = Budget::expansions(4);
        match search.distance(&grid, start, &mut budget) {
            Verdict::OutOfBudget => assert!(budget.is_spent()),
            answer => break answer,
        }
    };
    assert!(asked > 5, "{asked}");
    assert_eq!(distance, Verdict::Found(Cost::of_steps(0, 29)));
}

#[test]
fn a_goal_in_a_wall_or_behind_one_is_unreachable() {
    let grid = Grid::from_ascii("..#.#").unwrap();
    let cell = |x| grid.at(x, 0).unwrap();
    let mut search = ReverseSearch::default();
    for goal in [cell(4), cell(3)] {
        search.begin(&grid, cell(0), goal);
        assert_eq!(search.distance(&grid, cell(0), &mut Budget::unlimited()), Verdict::Nothing);
    }
    // An agent may step out of a wall, and the path goes on from there.
    search.begin(&grid, cell(2), cell(0));
    let found = search.distance(&grid, cell(2), &mut Budget::unlimited());
    assert_eq!(found, Verdict::Found(Cost::of_steps(2, 0)));
}

#[test]
fn a_whole_map_costs_at_most_six_bytes_a_floor_cell() {
    let grid = crate::Level::Cave.generate(512, 512, 3).unwrap();
    let floor: Vec<Cell> = grid.floor_cells().collect();
    let mut search = ReverseSearch::default();
    search.begin(&grid, floor[0], floor[floor.len() / 2]);
    search.exhaust(&grid);
    assert_eq!(search.expansions(), floor.len() as u64);
    let bytes = search.memory() as f64 / floor.len() as f64;
    assert!(bytes <= 6.0, "{bytes} bytes");
}

proptest! {
    #[test]
    fn distances_are_those_of_a_star(
        (width, height, draws) in (2u32..16, 2u32..16).prop_flat_map(|(w, h)| {
            (Just(w), Just(h), prop::collection::vec(0u32..100, (w * h) as usize))
        }),
        walls in 0u32..45,
        four in any::<bool>(),
        order in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
    ) {
        let neighbours = if four { Neighbours::Four } else { Neighbours::Eight };
        let rules = Rules { neighbours, ..Rules::default() };
        let is_floor = |x: u32, y: u32| draws[(y * width + x) as usize] >= walls;
        let grid = Grid::new(width, height, rules, is_floor).unwrap();
        let floor: Vec<Cell> = grid.floor_cells().collect();
        if floor.is_empty() {
            return Ok(());
        }
        let mut search = ReverseSearch::default();
        search.begin(&grid, floor[0], floor[floor.len() - 1]);
        for index in order {
            let cell = floor[index.index(floor.len())];
            let expected = shortest_path(&grid, cell, search.goal())
                .map_or(Verdict::Nothing, |(cost, _)| Verdict::Found(cost));
            prop_assert_eq!(search.distance(&grid, cell, &mut Budget::unlimited()), expected);
        }
    }

    #[test]
    fn an_edit_that_the_search_has_not_been_near_changes_nothing_it_knows(
        draws in prop::collection::vec(0u32..100, 20 * 20),
        edits in prop::collection::vec(0usize..400, 1..8),
        asked in 0usize..400,
    ) {
        let is_floor = |x: u32, y: u32| draws[(y * 20 + x) as usize] >= 20;
        let mut grid = Grid::new(20, 20, Rules::default(), is_floor).unwrap();
        let floor: Vec<Cell> = grid.floor_cells().collect();
        let (origin, goal) = (floor[0], floor[asked % floor.len()]);
        let mut search = ReverseSearch::default();
        search.begin(&grid, origin, goal);
        let asked = floor[asked * 7 % floor.len()];
        let _ = search.distance(&grid, asked, &mut Budget::expansions(25));
        for edit in edits {
            let cell = Cell::from_index(edit);
            if cell == goal || !search.is_untouched_near(&grid, cell) {
                continue;
            }
            grid.set_floor(cell, !grid.is_floor(cell));
        }
        for cell in grid.floor_cells() {
            let expected = shortest_path(&grid, cell, goal)
                .map_or(Verdict::Nothing, |(cost, _)| Verdict::Found(cost));
            prop_assert_eq!(search.distance(&grid, cell, &mut Budget::unlimited()), expected);
        }
    }
}
