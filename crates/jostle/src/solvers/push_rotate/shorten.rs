//! Makes a record of moves short: needless moves are left out.
//!
//! An agent that comes back to a vertex that nobody else has used since it left could have stayed. An agent that comes to a vertex
//! beside one that it was on some moves ago could have gone there at once, if nobody else has used the new vertex since then and the move
//! there was not part of the turn of a ring. This is repeated in rounds until nothing changes.
//!
//! A round goes through the record in chunks, so that it can be done in slices. What a chunk leaves out does not change where it begins and ends,
//! so chunks do not depend on each other. Every other round begins with half a chunk, so that moves at the end of one chunk and at the beginning of the next one meet.
//!
//! Cost: time that grows with the number of moves, in each of the rounds. Memory: 20 bytes for each move of a chunk.

use super::board::{Move, NONE};
use super::graph::Graph;

/// How many of its last vertices an agent looks back for a shorter way.
const LOOK_BACK: usize = 12;

/// The most rounds after the last move was recorded.
const ROUNDS: usize = 64;

/// The moves of a chunk, and those that belong to the same turn as its last one.
const CHUNK: usize = 1 << 15;

/// A stay of an agent on a vertex.
#[derive(Clone, Copy, Debug)]
struct Stay {
    agent: u32,
    vertex: u32,
    /// The move that ended it; `NONE` if it lasts.
    left: u32,
    /// The stay of the agent before this one; `NONE` if it is the first of the chunk.
    before: u32,
    /// The stay on the vertex before this one; `NONE` if it is the first of the chunk.
    below: u32,
    is_real: bool,
}

/// Leaves out moves of a record, round after round.
#[derive(Clone, Debug)]
pub struct Shortening {
    /// Where agents begin.
    starts: Vec<u32>,
    /// Where agents are at the beginning of the next chunk.
    positions: Vec<u32>,
    /// The next chunk begins here, and what is left of it goes there.
    next: usize,
    kept: usize,
    rounds: usize,
    /// The moves that were left out in all, and when the present round began.
    left_out: usize,
    left_out_before: usize,
    /// Of a chunk: all stays, and the last one of each agent and on each vertex.
    stays: Vec<Stay>,
    last_of: Vec<u32>,
    last_on: Vec<u32>,
    is_left_out: Vec<bool>,
}

/// How far a round has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Round {
    /// There are more chunks.
    GoesOn,
    /// It was the last chunk, and another round may find more.
    Ended,
    /// It was the last chunk, and another round would find nothing.
    Exhausted,
}

impl Shortening {
    /// Nothing is left out yet. Agents begin on these vertices.
    pub fn new(starts: Vec<u32>) -> Self {
        Self {
            positions: starts.clone(),
            starts,
            next: 0,
            kept: 0,
            rounds: 0,
            left_out: 0,
            left_out_before: 0,
            stays: Vec::new(),
            last_of: Vec::new(),
            last_on: Vec::new(),
            is_left_out: Vec::new(),
        }
    }

    /// The number of moves that were left out.
    pub const fn left_out(&self) -> usize {
        self.left_out
    }

    /// Leaves out needless moves of the next chunk. What it took in expansions, and how far the round has come. No moves may be recorded during a round.
    pub fn advance(&mut self, record: &mut Vec<Move>, graph: &Graph) -> (u64, Round) {
        let length = if self.next == 0 && self.rounds % 2 == 1 { CHUNK / 2 } else { CHUNK };
        let mut end = (self.next + length).min(record.len());
        while end < record.len() && end > self.next && record[end - 1].is_joined {
            end += 1;
        }
        let chunk = &mut record[self.next..end];
        let work = chunk.len() as u64;
        self.mark(chunk, graph);
        let kept = drop_left_out(chunk, &self.is_left_out);
        self.left_out += chunk.len() - kept;
        set_origins(&mut chunk[..kept], &mut self.positions);
        record.copy_within(self.next..self.next + kept, self.kept);
        self.kept += kept;
        self.next = end;
        if end < record.len() {
            return (work, Round::GoesOn);
        }
        record.truncate(self.kept);
        self.positions.clone_from(&self.starts);
        (self.next, self.kept) = (0, 0);
        self.rounds += 1;
        let has_found = std::mem::replace(&mut self.left_out_before, self.left_out) < self.left_out;
        let may_find = has_found && self.rounds < ROUNDS;
        (work, if may_find { Round::Ended } else { Round::Exhausted })
    }

    /// The next moves are those of another record, and agents begin on these vertices.
    pub fn begin_again(&mut self, starts: &[u32]) {
        self.starts.clear();
        self.starts.extend_from_slice(starts);
        self.positions.clone_from(&self.starts);
    }

