//! One joint step, in the names of the PIBT and LaCAM papers: agents `a_i` go from `q_from` to `q_to`.

use super::choices::Choices;
use super::claims::Claims;
use crate::grid::{Cell, Crossing, Exits, Grid};
use crate::world::Configuration;

/// What agents base their choices on. Agents are numbered as in the configuration.
pub trait Guidance {
    /// Whether an agent takes part. An agent that does not is an obstacle.
    fn is_movable(&self, agent: usize) -> bool;

    /// The cell to which an agent wants to go.
    fn goal(&self, agent: usize) -> Cell;

    /// The cells on which an agent that stands `here` could stand next, the best first. Those that are not open may be left
    /// out, and so may all that come after `here` if that is open.
    fn choices(
        &mut self,
        grid: &Grid,
        agent: usize,
        here: Cell,
        is_open: impl Fn(Cell) -> bool,
    ) -> Choices;

    /// All cells on which an agent that stands `here` could stand next, the best first. An agent that has to back off in
    /// order to swap with another goes through them from the last.
    fn all_choices(&mut self, grid: &Grid, agent: usize, here: Cell) -> Choices {
        self.choices(grid, agent, here, |_| true)
    }

    /// Whether an agent would come closer to its goal by a step between two cells, which the swap rule asks for.
    fn comes_closer(&mut self, grid: &Grid, agent: usize, from: Cell, to: Cell) -> bool;

    /// A neighbouring cell that an agent takes, if it is free, without comparing it with others: this saves
    /// ranking them. It is the first of its [`choices`](Self::choices).
    fn favourite(&self, _grid: &Grid, _agent: usize, _here: Cell) -> Option<Cell> {
        None
    }
}

/// A joint step. Its lists are kept from step to step, so that a step allocates nothing.
///
/// ```
/// use jostle::pibt::{Choices, Guidance, Step};
/// use jostle::{Cell, Configuration, Grid};
///
/// /// Straight-line distances to one goal for each agent.
/// struct Lines<'a>(&'a [Cell]);
///
/// impl Guidance for Lines<'_> {
///     fn is_movable(&self, _: usize) -> bool {
///         true
///     }
///     fn goal(&self, agent: usize) -> Cell {
///         self.0[agent]
///     }
///     fn choices(
///         &mut self,
///         grid: &Grid,
///         agent: usize,
///         here: Cell,
///         is_open: impl Fn(Cell) -> bool,
///     ) -> Choices {
///         let value = |cell| Some(grid.distance(cell, self.0[agent]));
///         Choices::by_value(grid, here, is_open, 0, value)
///     }
///     fn comes_closer(&mut self, grid: &Grid, agent: usize, from: Cell, to: Cell) -> bool {
///         grid.distance(to, self.0[agent]) < grid.distance(from, self.0[agent])
///     }
/// }
///
/// let grid = Grid::open(4, 1)?;
/// let at = |x| grid.at(x, 0).unwrap();
/// // The first agent wants the cell of the second, which has to make room.
/// let now = Configuration::of(&grid, [at(0), at(1)]).unwrap();
/// let mut step = Step::default();
/// step.begin(&grid, &now);
/// assert!(step.run(&grid, &now, &[0], &mut Lines(&[at(3), at(1)])));
/// assert_eq!([step.next(&now, 0), step.next(&now, 1)], [Some(at(1)), Some(at(2))]);
/// # Ok::<(), jostle::grid::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Step {
    has_swap_rule: bool,
    /// The agent that will stand on each cell, as far as is decided.
    occupied_next: Claims,
    /// The next cell of each agent; `NOWHERE` if that is not decided.
    q_to: Vec<Cell>,
    /// The best cell of each agent, or `NOWHERE` if that is its own cell.
    wishes: Vec<Cell>,
    /// The agents whose cells were given to others beforehand.
    displaced: Vec<u32>,
    /// The active calls of PIBT: each was made because the one before it wants the cell of its agent. The chain can
    /// be as long as the number of agents, so it is a list instead of recursion.
    calls: Vec<Call>,
}

