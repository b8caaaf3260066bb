//! Hubs: tables of distances that make routes lookups.
//!
//! Every portal knows its distance from the hubs of all regions around it ([`HubTable`]), which [`cuts`](super::cuts) chooses.
//! Take the best route between two sectors, and the smallest region that contains all of it. The route visits both parts
//! of that region, or the region would not be the smallest, so it passes one of its hubs. So the best route is the best
//! of all that go from the start to a hub, and on to the goal; which exits it takes follows from the distances from that
//! hub. This is a labelling by nested dissection of the graph of exits; it finds the same lengths as a search.
//!
//! Tables are made when the graph is complete, in slices. After an edit they are repaired ([`Spread`]). A route is searched for
//! if one of the tables around its ends is not ready, or if the tables of a large map know none.
//!
//! Memory: four bytes for each portal and hub of the regions around it. If the tables know all routes of the map, that grows
//! with the third power of its side, so there is a limit. On larger maps they know only near goals, and then it grows
//! with the area.

use super::cuts::{Cuts, Scope};
use super::graph::{Graph, affords, push_once};
use super::hub_table::{Column, FAR, HubTable, NO_SLOT, Slot};
use super::layout::Layout;
use super::nodes::Span;
use super::spread::{Mesh, Spread};
use crate::search::Budget;

/// The tables of all regions.
#[derive(Clone, Debug)]
pub struct Hubs {
    cuts: Cuts,
    /// By region.
    tables: Vec<Option<HubTable>>,
    /// By region.
    repairs: Vec<Repair>,
    /// No region before this one has anything to be done.
    next: usize,
    /// The version of the map up to which it is known which tables have to be repaired.
    noted: u32,
    /// Which routes the tables know.
    scope: Scope,
    /// The most bytes.
    most: usize,
    room: Room,
    /// The region that is being worked on.
    site: Option<Site>,
    /// By exit, the slot of its portal in that region.
    slots: Vec<Slot>,
    spread: Spread,
    /// The distances of a column that is measured from the beginning.
    fresh: Vec<u32>,
}

/// Whether there is room for the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Room {
    /// The map has not been cut.
    Unknown,
    /// The tables of so many regions fit, and leave so many bytes for the others.
    Counting(usize, usize),
    Enough,
    TooLittle,
}

/// What has to be repaired in a table.
#[derive(Clone, Debug, Default)]
struct Repair {
    /// The indices of sectors that have changed.
    altered: Vec<u32>,
    /// The column with which to go on.
    column: usize,
    /// How many columns have to be visited.
    left: usize,
}

/// A region that is being worked on.
#[derive(Clone, Debug)]
struct Site {
    region: usize,
    /// A table that has not been completed.
    table: Option<HubTable>,
    /// How many sectors have their slots.
    opened: usize,
    /// Whether the present column is in work.
    has_begun: bool,
}

/// The largest map on which tables know all routes: the longest path on it is shorter than [`FAR`].
const MOST_CELLS: usize = FAR as usize / 128;

/// What it costs to look at the exits of a sector: as much time as so many cells of a wave.
const SECTOR_PRICE: u64 = 8;

/// So many distances of a column are forgotten in the time of one cell of a wave.
const FORGOTTEN: u64 = 8;

impl Hubs {
    /// No tables yet. There is room for so many bytes on a small map, and on a large one for as many again for every
    /// `MOST_CELLS`.
    pub fn new(layout: &Layout, most: usize) -> Self {
        let maps = layout.cells().div_ceil(MOST_CELLS);
        let scope = if maps > 1 { Scope::NEAR } else { Scope::Map };
        Self::with_scope(scope, most.saturating_mul(maps))
    }

    /// No tables yet, for these routes and of at most so many bytes.
    pub fn with_scope(scope: Scope, most: usize) -> Self {
        Self {
            cuts: Cuts::default(),
            tables: Vec::new(),
            repairs: Vec::new(),
            next: 0,
            noted: 0,
            scope,
            most,
            room: Room::Unknown,
            site: None,
            slots: Vec::new(),
            spread: Spread::default(),
            fresh: Vec::new(),
        }
    }

    /// Whether there is room for the tables, as far as that is known.
    pub fn can_have_room(&self) -> bool {
        self.room != Room::TooLittle
    }

    /// The regions.
    pub const fn cuts(&self) -> &Cuts {
        &self.cuts
    }

    /// The table of a region, if it is right for the map as it is.
    pub fn table(&self, region: usize) -> Option<&HubTable> {
        self.tables[region].as_ref().filter(|_| self.repairs[region].left == 0)
    }