    /// The rounds so far do not count any more: all of the moves of this record are known now.
    pub const fn begin_last_rounds(&mut self) {
        self.rounds = 0;
    }

    /// Marks the needless moves of a chunk, and lets others lead to where the next needless one would have led.
    fn mark(&mut self, chunk: &mut [Move], graph: &Graph) {
        let Self { positions, stays, last_of, last_on, is_left_out, .. } = self;
        is_left_out.clear();
        is_left_out.resize(chunk.len(), false);
        stays.clear();
        last_of.clear();
        last_on.clear();
        last_on.resize(graph.len(), NONE);
        for (agent, &vertex) in (0..).zip(positions.iter()) {
            last_on[vertex as usize] = stays.len() as u32;
            last_of.push(stays.len() as u32);
            let (left, before, below) = (NONE, NONE, NONE);
            stays.push(Stay { agent, vertex, left, before, below, is_real: true });
        }
        for index in 0..chunk.len() {
            let Move { agent, to, .. } = chunk[index];
            let mut on = last_on[to as usize];
            while on != NONE && !stays[on as usize].is_real {
                on = stays[on as usize].below;
            }
            last_on[to as usize] = on;
            let now = last_of[agent as usize];
            // The stay from which the agent could have come here at once, if it is not the present one.
            let come_from = if on != NONE && stays[on as usize].agent == agent {
                on
            } else {
                let free_since =
                    if on == NONE { 0 } else { stays[on as usize].left.saturating_add(1) };
                let mut come_from = NONE;
                let mut stay = stays[now as usize].before;
                for _ in 1..LOOK_BACK {
                    let Some(one) = stays.get(stay as usize) else { break };
                    if one.left < free_since {
                        break;
                    }
                    let is_near = graph.near(one.vertex).contains(&to);
                    if is_near && !is_in_turn(chunk, one.left as usize) {
                        come_from = stay;
                    }
                    stay = one.before;
                }
                come_from
            };
            if come_from == NONE {
                stays[now as usize].left = index as u32;
            } else {
                is_left_out[index] = true;
                let kept = stays[come_from as usize];
                let mut stay = now;
                while stay != come_from {
                    let gone = &mut stays[stay as usize];
                    gone.is_real = false;
                    if gone.left != NONE {
                        is_left_out[gone.left as usize] = true;
                    }
                    stay = gone.before;
                }
                last_of[agent as usize] = come_from;
                if kept.vertex == to {
                    is_left_out[kept.left as usize] = true;
                    stays[come_from as usize].left = NONE;
                    continue;
                }
                chunk[kept.left as usize].to = to;
            }
            let before = last_of[agent as usize];
            last_of[agent as usize] = stays.len() as u32;
            last_on[to as usize] = stays.len() as u32;
            stays.push(Stay { agent, vertex: to, left: NONE, before, below: on, is_real: true });
        }
    }

    /// Nominal bytes: 25 for each move of a chunk, four for each vertex, and twelve for each agent.
    pub const fn held(&self) -> usize {
        let words = self.starts.len() + self.positions.len() + self.last_of.len();
        24 * self.stays.len() + self.is_left_out.len() + 4 * (words + self.last_on.len())
    }

    /// Bytes allocated on the heap.
    pub fn memory(&self) -> usize {
        let words = self.starts.capacity()
            + self.positions.capacity()
            + self.last_of.capacity()
            + self.last_on.capacity();
        words * size_of::<u32>()
            + self.stays.capacity() * size_of::<Stay>()
            + self.is_left_out.capacity()
    }
}

/// Whether a move is part of the turn of a ring. Such a move keeps its direction: another one could cross the others.
fn is_in_turn(moves: &[Move], index: usize) -> bool {
    moves[index].is_joined || index > 0 && moves[index - 1].is_joined
}

/// Moves those that are kept to the front, and keeps those of one turn together. Returns how many there are.
fn drop_left_out(moves: &mut [Move], is_left_out: &[bool]) -> usize {
    let mut kept = 0;
    // The first move that is kept of the present turn.
    let mut turn = 0;
    for (index, &is_left_out) in is_left_out.iter().enumerate() {
        let now = moves[index];
        if !is_left_out {
            moves[kept] = Move { is_joined: true, ..now };
            kept += 1;
        }
        if !now.is_joined {
            if kept > turn {
                moves[kept - 1].is_joined = false;
            }
            turn = kept;
        }
    }
    kept
}

/// Sets where moves begin, after others were left out, and where agents are after them.
fn set_origins(moves: &mut [Move], positions: &mut [u32]) {
    for step in moves {
        step.from = std::mem::replace(&mut positions[step.agent as usize], step.to);
    }
}
