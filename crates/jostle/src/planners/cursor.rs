//! A path, and where on it an agent is.

use std::ops::Range;

use crate::grid::{Cell, Grid};

/// A path and a position on it. No cell comes twice on a path.
#[derive(Clone, Debug, Default)]
pub struct PathCursor {
    path: Vec<Cell>,
    /// The index of the cell on which the agent was last; 0 if it has not been looked for yet.
    position: usize,
}

/// How much of a path is searched for an agent that is neither where it was last nor one step further. Agents
/// that are only ever stopped need [`Within::OneStep`]; those that others push about need more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Within {
    /// Nothing more.
    OneStep,
    /// So many cells before and after where it was last.
    Cells(usize),
    /// All of it.
    WholePath,
}

impl PathCursor {
    /// Forgets the path, and keeps its room.
    pub fn clear(&mut self) {
        self.path.clear();
        self.position = 0;
    }

    /// Takes on another path, at its beginning.
    pub fn replace(&mut self, path: &[Cell]) {
        self.clear();
        // Paths stay for long, so that room to grow would be wasted.
        self.path.reserve_exact(path.len());
        self.path.extend_from_slice(path);
    }

    /// Goes back to the beginning, and hands out the path for another one to be written in its place.
    pub const fn rewrite(&mut self) -> &mut Vec<Cell> {
        self.position = 0;
        &mut self.path
    }

    /// Moves to a cell, and answers with the one after it. Where the cell is not found, nothing changes.
    pub fn advance_to(&mut self, cell: Cell, within: Within) -> Option<Cell> {
        self.position = self.find(cell, within)?;
        self.next()
    }

    /// The cell after another one, for those who only look.
    pub fn after(&self, cell: Cell, within: Within) -> Option<Cell> {
        self.path.get(self.find(cell, within)? + 1).copied()
    }

    /// Moves on by so many cells, which must be there.
    pub fn skip(&mut self, cells: usize) {
        self.position += cells;
    }

    /// Moves back to a cell, if it is where the agent is or was before. Says whether it is.
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

    /// How many steps from its beginning the agent is.
    pub const fn position(&self) -> usize {
        self.position
    }

    /// The next cell.
    pub fn next(&self) -> Option<Cell> {
        self.path.get(self.position + 1).copied()
    }

    /// Where the agent is, and all cells after that.
    pub fn ahead(&self) -> &[Cell] {
        self.path.get(self.position..).unwrap_or_default()
    }

    /// The indices of the cells before and after where the agent is, so many of each, as far as there are any.
    pub fn window(&self, cells: usize) -> Range<usize> {
        let position = self.position.min(self.path.len());
        position.saturating_sub(cells)..(position + cells + 1).min(self.path.len())
    }

    /// Whether there is no path.
    pub const fn is_empty(&self) -> bool {
        self.path.is_empty()
    }

    /// Whether the floor does not allow one of the steps ahead any more.
    pub fn is_cut(&self, grid: &Grid) -> bool {
        self.ahead().windows(2).any(|step| grid.step_between(step[0], step[1]).is_none())
    }

    /// Bytes this holds beside itself.
    pub fn memory(&self) -> usize {
        self.path.capacity() * size_of::<Cell>()
    }

    /// The index of a cell. One step further on is the rule, elsewhere is rare.
    fn find(&self, cell: Cell, within: Within) -> Option<usize> {
        if self.is_at(cell) {
            return Some(self.position);
        }
        if self.next() == Some(cell) {
            return Some(self.position + 1);
        }
        let searched = match within {
            Within::OneStep => return None,
            Within::Cells(cells) => self.window(cells),
            Within::WholePath => 0..self.path.len(),
        };
        let first = searched.start;
        self.path[searched].iter().position(|&on| on == cell).map(|at| first + at)
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
        assert_eq!(cursor.advance_to(a, Within::OneStep), Some(b));
        assert_eq!(cursor.advance_to(b, Within::OneStep), Some(c));
        assert_eq!((cursor.position(), cursor.ahead()), (1, &[b, c][..]));
        assert_eq!(cursor.advance_to(c, Within::OneStep), None);
        assert!(cursor.is_at(c));
    }

    #[test]
    fn an_agent_is_looked_for_only_as_far_as_one_says() {
        let far = Cell::from_index(15);
        for (within, is_found) in [
            (Within::OneStep, false),
            (Within::Cells(4), false),
            (Within::Cells(5), true),
            (Within::WholePath, true),
        ] {
            let mut cursor = cursor([10, 11, 12, 13, 14, 15, 16]);
            assert_eq!(cursor.after(far, within).is_some(), is_found, "{within:?}");
            assert_eq!(cursor.advance_to(far, within).is_some(), is_found, "{within:?}");
            assert_eq!(cursor.position(), if is_found { 5 } else { 0 }, "{within:?}");
        }
        let mut cursor = cursor([10, 11, 12, 13, 14, 15, 16]);
        cursor.skip(6);
        assert_eq!(cursor.advance_to(Cell::from_index(11), Within::Cells(4)), None);
        assert_eq!(cursor.advance_to(Cell::from_index(12), Within::Cells(4)), Some(cells([13])[0]));
    }

    #[test]
    fn one_returns_to_cells_behind_and_not_to_cells_ahead() {
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
        assert!(cursor.is_empty() && !cursor.is_cut(&grid));
        assert_eq!(cursor.next(), None);
    }
}