    /// Whether it is known which tables are right for the map as it is.
    pub fn is_current(&self, graph: &Graph) -> bool {
        self.noted == graph.version() && self.room == Room::Enough
    }

    /// Makes and repairs tables. All distances of the graph must have been measured.
    ///
    /// # Returns
    /// Whether all is done; if not, the budget was not enough.
    pub fn refresh(&mut self, graph: &mut Graph, budget: &mut Budget<'_>) -> bool {
        self.note_altered(graph);
        self.noted = graph.version();
        if !self.count(graph, budget) {
            return false;
        }
        if self.room == Room::TooLittle {
            return true;
        }
        while let Some(region) = (self.next..self.tables.len()).find(|&at| self.has_work(at)) {
            self.next = region;
            if !self.open(graph, region, budget) || !self.visit_columns(graph, region, budget) {
                return false;
            }
            self.repairs[region] = Repair::default();
            self.site = None;
        }
        self.next = self.tables.len();
        true
    }

    /// Nominal bytes of the tables.
    pub fn held(&self) -> usize {
        let unfinished = self.site.iter().filter_map(|site| site.table.as_ref());
        self.tables.iter().flatten().chain(unfinished).map(HubTable::held).sum()
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let altered = self.repairs.iter().map(|repair| repair.altered.capacity());
        let unfinished = self.site.iter().filter_map(|site| site.table.as_ref());
        let numbers = altered.sum::<usize>() + self.slots.capacity() + self.fresh.capacity();
        self.cuts.memory()
            + self.tables.iter().flatten().chain(unfinished).map(HubTable::memory).sum::<usize>()
            + self.tables.capacity() * size_of::<Option<HubTable>>()
            + self.repairs.capacity() * size_of::<Repair>()
            + numbers * size_of::<u32>()
            + self.spread.memory()
    }

    /// Notes which tables have to be repaired because sectors have changed.
    fn note_altered(&mut self, graph: &mut Graph) {
        let altered = graph.take_altered();
        if self.tables.is_empty() {
            return;
        }
        for sector in altered {
            let id = graph.layout().sector(sector as usize);
            for region in self.cuts.around(id, id) {
                // What was interrupted there is no longer true.
                if self.site.as_ref().is_some_and(|site| site.region == region) {
                    leave(&mut self.site, &mut self.tables, &self.repairs);
                }
                let repair = &mut self.repairs[region];
                if self.tables[region].is_some() {
                    push_once(&mut repair.altered, sector, 2 * graph.layout().count());
                    repair.left = 1;
                }
                self.next = self.next.min(region);
            }
        }
    }

    /// Cuts the map.
    fn cut(&mut self, graph: &Graph) {
        self.cuts = Cuts::of(graph.layout(), self.scope, |sector| {
            let span = graph.nodes().span(graph.layout().index(sector));
            let sides = graph.nodes().middles(span).iter().map(|middle| middle.side.delta());
            sides.fold((0, 0), |(east, south), (dx, dy)| {
                (east + u32::from(dx == 1), south + u32::from(dy == 1))
            })
        });
        self.tables = vec![None; self.cuts.count()];
        self.repairs = vec![Repair::default(); self.cuts.count()];
    }

    /// Finds out whether the tables fit. Returns whether the budget was enough.
    fn count(&mut self, graph: &Graph, budget: &mut Budget<'_>) -> bool {
        loop {
            let (regions, left) = match self.room {
                Room::Unknown => {
                    self.cut(graph);
                    self.room = Room::Counting(0, self.most);
                    continue;
                }
                Room::Counting(regions, left) => (regions, left),
                Room::Enough | Room::TooLittle => return true,
            };
            if regions == self.cuts.count() {
                self.room = Room::Enough;
                return true;
            }
            if !affords(budget, SECTOR_PRICE) {
                return false;
            }
            budget.spend(SECTOR_PRICE);
            let held = HubTable::would_hold(graph, self.cuts.region(regions));
            self.room = match (left.checked_sub(held), self.scope.smaller()) {
                (Some(left), _) => Room::Counting(regions + 1, left),
                (None, Some(smaller)) => {
                    self.scope = smaller;
                    Room::Unknown
                }
                (None, None) => Room::TooLittle,
            };
        }
    }

    fn has_work(&self, region: usize) -> bool {
        self.tables[region].is_none() || self.repairs[region].left > 0
    }

