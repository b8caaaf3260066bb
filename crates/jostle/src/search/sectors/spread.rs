//! How distances from one hub are measured, and how they are repaired after an edit.
//!
//! To measure them is Dijkstra's algorithm. To repair them: portals whose distance no longer follows from that of a
//! neighbour lose it, from the nearest on, and so do those that depend on them; then they are measured again from what
//! is left. What an edit made shorter spreads from there. So a repair takes time for what has changed, and not for the
//! size of the region.
//!
//! All of this can be interrupted after every portal.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::grains::NO_PATH;
use super::graph::affords;
use super::hub_table::{Column, FAR, NO_SLOT, Portal, Slot};
use super::nodes::{NodeId, Nodes};
use super::ring::Ring;
use crate::search::Budget;
use crate::tally::{self, Kind};

/// What it costs to look at all neighbours of a portal: as much time as so many cells of a wave.
const PRICE: u64 = 8;

/// The portals of a region and what joins them.
pub struct Mesh<'a> {
    pub nodes: &'a Nodes,
    /// By slot.
    pub portals: &'a [Portal],
    /// By exit, the slot of its portal, or `NO_SLOT` if that is not inside the region.
    pub slots: &'a [Slot],
}

/// A column that is being measured or repaired.
#[derive(Clone, Debug, Default)]
pub struct Spread {
    /// The portals that wait while a column is measured from the beginning.
    ring: Ring,
    /// Portals that may have lost what their distance follows from, by distance.
    doubted: BinaryHeap<Reverse<(u32, Slot)>>,
    /// Portals whose distance has to be found anew.
    lost: Vec<Slot>,
    /// Portals from which shorter distances may spread, by distance.
    open: BinaryHeap<Reverse<(u32, Slot)>>,
}

impl Spread {
    /// Measures a column from the beginning: all distances are [`FAR`] but that of the hub.
    pub fn measure(&mut self, column: &mut Column<'_>, hub: Slot) {
        self.clear();
        column.set(hub, 0);
        self.ring.push(0, hub);
    }

    /// Repairs a column. The distances between these portals, or to them, have changed.
    pub fn repair(&mut self, column: &Column<'_>, portals: impl Iterator<Item = Slot>) {
        self.clear();
        self.lost.extend(portals);
        let known = self.lost.iter().map(|&slot| (column.get(slot), slot));
        self.doubted.extend(known.filter(|&(distance, _)| distance < FAR).map(Reverse));
    }

    /// Goes on. Returns whether all is done; if not, the budget was not enough.
    pub fn run(
        &mut self,
        mesh: &Mesh<'_>,
        column: &mut Column<'_>,
        budget: &mut Budget<'_>,
    ) -> bool {
        while let Some(slot) = self.ring.first() {
            if !affords(budget, PRICE) {
                return false;
            }
            self.ring.pop();
            tally::note(Kind::Node, 1);
            let distance = column.get(slot);
            // One that has come closer since was expanded from another bucket.
            if !self.ring.is_present(distance) {
                continue;
            }
            budget.spend(PRICE);
            mesh.each_beside(slot, |near, length| {
                let further = distance + length;
                if further < column.get(near) {
                    column.set(near, further);
                    self.ring.push(further, near);
                }
            });
        }
        while let Some(&Reverse((distance, slot))) = self.doubted.peek() {
            if !affords(budget, PRICE) {
                return false;
            }
            self.doubted.pop();
            tally::note(Kind::Node, 1);
            // The hub needs no neighbour.
            if column.get(slot) == distance && distance > 0 {
                budget.spend(PRICE);
                self.doubt(mesh, column, slot, distance);
            }
        }
        while let Some(&slot) = self.lost.last() {
            if !affords(budget, PRICE) {
                return false;
            }
            self.lost.pop();
            budget.spend(PRICE);
            let mut best = column.get(slot);
            mesh.each_beside(slot, |near, length| best = best.min(column.get(near) + length));
            if best < FAR {
                column.set(slot, best);
                self.open.push(Reverse((best, slot)));
            }
        }
        while let Some(&Reverse((distance, slot))) = self.open.peek() {
            if !affords(budget, PRICE) {
                return false;
            }
            self.open.pop();
            tally::note(Kind::Node, 1);
            if column.get(slot) == distance {
                budget.spend(PRICE);
                mesh.each_beside(slot, |near, length| {
                    let further = distance + length;
                    if further < column.get(near) {
                        column.set(near, further);
                        self.open.push(Reverse((further, near)));
                    }
                });
            }
        }
        true
    }

    /// Takes its distance from a portal if it follows from no neighbour's, and doubts those that depend on it.
    fn doubt(&mut self, mesh: &Mesh<'_>, column: &mut Column<'_>, slot: Slot, distance: u32) {
        let mut is_supported = false;
        mesh.each_beside(slot, |near, length| {
            is_supported |= column.get(near) + length == distance;
        });
        if is_supported {
            return;
        }
        column.set(slot, FAR);
        self.lost.push(slot);
        mesh.each_beside(slot, |near, length| {
            if column.get(near) == distance + length {
                self.doubted.push(Reverse((distance + length, near)));
            }
        });
    }

    fn clear(&mut self) {
        self.ring.clear();
        self.doubted.clear();
        self.lost.clear();
        self.open.clear();
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.ring.memory()
            + (self.doubted.capacity() + self.open.capacity()) * size_of::<(u32, Slot)>()
            + self.lost.capacity() * size_of::<Slot>()
    }
}

impl Mesh<'_> {
    /// Calls a function with every portal of the two sectors beside a portal, and how far it is, in half grains: never 0. The portal itself
    /// is among them, there and back over its crossing.
    fn each_beside(&self, slot: Slot, mut visit: impl FnMut(Slot, u32)) {
        let node = self.portals[slot as usize].node;
        for side in [node, self.nodes.twin(node)] {
            self.each_on_side(side, &mut visit);
        }
    }

    fn each_on_side(&self, node: NodeId, visit: &mut impl FnMut(Slot, u32)) {
        let middle = self.nodes.middle(node);
        let span = self.nodes.span(middle.sector as usize);
        let own_step = u32::from(middle.step);
        let slots = &self.slots[span.first as usize..][..span.count as usize];
        let row = self.nodes.row_in(span, node).iter().zip(slots);
        for ((&grains, &slot), far) in row.zip(self.nodes.middles(span)) {
            if grains != NO_PATH && slot != NO_SLOT {
                visit(slot, 2 * u32::from(grains) + own_step + u32::from(far.step));
            }
        }
    }
}
