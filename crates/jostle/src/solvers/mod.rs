//! Solvers: joint plans that are proven to be the best.
//!
//! A [planner](crate::planners) decides one tick at a time within a fixed budget. A solver takes the time it is given, looks
//! at the whole problem, and returns a [`Plan`]: one timed path for each agent, without conflicts. It fits where there
//! is time to think: when a level is loaded, a cut-scene is staged or a puzzle is designed.
//! [`planners::Follow`](crate::planners::Follow) executes a plan.

pub mod cbs;
mod distances;

pub use cbs::Cbs;
pub use distances::Distances;

use crate::instance::Instance;
use crate::plan::Plan;
use crate::search::Budget;

/// Finds a joint plan for all agents of an instance.
///
/// Agents that have arrived stay on their goals, and others must not pass over them. A step and a wait cost 1 until an agent
/// is on its goal for good.
pub trait Solver: Send {
    /// Solves an instance within a budget, of which every expansion of a search for a path takes one. `watch` is told now and
    /// then how far it has come.
    fn solve(
        &mut self,
        instance: &Instance,
        budget: &mut Budget<'_>,
        watch: &mut dyn FnMut(Progress),
    ) -> Answer;
}

/// What a solver minimises.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Objective {
    /// The sum over agents of the ticks until they are on their goals for good.
    #[default]
    SumOfCosts,
    /// The tick at which the last agent is on its goal for good.
    Makespan,
}

impl Objective {
    /// The cost of a plan.
    pub fn of(self, plan: &Plan) -> u64 {
        match self {
            Self::SumOfCosts => plan.sum_of_costs(),
            Self::Makespan => plan.makespan(),
        }
    }
}

/// How far a solver has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The nodes of its search that it has expanded.
    pub nodes: u64,
    /// No plan costs less than this.
    pub bound: u64,
}

/// What a solver has found out.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The best plan that was found.
    pub plan: Option<Plan>,
    /// No plan costs less than this.
    pub bound: u64,
    /// What is known about the plan.
    pub proof: Proof,
    /// The nodes of the search that were expanded.
    pub nodes: u64,
}

/// What is known when a solver ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Proof {
    /// No plan costs less than the one that was found.
    Optimal,
    /// There is no plan.
    Impossible,
    /// The budget was spent.
    OutOfBudget,
}
