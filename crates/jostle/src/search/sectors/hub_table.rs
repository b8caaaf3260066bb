//! The hubs of one region, and how far all its portals are from them, along routes inside the region.
//!
//! Distances are between the middles of crossings, so half of a portal's step counts on each of its sides. They are
//! whole numbers of half grains.
//!
//! A portal has a slot: a row of distances. A sector whose exits were given other numbers gets new slots for its portals;
//! those that are still there keep their rows. What is free of slots and columns is limited: when it is used up, the
//! table has to be made anew.

use super::graph::Graph;
use super::layout::SectorId;
use super::nodes::{NO_NODE, NodeId};
use super::region::Region;
use crate::grid::Direction;
use crate::tally::{self, Kind};

/// Which row of the table.
pub type Slot = u32;
/// No row.
pub const NO_SLOT: Slot = Slot::MAX;

/// More than every distance, in half grains. Two of them and two steps still fit into 32 bits.
pub const FAR: u32 = 1 << 30;

/// The nominal bytes of a portal, and of a distance.
const PORTAL: usize = 12;
const DISTANCE: usize = 4;

/// The hubs of a region, and the distances from them.
#[derive(Clone, Debug)]
pub struct HubTable {
    pub region: Region,
    /// By sector of the region.
    blocks: Vec<Block>,
    /// By slot.
    portals: Vec<Portal>,
    /// By column, the slot of the hub, or `NO_SLOT` if it is no longer there. All distances from such a hub are [`FAR`], so that no
    /// route is looked up over it.
    hubs: Vec<Slot>,
    /// By column, whether its distances have to be measured from the beginning, or forgotten if the hub is no longer there.
    unmeasured: Vec<bool>,
    /// How many slots there is room for. The capacity of a list does not tell: that of a copy is smaller.
    room: usize,
    /// How many columns there is room for.
    stride: usize,
    /// By slot and column.
    distances: Vec<u32>,
}

/// The slots of a sector's portals.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    first: Slot,
    count: u32,
    /// For which numbers of the sector's exits.
    numbered: u32,
}

/// What a slot is for.
#[derive(Clone, Copy, Debug)]
pub struct Portal {
    /// The exit that stands for it, or `NO_NODE` if the slot is no longer in use.
    pub node: NodeId,
    /// Where its crossing begins, and where that leads.
    crossing: (u16, u16, Direction),
}

impl HubTable {
    /// The table of a region, in which no portal has a slot yet.
    pub fn new(graph: &Graph, region: Region) -> Self {
        let (portals, hubs) = Self::size(graph, region);
        let stride = hubs + 1 + hubs / 32;
        let room = portals + 8 + portals / 16;
        tally::spare(room * stride * DISTANCE);
        Self {
            region,
            blocks: vec![Block::default(); region.bounds.sectors()],
            portals: Vec::with_capacity(room),
            hubs: Vec::with_capacity(stride),
            unmeasured: Vec::with_capacity(stride),
            room,
            stride,
            distances: Vec::with_capacity(room * stride),
        }
    }

    /// The exit that stands for the hub of a column, if it is still there.
    pub fn hub(&self, column: usize) -> Option<NodeId> {
        Some(self.portals.get(self.hubs[column] as usize)?.node)
    }

    /// How many nominal bytes the table of a region would hold.
    pub fn would_hold(graph: &Graph, region: Region) -> usize {
        let (portals, hubs) = Self::size(graph, region);
        portals * (hubs * DISTANCE + PORTAL)
    }

    /// How many portals begin in a region, and how many of them are hubs.
    fn size(graph: &Graph, region: Region) -> (usize, usize) {
        let (mut portals, mut hubs) = (0, 0);
        for sector in region.bounds.all() {
            for node in standing_for_portals(graph, sector) {
                tally::note(Kind::Node, 1);
                portals += 1;
                hubs += usize::from(is_hub(graph, region, node));
            }
        }
        (portals, hubs)
    }

    /// Gives slots to the portals of a sector, unless the numbers of its exits are still the same.
    ///
    /// # Returns
    /// Whether there was room. If not, the table has to be made anew.
    pub fn place(&mut self, graph: &Graph, sector: SectorId) -> bool {
        let at = self.region.bounds.index(sector);
        let old = self.blocks[at];
        let numbered = graph.numbered(sector);
        if old.numbered == numbered && old.numbered > 0 {
            return true;
        }
        let first = self.portals.len() as Slot;
        for node in standing_for_portals(graph, sector) {
            if self.portals.len() == self.room {
                return false;
            }
            let (portal, slot) = (Portal::of(graph, node), self.portals.len() as Slot);
            let mut before = (old.first..old.first + old.count)
                .filter(|&before| self.portals[before as usize].crossing == portal.crossing);
            let before = before.next();
            // Four distances are copied at a time, and those that were there are looked through.
            tally::note(Kind::Row, self.stride / 4 + old.count as usize);
            self.portals.push(portal);
            let row = self.distances.len();
            self.distances.resize(row + self.stride, FAR);
            if let Some(before) = before {
                let old = before as usize * self.stride;
                self.distances.copy_within(old..old + self.stride, row);
            }
            if is_hub(graph, self.region, node) && !self.place_hub(slot, before) {
                return false;
            }
        }
        for slot in old.first..old.first + old.count {
            self.portals[slot as usize].node = NO_NODE;
        }
        let gone = old.first..old.first + old.count;
        tally::note(Kind::Row, self.hubs.len() / 4);
        for (hub, unmeasured) in self.hubs.iter_mut().zip(&mut self.unmeasured) {
            if gone.contains(hub) {
                (*hub, *unmeasured) = (NO_SLOT, true);
            }
        }
        self.blocks[at] = Block { first, count: self.portals.len() as Slot - first, numbered };
        true
    }

