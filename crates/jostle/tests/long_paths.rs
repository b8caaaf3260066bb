//! Paths whose cost does not fit into 32 bits: a spiral corridor on a map of 1024x1024.

use jostle::search::{Landmarks, ReverseSearch, Verdict, shortest_path};
use jostle::{Budget, Cell, Cost, Grid, Neighbours, Rules};

const SIDE: u32 = 1024;

/// A spiral corridor with walls of one cell: the map, and the corridor's cells from the outer end to the inner.
fn spiral() -> (Grid, Vec<Cell>) {
    // Every second cell of every second row is visited, in a spiral; the cells between them are part of the
    // corridor.
    let half = SIDE as usize / 2;
    let mut is_visited = vec![vec![false; half]; half];
    let (mut x, mut y, mut ahead) = (0usize, 0usize, 0);
    is_visited[0][0] = true;
    let mut corridor = vec![(0, 0)];
    for _ in 1..half * half {
        let next = loop {
            let (dx, dy) = [(1, 0), (0, 1), (-1, 0), (0, -1)][ahead];
            let next = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            if next.0 < half && next.1 < half && !is_visited[next.1][next.0] {
                break next;
            }
            ahead = (ahead + 1) % 4;
        };
        corridor.push((x + next.0, y + next.1));
        corridor.push((2 * next.0, 2 * next.1));
        is_visited[next.1][next.0] = true;
        (x, y) = next;
    }
    let mut is_corridor = vec![vec![false; SIDE as usize]; SIDE as usize];
    for &(x, y) in &corridor {
        is_corridor[y][x] = true;
    }
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    let is_floor = |x: u32, y: u32| is_corridor[y as usize][x as usize];
    let grid = Grid::new(SIDE, SIDE, rules, is_floor).unwrap();
    let cells = corridor.iter().map(|&(x, y)| grid.at(x as u32, y as u32).unwrap()).collect();
    (grid, cells)
}

#[test]
fn a_path_whose_cost_does_not_fit_into_32_bits_has_its_exact_cost() {
    let (grid, corridor) = spiral();
    let (outer, inner, steps) =
        (corridor[0], corridor[corridor.len() - 1], corridor.len() as u32 - 1);
    assert!(steps > 500_000, "{steps}");
    let expected = Cost::of_steps(steps, 0);
    assert!(expected.units() > i64::from(i32::MAX));

    let (cost, path) = shortest_path(&grid, outer, inner).unwrap();
    assert_eq!(cost, expected);
    assert!(path == corridor);

    let mut reverse = ReverseSearch::default();
    reverse.begin(&grid, outer, inner);
    for (at, &cell) in path.iter().enumerate().step_by(1000) {
        let expected = Cost::of_steps(steps - at as u32, 0);
        let distance = reverse.distance(&grid, cell, &mut Budget::unlimited());
        assert_eq!(distance, Verdict::Found(expected));
    }

    // Landmarks give lower bounds, which are exact as far as 32 bits reach.
    let mut landmarks = Landmarks::default();
    landmarks.begin(&grid, 2);
    landmarks.grow(&grid, 2, &[outer].into_iter(), &mut Budget::unlimited());
    assert_eq!(landmarks.ready(), 2);
    let bound = |a: Cell, b: Cell| landmarks.bound(&landmarks.ask(a, b), a);
    let far = bound(outer, inner);
    assert!(far <= expected && far >= Cost::of_steps(370_000, 0), "{far:?}");
    for at in (0..300_000).step_by(50_000) {
        assert_eq!(bound(outer, path[at]), Cost::of_steps(at as u32, 0));
    }
    assert!(!landmarks.separate(outer, inner));
}
