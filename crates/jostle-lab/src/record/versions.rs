//! The versions of maps: records are only put together if they were made on the same floors.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use jostle::formats::{quoted, shown_path};

use super::{Line, Record};
use crate::LabError;

/// The version of each map that was seen first, and where.
#[derive(Default)]
pub struct Versions {
    first: HashMap<String, Version>,
}

struct Version {
    fingerprint: String,
    file: PathBuf,
    line: usize,
}

impl Versions {
    /// Adds a record. Records of before, which do not name the version of their map, are not compared.
    ///
    /// # Errors
    /// When an earlier one was made on another version of its map: both places, and the map.
    pub fn add(&mut self, file: &Path, line: Line, record: &Record) -> Result<(), LabError> {
        let Some(fingerprint) = &record.map_fingerprint else { return Ok(()) };
        let Some(first) = self.first.get(&record.map) else {
            let (fingerprint, file) = (fingerprint.clone(), file.to_owned());
            let version = Version { fingerprint, file, line: line.number };
            self.first.insert(record.map.clone(), version);
            return Ok(());
        };
        if first.fingerprint == *fingerprint {
            return Ok(());
        }
        Err(LabError::input(format!(
            "{} (line {}) and {} (line {}) were made on different versions of the map {}, so they do not belong \
             together; `jostle sweep` with the map as it is makes the others again",
            shown_path(&first.file),
            first.line,
            shown_path(file),
            line.number,
            quoted(&record.map),
        )))
    }
}
