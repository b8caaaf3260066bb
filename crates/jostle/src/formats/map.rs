//! MovingAI `.map` files.

use std::fmt::Write;

use super::quote::quoted;
use super::text::without_byte_order_mark;
use crate::grid::{Grid, Rules, SizeError};

/// Why a text is not a map. Lines and columns are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// A line of the header is wrong.
    #[error("line {line}: expected '{expected}', found {found}")]
    Header {
        /// The line of the file.
        line: usize,
        /// The expected content of the line.
        expected: &'static str,
        /// What was found: a text in quotes, or the end of the file.
        found: String,
    },
    /// A side is 0 or too long.
    #[error("line {line}: {source}")]
    Size {
        /// The line of the file.
        line: usize,
        /// Which sides are possible.
        source: SizeError,
    },
    /// A row is too short or too long.
    #[error("line {line}: row {row} has {found} cells, the header says {expected}")]
    RowLength {
        /// The line of the file.
        line: usize,
        /// The number of the row, from 0.
        row: u32,
        /// How many cells it has.
        found: usize,
        /// The width in the header.
        expected: u32,
    },
    /// The file ends too early.
    #[error("line {line}: the map ends after {found} rows, the header says {expected}")]
    Truncated {
        /// The line of the file.
        line: usize,
        /// How many rows were found.
        found: u32,
        /// The height in the header.
        expected: u32,
    },
    /// There are more rows than the header says.
    #[error("line {line}: more follows after the last of {expected} rows")]
    Trailing {
        /// The line of the file.
        line: usize,
        /// The height in the header.
        expected: u32,
    },
    /// A cell has a letter that is not a known terrain.
    #[error(
        "line {line}: unknown terrain {} in cell ({x}, {y}); known are . G S (floor) and @ O T W (not)",
        quoted(letter.encode_utf8(&mut [0; 4]))
    )]
    UnknownTerrain {
        /// The line of the file.
        line: usize,
        /// Column of the cell, from 0.
        x: u32,
        /// Row of the cell, from 0.
        y: u32,
        /// The letter.
        letter: char,
    },
}

/// Reads a map: `.`, `G` and `S` (swamp) are floor; `@`, `O`, `T` (trees) and `W` (water) are not.
///
/// # Errors
/// When the text is not a complete and valid map.
///
/// # Example
/// ```
/// let grid = jostle::formats::parse_map("type octile\nheight 2\nwidth 3\nmap\n..T\n.@.\n")?;
/// assert_eq!(grid.floor_cells().count(), 4);
/// # Ok::<(), jostle::formats::MapError>(())
/// ```
pub fn parse_map(text: &str) -> Result<Grid, MapError> {
    let text = without_byte_order_mark(text);
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim_end()));
    let header_end = text.lines().count();
    let mut header = |expected: &'static str| {
        lines.next().ok_or_else(|| MapError::Header {
            line: header_end + 1,
            expected,
            found: "the end of the file".to_owned(),
        })
    };

    let wrong =
        |line, expected, found: &str| MapError::Header { line, expected, found: quoted(found) };
    let (line, kind) = header("type octile")?;
    if kind.split_whitespace().next() != Some("type") {
        return Err(wrong(line, "type octile", kind));
    }
    let (mut width, mut height) = (None, None);
    for expected in ["height N", "width N"] {
        let (line, found) = header(expected)?;
        let (name, number) = found.split_once(char::is_whitespace).unwrap_or((found, ""));
        let number: u32 = number.trim().parse().map_err(|_| wrong(line, expected, found))?;
        match name {
            "height" => height = Some(number),
            "width" => width = Some(number),
            _ => return Err(wrong(line, expected, found)),
        }
    }
    let (line, found) = header("map")?;
    let (Some(width), Some(height)) = (width, height) else {
        return Err(wrong(line - 1, "one line with height and one with width", found));
    };
    if found != "map" {
        return Err(wrong(line, "map", found));
    }
    // Checks the sides before anything is allocated, so that a false header cannot exhaust memory.
    Grid::check_sides(width, height).map_err(|source| MapError::Size { line: 2, source })?;

    let mut floor = Vec::new();
    for y in 0..height {
        let Some((line, row)) = lines.next() else {
            return Err(MapError::Truncated {
                line: line + 1 + y as usize,
                found: y,
                expected: height,
            });
        };
        let cells = row.chars().count();
        if cells != width as usize {
            return Err(MapError::RowLength { line, row: y, found: cells, expected: width });
        }
        for (x, letter) in row.chars().enumerate() {
            floor.push(match letter {
                '.' | 'G' | 'S' => true,
                '@' | 'O' | 'T' | 'W' => false,
                letter => {
                    return Err(MapError::UnknownTerrain { line, x: x as u32, y, letter });
                }
            });
        }
    }
    if let Some((line, _)) = lines.find(|(_, line)| !line.is_empty()) {
        return Err(MapError::Trailing { line, expected: height });
    }
    let is_floor = |x: u32, y: u32| floor[y as usize * width as usize + x as usize];
    Grid::new(width, height, Rules::default(), is_floor)
        .map_err(|source| MapError::Size { line: 2, source })
}

