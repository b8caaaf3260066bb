//! Which cells can reach each other.

use super::{Cell, Grid};

/// The connected components of a floor: a path joins two cells if their labels are equal.
#[derive(Clone, Debug)]
pub struct Components {
    labels: Vec<u32>,
    sizes: Vec<u32>,
}

const WALL: u32 = u32::MAX;

impl Components {
    /// Labels every floor cell of a grid, in time that grows with its area.
    pub fn of(grid: &Grid) -> Self {
        Self::among(grid, |_| true)
    }

    /// Labels the floor cells that are open, as if the others were walls. Unlike walls, those others do not
    /// forbid the diagonals beside them.
    pub fn among(grid: &Grid, is_open: impl Fn(Cell) -> bool) -> Self {
        let mut labels = vec![WALL; grid.cells().len()];
        let mut sizes = Vec::new();
        let mut frontier = Vec::new();
        for seed in grid.floor_cells() {
            if labels[seed.index()] != WALL || !is_open(seed) {
                continue;
            }
            let label = sizes.len() as u32;
            let mut size = 0;
            labels[seed.index()] = label;
            frontier.push(seed);
            while let Some(cell) = frontier.pop() {
                size += 1;
                for near in grid.neighbours(cell) {
                    if labels[near.index()] == WALL && is_open(near) {
                        labels[near.index()] = label;
                        frontier.push(near);
                    }
                }
            }
            sizes.push(size);
        }
        Self { labels, sizes }
    }

    /// Bytes allocated on the heap.
    pub fn memory(&self) -> usize {
        (self.labels.capacity() + self.sizes.capacity()) * size_of::<u32>()
    }

    /// The number of components.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The component that a cell belongs to; a wall belongs to none. Components are numbered in the order of
    /// their first cells.
    pub fn label(&self, cell: Cell) -> Option<usize> {
        self.labels.get(cell.index()).filter(|&&label| label != WALL).map(|&label| label as usize)
    }

    /// How many cells a component has; 0 if there is no such component.
    pub fn size(&self, label: usize) -> usize {
        self.sizes.get(label).map_or(0, |&size| size as usize)
    }

    /// The component with the most cells, or the first of those that are equally large; none if there is no
    /// floor.
    pub fn largest(&self) -> Option<usize> {
        (0..self.count()).max_by_key(|&label| (self.sizes[label], std::cmp::Reverse(label)))
    }

    /// Whether a path leads from the cell of an agent to another cell. An agent on a cell that became
    /// a wall can still walk out.
    pub fn reaches(&self, grid: &Grid, from: Cell, to: Cell) -> bool {
        self.connected(from, to)
            || (!grid.is_floor(from) && grid.neighbours(from).any(|near| self.connected(near, to)))
    }

    /// Whether a path leads from one floor cell to another.
    pub fn connected(&self, a: Cell, b: Cell) -> bool {
        self.label(a).is_some() && self.label(a) == self.label(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagonal_between_walls_does_not_connect() {
        let grid = Grid::from_ascii(".#.\n#..\n...").unwrap();
        let components = Components::of(&grid);
        let cell = |x, y| grid.at(x, y).unwrap();
        assert_eq!(components.count(), 2);
        assert!(!components.connected(cell(0, 0), cell(1, 1)));
        assert!(components.connected(cell(2, 0), cell(0, 2)));
        assert!(!components.connected(cell(1, 0), cell(1, 0)), "walls are in no component");
        assert_eq!(components.largest(), Some(1));
        assert_eq!(components.size(1), 6);
    }

    #[test]
    fn a_cell_that_is_not_open_splits_the_floor_and_does_not_forbid_diagonals() {
        let cell = |grid: &Grid, x, y| grid.at(x, y).unwrap();
        let corridor = Grid::from_ascii("...").unwrap();
        let components = Components::among(&corridor, |at| at != cell(&corridor, 1, 0));
        assert!(!components.connected(cell(&corridor, 0, 0), cell(&corridor, 2, 0)));
        assert_eq!(components.label(cell(&corridor, 1, 0)), None);
        let square = Grid::open(2, 2).unwrap();
        let closed = [cell(&square, 0, 0), cell(&square, 1, 1)];
        let components = Components::among(&square, |at| !closed.contains(&at));
        assert!(components.connected(cell(&square, 1, 0), cell(&square, 0, 1)));
    }
}
