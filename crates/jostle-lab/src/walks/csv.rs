//! Walks as comma-separated values, a file of walks at a time.

use std::collections::BTreeSet;
use std::path::Path;

use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};

use super::file::{WalkFile, opened};
use super::table::COLUMNS;
use crate::export::csv::inert;
use crate::{LabError, OutputFile, STANDARD_OUTPUT, cannot_be_written, shown_output};

/// Writes all walks of a folder to a CSV file, or to standard output: a line for each, with the map and its labels first. Returns how many there are.
///
/// # Errors
/// When the file has another ending or cannot be written, there are no walks, or a file of walks is damaged.
pub fn export(folder: &Path, out: &Path) -> Result<usize, LabError> {
    let wrong = |reason: &str| LabError::input(format!("{}: {reason}", shown_output(out)));
    let is_stream = out.as_os_str() == STANDARD_OUTPUT;
    if !is_stream && out.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("csv")) {
        return Err(wrong(
            "walks are exported as .csv; they are in Parquet files already, walks-*.parquet in their folder",
        ));
    }
    let files = opened(folder)?;
    let labels: BTreeSet<&String> =
        files.iter().flat_map(|file| file.facts.labels.keys()).collect();
    let not_written = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => cannot_be_written(out, &error),
        kind => wrong(&format!("cannot be written: {kind:?}")),
    };
    let mut file_of_walks = OutputFile::open(out)?;
    let mut csv = csv::Writer::from_writer(&mut file_of_walks);
    let names = labels.iter().map(|label| inert(&format!("label_{label}")));
    let names = ["map".to_owned()].into_iter().chain(names);
    csv.write_record(names.chain(COLUMNS.map(str::to_owned))).map_err(not_written)?;
    let mut rows = 0;
    for file in &files {
        let values = labels
            .iter()
            .map(|&label| file.facts.labels.get(label).map_or(String::new(), |value| inert(value)));
        let start: Vec<String> = [inert(&file.facts.map)].into_iter().chain(values).collect();
        let columns = columns(file)?;
        for row in 0..file.facts.walks() {
            start.iter().try_for_each(|cell| csv.write_field(cell)).map_err(not_written)?;
            columns
                .iter()
                .try_for_each(|column| csv.write_field(column(row)))
                .map_err(not_written)?;
            csv.write_record(None::<&[u8]>).map_err(not_written)?;
        }
        rows += file.facts.walks();
    }
    csv.flush().map_err(|error| not_written(error.into()))?;
    drop(csv);
    file_of_walks.commit()?;
    Ok(rows)
}

/// A column as text, row by row.
type TextColumn = Box<dyn Fn(usize) -> String>;

fn columns(file: &WalkFile) -> Result<Vec<TextColumn>, LabError> {
    COLUMNS
        .iter()
        .map(|&name| match name {
            "shortest" | "w" | "wc" | "b" | "cost" => {
                shown::<DoubleType>(file, name, ToString::to_string)
            }
            "suboptimality" => shown::<FloatType>(file, name, ToString::to_string),
            "moves" => shown::<Int64Type>(file, name, |&x| (x as u64).to_string()),
            "da" | "expendable" | "arrived" => shown::<BoolType>(file, name, ToString::to_string),
            "lop" => shown::<ByteArrayType>(file, name, |x| inert(x.as_utf8().unwrap_or_default())),
            _ => shown::<Int32Type>(file, name, |&x| (x as u32).to_string()),
        })
        .collect()
}

fn shown<T: DataType>(
    file: &WalkFile,
    name: &str,
    show: impl Fn(&T::T) -> String + 'static,
) -> Result<TextColumn, LabError> {
    let values = file.column::<T>(name)?;
    Ok(Box::new(move |row| show(&values[row])))
}