/// Writes a map: `.` for floor, `@` for the rest.
pub fn write_map(grid: &Grid) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(text, "type octile\nheight {}\nwidth {}\nmap\n", grid.height(), grid.width());
    text.push_str(&grid.to_ascii().replace('#', "@"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse_map(text).unwrap_err().to_string()
    }

    #[test]
    fn a_map_survives_being_written_and_read() {
        let grid = Grid::from_ascii("..#.\n#...\n..##").unwrap();
        assert_eq!(parse_map(&write_map(&grid)).unwrap().to_ascii(), grid.to_ascii());
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        let text = "\u{feff}type octile\nheight 1\nwidth 3\nmap\n...\n";
        assert_eq!(parse_map(text).unwrap().floor_cells().count(), 3);
    }

    #[test]
    fn what_an_error_quotes_is_escaped_and_short() {
        let header = error(&format!("\u{1b}[2J{}", "x".repeat(1_000_000)));
        assert!(header.contains(r"found '\u{1b}[2Jxxx"), "{header}");
        assert!(header.len() < 120 && header.ends_with("...'"), "{header}");
        let terrain = error("type octile\nheight 1\nwidth 3\nmap\n.\u{1b}.\n");
        assert!(terrain.contains(r"unknown terrain '\u{1b}' in cell (1, 0)"), "{terrain}");
    }

    #[test]
    fn line_ends_and_order_of_the_sides_do_not_matter() {
        let grid = parse_map("type octile\r\nwidth 3\r\nheight 1\r\nmap\r\n.GS\r\n\r\n").unwrap();
        assert_eq!((grid.width(), grid.height(), grid.floor_cells().count()), (3, 1, 3));
    }

    #[test]
    fn everything_wrong_is_named_with_its_line() {
        let head = "type octile\nheight 2\nwidth 3\nmap\n";
        assert_eq!(error(""), "line 1: expected 'type octile', found the end of the file");
        assert_eq!(error("hello"), "line 1: expected 'type octile', found 'hello'");
        assert_eq!(
            error("type octile\nheight two\nwidth 3\nmap\n"),
            "line 2: expected 'height N', found 'height two'"
        );
        assert_eq!(
            error("type octile\nheight 2\nheight 2\nmap\n"),
            "line 3: expected 'one line with height and one with width', found 'map'"
        );
        assert_eq!(
            error("type octile\nheight 0\nwidth 3\nmap\n"),
            "line 2: a floor of 3x0 cells: both sides must be between 1 and 32768"
        );
        assert_eq!(
            error(&format!("{head}...\n..\n")),
            "line 6: row 1 has 2 cells, the header says 3"
        );
        assert_eq!(
            error(&format!("{head}...\n")),
            "line 6: the map ends after 1 rows, the header says 2"
        );
        assert_eq!(
            error(&format!("{head}...\n...\n...\n")),
            "line 7: more follows after the last of 2 rows"
        );
        assert_eq!(
            error(&format!("{head}..x\n...\n")),
            "line 5: unknown terrain 'x' in cell (2, 0); known are . G S (floor) and @ O T W (not)"
        );
    }
}
