//! Maps that sectors are bad at, and maps that hardly are any.

use super::*;
use crate::grid::{Components, CornerRule, Rules};
use crate::{Cost, Level};

const UNLIMITED: fn() -> Budget<'static> = Budget::unlimited;

/// Follows the best steps from a cell to another and returns how many there were, or none if there is no path.
fn steps(sectors: &mut Sectors, grid: &Grid, start: Cell, goal: Cell) -> Option<usize> {
    let (mut follower, mut cell) = (Follower::to(goal), start);
    for step in 0..=2 * grid.cells().len() {
        match follower.ask(sectors, grid, cell, &mut UNLIMITED()) {
            Advice::Head(heading) => cell = grid.beside(cell, heading.best().unwrap()),
            Advice::Arrived => return Some(step),
            Advice::Unreachable => return None,
            Advice::NotYet => panic!("the budget is unlimited"),
        }
    }
    panic!("it walks in circles");
}

fn cell(grid: &Grid, x: u32, y: u32) -> Cell {
    grid.at(x, y).unwrap()
}

#[test]
fn a_map_of_one_cell() {
    let mut grid = Grid::open(1, 1).unwrap();
    let only = cell(&grid, 0, 0);
    let mut sectors = Sectors::new(&grid, SectorOptions::default());
    assert!(sectors.build(&grid, &mut UNLIMITED()));
    assert_eq!(steps(&mut sectors, &grid, only, only), Some(0));
    grid.set_floor(only, false);
    sectors.edit(&grid, &[only]);
    assert!(sectors.build(&grid, &mut UNLIMITED()));
    assert_eq!(sectors.reaches(&grid, only, only), Some(false));
    let outside = Grid::open(2, 2).unwrap().at(1, 1).unwrap();
    assert_eq!(steps(&mut sectors, &grid, only, outside), None);
    assert_eq!(steps(&mut sectors, &grid, outside, only), None);
    sectors.edit(&grid, &[outside]);
}

#[test]
fn corridors_one_cell_wide() {
    for (width, height) in [(1, 1000), (1000, 1), (2, 700), (33, 1)] {
        let mut grid = Grid::open(width, height).unwrap();
        let (first, last) = (cell(&grid, 0, 0), cell(&grid, width - 1, height - 1));
        let mut sectors = Sectors::new(&grid, SectorOptions::default());
        let length = width.max(height) as usize - 1;
        assert_eq!(steps(&mut sectors, &grid, first, last), Some(length));
        for x in 0..width {
            let wall = cell(&grid, x, height / 2);
            if width.min(height) < 3 && wall != first && (width < 3 || x == width / 2) {
                grid.set_floor(wall, false);
                sectors.edit(&grid, &[wall]);
            }
        }
        assert_eq!(steps(&mut sectors, &grid, first, last), None);
    }
}

#[test]
fn a_map_without_floor() {
    let mut grid = Grid::new(100, 70, Rules::default(), |_, _| false).unwrap();
    let mut sectors = Sectors::new(&grid, SectorOptions::default());
    assert!(sectors.build(&grid, &mut UNLIMITED()));
    let (a, b) = (cell(&grid, 3, 3), cell(&grid, 90, 60));
    assert_eq!(steps(&mut sectors, &grid, a, b), None);
    grid.set_floor(a, true);
    grid.set_floor(b, true);
    sectors.edit(&grid, &[a, b]);
    assert_eq!(steps(&mut sectors, &grid, a, b), None);
    assert_eq!(steps(&mut sectors, &grid, a, a), Some(0));
}

#[test]
fn a_checkerboard_of_a_hundred_thousand_components() {
    let checkerboard =
        |rules| Grid::new(450, 450, rules, |x, y| (x + y).is_multiple_of(2)).unwrap();
    let grid = checkerboard(Rules::default());
    assert!(Components::of(&grid).count() > 100_000);
    let mut sectors = Sectors::new(&grid, SectorOptions::default());
    assert!(sectors.build(&grid, &mut UNLIMITED()));
    assert_eq!(sectors.nodes(), 0);
    assert_eq!(sectors.reaches(&grid, cell(&grid, 0, 0), cell(&grid, 1, 1)), Some(false));
    assert_eq!(steps(&mut sectors, &grid, cell(&grid, 4, 4), cell(&grid, 400, 300)), None);
    // If diagonals may pass between walls, all of it is connected.
    let grid = checkerboard(Rules { corners: CornerRule::Ignored, ..Rules::default() });
    let bare = SectorOptions { approaches: 0, hubs: 0, ..SectorOptions::default() };
    let mut sectors = Sectors::new(&grid, bare);
    assert!(sectors.build(&grid, &mut UNLIMITED()));
    assert_eq!(steps(&mut sectors, &grid, cell(&grid, 4, 4), cell(&grid, 400, 300)), Some(396));
    assert!(sectors.memory().0 < 37 * 450 * 450, "{:?}", sectors.memory());
}

#[test]
fn the_graph_is_small_even_where_every_other_cell_of_a_border_is_an_exit() {
    // Halls with a cell in every second place of the wall around them, each apart from the others.
    let is_floor = |x: u32, y: u32| {
        let is_hall = (x / 32 + y / 32).is_multiple_of(2);
        let is_edge = [x % 32, y % 32].iter().any(|&at| at == 0 || at == 31);
        is_hall || is_edge && (x + y).is_multiple_of(2)
    };
    let grid = Grid::new(320, 320, Rules::default(), is_floor).unwrap();
    let bare = SectorOptions { approaches: 0, hubs: 0, ..SectorOptions::default() };
    let mut sectors = Sectors::new(&grid, bare);
    assert!(sectors.build(&grid, &mut UNLIMITED()));
    assert!(sectors.nodes() > 5000, "{}", sectors.nodes());
    assert!(sectors.memory().0 < 12 * 320 * 320, "{:?}", sectors.memory());
    let tooth = cell(&grid, 32, 10);
    assert!(steps(&mut sectors, &grid, cell(&grid, 5, 5), tooth).is_some());
}

