//! Flow Annotated Replanning (Wang and Botea 2008), and A\*-Replan.
//!
//! Every agent finds a whole route by A\*, ignoring all other agents; before it walks, it reserves its next
//! `reserve` moves, and waits where it stands until it gets them. FAR searches on one-way streets, so that
//! agents rarely meet head-on; A\*-Replan (`flow` off) on the plain floor.
//!
//! It promises legal moves, that an agent that has reserved its moves is not stopped by another agent of
//! ours, and that agents that wait for each other in a cycle, or for an agent that has arrived, are found at
//! once. It does not promise to resolve these deadlocks: where no agent nearby can make way, they stay stuck.
//!
//! Cost per tick: constant for each agent. In addition, one A\* over the whole route for each new goal and
//! each time an agent has made way, and at most 256 cells for each attempt to make way. `budget` bounds these
//! together: agents whose route is not ready wait, and the search goes on in the next tick. Memory: the
//! routes, and about ten words for each cell of the map.
//!
//! Where the papers are silent:
//! - Agents reserve in the order of their slots. An agent gets all of its `reserve` moves, or none; it holds
//!   the cell to which the last one leads until it reserves again.
//! - An agent with a new goal first makes the moves that it has reserved.
//! - A deadlock is broken by one agent that makes way: it goes to the nearest cell that is free, that no
//!   agent has reserved, and that the others do not need for their next moves. Mostly that is a neighbour; in
//!   a corridor it may be further. It stays there until the agent it made way for has passed (or that takes
//!   too long), and then plans again. This keeps two agents from stepping to and fro. In a cycle, agents that
//!   are not aside already come first, then those that have made way least often, then the smallest slot.
//! - An agent that was pushed off its goal eight times ignores the one-way streets when it returns. Otherwise
//!   two agents whose paths back lead over each other's goals would push each other off for ever.
//! - An agent that has waited for `patience` ticks reserves one move if it cannot get `reserve`. Without
//!   this, crowds deadlock with every other cell free.
//! - When an agent has waited for `patience` ticks in a deadlock that could not be broken, the agent that is
//!   to make way takes a path that other agents block. Those are then in a deadlock with it, and make way
//!   themselves.
//! - Foreign agents are not walls to the search, and not pushed. An agent that one of them has blocked for
//!   `patience` ticks takes a route around all foreign agents, against one-way streets too, because the
//!   streets were laid out without these obstacles.
//! - An agent that walls cut off from its goal stays where it is, and makes way.

mod breaking;
mod deadlock;
mod refuge;
mod state;

use super::news::{Followed, MapNews, edits};
use super::schedule::Schedule;
use super::settle::Settle;
use super::slices::Slices;
use super::{Field, Planner, Recipe, Value, Work};
use crate::grid::{Cell, Components, Exits, Flow};
use crate::registry::within_ranges;
use crate::search::{Avoiding, Budget, Place, StraightLine, TimedStep, Verdict};
use crate::world::{Agent, Moves, World};
use deadlock::WaitGraph;
use refuge::RefugeSearch;
use state::{Blocker, FarState};

/// The parameters of FAR and A\*-Replan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Far {
    /// How many moves an agent reserves before it makes them. Default: `3`, as in the paper.
    pub reserve: u32,
    /// After how many ticks of waiting an agent reserves single moves, goes around foreign agents, and has others pushed aside. Default:
    /// `10`, our choice: the paper has no such rule.
    pub patience: u32,
    /// Whether agents search on one-way streets. Default: `true`, as in the paper; A\*-Replan does not.
    pub flow: bool,
    /// The most nodes to expand in a tick, all searches together. Default: `unlimited`, as in the paper.
    pub budget: Option<u32>,
}

impl Default for Far {
    fn default() -> Self {
        Self { reserve: 3, patience: 10, flow: true, budget: None }
    }
}

impl Recipe for Far {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let field = |name, about, value| Field { name, about, value };
        vec![
            field(
                "reserve",
                "moves that an agent reserves before it makes them",
                Value::Count { value: &mut self.reserve, range: 1..=1000 },
            ),
            field(
                "patience",
                "ticks that agents wait before they reserve less, go around or push",
                Value::Count { value: &mut self.patience, range: 1..=1_000_000 },
            ),
            field("flow", "search on one-way streets", Value::Flag(&mut self.flow)),
            Field::budget(&mut self.budget),
        ]
    }

    fn build(&self) -> Box<dyn Planner> {
        Box::new(FarPlanner::new(*self))
    }
}

/// How often an agent that was pushed off its goal returns along one-way streets.
const MOST_DETOURS: u32 = 8;

