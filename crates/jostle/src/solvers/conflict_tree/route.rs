//! The path of one agent under its constraints.
//!
//! A search over cells, ticks and stages as one. Its estimates are exact distances, so that without constraints it walks
//! straight to the end. Of the paths that are short enough it prefers those with few conflicts with the paths of others
//! (a focal search): the shortest ones only, or with a weight those that are at most so many times as long.
//!
//! Where a conflict cannot be avoided, all paths without one are tried first. That can take very long, so after a while
//! ([`PATIENCE`] expansions for each tick of the path) it is enough that a path is short.
//!
//! It promises to end: after the last tick at which anything changes, a cell is the same node at all ticks.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::{Constraints, Itinerary, Timetable};
use crate::grid::{Cell, Exits, Grid};
use crate::search::{Budget, Verdict};

/// What a search is about.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub grid: &'a Grid,
    pub itinerary: &'a Itinerary,
    pub constraints: &'a Constraints,
    /// Where the other agents are, and their paths.
    pub timetable: &'a Timetable,
    pub paths: &'a [Arc<[Cell]>],
    /// The length of the longest of these paths.
    pub longest: usize,
    /// How many thousandths of the shortest length a path may have.
    pub weight: u32,
}

impl Question<'_> {
    /// The weight of a search for a shortest path.
    pub const SHORTEST: u32 = 1000;

    /// After this tick, a cell is the same node at all ticks, because it does not pay to wait for anything any more. A path that
    /// need not be the shortest may wait until others have passed.
    fn settled(&self) -> u32 {
        let others = if self.weight > Self::SHORTEST { self.longest as u32 } else { 0 };
        let stops = self.itinerary.stops.iter().filter_map(|stop| stop.tick).max().unwrap_or(0);
        let Constraints { settled, stays_from, .. } = *self.constraints;
        let stays_from = if stays_from == Itinerary::NEVER { 0 } else { stays_from };
        settled.max(stays_from).max(others).max(stops)
    }

    /// The earliest end of a path through here.
    fn f(&self, cell: Cell, tick: u32, stage: usize) -> u32 {
        let end = self.itinerary.earliest_end(cell, tick, stage);
        let is_over = stage == self.itinerary.stops.len();
        if is_over || !self.itinerary.stays() { end } else { end.max(self.constraints.stays_from) }
    }

    /// How many agents pass over the last cell after a tick.
    fn later_conflicts(&self, cell: Cell, tick: u32) -> u32 {
        let mut count = 0;
        for tick in tick + 1..self.longest as u32 {
            self.timetable.each_at(self.paths, cell, tick, |_| count += 1);
        }
        count
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    cell: Cell,
    tick: u32,
    stage: u32,
    parent: u32,
    f: u32,
    /// The conflicts with other agents on the path to here.
    conflicts: u32,
    is_closed: bool,
    /// Another node on the same cell.
    next: u32,
}

/// Stands for no node.
const NONE: u32 = u32::MAX;

/// For how many expansions for each tick of the shortest path conflicts are avoided.
const PATIENCE: usize = 32;

/// What a node that may be expanded is sorted by: its conflicts, its `f`, and the largest tick first; and its number. Once
/// patience is over, its conflicts count for nothing, and the ticks to go come before `f`.
type Rank = Reverse<(u32, u32, Reverse<u32>, u32)>;

/// A search for a path. Its lists are kept from one search to the next.
#[derive(Clone, Debug, Default)]
pub struct Routes {
    nodes: Vec<Node>,
    /// For each cell, the search in which it was last seen, and a node on it. There are few ticks at which it pays to be on a
    /// cell, so a list of them is faster than a hash map.
    cells: Vec<(u32, u32)>,
    search: u32,
    /// The nodes that may be expanded: those of which `f` is at most the bound.
    focal: BinaryHeap<Rank>,
    /// The other nodes by `f`, from `least` on.
    waiting: Vec<Vec<u32>>,
    /// How many nodes are not expanded yet, by `f`, from `least` on.
    open: Vec<u32>,
    /// The `f` of the start.
    least: u32,
    /// The smallest `f` of all nodes that are not expanded: no path is shorter.
    pub bound: u32,
    /// The largest `f` of nodes in the focal list.
    reach: u32,
    expansions: usize,
    is_patient: bool,
}

