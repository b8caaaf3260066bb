//! One joint step.

use super::area::{Area, Share};
use super::board::Board;
use super::chooser::{Chooser, Scene, Walk, crosses};
use super::guidance::Guidance;
use crate::grid::{Cell, Grid};
use crate::threads;
use crate::world::Configuration;

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
    /// How many cells the swap rule may look at for each agent of an order, or of a share of it.
    outlook: Option<u64>,
    /// How many it has looked at in this step.
    walked: u64,
    /// What is decided.
    board: Board,
    /// The agents whose cells were given to others beforehand.
    displaced: Vec<u32>,
    /// The lists of each piece of work that may be done at the same time; there is at least one.
    choosers: Vec<Chooser>,
}

impl Default for Step {
    fn default() -> Self {
        Self::new(true)
    }
}

impl Step {
    /// Steps with or without the swap rule, by which agents that meet in a corridor look for a place to swap.
    pub fn new(has_swap_rule: bool) -> Self {
        Self {
            has_swap_rule,
            outlook: None,
            walked: 0,
            board: Board::default(),
            displaced: Vec::new(),
            choosers: vec![Chooser::default()],
        }
    }

    /// Lets the swap rule look at no more cells than so many for each agent of an order, all of them together. Then it does not
    /// apply to the last ones.
    #[must_use]
    pub(crate) const fn with_outlook(mut self, cells: u64) -> Self {
        self.outlook = Some(cells);
        self
    }

    /// How many cells the swap rule has looked at in this step.
    pub(crate) const fn walked(&self) -> u64 {
        self.walked
    }

    /// Begins a step from a configuration: nothing is decided.
    pub fn begin(&mut self, grid: &Grid, q_from: &Configuration) {
        self.walked = 0;
        self.board.begin(q_from.len(), grid.cells().len());
        self.displaced.clear();
    }

    /// Decides beforehand where an agent goes. Returns whether that is a legal step and compatible with what has
    /// been decided already; if not, nothing is decided.
    pub fn decide(&mut self, grid: &Grid, q_from: &Configuration, agent: usize, to: Cell) -> bool {
        let Some(from) = q_from.cell(agent) else { return false };
        let is_step = from == to || grid.step_between(from, to).is_some();
        let is_free = |board: &Board| {
            let there = q_from.occupant(to).filter(|&other| other != agent);
            board.is_open(agent)
                && board.is_free(to)
                && there.is_none_or(|other| board.decided(other) != Some(from))
                && !crosses(board, grid, q_from, from, to)
        };
        if !is_step || !is_free(&self.board) {
            return false;
        }
        self.board.claim(agent, to);
        self.board.note_wish(agent, if to == from { Cell::NOWHERE } else { to });
        self.displaced.extend(q_from.occupant(to).map(|other| other as u32));
        true
    }

    /// Closes a cell: agents for which nothing has been decided do not enter it.
    pub(crate) fn close(&mut self, cell: Cell) {
        self.board.close(cell);
    }

    /// Lets agents choose, in order, and the agents that are in their way. All others stay. Returns whether a joint
    /// step was found, which is always so unless moves were decided beforehand. A number that no agent has is passed over.
    pub fn run(
        &mut self,
        grid: &Grid,
        q_from: &Configuration,
        order: &[u32],
        guidance: &mut impl Guidance,
    ) -> bool {
        let Self { has_swap_rule, ref board, .. } = *self;
        let area = Area::EVERYWHERE;
        let walk = Walk { left: most_walked(self.outlook, order.len()), done: 0 };
        let mut scene = Scene { grid, q_from, board, guidance, has_swap_rule, area, walk };
        let chooser = &mut self.choosers[0];
        let is_found = chooser.run(&mut scene, order)
            && self.displaced.iter().filter(|&&a_i| board.is_open(a_i as usize)).all(|&a_i| {
                scene.guidance.is_movable(a_i as usize) && chooser.pibt(&mut scene, a_i)
            });
        self.walked += scene.walk.done;
        is_found
    }

    /// Lets agents choose, share by share of an order, on this many threads, and then those whose choice depends on agents outside
    /// of their area, one after another. The areas must be [apart](Area::is_apart): then the step does not depend on the
    /// number of threads. Nothing must have been decided beforehand.
    pub(crate) fn run_apart<G: Guidance + Clone + Sync>(
        &mut self,
        grid: &Grid,
        q_from: &Configuration,
        (order, shares): (&[u32], &[Share]),
        guidance: &G,
        threads: usize,
    ) {
        debug_assert!(shares.windows(2).all(|pair| pair[0].area.is_apart(pair[1].area)));
        let pieces = shares.len().div_ceil(PIECE);
        self.choosers.resize_with(pieces.max(self.choosers.len()), Chooser::default);
        let Self { has_swap_rule, outlook, ref board, ref mut choosers, .. } = *self;
        let work = choosers.iter_mut().zip(shares.chunks(PIECE));
        threads::for_each(threads::available(threads), work, |(chooser, shares)| {
            let (guidance, area) = (&mut guidance.clone(), Area::EVERYWHERE);
            let walk = Walk { left: 0, done: 0 };
            let mut scene = Scene { grid, q_from, board, guidance, has_swap_rule, area, walk };
            chooser.run_shares(&mut scene, order, shares, |agents| most_walked(outlook, agents));
            chooser.walked = scene.walk.done;
        });
        self.walked += self.choosers[..pieces].iter().map(|chooser| chooser.walked).sum::<u64>();
        for piece in 0..pieces {
            let put_off = std::mem::take(&mut self.choosers[piece].put_off);
            self.run(grid, q_from, &put_off, &mut guidance.clone());
            self.choosers[piece].put_off = put_off;
        }
    }

    /// The next cell of an agent of the configuration: its own cell if it stays.
    pub fn next(&self, q_from: &Configuration, agent: usize) -> Option<Cell> {
        self.board.decided(agent).or_else(|| q_from.cell(agent))
    }

    /// The next cells of all agents, by number; `NOWHERE` for one that stays because it was not asked to choose.
    pub(crate) fn all_next(&self) -> impl ExactSizeIterator<Item = Cell> {
        self.board.all_next()
    }

    /// The best cell of an agent in the last step, if that was not its own cell.
    pub fn wish(&self, agent: usize) -> Option<Cell> {
        self.board.wish(agent)
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.board.memory()
            + self.displaced.capacity() * size_of::<u32>()
            + self.choosers.capacity() * size_of::<Chooser>()
            + self.choosers.iter().map(Chooser::memory).sum::<usize>()
    }
}

/// How many cells the swap rule may look at for so many agents, if so many are for each.
fn most_walked(outlook: Option<u64>, agents: usize) -> u64 {
    outlook.map_or(u64::MAX, |each| FIRST_WALK + each * agents as u64)
}

/// A few agents may look as far as they like.
const FIRST_WALK: u64 = 1024;

/// How many shares a thread takes at a time.
const PIECE: usize = 4;

#[cfg(test)]
#[path = "step_test.rs"]
mod tests;
