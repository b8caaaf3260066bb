//! The steps between configurations that LaCAM\* has found, and the cheapest paths over them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::nodes::{NOBODY, NodeId, Nodes};
use super::room::make_room;

/// The steps that were found, in one array: a list for each node.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    list: Vec<Edge>,
    /// The edge of each node that was added last.
    last: Vec<u32>,
    /// The nodes whose paths have become cheaper, the cheapest first.
    cheaper: BinaryHeap<Reverse<(u64, NodeId)>>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: NodeId,
    cost: u32,
    /// The edge of the same node that was added before.
    before: u32,
}

impl Edges {
    /// Forgets all steps.
    pub fn clear(&mut self) {
        self.list.clear();
        self.last.clear();
        self.cheaper.clear();
    }

    /// Adds a step between two nodes, unless it is known.
    pub fn add(&mut self, from: NodeId, to: NodeId, cost: u32) {
        if self.of(from).any(|edge| edge.to == to) {
            return;
        }
        if self.last.len() <= from as usize {
            self.last.resize(from as usize + 1, NOBODY);
        }
        let before = std::mem::replace(&mut self.last[from as usize], self.list.len() as u32);
        self.list.push(Edge { to, cost, before });
    }

    /// Finds the cheapest paths again after a step from a node was added, by Dijkstra's algorithm. `tell` is told of every node
    /// whose path has become cheaper, perhaps several times.
    pub fn relax(&mut self, nodes: &mut Nodes, from: NodeId, mut tell: impl FnMut(&Nodes, NodeId)) {
        self.cheaper.push(Reverse((nodes.node(from).g, from)));
        while let Some(Reverse((g, from))) = self.cheaper.pop() {
            if nodes.node(from).g < g {
                continue;
            }
            let mut at = self.last.get(from as usize).copied().unwrap_or(NOBODY);
            while let Some(&Edge { to, cost, before }) = self.list.get(at as usize) {
                let g = g + u64::from(cost);
                if g < nodes.node(to).g {
                    let node = nodes.node_mut(to);
                    (node.g, node.parent) = (g, from);
                    self.cheaper.push(Reverse((g, to)));
                    tell(nodes, to);
                }
                at = before;
            }
        }
    }

    /// Makes room for another step. Returns false if the memory is not there.
    pub fn make_room(&mut self) -> bool {
        make_room(&mut self.list, 1)
    }

    /// Nominal bytes: twelve for each step, and four for each node.
    pub const fn held(&self) -> usize {
        12 * self.list.len() + 4 * self.last.len()
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.list.capacity() * size_of::<Edge>()
            + self.last.capacity() * size_of::<u32>()
            + self.cheaper.capacity() * size_of::<Reverse<(u64, NodeId)>>()
    }

    fn of(&self, from: NodeId) -> impl Iterator<Item = &Edge> {
        let first = self.last.get(from as usize).and_then(|&at| self.list.get(at as usize));
        std::iter::successors(first, |edge| self.list.get(edge.before as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Cell;

    #[test]
    fn a_cheaper_path_reaches_everything_behind_it() {
        let mut nodes = Nodes::of(1);
        for (number, g) in [0, 9, 10, 11].into_iter().enumerate() {
            let parent = if number == 0 { NOBODY } else { number as NodeId - 1 };
            nodes.add(&[Cell::from_index(number)], &[0], (parent, g, 0));
        }
        let mut edges = Edges::default();
        for (from, to, cost) in [(0, 1, 9), (1, 2, 1), (2, 3, 1), (3, 0, 1), (0, 2, 4), (0, 2, 4)] {
            edges.add(from, to, cost);
        }
        let mut told = Vec::new();
        edges.relax(&mut nodes, 0, |_, node| told.push(node));
        assert_eq!(told, [2, 3]);
        assert_eq!([0, 1, 2, 3].map(|id| nodes.node(id).g), [0, 9, 4, 5]);
        assert_eq!(nodes.path(3), [0, 2, 3]);
        assert_eq!(edges.list.len(), 5, "a step is added once");
    }
}
