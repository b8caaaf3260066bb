//! The shortest path of one agent under its constraints.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::constraint::Constraints;
use super::traffic::Traffic;
use crate::grid::{Cell, Exits, Grid};
use crate::search::{Budget, Keyed, Verdict};
use crate::solvers::Distances;

/// An agent and where it goes.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub agent: usize,
    pub start: Cell,
    pub goal: Cell,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    cell: Cell,
    tick: u32,
    parent: u32,
    /// The conflicts with other agents on the path to here.
    conflicts: u32,
    is_closed: bool,
}

/// What a node is sorted by: the length of a path through it, its conflicts, and the largest tick first; and its number.
type Rank = Reverse<(u32, u32, Reverse<u32>, u32)>;

/// A\* over cells and ticks with exact distances. Among the shortest paths it prefers those with fewer conflicts with the
/// paths of other agents. Its lists are kept from one search to the next.
#[derive(Clone, Debug, Default)]
pub struct Routes {
    nodes: Vec<Node>,
    numbers: Keyed<u32>,
    open: BinaryHeap<Rank>,
}

impl Routes {
    /// The cells of the path, tick by tick, until the agent is on its goal for good.
    pub fn find(
        &mut self,
        grid: &Grid,
        task: Task,
        distances: &Distances,
        constraints: &Constraints,
        traffic: &Traffic,
        budget: &mut Budget<'_>,
    ) -> Verdict<Arc<[Cell]>> {
        self.nodes.clear();
        self.numbers.clear();
        self.open.clear();
        budget.count_search();
        let Some(distance) = distances.get(task.agent, task.start) else { return Verdict::Nothing };
        let first = Node { cell: task.start, tick: 0, parent: 0, conflicts: 0, is_closed: false };
        if constraints.allow(task.start, None, task.start, 0) {
            self.push(first, distance.max(constraints.stays_from));
        }
        while let Some(Reverse((_, conflicts, _, number))) = self.open.pop() {
            let node = self.nodes[number as usize];
            if node.is_closed || node.conflicts != conflicts {
                continue;
            }
            if node.cell == task.goal && node.tick >= constraints.stays_from {
                return Verdict::Found(self.path_to(number));
            }
            if budget.slice(|| self.memory()) == 0 {
                return Verdict::OutOfBudget;
            }
            budget.spend(1);
            self.nodes[number as usize].is_closed = true;
            let steps = grid.exits(node.cell).into_iter().map(Some).chain([None]);
            for direction in steps {
                let cell = direction.map_or(node.cell, |step| grid.beside(node.cell, step));
                let tick = node.tick + 1;
                if !constraints.allow(node.cell, direction, cell, tick) {
                    continue;
                }
                let Some(distance) = distances.get(task.agent, cell) else { continue };
                let more = traffic.conflicts(grid, node.cell, direction, cell, tick);
                let next = Node {
                    cell,
                    tick,
                    parent: number,
                    conflicts: node.conflicts + more,
                    is_closed: false,
                };
                self.push(next, (tick + distance).max(constraints.stays_from));
            }
        }
        Verdict::Nothing
    }

    /// Adds a node, or improves the one at the same place and tick. `f` is the least length of a path through it.
    fn push(&mut self, node: Node, f: u32) {
        let key = u64::from(node.tick) << 32 | node.cell.index() as u64;
        let number = self.numbers.get(key).unwrap_or(self.nodes.len() as u32);
        if let Some(before) = self.nodes.get_mut(number as usize) {
            if before.is_closed || before.conflicts <= node.conflicts {
                return;
            }
            *before = node;
        } else {
            self.nodes.push(node);
            self.numbers.insert(key, number);
        }
        self.open.push(Reverse((f, node.conflicts, Reverse(node.tick), number)));
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

    /// Bytes this search holds.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.numbers.memory()
            + self.open.capacity() * size_of::<Rank>()
    }
}