/// The planner that runs FAR or A\*-Replan.
#[derive(Clone, Debug, Default)]
pub struct FarPlanner {
    options: Far,
    followed: Followed,
    states: Vec<FarState>,
    schedule: Schedule,
    /// The last tick for which anything is or was reserved.
    horizon: u64,
    slices: Slices,
    /// The slot of the agent that looks for a route first.
    turn: usize,
    flow: Flow,
    components: Option<Components>,
    graph: WaitGraph,
    refuge: RefugeSearch,
    settle: Settle,
    path: Vec<Cell>,
    /// Slots of agents that are not where they had reserved to be, and have to stand. Kept for its
    /// allocation.
    halted: Vec<usize>,
    /// The members of a cycle, each with the one that waits for it. Kept for its allocation.
    members: Vec<(usize, usize)>,
}

impl FarPlanner {
    /// A planner that has not seen a world yet. A number that is out of its range is taken as the nearest one that is
    /// allowed.
    pub fn new(options: Far) -> Self {
        let options = within_ranges(options);
        Self { options, ..Self::default() }
    }

    /// Takes account of what the game has changed.
    fn follow(&mut self, world: &World) {
        if self.followed.is_another(world) {
            *self = Self::new(self.options);
        }
        let Self { options, followed, states, schedule, flow, .. } = self;
        let grid = world.grid();
        states.resize_with(world.slots(), FarState::default);
        schedule.resize(world.slots());
        let news = followed.map(world);
        if options.flow {
            match news {
                MapNews::Same => {}
                MapNews::Edited => edits(world).for_each(|cell| flow.forget_near(grid, cell)),
                MapNews::New => *flow = Flow::of(grid),
            }
        }
        if news != MapNews::Same {
            self.components = None;
            self.slices.stop();
            for (slot, state) in states.iter_mut().enumerate() {
                state.looks_at = 0;
                if state.is_cut(grid) {
                    state.drop_path();
                }
                schedule.cancel_if_cut(grid, slot);
            }
        }
        followed.agents(world, |slot, agent| {
            let id = agent.map(|agent| agent.id);
            let state = &mut states[slot];
            if state.id != id {
                schedule.cancel(slot);
            }
            state.restart(id);
        });
        self.slices.follow(world);
    }

    /// Makes every agent that is not where it had reserved to be stand where it is, and agents that had
    /// reserved its cell as well.
    fn take_stock(&mut self, world: &World) {
        let now = world.tick();
        for agent in world.ours() {
            self.schedule.forget_before(agent.slot(), now);
            if self.schedule.at(agent.slot(), now) != Some(agent.cell) {
                self.halted.push(agent.slot());
            }
        }
        while let Some(slot) = self.halted.pop() {
            let Some(agent) = world.in_slot(slot) else { continue };
            for tick in now..=self.horizon + 1 {
                if let Some(other) = self.schedule.table().owner(agent.cell, tick)
                    && other != slot
                {
                    self.schedule.cancel(other);
                    self.halted.push(other);
                }
            }
            self.schedule.adopt(slot, now, &[agent.cell], true);
            self.states[slot].stand(agent.cell);
            self.states[slot].looks_at = 0;
        }
    }

    /// Finds routes for the agents that need one, in turn, as far as the budget goes.
    fn find_routes(&mut self, world: &World, budget: &mut Budget<'_>) {
        let first = self.slices.pending().unwrap_or(self.turn) % world.slots().max(1);
        for agent in world.ours_from(first) {
            if !self.needs_route(world, &agent) {
                if self.slices.pending() == Some(agent.slot()) {
                    self.slices.stop();
                }
            } else if !self.find_route(world, &agent, budget) {
                self.turn = agent.slot();
                break;
            }
        }
    }

    fn needs_route(&mut self, world: &World, agent: &Agent) -> bool {
        let (slot, now) = (agent.slot(), world.tick());
        if !self.schedule.is_standing(slot) {
            return false;
        }
        if self.states[slot].aside.is_some() && !self.is_aside(slot, now) {
            self.states[slot].drop_path();
        }
        let state = &self.states[slot];
        let has_plans = state.goes_on() || state.aside.is_some();
        !has_plans && !agent.has_arrived() && state.looks_at <= now
    }

    /// Whether an agent still makes way for another.
    fn is_aside(&self, slot: usize, now: u64) -> bool {
        self.states[slot].aside.is_some_and(|aside| {
            let passer = &self.states[aside.passer];
            let is_coming = passer.version == aside.version && passer.goes_on();
            now < aside.until && is_coming && passer.steps() <= aside.past
        })
    }

    /// Looks for the route of one agent. Returns whether the budget was enough.
    fn find_route(&mut self, world: &World, agent: &Agent, budget: &mut Budget<'_>) -> bool {
        let grid = world.grid();
        let components = self.components.get_or_insert_with(|| Components::of(grid));
        let state = &mut self.states[agent.slot()];
        if !components.reaches(grid, agent.cell, agent.goal) {
            state.looks_at = u64::MAX;
            return true;
        }
        let path = &mut self.path;
        let keeps_to_streets = !state.goes_around && state.chased < MOST_DETOURS;
        let route = if self.options.flow && keeps_to_streets {
            let exits = self.flow.on(grid);
            let problem = route_problem(world, agent, &exits, state.goes_around);
            self.slices.find(&problem, agent, path, budget)
        } else {
            let problem = route_problem(world, agent, grid, state.goes_around);
            self.slices.find(&problem, agent, path, budget)
        };
        match route {
            Verdict::OutOfBudget => return false,
            Verdict::Found(()) => state.take_path(path),
            Verdict::Nothing => state.looks_at = world.tick() + u64::from(self.options.patience),
        }
        state.goes_around = false;
        true
    }

