//! An agent on its way: which field it follows now, and when it takes the next one.
//!
//! - **On the route** an agent follows the field of one exit after another. It takes the next one as soon as that one's
//!   window covers it by [`INSET`] cells and the way on from there is no longer than the way over the present exit,
//!   which a wall may make it. If agents changed fields at borders only, paths would hug portals.
//! - **The last leg** goes straight ahead if the goal is near and nothing is in between. Otherwise it begins when the goal's
//!   window covers the agent, and follows a field of the goal.
//! - **Pushed off**, where its field does not lead on, it searches a way back to the exit it was heading for, and keeps
//!   the rest of its route.
//!
//! With every step the way ahead gets shorter, along the fields of all exits ahead, and taking a field early never makes
//! it longer. So an agent that follows the best steps arrives.

use super::Sectors;
use super::fields::Target;
use super::heading::Heading;
use super::layout::SectorId;
use super::portals::ExitCode;
use super::sight;
use super::walk::{FieldWalk, Remaining};
use crate::Cost;
use crate::grid::{Cell, Directions, Grid, Place};

/// By how many cells the next window must cover an agent before it takes the next field. Agents at the very edge
/// would often be pushed out of it again.
pub(super) const INSET: i32 = 3;

/// What an agent follows now: all that is needed of it in most ticks.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    pub(super) goal: Cell,
    /// The sector of the next exit.
    pub(super) sector: SectorId,
    /// Where the field that was used last may still be.
    pub(super) slot: u32,
    /// Where the field of the exit after the next one may be.
    pub(super) slot_after: u32,
    /// The version of the map for which the route was last checked.
    pub(super) version: u32,
    /// On the way straight to the goal, the next cell. For a stranded agent, the cell where it was found to be so.
    pub(super) mark: Cell,
    pub(super) leg: Leg,
    /// The next exit, on a route.
    pub(super) exit: ExitCode,
    /// The exit after that.
    pub(super) after: Option<ExitCode>,
    /// For how many ticks it does not look at the next field.
    pub(super) patience: u8,
    /// Whether it has passed an exit of which its route has not been told.
    is_ahead: bool,
}

/// The exits ahead of an agent. It is read and written only now and then.
#[derive(Clone, Debug)]
pub struct Route {
    /// The codes of the exits, a byte each.
    pub(super) codes: Vec<u8>,
    /// How many of them have been passed.
    pub(super) passed: u32,
    /// Where the route was found, and how long it was.
    pub(super) start: Cell,
    pub(super) length: Cost,
}

/// What an agent is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leg {
    /// It has no route.
    Lost,
    /// It goes to the next exit.
    Route,
    /// It goes to its goal along a field.
    Last,
    /// It goes straight to its goal.
    Straight,
    /// Its goal cannot be reached.
    Stranded,
}

impl Default for Route {
    fn default() -> Self {
        Self { codes: Vec::new(), passed: 0, start: Cell::NOWHERE, length: Cost::ZERO }
    }
}

impl Route {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.codes.capacity()
    }

    /// How long it was when it was found.
    pub const fn length(&self) -> Cost {
        self.length
    }

    /// The exits ahead, the next one first.
    pub(super) fn ahead(&self) -> &[u8] {
        &self.codes[self.passed as usize..]
    }

    /// The exit after the next one.
    pub(super) fn after_next(&self) -> Option<ExitCode> {
        self.ahead().get(1).map(|&code| ExitCode::from_byte(code))
    }

    /// From behind the next exit, it goes on with these exits, and is so long from there.
    pub(super) fn extend(&mut self, codes: &[u8], behind: Cell, length: Cost) {
        self.codes.truncate(self.passed as usize + 1);
        self.codes.extend_from_slice(codes);
        (self.start, self.length) = (behind, length);
    }

    pub(super) fn begin(&mut self, codes: &[u8], start: Cell, length: Cost) {
        self.codes.clear();
        self.codes.extend_from_slice(codes);
        (self.passed, self.start, self.length) = (0, start, length);
    }
}

