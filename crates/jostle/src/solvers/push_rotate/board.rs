//! Who stands where, and the record of all moves.
//!
//! Every operation of the solver is made of three primitives: an agent steps to a free vertex, the agents on a ring without
//! a free vertex all go one on, and a part of the record is undone or played backwards. The record is the plan.

use super::graph::Graph;
use crate::tally::{self, Kind};

/// Stands for no agent or no vertex in flat arrays.
pub const NONE: u32 = u32::MAX;

/// One agent goes from one vertex to a neighbouring one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    pub agent: u32,
    pub from: u32,
    pub to: u32,
    /// The next move of the record happens at the same time: both belong to the turn of a ring.
    pub is_joined: bool,
}

/// The agents on a graph.
#[derive(Clone, Debug)]
pub struct Board {
    pub graph: Graph,
    /// The agent on each vertex.
    at: Vec<u32>,
    /// The vertex of each agent.
    position: Vec<u32>,
    /// Agents on these vertices have arrived and are not pushed.
    pub is_kept: Vec<bool>,
    pub record: Vec<Move>,
    /// Vertices that searches have looked at, and moves that were made.
    pub work: u64,
    /// The round of the search that has reached each vertex last.
    reached: Vec<u32>,
    round: u32,
    parent: Vec<u32>,
    queue: Vec<u32>,
    /// The path that the last search has found, in the order in which it is walked.
    pub path: Vec<u32>,
}

impl Board {
    /// Agents on their vertices.
    pub fn new(graph: Graph, position: Vec<u32>) -> Self {
        let count = graph.len();
        let mut at = vec![NONE; count];
        for (agent, &vertex) in position.iter().enumerate() {
            at[vertex as usize] = agent as u32;
        }
        Self {
            graph,
            at,
            position,
            is_kept: vec![false; count],
            record: Vec::new(),
            work: 0,
            reached: vec![0; count],
            round: 0,
            parent: vec![NONE; count],
            queue: Vec::new(),
            path: Vec::new(),
        }
    }

    /// The agent on a vertex, or `NONE`.
    pub fn at(&self, vertex: u32) -> u32 {
        tally::note(Kind::Vertex, 1);
        self.at[vertex as usize]
    }

    /// Whether nobody is on a vertex.
    pub fn is_free(&self, vertex: u32) -> bool {
        self.at(vertex) == NONE
    }

    /// Where an agent is.
    pub fn position(&self, agent: u32) -> u32 {
        self.position[agent as usize]
    }

    /// Where all agents are.
    pub fn positions(&self) -> &[u32] {
        &self.position
    }

    /// The number of free vertices.
    pub fn free(&self) -> usize {
        self.at.len() - self.position.len()
    }

    /// For each vertex, whether somebody is on it.
    pub fn occupied(&self) -> Vec<bool> {
        self.at.iter().map(|&agent| agent != NONE).collect()
    }

    /// An agent steps to a free neighbouring vertex.
    pub fn step(&mut self, agent: u32, to: u32) {
        let from = self.position(agent);
        debug_assert!(self.is_free(to), "vertex {to} is taken");
        debug_assert!(self.graph.near(from).contains(&to), "{from} and {to} are not neighbours");
        self.place(agent, from, to);
        self.record.push(Move { agent, from, to, is_joined: false });
        self.work += 1;
    }

    fn place(&mut self, agent: u32, from: u32, to: u32) {
        // On a ring that turns, another agent may have come to `from` already.
        if self.at[from as usize] == agent {
            self.at[from as usize] = NONE;
        }
        self.at[to as usize] = agent;
        self.position[agent as usize] = to;
    }

    /// All agents of a ring, on which no vertex is free, go to the next vertex at the same time.
    pub fn turn(&mut self, ring: &[u32]) {
        let agents: Vec<u32> = ring.iter().map(|&vertex| self.at(vertex)).collect();
        for (index, (&agent, &from)) in agents.iter().zip(ring).enumerate() {
            let to = ring[(index + 1) % ring.len()];
            self.place(agent, from, to);
            let is_joined = index + 1 < ring.len();
            self.record.push(Move { agent, from, to, is_joined });
        }
        self.work += ring.len() as u64;
    }

    /// Undoes and forgets all moves after the first `length` of the record.
    pub fn undo(&mut self, length: usize) {
        self.work += (self.record.len() - length) as u64;
        while self.record.len() > length {
            if let Some(Move { agent, from, to, .. }) = self.record.pop() {
                self.place(agent, to, from);
            }
        }
    }

