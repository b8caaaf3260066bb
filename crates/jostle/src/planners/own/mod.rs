//! Jostle's own planner: bounded learning searches for where to go, priority inheritance for who goes.
//!
//! Every agent runs a real-time adaptive A\* of at most `expansions` nodes, past walls only, and follows
//! the beginning of the path it finds. Its estimates come from landmarks that all agents share, and from
//! exact distances along a shortest route, which a common pool of search works out for one agent after
//! another. Where to step is settled as in PIBT: who has been away from its goal longest chooses first, and
//! whoever stands in its way makes room.
//!
//! It promises legal moves and bounded work: in a tick at most `expansions` for each agent and `pool` for
//! landmarks and routes, whatever the size of the map, without preprocessing. As PIBT, it
//! brings every agent to its goal at some time where every two neighbouring cells lie on a cycle; the swap
//! rule helps in corridors.
//!
//! Memory: four bytes for each landmark and cell; for each agent what it has learned, and its route, at
//! most 16 bytes for each cell.
//!
//! When the map is edited, landmarks and routes are worked out anew, in slices, while agents go on with what
//! they know; a cell that opens makes them forget it, because what they know might be too much.

mod walker;

use super::follow::{Followed, MapNews, edits};
use super::pibt::lineup::Lineup;
use super::pibt::step::{Guidance, Step};
use super::{Field, Planner, Recipe, Value, Work};
use crate::Cost;
use crate::grid::{Cell, Directions, Grid, Neighbours, Ways};
use crate::search::{Ended, Landmarks, Place, Problem, RtaaSearch, Search};
use crate::world::{Agent, Change, Moves, World};
use walker::{NEARBY, Route, Walker};

/// The parameters of Jostle's planner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Jostle {
    /// The most nodes that a search of an agent may expand.
    pub expansions: u32,
    /// How many landmarks there are.
    pub landmarks: u32,
    /// The most nodes to expand in a tick for landmarks and exact routes, all agents together.
    pub pool: u32,
    /// Whether agents that meet in a corridor look for a place to change sides.
    pub swap: bool,
    /// Decides between cells that are equally good.
    pub seed: u32,
}

impl Default for Jostle {
    fn default() -> Self {
        Self { expansions: 32, landmarks: 16, pool: 50_000, swap: true, seed: 0 }
    }
}

impl Recipe for Jostle {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let field = |name, about, value| Field { name, about, value };
        let count = |value, least| Value::Count { value, least };
        vec![
            field(
                "expansions",
                "the most nodes a search of an agent may expand",
                count(&mut self.expansions, 1),
            ),
            field(
                "landmarks",
                "distance fields that all agents share",
                count(&mut self.landmarks, 0),
            ),
            field(
                "pool",
                "the most nodes to expand in a tick for landmarks and routes, all agents together",
                count(&mut self.pool, 0),
            ),
            field(
                "swap",
                "agents that meet in a corridor look for a place to change sides",
                Value::Flag(&mut self.swap),
            ),
            field("seed", "decides between cells that are equally good", count(&mut self.seed, 0)),
        ]
    }

    fn build(&self) -> Box<dyn Planner> {
        Box::new(JostlePlanner::new(*self))
    }
}

/// With so many landmarks, searches know about the large walls: routes come before the others.
const FIRST_LANDMARKS: usize = 4;

/// Jostle's planner at work.
#[derive(Debug)]
pub struct JostlePlanner {
    options: Jostle,
    followed: Followed,
    landmarks: Landmarks,
    walkers: Vec<Walker>,
    search: RtaaSearch,
    pool: Pool,
    lineup: Lineup,
    step: Step,
}

/// The search for exact routes, which goes from agent to agent.
#[derive(Debug, Default)]
struct Pool {
    search: Search,
    /// Whose route is being searched, and how many landmarks were ready when that began.
    current: Option<(usize, usize)>,
    route: Vec<Cell>,
}

