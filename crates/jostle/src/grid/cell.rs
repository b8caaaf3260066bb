//! One place on the floor.

use std::fmt;

/// One place on the floor: the index of a cell of its [`Grid`](super::Grid), row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell(pub(super) u32);

impl Cell {
    /// No cell of any grid: stands for "none" in flat arrays.
    pub(crate) const NOWHERE: Self = Self(u32::MAX);

    /// The index into arrays with one element for each cell of the grid.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell with this index, which is below 2³².
    pub(crate) const fn from_index(index: usize) -> Self {
        Self(index as u32)
    }

    /// The cell, unless it is nowhere.
    pub(crate) fn known(self) -> Option<Self> {
        (self != Self::NOWHERE).then_some(self)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NOWHERE { f.write_str("nowhere") } else { write!(f, "cell {}", self.0) }
    }
}
