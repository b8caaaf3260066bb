//! Routes for many agents at a time.

use super::grains::{cost_of, grains};
use super::layout::SectorId;
use super::lookup::{End, Looked, Lookup};
use super::wave::Wave;
use super::{Sectors, Verdict};
use crate::Cost;
use crate::grid::{Cell, Grid, Place};

/// The scratch space that it takes to look up a route. Every thread needs its own.
#[derive(Clone, Debug, Default)]
pub struct Scout {
    wave: Wave,
    lookup: Lookup,
    from_start: Vec<u16>,
    to_goal: Vec<u16>,
    codes: Vec<u8>,
}

impl Scout {
    /// The exits of the route that was found last, a byte each. There are none if the path stays inside the window of the
    /// goal.
    pub fn codes(&self) -> &[u8] {
        &self.codes
    }

    /// Finds the best route between two cells, and its length, if that takes no more than a lookup:
    /// [`Verdict::OutOfBudget`] if not. Because it changes nothing, any number of threads can do this at a time. After an
    /// edit, the route is as good as the tables know: see [`Sectors`].
    pub fn find(&mut self, sectors: &Sectors, grid: &Grid, from: Cell, to: Cell) -> Verdict<Cost> {
        if !grid.is_floor(from) || !grid.is_floor(to) {
            return Verdict::Nothing;
        }
        let (start, goal) = (Place::of(grid, from), Place::of(grid, to));
        let graph = &sectors.graph;
        let is_known = graph.look_up_approach(start, &mut self.from_start)
            && graph.look_up_approach(goal, &mut self.to_goal);
        if !is_known {
            return Verdict::OutOfBudget;
        }
        let direct = self.find_direct(grid, start, goal);
        let ends = [
            End { place: start, distances: &self.from_start },
            End { place: goal, distances: &self.to_goal },
        ];
        let limit = direct.unwrap_or(u64::MAX);
        let looked = self.lookup.find(graph, &sectors.hubs, ends, limit);
        self.codes.clear();
        match looked {
            Looked::Route(length) => {
                self.codes.extend_from_slice(self.lookup.codes());
                Verdict::Found(cost_of(length))
            }
            Looked::Nothing => {
                direct.map_or(Verdict::Nothing, |length| Verdict::Found(cost_of(length)))
            }
            Looked::Unknown => Verdict::OutOfBudget,
        }
    }

    /// The length of the path inside the goal's window, in grains, if the start is there.
    fn find_direct(&mut self, grid: &Grid, start: Place, goal: Place) -> Option<u64> {
        let window = SectorId::of(goal).window();
        if !window.covers(start, 0) {
            return None;
        }
        self.wave.begin(grid, window);
        self.wave.seed(goal);
        self.wave.run(grid);
        let direct = self.wave.distance(start)?;
        Some(u64::from(grains(direct)))
    }
}
