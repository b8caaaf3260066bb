//! The nodes of the conflict tree. A node holds only what differs from its parent: one agent's path and one constraint.

use std::sync::Arc;

use super::clash::Clash;
use super::constraint::Constraint;
use crate::grid::Cell;

/// The number of a node.
pub type NodeId = u32;

/// Stands for no agent: a root has paths for all.
const ALL: u32 = u32::MAX;

/// The nominal bytes of a node, of a path of a root, and of what these contain: a cell and a
/// conflict.
const NODE: usize = 136;
const PATH_OF_ROOT: usize = 56;
const CELL: usize = 4;
const CLASH: usize = 12;

#[derive(Clone, Debug)]
pub struct Node {
    /// The parent; of a root, the number of the root.
    parent: NodeId,
    /// The agent with a new path.
    agent: u32,
    /// What that agent must not do any more; none if only its path is another one.
    constraint: Option<Constraint>,
    path: Arc<[Cell]>,
    /// No path of that agent is shorter.
    shortest: u32,
    /// How many conflicts all agents have.
    pub conflicts: u32,
    /// The conflicts of that agent, or of all agents in a root.
    clashes: Box<[Clash]>,
    /// Whether there is only one cell for the agent at each tick, once it was asked for.
    singles: Option<Arc<[bool]>>,
    /// The cost of the paths of all agents.
    pub cost: u64,
    /// No plan that keeps the constraints of this node costs less.
    pub bound: u64,
}

impl Node {
    /// A node in which one agent has a new path. No path of the agent is shorter than `shortest`.
    pub fn new(
        parent: NodeId,
        (agent, constraint): (usize, Option<Constraint>),
        (path, shortest): (Arc<[Cell]>, u32),
        (clashes, conflicts): (Vec<Clash>, u32),
        (cost, bound): (u64, u64),
    ) -> Self {
        Self {
            parent,
            agent: agent as u32,
            constraint,
            path,
            shortest,
            conflicts,
            clashes: clashes.into(),
            singles: None,
            cost,
            bound,
        }
    }
}

impl Node {
    /// Raises the bound if all plans below cost at least so much more than the paths. Whether it is higher now.
    pub fn raise_bound(&mut self, more: u64) -> bool {
        let least = self.cost + more;
        let is_higher = least > self.bound;
        self.bound = self.bound.max(least);
        is_higher
    }
}

/// What a root has for each agent.
#[derive(Clone, Debug)]
struct Root {
    path: Arc<[Cell]>,
    shortest: u32,
    singles: Option<Arc<[bool]>>,
}

/// All nodes so far. There may be several roots.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    roots: Vec<Vec<Root>>,
    /// How many paths the roots have, all together.
    paths: usize,
    /// Nominal bytes of paths, conflicts and constraints. They never grow, so that they take no
    /// more.
    contents: usize,
}

impl Tree {
    /// Adds a root with these paths, and how short they could be at best, and their conflicts.
    pub fn plant(
        &mut self,
        paths: &[Arc<[Cell]>],
        shortest: &[u32],
        clashes: Vec<Clash>,
        (cost, bound): (u64, u64),
    ) -> NodeId {
        let root = |(path, &shortest): (&Arc<[Cell]>, &u32)| Root {
            path: Arc::clone(path),
            shortest,
            singles: None,
        };
        let number = self.roots.len() as u32;
        self.roots.push(paths.iter().zip(shortest).map(root).collect());
        self.paths += paths.len();
        self.contents += CELL * paths.iter().map(|path| path.len()).sum::<usize>();
        let conflicts = clashes.len() as u32;
        let none: (Arc<[Cell]>, u32) = (Arc::new([]), 0);
        let all = (ALL as usize, None);
        self.push(Node::new(number, all, none, (clashes, conflicts), (cost, bound)))
    }

    pub fn push(&mut self, node: Node) -> NodeId {
        self.contents += CELL * node.path.len() + CLASH * node.clashes.len();
        self.contents += node.constraint.as_ref().map_or(0, Constraint::held);
        self.nodes.push(node);
        self.nodes.len() as NodeId - 1
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Nominal bytes: those of the nodes and of the paths of roots, and of what they contain.
    pub const fn held(&self) -> usize {
        NODE * self.nodes.len() + PATH_OF_ROOT * self.paths + self.contents
    }

    /// Bytes that the nodes hold.
    pub const fn memory(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.paths * size_of::<Root>() + self.contents
    }

    /// A node and its ancestors but the root, from the node up.
    fn line(&self, id: NodeId) -> impl Iterator<Item = (NodeId, &Node)> {
        let step = |id: NodeId| Some((id, self.node(id))).filter(|(_, node)| node.agent != ALL);
        std::iter::successors(step(id), move |(_, node)| step(node.parent))
    }

    /// The root above a node.
    pub fn root_of(&self, id: NodeId) -> NodeId {
        self.line(id).last().map_or(id, |(_, node)| node.parent)
    }

    fn root(&self, id: NodeId) -> &[Root] {
        &self.roots[self.node(self.root_of(id)).parent as usize]
    }

    /// The path of every agent.
    pub fn paths(&self, id: NodeId, paths: &mut Vec<Arc<[Cell]>>) {
        paths.clear();
        paths.extend(self.root(id).iter().map(|root| Arc::clone(&root.path)));
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
        let root = self.root_of(id);
        let agents = self.roots[self.node(root).parent as usize].len();
        let mut is_newer = vec![false; agents];
        let are_older = |clash: &&Clash, is_newer: &[bool]| {
            clash.agents.iter().all(|&agent| !is_newer[agent as usize])
        };
        for (_, node) in self.line(id) {
            // Conflicts of a path that was replaced further down, or with one, are no more.
            clashes.extend(node.clashes.iter().filter(|clash| are_older(clash, &is_newer)));
            is_newer[node.agent as usize] = true;
        }
        let root = self.node(root).clashes.iter();
        clashes.extend(root.filter(|clash| are_older(clash, &is_newer)));
    }

    /// The constraints of an agent.
    pub fn constraints(&self, id: NodeId, agent: usize) -> impl Iterator<Item = &Constraint> {
        let line = self.line(id);
        line.filter(move |(_, node)| node.agent as usize == agent)
            .filter_map(|(_, node)| node.constraint.as_ref())
    }

    /// The node from which the path of an agent comes.
    pub fn origin(&self, id: NodeId, agent: usize) -> NodeId {
        let own = self.line(id).find(|(_, node)| node.agent as usize == agent);
        own.map_or_else(|| self.root_of(id), |(id, _)| id)
    }

    /// No path of an agent is shorter than this.
    pub fn shortest(&self, id: NodeId, agent: usize) -> u32 {
        let own = self.line(id).find(|(_, node)| node.agent as usize == agent);
        own.map_or_else(|| self.root(id)[agent].shortest, |(_, node)| node.shortest)
    }

    /// At which ticks there is only one cell for an agent, if that is known where its path comes from.
    pub fn singles(&self, origin: NodeId, agent: usize) -> Option<Arc<[bool]>> {
        let node = self.node(origin);
        match node.agent {
            ALL => self.roots[node.parent as usize][agent].singles.clone(),
            _ => node.singles.clone(),
        }
    }

    pub fn set_singles(&mut self, origin: NodeId, agent: usize, singles: Arc<[bool]>) {
        self.contents += singles.len();
        let node = &mut self.nodes[origin as usize];
        match node.agent {
            ALL => self.roots[node.parent as usize][agent].singles = Some(singles),
            _ => node.singles = Some(singles),
        }
    }
}
