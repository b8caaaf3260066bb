//! The graph of exits: its nodes are the exits of all sectors, its edges lead from exit to exit inside a sector and
//! from an exit to its twin.
//!
//! Nothing is made before it is needed. A sector is labelled when it or one beside it is asked for; its exits are
//! found when it is; and the distances from an exit are measured when a search first enters there. Each of these is
//! one piece of work on at most a sector, which is done if the budget holds enough for it, and kept.
//!
//! After an edit the labels of its sector are outdated, and the exits of that sector and those beside it are in doubt.
//! They are found again when asked for. A sector whose exits turn out to be the same keeps its distances.

use super::labels::{self, Labels, Runs};
use super::layout::{Layout, SectorId};
use super::portals::{self, Border, Exit, ExitCode};
use super::wave::Wave;
use crate::Cost;
use crate::grid::{Direction, Grid, Place};
use crate::search::Budget;

/// All sectors of a map.
#[derive(Clone, Debug)]
pub struct Graph {
    layout: Layout,
    /// The longest portal, in cells.
    split: u8,
    sectors: Vec<Option<Box<Sector>>>,
    /// Counts the edits, from 1.
    version: u32,
    /// The indices of sectors whose exits are no longer numbered as before, so that their fields are wrong.
    renumbered: Vec<usize>,
    /// Whether sectors may be joined otherwise than before.
    is_relinked: bool,
    /// Sectors in which not all distances may have been measured.
    unmeasured: Vec<SectorId>,
    runs: Runs,
    exits: Vec<Exit>,
}

/// What is known of one sector.
#[derive(Clone, Debug, Default)]
struct Sector {
    labels: Option<Labels>,
    exits: Vec<Exit>,
    /// Whether `exits` are those of the map as it is.
    has_exits: bool,
    /// Whether the sector was edited after the distances were measured.
    is_edited: bool,
    /// The version in which the exits or the paths between them last changed; 0 if they have never been known.
    changed: u32,
    /// How many components there were when the sector was last labelled.
    components: u8,
    /// From exit to exit, in grains, row by row. See [`Graph::grains`].
    distances: Vec<u16>,
}

/// Distances between exits are rounded up to whole grains of so many units: a 45th of a step. A path that visits all
/// 1024 cells of a sector diagonally is the longest there could be, and 64,889 grains long, so 16 bits are enough.
/// Because they are rounded up, the straight line stays a lower bound.
const GRAIN: u32 = 128;
const _: () = assert!(1023 * (Cost::DIAGONAL.units() as u32) < NO_PATH as u32 * GRAIN - GRAIN);

/// No path inside the sector joins two exits.
const NO_PATH: u16 = u16::MAX;
/// The distance of an exit to itself while the others from it have not been measured.
const UNMEASURED: u16 = 1;

impl Graph {
    pub fn new(grid: &Grid, split: u8) -> Self {
        let layout = Layout::of(grid);
        Self {
            layout,
            split: split.max(1),
            sectors: vec![None; layout.count()],
            version: 1,
            renumbered: Vec::new(),
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

    /// The exits of a sector, if they have been found and are not in doubt.
    pub fn exits(&self, sector: SectorId) -> Option<&[Exit]> {
        self.known(sector).filter(|known| known.has_exits).map(|known| &known.exits[..])
    }

    /// An exit and its index in the sector.
    pub fn exit(&self, sector: SectorId, code: ExitCode) -> Option<(usize, Exit)> {
        let exits = self.exits(sector)?;
        let index = exits.iter().position(|exit| exit.code == code)?;
        Some((index, exits[index]))
    }

    /// The labels of a sector, if they are known.
    pub fn labels(&self, sector: SectorId) -> Option<&Labels> {
        self.known(sector).and_then(|known| known.labels.as_ref())
    }

    /// The version in which the exits of a sector or the paths between them last changed.
    pub fn changed(&self, sector: SectorId) -> u32 {
        self.known(sector).map_or(0, |known| known.changed)
    }

    /// The place of the middle of an exit.
    pub fn middle(&self, sector: SectorId, exit: Exit) -> Place {
        self.layout.place(sector, exit.middle)
    }

    /// The distances from an exit to the exits of its sector, `None` where no path inside the sector leads there. They
    /// must have been measured.
    pub fn distances(&self, sector: SectorId, from: usize) -> impl Iterator<Item = Option<Cost>> {
        let known = self.known(sector);
        let count = known.map_or(0, |known| known.exits.len());
        let row = known.map_or(&[][..], |known| &known.distances[from * count..][..count]);
        row.iter().map(|&grains| {
            (grains != NO_PATH).then(|| Cost::from_units(i64::from(grains) * i64::from(GRAIN)))
        })
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
        let known = self.known_mut(sector);
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
            let known = sectors[layout.index(of)].as_deref();
            known.and_then(|known| known.labels.as_ref()).expect("it was labelled above")
        };
        portals::exits(grid, layout, sector, labels, self.split, &mut exits);
        self.replace_exits(sector, &exits);
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
        (sector, from): (SectorId, usize),
        budget: &mut Budget<'_>,
    ) -> bool {
        let (layout, known) = (self.layout, self.known_mut(sector));
        let count = known.exits.len();
        if known.distances[from * count + from] == 0 {
            return true;
        }
        let area = layout.area(sector);
        if !affords(budget, Wave::price(area)) {
            return false;
        }
        let exit = known.exits[from];
        let middle = |exit: &Exit| layout.place(sector, exit.middle);
        wave.begin(grid, area);
        wave.seed(middle(&exit));
        budget.spend(wave.run(grid));
        let row = &mut known.distances[from * count..][..count];
        for (distance, other) in row.iter_mut().zip(&known.exits) {
            *distance = if other.component == exit.component {
                wave.distance(middle(other)).map_or(NO_PATH, Self::grains)
            } else {
                NO_PATH
            };
        }
        true
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
            let exits = self.exits(sector).map_or(0, <[Exit]>::len);
            if !(0..exits).all(|from| self.measure(grid, wave, (sector, from), budget)) {
                return false;
            }
            self.unmeasured.pop();
        }
        true
    }

