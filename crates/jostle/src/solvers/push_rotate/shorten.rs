//! Makes a record of moves short: needless moves are left out, and the others are made at the same time where that is possible.
//!
//! 1. *Leaving out.* An agent that comes back to a vertex that nobody else has used since it left could have stayed. An agent that comes
//!    to a vertex beside one that it was on some moves ago could have gone there at once, if nobody else has used the new vertex
//!    since then and the move there was not part of the turn of a ring. This is repeated until nothing changes.
//! 2. *At the same time.* Each agent keeps the order of its vertices and each vertex the order of its visitors; every move is made as
//!    early as that allows. An agent may enter a vertex in the tick in which another one leaves it. Where diagonals must not cross, the
//!    later one of the record waits.
//!
//! Cost: time and memory that grow with the number of moves, in each of the rounds.

use std::collections::HashMap;

use super::board::{Move, NONE};
use super::graph::{Crossing, Graph};

/// How many of its last vertices an agent looks back for a shorter way.
const LOOK_BACK: usize = 12;

/// The most rounds of leaving out.
const ROUNDS: usize = 64;

/// A stay of an agent on a vertex.
#[derive(Clone, Copy)]
struct Stay {
    agent: u32,
    vertex: u32,
    /// The move that ended it; `NONE` if it lasts.
    left: u32,
    is_real: bool,
}

/// The timed vertices of all agents: for each, where it begins, and then to which vertex it moves at which tick.
pub type Schedule = Vec<Vec<(u64, u32)>>;

/// Moves to be shortened. Moves with the same turn happen at the same time.
#[derive(Clone, Debug)]
pub struct Shortening {
    starts: Vec<u32>,
    moves: Vec<Move>,
    rounds: usize,
}

impl Shortening {
    /// The record of agents that began on these vertices.
    pub fn new(starts: Vec<u32>, record: Vec<Move>) -> Self {
        Self { starts, moves: record, rounds: 0 }
    }

    /// The number of moves now.
    pub const fn len(&self) -> usize {
        self.moves.len()
    }

    /// Leaves out needless moves, once. Whether more may be found.
    pub fn leave_out(&mut self, graph: &Graph) -> bool {
        let before = self.moves.len();
        let mut is_left_out = vec![false; before];
        let mut stays: Vec<Stay> = Vec::new();
        // The stays of each agent and on each vertex, by their numbers, the last one on top.
        let mut walks: Vec<Vec<u32>> = vec![Vec::new(); self.starts.len()];
        let mut visits: Vec<Vec<u32>> = vec![Vec::new(); graph.len()];
        for (agent, &vertex) in self.starts.iter().enumerate() {
            walks[agent].push(stays.len() as u32);
            visits[vertex as usize].push(stays.len() as u32);
            stays.push(Stay { agent: agent as u32, vertex, left: NONE, is_real: true });
        }
        for index in 0..before {
            let Move { agent, to, .. } = self.moves[index];
            let walk = &mut walks[agent as usize];
            let visitors = &mut visits[to as usize];
            while visitors.last().is_some_and(|&last| !stays[last as usize].is_real) {
                visitors.pop();
            }
            let last = visitors.last().map(|&last| stays[last as usize]);
            // The stay from which the agent could have come here at once, if it is not the present one.
            let come_from = if last.is_some_and(|last| last.agent == agent) {
                walk.iter().rposition(|stay| Some(stay) == visitors.last())
            } else {
                let free_since = last.map_or(0, |last| last.left.saturating_add(1));
                let oldest = walk.len().saturating_sub(LOOK_BACK);
                (oldest..walk.len().saturating_sub(1)).find(|&at| {
                    let stay = stays[walk[at] as usize];
                    stay.left >= free_since
                        && !self.is_in_turn(stay.left as usize)
                        && graph.near(stay.vertex).contains(&to)
                })
            };
            let Some(at) = come_from else {
                if let Some(&now) = walk.last() {
                    stays[now as usize].left = index as u32;
                }
                walk.push(stays.len() as u32);
                visitors.push(stays.len() as u32);
                stays.push(Stay { agent, vertex: to, left: NONE, is_real: true });
                continue;
            };
            is_left_out[index] = true;
            let kept = stays[walk[at] as usize];
            for stay in walk.drain(at + 1..) {
                let stay = &mut stays[stay as usize];
                stay.is_real = false;
                if stay.left != NONE {
                    is_left_out[stay.left as usize] = true;
                }
            }
            if kept.vertex == to {
                is_left_out[kept.left as usize] = true;
                stays[walk[at] as usize].left = NONE;
            } else {
                self.moves[kept.left as usize].to = to;
                walk.push(stays.len() as u32);
                visitors.push(stays.len() as u32);
                stays.push(Stay { agent, vertex: to, left: NONE, is_real: true });
            }
        }
        self.drop_left_out(&is_left_out);
        self.set_origins();
        self.rounds += 1;
        self.moves.len() < before && self.rounds < ROUNDS
    }

