//! The last resort of the solver, complete by construction: agents go to the goals without regard to whose they are, and are exchanged
//! there.

use super::board::{Board, NONE};
use super::classes::Classes;

/// Moves agents until exactly the goals are taken, by whomever. One goal after the other is filled from the nearest agent that stands on no
/// goal, and agents between pass on their places.
#[derive(Clone, Debug)]
pub struct Filling {
    is_goal: Vec<bool>,
    next: usize,
}

impl Filling {
    /// No goal is filled yet.
    pub fn new(board: &Board, goals: &[u32]) -> Self {
        let mut is_goal = vec![false; board.graph.len()];
        for &goal in goals {
            is_goal[goal as usize] = true;
        }
        Self { is_goal, next: 0 }
    }

    /// Fills the next goal. Whether there was one.
    pub fn advance(&mut self, board: &mut Board, goals: &[u32]) -> bool {
        let Some(&goal) = goals.get(self.next) else { return false };
        self.next += 1;
        let is_spare =
            |board: &Board, vertex: u32| !board.is_free(vertex) && !self.is_goal[vertex as usize];
        if board.is_free(goal) && board.find(goal, is_spare, |_, _| false) {
            board.path.reverse();
            board.shift();
        }
        true
    }
}

impl Board {
    /// Fills all goals, by whomever.
    pub fn fill(&mut self, goals: &[u32]) {
        let mut filling = Filling::new(self, goals);
        while filling.advance(self, goals) {}
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
    /// What remains to be done on a board on which exactly the goals are taken.
    ///
    /// # Errors
    ///
    /// If that is impossible, because an agent would have to change places with one of another subproblem: goals that agents can have together. Those
    /// that can have their own do; each of the others gets one that another agent cannot have.
    pub fn of(board: &Board, goals: &[u32]) -> Result<Self, Vec<u32>> {
        let parts = Classes::of(&board.graph, &board.occupied());
        let class = |&vertex: &u32| parts.of_agent_on(vertex);
        let classes: Vec<u32> = board.positions().iter().map(class).collect();
        let is_own = |agent: usize| classes[agent] == class(&goals[agent]);
        if (0..goals.len()).all(is_own) {
            return Ok(Self { classes, parts, next: 0 });
        }
        // Both in the order of their subproblems, of which each has as many agents as goals.
        let by_class = |class_of: &dyn Fn(usize) -> u32| {
            let mut others: Vec<usize> = (0..goals.len()).filter(|&agent| !is_own(agent)).collect();
            others.sort_by_key(|&agent| class_of(agent));
            others
        };
        let agents = by_class(&|agent| classes[agent]);
        let owners = by_class(&|agent| class(&goals[agent]));
        let mut attainable = goals.to_vec();
        for (agent, owner) in agents.into_iter().zip(owners) {
            attainable[agent] = goals[owner];
        }
        Err(attainable)
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
