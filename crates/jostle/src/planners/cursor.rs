//! A path, and the position of an agent on it.

use crate::grid::{Cell, Grid};

/// A path and a position on it. No cell occurs twice on a path.
#[derive(Clone, Debug, Default)]
pub struct PathCursor {
    path: Vec<Cell>,
    /// The index of the cell on which the agent was found last; 0 before the first time.
    position: usize,
}

impl PathCursor {
    /// Forgets the path, and keeps its allocation.
    pub fn clear(&mut self) {
        self.path.clear();
        self.position = 0;
    }

    /// Replaces the path, and starts at its first cell.
    pub fn replace(&mut self, path: &[Cell]) {
        self.clear();
        // Paths are kept for long, so spare capacity would be wasted.
        self.path.reserve_exact(path.len());
        self.path.extend_from_slice(path);
    }

    /// Moves to a cell, and returns the cell after it. If the cell is neither the one on which the agent was found last nor
    /// the next one, nothing changes.
    pub fn advance_to(&mut self, cell: Cell) -> Option<Cell> {
        self.position = self.find(cell)?;
        self.next()
    }

    /// The cell after another one, like [`advance_to`](Self::advance_to), but without moving.
    pub fn after(&self, cell: Cell) -> Option<Cell> {
        self.path.get(self.find(cell)? + 1).copied()
    }

    /// Moves forward by this many cells. The path must be long enough.
    pub fn skip(&mut self, cells: usize) {
        self.position += cells;
    }

    /// Moves back to a cell, if it is the agent's position or before it. Returns whether it is.
    pub fn return_to(&mut self, cell: Cell) -> bool {
        let behind = &self.path[..self.path.len().min(self.position + 1)];
        let found = behind.iter().rposition(|&before| before == cell);
        self.position = found.unwrap_or(self.position);
        found.is_some()
    }

    /// Whether the agent is on this cell of the path.
    pub fn is_at(&self, cell: Cell) -> bool {
        self.path.get(self.position) == Some(&cell)
    }

    /// How many steps the agent is from the start of the path.
    pub const fn position(&self) -> usize {
        self.position
    }

    /// The next cell.
    pub fn next(&self) -> Option<Cell> {
        self.path.get(self.position + 1).copied()
    }

    /// The cell where the agent is, and all cells after it.
    pub fn ahead(&self) -> &[Cell] {
        self.path.get(self.position..).unwrap_or_default()
    }

    /// Whether the grid no longer allows one of the steps ahead.
    pub fn is_cut(&self, grid: &Grid) -> bool {
        self.ahead().windows(2).any(|step| grid.step_between(step[0], step[1]).is_none())
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.path.capacity() * size_of::<Cell>()
    }

    /// The index of a cell on which the agent can be.
    fn find(&self, cell: Cell) -> Option<usize> {
        if self.is_at(cell) {
            return Some(self.position);
        }
        (self.next() == Some(cell)).then_some(self.position + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells<const N: usize>(indices: [usize; N]) -> [Cell; N] {
        indices.map(Cell::from_index)
    }

    fn cursor<const N: usize>(indices: [usize; N]) -> PathCursor {
        let mut cursor = PathCursor::default();
        cursor.replace(&cells(indices));
        cursor
    }

    #[test]
    fn an_agent_advances_cell_by_cell_and_the_last_cell_has_no_next() {
        let [a, b, c] = cells([7, 4, 9]);
        let mut cursor = cursor([7, 4, 9]);
        assert_eq!(cursor.advance_to(a), Some(b));
        assert_eq!(cursor.advance_to(b), Some(c));
        assert_eq!((cursor.position(), cursor.ahead()), (1, &[b, c][..]));
        assert_eq!(cursor.advance_to(c), None);
        assert!(cursor.is_at(c));
    }

    #[test]
    fn an_agent_further_on_is_not_found() {
        let mut cursor = cursor([10, 11, 12, 13]);
        let far = Cell::from_index(12);
        assert_eq!((cursor.after(far), cursor.advance_to(far)), (None, None));
        assert_eq!(cursor.position(), 0);
    }

    #[test]
    fn a_cursor_returns_to_cells_behind_and_not_to_cells_ahead() {
        let mut cursor = cursor([1, 2, 3, 4]);
        cursor.skip(2);
        assert!(!cursor.return_to(Cell::from_index(4)));
        assert_eq!(cursor.position(), 2);
        assert!(cursor.return_to(Cell::from_index(1)));
        assert_eq!(cursor.position(), 0);
    }

    #[test]
    fn a_wall_cuts_a_path_ahead_and_not_behind() {
        let mut grid = Grid::open(4, 1).unwrap();
        let path: Vec<Cell> = grid.cells().collect();
        let mut cursor = PathCursor::default();
        cursor.replace(&path);
        cursor.skip(2);
        grid.set_floor(path[0], false);
        assert!(!cursor.is_cut(&grid));
        grid.set_floor(path[3], false);
        assert!(cursor.is_cut(&grid));
        cursor.clear();
        assert!(!cursor.is_cut(&grid));
        assert_eq!(cursor.next(), None);
    }
}
