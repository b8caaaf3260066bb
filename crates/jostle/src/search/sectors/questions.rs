//! What takes more than a lookup on an agent's way: routes, the next field, and what an edit has changed.

use super::course::{Course, INSET, Leg, Route};
use super::fields::Target;
use super::follow::Advice;
use super::heading::Heading;
use super::layout::SectorId;
use super::portals::ExitCode;
use super::scout::Scouted;
use super::{Found, Sectors};
use crate::grid::{Cell, Direction, Exits, Grid, Place};
use crate::search::{Budget, Verdict};

/// What answers a question: the map, what is known of it, and how much may be spent on the answer.
#[derive(Debug)]
pub struct Guide<'a, 'b> {
    pub sectors: &'a mut Sectors,
    pub grid: &'a Grid,
    pub budget: &'a mut Budget<'b>,
    /// A route that may be asked for, if it was looked up in advance.
    pub scouted: Option<&'a Scouted>,
}

impl Guide<'_, '_> {
    /// See [`Sectors::heading`].
    fn heading(&mut self, question: (Target, Place), hint: u32) -> Verdict<(Heading, u32)> {
        self.sectors.heading(self.grid, question, hint, self.budget)
    }

    /// See [`Sectors::route`].
    fn route(&mut self, question: (Place, Target)) -> Verdict<Found<'_>> {
        if let ((start, Target::Goal(goal)), Some(scouted)) = (question, self.scouted)
            && let Some(known) = self.sectors.take_scouted(scouted, [start, goal], self.budget)
        {
            return known;
        }
        self.sectors.route(self.grid, question, self.budget)
    }
}

impl Course {
    /// See [`Follower::ask`](super::Follower::ask).
    pub fn ask(&mut self, route: &mut Route, cell: Cell, guide: &mut Guide<'_, '_>) -> Advice {
        let grid = guide.grid;
        if cell == self.goal {
            return Advice::Arrived;
        }
        if !grid.is_floor(self.goal) || !grid.contains(cell) {
            return Advice::Unreachable;
        }
        if self.version != guide.sectors.graph.version() && !self.check(route, guide) {
            return Advice::NotYet;
        }
        if grid.is_floor(cell) {
            return self.ask_on_floor(route, Place::of(grid, cell), guide);
        }
        match self.find_way_out(cell, guide) {
            Verdict::Found(direction) => Advice::Head(Heading::only(direction)),
            Verdict::Nothing => Advice::Unreachable,
            Verdict::OutOfBudget => Advice::NotYet,
        }
    }

    /// Searches for a route, if there is none and the agent is not on a wall.
    ///
    /// # Returns
    /// Whether that is done, also if there is no path to the goal; if not, the budget was not enough.
    pub fn search(&mut self, route: &mut Route, cell: Cell, guide: &mut Guide<'_, '_>) -> bool {
        let grid = guide.grid;
        if self.is_known() || !grid.is_floor(cell) {
            return true;
        }
        self.version = guide.sectors.graph.version();
        let found = if grid.is_floor(self.goal) {
            self.find_route_to_goal(route, Place::of(grid, cell), guide)
        } else {
            Verdict::Nothing
        };
        if found == Verdict::Nothing {
            self.strand(cell);
        }
        found != Verdict::OutOfBudget
    }

    /// Searches for a route from a cell to a goal, because there may be a shorter one than the present, or the goal was moved.
    /// The present one is kept until then.
    ///
    /// # Returns
    /// Whether that is done; if not, the budget was not enough.
    pub fn renew(
        &mut self,
        route: &mut Route,
        (cell, goal): (Cell, Cell),
        guide: &mut Guide<'_, '_>,
    ) -> bool {
        let grid = guide.grid;
        let is_possible = self.is_known() && grid.is_floor(cell) && grid.is_floor(goal);
        if !is_possible {
            if goal != self.goal {
                *self = Self::to(goal);
            }
            return true;
        }
        if goal != self.goal && self.extend(route, (cell, goal), guide) {
            return true;
        }
        let mut next = *self;
        next.goal = goal;
        let found = next.find_route_to_goal(route, Place::of(grid, cell), guide);
        if found == Verdict::OutOfBudget {
            return false;
        }
        if found == Verdict::Found(()) {
            next.version = guide.sectors.graph.version();
            *self = next;
        } else if goal != self.goal {
            *self = Self::to(goal);
            self.version = guide.sectors.graph.version();
            self.strand(cell);
        }
        true
    }

