//! Routes for many agents at a time.

use super::fields::Target;
use super::grains::{cost_of, grains};
use super::layout::SectorId;
use super::lookup::{End, Looked, Lookup};
use super::sight;
use super::wave::Wave;
use super::{Found, Sectors, Verdict};
use crate::Cost;
use crate::grid::{Cell, Grid, Place};
use crate::search::Budget;

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
#[derive(Clone, Debug)]
pub struct Scouted {
    /// The ends.
    ends: (Cell, Cell),
    /// The length of the route if there is one; none if it takes more than a lookup.
    found: Option<Verdict<Cost>>,
    codes: Vec<u8>,
    /// What it has cost to look it up, as long as nobody has paid for it.
    price: u64,
}

/// What it costs to see that no route is needed, or that it takes more than a lookup.
const GLANCE_PRICE: u64 = 4;

impl Default for Scouted {
    fn default() -> Self {
        let ends = (Cell::NOWHERE, Cell::NOWHERE);
        Self { ends, found: None, codes: Vec::new(), price: 0 }
    }
}

impl Scouted {
    /// Asks for the route between two cells; nobody wants one to or from nowhere.
    pub fn ask(&mut self, ends: (Cell, Cell)) {
        (self.ends, self.price) = (ends, 0);
        self.found = (ends.0 == Cell::NOWHERE).then_some(Verdict::Nothing);
        self.codes.clear();
    }

    /// Lets a scout find the route. If the goal is in sight, it has no exits.
    pub fn find(&mut self, scout: &mut Scout, sectors: &Sectors, grid: &Grid) {
        if self.found.is_some() {
            return;
        }
        self.price = GLANCE_PRICE;
        let (from, to) = self.ends;
        if sight::is_clear(grid, Place::of(grid, from), Place::of(grid, to)) {
            self.found = Some(Verdict::Found(grid.distance(from, to)));
            return;
        }
        let verdict = scout.find(sectors, grid, from, to);
        self.found = (verdict != Verdict::OutOfBudget).then_some(verdict);
        self.codes.clone_from(&scout.codes);
        self.price += scout.price;
    }

    /// Searches for the route, if that is not known. Returns whether it is known then; if not, the budget was not enough.
    pub fn search(&mut self, sectors: &mut Sectors, grid: &Grid, budget: &mut Budget<'_>) -> bool {
        if self.found.is_none() {
            let (from, to) = self.ends;
            let question = (Place::of(grid, from), Target::Goal(Place::of(grid, to)));
            match sectors.route(grid, question, budget) {
                Verdict::Found((length, codes)) => {
                    self.found = Some(Verdict::Found(length));
                    self.codes.clear();
                    self.codes.extend_from_slice(codes);
                }
                Verdict::Nothing => self.found = Some(Verdict::Nothing),
                Verdict::OutOfBudget => {}
            }
        }
        self.found.is_some()
    }

    /// What it has cost, if nobody has paid for it yet.
    pub fn take_price(&mut self) -> u64 {
        std::mem::take(&mut self.price)
    }

    /// Whether it is known if there is a route.
    pub const fn is_known(&self) -> bool {
        self.found.is_some()
    }

    /// The length of the route between two cells, and its exits, if it was looked up.
    pub(super) fn route(&self, from: Cell, to: Cell) -> Option<Verdict<Found<'_>>> {
        let verdict = self.found.filter(|_| self.ends == (from, to))?;
        Some(verdict.map(|length| (length, &self.codes[..])))
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
        // What the scout did before must not matter: it depends on the number of threads.
        self.price = 0;
        self.codes.clear();
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
