//! Which agents can change places: the decomposition into subproblems.
//!
//! With `m` free vertices, agents change places around *cores*: blocks (biconnected parts with a cycle) and junctions (vertices
//! with three or more neighbours outside of blocks). Cores that are joined by an isthmus, a path of `k` vertices with two
//! neighbours each, are one subproblem if an agent can cross it and be exchanged on both sides. To be exchanged at
//! a junction, an agent that comes to it needs two free vertices before it, the junction and one behind it. To be exchanged in a block,
//! it needs one, because a ring of the block can turn with an agent on every vertex. An agent on the isthmus has the needed ones
//! on one side, and keeps the needed ones for the other side when it has crossed: with needs `a` and `b`, `a + b + k - 1 <= m`.
//!
//! An agent outside of a subproblem belongs to it if it can enter: if it goes to the last vertex before the subproblem with
//! everybody behind it staying behind it, enough free vertices are before it. All agents of a subproblem can be permuted at
//! will if `m` is at least 2 and the graph is not a ring; nobody else ever changes places with anybody.
//!
//! Facts: Kornhauser, Miller and Spirakis (1984); de Wilde, ter Mors and Witteveen (2014). Departure: in those papers one
//! agent moves at a time, and a block needs two free vertices like a junction. Here full rings turn (Yu and Rus 2014), which joins
//! more agents.

use super::board::NONE;
use super::graph::Graph;

/// The subproblems of a graph with some vertices taken.
#[derive(Clone, Debug)]
pub struct Classes {
    /// For each vertex, the least vertex of the subproblem that the agent on it belongs to, or `NONE`.
    labels: Vec<u32>,
    /// For each vertex, the least vertex of the subproblem that it is part of whoever stands on it, or `NONE`.
    places: Vec<u32>,
    has_blocks: bool,
}

impl Classes {
    /// The name of the subproblem of the agent on a taken vertex. An agent in none of them has a name to itself.
    pub fn of_agent_on(&self, vertex: u32) -> u32 {
        match self.labels[vertex as usize] {
            NONE => self.labels.len() as u32 + vertex,
            label => label,
        }
    }

    /// The vertices of the subproblem with this name; empty for an agent in none.
    pub fn vertices(&self, label: u32) -> Vec<u32> {
        let is_part = |&vertex: &u32| self.places[vertex as usize] == label;
        (0..self.places.len() as u32).filter(is_part).collect()
    }

    /// Whether the graph has a cycle.
    pub const fn has_blocks(&self) -> bool {
        self.has_blocks
    }

    /// The subproblems of a connected graph.
    pub fn of(graph: &Graph, is_taken: &[bool]) -> Self {
        let blocks = Blocks::of(graph, is_taken);
        let free = blocks.free;
        let mut sets = blocks.sets.clone();
        let mut walk = Vec::new();
        for vertex in graph.vertices() {
            if !blocks.is_core(graph, vertex) {
                continue;
            }
            for &near in graph.near(vertex) {
                // Inside a block there is no isthmus.
                if !blocks.is_bridge(vertex, near) {
                    continue;
                }
                let end = blocks.follow(graph, vertex, near, &mut walk);
                if let Some(end) = end
                    && blocks.needed(vertex) + blocks.needed(end) + walk.len() as u32 <= free + 1
                {
                    sets.join(vertex, end);
                    for &part in &walk {
                        sets.join(vertex, part);
                    }
                }
            }
        }
        let mut classes = Self {
            labels: vec![NONE; graph.len()],
            places: vec![NONE; graph.len()],
            has_blocks: blocks.in_block.contains(&true),
        };
        let mut is_joined = vec![false; graph.len()];
        for vertex in graph.vertices() {
            let root = sets.root(vertex);
            is_joined[root as usize] |= root != vertex || blocks.is_core(graph, vertex);
        }
        for vertex in graph.vertices() {
            let root = sets.root(vertex);
            if is_joined[root as usize] {
                classes.places[vertex as usize] = root;
                classes.label_inside(graph, &blocks, &mut sets, (vertex, root), is_taken);
            }
        }
        for vertex in graph.vertices() {
            let place = classes.places[vertex as usize];
            for &near in graph.near(vertex) {
                if place != NONE && classes.places[near as usize] != place {
                    classes.label_branch(graph, &blocks, (vertex, near), is_taken);
                }
            }
        }
        classes
    }

    /// The agent on a vertex of a subproblem belongs to it, except on a junction if all free vertices are on one branch that leads
    /// away: then it only makes way.
    fn label_inside(
        &mut self,
        graph: &Graph,
        blocks: &Blocks,
        sets: &mut Sets,
        (vertex, root): (u32, u32),
        is_taken: &[bool],
    ) {
        let leads_away = |sets: &mut Sets, near| sets.root(near) != root;
        let makes_way = !blocks.is_in_block(vertex)
            && blocks.is_core(graph, vertex)
            && graph.near(vertex).iter().any(|&near| {
                leads_away(sets, near) && blocks.free_behind(vertex, near) == blocks.free
            });
        if is_taken[vertex as usize] && !makes_way {
            self.labels[vertex as usize] = root;
        }
    }