    /// Takes a route to a goal that was looked up from behind the next exit. If it leads back through that, an agent that has
    /// not passed it turns round. Returns whether it has a route then.
    fn extend(
        &mut self,
        route: &mut Route,
        (cell, goal): (Cell, Cell),
        guide: &mut Guide<'_, '_>,
    ) -> bool {
        let grid = guide.grid;
        let behind = self.behind_exit(guide.sectors, grid);
        let Some((behind, scouted)) = behind.zip(guide.scouted) else { return false };
        let ends = [behind, goal].map(|cell| Place::of(grid, cell));
        let found = guide.sectors.take_scouted(scouted, ends, guide.budget);
        let Some(Verdict::Found((length, codes))) = found else { return false };
        if let Some((&first, rest)) = codes.split_first()
            && first == self.exit.twin().byte()
        {
            let is_before = SectorId::of(Place::of(grid, cell)) == self.sector;
            if is_before {
                route.begin(rest, cell, length);
                self.goal = goal;
                self.take(route, self.sector);
            }
            return is_before;
        }
        // The agent was expected at the exits ahead when it was sent out: that is not done again.
        route.extend(codes, behind, length);
        (self.goal, self.after, self.patience) = (goal, route.after_next(), 0);
        true
    }

    /// Sends an agent on a cell to a goal that is [near](Self::is_near), along a field of the goal or straight to it.
    ///
    /// # Returns
    /// Where to go; none if no path leads there inside the goal's window. The course is the same as before then, and so it is if
    /// the budget was not enough.
    pub fn approach(
        &mut self,
        (cell, goal): (Cell, Cell),
        guide: &mut Guide<'_, '_>,
    ) -> Verdict<Heading> {
        let (grid, place) = (guide.grid, Place::of(guide.grid, cell));
        if !grid.is_floor(cell) || !grid.is_floor(goal) {
            return Verdict::Nothing;
        }
        let mut next = Self::to(goal);
        next.version = guide.sectors.graph.version();
        if next.sees_goal(grid, place)
            && let Some(heading) = next.go_straight(grid, place, Place::of(grid, goal))
        {
            *self = next;
            return Verdict::Found(heading);
        }
        let target = Target::Goal(Place::of(grid, goal));
        guide.heading((target, place), self.slot).map(|(heading, slot)| {
            (next.leg, next.slot) = (Leg::Last, slot);
            *self = next;
            heading
        })
    }

    /// The step out of a cell that became a wall: to the cell from which the goal can be reached that is nearest to it in
    /// a straight line. There is no way back, so this waits until all exits are known.
    fn find_way_out(&self, cell: Cell, guide: &mut Guide<'_, '_>) -> Verdict<Direction> {
        let grid = guide.grid;
        if !guide.sectors.join(grid, guide.budget) {
            return Verdict::OutOfBudget;
        }
        let steps = grid.exits(cell).into_iter().filter(|&step| {
            let ends = (grid.beside(cell, step), self.goal);
            guide.sectors.reaches_for(grid, ends, guide.budget) == Some(true)
        });
        let nearest = steps.min_by_key(|&step| grid.distance(grid.beside(cell, step), self.goal));
        nearest.map_or(Verdict::Nothing, Verdict::Found)
    }

    fn ask_on_floor(
        &mut self,
        route: &mut Route,
        place: Place,
        guide: &mut Guide<'_, '_>,
    ) -> Advice {
        if let Some(advice) = self.go_on(route, place, guide) {
            return advice;
        }
        // The first field of a new route leads on from here, or the budget was not enough to make it.
        match self.find_route(route, place, guide) {
            Verdict::Found(()) => self.go_on(route, place, guide).unwrap_or(Advice::NotYet),
            Verdict::Nothing => {
                self.strand(place.cell);
                Advice::Unreachable
            }
            Verdict::OutOfBudget => Advice::NotYet,
        }
    }

    /// The advice of the present leg, or none if it does not lead on from this place.
    fn go_on(
        &mut self,
        route: &mut Route,
        place: Place,
        guide: &mut Guide<'_, '_>,
    ) -> Option<Advice> {
        match self.leg {
            Leg::Lost => None,
            Leg::Stranded => (self.mark == place.cell).then_some(Advice::Unreachable),
            Leg::Route => self.on_route(route, place, guide),
            Leg::Last | Leg::Straight => self.on_last_leg((place, None), guide),
        }
    }

