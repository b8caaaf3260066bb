//! The order of an open list: `f`, `g` and a number in one word.

use crate::Cost;

/// Orders nodes by the smallest `f`, then by the largest `g`, then by the smallest number, with a single
/// comparison of whole numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Key(u128);

/// The bits for `f` and for `g`: more than the longest path of the largest grid needs.
const COST_BITS: u32 = 48;
const MOST_G: i64 = (1 << COST_BITS) - 1;
const NUMBER_BITS: u32 = 32;

impl Key {
    /// The key of a node. `f` may be negative, `g` may not.
    pub fn new(f: Cost, g: Cost, number: u32) -> Self {
        // Adding half its range makes `f` positive.
        let f = (f.units() + (1 << (COST_BITS - 1))) as u128;
        let g = (MOST_G - g.units()) as u128;
        Self(f << (COST_BITS + NUMBER_BITS) | g << NUMBER_BITS | u128::from(number))
    }

    pub const fn number(self) -> u32 {
        self.0 as u32
    }

    pub const fn g(self) -> Cost {
        Cost::from_units(MOST_G - ((self.0 >> NUMBER_BITS) as i64 & MOST_G))
    }

    /// The key in two words, which need less alignment.
    pub const fn halves(self) -> [u64; 2] {
        [(self.0 >> 64) as u64, self.0 as u64]
    }

    pub fn from_halves([high, low]: [u64; 2]) -> Self {
        Self(u128::from(high) << 64 | u128::from(low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_f_then_the_largest_g_then_the_smallest_number_comes_first() {
        let far = Cost::of_steps(0, 1 << 30);
        let key = |f: i64, g: Cost, number| Key::new(Cost::from_units(f), g, number);
        let ordered = [
            key(-far.units(), Cost::ZERO, u32::MAX),
            key(-1, far, 7),
            key(0, far, 7),
            key(0, far, 8),
            key(0, Cost::CARDINAL, 0),
            key(0, Cost::ZERO, 0),
            key(far.units(), far, 0),
            key(2 * far.units(), far, 0),
        ];
        assert!(ordered.is_sorted_by(|a, b| a < b));
        for key in ordered {
            assert_eq!(Key::from_halves(key.halves()), key);
        }
        assert_eq!((ordered[3].g(), ordered[3].number()), (far, 8));
    }
}
