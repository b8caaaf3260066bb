//! What the default planner keeps for one agent: its route or path, what it has learned, and whether it makes
//! progress.

use super::Ahead;
use super::route::{KnownRoute, NEARBY_CELLS, Spot};
use crate::grid::{Cell, Grid};
use crate::planners::Work;
use crate::planners::cursor::{PathCursor, Within};
use crate::search::{Asked, Avoiding, Budget, Learned, Place, Problem, Rtaa, RtaaSearch};
use crate::world::{Agent, World};

/// After how many ticks on one cell an agent that is not on a route wants one from that cell.
const STANDING_TICKS: u32 = 8;
/// After how many ticks without a step along its route an agent wants another one.
const OFF_ROUTE_TICKS: u32 = 8;
/// After how many ticks without progress, at least, an agent lets others choose before it.
const JAM_TICKS: u32 = 64;
/// The doubt of an agent that is stuck, in units of cost. It outweighs estimates that have proved too low.
const STUCK: i64 = i32::MAX as i64;

/// What an agent knows about the path to its goal.
#[derive(Clone, Debug)]
pub(super) enum RouteState {
    /// The pool has not found a route yet, so the agent follows the path of its last search.
    Unknown {
        /// That path, from the cell where it searched; empty before its first search.
        path: PathCursor,
        /// How much the agent needs a route, in units of cost: how far estimates have proved too low, and
        /// more if it is stuck.
        doubt: i64,
        /// The allocation of its last route, for the next one.
        spare: Vec<Spot>,
    },
    /// The agent follows a route that the pool has found.
    Known(KnownRoute),
    /// No path leads to its goal. It stays until a wall is removed.
    NoPath,
}

impl Default for RouteState {
    fn default() -> Self {
        Self::Unknown { path: PathCursor::default(), doubt: 0, spare: Vec::new() }
    }
}

/// What the default planner keeps for one agent from tick to tick.
#[derive(Clone, Debug, Default)]
pub(super) struct JostleState {
    pub route: RouteState,
    /// What it has learned from its searches; empty while it has a route.
    pub learned: Learned,
    /// The landmarks with the best estimates for the path from where it searched last.
    pub asked: Asked,
    /// The cell to step on next, if it is on its route or path.
    pub next: Option<Cell>,
    /// The cell it stood on in the last tick, and for how many ticks it had stood there.
    stood: (Option<Cell>, u32),
    /// The fewest remaining steps on any route to its goal so far.
    fewest_steps: usize,
    /// For how many ticks that number has not fallen.
    ticks_without_progress: u32,
}

impl JostleState {
    /// Starts from nothing, for another agent or another goal.
    pub fn restart(&mut self) {
        self.lose_route();
        self.learned.clear();
        self.asked = Asked::default();
        self.reset_progress();
    }

    /// Forgets its route or path.
    pub fn lose_route(&mut self) {
        let (mut path, spare) = self.take_allocations();
        path.clear();
        self.route = RouteState::Unknown { path, doubt: 0, spare };
        self.next = None;
    }

    /// No path leads to its goal: it no longer wants a route.
    pub fn give_up(&mut self) {
        self.route = RouteState::NoPath;
        self.next = None;
    }

    /// Whether it wants the pool to search for a route: it has none, or a shorter one may have opened.
    pub fn wants_route(&self, agent: &Agent) -> bool {
        !agent.has_arrived()
            && match &self.route {
                RouteState::Unknown { .. } => true,
                RouteState::Known(route) => route.is_outdated,
                RouteState::NoPath => false,
            }
    }

    /// How much it needs a route, to compare with other agents that want one.
    pub const fn doubt(&self) -> i64 {
        match &self.route {
            RouteState::Unknown { doubt, .. } => *doubt,
            RouteState::Known(_) | RouteState::NoPath => 0,
        }
    }

    /// Walls were built: it loses its route if the route leads over one of these cells.
    pub fn notice_walls(&mut self, is_near_wall: &[bool]) {
        if let RouteState::Known(route) = &self.route
            && route.passes(is_near_wall)
        {
            self.lose_route();
        }
    }

