//! Record files: a line of JSON for each run, the last one perhaps incomplete.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use jostle::formats::printable;

use super::Record;
use crate::LabError;

/// The longest description of what is wrong with a line, in characters: it may quote a part of the line.
const LONGEST_REASON: usize = 300;

/// No line of a record file has as many bytes as this; most have about a thousand.
const LONGEST_LINE: u64 = 16 << 20;

/// How a record file ends.
#[derive(PartialEq, Debug, Default)]
pub struct Tail {
    /// Bytes of whole lines.
    pub whole: u64,
    /// What a crash left of the line that was being written.
    pub torn: Vec<u8>,
    /// Whether the last record lacks the end of its line.
    pub is_open: bool,
}

/// Whether a sweep would read this file as one of records.
pub fn is_record_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("records") && path.extension().is_some_and(|end| end == "jsonl")
}

/// The record files of a folder, in the order of their names.
///
/// # Errors
/// When the folder cannot be read.
pub fn record_files(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let wrong = |error: std::io::Error| LabError::input(format!("{}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if is_record_file(&path) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Reads the records of a file, each with the number of its line from 1. Blank lines do not count.
///
/// The last line is torn if it is not JSON at all, as a crash or a full disk leaves it: then it is not
/// visited, but returned as it is. Any other line that is not a record is damaged.
///
/// # Errors
/// When the file cannot be read, `visit` refuses a record, or a line is damaged: file, line and reason.
pub fn read_file(
    path: &Path,
    mut visit: impl FnMut(usize, Record) -> Result<(), LabError>,
) -> Result<Tail, LabError> {
    let unreadable = |error: std::io::Error| {
        LabError::input(format!("{}: cannot be read: {error}", path.display()))
    };
    let damaged = |number: usize, reason: &str| {
        LabError::input(format!("{}: line {number}: not a record: {reason}", path.display()))
    };
    let mut reader = BufReader::with_capacity(1 << 20, File::open(path).map_err(unreadable)?);
    let mut tail = Tail::default();
    // Damaged unless nothing follows: its number, and why it is not JSON.
    let mut perhaps_torn: Option<(usize, String)> = None;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if read_line(&mut reader, number, &mut line).map_err(unreadable)? == 0 {
            break;
        }
        let is_blank = line.trim_ascii().is_empty();
        if let Some((number, reason)) = perhaps_torn.take_if(|_| !is_blank) {
            return Err(damaged(number, &reason));
        }
        tail.is_open = !line.ends_with(b"\n");
        match serde_json::from_slice::<Record>(content_of(&line, number)) {
            _ if is_blank => {}
            Ok(record) => {
                record.check().map_err(|reason| damaged(number, &reason))?;
                visit(number, record)?;
            }
            Err(error) if error.is_data() => return Err(damaged(number, &describe(&error))),
            Err(error) => {
                tail.torn.clone_from(&line);
                perhaps_torn = Some((number, describe(&error)));
            }
        }
        if tail.torn.is_empty() {
            tail.whole += line.len() as u64;
        }
        if tail.is_open {
            // This is where the file ended, even if another process has written more in the meantime.
            break;
        }
    }
    tail.is_open &= tail.torn.is_empty();
    Ok(tail)
}

/// Reads a line with its end; 0 at the end of the file. A device that never ends does not fill the memory.
fn read_line(
    reader: &mut impl BufRead,
    number: usize,
    line: &mut Vec<u8>,
) -> std::io::Result<usize> {
    let read = reader.take(LONGEST_LINE).read_until(b'\n', line)?;
    if read as u64 == LONGEST_LINE {
        return Err(std::io::Error::other(format!("line {number} is longer than any record")));
    }
    Ok(read)
}

/// The error of a line with its column; the caller knows the line.
fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let reason = text.strip_suffix(&place).unwrap_or(&text);
    format!("{} (column {})", printable(reason, LONGEST_REASON), error.column())
}

/// The JSON of a line: an editor may have put a byte order mark before the first one.
fn content_of(line: &[u8], number: usize) -> &[u8] {
    let mark = "\u{feff}".as_bytes();
    if number == 1 { line.strip_prefix(mark).unwrap_or(line) } else { line }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{OLD_LINE, line};
    use super::*;

    /// The seeds of the records that were read.
    fn read(text: &[u8]) -> Result<(Vec<u64>, Tail), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        fs::write(&path, text).unwrap();
        let mut seen = Vec::new();
        let tail = read_file(&path, |_, record| {
            seen.extend(record.seed);
            Ok(())
        });
        tail.map(|tail| (seen, tail)).map_err(|error| error.to_string())
    }

    fn seeded(seed: u64) -> String {
        line(&[("\"seed\":1", &format!("\"seed\":{seed}"))]) + "\n"
    }

    #[test]
    fn a_torn_last_line_is_returned() {
        let whole = format!("{}{}", seeded(1), seeded(2));
        for torn in ["", "{\"k", "\0\0\n", "garbage\n", &OLD_LINE[..200]] {
            let (seen, tail) = read(format!("{whole}{torn}").as_bytes()).unwrap();
            let expected =
                Tail { whole: whole.len() as u64, torn: torn.as_bytes().to_vec(), is_open: false };
            assert_eq!((seen, tail), (vec![1, 2], expected), "{torn}");
        }
        let (seen, tail) = read(&[whole.as_bytes(), b"\xff\xfe\n\n"].concat()).unwrap();
        assert_eq!((seen, tail.torn), (vec![1, 2], b"\xff\xfe\n".to_vec()));
    }

    #[test]
    fn a_last_record_without_the_end_of_its_line_counts() {
        let text = format!("{}{}", seeded(1), seeded(2));
        let (seen, tail) = read(text.trim_end().as_bytes()).unwrap();
        assert_eq!((seen, tail.torn.len(), tail.is_open), (vec![1, 2], 0, true));
        assert_eq!(tail.whole, text.len() as u64 - 1);
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        let text = format!("\u{feff}{}{}", seeded(1), seeded(2));
        let (seen, tail) = read(text.as_bytes()).unwrap();
        assert_eq!((seen, tail.whole), (vec![1, 2], text.len() as u64));
    }

    #[test]
    fn what_an_error_quotes_of_a_line_is_escaped_and_short() {
        let hostile = format!("\\u001b[2J{}", "x".repeat(1_000_000));
        for changes in [("\"random\"", format!("\"{hostile}\"")), ("10", format!("\"{hostile}\""))]
        {
            let error = read(line(&[(changes.0, &changes.1)]).as_bytes()).unwrap_err();
            assert!(error.contains(r"\u{1b}[2Jxxx") && error.len() < 600, "{error}");
        }
    }

    #[test]
    fn blank_lines_do_not_count() {
        let text = format!("\n{}  \n\n{}\n \n", seeded(1), seeded(2));
        let (seen, tail) = read(text.as_bytes()).unwrap();
        assert_eq!((seen, tail.torn.len(), tail.whole), (vec![1, 2], 0, text.len() as u64));
    }

    #[test]
    fn garbage_before_the_last_line_is_an_error_with_its_line() {
        let error = read(format!("{}?\n\n{}", seeded(1), seeded(2)).as_bytes()).unwrap_err();
        let expected = "records.jsonl: line 2: not a record: expected value (column 1)";
        assert!(error.ends_with(expected), "{error}");
    }

    #[test]
    fn impossible_values_are_an_error_on_any_line() {
        for (what, instead, reason) in [
            ("\"agents\":10", "\"agents\":-1", "invalid value: integer `-1`, expected u32"),
            ("\"agents\":10", "\"agents\":0", "a run needs at least one agent"),
            ("\"completion_rate\":1.0", "\"completion_rate\":1.5", "a share of agents is not"),
            ("\"30s\"", "\"soon\"", "'soon' is not a limit"),
            ("\"random\"", "\"upside-down\"", "there is no kind 'upside-down'"),
            ("\"all-home\"", "\"all-lost\"", "no run ends 'all-lost'"),
            ("\"neighbours\":8", "\"neighbours\":6", "neighbours are 4 or 8"),
            ("\"map\":\"m\",", "", "missing field `map`"),
        ] {
            let wrong = line(&[(what, instead)]);
            let expected = format!("records.jsonl: line 2: not a record: {reason}");
            for end in ["\n", ""] {
                let error = read(format!("{}{wrong}{end}", seeded(1)).as_bytes()).unwrap_err();
                assert!(error.contains(&expected), "{error}");
            }
        }
    }
}
