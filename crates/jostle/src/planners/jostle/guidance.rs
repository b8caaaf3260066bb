//! How agents of the default planner rate the cells they can choose.

use super::walkers::Walkers;
use crate::grid::{Cell, Direction, Directions, Exits, Grid};
use crate::pibt::{Choices, Guidance};
use crate::search::{Course, Heading, Sectors};
use crate::world::World;

/// What all agents know in one tick.
#[derive(Clone, Copy)]
pub(super) struct Knowledge<'a> {
    pub world: &'a World,
    pub sectors: &'a Sectors,
    pub walkers: &'a Walkers,
    /// By slot.
    pub headings: &'a [Heading],
    /// Random bits of this tick.
    pub dice: u64,
}

impl Knowledge<'_> {
    /// Random bits of an agent, which decide between steps that are equally good: those of the tick, mixed with its
    /// number.
    const fn ties(&self, agent: usize) -> u64 {
        let mixed = (self.dice ^ agent as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
    }

    /// Whether an agent of ours that has arrived stands on a cell. Pushing it off would cost it a step away and a step
    /// back.
    fn is_home_of_another(&self, cell: Cell) -> bool {
        let occupant = self.world.configuration().occupant(cell);
        // Those who have arrived want to stay. Where others want to go is known already.
        occupant.is_some_and(|other| {
            self.headings[other].best().is_none() && self.world.goal_of(other) == cell
        })
    }
}

impl Guidance for Knowledge<'_> {
    fn is_movable(&self, agent: usize) -> bool {
        self.world.is_ours(agent)
    }

    fn goal(&self, agent: usize) -> Cell {
        self.world.goal_of(agent)
    }

    /// The best step and the second, if that is just as short; other steps that come closer, to free cells first; free cells aside, as long
    /// as it gets on and stands neither beside its goal nor before an agent that is not ours; waiting; steps aside; steps back. An agent that has arrived ahead is gone around by any free cell that comes closer, where
    /// there is one.
    ///
    /// A tick of waiting is lost as much as that of a step aside, from which the agent may get on, and leaves its cell to others.
    ///
    /// Random bits decide where each of these begins, and sometimes change their order. If free cells always came first, agents that make room could
    /// push each other to and fro for ever.
    fn choices(
        &mut self,
        grid: &Grid,
        agent: usize,
        here: Cell,
        is_open: impl Fn(Cell) -> bool,
    ) -> Choices {
        let (heading, ties) = (self.headings[agent], self.ties(agent));
        let exits = grid.exits(here);
        let is_free = |step: &Direction| !self.world.is_occupied(grid.beside(here, *step));
        let free = |set: Directions| set.into_iter().filter(is_free).collect::<Directions>();
        let turn = (ties >> 4) as u32;
        let mut order = Order { grid, here, turn, rest: exits, choices: Choices::NONE };
        // Agents that do not get on may have to go back to let others out.
        let gets_on = || self.walkers.get(agent).is_none_or(|walker| walker.gets_on);
        // Beside the goal no step aside is on a way to it, and around an agent that is not ours a way is searched for, from before it.
        let stays = |ahead| ahead == self.world.goal_of(agent) || self.world.is_foreign(ahead);
        let mut aside = Directions::NONE;
        if let Some(best) = heading.best() {
            // Agents that press around one that is not ours keep it from moving. Now and then they make room for it.
            let ahead = grid.beside(here, best);
            if self.world.is_foreign(ahead) && !gets_on() && ties & 0b111_0000_0000 == 0 {
                order.take(exits.without(heading.closer()));
            }
            if self.is_home_of_another(ahead) {
                order.take(free(exits.and(heading.closer())));
            }
            order.take(Directions::only(best));
            if let Some(second) = heading.second().filter(|_| heading.is_tie()) {
                order.take(Directions::only(second));
            }
            order.take(free(order.rest.and(heading.closer())));
            order.take(heading.closer());
            if gets_on() {
                aside = best.ahead_or_aside();
                if !stays(ahead) {
                    order.take(free(order.rest.and(aside)));
                }
            }
        }
        order.choices.push(here);
        if is_open(here) {
            return order.choices;
        }
        order.take(aside);
        let first = if ties.is_multiple_of(4) { order.rest } else { free(order.rest) };
        order.take(first.cardinals());
        order.take(exits.cardinals());
        order.take(first);
        order.take(exits);
        order.choices
    }

    fn all_choices(&mut self, grid: &Grid, agent: usize, here: Cell) -> Choices {
        self.choices(grid, agent, here, |_| false)
    }

    fn comes_closer(&mut self, grid: &Grid, agent: usize, from: Cell, to: Cell) -> bool {
        let Some(step) = grid.step_between(from, to) else { return false };
        // An agent that has arrived would want to come back.
        let home = || Course::to(self.world.goal_of(agent));
        let course = self.walkers.get(agent).map_or_else(home, |walker| walker.course);
        course.closer(self.sectors, grid, from).is_some_and(|closer| closer.contains(step))
    }

    /// The best step, or the second if that is just as short and an agent stands in the way of the first.
    fn favourite(&self, grid: &Grid, agent: usize, here: Cell) -> Option<Cell> {
        let heading = self.headings[agent];
        let ahead = grid.beside(here, heading.best()?);
        if !self.world.is_occupied(ahead) {
            return Some(ahead);
        }
        let second = heading.second().filter(|_| heading.is_tie());
        let aside = second.map(|second| grid.beside(here, second));
        match aside.filter(|&aside| !self.world.is_occupied(aside)) {
            Some(aside) => Some(aside),
            None => (!self.is_home_of_another(ahead)).then_some(ahead),
        }
    }
}

/// The cells around an agent as it puts them in order.
struct Order<'a> {
    grid: &'a Grid,
    here: Cell,
    /// With which direction a set begins.
    turn: u32,
    /// The steps that it has not taken yet.
    rest: Directions,
    choices: Choices,
}

impl Order<'_> {
    /// Takes the steps of a set next, as far as they are possible and not taken already.
    fn take(&mut self, set: Directions) {
        let set = set.and(self.rest);
        self.rest = self.rest.without(set);
        for step in Directions::from_bits(set.bits().rotate_right(self.turn)) {
            let step = Direction::ALL[(step as usize + self.turn as usize) % 8];
            self.choices.push(self.grid.beside(self.here, step));
        }
    }
}
