//! New labels for walks that were made under other ones.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use jostle::formats::shown_path;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::Result as ParquetResult;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;

use super::facts::Facts;
use super::table::properties;
use crate::{LabError, OutputFile};

/// Writes a file anew with these facts. Its rows are copied as they are.
///
/// # Errors
/// When the file is damaged, or cannot be written; it is then unchanged.
pub fn relabel(path: &Path, facts: &Facts) -> Result<(), LabError> {
    let out = OutputFile::open(path)?;
    copy(path, facts, out)
        .map_err(|error| {
            let error = io::Error::other(error);
            LabError::input(format!("{}: cannot be labelled anew: {error}", shown_path(path)))
        })?
        .commit()
}

fn copy(path: &Path, facts: &Facts, out: OutputFile) -> ParquetResult<OutputFile> {
    let source = File::open(path)?;
    let reader = SerializedFileReader::new(source.try_clone()?)?;
    let metadata = reader.metadata();
    let schema = metadata.file_metadata().schema_descr().root_schema_ptr();
    let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties(facts)))?;
    for group in metadata.row_groups() {
        let mut rows = file.next_row_group()?;
        for column in group.columns() {
            let close = ColumnCloseResult {
                bytes_written: column.compressed_size() as u64,
                rows_written: group.num_rows() as u64,
                metadata: column.clone(),
                bloom_filter: None,
                column_index: None,
                offset_index: None,
            };
            rows.append_column(&source, close)?;
        }
        rows.close()?;
    }
    file.into_inner()
}
