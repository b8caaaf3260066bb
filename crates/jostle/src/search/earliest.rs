//! The path on which one agent arrives first without conflicts, by safe intervals (Phillips and Likhachev 2011).
//!
//! Between the reservations of other agents a cell is free for a while: an interval. Only the earliest arrival in each interval
//! matters, because an agent can wait there until the interval ends. A\* over intervals therefore finds the earliest arrival after a few
//! expansions for each cell of the path.
//!
//! It promises a path that ends on the goal, from where the agent need not leave again, at the earliest possible tick, or that there
//! is none that arrives in time. Ties go to the interval that is nearer to the goal, and then to the one found first.
//!
//! Its parameters are the latest tick of arrival that is of use, and the most intervals to expand.
//!
//! Cost: an expansion looks at the visits to up to eight cells. Memory: eight bytes a cell, and about forty for each interval of the
//! cells that were reached.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::visits::{FOREVER, Visits};
use crate::grid::{Cell, Exits, Grid};

/// A search for the earliest arrival. Its lists are kept from one search to the next.
#[derive(Clone, Debug, Default)]
pub struct Earliest {
    nodes: Vec<Node>,
    /// The nodes to expand: `f`, the steps that are left at least, and the number.
    open: BinaryHeap<Reverse<(u32, u32, u32)>>,
    /// For each cell the search that reached it last, and where its intervals begin in `slots`.
    found: Vec<(u32, u32)>,
    /// The node of each interval of the cells that were reached.
    slots: Vec<u32>,
    /// The number of this search.
    search: u32,
    expansions: u64,
    /// The gaps that were looked at.
    looked: u64,
}

/// The arrival in an interval.
#[derive(Clone, Copy, Debug)]
struct Node {
    cell: Cell,
    arrival: u32,
    /// The last tick of the interval.
    last: u32,
    parent: u32,
    is_closed: bool,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Errand<'a> {
    /// Where the other agents are. The agent itself is not among them.
    pub visits: &'a Visits,
    /// Where it is in each tick from tick 0 on, up to the one after which it may go where it likes.
    pub gone: &'a [Cell],
    /// Where it has to be for good.
    pub goal: Cell,
    /// The latest tick of arrival that is of use.
    pub latest: u32,
    /// The most intervals to expand.
    pub most_expansions: u64,
}

const NOTHING: u32 = u32::MAX;

