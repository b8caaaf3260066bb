//! Sector fields: guidance that all agents share, for very large crowds.
//!
//! The map is cut into sectors of 32x32 cells. Inside a sector, the way to each of its exits is a small field that
//! every agent leaving there shares; between sectors, a route is a short list of exits. An agent that is on its way then
//! needs one lookup a tick, whatever the size of the map and the number of agents.
//!
//! [`Sectors`] holds what is known of a map, a [`Follower`] where an agent is on its route. [`Follower::ask`] says
//! which steps are best from a cell ([`Advice`]).
//!
//! It promises that an agent that follows the best steps, and is not disturbed, arrives if its goal can be reached.
//! Paths are nearly shortest, but that is measured and not promised: on the maps of the BMAA\* paper they are 0.01%
//! longer on average, and no more than 4.3%. It does not know other agents.
//!
//! Nothing is computed before it is needed: the parts of the graph that a route passes, and the fields that agents walk
//! through. All of that comes in pieces of at most [`Sectors::LARGEST_PIECE`] expansions, which are taken from a
//! [`Budget`]. A question for which the budget is not enough is answered with [`Advice::NotYet`]; the pieces that were
//! finished are kept. [`Sectors::build`] completes the graph in advance, and unreachable goals are then known at once.
//! Then it makes tables, with which a route is looked up instead of searched for, and any number of threads can do that
//! at a time ([`Scout`]). On a large map, the tables know only routes to near goals, and rarely there may be a better one.
//!
//! Parameters: [`SectorOptions`].
//!
//! Cost, in expansions, which are meant to take equally long: as long as one cell of a wave. A field takes up to 2304, a
//! sector about 600 for each of its exits, a search for a route 10 for each exit, the tables of a map 8 for each of their
//! rows and columns. A route that is looked up takes about 180 on a map of 512x512, and 650 on a cave of 1690x1690.
//!
//! Memory: 4.6 kB for each field, at most [`SectorOptions::fields`] of them; two bytes for each cell and exit of a sector
//! (14 a cell in caves), at most [`SectorOptions::approaches`]; for the tables of a cave of 1690x1690 33 MB, and of a
//! cave of 5335x5335 340 MB, at most [`SectorOptions::hubs`]; for each sector 1.5 kB and two bytes for each pair of exits. A sector has at most 64 exits
//! (132 with [`CornerRule::Ignored`](crate::CornerRule::Ignored)), so the graph itself never takes more than 12 bytes a
//! cell (37), and about 1.8 on ordinary maps.
//! Lists of what an edit has changed have at most two entries for each sector.
//!
//! After an edit, the sector of the cell is labelled again, its portals and those of the four sectors beside it are
//! compared with what they were, and fields whose windows cover the cell are dropped. Agents whose routes pass a
//! sector that has changed search anew when they next ask. All others keep their routes, also if a wall was removed
//! and there is a shorter one now. [`Sectors::build`] repairs the tables. Until it has, routes are searched for.

mod approaches;
mod chunks;
mod course;
mod cuts;
mod fields;
mod follow;
mod grains;
mod graph;
mod heading;
mod hub_table;
mod hubs;
mod islands;
mod labels;
mod layout;
mod lookup;
mod nodes;
mod portals;
mod questions;
mod queues;
mod rank;
mod region;
mod ring;
mod routes;
mod scout;
mod sight;
mod spread;
mod sweep;
mod terrain;
#[cfg(test)]
mod testing;
mod traffic;
mod walk;
mod wave;

pub use course::{Course, Route};
pub use follow::{Advice, Follower};
pub use heading::Heading;
pub use questions::Guide;
pub use scout::{Scout, Scouted};
pub use walk::{FieldWalk, Remaining};

/// Whether a short path of only a diagonal and a straight part leads from one cell to another.
pub(crate) fn is_in_sight(grid: &Grid, from: Cell, to: Cell) -> bool {
    sight::is_clear(grid, Place::of(grid, from), Place::of(grid, to))
}

use super::{Budget, Verdict};
use crate::Cost;
use crate::grid::{Cell, Direction, Exits, Grid, Place};
use fields::{Fields, Target};
use graph::Graph;
use hubs::Hubs;
use islands::Islands;
use labels::{POCKET, WALL};
use layout::{Layout, SectorId};
use portals::ExitCode;
use routes::RouteSearch;
use wave::Wave;

