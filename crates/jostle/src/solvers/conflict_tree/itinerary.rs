//! Where an agent has to be, in order.

use std::sync::Arc;

use crate::grid::Cell;
use crate::solvers::Distances;

/// A cell that an agent has to visit.
#[derive(Clone, Debug)]
pub struct Stop {
    pub cell: Cell,
    /// The tick at which the agent has to be there; any if there is none.
    pub tick: Option<u32>,
    /// The steps to it from every cell.
    pub steps: Arc<[u32]>,
}

/// What an agent does at its last stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It stays there for good.
    Stays,
    /// It leaves the world.
    Leaves,
}

/// The stops of one agent, in order. The number of stops that it has made is its stage.
#[derive(Clone, Debug)]
pub struct Itinerary {
    pub start: Cell,
    pub stops: Vec<Stop>,
    pub ending: Ending,
    /// Another agent with which it may share a cell at one tick.
    pub meeting: Option<(u32, u32)>,
}

impl Itinerary {
    /// Stands for a tick that never comes.
    pub const NEVER: u32 = u32::MAX;

    /// An agent that goes to its goal and stays there. `table` has the steps to the goal.
    pub fn to(start: Cell, goal: Cell, table: Arc<[u32]>) -> Self {
        let stops = vec![Stop { cell: goal, tick: None, steps: table }];
        Self { start, stops, ending: Ending::Stays, meeting: None }
    }

    /// The cell of the last stop, where the path ends.
    pub fn goal(&self) -> Cell {
        self.stops.last().map_or(self.start, |stop| stop.cell)
    }

    /// Whether it stays on its last cell for good.
    pub fn stays(&self) -> bool {
        self.ending == Ending::Stays
    }

    /// The earliest tick at which an agent with so many stops made can make the last one, if no other agent were there.
    pub fn earliest_end(&self, mut cell: Cell, mut tick: u32, stage: usize) -> u32 {
        for stop in &self.stops[stage..] {
            let steps = stop.steps[cell.index()];
            if steps == Distances::NONE {
                return Self::NEVER;
            }
            tick += steps;
            if let Some(fixed) = stop.tick {
                if tick > fixed {
                    return Self::NEVER;
                }
                tick = fixed;
            }
            cell = stop.cell;
        }
        tick
    }

    /// How many stops an agent has made that is on a cell at a tick with `stage` stops made before. It must not make the last
    /// one before the tick `stays_from` if it stays there.
    pub fn stage_at(&self, cell: Cell, tick: u32, mut stage: usize, stays_from: u32) -> usize {
        while let Some(stop) = self.stops.get(stage)
            && stop.cell == cell
            && stop.tick.is_none_or(|fixed| fixed == tick)
            && (stage + 1 < self.stops.len() || !self.stays() || tick >= stays_from)
        {
            stage += 1;
        }
        stage
    }
}
