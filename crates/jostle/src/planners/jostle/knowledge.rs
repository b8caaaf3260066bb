//! What agents of the default planner go by when they choose a cell.

use super::ahead;
use super::route::{NEARBY_CELLS, RoutePart};
use super::state::{JostleState, RouteState};
use crate::Cost;
use crate::grid::Cell;
use crate::planners::pibt::step::Guidance;
use crate::search::{Landmarks, Place, Problem};
use crate::world::{Agent, World};

/// How many cells of a route, to either side, count when agents in a corridor think about changing sides.
const NEARBY_CELLS_IN_CORRIDORS: usize = 32;

const HALF_A_STEP: Cost = Cost::from_units(Cost::CARDINAL.units() / 2);

/// What all agents know in one tick: their routes, or what landmarks and their searches tell them.
pub(super) struct Knowledge<'a> {
    states: &'a [JostleState],
    landmarks: &'a Landmarks,
    has_swap_rule: bool,
    /// The part of a route that was asked about last: whose, and how much of it to either side.
    asked: (usize, usize),
    part: RoutePart,
}

impl<'a> Knowledge<'a> {
    /// `part` is room to work in, from the last tick.
    pub const fn new(
        states: &'a [JostleState],
        landmarks: &'a Landmarks,
        has_swap_rule: bool,
        part: RoutePart,
    ) -> Self {
        Self { states, landmarks, has_swap_rule, asked: (usize::MAX, 0), part }
    }

    /// The room to work in, for the next tick.
    pub fn into_part(self) -> RoutePart {
        self.part
    }

    /// How far a cell is from the goal of an agent, as well as the agent knows.
    fn estimate(&mut self, world: &World, slot: usize, cell: Cell, nearby: usize) -> Cost {
        let (state, place) = (&self.states[slot], Place::of(world.grid(), cell));
        if let RouteState::Known(route) = &state.route {
            if self.asked != (slot, nearby) {
                self.asked = (slot, nearby);
                route.part(nearby, &mut self.part);
            }
            return self.part.distance_from(place, world.grid().rules().neighbours);
        }
        let goal = world.slots()[slot].goal;
        let estimate = ahead(world.grid(), self.landmarks, state.asked, goal).h(place).0;
        state.learned.find(place, estimate).0.max(estimate)
    }
}

impl Guidance for Knowledge<'_> {
    fn favourite(&self, agent: &Agent) -> Option<Cell> {
        self.states[agent.slot()].next
    }

    fn value(&mut self, world: &World, agent: &Agent, cell: Cell) -> Option<Cost> {
        let far = self.estimate(world, agent.slot(), cell, NEARBY_CELLS);
        Some(match world.grid().way_between(agent.cell, cell) {
            Some(way) => far + way.cost(),
            None if agent.is_home() => far,
            // Waiting is better than going aside, and worse than going on.
            None => far + HALF_A_STEP,
        })
    }

    fn has_swap_rule(&self) -> bool {
        self.has_swap_rule
    }

    fn distance(&mut self, world: &World, slot: usize, cell: Cell) -> Option<Cost> {
        Some(self.estimate(world, slot, cell, NEARBY_CELLS_IN_CORRIDORS))
    }
}
