//! Whole routes by A\*, one after another, in slices of a budget.

use super::Work;
use crate::grid::{Cell, Grid};
use crate::search::{Ended, Problem, Search};
use crate::world::{Agent, AgentId, World};

/// Searches for the routes of many agents, one at a time. A search for which the budget of a tick does
/// not suffice goes on in the next tick; until it is done, no other begins.
#[derive(Clone, Debug, Default)]
pub struct Slices {
    search: Search,
    pending: Option<Pending>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pending {
    agent: AgentId,
    start: Cell,
    goal: Cell,
}

/// What became of a search for a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Route {
    /// There is one.
    Found,
    /// There is none.
    Missing,
    /// The budget is spent: ask again in the next tick.
    NotYet,
}

impl Slices {
    /// Forgets the search that is under way.
    pub fn stop(&mut self) {
        self.pending = None;
    }

    /// Forgets the search that is under way if its agent has left, stands elsewhere, or wants to be
    /// elsewhere.
    pub fn follow(&mut self, world: &World) {
        self.pending = self.pending.filter(|pending| {
            let agent = world.agent(pending.agent);
            agent.is_some_and(|agent| Pending::of(&agent) == *pending)
        });
    }

    /// The slot of the agent whose search is under way.
    pub fn pending(&self) -> Option<usize> {
        self.pending.map(|pending| pending.agent.slot())
    }

    /// Searches for the route of an agent from where it stands to its goal, or goes on doing so. What is
    /// expanded is taken from `budget` and added to `work`.
    pub fn find(
        &mut self,
        grid: &Grid,
        problem: &impl Problem<Note = ()>,
        agent: &Agent,
        (budget, work): (&mut u64, &mut Work),
        route: &mut Vec<Cell>,
    ) -> Route {
        let is_busy = self.pending.is_some_and(|pending| pending != Pending::of(agent));
        if is_busy || *budget == 0 {
            return Route::NotYet;
        }
        if self.pending.is_none() {
            work.searches += 1;
            self.search.begin(grid, problem, agent.cell);
        }
        let before = self.search.expansions();
        let more = u32::try_from(*budget).unwrap_or(u32::MAX);
        let ended = self.search.resume(grid, problem, agent.goal, more);
        let expansions = u64::from(self.search.expansions() - before);
        *budget -= expansions;
        work.expansions += expansions;
        self.pending = (ended == Ended::AtLimit).then(|| Pending::of(agent));
        match ended {
            Ended::AtGoal => {
                self.search.path(route);
                Route::Found
            }
            Ended::AtLimit => Route::NotYet,
            Ended::Exhausted => Route::Missing,
        }
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.search.memory()
    }
}

impl Pending {
    const fn of(agent: &Agent) -> Self {
        Self { agent: agent.id, start: agent.cell, goal: agent.goal }
    }
}
