//! Measures by which runs are compared.

use jostle::Limits;

use super::section::Section;
use super::stats::{Estimate, Range};
use crate::{Record, SolverRun};

/// A measure of runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Agents on their goals at the end, in percent.
    CompletionRate,
    /// Mean time of arrival; agents that have not arrived count as the limit.
    CompletionTime,
    /// The same on the clock of expansions: in percent of the limit.
    CompletionShare,
    /// Mean distance walked, in cells.
    Distance,
    /// Agents that were on their goals at some time, in percent.
    Success,
    /// Mean number of ticks until agents first reached their goals.
    PathLength,
    /// That number over the length of the shortest path.
    PathOverShortest,
    /// Mean number of returns to a cell.
    Cycles,
    /// The first tick, in milliseconds.
    FirstTick,
    /// The slowest tick after the first of all runs, in milliseconds.
    SlowestLaterTick,
    /// The time that 99 of 100 ticks did not exceed, in milliseconds.
    TickP99,
    /// Goals that were reached in a tick of a lifelong run.
    Throughput,
    /// Mean number of ticks that a goal of a lifelong run took.
    Service,
    /// The number of ticks that 95 of 100 goals did not exceed.
    ServiceP95,
    /// Instances for which a solver found a plan, in percent.
    Solved,
    /// Time until a solver's first plan, in milliseconds.
    FirstPlan,
    /// Time until its best plan, in milliseconds.
    BestPlan,
    /// The cost of its plan over the lower bound.
    CostOverBound,
    /// Nodes that it expanded before it ended with a plan.
    Nodes,
    /// Memory that its search held in the end, in megabytes.
    Memory,
    /// Sets of meetings that came up in a search.
    Sets,
    /// Sets of meetings for which paths were searched for.
    SetsPlanned,
    /// Plans with the first set of meetings, in percent of all plans.
    FirstSet,
}

/// Which values are better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Better {
    /// None: they only describe.
    Neither,
    /// Larger values.
    More,
    /// Smaller values.
    Less,
}

