//! One connected part of the floor with its agents, solved in slices.

use super::board::Board;
use super::graph::Graph;
use super::march::March;
use super::permute::Exchanges;
use super::{ring, small};

/// How often those who were left behind set out again before they are exchanged one by one.
const MARCHES: u32 = 3;

/// How the search on one part has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Everybody is on their goals.
    Solved,
    /// That is impossible.
    Impossible,
    /// Fewer than two free vertices, a cycle, and too large for a search over all arrangements.
    Unknown,
}

#[derive(Clone, Debug)]
enum Stage {
    Check,
    March { march: March, left: u32 },
    Exchange(Exchanges),
    Done(Outcome),
}

/// One connected part of the floor with its agents.
#[derive(Clone, Debug)]
pub struct Part {
    pub board: Board,
    pub goals: Vec<u32>,
    stage: Stage,
}

impl Part {
    /// Agents on their starts.
    pub fn new(graph: Graph, starts: Vec<u32>, goals: Vec<u32>) -> Self {
        Self { board: Board::new(graph, starts), goals, stage: Stage::Check }
    }

    /// Does a slice of the work. How it has ended, if it has.
    pub fn advance(&mut self) -> Option<Outcome> {
        let Self { board, goals, stage } = self;
        match stage {
            Stage::Check => match check(board, goals) {
                Check::Decided(outcome) => *stage = Stage::Done(outcome),
                Check::Open => {
                    let march = March::new(board, goals);
                    *stage = Stage::March { march, left: MARCHES };
                }
            },
            Stage::March { march, left } => {
                if !march.advance(board, goals) {
                    *left -= 1;
                    if board.positions() == goals {
                        *stage = Stage::Done(Outcome::Solved);
                    } else if *left > 0 {
                        *march = March::new(board, goals);
                    } else {
                        board.fill(goals);
                        let exchanges = Exchanges::of(board, goals);
                        *stage =
                            exchanges.map_or(Stage::Done(Outcome::Impossible), Stage::Exchange);
                    }
                }
            }
            Stage::Exchange(exchanges) => match exchanges.advance(board, goals) {
                Some(true) => {}
                Some(false) => *stage = Stage::Done(Outcome::Unknown),
                None => *stage = Stage::Done(Outcome::Solved),
            },
            Stage::Done(outcome) => return Some(*outcome),
        }
        None
    }

    /// Whether everybody can get to their goals; `None` if that is not known.
    pub fn is_solvable(&mut self) -> Option<bool> {
        match check(&mut self.board, &self.goals) {
            Check::Decided(Outcome::Unknown) => None,
            Check::Decided(outcome) => Some(outcome == Outcome::Solved),
            Check::Open => Some(true),
        }
    }
}

/// What is known before anybody has moved.
enum Check {
    /// Nothing is left to do: it is solved, impossible, or not known.
    Decided(Outcome),
    /// There is a plan, and it has to be made.
    Open,
}

/// Decides whether there is a plan, and makes it where that takes a special case.
fn check(board: &mut Board, goals: &[u32]) -> Check {
    if board.positions() == goals {
        return Check::Decided(Outcome::Solved);
    }
    if board.graph.is_ring() {
        let is_solved = ring::solve(board, goals);
        return Check::Decided(if is_solved { Outcome::Solved } else { Outcome::Impossible });
    }
    board.fill(goals);
    let exchanges = Exchanges::of(board, goals);
    if board.positions() == goals && board.free() < 2 {
        return Check::Decided(Outcome::Solved);
    }
    board.undo(0);
    let Some(exchanges) = exchanges else { return Check::Decided(Outcome::Impossible) };
    if board.free() > 1 || !exchanges.has_blocks() {
        return Check::Open;
    }
    Check::Decided(match small::solve(board, goals) {
        small::Found::Solved => Outcome::Solved,
        small::Found::Impossible => Outcome::Impossible,
        small::Found::Unknown => Outcome::Unknown,
    })
}
