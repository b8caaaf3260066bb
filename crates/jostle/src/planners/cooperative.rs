//! Cooperative A\* and Hierarchical Cooperative A\* (Silver 2005).
//!
//! One agent after another plans its whole route through space and time, past the routes that others have
//! reserved, reserves it, and then walks it. CA\* estimates the remaining distance by the straight line,
//! HCA\* by the exact distance on the empty floor, from a reverse resumable A\*.
//!
//! They promise that routes do not conflict, and that each route is the best one past the routes reserved
//! before it. They do not promise a route for every agent: the route of one agent may leave none for the
//! next, whatever the order of the agents.
//!
//! Cost: a search through space and time for each agent, which takes longer the longer the route is, and
//! nothing afterwards. The first tick plans for all agents, unless `budget` spreads that over several ticks.
//! Memory: the routes and their reservations; during a search at most `nodes` nodes; for HCA\* also about
//! five bytes for each cell that an agent's reverse search has reached.
//!
//! Where the paper is silent:
//! - Priority is by slot. The starts of agents that have not planned yet are not reserved.
//! - An agent that arrives holds its goal for good, so a route may end only on a cell that no other agent
//!   passes later. It does not step aside for others: they go around it, or find no route.
//! - On 8 neighbours a diagonal step costs √2 and a wait 1.
//! - An agent that finds no route holds the cell it stands on, and tries again after a pause that doubles
//!   each time. An agent that cannot follow its route (an agent without a route or a foreign agent stands in
//!   the way) plans again from where it is; so does an agent whose route is cut by a new wall.
//! - Foreign agents are walls for the first ticks of a search: they may have left by the time the agent
//!   passes.
//! - Without a budget, a long search is interrupted to find out, over safe intervals, whether it can succeed
//!   at all, and is given up if it cannot. That changes no route.
//! - With a budget, a search that does not finish in a tick goes on in the next. Its route departs at a later
//!   tick, and the agent waits until then; if the search has not finished by then, it starts again with twice
//!   the delay.

use super::news::{Followed, MapNews, is_outdated};
use super::schedule::Schedule;
use super::settle::Settle;
use super::{Field, Planner, Recipe, Value, Work};
use crate::Cost;
use crate::grid::{Cell, Components, Grid};
use crate::registry::within_ranges;
use crate::search::{
    Budget, Intervals, Place, ReverseSearch, SpaceTime, TimedStep, Traffic, Verdict,
};
use crate::world::{Agent, Moves, World};

/// The parameters of CA\* and HCA\*.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cooperative {
    /// Whether estimates are exact distances on the empty floor. Default: false, as in CA\*; HCA\* has it on.
    pub hierarchical: bool,
    /// The most nodes of one search. A search that needs more finds no route. Default: `1000000`, our choice: the paper has no limit.
    pub nodes: u32,
    /// The most nodes to expand in a tick, all searches together. Default: `unlimited`, as in the paper.
    pub budget: Option<u32>,
}

impl Default for Cooperative {
    fn default() -> Self {
        Self { hierarchical: false, nodes: 1_000_000, budget: None }
    }
}

impl Recipe for Cooperative {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![
            Field {
                name: "nodes",
                about: "the most nodes of one search; one that needs more has found no route",
                value: Value::Count { value: &mut self.nodes, range: 1..=100_000_000 },
            },
            Field::budget(&mut self.budget),
        ]
    }

    fn build(&self) -> Box<dyn Planner> {
        Box::new(CooperativePlanner::new(*self))
    }
}

/// For how many ticks of a search foreign agents count as walls.
const FOREIGN_TICKS: u64 = 8;
/// How long an agent that found no route waits before it tries again, at first and at most.
const FIRST_PAUSE: u64 = 4;
const LONGEST_PAUSE: u64 = 64;
/// How many nodes a search without a budget expands before it is checked whether it can succeed at all.
const PATIENCE: u64 = 500;
/// With a budget, how many ticks a search has before its route departs, at first.
const FIRST_DELAY: u64 = 8;

/// The planner that runs CA\* or HCA\*.
#[derive(Clone, Debug, Default)]
pub struct CooperativePlanner {
    options: Cooperative,
    followed: Followed,
    states: Vec<CooperativeState>,
    schedule: Schedule,
    search: SpaceTime,
    intervals: Intervals,
    /// The search that is to be continued in the next tick.
    pending: Option<Pending>,
    settle: Settle,
    components: Option<Components>,
    path: Vec<Cell>,
}

