//! One agent of Jostle's planner: its path, what it has learned, how urgent it is.

use super::Ahead;
use crate::Cost;
use crate::grid::{Cell, Directions, Grid};
use crate::planners::Work;
use crate::search::{Learned, Place, Problem, Rtaa, RtaaSearch};
use crate::world::{Agent, World};

/// After how many ticks on one cell an agent wants to know the way.
const PATIENCE: u32 = 8;

/// How much too low estimates may prove on a route before the agent wants another one: it has lost it.
const DOUBT: i64 = 4 * Cost::CARDINAL.units() as i64;

/// What is known about an agent's shortest route.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Route {
    /// It has not been searched yet.
    #[default]
    Unknown,
    /// The distances along it have been learned.
    Learned,
    /// There is none.
    NoWay,
}

/// What one agent keeps from tick to tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Walker {
    pub learned: Learned,
    pub route: Route,
    /// For how many ticks it has been away from its goal.
    pub away: u32,
    /// The random order of cells that are equally good, in this tick.
    pub ties: u64,
    /// How much reason there is to want an exact route: how often and how far estimates have proved too
    /// low, and whether the agent is stuck.
    pub doubt: i64,
    /// Where it stood in the last tick, and for how long it has not moved.
    stood: (Option<Cell>, u32),
    /// The next cell of its path.
    pub next: Option<Cell>,
    path: Vec<Cell>,
    /// Where on its path the agent stood last.
    at: usize,
}

impl Walker {
    /// Starts anew, for another agent or another goal.
    pub fn begin_anew(&mut self) {
        self.lose_route(true);
        self.away = 0;
        self.doubt = 0;
    }

    /// The map has changed: the route may be another one. Where cells have opened, what was learned may be
    /// too much.
    pub fn lose_route(&mut self, is_too_much: bool) {
        self.route = Route::Unknown;
        self.path.clear();
        self.next = None;
        if is_too_much {
            self.learned.clear();
        }
    }

    /// Learns how far the cells of a shortest route are from its end.
    pub fn learn_route(&mut self, grid: &Grid, route: &[Cell]) {
        self.route = Route::Learned;
        self.doubt = 0;
        self.path.clear();
        self.learned.reserve(route.len());
        let mut far = Cost::ZERO;
        let mut after = None;
        for &cell in route.iter().rev() {
            let way = after.and_then(|after| grid.way_between(cell, after));
            far = far + way.map_or(Cost::ZERO, |way| way.cost());
            after = Some(cell);
            let place = Place::of(grid, cell);
            match self.learned.find(place, Cost::ZERO).1 {
                Some(entry) => self.learned[entry] = far,
                None => self.learned.insert(place, far),
            }
        }
    }

    /// Whether the agent has to look for a path. Finds out where on its path it stands.
    pub fn needs_path(&mut self, world: &World, agent: &Agent) -> bool {
        if agent.is_home() || self.route == Route::NoWay {
            self.next = None;
            return false;
        }
        self.notice_standing(agent);
        if self.path.get(self.at) != Some(&agent.cell) {
            let is_further = self.path.get(self.at + 1) == Some(&agent.cell);
            let elsewhere = || self.path.iter().position(|&cell| cell == agent.cell);
            let found = if is_further { Some(self.at + 1) } else { elsewhere() };
            self.at = found.unwrap_or(self.path.len());
        }
        let next = self.path.get(self.at + 1).copied();
        self.next = next.filter(|&next| {
            world.grid().way_between(agent.cell, next).is_some() && !world.is_foreign(next)
        });
        self.next.is_none()
    }

    /// An agent that has not got on for a while wants to know the way from where it is.
    fn notice_standing(&mut self, agent: &Agent) {
        let (cell, ticks) = self.stood;
        let ticks = if cell == Some(agent.cell) { ticks + 1 } else { 0 };
        self.stood = (Some(agent.cell), ticks);
        if ticks > 0 && ticks.is_multiple_of(PATIENCE) {
            self.route = Route::Unknown;
            self.doubt += i64::from(i32::MAX);
        }
    }

    /// Looks for a path.
    pub fn find_path(
        &mut self,
        world: &World,
        agent: &Agent,
        ahead: Ahead<'_>,
        search: &mut RtaaSearch,
        expansions: u32,
    ) -> Work {
        let rtaa = Rtaa { expansions, monotone: true, improving: true };
        let problem = PastForeign { ahead, world, here: Place::of(world.grid(), agent.cell) };
        let ends = (agent.cell, agent.goal);
        let guess = ahead.estimate(problem.here);
        let before = self.learned.find(problem.here, guess).0.max(guess);
        rtaa.search(search, world.grid(), &problem, ends, &mut self.learned, &mut self.path);
        self.at = 0;
        self.next = self.path.get(1).copied();
        if let Some(f) = search.first_f() {
            self.doubt += i64::from((f - before).units());
            if self.route == Route::Learned && self.doubt > DOUBT {
                self.route = Route::Unknown;
            }
        }
        Work { searches: 1, expansions: u64::from(search.expansions()) }
    }

    /// Bytes this walker holds beside itself.
    pub fn memory(&self) -> usize {
        self.learned.memory() + self.path.capacity() * size_of::<Cell>()
    }
}

/// The way ahead, with foreign agents beside us as walls.
struct PastForeign<'a> {
    ahead: Ahead<'a>,
    world: &'a World,
    here: Place,
}

impl Problem for PastForeign<'_> {
    type Note = ();

    fn ways(&self, cell: Cell) -> Directions {
        self.ahead.ways(cell)
    }

    fn h(&self, place: Place) -> (Cost, ()) {
        self.ahead.h(place)
    }

    fn is_blocked(&self, place: Place) -> bool {
        let is_beside = place.x.abs_diff(self.here.x) <= 1 && place.y.abs_diff(self.here.y) <= 1;
        is_beside && place.cell != self.ahead.goal.cell && self.world.is_foreign(place.cell)
    }
}
