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
use super::follow::Advice;
use super::heading::Heading;
use super::layout::SectorId;
use super::portals::ExitCode;
use super::sight;
use crate::Cost;
use crate::grid::{Cell, Direction, Directions, Exits, Grid, Place};
use crate::search::{Budget, Verdict};

/// By how many cells the next window must cover an agent before it takes the next field. Agents at the very edge
/// would often be pushed out of it again.
const INSET: i32 = 3;

/// For how many ticks an agent does not look at the next field again when that was a detour.
const PATIENCE: u8 = 1;

/// What an agent follows now: all that is needed of it in most ticks.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    goal: Cell,
    /// The sector of the next exit.
    sector: SectorId,
    /// Where the field that was used last may still be.
    slot: u32,
    /// Where the field of the exit after the next one may be.
    slot_after: u32,
    /// The version of the map for which the route was last checked.
    version: u32,
    /// On the way straight to the goal, the next cell. For a stranded agent, the cell where it was found to be so.
    mark: Cell,
    leg: Leg,
    /// The next exit, on a route.
    exit: ExitCode,
    /// The exit after that.
    after: Option<ExitCode>,
    /// For how many ticks it does not look at the next field.
    patience: u8,
}

/// The exits ahead of an agent. It is read and written only now and then.
#[derive(Clone, Debug)]
pub struct Route {
    /// The codes of the exits, a byte each.
    codes: Vec<u8>,
    /// How many of them have been passed.
    passed: u32,
    /// Where the route was found, and how long it was.
    start: Cell,
    length: Cost,
}

