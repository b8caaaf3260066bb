//! Record files: a line of JSON for each run, the last one perhaps torn.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::LabError;

/// Where the whole lines of a record file end, and what follows them.
#[derive(Debug, Default)]
pub struct Tail {
    /// Bytes of whole lines.
    pub whole: u64,
    /// What a crash left of the line that was being written.
    pub torn: Vec<u8>,
}

/// Whether a sweep would take this file for one of records.
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

/// Reads the whole lines of a record file, each with its number from 1.
///
/// The last line may be torn: then it is not visited, and handed back as it stands.
///
/// # Errors
/// When the file cannot be read, `visit` refuses a line, or a line that is not the last is no record.
pub fn read_lines<T: DeserializeOwned>(
    path: &Path,
    mut visit: impl FnMut(usize, T) -> Result<(), LabError>,
) -> Result<Tail, LabError> {
    let unreadable = |error: std::io::Error| {
        LabError::input(format!("{}: cannot be read: {error}", path.display()))
    };
    let mut reader = BufReader::with_capacity(1 << 20, File::open(path).map_err(unreadable)?);
    let mut tail = Tail::default();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
            break;
        }
        if !tail.torn.is_empty() {
            let reason = "this is no record of a run, and others follow it";
            return Err(LabError::input(format!(
                "{}: line {}: {reason}",
                path.display(),
                number - 1
            )));
        }
        match serde_json::from_slice(&line) {
            Ok(record) if line.ends_with(b"\n") => {
                visit(number, record)?;
                tail.whole += line.len() as u64;
            }
            _ => tail.torn.clone_from(&line),
        }
        if !line.ends_with(b"\n") {
            // This is where the file ended, even if somebody has written more in the meantime.
            break;
        }
    }
    Ok(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Vec<u64>, Tail), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        fs::write(&path, text).unwrap();
        let mut seen = Vec::new();
        let tail = read_lines(&path, |_, number: u64| {
            seen.push(number);
            Ok(())
        });
        tail.map(|tail| (seen, tail)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_torn_last_line_is_handed_back() {
        for (text, torn) in
            [("1\n2\n", ""), ("1\n2\n{\"k", "{\"k"), ("1\n2\n3", "3"), ("1\n2\n\0\0\n", "\0\0\n")]
        {
            let (seen, tail) = read(text).unwrap();
            assert_eq!((seen, tail.whole, tail.torn), (vec![1, 2], 4, torn.as_bytes().to_vec()));
        }
    }

    #[test]
    fn garbage_before_the_last_line_is_an_error_with_its_line() {
        let error = read("1\n?\n3\n").unwrap_err();
        assert!(
            error.ends_with(
                "records.jsonl: line 2: this is no record of a run, and others follow it"
            ),
            "{error}"
        );
    }
}
