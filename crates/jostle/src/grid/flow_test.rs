use proptest::prelude::*;

use super::*;
use crate::grid::{Components, Neighbours, Rules};

fn drawn(grid: &Grid) -> Vec<String> {
    let flow = Flow::of(grid);
    let short = |direction| match direction {
        Direction::North => "N",
        Direction::East => "E",
        Direction::South => "S",
        Direction::West => "W",
        Direction::NorthEast => "NE",
        Direction::SouthEast => "SE",
        Direction::SouthWest => "SW",
        Direction::NorthWest => "NW",
    };
    grid.cells()
        .map(|cell| {
            let mut exits: Vec<_> = flow.on(grid).exits(cell).into_iter().map(short).collect();
            exits.sort_unstable();
            exits.join(".")
        })
        .collect()
}

fn open(side: u32) -> Grid {
    Grid::open(side, side).unwrap()
}

#[test]
fn o10_a_2x2_room_becomes_two_way() {
    assert_eq!(drawn(&open(2)), ["E.S.SE", "S.SW.W", "E.N.NE", "N.NW.W"]);
}

#[test]
fn o10_a_3x3_room_has_14_edges() {
    #[rustfmt::skip]
    let expected = [
        "SE",  "S.W",    "W",
        "E.N", "E.S.SE", "N",
        "N",   "W",      "N.W",
    ];
    assert_eq!(drawn(&open(3)), expected);
}

#[test]
fn o10_a_4x4_room_has_28_edges() {
    #[rustfmt::skip]
    let expected = [
        "SE",  "S.W",    "W",      "S.W",
        "E.N", "E.S",    "E.N.NE", "S",
        "N",   "S.SW.W", "N.W",    "S.W",
        "E.N", "E",      "E.N",    "NW",
    ];
    assert_eq!(drawn(&open(4)), expected);
}

#[test]
fn o10_a_one_cell_ring_stays_two_way() {
    let grid = Grid::from_ascii(".....\n.###.\n.###.\n.....").unwrap();
    let flow = Flow::of(&grid);
    for cell in grid.floor_cells() {
        assert_eq!(flow.on(&grid).exits(cell), grid.exits(cell));
    }
}

#[test]
fn a_wall_built_under_an_agent_can_be_left_in_any_direction() {
    let mut grid = open(4);
    let cell = grid.at(1, 2).unwrap();
    grid.set_floor(cell, false);
    assert_eq!(Flow::of(&grid).on(&grid).exits(cell), grid.exits(cell));
}

/// The number of strongly connected components, from which cells reach which.
fn strong_components(grid: &Grid, exits: &impl Exits) -> usize {
    let reach = |from: Cell| {
        let mut seen = vec![false; grid.cells().len()];
        let mut frontier = vec![from];
        seen[from.index()] = true;
        while let Some(cell) = frontier.pop() {
            for direction in exits.exits(cell) {
                let near = grid.beside(cell, direction);
                if !std::mem::replace(&mut seen[near.index()], true) {
                    frontier.push(near);
                }
            }
        }
        seen
    };
    let reached: Vec<_> = grid.cells().map(reach).collect();
    grid.floor_cells()
        .filter(|a| {
            let mutual = |b: &usize| reached[a.index()][*b] && reached[*b][a.index()];
            (0..a.index()).find(mutual).is_none()
        })
        .count()
}

/// The rules without the shortcut for open blocks.
fn annotate_plainly(grid: &Grid, cell: Cell) -> Directions {
    let mut exits = base(grid, cell);
    for direction in grid.exits(cell).cardinals() {
        if !exits.contains(direction) && !has_detour(grid, cell, grid.beside(cell, direction)) {
            exits.insert(direction);
        }
    }
    exits
}

fn maps() -> impl Strategy<Value = Grid> {
    let corners = prop_oneof![
        4 => Just(CornerRule::BothFree),
        1 => Just(CornerRule::OneFree),
        1 => Just(CornerRule::Ignored)
    ];
    let neighbours = prop_oneof![4 => Just(Neighbours::Eight), 1 => Just(Neighbours::Four)];
    (2u32..=14, 2u32..=14, 0u32..=55, neighbours, corners).prop_flat_map(
        |(width, height, walls, neighbours, corners)| {
            prop::collection::vec(0u32..100, (width * height) as usize).prop_map(move |draws| {
                let is_floor = |x: u32, y: u32| draws[(y * width + x) as usize] >= walls;
                Grid::new(
                    width,
                    height,
                    Rules { neighbours, corners, ..Rules::default() },
                    is_floor,
                )
                .unwrap()
            })
        },
    )
}

proptest! {
    #[test]
    fn annotation_never_loses_reachability(grid in maps()) {
        let flow = Flow::of(&grid);
        prop_assert_eq!(strong_components(&grid, &flow.on(&grid)), Components::of(&grid).count());
    }

    #[test]
    fn the_shortcut_for_open_blocks_changes_no_annotation(grid in maps()) {
        for cell in grid.floor_cells() {
            prop_assert_eq!(annotate(&grid, cell), annotate_plainly(&grid, cell));
        }
    }

    #[test]
    fn annotated_exits_are_exits_of_the_floor(grid in maps()) {
        let flow = Flow::of(&grid);
        for cell in grid.floor_cells() {
            let (annotated, free) = (flow.on(&grid).exits(cell).bits(), grid.exits(cell).bits());
            prop_assert_eq!(annotated & !free, 0);
        }
    }

    #[test]
    fn an_edited_annotation_equals_a_fresh_one(
        mut grid in maps(),
        edits in prop::collection::vec(any::<prop::sample::Index>(), 1..12),
    ) {
        let mut flow = Flow::of(&grid);
        for edit in edits {
            grid.cells().for_each(|cell| { flow.on(&grid).exits(cell); });
            let cell = Cell::from_index(edit.index(grid.cells().len()));
            grid.set_floor(cell, !grid.is_floor(cell));
            flow.forget_near(&grid, cell);
            let fresh = Flow::of(&grid);
            for cell in grid.floor_cells() {
                prop_assert_eq!(flow.on(&grid).exits(cell), fresh.on(&grid).exits(cell));
            }
        }
    }
}
