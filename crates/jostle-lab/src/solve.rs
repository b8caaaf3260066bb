//! One run of a solver, checked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jostle::plan::{Plan, TimedPath};
use jostle::planners::{Follow, Following};
use jostle::simulate::{Clock, Ending, NoClock, WallClock};
use jostle::solvers::{Answer, Proof, Solution, Spec};
use jostle::{Budget, Limits};

use crate::record::SolverRun;
use crate::run::{Played, illegal, play};
use crate::{LabError, Problem, Record, Setting};

/// The most bytes that a search may hold: several run at a time, and none may take the memory of the others.
pub const MOST_BYTES: usize = 2 << 30;

/// Runs a solver on a problem, within the limits in seconds and expansions and [`MOST_BYTES`]. Then all agents follow the
/// plan through the world, and every step is checked. Returns none if `is_stopped` returned true before the search ended.
///
/// # Errors
/// When the plan is illegal, does not bring every agent to its goal, or costs less than the solver's bound.
pub fn solve(
    solver: &Spec,
    problem: &Problem,
    setting: Setting,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Record>, LabError> {
    let clock = WallClock::start();
    let was_stopped = AtomicBool::new(false);
    let is_over = || {
        was_stopped.fetch_or(is_stopped(), Ordering::Relaxed);
        was_stopped.load(Ordering::Relaxed)
            || setting.limits.time.is_some_and(|limit| clock.now() >= limit)
    };
    let most = setting.limits.expansions.unwrap_or(u64::MAX);
    let mut budget = Budget::expansions(most).with_memory(MOST_BYTES).with_deadline(&is_over);
    let mut plans = PlanTimes::default();
    let mut attempt = solver.build().begin(&problem.instance);
    let answer = attempt.go_on(&mut budget, &mut |progress| plans.note(progress.best, clock.now()));
    let time = clock.now();
    plans.note(answer.best.as_ref(), time);
    if was_stopped.load(Ordering::Relaxed) && answer.proof == Proof::OutOfBudget {
        return Ok(None);
    }
    let played = follow(solver, problem, &answer)?;
    let run = SolverRun {
        name: solver.text().to_owned(),
        proof: answer.proof.into(),
        cost: answer.best.as_ref().map(|best| best.cost),
        bound: (answer.proof != Proof::Impossible).then_some(answer.bound),
        nodes: answer.nodes,
        first_plan_seconds: plans.first.map(|time| time.as_secs_f64()),
        best_plan_seconds: plans.best.map(|(_, time)| time.as_secs_f64()),
        bytes: attempt.memory(),
    };
    Ok(Some(Record::of_solver(run, time, budget.work(), problem, setting, &played)))
}

/// When plans were found.
#[derive(Default)]
struct PlanTimes {
    first: Option<Duration>,
    /// The cost of the best plan, and when it was first heard of.
    best: Option<(u64, Duration)>,
}

impl PlanTimes {
    fn note(&mut self, plan: Option<&Solution>, now: Duration) {
        let Some(Solution { cost, .. }) = plan else { return };
        self.first.get_or_insert(now);
        if self.best.is_none_or(|(least, _)| *cost < least) {
            self.best = Some((*cost, now));
        }
    }
}

/// Lets all agents follow the plan. Without one, nobody moves.
fn follow(solver: &Spec, problem: &Problem, answer: &Answer) -> Result<Played, LabError> {
    let illegal = |reason: &dyn std::fmt::Display| illegal(solver.text(), problem, reason);
    let plan = match &answer.best {
        Some(best) if best.cost < answer.bound => {
            let (cost, bound) = (best.cost, answer.bound);
            return Err(illegal(&format!(
                "a plan costs {cost}, which is less than the bound {bound}"
            )));
        }
        Some(best) => best.plan.clone(),
        None => standing(problem),
    };
    let setting = Setting::of(Limits::ticks(plan.makespan()));
    let mut follow = Follow::new(plan).map_err(|error| illegal(&error))?;
    let played = play(solver.text(), &mut follow, problem, setting, &NoClock, |_| {
        std::ops::ControlFlow::Continue(())
    })?;
    // Agents that are not where the plan says may arrive all the same.
    if let Following::Broken(breach) = follow.state() {
        return Err(illegal(&format!("the plan cannot be followed: {breach}")));
    }
    if answer.best.is_some() && played.outcome.ending != Ending::AllArrived {
        return Err(illegal(&"the plan does not bring every agent to its goal"));
    }
    Ok(played)
}

/// The plan of no ticks.
fn standing(problem: &Problem) -> Plan {
    let starts = problem.instance.tasks().iter().map(|&(start, _)| TimedPath::of(vec![start]));
    Plan::new(Arc::clone(problem.instance.shared_grid()), starts.collect())
}

#[cfg(test)]
#[path = "solve_test.rs"]
mod tests;
