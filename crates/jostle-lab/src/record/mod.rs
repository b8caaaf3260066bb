//! The record of one run: a line of JSON.
//!
//! The run of a solver is that in which all agents follow its plan; what it found out before is a
//! [part of its own](SolverRun). Without a plan nobody moves.
//!
//! The definition of [`Record`] is the only list of its fields: the lines, the columns of exported tables and
//! what reports are made of all follow from it.

pub(crate) mod as_text;
mod build;
mod check;
pub(crate) mod columns;
mod identity;
mod key;
mod lifelong_run;
mod lines;
mod machine;
mod reading;
mod solver_run;
#[cfg(test)]
pub(crate) mod testing;
mod versions;

pub(crate) use as_text::AsText;
pub use build::Build;
pub(crate) use identity::{Earlier, Identity, SWEEP};
pub(crate) use key::{Origin, RunKey};
pub use lifelong_run::LifelongRun;
pub use lines::is_record_file;
pub(crate) use lines::{Line, read_file, record_files};
pub use machine::Machine;
pub use reading::{Records, read_records};
pub use solver_run::{MeetingSets, ProofName, SolverRun};

use std::time::Duration;

use jostle::metrics::Metrics;
use jostle::simulate::{Ending, Outcome};
use jostle::{CornerRule, Crossing, Limits, Neighbours, Rules, Work};
use serde::{Deserialize, Serialize};

use crate::audit::Findings;
use crate::problem::Subject;
use crate::rules::{RulesText, neighbours};
use crate::{ContestantName, GoalPlaces, ProblemKind, Seconds};
use columns::{Column, Field, with_columns};

with_columns! {
    /// One line of JSON for each run.
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    // A name that nobody knows may be a misspelt one of a field that may be missing.
    #[serde(deny_unknown_fields)]
    pub struct Record {
        /// What distinguishes the run from all others of its sweep: map, kind, agents or tasks, seed, planner or solver, limit,
        /// rules. Only sweeps write this and the next three.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub key: Option<String>,
        /// The fingerprint of the spec that asked for the run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub spec: Option<String>,
        /// The name of the experiment.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub experiment: Option<String>,
        /// The machine on which the run was made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub machine: Option<Box<Machine>>,
        /// The planner, with the parameters that were given; null if a solver made the plan.
        pub planner: Option<String>,
        /// The solver and what it found out; null if a planner decided. Of a planner and a solver, a run has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub solver: Option<Box<SolverRun>>,
        /// What reports call the planner or solver; null where its name is short enough.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub label: Option<String>,
        /// The map: a file's stem, or a built-in map with its size and seed.
        pub map: String,
        /// The fingerprint of the map's floor: the same name may stand for another floor some day. Null in records of
        /// before, which do not say.
        #[serde(default)]
        pub map_fingerprint: Option<String>,
        /// The number of agents.
        pub agents: u32,
        /// The number of tasks for which two of them meet; null if every agent has a goal of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tasks: Option<u32>,
        /// The seed that drew them; null if they were read from a scenario.
        pub seed: Option<u64>,
        /// How they were drawn; null if they were read.
        #[serde(default, with = "as_text::optional")]
        pub kind: Option<ProblemKind>,
        /// The name of the scenario that they were read from: a file's stem; null if they were drawn, and in records of before, which do
        /// not say.
        #[serde(default)]
        pub scen: Option<String>,
        /// The fingerprint of the starts and goals that were read from a scenario; null if they were drawn.
        #[serde(default)]
        pub scenario: Option<String>,
        /// The fingerprint of the script of changes that was played; null without one.
        #[serde(default)]
        pub script: Option<String>,
        /// Whether the planner knew its changes beforehand; null without one, and in the run of a solver.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub announced: Option<bool>,
        /// The goals of a lifelong run, in which agents get a new one whenever they arrive; null otherwise. What other fields say about
        /// arriving is of little use then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub lifelong: Option<Box<LifelongRun>>,
        /// The number of neighbours of a cell: 4 or 8.
        #[serde(default = "eight")]
        pub neighbours: u8,
        /// Which cells at the corners of a diagonal step had to be free: both, one or none.
        #[serde(default, with = "as_text")]
        pub corners: CornerRule,
        /// Whether two diagonal steps could cross: allowed or forbidden.
        #[serde(default, with = "as_text")]
        pub crossing: Crossing,
        /// The limits of the run, as users write them.
        #[serde(with = "as_text")]
        pub limit: Limits,
        /// Ticks that passed.
        pub ticks: u64,
        /// What the seconds of a planner's run are: on the wall, or on the processor.
        #[serde(default, with = "as_text")]
        pub clock: Seconds,
        /// Seconds that passed; those of the search in the run of a solver.
        pub seconds: f64,
        /// Why the run ended: all-arrived, out-of-ticks, out-of-time, out-of-expansions or stopped; null in the run of
        /// a solver.
        #[serde(default, with = "as_text::optional")]
        pub ending: Option<Ending>,
        /// The share of agents on their goals at the end, 0 to 1.
        pub completion_rate: f64,
        /// Mean tick in which agents last arrived, of those on their goals at the end; null if none has.
        pub completion_ticks: Option<f64>,
        /// Mean second in which agents last arrived, of those on their goals at the end; null if none has,
        /// and in the run of a solver.
        pub completion_seconds: Option<f64>,
        /// Mean number of expansions, of all searches of the run together, after which agents last arrived, of those on their
        /// goals at the end; null if none has, in the run of a solver, and in records of before.
        #[serde(default)]
        pub completion_expansions: Option<f64>,
        /// Mean distance walked, in cells, of all agents.
        pub travel_distance: f64,
        /// Ticks until the last agent had arrived; all ticks if one has not, and null if a solver found no plan.
        pub makespan: Option<u64>,
        /// Sum over agents of the ticks until they arrived for good; all ticks for those that have not, and null if a
        /// solver found no plan.
        pub sum_of_costs: Option<u64>,
        /// Nodes expanded, all searches together.
        pub expansions: u64,
        /// Searches made.
        pub searches: u64,
        /// The time that 99 of 100 ticks did not exceed, in microseconds. This and the next three are null in the run
        /// of a solver, whose ticks need no planning.
        pub tick_p99_us: Option<f64>,
        /// The slowest tick, in microseconds.
        pub tick_max_us: Option<f64>,
        /// The first tick, in microseconds.
        pub first_tick_us: Option<f64>,
        /// The slowest tick after the first, in microseconds.
        pub later_tick_max_us: Option<f64>,
        /// The share of agents that ever reached their goals, 0 to 1.
        pub success_rate: f64,
        /// Mean number of ticks until an agent first reached its goal, of those that did.
        pub path_length: Option<f64>,
        /// The same over the least number of steps that their paths take without others; null unless it was
        /// asked for.
        pub path_over_shortest: Option<f64>,
        /// Mean number of times that an agent entered a cell it had been on before.
        pub cycles: f64,
        /// Bytes that the planner holds at the end; null in the run of a solver.
        pub planner_bytes: Option<usize>,
        /// The same for two runs only if every agent stood on the same cells at every tick.
        pub fingerprint: String,
        /// The version of Jostle.
        pub version: String,
        /// The commit from which Jostle was built, with `-dirty` if sources were changed since; null where
        /// that is not known.
        pub commit: Option<String>,
    }
}

