//! One agent of Jostle's planner: its route or path, what it has learned, how urgent it is.

use super::Ahead;
use crate::Cost;
use crate::grid::{Cell, Directions, Grid, Neighbours};
use crate::planners::Work;
use crate::search::{Asked, Budget, Learned, Place, Problem, Rtaa, RtaaSearch};
use crate::world::{Agent, World};

/// After how many ticks on one cell an agent wants to know the way from there.
const PATIENCE: u32 = 8;
/// After how many ticks without getting on, at least, an agent lets others choose before it.
const PATIENCE_IN_JAMS: u32 = 64;
/// How far an agent may be pushed off its route before it wants another one, in cells.
const ASTRAY: u32 = 4;
/// How many cells of a route, before and after the one an agent was on, it looks at to find back.
pub(super) const NEARBY: usize = 8;

/// What an agent goes by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Route {
    /// The path of its last search: its route has not been searched yet.
    #[default]
    Unknown,
    /// A shortest route, from the pool.
    Known,
    /// There is no way.
    NoWay,
}

/// What one agent keeps from tick to tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Walker {
    pub route: Route,
    /// What searches have taught it, while it has no route.
    pub learned: Learned,
    /// The landmarks that say most about the way from where it searched last.
    pub asked: Asked,
    /// Whether its route may not be the shortest any more.
    pub is_outdated: bool,
    /// How much reason there is to want a route: how far estimates have proved too low, and whether the
    /// agent is stuck.
    pub doubt: i64,
    /// The next cell of its route or path, if it is on it.
    pub next: Option<Cell>,
    /// The route, or the path of the last search.
    path: Vec<Cell>,
    /// Column and row of each cell of the route: dividing for them again and again would cost more than
    /// everything else.
    spots: Vec<(i16, i16)>,
    /// Where on it the agent was last.
    at: usize,
    /// Where it stood in the last tick, and for how long it has not moved.
    stood: (Option<Cell>, u32),
    /// For how many ticks it has been off its route.
    astray: u32,
    /// The fewest steps to go on a route, to the present goal, so far.
    fewest: usize,
    /// For how many ticks that has not become fewer.
    idle: u32,
}

impl Walker {
    /// Starts anew, for another agent or another goal.
    pub fn begin_anew(&mut self) {
        self.lose_route();
        self.learned.clear();
        self.asked = Asked::default();
        self.fewest = usize::MAX;
        self.idle = 0;
    }

    /// Gives up its route.
    pub fn lose_route(&mut self) {
        self.route = Route::Unknown;
        self.is_outdated = false;
        self.doubt = 0;
        self.path.clear();
        self.next = None;
    }

    /// There is no way: it stays until something opens, and wants no route any more.
    pub fn give_up(&mut self) {
        self.lose_route();
        self.route = Route::NoWay;
    }

    /// Whether what is left of its route leads over one of these cells.
    pub fn passes(&self, cells: &[bool]) -> bool {
        let ahead = self.path.get(self.at..).unwrap_or_default();
        self.route == Route::Known && ahead.iter().any(|cell| cells[cell.index()])
    }

    /// Whether it wants to have a route searched: it has none, or a shorter one may have opened.
    pub fn wants_route(&self, agent: &Agent) -> bool {
        !agent.is_home() && (self.route == Route::Unknown || self.is_outdated)
    }

    /// A cell has become floor. There may be a way where there was none, or a shorter one through here.
    pub fn notice_opening(&mut self, grid: &Grid, agent: &Agent, opened: Cell) {
        self.learned.clear();
        self.asked = Asked::default();
        match self.route {
            Route::Unknown => {}
            Route::NoWay => self.lose_route(),
            Route::Known => {
                let steps = self.path.len().saturating_sub(self.at + 1) as u32;
                let detour = grid.distance(agent.cell, opened) + grid.distance(opened, agent.goal);
                self.is_outdated |= detour < Cost::of_steps(0, steps);
            }
        }
    }

