//! One agent of BMAA\*: its path, what it has learned, and its search.

use super::Bmaa;
use super::sight::{Sight, Vision};
use super::trail::Trail;
use crate::grid::{Cell, Direction, Exits};
use crate::planners::Work;
use crate::search::{Budget, Guided, Landmarks, Learned, Rtaa, RtaaSearch, Verdict};
use crate::world::{Agent, World};

/// What a search of one tick reads.
pub(super) struct Surroundings<'a, W> {
    pub options: &'a Bmaa,
    pub vision: Vision,
    pub world: &'a World,
    pub exits: &'a W,
    pub landmarks: &'a Landmarks,
}

/// What BMAA\* keeps for one agent from tick to tick.
#[derive(Clone, Debug, Default)]
pub(super) struct BmaaState {
    learned: Learned,
    /// The paper's P, which begins where the agent stood when it searched.
    path: Trail,
    /// The next step of the path from where the agent is, if the grid allows it.
    direction: Option<Direction>,
    /// The paper's limit: the tick in which the path expires.
    limit: u64,
    /// For how many ticks the next cell of the path has been taken.
    blocked: u32,
}

impl BmaaState {
    /// Starts from nothing, for another agent or another goal.
    pub fn restart(&mut self) {
        self.forget();
        self.path.clear();
    }

    /// Forgets what it learned.
    pub fn forget(&mut self) {
        self.learned.clear();
    }

    /// The first step of the path, as the search phase has left it.
    pub const fn direction(&self) -> Option<Direction> {
        self.direction
    }

    /// The paper's P(n): the cell after that of the agent on its path.
    pub fn wish(&self, agent: &Agent, beside: impl Fn(Cell, Direction) -> Cell) -> Option<Cell> {
        self.path.after(agent.cell, beside)
    }

    /// Counts the blocked ticks, by whether the next cell was free.
    pub fn tried(&mut self, was_free: bool) {
        self.blocked = if was_free { 0 } else { self.blocked + 1 };
    }

    /// The first half of Algorithm 3: finds the agent on its path. Returns whether it needs a new one, because there is
    /// none or it has expired.
    pub fn needs_search<W>(&mut self, surroundings: &Surroundings<'_, W>, agent: &Agent) -> bool {
        let &Surroundings { options, world, .. } = surroundings;
        if agent.has_arrived() {
            // A search would end at once, with nothing learned and an empty path.
            self.path.clear();
            self.direction = None;
            self.blocked = 0;
            return false;
        }
        let grid = world.grid();
        let next = self.path.advance_to(agent.cell, |cell, step| grid.beside(cell, step));
        self.direction = next.filter(|&step| grid.exits(agent.cell).contains(step));
        let may_retry = options.retry > 0 && self.blocked >= options.retry;
        self.direction.is_none() || world.tick() >= self.limit || may_retry
    }

    /// The second half: searches for a new path.
    // Not inlined: inside the loop over all agents it would compete for registers.
    #[inline(never)]
    pub fn search<W: Exits>(
        &mut self,
        surroundings: &Surroundings<'_, W>,
        search: &mut RtaaSearch,
        agent: &Agent,
    ) -> Work {
        let &Surroundings { options, vision, world, exits, landmarks } = surroundings;
        let problem = Sight::of(agent, vision, world, exits);
        let rtaa = Rtaa { monotone: options.monotone, improving: options.landmarks > 0 };
        let taught = (&mut self.learned, self.path.rewrite(agent.cell));
        let mut budget = Budget::expansions(u64::from(options.expansions));
        budget.count_search();
        let verdict = if options.landmarks == 0 {
            rtaa.search(search, &problem, agent.cell, taught, &mut budget)
        } else {
            let asked = landmarks.ask(agent.cell, agent.goal);
            let problem = Guided { problem, landmarks, asked };
            rtaa.search(search, &problem, agent.cell, taught, &mut budget)
        };
        self.direction = self.path.next();
        self.blocked = 0;
        if verdict == Verdict::Nothing {
            self.path.clear();
        } else {
            self.limit = world.tick() + u64::from(options.moves);
        }
        budget.work()
    }

    /// How many cells it has learned about, and the bytes that hold them.
    pub fn learned(&self) -> (usize, usize) {
        (self.learned.len(), self.learned.memory())
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.learned.memory() + self.path.memory()
    }
}