impl Course {
    /// An agent that goes to this goal, and has no route yet.
    pub const fn to(goal: Cell) -> Self {
        Self {
            goal,
            sector: SectorId { column: 0, row: 0 },
            slot: 0,
            slot_after: 0,
            version: 0,
            mark: Cell::NOWHERE,
            leg: Leg::Lost,
            exit: ExitCode::from_byte(0),
            after: None,
            patience: 0,
            is_ahead: false,
        }
    }

    /// The goal.
    pub const fn goal(&self) -> Cell {
        self.goal
    }

    /// Whether it has a way to its goal: a route, or plain sight.
    pub const fn is_known(&self) -> bool {
        matches!(self.leg, Leg::Route | Leg::Last | Leg::Straight)
    }

    /// Whether it goes on along the present field for some ticks.
    #[cfg(test)]
    pub const fn is_patient(&self) -> bool {
        self.patience > 0
    }

    /// Makes the agent search for a new route.
    pub const fn forget(&mut self) {
        self.leg = Leg::Lost;
    }

    /// See [`Follower::glance`](super::Follower::glance).
    pub fn glance(&mut self, sectors: &Sectors, grid: &Grid, cell: Cell) -> Option<Heading> {
        let place = Place::of(grid, cell);
        self.glance_at(place, self.peek(sectors, grid, place), sectors, grid)
    }

    /// What the field that the agent follows says of a place. This is most of the time that a [glance](Self::glance) takes,
    /// because fields are rarely in the cache.
    pub fn peek(&self, sectors: &Sectors, grid: &Grid, place: Place) -> Option<Heading> {
        sectors.fields.peek(self.target(grid)?, self.slot, place)
    }

    /// Whose field it follows, if it follows one.
    fn target(&self, grid: &Grid) -> Option<Target> {
        match self.leg {
            Leg::Route => Some(Target::Exit(self.sector, self.exit)),
            Leg::Last => Some(Target::Goal(Place::of(grid, self.goal))),
            Leg::Straight | Leg::Stranded | Leg::Lost => None,
        }
    }

    /// A glance from a place, given what the field that the agent follows says of it.
    pub fn glance_at(
        &mut self,
        place: Place,
        seen: Option<Heading>,
        sectors: &Sectors,
        grid: &Grid,
    ) -> Option<Heading> {
        let cell = place.cell;
        if self.version != sectors.graph.version() || cell == self.goal {
            return None;
        }
        match self.leg {
            Leg::Route => {
                let heading = seen?;
                heading.best()?;
                let beyond = self.sector.beside(self.exit.side());
                if beyond.window().covers(place, INSET) && self.patience == 0 {
                    return self.compare(sectors, grid, place, heading);
                }
                self.patience = self.patience.saturating_sub(1);
                Some(heading)
            }
            Leg::Last => seen,
            // A field says nothing of walls.
            _ if !grid.is_floor(cell) => None,
            Leg::Straight => self.go_straight(grid, place, Place::of(grid, self.goal)),
            // It stays, until the map changes or somebody pushes it.
            Leg::Stranded => (self.mark == cell).then(Heading::default),
            Leg::Lost => None,
        }
    }

    /// Where to go from a place that the next window covers, given where the present field leads: on along that, or along the
    /// next field, which is taken then.
    fn compare(
        &mut self,
        sectors: &Sectors,
        grid: &Grid,
        place: Place,
        heading: Heading,
    ) -> Option<Heading> {
        let here = Target::Exit(self.sector, self.exit);
        let (beyond, code) = (self.sector.beside(self.exit.side()), self.after?);
        let there = Target::Exit(beyond, code);
        self.slot_after = sectors.fields.find(there, self.slot_after)?;
        let next = sectors.fields.heading(self.slot_after, there, place);
        if !next.is_known() {
            return None;
        }
        // As long as both fields lead the same way, it does not matter which one is followed.
        if next.best() == heading.best() {
            return Some(heading);
        }
        self.slot = sectors.fields.find(here, self.slot)?;
        let path = sectors.fields.path(grid, self.slot, here, place);
        let excess = sectors.excess(grid, (self.slot_after, there), place, path);
        if excess > 0 {
            self.wait_for_next(excess);
            return Some(heading);
        }
        // The exit after that is not known here, and must not be wanted yet.
        if next.best().is_none() || beyond.beside(code.side()).window().covers(place, INSET) {
            return None;
        }
        (self.slot, self.sector, self.exit) = (self.slot_after, beyond, code);
        self.is_ahead = true;
        Some(next)
    }

