//! The searches of one agent, which are kept from one change of the floor to the next.

use std::sync::Arc;

use super::environment_tree::Method;
use super::outlook::Outlook;
use crate::grid::{Cell, Direction, Grid};
use crate::search::{Budget, DstarLite, Slpa, TimedRules, Verdict};
use crate::solvers::conflict_tree::{Constraint, Constraints, Timetable, at};

/// Searches with more states begin anew, so that those of the past do not pile up.
const MOST_STATES: usize = 1 << 16;

/// What a new path of an agent must keep to.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The cells that can be walked at some time.
    pub grid: &'a Grid,
    pub outlook: &'a Outlook,
    /// The tick of the world at which paths begin.
    pub began: u64,
    pub agent: usize,
    pub goal: Cell,
    /// How many ticks after the beginning it is. The path stays as it was until then.
    pub now: u32,
    /// The present paths of all agents.
    pub paths: &'a [Arc<[Cell]>],
    pub timetable: &'a Timetable,
    /// The first tick at which the present path is no longer good.
    pub cut: u32,
    pub constraints: &'a Constraints,
    /// The same as a list.
    pub list: &'a [Constraint],
}

/// The searches of one agent.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    distances: DstarLite,
    has_distances: bool,
    /// The edits that the distances do not know yet.
    edits: Vec<Cell>,
    states: Slpa,
    has_states: bool,
    /// The constraints that the states keep to.
    kept: Vec<Constraint>,
    /// The edits that the states do not know yet, and from which tick on they hold.
    late_edits: Vec<(Cell, u32)>,
    path: Vec<Cell>,
}

impl Guide {
    /// Forgets everything but the memory it holds.
    pub fn forget(&mut self) {
        (self.has_distances, self.has_states) = (false, false);
    }

    /// Cells have closed or opened, for all steps that end at this tick or later.
    pub fn note(&mut self, edits: &[Cell], tick: u32) {
        if self.has_distances {
            self.edits.extend(edits);
        }
        if self.has_states {
            self.late_edits.extend(edits.iter().map(|&cell| (cell, tick)));
        }
    }

    /// The steps from a cell to the goal, at least.
    pub fn distance(
        &mut self,
        grid: &Grid,
        here: Cell,
        goal: Cell,
        budget: &mut Budget<'_>,
    ) -> Verdict<u32> {
        if self.has_distances {
            self.distances.move_to(grid, here);
            for cell in self.edits.drain(..) {
                self.distances.edit(grid, cell);
            }
        } else {
            self.distances.begin(grid, here, goal);
            self.edits.clear();
            self.has_distances = true;
        }
        self.distances.distance(grid, budget)
    }

    /// A new path for the agent, as short as the method allows; nothing if there is none.
    pub fn find(
        &mut self,
        method: Method,
        ask: Ask<'_>,
        budget: &mut Budget<'_>,
    ) -> Verdict<Arc<[Cell]>> {
        let here = at(&ask.paths[ask.agent], ask.now as usize);
        match self.distance(ask.grid, here, ask.goal, budget) {
            Verdict::Found(_) => {}
            Verdict::Nothing => return Verdict::Nothing,
            Verdict::OutOfBudget => return Verdict::OutOfBudget,
        }
        let is_free = ask.list.is_empty() && ask.outlook.is_empty();
        match method {
            Method::Slpa { rho } => self.repair(rho, ask, budget),
            Method::DstarLite if is_free => {
                budget.count_search();
                let found = self.distances.path(ask.grid, &mut self.path, budget);
                found.map(|()| spliced(ask, ask.now, &self.path))
            }
            Method::DstarLite | Method::Anew => {
                self.begin_states(ask, ask.now);
                self.search(ask, budget)
            }
        }
    }

    /// Repairs the path from a little before where it is cut, and from further back if that does not lead to the goal.
    fn repair(&mut self, rho: f64, ask: Ask<'_>, budget: &mut Budget<'_>) -> Verdict<Arc<[Cell]>> {
        let ahead = ask.cut.saturating_sub(ask.now);
        let mut back = ((rho * f64::from(ahead)).ceil() as u32).max(1);
        loop {
            let start = ask.cut.saturating_sub(back).max(ask.now);
            if !self.can_go_on(ask, start) {
                self.begin_states(ask, start);
            }
            let from = self.states.start().1;
            match self.search(ask, budget) {
                Verdict::Nothing if from > ask.now => back = back.saturating_mul(2),
                answer => return answer,
            }
            self.has_states = false;
        }
    }

