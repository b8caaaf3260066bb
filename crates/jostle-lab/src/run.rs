//! One run of a planner, checked.

use std::fmt::Display;
use std::ops::ControlFlow;

use jostle::lifelong::ServiceTimes;
use jostle::metrics::Turns;
use jostle::planners::{Planner, Spec};
use jostle::search::shortest_path;
use jostle::simulate::{Clock, Outcome, Witness};
use jostle::{Lifelong, Limits, Simulation, Work, World};

use crate::audit::{Audit, Findings};
use crate::{LabError, LifelongRun, Problem, Record, Seconds};

/// The settings of a run, besides planner or solver and problem.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The limits of the run.
    pub limits: Limits,
    /// Whether to compare the lengths of paths with the shortest ones.
    pub compare_with_shortest: bool,
    /// Whether to keep a trace, whose memory grows with the ticks.
    pub keeps_trace: bool,
    /// Whether the planner knows the script of the problem beforehand.
    pub announces_changes: bool,
    /// What the seconds of the run are, and of its limit. Those of solvers are always on the wall.
    pub seconds: Seconds,
}

impl Setting {
    /// These limits, no comparison with shortest paths, no trace, changes that surprise, and seconds on the wall.
    pub const fn of(limits: Limits) -> Self {
        Self {
            limits,
            compare_with_shortest: false,
            keeps_trace: false,
            announces_changes: false,
            seconds: Seconds::Wall,
        }
    }
}

/// The progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct SoFar<'a> {
    /// The world after the last tick.
    pub world: &'a World,
    /// The planner's expansions in all ticks so far.
    pub expansions: u64,
}

/// Runs a planner on a problem. Every step is checked. `watch` is called after every tick, and may stop the run.
///
/// # Errors
/// When a step is illegal, when changes are announced to a planner that cannot use that, or when a list of goals does not fit the
/// problem.
pub fn run(
    planner: &Spec,
    problem: &Problem,
    setting: Setting,
    watch: impl FnMut(SoFar<'_>) -> ControlFlow<()>,
) -> Result<(Outcome, Record), LabError> {
    let mut brain = if setting.announces_changes {
        planner.build_knowing(problem.instance.script()).ok_or_else(|| {
            LabError::input(format!("{} cannot use changes that are announced", planner.text()))
        })?
    } else {
        planner.build()
    };
    let clock = setting.seconds.start();
    let played = play(planner.text(), brain.as_mut(), problem, setting, &*clock, watch)?;
    let Played { outcome, findings, service } = played;
    let (subject, limits) = (problem.subject(), setting.limits);
    let record =
        Record::of_planner(planner.text(), brain.memory(), subject, limits, &outcome, &findings);
    let path_over_shortest = path_over_shortest(problem, setting, &findings.turns);
    let announced = record.script.is_some().then_some(setting.announces_changes);
    let goals = problem.lifelong.as_ref().zip(service.as_ref());
    let lifelong =
        goals.map(|(source, times)| Box::new(LifelongRun::of(source, times, record.ticks)));
    let clock = setting.seconds;
    Ok((outcome, Record { announced, lifelong, clock, path_over_shortest, ..record }))
}

/// A run that was found to be legal.
pub struct Played {
    /// What the engine measured.
    pub outcome: Outcome,
    /// What the audit measured.
    pub findings: Findings,
    /// The goals that were reached in a lifelong run.
    pub service: Option<ServiceTimes>,
}

/// Lets a planner move the agents of a problem. Every step is checked, and the goals of a lifelong run are counted twice: by
/// who gives them, and by the checker.
///
/// # Errors
/// When a step is illegal, or a list of goals does not fit the problem.
pub fn play(
    name: &str,
    planner: &mut dyn Planner,
    problem: &Problem,
    setting: Setting,
    clock: &dyn Clock,
    watch: impl FnMut(SoFar<'_>) -> ControlFlow<()>,
) -> Result<Played, LabError> {
    let illegal = |reason: &dyn Display| illegal(name, &problem.map, reason);
    let goals = problem.lifelong.as_ref().map(|source| source.goals(problem));
    let goals = goals.transpose().map_err(LabError::input)?;
    let mut lifelong = goals.map(Lifelong::new);
    let mut world = problem.instance.world();
    let audit = Audit::begin(&world).map_err(|violation| illegal(&violation))?;
    let mut watched = Watched { audit, watch };
    let mut simulation = Simulation::new(&mut world, planner)
        .limits(setting.limits)
        .script(problem.instance.script())
        .clock(clock)
        .witnessed(&mut watched);
    if setting.keeps_trace {
        simulation = simulation.traced();
    }
    if let Some(lifelong) = &mut lifelong {
        simulation = simulation.lifelong(lifelong);
    }
    let outcome = simulation.run().map_err(|error| illegal(&error))?;
    let findings = watched.audit.finish().map_err(|violation| illegal(&violation))?;
    let service = lifelong.map(|mut lifelong| {
        lifelong.count(&world);
        lifelong.service().clone()
    });
    match &service {
        Some(times) if times.goals() != findings.reached => Err(illegal(&format!(
            "{} goals were counted, and the checker has seen {}",
            times.goals(),
            findings.reached
        ))),
        _ => Ok(Played { outcome, findings, service }),
    }
}

/// What is wrong with the run of a planner or solver on a map.
pub fn illegal(name: &str, map: &str, reason: &dyn Display) -> LabError {
    LabError::Illegal(format!("{name} on {map}: {reason}"))
}

/// A run that is audited and shown to a caller that may stop it.
struct Watched<F> {
    audit: Audit,
    watch: F,
}

impl<F: FnMut(SoFar<'_>) -> ControlFlow<()>> Witness for Watched<F> {
    fn see(&mut self, world: &World, work: Work) -> ControlFlow<()> {
        self.audit.see(world, work)?;
        (self.watch)(SoFar { world, expansions: work.expansions })
    }
}

/// The ticks until agents first reached their goals, over the steps of their shortest paths; agents that never
/// reached them do not count. None unless the setting asks for it.
pub fn path_over_shortest(problem: &Problem, setting: Setting, turns: &[Turns]) -> Option<f64> {
    if !setting.compare_with_shortest {
        return None;
    }
    let grid = problem.instance.grid();
    let arrived =
        problem.instance.tasks().iter().zip(turns).filter_map(|(&(start, goal), turns)| {
            let (_, path) = shortest_path(grid, start, goal)?;
            Some((turns.path_length?, path.len() as u64 - 1))
        });
    let (walked, shortest) =
        arrived.fold((0, 0), |(walked, shortest), (more, least)| (walked + more, shortest + least));
    (shortest > 0).then(|| walked as f64 / shortest as f64)
}

#[cfg(test)]
#[path = "lifelong_test.rs"]
mod lifelong_tests;
