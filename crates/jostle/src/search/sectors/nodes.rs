//! The nodes of the graph of exits in flat arrays: all that a search touches for every edge.
//!
//! The exits of a sector have consecutive numbers, and so have the rows of its matrix of distances. A sector whose exits
//! have changed gets other numbers; the old ones go to the next sector with as many exits.

use super::grains::step_grains;
use super::layout::{SIDE, SectorId};
use super::portals::Exit;
use crate::grid::{Direction, Place};
use crate::tally::{self, Kind};

/// The number of an exit among those of all sectors.
pub type NodeId = u32;

/// No exit.
pub const NO_NODE: NodeId = NodeId::MAX;

/// The distance of an exit to itself while the others from it have not been measured.
const UNMEASURED: u16 = 1;

/// Where the exits of a sector are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// The number of the first of them.
    pub first: NodeId,
    /// How many there are.
    pub count: u32,
    /// Where their matrix begins.
    matrix: usize,
}

impl Span {
    /// The numbers of the exits.
    pub const fn nodes(self) -> std::ops::Range<NodeId> {
        self.first..self.first + self.count
    }
}

/// All exits that have been found.
#[derive(Clone, Debug)]
pub struct Nodes {
    /// By sector.
    spans: Vec<Span>,
    exits: Vec<Exit>,
    /// By exit, the other side of its portal, or `NO_NODE` as long as that has not been found.
    twins: Vec<NodeId>,
    /// By exit, where its middle is.
    middles: Vec<Middle>,
    /// From exit to exit, in grains, row by row, sector by sector.
    distances: Vec<u16>,
    /// By how many exits they have, the spans that belong to no sector.
    free: Vec<Vec<Span>>,
}

/// Where the middle of an exit is.
#[derive(Clone, Copy, Debug)]
pub struct Middle {
    pub x: u16,
    pub y: u16,
    /// The index of its sector.
    pub sector: u32,
    /// How long its crossing is, in grains.
    pub step: u8,
    /// The side of its sector on which it is.
    pub side: Direction,
    /// Which its portal is among those that stand in the same sector, or `NO_RANK` as long as that is not known. A portal
    /// stands in the western or the northern one of its two sectors.
    pub rank: u16,
}

/// The rank of an exit whose portal stands in the sector beyond, as long as its twin has not been found. No portal has it.
const NO_RANK: u16 = u16::MAX;

impl Middle {
    const UNUSED: Self =
        Self { x: 0, y: 0, sector: 0, step: 0, side: Direction::North, rank: NO_RANK };

    /// Its sector.
    pub const fn sector_id(self) -> SectorId {
        SectorId { column: self.x / SIDE as u16, row: self.y / SIDE as u16 }
    }

    /// Whether its portal stands in its own sector, and not in the one beyond.
    pub const fn is_standing(self) -> bool {
        use Direction::{East, South, SouthEast, SouthWest};
        matches!(self.side, East | South | SouthEast | SouthWest)
    }
}