    /// The advice on the route: from the farthest exit ahead whose field leads on from here and is no detour.
    fn on_route(
        &mut self,
        route: &mut Route,
        place: Place,
        guide: &mut Guide<'_, '_>,
    ) -> Option<Advice> {
        let grid = guide.grid;
        loop {
            let here = Target::Exit(self.sector, self.exit);
            let present = if self.sector.window().covers(place, 0) {
                guide.heading((here, place), self.slot)
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
            let path =
                found.and_then(|(_, slot)| guide.sectors.fields.path(grid, slot, here, place));
            // The next field may not even lead on from here.
            self.patience = 1;
            let Some(next) = self.after else {
                let last = self.on_last_leg((place, path), guide);
                return last.or_else(|| self.advice(present));
            };
            let there = Target::Exit(beyond, next);
            match guide.heading((there, place), self.slot_after) {
                Verdict::Found((_, slot)) => {
                    let excess = guide.sectors.excess(grid, (slot, there), place, path);
                    if excess > 0 {
                        self.slot_after = slot;
                        self.wait_for_next(excess);
                        return self.advice(present);
                    }
                    (self.slot, self.sector, self.exit) = (slot, beyond, next);
                    self.pass_exit(route);
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
        (place, path): (Place, Option<(u32, Place)>),
        guide: &mut Guide<'_, '_>,
    ) -> Option<Advice> {
        let grid = guide.grid;
        let goal = Place::of(grid, self.goal);
        if self.leg == Leg::Straight
            && let Some(heading) = self.go_straight(grid, place, goal)
        {
            return Some(Advice::Head(heading));
        }
        // One who follows a field of the goal has looked.
        if self.leg != Leg::Last && self.sees_goal(grid, place) {
            return self.go_straight(grid, place, goal).map(Advice::Head);
        }
        if !SectorId::of(goal).window().covers(place, 0) {
            return None;
        }
        let target = Target::Goal(goal);
        match guide.heading((target, place), self.slot) {
            Verdict::Found((heading, slot)) => {
                let excess = guide.sectors.excess(grid, (slot, target), place, path);
                if excess > 0 {
                    self.wait_for_next(excess);
                    return None;
                }
                (self.slot, self.leg) = (slot, Leg::Last);
                Some(Advice::Head(heading))
            }
            Verdict::Nothing => None,
            Verdict::OutOfBudget => path.is_none().then_some(Advice::NotYet),
        }
    }

    /// Checks after an edit whether the route is still valid. If not, the agent loses it. Returns whether the budget was
    /// enough.
    fn check(&mut self, route: &Route, guide: &mut Guide<'_, '_>) -> bool {
        let grid = guide.grid;
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
                    if !guide.sectors.graph.find_exits(grid, sector, guide.budget) {
                        return false;
                    }
                    if guide.sectors.graph.changed(sector) > self.version {
                        self.leg = Leg::Lost;
                        break;
                    }
                    let Some(side) = sides.next() else { break };
                    sector = sector.beside(side);
                }
            }
        }
        self.version = guide.sectors.graph.version();
        true
    }

    /// Searches for a way back to the route it was on, or for a new route.
    fn find_route(
        &mut self,
        route: &mut Route,
        place: Place,
        guide: &mut Guide<'_, '_>,
    ) -> Verdict {
        if self.leg == Leg::Route {
            match guide.route((place, Target::Exit(self.sector, self.exit))) {
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
        self.find_route_to_goal(route, place, guide)
    }

    /// Searches for a route to the goal. The present one is kept if the budget is not enough.
    fn find_route_to_goal(
        &mut self,
        route: &mut Route,
        place: Place,
        guide: &mut Guide<'_, '_>,
    ) -> Verdict {
        let grid = guide.grid;
        if self.sees_goal(grid, place) {
            return Verdict::Found(());
        }
        let ends = (place.cell, self.goal);
        if guide.sectors.reaches_for(grid, ends, guide.budget) == Some(false) {
            return Verdict::Nothing;
        }
        let found = guide.route((place, Target::Goal(Place::of(grid, self.goal))));
        let found = found.map(|(length, codes)| {
            route.begin(codes, place.cell, length);
            self.take(route, SectorId::of(place));
        });
        if found == Verdict::Found(()) {
            guide.sectors.expect(SectorId::of(place), route.ahead());
        }
        found
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
