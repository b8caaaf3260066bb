//! The searches of one agent, which are kept from one change of the floor to the next.

use std::sync::Arc;

use super::environment_tree::Method;
use super::goal_table::GoalTable;
use super::outlook::Outlook;
use crate::grid::{Cell, Direction, Grid};
use crate::search::{Budget, DstarLite, Slpa, TimedRules, Verdict};
use crate::solvers::conflict_tree::{Constraint, Constraints, Timetable, at};

/// Searches with more states begin anew, so that those of the past do not pile up.
const MOST_STATES: usize = 1 << 16;

/// What a new path of an agent must keep to. All ticks count from the present one.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The cells that can be walked at some time.
    pub grid: &'a Grid,
    pub outlook: &'a Outlook,
    /// The tick of the world at which paths begin: the present one.
    pub began: u64,
    pub agent: usize,
    pub goal: Cell,
    /// The present paths of all agents.
    pub paths: &'a [Arc<[Cell]>],
    pub timetable: &'a Timetable,
    /// The first tick at which the present path is no longer good.
    pub cut: u32,
    pub constraints: &'a Constraints,
    /// The same as a list.
    pub list: &'a [Constraint],
}

impl Ask<'_> {
    /// Where the agent is to be, as things stand.
    fn at(&self, tick: u32) -> Cell {
        at(&self.paths[self.agent], tick as usize)
    }
}

/// A path of an agent, and how short one could be at best.
pub type Found = (Arc<[Cell]>, u32);

/// The searches of one agent.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    table: GoalTable,
    /// The distances of CBS-D\*-lite, instead of the table.
    lite: DstarLite,
    has_lite: bool,
    /// The edits that D\* Lite does not know yet.
    edits: Vec<Cell>,
    states: Slpa,
    has_states: bool,
    /// The tick of the states that is the present one.
    now: u32,
    /// The constraints that the states keep to, from the present tick on.
    kept: Vec<Constraint>,
    /// The edits that the states do not know yet, and from which of their ticks on they hold.
    late_edits: Vec<(Cell, u32)>,
    path: Vec<Cell>,
}

impl Guide {
    /// Forgets everything but the memory it holds.
    pub fn forget(&mut self) {
        self.table.forget();
        (self.has_lite, self.has_states) = (false, false);
    }

    /// Forgets the states: another path is followed now.
    pub const fn forget_states(&mut self) {
        self.has_states = false;
    }

    /// Cells have closed or opened, for all steps that end at this tick or later.
    pub fn note(&mut self, edits: &[Cell], tick: u32) {
        self.table.note(edits.iter().copied());
        if self.has_lite {
            self.edits.extend(edits);
        }
        if self.has_states {
            self.late_edits.extend(edits.iter().map(|&cell| (cell, self.now + tick)));
        }
    }

    /// So many ticks have passed: the others count from then on.
    pub fn pass(&mut self, ticks: u32, grid: &Grid) {
        self.now += ticks;
        let kept = self.kept.iter().filter_map(|constraint| constraint.after(ticks, grid));
        self.kept = kept.collect();
    }

    /// The steps to the goal from every cell.
    pub fn table(&mut self, grid: &Grid, goal: Cell) -> &Arc<[u32]> {
        self.table.to(grid, goal)
    }

    /// The steps from the cell of the agent to the goal, at least.
    pub fn distance(
        &mut self,
        method: Method,
        grid: &Grid,
        [here, goal]: [Cell; 2],
        budget: &mut Budget<'_>,
    ) -> Verdict<u32> {
        if method != Method::DstarLite {
            self.table.to(grid, goal);
            return self.table.from(grid, here).map_or(Verdict::Nothing, Verdict::Found);
        }
        if self.has_lite {
            self.lite.move_to(grid, here);
            for cell in self.edits.drain(..) {
                self.lite.edit(grid, cell);
            }
        } else {
            self.lite.begin(grid, here, goal);
            self.edits.clear();
            self.has_lite = true;
        }
        self.lite.distance(grid, budget)
    }

    /// A new path for the agent, as short as the method allows; nothing if there is none.
    pub fn find(
        &mut self,
        method: Method,
        ask: Ask<'_>,
        budget: &mut Budget<'_>,
    ) -> Verdict<Found> {
        let least = match self.distance(method, ask.grid, [ask.at(0), ask.goal], budget) {
            Verdict::Found(least) => least,
            Verdict::Nothing => return Verdict::Nothing,
            Verdict::OutOfBudget => return Verdict::OutOfBudget,
        };
        let is_free = ask.list.is_empty() && ask.outlook.is_empty();
        let found = match method {
            Method::Slpa { rho } => self.repair(rho, ask, budget),
            Method::DstarLite if is_free => {
                budget.count_search();
                let found = self.lite.path(ask.grid, &mut self.path, budget);
                return found.map(|()| (self.path[..].into(), least));
            }
            Method::DstarLite | Method::Anew => {
                self.begin_states(ask, 0);
                self.search(method, ask, budget)
            }
        };
        let is_from_here = self.states.start().1 == self.now;
        found.map(|path| {
            let length = path.len() as u32 - 1;
            (path, if is_from_here { length } else { least })
        })
    }