    /// Whether it has passed an exit of which its route has not been told.
    pub const fn is_ahead(&self) -> bool {
        self.is_ahead
    }

    /// Tells its route that it has passed an exit.
    pub fn catch_up(&mut self, route: &mut Route) {
        if std::mem::take(&mut self.is_ahead) {
            self.pass_exit(route);
        }
    }

    /// Passes an exit of its route.
    pub(super) fn pass_exit(&mut self, route: &mut Route) {
        route.passed += 1;
        self.after = route.after_next();
    }

    /// Where to go from a cell, if the goal is in plain sight.
    pub fn look_ahead(&mut self, sectors: &Sectors, grid: &Grid, cell: Cell) -> Option<Heading> {
        let place = Place::of(grid, cell);
        if !grid.is_floor(cell) || !self.sees_goal(grid, place) {
            return None;
        }
        self.version = sectors.graph.version();
        self.go_straight(grid, place, Place::of(grid, self.goal))
    }

    /// Where to go from a cell as long as it is not known better: straight to the next exit, or to the goal. See
    /// [`Heading::towards`].
    pub fn towards(&self, sectors: &Sectors, grid: &Grid, cell: Cell, waits: bool) -> Heading {
        if self.leg == Leg::Route
            && let Some((_, exit)) = sectors.graph.exit(self.sector, self.exit)
        {
            let middle = sectors.graph.middle(self.sector, exit).cell;
            if cell == middle {
                return Heading::only(exit.step);
            }
            return Heading::towards(grid, cell, middle, waits);
        }
        Heading::towards(grid, cell, self.goal, waits)
    }

    /// The cell behind the next exit, for an agent on a route.
    pub fn behind_exit(&self, sectors: &Sectors, grid: &Grid) -> Option<Cell> {
        if self.leg != Leg::Route || self.version != sectors.graph.version() {
            return None;
        }
        let (_, exit) = sectors.graph.exit(self.sector, self.exit)?;
        Some(sectors.graph.middle(self.sector, exit).beside(grid, exit.step).cell)
    }

    /// Whether it goes to its goal without a route, and can go to another one in the same way: a field of that would cover the
    /// cell on which it stands.
    pub fn is_near(&self, grid: &Grid, cell: Cell, goal: Cell) -> bool {
        matches!(self.leg, Leg::Last | Leg::Straight) && covers(grid, cell, goal)
    }

    /// Lets an agent that goes to its last exit look for another goal from there.
    pub fn bend(&mut self, grid: &Grid, cell: Cell, goal: Cell) -> bool {
        let bends = self.leg == Leg::Route && self.after.is_none() && covers(grid, cell, goal);
        if bends {
            (self.goal, self.patience) = (goal, 0);
        }
        bends
    }

    /// A way that is not shorter than this is no gain for an agent on a cell; none if it has no route.
    pub fn gain(&self, route: &Route, grid: &Grid, cell: Cell) -> Option<Cost> {
        let has_route = matches!(self.leg, Leg::Route | Leg::Last);
        has_route.then(|| route.length - grid.distance(route.start, cell))
    }

    /// See [`Follower::exits`](super::Follower::exits).
    pub fn exits(&self, route: &Route, sectors: &Sectors) -> impl Iterator<Item = Cell> {
        let mut sector = self.sector;
        let ahead = if self.leg == Leg::Route { route.ahead() } else { &[] };
        ahead.iter().map_while(move |&code| {
            let code = ExitCode::from_byte(code);
            let (_, exit) = sectors.graph.exit(sector, code)?;
            let middle = sectors.graph.middle(sector, exit);
            sector = sector.beside(code.side());
            Some(middle.cell)
        })
    }

