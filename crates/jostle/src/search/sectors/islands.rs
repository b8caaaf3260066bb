//! Which components of sectors are joined to each other: the connected components of the whole map.
//!
//! Once all exits are known, two cells are known to be apart without any search. An edit only puts the exits of a few
//! sectors in doubt. If they join the same components as before, so does everything else; if not, all components are
//! joined again, with one step for each sector.

use super::graph::{Graph, push_once};
use super::layout::SectorId;
use crate::grid::Grid;
use crate::search::Budget;
use crate::tally::{self, Kind};

/// The components of all sectors, joined through exits: a forest of sets.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    /// How many sectors, in their order, have had their exits found once.
    found: usize,
    /// Sectors whose exits are in doubt since then.
    doubtful: Vec<SectorId>,
    /// How many sectors, in their order, have been joined to those beside them.
    joined: usize,
    /// By component, another one of the same set, or itself if it stands for the set.
    parents: Vec<u32>,
}

/// Room for the components of a sector. Its edge has 124 cells, and no two neighbours on it are in different
/// components, so there are at most 62.
const COMPONENTS: usize = 64;

impl Islands {
    /// Notes that the exits of a sector are in doubt, one of so many sectors.
    pub fn doubt(&mut self, sector: SectorId, sectors: usize) {
        push_once(&mut self.doubtful, sector, 2 * sectors);
    }

    /// Finds the exits that are missing or in doubt, and joins the components.
    ///
    /// # Returns
    /// Whether all is done; if not, the budget was not enough.
    pub fn refresh(&mut self, grid: &Grid, graph: &mut Graph, budget: &mut Budget<'_>) -> bool {
        let layout = *graph.layout();
        while self.found < layout.count() {
            if !graph.find_exits(grid, layout.sector(self.found), budget) {
                return false;
            }
            self.found += 1;
        }
        while let Some(&sector) = self.doubtful.last() {
            if !graph.find_exits(grid, sector, budget) {
                return false;
            }
            self.doubtful.pop();
        }
        if graph.take_relinked() {
            self.joined = 0;
            self.parents.clear();
            tally::note(Kind::Node, layout.count() * COMPONENTS / 4);
            self.parents.extend(0..(layout.count() * COMPONENTS) as u32);
        }
        while self.joined < layout.count() {
            if budget.slice(|| 0) == 0 {
                return false;
            }
            budget.spend(1);
            let sector = layout.sector(self.joined);
            for exit in graph.exits(sector).unwrap_or_default() {
                let beyond = sector.beside(exit.code.side());
                let a = self.root(layout.index(sector), exit.component);
                let b = self.root(layout.index(beyond), exit.beyond);
                self.parents[a.max(b) as usize] = a.min(b);
            }
            self.joined += 1;
        }
        true
    }

    /// Whether two components, each given by the index of its sector and its label, are joined. Only meaningful after
    /// [`refresh`](Self::refresh) is done.
    pub fn are_joined(&mut self, a: (usize, u8), b: (usize, u8)) -> bool {
        self.root(a.0, a.1) == self.root(b.0, b.1)
    }

    /// Whether all is done and nothing has been edited since.
    pub fn is_ready(&self, graph: &Graph) -> bool {
        self.joined == graph.layout().count() && self.doubtful.is_empty()
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.parents.capacity() * size_of::<u32>()
            + self.doubtful.capacity() * size_of::<SectorId>()
    }

    /// The component that stands for the set of a component.
    fn root(&mut self, sector: usize, label: u8) -> u32 {
        let mut at = (sector * COMPONENTS + usize::from(label)) as u32;
        tally::note(Kind::Node, 1);
        while self.parents[at as usize] != at {
            tally::note(Kind::Node, 1);
            // Halving the path keeps later ones short.
            let above = self.parents[self.parents[at as usize] as usize];
            self.parents[at as usize] = above;
            at = above;
        }
        at
    }
}