impl Default for Step {
    fn default() -> Self {
        Self::new(true)
    }
}

/// What a step reads.
pub(super) struct Scene<'a, G> {
    pub grid: &'a Grid,
    pub q_from: &'a Configuration,
    pub guidance: &'a mut G,
}

impl Step {
    /// Steps with or without the swap rule, by which agents that meet in a corridor look for a place to swap.
    pub const fn new(has_swap_rule: bool) -> Self {
        Self {
            has_swap_rule,
            occupied_next: Claims::NONE,
            q_to: Vec::new(),
            wishes: Vec::new(),
            displaced: Vec::new(),
            calls: Vec::new(),
        }
    }
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

impl Step {
    /// Begins a step from a configuration: nothing is decided.
    pub fn begin(&mut self, grid: &Grid, q_from: &Configuration) {
        self.occupied_next.begin(grid.cells().len());
        self.q_to.clear();
        self.q_to.resize(q_from.len(), Cell::NOWHERE);
        self.wishes.resize(q_from.len(), Cell::NOWHERE);
        self.displaced.clear();
    }

    /// Decides beforehand where an agent goes. Returns whether that is a legal step and compatible with what has
    /// been decided already; if not, nothing is decided.
    pub fn decide(&mut self, grid: &Grid, q_from: &Configuration, agent: usize, to: Cell) -> bool {
        let Some(from) = q_from.cell(agent) else { return false };
        let is_step = from == to || grid.step_between(from, to).is_some();
        let is_free = |step: &Self| {
            let there = q_from.occupant(to).filter(|&other| other != agent);
            step.q_to.get(agent) == Some(&Cell::NOWHERE)
                && step.occupied_next.is_free(to)
                && there.is_none_or(|other| step.q_to.get(other) != Some(&from))
                && !step.crosses(grid, q_from, from, to)
        };
        if !is_step || !is_free(self) {
            return false;
        }
        self.claim(agent, to);
        self.displaced.extend(q_from.occupant(to).map(|other| other as u32));
        true
    }

    /// Lets agents choose, in order, and the agents that are in their way. All others stay. Returns whether a joint
    /// step was found, which is always so unless moves were decided beforehand.
    pub fn run(
        &mut self,
        grid: &Grid,
        q_from: &Configuration,
        order: &[u32],
        guidance: &mut impl Guidance,
    ) -> bool {
        let mut scene = Scene { grid, q_from, guidance };
        for &a_i in order {
            // A number that no agent has is passed over.
            let is_open = self.q_to.get(a_i as usize) == Some(&Cell::NOWHERE);
            if is_open
                && q_from.cell(a_i as usize).is_some()
                && !self.take_favourites(&scene, a_i)
                && !self.pibt(&mut scene, a_i)
            {
                return false;
            }
        }
        for at in 0..self.displaced.len() {
            let a_i = self.displaced[at];
            if self.q_to[a_i as usize] != Cell::NOWHERE {
                continue;
            }
            if !scene.guidance.is_movable(a_i as usize) || !self.pibt(&mut scene, a_i) {
                return false;
            }
        }
        for (to, wish) in self.q_to.iter().zip(&mut self.wishes) {
            if *to == Cell::NOWHERE {
                *wish = Cell::NOWHERE;
            }
        }
        true
    }

    /// The next cell of an agent of the configuration: its own cell if it stays.
    pub fn next(&self, q_from: &Configuration, agent: usize) -> Option<Cell> {
        self.q_to.get(agent).and_then(|to| to.known()).or_else(|| q_from.cell(agent))
    }

    /// The best cell of an agent in the last step, if that was not its own cell.
    pub fn wish(&self, agent: usize) -> Option<Cell> {
        self.wishes.get(agent).and_then(|wish| wish.known())
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.occupied_next.memory()
            + self.displaced.capacity() * size_of::<u32>()
            + (self.q_to.capacity() + self.wishes.capacity()) * size_of::<Cell>()
            + self.calls.capacity() * size_of::<Call>()
    }

