//! Agents go to their goals one after the other: push, swap and rotate.
//!
//! Goals far from the middle of the graph come first, so that those who come later need not pass those who have arrived. An
//! agent pushes those before it that have not arrived out of its way, and exchanges places with others. Those that it has passed
//! like this form a *tail* behind it: each stands one vertex away from where it was, on the former vertex of the one before it in the
//! tail. When the agent makes a plain step, the whole tail moves up. When the agent comes back to its tail, the ring turns.

use super::board::{Board, NONE};

/// How many junctions are tried for an exchange. What does not succeed there is left for later.
const JUNCTIONS: usize = 32;

/// How much longer a path may be to avoid an agent that has arrived, in steps.
const DETOUR: u64 = 24;

/// The state of a march.
#[derive(Clone, Debug)]
pub struct March {
    /// The agents in the order in which they go, last first.
    waiting: Vec<u32>,
    has_arrived: Vec<bool>,
    /// Those that were passed, and where they were, the first one first.
    tail: Vec<(u32, u32)>,
    costs: Vec<u64>,
    parent: Vec<u32>,
    open: std::collections::BinaryHeap<std::cmp::Reverse<(u64, u32)>>,
}

impl March {
    /// A march to these goals.
    pub fn new(board: &mut Board, goals: &[u32]) -> Self {
        let mut depth = vec![0; board.graph.len()];
        let middle = middle(board);
        let order = board.nearest(middle, usize::MAX, |_, _| true);
        order.iter().zip(0..).for_each(|(&vertex, rank)| depth[vertex as usize] = rank);
        let mut waiting: Vec<u32> = (0..goals.len() as u32).collect();
        waiting.sort_unstable_by_key(|&agent| depth[goals[agent as usize] as usize]);
        Self {
            waiting,
            has_arrived: vec![false; goals.len()],
            tail: Vec::new(),
            costs: vec![u64::MAX; board.graph.len()],
            parent: vec![NONE; board.graph.len()],
            open: std::collections::BinaryHeap::new(),
        }
    }

    /// Brings the next agent to its goal if it can. Whether there was one.
    pub fn advance(&mut self, board: &mut Board, goals: &[u32]) -> bool {
        let Some(mut agent) = self.waiting.pop() else { return false };
        let begin = board.record.len();
        let mut arrived = Vec::new();
        while !self.has_arrived[agent as usize] {
            if !self.walk(board, agent, goals) {
                board.undo(begin);
                self.tail.clear();
                arrived.drain(..).for_each(|agent| self.set_arrived(board, agent, goals, false));
                break;
            }
            self.set_arrived(board, agent, goals, true);
            arrived.push(agent);
            // It may have taken the place of one that has not arrived, which then has to get out of the way of the tail.
            let Some((passed, _)) = self.tail.pop() else { break };
            agent = passed;
        }
        true
    }

    fn set_arrived(&mut self, board: &mut Board, agent: u32, goals: &[u32], has_arrived: bool) {
        self.has_arrived[agent as usize] = has_arrived;
        board.is_kept[goals[agent as usize] as usize] = has_arrived;
    }

    /// All in the tail go one on, to where they were.
    fn move_up(&mut self, board: &mut Board) {
        while let Some((agent, vertex)) = self.tail.pop() {
            board.step(agent, vertex);
        }
    }

    /// One agent goes to its goal. Whether it got there.
    fn walk(&mut self, board: &mut Board, agent: u32, goals: &[u32]) -> bool {
        let goal = goals[agent as usize];
        let mut left = 4 * board.graph.len();
        while board.position(agent) != goal {
            self.route(board, agent, goal);
            let mut path = std::mem::take(&mut board.path);
            let mut is_on = !path.is_empty();
            for &next in path.iter().skip(1) {
                is_on = left > 0 && self.go(board, agent, next);
                left = left.saturating_sub(1);
                if !is_on {
                    break;
                }
            }
            path.clear();
            board.path = path;
            if !is_on {
                return false;
            }
        }
        true
    }

    /// One agent goes to the next vertex of its path. Whether it got there.
    fn go(&mut self, board: &mut Board, agent: u32, next: u32) -> bool {
        let other = board.at(next);
        if let Some(index) = self.tail.iter().position(|&(passed, _)| passed == other) {
            return self.meet_tail(board, (agent, other), index);
        }
        if other == NONE || self.push(board, board.position(agent), next) {
            board.step(agent, next);
            self.move_up(board);
            return true;
        }
        if !board.swap(agent, other, JUNCTIONS) {
            return false;
        }
        if self.has_arrived[other as usize] || !self.tail.is_empty() {
            self.tail.push((other, next));
        }
        true
    }

    /// Pushes the agent on a vertex out of the way, not over those who have arrived.
    fn push(&self, board: &mut Board, now: u32, next: u32) -> bool {
        // Those in the tail are not on the vertices that are kept, but one behind.
        let tail = self.tail.iter().map(|&(passed, _)| board.position(passed));
        let avoided: Vec<u32> = tail.chain([now]).collect();
        board.clear(next, &avoided, true)
    }

    /// The agent comes to one of its tail, and those between go to where they were.
    fn meet_tail(&mut self, board: &mut Board, (agent, other): (u32, u32), index: usize) -> bool {
        if index + 1 == self.tail.len() {
            let is_back = board.swap(agent, other, JUNCTIONS);
            if is_back {
                self.tail.pop();
            }
            return is_back;
        }
        let mut ring: Vec<u32> =
            self.tail[index..].iter().map(|&(passed, _)| board.position(passed)).collect();
        ring.push(board.position(agent));
        let can_turn = board.graph.can_turn(&ring);
        if can_turn {
            board.turn(&ring);
            self.tail.truncate(index);
        }
        can_turn
    }

    /// The best path of an agent, in `board.path`: short, and past few that have arrived.
    fn route(&mut self, board: &mut Board, agent: u32, goal: u32) {
        let from = board.position(agent);
        if board.find(
            from,
            |_, vertex| vertex == goal,
            |board, vertex| board.is_kept[vertex as usize],
        ) {
            return;
        }
        self.costs.fill(u64::MAX);
        self.open.clear();
        self.open.push(std::cmp::Reverse((0, from)));
        self.costs[from as usize] = 0;
        self.parent[from as usize] = NONE;
        while let Some(std::cmp::Reverse((cost, vertex))) = self.open.pop() {
            if cost > self.costs[vertex as usize] {
                continue;
            }
            if vertex == goal {
                break;
            }
            board.work += 1;
            for &near in board.graph.near(vertex) {
                let detour = if board.is_kept[near as usize] { DETOUR } else { 0 };
                let cost = cost + 1 + detour;
                if cost < self.costs[near as usize] {
                    self.costs[near as usize] = cost;
                    self.parent[near as usize] = vertex;
                    self.open.push(std::cmp::Reverse((cost, near)));
                }
            }
        }
        board.path.clear();
        let mut vertex = goal;
        while vertex != NONE {
            board.path.push(vertex);
            vertex = self.parent[vertex as usize];
        }
        board.path.reverse();
    }
}

/// A vertex in the middle of the graph: half-way between two that are far apart.
fn middle(board: &mut Board) -> u32 {
    let last = |board: &mut Board, from| {
        *board.nearest(from, usize::MAX, |_, _| true).last().unwrap_or(&from)
    };
    let one = last(board, 0);
    let other = last(board, one);
    if one == other || !board.find(one, |_, vertex| vertex == other, |_, _| false) {
        return one;
    }
    board.path[board.path.len() / 2]
}
