//! Solvers: joint plans, most of them with a proof of how good they are.
//!
//! A [planner](crate::planners) decides one tick at a time within a fixed budget. A solver takes the time it is given, looks
//! at the whole problem, and returns a [`Plan`]: one timed path for each agent, without conflicts. It fits where there
//! is time to think: when a level is loaded, a cut-scene is staged or a puzzle is designed.
//! [`planners::Follow`](crate::planners::Follow) executes a plan, and [`planners::Solved`](crate::planners::Solved) makes a planner
//! of a solver.

mod builtin;
pub mod cbs;
pub mod co_cbs;
pub(crate) mod conflict_tree;
mod distances;
pub mod eecbs;
pub mod lacam;
mod possible;
pub mod push_rotate;
mod tree_search;

pub use cbs::{Cbs, Heuristic};
pub use co_cbs::CoCbs;
pub use distances::Distances;
pub(crate) use distances::steps_to;
pub use eecbs::Eecbs;
pub use lacam::{Lacam, LacamStar};
pub(crate) use lacam::{LacamAttempt, Refiner, Refining, Rooted, megabytes};
pub use push_rotate::PushAndRotate;

pub use crate::registry::{AddError, Choice, Field, Recipe, SpecError, Value};

use std::sync::Arc;

use crate::instance::Instance;
use crate::plan::Plan;
use crate::registry::{self, choice};
use crate::search::Budget;
use conflict_tree::{Itinerary, Joint};

/// A solver that can be built by name.
pub type Entry = registry::Entry<dyn Solver>;

/// The solvers that can be built by name: those of the engine, and those that a program adds.
pub type Registry = registry::Registry<dyn Solver>;

/// A solver as users type it, as in `cbs:objective=makespan`. The solver exists and accepts these parameters.
pub type Spec = registry::Spec<dyn Solver>;

/// A new solver of the engine by name and parameters.
///
/// ```
/// let solver = jostle::solvers::solver("cbs:objective=makespan:bypass=false")?;
/// # Ok::<(), jostle::solvers::SpecError>(())
/// ```
///
/// # Errors
/// When there is no such solver or parameter, or a value is out of range.
pub fn solver(spec: &str) -> Result<Box<dyn Solver>, SpecError> {
    Spec::parse(spec).map(|spec| spec.build())
}

/// Finds joint plans: a struct of parameters. What one search knows is in the [`Attempt`] that it begins.
///
/// Agents that have arrived stay on their goals, and others must not pass over them. A step and a wait cost 1 until an agent
/// is on its goal for good.
pub trait Solver: Send + Sync {
    /// Begins to solve an instance. This may prepare tables, for example of the distances to all goals, but does not search yet.
    fn begin(&self, instance: &Instance) -> Box<dyn Attempt>;

    /// Solves an instance within a budget, of which every expansion of a search for a path takes one. The listener is told of
    /// every better plan, and now and then how far the search has come.
    fn solve(
        &self,
        instance: &Instance,
        budget: &mut Budget<'_>,
        listener: &mut dyn FnMut(Progress<'_>),
    ) -> Answer {
        self.begin(instance).go_on(budget, listener)
    }
}

/// A search for a joint plan that can be done in slices.
pub trait Attempt: Send + Sync {
    /// Goes on with the search until it ends or the budget is spent, and returns what is known by then. After
    /// [`Proof::OutOfBudget`] it can be called again and goes on where it stopped; after any other answer it
    /// returns the same one.
    fn go_on(&mut self, budget: &mut Budget<'_>, listener: &mut dyn FnMut(Progress<'_>)) -> Answer;

    /// Bytes this search holds.
    fn memory(&self) -> usize;
}

/// The conflict tree of an instance, without a root yet.
fn joint_of(instance: &Instance, objective: Objective) -> Joint {
    let goals = instance.tasks().iter().map(|&(_, goal)| goal);
    joint_with(instance, Distances::to(instance.grid(), goals), objective)
}

/// The conflict tree of an instance whose distances are known, without a root yet.
fn joint_with(instance: &Instance, mut distances: Distances, objective: Objective) -> Joint {
    let tasks = instance.tasks();
    for (agent, &(start, _)) in tasks.iter().enumerate() {
        if !instance.grid().is_floor(start) {
            distances.step_out(instance.grid(), agent, start);
        }
    }
    let agents = tasks.iter().enumerate().map(|(agent, &(start, goal))| {
        Itinerary::to(start, goal, Arc::clone(distances.table(agent)))
    });
    Joint::new(Arc::clone(instance.shared_grid()), agents.collect(), objective)
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

choice!(Objective { SumOfCosts = "sum", Makespan = "makespan" });

impl Objective {
    /// The cost of paths with these lengths.
    pub(crate) fn total(self, costs: impl Iterator<Item = u64>) -> u64 {
        match self {
            Self::SumOfCosts => costs.sum(),
            Self::Makespan => costs.max().unwrap_or(0),
        }
    }

    /// The cost of a plan.
    pub fn of(self, plan: &Plan) -> u64 {
        match self {
            Self::SumOfCosts => plan.sum_of_costs(),
            Self::Makespan => plan.makespan(),
        }
    }
}

/// A plan and what it costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution<P = Plan> {
    /// The plan.
    pub plan: P,
    /// Its cost, as the solver's objective counts it.
    pub cost: u64,
}

/// How far a solver has come.
#[derive(Debug)]
pub struct Progress<'a, P = Plan> {
    /// The nodes of its search that it has expanded.
    pub nodes: u64,
    /// No plan costs less than this.
    pub bound: u64,
    /// The best plan so far.
    pub best: Option<&'a Solution<P>>,
}

/// What a solver has found out.
#[derive(Clone, Debug)]
pub struct Answer<P = Plan> {
    /// The best plan that was found.
    pub best: Option<Solution<P>>,
    /// No plan costs less than this.
    pub bound: u64,
    /// What is known about the plan.
    pub proof: Proof,
    /// The nodes of the search that were expanded.
    pub nodes: u64,
}

/// What is known when a solver ends.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Proof {
    /// No plan costs less than the one that was found.
    Optimal,
    /// No plan costs less than the one that was found, divided by this factor.
    Bounded(f64),
    /// A plan was found, of which nothing more is known.
    Found,
    /// There is no plan.
    Impossible,
    /// The budget was spent. There may be a plan all the same.
    OutOfBudget,
}

#[cfg(test)]
pub(crate) mod testing;