/// What an agent is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Leg {
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

    /// The exits ahead, the next one first.
    fn ahead(&self) -> &[u8] {
        &self.codes[self.passed as usize..]
    }

    /// The exit after the next one.
    fn after_next(&self) -> Option<ExitCode> {
        self.ahead().get(1).map(|&code| ExitCode::from_byte(code))
    }

    fn begin(&mut self, codes: &[u8], start: Cell, length: Cost) {
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
        if self.version != sectors.graph.version() || cell == self.goal || !grid.is_floor(cell) {
            return None;
        }
        let place = Place::of(grid, cell);
        match self.leg {
            Leg::Route => {
                let here = Target::Exit(self.sector, self.exit);
                let heading = sectors.fields.peek(here, self.slot, place)?;
                let best = heading.best()?;
                let beyond = self.sector.beside(self.exit.side());
                if beyond.window().covers(place, INSET) && self.patience == 0 {
                    // As long as both fields lead the same way, it does not matter which one is followed.
                    let there = Target::Exit(beyond, self.after?);
                    let next = sectors.fields.peek(there, self.slot_after, place)?;
                    return (next.best() == Some(best)).then_some(heading);
                }
                self.patience = self.patience.saturating_sub(1);
                Some(heading)
            }
            Leg::Last => {
                sectors.fields.peek(Target::Goal(Place::of(grid, self.goal)), self.slot, place)
            }
            Leg::Straight => self.go_straight(grid, place, Place::of(grid, self.goal)),
            // It stays, until the map changes or somebody pushes it.
            Leg::Stranded => (self.mark == cell).then(Heading::default),
            Leg::Lost => None,
        }
    }

    /// See [`Follower::ask`](super::Follower::ask).
    pub fn ask(
        &mut self,
        route: &mut Route,
        sectors: &mut Sectors,
        grid: &Grid,
        cell: Cell,
        budget: &mut Budget<'_>,
    ) -> Advice {
        if cell == self.goal {
            return Advice::Arrived;
        }
        if !grid.is_floor(self.goal) || !grid.contains(cell) {
            return Advice::Unreachable;
        }
        if self.version != sectors.graph.version() && !self.check(route, sectors, grid, budget) {
            return Advice::NotYet;
        }
        if grid.is_floor(cell) {
            return self.ask_on_floor(route, sectors, grid, Place::of(grid, cell), budget);
        }
        match self.find_way_out(sectors, grid, cell, budget) {
            Verdict::Found(direction) => Advice::Head(Heading::only(direction)),
            Verdict::Nothing => Advice::Unreachable,
            Verdict::OutOfBudget => Advice::NotYet,
        }
    }

    /// Where to go from a cell, if the goal is in plain sight.
    pub fn look_ahead(&mut self, sectors: &Sectors, grid: &Grid, cell: Cell) -> Option<Heading> {
        let (place, goal) = (Place::of(grid, cell), Place::of(grid, self.goal));
        if !grid.is_floor(cell) || !sight::is_clear(grid, place, goal) {
            return None;
        }
        (self.leg, self.mark, self.version) = (Leg::Straight, cell, sectors.graph.version());
        self.go_straight(grid, place, goal)
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

    /// Searches for a route, if there is none and the agent is not on a wall.
    ///
    /// # Returns
    /// Whether that is done, also if there is no path to the goal; if not, the budget was not enough.
    pub fn search(
        &mut self,
        route: &mut Route,
        sectors: &mut Sectors,
        grid: &Grid,
        cell: Cell,
        budget: &mut Budget<'_>,
    ) -> bool {
        if self.is_known() || !grid.is_floor(cell) {
            return true;
        }
        self.version = sectors.graph.version();
        let found = if grid.is_floor(self.goal) {
            self.find_route_to_goal(route, sectors, grid, Place::of(grid, cell), budget)
        } else {
            Verdict::Nothing
        };
        match found {
            Verdict::Found(()) => true,
            Verdict::Nothing => {
                (self.leg, self.mark) = (Leg::Stranded, cell);
                true
            }
            Verdict::OutOfBudget => false,
        }
    }

    /// Whether there may be a shorter way over a cell that became floor, for an agent on a cell.
    pub fn may_gain(&self, route: &Route, grid: &Grid, cell: Cell, opened: Cell) -> bool {
        let most = route.length - grid.distance(route.start, cell);
        let detour = grid.distance(cell, opened) + grid.distance(opened, self.goal);
        matches!(self.leg, Leg::Route | Leg::Last) && detour < most
    }

    /// Searches for a route from a cell, because there may be a shorter one than the present, which is kept until then.
    ///
    /// # Returns
    /// Whether that is done; if not, the budget was not enough.
    pub fn renew(
        &mut self,
        route: &mut Route,
        sectors: &mut Sectors,
        grid: &Grid,
        cell: Cell,
        budget: &mut Budget<'_>,
    ) -> bool {
        let is_possible = self.is_known() && grid.is_floor(cell) && grid.is_floor(self.goal);
        !is_possible
            || self.find_route_to_goal(route, sectors, grid, Place::of(grid, cell), budget)
                != Verdict::OutOfBudget
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

    /// How much of the way is left, for comparison with other moments on the same route: the exits ahead, and then the
    /// length of the path along the present field.
    pub fn remaining(
        &self,
        route: &Route,
        sectors: &Sectors,
        grid: &Grid,
        cell: Cell,
    ) -> (u32, u32) {
        let place = Place::of(grid, cell);
        let length = |target: Target| {
            let known = sectors.fields.peek(target, self.slot, place);
            let path = known.and_then(|_| sectors.fields.path(grid, self.slot, target, place));
            path.map_or(u32::MAX, |(length, _)| length)
        };
        match self.leg {
            Leg::Route => {
                (route.ahead().len() as u32, length(Target::Exit(self.sector, self.exit)))
            }
            Leg::Last => (0, length(Target::Goal(Place::of(grid, self.goal)))),
            Leg::Straight => (0, grid.distance(cell, self.goal).units() as u32),
            Leg::Lost | Leg::Stranded => (u32::MAX, u32::MAX),
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
        let goal = Place::of(grid, self.goal);
        match self.leg {
            Leg::Route => {
                sectors.fields.peek(Target::Exit(self.sector, self.exit), self.slot, place)
            }
            Leg::Last => sectors.fields.peek(Target::Goal(goal), self.slot, place),
            Leg::Straight | Leg::Lost => Some(sight::heading(grid, place, goal)),
            Leg::Stranded => None,
        }
    }

    /// The step out of a cell that became a wall: to the cell from which the goal can be reached that is nearest to it in
    /// a straight line. There is no way back, so this waits until all exits are known.
    fn find_way_out(
        &self,
        sectors: &mut Sectors,
        grid: &Grid,
        cell: Cell,
        budget: &mut Budget<'_>,
    ) -> Verdict<Direction> {
        if !sectors.join(grid, budget) {
            return Verdict::OutOfBudget;
        }
        let steps = grid.exits(cell).into_iter().filter(|&step| {
            sectors.reaches(grid, grid.beside(cell, step), self.goal) == Some(true)
        });
        let nearest = steps.min_by_key(|&step| grid.distance(grid.beside(cell, step), self.goal));
        nearest.map_or(Verdict::Nothing, Verdict::Found)
    }

    fn ask_on_floor(
        &mut self,
        route: &mut Route,
        sectors: &mut Sectors,
        grid: &Grid,
        place: Place,
        budget: &mut Budget<'_>,
    ) -> Advice {
        if let Some(advice) = self.go_on(route, sectors, grid, place, budget) {
            return advice;
        }
        // The first field of a new route leads on from here, or the budget was not enough to make it.
        match self.find_route(route, sectors, grid, place, budget) {
            Verdict::Found(()) => {
                self.go_on(route, sectors, grid, place, budget).unwrap_or(Advice::NotYet)
            }
            Verdict::Nothing => {
                (self.leg, self.mark) = (Leg::Stranded, place.cell);
                Advice::Unreachable
            }
            Verdict::OutOfBudget => Advice::NotYet,
        }
    }

    /// The advice of the present leg, or none if it does not lead on from this place.
    fn go_on(
        &mut self,
        route: &mut Route,
        sectors: &mut Sectors,
        grid: &Grid,
        place: Place,
        budget: &mut Budget<'_>,
    ) -> Option<Advice> {
        match self.leg {
            Leg::Lost => None,
            Leg::Stranded => (self.mark == place.cell).then_some(Advice::Unreachable),
            Leg::Route => self.on_route(route, sectors, grid, place, budget),
            Leg::Last | Leg::Straight => self.on_last_leg(sectors, grid, (place, None), budget),
        }
    }

    /// The advice on the route: from the farthest exit ahead whose field leads on from here and is no detour.
    fn on_route(
        &mut self,
        route: &mut Route,
        sectors: &mut Sectors,
        grid: &Grid,
        place: Place,
        budget: &mut Budget<'_>,
    ) -> Option<Advice> {
        loop {
            let here = Target::Exit(self.sector, self.exit);
            let present = if self.sector.window().covers(place, 0) {
                sectors.heading(grid, (here, place), self.slot, budget)
            } else {
                Verdict::Nothing
            };
            if present == Verdict::OutOfBudget {
                return Some(Advice::NotYet);
            }
            let beyond = self.sector.beside(self.exit.side());
            if !beyond.window().covers(place, INSET) {
                return self.advice(present);
            }
            let found = present.found();
            let path = found.and_then(|(_, slot)| sectors.fields.path(grid, slot, here, place));
            self.patience = PATIENCE;
            let Some(next) = self.after else {
                let last = self.on_last_leg(sectors, grid, (place, path), budget);
                return last.or_else(|| self.advice(present));
            };
            let there = Target::Exit(beyond, next);
            match sectors.heading(grid, (there, place), self.slot_after, budget) {
                Verdict::Found((_, slot))
                    if sectors.is_shorter(grid, (slot, there), place, path) =>
                {
                    (self.slot, self.sector, self.exit) = (slot, beyond, next);
                    route.passed += 1;
                    self.after = route.after_next();
                }
                Verdict::Found((_, slot)) => {
                    self.slot_after = slot;
                    return self.advice(present);
                }
                _ => return self.advice(present),
            }
        }
    }

    /// The advice of a field that was looked up.
    fn advice(&mut self, found: Verdict<(Heading, u32)>) -> Option<Advice> {
        let (heading, slot) = found.found()?;
        self.slot = slot;
        // At the end of a field, only the budget can have kept the agent from taking the next one.
        Some(heading.best().map_or(Advice::NotYet, |_| Advice::Head(heading)))
    }

    /// The advice on the last leg, or none if the goal is neither straight ahead nor can be reached inside its window, or
    /// another path is shorter: one of this length to a place from which it goes on there.
    fn on_last_leg(
        &mut self,
        sectors: &mut Sectors,
        grid: &Grid,
        (place, path): (Place, Option<(u32, Place)>),
        budget: &mut Budget<'_>,
    ) -> Option<Advice> {
        let goal = Place::of(grid, self.goal);
        if self.leg == Leg::Straight
            && let Some(heading) = self.go_straight(grid, place, goal)
        {
            return Some(Advice::Head(heading));
        }
        // One who follows a field of the goal has looked.
        if self.leg != Leg::Last && sight::is_clear(grid, place, goal) {
            (self.leg, self.mark) = (Leg::Straight, place.cell);
            return self.go_straight(grid, place, goal).map(Advice::Head);
        }
        if !SectorId::of(goal).window().covers(place, 0) {
            return None;
        }
        let target = Target::Goal(goal);
        match sectors.heading(grid, (target, place), self.slot, budget) {
            Verdict::Found((heading, slot)) => {
                let is_shorter = sectors.is_shorter(grid, (slot, target), place, path);
                is_shorter.then(|| {
                    (self.slot, self.leg) = (slot, Leg::Last);
                    Advice::Head(heading)
                })
            }
            Verdict::Nothing => None,
            Verdict::OutOfBudget => path.is_none().then_some(Advice::NotYet),
        }
    }

    /// The directions straight to the goal, for an agent that is on its line there or one step from it. From every cell of
    /// the line, the best steps lead on along it.
    fn go_straight(&mut self, grid: &Grid, place: Place, goal: Place) -> Option<Heading> {
        let heading = sight::straight(grid, place, goal)?;
        let next = heading.best().map(|best| grid.beside(place.cell, best))?;
        if self.mark != place.cell && self.mark != next {
            return None;
        }
        self.mark = next;
        Some(heading)
    }

    /// Checks after an edit whether the route is still valid. If not, the agent loses it. Returns whether the budget was
    /// enough.
    fn check(
        &mut self,
        route: &Route,
        sectors: &mut Sectors,
        grid: &Grid,
        budget: &mut Budget<'_>,
    ) -> bool {
        match self.leg {
            Leg::Lost | Leg::Last => {}
            Leg::Stranded => self.leg = Leg::Lost,
            // There may be a wall in between now.
            Leg::Straight => self.mark = Cell::NOWHERE,
            Leg::Route => {
                let mut sector = self.sector;
                let sides = route.ahead().iter();
                let mut sides = sides.map(|&code| ExitCode::from_byte(code).side());
                loop {
                    if !sectors.graph.find_exits(grid, sector, budget) {
                        return false;
                    }
                    if sectors.graph.changed(sector) > self.version {
                        self.leg = Leg::Lost;
                        break;
                    }
                    let Some(side) = sides.next() else { break };
                    sector = sector.beside(side);
                }
            }
        }
        self.version = sectors.graph.version();
        true
    }

    /// Searches for a way back to the route it was on, or for a new route.
    fn find_route(
        &mut self,
        route: &mut Route,
        sectors: &mut Sectors,
        grid: &Grid,
        place: Place,
        budget: &mut Budget<'_>,
    ) -> Verdict {
        if self.leg == Leg::Route {
            match sectors.route(grid, (place, Target::Exit(self.sector, self.exit)), budget) {
                Verdict::Found((_, back)) => {
                    route.codes.splice(..=route.passed as usize, back.iter().copied());
                    route.passed = 0;
                    self.take(route, SectorId::of(place));
                    return Verdict::Found(());
                }
                // It was put somewhere else.
                Verdict::Nothing => self.leg = Leg::Lost,
                Verdict::OutOfBudget => return Verdict::OutOfBudget,
            }
        }
        self.find_route_to_goal(route, sectors, grid, place, budget)
    }

    /// Searches for a route to the goal. The present one is kept if the budget is not enough.
    fn find_route_to_goal(
        &mut self,
        route: &mut Route,
        sectors: &mut Sectors,
        grid: &Grid,
        place: Place,
        budget: &mut Budget<'_>,
    ) -> Verdict {
        let goal = Place::of(grid, self.goal);
        if sight::is_clear(grid, place, goal) {
            (self.leg, self.mark) = (Leg::Straight, place.cell);
            return Verdict::Found(());
        }
        if sectors.reaches(grid, place.cell, self.goal) == Some(false) {
            return Verdict::Nothing;
        }
        let found = sectors.route(grid, (place, Target::Goal(goal)), budget);
        found.map(|(length, codes)| {
            route.begin(codes, place.cell, length);
            self.take(route, SectorId::of(place));
        })
    }

    /// Begins a route in a sector.
    fn take(&mut self, route: &Route, sector: SectorId) {
        (self.sector, self.patience) = (sector, 0);
        match route.ahead().first() {
            Some(&code) => {
                (self.leg, self.exit) = (Leg::Route, ExitCode::from_byte(code));
                self.after = route.after_next();
            }
            None => self.leg = Leg::Last,
        }
    }
}
