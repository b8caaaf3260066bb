//! Parts of the floor whose agents can choose at the same time.

use crate::grid::{Cell, Grid};

/// A rectangle of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Area {
    /// The first column and row.
    pub first: (u32, u32),
    /// The last column and row.
    pub last: (u32, u32),
}

impl Area {
    /// The whole floor of every grid.
    pub const EVERYWHERE: Self = Self { first: (0, 0), last: (u32::MAX, u32::MAX) };

    /// Whether a cell lies inside.
    pub fn covers(self, grid: &Grid, cell: Cell) -> bool {
        if self == Self::EVERYWHERE {
            return true;
        }
        let (x, y) = grid.position(cell);
        (self.first.0..=self.last.0).contains(&x) && (self.first.1..=self.last.1).contains(&y)
    }

    /// Whether agents that choose in one of the areas use no cell that agents in the other use. An agent uses its own cell
    /// and those around it.
    pub const fn is_apart(self, other: Self) -> bool {
        const fn is_before(last: u32, first: u32) -> bool {
            last.saturating_add(2) < first
        }
        is_before(self.last.0, other.first.0)
            || is_before(other.last.0, self.first.0)
            || is_before(self.last.1, other.first.1)
            || is_before(other.last.1, self.first.1)
    }
}

/// Some of the agents of a list, who choose in an area.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// The index of the first of them, and the one after the last.
    pub agents: (u32, u32),
    /// Where they choose, and those who have to make room for them.
    pub area: Area,
}

impl Share {
    /// The agents.
    pub fn of(self, order: &[u32]) -> &[u32] {
        &order[self.agents.0 as usize..self.agents.1 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_apart_if_two_cells_are_between_them() {
        let grid = Grid::open(9, 9).unwrap();
        let area = |x, y| Area { first: (x, y), last: (x + 1, y + 1) };
        assert!(area(0, 0).is_apart(area(4, 0)) && area(4, 0).is_apart(area(0, 0)));
        assert!(area(0, 0).is_apart(area(1, 4)) && !area(0, 0).is_apart(area(3, 3)));
        assert!(!Area::EVERYWHERE.is_apart(area(0, 0)));
        let covered = grid.cells().filter(|&cell| area(3, 5).covers(&grid, cell)).count();
        assert_eq!(covered, 4);
    }
}