    /// Takes on a shortest route. What it has learned is not needed any more.
    pub fn take_route(&mut self, grid: &Grid, route: &[Cell]) {
        self.route = Route::Known;
        self.is_outdated = false;
        self.doubt = 0;
        self.path.clear();
        self.path.reserve_exact(route.len());
        self.path.extend_from_slice(route);
        self.spots.clear();
        self.spots.reserve_exact(route.len());
        self.spots.extend(route.iter().map(|&cell| {
            let (x, y) = grid.position(cell);
            (x as i16, y as i16)
        }));
        self.at = 0;
        self.astray = 0;
        // Most agents never search again: the room is worth more than the next allocation.
        self.learned = Learned::default();
    }

    /// Finds out where on its route or path the agent stands. Says whether it has to search.
    pub fn needs_path(&mut self, world: &World, agent: &Agent) -> bool {
        if agent.is_home() || self.route == Route::NoWay {
            self.next = None;
            self.fewest = usize::MAX;
            self.idle = 0;
            return false;
        }
        self.notice_standing(agent);
        let found = self.locate(agent.cell);
        let next = found.and_then(|at| self.path.get(at + 1)).copied();
        self.at = found.unwrap_or(self.at);
        self.next = next.filter(|&next| {
            world.grid().way_between(agent.cell, next).is_some() && !world.is_foreign(next)
        });
        self.next = self.next.map(|next| self.around(world, agent, next).unwrap_or(next));
        self.notice_progress();
        if self.route != Route::Known {
            return self.next.is_none();
        }
        self.astray = if self.next.is_some() { 0 } else { self.astray + 1 };
        if self.astray > PATIENCE || !self.is_close(world.grid(), agent.cell) {
            self.lose_route();
            self.doubt += i64::from(i32::MAX);
            return true;
        }
        false
    }

    /// Whether it has not got on for so long that somebody else should have a try. In a dead end, those who
    /// want in can stand in the way of those who want out, for ever if they always come first. Patience differs
    /// from agent to agent, so that not all give in at once.
    pub const fn is_worn_out(&self, agent: &Agent) -> bool {
        let patience = PATIENCE_IN_JAMS + agent.slot() as u32 % PATIENCE_IN_JAMS;
        self.idle > 0 && self.idle.is_multiple_of(patience)
    }

    /// A free cell by which to go around one of ours that is at home on the next cell: to push it off would cost
    /// it a step there and a step back.
    fn around(&self, world: &World, agent: &Agent, next: Cell) -> Option<Cell> {
        let (grid, after) = (world.grid(), *self.path.get(self.at + 2)?);
        let other = world.occupant(next).and_then(|id| world.agent(id))?;
        if !other.ours || !other.is_home() {
            return None;
        }
        let free = grid.neighbours(agent.cell).filter(|&cell| !world.is_occupied(cell));
        let ways = free.filter_map(|cell| {
            let (there, back) =
                (grid.way_between(agent.cell, cell)?, grid.way_between(cell, after)?);
            Some((there.cost() + back.cost(), cell))
        });
        ways.min().map(|(_, cell)| cell)
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
        let rtaa = Rtaa { monotone: true, improving: true };
        let mut budget = Budget::expansions(u64::from(expansions));
        budget.count_search();
        let here = Place::of(world.grid(), agent.cell);
        let guess = ahead.h(here).0;
        let before = self.learned.find(here, guess).0.max(guess);
        let problem = PastForeign { ahead, world, here, goal: agent.goal };
        let taught = (&mut self.learned, &mut self.path);
        let _ = rtaa.search(search, &problem, agent.cell, taught, &mut budget);
        self.at = 0;
        self.next = self.path.get(1).copied();
        if let Some(f) = search.first_f() {
            self.doubt += (f - before).units();
        }
        budget.work()
    }

    /// The part of its route around where the agent was last.
    pub fn route_nearby(&self, nearby: usize, part: &mut RoutePart) {
        let spots = &self.spots[self.window(nearby)];
        part.spots.clear();
        let (mut rest, mut after) = (Cost::ZERO, None);
        for &(x, y) in spots.iter().rev() {
            if let Some((after_x, after_y)) = after {
                let is_diagonal = x != after_x && y != after_y;
                rest = rest + if is_diagonal { Cost::DIAGONAL } else { Cost::CARDINAL };
            }
            after = Some((x, y));
            part.spots.push((i32::from(x), i32::from(y), rest));
        }
    }

