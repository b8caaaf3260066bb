//! Who is stuck, since when, and why.

use std::cell::OnceCell;

use super::Crowd;
use crate::grid::Components;
use crate::world::{Agent, AgentId};

/// An agent that does not get on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stuck {
    /// Who.
    pub agent: AgentId,
    /// The tick after which it has not got on.
    pub since: u64,
    /// Why, as things are now.
    pub reason: Hindrance,
}

/// What keeps an agent from its goal. The first that holds is the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Hindrance {
    /// Walls cut it off.
    NoPath,
    /// Somebody stands on its goal and means to stay: a foreign agent, or one of ours that is at home there.
    GoalTaken {
        /// Who.
        by: AgentId,
    },
    /// Foreign agents, with walls or alone, close every way.
    ForeignInTheWay,
    /// It wants to go where somebody else stands, and did not get past.
    Behind {
        /// Who stood there last.
        other: AgentId,
    },
    /// None of these: it is on a long way around, or its planner has not found the way.
    Wandering,
}

impl Crowd {
    /// The agents of ours that have not got on for at least so many ticks, in the order of their slots. Who is
    /// home is not stuck.
    ///
    /// An agent gets on when it is nearer to its goal, in a straight line, than ever before, or on a way around
    /// comes to new ground or back from there. Going to and fro is not getting on, so agents that push each other
    /// about are found as well. An agent begins anew with another goal, or when it is put elsewhere; sending it to
    /// the same goal again changes nothing.
    ///
    /// ```
    /// use jostle::{Crowd, Grid, Hindrance};
    ///
    /// // Two agents that would have to change sides where there is no room for it.
    /// let mut crowd = Crowd::new(Grid::from_ascii("......")?);
    /// let [one, other] = [crowd.add((1, 0))?, crowd.add((4, 0))?];
    /// crowd.send(one, (5, 0))?;
    /// crowd.send(other, (0, 0))?;
    /// for _ in 0..60 {
    ///     crowd.tick()?;
    /// }
    /// let stuck: Vec<_> = crowd.stuck(50).collect();
    /// assert_eq!(stuck[0].agent, one);
    /// assert_eq!(stuck[0].reason, Hindrance::Behind { other });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Cost: a look at every agent. If somebody is stuck, the map is labelled once after an edit; with foreign
    /// agents about, once in every call.
    pub fn stuck(&self, ticks: u64) -> impl Iterator<Item = Stuck> {
        let past_foreign = OnceCell::new();
        self.world.ours().filter_map(move |agent| {
            let errand = self.progress.of(&agent).filter(|_| !agent.has_arrived())?;
            let is_stuck = self.world.tick() - errand.since >= ticks;
            is_stuck.then(|| {
                let past_foreign = past_foreign.get_or_init(|| self.components_past_foreign());
                let reason = self.hindrance(&agent, errand.behind, past_foreign.as_ref());
                Stuck { agent: agent.id, since: errand.since, reason }
            })
        })
    }

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
        } else if let Some(other) = behind.filter(|&other| self.world.agent(other).is_some()) {
            Hindrance::Behind { other }
        } else {
            Hindrance::Wandering
        }
    }

    /// The components of the floor that foreign agents leave free, if there are any.
    fn components_past_foreign(&self) -> Option<Components> {
        let has_foreign = self.world.agents().any(|agent| !agent.ours);
        let is_open = |cell| !self.world.is_foreign(cell);
        has_foreign.then(|| Components::among(self.world.grid(), is_open))
    }
}

#[cfg(test)]
#[path = "stuck_test.rs"]
mod tests;
