//! Agents that choose one after the other, in the names of the PIBT and LaCAM papers: agents `a_i` go from `q_from` to `q_to`.

use super::area::{Area, Share};
use super::board::Board;
use super::choices::Choices;
use super::guidance::Guidance;
use crate::grid::{Cell, Crossing, Exits, Grid};
use crate::world::Configuration;

/// What agents read when they choose, and where they write what they decide.
pub(super) struct Scene<'a, G> {
    pub grid: &'a Grid,
    pub q_from: &'a Configuration,
    /// What is decided of `q_to`.
    pub board: &'a Board,
    pub guidance: &'a mut G,
    pub has_swap_rule: bool,
    /// Where agents choose. Nobody outside of it may be asked to make room.
    pub area: Area,
    /// How many cells the swap rule may still look at, and how many it has looked at.
    pub walk: Walk,
}

/// How far the swap rule looks along corridors, all agents of a share together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    pub left: u64,
    pub done: u64,
}

impl Walk {
    /// Looks at one more cell. Returns whether it may.
    pub const fn step(&mut self) -> bool {
        let goes_on = self.left > 0;
        if goes_on {
            self.left -= 1;
            self.done += 1;
        }
        goes_on
    }
}

/// The lists that it takes to choose. They are kept from step to step, so that a step allocates nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Chooser {
    /// The active calls of PIBT: each was made because the one before it wants the cell of its agent. The chain can
    /// be as long as the number of agents, so it is a list instead of recursion.
    calls: Vec<Call>,
    /// The agents that have claimed cells since the first of these calls.
    claimers: Vec<u32>,
    /// The agents that have to choose later, because their choice depends on agents outside of the area.
    pub put_off: Vec<u32>,
    /// How many cells the swap rule has looked at for shares.
    pub walked: u64,
}

/// One call of PIBT: an agent that is choosing.
#[derive(Clone, Copy, Debug)]
struct Call {
    a_i: u32,
    /// The cells it can reach, the best first.
    candidates: Choices,
    /// The index of the next candidate to try.
    next: u8,
    /// Whether `candidates` holds all cells; if not, it holds the favourite alone.
    is_complete: bool,
    /// The agent to swap with, which is pulled along.
    partner: Option<u32>,
}

impl Call {
    /// A call with the agent's favourite cell as the only candidate.
    const fn of_favourite(a_i: u32, cell: Cell) -> Self {
        let candidates = Choices::only(cell);
        Self { a_i, candidates, next: 0, is_complete: false, partner: None }
    }
}

/// The result of trying candidates.
enum Tried {
    /// The agent has taken a cell, which may be its own.
    Goes,
    /// The agent has taken the cell of this other agent, which inherits its priority and has to move away.
    Inherits(u32),
    /// No candidate is left.
    All,
}

/// The most agents that take their favourite cells at once. Longer chains are left to the general case.
const LONGEST_CHAIN: usize = 8;

impl Chooser {
    /// Lets agents choose in order, and those that are in their way. Some of them may be [put off](Self::put_off). Returns
    /// whether a step was found for all others.
    pub fn run(&mut self, scene: &mut Scene<'_, impl Guidance>, order: &[u32]) -> bool {
        order.iter().all(|&a_i| {
            let has_to_choose =
                scene.board.is_open(a_i as usize) && scene.q_from.cell(a_i as usize).is_some();
            !has_to_choose || scene.take_favourites(a_i) || self.pibt(scene, a_i)
        })
    }

    /// Lets agents choose, share by share. Nothing is decided beforehand, so there always is a step.
    pub fn run_shares(
        &mut self,
        scene: &mut Scene<'_, impl Guidance>,
        order: &[u32],
        shares: &[Share],
        outlook: impl Fn(usize) -> u64,
    ) {
        self.put_off.clear();
        for share in shares {
            scene.area = share.area;
            scene.walk.left = outlook(share.of(order).len());
            self.run(scene, share.of(order));
        }
    }