/// The neighbours of a cell in records that do not say.
const fn eight() -> u8 {
    8
}

/// Records as the columns of a table.
pub(crate) fn columns(records: &[Record]) -> Vec<Column> {
    let rows: Vec<Option<&Record>> = records.iter().map(Some).collect();
    Record::columns("", &rows)
}

impl Record {
    /// The [`kind_name`](Self::kind_name) of runs whose agents were read from a scenario.
    pub const FROM_SCENARIO: &'static str = "scenario";

    /// The record of a planner's run.
    pub(crate) fn of_planner(
        planner: &str,
        planner_bytes: usize,
        subject: Subject,
        limits: Limits,
        outcome: &Outcome,
        findings: &Findings,
    ) -> Self {
        let metrics = &outcome.metrics;
        let ticks = &metrics.tick_times;
        let microseconds = |time: Duration| time.as_secs_f64() * 1e6;
        Self {
            planner: Some(planner.to_owned()),
            ending: Some(outcome.ending),
            completion_seconds: metrics.completion_seconds(),
            completion_expansions: metrics.completion_expansions(),
            makespan: Some(metrics.makespan()),
            sum_of_costs: Some(metrics.sum_of_costs()),
            tick_p99_us: Some(microseconds(ticks.p99())),
            tick_max_us: Some(microseconds(ticks.slowest_after(0))),
            first_tick_us: Some(ticks.listed().first().copied().map_or(0.0, microseconds)),
            later_tick_max_us: Some(microseconds(ticks.slowest_after(1))),
            planner_bytes: Some(planner_bytes),
            ..Self::of(subject, limits, metrics.time, metrics.work, metrics, findings)
        }
    }

    /// The record of a solver's run: its search, and the run in which all agents follow its plan.
    pub(crate) fn of_solver(
        run: SolverRun,
        subject: Subject,
        limits: Limits,
        (time, work): (Duration, Work),
        metrics: &Metrics,
        findings: &Findings,
    ) -> Self {
        Self {
            makespan: run.is_solved().then(|| metrics.makespan()),
            sum_of_costs: run.is_solved().then(|| metrics.sum_of_costs()),
            solver: Some(Box::new(run)),
            ..Self::of(subject, limits, time, work, metrics, findings)
        }
    }

