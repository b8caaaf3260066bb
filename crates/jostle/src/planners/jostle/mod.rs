//! Jostle's own planner: bounded learning searches decide where agents go, priority inheritance which of them
//! go first.
//!
//! Every agent runs a real-time adaptive A\* of at most `expansions` nodes, in which only walls and the
//! foreign agents right beside it are obstacles, and follows the beginning of the path it finds. Its
//! estimates come from landmarks that all agents share, and from exact distances along a shortest route,
//! which a pool of expansions that all agents share computes for one agent after another. Steps are chosen as
//! in PIBT: the agent that has been away from its goal longest chooses first, and agents in its way make
//! room. Agents go around those that have arrived where there is room, and an agent that makes no progress
//! lets others choose first for a while.
//!
//! It promises legal moves and bounded work: in a tick at most `expansions` for each agent and `pool` for
//! landmarks and routes, whatever the size of the map, without preprocessing. Like PIBT, it brings every
//! agent to its goal at some time if every two neighbouring cells lie on a cycle; the swap rule helps in
//! corridors.
//!
//! Memory: four bytes for each landmark and cell; for each agent what it has learned, and its route, at
//! most 16 bytes for each cell.
//!
//! When a wall is built, agents whose routes pass it lose them. When a wall is removed, landmarks are
//! repaired, routes that might be shorter through there are searched again, in slices, and agents forget what
//! they have learned, because it might be too high.

mod knowledge;
mod route;
mod state;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::news::{Followed, MapNews, edits, follow_map};
use super::pibt::take_step;
use super::{Bmaa, Field, Planner, Recipe, Value, Work};
use crate::grid::{Cell, Grid};
use crate::pibt::{Priorities, Step};
use crate::registry::within_ranges;
use crate::search::{Asked, Budget, Guided, Landmarks, RtaaSearch, Search, StraightLine, Verdict};
use crate::world::{Agent, Moves, World};
use knowledge::Knowledge;
use route::RoutePart;
use state::JostleState;

/// The parameters of Jostle's planner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Jostle {
    /// The most nodes that a search of an agent may expand.
    pub expansions: u32,
    /// The most landmarks; fewer are built while few agents want a route.
    pub landmarks: u32,
    /// The most nodes to expand in a tick for landmarks and exact routes, all agents together. Without `talk` it has no effect.
    pub pool: u32,
    /// Whether agents that meet in a corridor look for a place to change sides.
    pub swap: bool,
    /// Whether agents ask each other to make room. If not, this is BMAA\* with landmarks: agents know no more
    /// about each other than they see around them.
    pub talk: bool,
    /// Decides between cells that are equally good.
    pub seed: u32,
}

impl Default for Jostle {
    fn default() -> Self {
        Self { expansions: 32, landmarks: 16, pool: 50_000, swap: true, talk: true, seed: 0 }
    }
}

impl Recipe for Jostle {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let field = |name, about, value| Field { name, about, value };
        let count = |value, range| Value::Count { value, range };
        vec![
            field(
                "expansions",
                "the most nodes a search of an agent may expand",
                count(&mut self.expansions, 1..=1_000_000),
            ),
            field(
                "landmarks",
                "distance fields that all agents share",
                count(&mut self.landmarks, 0..=Landmarks::MOST),
            ),
            field(
                "pool",
                "the most nodes to expand in a tick for landmarks and routes, all agents together, with talk",
                count(&mut self.pool, 0..=100_000_000),
            ),
            field(
                "swap",
                "agents that meet in a corridor look for a place to change sides",
                Value::Flag(&mut self.swap),
            ),
            field(
                "talk",
                "agents ask each other to make room; off: BMAA* with landmarks",
                Value::Flag(&mut self.talk),
            ),
            field(
                "seed",
                "decides between cells that are equally good",
                count(&mut self.seed, 0..=u32::MAX),
            ),
        ]
    }

    fn build(&self) -> Box<dyn Planner> {
        if self.talk {
            Box::new(JostlePlanner::new(*self))
        } else {
            let Self { expansions, landmarks, .. } = *self;
            Bmaa { expansions, landmarks, monotone: true, ..Bmaa::default() }.build()
        }
    }
}

/// How many routes cost as much as a landmark. With `k` landmarks, `n` routes cost about `n / k` times what
/// one route costs without, and the sum of both costs is smallest where `k` is the square root of `n` over
/// this number.
const ROUTES_PER_LANDMARK: usize = 10;

/// For how many ticks an agent that makes no progress lets others choose before it.
const DEFER_TICKS: u32 = 32;