    /// Lets an agent choose, and all those that have to make room for it. If one of them is outside of the area, the agent is
    /// put off, and nothing is decided. Returns whether all of them have a cell.
    pub fn pibt(&mut self, scene: &mut Scene<'_, impl Guidance>, a_i: u32) -> bool {
        if !scene.is_inside(a_i) {
            self.put_off.push(a_i);
            return true;
        }
        let Self { calls, claimers, put_off, .. } = self;
        claimers.clear();
        calls.push(scene.call(a_i));
        let mut is_possible = true;
        while let Some(call) = calls.last_mut() {
            match scene.try_candidates(call) {
                Tried::Inherits(a_j) if !scene.is_inside(a_j) => {
                    claimers.push(call.a_i);
                    for &agent in claimers.iter() {
                        scene.board.forget(agent as usize);
                    }
                    put_off.push(a_i);
                    calls.clear();
                }
                Tried::Inherits(a_j) => {
                    claimers.push(call.a_i);
                    calls.push(scene.call(a_j));
                }
                // Every agent that asked for room gets the cell that it wanted.
                Tried::Goes => {
                    calls.iter().rev().for_each(|call| scene.pull_partner(call));
                    calls.clear();
                }
                Tried::All if !call.is_complete => {
                    // Cells that are taken stay taken, so they need no values.
                    let board = scene.board;
                    *call = scene.rank(call.a_i, |cell| board.is_free(cell));
                }
                // The agent that asked for room tries its next cell.
                Tried::All => {
                    let a_i = call.a_i;
                    claimers.push(a_i);
                    calls.pop();
                    is_possible = scene.stay(a_i, calls.last().map(|asker| asker.a_i));
                    if !is_possible {
                        calls.clear();
                    }
                }
            }
        }
        is_possible
    }

    /// Bytes on the heap.
    pub const fn memory(&self) -> usize {
        self.calls.capacity() * size_of::<Call>()
            + (self.claimers.capacity() + self.put_off.capacity()) * size_of::<u32>()
    }
}

