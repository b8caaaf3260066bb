//! Record files: a line of JSON for each run.
//!
//! There is one reader, and so one verdict on every line: it holds a record, it is damaged, or it is the end of a file
//! that a crash cut off. Lines of sweeps begin with a checksum, so that no change to them goes unnoticed.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use jostle::formats::{open_input, quoted, shown_path};

use super::Record;
use crate::LabError;
use crate::error::reason_of_library;
use crate::fingerprint::checksum;
use crate::regular::expect_regular;

/// A line that is longer than this holds no record: it is not read into memory.
const MOST_BYTES: u64 = 1 << 20;

/// A file with a line like this is no record file at all, but perhaps a device that never ends.
const LONGEST_LINE: u64 = 16 << 20;

/// A line begins so if it has a checksum: of all that follows the comma after it.
const CHECKSUM: &[u8] = b"{\"checksum\":\"";
/// The digits of a checksum, the quote and the comma.
const AFTER_CHECKSUM: usize = 16 + 2;

/// A line of `jostle solve --json` begins so. The solver of a record is an object.
const SOLVED: &[u8] = b"{\"solver\":\"";

/// Where a line stands in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its number, from 1.
    pub number: usize,
    /// Its first byte.
    pub start: u64,
    /// Its bytes, with the line break if it has one.
    pub length: u64,
}

impl Line {
    /// The first byte after it.
    pub const fn end(&self) -> u64 {
        self.start + self.length
    }
}

/// Why a line is not a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    reason: String,
    /// The key of its run, if it can be read.
    run: Option<String>,
}

impl Damage {
    /// Whether a sweep made the run.
    pub const fn is_of_a_sweep(&self) -> bool {
        self.run.is_some()
    }

    /// What is damaged: file, line, run and reason.
    pub fn describe(&self, path: &Path, line: Line) -> String {
        let Self { reason, run } = self;
        let of = run.as_ref().map_or_else(String::new, |run| format!(" of {}", quoted(run)));
        format!("{}: line {}: the record{of} is damaged: {reason}", shown_path(path), line.number)
    }
}