/// The parameters of [`Sectors`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SectorOptions {
    /// The longest portal, in cells; longer ones are split. Shorter portals mean shorter paths, more exits, and more
    /// work. On the maps of the BMAA\* paper, paths are at most this much longer than the shortest, and on average: with 16
    /// cells 18% and 1.3%, with 8 cells 7% and 0.07%, with 6 cells 4.3% and 0.01%, and there are 1.35 times as many exits
    /// as with 8.
    pub split: u8,
    /// The most fields to keep, of 4.6 kB each. If agents need more at a time, fields are made again and again.
    pub fields: usize,
    /// The most bytes for the distances between cells and the exits of their sectors, which make routes cheap. They take
    /// two bytes for each cell and exit of its sector. If there is no room, distances are measured again and again.
    pub approaches: usize,
    /// The most bytes for the tables that make routes lookups, for every 8.4 million cells of the map or part of them. They take 33 MB on a
    /// cave of 1690x1690, and eight times as many on a map of twice that side. If that is too much, they know only routes to
    /// near goals, and take 12 bytes a cell in caves. If that is too much too, there are none, and routes are searched for.
    pub hubs: usize,
    /// Whether routes avoid portals through which many agents were sent lately. Then they are not always the shortest.
    pub traffic: bool,
}

impl Default for SectorOptions {
    fn default() -> Self {
        Self { split: 6, fields: 16_384, approaches: 40 << 20, hubs: 128 << 20, traffic: false }
    }
}

/// What is known of a map: its sectors, their exits and the distances between them, and the fields that agents follow.
///
/// Nothing is computed before it is needed, all of it in pieces that are taken from a [`Budget`]. All calls must be about
/// the same map, and every edit of it has to be told by [`edit`](Self::edit) before the next call. See [`Follower`] for
/// an example.
#[derive(Clone, Debug)]
pub struct Sectors {
    graph: Graph,
    islands: Islands,
    fields: Fields,
    hubs: Hubs,
    search: RouteSearch,
    wave: Wave,
    /// Whether routes depend on traffic.
    has_traffic: bool,
}

impl Sectors {
    /// The most expansions that one piece of work takes. With smaller budgets than this, nothing is ever finished.
    pub const LARGEST_PIECE: u64 = fields::PRICE + Wave::price(layout::SECTOR);

    /// Nothing is known yet of this map.
    pub fn new(grid: &Grid, options: SectorOptions) -> Self {
        let graph = Graph::new(grid, options.split, options.approaches);
        Self {
            fields: Fields::new(*graph.layout(), most_fields(options.fields, graph.layout(), 0)),
            hubs: Hubs::new(graph.layout(), options.hubs),
            graph,
            islands: Islands::default(),
            search: RouteSearch::default(),
            wave: Wave::default(),
            has_traffic: options.traffic,
        }
    }

    /// Lets expected traffic fade. To be called at regular intervals.
    pub(crate) fn fade(&mut self) {
        self.graph.fade();
    }

    /// Expects an agent on a route from a sector.
    fn expect(&mut self, mut sector: SectorId, codes: &[u8]) {
        for code in codes.iter().filter(|_| self.has_traffic).map(|&code| ExitCode::from_byte(code))
        {
            let Some(node) = self.graph.node(sector, code) else { return };
            self.graph.expect(node);
            sector = sector.beside(code.side());
        }
    }

    /// Changes how many fields and how many bytes of approaches there may be: see [`SectorOptions`]. Agents go to so many goals. Less than there is takes
    /// effect when other memory is needed.
    pub(crate) fn set_room(&mut self, fields: usize, goals: usize, approaches: usize) {
        self.fields.set_most(most_fields(fields, self.graph.layout(), goals));
        self.graph.set_room(approaches);
    }

    /// Makes all in advance that routes need, and repairs it after edits: first the exits of all sectors and which of them
    /// can reach each other, then the distances between them, then the tables in which routes are looked up. Whoever asks
    /// before this is done gets routes that are no longer, but waits longer for them.
    ///
    /// # Returns
    /// Whether all is done; if not, the budget was not enough.
    pub fn build(&mut self, grid: &Grid, budget: &mut Budget<'_>) -> bool {
        self.join(grid, budget)
            && self.graph.measure_all(grid, &mut self.wave, budget)
            && self.hubs.refresh(&mut self.graph, budget)
    }

    /// Whether some routes are lookups now.
    pub(crate) fn has_tables(&self) -> bool {
        self.hubs.is_current(&self.graph)
    }

    /// Whether routes will be lookups once [`build`](Self::build) is done, as far as that is known: the tables may take too
    /// much room. On a large map, only routes to near goals are.
    pub fn can_have_tables(&self) -> bool {
        self.hubs.can_have_room()
    }

