//! Cells that are not needed to get from one of their neighbours to another one.

use crate::grid::{Cell, Direction, Directions, Exits, Grid};

/// Whether the neighbours of a cell that were not removed are connected by steps among themselves.
pub fn is_expendable(grid: &Grid, cell: Cell, mut is_removed: impl FnMut(Cell) -> bool) -> bool {
    let mut left = Directions::NONE;
    for direction in grid.exits(cell) {
        if !is_removed(grid.beside(cell, direction)) {
            left.insert(direction);
        }
    }
    let Some(first) = left.into_iter().next() else { return false };
    let mut queue = Directions::NONE;
    queue.insert(first);
    left = left.without(queue);
    while let Some(direction) = queue.into_iter().next() {
        let reached = steps_within(grid, cell, direction, left);
        queue = Directions::from_bits(queue.without(one(direction)).bits() | reached.bits());
        left = left.without(reached);
    }
    left.is_empty()
}

fn one(direction: Direction) -> Directions {
    let mut set = Directions::NONE;
    set.insert(direction);
    set
}

/// Those of some neighbours of a cell that can be reached by a step from one of its neighbours.
fn steps_within(grid: &Grid, cell: Cell, from: Direction, others: Directions) -> Directions {
    let exits = grid.exits(grid.beside(cell, from));
    let (x, y) = from.delta();
    let mut reached = Directions::NONE;
    for other in others {
        let (to_x, to_y) = other.delta();
        let is_step = |step: Direction| exits.contains(step);
        if Direction::of_delta(to_x - x, to_y - y).is_some_and(is_step) {
            reached.insert(other);
        }
    }
    reached
}
