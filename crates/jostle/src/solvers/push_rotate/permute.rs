//! The last resort of the solver, complete by construction: agents go to the goals without regard to whose they are, and are exchanged
//! there.

use super::board::{Board, NONE};
use super::classes::Classes;

impl Board {
    /// Moves agents until exactly the goals are taken, by whomever. One goal at a time is filled from the nearest
    /// agent that stands on no goal, and agents between pass on their places.
    pub fn fill(&mut self, goals: &[u32]) {
        let mut is_goal = vec![false; self.graph.len()];
        for &goal in goals {
            is_goal[goal as usize] = true;
        }
        for &goal in goals {
            let is_spare =
                |board: &Self, vertex: u32| !board.is_free(vertex) && !is_goal[vertex as usize];
            if self.is_free(goal) && self.find(goal, is_spare, |_, _| false) {
                self.path.reverse();
                self.shift();
            }
        }
    }
}

/// The exchanges that remain when exactly the goals are taken.
#[derive(Clone, Debug)]
pub struct Exchanges {
    /// For each agent, its subproblem.
    classes: Vec<u32>,
    parts: Classes,
    next: usize,
}

impl Exchanges {
    /// What remains to be done on a board on which exactly the goals are taken; `None` if that is impossible, because an agent would
    /// have to change places with one of another subproblem.
    pub fn of(board: &Board, goals: &[u32]) -> Option<Self> {
        let parts = Classes::of(&board.graph, &board.occupied());
        let positions = board.positions();
        let class = |&vertex: &u32| parts.of_agent_on(vertex);
        let is_possible = positions.iter().zip(goals).all(|(now, goal)| class(now) == class(goal));
        let classes = positions.iter().map(class).collect();
        is_possible.then_some(Self { classes, parts, next: 0 })
    }

    /// Whether the graph has a cycle.
    pub const fn has_blocks(&self) -> bool {
        self.parts.has_blocks()
    }

    /// Brings the next agent to its goal, if it is not there. `None` when nobody is left, else whether it was possible.
    pub fn advance(&mut self, board: &mut Board, goals: &[u32]) -> Option<bool> {
        let agent = self.next;
        let &goal = goals.get(agent)?;
        self.next += 1;
        let other = board.at(goal);
        if other == agent as u32 {
            return Some(true);
        }
        let agent = agent as u32;
        Some(
            other != NONE
                && (self.exchange(board, agent, other)
                    || self.exchange_by_third(board, agent, other)),
        )
    }

    /// Exchanges two agents with the help of a third one that can be exchanged with both.
    fn exchange_by_third(&self, board: &mut Board, one: u32, other: u32) -> bool {
        let begin = board.record.len();
        let class = self.classes[one as usize];
        for third in 0..self.classes.len() as u32 {
            if self.classes[third as usize] != class || third == one || third == other {
                continue;
            }
            let is_done = self.exchange(board, one, third)
                && self.exchange(board, one, other)
                && self.exchange(board, third, other);
            if is_done {
                return true;
            }
            board.undo(begin);
        }
        false
    }

    /// Exchanges two agents of one subproblem, and leaves everybody else where they are.
    fn exchange(&self, board: &mut Board, one: u32, other: u32) -> bool {
        let begin = board.record.len();
        if self.walk_and_swap(board, one, other) {
            return true;
        }
        board.undo(begin);
        self.gather(board, self.classes[one as usize]);
        let end = board.record.len();
        if self.walk_and_swap(board, one, other) {
            board.play_back(begin..end, one, other);
            return true;
        }
        board.undo(begin);
        false
    }

    /// Walks one agent to the other by exchanges with those on the path, exchanges the two, and plays the walk backwards.
    fn walk_and_swap(&self, board: &mut Board, one: u32, other: u32) -> bool {
        let begin = board.record.len();
        let (class, end) = (self.classes[one as usize], board.position(other));
        let is_other = |board: &Board, vertex: u32| {
            let agent = board.at(vertex);
            agent != NONE && self.classes[agent as usize] != class
        };
        if !board.find(board.position(one), |_, vertex| vertex == end, is_other) {
            return false;
        }
        let path = board.path.clone();
        for &next in &path[1..path.len() - 1] {
            let agent = board.at(next);
            if agent == NONE {
                board.step(one, next);
            } else if !board.swap_with_turns(one, agent) {
                return false;
            }
        }
        let walked = board.record.len();
        if !board.swap_with_turns(one, other) {
            return false;
        }
        board.play_back(begin..walked, one, other);
        true
    }

    /// Brings the free vertices to a subproblem: first to its own vertices, then to those around it.
    fn gather(&self, board: &mut Board, class: u32) {
        let mut order = self.parts.vertices(class);
        let mut is_listed = vec![false; board.graph.len()];
        for &vertex in &order {
            is_listed[vertex as usize] = true;
        }
        // Those of a subproblem are connected; nearest to its first vertex first.
        if let Some(&first) = order.first() {
            order = board.nearest(first, usize::MAX, |_, vertex| is_listed[vertex as usize]);
        }
        let mut next = 0;
        while let Some(&vertex) = order.get(next) {
            next += 1;
            for &near in board.graph.near(vertex) {
                if !std::mem::replace(&mut is_listed[near as usize], true) {
                    order.push(near);
                }
            }
        }
        let mut is_done = vec![false; board.graph.len()];
        for &vertex in order.iter().take(board.free()) {
            let is_room = |board: &Board, near: u32| board.is_free(near) && !is_done[near as usize];
            if !board.is_free(vertex) && board.find(vertex, is_room, |_, _| false) {
                board.shift();
            }
            is_done[vertex as usize] = true;
        }
    }
}