    /// Repairs the path from a little before where it is cut, and from further back if that does not lead to the goal.
    fn repair(&mut self, rho: f64, ask: Ask<'_>, budget: &mut Budget<'_>) -> Verdict<Arc<[Cell]>> {
        let mut back = ((rho * f64::from(ask.cut)).ceil() as u32).max(1);
        loop {
            let start = ask.cut.saturating_sub(back);
            if !self.can_go_on(ask, start) {
                self.begin_states(ask, start);
            }
            let from = self.states.start().1;
            match self.search(Method::Slpa { rho }, ask, budget) {
                Verdict::Nothing if from > self.now => back = back.saturating_mul(2),
                answer => return answer,
            }
            self.has_states = false;
        }
    }

    /// Whether the states of earlier searches fit: they begin on the path, no later than at this tick. If so, they are brought up to
    /// date.
    fn can_go_on(&mut self, ask: Ask<'_>, start: u32) -> bool {
        if !self.has_states || self.states.len() > MOST_STATES {
            return false;
        }
        if self.states.start().1 < self.now && !self.states.advance(ask.grid, ask.at(0), self.now) {
            return false;
        }
        let (cell, tick) = self.states.start();
        let tick = tick - self.now;
        if tick > start || ask.at(tick) != cell {
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
        for constraint in changed.into_iter().flatten() {
            self.touch(ask.grid, &constraint);
        }
        true
    }

    /// A constraint has come or gone.
    fn touch(&mut self, grid: &Grid, constraint: &Constraint) {
        match *constraint {
            Constraint::At { cell, tick } => self.states.touch(cell, self.now + tick),
            Constraint::Step { from, direction, tick } => {
                self.states.touch(grid.beside(from, direction), self.now + tick);
            }
            Constraint::Between { cell, first, last } => {
                let last = last.saturating_add(self.now);
                self.states.touch_between(cell, self.now + first, last);
            }
            Constraint::Barrier { mut cell, direction, tick, count } => {
                for tick in tick..tick + count {
                    self.states.touch(cell, self.now + tick);
                    cell = grid.beside(cell, direction);
                }
            }
            Constraint::AtAny(ref places) => {
                for &(cell, tick) in places.iter() {
                    self.states.touch(cell, self.now + tick);
                }
            }
            // When the agent may end is asked in every search.
            Constraint::EndBefore { .. } => {}
        }
    }

    fn begin_states(&mut self, ask: Ask<'_>, start: u32) {
        self.states.begin(ask.at(start), start);
        (self.has_states, self.now) = (true, 0);
        self.late_edits.clear();
        self.kept.clear();
        self.kept.extend_from_slice(ask.list);
    }

    /// Searches from the start of the states.
    fn search(
        &mut self,
        method: Method,
        ask: Ask<'_>,
        budget: &mut Budget<'_>,
    ) -> Verdict<Arc<[Cell]>> {
        let now = self.now;
        let ahead = match method {
            Method::DstarLite => Ahead::Lite(&mut self.lite),
            Method::Slpa { .. } | Method::Anew => Ahead::Table(&self.table),
        };
        let mut rules = AgentRules { ask, now, ahead };
        self.states.search(ask.grid, &mut rules, budget).map(|arrival| {
            let conflicts = |from, direction, to, tick: u32| {
                let (step, mut count) = ((from, direction, to), 0);
                ask.timetable.each_in_the_way(ask.grid, ask.paths, step, tick - now, |other| {
                    count += u32::from(other != ask.agent as u32);
                });
                count
            };
            self.states.path(ask.grid, &rules, arrival, conflicts, &mut self.path);
            let before = (0..self.states.start().1 - now).map(|tick| ask.at(tick));
            before.chain(self.path.iter().copied()).collect()
        })
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.table.memory()
            + self.lite.memory()
            + self.states.memory()
            + self.kept.capacity() * size_of::<Constraint>()
            + self.late_edits.capacity() * size_of::<(Cell, u32)>()
            + (self.edits.capacity() + self.path.capacity()) * size_of::<Cell>()
    }
}

/// The steps from cells to the goal.
enum Ahead<'a> {
    Table(&'a GoalTable),
    Lite(&'a mut DstarLite),
}

/// The rules for the agent of whom the question is, by the ticks of its states.
struct AgentRules<'a> {
    ask: Ask<'a>,
    /// The present tick.
    now: u32,
    ahead: Ahead<'a>,
}

impl TimedRules for AgentRules<'_> {
    fn allows(&self, from: Cell, direction: Option<Direction>, to: Cell, tick: u32) -> bool {
        let Ask { grid, outlook, began, constraints, goal, .. } = self.ask;
        let (step, tick) = ((from, direction, to), tick - self.now);
        constraints.allow(from, direction, to, tick)
            && outlook.allows(grid, step, began + u64::from(tick), [self.ask.at(0), goal])
    }

    fn ahead(&mut self, cell: Cell, budget: &mut Budget<'_>) -> Verdict<u32> {
        match &mut self.ahead {
            Ahead::Table(table) => {
                table.from(self.ask.grid, cell).map_or(Verdict::Nothing, Verdict::Found)
            }
            Ahead::Lite(lite) => lite.distance_from(self.ask.grid, cell, budget),
        }
    }

    fn goal(&self) -> Cell {
        self.ask.goal
    }

    fn stays_from(&self) -> u32 {
        self.ask.constraints.stays_from.saturating_add(self.now)
    }
}