    /// Gives a column to a hub: the one it had when it was in another slot, one that is free, or a new one. Returns
    /// whether there was room.
    fn place_hub(&mut self, slot: Slot, before: Option<Slot>) -> bool {
        tally::note(Kind::Row, self.hubs.len() / 4);
        let had = before.and_then(|before| self.hubs.iter().position(|&hub| hub == before));
        if let Some(column) = had {
            self.hubs[column] = slot;
            return true;
        }
        let free = self.hubs.iter().position(|&hub| hub == NO_SLOT);
        let column = free.unwrap_or(self.hubs.len());
        if column == self.stride {
            return false;
        }
        if column == self.hubs.len() {
            self.hubs.push(slot);
            self.unmeasured.push(true);
        }
        (self.hubs[column], self.unmeasured[column]) = (slot, true);
        true
    }

    /// The slot of the portal of an exit, if it lies inside the region and the table is up to date about it.
    pub fn slot(&self, graph: &Graph, node: NodeId) -> Option<Slot> {
        let middle = graph.nodes().middle(node);
        let here = middle.sector_id();
        let there = here.beside(middle.side);
        if !self.region.bounds.contains(here) || !self.region.bounds.contains(there) {
            return None;
        }
        let sector = if middle.is_standing() { here } else { there };
        let (block, rank) =
            (self.blocks[self.region.bounds.index(sector)], Slot::from(middle.rank));
        let is_known = block.numbered == graph.numbered(sector) && rank < block.count;
        is_known.then_some(block.first + rank)
    }

    /// By column, the slot of the hub, or `NO_SLOT`.
    pub fn hubs(&self) -> &[Slot] {
        &self.hubs
    }

    /// Whether a column has to be measured from the beginning.
    pub fn is_unmeasured(&self, column: usize) -> bool {
        self.unmeasured[column]
    }

    /// The distances of a slot from all hubs.
    pub fn row(&self, slot: Slot) -> &[u32] {
        tally::note(Kind::Row, self.hubs.len());
        &self.distances[slot as usize * self.stride..][..self.hubs.len()]
    }

    /// The distance of a slot from a hub.
    pub fn distance(&self, slot: Slot, column: usize) -> u32 {
        tally::note(Kind::Row, 1);
        self.distances[slot as usize * self.stride + column]
    }

    /// The portals, and the distances of a column.
    pub fn split(&mut self, column: usize) -> (&[Portal], Column<'_>) {
        let distances = &mut self.distances[column..];
        (&self.portals, Column { distances, stride: self.stride })
    }

    /// Sets all distances of a column.
    pub fn set_column(&mut self, column: usize, distances: &[u32]) {
        tally::note(Kind::Row, distances.len());
        let old = self.distances.iter_mut().skip(column).step_by(self.stride);
        old.zip(distances).for_each(|(old, &new)| *old = new);
        self.unmeasured[column] = false;
    }

    /// Forgets the distances from a hub that is no longer there. Returns how many there were.
    pub fn clear_column(&mut self, column: usize) -> usize {
        tally::note(Kind::Row, self.portals.len());
        self.distances.iter_mut().skip(column).step_by(self.stride).for_each(|old| *old = FAR);
        self.unmeasured[column] = false;
        self.portals.len()
    }

    /// Notes that a column has to be measured from the beginning.
    pub fn spoil(&mut self, column: usize) {
        self.unmeasured[column] = true;
    }

    /// Nominal bytes.
    pub const fn held(&self) -> usize {
        12 * self.portals.len() + 4 * self.distances.len()
    }

    /// Bytes on the heap that have been used.
    pub fn memory(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>()
            + self.portals.len() * size_of::<Portal>()
            + self.hubs.capacity() * (size_of::<Slot>() + size_of::<bool>())
            + self.distances.len() * size_of::<u32>()
    }
}

impl Portal {
    fn of(graph: &Graph, node: NodeId) -> Self {
        let (middle, exit) = (graph.nodes().middle(node), graph.nodes().exit(node));
        Self { node, crossing: (middle.x, middle.y, exit.step) }
    }
}

/// The distances from one hub, by slot.
pub struct Column<'a> {
    distances: &'a mut [u32],
    stride: usize,
}

impl<'a> Column<'a> {
    /// A column by itself.
    pub const fn alone(distances: &'a mut [u32]) -> Self {
        Self { distances, stride: 1 }
    }

    pub fn get(&self, slot: Slot) -> u32 {
        self.distances[slot as usize * self.stride]
    }

    pub fn set(&mut self, slot: Slot, distance: u32) {
        self.distances[slot as usize * self.stride] = distance;
    }
}

/// The exits of a sector that stand for their portals.
fn standing_for_portals(graph: &Graph, sector: SectorId) -> impl Iterator<Item = NodeId> {
    let nodes = graph.nodes().span(graph.layout().index(sector)).nodes();
    nodes.filter(|&node| graph.nodes().middle(node).is_standing())
}

/// Whether an exit stands for a portal on the line of a region.
fn is_hub(graph: &Graph, region: Region, node: NodeId) -> bool {
    let here = graph.nodes().middle(node).sector_id();
    let there = here.beside(graph.nodes().exit(node).code.side());
    region.bounds.contains(there) && region.line.has(here, there)
}