    /// Whether so many edits were told, in 4,294,967,295 calls, that they can no longer be counted. More of them pass unnoticed: what
    /// is known has to be made anew, and so have the ways of agents.
    pub const fn is_worn_out(&self) -> bool {
        self.graph.version() == u32::MAX
    }

    /// As many edits as can be told but a few.
    #[cfg(test)]
    pub(crate) fn wear_out(&mut self, left: u32) {
        self.graph.skip_versions(left);
    }

    /// Notes that cells were turned into floor or walls. The map is the one after that.
    pub fn edit(&mut self, grid: &Grid, cells: &[Cell]) {
        let layout = *self.graph.layout();
        let (mut edited, mut covering) = (Vec::new(), Vec::new());
        for &cell in cells.iter().filter(|&&cell| grid.contains(cell)) {
            let place = Place::of(grid, cell);
            edited.push(layout.index(SectorId::of(place)));
            covering.extend(layout.windows_over(place).map(|sector| layout.index(sector)));
        }
        for sectors in [&mut edited, &mut covering] {
            sectors.sort_unstable();
            sectors.dedup();
        }
        let sectors: Vec<SectorId> = edited.iter().map(|&index| layout.sector(index)).collect();
        self.graph.edit(grid, &sectors, |sector| self.islands.doubt(sector, layout.count()));
        self.fields.drop_all_of(&covering);
    }

    /// Whether a path leads from one cell to another, if that is known without a search: once [`build`](Self::build) has
    /// found all exits. An agent on a cell that became a wall can still walk out.
    pub fn reaches(&mut self, grid: &Grid, from: Cell, to: Cell) -> Option<bool> {
        self.reaches_for(grid, (from, to), &mut Budget::unlimited())
    }

    /// The same. In a part of the floor that touches no edge of its sector, it takes a wave, which a budget pays for.
    fn reaches_for(
        &mut self,
        grid: &Grid,
        (from, to): (Cell, Cell),
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        if !self.islands.is_ready(&self.graph) {
            return None;
        }
        if !grid.is_floor(to) || !grid.contains(from) {
            return Some(false);
        }
        if grid.is_floor(from) {
            return Some(self.are_connected(grid, from, to, budget));
        }
        let mut near = grid.exits(from).into_iter().map(|direction| grid.beside(from, direction));
        Some(near.any(|near| self.are_connected(grid, near, to, budget)))
    }

    /// The length of the best known route between two cells through the middles of portals: a good estimate of the length of
    /// the path, and never less than it. If this is out of budget, asking the same again continues it.
    pub fn distance(
        &mut self,
        grid: &Grid,
        from: Cell,
        to: Cell,
        budget: &mut Budget<'_>,
    ) -> Verdict<Cost> {
        if self.reaches_for(grid, (from, to), budget) == Some(false)
            || !grid.is_floor(from)
            || !grid.is_floor(to)
        {
            return Verdict::Nothing;
        }
        let question = (Place::of(grid, from), Target::Goal(Place::of(grid, to)));
        self.route(grid, question, budget).map(|(length, _)| length)
    }

    /// The cells on a side of a sector.
    pub const SIDE: u32 = layout::SIDE as u32;

    /// The exits that are known, each by the cell from which its middle is left and the step from there: to be shown.
    pub fn exits(&self) -> impl Iterator<Item = (Cell, Direction)> {
        let layout = self.graph.layout();
        (0..layout.count()).map(|index| layout.sector(index)).flat_map(move |sector| {
            let exits = self.graph.exits(sector).unwrap_or_default().iter();
            exits.map(move |&exit| (self.graph.middle(sector, exit).cell, exit.step))
        })
    }

    /// How many exits are known.
    pub fn nodes(&self) -> usize {
        self.graph.nodes().count()
    }

    /// How many fields there are.
    pub fn fields(&self) -> usize {
        self.fields.count()
    }

    /// How much it holds, counted by entries in nominal bytes: what it takes to copy it.
    pub(crate) fn held(&self) -> usize {
        self.graph.held() + self.hubs.held() + self.fields.held()
    }

    /// Bytes on the heap, of the graph and of the fields.
    pub fn memory(&self) -> (usize, usize) {
        let graph = self.graph.memory() + self.islands.memory() + self.hubs.memory();
        let rest = self.search.memory() + self.wave.memory();
        (graph + rest, self.fields.memory())
    }

