//! Exact costs of paths that mix cardinal steps (1) and diagonal steps (√2).

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Sub};

/// The cost of a path: a whole number that orders exactly as `a + b·√2` does.
///
/// A cardinal step is 5741 units and a diagonal step 8119. These are the terms of a convergent of
/// √2, and convergents are best approximations: `8119/5741` lies closer to √2 than any fraction with
/// a smaller denominator. So two costs that differ by fewer than 5741 diagonal steps compare as the
/// real numbers do, and are equal only when both counts are. Sums of floats promise neither, and the
/// tie-breaking rules of the papers stand on ties.
///
/// Values reach 374,000 cardinal steps either way; arithmetic saturates there. They may be negative,
/// because a learned heuristic of BMAA\* may be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cost(i32);

impl Cost {
    /// No steps.
    pub const ZERO: Self = Self(0);
    /// One step north, east, south or west.
    pub const CARDINAL: Self = Self(5741);
    /// One diagonal step.
    pub const DIAGONAL: Self = Self(8119);
    /// Above the cost of every path.
    pub const INFINITY: Self = Self(i32::MAX);

    /// The cost of `cardinals` cardinal and `diagonals` diagonal steps.
    pub const fn of_steps(cardinals: u32, diagonals: u32) -> Self {
        let units =
            cardinals as i64 * Self::CARDINAL.0 as i64 + diagonals as i64 * Self::DIAGONAL.0 as i64;
        Self(if units > i32::MAX as i64 { i32::MAX } else { units as i32 })
    }

    /// The shortest way over open floor with 8 neighbours, for a displacement of `dx` and `dy` on one
    /// grid.
    pub const fn octile(dx: u32, dy: u32) -> Self {
        let (long, short) = if dx > dy { (dx, dy) } else { (dy, dx) };
        // The sides of a grid are short enough for this to fit.
        Self(long as i32 * Self::CARDINAL.0 + short as i32 * (Self::DIAGONAL.0 - Self::CARDINAL.0))
    }

    /// The shortest way over open floor with 4 neighbours, for a displacement of `dx` and `dy`.
    pub const fn manhattan(dx: u32, dy: u32) -> Self {
        Self::of_steps(dx + dy, 0)
    }

    /// The cost in cardinal steps, for people to read (precise to eight digits).
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Self::CARDINAL.0)
    }

    pub(crate) const fn from_units(units: i32) -> Self {
        Self(units)
    }

    /// The whole number of units behind the cost.
    pub const fn units(self) -> i32 {
        self.0
    }
}

impl Add for Cost {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Cost {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
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
    fn arithmetic_saturates() {
        assert_eq!(Cost::INFINITY + Cost::CARDINAL, Cost::INFINITY);
        assert_eq!(Cost::of_steps(u32::MAX, 0), Cost::INFINITY);
    }
}