/// How a record file ends.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Tail {
    /// The last line, if it is what a crash left of the one that was being written.
    pub torn: Option<Line>,
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
/// When the folder cannot be read, or something under the name of a record file is no regular file.
pub fn record_files(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let wrong = |error: io::Error| LabError::input(format!("{}: {error}", shown_path(folder)));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if is_record_file(&path) {
            expect_regular(&path)?;
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Reads a file line by line: the record of each, or what is wrong with it. Blank lines do not count.
///
/// The last line is torn if it does not end with a line break and is not JSON at all, as a crash or a full disk leaves it: then it
/// is not visited, but returned. Any other line that is not a record is damaged.
///
/// # Errors
/// When the file cannot be read, or `visit` fails.
pub fn read_file(
    path: &Path,
    mut visit: impl FnMut(Line, Result<Record, Damage>) -> Result<(), LabError>,
) -> Result<Tail, LabError> {
    let unreadable = |error: io::Error| {
        LabError::input(format!("{}: cannot be read: {error}", shown_path(path)))
    };
    let mut reader = BufReader::with_capacity(1 << 20, open_input(path).map_err(unreadable)?);
    let mut tail = Tail::default();
    let (mut text, mut start) = (Vec::new(), 0);
    for number in 1.. {
        let length = read_line(&mut reader, number, &mut text).map_err(unreadable)?;
        if length == 0 {
            break;
        }
        let line = Line { number, start, length };
        start = line.end();
        tail.is_open = !text.ends_with(b"\n");
        if !text.trim_ascii().is_empty() {
            let without_mark = if number == 1 && text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            match parse(&mut text[without_mark..], length > MOST_BYTES) {
                Ok(record) => visit(line, Ok(record))?,
                Err((_, Form::Other)) if tail.is_open => tail.torn = Some(line),
                Err((damage, _)) => visit(line, Err(damage))?,
            }
        }
        if tail.is_open {
            // This is where the file ended, even if another process has written more in the meantime.
            break;
        }
    }
    tail.is_open &= tail.torn.is_none();
    Ok(tail)
}

/// Reads a line with its break, but keeps no more than a record can have. Returns its length; 0 after the last.
fn read_line(reader: &mut impl BufRead, number: usize, text: &mut Vec<u8>) -> io::Result<u64> {
    let mut length = 0;
    loop {
        text.clear();
        let more = reader.by_ref().take(MOST_BYTES + 1).read_until(b'\n', text)? as u64;
        length += more;
        if length <= MOST_BYTES {
            return Ok(length);
        }
        if length > LONGEST_LINE {
            return Err(io::Error::other(format!("line {number} is longer than any record")));
        }
        let has_ended = text.ends_with(b"\n");
        if has_ended || more == 0 {
            // Only its end is known, and it must not look blank.
            text.clear();
            text.extend_from_slice(if has_ended { b"?\n" } else { b"?" });
            return Ok(length);
        }
    }
}

/// Whether a line that is not a record is JSON.
enum Form {
    Json,
    Other,
}

/// The record of a line. The line is scratch space afterwards.
fn parse(text: &mut [u8], is_too_long: bool) -> Result<Record, (Damage, Form)> {
    if is_too_long {
        let reason = format!("the line has more than {MOST_BYTES} bytes");
        return Err((Damage { reason, run: None }, Form::Json));
    }
    let end = text.trim_ascii_end().len();
    let text = &mut text[..end];
    let damaged = |text: &[u8], reason: String| Damage { reason, run: key_in(text) };
    let Some(after) = end_of_checksum(text) else {
        return read(text, 0).map_err(|(reason, form)| (damaged(text, reason), form));
    };
    let fits = {
        let sum = format!("{:016x}", checksum(&text[after..]));
        text[CHECKSUM.len()..].starts_with(sum.as_bytes())
    };
    // The rest of the object is an object as well.
    text[after - 1] = b'{';
    let record = read(&text[after - 1..], after - 1)
        .map_err(|(reason, form)| (damaged(text, reason), form))?;
    if !fits {
        let reason = "it does not fit its checksum, so it was changed after it was written";
        return Err((damaged(text, reason.to_owned()), Form::Json));
    }
    Ok(record)
}

/// Where the text that a checksum covers begins, if the line has one.
fn end_of_checksum(line: &[u8]) -> Option<usize> {
    let after = CHECKSUM.len() + AFTER_CHECKSUM;
    let digits = line.strip_prefix(CHECKSUM)?.get(..AFTER_CHECKSUM)?.strip_suffix(b"\",")?;
    digits.iter().all(u8::is_ascii_hexdigit).then_some(after)
}

/// The record of a line that begins at this column, or what is wrong with it.
fn read(text: &[u8], column: usize) -> Result<Record, (String, Form)> {
    if text.starts_with(SOLVED) {
        let reason = "this is a line of `jostle solve --json`, which has no records of runs: `jostle sweep` records those of solvers";
        return Err((reason.to_owned(), Form::Json));
    }
    let record: Record = serde_json::from_slice(text).map_err(|error| {
        let form = if error.is_data() { Form::Json } else { Form::Other };
        (describe(&error, column), form)
    })?;
    record.check().map_err(|reason| (reason, Form::Json))?;
    Ok(record)
}

/// The error of a line with its column; the caller knows the line.
fn describe(error: &serde_json::Error, column: usize) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let reason = text.strip_suffix(&place).unwrap_or(&text);
    // All the names that a field may have would hide the one that it has.
    let reason = reason.split(", expected one of").next().unwrap_or(reason);
    let reason = if error.is_data() { in_plain_words(reason) } else { "it is not JSON".to_owned() };
    format!("{} (column {})", reason_of_library(&reason), column + error.column())
}

/// A reason of the library without the names that Rust has for numbers.
fn in_plain_words(reason: &str) -> String {
    let wholes = ["u8", "u16", "u32", "u64", "usize"].map(|name| (name, "a whole number"));
    let reals = ["f32", "f64"].map(|name| (name, "a number"));
    let mut names = wholes.into_iter().chain(reals);
    let plain = names.find_map(|(name, plain)| {
        let before = reason.strip_suffix(name)?.strip_suffix("expected ")?;
        Some(format!("{before}expected {plain}"))
    });
    plain.unwrap_or_else(|| reason.to_owned())
}

/// The key in a line that may be damaged.
fn key_in(line: &[u8]) -> Option<String> {
    const BEFORE: &[u8] = b"\"key\":\"";
    let start = line.windows(BEFORE.len()).position(|part| part == BEFORE)? + BEFORE.len();
    let length = line[start..].iter().position(|&byte| byte == b'"')?;
    Some(String::from_utf8_lossy(&line[start..start + length]).into_owned())
}

impl Record {
    /// Its line in the record file of a sweep: JSON that begins with a checksum of the rest, and a line break.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn line(&self) -> Result<String, LabError> {
        let text = serde_json::to_string(self).map_err(LabError::input)?;
        let rest = &text[1..];
        let sum = checksum(rest.as_bytes());
        Ok(format!("{{\"checksum\":\"{sum:016x}\",{rest}\n"))
    }
}

#[cfg(test)]
#[path = "lines_test.rs"]
mod tests;