impl Earliest {
    /// Writes the cell of every tick from tick 0 to the arrival. Returns whether there is such a path. `steps_left` says how many
    /// steps it takes at least from a cell to the goal; `u32::MAX` if it cannot be reached.
    pub fn find(
        &mut self,
        grid: &Grid,
        errand: &Errand<'_>,
        mut steps_left: impl FnMut(Cell) -> u32,
        path: &mut Vec<Cell>,
    ) -> bool {
        let &Errand { visits, gone, goal, latest, most_expansions } = errand;
        self.begin(grid);
        path.clear();
        let Some((&start, before)) = gone.split_last() else { return false };
        let now = before.len() as u32;
        // Nobody can stay on the goal before the last of the others has passed over it.
        let settled = visits.settled(goal).filter(|&tick| tick <= latest);
        let left = steps_left(start);
        let earliest = now.saturating_add(left);
        let (Some(settled), true) = (settled, earliest <= latest) else { return false };
        let gap = visits.gaps(start, now).next().filter(|gap| gap.first == now);
        let Some(gap) = gap else { return false };
        let slot = self.slot(visits, start, gap.number);
        self.enter(
            slot,
            Node { cell: start, arrival: now, last: gap.last, parent: NOTHING, is_closed: false },
        );
        self.open.push(Reverse((earliest.max(settled), left, 0)));
        while let Some(Reverse((_, _, number))) = self.open.pop() {
            let Node { cell: from, arrival, last, is_closed, .. } = self.nodes[number as usize];
            if is_closed {
                continue;
            }
            if from == goal && last == FOREVER {
                path.extend_from_slice(before);
                self.write(number, path);
                return true;
            }
            if self.expansions >= most_expansions {
                return false;
            }
            self.expansions += 1;
            self.nodes[number as usize].is_closed = true;
            for direction in grid.exits(from) {
                let to = grid.beside(from, direction);
                let left = steps_left(to);
                if arrival.saturating_add(1).saturating_add(left) > latest {
                    continue;
                }
                let leaves_by = last.saturating_add(1).min(latest - left);
                for gap in visits.gaps(to, arrival + 1) {
                    if gap.first > leaves_by {
                        break;
                    }
                    self.looked += 1;
                    let slot = self.slot(visits, to, gap.number);
                    let known = self.slots[slot];
                    let is_no_later = |by: u32| {
                        let node = self.nodes.get(known as usize);
                        node.is_some_and(|node| node.is_closed || node.arrival <= by)
                    };
                    if is_no_later(gap.first) {
                        continue;
                    }
                    let mut arrival = gap.first;
                    // Whoever has just left the cell must not come the other way.
                    if gap.before.is_some() && gap.before == visits.agent(from, arrival) {
                        arrival += 1;
                    }
                    let by = leaves_by.min(gap.last);
                    while arrival <= by
                        && visits.crossing(grid, (from, direction), arrival).is_some()
                    {
                        arrival += 1;
                    }
                    if arrival > by || is_no_later(arrival) {
                        continue;
                    }
                    // A node that is reached earlier is put into the list again, and passed over the second time.
                    let node = Node {
                        cell: to,
                        arrival,
                        last: gap.last,
                        parent: number,
                        is_closed: false,
                    };
                    let known = self.enter(slot, node);
                    self.open.push(Reverse(((arrival + left).max(settled), left, known)));
                }
            }
        }
        false
    }

    /// The intervals that the last search has expanded.
    pub const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The gaps between visits that the last search has looked at: that is what takes time.
    pub const fn looked(&self) -> u64 {
        self.looked
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.open.capacity() * size_of::<Reverse<(u32, u32, u32)>>()
            + self.found.capacity() * size_of::<(u32, u32)>()
            + self.slots.capacity() * size_of::<u32>()
    }

    fn begin(&mut self, grid: &Grid) {
        self.nodes.clear();
        self.open.clear();
        self.slots.clear();
        (self.expansions, self.looked) = (0, 0);
        self.search = self.search.wrapping_add(1);
        if self.found.len() != grid.cells().len() || self.search == 0 {
            self.found.clear();
            self.found.resize(grid.cells().len(), (0, NOTHING));
            self.search = 1;
        }
    }

    /// Where the node of an interval is kept.
    fn slot(&mut self, visits: &Visits, cell: Cell, number: u32) -> usize {
        let (search, begin) = &mut self.found[cell.index()];
        if *search != self.search {
            (*search, *begin) = (self.search, self.slots.len() as u32);
            self.slots.resize(self.slots.len() + visits.most_gaps(cell), NOTHING);
        }
        (*begin + number) as usize
    }

    /// Adds a node, or writes over the one of the same interval. Returns its number.
    fn enter(&mut self, slot: usize, node: Node) -> u32 {
        let known = self.slots[slot];
        if let Some(known) = self.nodes.get_mut(known as usize) {
            *known = node;
            return self.slots[slot];
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(node);
        self.slots[slot] = number;
        number
    }

    /// Adds the cells from the start to a node to a path.
    fn write(&self, number: u32, path: &mut Vec<Cell>) {
        let (mut at, begin) = (number, path.len());
        path.push(self.nodes[at as usize].cell);
        loop {
            let Node { arrival, parent, .. } = self.nodes[at as usize];
            let Some(before) = self.nodes.get(parent as usize) else { break };
            // The agent waits until it has to leave.
            path.extend((before.arrival..arrival).map(|_| before.cell));
            at = parent;
        }
        path[begin..].reverse();
    }
}

#[cfg(test)]
#[path = "earliest_test.rs"]
mod tests;
