//! A\* through space and time: a cell for every tick, on a path that avoids the paths of other agents.
//!
//! A node is a cell at a tick. From it an agent may step to a neighbour or wait; either takes one tick.
//! The node expanded next has the smallest `f`, among equals the largest `g`, among those the one that
//! entered first.
//!
//! It promises the best path among those that [`Traffic`] allows, where estimates are consistent, and that a
//! search that cannot succeed ends: after the last tick at which anything in the surroundings changes
//! (`Traffic::settled`), a cell is the same node at all ticks. It does not promise to end soon:
//! [`Intervals`](super::Intervals) find out faster whether there is any path.
//!
//! Its parameters are a [`Budget`] and the most nodes it may hold ([`SpaceTime::limit_nodes`]; no limit by
//! default). A search that runs out of its budget can be resumed.
//!
//! Cost: for every expansion up to nine steps, each a look-up in a hash map, a call of [`Traffic::is_free`], and
//! perhaps an estimate, which may be a search of its own. Memory: about eighty bytes a node.
//!
//! Silver (2005) does not say how to break ties, or when a search without a path ends.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::key::Key;
use super::keyed::Keyed;
use super::reservations::TimedStep;
use super::{Budget, Verdict};
use crate::Cost;
use crate::grid::{Cell, Exits, Grid, Place};

/// What a search through space and time needs to know about its surroundings.
pub trait Traffic {
    /// The estimated cost from a place to the goal, or [`Verdict::Nothing`] if no path leads there. It takes the
    /// expansions that it needs from `budget`.
    fn h(&mut self, grid: &Grid, place: Place, budget: &mut Budget<'_>) -> Verdict<Cost>;

    /// Whether a step conflicts with no other agent and no obstacle.
    fn is_free(&self, grid: &Grid, step: TimedStep) -> bool;

    /// The cost of waiting for one tick.
    fn waiting(&self, place: Place) -> Cost;

    /// Whether the search may end here.
    fn is_end(&self, place: Place, tick: u64) -> bool;

    /// The tick after which the surroundings do not change any more.
    fn settled(&self) -> u64;
}

#[derive(Clone, Copy, Debug)]
struct Node {
    place: Place,
    tick: u64,
    parent: u32,
    g: Cost,
    h: Cost,
    is_closed: bool,
}

/// A search through space and time. Its lists are kept from one search to the next.
#[derive(Clone, Debug)]
pub struct SpaceTime {
    nodes: Vec<Node>,
    most_nodes: usize,
    /// The numbers of nodes by cell and tick.
    numbers: Keyed<u32>,
    open: BinaryHeap<Reverse<Key>>,
    found: Option<u32>,
}

impl Default for SpaceTime {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            most_nodes: usize::MAX,
            numbers: Keyed::default(),
            open: BinaryHeap::new(),
            found: None,
        }
    }
}

impl SpaceTime {
    /// Makes searches that would need more nodes than this fail with [`Verdict::Nothing`].
    pub const fn limit_nodes(&mut self, most: usize) {
        self.most_nodes = most;
    }

    /// Starts a new search, for an agent that stands on `start` at `tick`.
    pub fn begin(&mut self, grid: &Grid, start: Cell, tick: u64) {
        self.nodes.clear();
        self.numbers.clear();
        self.open.clear();
        self.found = None;
        let place = Place::of(grid, start);
        self.add(Node { place, tick, parent: 0, g: Cost::ZERO, h: Cost::ZERO, is_closed: false });
    }

    /// Continues the search until it finds a path, there is none, or the budget is spent.
    pub fn resume(
        &mut self,
        grid: &Grid,
        traffic: &mut impl Traffic,
        budget: &mut Budget<'_>,
    ) -> Verdict {
        while let Some(&Reverse(key)) = self.open.peek() {
            let number = key.number();
            let n = self.nodes[number as usize];
            if n.is_closed || n.g != key.g() {
                self.open.pop();
                continue;
            }
            if traffic.is_end(n.place, n.tick) {
                self.found = Some(number);
                return Verdict::Found(());
            }
            if self.nodes.len() > self.most_nodes {
                return Verdict::Nothing;
            }
            // The node stays in the list until all its neighbours are generated: their estimates may cost
            // more than the budget has left.
            let is_enough = budget.slice(|| self.held()) > 0
                && self.expand(grid, traffic, budget, number, n)
                && budget.slice(|| self.held()) > 0;
            if !is_enough {
                return Verdict::OutOfBudget;
            }
            self.nodes[number as usize].is_closed = true;
            budget.spend(1);
        }
        Verdict::Nothing
    }

    /// Writes the cell of every tick, from the start to the end; `path` is left empty if none was found.
    pub fn path(&self, path: &mut Vec<Cell>) {
        path.clear();
        let Some(mut number) = self.found else { return };
        loop {
            path.push(self.nodes[number as usize].place.cell);
            if number == 0 {
                break;
            }
            number = self.nodes[number as usize].parent;
        }
        path.reverse();
    }

    /// The cost of the path that was found.
    pub fn cost(&self) -> Option<Cost> {
        self.found.map(|number| {
            let node = &self.nodes[number as usize];
            node.g + node.h
        })
    }

    /// Nominal bytes: 80 for each node, and 16 for each entry of the open list.
    fn held(&self) -> usize {
        80 * self.nodes.len() + 16 * self.open.len()
    }

    /// Bytes this search holds.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.numbers.memory()
            + self.open.capacity() * size_of::<Key>()
    }

    /// Generates the neighbours of a node. Returns whether the budget was enough for all of them.
    fn expand(
        &mut self,
        grid: &Grid,
        traffic: &mut impl Traffic,
        budget: &mut Budget<'_>,
        number: u32,
        n: Node,
    ) -> bool {
        let from = n.place.cell;
        let arrival = n.tick + 1;
        let exits = grid.exits(from).into_iter().map(Some).chain([None]);
        for direction in exits {
            let (place, cost) = match direction {
                Some(direction) => (n.place.beside(grid, direction), direction.cost()),
                None => (n.place, traffic.waiting(n.place)),
            };
            let g = n.g + cost;
            let key = Self::key(place.cell, arrival, traffic.settled());
            // Most nodes are reached several times, and this look-up is cheaper than checking for conflicts.
            let known = self.numbers.get(key);
            let is_no_better = |known: u32| {
                let node = &self.nodes[known as usize];
                node.is_closed || node.g <= g
            };
            let step = TimedStep { from, to: place.cell, direction, arrival };
            if known.is_some_and(is_no_better) || !traffic.is_free(grid, step) {
                continue;
            }
            if let Some(known) = known {
                let node = &mut self.nodes[known as usize];
                (node.g, node.parent, node.tick) = (g, number, arrival);
                self.open.push(Reverse(Key::new(g + node.h, g, known)));
                continue;
            }
            let h = match traffic.h(grid, place, budget) {
                Verdict::Found(h) => h,
                Verdict::Nothing => continue,
                Verdict::OutOfBudget => return false,
            };
            self.numbers.insert(key, self.nodes.len() as u32);
            let parent = number;
            self.add(Node { place, tick: arrival, parent, g, h, is_closed: false });
        }
        true
    }

    fn add(&mut self, node: Node) {
        let number = self.nodes.len() as u32;
        self.nodes.push(node);
        self.open.push(Reverse(Key::new(node.g + node.h, node.g, number)));
    }

    fn key(cell: Cell, tick: u64, settled: u64) -> u64 {
        tick.min(settled + 1) << 32 | cell.index() as u64
    }
}
