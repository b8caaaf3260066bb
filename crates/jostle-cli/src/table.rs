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

/// The columns of a [`GrowingTable`], each with the width of its largest usual value.
const COLUMNS: [(&str, usize); 8] = [
    ("arrived", 7),
    ("arrival", 7),
    ("distance", 8),
    ("ticks", 9),
    ("expansions", 13),
    ("p99 tick", 8),
    ("worst", 8),
    ("time", 8),
];

/// The runs of one instance, a row for each planner. Rows are written one by one, as soon as a run is done, so the widths
/// of the columns are settled in advance.
pub struct GrowingTable {
    table: Table,
    format: Format,
    /// How many lines of text were written.
    written: usize,
}

impl GrowingTable {
    /// A table of these planners, still empty.
    pub fn new(planners: impl Iterator<Item = String>, format: Format) -> Self {
        let longest = planners.map(|name| name.chars().count()).max().unwrap_or(0);
        let columns = COLUMNS.map(|(name, width)| format!("{name:>width$}"));
        let header = [format!("{:longest$}", "planner")].into_iter().chain(columns).collect();
        Self { table: Table { header, ..Table::default() }, format, written: 0 }
    }

    /// Adds a row, and returns the text that is new.
    pub fn add(&mut self, record: &Record) -> String {
        let values = [
            Some(format!("{:.1} %", record.completion_rate * 100.0)),
            record.completion_ticks.map(|ticks| format!("{ticks:.0}")),
            Some(format!("{:.1}", record.travel_distance)),
            Some(grouped(record.ticks)),
            Some(grouped(record.expansions)),
            record.tick_p99_us.map(duration),
            record.tick_max_us.map(duration),
            Some(duration(record.seconds * 1e6)),
        ];
        let cells = values.map(|value| Cell { value, ..Cell::default() });
        let label = record.contestant().text().to_owned();
        self.table.lines.push(Line { label, cells: cells.into(), is_summary: false });
        let text = self.table.write(self.format);
        let lines = text.lines().count() - self.border();
        let new =
            text.lines().take(lines).skip(self.written).flat_map(|line| [line, "\n"]).collect();
        self.written = lines;
        new
    }

    /// The rest of the text, when these runs are done.
    pub fn end(self, records: &[Record]) -> String {
        if records.is_empty() {
            return String::new();
        }
        let text = self.table.write(self.format);
        let border: String =
            text.lines().skip(self.written).flat_map(|line| [line, "\n"]).collect();
        let gap = if self.format == Format::Markdown { "\n" } else { "" };
        let most = most_arrived(records).map(|names| format!("{gap}most arrived: {names}\n"));
        border + &most.unwrap_or_default()
    }

    /// How many lines follow the last row.
    const fn border(&self) -> usize {
        match self.format {
            Format::Terminal | Format::Text => 1,
            Format::Markdown | Format::Latex => 0,
        }
    }
}

/// The planners with which most agents have arrived; none where all are equal.
fn most_arrived(records: &[Record]) -> Option<String> {
    let most = records.iter().map(Record::arrived).max()?;
    let best = records.iter().filter(|record| record.arrived() == most);
    let best: Vec<&str> = best.map(|record| record.contestant().text()).collect();
    (best.len() < records.len()).then(|| best.join(", "))
}

/// Several instances side by side: a row for each map, a column for each number of agents, and in each
/// cell one value for each planner, the mean over seeds.
pub fn summary(records: &[Record], measure: Measure) -> Table {
    let maps = distinct(records.iter().map(|record| record.map.as_str()));
    let counts = distinct(records.iter().map(|record| record.agents));
    let planners = distinct(records.iter().map(|record| record.contestant().text()));
    let header = counts.iter().map(|count| format!("{} agents", grouped(u64::from(*count))));
    let cell = |is_wanted: &dyn Fn(&Record) -> bool| {
        let values = planners.iter().map(|planner| {
            let wanted =
                records.iter().filter(|r| r.contestant().text() == *planner && is_wanted(r));
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
            Self::Tick => record.tick_p99_us.unwrap_or(0.0),
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

/// Explains the columns of a [`GrowingTable`].
pub const fn legend() -> &'static str {
    "arrived: agents on their goals at the end · arrival: mean tick in which they arrived\n\
     distance: mean cells walked by all · p99 tick, worst: how long a tick took to plan and check\n\
     every run was checked: no collision, no illegal step"
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
    use std::ops::ControlFlow;

    use jostle::instance::Kind;
    use jostle::planners::Spec;
    use jostle::{Limits, Rules};
    use jostle_lab::{NamedMap, Problem, Setting, run};

    use super::*;

    fn a_record() -> Record {
        let map = NamedMap::find("cave:32x24", Rules::default()).unwrap();
        let problem = Problem::draw(&map, Kind::Random, 5, 1).unwrap();
        let (planner, setting) = (Spec::parse("bmaa").unwrap(), Setting::of(Limits::ticks(9)));
        run(&planner, &problem, setting, |_| ControlFlow::Continue(())).unwrap().1
    }

    #[test]
    fn a_table_that_grows_is_the_same_text_as_one_that_is_written_at_the_end() {
        let record = a_record();
        for format in [Format::Text, Format::Markdown] {
            let names = ["bmaa", "bmaa:expansions=128"].map(str::to_owned);
            let mut table = GrowingTable::new(names.into_iter(), format);
            let mut text = table.add(&record);
            assert_eq!(text.lines().count(), if format == Format::Text { 4 } else { 3 });
            text += &table
                .add(&Record { planner: Some("bmaa:expansions=128".to_owned()), ..record.clone() });
            let whole = table.table.write(format);
            text += &table.end(std::slice::from_ref(&record));
            assert_eq!(text, whole);
        }
    }

    #[test]
    fn times_are_written_in_the_unit_that_suits_them() {
        assert_eq!(duration(12.4), "12 µs");
        assert_eq!(duration(1234.0), "1.2 ms");
        assert_eq!(duration(2_500_000.0), "2.5 s");
    }
}