    /// A cell has become floor. There may be a path where there was none, or a shorter one through here, and
    /// what it has learned may be too high.
    pub fn notice_opening(&mut self, grid: &Grid, agent: &Agent, opened: Cell) {
        self.learned.clear();
        self.asked = Asked::default();
        match &mut self.route {
            RouteState::Unknown { .. } => {}
            RouteState::Known(route) => route.notice_opening(grid, agent, opened),
            RouteState::NoPath => self.lose_route(),
        }
    }

    /// Adopts a shortest route, and follows it from the next step on. What it has learned is no longer
    /// needed.
    pub fn take_route(&mut self, world: &World, agent: &Agent, cells: &[Cell]) {
        self.route =
            RouteState::Known(KnownRoute::new(world.grid(), cells, self.take_allocations()));
        self.learned.clear();
        self.find_next(world, agent);
    }

    /// Finds out where on its route or path the agent stands, which cell is next, and whether it makes
    /// progress.
    pub fn follow(&mut self, world: &World, agent: &Agent) {
        if agent.has_arrived() || matches!(self.route, RouteState::NoPath) {
            self.next = None;
            self.reset_progress();
            return;
        }
        self.notice_standing(agent);
        self.find_next(world, agent);
        self.notice_progress();
        self.leave_route_out_of_reach(world.grid(), agent.cell);
    }

    /// Whether it has to search for itself: it has neither a route nor a path on which it stands.
    pub fn needs_search(&self, agent: &Agent) -> bool {
        let is_unknown = matches!(self.route, RouteState::Unknown { .. });
        is_unknown && self.next.is_none() && !agent.has_arrived()
    }

    /// Whether it has made no progress for so long that others should choose before it. In a dead end, agents
    /// that want in can block agents that want out, for ever if they always choose first. The number of ticks
    /// differs from agent to agent, so that not all of them defer at once.
    pub const fn should_defer(&self, agent: &Agent) -> bool {
        let ticks = JAM_TICKS + agent.slot() as u32 % JAM_TICKS;
        self.ticks_without_progress > 0 && self.ticks_without_progress.is_multiple_of(ticks)
    }

    /// Looks for a path, and follows it from the next step on.
    pub fn find_path(
        &mut self,
        world: &World,
        agent: &Agent,
        ahead: Ahead<'_>,
        search: &mut RtaaSearch,
        expansions: u32,
    ) -> Work {
        let RouteState::Unknown { path, doubt, .. } = &mut self.route else {
            // What the pool has found out is better than what a bounded search can find.
            return Work::default();
        };
        let rtaa = Rtaa { monotone: true, improving: true };
        let mut budget = Budget::expansions(u64::from(expansions));
        budget.count_search();
        let here = Place::of(world.grid(), agent.cell);
        let guess = ahead.h(here).0;
        let before = self.learned.find(here, guess).0.max(guess);
        // Foreign agents right beside the agent are walls; others may be gone when it gets there.
        let is_obstacle = |place: Place| {
            let is_beside = place.x.abs_diff(here.x) <= 1 && place.y.abs_diff(here.y) <= 1;
            is_beside && place.cell != agent.goal && world.is_foreign(place.cell)
        };
        let problem = Avoiding { problem: ahead, is_obstacle };
        let taught = (&mut self.learned, path.rewrite());
        let _ = rtaa.search(search, &problem, agent.cell, taught, &mut budget);
        self.next = path.next();
        if let Some(f) = search.first_f() {
            *doubt += (f - before).units();
        }
        budget.work()
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        let route = match &self.route {
            RouteState::Unknown { path, spare, .. } => {
                path.memory() + spare.capacity() * size_of::<Spot>()
            }
            RouteState::Known(route) => route.memory(),
            RouteState::NoPath => 0,
        };
        self.learned.memory() + route
    }

