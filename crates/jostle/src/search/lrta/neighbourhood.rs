//! The neighbours of a cell, and what they say about it.

use super::estimates::{Estimates, REMOVED};
use super::{Learning, Lrta};
use crate::grid::{Directions, Grid};
use crate::search::Place;

/// A neighbour that was not removed.
#[derive(Clone, Copy, Debug)]
struct Neighbour {
    place: Place,
    /// The length of the step to it, in units.
    length: i64,
    /// How far its estimate has risen.
    learned: i64,
    /// Its estimate.
    h: i64,
}

impl Neighbour {
    /// The estimate of a path through it.
    const fn f(&self) -> i64 {
        self.length + self.h
    }
}

/// The neighbours of a cell, sorted by `f`; of equals, in the order of the directions.
pub struct Neighbourhood {
    neighbours: [Neighbour; 8],
    len: usize,
}

impl Neighbourhood {
    /// All neighbours that these exits lead to and that were not removed.
    pub fn around(grid: &Grid, here: Place, exits: Directions, estimates: &mut Estimates) -> Self {
        let h = estimates.around(grid, here, exits);
        let nobody = Neighbour { place: here, length: 0, learned: 0, h: 0 };
        let mut near = Self { neighbours: [nobody; 8], len: 0 };
        for direction in exits {
            let (h, place) = (h[direction as usize], here.beside(grid, direction));
            if h == REMOVED {
                continue;
            }
            let learned = h - estimates.straight(place);
            let neighbour = Neighbour { place, length: direction.cost().units(), learned, h };
            let known = &mut near.neighbours[..=near.len];
            let mut at = near.len;
            while at > 0 && known[at - 1].f() > neighbour.f() {
                known[at] = known[at - 1];
                at -= 1;
            }
            known[at] = neighbour;
            near.len += 1;
        }
        near
    }

    fn sorted(&self) -> &[Neighbour] {
        &self.neighbours[..self.len]
    }

    /// Leaves only those about which the least was learned.
    pub fn keep_least_learned(&mut self) {
        let Some(least) = self.sorted().iter().map(|neighbour| neighbour.learned).min() else {
            return;
        };
        let mut kept = 0;
        for at in 0..self.len {
            if self.neighbours[at].learned == least {
                self.neighbours[kept] = self.neighbours[at];
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// The one to step to, and the length of the step.
    pub fn first(&self) -> Option<(Place, i64)> {
        self.sorted().first().map(|neighbour| (neighbour.place, neighbour.length))
    }

    /// What the neighbours say about the cell, in units; not yet multiplied by `w`.
    pub fn learn(&self, lrta: &Lrta) -> f64 {
        let part = &self.sorted()[..part_of(lrta.b, self.len)];
        let mut values = [0.0; 8];
        for (value, neighbour) in values.iter_mut().zip(part) {
            *value = lrta.wc * neighbour.length as f64 + neighbour.h as f64;
        }
        let values = &mut values[..part.len()];
        values.sort_unstable_by(f64::total_cmp);
        let middle = values.len() / 2;
        match lrta.lop {
            Learning::Min => values[0],
            Learning::Max => values[values.len() - 1],
            Learning::Mean => values.iter().sum::<f64>() / values.len() as f64,
            Learning::Median if values.len() % 2 == 1 => values[middle],
            Learning::Median => f64::midpoint(values[middle - 1], values[middle]),
        }
    }
}

/// How many of so many neighbours to learn from.
pub fn part_of(b: f64, neighbours: usize) -> usize {
    // A little more, so that a product that should be whole is not just below.
    ((b * neighbours as f64 + 1e-9) as usize).clamp(1, neighbours)
}
