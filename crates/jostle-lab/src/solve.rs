//! One run of a solver, checked.

mod meetings;
mod search;

pub use meetings::{check_meetings, solve_meetings};

use std::sync::Arc;

use jostle::Limits;
use jostle::plan::{Plan, TimedPath};
use jostle::planners::{Follow, Following};
use jostle::simulate::{Ending, NoClock};
use jostle::solvers::Spec;

use crate::run::{Played, illegal, path_over_shortest, play};
use crate::{LabError, Problem, Record, Setting};
use search::Searched;

/// The most [nominal bytes](jostle::Budget::with_memory) that a search may hold: several run at a
/// time, and none may take the memory of the others.
pub const MOST_BYTES: usize = 2 << 30;

/// Runs a solver on a problem, within the limits in seconds and expansions and [`MOST_BYTES`]. Then all agents follow the
/// plan through the world, and every step is checked. Returns none if `is_stopped` returned true before the search ended.
///
/// # Errors
/// When the plan is illegal, does not bring every agent to its goal, or costs less than the solver's bound, and when the problem is
/// lifelong.
pub fn solve(
    solver: &Spec,
    problem: &Problem,
    setting: Setting,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Record>, LabError> {
    if problem.lifelong.is_some() {
        let reason = "plans to the last goal, and a lifelong run has none";
        return Err(LabError::input(format!("{} {reason}", solver.text())));
    }
    let mut bytes = 0;
    let searched = Searched::within(setting.limits, is_stopped, |budget, listener| {
        let mut attempt = solver.build().begin(&problem.instance);
        let answer = attempt.go_on(budget, listener);
        bytes = attempt.memory();
        answer
    });
    let Some(searched) = searched else { return Ok(None) };
    let Played { outcome, findings, .. } = follow(solver, problem, &searched)?;
    let run = searched.run(solver.text(), bytes);
    let (subject, spent) = (problem.subject(), (searched.time, searched.work));
    let record =
        Record::of_solver(run, subject, setting.limits, spent, &outcome.metrics, &findings);
    let path_over_shortest = path_over_shortest(problem, setting, &findings.turns);
    Ok(Some(Record { path_over_shortest, ..record }))
}

/// Lets all agents follow the plan. Without one, nobody moves.
fn follow(solver: &Spec, problem: &Problem, searched: &Searched<Plan>) -> Result<Played, LabError> {
    let illegal = |reason: &dyn std::fmt::Display| illegal(solver.text(), &problem.map, reason);
    searched.check_cost().map_err(|reason| illegal(&reason))?;
    let best = searched.answer.best.as_ref();
    let plan = best.map_or_else(|| standing(problem), |best| best.plan.clone());
    let setting = Setting::of(Limits::ticks(plan.makespan()));
    let mut follow = Follow::new(plan).map_err(|error| illegal(&error))?;
    let played = play(solver.text(), &mut follow, problem, setting, &NoClock, |_| {
        std::ops::ControlFlow::Continue(())
    })?;
    // Agents that are not where the plan says may arrive all the same.
    if let Following::Broken(breach) = follow.state() {
        return Err(illegal(&format!("the plan cannot be followed: {breach}")));
    }
    if best.is_some() && played.outcome.ending != Ending::AllArrived {
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