    /// How long the way is to the end of the present field, or straight to the goal.
    pub fn remaining(&self, sectors: &Sectors, grid: &Grid, place: Place) -> Remaining {
        if self.leg == Leg::Straight {
            return Remaining::Length(grid.distance(place.cell, self.goal).units() as u32);
        }
        let is_known = |target| sectors.fields.peek(target, self.slot, place).is_some();
        match self.target(grid) {
            Some(target) if is_known(target) => {
                Remaining::Unknown(FieldWalk::new(self.slot, target, place))
            }
            _ => Remaining::Length(u32::MAX),
        }
    }

    /// What is left of the way: the exits ahead, and the distance in a straight line to the first of them, or to the goal.
    pub fn left(&self, route: &Route, sectors: &Sectors, grid: &Grid, cell: Cell) -> (u32, Cost) {
        let exits = self.exits_ahead(route);
        let next = self.exits(route, sectors).next().unwrap_or(self.goal);
        (exits, grid.distance(cell, next))
    }

    /// How many exits are ahead. An agent that has no way has more than any other.
    pub fn exits_ahead(&self, route: &Route) -> u32 {
        match self.leg {
            Leg::Route => route.ahead().len() as u32,
            Leg::Last | Leg::Straight => 0,
            Leg::Lost | Leg::Stranded => u32::MAX,
        }
    }

    /// The steps by which the agent would come closer to where it is going, if it stood on this cell; none if that takes
    /// more than a lookup.
    pub fn closer(&self, sectors: &Sectors, grid: &Grid, cell: Cell) -> Option<Directions> {
        self.heading_at(sectors, grid, Place::of(grid, cell)).map(Heading::closer)
    }

    /// The cells of the way ahead, as far as that takes no more than lookups: to the end of the present field.
    pub fn path(&self, sectors: &Sectors, grid: &Grid, cell: Cell) -> impl Iterator<Item = Cell> {
        let mut place = Place::of(grid, cell);
        std::iter::from_fn(move || {
            let heading = self.heading_at(sectors, grid, place)?;
            place = place.beside(grid, heading.best()?);
            Some(place.cell)
        })
    }

    /// The directions from a place, if that takes no more than a lookup.
    fn heading_at(&self, sectors: &Sectors, grid: &Grid, place: Place) -> Option<Heading> {
        match self.leg {
            Leg::Route | Leg::Last => self.peek(sectors, grid, place),
            Leg::Straight | Leg::Lost => {
                Some(sight::heading(grid, place, Place::of(grid, self.goal)))
            }
            Leg::Stranded => None,
        }
    }

    /// Looks whether the goal is in plain sight from a place. If so, the agent goes straight to it from there.
    pub(super) fn sees_goal(&mut self, grid: &Grid, place: Place) -> bool {
        let is_seen = sight::is_clear(grid, place, Place::of(grid, self.goal));
        if is_seen {
            (self.leg, self.mark) = (Leg::Straight, place.cell);
        }
        is_seen
    }

    /// Leaves the next field alone as long as it is a detour, given how much longer that is. A step changes the lengths of
    /// both paths by no more than its own.
    pub(super) fn wait_for_next(&mut self, excess: u32) {
        let steps = excess / (2 * Cost::DIAGONAL.units() as u32);
        self.patience = steps.clamp(1, u8::MAX.into()) as u8;
    }

    /// Notes that the goal cannot be reached from a cell.
    pub(super) const fn strand(&mut self, cell: Cell) {
        (self.leg, self.mark) = (Leg::Stranded, cell);
    }

    /// The directions straight to the goal, for an agent that is on its line there or one step from it. From every cell of
    /// the line, the best steps lead on along it.
    pub(super) fn go_straight(
        &mut self,
        grid: &Grid,
        place: Place,
        goal: Place,
    ) -> Option<Heading> {
        let heading = sight::straight(grid, place, goal)?;
        let next = heading.best().map(|best| grid.beside(place.cell, best))?;
        if self.mark != place.cell && self.mark != next {
            return None;
        }
        self.mark = next;
        Some(heading)
    }
}

/// Whether a field of a goal would cover a cell.
fn covers(grid: &Grid, cell: Cell, goal: Cell) -> bool {
    SectorId::of(Place::of(grid, goal)).window().covers(Place::of(grid, cell), 0)
}
