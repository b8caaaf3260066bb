//! What runs came to, for people.

use comfy_table::presets::{ASCII_MARKDOWN, UTF8_FULL_CONDENSED};
use comfy_table::{Attribute, Cell, CellAlignment, Color, Table};

use jostle_lab::Record;

/// How a table is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// With lines and colours, for a terminal.
    Lines,
    /// In Markdown.
    Markdown,
}

/// The runs of one instance, a row for each planner.
pub fn table(records: &[Record], style: Style) -> Table {
    let mut table = new_table(style);
    table.set_header(
        [
            "planner",
            "home",
            "arrival",
            "distance",
            "ticks",
            "expansions",
            "p99 tick",
            "worst",
            "time",
        ]
        .map(bold),
    );
    let best = records.iter().map(Record::home).max();
    for record in records {
        let home = Cell::new(format!("{:.1} %", record.completion_rate * 100.0));
        let home = if Some(record.home()) == best && records.len() > 1 {
            home.fg(Color::Green).add_attribute(Attribute::Bold)
        } else {
            home
        };
        let arrival =
            record.completion_ticks.map_or_else(|| "–".to_owned(), |ticks| format!("{ticks:.0}"));
        table.add_row([
            Cell::new(&record.planner),
            home,
            Cell::new(arrival),
            Cell::new(format!("{:.1}", record.travel_distance)),
            Cell::new(grouped(record.ticks)),
            Cell::new(grouped(record.expansions)),
            Cell::new(duration(record.tick_p99_us)),
            Cell::new(duration(record.tick_max_us)),
            Cell::new(duration(record.seconds * 1e6)),
        ]);
    }
    align_right(&mut table);
    table
}

/// Several instances side by side: a row for each map, a column for each number of agents, and in each
/// cell one value for each planner, the mean over seeds.
pub fn summary(records: &[Record], measure: Measure, style: Style) -> Table {
    let maps = distinct(records.iter().map(|record| record.map.as_str()));
    let counts = distinct(records.iter().map(|record| record.agents));
    let planners = distinct(records.iter().map(|record| record.planner.as_str()));
    let mut table = new_table(style);
    let header = counts.iter().map(|count| format!("{} agents", grouped(*count as u64)));
    table.set_header(["map".to_owned()].into_iter().chain(header).map(bold));
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
    for map in &maps {
        let cells = counts.iter().map(|count| cell(&|r| r.map == *map && r.agents == *count));
        table.add_row(std::iter::once((*map).to_owned()).chain(cells));
    }
    if maps.len() > 1 {
        let cells = counts.iter().map(|count| cell(&|record| record.agents == *count));
        table.add_row(std::iter::once("mean".to_owned()).chain(cells).map(bold));
    }
    align_right(&mut table);
    table
}

/// One value for each planner and number of agents, from the runs that they share.
pub fn planners_by_agents(
    records: &[Record],
    style: Style,
    value: impl Fn(&[&Record]) -> Option<f64>,
) -> Table {
    let counts = distinct(records.iter().map(|record| record.agents));
    let planners = distinct(records.iter().map(|record| record.planner.as_str()));
    let mut table = new_table(style);
    let header = counts.iter().map(|count| format!("{} agents", grouped(*count as u64)));
    table.set_header(["planner".to_owned()].into_iter().chain(header).map(bold));
    for planner in planners {
        let cells = counts.iter().map(|count| {
            let is_wanted = |record: &&Record| record.planner == planner && record.agents == *count;
            let shared: Vec<&Record> = records.iter().filter(is_wanted).collect();
            value(&shared).map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"))
        });
        table.add_row(std::iter::once(planner.to_owned()).chain(cells));
    }
    align_right(&mut table);
    table
}

/// What a [`summary`] compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Agents on their goals at the end, in percent.
    Home,
    /// Mean distance walked, in cells.
    Distance,
    /// How long 99 of 100 ticks took at most, in microseconds.
    Tick,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Home, Self::Distance, Self::Tick];

    /// What the values are.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Home => "home, % of agents",
            Self::Distance => "distance walked, mean in cells",
            Self::Tick => "p99 tick, µs",
        }
    }

    fn of(self, record: &Record) -> f64 {
        match self {
            Self::Home => record.completion_rate * 100.0,
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

fn new_table(style: Style) -> Table {
    let mut table = Table::new();
    table.load_style(match style {
        Style::Lines => UTF8_FULL_CONDENSED,
        Style::Markdown => ASCII_MARKDOWN,
    });
    table
}

fn bold(text: impl ToString) -> Cell {
    Cell::new(text).add_attribute(Attribute::Bold)
}

fn align_right(table: &mut Table) {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// What the columns mean.
pub const LEGEND: &str = "\
home: agents on their goals at the end · arrival: mean tick of theirs · distance: mean cells walked by all
p99 tick, worst: how long a tick took to plan and check · every run was checked: no collision, no illegal step";

/// A whole number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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
    fn numbers_are_readable() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(duration(12.4), "12 µs");
        assert_eq!(duration(1234.0), "1.2 ms");
        assert_eq!(duration(2_500_000.0), "2.5 s");
    }
}