/// Jostle's planner.
#[derive(Debug)]
pub struct JostlePlanner {
    options: Jostle,
    followed: Followed,
    landmarks: Landmarks,
    states: Vec<JostleState>,
    search: RtaaSearch,
    pool: Pool,
    priorities: Priorities,
    step: Step,
    /// Kept from tick to tick, so that choosing a step allocates nothing.
    part: RoutePart,
    /// Which cells are beside walls that were built since the last tick; none between ticks.
    is_near_wall: Vec<bool>,
}

/// The search for exact routes, which serves one agent after another.
#[derive(Debug, Default)]
struct Pool {
    search: Search,
    /// The slot of the agent whose route is being searched, and the landmarks that the search asks.
    current: Option<(usize, Asked)>,
    route: Vec<Cell>,
    /// The agents that want a route, the one with the most doubt first.
    queue: BinaryHeap<(i64, Reverse<u32>)>,
}

impl Pool {
    /// Queues the agents that want a route, without the one whose route is being searched.
    fn queue_up(&mut self, world: &World, states: &[JostleState]) {
        let current = self.current.map(|(slot, _)| slot);
        self.queue.clear();
        self.queue.extend(world.ours().filter_map(|agent| {
            let state = &states[agent.slot()];
            let wants = state.wants_route(&agent) && current != Some(agent.slot());
            wants.then_some((state.doubt(), Reverse(agent.slot() as u32)))
        }));
    }

    /// Bytes held on the heap.
    fn memory(&self) -> usize {
        self.search.memory()
            + self.route.capacity() * size_of::<Cell>()
            + self.queue.capacity() * size_of::<(i64, Reverse<u32>)>()
    }
}

impl JostlePlanner {
    /// A planner that has not seen a world yet. A number that is out of its range is taken as the nearest one that is
    /// allowed.
    pub fn new(options: Jostle) -> Self {
        let options = within_ranges(options);
        Self {
            options,
            followed: Followed::default(),
            landmarks: Landmarks::default(),
            states: Vec::new(),
            search: RtaaSearch::default(),
            pool: Pool::default(),
            priorities: Priorities::new(options.seed),
            step: Step::new(options.swap),
            part: RoutePart::default(),
            is_near_wall: Vec::new(),
        }
    }

    /// Takes account of what the game has changed.
    fn follow(&mut self, world: &World) {
        if self.followed.is_another(world) {
            *self = Self::new(self.options);
        }
        let Self { options, followed, states, landmarks, pool, priorities, is_near_wall, .. } =
            self;
        states.resize_with(world.slots(), JostleState::default);
        let news = followed.map(world);
        follow_map(landmarks, options.landmarks, news, world);
        match news {
            MapNews::Same => {}
            MapNews::New => states.iter_mut().for_each(JostleState::restart),
            MapNews::Edited => follow_edits(world, states, is_near_wall),
        }
        if news != MapNews::Same {
            pool.current = None;
        }
        followed.agents(world, |slot, _| {
            states[slot].restart();
            priorities.forget(slot);
            pool.current = pool.current.filter(|&(current, _)| current != slot);
        });
    }

    /// Spends the pool of a tick, as long as an agent wants a route: on landmarks, then on routes. The
    /// agents' own searches, `spent` expansions in this tick, are deducted from it, but at least half of it
    /// remains.
    fn spend_pool(&mut self, world: &World, spent: u64) -> Work {
        let pool = u64::from(self.options.pool);
        let mut budget = Budget::expansions(pool.saturating_sub(spent).max(pool / 2));
        self.pool.queue_up(world, &self.states);
        let wanted = (self.pool.queue.len() / ROUTES_PER_LANDMARK).isqrt();
        let wanted = wanted.min(self.options.landmarks as usize);
        let goals = world.ours().map(|agent| agent.goal);
        self.landmarks.grow(world.grid(), wanted, &goals, &mut budget);
        self.find_routes(world, &mut budget);
        budget.work()
    }

    /// Works on routes until no agent wants one or nothing is left to spend.
    fn find_routes(&mut self, world: &World, budget: &mut Budget<'_>) {
        while !budget.is_spent() {
            let Some((slot, asked)) = self.pool.current.or_else(|| self.next_route(world)) else {
                break;
            };
            let Some(agent) = world.in_slot(slot) else { break };
            let problem = ahead(world.grid(), &self.landmarks, asked, agent.goal);
            match self.pool.search.resume(&problem, budget) {
                Verdict::OutOfBudget => {
                    self.pool.current = Some((slot, asked));
                    break;
                }
                Verdict::Found(()) => {
                    self.pool.search.path(&mut self.pool.route);
                    self.states[slot].take_route(world, &agent, &self.pool.route);
                }
                Verdict::Nothing => self.states[slot].give_up(),
            }
            self.pool.current = None;
            budget.count_search();
        }
    }

