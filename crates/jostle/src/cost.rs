//! Exact costs of paths that mix cardinal steps (1) and diagonal steps (√2).
//!
//! A cost is a whole number of units, and adds and compares like one. It promises the same order as the real
//! numbers for costs that differ by fewer than 5741 diagonal steps, and to hold the cost of every path
//! on every grid: nothing saturates, wraps or is refused.
//!
//! Units are 64 bits wide, because 32 bits end at 374,000 steps, and a corridor that winds over a map of
//! 1024x1024 is longer than that. Tables with a value for each cell keep 32 bits where they hold estimates
//! only: values are capped there ([`Cost::to_estimate`]), and a lower bound that is capped is still a lower
//! bound. A smaller pair of units (2378 and 3363) would have fitted the longest path of 1024x1024 into 32
//! bits, but not that of a larger map, and would have told fewer near ties apart.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Sub};

/// The cost of a path: a whole number that orders exactly as `a + b·√2` does.
///
/// A cardinal step is 5741 units and a diagonal step 8119. These are the terms of a convergent of
/// √2, and convergents are best approximations: `8119/5741` lies closer to √2 than any fraction with
/// a smaller denominator. So two costs that differ by fewer than 5741 diagonal steps compare as the
/// real numbers do, and are equal only when both counts are. Sums of floats promise neither, and the
/// tie-breaking rules of the papers need exact ties.
///
/// A grid has at most 2^30 cells and a shortest path visits each at most once, so its cost stays
/// below 2^43 units. Costs may be negative, because the learned heuristics of BMAA\* may be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cost(i64);

impl Cost {
    /// No steps.
    pub const ZERO: Self = Self(0);
    /// One step north, east, south or west.
    pub const CARDINAL: Self = Self(5741);
    /// One diagonal step.
    pub const DIAGONAL: Self = Self(8119);
    /// Above the cost of every path, and far enough below the limit of 64 bits that adding costs to it is safe.
    pub const INFINITY: Self = Self(1 << 60);

    /// The cost of `cardinals` cardinal and `diagonals` diagonal steps.
    pub const fn of_steps(cardinals: u32, diagonals: u32) -> Self {
        Self(cardinals as i64 * Self::CARDINAL.0 + diagonals as i64 * Self::DIAGONAL.0)
    }

    /// The cost of the shortest path over open floor with 8 neighbours, for a displacement of `dx` and `dy`.
    pub const fn octile(dx: u32, dy: u32) -> Self {
        let (long, short) = if dx > dy { (dx, dy) } else { (dy, dx) };
        Self(long as i64 * Self::CARDINAL.0 + short as i64 * (Self::DIAGONAL.0 - Self::CARDINAL.0))
    }

    /// The cost of the shortest path over open floor with 4 neighbours, for a displacement of `dx` and `dy`.
    pub const fn manhattan(dx: u32, dy: u32) -> Self {
        Self((dx as i64 + dy as i64) * Self::CARDINAL.0)
    }

    /// The cost in cardinal steps, for display (precise to eight digits).
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / Self::CARDINAL.0 as f64
    }

    pub(crate) const fn from_units(units: i64) -> Self {
        Self(units)
    }

    /// The cost as a whole number of units: 5741 for a cardinal step.
    pub const fn units(self) -> i64 {
        self.0
    }

    /// The units in 32 bits, for tables of estimates. Costs of more than 374,000 cardinal steps are capped:
    /// a lower bound stays a lower bound, and two values that differ by at most a step still do.
    pub(crate) const fn to_estimate(self) -> i32 {
        if self.0 > i32::MAX as i64 {
            i32::MAX
        } else if self.0 < i32::MIN as i64 {
            i32::MIN
        } else {
            self.0 as i32
        }
    }

    /// The cost as a table of estimates would store it: capped at 32 bits.
    pub(crate) const fn capped(self) -> Self {
        Self(self.to_estimate() as i64)
    }
}

impl Add for Cost {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Cost {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Debug for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.4}", self.as_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_order_as_the_real_numbers_do() {
        let mut costs: Vec<(u32, u32)> = Vec::new();
        for cardinals in (0..3000).step_by(37) {
            for diagonals in (0..3000).step_by(41) {
                costs.push((cardinals, diagonals));
            }
        }
        for pair in costs.windows(2).chain(costs.chunks(97)) {
            let [(a, b), .., (c, d)] = pair else { continue };
            // a + b√2 < c + d√2 as whole numbers: compare the squares of both sides of a - c < (d - b)√2.
            let (left, right) = (i64::from(*a) - i64::from(*c), i64::from(*d) - i64::from(*b));
            let sign = |n: i64| n.signum() * n * n;
            let exact = sign(left).cmp(&(2 * sign(right)));
            assert_eq!(Cost::of_steps(*a, *b).cmp(&Cost::of_steps(*c, *d)), exact, "{pair:?}");
        }
    }

    #[test]
    fn near_ties_are_told_apart() {
        // 99 cardinal steps against 70 diagonal ones differ by 0.005, 3363 against 2378 by 0.00015.
        assert!(Cost::of_steps(99, 0) > Cost::of_steps(0, 70));
        assert!(Cost::of_steps(3363, 0) > Cost::of_steps(0, 2378));
        assert!(Cost::of_steps(1393, 0) < Cost::of_steps(0, 985));
    }

    #[test]
    fn octile_and_manhattan_distances() {
        assert_eq!(Cost::octile(4, 2), Cost::of_steps(2, 2));
        assert_eq!(Cost::octile(0, 7), Cost::of_steps(7, 0));
        assert_eq!(Cost::manhattan(4, 2), Cost::of_steps(6, 0));
        assert!((Cost::octile(4, 2).as_f64() - 4.828_427).abs() < 1e-6);
    }

    #[test]
    fn the_longest_path_of_the_largest_grid_fits() {
        let cells = crate::Grid::MAX_SIDE * crate::Grid::MAX_SIDE;
        let longest = Cost::of_steps(0, cells);
        assert_eq!(longest.units(), i64::from(cells) * 8119);
        assert!(longest < Cost::INFINITY && longest + Cost::INFINITY > Cost::INFINITY);
    }

    #[test]
    fn an_estimate_is_capped_at_32_bits() {
        assert_eq!(Cost::of_steps(3, 1).to_estimate(), 3 * 5741 + 8119);
        assert_eq!(Cost::of_steps(400_000, 0).to_estimate(), i32::MAX);
        assert_eq!((Cost::ZERO - Cost::of_steps(400_000, 0)).to_estimate(), i32::MIN);
    }
}