    /// The agents on a branch that can enter the subproblem.
    fn label_branch(
        &mut self,
        graph: &Graph,
        blocks: &Blocks,
        (vertex, near): (u32, u32),
        is_taken: &[bool],
    ) {
        let needed = blocks.needed(vertex);
        let (mut before, mut now) = (vertex, near);
        for distance in 0.. {
            let free_before = blocks.free - blocks.free_behind(before, now);
            if free_before < needed + distance && is_taken[now as usize] {
                return;
            }
            if is_taken[now as usize] {
                self.labels[now as usize] = self.places[vertex as usize];
            }
            if blocks.is_core(graph, now) || distance > blocks.free {
                return;
            }
            let Some(&next) = graph.near(now).iter().find(|&&next| next != before) else { return };
            (before, now) = (now, next);
        }
    }
}

/// The blocks of a graph, and what lies behind its bridges.
struct Blocks {
    in_block: Vec<bool>,
    /// The vertices of each block, and of blocks that share a vertex, are one set.
    sets: Sets,
    parent: Vec<u32>,
    /// Whether the edge to the parent is a bridge.
    hangs: Vec<bool>,
    /// The free vertices of the subtree below each vertex, itself included.
    free_below: Vec<u32>,
    free: u32,
}

impl Blocks {
    /// Depth-first search with low points (Hopcroft and Tarjan 1973), without recursion. An edge is a bridge if
    /// nothing below it leads back above it; all that is not separated by bridges has a cycle.
    fn of(graph: &Graph, is_taken: &[bool]) -> Self {
        let count = graph.len();
        let (mut number, mut low) = (vec![NONE; count], vec![NONE; count]);
        let mut blocks = Self {
            in_block: vec![false; count],
            sets: Sets::new(count),
            parent: vec![NONE; count],
            hangs: vec![false; count],
            free_below: is_taken.iter().map(|&is_taken| u32::from(!is_taken)).collect(),
            free: 0,
        };
        let mut stack: Vec<(u32, usize)> = vec![(0, 0)];
        let mut last = 0;
        (number[0], low[0]) = (0, 0);
        while let Some((vertex, index)) = stack.last_mut() {
            let from = *vertex;
            let Some(&near) = graph.near(from).get(*index) else {
                stack.pop();
                let above = blocks.parent[from as usize];
                if above != NONE {
                    low[above as usize] = low[above as usize].min(low[from as usize]);
                    blocks.free_below[above as usize] += blocks.free_below[from as usize];
                    blocks.hangs[from as usize] = low[from as usize] > number[above as usize];
                }
                continue;
            };
            *index += 1;
            if number[near as usize] == NONE {
                last += 1;
                (number[near as usize], low[near as usize]) = (last, last);
                blocks.parent[near as usize] = from;
                stack.push((near, 0));
            } else if near != blocks.parent[from as usize] {
                low[from as usize] = low[from as usize].min(number[near as usize]);
            }
        }
        for vertex in graph.vertices() {
            for &near in graph.near(vertex) {
                if !blocks.is_bridge(vertex, near) {
                    blocks.in_block[vertex as usize] = true;
                    blocks.sets.join(vertex, near);
                }
            }
        }
        blocks.free = blocks.free_below[0];
        blocks
    }

    fn is_in_block(&self, vertex: u32) -> bool {
        self.in_block[vertex as usize]
    }

    fn is_core(&self, graph: &Graph, vertex: u32) -> bool {
        self.is_in_block(vertex) || graph.degree(vertex) > 2
    }

    /// How many free vertices an agent that comes to a core needs before it to be exchanged there.
    fn needed(&self, core: u32) -> u32 {
        if self.is_in_block(core) { 1 } else { 2 }
    }

    fn is_bridge(&self, one: u32, other: u32) -> bool {
        self.parent[one as usize] == other && self.hangs[one as usize]
            || self.parent[other as usize] == one && self.hangs[other as usize]
    }

    /// The free vertices behind a bridge: those that are reached from `from` only through `to`.
    fn free_behind(&self, from: u32, to: u32) -> u32 {
        if self.parent[to as usize] == from {
            self.free_below[to as usize]
        } else {
            self.free - self.free_below[from as usize]
        }
    }

    /// Follows a bridge from a core to the next one, and collects the vertices between; `None` at a dead end.
    fn follow(&self, graph: &Graph, from: u32, to: u32, walk: &mut Vec<u32>) -> Option<u32> {
        walk.clear();
        let (mut before, mut now) = (from, to);
        while !self.is_core(graph, now) {
            walk.push(now);
            let &next = graph.near(now).iter().find(|&&next| next != before)?;
            (before, now) = (now, next);
        }
        Some(now)
    }
}

/// Disjoint sets of vertices, each named after its least one.
#[derive(Clone, Debug)]
struct Sets {
    parent: Vec<u32>,
}

impl Sets {
    fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect() }
    }

    fn root(&mut self, mut vertex: u32) -> u32 {
        while self.parent[vertex as usize] != vertex {
            let above = self.parent[self.parent[vertex as usize] as usize];
            self.parent[vertex as usize] = above;
            vertex = above;
        }
        vertex
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        self.parent[one.max(other) as usize] = one.min(other);
    }
}

#[cfg(test)]
#[path = "classes_test.rs"]
mod tests;
