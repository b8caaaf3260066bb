//! A cell and its coordinates.

use super::{Cell, Direction, Grid, Neighbours};
use crate::Cost;

/// A cell with its coordinates, which saves searches the division that computes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The cell.
    pub cell: Cell,
    /// Its column, from the west.
    pub x: i32,
    /// Its row, from the north.
    pub y: i32,
}

impl Place {
    /// The place of a cell of a grid.
    pub const fn of(grid: &Grid, cell: Cell) -> Self {
        let (x, y) = grid.position(cell);
        Self { cell, x: x as i32, y: y as i32 }
    }

    /// The place one step away, through one of the cell's [exits](super::Exits).
    #[must_use]
    pub fn beside(self, grid: &Grid, direction: Direction) -> Self {
        let (dx, dy) = direction.delta();
        let (x, y) = (self.x.wrapping_add(dx), self.y.wrapping_add(dy));
        Self { cell: grid.beside(self.cell, direction), x, y }
    }

    /// The length of the path to another place if every cell were floor.
    pub const fn distance(self, to: Self, neighbours: Neighbours) -> Cost {
        let (dx, dy) = (self.x.abs_diff(to.x), self.y.abs_diff(to.y));
        match neighbours {
            Neighbours::Four => Cost::manhattan(dx, dy),
            Neighbours::Eight => Cost::octile(dx, dy),
        }
    }
}
