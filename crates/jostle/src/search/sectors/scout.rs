//! Routes for many agents at a time.

use super::grains::{cost_of, grains};
use super::layout::SectorId;
use super::lookup::{End, Looked, Lookup};
use super::sight;
use super::wave::Wave;
use super::{Found, Sectors, Verdict};
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
    /// What the last route cost.
    price: u64,
}

/// A route that was looked up in advance, on another thread.
#[derive(Clone, Debug, Default)]
pub struct Scouted {
    /// The ends, and the length of the route if there is one; none if it takes more than a lookup.
    found: Option<(Cell, Cell, Verdict<Cost>)>,
    codes: Vec<u8>,
    price: u64,
}

impl Scouted {
    /// Lets a scout find the route between two cells. Nobody asks for one who sees the goal.
    pub fn find(&mut self, scout: &mut Scout, sectors: &Sectors, grid: &Grid, ends: (Cell, Cell)) {
        if sight::is_clear(grid, Place::of(grid, ends.0), Place::of(grid, ends.1)) {
            self.found = Some((ends.0, ends.1, Verdict::Nothing));
            return;
        }
        let verdict = scout.find(sectors, grid, ends.0, ends.1);
        self.found = (verdict != Verdict::OutOfBudget).then_some((ends.0, ends.1, verdict));
        self.codes.clone_from(&scout.codes);
        self.price = scout.price;
    }

    /// Whether it is known if there is a route.
    pub const fn is_known(&self) -> bool {
        self.found.is_some()
    }

    /// The length of the route between two cells, its exits, and what it cost, if it was found.
    pub(super) fn route(&self, from: Cell, to: Cell) -> Option<(Verdict<Found<'_>>, u64)> {
        let (start, goal, verdict) = self.found?;
        let is_asked = (start, goal) == (from, to);
        is_asked.then(|| (verdict.map(|length| (length, &self.codes[..])), self.price))
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.codes.capacity()
    }
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
        self.price = 0;
        let direct = self.find_direct(grid, start, goal);
        let ends = [
            End { place: start, distances: &self.from_start },
            End { place: goal, distances: &self.to_goal },
        ];
        let limit = direct.unwrap_or(u64::MAX);
        let looked = self.lookup.find(graph, &sectors.hubs, ends, limit);
        self.price += self.lookup.price();
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

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        (self.from_start.capacity() + self.to_goal.capacity()) * size_of::<u16>()
            + self.codes.capacity()
            + self.lookup.memory()
            + self.wave.memory()
    }

    /// The length of the path inside the goal's window, in grains, if the start is there.
    fn find_direct(&mut self, grid: &Grid, start: Place, goal: Place) -> Option<u64> {
        let window = SectorId::of(goal).window();
        if !window.covers(start, 0) {
            return None;
        }
        self.wave.begin(grid, window);
        self.wave.seed(goal);
        self.price += self.wave.run(grid);
        let direct = self.wave.distance(start)?;
        Some(u64::from(grains(direct)))
    }
}
