use jostle::Rules;
use proptest::prelude::*;

use super::*;

fn features(grid: &Grid, tasks: &[[(u32, u32); 2]]) -> Features {
    let cell = |(x, y)| grid.at(x, y).unwrap();
    let tasks: Vec<_> = tasks.iter().map(|&[start, goal]| (cell(start), cell(goal))).collect();
    Features::of(Sight { grid, tasks: &tasks })
}

fn assert_near(features: &Features, expected: &[(&str, f64)]) {
    for &(name, expected) in expected {
        let value = f64::from(features.get(name).unwrap());
        assert!((value - expected).abs() < 1e-5, "{name}: {value}, expected {expected}");
    }
}

#[test]
fn a_ring_is_corridors_and_corners() {
    let grid = Grid::from_ascii("....\n.##.\n....").unwrap();
    assert_near(
        &features(&grid, &[]),
        &[
            ("width", 4.0),
            ("height", 3.0),
            ("floor cells", 10.0),
            ("floor share", 10.0 / 12.0),
            ("largest component share", 1.0),
            ("corridor share", 0.6),
            ("corner share", 0.4),
            ("share beside walls", 1.0),
            // Four runs in rows, of 4, 1, 1 and 4 cells; six in columns.
            ("free run in rows", 2.5),
            ("free run in columns", 10.0 / 6.0),
            ("free run ratio", 4.0 / 6.0),
            ("diagonal gap share", 0.0),
            ("floor share of its box", 10.0 / 12.0),
            ("agents", 0.0),
            ("density of goals", 0.0),
        ],
    );
}

#[test]
fn dead_ends_edges_and_open_cells_are_counted() {
    // A room of 3x3 cells with a dead end, and a cell that is closed in.
    let grid = Grid::from_ascii("...##\n....#\n...#.").unwrap();
    assert_near(
        &features(&grid, &[]),
        &[
            ("floor cells", 11.0),
            ("largest component share", 10.0 / 11.0),
            ("closed in share", 1.0 / 11.0),
            ("dead end share", 1.0 / 11.0),
            ("corner share", 4.0 / 11.0),
            ("edge share", 3.0 / 11.0),
            ("open share", 2.0 / 11.0),
            ("corridor share", 0.0),
        ],
    );
    let open = Grid::open(5, 4).unwrap();
    // The rim counts as walls: 5 walls around each of 4 corners, 3 around each of 10 others at the rim.
    assert_near(
        &features(&open, &[]),
        &[("walls around", (4.0 * 5.0 + 10.0 * 3.0) / 160.0), ("share beside walls", 0.7)],
    );
}

#[test]
fn floor_that_touches_floor_at_a_corner_is_counted() {
    // Each of the two floor cells is in four squares, and one square has both.
    let grid = Grid::from_ascii("#.#\n.##").unwrap();
    assert_near(
        &features(&grid, &[]),
        &[("diagonal gap share", 1.0 / 7.0), ("floor share of its box", 0.5)],
    );
    let walls = Grid::from_ascii("##").unwrap();
    assert_near(&features(&walls, &[]), &[("floor share of its box", 0.0)]);
}

#[test]
fn agents_that_cross_in_both_directions_have_no_common_direction() {
    let grid = Grid::open(10, 4).unwrap();
    let [west, east] = [(0, 0), (9, 0)];
    let one_way = features(&grid, &[[west, east], [(0, 1), (9, 1)]]);
    assert_near(
        &one_way,
        &[
            ("agents", 2.0),
            ("agents a floor cell", 0.05),
            ("starts x", 0.05),
            ("goals x", 0.95),
            ("starts y", 0.25),
            ("spread of starts", 0.5 / 40_f64.sqrt()),
            ("distance", 9.0),
            ("relative distance", 9.0 / 40_f64.sqrt()),
            ("shift", 9.0 / 40_f64.sqrt()),
            ("common direction", 1.0),
            ("share against the others", 0.0),
            ("overlap of boxes", 0.0),
            ("density of starts", 1.0),
            ("share of goals on starts", 0.0),
        ],
    );
    let both = features(&grid, &[[west, east], [(0, 1), (9, 1)], [(9, 1), (0, 1)], [east, west]]);
    assert_near(
        &both,
        &[
            ("common direction", 0.0),
            ("overlap of boxes", 1.0),
            ("density of starts", 0.2),
            ("shift", 0.0),
            ("share of goals on starts", 1.0),
        ],
    );
    let third = features(&grid, &[[west, east], [(0, 1), (9, 1)], [(9, 2), (0, 2)]]);
    assert_near(
        &third,
        &[("common direction", 1.0 / 3.0), ("share against the others", 1.0 / 3.0)],
    );
}

#[test]
fn names_are_distinct() {
    let mut names = Features::NAMES.to_vec();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Features::COUNT);
    assert_eq!(Features::of(Sight { grid: &Grid::open(1, 1).unwrap(), tasks: &[] }).get("x"), None);
}

proptest! {
    #[test]
    fn all_are_finite_and_shares_are_shares(
        (width, height) in (1u32..12, 1u32..12),
        bits in prop::collection::vec(any::<bool>(), 144),
        picks in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..6),
    ) {
        let is_floor = |x: u32, y: u32| bits[(y * width + x) as usize];
        let grid = Grid::new(width, height, Rules::default(), is_floor).unwrap();
        let floor: Vec<Cell> = grid.floor_cells().collect();
        let tasks: Vec<_> = if floor.is_empty() {
            Vec::new()
        } else {
            picks.iter().map(|(a, b)| (*a.get(&floor), *b.get(&floor))).collect()
        };
        let features = Features::of(Sight { grid: &grid, tasks: &tasks });
        prop_assert!(features.values().iter().all(|value| value.is_finite()));
        for (name, value) in Features::NAMES.iter().zip(features.values()) {
            let is_share = name.contains("share") || name.contains("overlap") || name.contains(" x") || name.contains("common");
            prop_assert!(!is_share || (0.0..=1.000_01).contains(value), "{}: {}", name, value);
        }
        let sides = ["closed in share", "dead end share", "corridor share", "corner share", "edge share", "open share"];
        let sum: f32 = sides.iter().map(|name| features.get(name).unwrap()).sum();
        prop_assert!(floor.is_empty() || (sum - 1.0).abs() < 1e-5);
    }
}
