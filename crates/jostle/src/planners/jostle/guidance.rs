//! How agents of the default planner rate the cells they can choose.

use super::walkers::Walkers;
use crate::grid::{Cell, Direction, Directions, Exits, Grid};
use crate::pibt::{Choices, Guidance};
use crate::search::{Course, Heading, Sectors};
use crate::world::World;

/// What all agents know in one tick.
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
    /// The step that an agent likes best. Where two are equally good, random bits decide.
    fn best(&self, agent: usize) -> Option<Direction> {
        let heading = self.headings[agent];
        match heading.second() {
            Some(second) if heading.is_tie() && self.ties(agent) & 1 == 1 => Some(second),
            _ => heading.best(),
        }
    }

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
        occupant.is_some_and(|other| self.world.goal_of(other) == cell)
    }
}

impl Guidance for Knowledge<'_> {
    fn is_movable(&self, agent: usize) -> bool {
        self.world.is_ours(agent)
    }

    fn goal(&self, agent: usize) -> Cell {
        self.world.goal_of(agent)
    }

    /// The best step, then others that come closer, waiting, and the rest. Among the last, free cells come first, and
    /// random bits decide where the others begin.
    fn choices(
        &mut self,
        grid: &Grid,
        agent: usize,
        here: Cell,
        _: impl Fn(Cell) -> bool,
    ) -> Choices {
        let (heading, mut rest) = (self.headings[agent], grid.exits(here));
        let ties = self.ties(agent);
        // If free cells always came first, agents would push each other to and fro between them for ever.
        let prefers_free = ties & 0b110 != 0;
        let is_free = |step: Direction| !self.world.is_occupied(grid.beside(here, step));
        let mut choices = Choices::NONE;
        let mut take = |step: Direction, rest: &mut Directions| {
            if rest.contains(step) {
                choices.push(grid.beside(here, step));
                rest.remove(step);
            }
        };
        if let Some(best) = self.best(agent) {
            if !self.is_home_of_another(grid.beside(here, best)) {
                take(best, &mut rest);
            }
            let closer = rest.and(heading.closer());
            for step in turned(closer, ties).filter(|&step| prefers_free && is_free(step)) {
                take(step, &mut rest);
            }
            take(best, &mut rest);
            for step in heading.second().into_iter().chain(turned(closer, ties)) {
                if closer.contains(step) {
                    take(step, &mut rest);
                }
            }
        }
        choices.push(here);
        for part in [rest.cardinals(), rest.diagonals()] {
            let (free, taken) = if prefers_free {
                let free = part.into_iter().filter(|&step| is_free(step)).collect();
                (free, part.without(free))
            } else {
                (part, Directions::NONE)
            };
            for step in turned(free, ties).chain(turned(taken, ties)) {
                choices.push(grid.beside(here, step));
            }
        }
        choices
    }

    fn comes_closer(&mut self, grid: &Grid, agent: usize, from: Cell, to: Cell) -> bool {
        let Some(step) = grid.step_between(from, to) else { return false };
        // An agent that has arrived would want to come back.
        let home = || Course::to(self.world.goal_of(agent));
        let course = self.walkers.get(agent).map_or_else(home, |walker| walker.course);
        course.closer(self.sectors, grid, from).is_some_and(|closer| closer.contains(step))
    }

    fn favourite(&self, grid: &Grid, agent: usize, here: Cell) -> Option<Cell> {
        let cell = grid.beside(here, self.best(agent)?);
        (!self.is_home_of_another(cell)).then_some(cell)
    }
}

/// The directions of a set, beginning with a random one.
fn turned(set: Directions, ties: u64) -> impl Iterator<Item = Direction> {
    let turn = (ties >> 3) as u32 % 8;
    let turned = Directions::from_bits(set.bits().rotate_right(turn));
    turned.into_iter().map(move |step| Direction::ALL[(step as usize + turn as usize) % 8])
}
