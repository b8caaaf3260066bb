//! What a grid is, in one number.

use super::{Cell, CornerRule, Crossing, Neighbours, Rules};

/// The size and the floor of a grid in one number: the exclusive or of well-mixed numbers, one for its width and
/// one for each cell of floor. An edit changes it at once, and the same edit changes it back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of a floor, row by row.
    pub fn of(width: u32, floor: &[bool]) -> Self {
        let mut fingerprint = Self(mix(u64::from(width)) ^ mix((floor.len() as u64) << 32));
        for (index, _) in floor.iter().enumerate().filter(|&(_, &is_floor)| is_floor) {
            fingerprint.toggle(Cell::from_index(index));
        }
        fingerprint
    }

    /// Takes account of an edited cell.
    pub const fn toggle(&mut self, cell: Cell) {
        // The numbers of cells must differ from those of sizes and rules.
        self.0 ^= mix(cell.0 as u64 | 1 << 63);
    }

    /// The number, under these rules.
    pub const fn under(self, rules: Rules) -> u64 {
        let Rules { neighbours, corners, crossing } = rules;
        let neighbours = match neighbours {
            Neighbours::Four => 0,
            Neighbours::Eight => 1,
        };
        let corners = match corners {
            CornerRule::BothFree => 0,
            CornerRule::OneFree => 1,
            CornerRule::Ignored => 2,
        };
        let crossing = match crossing {
            Crossing::Allowed => 0,
            Crossing::Forbidden => 1,
        };
        self.0 ^ mix(1 << 62 | neighbours << 3 | corners << 1 | crossing)
    }
}

/// A number in which every bit depends on every bit of another (the mix of `SplitMix64`).
pub(crate) const fn mix(number: u64) -> u64 {
    let mut bits = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::Grid;
    use super::*;

    #[test]
    fn grids_that_differ_in_anything_have_different_fingerprints() {
        let mut seen = HashSet::new();
        for (width, height) in [(1, 12), (12, 1), (3, 4), (4, 3), (3, 3)] {
            for corners in [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Ignored] {
                for neighbours in [Neighbours::Four, Neighbours::Eight] {
                    for crossing in [Crossing::Allowed, Crossing::Forbidden] {
                        let rules = Rules { neighbours, corners, crossing };
                        let grid = Grid::open(width, height).unwrap().with_rules(rules);
                        assert!(seen.insert(grid.fingerprint()));
                        for cell in grid.cells() {
                            let mut grid = grid.clone();
                            grid.set_floor(cell, false);
                            assert!(seen.insert(grid.fingerprint()), "{cell:?}");
                        }
                    }
                }
            }
        }
    }
}