#[test]
fn thousands_of_edits_at_once() {
    let mut grid = Level::Cave.generate(300, 300, 1).unwrap();
    let mut sectors = Sectors::new(&grid, SectorOptions::default());
    assert!(sectors.build(&grid, &mut UNLIMITED()));
    let (a, b) = (cell(&grid, 10, 10), cell(&grid, 290, 280));
    let turn = |grid: &mut Grid, is_floor: bool| {
        let cells: Vec<Cell> =
            grid.cells().filter(|&cell| grid.is_floor(cell) != is_floor).collect();
        for &cell in &cells {
            grid.set_floor(cell, is_floor);
        }
        cells
    };
    let opened = turn(&mut grid, true);
    assert!(opened.len() > 10_000);
    sectors.edit(&grid, &opened);
    assert_eq!(steps(&mut sectors, &grid, a, b), Some(280));
    let closed = turn(&mut grid, false);
    sectors.edit(&grid, &closed);
    assert_eq!(steps(&mut sectors, &grid, a, b), None);
}

#[test]
fn fields_are_recycled_when_there_is_no_room() {
    let grid = Grid::open(320, 320).unwrap();
    let options = SectorOptions { fields: 6, ..SectorOptions::default() };
    let mut sectors = Sectors::new(&grid, options);
    for x in 0..40 {
        let (from, to) = (cell(&grid, 0, 8 * x), cell(&grid, 319, 319 - 8 * x));
        assert_eq!(steps(&mut sectors, &grid, from, to), Some(319));
    }
    assert_eq!(sectors.fields(), 6);
}

#[test]
fn a_route_through_the_middles_of_portals_is_never_shorter_than_the_path() {
    let grid = Level::City.generate(200, 200, 3).unwrap();
    let floor: Vec<Cell> = grid.floor_cells().collect();
    let mut sectors = Sectors::new(&grid, SectorOptions::default());
    for (&from, &to) in floor.iter().step_by(401).zip(floor.iter().rev().step_by(307)) {
        let (shortest, _) = crate::search::shortest_path(&grid, from, to).unwrap();
        let distance = sectors.distance(&grid, from, to, &mut UNLIMITED()).found().unwrap();
        assert!(distance >= shortest);
        let slack = Cost::of_steps(0, 4) + Cost::from_units(shortest.units() / 4);
        assert!(distance <= shortest + slack, "{distance:?} {shortest:?}");
    }
}

#[test]
fn where_there_is_no_room_for_all_routes_the_tables_know_those_to_near_goals() {
    let grid = Level::Cave.generate(2000, 2000, 1).unwrap();
    let sectors_with = |hubs| {
        let options = SectorOptions { approaches: usize::MAX, hubs, ..SectorOptions::default() };
        let mut sectors = Sectors::new(&grid, options);
        assert!(sectors.build(&grid, &mut UNLIMITED()));
        sectors
    };
    let mut sectors = sectors_with(40 << 20);
    assert!(sectors.can_have_tables());
    let floor: Vec<Cell> = grid.floor_cells().collect();
    let start = floor[floor.len() / 2];
    let mut scout = Scout::default();
    let known = scout.find(&sectors, &grid, start, floor[floor.len() / 2 + 60]);
    assert!(matches!(known, Verdict::Found(_)), "a near goal is looked up");
    let far = floor[floor.len() - 1];
    assert_eq!(scout.find(&sectors, &grid, start, far), Verdict::OutOfBudget);
    let found = sectors.distance(&grid, start, far, &mut UNLIMITED());
    assert!(matches!(found, Verdict::Found(_)), "the route to a far one is searched for");
    assert!(!sectors_with(4 << 20).can_have_tables(), "not even for near goals");
}

/// Nothing is looked up then, so that the wave would be for free.
#[test]
fn a_wave_that_tells_two_pockets_apart_is_paid_for() {
    // Three rooms without a door, none of which touches an edge of its sector.
    let grid = Grid::new(20, 20, Rules::default(), |x, y| x % 6 > 0 && y > 0 && y < 19).unwrap();
    let mut sectors = Sectors::new(&grid, SectorOptions::default());
    assert!(sectors.build(&grid, &mut Budget::unlimited()));
    let [a, b, apart] = [2, 4, 9].map(|x| cell(&grid, x, 9));
    for (goal, reaches) in [(b, true), (apart, false)] {
        let mut budget = Budget::expansions(1_000_000);
        assert_eq!(sectors.reaches_for(&grid, (a, goal), &mut budget), Some(reaches));
        assert!(budget.work().expansions > 20 * 20 / 8, "{budget:?}");
    }
}

/// A door comes and goes, and nothing is ever completed: what has changed was noted anew each time.
#[test]
fn edits_without_end_take_no_memory() {
    let mut grid = Grid::open(96, 96).unwrap();
    let mut sectors = Sectors::new(&grid, SectorOptions::default());
    let (door, from, to) = (cell(&grid, 31, 5), cell(&grid, 3, 3), cell(&grid, 90, 90));
    let mut held = Vec::new();
    for round in 0..2000 {
        grid.set_floor(door, round % 2 == 1);
        sectors.edit(&grid, &[door]);
        let _ = sectors.distance(&grid, from, to, &mut Budget::unlimited());
        held.push(sectors.memory().0);
    }
    assert_eq!(held[999], held[1999]);
}
