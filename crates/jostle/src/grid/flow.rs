//! One-way streets: the flow annotation of FAR, one cell at a time.
//!
//! Rows run alternately west and east, columns north and south, so that agents rarely meet head-on. The
//! annotation of a cell depends only on the walls near it, so it needs no preprocessing: it is worked
//! out when a search first asks for the cell, and kept.
//!
//! It promises that every cell reaches the cells it could reach before. It does not promise short
//! paths: an annotated shortest path is about a quarter longer than a free one.
//!
//! Cost: a constant amount of work for each cell, once. Memory: one byte for each cell.
//!
//! The papers describe the rules in prose. Here are the four rules made exact:
//! - R1: a row with an even number runs west, an odd one east; an even column runs north, an odd one
//!   south. There are no diagonals but those of R3.
//! - R2: corridors and dead ends (at either end of an edge, a cell with at most two neighbours) stay
//!   two-way.
//! - R3: a sink (no exit by R1 and R2) gets its outward diagonals, a source (no entry) gets its inward
//!   diagonals.
//! - R4: a one-way edge becomes two-way where no path nearby leads back. The papers add undirected edges
//!   where sinks and sources are close together; this is that rule, in a form that provably keeps
//!   reachability: every pair of adjacent cells is joined in both directions.

use std::sync::atomic::{AtomicU8, Ordering};

use super::{Cell, CornerRule, Direction, Directions, Exits, Grid};

/// How far from an edge rule R4 looks for a path back, in rows and columns.
const WINDOW: u32 = 2;
/// How far from a cell a wall can affect its annotation: the window around a neighbour, and what R3 reads there.
const REACH: u32 = 7;

/// The annotation worked out so far for one grid.
///
/// Several threads may ask at once: they work out equal answers, so it does not matter which is kept.
#[derive(Debug, Default)]
pub struct Flow {
    /// The exits of each cell as bits; 0 where not worked out yet (or where there are none).
    known: Vec<AtomicU8>,
}

impl Clone for Flow {
    fn clone(&self) -> Self {
        let copy = |known: &AtomicU8| AtomicU8::new(known.load(Ordering::Relaxed));
        Self { known: self.known.iter().map(copy).collect() }
    }
}

impl Flow {
    /// An annotation with nothing worked out yet.
    pub fn of(grid: &Grid) -> Self {
        Self { known: grid.cells().map(|_| AtomicU8::new(0)).collect() }
    }

    /// Forgets the annotations that an edit of this cell may have changed. Call it for every edited cell.
    pub fn forget_near(&mut self, grid: &Grid, cell: Cell) {
        for near in square(grid, cell, REACH) {
            if let Some(known) = self.known.get_mut(near.index()) {
                *known.get_mut() = 0;
            }
        }
    }

    /// The annotated streets of `grid`, which must be the grid that this was made for.
    pub const fn on<'a>(&'a self, grid: &'a Grid) -> FlowExits<'a> {
        FlowExits { grid, flow: self }
    }

    /// Bytes this annotation holds.
    pub fn memory(&self) -> usize {
        self.known.capacity()
    }
}

/// A grid seen through its flow annotation.
#[derive(Clone, Copy, Debug)]
pub struct FlowExits<'a> {
    grid: &'a Grid,
    flow: &'a Flow,
}

impl Exits for FlowExits<'_> {
    fn exits(&self, cell: Cell) -> Directions {
        // A cell that is not on the grid has no exits.
        let Some(known) = self.flow.known.get(cell.index()) else { return Directions::NONE };
        match known.load(Ordering::Relaxed) {
            0 => {
                let exits = annotate(self.grid, cell);
                known.store(exits.bits(), Ordering::Relaxed);
                exits
            }
            bits => Directions::from_bits(bits),
        }
    }
}

/// All rules: the annotated exits of a cell. A wall has no streets: an agent that stands in one, because it
/// was built there, may leave in any direction.
fn annotate(grid: &Grid, cell: Cell) -> Directions {
    if !grid.is_floor(cell) {
        return grid.exits(cell);
    }
    let mut exits = base(grid, cell);
    for direction in grid.exits(cell).cardinals() {
        if !exits.contains(direction) {
            let to = grid.beside(cell, direction);
            if !has_open_block(grid, cell, direction) && !has_detour(grid, cell, to) {
                exits.insert(direction);
            }
        }
    }
    exits
}