    /// Finds out which exits can reach each other. Returns whether the budget was enough.
    fn join(&mut self, grid: &Grid, budget: &mut Budget<'_>) -> bool {
        self.islands.refresh(grid, &mut self.graph, budget)
    }

    /// Whether a path joins two floor cells, if all exits are known.
    fn are_connected(&mut self, grid: &Grid, a: Cell, b: Cell, budget: &mut Budget<'_>) -> bool {
        let (a, b) = (Place::of(grid, a), Place::of(grid, b));
        let node = |place: Place| {
            let sector = SectorId::of(place);
            let label = self.graph.labels(sector).map_or(WALL, |labels| labels.at(place));
            (self.graph.layout().index(sector), label)
        };
        let (from, to) = (node(a), node(b));
        if from.1 != POCKET && to.1 != POCKET {
            return self.islands.are_joined(from, to);
        }
        if from != to {
            return false;
        }
        // Two pockets of one sector look alike.
        self.wave.begin(grid, self.graph.layout().area(SectorId::of(a)));
        self.wave.seed(a);
        budget.charge(self.wave.run(grid));
        self.wave.distance(b).is_some()
    }

    /// The directions to a target from a place in its window. Its field is made if there is none.
    ///
    /// # Returns
    /// The directions and the slot of the field, or nothing if the target cannot be reached inside the window.
    fn heading(
        &mut self,
        grid: &Grid,
        (target, place): (Target, Place),
        hint: u32,
        budget: &mut Budget<'_>,
    ) -> Verdict<(Heading, u32)> {
        if self.graph.has_renumbered() {
            self.fields.drop_all_of(&self.graph.take_renumbered());
        }
        let (graph, wave) = (&self.graph, &mut self.wave);
        let found = self.fields.find(target, hint);
        let made = found.or_else(|| self.fields.make(grid, graph, wave, target, budget));
        let Some(slot) = made else { return Verdict::OutOfBudget };
        let heading = self.fields.heading(slot, target, place);
        if heading.is_known() { Verdict::Found((heading, slot)) } else { Verdict::Nothing }
    }

    /// By how much the path along a field is longer than another one, of this length to a place from which it goes on along
    /// the same field, in units of [`Cost`].
    fn excess(
        &self,
        grid: &Grid,
        (slot, target): (u32, Target),
        place: Place,
        other: Option<(u32, Place)>,
    ) -> u32 {
        let Some((length, middle)) = other else { return 0 };
        let path = |place| self.fields.path(grid, slot, target, place).map(|(length, _)| length);
        // From there the target may be out of reach inside the window.
        match (path(place), path(middle)) {
            (Some(direct), Some(rest)) => direct.saturating_sub(length + rest),
            (Some(_), None) => 0,
            (None, _) => u32::MAX,
        }
    }

    /// Whether a budget is enough for every route that was [looked up in advance](Scouted).
    pub(crate) fn affords_lookup(budget: &mut Budget<'_>) -> bool {
        let window = SectorId { column: 0, row: 0 }.window();
        graph::affords(budget, Wave::price(window) + routes::LOOKUP_PRICE)
    }

    /// Takes a route between two places that was looked up in advance, if it was.
    fn take_scouted<'a>(
        &mut self,
        scouted: &'a Scouted,
        ends: [Place; 2],
        budget: &mut Budget<'_>,
    ) -> Option<Verdict<Found<'a>>> {
        let verdict = scouted.route(ends[0].cell, ends[1].cell)?;
        for place in ends {
            self.graph.note_approach(place);
        }
        budget.count_search();
        Some(verdict)
    }

    /// Searches for the exits to a target: the length of the way through their middles, and their codes, a byte each.
    fn route(
        &mut self,
        grid: &Grid,
        question: (Place, Target),
        budget: &mut Budget<'_>,
    ) -> Verdict<Found<'_>> {
        let verdict =
            self.search.find(grid, (&mut self.graph, &self.hubs), &mut self.wave, question, budget);
        verdict.map(|()| (self.search.length(), self.search.codes()))
    }
}

/// A route: its length, and the codes of its exits, a byte each.
type Found<'a> = (Cost, &'a [u8]);

/// How many fields there may be on a map. A small one does not need the room for all of them: a sector has a dozen exits, and
/// every agent may go to a goal of its own.
fn most_fields(wanted: usize, layout: &Layout, goals: usize) -> usize {
    wanted.min(32 * layout.count() + 256 + goals)
}

#[cfg(test)]
#[path = "sectors_test.rs"]
mod tests;
