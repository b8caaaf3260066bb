use proptest::prelude::*;

use super::*;
use crate::levels::Level;

fn assert_fair(grid: &Grid, pairs: &[(Cell, Cell)], agents: usize) {
    let components = Components::of(grid);
    let starts: HashSet<_> = pairs.iter().map(|pair| pair.0).collect();
    let goals: HashSet<_> = pairs.iter().map(|pair| pair.1).collect();
    assert_eq!(pairs.len(), agents);
    assert_eq!(starts.len(), agents, "two agents start on one cell");
    assert_eq!(goals.len(), agents, "two agents share a goal");
    for &(start, goal) in pairs {
        assert!(components.connected(start, goal));
        assert!(start != goal || grid.floor_cells().count() == 1, "an agent starts on its goal");
    }
}

fn open(width: u32, height: u32) -> Grid {
    Grid::open(width, height).unwrap()
}

/// The least and the greatest column, and the least and the greatest row.
fn box_of(grid: &Grid, cells: impl Iterator<Item = Cell>) -> (u32, u32, u32, u32) {
    cells.map(|cell| grid.position(cell)).fold((u32::MAX, 0, u32::MAX, 0), |found, (x, y)| {
        (found.0.min(x), found.1.max(x), found.2.min(y), found.3.max(y))
    })
}

#[test]
fn every_kind_fits_every_level_at_every_density() {
    for (level, (width, height)) in Level::ALL
        .into_iter()
        .flat_map(|level| [(1, 1), (1, 9), (6, 5), (40, 23)].map(|size| (level, size)))
    {
        let grid = level.generate(width, height, 3).unwrap();
        let floor = grid.floor_cells().count();
        let room = if floor == 1 { 0 } else { floor };
        for kind in Kind::ALL {
            let room = if kind == Kind::Random { room } else { floor };
            for agents in [1, 2, 3, floor / 3, floor / 2 + 1, floor.saturating_sub(1), floor] {
                if (1..=room).contains(&agents) {
                    assert_fair(&grid, &kind.draw(&grid, agents, 11).unwrap(), agents);
                }
            }
            let crowded = kind.draw(&grid, floor + 1, 11).unwrap_err();
            assert_eq!(crowded, DrawError::TooMany { agents: floor + 1, room });
        }
    }
}

