//! What the tables of runs show.

use jostle_lab::Record;
use jostle_lab::table::Table;

use crate::table::{Column, Point, duration, grouped, summary};

/// The columns after the planner, each with the width of its largest usual value.
pub const COLUMNS: [Column; 8] = [
    Column::new("arrived", 7),
    Column::new("arrival", 7).dispensable(4),
    Column::new("distance", 8).dispensable(2),
    Column::new("ticks", 9).dispensable(3),
    Column::new("expansions", 13).dispensable(6),
    Column::new("p99 tick", 8).dispensable(1),
    Column::new("worst", 8).dispensable(5),
    Column::new("time", 8),
];

/// Those of lifelong runs.
pub const LIFELONG_COLUMNS: [Column; 8] = [
    Column::new("goals", 9),
    Column::new("a tick", 7),
    Column::new("service", 7).dispensable(1),
    Column::new("95 %", 6).dispensable(3),
    Column::new("ticks", 9).dispensable(4),
    Column::new("p99 tick", 8).dispensable(2),
    Column::new("worst", 8).dispensable(5),
    Column::new("time", 8),
];

/// The values of a run in its columns.
pub fn values(record: &Record) -> [Option<String>; 8] {
    if let Some(lifelong) = &record.lifelong {
        return [
            Some(grouped(lifelong.goals)),
            Some(format!("{:.3}", lifelong.throughput)),
            lifelong.service_ticks.map(|ticks| format!("{ticks:.1}")),
            lifelong.service_p95_ticks.map(grouped),
            Some(grouped(record.ticks)),
            record.tick_p99_us.map(duration),
            record.tick_max_us.map(duration),
            Some(duration(record.seconds * 1e6)),
        ];
    }
    [
        Some(format!("{:.1} %", record.completion_rate * 100.0)),
        record.completion_ticks.map(|ticks| format!("{ticks:.0}")),
        Some(format!("{:.1}", record.travel_distance)),
        Some(grouped(record.ticks)),
        Some(grouped(record.expansions)),
        record.tick_p99_us.map(duration),
        record.tick_max_us.map(duration),
        Some(duration(record.seconds * 1e6)),
    ]
}

/// Explains the columns.
pub const fn legend(is_lifelong: bool) -> &'static str {
    if is_lifelong {
        return "goals: goals that were reached · a tick: the same in a tick, on average\n\
             service: mean ticks from when an agent has a goal until it stands on it · 95 %: 95 of 100 goals took no longer\n\
             p99 tick, worst: how long a tick took to plan and check\n\
             every run was checked: no collision, no illegal step, and the goals were counted again";
    }
    "arrived: agents on their goals at the end · arrival: mean tick in which they arrived\n\
     distance: mean cells walked by all · p99 tick, worst: how long a tick took to plan and check\n\
     every run was checked: no collision, no illegal step"
}

/// The planners with which most agents have arrived, or most goals were reached; none where all are equal.
pub fn best(records: &[Record]) -> Option<String> {
    let is_lifelong = records.first()?.lifelong.is_some();
    let score = |record: &Record| match &record.lifelong {
        Some(lifelong) => lifelong.goals,
        None => record.arrived() as u64,
    };
    let most = records.iter().map(score).max()?;
    let best = records.iter().filter(|record| score(record) == most);
    let best: Vec<&str> = best.map(|record| record.contestant().text()).collect();
    let title = if is_lifelong { "most goals" } else { "most arrived" };
    (best.len() < records.len()).then(|| format!("{title}: {}", best.join(", ")))
}

/// What a summary of runs compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Agents on their goals at the end, in percent.
    Arrived,
    /// Mean distance walked, in cells.
    Distance,
    /// How long 99 of 100 ticks took at most, in microseconds.
    Tick,
    /// Goals reached in a tick of a lifelong run.
    Throughput,
    /// Mean number of ticks that a goal of a lifelong run took.
    Service,
}

impl Measure {
    /// In the order of the printed tables.
    pub const fn all(is_lifelong: bool) -> [Self; 3] {
        if is_lifelong {
            [Self::Throughput, Self::Service, Self::Tick]
        } else {
            [Self::Arrived, Self::Distance, Self::Tick]
        }
    }

    /// The heading of its table.
    const fn title(self) -> &'static str {
        match self {
            Self::Arrived => "arrived, % of agents",
            Self::Distance => "distance walked, mean in cells",
            Self::Tick => "p99 tick, µs",
            Self::Throughput => "goals a tick",
            Self::Service => "service time of a goal, mean in ticks",
        }
    }

    /// The means of all runs, side by side.
    pub fn summary(self, records: &[Record]) -> Table {
        let points = records.iter().map(|record| Point {
            map: record.scen.as_deref().unwrap_or(&record.map),
            agents: record.agents,
            name: record.contestant().text(),
            value: self.of(record),
        });
        let digits = if self == Self::Throughput { 3 } else { 0 };
        summary(self.title(), &points.collect::<Vec<_>>(), digits)
    }

    fn of(self, record: &Record) -> Option<f64> {
        match self {
            Self::Arrived => Some(record.completion_rate * 100.0),
            Self::Distance => Some(record.travel_distance),
            Self::Tick => record.tick_p99_us,
            Self::Throughput => Some(record.lifelong.as_ref()?.throughput),
            Self::Service => record.lifelong.as_ref()?.service_ticks,
        }
    }
}