#[derive(Clone, Debug, Default)]
struct CooperativeState {
    reverse: ReverseSearch,
    /// Whether it has a route to its goal.
    has_route: bool,
    /// When to look for a route, if it has none, and how long to pause if that fails.
    looks_at: u64,
    pause: u64,
}

#[derive(Clone, Copy, Debug)]
struct Pending {
    slot: usize,
    /// When the route begins: until then the agent waits.
    departs: u64,
    delay: u64,
}

impl CooperativePlanner {
    /// A planner that has not seen a world yet. A number that is out of its range is taken as the nearest one that is
    /// allowed.
    pub fn new(options: Cooperative) -> Self {
        let options = within_ranges(options);
        let mut planner = Self { options, ..Self::default() };
        planner.search.limit_nodes(options.nodes as usize);
        planner
    }

    /// Takes account of what the game has changed.
    fn follow(&mut self, world: &World) {
        if self.followed.is_another(world) {
            *self = Self::new(self.options);
        }
        let Self { options, followed, states, schedule, .. } = self;
        let grid = world.grid();
        states.resize_with(world.slots(), CooperativeState::default);
        schedule.resize(world.slots());
        let news = followed.map(world);
        if news != MapNews::Same {
            self.components = None;
            self.pending = None;
            for agent in world.ours() {
                let state = &mut states[agent.slot()];
                if options.hierarchical && is_outdated(news, world, &state.reverse) {
                    state.reverse.begin(grid, agent.cell, agent.goal);
                }
                if schedule.cancel_if_cut(grid, agent.slot()) {
                    state.look_again(world.tick());
                }
            }
        }
        followed.agents(world, |slot, agent| {
            let state = &mut states[slot];
            state.look_again(world.tick());
            schedule.cancel(slot);
            self.pending = self.pending.filter(|pending| pending.slot != slot);
            if let Some(agent) = agent.filter(|_| options.hierarchical) {
                state.reverse.begin(grid, agent.cell, agent.goal);
            }
        });
        schedule.take_stock(world, |slot| {
            states[slot].look_again(world.tick());
            self.pending = self.pending.filter(|pending| pending.slot != slot);
        });
    }

    fn plan_all(&mut self, world: &World) -> Work {
        let mut budget = Budget::of_option(self.options.budget);
        if let Some(pending) = self.pending {
            self.go_on(world, pending, &mut budget);
        }
        for agent in world.ours() {
            let state = &self.states[agent.slot()];
            if !state.has_route && state.looks_at <= world.tick() && self.pending.is_none() {
                self.look(world, &agent, &mut budget);
            }
        }
        for agent in world.ours() {
            if self.schedule.ends(agent.slot()).is_none() {
                self.schedule.adopt(agent.slot(), world.tick(), &[agent.cell], true);
            }
        }
        budget.work()
    }

    /// Begins to look for a route for an agent.
    fn look(&mut self, world: &World, agent: &Agent, budget: &mut Budget<'_>) {
        let slot = agent.slot();
        if !self.is_connected(world, agent) {
            self.states[slot].fail(world.tick());
            return;
        }
        let delay = if self.options.budget.is_some() { FIRST_DELAY } else { 0 };
        self.begin(world, agent, delay, budget);
    }

    fn begin(&mut self, world: &World, agent: &Agent, delay: u64, budget: &mut Budget<'_>) {
        let (slot, departs) = (agent.slot(), world.tick() + delay);
        self.schedule.cancel(slot);
        budget.count_search();
        self.search.begin(world.grid(), agent.cell, departs);
        self.go_on(world, Pending { slot, departs, delay }, budget);
    }

