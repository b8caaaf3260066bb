//! What the tables of runs show.

use jostle_lab::Record;
use jostle_lab::table::Table;

use crate::table::{Point, duration, grouped, summary};

/// The columns after the planner, each with the width of its largest usual value.
pub const COLUMNS: [(&str, usize); 8] = [
    ("arrived", 7),
    ("arrival", 7),
    ("distance", 8),
    ("ticks", 9),
    ("expansions", 13),
    ("p99 tick", 8),
    ("worst", 8),
    ("time", 8),
];

/// The values of a run in these columns.
pub fn values(record: &Record) -> [Option<String>; 8] {
    [
        Some(format!("{:.1} %", record.completion_rate * 100.0)),
        record.completion_ticks.map(|ticks| format!("{ticks:.0}")),
        Some(format!("{:.1}", record.travel_distance)),
        Some(grouped(record.ticks)),
        Some(grouped(record.expansions)),
        Some(duration(record.tick_p99_us)),
        Some(duration(record.tick_max_us)),
        Some(duration(record.seconds * 1e6)),
    ]
}

/// Explains the columns.
pub const fn legend() -> &'static str {
    "arrived: agents on their goals at the end · arrival: mean tick in which they arrived\n\
     distance: mean cells walked by all · p99 tick, worst: how long a tick took to plan and check\n\
     every run was checked: no collision, no illegal step"
}

/// The planners with which most agents have arrived; none where all are equal.
pub fn most_arrived(records: &[Record]) -> Option<String> {
    let most = records.iter().map(Record::arrived).max()?;
    let best = records.iter().filter(|record| record.arrived() == most);
    let best: Vec<&str> = best.map(|record| record.planner.as_str()).collect();
    (best.len() < records.len()).then(|| best.join(", "))
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
}

impl Measure {
    /// In the order of the printed tables.
    pub const ALL: [Self; 3] = [Self::Arrived, Self::Distance, Self::Tick];

    /// The heading of its table.
    const fn title(self) -> &'static str {
        match self {
            Self::Arrived => "arrived, % of agents",
            Self::Distance => "distance walked, mean in cells",
            Self::Tick => "p99 tick, µs",
        }
    }

    /// The means of all runs, side by side.
    pub fn summary(self, records: &[Record]) -> Table {
        let points = records.iter().map(|record| Point {
            map: &record.map,
            agents: record.agents,
            name: &record.planner,
            value: Some(self.of(record)),
        });
        summary(self.title(), &points.collect::<Vec<_>>(), 0)
    }

    fn of(self, record: &Record) -> f64 {
        match self {
            Self::Arrived => record.completion_rate * 100.0,
            Self::Distance => record.travel_distance,
            Self::Tick => record.tick_p99_us,
        }
    }
}