impl Routes {
    /// Begins a search.
    pub fn begin(&mut self, question: Question<'_>, budget: &mut Budget<'_>) {
        budget.count_search();
        self.nodes.clear();
        if self.cells.len() != question.grid.cells().len() || self.search == u32::MAX {
            self.cells.clear();
            self.cells.resize(question.grid.cells().len(), (0, NONE));
            self.search = 0;
        }
        self.search += 1;
        self.focal.clear();
        self.waiting.iter_mut().for_each(Vec::clear);
        self.open.clear();
        let Question { itinerary, constraints, .. } = question;
        let start = itinerary.start;
        let stage = itinerary.stage_at(start, 0, 0, constraints.stays_from);
        let f = question.f(start, 0, stage);
        if f == Itinerary::NEVER || !constraints.allow_at(start, 0) {
            return;
        }
        (self.least, self.bound) = (f, f);
        (self.expansions, self.is_patient) = (0, true);
        self.reach = reach(f, question.weight);
        let mut first = Node {
            cell: start,
            tick: 0,
            stage: stage as u32,
            parent: 0,
            f,
            conflicts: 0,
            is_closed: false,
            next: NONE,
        };
        if stage == itinerary.stops.len() && itinerary.stays() {
            first.conflicts = question.later_conflicts(start, 0);
        }
        self.push(first, question.settled());
    }

    /// Goes on with the search: the cells of the path, tick by tick, until the agent makes its last stop.
    pub fn go_on(
        &mut self,
        question: Question<'_>,
        budget: &mut Budget<'_>,
    ) -> Verdict<Arc<[Cell]>> {
        let Question { grid, itinerary, constraints, timetable, paths, .. } = question;
        let settled = question.settled();
        while self.raise_bound(question.weight) {
            let Some(&Reverse((.., number))) = self.focal.peek() else { break };
            let node = self.nodes[number as usize];
            if node.is_closed {
                self.focal.pop();
                continue;
            }
            if node.stage as usize == itinerary.stops.len() {
                return Verdict::Found(self.path_to(number));
            }
            if budget.slice(|| self.held()) == 0 {
                return Verdict::OutOfBudget;
            }
            budget.spend(1);
            self.focal.pop();
            self.expansions += 1;
            if self.is_patient && self.expansions > PATIENCE * (self.least as usize + 1) {
                self.lose_patience();
            }
            self.nodes[number as usize].is_closed = true;
            self.open[(node.f - self.least) as usize] -= 1;
            let steps = grid.exits(node.cell).into_iter().map(Some).chain([None]);
            for direction in steps {
                let cell = direction.map_or(node.cell, |step| grid.beside(node.cell, step));
                let tick = node.tick + 1;
                let from = node.stage as usize;
                let stage = itinerary.stage_at(cell, tick, from, constraints.stays_from);
                let f = question.f(cell, tick, stage);
                if f == Itinerary::NEVER || !constraints.allow(node.cell, direction, cell, tick) {
                    continue;
                }
                let mut conflicts = node.conflicts;
                let step = (node.cell, direction, cell);
                timetable.each_in_the_way(grid, paths, step, tick, |other| {
                    conflicts += u32::from(itinerary.meeting != Some((other, tick)));
                });
                if stage == itinerary.stops.len() && itinerary.stays() {
                    conflicts += question.later_conflicts(cell, tick);
                }
                let next = Node {
                    cell,
                    tick,
                    stage: stage as u32,
                    parent: number,
                    f,
                    conflicts,
                    is_closed: false,
                    next: NONE,
                };
                self.push(next, settled);
            }
        }
        Verdict::Nothing
    }

