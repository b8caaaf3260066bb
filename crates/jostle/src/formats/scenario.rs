//! MovingAI `.scen` files.

use std::f64::consts::SQRT_2;
use std::fmt::Write;

use super::quote::{is_hidden, quoted};
use super::text::without_byte_order_mark;
use crate::grid::{Cell, Grid};
use crate::search::{Budget, Search, StraightLine};

/// A scenario file: starts and goals for one map, in the order of the file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scenario {
    /// One row for each start and goal, in the order of the file.
    pub rows: Vec<ScenarioRow>,
}

/// One row: one start and one goal.
#[derive(Clone, PartialEq, Debug)]
pub struct ScenarioRow {
    /// The line of the file, from 1.
    pub line: usize,
    /// Rows of similar length share a bucket.
    pub bucket: u32,
    /// The map, as the file names it.
    pub map: String,
    /// Width and height that the map is to be scaled to, if the file gives them.
    pub size: Option<(u32, u32)>,
    /// Column and row of the start.
    pub start: (u32, u32),
    /// Column and row of the goal.
    pub goal: (u32, u32),
    /// The length of the shortest path, as the file gives it; 0 if the goal is out of reach, or the length was left out.
    pub length: f64,
}

/// Why a text is not a scenario. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// The version of the format is unknown.
    #[error("line {line}: unknown scenario version {found}; known are 0, 1 and 1.0")]
    Version {
        /// The line of the file.
        line: usize,
        /// The text that was found, in quotes.
        found: String,
    },
    /// A row has too few or too many columns.
    #[error("line {line}: found {found} columns, a row has {expected}")]
    Columns {
        /// The line of the file.
        line: usize,
        /// How many columns were found.
        found: usize,
        /// How many columns a row of this version has.
        expected: usize,
    },
    /// A column is not the number it should be.
    #[error("line {line}: {column} is {found}, which is not a number")]
    Number {
        /// The line of the file.
        line: usize,
        /// What the column holds, as in "the goal's x".
        column: &'static str,
        /// The text that was found, in quotes.
        found: String,
    },
}

impl Scenario {
    /// Reads a scenario: version 1, with the size of the map in every row, or version 0, without. A file
    /// without a version has sizes if its first row has nine columns. Any white space separates columns.
    ///
    /// # Errors
    /// When the text is not a complete and valid scenario.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        let mut has_sizes = None;
        let mut rows = Vec::new();
        for (index, content) in without_byte_order_mark(text).lines().enumerate() {
            let line = index + 1;
            let columns: Vec<&str> = content.split_whitespace().collect();
            match columns.as_slice() {
                [] => {}
                ["version", version] if has_sizes.is_none() => {
                    has_sizes = Some(has_sizes_in(version, line)?);
                }
                columns => {
                    let has_sizes = *has_sizes.get_or_insert(columns.len() == 9);
                    rows.push(ScenarioRow::parse(columns, line, has_sizes)?);
                }
            }
        }
        Ok(Self { rows })
    }

    /// The scenario of these tasks: a row for each, with the exact length of its shortest path on this
    /// grid. `map` is the name of the map's file.
    ///
    /// A goal that is out of reach has length 0, as in the benchmark.
    pub fn of(grid: &Grid, tasks: &[(Cell, Cell)], map: &str) -> Self {
        let mut search = Search::default();
        let mut path = Vec::new();
        Self::with_lengths(grid, tasks, map, |start, goal| {
            path.clear();
            let problem = StraightLine::to(goal, grid);
            if search.run(&problem, start, &mut Budget::unlimited()).is_found() {
                search.path(&mut path);
            }
            length_of(grid, &path)
        })
    }

    /// The same without lengths: all are 0. The shortest paths of a large crowd on a large map would take hours.
    pub fn unmeasured(grid: &Grid, tasks: &[(Cell, Cell)], map: &str) -> Self {
        Self::with_lengths(grid, tasks, map, |_, _| 0.0)
    }

    fn with_lengths(
        grid: &Grid,
        tasks: &[(Cell, Cell)],
        map: &str,
        mut length_between: impl FnMut(Cell, Cell) -> f64,
    ) -> Self {
        let size = Some((grid.width(), grid.height()));
        let row = |(index, &(start, goal)): (usize, &(Cell, Cell))| {
            let length = length_between(start, goal);
            ScenarioRow {
                // Line 1 is the version.
                line: index + 2,
                bucket: (length / LENGTHS_IN_A_BUCKET) as u32,
                map: map.to_owned(),
                size,
                start: grid.position(start),
                goal: grid.position(goal),
                length,
            }
        };
        Self { rows: tasks.iter().enumerate().map(row).collect() }
    }

    /// Writes version 1 of the format, or version 0 if a row lacks the size of its map.
    ///
    /// White space separates columns, so white space in the name of a map becomes underscores.
    pub fn write(&self) -> String {
        let has_sizes = self.rows.iter().all(|row| row.size.is_some());
        let mut text = format!("version {}\n", u8::from(has_sizes));
        for row in &self.rows {
            let map = row.map.replace(|letter| letter == ' ' || is_hidden(letter), "_");
            let size = row.size.filter(|_| has_sizes);
            let size =
                size.map_or_else(String::new, |(width, height)| format!("\t{width}\t{height}"));
            let ((from_x, from_y), (to_x, to_y)) = (row.start, row.goal);
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{}\t{map}{size}\t{from_x}\t{from_y}\t{to_x}\t{to_y}\t{:.8}",
                row.bucket, row.length
            );
        }
        text
    }
}

