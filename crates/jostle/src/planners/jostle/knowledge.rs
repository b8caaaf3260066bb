//! How agents of the default planner rate the cells they can choose.

use super::ahead;
use super::route::{NEARBY_CELLS, RoutePart};
use super::state::{JostleState, RouteState};
use crate::Cost;
use crate::grid::Cell;
use crate::pibt::{Guidance, Priorities};
use crate::search::{Landmarks, Place, Problem};
use crate::world::World;

/// How many cells of a route, before and after the agent, count when agents in a corridor may change sides.
const NEARBY_CELLS_IN_CORRIDORS: usize = 32;

const HALF_A_STEP: Cost = Cost::from_units(Cost::CARDINAL.units() / 2);

/// What all agents know in one tick: their routes, or what landmarks and their searches tell them.
pub(super) struct Knowledge<'a> {
    pub world: &'a World,
    pub states: &'a [JostleState],
    pub landmarks: &'a Landmarks,
    pub priorities: &'a Priorities,
    /// The part of a route that was used last: the agent's slot, and how many cells before and after it.
    pub asked: Option<(usize, usize)>,
    /// That part. Its allocation is kept from tick to tick.
    pub part: RoutePart,
}

impl Knowledge<'_> {
    /// The distance from a cell to the goal of an agent, as far as the agent knows it.
    fn estimate(&mut self, agent: usize, cell: Cell, nearby: usize) -> Cost {
        let grid = self.world.grid();
        let (state, place) = (&self.states[agent], Place::of(grid, cell));
        if let RouteState::Known(route) = &state.route {
            if self.asked != Some((agent, nearby)) {
                self.asked = Some((agent, nearby));
                route.part(nearby, &mut self.part);
            }
            return self.part.distance_from(place, grid.rules().neighbours);
        }
        let goal = self.world.goal_of(agent);
        let estimate = ahead(grid, self.landmarks, state.asked, goal).h(place).0;
        state.learned.find(place, estimate).0.max(estimate)
    }
}

impl Guidance for Knowledge<'_> {
    fn is_movable(&self, agent: usize) -> bool {
        self.world.is_ours(agent)
    }

    fn goal(&self, agent: usize) -> Cell {
        self.world.goal_of(agent)
    }

    fn value(&mut self, agent: usize, cell: Cell) -> Option<Cost> {
        let far = self.estimate(agent, cell, NEARBY_CELLS);
        let here = self.world.configuration().cell(agent)?;
        Some(match self.world.grid().step_between(here, cell) {
            Some(step) => far + step.cost(),
            None if here == self.world.goal_of(agent) => far,
            // Waiting is better than stepping aside, and worse than going on.
            None => far + HALF_A_STEP,
        })
    }

    fn distance(&mut self, agent: usize, cell: Cell) -> Option<Cost> {
        Some(self.estimate(agent, cell, NEARBY_CELLS_IN_CORRIDORS))
    }

    fn ties(&self, agent: usize) -> u64 {
        self.priorities.ties(agent)
    }

    fn favourite(&self, agent: usize) -> Option<Cell> {
        self.states[agent].next
    }
}