    /// Plays a part of the record backwards, with the roles of two agents exchanged: each now stands where the other one did
    /// at the end of that part.
    pub fn play_back(&mut self, part: std::ops::Range<usize>, one: u32, other: u32) {
        self.work += part.len() as u64;
        for index in part.rev() {
            let Move { agent, from, to, .. } = self.record[index];
            let agent = match agent {
                agent if agent == one => other,
                agent if agent == other => one,
                agent => agent,
            };
            self.place(agent, to, from);
            // The moves of a turn keep together, in the other order.
            let is_joined = index > 0 && self.record[index - 1].is_joined;
            self.record.push(Move { agent, from: to, to: from, is_joined });
        }
    }

    /// Finds a shortest path from a vertex to the nearest one that is a goal, without those that are closed, and leaves
    /// it in `path`. The first vertex is neither tested as a goal nor as closed.
    pub fn find(
        &mut self,
        from: u32,
        is_goal: impl Fn(&Self, u32) -> bool,
        is_closed: impl Fn(&Self, u32) -> bool,
    ) -> bool {
        self.begin_search(from);
        let mut next = 0;
        while let Some(&vertex) = self.queue.get(next) {
            next += 1;
            self.work += 1;
            for index in 0..self.graph.degree(vertex) {
                let near = self.graph.near(vertex)[index];
                if self.reached[near as usize] == self.round || is_closed(self, near) {
                    continue;
                }
                self.reached[near as usize] = self.round;
                self.parent[near as usize] = vertex;
                if is_goal(self, near) {
                    self.trace(near);
                    return true;
                }
                self.queue.push(near);
            }
        }
        false
    }

    fn trace(&mut self, end: u32) {
        self.path.clear();
        let mut vertex = end;
        while vertex != NONE {
            self.path.push(vertex);
            vertex = self.parent[vertex as usize];
        }
        self.path.reverse();
    }

    /// The vertices that are wanted, in the order of their distance from one, and at most so many.
    pub fn nearest(
        &mut self,
        from: u32,
        most: usize,
        is_wanted: impl Fn(&Self, u32) -> bool,
    ) -> Vec<u32> {
        let mut found = Vec::new();
        self.begin_search(from);
        let mut next = 0;
        while let Some(&vertex) = self.queue.get(next)
            && found.len() < most
        {
            next += 1;
            self.work += 1;
            if is_wanted(self, vertex) {
                found.push(vertex);
            }
            for &near in self.graph.near(vertex) {
                if self.reached[near as usize] != self.round {
                    self.reached[near as usize] = self.round;
                    self.queue.push(near);
                }
            }
        }
        found
    }

    fn begin_search(&mut self, from: u32) {
        if self.round == u32::MAX {
            self.reached.fill(0);
            self.round = 0;
        }
        self.round += 1;
        self.reached[from as usize] = self.round;
        self.parent[from as usize] = NONE;
        self.queue.clear();
        self.queue.push(from);
    }

    /// Agents along `path`, whose last vertex is free, make room: the first vertex becomes free, and the others
    /// that were taken stay taken.
    pub fn shift(&mut self) {
        let path = std::mem::take(&mut self.path);
        let mut hole = path.len() - 1;
        for index in (0..hole).rev() {
            let agent = self.at(path[index]);
            if agent != NONE {
                for &vertex in &path[index + 1..=hole] {
                    self.step(agent, vertex);
                }
                hole = index;
            }
        }
        self.path = path;
    }

    /// Makes a vertex free by pushing agents towards the nearest free vertex, not over these vertices, and never an agent that is
    /// kept if `spares` says so. Whether that was possible; nothing has moved if not.
    pub fn clear(&mut self, vertex: u32, avoided: &[u32], spares: bool) -> bool {
        let is_closed = |board: &Self, vertex: u32| {
            avoided.contains(&vertex) || spares && board.is_kept[vertex as usize]
        };
        if self.is_free(vertex) {
            return true;
        }
        if is_closed(self, vertex) || !self.find(vertex, Self::is_free, is_closed) {
            return false;
        }
        self.shift();
        true
    }

    /// Nominal bytes: 24 for each move of the record, twenty for each vertex, and four for each
    /// agent.
    pub const fn held(&self) -> usize {
        let vertices = 20 * self.at.len() + self.graph.held();
        24 * self.record.len() + vertices + 4 * self.position.len()
    }

    /// Bytes allocated on the heap.
    pub fn memory(&self) -> usize {
        let words = self.at.capacity() * 5 + self.position.capacity();
        self.graph.memory() + self.record.capacity() * size_of::<Move>() + words * size_of::<u32>()
    }
}