    /// Adds a node, or improves the one at the same place, tick and stage.
    fn push(&mut self, node: Node, settled: u32) {
        let above = (node.f - self.least) as usize;
        if self.open.len() <= above {
            self.open.resize(above + 1, 0);
        }
        let (search, first) = self.cells[node.cell.index()];
        let first = if search == self.search { first } else { NONE };
        let when = |node: &Node| (node.tick.min(settled + 1), node.stage);
        let mut number = first;
        while number != NONE && when(&self.nodes[number as usize]) != when(&node) {
            number = self.nodes[number as usize].next;
        }
        if number == NONE {
            number = self.nodes.len() as u32;
            self.nodes.push(Node { next: first, ..node });
            self.cells[node.cell.index()] = (self.search, number);
        } else {
            let before = &mut self.nodes[number as usize];
            let has_fewer = node.f == before.f && node.conflicts < before.conflicts;
            // Where ticks count as one, a shorter path may come after a longer one with fewer conflicts.
            if node.f >= before.f && (before.is_closed || !has_fewer) {
                return;
            }
            if !before.is_closed {
                self.open[(before.f - self.least) as usize] -= 1;
            }
            *before = Node { next: before.next, ..node };
        }
        self.open[above] += 1;
        if node.f <= self.reach {
            self.focal.push(self.rank(number));
        } else {
            if self.waiting.len() <= above {
                self.waiting.resize_with(above + 1, Vec::new);
            }
            self.waiting[above].push(number);
        }
    }

    /// Raises the bound to the smallest `f` of all nodes that are not expanded, and fills the focal list. False if there are
    /// none.
    fn raise_bound(&mut self, weight: u32) -> bool {
        let from = (self.bound - self.least) as usize;
        if self.open.get(from).is_some_and(|&count| count > 0) {
            return true;
        }
        let Some(more) = self.open.iter().skip(from).position(|&count| count > 0) else {
            return false;
        };
        self.bound += more as u32;
        let reach = reach(self.bound, weight);
        for f in self.reach + 1..=reach {
            let Some(waiting) = self.waiting.get_mut((f - self.least) as usize) else { break };
            let mut waiting = std::mem::take(waiting);
            for number in waiting.drain(..) {
                let node = &self.nodes[number as usize];
                if !node.is_closed && node.f == f {
                    self.focal.push(self.rank(number));
                }
            }
            self.waiting[(f - self.least) as usize] = waiting;
        }
        self.reach = self.reach.max(reach);
        true
    }

    fn rank(&self, number: u32) -> Rank {
        let Node { f, conflicts, tick, .. } = self.nodes[number as usize];
        if self.is_patient {
            Reverse((conflicts, f, Reverse(tick), number))
        } else {
            Reverse((0, f - tick, Reverse(tick), number))
        }
    }

    /// Sorts the focal list by the ticks to go from now on.
    fn lose_patience(&mut self) {
        self.is_patient = false;
        let mut ranks = std::mem::take(&mut self.focal).into_vec();
        for rank in &mut ranks {
            *rank = self.rank(rank.0.3);
        }
        self.focal = ranks.into();
    }

    fn path_to(&self, number: u32) -> Arc<[Cell]> {
        let last = &self.nodes[number as usize];
        let mut path = vec![last.cell; last.tick as usize + 1];
        let mut at = number;
        for cell in path.iter_mut().rev() {
            *cell = self.nodes[at as usize].cell;
            at = self.nodes[at as usize].parent;
        }
        path.into()
    }

    /// Nominal bytes: 32 for each node, eight for each cell of the map, and those of the lists of
    /// what is to be expanded.
    pub fn held(&self) -> usize {
        let waiting = self.waiting.iter().map(Vec::len).sum::<usize>();
        32 * self.nodes.len() + 8 * self.cells.len() + 16 * self.focal.len() + 4 * waiting
    }

    /// Bytes this search holds.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.cells.capacity() * size_of::<(u32, u32)>()
            + self.focal.capacity() * size_of::<Rank>()
            + self.waiting.iter().map(|list| list.capacity() * size_of::<u32>()).sum::<usize>()
    }
}

/// The longest path that may be taken if the shortest one is at least so long.
fn reach(least: u32, weight: u32) -> u32 {
    (u64::from(least) * u64::from(weight) / 1000) as u32
}
