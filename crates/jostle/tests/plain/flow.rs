//! The flow annotation as the paper states it: four rules, each applied to every cell by itself, and a hash
//! map for the results. The engine's annotation must agree with it.

use std::collections::{HashMap, HashSet};

use jostle::{Cell, CornerRule, Grid};

#[derive(Default)]
pub struct PlainFlow {
    known: HashMap<Cell, Vec<Cell>>,
}

impl PlainFlow {
    /// The cells to which annotated edges lead, in the order that breaks ties.
    pub fn neighbours(&mut self, grid: &Grid, n: Cell) -> Vec<Cell> {
        if let Some(known) = self.known.get(&n) {
            return known.clone();
        }
        if !grid.is_floor(n) {
            return grid.neighbours(n).collect();
        }
        let base_exits = base(grid, n);
        let is_in = |&m: &Cell| {
            let is_cardinal = !is_diagonal(grid, n, m);
            // R4: where the edge leads in the other direction only, and no path back is near, it is two-way.
            base_exits.contains(&m)
                || (is_cardinal && base(grid, m).contains(&n) && !leads_back(grid, n, m))
        };
        let exits: Vec<Cell> = grid.neighbours(n).filter(is_in).collect();
        self.known.insert(n, exits.clone());
        exits
    }
}

fn is_diagonal(grid: &Grid, a: Cell, b: Cell) -> bool {
    let ((ax, ay), (bx, by)) = (grid.position(a), grid.position(b));
    ax != bx && ay != by
}

fn cardinals(grid: &Grid, n: Cell) -> Vec<Cell> {
    grid.neighbours(n).filter(|&m| !is_diagonal(grid, n, m)).collect()
}

/// R1 and R2.
fn card(grid: &Grid, n: Cell) -> Vec<Cell> {
    let degree = |n: Cell| grid.neighbours(n).count();
    let (x, y) = grid.position(n);
    let is_street = |&m: &Cell| {
        let (mx, my) = grid.position(m);
        let along_row = if y % 2 == 0 { mx + 1 == x } else { mx == x + 1 };
        let along_column = if x % 2 == 0 { my + 1 == y } else { my == y + 1 };
        degree(n) <= 2 || degree(m) <= 2 || (my == y && along_row) || (mx == x && along_column)
    };
    cardinals(grid, n).into_iter().filter(is_street).collect()
}

/// R1 to R3.
fn base(grid: &Grid, n: Cell) -> Vec<Cell> {
    let streets = card(grid, n);
    let is_source = |m: Cell| cardinals(grid, m).into_iter().all(|q| !card(grid, q).contains(&m));
    let is_gap = |m: Cell| {
        let ((x, y), (mx, my)) = (grid.position(n), grid.position(m));
        let is_wall = |x, y| grid.at(x, y).is_none_or(|cell| !grid.is_floor(cell));
        grid.rules().corners == CornerRule::Ignored && is_wall(mx, y) && is_wall(x, my)
    };
    let diagonals = grid.neighbours(n).filter(|&m| is_diagonal(grid, n, m));
    let added: Vec<Cell> =
        diagonals.filter(|&m| streets.is_empty() || is_source(m) || is_gap(m)).collect();
    streets.into_iter().chain(added).collect()
}

/// Whether R1 to R3 lead from `n` to `m` within two cells of either.
fn leads_back(grid: &Grid, n: Cell, m: Cell) -> bool {
    let is_near = |cell: Cell| {
        [n, m].into_iter().any(|centre| {
            let ((x, y), (cx, cy)) = (grid.position(cell), grid.position(centre));
            x.abs_diff(cx) <= 2 && y.abs_diff(cy) <= 2
        })
    };
    let mut seen = HashSet::from([n]);
    let mut frontier = vec![n];
    while let Some(cell) = frontier.pop() {
        for next in base(grid, cell) {
            if next == m {
                return true;
            }
            if is_near(next) && seen.insert(next) {
                frontier.push(next);
            }
        }
    }
    false
}
