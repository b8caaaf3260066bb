//! Tables of results, for people.

use jostle_lab::table::{Cell, Format, Line, Table};

use crate::say::is_terminal;

pub use jostle_lab::grouped;

/// The format for people: with colours on a terminal.
pub fn for_people() -> Format {
    if wants_colours() && is_terminal() { Format::Terminal } else { Format::Text }
}

/// Whether the user has nothing against colours.
pub fn wants_colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A column after the first.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    heading: &'static str,
    /// The width of its largest usual value.
    width: usize,
    /// On a narrow terminal, the columns with the highest number are left out first, and those with 0 never.
    dispensable: u8,
}

impl Column {
    /// A column that is always there.
    pub const fn new(heading: &'static str, width: usize) -> Self {
        Self { heading, width, dispensable: 0 }
    }

    /// A column that is left out before those with a lower number.
    #[must_use]
    pub const fn dispensable(self, dispensable: u8) -> Self {
        Self { dispensable, ..self }
    }
}

/// Which columns fit on a line beside a label of this width.
fn fitting(columns: &[Column], label: usize, most: Option<usize>) -> Vec<bool> {
    let mut kept = vec![true; columns.len()];
    let width = |kept: &[bool]| {
        let widths = columns.iter().zip(kept).filter(|(_, kept)| **kept);
        // A space on either side of each, and the lines between and around them.
        widths.map(|(column, _)| column.width.max(column.heading.len()) + 3).sum::<usize>()
            + label
            + 4
    };
    while most.is_some_and(|most| width(&kept) > most) {
        let left = columns.iter().enumerate().filter(|(number, _)| kept[*number]);
        let Some((number, column)) = left.max_by_key(|(_, column)| column.dispensable) else {
            break;
        };
        if column.dispensable == 0 {
            break;
        }
        kept[number] = false;
    }
    kept
}

/// A table that is written row by row, as soon as each result is there, so the widths of its columns are settled in advance.
pub struct GrowingTable {
    table: Table,
    format: Format,
    /// The headings of the columns, and whether they fit on the terminal.
    columns: Vec<(&'static str, bool)>,
    /// How many lines of text were written.
    written: usize,
}

impl GrowingTable {
    /// A table without rows yet. `label` is the heading of the first column, which will hold these names; every other
    /// column has a heading, and the width of its largest usual value. On a terminal of so many columns, those that do not fit are
    /// left out.
    pub fn new<'a>(
        label: &str,
        names: impl Iterator<Item = &'a str>,
        columns: &[Column],
        format: Format,
        most: Option<usize>,
    ) -> Self {
        let longest = names.map(|name| name.chars().count()).max().unwrap_or(0);
        let most = most.filter(|_| matches!(format, Format::Terminal | Format::Text));
        let kept = fitting(columns, longest.max(label.len()), most);
        let shown = columns.iter().zip(&kept).filter(|(_, kept)| **kept);
        let headings = shown.map(|(Column { heading, width, .. }, _)| format!("{heading:>width$}"));
        let header = [format!("{label:longest$}")].into_iter().chain(headings).collect();
        let columns = columns.iter().map(|column| column.heading).zip(kept).collect();
        Self { table: Table { header, ..Table::default() }, format, columns, written: 0 }
    }

    /// Adds a row, and returns the text that is new.
    pub fn add(&mut self, label: &str, values: impl IntoIterator<Item = Option<String>>) -> String {
        let values = values.into_iter().zip(&self.columns).filter(|(_, (_, is_shown))| *is_shown);
        let cells = values.map(|(value, _)| Cell { value, ..Cell::default() });
        let label = label.to_owned();
        self.table.lines.push(Line { label, cells: cells.collect(), is_summary: false });
        let text = self.table.write(self.format);
        let lines = text.lines().count() - self.border();
        let new =
            text.lines().take(lines).skip(self.written).flat_map(|line| [line, "\n"]).collect();
        self.written = lines;
        new
    }

    /// The rest of the text, after the last row; nothing if there is no row.
    pub fn end(self) -> String {
        if self.table.lines.is_empty() {
            return String::new();
        }
        let text = self.table.write(self.format);
        let rest = text.lines().skip(self.written).flat_map(|line| [line, "\n"]);
        let hidden = self.columns.iter().filter(|(_, is_shown)| !is_shown);
        let hidden: Vec<&str> = hidden.map(|(heading, _)| *heading).collect();
        let note = format!("there is no room here for: {}\n", hidden.join(", "));
        rest.chain((!hidden.is_empty()).then_some(note.as_str())).collect()
    }

    /// How many lines follow the last row.
    const fn border(&self) -> usize {
        match self.format {
            Format::Terminal | Format::Text => 1,
            Format::Markdown | Format::Latex => 0,
        }
    }
}

/// One value of a [`summary`]: what a planner or solver made of a problem.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    /// The map, or the scenario that the agents were read from.
    pub map: &'a str,
    pub agents: u32,
    /// The planner or solver.
    pub name: &'a str,
    /// None if there is nothing to measure.
    pub value: Option<f64>,
}

