//! Which sizes a grid can have. Sizes often come from a few characters of input, so they are checked before any
//! memory is taken.

use super::Grid;

/// A rectangle that cannot be a [`Grid`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SizeError {
    /// A side is 0 or too long.
    #[error(
        "a floor of {width}x{height} cells: both sides must be between 1 and {}",
        Grid::MAX_SIDE
    )]
    Sides {
        /// Cells from west to east.
        width: u32,
        /// Cells from north to south.
        height: u32,
    },
    /// A map is to be generated or scaled that would have too many cells.
    #[error(
        "a floor of {width}x{height} cells: a map that is generated or scaled has at most {} of them",
        Grid::MAX_MADE
    )]
    TooManyCells {
        /// Cells from west to east.
        width: u32,
        /// Cells from north to south.
        height: u32,
    },
    /// The system does not give enough memory.
    #[error("a floor of {width}x{height} cells: there is not enough memory for so many")]
    NoMemory {
        /// Cells from west to east.
        width: u32,
        /// Cells from north to south.
        height: u32,
    },
}

impl Grid {
    /// The longest side of a grid. A cell index and the cost of crossing any open floor then fit
    /// into 32 bits.
    pub const MAX_SIDE: u32 = 32_768;

    /// The most cells of a map that is generated or scaled: 8192x8192. The cells of a map file are all in the
    /// file, while a few characters can name any size.
    pub const MAX_MADE: u64 = 1 << 26;

    /// Whether a grid can have these sides.
    ///
    /// # Errors
    /// When a side is 0 or longer than [`Grid::MAX_SIDE`].
    pub fn check_sides(width: u32, height: u32) -> Result<(), SizeError> {
        let sides = 1..=Self::MAX_SIDE;
        let is_possible = sides.contains(&width) && sides.contains(&height);
        if is_possible { Ok(()) } else { Err(SizeError::Sides { width, height }) }
    }

    /// Whether a map of this size can be generated or scaled.
    ///
    /// # Errors
    /// When a side is 0 or longer than [`Grid::MAX_SIDE`], or there are more than [`Grid::MAX_MADE`] cells.
    pub fn check_made(width: u32, height: u32) -> Result<(), SizeError> {
        Self::check_sides(width, height)?;
        let cells = u64::from(width) * u64::from(height);
        if cells <= Self::MAX_MADE {
            Ok(())
        } else {
            Err(SizeError::TooManyCells { width, height })
        }
    }

    /// Whether the system gives so much memory for each cell. It is asked for all of it at once and gets it back, so
    /// that work which takes it piece by piece does not run out of memory midway.
    pub(crate) fn check_memory(width: u32, height: u32, bytes: usize) -> Result<(), SizeError> {
        let cells = width as usize * height as usize;
        let mut room = Vec::<u8>::new();
        let is_there = room.try_reserve_exact(cells.saturating_mul(bytes)).is_ok();
        // Memory that nobody uses need not be asked for, as compilers know.
        std::hint::black_box(&room);
        if is_there { Ok(()) } else { Err(SizeError::NoMemory { width, height }) }
    }
}

/// An empty list with room for one element for each cell.
pub(super) fn room_for_cells<T>(width: u32, height: u32) -> Result<Vec<T>, SizeError> {
    let mut list = Vec::new();
    match list.try_reserve_exact(width as usize * height as usize) {
        Ok(()) => Ok(list),
        Err(_) => Err(SizeError::NoMemory { width, height }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;

    #[test]
    fn a_size_that_only_a_name_claims_is_refused_before_memory_is_taken() {
        let (width, height) = (20_000, 20_000);
        let refused = Err(SizeError::TooManyCells { width, height });
        let small = Grid::open(5, 4).unwrap();
        assert_eq!(small.scaled(width, height).map(|_| ()), refused);
        for level in Level::ALL {
            assert_eq!(level.generate(width, height, 1).map(|_| ()), refused);
        }
        assert_eq!(
            small.scaled(32_768, 32_768).unwrap_err().to_string(),
            "a floor of 32768x32768 cells: a map that is generated or scaled has at most 67108864 of them"
        );
    }

    #[test]
    fn memory_that_no_system_has_is_not_taken() {
        assert_eq!(Grid::check_memory(100, 100, 50), Ok(()));
        let error = Grid::check_memory(32_768, 32_768, 1 << 30).unwrap_err().to_string();
        assert_eq!(error, "a floor of 32768x32768 cells: there is not enough memory for so many");
    }
}