    /// The route or path that it follows.
    const fn path(&mut self) -> Option<&mut PathCursor> {
        match &mut self.route {
            RouteState::Unknown { path, .. } => Some(path),
            RouteState::Known(route) => Some(&mut route.path),
            RouteState::NoPath => None,
        }
    }

    /// Leaves the route unknown, and returns the allocations of what was there.
    fn take_allocations(&mut self) -> (PathCursor, Vec<Spot>) {
        match std::mem::take(&mut self.route) {
            RouteState::Unknown { path, spare, .. } => (path, spare),
            RouteState::Known(route) => route.into_allocations(),
            RouteState::NoPath => (PathCursor::default(), Vec::new()),
        }
    }

    const fn reset_progress(&mut self) {
        self.fewest_steps = usize::MAX;
        self.ticks_without_progress = 0;
    }

    /// An agent that has stood on one cell for a while wants to know the path from there.
    fn notice_standing(&mut self, agent: &Agent) {
        let (cell, ticks) = self.stood;
        let ticks = if cell == Some(agent.cell) { ticks + 1 } else { 0 };
        self.stood = (Some(agent.cell), ticks);
        if ticks > 0 && ticks.is_multiple_of(STANDING_TICKS) {
            match &self.route {
                // Another agent is in its way: a different route would not help.
                RouteState::Known(route) if route.path.is_at(agent.cell) => {}
                RouteState::Known(_) => self.lose_route_in_doubt(),
                RouteState::Unknown { .. } | RouteState::NoPath => self.add_doubt(STUCK),
            }
        }
    }

    /// Finds the cell to step on next.
    fn find_next(&mut self, world: &World, agent: &Agent) {
        let path = self.path();
        self.next = path.and_then(|path| {
            let next = path.advance_to(agent.cell, Within::Cells(NEARBY_CELLS))?;
            let is_open = world.grid().step_between(agent.cell, next).is_some();
            let is_possible = is_open && !world.is_foreign(next);
            is_possible.then(|| around(world, agent, path.ahead()).unwrap_or(next))
        });
    }

    fn notice_progress(&mut self) {
        self.ticks_without_progress += 1;
        if let RouteState::Known(route) = &self.route
            && self.next.is_some()
            && route.path.ahead().len() < self.fewest_steps
        {
            self.fewest_steps = route.path.ahead().len();
            self.ticks_without_progress = 0;
        }
    }

    /// Gives up a route to which the agent cannot return, so that it wants another one.
    fn leave_route_out_of_reach(&mut self, grid: &Grid, cell: Cell) {
        if let RouteState::Known(route) = &mut self.route {
            route.ticks_off = if self.next.is_some() { 0 } else { route.ticks_off + 1 };
            if route.ticks_off > OFF_ROUTE_TICKS || !route.is_near(grid, cell) {
                self.lose_route_in_doubt();
            }
        }
    }

    fn lose_route_in_doubt(&mut self) {
        self.lose_route();
        self.add_doubt(STUCK);
    }

    const fn add_doubt(&mut self, more: i64) {
        if let RouteState::Unknown { doubt, .. } = &mut self.route {
            *doubt += more;
        }
    }
}

/// A free cell by which to go around an agent of ours that has arrived on the next cell of a path: pushing it
/// off would cost it a step away and a step back. The path begins where the agent stands.
fn around(world: &World, agent: &Agent, path: &[Cell]) -> Option<Cell> {
    let (grid, next, after) = (world.grid(), *path.get(1)?, *path.get(2)?);
    let other = world.agent_on(next)?;
    if !other.ours || !other.has_arrived() {
        return None;
    }
    let free = grid.neighbours(agent.cell).filter(|&cell| !world.is_occupied(cell));
    let detours = free.filter_map(|cell| {
        let (there, back) = (grid.step_between(agent.cell, cell)?, grid.step_between(cell, after)?);
        Some((there.cost() + back.cost(), cell))
    });
    detours.min().map(|(_, cell)| cell)
}
