//! Tables, and how they are written: for terminals, in plain text, in Markdown and in LaTeX.

mod latex;
mod markdown;
mod text;

use jostle::formats::printable;

/// The longest name in a table, in characters: as long as the name of a file can be.
const LONGEST_NAME: usize = 255;

/// A table: lines of cells with a label. Its maker can use a cell type of its own until the table
/// [is written](Table::with_cells).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table<C = Cell> {
    /// Its name, for files.
    pub name: String,
    /// The title; may be empty.
    pub title: String,
    /// The names of the columns, including that of the labels.
    pub header: Vec<String>,
    /// The lines.
    pub lines: Vec<Line<C>>,
    /// Notes below the table, each a sentence without its full stop.
    pub notes: Vec<String>,
}

/// A line of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Line<C = Cell> {
    /// What the line is about: a planner or a map.
    pub label: String,
    /// A cell for each column after the first.
    pub cells: Vec<C>,
    /// Whether it summarises the lines above it.
    pub is_summary: bool,
}

/// The contents of a cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cell {
    /// The value, if there is one.
    pub value: Option<String>,
    /// Text after it: the interval, and the paper's number.
    pub detail: String,
    /// Whether it is the best of the values that it is compared with.
    pub is_best: bool,
}

impl From<String> for Cell {
    fn from(value: String) -> Self {
        Self { value: Some(value), ..Self::default() }
    }
}

/// How tables are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// With lines and colours, for a terminal: the best values are green.
    Terminal,
    /// With lines: the best values have a star.
    Text,
    /// In Markdown: the best values are bold.
    Markdown,
    /// In LaTeX, with the `booktabs` package: the best values are bold.
    Latex,
}

impl Format {
    /// The formats of files, with their extensions.
    pub const FILES: [(Self, &'static str); 3] =
        [(Self::Text, "txt"), (Self::Markdown, "md"), (Self::Latex, "tex")];

    /// A phrase that says how the best values are marked.
    pub const fn best(self) -> &'static str {
        match self {
            Self::Terminal => "the best is green",
            Self::Text => "a star marks the best",
            Self::Markdown | Self::Latex => "the best is bold",
        }
    }

    /// A text of one line as this format shows it. Names of maps and planners come from files, so whatever the format
    /// would obey is escaped, and so is what a terminal would obey or nobody could see.
    pub fn escaped(self, text: &str) -> String {
        let text = printable(text, usize::MAX);
        match self {
            Self::Terminal | Self::Text => text,
            Self::Markdown => markdown::escape(&text),
            Self::Latex => latex::escape(&text),
        }
    }
}

impl Table {
    /// The table as text, with its title and its notes.
    pub fn write(&self, format: Format) -> String {
        let table = self.escaped(format);
        match format {
            Format::Terminal | Format::Text | Format::Markdown => text::write(&table, format),
            Format::Latex => latex::write(&table),
        }
    }

    /// The same table with all its texts escaped.
    fn escaped(&self, format: Format) -> Self {
        let text = |text: &String| format.escaped(text);
        let name = |name: &String| format.escaped(&printable(name, LONGEST_NAME));
        let cell = |cell: &Cell| Cell {
            value: cell.value.as_ref().map(name),
            detail: name(&cell.detail),
            is_best: cell.is_best,
        };
        let line = |line: &Line| Line {
            label: name(&line.label),
            cells: line.cells.iter().map(cell).collect(),
            is_summary: line.is_summary,
        };
        Self {
            name: self.name.clone(),
            title: text(&self.title),
            header: self.header.iter().map(name).collect(),
            lines: self.lines.iter().map(line).collect(),
            notes: self.notes.iter().map(text).collect(),
        }
    }
}

impl<C> Table<C> {
    /// The same table with other cells.
    pub fn with_cells<D>(self, cell: impl Fn(C) -> D) -> Table<D> {
        let line = |line: Line<C>| Line {
            label: line.label,
            cells: line.cells.into_iter().map(&cell).collect(),
            is_summary: line.is_summary,
        };
        Table {
            name: self.name,
            title: self.title,
            header: self.header,
            lines: self.lines.into_iter().map(line).collect(),
            notes: self.notes,
        }
    }
}

impl Line {
    /// A line of plain values.
    pub fn new(label: impl Into<String>, values: impl IntoIterator<Item = String>) -> Self {
        let cells = values.into_iter().map(Cell::from).collect();
        Self { label: label.into(), cells, is_summary: false }
    }
}

/// The text with its first letter in upper case.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}

/// Notes as a paragraph.
fn sentences(notes: &[String]) -> String {
    let sentence = |note: &String| format!("{}.", capital(note));
    notes.iter().map(sentence).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let best =
            Cell {
                value: Some("90.0".to_owned()), detail: "±24.8 (39)".to_owned(), is_best: true
            };
        let nothing = Cell { value: None, detail: "(<5)".to_owned(), is_best: false };
        Table {
            name: "rates".to_owned(),
            title: "Rates".to_owned(),
            header: ["map", "bmaa", "my_own"].map(str::to_owned).to_vec(),
            lines: vec![
                Line { label: "lak304d".to_owned(), cells: vec![best, nothing], is_summary: false },
                Line { is_summary: true, ..Line::new("overall", ["1", "2"].map(str::to_owned)) },
            ],
            notes: vec!["mean over instances".to_owned(), "all maps".to_owned()],
        }
    }

    #[test]
    fn a_table_reads_the_same_in_every_format() {
        let expected = "\
Rates
┌─────────┬──────────────────┬────────┐
│ map     ┆             bmaa ┆ my_own │
╞═════════╪══════════════════╪════════╡
│ lak304d ┆ 90.0* ±24.8 (39) ┆ – (<5) │
│ overall ┆                1 ┆      2 │
└─────────┴──────────────────┴────────┘
  mean over instances
  all maps
";
        assert_eq!(table().write(Format::Text), expected);
        let expected = "\
### Rates

| map         |                bmaa | my_own |
|-------------|--------------------:|-------:|
| lak304d     | **90.0** ±24.8 (39) | – (<5) |
| **overall** |                   1 |      2 |

Mean over instances. All maps.
";
        assert_eq!(table().write(Format::Markdown), expected);
        let latex = table().write(Format::Latex);
        for expected in [
            "map & bmaa & my\\_own \\\\",
            "lak304d & \\textbf{90.0} $\\pm$24.8 (39) & -- ($<$5) \\\\\n\\midrule\noverall & 1 & 2",
            "\\caption{Rates. Mean over instances. All maps.}",
            "\\label{tab:rates}",
        ] {
            assert!(latex.contains(expected), "{expected}: {latex}");
        }
    }

    #[test]
    fn only_terminals_get_colours_and_only_where_something_is_best() {
        let coloured = table().write(Format::Terminal);
        assert!(coloured.contains('\u{1b}') && !coloured.contains('*'), "{coloured:?}");
        for (format, _) in Format::FILES {
            assert!(!table().write(format).contains('\u{1b}'));
        }
    }

    #[test]
    fn a_table_without_title_and_notes_is_only_the_table() {
        let bare = Table { title: String::new(), notes: Vec::new(), ..table() };
        assert!(bare.write(Format::Text).starts_with('┌'));
        assert!(bare.write(Format::Text).ends_with("┘\n"));
        assert!(bare.write(Format::Markdown).starts_with("| map"));
    }
}