    /// Continues the search, and adopts the route if it finds one.
    fn go_on(&mut self, world: &World, pending: Pending, budget: &mut Budget<'_>) {
        let Pending { slot, departs, delay } = pending;
        let Some(agent) = world.in_slot(slot) else { return };
        let (now, grid) = (world.tick(), world.grid());
        // The agent no longer holds this cell for good: other agents may pass once it has left.
        self.schedule.cancel(slot);
        if departs < now {
            return self.begin(world, &agent, delay * 2, budget);
        }
        let state = &mut self.states[slot];
        let mut traffic = RouteTraffic {
            world,
            schedule: &self.schedule,
            reverse: self.options.hierarchical.then_some(&mut state.reverse),
            slot,
            goal: Place::of(grid, agent.goal),
            settled: self.schedule.table().horizon().max(departs + FOREIGN_TICKS),
        };
        // With a budget, the budget alone limits what a search may spend in a tick.
        let patience = if self.options.budget.is_some() { u64::MAX } else { PATIENCE };
        let mut first = budget.part(patience);
        let mut verdict = self.search.resume(grid, &mut traffic, &mut first);
        budget.take(&first);
        if verdict == Verdict::OutOfBudget && !budget.is_spent() {
            // A search that cannot succeed would expand every cell at every tick.
            let (table, begin) = ((self.schedule.table(), slot), (agent.cell, departs));
            verdict = self.intervals.lead_to_the_end(grid, &traffic, table, begin, budget);
            if verdict.is_found() {
                verdict = self.search.resume(grid, &mut traffic, budget);
            }
        }
        self.pending = None;
        match verdict {
            Verdict::Found(()) => {
                state.has_route = true;
                state.pause = 0;
                self.search.path(&mut self.path);
                let waits = (departs - now) as usize;
                self.path.splice(0..0, std::iter::repeat_n(agent.cell, waits));
                self.schedule.adopt(slot, now, &self.path, true);
            }
            Verdict::Nothing => state.fail(now),
            Verdict::OutOfBudget => self.pending = Some(pending),
        }
    }

    fn is_connected(&mut self, world: &World, agent: &Agent) -> bool {
        let grid = world.grid();
        let components = self.components.get_or_insert_with(|| Components::of(grid));
        components.reaches(grid, agent.cell, agent.goal)
    }
}

impl CooperativeState {
    /// Looks for a route at once.
    fn look_again(&mut self, now: u64) {
        (self.has_route, self.looks_at, self.pause) = (false, now, 0);
    }

    /// No route was found: tries again after a pause.
    fn fail(&mut self, now: u64) {
        self.pause = (self.pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
        self.looks_at = now + self.pause;
    }
}

impl Planner for CooperativePlanner {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        self.follow(world);
        let work = self.plan_all(world);
        self.schedule.propose(world, moves);
        self.settle.settle(world, moves);
        work
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        self.followed.knows(agent).then(|| self.schedule.wish(agent.slot(), agent.cell))?
    }

    fn try_clone(&self) -> Option<Box<dyn Planner>> {
        Some(Box::new(self.clone()))
    }

    fn memory(&self) -> usize {
        size_of::<Self>()
            + self.states.iter().map(|state| state.reverse.memory()).sum::<usize>()
            + self.states.capacity() * size_of::<CooperativeState>()
            + self.followed.memory()
            + self.schedule.memory()
            + self.search.memory()
            + self.intervals.memory()
            + self.settle.memory()
            + self.components.as_ref().map_or(0, Components::memory)
            + self.path.capacity() * size_of::<Cell>()
    }
}

/// What the search for a route sees.
struct RouteTraffic<'a> {
    world: &'a World,
    schedule: &'a Schedule,
    /// Exact distances, for HCA\*.
    reverse: Option<&'a mut ReverseSearch>,
    slot: usize,
    goal: Place,
    settled: u64,
}

impl Traffic for RouteTraffic<'_> {
    fn h(&mut self, grid: &Grid, place: Place, budget: &mut Budget<'_>) -> Verdict<Cost> {
        match &mut self.reverse {
            Some(reverse) => reverse.distance_from(grid, place, budget),
            None => Verdict::Found(place.distance(self.goal, grid.rules().neighbours)),
        }
    }

    fn is_free(&self, grid: &Grid, step: TimedStep) -> bool {
        let is_soon = step.arrival <= self.world.tick() + FOREIGN_TICKS;
        let table = self.schedule.table();
        table.conflict(grid, self.slot, step).is_none()
            && !(is_soon && self.world.is_foreign(step.to))
    }

    fn waiting(&self, _place: Place) -> Cost {
        Cost::CARDINAL
    }

    fn is_end(&self, place: Place, tick: u64) -> bool {
        place.cell == self.goal.cell
            && self.schedule.table().is_free_from(self.slot, place.cell, tick)
    }

    fn settled(&self) -> u64 {
        self.settled
    }
}

#[cfg(test)]
#[path = "cooperative_test.rs"]
mod tests;
