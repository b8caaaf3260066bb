//! The path of an agent of BMAA\*, as steps, and where the agent is on it.

use crate::grid::{Cell, Direction};

/// A path and a position on it. No cell occurs twice on a path.
///
/// Its methods take a function that gives the cell after a step.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    /// Where it begins; `NOWHERE` if there is no path.
    start: Cell,
    steps: Vec<Direction>,
    /// The cell on which the agent was found last.
    here: Cell,
    /// How many steps that cell is from the start.
    position: usize,
}

impl Default for Trail {
    fn default() -> Self {
        Self { start: Cell::NOWHERE, steps: Vec::new(), here: Cell::NOWHERE, position: 0 }
    }
}

impl Trail {
    /// Forgets the path, and keeps its allocation.
    pub fn clear(&mut self) {
        self.rewrite(Cell::NOWHERE).clear();
    }

    /// Begins another path, and hands out the steps so that the caller can overwrite them.
    pub const fn rewrite(&mut self, start: Cell) -> &mut Vec<Direction> {
        (self.start, self.here, self.position) = (start, start, 0);
        &mut self.steps
    }

    /// Moves to a cell, and returns the step after it. If the cell is not on the path, nothing changes.
    pub fn advance_to(
        &mut self,
        cell: Cell,
        beside: impl Fn(Cell, Direction) -> Cell,
    ) -> Option<Direction> {
        if self.here != cell {
            // Usually that is one step further.
            self.position = match self.next() {
                Some(step) if beside(self.here, step) == cell => self.position + 1,
                _ => self.find(cell, beside)?,
            };
            self.here = cell;
        }
        self.next()
    }

    /// The cell after another one.
    pub fn after(&self, cell: Cell, beside: impl Fn(Cell, Direction) -> Cell) -> Option<Cell> {
        let step = *self.steps.get(self.find(cell, &beside)?)?;
        Some(beside(cell, step))
    }

    /// The step after the cell on which the agent was found last.
    pub fn next(&self) -> Option<Direction> {
        self.steps.get(self.position).copied()
    }

    /// Bytes held on the heap.
    pub const fn memory(&self) -> usize {
        self.steps.capacity() * size_of::<Direction>()
    }

    /// How many steps a cell is from the start.
    #[cold]
    fn find(&self, cell: Cell, beside: impl Fn(Cell, Direction) -> Cell) -> Option<usize> {
        let mut on = self.start;
        for (position, &step) in self.steps.iter().enumerate() {
            if on == cell {
                return Some(position);
            }
            on = beside(on, step);
        }
        (on == cell).then_some(self.steps.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;

    /// A trail on a grid of 5x5 cells from `(0, 0)`: east, south-east, south.
    fn trail(grid: &Grid) -> (Trail, [Cell; 4]) {
        let mut trail = Trail::default();
        let cells = [(0, 0), (1, 0), (2, 1), (2, 2)].map(|(x, y)| grid.at(x, y).unwrap());
        let steps = [Direction::East, Direction::SouthEast, Direction::South];
        trail.rewrite(cells[0]).extend(steps);
        (trail, cells)
    }

    #[test]
    fn an_agent_is_found_wherever_it_is_on_the_path() {
        let grid = Grid::open(5, 5).unwrap();
        let beside = |cell, step| grid.beside(cell, step);
        let (_, [a, b, c, d]) = trail(&grid);
        // Step by step, waiting, two steps at once, and back.
        for cells in [[a, b, c, d], [a, a, b, b], [a, c, d, d], [d, b, a, c]] {
            let (mut trail, [a, b, c, d]) = trail(&grid);
            for cell in cells {
                let step = trail.advance_to(cell, beside);
                let next = [(a, Some(b)), (b, Some(c)), (c, Some(d)), (d, None)];
                let next = next.into_iter().find(|&(on, _)| on == cell).unwrap().1;
                assert_eq!(step.map(|step| grid.beside(cell, step)), next);
                assert_eq!((trail.next(), trail.after(cell, beside)), (step, next));
            }
        }
    }

    #[test]
    fn an_agent_beside_the_path_is_not_found() {
        let grid = Grid::open(5, 5).unwrap();
        let beside = |cell, step| grid.beside(cell, step);
        let (mut trail, [a, ..]) = trail(&grid);
        let stray = grid.at(4, 4).unwrap();
        assert_eq!((trail.advance_to(stray, beside), trail.after(stray, beside)), (None, None));
        assert_eq!(trail.advance_to(a, beside), Some(Direction::East));
        trail.clear();
        assert_eq!((trail.advance_to(a, beside), trail.next()), (None, None));
    }
}
