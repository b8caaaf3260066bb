//! The search for a plan, in slices of a tick's budget.

use super::course::Course;
use super::problem::Problem;
use crate::plan::Plan;
use crate::planners::Work;
use crate::search::Budget;
use crate::solvers::{Attempt, Proof, Solver};
use crate::world::World;

/// The most [nominal bytes](Budget::with_memory) that a search may hold. With more, it does not go
/// on.
const MOST_HELD: usize = 64 << 20;

/// A search for a plan that begins at a certain tick.
pub struct Thinking {
    pub problem: Problem,
    /// The tick at which our agents stand on the starts of the problem.
    pub due: u64,
    /// For how many ticks agents have been waiting for it.
    pub waited: u32,
    /// The best plan so far.
    pub plan: Option<Plan>,
    /// Whether it will find nothing more.
    pub has_ended: bool,
    attempt: Box<dyn Attempt>,
}

impl Thinking {
    /// Begins to look for a plan for our agents in a world, which may be a rehearsal. `None` if there is no problem that
    /// a solver could be asked.
    pub fn begin(solver: &dyn Solver, world: &World) -> Option<Self> {
        let problem = Problem::of(world)?;
        let attempt = solver.begin(&problem.instance);
        Some(Self { problem, due: world.tick(), waited: 0, plan: None, has_ended: false, attempt })
    }

    /// Goes on with the search, for at most this many expansions.
    pub fn go_on(&mut self, expansions: u32) -> Work {
        if self.has_ended {
            return Work::default();
        }
        let mut budget = Budget::expansions(u64::from(expansions)).with_memory(MOST_HELD);
        let answer = self.attempt.go_on(&mut budget, &mut |_| ());
        let work = budget.work();
        // A search that does nothing with its budget holds too much to go on.
        self.has_ended = answer.proof != Proof::OutOfBudget || work.expansions == 0;
        self.plan = answer.best.map(|best| best.plan);
        work
    }

    /// The best plan that was found, to be followed from now on.
    pub fn into_course(self) -> Option<Box<Course>> {
        Course::begin(self.plan?, self.problem).map(Box::new)
    }

    /// Bytes this holds, itself included, without the plan.
    pub fn memory(&self) -> usize {
        size_of::<Self>() + self.problem.memory() + self.attempt.memory()
    }
}
