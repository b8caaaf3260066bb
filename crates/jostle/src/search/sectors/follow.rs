//! An agent on its route: which field it follows now, and when it takes the next one.
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
use crate::grid::{Cell, Direction, Exits, Grid, Place};
use crate::search::{Budget, Verdict};

/// By how many cells the next window must cover an agent before it takes the next field. Agents at the very edge
/// would often be pushed out of it again.
const INSET: i32 = 3;

/// What [`Follower::ask`] answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Advice {
    /// Go there: the steps from this cell in order of preference.
    Head(Heading),
    /// This is the goal.
    Arrived,
    /// No path leads from here to the goal.
    Unreachable,
    /// The budget was not enough to know. The work that was done is kept: ask again.
    NotYet,
}

/// An agent's way to its goal. It belongs to the [`Sectors`] that it was first asked with.
///
/// ```
/// use jostle::Grid;
/// use jostle::search::{Advice, Budget, Follower, Sectors};
///
/// let grid = Grid::open(200, 100)?;
/// let mut sectors = Sectors::new(&grid, Default::default());
/// let (mut cell, goal) = (grid.at(3, 90).unwrap(), grid.at(190, 10).unwrap());
/// let mut follower = Follower::to(goal);
/// let mut steps = 0;
/// while let Advice::Head(heading) =
///     follower.ask(&mut sectors, &grid, cell, &mut Budget::unlimited())
/// {
///     cell = grid.beside(cell, heading.best().unwrap());
///     steps += 1;
/// }
/// assert_eq!((cell, steps), (goal, 187));
/// # Ok::<(), jostle::grid::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Follower {
    goal: Cell,
    leg: Leg,
    /// The codes of the exits of the route, a byte each.
    codes: Vec<u8>,
    /// How many of them have been passed.
    passed: u32,
    /// The sector of the next exit.
    sector: SectorId,
    /// Where the field that was used last may still be.
    slot: u32,
    /// The version of the map for which the route was last checked.
    version: u32,
}

/// What an agent is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Leg {
    /// It has no route.
    Lost,
    /// It goes to the next exit.
    Route,
    /// It goes to its goal.
    Last,
    /// It goes straight to its goal; it was on the first of these cells, and went on to the second.
    Straight(Cell, Cell),
    /// It was on this cell when it was found that the goal cannot be reached.
    Stranded(Cell),
}

impl Leg {
    /// It is on its last leg, and has not looked yet whether it can go straight.
    const UNSEEN: Self = Self::Straight(Cell::NOWHERE, Cell::NOWHERE);
}

impl Follower {
    /// An agent that goes to this goal.
    pub const fn to(goal: Cell) -> Self {
        Self {
            goal,
            leg: Leg::Lost,
            codes: Vec::new(),
            passed: 0,
            sector: SectorId { column: 0, row: 0 },
            slot: 0,
            version: 0,
        }
    }

    /// The goal.
    pub const fn goal(&self) -> Cell {
        self.goal
    }

    /// Gives it another goal. Its memory is kept.
    pub fn send(&mut self, goal: Cell) {
        if goal != self.goal {
            (self.goal, self.leg) = (goal, Leg::Lost);
        }
    }

    /// Makes it search for a new route, because there may be a shorter one.
    pub const fn forget(&mut self) {
        self.leg = Leg::Lost;
    }

    /// Where to go from a cell: the one on which the agent stands. It need not have followed the last advice.
    pub fn ask(
        &mut self,
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
        if self.version != sectors.graph.version() && !self.check(sectors, grid, budget) {
            return Advice::NotYet;
        }
        if grid.is_floor(cell) {
            return self.ask_on_floor(sectors, grid, Place::of(grid, cell), budget);
        }
        match self.find_way_out(sectors, grid, cell, budget) {
            Verdict::Found(direction) => Advice::Head(Heading::only(direction)),
            Verdict::Nothing => Advice::Unreachable,
            Verdict::OutOfBudget => Advice::NotYet,
        }
    }

    /// What [`ask`](Self::ask) would answer, if that takes no more than a lookup in the field that it used last: for most
    /// agents in most ticks. Because it changes nothing, any number of threads can do this at a time. A field that is
    /// only looked at this way does not count as used.
    pub fn peek(&self, sectors: &Sectors, grid: &Grid, cell: Cell) -> Option<Heading> {
        if self.version != sectors.graph.version() || cell == self.goal || !grid.is_floor(cell) {
            return None;
        }
        let place = Place::of(grid, cell);
        let target = match self.leg {
            Leg::Route => {
                let code = self.next_code()?;
                if self.sector.beside(code.side()).window().covers(place, INSET) {
                    return None;
                }
                Target::Exit(self.sector, code)
            }
            Leg::Last => Target::Goal(Place::of(grid, self.goal)),
            Leg::Lost | Leg::Straight(..) | Leg::Stranded(_) => return None,
        };
        sectors.fields.peek(target, self.slot, place)
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
        sectors: &mut Sectors,
        grid: &Grid,
        place: Place,
        budget: &mut Budget<'_>,
    ) -> Advice {
        if let Some(advice) = self.go_on(sectors, grid, place, budget) {
            return advice;
        }
        // The first field of a new route leads on from here, or the budget was not enough to make it.
        match self.find_route(sectors, grid, place, budget) {
            Verdict::Found(()) => {
                self.go_on(sectors, grid, place, budget).unwrap_or(Advice::NotYet)
            }
            Verdict::Nothing => {
                self.leg = Leg::Stranded(place.cell);
                Advice::Unreachable
            }
            Verdict::OutOfBudget => Advice::NotYet,
        }
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.codes.capacity()
    }

