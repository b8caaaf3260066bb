//! The graph of exits: its nodes are the exits of all sectors, its edges lead from exit to exit inside a sector and
//! from an exit to its twin.
//!
//! Nothing is made before it is needed. A sector is labelled when it or one beside it is asked for; its exits are
//! found when it is; and the distances from an exit are measured when a search first enters there. Each of these is
//! one piece of work on at most a sector, which is done if the budget holds enough for it, and kept.
//!
//! After an edit the labels of its sector are outdated, and the exits of that sector and those beside it are in doubt.
//! They are found again when asked for. A sector whose exits turn out to be the same keeps its distances.

use super::approaches::Approaches;
use super::grains::{NO_PATH, short_grains};
use super::labels::{self, Labels, Runs, WALL};
use super::layout::{Layout, SectorId};
use super::nodes::{NodeId, Nodes};
use super::portals::{self, Border, Exit, ExitCode};
use super::traffic::Traffic;
use super::wave::Wave;
use crate::grid::{Direction, Grid, Place};
use crate::search::Budget;
use crate::tally::{self, Kind};

/// All sectors of a map.
#[derive(Clone, Debug)]
pub struct Graph {
    layout: Layout,
    /// The longest portal, in cells.
    split: u8,
    sectors: Vec<Sector>,
    nodes: Nodes,
    approaches: Approaches,
    traffic: Traffic,
    /// Counts the edits, from 1.
    version: u32,
    /// The indices of sectors whose exits are no longer numbered as before, so that their fields are wrong.
    renumbered: Vec<usize>,
    /// The indices of sectors whose exits or distances are no longer those that were measured before.
    altered: Vec<u32>,
    /// Whether sectors may be joined otherwise than before.
    is_relinked: bool,
    /// Sectors in which not all distances may have been measured.
    unmeasured: Vec<SectorId>,
    runs: Runs,
    exits: Vec<Exit>,
}

/// What is known of one sector, besides its nodes.
#[derive(Clone, Debug, Default)]
struct Sector {
    labels: Option<Labels>,
    /// Whether its nodes are those of the map as it is.
    has_exits: bool,
    /// Whether the sector was edited after the distances were measured.
    is_edited: bool,
    /// The version in which the exits or the paths between them last changed; 0 if they have never been known.
    changed: u32,
    /// The version in which its nodes were last given other numbers.
    numbered: u32,
    /// How many components there were when the sector was last labelled.
    components: u8,
    /// How many waves were made from ends of routes, because the approaches were not there.
    waves: u8,
}

impl Graph {
    /// Nothing is known yet of this map. `approaches` is the most bytes for distances between cells and exits.
    pub fn new(grid: &Grid, split: u8, approaches: usize) -> Self {
        let layout = Layout::of(grid);
        Self {
            layout,
            split: split.max(1),
            sectors: vec![Sector::default(); layout.count()],
            nodes: Nodes::new(layout.count()),
            approaches: Approaches::new(layout.count(), approaches),
            traffic: Traffic::default(),
            version: 1,
            renumbered: Vec::new(),
            altered: Vec::new(),
            is_relinked: true,
            unmeasured: Vec::new(),
            runs: Runs::default(),
            exits: Vec::new(),
        }
    }

    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// A number that grows with every edit.
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// The version becomes the last one but so many.
    #[cfg(test)]
    pub fn skip_versions(&mut self, left: u32) {
        self.version = u32::MAX - left;
    }

    /// The exits of all sectors whose exits have been found, as nodes. Some may be in doubt: see
    /// [`exits`](Self::exits).
    pub const fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// The exits of a sector, if they have been found and are not in doubt.
    pub fn exits(&self, sector: SectorId) -> Option<&[Exit]> {
        let index = self.layout.index(sector);
        self.sectors[index].has_exits.then(|| self.nodes.exits(index))
    }

    /// An exit and its index in the sector.
    pub fn exit(&self, sector: SectorId, code: ExitCode) -> Option<(usize, Exit)> {
        let exits = self.exits(sector)?;
        let index = exits.iter().position(|exit| exit.code == code)?;
        tally::note(Kind::Node, index + 1);
        Some((index, exits[index]))
    }

    /// The number of an exit, if it has been found and is not in doubt.
    pub fn node(&self, sector: SectorId, code: ExitCode) -> Option<NodeId> {
        let (index, _) = self.exit(sector, code)?;
        Some(self.nodes.span(self.layout.index(sector)).first + index as NodeId)
    }

    /// How much longer a route counts that leads through an exit, in grains, because of the agents that are expected there.
    pub fn delay(&self, node: NodeId) -> u32 {
        self.traffic.delay(&self.nodes, node)
    }

