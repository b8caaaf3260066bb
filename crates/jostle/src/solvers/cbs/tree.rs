//! The conflict tree. A node holds only what differs from its parent: one agent's path and one constraint.

use std::sync::Arc;

use super::clash::Clash;
use super::constraint::Constraint;
use crate::grid::Cell;

/// The number of a node.
pub type NodeId = u32;

/// Stands for no agent: the root has paths for all.
const ALL: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub struct Node {
    parent: NodeId,
    /// The agent with a new path.
    agent: u32,
    /// What that agent must not do any more; none if only its path is another one.
    constraint: Option<Constraint>,
    path: Arc<[Cell]>,
    /// The conflicts of that agent, or of all agents in the root.
    clashes: Box<[Clash]>,
    /// The cost of the paths of all agents.
    pub cost: u64,
    /// How many conflicts all agents have.
    pub conflicts: u32,
    /// Whether there is only one cell for the agent at each tick, once it was asked for.
    singles: Option<Arc<[bool]>>,
}

impl Node {
    /// A node in which one agent has a new path.
    pub fn new(
        parent: NodeId,
        agent: usize,
        constraint: Option<Constraint>,
        path: Arc<[Cell]>,
        clashes: Vec<Clash>,
        (cost, conflicts): (u64, u32),
    ) -> Self {
        let clashes = clashes.into();
        let agent = agent as u32;
        Self { parent, agent, constraint, path, clashes, cost, conflicts, singles: None }
    }
}

/// All nodes so far.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    root_paths: Vec<Arc<[Cell]>>,
    root_singles: Vec<Option<Arc<[bool]>>>,
    bytes: usize,
}

impl Tree {
    /// Begins again, with these paths and their conflicts.
    pub fn begin(&mut self, paths: Vec<Arc<[Cell]>>, clashes: Vec<Clash>, cost: u64) {
        self.nodes.clear();
        self.bytes = 0;
        let conflicts = clashes.len() as u32;
        let root = Node::new(0, ALL as usize, None, Arc::new([]), clashes, (cost, conflicts));
        self.root_singles = vec![None; paths.len()];
        self.root_paths = paths;
        self.push(root);
    }

    pub fn push(&mut self, node: Node) -> NodeId {
        self.bytes += size_of::<Node>() + size_of_val(&*node.path) + size_of_val(&*node.clashes);
        self.nodes.push(node);
        self.nodes.len() as NodeId - 1
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Bytes that the nodes hold.
    pub const fn memory(&self) -> usize {
        self.bytes
    }

    /// A node and its ancestors but the root, from the node up.
    fn line(&self, id: NodeId) -> impl Iterator<Item = (NodeId, &Node)> {
        let step = |id: NodeId| (id != 0).then(|| (id, self.node(id)));
        std::iter::successors(step(id), move |(_, node)| step(node.parent))
    }

    /// The path of every agent.
    pub fn paths(&self, id: NodeId, paths: &mut Vec<Arc<[Cell]>>) {
        paths.clear();
        paths.extend(self.root_paths.iter().cloned());
        let mut is_known = vec![false; paths.len()];
        for (_, node) in self.line(id) {
            let agent = node.agent as usize;
            if !std::mem::replace(&mut is_known[agent], true) {
                paths[agent] = Arc::clone(&node.path);
            }
        }
    }

    /// All conflicts between the paths of a node.
    pub fn clashes(&self, id: NodeId, clashes: &mut Vec<Clash>) {
        clashes.clear();
        let mut is_newer = vec![false; self.root_paths.len()];
        let are_older = |clash: &&Clash, is_newer: &[bool]| {
            clash.agents.iter().all(|&agent| !is_newer[agent as usize])
        };
        for (_, node) in self.line(id) {
            // Conflicts of a path that was replaced further down, or with one, are no more.
            clashes.extend(node.clashes.iter().filter(|clash| are_older(clash, &is_newer)));
            is_newer[node.agent as usize] = true;
        }
        let root = self.node(0).clashes.iter();
        clashes.extend(root.filter(|clash| are_older(clash, &is_newer)));
    }

    /// The constraints of an agent.
    pub fn constraints(&self, id: NodeId, agent: usize) -> impl Iterator<Item = Constraint> {
        let line = self.line(id);
        line.filter(move |(_, node)| node.agent as usize == agent)
            .filter_map(|(_, node)| node.constraint)
    }

    /// The node from which the path of an agent comes.
    pub fn origin(&self, id: NodeId, agent: usize) -> NodeId {
        self.line(id).find(|(_, node)| node.agent as usize == agent).map_or(0, |(id, _)| id)
    }

    /// At which ticks there is only one cell for an agent, if that is known where its path comes from.
    pub fn singles(&mut self, origin: NodeId, agent: usize) -> &mut Option<Arc<[bool]>> {
        match origin {
            0 => &mut self.root_singles[agent],
            id => &mut self.nodes[id as usize].singles,
        }
    }
}
