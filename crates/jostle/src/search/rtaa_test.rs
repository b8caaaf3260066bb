use proptest::prelude::*;

use super::*;
use crate::grid::{Exits, Neighbours, Picture, Rules};
use crate::search::StraightLine;

struct Walk {
    travel: f64,
    searches: usize,
    /// `f` of each search.
    f: Vec<f64>,
    ends: Vec<(u32, u32)>,
    /// What was learned in the first search.
    learned: Learned,
    grid: Grid,
}

/// Walks from `S` to `G`, following every path to its end.
fn walk(drawing: &str, expansions: u64) -> Walk {
    let picture = Picture::parse(drawing).unwrap();
    let (start, goal) = (picture.find('S').unwrap(), picture.find('G').unwrap());
    let grid = picture.grid;
    let rtaa = Rtaa { monotone: false, improving: false };
    let (mut search, mut learned, mut steps) =
        (RtaaSearch::default(), Learned::default(), Vec::new());
    let (mut travel, mut f, mut ends) = (Cost::ZERO, Vec::new(), Vec::new());
    let mut first_learned = None;
    let mut here = start;
    while here != goal {
        let (problem, taught) = (StraightLine::to(goal, &grid), (&mut learned, &mut steps));
        let mut lookahead = Budget::expansions(expansions);
        let verdict = rtaa.search(&mut search, &problem, here, taught, &mut lookahead);
        first_learned.get_or_insert_with(|| learned.clone());
        f.push(search.first_f().unwrap().as_f64());
        for &step in &steps {
            assert!(grid.exits(here).contains(step));
            here = grid.beside(here, step);
            travel = travel + step.cost();
        }
        assert_eq!(verdict.is_found(), here == goal);
        ends.push(grid.position(here));
        assert!(f.len() < 1000, "lost");
    }
    Walk {
        travel: travel.as_f64(),
        searches: f.len(),
        f,
        ends,
        learned: first_learned.unwrap(),
        grid,
    }
}

impl Walk {
    fn h(&self, x: u32, y: u32) -> f64 {
        self.learned.get(Place::of(&self.grid, self.grid.at(x, y).unwrap())).unwrap().as_f64()
    }
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-4, "{found} is not {expected}");
}

const DEPRESSION: &str = "
    ########
    #..S#G.#
    #.####.#
    #......#
    ########
";

#[test]
fn o6_three_expansions_cross_the_depression_in_six_searches() {
    let walk = walk(DEPRESSION, 3);
    close(walk.travel, 14.0);
    assert_eq!(walk.searches, 6);
    close(walk.f[0], 7.4142);
    close(walk.f[1], 5.8284);
    close(walk.f[2], 4.8284);
    assert_eq!((walk.ends[0], walk.ends[2]), ((1, 2), (2, 3)));
    close(walk.h(3, 1), 7.4142);
    close(walk.h(2, 1), 6.4142);
}

#[test]
fn o6_five_expansions_cross_the_depression_in_three_searches() {
    let walk = walk(DEPRESSION, 5);
    close(walk.travel, 12.0);
    assert_eq!(walk.searches, 3);
    close(walk.f[0], 8.8284);
    close(walk.h(3, 1), 8.8284);
    close(walk.h(1, 3), 4.8284);
}

#[test]
fn o6b_the_u_trap() {
    let drawing = "
        ............
        ............
        ....######..
        .........#..
        .S.......#.G
        .........#..
        ....######..
        ............
        ............
    ";
    for (expansions, travel, searches) in [(1, 94.1838, 83), (8, 45.7990, 14), (32, 15.6569, 2)] {
        let walk = walk(drawing, expansions);
        close(walk.travel, travel);
        assert_eq!(walk.searches, searches, "with {expansions} expansions");
    }
}

#[test]
fn a_search_that_exhausts_everything_learns_nothing() {
    let grid = Grid::from_ascii("..#.").unwrap();
    let (start, goal) = (grid.at(0, 0).unwrap(), grid.at(3, 0).unwrap());
    let (mut learned, mut steps) = (Learned::default(), Vec::new());
    let verdict = Rtaa { monotone: false, improving: false }.search(
        &mut RtaaSearch::default(),
        &StraightLine::to(goal, &grid),
        start,
        (&mut learned, &mut steps),
        &mut Budget::expansions(32),
    );
    assert_eq!(verdict, Verdict::Nothing);
    assert!(steps.is_empty() && learned.is_empty());
}

/// A problem in which some cells are blocked and estimates are off by up to `noise` units.
struct Noisy<'a> {
    line: StraightLine<'a>,
    draws: &'a [u32],
    noise: i64,
}

impl Problem for Noisy<'_> {
    fn grid(&self) -> &Grid {
        self.line.grid()
    }

    fn is_goal(&self, place: Place) -> bool {
        self.line.is_goal(place)
    }

    fn exits(&self, cell: Cell) -> Directions {
        self.line.exits(cell)
    }

    fn h(&self, place: Place) -> Cost {
        let draw = self.draws[place.cell.index()];
        let noise = (i64::from(draw % 7) - 3) * self.noise;
        self.line.h(place) + Cost::from_units(noise)
    }

    fn is_blocked(&self, place: Place) -> bool {
        self.draws[place.cell.index()] > 90
    }
}

/// What an agent has after a search: its path, the `f` of its end, and all learned values.
type Taught = (Verdict, Vec<Direction>, Option<Cost>, Vec<Option<Cost>>);

proptest! {
    #[test]
    fn a_short_search_does_and_learns_what_a_long_one_does(
        draws in prop::collection::vec(0u32..100, 27 * 24),
        walls in 0u32..50,
        // Estimates that are consistent, and others.
        noise in prop::sample::select(vec![0i64, 3000, 3_000_000]),
        goal in 0usize..27 * 24,
        searches in prop::collection::vec((0usize..27 * 24, 0u64..=124), 1..30),
        four in any::<bool>(),
        rtaa in (any::<bool>(), any::<bool>()).prop_map(|(monotone, improving)| Rtaa { monotone, improving }),
    ) {
        let neighbours = if four { Neighbours::Four } else { Neighbours::Eight };
        let rules = Rules { neighbours, ..Rules::default() };
        let grid = Grid::new(27, 24, rules, |x, y| draws[(y * 27 + x) as usize] >= walls).unwrap();
        let goal = Cell::from_index(goal);
        let [mut short, mut long] = [(); 2].map(|()| (RtaaSearch::default(), Learned::default()));
        for (start, expansions) in searches {
            let problem = Noisy { line: StraightLine::to(goal, &grid), draws: &draws, noise };
            let start = Cell::from_index(start);
            let mut budgets = [(); 2].map(|()| Budget::expansions(expansions));
            let (search, learned) = &mut short;
            let mut steps = Vec::new();
            let verdict = rtaa.search(search, &problem, start, (learned, &mut steps), &mut budgets[0]);
            let short: Taught = (verdict, steps, search.first_f(), values(&grid, learned));
            let (search, learned) = &mut long;
            let mut steps = Vec::new();
            let verdict = rtaa.search_long(search, &problem, start, (learned, &mut steps), &mut budgets[1]);
            let long: Taught = (verdict, steps, search.first_f(), values(&grid, learned));
            prop_assert_eq!(short, long);
            prop_assert_eq!(budgets[0].work(), budgets[1].work());
        }
    }
}

fn values(grid: &Grid, learned: &Learned) -> Vec<Option<Cost>> {
    grid.cells().map(|cell| learned.get(Place::of(grid, cell))).collect()
}
