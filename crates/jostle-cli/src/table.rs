//! Tables of results.

use std::io::{self, IsTerminal};

use jostle_lab::Record;
use jostle_lab::table::{Cell, Format, Line, Table};

pub use jostle_lab::grouped;

/// The format for standard output: with colours on a terminal.
pub fn for_people() -> Format {
    let wants_colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if wants_colours && io::stdout().is_terminal() { Format::Terminal } else { Format::Text }
}

/// The runs of one instance, a row for each planner.
pub fn table(records: &[Record]) -> Table {
    let header = [
        "planner",
        "arrived",
        "arrival",
        "distance",
        "ticks",
        "expansions",
        "p99 tick",
        "worst",
        "time",
    ];
    // Where all are equal, none is marked as best.
    let best = records.iter().map(Record::arrived).max();
    let best = best.filter(|best| records.iter().any(|record| record.arrived() < *best));
    let line = |record: &Record| {
        let values = [
            Some(format!("{:.1} %", record.completion_rate * 100.0)),
            record.completion_ticks.map(|ticks| format!("{ticks:.0}")),
            Some(format!("{:.1}", record.travel_distance)),
            Some(grouped(record.ticks)),
            Some(grouped(record.expansions)),
            Some(duration(record.tick_p99_us)),
            Some(duration(record.tick_max_us)),
            Some(duration(record.seconds * 1e6)),
        ];
        let cell = |value| Cell { value, ..Cell::default() };
        let mut cells = values.map(cell);
        cells[0].is_best = Some(record.arrived()) == best;
        Line { label: record.planner.clone(), cells: cells.into(), is_summary: false }
    };
    Table {
        header: header.map(str::to_owned).into(),
        lines: records.iter().map(line).collect(),
        ..Table::default()
    }
}

/// Several instances side by side: a row for each map, a column for each number of agents, and in each
/// cell one value for each planner, the mean over seeds.
pub fn summary(records: &[Record], measure: Measure) -> Table {
    let maps = distinct(records.iter().map(|record| record.map.as_str()));
    let counts = distinct(records.iter().map(|record| record.agents));
    let planners = distinct(records.iter().map(|record| record.planner.as_str()));
    let header = counts.iter().map(|count| format!("{} agents", grouped(u64::from(*count))));
    let cell = |is_wanted: &dyn Fn(&Record) -> bool| {
        let values = planners.iter().map(|planner| {
            let wanted =
                records.iter().filter(|record| record.planner == *planner && is_wanted(record));
            let (count, sum) =
                wanted.fold((0, 0.0), |(count, sum), record| (count + 1, sum + measure.of(record)));
            if count == 0 { "–".to_owned() } else { format!("{:.0}", sum / f64::from(count)) }
        });
        values.collect::<Vec<_>>().join(" / ")
    };
    let of_map = |map: &&str| {
        let cells = counts.iter().map(|count| cell(&|r| r.map == *map && r.agents == *count));
        Line::new(*map, cells)
    };
    let mut lines: Vec<Line> = maps.iter().map(of_map).collect();
    if maps.len() > 1 {
        let cells = counts.iter().map(|count| cell(&|record| record.agents == *count));
        lines.push(Line { is_summary: true, ..Line::new("mean", cells) });
    }
    Table {
        title: format!("{}: {}", measure.title(), planners.join(" / ")),
        header: ["map".to_owned()].into_iter().chain(header).collect(),
        lines,
        ..Table::default()
    }
}

/// What a [`summary`] compares.
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

    fn of(self, record: &Record) -> f64 {
        match self {
            Self::Arrived => record.completion_rate * 100.0,
            Self::Distance => record.travel_distance,
            Self::Tick => record.tick_p99_us,
        }
    }
}

fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    values.fold(Vec::new(), |mut seen, value| {
        if !seen.contains(&value) {
            seen.push(value);
        }
        seen
    })
}

/// Explains the columns of [`table`].
pub fn legend(format: Format) -> String {
    let best = format.best();
    format!(
        "arrived: agents on their goals at the end ({best}) · arrival: mean tick in which they arrived\n\
         distance: mean cells walked by all · p99 tick, worst: how long a tick took to plan and check\n\
         every run was checked: no collision, no illegal step"
    )
}

/// Microseconds in the unit that suits them.
fn duration(microseconds: f64) -> String {
    match microseconds {
        us if us < 1000.0 => format!("{us:.0} µs"),
        us if us < 1e6 => format!("{:.1} ms", us / 1e3),
        us => format!("{:.1} s", us / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_the_unit_that_suits_them() {
        assert_eq!(duration(12.4), "12 µs");
        assert_eq!(duration(1234.0), "1.2 ms");
        assert_eq!(duration(2_500_000.0), "2.5 s");
    }
}