    /// Expects an agent that was sent through an exit.
    pub fn expect(&mut self, node: NodeId) {
        self.traffic.add(&self.nodes, node);
    }

    /// Lets expected traffic fade.
    pub fn fade(&mut self) {
        self.traffic.fade();
    }

    /// The labels of a sector, if they are known.
    pub fn labels(&self, sector: SectorId) -> Option<&Labels> {
        self.sectors[self.layout.index(sector)].labels.as_ref()
    }

    /// The version in which the exits of a sector or the paths between them last changed.
    pub fn changed(&self, sector: SectorId) -> u32 {
        self.sectors[self.layout.index(sector)].changed
    }

    /// The version in which the nodes of a sector were last given other numbers.
    pub fn numbered(&self, sector: SectorId) -> u32 {
        self.sectors[self.layout.index(sector)].numbered
    }

    /// The place of the middle of an exit.
    pub fn middle(&self, sector: SectorId, exit: Exit) -> Place {
        self.layout.place(sector, exit.middle)
    }

    /// Labels a sector if it is not labelled.
    ///
    /// # Returns
    /// Whether it is labelled; if not, the budget was not enough.
    pub fn label(&mut self, grid: &Grid, sector: SectorId, budget: &mut Budget<'_>) -> bool {
        if self.labels(sector).is_some() {
            return true;
        }
        let area = self.layout.area(sector);
        if !affords(budget, labels::PRICE) {
            return false;
        }
        let labels = Labels::of(grid, area, &mut self.runs);
        budget.spend(labels::PRICE);
        let known = &mut self.sectors[self.layout.index(sector)];
        let is_relinked = known.components != labels.count();
        known.components = labels.count();
        known.labels = Some(labels);
        self.is_relinked |= is_relinked;
        true
    }

    /// Finds the exits of a sector if they are not known.
    ///
    /// # Returns
    /// Whether they are known; if not, the budget was not enough.
    pub fn find_exits(&mut self, grid: &Grid, sector: SectorId, budget: &mut Budget<'_>) -> bool {
        if self.exits(sector).is_some() {
            return true;
        }
        let beside = portals::sides(grid.rules()).iter();
        let beside = beside.filter_map(|&side| self.layout.beside(sector, side));
        let needed = beside.chain([sector]).collect::<Vec<_>>();
        if !needed.into_iter().all(|needed| self.label(grid, needed, budget)) {
            return false;
        }
        let mut exits = std::mem::take(&mut self.exits);
        let (layout, sectors) = (&self.layout, &self.sectors);
        let labels = |of| {
            let labels = sectors[layout.index(of)].labels.as_ref();
            labels.expect("it was labelled above")
        };
        portals::exits(grid, layout, sector, labels, self.split, &mut exits);
        self.replace_exits(sector, &exits);
        self.join_twins(sector);
        self.exits = exits;
        true
    }

    /// Measures the distances from an exit to the others of its sector, unless they are known.
    ///
    /// # Returns
    /// Whether they are known; if not, the budget was not enough.
    #[inline(never)]
    pub fn measure(
        &mut self,
        grid: &Grid,
        wave: &mut Wave,
        node: NodeId,
        budget: &mut Budget<'_>,
    ) -> bool {
        if self.nodes.is_measured(node) {
            return true;
        }
        let sector = self.nodes.middle(node).sector as usize;
        if let Some(labels) = &self.sectors[sector].labels {
            self.approaches.offer(sector, labels, self.nodes.span(sector).count as usize);
        }
        self.run_wave(grid, wave, node, budget)
    }

    /// Changes how many bytes there may be for distances between cells and exits.
    pub const fn set_room(&mut self, approaches: usize) {
        self.approaches.set_room(approaches);
    }

    /// The distances between a place and the exits of its sector, which have been found: in grains, in the order of the
    /// exits, [`NO_PATH`] where no path inside the sector leads there.
    ///
    /// If the approaches of the sector are not complete, one wave measures the distances from this place. From the
    /// moment when completing them would have taken no longer than such waves, they are completed.
    ///
    /// # Returns
    /// Whether the budget was enough.
    pub fn approach(
        &mut self,
        grid: &Grid,
        wave: &mut Wave,
        (place, distances): (Place, &mut Vec<u16>),
        budget: &mut Budget<'_>,
    ) -> bool {
        distances.clear();
        let sector = SectorId::of(place);
        let index = self.layout.index(sector);
        let span = self.nodes.span(index);
        if self.approaches.distances(index, place).is_none() {
            let missing = self.approaches.missing(index).unwrap_or(span.count as usize);
            if usize::from(self.sectors[index].waves) < missing {
                return self.run_wave_from(grid, wave, (place, distances), budget);
            }
            if let Some(labels) = &self.sectors[index].labels {
                self.approaches.claim(index, labels, span.count as usize);
            }
            for (exit, node) in span.nodes().enumerate() {
                if !self.approaches.is_measured(index, exit)
                    && !self.run_wave(grid, wave, node, budget)
                {
                    return false;
                }
            }
            self.sectors[index].waves = 0;
        }
        self.approaches.note_use(index);
        distances.extend(self.approaches.distances(index, place).into_iter().flatten());
        true
    }

