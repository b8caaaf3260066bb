//! Results for other tools: JSON lines, CSV, and Parquet.

mod csv;
#[cfg(feature = "parquet")]
mod parquet;

use std::path::Path;

use crate::record::{Record, columns, is_record_file};
use crate::{LabError, save};

/// Writes records to a file, in the format of its extension: `.jsonl`, `.csv`, or `.parquet` if it was
/// built with the feature of that name.
///
/// # Errors
/// When the extension is another one, or the file cannot be written.
pub fn export(records: &[Record], path: &Path) -> Result<(), LabError> {
    if is_record_file(path) {
        let reason = "sweeps keep their records under such names: choose another one";
        return Err(LabError::input(format!("{}: {reason}", path.display())));
    }
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let contents = match ending.as_str() {
        "jsonl" => json_lines(records)?.into_bytes(),
        "csv" => csv::write(&columns(records), records.len()).into_bytes(),
        #[cfg(feature = "parquet")]
        "parquet" => parquet::write(&columns(records)).map_err(LabError::input)?,
        #[cfg(not(feature = "parquet"))]
        "parquet" => {
            let how = "cargo install --path crates/jostle-cli --features parquet";
            let reason = "this jostle was built without the feature for Parquet";
            return Err(LabError::input(format!("{}: {reason}: {how}", path.display())));
        }
        _ => {
            let reason = "results are written as .jsonl, .csv or .parquet";
            return Err(LabError::input(format!("{}: {reason}", path.display())));
        }
    };
    save(path, contents)
}

fn json_lines(records: &[Record]) -> Result<String, LabError> {
    let lines = records.iter().map(|record| serde_json::to_string(record).map(|line| line + "\n"));
    lines.collect::<Result<_, _>>().map_err(LabError::input)
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
        export(&records, &path).unwrap();
        std::fs::rename(path, folder.path().join("records.jsonl")).unwrap();
        assert_eq!(Records::read(folder.path()).unwrap().records, records);
    }

    #[test]
    fn the_records_of_a_sweep_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records-1-of-2.jsonl");
        std::fs::write(&path, "precious").unwrap();
        assert!(export(&[sample(5)], &path).is_err());
        assert_eq!(std::fs::read_to_string(path).unwrap(), "precious");
    }

    #[test]
    fn other_extensions_are_refused() {
        for name in ["results", "results.xlsx"] {
            let error = export(&[sample(5)], Path::new(name)).unwrap_err().to_string();
            assert!(error.contains("results are written as .jsonl, .csv or .parquet"), "{error}");
        }
    }

    #[cfg(not(feature = "parquet"))]
    #[test]
    fn without_the_feature_parquet_says_how_to_get_it() {
        let error = export(&[sample(5)], Path::new("results.parquet")).unwrap_err().to_string();
        assert!(error.contains("--features parquet"), "{error}");
    }
}
