use proptest::prelude::*;

use super::*;
use crate::grid::{CornerRule, Picture, Rules};

/// Searches from `S` to `G`: the cost, and the order of expansion.
fn search(drawing: &str) -> (Option<f64>, Vec<(u32, u32)>) {
    let picture = Picture::parse(drawing).unwrap();
    let (start, goal) = (picture.find('S').unwrap(), picture.find('G').unwrap());
    let grid = &picture.grid;
    let mut search = Search::default();
    let problem = StraightLine::to(goal, grid);
    // Run to every limit in turn: the node that the next limit adds is the next one expanded.
    let mut order = Vec::new();
    for limit in 0.. {
        let verdict = search.run(&problem, start, &mut Budget::expansions(limit));
        if verdict != Verdict::OutOfBudget {
            assert_eq!(search.expansions() as usize, order.len());
            return (search.first_f().map(Cost::as_f64), order);
        }
        order.push(grid.position(search.first().unwrap().place.cell));
    }
    unreachable!("the loop returns when the search ends")
}

fn assert_cost(drawing: &str, expected: f64) {
    let cost = search(drawing).0.unwrap();
    assert!((cost - expected).abs() < 1e-5, "{cost} is not {expected}");
}

#[test]
fn o1_corner_rule() {
    assert_cost("S#\n.G", 2.0);
    assert_eq!(search("S#\n#G").0, None);
    assert_cost("S.\n.G", std::f64::consts::SQRT_2);
    assert_cost("S....\n.###.\n...#G\n.#...", 6.0);
}

#[test]
fn o2_open_floor_expands_a_straight_line() {
    let (cost, order) = search(".....\n.....\nS...G\n.....\n.....");
    assert_eq!(cost, Some(4.0));
    assert_eq!(order, [(0, 2), (1, 2), (2, 2), (3, 2)]);
}

#[test]
fn o2_ties_go_to_the_largest_g_then_the_first_in() {
    let drawing = ".......\n..###..\nS.#.#G.\n....#..\n.......";
    let (_, order) = search(drawing);
    assert_cost(drawing, 7.828_427);
    assert_eq!(order.len(), 18);
    let beginning = [(0, 2), (1, 2), (1, 1), (1, 3), (2, 3), (3, 3), (3, 2), (0, 1)];
    assert_eq!(order[..8], beginning);
}

#[test]
fn a_goal_in_a_wall_is_not_found() {
    let grid = Grid::from_ascii("..#").unwrap();
    assert_eq!(shortest_path(&grid, grid.at(0, 0).unwrap(), grid.at(2, 0).unwrap()), None);
}

#[test]
fn a_start_in_a_wall_can_be_left() {
    let grid = Grid::from_ascii("#..").unwrap();
    let found = shortest_path(&grid, grid.at(0, 0).unwrap(), grid.at(2, 0).unwrap());
    assert_eq!(found.unwrap().0, Cost::of_steps(2, 0));
}

/// Distances by relaxing every edge until nothing changes: slow, and independent of A*.
fn distances_by_relaxation(grid: &Grid, from: Cell) -> Vec<Cost> {
    let mut best = vec![Cost::INFINITY; grid.cells().len()];
    best[from.index()] = Cost::ZERO;
    loop {
        let mut is_stable = true;
        for cell in grid.floor_cells().filter(|cell| grid.is_floor(*cell)) {
            if best[cell.index()] == Cost::INFINITY {
                continue;
            }
            for direction in grid.exits(cell) {
                let (near, cost) =
                    (grid.beside(cell, direction), best[cell.index()] + direction.cost());
                if cost < best[near.index()] {
                    best[near.index()] = cost;
                    is_stable = false;
                }
            }
        }
        if is_stable {
            return best;
        }
    }
}

/// All that a search has found out.
fn seen(search: &Search) -> (Vec<Node>, Option<Cost>, Vec<Cell>) {
    let mut path = Vec::new();
    search.path(&mut path);
    (search.closed().collect(), search.first_f(), path)
}

proptest! {
    #[test]
    fn paths_are_shortest_and_legal(
        (width, height, draws) in (2u32..16, 2u32..16).prop_flat_map(|(w, h)| {
            (Just(w), Just(h), prop::collection::vec(0u32..100, (w * h) as usize))
        }),
        walls in 0u32..50,
        four in any::<bool>(),
        corners in prop::sample::select(vec![
            CornerRule::BothFree, CornerRule::OneFree, CornerRule::Ignored,
        ]),
    ) {
        let neighbours = if four { Neighbours::Four } else { Neighbours::Eight };
        let is_floor = |x: u32, y: u32| draws[(y * width + x) as usize] >= walls;
        let grid = Grid::new(width, height, Rules { neighbours, corners, ..Rules::default() }, is_floor).unwrap();
        let Some(start) = grid.floor_cells().next() else { return Ok(()) };
        let best = distances_by_relaxation(&grid, start);
        for goal in grid.floor_cells() {
            match shortest_path(&grid, start, goal) {
                None => prop_assert_eq!(best[goal.index()], Cost::INFINITY),
                Some((cost, path)) => {
                    prop_assert_eq!(cost, best[goal.index()]);
                    let steps = path.windows(2).map(|step| {
                        grid.step_between(step[0], step[1]).expect("a legal step").cost()
                    });
                    prop_assert_eq!(steps.sum::<Cost>(), cost);
                    prop_assert_eq!((path[0], *path.last().unwrap()), (start, goal));
                }
            }
        }
    }

    #[test]
    fn a_search_in_slices_does_what_an_uninterrupted_one_does(
        draws in prop::collection::vec(0u32..100, 24 * 24),
        walls in 0u32..50,
        slices in prop::collection::vec(0u32..40, 1..30),
        ends in (0usize..24 * 24, 0usize..24 * 24),
        four in any::<bool>(),
    ) {
        let neighbours = if four { Neighbours::Four } else { Neighbours::Eight };
        let rules = Rules { neighbours, ..Rules::default() };
        let grid = Grid::new(24, 24, rules, |x, y| draws[(y * 24 + x) as usize] >= walls).unwrap();
        let (start, goal) = (Cell::from_index(ends.0), Cell::from_index(ends.1));
        let problem = StraightLine::to(goal, &grid);
        let mut whole = Search::default();
        let verdict = whole.run(&problem, start, &mut Budget::unlimited());
        let mut sliced = Search::default();
        for _ in 0..2 {
            sliced.begin(&problem, start);
            let mut slices = slices.iter().copied().chain(std::iter::repeat(17));
            let end = loop {
                let (more, before) = (slices.next().unwrap(), sliced.expansions());
                let end = sliced.resume(&problem, &mut Budget::expansions(u64::from(more)));
                prop_assert!(sliced.expansions() - before <= more);
                if end != Verdict::OutOfBudget {
                    break end;
                }
            };
            prop_assert_eq!(end, verdict);
            prop_assert_eq!(seen(&sliced), seen(&whole));
        }
    }
}
