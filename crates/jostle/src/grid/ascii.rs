//! Floors drawn with letters, for tests, examples and debugging.

use super::{Cell, Grid, Rules, SizeError};

/// Why a drawing is not a floor.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AsciiError {
    /// A row is shorter or longer than the first.
    #[error("row {row} of the drawing has {found} cells, the first row has {expected}")]
    Ragged {
        /// The number of the row, from 0.
        row: usize,
        /// How many cells it has.
        found: usize,
        /// How many cells the first row has.
        expected: usize,
    },
    /// The drawing is empty or too large.
    #[error(transparent)]
    Size(#[from] SizeError),
}

/// A drawn floor, and the positions of its letters.
///
/// `#`, `@` and `T` are walls; everything else is floor, so other letters can mark cells:
///
/// ```
/// use jostle::grid::Picture;
///
/// let picture = Picture::parse("
///     @@@@@
///     @A.a@
///     @@@@@
/// ")?;
/// assert_eq!(picture.find('A'), picture.grid.at(1, 1));
/// # Ok::<(), jostle::grid::AsciiError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    /// The floor.
    pub grid: Grid,
    letters: Vec<char>,
}

impl Picture {
    /// Reads a drawing. Blank lines, and white space at both ends of a row, are ignored.
    ///
    /// # Errors
    /// When the drawing is empty or its rows differ in length.
    pub fn parse(drawing: &str) -> Result<Self, AsciiError> {
        let rows: Vec<Vec<char>> = drawing
            .lines()
            .map(|line| line.trim().chars().collect())
            .filter(|row: &Vec<char>| !row.is_empty())
            .collect();
        let width = rows.first().map_or(0, Vec::len);
        if let Some((row, cells)) = rows.iter().enumerate().find(|(_, cells)| cells.len() != width)
        {
            return Err(AsciiError::Ragged { row, found: cells.len(), expected: width });
        }
        let letters: Vec<char> = rows.concat();
        let is_floor = |x: u32, y: u32| !matches!(rows[y as usize][x as usize], '#' | '@' | 'T');
        let grid = Grid::new(width as u32, rows.len() as u32, Rules::default(), is_floor)?;
        Ok(Self { grid, letters })
    }

    /// The first cell with this letter, row by row.
    pub fn find(&self, letter: char) -> Option<Cell> {
        self.letters.iter().position(|&found| found == letter).map(Cell::from_index)
    }
}

impl Grid {
    /// A floor drawn with letters: `#`, `@` and `T` are walls, everything else is floor. Use
    /// [`Picture`] to find the letters again.
    ///
    /// # Errors
    /// When the drawing is empty or its rows differ in length.
    pub fn from_ascii(drawing: &str) -> Result<Self, AsciiError> {
        Picture::parse(drawing).map(|picture| picture.grid)
    }

    /// Draws the floor: `.` for floor, `#` for walls.
    pub fn to_ascii(&self) -> String {
        let mut drawing = String::with_capacity(self.cells().len() + self.height() as usize);
        for cell in self.cells() {
            drawing.push(if self.is_floor(cell) { '.' } else { '#' });
            if (cell.index() + 1).is_multiple_of(self.width() as usize) {
                drawing.push('\n');
            }
        }
        drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ragged_drawing_is_refused() {
        let error = Grid::from_ascii("...\n..\n").unwrap_err();
        assert_eq!(error.to_string(), "row 1 of the drawing has 2 cells, the first row has 3");
        assert!(matches!(Grid::from_ascii("\n\n"), Err(AsciiError::Size(_))));
    }
}
