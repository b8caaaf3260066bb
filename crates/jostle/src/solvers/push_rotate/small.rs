//! Search over all arrangements, for small parts of the floor with a cycle and fewer than two free vertices.
//!
//! There the agents of a subproblem cannot always be permuted at will: with one free vertex and no full ring, half of all
//! arrangements are out of reach. Every joint move consists of steps to free vertices and turns of full rings, and these can
//! be done one after the other, so it is enough to search over those.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::board::{Board, NONE};

/// The most positions in all arrangements that are kept, four bytes each.
const MOST_POSITIONS: usize = 4_000_000;
/// The most rings that are tried in each of them.
const MOST_RINGS: usize = 400;

/// What a search has found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// The agents are on their goals now.
    Solved,
    /// Their goals cannot be reached.
    Impossible,
    /// The part is too large.
    Unknown,
}

/// One step of the search.
#[derive(Clone, Copy, Debug)]
enum Action {
    Begin,
    Step { agent: u32, to: u32 },
    Turn { ring: u32, is_back: bool },
}

/// How many arrangements a slice looks at.
const SLICE: usize = 64;

/// A search over all arrangements.
#[derive(Clone, Debug)]
pub struct Arrangements {
    /// `None` if there are too many.
    rings: Option<Vec<Vec<u32>>>,
    /// For each arrangement that was reached, the number of the one before it, and what led from there to it.
    known: HashMap<Vec<u32>, (u32, Action)>,
    /// They in the order in which they were reached.
    queue: Vec<Vec<u32>>,
    /// How many of these were looked at.
    next: usize,
    /// Scratch space: the agent on each vertex.
    at: Vec<u32>,
}

impl Arrangements {
    /// A search from where agents are.
    pub fn new(board: &Board) -> Self {
        let begin = board.positions().to_vec();
        Self {
            rings: rings(board),
            known: HashMap::from([(begin.clone(), (0, Action::Begin))]),
            queue: vec![begin],
            next: 0,
            at: vec![NONE; board.graph.len()],
        }
    }

    /// Looks at some more arrangements. If one is that of the goals, all agents go there. `None` if there are more to look at.
    pub fn advance(&mut self, board: &mut Board, goals: &[u32]) -> Option<Found> {
        let Self { rings, known, queue, next, at } = self;
        let Some(rings) = rings else { return Some(Found::Unknown) };
        for _ in 0..SLICE {
            let Some(now) = queue.get(*next).cloned() else { return Some(Found::Impossible) };
            if now == goals {
                play(board, rings, queue, known, *next);
                return Some(Found::Solved);
            }
            if queue.len() * now.len() > MOST_POSITIONS {
                return Some(Found::Unknown);
            }
            for (then, action) in successors(board, &now, at, rings) {
                board.work += 1;
                if let Entry::Vacant(entry) = known.entry(then) {
                    queue.push(entry.key().clone());
                    entry.insert((*next as u32, action));
                }
            }
            board.work += 1;
            *next += 1;
        }
        None
    }
}

/// Makes the moves that led to an arrangement.
fn play(
    board: &mut Board,
    rings: &[Vec<u32>],
    queue: &[Vec<u32>],
    known: &HashMap<Vec<u32>, (u32, Action)>,
    mut index: usize,
) {
    let mut actions = Vec::new();
    while index > 0 {
        let Some(&(before, action)) = known.get(&queue[index]) else { break };
        actions.push(action);
        index = before as usize;
    }
    for action in actions.into_iter().rev() {
        match action {
            Action::Begin => {}
            Action::Step { agent, to } => board.step(agent, to),
            Action::Turn { ring, is_back } => {
                let mut ring = rings[ring as usize].clone();
                if is_back {
                    ring.reverse();
                }
                board.turn(&ring);
            }
        }
    }
}

/// All arrangements that one step or turn leads to. `at` is scratch space without agents.
fn successors(
    board: &Board,
    now: &[u32],
    at: &mut [u32],
    rings: &[Vec<u32>],
) -> Vec<(Vec<u32>, Action)> {
    for (&vertex, agent) in now.iter().zip(0..) {
        at[vertex as usize] = agent;
    }
    let mut found = Vec::new();
    for (&from, agent) in now.iter().zip(0..) {
        for &to in board.graph.near(from) {
            if at[to as usize] == NONE {
                let mut then = now.to_vec();
                then[agent as usize] = to;
                found.push((then, Action::Step { agent, to }));
            }
        }
    }
    for (number, ring) in rings.iter().enumerate() {
        if ring.iter().any(|&vertex| at[vertex as usize] == NONE) {
            continue;
        }
        for is_back in [false, true] {
            let mut then = now.to_vec();
            for (index, &vertex) in ring.iter().enumerate() {
                let step = if is_back { ring.len() - 1 } else { 1 };
                then[at[vertex as usize] as usize] = ring[(index + step) % ring.len()];
            }
            found.push((then, Action::Turn { ring: number as u32, is_back }));
        }
    }
    for &vertex in now {
        at[vertex as usize] = NONE;
    }
    found
}

/// All rings on which agents can turn, each beginning with its least vertex; `None` if there are too many.
fn rings(board: &Board) -> Option<Vec<Vec<u32>>> {
    let graph = &board.graph;
    let mut rings = Vec::new();
    let mut steps = 0;
    for first in graph.vertices() {
        let mut path = vec![first];
        let mut tried = vec![0];
        while let (Some(&now), Some(index)) = (path.last(), tried.last_mut()) {
            steps += 1;
            if steps > 100 * MOST_RINGS {
                return None;
            }
            let Some(&next) = graph.near(now).get(*index) else {
                path.pop();
                tried.pop();
                continue;
            };
            *index += 1;
            // Of the two directions of a ring, the one in which the second vertex is the smaller one.
            if next == first && path.len() > 2 && path[1] < now {
                if graph.can_turn(&path) {
                    rings.push(path.clone());
                }
                if rings.len() > MOST_RINGS {
                    return None;
                }
            } else if next > first && !path.contains(&next) {
                path.push(next);
                tried.push(0);
            }
        }
    }
    Some(rings)
}