    fn reserve_all(&mut self, world: &World) {
        for agent in world.ours() {
            let slot = agent.slot();
            if !self.schedule.is_standing(slot) {
                continue;
            }
            if self.states[slot].goes_on() {
                self.reserve(world, slot);
            } else {
                let state = &mut self.states[slot];
                (state.waited, state.waits_for) = (0, None);
            }
        }
    }

    /// Reserves the next moves of an agent that stands, or lets it wait.
    fn reserve(&mut self, world: &World, slot: usize) {
        let state = &self.states[slot];
        let ahead = state.ahead();
        let mut cells = &ahead[..ahead.len().min(self.options.reserve as usize + 1)];
        let mut blocker = self.blocker(world, slot, cells);
        let is_out_of_patience = state.waited >= self.options.patience;
        if is_out_of_patience
            && blocker.is_some()
            && self.blocker(world, slot, &cells[..2]).is_none()
        {
            (cells, blocker) = (&cells[..2], None);
        }
        if blocker.is_some() {
            let state = &mut self.states[slot];
            state.waits_for = blocker;
            state.waited += 1;
            return;
        }
        let (now, moves) = (world.tick(), cells.len() - 1);
        self.schedule.adopt(slot, now, cells, true);
        self.horizon = self.horizon.max(now + moves as u64);
        self.states[slot].advance(moves);
    }

    /// What keeps an agent from making these moves from now on, or from staying where they lead.
    fn blocker(&self, world: &World, slot: usize, cells: &[Cell]) -> Option<Blocker> {
        let (grid, table, now) = (world.grid(), self.schedule.table(), world.tick());
        for (step, arrival) in cells.windows(2).zip(now + 1..) {
            let (from, to) = (step[0], step[1]);
            if world.is_foreign(to) {
                return Some(Blocker::Foreign);
            }
            let step = TimedStep { from, to, direction: grid.step_between(from, to), arrival };
            if let Some(other) = table.conflict(grid, slot, step) {
                return Some(Blocker::Ours(other));
            }
        }
        let last = *cells.last()?;
        if table.is_free_from(slot, last, now + cells.len() as u64) {
            return None;
        }
        let later = now + cells.len() as u64..=self.horizon + 1;
        let mut owners = later.filter_map(|tick| table.owner(last, tick));
        owners.find(|&other| other != slot).map(Blocker::Ours)
    }
}

impl Planner for FarPlanner {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        let mut budget = Budget::of_option(self.options.budget);
        self.follow(world);
        self.take_stock(world);
        self.find_routes(world, &mut budget);
        self.reserve_all(world);
        self.break_deadlocks(world, &mut budget);
        self.schedule.propose(world, moves);
        self.settle.settle(world, moves);
        budget.work()
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        if !self.followed.knows(agent) {
            return None;
        }
        let state = &self.states[agent.slot()];
        let ahead = state.ahead().get(1).copied();
        self.schedule.wish(agent.slot(), agent.cell).or(ahead)
    }

    fn try_clone(&self) -> Option<Box<dyn Planner>> {
        Some(Box::new(self.clone()))
    }

    fn memory(&self) -> usize {
        size_of::<Self>()
            + self.states.iter().map(FarState::memory).sum::<usize>()
            + self.states.capacity() * size_of::<FarState>()
            + self.followed.memory()
            + self.schedule.memory()
            + self.slices.memory()
            + self.flow.memory()
            + self.components.as_ref().map_or(0, Components::memory)
            + self.graph.memory()
            + self.refuge.memory()
            + self.settle.memory()
            + self.path.capacity() * size_of::<Cell>()
            + self.halted.capacity() * size_of::<usize>()
            + self.members.capacity() * size_of::<(usize, usize)>()
    }
}

/// What the search for a route sees: walls, and foreign agents if it is to go around them.
fn route_problem<'a, E: Exits>(
    world: &'a World,
    agent: &Agent,
    exits: &'a E,
    goes_around: bool,
) -> Avoiding<StraightLine<'a, E>, impl Fn(Place) -> bool> {
    let goal = agent.goal;
    Avoiding {
        problem: StraightLine::along(exits, goal, world.grid()),
        is_obstacle: move |place: Place| {
            goes_around && place.cell != goal && world.is_foreign(place.cell)
        },
    }
}

#[cfg(test)]
#[path = "far_test.rs"]
mod tests;
