//! Reading files, with errors that name the file.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::{
    MapError, Paths, PathsError, PathsReader, Scenario, ScenarioError, ScriptTextError, parse_map,
};
use crate::grid::Grid;
use crate::script::Script;

/// Why a file could not be read or understood.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It could not be read.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why it could not be read.
        reason: String,
    },
    /// It is not a map.
    #[error("{}: {source}", path.display())]
    Map {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: MapError,
    },
    /// It is not a scenario.
    #[error("{}: {source}", path.display())]
    Scenario {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ScenarioError,
    },
    /// It is not a path file.
    #[error("{}: {source}", path.display())]
    Paths {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: PathsError,
    },
    /// It is not a script.
    #[error("{}: {source}", path.display())]
    Script {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ScriptTextError,
    },
}

/// Reads a MovingAI map.
///
/// # Errors
/// When the file cannot be read or is not a map.
pub fn read_map(path: &Path) -> Result<Grid, FileError> {
    parse_map(&read(path)?).map_err(|source| FileError::Map { path: path.to_owned(), source })
}

/// Reads a MovingAI scenario.
///
/// # Errors
/// When the file cannot be read or is not a scenario.
pub fn read_scenario(path: &Path) -> Result<Scenario, FileError> {
    Scenario::parse(&read(path)?)
        .map_err(|source| FileError::Scenario { path: path.to_owned(), source })
}

/// Reads a path file.
///
/// # Errors
/// When the file cannot be read or is not a path file.
pub fn read_paths(path: &Path) -> Result<Paths, FileError> {
    Paths::parse(&read(path)?).map_err(|source| FileError::Paths { path: path.to_owned(), source })
}

/// Opens a path file, to be read step by step.
///
/// # Errors
/// When the file cannot be read or does not begin as a path file.
pub fn open_paths(path: &Path) -> Result<PathsReader<BufReader<File>>, FileError> {
    let unreadable = |reason: String| FileError::Unreadable { path: path.to_owned(), reason };
    if path.is_dir() {
        return Err(unreadable("this is a folder, and a file is expected".to_owned()));
    }
    let file = File::open(path).map_err(|error| unreadable(sentence(&error)))?;
    PathsReader::begin(BufReader::new(file))
        .map_err(|source| FileError::Paths { path: path.to_owned(), source })
}

/// Reads a script.
///
/// # Errors
/// When the file cannot be read or is not a script.
pub fn read_script(path: &Path) -> Result<Script, FileError> {
    Script::parse(&read(path)?)
        .map_err(|source| FileError::Script { path: path.to_owned(), source })
}

fn read(path: &Path) -> Result<String, FileError> {
    let unreadable = |reason: String| FileError::Unreadable { path: path.to_owned(), reason };
    if path.is_dir() {
        return Err(unreadable("this is a folder, and a file is expected".to_owned()));
    }
    let bytes = fs::read(path).map_err(|error| unreadable(sentence(&error)))?;
    // Bytes that are not UTF-8 become a character that no format knows, so that the error names a line.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn sentence(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "reading it is not permitted".to_owned(),
        _ => error.to_string(),
    }
}
