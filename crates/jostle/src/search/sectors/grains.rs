//! The unit of all distances between exits: a grain, which is a 45th of a step.
//!
//! Distances inside a sector are rounded up to whole grains, so that 16 bits hold them: a path that visits all 1024 cells
//! of a sector diagonally is the longest there could be, and 64,889 grains long. Because they are rounded up, the
//! straight line stays a lower bound, and no two legs are shorter than the one that joins their ends.

use crate::Cost;
use crate::grid::Direction;

/// The units of [`Cost`] in a grain.
const GRAIN: u32 = 128;
const _: () = assert!(1023 * (Cost::DIAGONAL.units() as u32) < NO_PATH as u32 * GRAIN - GRAIN);

/// The distance of what no path inside the sector joins.
pub const NO_PATH: u16 = u16::MAX;

/// A distance in grains, given in units of [`Cost`].
pub const fn grains(units: u32) -> u32 {
    units.div_ceil(GRAIN)
}

/// A distance inside a sector in grains, given in units of [`Cost`].
pub const fn short_grains(units: u32) -> u16 {
    grains(units) as u16
}

/// A step, in grains.
pub const fn step_grains(step: Direction) -> u32 {
    grains(step.cost().units() as u32)
}

/// A lower bound, in grains, of what costs no less than this.
pub const fn grains_below(cost: Cost) -> u64 {
    cost.units() as u64 / GRAIN as u64
}

/// The cost of so many grains.
pub const fn cost_of(grains: u64) -> Cost {
    Cost::from_units((grains * GRAIN as u64) as i64)
}