    /// Begins the search for the route of the agent with the most doubt.
    fn next_route(&mut self, world: &World) -> Option<(usize, Asked)> {
        let agent = loop {
            let (_, Reverse(slot)) = self.pool.queue.pop()?;
            let (Some(agent), grid) = (world.in_slot(slot as usize), world.grid()) else {
                continue;
            };
            // Landmarks know nothing about a cell that became a wall under its agent.
            let is_cut_off = !grid.is_floor(agent.goal)
                || grid.is_floor(agent.cell) && self.landmarks.separate(agent.cell, agent.goal);
            if !is_cut_off {
                break agent;
            }
            // A search would have to expand everything it can reach to find that out.
            self.states[agent.slot()].give_up();
        };
        let asked = self.landmarks.ask(agent.cell, agent.goal);
        let problem = ahead(world.grid(), &self.landmarks, asked, agent.goal);
        self.pool.search.begin(&problem, agent.cell);
        Some((agent.slot(), asked))
    }

    /// Finds the next step of every agent, and searches for the agents without a path.
    fn search_phase(&mut self, world: &World) -> Work {
        let Self { options, landmarks, states, search, priorities, .. } = self;
        let mut work = Work::default();
        for agent in world.ours() {
            let state = &mut states[agent.slot()];
            if state.should_defer(&agent) {
                priorities.defer(agent.slot(), DEFER_TICKS);
            }
            state.follow(world, &agent);
            if state.needs_search(&agent) {
                state.asked = landmarks.ask(agent.cell, agent.goal);
                let ahead = ahead(world.grid(), landmarks, state.asked, agent.goal);
                work += state.find_path(world, &agent, ahead, search, options.expansions);
            }
        }
        work
    }
}

impl Planner for JostlePlanner {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        self.follow(world);
        let mut work = self.search_phase(world);
        work += self.spend_pool(world, work.expansions);
        self.priorities.update(world.ours().map(|agent| (agent.slot(), agent.has_arrived())));
        let mut guidance = Knowledge {
            world,
            states: &self.states,
            landmarks: &self.landmarks,
            priorities: &self.priorities,
            asked: None,
            part: std::mem::take(&mut self.part),
        };
        take_step(&mut self.step, world, self.priorities.order(), &mut guidance, moves);
        self.part = guidance.part;
        work
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        self.followed.knows(agent).then(|| self.step.wish(agent.slot()))?
    }

    fn memory(&self) -> usize {
        size_of::<Self>()
            + self.states.iter().map(JostleState::memory).sum::<usize>()
            + self.states.capacity() * size_of::<JostleState>()
            + self.landmarks.memory()
            + self.search.memory()
            + self.pool.memory()
            + self.priorities.memory()
            + self.followed.memory()
            + self.step.memory()
            + self.part.memory()
            + self.is_near_wall.capacity()
    }
}

/// A wall on a route, or beside it, cuts it. Where a wall is removed, known distances may be too high: agents
/// forget what they have learned, and choose landmarks again.
fn follow_edits(world: &World, states: &mut [JostleState], is_near_wall: &mut Vec<bool>) {
    let grid = world.grid();
    let opened = || edits(world).filter(|&cell| grid.is_floor(cell));
    let walls = || edits(world).filter(|&cell| !grid.is_floor(cell));
    let near_walls = || walls().flat_map(|cell| grid.around(cell).chain([cell]));
    is_near_wall.resize(grid.cells().len(), false);
    near_walls().for_each(|cell| is_near_wall[cell.index()] = true);
    let has_walls = walls().next().is_some();
    for agent in world.ours() {
        let state = &mut states[agent.slot()];
        if has_walls {
            state.notice_walls(is_near_wall);
        }
        opened().for_each(|cell| state.notice_opening(grid, &agent, cell));
    }
    near_walls().for_each(|cell| is_near_wall[cell.index()] = false);
}

/// The search for a path to a goal past walls, with estimates from landmarks.
type Ahead<'a> = Guided<'a, StraightLine<'a>>;

fn ahead<'a>(grid: &'a Grid, landmarks: &'a Landmarks, asked: Asked, goal: Cell) -> Ahead<'a> {
    Guided { problem: StraightLine::to(goal, grid), landmarks, asked }
}

#[cfg(test)]
#[path = "jostle_test.rs"]
mod tests;