    /// Whether the states of earlier searches fit: they begin on the path, no later than at this tick. If so, they are brought up to
    /// date.
    fn can_go_on(&mut self, ask: Ask<'_>, start: u32) -> bool {
        let path = &ask.paths[ask.agent];
        if !self.has_states || self.states.len() > MOST_STATES {
            return false;
        }
        if self.states.start().1 < ask.now {
            let here = at(path, ask.now as usize);
            if !self.states.advance(ask.grid, here, ask.now) {
                return false;
            }
        }
        let (cell, tick) = self.states.start();
        if tick > start || at(path, tick as usize) != cell {
            return false;
        }
        for (cell, tick) in self.late_edits.drain(..) {
            self.states.edit(ask.grid, cell, tick);
            if ask.grid.is_floor(cell) {
                self.states.forget_distances();
            }
        }
        let is_only_in = |one: &[Constraint], other: &[Constraint]| -> Vec<Constraint> {
            one.iter().filter(|constraint| !other.contains(constraint)).cloned().collect()
        };
        let changed = [is_only_in(&self.kept, ask.list), is_only_in(ask.list, &self.kept)];
        self.kept.clear();
        self.kept.extend_from_slice(ask.list);
        changed.into_iter().flatten().all(|constraint| self.touch(ask.grid, &constraint))
    }

    /// A constraint has come or gone. False if there is no telling which states it concerns.
    fn touch(&mut self, grid: &Grid, constraint: &Constraint) -> bool {
        match *constraint {
            Constraint::At { cell, tick } => self.states.touch(cell, tick),
            Constraint::Step { from, direction, tick } => {
                self.states.touch(grid.beside(from, direction), tick);
            }
            _ => return false,
        }
        true
    }

    fn begin_states(&mut self, ask: Ask<'_>, start: u32) {
        self.states.begin(at(&ask.paths[ask.agent], start as usize), start);
        self.has_states = true;
        self.late_edits.clear();
        self.kept.clear();
        self.kept.extend_from_slice(ask.list);
    }

    /// Searches from the start of the states.
    fn search(&mut self, ask: Ask<'_>, budget: &mut Budget<'_>) -> Verdict<Arc<[Cell]>> {
        let mut rules = AgentRules {
            ask,
            here: at(&ask.paths[ask.agent], ask.now as usize),
            distances: &mut self.distances,
        };
        self.states.search(ask.grid, &mut rules, budget).map(|arrival| {
            let conflicts = |from, direction, to, tick| {
                let (step, mut count) = ((from, direction, to), 0);
                ask.timetable.each_in_the_way(ask.grid, ask.paths, step, tick, |other| {
                    count += u32::from(other != ask.agent as u32);
                });
                count
            };
            self.states.path(ask.grid, &rules, arrival, conflicts, &mut self.path);
            spliced(ask, self.states.start().1, &self.path)
        })
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.distances.memory()
            + self.states.memory()
            + self.kept.capacity() * size_of::<Constraint>()
            + self.late_edits.capacity() * size_of::<(Cell, u32)>()
            + (self.edits.capacity() + self.path.capacity()) * size_of::<Cell>()
    }
}

/// The present path up to a tick, and another one from then on.
fn spliced(ask: Ask<'_>, from: u32, rest: &[Cell]) -> Arc<[Cell]> {
    let before = (0..from).map(|tick| at(&ask.paths[ask.agent], tick as usize));
    before.chain(rest.iter().copied()).collect()
}

/// The rules for the agent of whom the question is.
struct AgentRules<'a> {
    ask: Ask<'a>,
    here: Cell,
    distances: &'a mut DstarLite,
}

impl TimedRules for AgentRules<'_> {
    fn allows(&self, from: Cell, direction: Option<Direction>, to: Cell, tick: u32) -> bool {
        let Ask { grid, outlook, began, constraints, goal, .. } = self.ask;
        let step = (from, direction, to);
        constraints.allow(from, direction, to, tick)
            && outlook.allows(grid, step, began + u64::from(tick), [self.here, goal])
    }

    fn ahead(&mut self, cell: Cell, budget: &mut Budget<'_>) -> Verdict<u32> {
        self.distances.distance_from(self.ask.grid, cell, budget)
    }

    fn goal(&self) -> Cell {
        self.ask.goal
    }

    fn stays_from(&self) -> u32 {
        self.ask.constraints.stays_from
    }
}