/// Several problems side by side: a row for each map, a column for each number of agents, and in each
/// cell one value for each planner or solver, the mean over seeds with so many decimals.
pub fn summary(title: &str, points: &[Point<'_>], decimals: usize) -> Table {
    let maps = distinct(points.iter().map(|point| point.map));
    let counts = distinct(points.iter().map(|point| point.agents));
    let names = distinct(points.iter().map(|point| point.name));
    let header = counts.iter().map(|count| counted(*count as usize, "agent"));
    let cell = |is_wanted: &dyn Fn(&Point<'_>) -> bool| {
        let values = names.iter().map(|name| {
            let wanted = points.iter().filter(|point| point.name == *name && is_wanted(point));
            let (count, sum) = wanted
                .filter_map(|point| point.value)
                .fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
            if count == 0 {
                "–".to_owned()
            } else {
                format!("{:.decimals$}", sum / f64::from(count))
            }
        });
        values.collect::<Vec<_>>().join(" / ")
    };
    let of_map = |map: &&str| {
        let cells = counts.iter().map(|count| cell(&|at| at.map == *map && at.agents == *count));
        Line::new(*map, cells)
    };
    let mut lines: Vec<Line> = maps.iter().map(of_map).collect();
    if maps.len() > 1 {
        let cells = counts.iter().map(|count| cell(&|point| point.agents == *count));
        lines.push(Line { is_summary: true, ..Line::new("mean", cells) });
    }
    Table {
        title: format!("{title}: {}", names.join(" / ")),
        header: ["map".to_owned()].into_iter().chain(header).collect(),
        lines,
        ..Table::default()
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

/// Microseconds in the unit that suits them.
pub fn duration(microseconds: f64) -> String {
    match microseconds {
        us if us < 1000.0 => format!("{us:.0} µs"),
        us if us < 1e6 => format!("{:.1} ms", us / 1e3),
        us => format!("{:.1} s", us / 1e6),
    }
}

/// Bytes in the unit that suits them; a unit is a thousand of the next smaller one.
pub fn bytes(bytes: usize) -> String {
    let (unit, size) = match bytes as f64 {
        bytes if bytes < 1e6 => ("KB", (bytes / 1e3).ceil()),
        bytes if bytes < 1e9 => ("MB", bytes / 1e6),
        bytes => ("GB", bytes / 1e9),
    };
    let decimals = usize::from(size < 10.0 && size.fract() >= 0.05);
    format!("{size:.decimals$} {unit}")
}

/// A number with its noun, as in "1 agent" and "1,200 ticks".
pub fn counted(number: usize, one: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {one}{ending}", grouped(number as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_grows_is_the_same_text_as_one_that_is_written_at_the_end() {
        for format in [Format::Text, Format::Markdown] {
            let names = ["bmaa", "bmaa:expansions=128"];
            let columns = [Column::new("ticks", 9), Column::new("time", 8)];
            let mut table = GrowingTable::new("planner", names.into_iter(), &columns, format, None);
            let mut text = table.add(names[0], [Some("12".to_owned()), None]);
            assert_eq!(text.lines().count(), if format == Format::Text { 4 } else { 3 });
            text += &table.add(names[1], [Some("345".to_owned()), Some("1.2 s".to_owned())]);
            let whole = table.table.write(format);
            text += &table.end();
            assert_eq!(text, whole);
        }
    }

    #[test]
    fn a_table_on_a_narrow_terminal_leaves_out_the_least_important_columns() {
        let columns = [
            Column::new("arrived", 7),
            Column::new("worst", 8).dispensable(2),
            Column::new("time", 8).dispensable(1),
        ];
        let text = |format, most| {
            let names = ["bmaa"].into_iter();
            let mut table = GrowingTable::new("planner", names, &columns, format, most);
            let values = ["95.0 %", "3.1 ms", "1.2 s"].map(|value| Some(value.to_owned()));
            let row = table.add("bmaa", values);
            row + &table.end()
        };
        let widest = |text: &str| text.lines().take(5).map(|line| line.chars().count()).max();
        let wide = text(Format::Text, None);
        let width = widest(&wide);
        assert_eq!(text(Format::Text, width), wide);
        let narrow = text(Format::Text, width.map(|width| width - 1));
        assert!(narrow.contains("1.2 s") && !narrow.contains("3.1 ms"), "{narrow}");
        assert!(narrow.ends_with("there is no room here for: worst\n"), "{narrow}");
        let narrowest = text(Format::Text, Some(10));
        assert!(narrowest.contains("95.0 %") && !narrowest.contains("1.2 s"), "{narrowest}");
        assert_eq!(text(Format::Markdown, Some(10)), text(Format::Markdown, None));
    }

    #[test]
    fn a_summary_has_the_mean_of_what_could_be_measured() {
        let point = |map, agents, value| Point { map, agents, name: "cbs", value };
        let points = [
            point("cave", 5, Some(1.0)),
            point("cave", 5, Some(2.0)),
            point("cave", 5, None),
            point("cave", 10, None),
            point("rooms", 5, Some(4.5)),
            point("rooms", 10, Some(7.0)),
        ];
        let table = summary("seconds", &points, 1);
        assert_eq!(table.title, "seconds: cbs");
        assert_eq!(table.header, ["map", "5 agents", "10 agents"]);
        let text = |line: &Line| {
            let cells = line.cells.iter().map(|cell| cell.value.clone().unwrap_or_default());
            format!("{} {}", line.label, cells.collect::<Vec<_>>().join(" "))
        };
        let lines: Vec<String> = table.lines.iter().map(text).collect();
        assert_eq!(lines, ["cave 1.5 –", "rooms 4.5 7.0", "mean 2.5 7.0"]);
    }

    #[test]
    fn times_are_written_in_the_unit_that_suits_them() {
        assert_eq!(duration(12.4), "12 µs");
        assert_eq!(duration(1234.0), "1.2 ms");
        assert_eq!(duration(2_500_000.0), "2.5 s");
    }

    #[test]
    fn sizes_are_written_in_the_unit_that_suits_them() {
        assert_eq!(bytes(1), "1 KB");
        assert_eq!(bytes(2_470_000), "2.5 MB");
        assert_eq!(bytes(24_700_000), "25 MB");
        assert_eq!(bytes(2_000_000_000), "2 GB");
    }
}