    /// Whether a move is part of the turn of a ring. Such a move keeps its direction: another one could cross the others.
    fn is_in_turn(&self, index: usize) -> bool {
        self.moves[index].is_joined || index > 0 && self.moves[index - 1].is_joined
    }

    /// Forgets moves, and keeps those of one turn together.
    fn drop_left_out(&mut self, is_left_out: &[bool]) {
        let mut kept = 0;
        // The first move that is kept of the present turn.
        let mut turn = 0;
        for (index, &is_left_out) in is_left_out.iter().enumerate() {
            let now = self.moves[index];
            if !is_left_out {
                self.moves[kept] = Move { is_joined: true, ..now };
                kept += 1;
            }
            if !now.is_joined {
                if kept > turn {
                    self.moves[kept - 1].is_joined = false;
                }
                turn = kept;
            }
        }
        self.moves.truncate(kept);
    }

    /// Sets where moves begin, after others were left out.
    fn set_origins(&mut self) {
        let mut position = self.starts.clone();
        for step in &mut self.moves {
            step.from = std::mem::replace(&mut position[step.agent as usize], step.to);
        }
    }

    /// Makes every move as early as the order of visits allows.
    pub fn schedule(&self, graph: &Graph) -> Schedule {
        let mut schedule: Schedule = self.starts.iter().map(|&start| vec![(0, start)]).collect();
        // When the last visitor of each vertex has left it; the agents on it have not.
        let mut left = vec![0; graph.len()];
        let mut crossed: HashMap<((u32, u32), u64), bool> = HashMap::new();
        let mut index = 0;
        while index < self.moves.len() {
            let length = 1 + self.moves[index..].iter().take_while(|step| step.is_joined).count();
            let together = &self.moves[index..index + length];
            let earliest = |step: &Move| {
                let arrived = schedule[step.agent as usize].last().map_or(0, |stop| stop.0);
                // A vertex of a turn is left in the same tick.
                let is_left_now = together.iter().any(|other| other.from == step.to);
                (arrived + 1).max(if is_left_now { 0 } else { left[step.to as usize] })
            };
            let mut tick = together.iter().map(earliest).max().unwrap_or(0);
            let crossings =
                || together.iter().filter_map(|step| graph.crossing(step.from, step.to));
            let is_crossed = |tick| {
                crossings().any(|(centre, falls): Crossing| {
                    crossed.get(&(centre, tick)).is_some_and(|&other| other != falls)
                })
            };
            while is_crossed(tick) {
                tick += 1;
            }
            for (centre, falls) in crossings() {
                crossed.insert((centre, tick), falls);
            }
            for step in together {
                left[step.from as usize] = tick;
                schedule[step.agent as usize].push((tick, step.to));
            }
            index += length;
        }
        schedule
    }

    /// Bytes allocated on the heap.
    pub fn memory(&self) -> usize {
        self.moves.capacity() * size_of::<Move>() + self.starts.capacity() * size_of::<u32>()
    }
}
