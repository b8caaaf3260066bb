//! What agents of the default planner go by when they choose a cell.

use super::ahead;
use super::route::{NEARBY_CELLS, RoutePart};
use super::state::{JostleState, RouteState};
use crate::Cost;
use crate::grid::Cell;
use crate::pibt::{Guidance, Priorities};
use crate::search::{Landmarks, Place, Problem};
use crate::world::World;

/// How many cells of a route, to either side, count when agents in a corridor think about changing sides.
const NEARBY_CELLS_IN_CORRIDORS: usize = 32;

const HALF_A_STEP: Cost = Cost::from_units(Cost::CARDINAL.units() / 2);

/// What all agents know in one tick: their routes, or what landmarks and their searches tell them.
pub(super) struct Knowledge<'a> {
    pub world: &'a World,
    pub states: &'a [JostleState],
    pub landmarks: &'a Landmarks,
    pub priorities: &'a Priorities,
    /// The part of a route that was asked about last: whose, and how much of it to either side.
    pub asked: Option<(usize, usize)>,
    /// That part. It is room to work in, kept from tick to tick.
    pub part: RoutePart,
}

impl Knowledge<'_> {
    /// How far a cell is from the goal of an agent, as well as the agent knows.
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
            // Waiting is better than going aside, and worse than going on.
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
