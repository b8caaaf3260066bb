use super::*;
use crate::grid::Picture;
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
    let (mut search, mut learned, mut path) =
        (RtaaSearch::default(), Learned::default(), Vec::new());
    let (mut travel, mut f, mut ends) = (Cost::ZERO, Vec::new(), Vec::new());
    let mut first_learned = None;
    let mut here = start;
    while here != goal {
        let (problem, taught) = (StraightLine::to(goal, &grid), (&mut learned, &mut path));
        let mut lookahead = Budget::expansions(expansions);
        let verdict = rtaa.search(&mut search, &problem, here, taught, &mut lookahead);
        assert_eq!(verdict.is_found(), path.last() == Some(&goal));
        first_learned.get_or_insert_with(|| learned.clone());
        f.push(search.first_f().unwrap().as_f64());
        for step in path.windows(2) {
            travel = travel + grid.step_between(step[0], step[1]).unwrap().cost();
        }
        here = *path.last().unwrap();
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
    let (mut learned, mut path) = (Learned::default(), Vec::new());
    let verdict = Rtaa { monotone: false, improving: false }.search(
        &mut RtaaSearch::default(),
        &StraightLine::to(goal, &grid),
        start,
        (&mut learned, &mut path),
        &mut Budget::expansions(32),
    );
    assert_eq!(verdict, Verdict::Nothing);
    assert!(path.is_empty() && learned.is_empty());
}