impl JostlePlanner {
    /// A planner that has seen nothing yet.
    pub fn new(options: Jostle) -> Self {
        Self {
            options,
            followed: Followed::default(),
            landmarks: Landmarks::default(),
            walkers: Vec::new(),
            search: RtaaSearch::default(),
            pool: Pool::default(),
            lineup: Lineup::new(options.seed),
            step: Step::default(),
        }
    }

    /// Takes note of what the game has changed.
    fn follow(&mut self, world: &World) {
        let Self { options, followed, walkers, landmarks, pool, lineup, .. } = self;
        walkers.resize_with(world.slots().len(), Walker::default);
        let news = followed.map(world);
        if news != MapNews::Same {
            let opens = |change: &Change| matches!(change, Change::Edited { is_floor: true, .. });
            let is_too_much = news == MapNews::New || world.changes().iter().any(opens);
            if is_too_much {
                landmarks.begin(world.grid(), options.landmarks as usize);
            }
            pool.current = None;
            for walker in walkers.iter_mut() {
                if news == MapNews::New
                    || edits(world).any(|cell| walker.passes(world.grid(), cell))
                {
                    walker.lose_route();
                }
                if is_too_much {
                    walker.learned.clear();
                }
            }
        }
        followed.agents(world, |agent| {
            walkers[agent.slot()].begin_anew();
            lineup.forget(agent.slot());
            pool.current = pool.current.filter(|&(slot, _)| slot != agent.slot());
        });
    }

    /// Spends the pool of a tick: on the first few landmarks, then on routes, then on the other landmarks.
    fn spend_pool(&mut self, world: &World) -> Work {
        let mut left = u64::from(self.options.pool);
        let mut work = Work::default();
        let goals = world.ours().map(|agent| agent.goal);
        let first = FIRST_LANDMARKS.min(self.options.landmarks as usize);
        let grown = self.landmarks.grow(world.grid(), left, first, &goals);
        work.expansions += grown;
        left -= grown;
        if self.landmarks.ready() >= first {
            work += self.find_routes(world, &mut left);
        }
        work.expansions += self.landmarks.grow(world.grid(), left, usize::MAX, &goals);
        work
    }

    /// Works on routes until nobody wants one or nothing is left to spend.
    fn find_routes(&mut self, world: &World, left: &mut u64) -> Work {
        let mut work = Work::default();
        while *left > 0 {
            let Some((slot, fields)) = self.pool.current.or_else(|| self.next_route(world)) else {
                break;
            };
            let agent = &world.slots()[slot];
            let problem = Ahead::new(world.grid(), &self.landmarks, fields, agent.goal);
            let before = self.pool.search.expansions();
            let more = u32::try_from(*left).unwrap_or(u32::MAX);
            let ended = self.pool.search.resume(world.grid(), &problem, agent.goal, more);
            let expanded = u64::from(self.pool.search.expansions() - before);
            work.expansions += expanded;
            *left -= expanded;
            match ended {
                Ended::AtLimit => {
                    self.pool.current = Some((slot, fields));
                    break;
                }
                Ended::AtGoal => {
                    self.pool.search.path(&mut self.pool.route);
                    self.walkers[slot].take_route(world.grid(), &self.pool.route);
                }
                Ended::Exhausted => self.walkers[slot].route = Route::NoWay,
            }
            self.pool.current = None;
            work.searches += 1;
        }
        work
    }

    /// Begins the search for the route of the agent that doubts most where to go.
    fn next_route(&mut self, world: &World) -> Option<(usize, usize)> {
        let wants =
            |agent: &&Agent| !agent.is_home() && self.walkers[agent.slot()].route == Route::Unknown;
        let doubt =
            |agent: &&Agent| (self.walkers[agent.slot()].doubt, std::cmp::Reverse(agent.slot()));
        let agent = world.ours().filter(wants).max_by_key(doubt)?;
        let fields = self.landmarks.ready();
        let problem = Ahead::new(world.grid(), &self.landmarks, fields, agent.goal);
        self.pool.search.begin(world.grid(), &problem, agent.cell);
        Some((agent.slot(), fields))
    }