    /// Finds the distances between a place and the exits of its sector as [`approach`](Self::approach) does, if that
    /// takes no more than a lookup. Returns whether it does.
    pub fn look_up_approach(&self, place: Place, distances: &mut Vec<u16>) -> bool {
        distances.clear();
        let index = self.layout.index(SectorId::of(place));
        let known = self.approaches.distances(index, place);
        let is_known = known.is_some() || self.nodes.span(index).count == 0;
        distances.extend(known.into_iter().flatten());
        is_known && self.sectors[index].has_exits
    }

    /// Notes that [`look_up_approach`](Self::look_up_approach) was used for a place.
    pub fn note_approach(&mut self, place: Place) {
        self.approaches.note_use(self.layout.index(SectorId::of(place)));
    }

    /// Measures the distances between all exits that have been found.
    ///
    /// # Returns
    /// Whether all is done; if not, the budget was not enough.
    pub fn measure_all(&mut self, grid: &Grid, wave: &mut Wave, budget: &mut Budget<'_>) -> bool {
        while let Some(&sector) = self.unmeasured.last() {
            if !self.find_exits(grid, sector, budget) {
                return false;
            }
            let mut nodes = self.nodes.span(self.layout.index(sector)).nodes();
            if !nodes.all(|node| self.measure(grid, wave, node, budget)) {
                return false;
            }
            self.unmeasured.pop();
        }
        true
    }

    /// Notes that cells were edited, each in one of these sectors. `doubt` is called with every sector whose exits were
    /// known and are in doubt now.
    pub fn edit(&mut self, grid: &Grid, edited: &[SectorId], mut doubt: impl FnMut(SectorId)) {
        self.version = self.version.saturating_add(1);
        for &sector in edited {
            let known = &mut self.sectors[self.layout.index(sector)];
            (known.labels, known.is_edited) = (None, true);
            let beside = portals::sides(grid.rules()).iter();
            let beside = beside.filter_map(|&side| self.layout.beside(sector, side));
            for sector in beside.chain([sector]) {
                let known = &mut self.sectors[self.layout.index(sector)];
                if std::mem::take(&mut known.has_exits) {
                    doubt(sector);
                }
            }
        }
    }