    /// The advice of the present leg, or none if it does not lead on from this place.
    fn go_on(
        &mut self,
        sectors: &mut Sectors,
        grid: &Grid,
        place: Place,
        budget: &mut Budget<'_>,
    ) -> Option<Advice> {
        match self.leg {
            Leg::Lost => None,
            Leg::Stranded(cell) => (cell == place.cell).then_some(Advice::Unreachable),
            Leg::Route => self.on_route(sectors, grid, place, budget),
            Leg::Last | Leg::Straight(..) => self.on_last_leg(sectors, grid, (place, None), budget),
        }
    }

    /// The advice on the route: from the farthest exit ahead whose field leads on from here and is no detour.
    fn on_route(
        &mut self,
        sectors: &mut Sectors,
        grid: &Grid,
        place: Place,
        budget: &mut Budget<'_>,
    ) -> Option<Advice> {
        loop {
            let code = self.next_code()?;
            let here = Target::Exit(self.sector, code);
            let present = if self.sector.window().covers(place, 0) {
                sectors.heading(grid, (here, place), self.slot, budget)
            } else {
                Verdict::Nothing
            };
            if present == Verdict::OutOfBudget {
                return Some(Advice::NotYet);
            }
            let beyond = self.sector.beside(code.side());
            if !beyond.window().covers(place, INSET) {
                return self.advice(present);
            }
            let found = present.found();
            let path = found.and_then(|(_, slot)| sectors.fields.path(grid, slot, here, place));
            let Some(&next) = self.codes.get(self.passed as usize + 1) else {
                let last = self.on_last_leg(sectors, grid, (place, path), budget);
                return last.or_else(|| self.advice(present));
            };
            let next = Target::Exit(beyond, ExitCode::from_byte(next));
            match sectors.heading(grid, (next, place), self.slot, budget) {
                Verdict::Found((_, slot))
                    if sectors.is_shorter(grid, (slot, next), place, path) =>
                {
                    (self.slot, self.sector) = (slot, beyond);
                    self.passed += 1;
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
        let cell = place.cell;
        let is_straight = match self.leg {
            // One who goes straight still does on the next cell.
            Leg::Straight(last, next) if cell == last || cell == next => true,
            // One who follows a field has looked.
            Leg::Last => false,
            _ => sight::is_clear(grid, place, goal),
        };
        if is_straight {
            let heading = sight::heading(grid, place, goal);
            let next = heading.best().map_or(cell, |best| grid.beside(cell, best));
            self.leg = Leg::Straight(cell, next);
            return Some(Advice::Head(heading));
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

    /// Checks after an edit whether the route is still valid. If not, the agent loses it. Returns whether the budget was
    /// enough.
    fn check(&mut self, sectors: &mut Sectors, grid: &Grid, budget: &mut Budget<'_>) -> bool {
        match self.leg {
            Leg::Lost | Leg::Last => {}
            Leg::Stranded(_) => self.leg = Leg::Lost,
            // There may be a wall in between now.
            Leg::Straight(..) => self.leg = Leg::UNSEEN,
            Leg::Route => {
                let mut sector = self.sector;
                let sides = self.codes[self.passed as usize..].iter();
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
        sectors: &mut Sectors,
        grid: &Grid,
        place: Place,
        budget: &mut Budget<'_>,
    ) -> Verdict {
        if self.leg == Leg::Route
            && let Some(code) = self.next_code()
        {
            match sectors.route(grid, (place, Target::Exit(self.sector, code)), budget) {
                Verdict::Found(back) => {
                    self.codes.splice(..=self.passed as usize, back.iter().copied());
                    (self.passed, self.sector) = (0, SectorId::of(place));
                    return Verdict::Found(());
                }
                // It was put somewhere else.
                Verdict::Nothing => self.leg = Leg::Lost,
                Verdict::OutOfBudget => return Verdict::OutOfBudget,
            }
        }
        let goal = Place::of(grid, self.goal);
        if sight::is_clear(grid, place, goal) {
            self.leg = Leg::UNSEEN;
            return Verdict::Found(());
        }
        if sectors.reaches(grid, place.cell, self.goal) == Some(false) {
            return Verdict::Nothing;
        }
        sectors.route(grid, (place, Target::Goal(goal)), budget).map(|codes| {
            self.codes.clear();
            self.codes.extend_from_slice(codes);
            (self.passed, self.sector) = (0, SectorId::of(place));
            self.leg = if codes.is_empty() { Leg::Last } else { Leg::Route };
        })
    }

    fn next_code(&self) -> Option<ExitCode> {
        self.codes.get(self.passed as usize).map(|&code| ExitCode::from_byte(code))
    }
}

#[cfg(test)]
#[path = "follow_test.rs"]
mod tests;