    /// Gets a region ready for work: gives slots to its portals. Returns whether the budget was enough.
    fn open(&mut self, graph: &Graph, region: usize, budget: &mut Budget<'_>) -> bool {
        let (about, layout) = (self.cuts.region(region), graph.layout());
        if self.site.as_ref().is_none_or(|site| site.region != region) {
            if !affords(budget, SECTOR_PRICE) {
                return false;
            }
            budget.spend(SECTOR_PRICE);
            leave(&mut self.site, &mut self.tables, &self.repairs);
            let Repair { altered, left, .. } = &mut self.repairs[region];
            let mut altered = altered.iter().map(|&index| layout.sector(index as usize));
            // Without room for what is new, it is made again.
            self.tables[region].take_if(|table| !altered.all(|sector| table.place(graph, sector)));
            // There may be more columns now.
            *left = self.tables[region].as_ref().map_or(1, |table| table.hubs().len().max(1));
            let is_new = self.tables[region].is_none();
            let table = is_new.then(|| HubTable::new(graph, about));
            self.site = Some(Site { region, table, opened: 0, has_begun: false });
            self.slots.resize(graph.nodes().end(), NO_SLOT);
        }
        let Some(site) = &mut self.site else { return false };
        for sector in about.bounds.all().skip(site.opened) {
            if !affords(budget, SECTOR_PRICE) {
                return false;
            }
            budget.spend(SECTOR_PRICE);
            let mut table = site.table.as_mut();
            if let Some(table) = &mut table {
                let fits = table.place(graph, sector);
                debug_assert!(fits, "there is room for all that was counted");
            }
            // A portal stands in the sector to the west or the north, which comes first.
            let Some(table) = table.as_deref().or(self.tables[region].as_ref()) else { break };
            for node in graph.nodes().span(layout.index(sector)).nodes() {
                self.slots[node as usize] = table.slot(graph, node).unwrap_or(NO_SLOT);
            }
            site.opened += 1;
        }
        if let Some(table) = site.table.take() {
            self.repairs[region] = Repair { left: table.hubs().len(), ..Repair::default() };
            self.tables[region] = Some(table);
        }
        true
    }

    /// Measures or repairs the columns of a region, one after the other. Returns whether the budget was enough.
    fn visit_columns(&mut self, graph: &Graph, region: usize, budget: &mut Budget<'_>) -> bool {
        let (repair, slots) = (&mut self.repairs[region], &self.slots[..]);
        let (Some(table), Some(site)) = (&mut self.tables[region], &mut self.site) else {
            return false;
        };
        while repair.left > 0 && !table.hubs().is_empty() {
            repair.column %= table.hubs().len();
            let (column, hub) = (repair.column, table.hubs()[repair.column]);
            if hub != NO_SLOT {
                let is_fresh = table.is_unmeasured(column);
                let (portals, mut distances) = table.split(column);
                if !site.has_begun && is_fresh {
                    self.fresh.clear();
                    self.fresh.resize(portals.len(), FAR);
                    self.spread.measure(&mut Column::alone(&mut self.fresh), hub);
                } else if !site.has_begun {
                    let altered = repair.altered.iter();
                    let spans = altered.map(|&index| graph.nodes().span(index as usize));
                    let doubtful = spans.flat_map(Span::nodes);
                    let doubtful = doubtful.map(|node| slots[node as usize]);
                    self.spread.repair(&distances, doubtful.filter(|&slot| slot != NO_SLOT));
                }
                site.has_begun = true;
                let mesh = Mesh { nodes: graph.nodes(), portals, slots };
                if is_fresh {
                    distances = Column::alone(&mut self.fresh);
                }
                if !self.spread.run(&mesh, &mut distances, budget) {
                    return false;
                }
                site.has_begun = false;
                if is_fresh {
                    table.set_column(column, &self.fresh);
                }
            } else if table.is_unmeasured(column) {
                if !affords(budget, 1) {
                    return false;
                }
                let price = table.clear_column(column) as u64 / FORGOTTEN;
                budget.charge(price);
            }
            repair.column += 1;
            repair.left -= 1;
        }
        true
    }
}

/// Leaves the region that is being worked on. A column in work is no longer what it was, and not yet what it should be.
fn leave(site: &mut Option<Site>, tables: &mut [Option<HubTable>], repairs: &[Repair]) {
    if let Some(Site { region, has_begun: true, .. }) = site.take()
        && let Some(table) = &mut tables[region]
    {
        table.spoil(repairs[region].column);
    }
}

#[cfg(test)]
#[path = "hubs_test.rs"]
mod tests;