    /// Bytes this walker holds beside itself.
    pub fn memory(&self) -> usize {
        self.learned.memory()
            + self.path.capacity() * size_of::<Cell>()
            + self.spots.capacity() * size_of::<(i16, i16)>()
    }

    fn notice_progress(&mut self) {
        let steps = self.path.len() - self.at.min(self.path.len());
        self.idle += 1;
        if self.route == Route::Known && self.next.is_some() && steps < self.fewest {
            self.fewest = steps;
            self.idle = 0;
        }
    }

    /// An agent that has not got on for a while wants to know the way from where it is.
    fn notice_standing(&mut self, agent: &Agent) {
        let (cell, ticks) = self.stood;
        let ticks = if cell == Some(agent.cell) { ticks + 1 } else { 0 };
        self.stood = (Some(agent.cell), ticks);
        let is_on_route = self.route == Route::Known && self.path.get(self.at) == Some(&agent.cell);
        if ticks > 0 && ticks.is_multiple_of(PATIENCE) && !is_on_route {
            if self.route == Route::Known {
                self.lose_route();
            }
            self.doubt += i64::from(i32::MAX);
        }
    }

    /// Where on its route or path the agent stands.
    fn locate(&self, cell: Cell) -> Option<usize> {
        let is_at = |at: usize| self.path.get(at) == Some(&cell);
        if is_at(self.at) {
            return Some(self.at);
        }
        if is_at(self.at + 1) {
            return Some(self.at + 1);
        }
        let window = self.window(NEARBY);
        let first = window.start;
        self.path[window].iter().rposition(|&at| at == cell).map(|at| first + at)
    }

    /// Whether the route is close by.
    fn is_close(&self, grid: &Grid, cell: Cell) -> bool {
        is_near(&self.spots[self.window(NEARBY)], Place::of(grid, cell), ASTRAY)
    }

    /// The part of the route or path around where the agent was last.
    fn window(&self, nearby: usize) -> std::ops::Range<usize> {
        let at = self.at.min(self.path.len());
        at.saturating_sub(nearby)..(at + nearby + 1).min(self.path.len())
    }
}

/// A part of a route: columns, rows, and how far it is from there to the end of the part.
#[derive(Clone, Debug, Default)]
pub(super) struct RoutePart {
    spots: Vec<(i32, i32, Cost)>,
}

impl RoutePart {
    /// How far a place is from the end of this part, relative to other places around: to the closest cell of
    /// the route, and then along it. (The cell of the route with the smallest sum could lie behind a wall.)
    pub fn distance_from(&self, place: Place, neighbours: Neighbours) -> Cost {
        let ways = self.spots.iter().map(|&(x, y, rest)| {
            let off = place.distance(Place { cell: Cell::NOWHERE, x, y }, neighbours);
            ((off, rest), off + rest)
        });
        let closest = ways.reduce(|a, b| if b.0 < a.0 { b } else { a });
        closest.map_or(Cost::INFINITY, |(_, far)| far)
    }
}

/// Whether a place is within so many rows and columns of one of the spots.
fn is_near(spots: &[(i16, i16)], place: Place, reach: u32) -> bool {
    spots.iter().any(|&(x, y)| {
        i32::from(x).abs_diff(place.x) <= reach && i32::from(y).abs_diff(place.y) <= reach
    })
}

/// The way ahead, with foreign agents beside us as walls.
struct PastForeign<'a> {
    ahead: Ahead<'a>,
    world: &'a World,
    here: Place,
    goal: Cell,
}

impl Problem for PastForeign<'_> {
    type Note = ();

    fn grid(&self) -> &Grid {
        self.ahead.grid()
    }

    fn is_goal(&self, place: Place) -> bool {
        place.cell == self.goal
    }

    fn ways(&self, cell: Cell) -> Directions {
        self.ahead.ways(cell)
    }

    fn h(&self, place: Place) -> (Cost, ()) {
        self.ahead.h(place)
    }

    fn is_blocked(&self, place: Place) -> bool {
        let is_beside = place.x.abs_diff(self.here.x) <= 1 && place.y.abs_diff(self.here.y) <= 1;
        is_beside && place.cell != self.goal && self.world.is_foreign(place.cell)
    }
}
