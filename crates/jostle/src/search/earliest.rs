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
//! Cost: an expansion looks at the reservations of up to nine cells. Memory: eight bytes a cell, and thirty-two for each interval
//! that was reached.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::reservations::{Reservations, TimedStep};
use crate::grid::{Cell, Exits, Grid};

/// A search for the earliest arrival. Its lists are kept from one search to the next.
#[derive(Clone, Debug, Default)]
pub struct Earliest {
    nodes: Vec<Node>,
    /// The nodes to expand: `f`, the steps that are left at least, and the number.
    open: BinaryHeap<Reverse<(u32, u32, u32)>>,
    /// For each cell the search that reached it last, and its node that was found last then.
    found: Vec<(u32, u32)>,
    /// The number of this search.
    search: u32,
    expansions: u64,
}

/// The arrival in an interval.
#[derive(Clone, Copy, Debug)]
struct Node {
    cell: Cell,
    arrival: u32,
    /// The last tick of the interval; `FOREVER` if it has no end.
    last: u32,
    parent: u32,
    /// The node of the same cell that was found before.
    before: u32,
    is_closed: bool,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Errand<'a> {
    /// The reservations of the other agents.
    pub table: &'a Reservations,
    /// The agent, whose own reservations do not count.
    pub agent: usize,
    /// Where it is at tick 0.
    pub start: Cell,
    /// Where it has to be for good.
    pub goal: Cell,
    /// The latest tick of arrival that is of use.
    pub latest: u32,
    /// The most intervals to expand.
    pub most_expansions: u64,
}

const NOTHING: u32 = u32::MAX;
const FOREVER: u32 = u32::MAX;

impl Earliest {
    /// Writes the cell of every tick from the start to the arrival. Returns whether there is such a path. `steps_left` says how many
    /// steps it takes at least from a cell to the goal; `u32::MAX` if it cannot be reached.
    pub fn find(
        &mut self,
        grid: &Grid,
        errand: &Errand<'_>,
        mut steps_left: impl FnMut(Cell) -> u32,
        path: &mut Vec<Cell>,
    ) -> bool {
        let &Errand { table, agent, start, goal, latest, most_expansions } = errand;
        self.begin(grid);
        path.clear();
        // Nobody can stay on the goal before the last of the others has passed over it.
        let settled = table.free_from(agent, goal);
        let Some(settled) = settled.filter(|&tick| tick <= u64::from(latest)) else { return false };
        let settled = settled as u32;
        let stays = table.gaps(agent, start, 1).next().filter(|gap| gap.0 == 1);
        let last = stays.map_or(0, |gap| end_of(gap.1));
        let left = steps_left(start);
        if left == NOTHING || left > latest {
            return false;
        }
        self.enter(NOTHING, (start, 0, last), (left.max(settled), left));
        while let Some(Reverse((_, _, number))) = self.open.pop() {
            let Node { cell: from, arrival, last, is_closed, .. } = self.nodes[number as usize];
            if is_closed {
                continue;
            }
            if from == goal && last == FOREVER {
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
                if left == NOTHING || arrival.saturating_add(1 + left) > latest {
                    continue;
                }
                let leaves_by = last.saturating_add(1).min(latest - left);
                for (begin, end) in table.gaps(agent, to, u64::from(arrival) + 1) {
                    if begin > u64::from(leaves_by) {
                        break;
                    }
                    let last = end_of(end);
                    let known = self.node_of(to, last);
                    if known.is_some_and(|known| self.nodes[known as usize].is_closed) {
                        continue;
                    }
                    let by = leaves_by.min(last);
                    let is_free = |&arrival: &u32| {
                        let arrival = u64::from(arrival);
                        let step = TimedStep { from, to, direction: Some(direction), arrival };
                        table.conflict(grid, agent, step).is_none()
                    };
                    let Some(arrival) = (begin as u32..=by).find(is_free) else { continue };
                    // A node that is reached earlier is entered again; the later entry is passed over.
                    let is_later = |known: u32| self.nodes[known as usize].arrival <= arrival;
                    if !known.is_some_and(is_later) {
                        let f = arrival.saturating_add(left).max(settled);
                        match known {
                            Some(known) => self.improve(known, number, arrival, (f, left)),
                            None => self.enter(number, (to, arrival, last), (f, left)),
                        }
                    }
                }
            }
        }
        false
    }

    /// The intervals that the last search has expanded.
    pub const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.open.capacity() * size_of::<Reverse<(u32, u32, u32)>>()
            + self.found.capacity() * size_of::<(u32, u32)>()
    }

    fn begin(&mut self, grid: &Grid) {
        self.nodes.clear();
        self.open.clear();
        self.expansions = 0;
        self.search = self.search.wrapping_add(1);
        if self.found.len() != grid.cells().len() || self.search == 0 {
            self.found.clear();
            self.found.resize(grid.cells().len(), (0, NOTHING));
            self.search = 1;
        }
    }

    fn enter(&mut self, parent: u32, (cell, arrival, last): (Cell, u32, u32), rank: (u32, u32)) {
        let number = self.nodes.len() as u32;
        let before = self.last_of(cell);
        self.nodes.push(Node { cell, arrival, last, parent, before, is_closed: false });
        self.found[cell.index()] = (self.search, number);
        self.open.push(Reverse((rank.0, rank.1, number)));
    }

    fn improve(&mut self, known: u32, parent: u32, arrival: u32, rank: (u32, u32)) {
        let node = &mut self.nodes[known as usize];
        (node.parent, node.arrival) = (parent, arrival);
        self.open.push(Reverse((rank.0, rank.1, known)));
    }

    /// The node of a cell's interval that ends at this tick.
    fn node_of(&self, cell: Cell, last: u32) -> Option<u32> {
        let mut at = self.last_of(cell);
        while at != NOTHING && self.nodes[at as usize].last != last {
            at = self.nodes[at as usize].before;
        }
        (at != NOTHING).then_some(at)
    }

    fn last_of(&self, cell: Cell) -> u32 {
        let (search, number) = self.found[cell.index()];
        if search == self.search { number } else { NOTHING }
    }

    fn write(&self, number: u32, path: &mut Vec<Cell>) {
        let mut at = number;
        path.push(self.nodes[at as usize].cell);
        loop {
            let Node { arrival, parent, .. } = self.nodes[at as usize];
            let Some(before) = self.nodes.get(parent as usize) else { break };
            // The agent waits until it has to leave.
            path.extend((before.arrival..arrival).map(|_| before.cell));
            at = parent;
        }
        path.reverse();
    }
}

/// The last tick of an interval.
fn end_of(last: u64) -> u32 {
    if last >= u64::from(FOREVER) { FOREVER } else { last as u32 }
}

#[cfg(test)]
#[path = "earliest_test.rs"]
mod tests;
