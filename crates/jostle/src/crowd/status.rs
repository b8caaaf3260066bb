//! What an agent did in the last tick, and what it is doing.

use super::Crowd;
use crate::world::AgentId;

/// The step that an agent took in the last tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    /// The agent.
    pub agent: AgentId,
    /// Column and row before the tick.
    pub from: (u32, u32),
    /// Column and row after the tick: one of the neighbours of `from`.
    pub to: (u32, u32),
}

/// What an agent is doing, and if it is not moving, why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Status {
    /// It took a step in the last tick, or its next cell is free.
    Moving,
    /// It stands on its goal.
    Arrived,
    /// Another agent stands on the cell it wants to enter.
    Waiting {
        /// The agent on that cell, which may be foreign.
        behind: AgentId,
    },
    /// It has not found its next step yet: it has just been sent, or is enclosed by other agents.
    Searching,
    /// Walls cut it off from its goal.
    NoPath,
    /// It is a foreign agent, which only the game moves.
    Foreign,
    /// It is not in the crowd, or no longer.
    Gone,
}

pub(super) fn of(crowd: &Crowd, agent: AgentId) -> Status {
    let Some(agent) = crowd.world.agent(agent) else {
        return Status::Gone;
    };
    if !agent.ours {
        return Status::Foreign;
    }
    // A wall that was built on an agent is no place to be.
    if agent.has_arrived() && crowd.world.grid().is_floor(agent.cell) {
        return Status::Arrived;
    }
    if !crowd.components().reaches(crowd.world.grid(), agent.cell, agent.goal) {
        return Status::NoPath;
    }
    if crowd.progress.step_from(&agent).is_some() {
        return Status::Moving;
    }
    match crowd.planner.wish(&agent) {
        Some(wish) => match crowd.world.occupant(wish) {
            Some(behind) => Status::Waiting { behind },
            None => Status::Moving,
        },
        None => Status::Searching,
    }
}