impl Measure {
    /// Its name, for files.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::CompletionRate => "completion-rate",
            Self::CompletionTime => "completion-time",
            Self::CompletionShare => "completion-share",
            Self::Distance => "distance",
            Self::Success => "success",
            Self::PathLength => "path-length",
            Self::PathOverShortest => "path-over-shortest",
            Self::Cycles => "cycles",
            Self::FirstTick => "first-tick",
            Self::SlowestLaterTick => "slowest-tick",
            Self::TickP99 => "tick",
            Self::Throughput => "throughput",
            Self::Service => "service",
            Self::ServiceP95 => "service-p95",
            Self::Solved => "solved",
            Self::FirstPlan => "first-plan",
            Self::BestPlan => "best-plan",
            Self::CostOverBound => "cost-over-bound",
            Self::Nodes => "nodes",
            Self::Memory => "memory",
            Self::Sets => "sets",
            Self::SetsPlanned => "sets-planned",
            Self::FirstSet => "first-set",
        }
    }

    /// Its title, with the unit.
    pub fn title(self, section: &Section<'_>) -> String {
        match self {
            Self::CompletionRate => "completion rate (%)".to_owned(),
            Self::CompletionTime => format!("completion time ({})", section.time_unit()),
            Self::CompletionShare => "completion time (% of the limit in expansions)".to_owned(),
            Self::Distance => "travel distance (cells)".to_owned(),
            Self::Success => "agents that reach their goal (%)".to_owned(),
            Self::PathLength => "path length (ticks)".to_owned(),
            Self::PathOverShortest => "path length over the shortest path".to_owned(),
            Self::Cycles => "cycles for each agent".to_owned(),
            Self::FirstTick => "first tick (ms)".to_owned(),
            Self::SlowestLaterTick => "slowest later tick (ms)".to_owned(),
            Self::TickP99 => "tick time, p99 (ms)".to_owned(),
            Self::Throughput => "throughput (goals a tick)".to_owned(),
            Self::Service => "service time of a goal, mean (ticks)".to_owned(),
            Self::ServiceP95 => "service time of a goal, 95 of 100 (ticks)".to_owned(),
            Self::Solved => "instances solved (%)".to_owned(),
            Self::FirstPlan => "time to the first plan (ms)".to_owned(),
            Self::BestPlan => "time to the best plan (ms)".to_owned(),
            Self::CostOverBound => "cost over the lower bound".to_owned(),
            Self::Nodes => "nodes expanded".to_owned(),
            Self::Memory => "memory (MB)".to_owned(),
            Self::Sets => "sets of meetings that came up".to_owned(),
            Self::SetsPlanned => "sets of meetings planned for".to_owned(),
            Self::FirstSet => "solved with first set (%)".to_owned(),
        }
    }

    /// Which values are better.
    pub const fn better(self) -> Better {
        match self {
            Self::CompletionRate | Self::Success | Self::Solved | Self::Throughput => Better::More,
            Self::Sets | Self::SetsPlanned | Self::FirstSet => Better::Neither,
            _ => Better::Less,
        }
    }

    /// Whether values are shares of all agents or instances, in percent.
    pub const fn is_share(self) -> bool {
        matches!(self, Self::CompletionRate | Self::Success | Self::Solved | Self::FirstSet)
    }

    /// Whether only runs that ended with a plan have a value.
    pub const fn is_of_solved(self) -> bool {
        matches!(
            self,
            Self::FirstPlan | Self::BestPlan | Self::CostOverBound | Self::Nodes | Self::FirstSet
        )
    }

    /// The number of decimals of a value: shares have one, ratios that are close to 1 have
    /// three, and others about three digits in all.
    pub fn digits(self, value: f64) -> usize {
        match value.abs() {
            _ if self.is_share() => 1,
            _ if self == Self::CostOverBound => 3,
            value if value >= 100.0 => 0,
            value if value >= 10.0 => 1,
            value if value >= 1.0 => 2,
            _ => 3,
        }
    }

    /// The value of a run, if it has one.
    pub fn of(self, record: &Record, limits: Limits) -> Option<f64> {
        let milliseconds = |microseconds: Option<f64>| Some(microseconds? / 1000.0);
        match self {
            Self::CompletionRate => Some(record.completion_rate * 100.0),
            Self::CompletionTime => completion_time(record, limits),
            Self::CompletionShare => completion_share(record, limits),
            Self::Distance => Some(record.travel_distance),
            Self::Success => Some(record.success_rate * 100.0),
            Self::PathLength => record.path_length,
            Self::PathOverShortest => record.path_over_shortest,
            Self::Cycles => Some(record.cycles),
            Self::FirstTick => milliseconds(record.first_tick_us),
            Self::SlowestLaterTick => milliseconds(record.later_tick_max_us),
            Self::TickP99 => milliseconds(record.tick_p99_us),
            Self::Throughput => Some(record.lifelong.as_ref()?.throughput),
            Self::Service => record.lifelong.as_ref()?.service_ticks,
            Self::ServiceP95 => Some(record.lifelong.as_ref()?.service_p95_ticks? as f64),
            _ => self.of_solver(record.solver.as_deref()?),
        }
    }

    /// The value of a solver's run, if it has one.
    fn of_solver(self, run: &SolverRun) -> Option<f64> {
        match self {
            Self::Solved => Some(percent(run.is_solved())),
            Self::FirstPlan => Some(run.first_plan_seconds? * 1000.0),
            Self::BestPlan => Some(run.best_plan_seconds? * 1000.0),
            Self::CostOverBound => run.cost_over_bound(),
            Self::Nodes => run.is_solved().then_some(run.nodes as f64),
            Self::Memory => Some(run.bytes as f64 / 1e6),
            Self::Sets => Some(run.sets.as_ref()?.generated as f64),
            Self::SetsPlanned => Some(run.sets.as_ref()?.planned as f64),
            Self::FirstSet => run.sets.as_ref()?.first_is_solved.map(percent),
            _ => None,
        }
    }

    /// The value of several runs of a section: their mean, but the largest of the slowest ticks. What each run has or has not, such
    /// as a plan, has no interval: tables show how many have it.
    pub fn estimate<'a>(
        self,
        records: impl IntoIterator<Item = &'a Record>,
        section: &Section<'_>,
    ) -> Option<Estimate> {
        let limits = section.limits;
        if self != Self::SlowestLaterTick {
            let range = if self.is_share() { Range::Percent } else { Range::Unbounded };
            let value = |record: &Record| self.of(record, limits);
            let mean = Estimate::of(records, section.weight, range, value)?;
            let has_interval = !matches!(self, Self::Solved | Self::FirstSet);
            return Some(Estimate { interval: mean.interval.filter(|_| has_interval), ..mean });
        }
        let values = records.into_iter().filter_map(|record| self.of(record, limits));
        let (count, largest) = values.fold((0, f64::NEG_INFINITY), |(count, largest), value| {
            (count + 1, largest.max(value))
        });
        (count > 0).then_some(Estimate { mean: largest, interval: None, has_spread: false, count })
    }
}

/// What a run has counts as 100, what it has not as 0.
const fn percent(has: bool) -> f64 {
    if has { 100.0 } else { 0.0 }
}

/// Mean time of arrival of all agents: in seconds if seconds are limited, in ticks otherwise. Agents that have
/// not arrived count as the limit, or as the whole run where neither seconds nor ticks are limited.
pub fn completion_time(record: &Record, limits: Limits) -> Option<f64> {
    let (arrival, most) = match limits {
        Limits { time: Some(time), .. } => (record.completion_seconds, time.as_secs_f64()),
        Limits { ticks: Some(ticks), .. } => (record.completion_ticks, ticks as f64),
        Limits { expansions: Some(_), .. } => (record.completion_ticks, record.ticks as f64),
        _ => return None,
    };
    let of_the_arrived = record.completion_rate * arrival.unwrap_or(0.0);
    Some(of_the_arrived + (1.0 - record.completion_rate) * most)
}

/// Mean time of arrival of all agents in expansions, in percent of the limit. Agents that have not arrived count as 100. None where
/// expansions are not limited, and in records that do not say.
fn completion_share(record: &Record, limits: Limits) -> Option<f64> {
    let most = limits.expansions? as f64;
    let has_arrivals = record.completion_rate > 0.0;
    let arrival = if has_arrivals { record.completion_expansions? } else { 0.0 };
    // The limit is checked after a tick, so the last tick may exceed it.
    let of_the_arrived = record.completion_rate * (arrival / most).min(1.0);
    Some(100.0 * (of_the_arrived + 1.0 - record.completion_rate))
}

/// How agents that have not arrived count in a [`completion_time`], in words.
pub const fn not_arrived(limits: Limits) -> &'static str {
    if limits.time.is_some() || limits.ticks.is_some() {
        "the limit"
    } else {
        "all ticks of its run"
    }
}
