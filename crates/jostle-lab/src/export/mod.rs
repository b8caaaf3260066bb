//! Results for other tools: JSON lines, CSV, and Parquet.

pub(crate) mod csv;
#[cfg(feature = "parquet")]
mod parquet;

use std::path::Path;

use jostle::formats::{is_hidden, shown_path};
use serde::Serialize;

use crate::record::{Record, columns};
use crate::sweep::is_sweep_file;
use crate::{LabError, STANDARD_OUTPUT, save};

/// A format of exported records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportFormat {
    /// JSON lines.
    JsonLines,
    /// Comma-separated values.
    Csv,
    /// Parquet, if it was built with the feature of that name.
    Parquet,
}

impl ExportFormat {
    /// The format of a file with this extension: `.jsonl`, `.csv` or `.parquet`. Standard output gets JSON lines.
    pub fn of(path: &Path) -> Option<Self> {
        if path.as_os_str() == STANDARD_OUTPUT {
            return Some(Self::JsonLines);
        }
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match ending.as_str() {
            "jsonl" => Some(Self::JsonLines),
            "csv" => Some(Self::Csv),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}

/// Writes records to a file, in this format or in that of its extension.
///
/// # Errors
/// When the extension is of no format, or the file cannot be written.
pub fn export(
    records: &[Record],
    path: &Path,
    format: Option<ExportFormat>,
) -> Result<(), LabError> {
    if is_sweep_file(path) {
        let reason = "sweeps keep their files under such names: choose another one";
        return Err(LabError::input(format!("{}: {reason}", shown_path(path))));
    }
    let contents = match format.or_else(|| ExportFormat::of(path)) {
        Some(ExportFormat::JsonLines) => json_lines(records)?.into_bytes(),
        Some(ExportFormat::Csv) => {
            let mut text = Vec::new();
            csv::write(&columns(records), records.len(), &mut text).map_err(LabError::input)?;
            text
        }
        #[cfg(feature = "parquet")]
        Some(ExportFormat::Parquet) => {
            parquet::write(&columns(records)).map_err(LabError::input)?
        }
        #[cfg(not(feature = "parquet"))]
        Some(ExportFormat::Parquet) => {
            let how = "cargo install --path crates/jostle-cli --features parquet";
            let reason = "this jostle was built without the feature for Parquet";
            return Err(LabError::input(format!("{}: {reason}: {how}", shown_path(path))));
        }
        None => {
            let reason = "results are written as .jsonl, .csv or .parquet";
            return Err(LabError::input(format!("{}: {reason}", shown_path(path))));
        }
    };
    save(path, contents)
}

fn json_lines(records: &[Record]) -> Result<String, LabError> {
    records.iter().map(|record| Ok(json_line(record)? + "\n")).collect()
}

/// A record, or anything else, as one line of JSON, without the line break. Characters that a terminal would obey or that nobody could see are
/// escaped, also those that JSON allows.
///
/// # Errors
/// When a number is not finite; no run has one.
pub fn json_line(record: &impl Serialize) -> Result<String, LabError> {
    let json = serde_json::to_string(record).map_err(LabError::input)?;
    let mut line = String::with_capacity(json.len());
    for letter in json.chars() {
        if is_hidden(letter) {
            let units = letter.encode_utf16(&mut [0; 2]).to_vec();
            line.extend(units.iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            line.push(letter);
        }
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Records;
    use crate::record::testing::sample;

    #[test]
    fn json_lines_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let records = [sample(5), sample(9)];
        let path = folder.path().join("results.jsonl");
        export(&records, &path, None).unwrap();
        std::fs::rename(path, folder.path().join("records.jsonl")).unwrap();
        assert_eq!(Records::read(folder.path()).unwrap().records, records);
    }

    #[test]
    fn a_line_of_json_holds_nothing_that_a_terminal_obeys() {
        let map = "\u{1b}\u{9b}31m\u{7f}\u{202e}\u{e0041}é";
        let record = Record { map: map.to_owned(), ..sample(5) };
        let line = json_line(&record).unwrap();
        assert!(!line.contains(is_hidden), "{line}");
        assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
    }

    #[test]
    fn the_records_of_a_sweep_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records-1-of-2.jsonl");
        std::fs::write(&path, "precious").unwrap();
        assert!(export(&[sample(5)], &path, None).is_err());
        assert_eq!(std::fs::read_to_string(path).unwrap(), "precious");
    }

    #[test]
    fn other_extensions_are_refused() {
        for name in ["results", "results.xlsx"] {
            let error = export(&[sample(5)], Path::new(name), None).unwrap_err().to_string();
            assert!(error.contains("results are written as .jsonl, .csv or .parquet"), "{error}");
        }
    }

    #[cfg(not(feature = "parquet"))]
    #[test]
    fn without_the_feature_parquet_says_how_to_get_it() {
        let error =
            export(&[sample(5)], Path::new("results.parquet"), None).unwrap_err().to_string();
        assert!(error.contains("--features parquet"), "{error}");
    }
}
