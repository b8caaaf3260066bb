//! What a floor allows beside its walls.

/// How many cells neighbour a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Neighbours {
    /// North, east, south and west.
    Four,
    /// The four and the diagonals.
    #[default]
    Eight,
}

/// When a diagonal step may pass between the two cells at its corners.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CornerRule {
    /// If both are floor. The MovingAI rule, and the only one that reproduces the lengths in their
    /// scenario files.
    #[default]
    BothFree,
    /// If at least one is floor.
    OneFree,
    /// Always, even between two walls.
    Ignored,
}

/// Whether two diagonal steps of one tick may cross inside a block of four cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Crossing {
    /// They may cross, as in the papers.
    #[default]
    Allowed,
    /// They may not cross, for games in which the characters would be seen to overlap.
    Forbidden,
}

/// Which steps are legal on a floor, apart from its walls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rules {
    /// How many neighbours a cell has.
    pub neighbours: Neighbours,
    /// When a diagonal step may pass a wall at its corner.
    pub corners: CornerRule,
    /// Whether two diagonal steps may cross.
    pub crossing: Crossing,
}
