//! Whole routes by A\*, one after another, in slices of a budget.
//!
//! It promises the route that an uninterrupted search would find, and that no tick expands more than its
//! budget. It does not promise that an agent's turn comes soon: no search begins before the current one has
//! finished.

use crate::grid::Cell;
use crate::search::{Budget, Problem, Search, Verdict};
use crate::world::{Agent, AgentId, World};

/// Searches for the routes of many agents, one at a time. A search that exceeds the budget of a tick goes on
/// in the next tick; no other begins before it has finished.
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

impl Slices {
    /// Abandons the current search.
    pub fn stop(&mut self) {
        self.pending = None;
    }

    /// Abandons the current search if its agent has left, stands on another cell, or has another goal.
    pub fn follow(&mut self, world: &World) {
        self.pending = self.pending.filter(|pending| {
            let agent = world.agent(pending.agent);
            agent.is_some_and(|agent| Pending::of(&agent) == *pending)
        });
    }

    /// The slot of the agent whose search has not finished yet.
    pub fn pending(&self) -> Option<usize> {
        self.pending.map(|pending| pending.agent.slot())
    }

    /// Searches, or goes on searching, for the route of an agent from where it stands to its goal. On
    /// [`Verdict::OutOfBudget`], which also means that another agent's search is unfinished, ask again in the
    /// next tick.
    pub fn find(
        &mut self,
        problem: &impl Problem,
        agent: &Agent,
        route: &mut Vec<Cell>,
        budget: &mut Budget<'_>,
    ) -> Verdict {
        let is_busy = self.pending.is_some_and(|pending| pending != Pending::of(agent));
        if is_busy || budget.is_spent() {
            return Verdict::OutOfBudget;
        }
        if self.pending.is_none() {
            budget.count_search();
            self.search.begin(problem, agent.cell);
        }
        let verdict = self.search.resume(problem, budget);
        self.pending = (verdict == Verdict::OutOfBudget).then(|| Pending::of(agent));
        if verdict.is_found() {
            self.search.path(route);
        }
        verdict
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.search.memory()
    }
}

impl Pending {
    const fn of(agent: &Agent) -> Self {
        Self { agent: agent.id, start: agent.cell, goal: agent.goal }
    }
}
