//! What a step has decided so far.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::grid::Cell;
use crate::tally::{self, Kind};

/// The next cells of agents and the next occupants of cells, as far as they are decided.
///
/// Threads that decide in areas of the floor that are apart write into it at the same time. No two of them use the same
/// entries, so the entries need no order among each other.
#[derive(Debug, Default)]
pub(super) struct Board {
    /// The next cell of each agent, or `NOWHERE`.
    q_to: Vec<AtomicU32>,
    /// The best cell of each agent, or `NOWHERE` if that is its own cell.
    wishes: Vec<AtomicU32>,
    /// The agent that claimed each cell last. It counts only if the next cell of that agent is this one. So nothing has to
    /// be cleared from step to step, and memory for cells where no agent ever stands is never touched.
    takers: Vec<AtomicU32>,
    /// What stands in the place of an agent where a cell is closed in this step. No agent has this number, and other steps have others.
    closed: u32,
}

impl Board {
    /// Begins a step of this many agents on a grid with this many cells: nothing is decided.
    pub fn begin(&mut self, agents: usize, cells: usize) {
        tally::note(Kind::Agent, agents);
        for list in [&mut self.q_to, &mut self.wishes] {
            list.resize_with(agents, AtomicU32::default);
            for entry in list {
                *entry.get_mut() = NOWHERE;
            }
        }
        if self.takers.len() != cells {
            // This compiles to no more than asking for zeros, which the system gives when they are touched.
            self.takers = vec![0; cells].into_iter().map(AtomicU32::new).collect();
            self.closed = u32::MAX;
        }
        self.closed -= 1;
        if self.closed as usize <= agents {
            self.takers.iter_mut().for_each(|taker| *taker.get_mut() = 0);
            self.closed = u32::MAX - 1;
        }
    }

    /// Nobody can claim a cell of the grid any more in this step, unless it stands there and has nowhere else to go. What is claimed already stays so.
    pub fn close(&self, at: Cell) {
        if self.taker(at).is_none() {
            self.takers[at.index()].store(self.closed, Ordering::Relaxed);
        }
    }

    /// The next cell of an agent: `NOWHERE` if it is not decided.
    pub fn next(&self, agent: usize) -> Cell {
        cell(&self.q_to[agent])
    }

    /// Whether there is an agent with this number whose next cell is not decided.
    pub fn is_open(&self, agent: usize) -> bool {
        self.q_to.get(agent).is_some_and(|entry| cell(entry) == Cell::NOWHERE)
    }

    /// The next cells of all agents: `NOWHERE` if it is not decided.
    pub fn all_next(&self) -> impl ExactSizeIterator<Item = Cell> {
        self.q_to.iter().map(cell)
    }

    /// The next cell of an agent, if it is decided.
    pub fn decided(&self, agent: usize) -> Option<Cell> {
        self.q_to.get(agent).and_then(|entry| cell(entry).known())
    }

    /// The agent that has claimed a cell.
    pub fn taker(&self, at: Cell) -> Option<u32> {
        tally::note(Kind::Occupant, 1);
        let agent = self.takers.get(at.index())?.load(Ordering::Relaxed);
        self.has_claimed(agent, at).then_some(agent)
    }

    /// Whether a cell of the grid is neither claimed nor closed.
    pub fn is_free(&self, at: Cell) -> bool {
        tally::note(Kind::Occupant, 1);
        let Some(taker) = self.takers.get(at.index()) else { return false };
        let agent = taker.load(Ordering::Relaxed);
        agent != self.closed && !self.has_claimed(agent, at)
    }

    fn has_claimed(&self, agent: u32, at: Cell) -> bool {
        self.q_to.get(agent as usize).is_some_and(|next| cell(next) == at)
    }

    /// Lets an agent claim a cell of the grid. It gives up what it had claimed.
    pub fn claim(&self, agent: usize, at: Cell) {
        tally::note(Kind::Occupant, 1);
        self.q_to[agent].store(at.index() as u32, Ordering::Relaxed);
        self.takers[at.index()].store(agent as u32, Ordering::Relaxed);
    }

    /// Takes back what is decided of an agent.
    pub fn forget(&self, agent: usize) {
        self.q_to[agent].store(NOWHERE, Ordering::Relaxed);
        self.wishes[agent].store(NOWHERE, Ordering::Relaxed);
    }

    /// Notes the best cell of an agent, or `NOWHERE` if that is its own cell.
    pub fn note_wish(&self, agent: usize, wish: Cell) {
        self.wishes[agent].store(wish.index() as u32, Ordering::Relaxed);
    }

    /// The best cell of an agent, if that is not its own cell.
    pub fn wish(&self, agent: usize) -> Option<Cell> {
        self.wishes.get(agent).and_then(|entry| cell(entry).known())
    }

    /// Bytes on the heap.
    pub const fn memory(&self) -> usize {
        (self.q_to.capacity() + self.wishes.capacity() + self.takers.capacity()) * size_of::<u32>()
    }
}

impl Clone for Board {
    fn clone(&self) -> Self {
        let copy = |list: &[AtomicU32]| {
            list.iter().map(|entry| entry.load(Ordering::Relaxed).into()).collect()
        };
        Self {
            q_to: copy(&self.q_to),
            wishes: copy(&self.wishes),
            takers: copy(&self.takers),
            closed: self.closed,
        }
    }
}

const NOWHERE: u32 = Cell::NOWHERE.index() as u32;

fn cell(entry: &AtomicU32) -> Cell {
    Cell::from_index(entry.load(Ordering::Relaxed) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_counts_until_its_agent_claims_another_cell_or_the_step_ends() {
        let (mut board, [a, b, far]) = (Board::default(), [0, 1, 2].map(Cell::from_index));
        board.begin(8, 2);
        board.claim(7, a);
        assert_eq!((board.taker(a), board.taker(b)), (Some(7), None));
        assert!(!board.is_free(a) && board.is_free(b) && !board.is_free(far));
        board.claim(7, b);
        assert!(board.is_free(a) && !board.is_free(b));
        board.forget(7);
        assert!(board.is_free(b) && board.is_open(7) && !board.is_open(8));
        board.claim(0, a);
        board.begin(8, 2);
        assert!(board.is_free(a), "the next step begins afresh");
        board.begin(3, 3);
        assert!(board.is_free(far) && board.decided(7).is_none());
    }

    #[test]
    fn a_cell_is_closed_until_the_step_ends() {
        let (mut board, [a, b]) = (Board::default(), [0, 1].map(Cell::from_index));
        board.begin(2, 2);
        board.claim(0, a);
        board.close(a);
        board.close(b);
        assert_eq!((board.taker(a), board.taker(b)), (Some(0), None));
        assert!(!board.is_free(a) && !board.is_free(b));
        board.begin(2, 2);
        assert!(board.is_free(a) && board.is_free(b));
        // After very many steps, the numbers begin again.
        board.close(a);
        let before = board.closed;
        board.closed = 3;
        board.begin(2, 2);
        assert!(board.is_free(a) && board.closed > before);
    }
}