impl Nodes {
    /// No exits, in so many sectors.
    pub fn new(sectors: usize) -> Self {
        Self {
            spans: vec![Span::default(); sectors],
            exits: Vec::new(),
            twins: Vec::new(),
            middles: Vec::new(),
            distances: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Where the exits of a sector are.
    pub fn span(&self, sector: usize) -> Span {
        self.spans[sector]
    }

    /// The exits of a sector.
    pub fn exits(&self, sector: usize) -> &[Exit] {
        let Span { first, count, .. } = self.spans[sector];
        &self.exits[first as usize..][..count as usize]
    }

    pub fn exit(&self, node: NodeId) -> Exit {
        self.exits[node as usize]
    }

    /// The other side of an exit's portal, or `NO_NODE`.
    pub fn twin(&self, node: NodeId) -> NodeId {
        self.twins[node as usize]
    }

    pub fn middle(&self, node: NodeId) -> Middle {
        self.middles[node as usize]
    }

    /// Where the middles of the exits of a sector are.
    pub fn middles(&self, span: Span) -> &[Middle] {
        &self.middles[span.first as usize..][..span.count as usize]
    }

    /// The distances from an exit to those of its sector, in grains.
    pub fn row(&self, node: NodeId) -> &[u16] {
        self.row_in(self.spans[self.middle(node).sector as usize], node)
    }

    /// The distances from an exit to those of its sector, which are these, in grains.
    pub fn row_in(&self, span: Span, node: NodeId) -> &[u16] {
        tally::note(Kind::Row, span.count as usize);
        let count = span.count as usize;
        &self.distances[span.matrix + (node - span.first) as usize * count..][..count]
    }

    /// Whether the distances from an exit have been measured.
    pub fn is_measured(&self, node: NodeId) -> bool {
        let span = self.spans[self.middle(node).sector as usize];
        let (at, count) = ((node - span.first) as usize, span.count as usize);
        self.distances[span.matrix + at * count + at] != UNMEASURED
    }

    /// Sets the distances from an exit to those of its sector.
    pub fn set_row(&mut self, node: NodeId, row: impl Iterator<Item = u16>) {
        let span = self.spans[self.middle(node).sector as usize];
        let count = span.count as usize;
        let start = span.matrix + (node - span.first) as usize * count;
        for (distance, grains) in self.distances[start..][..count].iter_mut().zip(row) {
            *distance = grains;
        }
    }

    /// Forgets the distances between the exits of a sector.
    pub fn forget_distances(&mut self, sector: usize) {
        let Span { count, matrix, .. } = self.spans[sector];
        self.distances[matrix..][..(count * count) as usize].fill(UNMEASURED);
    }

    /// Gives a sector these exits, with the places of their middles. They have no twins, and no distances.
    pub fn replace(&mut self, sector: usize, exits: &[Exit], middle: impl Fn(Exit) -> Place) {
        let old = std::mem::take(&mut self.spans[sector]);
        if old.count > 0 {
            self.free_of(old.count as usize).push(old);
        }
        let count = exits.len();
        if count == 0 {
            return;
        }
        let span = self.free_of(count).pop().unwrap_or_else(|| self.add(exits));
        self.spans[sector] = span;
        let mut portals = 0;
        for (&exit, node) in exits.iter().zip(span.first as usize..) {
            let place = middle(exit);
            self.exits[node] = exit;
            self.twins[node] = NO_NODE;
            let mut middle = Middle {
                x: place.x as u16,
                y: place.y as u16,
                sector: sector as u32,
                step: step_grains(exit.step) as u8,
                side: exit.code.side(),
                rank: NO_RANK,
            };
            if middle.is_standing() {
                middle.rank = portals;
                portals += 1;
            }
            self.middles[node] = middle;
        }
        self.forget_distances(sector);
    }

    /// Notes that two exits are the sides of one portal.
    pub fn join(&mut self, a: NodeId, b: NodeId) {
        (self.twins[a as usize], self.twins[b as usize]) = (b, a);
        let (standing, other) = if self.middle(a).is_standing() { (a, b) } else { (b, a) };
        self.middles[other as usize].rank = self.middle(standing).rank;
    }

    /// How many exits there are.
    pub fn count(&self) -> usize {
        self.spans.iter().map(|span| span.count as usize).sum()
    }

    /// More than every number of an exit.
    pub const fn end(&self) -> usize {
        self.exits.len()
    }

    /// Nominal bytes: those of exits, and of the distances between them.
    pub const fn held(&self) -> usize {
        24 * self.exits.len() + 2 * self.distances.len()
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.spans.capacity() * size_of::<Span>()
            + self.exits.capacity() * size_of::<Exit>()
            + self.twins.capacity() * size_of::<NodeId>()
            + self.middles.capacity() * size_of::<Middle>()
            + self.distances.capacity() * size_of::<u16>()
            + self.free.capacity() * size_of::<Vec<Span>>()
            + self.free.iter().map(|free| free.capacity() * size_of::<Span>()).sum::<usize>()
    }

    fn free_of(&mut self, count: usize) -> &mut Vec<Span> {
        if self.free.len() <= count {
            self.free.resize(count + 1, Vec::new());
        }
        &mut self.free[count]
    }

    /// Room for more exits.
    fn add(&mut self, exits: &[Exit]) -> Span {
        let (first, count, matrix) = (self.exits.len(), exits.len(), self.distances.len());
        make_room(&mut self.exits, count);
        make_room(&mut self.twins, count);
        make_room(&mut self.middles, count);
        make_room(&mut self.distances, count * count);
        self.exits.extend_from_slice(exits);
        self.twins.resize(first + count, NO_NODE);
        self.middles.resize(first + count, Middle::UNUSED);
        self.distances.resize(matrix + count * count, UNMEASURED);
        Span { first: first as NodeId, count: count as u32, matrix }
    }
}

/// Makes room for so many more, and for an eighth of what there is: doubling would waste too much.
fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 8));
    }
}