impl<G: Guidance> Scene<'_, G> {
    /// Whether an agent stands inside of the area.
    fn is_inside(&self, agent: u32) -> bool {
        self.area.covers(self.grid, self.q_from.raw_cells()[agent as usize])
    }

    /// The candidates of an agent: its favourite if it has one, or else all cells that it can reach, the best
    /// first. Ranking them is expensive, and few agents need more than their favourite.
    fn call(&mut self, a_i: u32) -> Call {
        let here = self.q_from.raw_cells()[a_i as usize];
        let mut call = match self.guidance.favourite(self.grid, a_i as usize, here) {
            Some(favourite) => Call::of_favourite(a_i, favourite),
            None => self.rank_all(a_i),
        };
        let best = call.candidates.get(0).unwrap_or(here);
        self.board.note_wish(a_i as usize, if best == here { Cell::NOWHERE } else { best });
        if self.has_swap_rule && best != here && self.may_need_swap((here, best), &call) {
            let partner = self.swap_partner(a_i as usize, best);
            if partner.is_some() {
                call = Call { partner, ..self.rank_all(a_i) };
                call.candidates.reverse();
            }
        }
        call
    }

    /// Whether the swap rule has to be evaluated: not for an agent whose favourite is free, unless it is in a
    /// corridor or at its mouth, with another agent close by that may want to get through.
    fn may_need_swap(&self, (here, ahead): (Cell, Cell), call: &Call) -> bool {
        let &Self { grid, q_from, .. } = self;
        call.is_complete
            || q_from.is_occupied(ahead)
            || !self.board.is_free(ahead)
            || self.crosses(here, ahead)
            || is_narrow(grid, q_from, (here, ahead))
    }

    /// Gives an agent its favourite cell, and the agents in its way theirs, if nothing else is in the way: the usual case. One
    /// after another makes room then, and nobody has to choose again.
    ///
    /// # Returns
    /// Whether they have their favourites. If not, nothing is decided.
    fn take_favourites(&self, a_i: u32) -> bool {
        let &Self { grid, q_from, .. } = self;
        let mut chain = [(a_i, Cell::NOWHERE); LONGEST_CHAIN];
        let mut at = 0;
        loop {
            if !self.is_inside(chain[at].0) {
                return false;
            }
            let agent = chain[at].0 as usize;
            let here = q_from.raw_cells()[agent];
            let Some(ahead) = self.guidance.favourite(grid, agent, here) else { return false };
            chain[at].1 = ahead;
            if !self.board.is_free(ahead) || self.crosses(here, ahead) {
                return false;
            }
            let Some(other) = q_from.occupant(ahead) else {
                if self.has_swap_rule && is_narrow(grid, q_from, (here, ahead)) {
                    return false;
                }
                break;
            };
            // Where steps must not cross, each one depends on what is decided before it.
            let is_chain = grid.rules().crossing == Crossing::Allowed
                && self.board.next(other) == Cell::NOWHERE
                && self.guidance.is_movable(other)
                && !(self.has_swap_rule && self.is_corridor(here, ahead))
                && at + 1 < LONGEST_CHAIN
                && chain[..=at].iter().all(|&(before, _)| before != other as u32);
            if !is_chain {
                return false;
            }
            at += 1;
            chain[at].0 = other as u32;
        }
        for &(agent, ahead) in &chain[..=at] {
            self.board.note_wish(agent as usize, ahead);
            self.board.claim(agent as usize, ahead);
        }
        true
    }

    /// Takes the best remaining candidate that is possible. If another agent stands there, it has to move away.
    fn try_candidates(&self, call: &mut Call) -> Tried {
        let a_i = call.a_i as usize;
        let here = self.q_from.raw_cells()[a_i];
        while let Some(v) = call.candidates.get(call.next) {
            call.next += 1;
            if !self.board.is_free(v) {
                continue;
            }
            let occupied_now = self.q_from.occupant(v).filter(|&a_j| a_j != a_i);
            if let Some(a_j) = occupied_now {
                let is_swap = self.board.next(a_j) == here;
                if is_swap || !self.guidance.is_movable(a_j) {
                    continue;
                }
            }
            if self.crosses(here, v) {
                continue;
            }
            self.board.claim(a_i, v);
            return match occupied_now.filter(|&a_j| self.board.next(a_j) == Cell::NOWHERE) {
                Some(a_j) => Tried::Inherits(a_j as u32),
                None => Tried::Goes,
            };
        }
        Tried::All
    }

    /// An agent that cannot go anywhere stays, if its cell was not given to another one beforehand. The agent that
    /// asked for the cell has to try another.
    fn stay(&self, a_i: u32, asker: Option<u32>) -> bool {
        let here = self.q_from.raw_cells()[a_i as usize];
        if self.board.taker(here).is_some_and(|taker| asker != Some(taker)) {
            return false;
        }
        self.board.claim(a_i as usize, here);
        true
    }

    /// Whether the step would cross a diagonal step that is already decided, where that is forbidden.
    fn crosses(&self, from: Cell, to: Cell) -> bool {
        crosses(self.board, self.grid, self.q_from, from, to)
    }

    /// When an agent has backed off in order to swap with another, the other follows it.
    fn pull_partner(&self, call: &Call) {
        let Some(partner) = call.partner.filter(|_| call.next == 1) else { return };
        let cells = self.q_from.raw_cells();
        let (a_i, partner) = (call.a_i as usize, partner as usize);
        let (from, partner_from) = (cells[a_i], cells[partner]);
        let is_free = self.board.next(partner) == Cell::NOWHERE
            && self.board.is_free(from)
            && self.board.next(a_i) != from
            && self.board.next(a_i) != partner_from;
        if is_free
            && self.grid.step_between(partner_from, from).is_some()
            && !self.crosses(partner_from, from)
        {
            self.board.claim(partner, from);
        }
    }

    /// A call with all cells that an agent can reach, the best first.
    fn rank_all(&mut self, a_i: u32) -> Call {
        let here = self.q_from.raw_cells()[a_i as usize];
        let candidates = self.guidance.all_choices(self.grid, a_i as usize, here);
        Call { a_i, candidates, next: 0, is_complete: true, partner: None }
    }

    /// A call with the cells that an agent can reach and that are open, the best first.
    fn rank(&mut self, a_i: u32, is_open: impl Fn(Cell) -> bool) -> Call {
        let here = self.q_from.raw_cells()[a_i as usize];
        let candidates = self.guidance.choices(self.grid, a_i as usize, here, is_open);
        Call { a_i, candidates, next: 0, is_complete: true, partner: None }
    }
}

/// Whether a step begins or ends in a corridor, with another agent close by that may want to get through.
fn is_narrow(grid: &Grid, q_from: &Configuration, (here, ahead): (Cell, Cell)) -> bool {
    let is_corridor = |cell: Cell| grid.exits(cell).len() <= 3;
    (is_corridor(here) || is_corridor(ahead))
        && grid.neighbours(here).any(|near| q_from.is_occupied(near))
}

/// Whether a step would cross a diagonal step that is already decided, where that is forbidden.
pub(super) fn crosses(
    board: &Board,
    grid: &Grid,
    q_from: &Configuration,
    from: Cell,
    to: Cell,
) -> bool {
    if grid.rules().crossing == Crossing::Allowed {
        return false;
    }
    let step = grid.step_between(from, to);
    let Some(crossed) = step.and_then(|step| grid.crossed_steps(from, step)) else {
        return false;
    };
    let is_decided =
        |(here, there)| q_from.occupant(here).is_some_and(|other| board.next(other) == there);
    crossed.into_iter().any(is_decided)
}