/// R1: the directions in which the row and the column of a cell run.
fn row_and_column(grid: &Grid, cell: Cell) -> (Direction, Direction) {
    let (x, y) = grid.position(cell);
    let row = if y % 2 == 0 { Direction::West } else { Direction::East };
    let column = if x % 2 == 0 { Direction::North } else { Direction::South };
    (row, column)
}

/// R1 and R2: whether a cardinal exit of a cell is a street.
fn is_street(grid: &Grid, cell: Cell, direction: Direction) -> bool {
    let (row, column) = row_and_column(grid, cell);
    let is_narrow = |cell| grid.exits(cell).len() <= 2;
    direction == row
        || direction == column
        || is_narrow(cell)
        || is_narrow(grid.beside(cell, direction))
}

/// R1 and R2: the cardinal exits of a cell.
fn streets(grid: &Grid, cell: Cell) -> Directions {
    grid.exits(cell)
        .cardinals()
        .into_iter()
        .filter(|&direction| is_street(grid, cell, direction))
        .collect()
}

/// R1 to R3: the exits of a cell before R4 adds any.
fn base(grid: &Grid, cell: Cell) -> Directions {
    let mut exits = streets(grid, cell);
    let is_sink = exits.is_empty();
    for direction in grid.exits(cell).diagonals() {
        if is_sink || is_source(grid, grid.beside(cell, direction)) || is_gap(grid, cell, direction)
        {
            exits.insert(direction);
        }
    }
    exits
}

/// Whether no street leads into a cell.
fn is_source(grid: &Grid, cell: Cell) -> bool {
    grid.exits(cell).cardinals().into_iter().all(|direction| {
        let from = grid.beside(cell, direction);
        let back = direction.opposite();
        !(grid.exits(from).contains(back) && is_street(grid, from, back))
    })
}

/// Whether a diagonal passes between two walls, which only [`CornerRule::Ignored`] allows. No
/// street leads around it, so it is kept.
fn is_gap(grid: &Grid, cell: Cell, direction: Direction) -> bool {
    let (a, b) = direction.parts();
    grid.rules().corners == CornerRule::Ignored
        && !grid.exits(cell).contains(a)
        && !grid.exits(cell).contains(b)
}

/// Whether R1 leads around a block of four open cells to the neighbour in a direction that has no street.
/// On open floor it does, which saves the search for a detour.
fn has_open_block(grid: &Grid, cell: Cell, direction: Direction) -> bool {
    let (row, column) = row_and_column(grid, cell);
    // Adjacent rows and columns run in opposite directions: aside, along, and back again.
    let aside = if direction == row.opposite() { column } else { row };
    let mut at = cell;
    [aside, direction, aside.opposite()].into_iter().all(|step| {
        let is_open = grid.exits(at).contains(step);
        at = grid.beside(at, step);
        is_open
    })
}

/// Whether R1 to R3 lead from one cell to its neighbour by a path that stays close to both.
fn has_detour(grid: &Grid, from: Cell, to: Cell) -> bool {
    let (to_x, to_y) = grid.position(to);
    let (from_x, from_y) = grid.position(from);
    let is_near = |cell| {
        let (x, y) = grid.position(cell);
        let close = |px: u32, py: u32| x.abs_diff(px) <= WINDOW && y.abs_diff(py) <= WINDOW;
        close(from_x, from_y) || close(to_x, to_y)
    };
    // The window holds 30 cells, so a short list is also the set of cells seen.
    let mut seen = [from; 30];
    let (mut next, mut count) = (0, 1);
    while next < count {
        let cell = seen[next];
        next += 1;
        for direction in base(grid, cell) {
            let near = grid.beside(cell, direction);
            if near == to {
                return true;
            }
            if is_near(near) && !seen[..count].contains(&near) {
                seen[count] = near;
                count += 1;
            }
        }
    }
    false
}

/// The cells within `radius` rows and columns of a cell.
fn square(grid: &Grid, cell: Cell, radius: u32) -> impl Iterator<Item = Cell> {
    let (x, y) = grid.position(cell);
    let columns = x.saturating_sub(radius)..(x + radius + 1).min(grid.width());
    let rows = y.saturating_sub(radius)..y.saturating_add(radius + 1).min(grid.height());
    rows.flat_map(move |y| columns.clone().filter_map(move |x| grid.at(x, y)))
}

#[cfg(test)]
#[path = "flow_test.rs"]
mod tests;
