use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::layout::SIDE;
use super::super::testing::{Drawn, random_map, rules};
use super::*;
use crate::grid::{Cell, CornerRule, Direction, Exits, Rules};

/// The distances from some cells of an area to all others that can be reached inside it, by the simplest of all
/// algorithms.
fn plain_distances(grid: &Grid, area: Area, seeds: &[Cell]) -> BTreeMap<Cell, u32> {
    let mut distances = BTreeMap::new();
    let mut open: BinaryHeap<_> = seeds.iter().map(|&seed| Reverse((0, seed))).collect();
    while let Some(Reverse((g, cell))) = open.pop() {
        if distances.contains_key(&cell) {
            continue;
        }
        distances.insert(cell, g);
        for direction in grid.exits(cell) {
            let near = grid.beside(cell, direction);
            if area.covers(Place::of(grid, near), 0) {
                open.push(Reverse((g + direction.cost().units() as u32, near)));
            }
        }
    }
    distances
}

/// The headings of a window that follow from its distances by definition.
fn plain_headings(grid: &Grid, window: Area, distances: &BTreeMap<Cell, u32>) -> Vec<Heading> {
    let cells = (0..WINDOW * WINDOW).map(|at| (window.x + at % WINDOW, window.y + at / WINDOW));
    let heading = |(x, y)| {
        let cell = grid.at(u32::try_from(x).ok()?, u32::try_from(y).ok()?)?;
        let step = |direction: Direction| {
            Some((direction, *distances.get(&grid.beside(cell, direction))?))
        };
        let steps = grid.exits(cell).into_iter().filter_map(step);
        Some(Heading::rank(*distances.get(&cell)?, steps))
    };
    cells.map(|place| heading(place).unwrap_or(Heading::UNKNOWN)).collect()
}

fn floor_of(grid: &Grid, area: Area) -> Vec<Place> {
    let places = grid.floor_cells().map(|cell| Place::of(grid, cell));
    places.filter(|&place| area.covers(place, 0)).collect()
}

/// Compares a wave with the plain algorithm, and its headings if the area is a window.
///
/// # Returns
/// Whether sweeps were enough.
fn check(wave: &mut Wave, grid: &Grid, area: Area, seeds: &[Place]) -> bool {
    wave.begin(grid, area);
    for &seed in seeds {
        wave.seed(seed);
    }
    wave.run(grid);
    let seeds: Vec<Cell> = seeds.iter().map(|seed| seed.cell).collect();
    let distances = plain_distances(grid, area, &seeds);
    for place in floor_of(grid, area) {
        assert_eq!(wave.distance(place), distances.get(&place.cell).copied(), "at {place:?}");
    }
    if (area.width, area.height) == (WINDOW, WINDOW) {
        let mut words = vec![7; (WINDOW * WINDOW) as usize];
        wave.write(grid, &mut words);
        let headings: Vec<_> = words.into_iter().map(Heading::from_word).collect();
        assert_eq!(headings, plain_headings(grid, area, &distances));
    }
    !wave.is_maze
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn waves_measure_what_the_plain_algorithm_does(
        Drawn(grid) in random_map(), rules in rules(), (column, row) in (0i32..4, 0i32..4),
        is_window in any::<bool>(), seeds in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
        other in any::<prop::sample::Index>(),
    ) {
        let grid = grid.with_rules(rules);
        let (column, row) = (column % (1 + grid.width() as i32 / SIDE), row % (1 + grid.height() as i32 / SIDE));
        let (x, y) = (column * SIDE, row * SIDE);
        let area = if is_window {
            Area { x: x - 8, y: y - 8, width: WINDOW, height: WINDOW }
        } else {
            let (width, height) = (grid.width() as i32 - x, grid.height() as i32 - y);
            Area { x, y, width: width.clamp(1, SIDE), height: height.clamp(1, SIDE) }
        };
        let floor = floor_of(&grid, area);
        prop_assume!(!floor.is_empty());
        let seeds: Vec<Place> = seeds.iter().map(|at| floor[at.index(floor.len())]).collect();
        let mut wave = Wave::default();
        check(&mut wave, &grid, area, &seeds);
        // Nothing is left over from before.
        check(&mut wave, &grid, area, &[floor[other.index(floor.len())]]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_turn_is_left_out_that_a_shortest_path_needs(
        walls in 0u32..60, thickness in 1u32..6, seed in any::<u64>(), at in any::<prop::sample::Index>(),
    ) {
        // Blocks of wall, so that there are corners and alleys of all kinds.
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let blocks: Vec<bool> = (0..48 * 48).map(|_| dice.random_range(0..100) >= walls).collect();
        let is_floor = |x: u32, y: u32| blocks[(y / thickness * 48 + x / thickness) as usize];
        let grid = Grid::new(48, 48, Rules::default(), is_floor).unwrap();
        let window = Area { x: 0, y: 0, width: WINDOW, height: WINDOW };
        let floor = floor_of(&grid, window);
        prop_assume!(!floor.is_empty());
        check(&mut Wave::default(), &grid, window, &[floor[at.index(floor.len())]]);
    }
}

/// A corridor that winds through a window, with walls of one cell between its parts.
fn serpentine(rows: u32, width: u32, corners: CornerRule) -> Grid {
    let rules = Rules { corners, ..Rules::default() };
    Grid::new(width, rows, rules, |x, y| {
        y.is_multiple_of(2) || x == if y / 2 % 2 == 0 { width - 1 } else { 0 }
    })
    .unwrap()
}

#[test]
fn distances_are_right_up_to_the_longest_path_of_a_window() {
    let window = Area { x: 0, y: 0, width: WINDOW, height: WINDOW };
    let mut wave = Wave::default();
    let mut were_enough = Vec::new();
    for corners in [CornerRule::BothFree, CornerRule::OneFree] {
        for (rows, width) in (1..=48).flat_map(|rows| [9, 47, 48].map(|width| (rows, width))) {
            let grid = serpentine(rows, width, corners);
            let first = Place::of(&grid, grid.at(0, 0).unwrap());
            were_enough.push(check(&mut wave, &grid, window, &[first]));
        }
    }
    assert!(were_enough.contains(&true) && were_enough.contains(&false));
}

#[test]
fn diagonal_corridors_are_told_apart_from_straight_ones() {
    // Diagonals only, of all lengths that fit.
    let rules = Rules { corners: CornerRule::Ignored, ..Rules::default() };
    let window = Area { x: 0, y: 0, width: WINDOW, height: WINDOW };
    let mut wave = Wave::default();
    for period in 2..12 {
        let is_floor =
            |x: u32, y: u32| (x + y).is_multiple_of(2) && (!x.is_multiple_of(period) || y % 7 == 1);
        let grid = Grid::new(48, 48, rules, is_floor).unwrap();
        let floor = floor_of(&grid, window);
        for &seed in floor.iter().step_by(floor.len() / 5) {
            check(&mut wave, &grid, window, &[seed]);
        }
    }
}