    /// Lets an agent choose, and all those that have to make room for it. Returns whether all of them have a cell.
    fn pibt(&mut self, scene: &mut Scene<'_, impl Guidance>, a_i: u32) -> bool {
        let mut calls = std::mem::take(&mut self.calls);
        calls.push(self.call(scene, a_i));
        let mut is_possible = true;
        while let Some(call) = calls.last_mut() {
            match self.try_candidates(scene, call) {
                Tried::Inherits(a_j) => calls.push(self.call(scene, a_j)),
                // Every agent that asked for room gets the cell that it wanted.
                Tried::Goes => {
                    calls.iter().rev().for_each(|call| self.pull_partner(scene, call));
                    calls.clear();
                }
                Tried::All if !call.is_complete => {
                    // Cells that are taken stay taken, so they need no values.
                    *call = scene.rank(call.a_i, |cell| self.occupied_next.is_free(cell));
                }
                // The agent that asked for room tries its next cell.
                Tried::All => {
                    let a_i = call.a_i;
                    calls.pop();
                    is_possible = self.stay(scene, a_i, calls.last().map(|asker| asker.a_i));
                    if !is_possible {
                        calls.clear();
                    }
                }
            }
        }
        self.calls = calls;
        is_possible
    }

    /// The candidates of an agent: its favourite if it has one, or else all cells that it can reach, the best
    /// first. Ranking them is expensive, and few agents need more than their favourite.
    fn call(&mut self, scene: &mut Scene<'_, impl Guidance>, a_i: u32) -> Call {
        let here = scene.q_from.raw_cells()[a_i as usize];
        let mut call = match scene.guidance.favourite(scene.grid, a_i as usize, here) {
            Some(favourite) => Call::of_favourite(a_i, favourite),
            None => scene.rank_all(a_i),
        };
        let best = call.candidates.get(0).unwrap_or(here);
        self.wishes[a_i as usize] = if best == here { Cell::NOWHERE } else { best };
        if self.has_swap_rule && best != here && self.may_need_swap(scene, (here, best), &call) {
            let partner = scene.swap_partner(&self.q_to, a_i as usize, best);
            if partner.is_some() {
                call = Call { partner, ..scene.rank_all(a_i) };
                call.candidates.reverse();
            }
        }
        call
    }

    /// Whether the swap rule has to be evaluated: not for an agent whose favourite is free, unless it is in a
    /// corridor or at its mouth, with another agent close by that may want to get through.
    fn may_need_swap<G>(
        &self,
        scene: &Scene<'_, G>,
        (here, ahead): (Cell, Cell),
        call: &Call,
    ) -> bool {
        let &Scene { grid, q_from, .. } = scene;
        call.is_complete
            || q_from.is_occupied(ahead)
            || !self.occupied_next.is_free(ahead)
            || self.crosses(grid, q_from, here, ahead)
            || is_narrow(grid, q_from, (here, ahead))
    }