    /// Notes that cells were edited, each in one of these sectors. `doubt` is called with every sector whose exits were
    /// known and are in doubt now.
    pub fn edit(&mut self, grid: &Grid, edited: &[SectorId], mut doubt: impl FnMut(SectorId)) {
        self.version += 1;
        for &sector in edited {
            if let Some(known) = &mut self.sectors[self.layout.index(sector)] {
                known.labels = None;
                known.is_edited = true;
            }
            let beside = portals::sides(grid.rules()).iter();
            let beside = beside.filter_map(|&side| self.layout.beside(sector, side));
            for sector in beside.chain([sector]) {
                let known = &mut self.sectors[self.layout.index(sector)];
                if known.as_mut().is_some_and(|known| std::mem::take(&mut known.has_exits)) {
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

    /// Whether sectors may be joined otherwise than when this was last asked.
    pub fn take_relinked(&mut self) -> bool {
        std::mem::take(&mut self.is_relinked)
    }

    /// How many exits are known.
    pub fn nodes(&self) -> usize {
        self.sectors.iter().flatten().map(|known| known.exits.len()).sum()
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let one = |known: &Sector| {
            size_of::<Sector>()
                + known.labels.as_ref().map_or(0, Labels::memory)
                + known.exits.capacity() * size_of::<Exit>()
                + known.distances.capacity() * size_of::<u16>()
        };
        self.sectors.capacity() * size_of::<Option<Box<Sector>>>()
            + self.sectors.iter().flatten().map(|known| one(known)).sum::<usize>()
            + self.unmeasured.capacity() * size_of::<SectorId>()
    }

    /// A distance in grains.
    const fn grains(units: u32) -> u16 {
        units.div_ceil(GRAIN) as u16
    }

    /// Takes over the exits that were found. Distances stay if nothing has changed for them.
    fn replace_exits(&mut self, sector: SectorId, exits: &[Exit]) {
        let version = self.version;
        let known = self.known_mut(sector);
        known.has_exits = true;
        let (is_new, is_edited) = (known.changed == 0, std::mem::take(&mut known.is_edited));
        let is_same = known.exits == exits;
        if is_same && !is_edited && !is_new {
            return;
        }
        known.changed = version;
        known.distances.clear();
        known.distances.resize(exits.len() * exits.len(), UNMEASURED);
        known.distances.shrink_to_fit();
        if is_same {
            self.unmeasured.push(sector);
            return;
        }
        let links = |exits: &[Exit]| exits.iter().map(|exit| exit.link()).collect::<Vec<_>>();
        let is_relinked = links(&known.exits) != links(exits);
        known.exits.clear();
        known.exits.extend_from_slice(exits);
        known.exits.shrink_to_fit();
        self.unmeasured.push(sector);
        if !is_new {
            self.renumbered.push(self.layout.index(sector));
        }
        self.is_relinked |= is_relinked;
    }

    fn known(&self, sector: SectorId) -> Option<&Sector> {
        self.sectors[self.layout.index(sector)].as_deref()
    }

    fn known_mut(&mut self, sector: SectorId) -> &mut Sector {
        let index = self.layout.index(sector);
        self.sectors[index].get_or_insert_default()
    }
}

/// Whether a budget holds enough for a piece of work that takes at most this many expansions.
pub fn affords(budget: &mut Budget<'_>, expansions: u64) -> bool {
    budget.slice(|| 0) > 0 && budget.remaining() >= expansions
}

#[cfg(test)]
#[path = "graph_test.rs"]
mod tests;
