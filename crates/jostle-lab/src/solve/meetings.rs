//! One run of a solver for pairs of agents that meet, checked.
//!
//! A world lets no two agents on one cell, so nobody follows the plan through one. The independent checker, which knows
//! meetings, reads the paths instead, and they are measured.

use std::sync::Arc;
use std::time::Duration;

use jostle::check::check_paths;
use jostle::formats::Paths;
use jostle::meetings::{MeetingInstance, MeetingPlan};
use jostle::metrics::{Distance, Journey, Metrics, TickTimes, Turns};
use jostle::plan::{Plan, TimedPath};
use jostle::solvers::co_cbs::CoCbsSpec;
use jostle::{Grid, Work};

use super::search::Searched;
use crate::audit::Findings;
use crate::record::MeetingSets;
use crate::run::illegal;
use crate::{LabError, MeetingProblem, Record, Setting};

/// Runs a solver on a problem, within the limits in seconds and expansions and [`MOST_BYTES`](super::MOST_BYTES). The plan
/// is checked. Returns none if `is_stopped` returned true before the search ended.
///
/// # Errors
/// When the plan is illegal, does not do every task, or costs less than the solver's bound.
pub fn solve_meetings(
    solver: &CoCbsSpec,
    problem: &MeetingProblem,
    setting: Setting,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Record>, LabError> {
    let mut end = None;
    let searched = Searched::within(setting.limits, is_stopped, |budget, listener| {
        let mut attempt = solver.build().begin(&problem.instance);
        let answer = attempt.go_on(budget, listener);
        end = Some((attempt.memory(), attempt.counts()));
        answer
    });
    let (Some(searched), Some((bytes, counts))) = (searched, end) else { return Ok(None) };
    let illegal = |reason: String| illegal(solver.text(), &problem.map, &reason);
    searched.check_cost().map_err(illegal)?;
    let plan = searched.answer.best.as_ref().map(|best| &best.plan);
    let sets = MeetingSets {
        generated: counts.generated,
        planned: counts.planned,
        first_is_solved: plan.map(|_| counts.is_first),
    };
    let mut run = searched.run(solver.text(), bytes);
    run.sets = Some(Box::new(sets));
    let (metrics, findings) = walk(&problem.instance, plan).map_err(illegal)?;
    if run.cost.is_some_and(|cost| cost != metrics.sum_of_costs()) {
        return Err(illegal("the plan does not cost what the solver says".to_owned()));
    }
    let (subject, spent) = (problem.subject(), (searched.time, searched.work));
    Ok(Some(Record::of_solver(run, subject, setting.limits, spent, &metrics, &findings)))
}

/// The paths of a plan, if the independent checker accepts that they do all tasks of the instance.
///
/// # Errors
/// What is wrong with the plan.
pub fn check_meetings(instance: &MeetingInstance, plan: &MeetingPlan) -> Result<Paths, String> {
    if plan.tasks() != instance.tasks() {
        return Err("the plan is for other tasks".to_owned());
    }
    let begins = instance.tasks().iter().flat_map(|task| [task.initiator, task.executor]);
    if !plan.paths().iter().map(|path| path.at(0)).eq(begins.map(Some)) {
        return Err("a path of the plan does not begin on the start of its agent".to_owned());
    }
    let paths = plan.to_paths();
    check_paths(instance.grid(), &paths).map_err(|violation| violation.to_string())?;
    Ok(paths)
}

/// Measures the run in which all pairs follow a plan. Without one, nobody moves.
fn walk(
    instance: &MeetingInstance,
    plan: Option<&MeetingPlan>,
) -> Result<(Metrics, Findings), String> {
    let (paths, ends) = match plan {
        Some(plan) => {
            let ends = plan.paths().iter().map(TimedPath::ends).collect();
            (check_meetings(instance, plan)?, ends)
        }
        None => (standing(instance), vec![None; 2 * instance.tasks().len()]),
    };
    let trace = paths.to_trace(instance.grid()).map_err(|error| error.to_string())?;
    let mut turns = Turns::of(&trace);
    // An agent may be on its last cell before its part is done.
    for (turns, end) in turns.iter_mut().zip(&ends) {
        turns.path_length = *end;
    }
    let agents = trace.opening().iter().zip(&ends).enumerate();
    let journeys = agents.map(|(number, (agent, &completed))| {
        let walked = plan.and_then(|plan| plan.paths().get(number));
        let distance = walked.map_or_else(Distance::default, |path| length(instance.grid(), path));
        Journey {
            agent: agent.id,
            completed,
            completed_after: None,
            completed_expansions: None,
            distance,
        }
    });
    let metrics = Metrics {
        ticks: plan.map_or(0, MeetingPlan::makespan),
        time: Duration::ZERO,
        journeys: journeys.collect(),
        work: Work::default(),
        tick_times: TickTimes::default(),
    };
    Ok((metrics, Findings { turns, fingerprint: trace.fingerprint(), reached: 0 }))
}

fn length(grid: &Grid, path: &TimedPath) -> Distance {
    let mut distance = Distance::default();
    for step in path.cells.windows(2) {
        distance.add_step(grid, step[0], step[1]);
    }
    distance
}

/// The paths of no ticks.
fn standing(instance: &MeetingInstance) -> Paths {
    let begins = instance.tasks().iter().flat_map(|task| [task.initiator, task.executor]);
    let paths = begins.map(|cell| TimedPath::of(vec![cell])).collect();
    Paths::of_plan(&Plan::new(Arc::clone(instance.shared_grid()), paths))
}

#[cfg(test)]
#[path = "meetings_test.rs"]
mod tests;