    /// What the runs of planners and solvers have in common.
    fn of(
        subject: Subject,
        limits: Limits,
        time: Duration,
        work: Work,
        metrics: &Metrics,
        findings: &Findings,
    ) -> Self {
        let turns = &findings.turns;
        let agents = turns.len().max(1) as f64;
        let lengths: Vec<u64> = turns.iter().filter_map(|turns| turns.path_length).collect();
        let mean_length = lengths.iter().sum::<u64>() as f64 / lengths.len().max(1) as f64;
        let build = Build::this();
        Self {
            key: None,
            spec: None,
            experiment: None,
            machine: None,
            planner: None,
            solver: None,
            label: None,
            map: subject.map,
            map_fingerprint: Some(format!("{:016x}", subject.map_fingerprint)),
            agents: subject.agents as u32,
            tasks: subject.tasks.map(|tasks| tasks as u32),
            seed: subject.seed,
            kind: subject.kind,
            scen: subject.scen,
            scenario: subject.scenario,
            script: subject.script,
            announced: None,
            lifelong: None,
            neighbours: neighbours(subject.rules),
            corners: subject.rules.corners,
            crossing: subject.rules.crossing,
            limit: limits,
            ticks: metrics.ticks,
            clock: Seconds::Wall,
            seconds: time.as_secs_f64(),
            ending: None,
            completion_rate: metrics.completion_rate(),
            completion_ticks: metrics.completion_ticks(),
            completion_seconds: None,
            completion_expansions: None,
            travel_distance: metrics.travel_distance(),
            makespan: None,
            sum_of_costs: None,
            expansions: work.expansions,
            searches: work.searches,
            tick_p99_us: None,
            tick_max_us: None,
            first_tick_us: None,
            later_tick_max_us: None,
            success_rate: lengths.len() as f64 / agents,
            path_length: (!lengths.is_empty()).then_some(mean_length),
            path_over_shortest: None,
            cycles: turns.iter().map(|turns| turns.cycles).sum::<u64>() as f64 / agents,
            planner_bytes: None,
            fingerprint: format!("{:016x}", findings.fingerprint),
            version: build.version,
            commit: build.commit,
        }
    }

    /// Who made the run.
    pub fn contestant(&self) -> ContestantName<'_> {
        match &self.solver {
            Some(solver) => ContestantName::Solver(&solver.name),
            // One of both is there: readers refuse a record without.
            None => ContestantName::Planner(self.planner.as_deref().unwrap_or_default()),
        }
    }

    /// The size of its problem: the number of tasks for which agents meet, or of agents that have goals of their own.
    pub fn size(&self) -> u32 {
        self.tasks.unwrap_or(self.agents)
    }

    /// The number of agents on their goals at the end.
    pub fn arrived(&self) -> usize {
        (self.completion_rate * f64::from(self.agents)).round() as usize
    }

    /// How agents were drawn, or [`FROM_SCENARIO`](Self::FROM_SCENARIO).
    pub fn kind_name(&self) -> &'static str {
        self.kind.map_or(Self::FROM_SCENARIO, ProblemKind::name)
    }

    /// Where agents got new goals in a lifelong run.
    pub fn goal_places(&self) -> Option<GoalPlaces> {
        self.lifelong.as_ref().map(|lifelong| lifelong.places)
    }

    /// The rules of the run.
    pub fn rules(&self) -> Rules {
        let neighbours = if self.neighbours == 4 { Neighbours::Four } else { Neighbours::Eight };
        Rules { neighbours, corners: self.corners, crossing: self.crossing }
    }

    /// The build that made it.
    pub fn build(&self) -> Build {
        Build { version: self.version.clone(), commit: self.commit.clone() }
    }

    /// Whether this build made it.
    pub fn is_by(&self, build: &Build) -> bool {
        (&self.version, &self.commit) == (&build.version, &build.commit)
    }

    /// What makes runs of several planners or solvers comparable: the same agents on the same map, and the same changes or list
    /// of goals, of which a run has one at most.
    pub fn instance(&self) -> (&str, &str, u32, Option<u64>, Option<&str>, Option<&str>) {
        let list = self.lifelong.as_ref().and_then(|lifelong| lifelong.list.as_deref());
        let (scenario, script) = (self.scenario.as_deref(), self.script.as_deref().or(list));
        (&self.map, self.kind_name(), self.agents, self.seed, scenario, script)
    }

    /// A number that stands for what the run was, and what reproduces of it: its moves, and the work behind them.
    pub(crate) fn reproducible(&self) -> u64 {
        let Self { fingerprint, ticks, expansions, .. } = self;
        let text = format!("{} {fingerprint} {ticks} {expansions}", self.name());
        crate::fingerprint::fingerprint(text.bytes())
    }

    /// Two records with the same name are of one run that was recorded twice. Runs that were not made by a sweep
    /// are the same if every agent stood on the same cells at every tick.
    fn name(&self) -> String {
        if let Some(key) = &self.key {
            return key.clone();
        }
        let (limit, rules) = (self.limit.text(), self.rules().key());
        let (instance, fingerprint) = (self.instance(), &self.fingerprint);
        let announced = if self.announced == Some(true) { " announced" } else { "" };
        let lifelong = self.goal_places().map_or("", GoalPlaces::name);
        let scen = self.scen.as_deref();
        format!(
            "{instance:?} {scen:?} {} {limit} {rules} {fingerprint}{announced}{lifelong}",
            self.contestant()
        )
    }
}