proptest! {
    #[test]
    fn any_floor_gives_fair_pairs(
        walls in prop::collection::vec(prop::bool::weighted(0.35), 99),
        kind in prop::sample::select(Kind::ALL.as_slice()),
        agents in 1_usize..60,
        seed: u64,
    ) {
        let is_floor = |x: u32, y: u32| !walls[(y * 11 + x) as usize];
        let grid = Grid::new(11, 9, crate::grid::Rules::default(), is_floor).unwrap();
        match kind.draw(&grid, agents, seed) {
            Ok(pairs) => {
                assert_fair(&grid, &pairs, agents);
                prop_assert_eq!(kind.draw(&grid, agents, seed).unwrap(), pairs);
                prop_assert!(agents <= kind.room(&grid));
            }
            Err(DrawError::TooMany { room, .. }) => {
                prop_assert!(room < agents);
                prop_assert_eq!(room, kind.room(&grid));
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}

#[test]
fn seeds_and_kinds_give_different_problems() {
    let grid = open(30, 30);
    let drawn: HashSet<_> = Kind::ALL
        .into_iter()
        .flat_map(|kind| (0..5).map(move |seed| (kind, seed)))
        .map(|(kind, seed)| kind.draw(&grid, 20, seed).unwrap())
        .collect();
    assert_eq!(drawn.len(), 35);
}

#[test]
fn random_uses_every_piece_of_floor_but_single_cells() {
    let grid = Grid::from_ascii(
        "
        ..#.#..
        ..###..
        ..#..#.
        ",
    )
    .unwrap();
    let pairs = Kind::Random.draw(&grid, 13, 5).unwrap();
    assert_fair(&grid, &pairs, 13);
    assert!(pairs.iter().all(|&(start, _)| start != grid.at(3, 0).unwrap()));
    let crowded = Kind::Random.draw(&grid, 14, 5).unwrap_err();
    assert_eq!(crowded.to_string(), "14 agents do not fit: the floor has room for 13");
    // The other kinds use the largest piece alone.
    assert_eq!(
        Kind::InsideOut.draw(&grid, 7, 5).unwrap_err(),
        DrawError::TooMany { agents: 7, room: 6 }
    );
}

#[test]
fn cross_sides_starts_and_ends_on_opposite_sides() {
    let grid = open(40, 30);
    let mut sides = HashSet::new();
    for seed in 0..24 {
        let pairs = Kind::CrossSides.draw(&grid, 50, seed).unwrap();
        let (west, east, north, south) = box_of(&grid, pairs.iter().map(|pair| pair.0));
        let goals = box_of(&grid, pairs.iter().map(|pair| pair.1));
        // A tenth of the floor is 120 cells: 4 rows of 40, or 3 columns of 40.
        let crosses = [
            (north < 4 && south < 4 && goals.2 >= 26, "north"),
            (north >= 26 && goals.3 < 4, "south"),
            (east < 4 && goals.0 >= 36, "west"),
            (west >= 36 && goals.1 < 4, "east"),
        ];
        let side = crosses.iter().find(|cross| cross.0).expect("it crosses the map");
        sides.insert(side.1);
    }
    assert_eq!(sides.len(), 4, "only {sides:?}");
}

#[test]
fn swap_sides_sends_half_in_each_direction() {
    let grid = open(40, 30);
    for seed in 0..10 {
        let pairs = Kind::SwapSides.draw(&grid, 51, seed).unwrap();
        let direction = |start: u32, goal: u32, length: u32| match goal as i32 - start as i32 {
            direction if direction.unsigned_abs() * 4 < length * 3 => 0,
            direction => direction.signum(),
        };
        let exits = pairs.iter().map(|&(start, goal)| {
            let ((sx, sy), (gx, gy)) = (grid.position(start), grid.position(goal));
            (direction(sx, gx, 40), direction(sy, gy, 30))
        });
        let (east, south): (Vec<_>, Vec<_>) = exits.unzip();
        let crossed = if east.contains(&0) { south } else { east };
        let there = crossed.iter().filter(|&&direction| direction == 1).count();
        let back = crossed.iter().filter(|&&direction| direction == -1).count();
        assert_eq!((there, back), (26, 25));
    }
}

#[test]
fn swap_sides_stays_on_its_sides_with_all_cells_in_use() {
    let grid = open(8, 8);
    let pairs = Kind::SwapSides.draw(&grid, 64, 2).unwrap();
    let crosses = |&(start, goal): &(Cell, Cell)| {
        let ((sx, sy), (gx, gy)) = (grid.position(start), grid.position(goal));
        ((sx < 4) != (gx < 4), (sy < 4) != (gy < 4))
    };
    assert!(pairs.iter().all(|pair| crosses(pair).0) || pairs.iter().all(|pair| crosses(pair).1));
}

#[test]
fn inside_out_and_outside_in_are_mirror_images() {
    let grid = open(41, 41);
    let centre = grid.at(20, 20).unwrap();
    let reach = |cell: Cell| {
        let ((x, y), (cx, cy)) = (grid.position(cell), grid.position(centre));
        x.abs_diff(cx).max(y.abs_diff(cy))
    };
    for (inner, outer) in Kind::InsideOut.draw(&grid, 60, 1).unwrap() {
        assert!(reach(inner) <= 5 && reach(outer) >= 18);
    }
    for (outer, inner) in Kind::OutsideIn.draw(&grid, 60, 1).unwrap() {
        assert!(reach(inner) <= 5 && reach(outer) >= 18);
    }
}

#[test]
fn tight_spots_are_dense_and_apart() {
    let grid = open(60, 60);
    for seed in 0..10 {
        let pairs = Kind::TightToTight.draw(&grid, 40, seed).unwrap();
        let starts = box_of(&grid, pairs.iter().map(|pair| pair.0));
        let goals = box_of(&grid, pairs.iter().map(|pair| pair.1));
        for (west, east, north, south) in [starts, goals] {
            // In a corner of the map, 48 cells need a quarter of a disc twice as wide.
            assert!(east - west < 16 && south - north < 16);
        }
        let starts: HashSet<_> = pairs.iter().map(|pair| pair.0).collect();
        assert!(pairs.iter().all(|pair| !starts.contains(&pair.1)));
    }
}

#[test]
fn tight_to_wide_spreads_out() {
    let grid = open(60, 60);
    let pairs = Kind::TightToWide.draw(&grid, 40, 3).unwrap();
    let area =
        |(west, east, north, south): (u32, u32, u32, u32)| (east - west + 1) * (south - north + 1);
    let starts = area(box_of(&grid, pairs.iter().map(|pair| pair.0)));
    let goals = area(box_of(&grid, pairs.iter().map(|pair| pair.1)));
    assert!(goals > 5 * starts, "{goals} cells around the goals, {starts} around the starts");
}

#[test]
fn names_lead_back_to_kinds() {
    for kind in Kind::ALL {
        assert_eq!(Kind::from_name(kind.name()), Some(kind));
    }
    assert_eq!(Kind::from_name("sideways"), None);
    assert_eq!(Kind::CrossSides.to_string(), "cross-sides");
}

#[test]
fn a_problem_without_agents_is_refused() {
    assert_eq!(Kind::Random.draw(&open(3, 3), 0, 0), Err(DrawError::NoAgents));
}
