//! The swap rule of LaCAM: two agents that meet where they cannot pass look for a place to change sides.

use super::step::Guidance;
use crate::Cost;
use crate::grid::Cell;
use crate::world::{Agent, World};

/// How far the rule looks along a corridor.
const LONGEST_WALK: usize = 64;

/// What the rule reads.
pub struct Swap<'a, G> {
    pub world: &'a World,
    pub guidance: &'a mut G,
    /// Where agents go, as far as is decided.
    pub to: &'a [Cell],
}

impl<G: Guidance> Swap<'_, G> {
    /// Who has to change sides with an agent that wants to go to `best`, if anybody has to and can. Then the
    /// agent should back off, and the other follow.
    pub fn partner(&mut self, agent: &Agent, best: Cell) -> Option<u32> {
        let here = agent.cell;
        // Somebody stands on the cell ahead.
        if let Some(other) = self.ours_on(best)
            && self.to[other.slot()] == Cell::NOWHERE
            && self.is_required(agent.slot(), other.slot(), here, best)
            && self.is_possible(best, here)
        {
            return Some(other.slot() as u32);
        }
        // Somebody behind has to get through to where this agent came from: make room.
        for near in self.world.grid().neighbours(here) {
            if near == best {
                continue;
            }
            if let Some(other) = self.ours_on(near)
                && self.is_required(other.slot(), agent.slot(), here, best)
                && self.is_possible(best, here)
            {
                return Some(other.slot() as u32);
            }
        }
        None
    }

    fn ours_on(&self, cell: Cell) -> Option<Agent> {
        let agent = self.world.occupant(cell).and_then(|id| self.world.agent(id));
        agent.copied().filter(|agent| agent.ours)
    }

    fn distance(&mut self, slot: usize, cell: Cell) -> Cost {
        self.guidance.distance(self.world, slot, cell).unwrap_or(Cost::INFINITY)
    }

    /// Whether the pusher, going on, would push the puller along a corridor to where the puller is further
    /// from its goal: then they have to change sides.
    ///
    /// The look at the floor comes before the distances, which cost more: where the way forks, nobody has to
    /// change sides, unless the pusher wants to stay right here.
    fn is_required(&mut self, pusher: usize, puller: usize, from: Cell, to: Cell) -> bool {
        let goal = self.world.slots()[pusher].goal;
        let (mut v_pusher, mut v_puller) = (from, to);
        for _ in 0..LONGEST_WALK {
            if v_pusher == goal {
                break;
            }
            let ahead = self.continuations(v_pusher, v_puller);
            if matches!(ahead, Ahead::Fork)
                || self.distance(pusher, v_puller) >= self.distance(pusher, v_pusher)
            {
                return false;
            }
            let Ahead::Corridor(next) = ahead else { break };
            (v_pusher, v_puller) = (v_puller, next);
        }
        self.distance(puller, v_pusher) < self.distance(puller, v_puller)
    }

    /// Whether backing off leads to a place where one can step aside.
    fn is_possible(&self, pusher_from: Cell, puller_from: Cell) -> bool {
        let (mut v_pusher, mut v_puller) = (pusher_from, puller_from);
        for _ in 0..LONGEST_WALK {
            if v_puller == pusher_from {
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

    /// How it goes on from `at`, for one that comes from `from`. Dead ends that are home to the one in them
    /// do not count.
    fn continuations(&self, from: Cell, at: Cell) -> Ahead {
        let grid = self.world.grid();
        let mut ahead = Ahead::End;
        for near in grid.neighbours(at) {
            let is_home = || {
                let owner = self.world.occupant(near).and_then(|id| self.world.agent(id));
                owner.is_some_and(Agent::is_home) && grid.neighbours(near).count() == 1
            };
            if near == from || self.world.is_foreign(near) || is_home() {
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
    Fork,
    End,
    Corridor(Cell),
}