    /// The border of a sector on one side, if the sectors on both sides of it are labelled.
    pub fn border<'a>(
        &'a self,
        grid: &'a Grid,
        sector: SectorId,
        side: Direction,
    ) -> Option<Border<'a>> {
        let (near, far) = (self.labels(sector)?, self.labels(self.layout.beside(sector, side)?)?);
        Some(Border { grid, side, area: self.layout.area(sector), near, far })
    }

    /// Whether there are sectors whose exits are no longer numbered as before.
    pub const fn has_renumbered(&self) -> bool {
        !self.renumbered.is_empty()
    }

    /// Takes out the indices of the sectors whose exits are no longer numbered as before, sorted.
    pub fn take_renumbered(&mut self) -> Vec<usize> {
        let mut renumbered = std::mem::take(&mut self.renumbered);
        renumbered.sort_unstable();
        renumbered
    }

    /// Takes out the indices of the sectors that were known and whose exits or distances have changed.
    pub fn take_altered(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.altered)
    }

    /// Whether sectors may be joined otherwise than when this was last asked.
    pub fn take_relinked(&mut self) -> bool {
        std::mem::take(&mut self.is_relinked)
    }

    /// Nominal bytes: two for each cell, and those of exits and approaches.
    pub const fn held(&self) -> usize {
        2 * self.layout.cells() + self.nodes.held() + self.approaches.held()
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let labels = self.sectors.iter().filter_map(|known| known.labels.as_ref());
        self.sectors.capacity() * size_of::<Sector>()
            + labels.map(Labels::memory).sum::<usize>()
            + self.nodes.memory()
            + self.approaches.memory()
            + self.traffic.memory()
            + self.unmeasured.capacity() * size_of::<SectorId>()
            + self.renumbered.capacity() * size_of::<usize>()
            + self.altered.capacity() * size_of::<u32>()
            + self.exits.capacity() * size_of::<Exit>()
            + self.runs.memory()
    }

    /// Measures the distances from an exit to all cells of its sector. Returns whether the budget was enough.
    fn run_wave(
        &mut self,
        grid: &Grid,
        wave: &mut Wave,
        node: NodeId,
        budget: &mut Budget<'_>,
    ) -> bool {
        let index = self.nodes.middle(node).sector as usize;
        let (layout, sector) = (self.layout, self.layout.sector(index));
        let area = layout.area(sector);
        if !affords(budget, Wave::price(area)) {
            return false;
        }
        let exit = self.nodes.exit(node);
        wave.begin(grid, area);
        wave.seed(layout.place(sector, exit.middle));
        budget.spend(wave.run(grid));
        let far = |cell| wave.distance(layout.place(sector, cell)).map_or(NO_PATH, short_grains);
        let from = node - self.nodes.span(index).first;
        self.approaches.set(index, from as usize, far);
        let middles = self.nodes.exits(index).iter().map(|other| other.middle);
        let row: Vec<u16> = middles.map(far).collect();
        self.nodes.set_row(node, row.into_iter());
        true
    }

    /// Measures the distances from a place to the exits of its sector. Returns whether the budget was enough.
    fn run_wave_from(
        &mut self,
        grid: &Grid,
        wave: &mut Wave,
        (place, distances): (Place, &mut Vec<u16>),
        budget: &mut Budget<'_>,
    ) -> bool {
        let sector = SectorId::of(place);
        let (index, area) = (self.layout.index(sector), self.layout.area(sector));
        if !affords(budget, Wave::price(area)) {
            return false;
        }
        let label = self.labels(sector).map_or(WALL, |labels| labels.at(place));
        let is_reached = |exit: &&Exit| exit.component == label;
        let middle = |exit: &Exit| self.middle(sector, *exit);
        let exits = self.nodes.exits(index);
        wave.begin(grid, area);
        wave.seed(place);
        budget.spend(wave.run(grid));
        distances.extend(exits.iter().map(|exit| {
            let far = Some(exit).filter(is_reached).map(middle);
            far.and_then(|far| wave.distance(far)).map_or(NO_PATH, short_grains)
        }));
        self.sectors[index].waves += 1;
        true
    }

    /// Takes over the exits that were found. Distances stay if nothing has changed for them.
    fn replace_exits(&mut self, sector: SectorId, exits: &[Exit]) {
        let index = self.layout.index(sector);
        let known = &mut self.sectors[index];
        known.has_exits = true;
        let (is_new, is_edited) = (known.changed == 0, std::mem::take(&mut known.is_edited));
        let old = self.nodes.exits(index);
        let is_same = old == exits;
        if is_same && !is_edited && !is_new {
            return;
        }
        (known.changed, known.waves) = (self.version, 0);
        self.approaches.drop_sector(index);
        let most = 2 * self.layout.count();
        push_once(&mut self.unmeasured, sector, most);
        if !is_new {
            push_once(&mut self.altered, index as u32, most);
        }
        if is_same {
            self.nodes.forget_distances(index);
            return;
        }
        known.numbered = self.version;
        let links = |exits: &[Exit]| exits.iter().map(|exit| exit.link()).collect::<Vec<_>>();
        self.is_relinked |= links(old) != links(exits);
        let layout = self.layout;
        self.nodes.replace(index, exits, |exit| layout.place(sector, exit.middle));
        if !is_new {
            push_once(&mut self.renumbered, index, most);
        }
    }

    /// Joins the exits of a sector to their twins, as far as these have been found.
    fn join_twins(&mut self, sector: SectorId) {
        let nodes = self.nodes.span(self.layout.index(sector)).nodes();
        for node in nodes {
            let code = self.nodes.exit(node).code;
            if let Some(twin) = self.node(sector.beside(code.side()), code.twin()) {
                self.nodes.join(node, twin);
            }
        }
    }
}

/// Adds something to a list in which each thing counts once. The list never holds more than `most`, which is at least twice as many
/// as there are different ones: where a game edits the map in every tick, it may not be taken out for long.
pub fn push_once<T: Ord>(list: &mut Vec<T>, one: T, most: usize) {
    if list.len() >= most {
        list.sort_unstable();
        list.dedup();
    }
    list.push(one);
}

/// Whether a budget holds enough for a piece of work that takes at most this many expansions.
pub fn affords(budget: &mut Budget<'_>, expansions: u64) -> bool {
    budget.slice(|| 0) > 0 && budget.remaining() >= expansions
}

#[cfg(test)]
#[path = "graph_test.rs"]
mod tests;
