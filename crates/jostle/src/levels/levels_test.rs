use super::*;
use crate::grid::{Cell, Components};

/// FNV-1a, written out so that no dependency can change it.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

const SIZES: [(u32, u32); 16] = [
    (1, 1),
    (1, 50),
    (3, 2),
    (5, 5),
    (6, 6),
    (5, 90),
    (7, 90),
    (90, 7),
    (9, 11),
    (13, 13),
    (16, 40),
    (31, 33),
    (64, 64),
    (65, 127),
    (200, 130),
    (23, 400),
];

#[test]
fn all_floor_is_connected_and_a_quarter_of_the_map() {
    for level in Level::ALL {
        for (width, height) in SIZES {
            for seed in 0..25 {
                let grid = level.generate(width, height, seed).unwrap();
                let place = format!("{level} of {width}x{height} with seed {seed}");
                let components = Components::of(&grid);
                assert_eq!(components.count(), 1, "{place}");
                assert!(components.size(0) * 4 >= grid.cells().len(), "{place}");
                assert_eq!((grid.width(), grid.height()), (width, height));
            }
        }
    }
}

#[test]
fn small_squares_of_every_size_work() {
    for level in Level::ALL {
        for side in 1..48 {
            let grid = level.generate(side, side, u64::from(side)).unwrap();
            let components = Components::of(&grid);
            assert_eq!(components.count(), 1, "{level} of {side}x{side}");
            assert!(components.size(0) * 4 >= grid.cells().len(), "{level} of {side}x{side}");
        }
    }
}

#[test]
fn levels_have_walls_where_there_is_room() {
    for level in Level::ALL {
        for (width, height) in [(12, 12), (64, 64), (200, 130)] {
            let grid = level.generate(width, height, 1).unwrap();
            let walls = grid.cells().filter(|&cell| !grid.is_floor(cell)).count();
            assert!(walls * 20 >= grid.cells().len(), "{level} of {width}x{height}: {walls} walls");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_level_and_another_seed_another() {
    for level in Level::ALL {
        let draw = |seed| level.generate(64, 64, seed).unwrap().to_ascii();
        assert_eq!(draw(7), draw(7));
        for seed in 0..10 {
            assert_ne!(draw(seed), draw(seed + 1), "{level} {seed}");
        }
    }
}

/// A level that changes invalidates every result that was measured on it. If this fails after an upgrade
/// of a dependency, the new version draws other random numbers.
#[test]
fn levels_have_not_changed() {
    let hash = |level: Level, width, height| {
        fnv1a(&level.generate(width, height, 2024).unwrap().to_ascii())
    };
    let found = Level::ALL.map(|level| (level.name(), hash(level, 64, 64), hash(level, 200, 130)));
    let expected = [
        ("cave", 0x410f_dbdd_dc18_d948, 0xfe61_7b60_6360_0970),
        ("rooms", 0xaaff_46d9_f8e8_d73c, 0x75c6_5898_961e_bad1),
        ("islands", 0x5e54_f963_14fc_beb5, 0xcc5e_861a_3fab_617c),
        ("maze", 0xe8ce_65a6_c266_0515, 0x8485_9693_9e0a_dfa5),
        ("city", 0x3866_cd03_59bf_99d3, 0x4950_584f_981e_2144),
        ("warehouse", 0xc843_3425_0a9f_c3f0, 0x390f_7a98_c7b0_ece4),
        ("arena", 0xe2f8_d402_14aa_9ce5, 0x2004_04cc_b441_0b09),
        ("scatter", 0x679c_a80f_ae9d_f6d2, 0x899e_3433_cbac_38bc),
        ("aisles", 0x2630_2f19_691c_62e2, 0x5ed7_62b8_10f9_9e5e),
    ];
    assert_eq!(found.as_slice(), expected.as_slice());
}

#[test]
fn maze_corridors_are_eight_cells_wide() {
    let grid = Level::Maze.generate(512, 512, 1).unwrap();
    let is_floor = |x: u32, y: u32| grid.at(x, y).is_some_and(|cell: Cell| grid.is_floor(cell));
    // Every floor cell lies in a square of floor as wide as a corridor.
    let opens = |x: u32, y: u32| (0..64).all(|at| is_floor(x + at % 8, y + at / 8));
    let mut is_covered = vec![false; grid.cells().len()];
    for (x, y) in grid.cells().map(|cell| grid.position(cell)).filter(|&(x, y)| opens(x, y)) {
        for at in 0..64 {
            let cell = grid.at(x + at % 8, y + at / 8).unwrap();
            is_covered[cell.index()] = true;
        }
    }
    assert!(grid.floor_cells().all(|cell| is_covered[cell.index()]));
}

#[test]
fn a_level_is_found_by_its_name() {
    for level in Level::ALL {
        assert_eq!(Level::from_name(level.name()), Some(level));
        assert!(!level.about().is_empty());
    }
    assert_eq!(Level::from_name("swamp"), None);
}

#[test]
fn impossible_sizes_are_refused() {
    for level in Level::ALL {
        assert!(level.generate(0, 10, 1).is_err());
        assert!(level.generate(10, Grid::MAX_SIDE + 1, 1).is_err());
    }
}
