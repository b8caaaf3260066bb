//! What one run came to, for machines.

use jostle::Limits;
use jostle::simulate::{Ending, Outcome};
use serde::{Deserialize, Serialize};

use crate::audit::Findings;
use crate::{Problem, write_limits};

/// One line of JSON for each run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The planner, with the parameters that were given.
    pub planner: String,
    /// The map: a file's stem, or a built-in map with its size and seed.
    pub map: String,
    /// How many agents.
    pub agents: usize,
    /// The seed that drew them; null if they were read from a scenario.
    pub seed: Option<u64>,
    /// How they were drawn; null if they were read.
    pub kind: Option<String>,
    /// How many neighbours a cell has.
    pub neighbours: u8,
    /// When it had to end at the latest, as users write it.
    pub limit: String,
    /// Ticks that passed.
    pub ticks: u64,
    /// Seconds that passed.
    pub seconds: f64,
    /// Why the run ended: all-home, out-of-ticks, out-of-time or stopped.
    pub ending: String,
    /// The share of agents on their goals, 0 to 1.
    pub completion_rate: f64,
    /// Mean tick of the last arrival, of those that are home; null if nobody is.
    pub completion_ticks: Option<f64>,
    /// Mean second of the last arrival, of those that are home; null if nobody is.
    pub completion_seconds: Option<f64>,
    /// Mean distance walked, in cells, of all agents.
    pub travel_distance: f64,
    /// Ticks until the last agent was home; all ticks if one is not.
    pub makespan: u64,
    /// Sum over agents of the ticks until they were home for good; all ticks for those that are not.
    pub sum_of_costs: u64,
    /// Nodes expanded, all searches together.
    pub expansions: u64,
    /// Searches made.
    pub searches: u64,
    /// The time that 99 of 100 ticks did not exceed, in microseconds.
    pub tick_p99_us: f64,
    /// The slowest tick, in microseconds.
    pub tick_max_us: f64,
    /// The first tick, in microseconds.
    pub first_tick_us: f64,
    /// The slowest tick after the first, in microseconds.
    pub later_tick_max_us: f64,
    /// The share of agents that ever reached their goals, 0 to 1.
    pub success_rate: f64,
    /// Mean number of ticks until an agent first reached its goal, of those that did.
    pub path_length: Option<f64>,
    /// The same over the least number of steps that their ways take without others; null unless it was
    /// asked for.
    pub path_over_shortest: Option<f64>,
    /// Mean number of times that an agent entered a cell it had been on before.
    pub cycles: f64,
    /// Bytes that the planner holds at the end.
    pub planner_bytes: usize,
    /// The same for two runs only if every agent stood on the same cells at every tick.
    pub fingerprint: String,
    /// The version of Jostle.
    pub version: String,
}

impl Record {
    /// What a run of this planner came to.
    pub(crate) fn of(
        planner: &str,
        problem: &Problem,
        limits: Limits,
        outcome: &Outcome,
        findings: &Findings,
        planner_bytes: usize,
    ) -> Self {
        let (metrics, turns) = (&outcome.metrics, &findings.turns);
        let agents = turns.len().max(1) as f64;
        let lengths: Vec<u64> = turns.iter().filter_map(|turns| turns.path_length).collect();
        let mean_length = lengths.iter().sum::<u64>() as f64 / lengths.len().max(1) as f64;
        let microseconds = |time: std::time::Duration| time.as_secs_f64() * 1e6;
        Self {
            planner: planner.to_owned(),
            map: problem.map.clone(),
            agents: problem.agents(),
            seed: problem.seed,
            kind: problem.kind.map(|kind| kind.name().to_owned()),
            neighbours: match problem.instance.grid().rules().neighbours {
                jostle::Neighbours::Four => 4,
                jostle::Neighbours::Eight => 8,
            },
            limit: write_limits(limits),
            ticks: metrics.ticks,
            seconds: metrics.time.as_secs_f64(),
            ending: match outcome.ending {
                Ending::AllHome => "all-home".to_owned(),
                Ending::OutOfTicks => "out-of-ticks".to_owned(),
                Ending::OutOfTime => "out-of-time".to_owned(),
                Ending::Stopped => "stopped".to_owned(),
            },
            completion_rate: metrics.completion_rate(),
            completion_ticks: metrics.completion_ticks(),
            completion_seconds: metrics.completion_seconds(),
            travel_distance: metrics.travel_distance(),
            makespan: metrics.makespan(),
            sum_of_costs: metrics.sum_of_costs(),
            expansions: metrics.work.expansions,
            searches: metrics.work.searches,
            tick_p99_us: microseconds(metrics.tick_p99()),
            tick_max_us: microseconds(metrics.tick_max()),
            first_tick_us: metrics.tick_times.first().copied().map_or(0.0, microseconds),
            later_tick_max_us: metrics
                .tick_times
                .iter()
                .skip(1)
                .max()
                .copied()
                .map_or(0.0, microseconds),
            success_rate: lengths.len() as f64 / agents,
            path_length: (!lengths.is_empty()).then_some(mean_length),
            path_over_shortest: None,
            cycles: turns.iter().map(|turns| turns.cycles).sum::<u64>() as f64 / agents,
            planner_bytes,
            fingerprint: format!("{:016x}", findings.fingerprint),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// How many agents are home.
    pub fn home(&self) -> usize {
        (self.completion_rate * self.agents as f64).round() as usize
    }
}
