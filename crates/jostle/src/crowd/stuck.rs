//! Which agents are stuck, since when, and why.

use std::cell::OnceCell;

use super::Crowd;
use crate::grid::Components;
use crate::world::{Agent, AgentId};

/// An agent that makes no progress towards its goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stuck {
    /// The agent, which is one of ours.
    pub agent: AgentId,
    /// The tick of its last progress.
    pub since: u64,
    /// Why, as of now.
    pub reason: Hindrance,
}

/// What keeps an agent from its goal. Where several reasons hold, the first in this list is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Hindrance {
    /// Walls cut it off from its goal.
    NoPath,
    /// An agent that does not intend to leave stands on its goal: a foreign agent, or one of ours with the
    /// same goal.
    GoalTaken {
        /// The agent on the goal.
        by: AgentId,
    },
    /// Foreign agents, alone or together with walls, block every path.
    ForeignInTheWay,
    /// It cannot be on its goal while the others are on theirs: they would have to pass each other where there is no room for it. The planner
    /// has proven that, and does nothing more for this agent until a goal, the map or the place of an agent is changed.
    NoPlan,
    /// Its next cell was taken by another agent, and it has not got past since.
    Behind {
        /// The agent that was last in its way.
        other: AgentId,
    },
    /// None of these: it is on a long detour, or its planner has not found a path.
    Wandering,
}

pub(super) fn among(crowd: &Crowd, ticks: u64) -> impl Iterator<Item = Stuck> {
    let past_foreign = OnceCell::new();
    crowd.world.ours().filter_map(move |agent| {
        let errand = crowd.progress.of(&agent).filter(|_| !agent.has_arrived())?;
        let is_stuck = crowd.world.tick() - errand.since >= ticks;
        is_stuck.then(|| {
            let past_foreign = past_foreign.get_or_init(|| crowd.components_past_foreign());
            let reason = crowd.hindrance(&agent, errand.behind, past_foreign.as_ref());
            Stuck { agent: agent.id, since: errand.since, reason }
        })
    })
}

impl Crowd {
    fn hindrance(
        &self,
        agent: &Agent,
        behind: Option<AgentId>,
        past_foreign: Option<&Components>,
    ) -> Hindrance {
        let is_cut_off = |components: &Components| {
            !components.reaches(self.world.grid(), agent.cell, agent.goal)
        };
        let on_goal = self.world.agent_on(agent.goal);
        if is_cut_off(self.components()) {
            Hindrance::NoPath
        } else if let Some(owner) = on_goal.filter(|owner| !owner.ours || owner.has_arrived()) {
            Hindrance::GoalTaken { by: owner.id }
        } else if past_foreign.is_some_and(is_cut_off) {
            Hindrance::ForeignInTheWay
        } else if self.world.changes().is_empty() && self.planner.is_hopeless(agent) {
            Hindrance::NoPlan
        } else if let Some(other) = behind.filter(|&other| self.world.agent(other).is_some()) {
            Hindrance::Behind { other }
        } else {
            Hindrance::Wandering
        }
    }

    /// The components of the floor without the cells of foreign agents; none if there are no foreign agents.
    fn components_past_foreign(&self) -> Option<Components> {
        let has_foreign = self.world.agents().any(|agent| !agent.ours);
        let is_open = |cell| !self.world.is_foreign(cell);
        has_foreign.then(|| Components::among(self.world.grid(), is_open))
    }
}

#[cfg(test)]
#[path = "stuck_test.rs"]
mod tests;
