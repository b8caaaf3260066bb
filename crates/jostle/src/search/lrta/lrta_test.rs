use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::search::shortest_path;

const PLAIN: Lrta =
    Lrta { w: 1.0, wc: 1.0, b: 1.0, lop: Learning::Min, da: false, expendable: false };

/// A grid with a start S and a goal G.
fn drawn(drawing: &str) -> (Grid, (Cell, Cell)) {
    let grid = Grid::from_ascii(&drawing.replace(['S', 'G'], ".")).unwrap();
    let at = |letter: char| {
        let (y, row) = (0..).zip(drawing.lines()).find(|(_, row)| row.contains(letter)).unwrap();
        grid.at(row.find(letter).unwrap() as u32, y).unwrap()
    };
    let ends = (at('S'), at('G'));
    (grid, ends)
}

const DEPRESSION: &str = "\
########
#..S#G.#
#.####.#
#......#
########";

const TRAP: &str = "\
............
............
....######..
.........#..
.S.......#.G
.........#..
....######..
............
............";

/// A cost in ten-thousandths of a step.
fn digits(cost: Cost) -> i64 {
    (cost.as_f64() * 10_000.0).round() as i64
}

#[test]
fn o6_what_lrta_learns_in_a_depression() {
    let (grid, (start, goal)) = drawn(DEPRESSION);
    let mut search = LrtaSearch::default();
    search.begin(&grid, goal);
    let mut here = start;
    let mut learned = Vec::new();
    while here != goal {
        let before = search.estimate(&grid, here).unwrap();
        let next = search.step(&grid, &PLAIN, here, grid.exits(here)).unwrap();
        let after = search.estimate(&grid, here).unwrap();
        learned.push((grid.position(here), digits(before), digits(after)));
        here = next;
    }
    let expected = [
        ((3, 1), 20_000, 40_000),
        ((2, 1), 30_000, 50_000),
        ((3, 1), 40_000, 60_000),
        ((2, 1), 50_000, 50_000),
        ((1, 1), 40_000, 54_142),
        ((1, 2), 44_142, 58_284),
        ((1, 3), 48_284, 48_284),
        ((2, 3), 38_284, 38_284),
        ((3, 3), 28_284, 34_142),
        ((4, 3), 24_142, 30_000),
        ((5, 3), 20_000, 34_142),
        ((6, 3), 24_142, 24_142),
        ((6, 2), 14_142, 20_000),
        ((6, 1), 10_000, 10_000),
    ];
    assert_eq!(learned, expected);
}

#[test]
fn o6_each_parameter_leads_out_of_a_depression_sooner() {
    let (grid, ends) = drawn(DEPRESSION);
    let mut search = LrtaSearch::default();
    let mut walk = |lrta: Lrta| search.walk(&grid, ends, &lrta, 1000, |_| ());
    let plain = walk(PLAIN);
    assert_eq!((plain.moves, digits(plain.cost), plain.has_arrived), (14, 140_000, true));
    for lrta in [
        Lrta { w: 2.0, ..PLAIN },
        Lrta { wc: 2.0, ..PLAIN },
        Lrta { da: true, ..PLAIN },
        Lrta { expendable: true, ..PLAIN },
    ] {
        assert_eq!(walk(lrta).moves, 12, "{lrta:?}");
    }
    let removed = walk(Lrta { expendable: true, ..PLAIN }).removed;
    assert!(removed >= 4, "(3, 1), (2, 1), (1, 1) and (1, 2), and maybe more behind: {removed}");
}

#[test]
fn o6_expendable_cells_of_a_depression() {
    let (grid, (start, goal)) = drawn(DEPRESSION);
    let lrta = Lrta { expendable: true, ..PLAIN };
    let mut search = LrtaSearch::default();
    search.begin(&grid, goal);
    let (mut here, mut removed) = (start, Vec::new());
    while let Some(next) = search.step(&grid, &lrta, here, grid.exits(here)) {
        if search.removed as usize > removed.len() {
            removed.push(grid.position(here));
        }
        here = next;
    }
    assert_eq!(here, goal);
    assert_eq!(removed, [(3, 1), (2, 1), (1, 1), (1, 2)]);
}

