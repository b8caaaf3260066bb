//! The configurations that a search has found, in flat arrays.

use super::room::make_room;
use crate::grid::Cell;
use crate::tally::{self, Kind};

/// The number of a node, in the order in which they were found. The root is 0.
pub type NodeId = u32;

/// Stands for no node.
pub const NOBODY: NodeId = NodeId::MAX;

/// The root of a search.
pub const ROOT: NodeId = 0;

/// What is known about a configuration, beside its cells.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The configuration before this one, on the cheapest path found; `NOBODY` for the root.
    pub parent: NodeId,
    /// The cost of that path.
    pub g: u64,
    /// What it costs at least to go on to the goals.
    pub h: u64,
    hash: u64,
}

/// All nodes: for each the cells of the agents, and the order in which they choose.
#[derive(Clone, Debug)]
pub struct Nodes {
    agents: usize,
    list: Vec<Node>,
    cells: Vec<Cell>,
    orders: Vec<u32>,
    /// Open addressing: numbers of nodes by hash. Its length is a power of two, and at most half of it is in use.
    table: Vec<NodeId>,
}

impl Nodes {
    /// No configurations of this many agents.
    pub fn of(agents: usize) -> Self {
        let table = vec![NOBODY; 64];
        Self { agents, list: Vec::new(), cells: Vec::new(), orders: Vec::new(), table }
    }

    pub const fn len(&self) -> usize {
        self.list.len()
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.list[id as usize]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.list[id as usize]
    }

    /// What a plan through this node costs at least.
    pub fn f(&self, id: NodeId) -> u64 {
        let node = self.node(id);
        node.g.saturating_add(node.h)
    }

    /// The cell of every agent.
    pub fn cells(&self, id: NodeId) -> &[Cell] {
        &self.cells[self.row(id)]
    }

    /// The agents, in the order in which they choose.
    pub fn order(&self, id: NodeId) -> &[u32] {
        &self.orders[self.row(id)]
    }

    /// The node with these cells, if there is one.
    pub fn find(&self, cells: &[Cell]) -> Option<NodeId> {
        let hash = hash(cells);
        let mut at = hash as usize & self.mask();
        loop {
            match self.table[at] {
                NOBODY => return None,
                id if self.node(id).hash == hash && self.cells(id) == cells => return Some(id),
                _ => at = (at + 1) & self.mask(),
            }
        }
    }

    /// Adds a configuration that is not known yet.
    pub fn add(
        &mut self,
        cells: &[Cell],
        order: &[u32],
        (parent, g, h): (NodeId, u64, u64),
    ) -> NodeId {
        let (id, hash) = (self.list.len() as NodeId, hash(cells));
        self.list.push(Node { parent, g, h, hash });
        self.cells.extend_from_slice(cells);
        self.orders.extend_from_slice(order);
        debug_assert_eq!(self.orders.len(), self.cells.len());
        if self.list.len() * 2 > self.table.len() {
            self.grow();
        } else {
            self.enter(id);
        }
        id
    }

    /// The nodes from the root to a node.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let parent = |&id: &NodeId| Some(self.node(id).parent).filter(|&parent| parent != NOBODY);
        let mut path: Vec<NodeId> = std::iter::successors(Some(id), parent).collect();
        path.reverse();
        path
    }

    /// Turns the path from the root to a node round, so that this node becomes the root of the same tree.
    pub fn make_root(&mut self, id: NodeId) {
        let (mut at, mut parent) = (id, NOBODY);
        while at != NOBODY {
            let above = std::mem::replace(&mut self.node_mut(at).parent, parent);
            (at, parent) = (above, at);
        }
    }

    /// Forgets all configurations.
    pub fn clear(&mut self) {
        self.list.clear();
        self.cells.clear();
        self.orders.clear();
        self.table.fill(NOBODY);
    }

    /// Makes room for another node. Returns false if the memory is not there.
    pub fn make_room(&mut self) -> bool {
        make_room(&mut self.list, 1)
            && make_room(&mut self.cells, self.agents)
            && make_room(&mut self.orders, self.agents)
    }

    /// Nominal bytes: eight for each agent and node, and about forty more for each node.
    pub const fn held(&self) -> usize {
        32 * self.list.len() + 4 * (self.cells.len() + self.orders.len() + self.table.len())
    }

    /// Bytes this holds.
    pub const fn memory(&self) -> usize {
        self.list.capacity() * size_of::<Node>()
            + self.cells.capacity() * size_of::<Cell>()
            + (self.orders.capacity() + self.table.capacity()) * size_of::<u32>()
    }

    fn grow(&mut self) {
        let length = self.table.len() * 2;
        self.table.clear();
        self.table.resize(length, NOBODY);
        (0..self.list.len() as NodeId).for_each(|id| self.enter(id));
    }

    fn enter(&mut self, id: NodeId) {
        let mut at = self.node(id).hash as usize & self.mask();
        while self.table[at] != NOBODY {
            at = (at + 1) & self.mask();
        }
        self.table[at] = id;
    }

    const fn mask(&self) -> usize {
        self.table.len() - 1
    }

    const fn row(&self, id: NodeId) -> std::ops::Range<usize> {
        let begin = id as usize * self.agents;
        begin..begin + self.agents
    }
}

/// A hash of the cells of all agents: one multiplication for two of them.
fn hash(cells: &[Cell]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    tally::note(Kind::Vertex, cells.len());
    let mix = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    let (pairs, rest) = cells.as_chunks::<2>();
    let word = |&[a, b]: &[Cell; 2]| (a.index() as u64) << 32 | b.index() as u64;
    let hash = pairs.iter().map(word).fold(FACTOR, mix);
    let hash = rest.iter().fold(hash, |hash, cell| mix(hash, cell.index() as u64));
    // The low bits choose the place in the table, and a product leaves them the least mixed.
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_configuration_is_found_again_and_no_other() {
        let mut nodes = Nodes::of(3);
        let cells =
            |number: usize| [number % 7, 7 + number % 11, 20 + number % 13].map(Cell::from_index);
        for number in 0..1001 {
            assert_eq!(nodes.find(&cells(number)), None);
            let id = nodes.add(&cells(number), &[0, 1, 2], (NOBODY, 0, 0));
            assert_eq!(id, number as NodeId);
        }
        for number in 0..1001 {
            assert_eq!(nodes.find(&cells(number)), Some(number as NodeId));
            assert_eq!(nodes.cells(number as NodeId), cells(number));
            assert_eq!(nodes.order(number as NodeId), [0, 1, 2]);
        }
        let [a, b, c] = cells(5);
        assert_eq!(nodes.find(&[b, a, c]), None, "agents are told apart");
        nodes.clear();
        assert_eq!((nodes.find(&cells(5)), nodes.len()), (None, 0));
    }

    #[test]
    fn any_node_can_become_the_root_of_the_tree() {
        let mut nodes = Nodes::of(1);
        // 0 - 1 - 2 - 3 and 1 - 4.
        for (number, parent) in [NOBODY, 0, 1, 2, 1].into_iter().enumerate() {
            nodes.add(&[Cell::from_index(number)], &[0], (parent, 0, 0));
        }
        nodes.make_root(3);
        assert_eq!(nodes.path(0), [3, 2, 1, 0]);
        assert_eq!(nodes.path(4), [3, 2, 1, 4]);
        nodes.make_root(4);
        assert_eq!(nodes.path(3), [4, 1, 2, 3]);
        assert_eq!(nodes.path(0), [4, 1, 0]);
    }
}
