//! One connected part of the floor with its agents, solved in slices.

use super::board::Board;
use super::graph::Graph;
use super::march::March;
use super::permute::{Exchanges, Filling};
use super::ring;
use super::small::{Arrangements, Found};

/// How often those who were left behind set out again before they are exchanged one by one.
const MARCHES: u32 = 3;

/// How the search on one part has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Everybody is on their goals.
    Solved,
    /// It has not ended, but so many moves are known that they are made before it goes on.
    Instalment,
    /// That is impossible.
    Impossible,
    /// Fewer than two free vertices, a cycle, and too large for a search over all arrangements.
    Unknown,
}

#[derive(Clone, Debug)]
enum Stage {
    Begin,
    /// On a copy, as it were, agents go to the goals by whomever: what is left to be exchanged tells whether there is a plan.
    Check(Filling),
    /// There are too few free vertices for anything else.
    SearchAll(Box<Arrangements>),
    March {
        march: March,
        left: u32,
    },
    /// The march has left some behind. The goals are taken by whomever, and agents are exchanged then.
    Fill(Filling),
    Exchange(Exchanges),
    Done(Outcome),
}

/// One connected part of the floor with its agents.
#[derive(Clone, Debug)]
pub struct Part {
    pub board: Board,
    pub goals: Vec<u32>,
    /// If it is impossible that all agents have their goals: goals that they can have together, if such are known.
    pub attainable: Option<Vec<u32>>,
    stage: Stage,
}

impl Part {
    /// Agents on their starts.
    pub fn new(graph: Graph, starts: Vec<u32>, goals: Vec<u32>) -> Self {
        let board = Board::new(graph, starts);
        Self { board, goals, attainable: None, stage: Stage::Begin }
    }

    /// Does a slice of the work. How it has ended, if it has.
    pub fn advance(&mut self) -> Option<Outcome> {
        let Self { board, goals, stage, .. } = self;
        match stage {
            Stage::Begin if board.positions() == goals => *stage = Stage::Done(Outcome::Solved),
            Stage::Begin if board.graph.is_ring() => {
                let is_solved = ring::solve(board, goals);
                let outcome = if is_solved { Outcome::Solved } else { Outcome::Impossible };
                *stage = Stage::Done(outcome);
            }
            Stage::Begin => *stage = Stage::Check(Filling::new(board, goals)),
            Stage::Check(filling) => {
                if !filling.advance(board, goals) {
                    self.stage = self.judge();
                }
            }
            Stage::SearchAll(arrangements) => {
                let outcome = match arrangements.advance(board, goals) {
                    None => return None,
                    Some(Found::Solved) => Outcome::Solved,
                    Some(Found::Impossible) => Outcome::Impossible,
                    Some(Found::Unknown) => Outcome::Unknown,
                };
                *stage = Stage::Done(outcome);
            }
            Stage::March { march, left } => {
                if !march.advance(board, goals) {
                    *left -= 1;
                    if board.positions() == goals {
                        *stage = Stage::Done(Outcome::Solved);
                    } else if *left > 0 {
                        *march = March::new(board, goals);
                    } else {
                        *stage = Stage::Fill(Filling::new(board, goals));
                    }
                }
            }
            Stage::Fill(filling) => {
                if !filling.advance(board, goals) {
                    let exchanges = Exchanges::of(board, goals);
                    *stage = exchanges.map_or(Stage::Done(Outcome::Impossible), Stage::Exchange);
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

    /// Whether it is known by now that there is a plan, or none, or that this cannot be known.
    pub const fn is_decided(&self) -> bool {
        !matches!(self.stage, Stage::Begin | Stage::Check(_) | Stage::SearchAll(_))
    }

    /// Whether everybody is on their goals at the end of the record.
    pub const fn is_solved(&self) -> bool {
        matches!(self.stage, Stage::Done(Outcome::Solved))
    }

    /// Whether everybody can get to their goals; `None` if that is not known.
    pub fn is_solvable(&mut self) -> Option<bool> {
        while !self.is_decided() {
            self.advance();
        }
        match self.stage {
            Stage::Done(Outcome::Unknown) => None,
            Stage::Done(outcome) => Some(outcome == Outcome::Solved),
            _ => Some(true),
        }
    }

    /// How to go on when exactly the goals are taken for the first time: what has to be exchanged then tells whether there is a plan.
    fn judge(&mut self) -> Stage {
        let Self { board, goals, .. } = self;
        let exchanges = Exchanges::of(board, goals);
        if board.positions() == goals && board.free() < 2 {
            return Stage::Done(Outcome::Solved);
        }
        board.undo(0);
        let exchanges = match exchanges {
            Ok(exchanges) => exchanges,
            Err(attainable) => {
                self.attainable = Some(attainable);
                return Stage::Done(Outcome::Impossible);
            }
        };
        if board.free() > 1 || !exchanges.has_blocks() {
            return Stage::March { march: March::new(board, goals), left: MARCHES };
        }
        Stage::SearchAll(Box::new(Arrangements::new(board)))
    }
}