#[test]
fn o6b_a_trap_that_takes_long() {
    let (grid, ends) = drawn(TRAP);
    let (best, _) = shortest_path(&grid, ends.0, ends.1).unwrap();
    assert_eq!(digits(best), 142_426);
    let mut search = LrtaSearch::default();
    let all = Lrta { w: 2.0, wc: 2.0, b: 0.5, lop: Learning::Mean, da: true, expendable: true };
    for (lrta, cost, moves) in [
        (PLAIN, 710_711, 69),
        (Lrta { b: 0.0, ..PLAIN }, 710_711, 69),
        (Lrta { w: 2.0, ..PLAIN }, 254_142, 25),
        (Lrta { w: 5.0, ..PLAIN }, 254_142, 25),
        (Lrta { wc: 3.0, ..PLAIN }, 254_142, 25),
        (Lrta { lop: Learning::Max, ..PLAIN }, 254_142, 25),
        (all, 254_142, 25),
        (Lrta { da: true, ..PLAIN }, 368_284, 36),
        (Lrta { expendable: true, ..PLAIN }, 368_284, 36),
        (Lrta { da: true, expendable: true, ..PLAIN }, 368_284, 36),
        (Lrta { lop: Learning::Mean, ..PLAIN }, 358_995, 33),
        (Lrta { lop: Learning::Median, ..PLAIN }, 348_284, 34),
    ] {
        let walk = search.walk(&grid, ends, &lrta, 10_000, |_| ());
        assert!(walk.has_arrived);
        assert_eq!((digits(walk.cost), walk.moves), (cost, moves), "{lrta:?}");
    }
    let expendable = search.walk(&grid, ends, &Lrta { expendable: true, ..PLAIN }, 10_000, |_| ());
    assert_eq!(expendable.removed, 21);
}

#[test]
fn which_cells_are_expendable() {
    for (drawing, expected) in [
        ("...\n...\n...", true),
        ("...\n...\n###", true),
        ("###\n#..\n#..", true),
        ("###\n#..\n###", true),
        ("###\n...\n###", false),
        ("#.#\n...\n###", false),
        ("...\n#.#\n...", false),
        ("#..\n...\n..#", false),
    ] {
        let grid = Grid::from_ascii(drawing).unwrap();
        let middle = grid.at(1, 1).unwrap();
        assert_eq!(is_expendable(&grid, middle, |_| false), expected, "\n{drawing}");
    }
}

#[test]
fn a_part_of_the_neighbours_is_rounded_down_but_never_none() {
    for (b, neighbours, part) in [
        (0.125, 8, 1),
        (0.25, 8, 2),
        (0.5, 8, 4),
        (0.9, 8, 7),
        (0.5, 3, 1),
        (0.9, 3, 2),
        (0.0, 5, 1),
        (1.0, 5, 5),
    ] {
        assert_eq!(neighbourhood::part_of(b, neighbours), part, "{b} of {neighbours}");
    }
}

/// The search as the thesis writes it down, with floating-point numbers and without any haste.
fn by_the_book(grid: &Grid, (start, goal): (Cell, Cell), lrta: &Lrta, most: u64) -> Vec<Cell> {
    let h0 = |cell: Cell| grid.distance(cell, goal).as_f64();
    let mut h: std::collections::HashMap<Cell, f64> = std::collections::HashMap::new();
    let mut removed: Vec<Cell> = Vec::new();
    let (mut here, mut path) = (start, Vec::new());
    while here != goal && (path.len() as u64) < most {
        let value = |cell: Cell| h.get(&cell).copied().unwrap_or_else(|| h0(cell));
        let length = |cell: Cell| grid.step_between(here, cell).unwrap().cost().as_f64();
        let all: Vec<Cell> = grid.neighbours(here).filter(|n| !removed.contains(n)).collect();
        let mut near = all.clone();
        if lrta.da {
            let rise = |cell: Cell| (value(cell) - h0(cell)).abs();
            let least = near.iter().map(|&n| rise(n)).fold(f64::INFINITY, f64::min);
            near.retain(|&n| rise(n) <= least + 1e-6);
        }
        let f = |cell: Cell| (length(cell) + value(cell)) * 1e6;
        near.sort_by_key(|&n| f(n).round() as i64);
        let Some(&next) = near.first() else { break };
        let part = ((lrta.b * near.len() as f64 + 1e-9).floor() as usize).max(1);
        let mut said: Vec<f64> =
            near[..part].iter().map(|&n| lrta.wc * length(n) + value(n)).collect();
        said.sort_by(f64::total_cmp);
        let said = match lrta.lop {
            Learning::Min => said[0],
            Learning::Max => said[said.len() - 1],
            Learning::Mean => said.iter().sum::<f64>() / said.len() as f64,
            Learning::Median => f64::midpoint(said[(said.len() - 1) / 2], said[said.len() / 2]),
        };
        let (old, new) = (value(here), (lrta.w * said).min(1e12));
        if new > old + 1e-6 {
            h.insert(here, new);
            let mut reached = vec![all[0]];
            while let Some(&more) = all.iter().find(|n| {
                !reached.contains(n) && reached.iter().any(|&r| grid.step_between(r, **n).is_some())
            }) {
                reached.push(more);
            }
            if lrta.expendable && reached.len() == all.len() {
                removed.push(here);
            }
        }
        here = next;
        path.push(here);
    }
    path
}