    /// Lets every agent that has no path look for one.
    fn search_phase(&mut self, world: &World) -> Work {
        let Self { options, landmarks, walkers, search, .. } = self;
        let mut work = Work::default();
        for agent in world.ours() {
            let walker = &mut walkers[agent.slot()];
            if walker.needs_path(world, agent) {
                let fields = landmarks.ready();
                let ahead = Ahead::new(world.grid(), landmarks, fields, agent.goal);
                work += walker.find_path(world, agent, ahead, search, options.expansions);
            }
        }
        work
    }
}

impl Planner for JostlePlanner {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        self.follow(world);
        let mut work = self.spend_pool(world);
        work += self.search_phase(world);
        self.lineup.form(world);
        let mut guidance = Knowledge { walkers: &self.walkers, landmarks: &self.landmarks };
        self.step.take(world, moves, &self.lineup, &mut guidance, self.options.swap);
        work
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        self.followed.knows(agent).then(|| self.step.wish(agent.slot()))?
    }

    fn memory(&self) -> usize {
        self.walkers.iter().map(Walker::memory).sum::<usize>()
            + self.walkers.capacity() * size_of::<Walker>()
            + self.landmarks.memory()
            + self.search.memory()
            + self.pool.search.memory()
            + self.lineup.memory()
            + self.followed.memory()
            + self.step.memory()
    }
}

/// The way to a goal past walls, as far as landmarks know it.
#[derive(Clone, Copy)]
struct Ahead<'a> {
    grid: &'a Grid,
    landmarks: &'a Landmarks,
    fields: usize,
    goal: Place,
    neighbours: Neighbours,
}

impl<'a> Ahead<'a> {
    fn new(grid: &'a Grid, landmarks: &'a Landmarks, fields: usize, goal: Cell) -> Self {
        let neighbours = grid.rules().neighbours;
        Self { grid, landmarks, fields, goal: Place::of(grid, goal), neighbours }
    }

    fn estimate(&self, place: Place) -> Cost {
        let bound = self.landmarks.bound_by(self.fields, place.cell, self.goal.cell);
        bound.max(place.distance(self.goal, self.neighbours))
    }
}

impl Problem for Ahead<'_> {
    type Note = ();

    fn ways(&self, cell: Cell) -> Directions {
        self.grid.ways(cell)
    }

    fn h(&self, place: Place) -> (Cost, ()) {
        (self.estimate(place), ())
    }
}

/// What agents go by when they choose.
struct Knowledge<'a> {
    walkers: &'a [Walker],
    landmarks: &'a Landmarks,
}

impl Knowledge<'_> {
    /// How far a cell is from the goal of an agent, as well as the agent knows.
    fn estimate(&self, world: &World, slot: usize, cell: Cell, nearby: usize) -> Cost {
        let (walker, place) = (&self.walkers[slot], Place::of(world.grid(), cell));
        if let Some(far) = walker.along_route(place, world.grid(), nearby) {
            return far;
        }
        let goal = world.slots()[slot].goal;
        let ahead = Ahead::new(world.grid(), self.landmarks, self.landmarks.ready(), goal);
        let estimate = ahead.estimate(place);
        walker.learned.find(place, estimate).0.max(estimate)
    }
}

/// How many cells of a route, to either side, count when agents in a corridor think about changing sides.
const NEARBY_IN_CORRIDORS: usize = 32;

impl Guidance for Knowledge<'_> {
    fn favourite(&self, agent: &Agent) -> Option<Cell> {
        self.walkers[agent.slot()].next
    }

    fn value(&mut self, world: &World, agent: &Agent, cell: Cell) -> Option<Cost> {
        let far = self.estimate(world, agent.slot(), cell, NEARBY);
        Some(match world.grid().way_between(agent.cell, cell) {
            Some(way) => far + way.cost(),
            // Waiting is better than going away, and worse than going on.
            None if agent.is_home() => far,
            None => far + Cost::CARDINAL,
        })
    }

    fn distance(&mut self, world: &World, slot: usize, cell: Cell) -> Option<Cost> {
        Some(self.estimate(world, slot, cell, NEARBY_IN_CORRIDORS))
    }
}

#[cfg(test)]
#[path = "own_test.rs"]
mod tests;