/// Rows whose lengths differ by less than this share a bucket, as in the benchmark.
const LENGTHS_IN_A_BUCKET: f64 = 4.0;

/// The length of a path, to the precision of `f64`. A [`Cost`](crate::Cost) orders exactly, but is only
/// precise to eight digits.
fn length_of(grid: &Grid, path: &[Cell]) -> f64 {
    let is_diagonal = |step: &&[Cell]| {
        let ((from_x, from_y), (to_x, to_y)) = (grid.position(step[0]), grid.position(step[1]));
        from_x != to_x && from_y != to_y
    };
    let steps = path.len().saturating_sub(1);
    let diagonals = path.windows(2).filter(is_diagonal).count();
    (steps - diagonals) as f64 + diagonals as f64 * SQRT_2
}

fn has_sizes_in(version: &str, line: usize) -> Result<bool, ScenarioError> {
    match version.parse::<f64>() {
        Ok(1.0) => Ok(true),
        Ok(0.0) => Ok(false),
        _ => Err(ScenarioError::Version { line, found: quoted(version) }),
    }
}

impl ScenarioRow {
    fn parse(columns: &[&str], line: usize, has_sizes: bool) -> Result<Self, ScenarioError> {
        let expected = if has_sizes { 9 } else { 7 };
        if columns.len() != expected {
            return Err(ScenarioError::Columns { line, found: columns.len(), expected });
        }
        let not_a_number =
            |column, found: &str| ScenarioError::Number { line, column, found: quoted(found) };
        let whole = |at: usize, column| {
            columns[at].parse::<u32>().map_err(|_| not_a_number(column, columns[at]))
        };
        let size = if has_sizes {
            Some((whole(2, "the map's width")?, whole(3, "the map's height")?))
        } else {
            None
        };
        let first = expected - 5;
        let length = columns[first + 4];
        Ok(Self {
            line,
            bucket: whole(0, "the bucket")?,
            map: columns[1].to_owned(),
            size,
            start: (whole(first, "the start's x")?, whole(first + 1, "the start's y")?),
            goal: (whole(first + 2, "the goal's x")?, whole(first + 3, "the goal's y")?),
            length: length
                .parse::<f64>()
                .ok()
                .filter(|length| length.is_finite())
                .ok_or_else(|| not_a_number("the length", length))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Scenario::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn both_versions_and_any_white_space_between_columns_are_read() {
        let tabs = "version 1\n3\tmaps/a.map\t64\t48\t1\t2\t3\t4\t2.828\n";
        let spaces = "version 1.0\n3 maps/a.map 64  48 1 2 3 4 2.828\n\n";
        let old = "version 0\n3 maps/a.map 1 2 3 4 2.828\n";
        let bare = "3 maps/a.map 1 2 3 4 2.828\r\n";
        for text in [tabs, spaces, old, bare] {
            let rows = Scenario::parse(text).unwrap().rows;
            assert_eq!(rows.len(), 1);
            assert_eq!((rows[0].start, rows[0].goal), ((1, 2), (3, 4)));
        }
        assert_eq!(Scenario::parse(tabs).unwrap().rows[0].size, Some((64, 48)));
        assert_eq!(Scenario::parse(old).unwrap().rows[0].size, None);
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        let marked = "\u{feff}version 1\n0 a.map 4 3 0 0 3 0 3.0\n";
        assert_eq!(Scenario::parse(marked).unwrap().rows.len(), 1);
    }

    #[test]
    fn what_an_error_quotes_is_escaped_and_short() {
        let long = format!("\u{1b}]0;{}", "x".repeat(1_000_000));
        for text in [format!("version {long}"), format!("0 a.map 0 0 {long} 0 3.0")] {
            let error = error(&text);
            assert!(error.contains(r"'\u{1b}]0;xxx") && error.len() < 150, "{error}");
        }
    }

    #[test]
    fn the_name_of_a_map_cannot_add_columns_or_rows() {
        let grid = Grid::from_ascii("..").unwrap();
        let cells = [(grid.at(0, 0).unwrap(), grid.at(1, 0).unwrap())];
        let text = Scenario::of(&grid, &cells, "a\tb\n\u{1b}c d.map").write();
        assert!(text.contains("\ta_b__c_d.map\t"), "{text:?}");
        assert_eq!(Scenario::parse(&text).unwrap().rows.len(), 1);
    }

    #[test]
    fn tasks_are_written_with_exact_lengths_and_read_back() {
        let grid = Grid::from_ascii("....\n.##.\n....\n#...").unwrap();
        let cell = |x, y| grid.at(x, y).unwrap();
        let tasks = [(cell(0, 1), cell(3, 1)), (cell(1, 2), cell(3, 3)), (cell(3, 0), cell(3, 0))];
        let scenario = Scenario::of(&grid, &tasks, "my map.map");
        let text = "version 1\n\
            1\tmy_map.map\t4\t4\t0\t1\t3\t1\t5.00000000\n\
            0\tmy_map.map\t4\t4\t1\t2\t3\t3\t2.41421356\n\
            0\tmy_map.map\t4\t4\t3\t0\t3\t0\t0.00000000\n";
        assert_eq!(scenario.write(), text);
        let read = Scenario::parse(text).unwrap();
        assert_eq!(read.write(), text);
        for (read, made) in read.rows.iter().zip(&scenario.rows) {
            let place = |row: &ScenarioRow| (row.line, row.bucket, row.size, row.start, row.goal);
            assert_eq!(place(read), place(made));
        }
    }

    #[test]
    fn rows_without_a_size_are_written_as_version_0() {
        let text = "version 0\n3\ta.map\t1\t2\t3\t4\t2.82800000\n";
        assert_eq!(Scenario::parse(text).unwrap().write(), text);
    }

    #[test]
    fn everything_wrong_is_named_with_its_line() {
        assert_eq!(
            error("version 7\n"),
            "line 1: unknown scenario version '7'; known are 0, 1 and 1.0"
        );
        assert_eq!(error("version 1\n0 a 1 2\n"), "line 2: found 4 columns, a row has 9");
        assert_eq!(
            error("version 1\n0 a 64 64 1 2 x 4 2.8\n"),
            "line 2: the goal's x is 'x', which is not a number"
        );
        assert_eq!(
            error("version 1\n0 a 64 64 1 -2 3 4 2.8\n"),
            "line 2: the start's y is '-2', which is not a number"
        );
    }
}