    /// Gives an agent its favourite cell, and the agents in its way theirs, if nothing else is in the way: the usual case. One
    /// after another makes room then, and nobody has to choose again.
    ///
    /// # Returns
    /// Whether they have their favourites. If not, nothing is decided.
    fn take_favourites(&mut self, scene: &Scene<'_, impl Guidance>, a_i: u32) -> bool {
        let &Scene { grid, q_from, .. } = scene;
        let mut chain = [(a_i, Cell::NOWHERE); LONGEST_CHAIN];
        let mut at = 0;
        loop {
            let agent = chain[at].0 as usize;
            let here = q_from.raw_cells()[agent];
            let Some(ahead) = scene.guidance.favourite(grid, agent, here) else { return false };
            chain[at].1 = ahead;
            if !self.occupied_next.is_free(ahead) || self.crosses(grid, q_from, here, ahead) {
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
                && self.q_to[other] == Cell::NOWHERE
                && scene.guidance.is_movable(other)
                && !(self.has_swap_rule && scene.is_corridor(here, ahead))
                && at + 1 < LONGEST_CHAIN
                && chain[..=at].iter().all(|&(before, _)| before != other as u32);
            if !is_chain {
                return false;
            }
            at += 1;
            chain[at].0 = other as u32;
        }
        for &(agent, ahead) in &chain[..=at] {
            self.wishes[agent as usize] = ahead;
            self.claim(agent as usize, ahead);
        }
        true
    }

    /// Takes the best remaining candidate that is possible. If another agent stands there, it has to move away.
    fn try_candidates(&mut self, scene: &Scene<'_, impl Guidance>, call: &mut Call) -> Tried {
        let a_i = call.a_i as usize;
        let here = scene.q_from.raw_cells()[a_i];
        while let Some(v) = call.candidates.get(call.next) {
            call.next += 1;
            if !self.occupied_next.is_free(v) {
                continue;
            }
            let occupied_now = scene.q_from.occupant(v).filter(|&a_j| a_j != a_i);
            if let Some(a_j) = occupied_now {
                let is_swap = self.q_to[a_j] == here;
                if is_swap || !scene.guidance.is_movable(a_j) {
                    continue;
                }
            }
            if self.crosses(scene.grid, scene.q_from, here, v) {
                continue;
            }
            self.claim(a_i, v);
            return match occupied_now.filter(|&a_j| self.q_to[a_j] == Cell::NOWHERE) {
                Some(a_j) => Tried::Inherits(a_j as u32),
                None => Tried::Goes,
            };
        }
        Tried::All
    }

    /// An agent that cannot go anywhere stays, if its cell was not given to another one beforehand. The agent that
    /// asked for the cell has to try another.
    fn stay<G>(&mut self, scene: &Scene<'_, G>, a_i: u32, asker: Option<u32>) -> bool {
        let here = scene.q_from.raw_cells()[a_i as usize];
        if self.occupied_next.get(here).is_some_and(|taker| asker != Some(taker)) {
            return false;
        }
        self.claim(a_i as usize, here);
        true
    }

    fn claim(&mut self, agent: usize, cell: Cell) {
        self.q_to[agent] = cell;
        self.occupied_next.set(cell, agent as u32);
    }

    /// Whether the step would cross a diagonal step that is already decided, where that is forbidden.
    fn crosses(&self, grid: &Grid, q_from: &Configuration, from: Cell, to: Cell) -> bool {
        if grid.rules().crossing == Crossing::Allowed {
            return false;
        }
        let step = grid.step_between(from, to);
        let Some(crossed) = step.and_then(|step| grid.crossed_steps(from, step)) else {
            return false;
        };
        crossed.into_iter().any(|(here, there)| {
            q_from.occupant(here).is_some_and(|other| self.q_to[other] == there)
        })
    }

    /// When an agent has backed off in order to swap with another, the other follows it.
    fn pull_partner<G>(&mut self, scene: &Scene<'_, G>, call: &Call) {
        let Some(partner) = call.partner.filter(|_| call.next == 1) else { return };
        let cells = scene.q_from.raw_cells();
        let (a_i, partner) = (call.a_i as usize, partner as usize);
        let (from, partner_from) = (cells[a_i], cells[partner]);
        let is_free = self.q_to[partner] == Cell::NOWHERE
            && self.occupied_next.is_free(from)
            && self.q_to[a_i] != from
            && self.q_to[a_i] != partner_from;
        if is_free
            && scene.grid.step_between(partner_from, from).is_some()
            && !self.crosses(scene.grid, scene.q_from, partner_from, from)
        {
            self.claim(partner, from);
        }
    }
}

/// Whether a step begins or ends in a corridor, with another agent close by that may want to get through.
fn is_narrow(grid: &Grid, q_from: &Configuration, (here, ahead): (Cell, Cell)) -> bool {
    let is_corridor = |cell: Cell| grid.exits(cell).len() <= 3;
    (is_corridor(here) || is_corridor(ahead))
        && grid.neighbours(here).any(|near| q_from.is_occupied(near))
}

impl<G: Guidance> Scene<'_, G> {
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

#[cfg(test)]
#[path = "step_test.rs"]
mod tests;
