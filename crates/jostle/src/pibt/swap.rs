//! The swap rule of LaCAM: two agents that meet where they cannot pass look for a place to swap.

use super::chooser::Scene;
use super::guidance::Guidance;
use crate::grid::{Cell, Direction, Directions, Exits};

/// The steps that stay in a row.
const ROW: Directions = Directions::only(Direction::East).or(Directions::only(Direction::West));

/// How far the rule looks along a corridor, in cells.
const LONGEST_WALK: usize = 64;

impl<G: Guidance> Scene<'_, G> {
    /// The agent that has to swap with `a_i`, which wants to go to `best`, if there is one and a swap is possible.
    /// Then `a_i` should back off, and the other agent follow.
    pub fn swap_partner(&mut self, a_i: usize, best: Cell) -> Option<u32> {
        let here = self.q_from.raw_cells()[a_i];
        if !self.is_corridor(here, best) {
            return None;
        }
        // An agent stands on the cell ahead.
        if let Some(a_j) = self.movable_on(best)
            && self.board.next(a_j) == Cell::NOWHERE
            && self.is_swap_required(a_i, a_j, here, best)
            && self.is_swap_possible(best, here)
        {
            return Some(a_j as u32);
        }
        // An agent behind has to get past this one: make room. LaCAM does not ask whether it wants to: then agents make room for ever for one that only
        // stands beside them.
        let grid = self.grid;
        for near in grid.neighbours(here) {
            if near == best {
                continue;
            }
            if let Some(a_k) = self.movable_on(near)
                && self.guidance.comes_closer(grid, a_k, near, here)
                && self.is_swap_required(a_k, a_i, here, best)
                && self.is_swap_possible(best, here)
            {
                return Some(a_k as u32);
            }
        }
        None
    }

    /// Whether an agent may need a swap in order to go ahead. Where there is a fork right ahead, nobody does: the agent
    /// would not want to come back.
    pub fn is_corridor(&self, here: Cell, ahead: Cell) -> bool {
        !matches!(self.continuations(here, ahead), Ahead::Fork)
    }

    fn movable_on(&self, cell: Cell) -> Option<usize> {
        self.q_from.occupant(cell).filter(|&agent| self.guidance.is_movable(agent))
    }

    /// Whether the pusher, going on, would push the puller along a corridor to where the puller is further
    /// from its goal: then they have to swap.
    ///
    /// The floor is examined before the guidance, which costs more: where the corridor forks, no swap is needed,
    /// unless the pusher has reached its goal before the fork.
    /// Agents with the same goal never have to swap: whoever is first goes in first.
    fn is_swap_required(&mut self, pusher: usize, puller: usize, from: Cell, to: Cell) -> bool {
        let goal = self.guidance.goal(pusher);
        if goal == self.guidance.goal(puller) {
            return false;
        }
        let (mut v_pusher, mut v_puller) = (from, to);
        for _ in 0..LONGEST_WALK {
            if v_pusher == goal {
                break;
            }
            if !self.walk.step() {
                return false;
            }
            let ahead = self.continuations(v_pusher, v_puller);
            if matches!(ahead, Ahead::Fork)
                || !self.guidance.comes_closer(self.grid, pusher, v_pusher, v_puller)
            {
                return false;
            }
            let Ahead::Corridor(next) = ahead else { break };
            (v_pusher, v_puller) = (v_puller, next);
        }
        self.guidance.comes_closer(self.grid, puller, v_puller, v_pusher)
    }

    /// Whether backing off leads to a fork, where one agent can step aside.
    fn is_swap_possible(&mut self, pusher_from: Cell, puller_from: Cell) -> bool {
        let (mut v_pusher, mut v_puller) = (pusher_from, puller_from);
        for _ in 0..LONGEST_WALK {
            if v_puller == pusher_from || !self.walk.step() {
                return false;
            }
            match self.continuations(v_pusher, v_puller) {
                Ahead::Fork => return true,
                Ahead::End => return false,
                Ahead::Corridor(next) => (v_pusher, v_puller) = (v_puller, next),
            }
        }
        false
    }

    /// What follows `at`, for an agent that comes from `from`. A dead end is left out if its occupant is at its
    /// goal there, and so is a cell of an agent that does not take part.
    fn continuations(&self, from: Cell, at: Cell) -> Ahead {
        let mut ahead = Ahead::End;
        let exits = self.grid.exits(at);
        // Those in the row are near in memory, and usually there are two of them.
        let in_row = exits.and(ROW);
        for step in in_row.into_iter().chain(exits.without(in_row)) {
            let near = self.grid.beside(at, step);
            let is_closed = || {
                self.q_from.occupant(near).is_some_and(|agent| {
                    !self.guidance.is_movable(agent)
                        || (self.guidance.goal(agent) == near
                            && self.grid.neighbours(near).count() == 1)
                })
            };
            if near == from || is_closed() {
                continue;
            }
            ahead = match ahead {
                Ahead::End => Ahead::Corridor(near),
                _ => return Ahead::Fork,
            };
        }
        ahead
    }
}

enum Ahead {
    /// Two or more cells.
    Fork,
    /// No cell.
    End,
    /// One cell.
    Corridor(Cell),
}
