//! A file of walks, opened for reading.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use jostle::formats::shown_path;
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::DataType;
use parquet::errors::Result as ParquetResult;
use parquet::file::reader::{FileReader, SerializedFileReader};

use super::facts::Facts;
use super::table::FACTS;
use crate::LabError;
use crate::regular::expect_regular;
use crate::sweep::is_walk_file;

/// A file of walks, whose facts have been read.
pub struct WalkFile {
    pub path: PathBuf,
    pub facts: Facts,
    reader: SerializedFileReader<File>,
}

impl WalkFile {
    /// Opens a file, and checks that it has as many rows as it says.
    ///
    /// # Errors
    /// When it cannot be read, or is not a file of walks: the reason, without the name of the file.
    pub fn open(path: &Path) -> Result<Self, String> {
        let file = File::open(path).map_err(|error| format!("cannot be read: {error}"))?;
        let damaged = |what: &str| format!("this is not a whole file of walks: {what}");
        let reader = SerializedFileReader::new(file)
            .map_err(|error| damaged(&io::Error::other(error).to_string()))?;
        let metadata = reader.metadata().file_metadata();
        let facts = metadata
            .key_value_metadata()
            .and_then(|entries| entries.iter().find(|entry| entry.key == FACTS))
            .and_then(|entry| entry.value.as_deref())
            .ok_or_else(|| damaged("it does not say what it holds"))?;
        let facts: Facts =
            serde_json::from_str(facts).map_err(|error| damaged(&error.to_string()))?;
        if !facts.is_of_this_form() {
            return Err("another version of Jostle has written it, in another form".to_owned());
        }
        if usize::try_from(metadata.num_rows()) != Ok(facts.walks()) {
            return Err(damaged("it has another number of rows than it says"));
        }
        Ok(Self { path: path.to_owned(), facts, reader })
    }

    /// All values of a column.
    ///
    /// # Errors
    /// When the file is damaged.
    pub fn column<T: DataType>(&self, name: &str) -> Result<Vec<T::T>, LabError> {
        let values = self.values::<T>(name).map_err(|error| self.wrong(&error.to_string()))?;
        if values.len() != self.facts.walks() {
            return Err(self.wrong(&format!("the column {name} is too short")));
        }
        Ok(values)
    }

    fn values<T: DataType>(&self, name: &str) -> ParquetResult<Vec<T::T>> {
        let schema = self.reader.metadata().file_metadata().schema_descr();
        let mut values = Vec::with_capacity(self.facts.walks());
        let Some(column) = schema.columns().iter().position(|column| column.name() == name) else {
            return Ok(values);
        };
        for group in 0..self.reader.num_row_groups() {
            let group = self.reader.get_row_group(group)?;
            let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
            let mut reader = get_typed_column_reader::<T>(group.get_column_reader(column)?);
            reader.read_records(rows, None, None, &mut values)?;
        }
        Ok(values)
    }

    /// What is wrong with the file.
    pub fn wrong(&self, reason: &str) -> LabError {
        LabError::input(format!("{}: {reason}", shown_path(&self.path)))
    }
}

/// Opens all files of walks in a folder, in the order of maps and problems.
///
/// # Errors
/// When there are none, or one of them is damaged.
pub fn opened(folder: &Path) -> Result<Vec<WalkFile>, LabError> {
    let mut files = Vec::new();
    for path in walk_files(folder)? {
        let file = WalkFile::open(&path)
            .map_err(|reason| LabError::input(format!("{}: {reason}", shown_path(&path))))?;
        files.push(file);
    }
    if files.is_empty() {
        let reason = "there are no walks in this folder";
        return Err(LabError::input(format!("{}: {reason}", shown_path(folder))));
    }
    files.sort_by(|a, b| (&a.facts.map, a.facts.first).cmp(&(&b.facts.map, b.facts.first)));
    Ok(files)
}

/// The files of walks in a folder, in the order of their names.
///
/// # Errors
/// When the folder cannot be read, or something under the name of such a file is no regular file.
pub fn walk_files(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let wrong = |error: io::Error| LabError::input(format!("{}: {error}", shown_path(folder)));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if is_walk_file(&path) {
            expect_regular(&path)?;
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
