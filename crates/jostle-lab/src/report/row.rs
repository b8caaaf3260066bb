//! A run as far as reports need it.

use std::sync::Arc;

use jostle::Limits;

/// One run. Names are shared, so that a hundred thousand rows take little room.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The planner with its parameters.
    pub planner: Arc<str>,
    /// The map.
    pub map: Arc<str>,
    /// How agents were drawn, or [`Row::FROM_SCENARIO`].
    pub kind: Arc<str>,
    /// How many agents.
    pub agents: u32,
    /// The seed that drew them; nothing if they were read.
    pub seed: Option<u64>,
    /// How many neighbours a cell has.
    pub neighbours: u8,
    /// When the run had to end at the latest, as users write it.
    pub limit: Arc<str>,
    /// The share of agents that are home at the end.
    pub completion: f64,
    /// Mean tick of arrival of those.
    pub completion_ticks: Option<f64>,
    /// Mean second of arrival of those.
    pub completion_seconds: Option<f64>,
    /// Mean distance of all agents.
    pub distance: f64,
    /// The share of agents that ever were on their goals.
    pub success: f64,
    /// Mean number of ticks until they first were.
    pub path_length: Option<f64>,
    /// The same over the steps of the shortest ways.
    pub path_over_shortest: Option<f64>,
    /// Mean number of returns to a cell.
    pub cycles: f64,
    /// The first tick, in milliseconds.
    pub first_tick: f64,
    /// The slowest tick after it, in milliseconds.
    pub slowest_later_tick: f64,
    /// The time that 99 of 100 ticks did not exceed, in milliseconds.
    pub tick_p99: f64,
}

impl Row {
    /// The kind of runs whose agents were read.
    pub const FROM_SCENARIO: &'static str = "scenario";

    /// What makes runs of several planners comparable: the same agents on the same map.
    pub fn instance(&self) -> (&str, &str, u32, Option<u64>) {
        (&self.map, &self.kind, self.agents, self.seed)
    }

    /// Instances that differ by their seed alone.
    pub fn stratum(&self) -> (&str, &str, u32) {
        (&self.map, &self.kind, self.agents)
    }

    /// Mean time of arrival of all agents, where those that are not home count as the limit: in seconds
    /// if seconds are limited, in ticks otherwise.
    pub fn completion_time(&self, limits: Limits) -> Option<f64> {
        let (arrival, limit) = match limits {
            Limits { time: Some(time), .. } => (self.completion_seconds, time.as_secs_f64()),
            Limits { ticks: Some(ticks), .. } => (self.completion_ticks, ticks as f64),
            Limits { ticks: None, time: None } => return None,
        };
        let of_those_home = self.completion * arrival.unwrap_or(0.0);
        Some(of_those_home + (1.0 - self.completion) * limit)
    }
}