#[test]
fn walks_are_those_of_the_book() {
    let mut dice = ChaCha8Rng::seed_from_u64(5);
    let mut search = LrtaSearch::default();
    let mut compared = 0;
    for number in 0..400 {
        let (width, height) = (dice.random_range(3..12), dice.random_range(3..12));
        let rules = crate::Rules::default();
        let grid = Grid::new(width, height, rules, |_, _| dice.random_ratio(3, 4)).unwrap();
        let floor: Vec<Cell> = grid.floor_cells().collect();
        let any = |dice: &mut ChaCha8Rng| floor[dice.random_range(0..floor.len())];
        if floor.is_empty() {
            continue;
        }
        let ends = (any(&mut dice), any(&mut dice));
        // Quarters, so that all sums are exact in both.
        let quarter =
            |dice: &mut ChaCha8Rng, most: u32| f64::from(dice.random_range(0..=most)) / 4.0;
        let lrta = Lrta {
            w: 1.0 + quarter(&mut dice, 8),
            wc: 1.0 + quarter(&mut dice, 8),
            b: quarter(&mut dice, 4),
            lop: [Learning::Min, Learning::Mean, Learning::Median, Learning::Max]
                [dice.random_range(0..4)],
            da: dice.random(),
            expendable: dice.random(),
        };
        let lrta = if number % 4 == 0 { PLAIN } else { lrta };
        let mut path = Vec::new();
        // Rounding decides what happens after many steps.
        let walk = search.walk(&grid, ends, &lrta, 40, |cell| path.push(cell));
        assert_eq!(path, by_the_book(&grid, ends, &lrta, 40), "{number}: {lrta:?}");
        assert_eq!(walk.moves as usize, path.len());
        compared += 1;
    }
    assert!(compared > 300);
}

/// How a search makes a step.
type StepBy = fn(&mut LrtaSearch, &Grid, Place, Directions) -> Option<(Place, i64)>;

#[test]
fn plain_steps_are_those_of_the_general_search() {
    let mut dice = ChaCha8Rng::seed_from_u64(6);
    let grid = Grid::new(40, 40, crate::Rules::default(), |_, _| dice.random_ratio(3, 4)).unwrap();
    let floor: Vec<Cell> = grid.floor_cells().collect();
    for _ in 0..50 {
        let ends = [0, 1].map(|_| floor[dice.random_range(0..floor.len())]);
        let walk = |by: StepBy| {
            let mut search = LrtaSearch::default();
            search.begin(&grid, ends[1]);
            let mut path = Vec::new();
            search.walk_by(
                &grid,
                ends[0],
                2000,
                |cell| path.push(cell),
                |search, here| by(search, &grid, here, grid.exits(here.cell)),
            );
            path
        };
        let general = walk(|search, grid, here, exits| search.any_step(grid, &PLAIN, here, exits));
        assert_eq!(walk(LrtaSearch::plain_step), general);
    }
}

#[test]
fn a_goal_out_of_reach_ends_at_the_limit_or_where_nothing_is_left() {
    let (grid, ends) = drawn("S..#G");
    let mut search = LrtaSearch::default();
    let walk = search.walk(&grid, ends, &PLAIN, 100, |_| ());
    assert_eq!((walk.has_arrived, walk.moves), (false, 100));
    let walk = search.walk(&grid, ends, &Lrta { expendable: true, ..PLAIN }, 100, |_| ());
    assert!(!walk.has_arrived && walk.moves < 100);
    let heavy = Lrta { w: 10.0, wc: 10.0, ..PLAIN };
    let walk = search.walk(&grid, ends, &heavy, 100_000, |_| ());
    assert_eq!(walk.moves, 100_000, "estimates stay below their cap");

    let (grid, (start, _)) = drawn("S#G");
    assert_eq!(search.walk(&grid, (start, start), &PLAIN, 10, |_| ()).moves, 0);
    assert!(search.walk(&grid, (start, start), &PLAIN, 10, |_| ()).has_arrived);
}

#[test]
fn parameters_are_drawn_from_their_whole_ranges() {
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let drawn: Vec<Lrta> = (0..1000).map(|_| Lrta::draw(&mut dice)).collect();
    let share = |is: &dyn Fn(&Lrta) -> bool| drawn.iter().filter(|lrta| is(lrta)).count();
    for lrta in &drawn {
        assert!((1.0..=10.0).contains(&lrta.w) && (1.0..=10.0).contains(&lrta.wc));
        assert!((0.0..=1.0).contains(&lrta.b));
    }
    for half in [
        share(&|lrta| lrta.w < 5.5),
        share(&|lrta| lrta.wc < 5.5),
        share(&|lrta| lrta.b < 0.5),
        share(&|lrta| lrta.da),
        share(&|lrta| lrta.expendable),
        share(&|lrta| matches!(lrta.lop, Learning::Min | Learning::Max)),
        share(&|lrta| matches!(lrta.lop, Learning::Min | Learning::Mean)),
    ] {
        assert!((430..570).contains(&half), "{half} of 1000");
    }
}
