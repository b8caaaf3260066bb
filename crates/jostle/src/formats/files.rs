//! Reading files, with errors that name the file.
//!
//! A name may lead to anything: a pipe, a device that never ends, a file of another encoding. Reading stops at the first
//! byte that no text has, and at [`MOST_BYTES`]. The name `-` is [standard input](STANDARD_INPUT).

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::quote::STANDARD_INPUT;
use super::{
    GoalList, GoalListError, MapError, Paths, PathsError, PathsReader, Scenario, ScenarioError,
    ScriptTextError, TaskList, TaskListError, parse_map, shown_path,
};
use crate::grid::Grid;
use crate::script::Script;

/// No file with more bytes than this is read: twice the size of the largest possible map.
const MOST_BYTES: usize = 2 << 30;

/// How many bytes are read at a time.
const CHUNK: usize = 1 << 16;

/// Why a file could not be read or understood.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It could not be read.
    #[error("{}: {reason}", shown_path(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why it could not be read.
        reason: String,
    },
    /// It is not a map.
    #[error("{}: {source}", shown_path(path))]
    Map {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: MapError,
    },
    /// It is not a scenario.
    #[error("{}: {source}", shown_path(path))]
    Scenario {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ScenarioError,
    },
    /// It is not a path file.
    #[error("{}: {source}", shown_path(path))]
    Paths {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: PathsError,
    },
    /// It is not a script.
    #[error("{}: {source}", shown_path(path))]
    Script {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ScriptTextError,
    },
    /// It is not a list of tasks.
    #[error("{}: {source}", shown_path(path))]
    Tasks {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: TaskListError,
    },
    /// It is not a list of goals.
    #[error("{}: {source}", shown_path(path))]
    Goals {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: GoalListError,
    },
}

/// Reads a MovingAI map.
///
/// # Errors
/// When the file cannot be read or is not a map.
pub fn read_map(path: &Path) -> Result<Grid, FileError> {
    parse_map(&read_text(path)?).map_err(|source| FileError::Map { path: path.to_owned(), source })
}

/// Reads a MovingAI scenario.
///
/// # Errors
/// When the file cannot be read or is not a scenario.
pub fn read_scenario(path: &Path) -> Result<Scenario, FileError> {
    Scenario::parse(&read_text(path)?)
        .map_err(|source| FileError::Scenario { path: path.to_owned(), source })
}

/// Reads a path file.
///
/// # Errors
/// When the file cannot be read or is not a path file.
pub fn read_paths(path: &Path) -> Result<Paths, FileError> {
    Paths::parse(&read_text(path)?)
        .map_err(|source| FileError::Paths { path: path.to_owned(), source })
}

/// Opens a path file, to be read step by step.
///
/// # Errors
/// When the file cannot be read or does not begin as a path file.
pub fn open_paths(path: &Path) -> Result<PathsReader<BufReader<File>>, FileError> {
    let (file, _) = open(path)?;
    PathsReader::begin(BufReader::new(file))
        .map_err(|source| FileError::Paths { path: path.to_owned(), source })
}

/// Reads a script.
///
/// # Errors
/// When the file cannot be read or is not a script.
pub fn read_script(path: &Path) -> Result<Script, FileError> {
    Script::parse(&read_text(path)?)
        .map_err(|source| FileError::Script { path: path.to_owned(), source })
}

/// Reads a list of tasks for pairs of agents that meet.
///
/// # Errors
/// When the file cannot be read or is not a list of tasks.
pub fn read_tasks(path: &Path) -> Result<TaskList, FileError> {
    TaskList::parse(&read_text(path)?)
        .map_err(|source| FileError::Tasks { path: path.to_owned(), source })
}

/// Reads a list of goals for agents that get a new one whenever they arrive.
///
/// # Errors
/// When the file cannot be read or is not a list of goals.
pub fn read_goals(path: &Path) -> Result<GoalList, FileError> {
    GoalList::parse(&read_text(path)?)
        .map_err(|source| FileError::Goals { path: path.to_owned(), source })
}

/// Reads a file of text, which may be a pipe. A byte order mark is left out.
///
/// Bytes that are not UTF-8 become the character U+FFFD: in a comment they do no harm, and elsewhere no format knows this
/// character, so that the error names its line.
///
/// # Errors
/// When the file cannot be read, is not text, is in UTF-16, or is larger than 2 GiB.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    let unreadable = |reason: String| FileError::Unreadable { path: path.to_owned(), reason };
    let (file, size) = open(path)?;
    text_of(file, size, MOST_BYTES).map_err(|error| match error {
        TextError::Io(error) => unreadable(why_not_read(path, &error)),
        other => unreadable(other.to_string()),
    })
}

/// Opens a file, and says how large it seems: the size of a pipe or a device says nothing.
fn open(path: &Path) -> Result<(File, usize), FileError> {
    let unreadable = |reason: String| FileError::Unreadable { path: path.to_owned(), reason };
    let failed = |error: io::Error| unreadable(why_not_read(path, &error));
    let file = open_input(path).map_err(failed)?;
    let about = file.metadata().map_err(failed)?;
    if about.is_dir() {
        return Err(unreadable("this is a folder, and a file is expected".to_owned()));
    }
    Ok((file, usize::try_from(about.len()).unwrap_or(usize::MAX)))
}

/// Opens a file for reading, or standard input if its name is [`-`](STANDARD_INPUT).
///
/// # Errors
/// When it cannot be opened.
pub fn open_input(path: &Path) -> io::Result<File> {
    if path.as_os_str() == STANDARD_INPUT { standard_input() } else { File::open(path) }
}

/// Standard input as a file. What a program has already read through `std::io::stdin` is missing.
#[cfg(unix)]
fn standard_input() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn standard_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}

#[cfg(not(any(unix, windows)))]
fn standard_input() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Why something is not a text.
#[derive(Debug, thiserror::Error)]
enum TextError {
    #[error(transparent)]
    Io(io::Error),
    #[error("this is larger than the {} MiB that are read at most", .0 >> 20)]
    TooLarge(usize),
    #[error("there is not enough memory to read it")]
    NoMemory,
    #[error("this text is in UTF-16: save it as UTF-8")]
    Utf16,
    #[error("line {0}: there is a zero byte, so this is not a text, or not one in UTF-8")]
    ZeroByte(usize),
}

/// Reads a text to its end, or to the first reason why it is none.
fn text_of(mut source: impl Read, size: usize, most: usize) -> Result<String, TextError> {
    if size > most {
        return Err(TextError::TooLarge(most));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve(size).map_err(|_| TextError::NoMemory)?;
    loop {
        let before = bytes.len();
        bytes.try_reserve(CHUNK).map_err(|_| TextError::NoMemory)?;
        let read = source.by_ref().take(CHUNK as u64).read_to_end(&mut bytes);
        if read.map_err(TextError::Io)? == 0 {
            break;
        }
        if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            return Err(TextError::Utf16);
        }
        if let Some(zero) = bytes[before..].iter().position(|&byte| byte == 0) {
            let line = bytes[..before + zero].split(|&byte| byte == b'\n').count();
            return Err(TextError::ZeroByte(line));
        }
        if bytes.len() > most {
            return Err(TextError::TooLarge(most));
        }
    }
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(.."\u{feff}".len());
    }
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Why a file could not be read, as the end of a sentence.
fn why_not_read(path: &Path, error: &io::Error) -> String {
    match (error.kind(), path.read_link()) {
        (io::ErrorKind::NotFound, Ok(target)) => {
            format!("this link leads to {}, which does not exist", shown_path(target))
        }
        (io::ErrorKind::NotFound, Err(_)) => "there is no such file".to_owned(),
        (io::ErrorKind::PermissionDenied, _) => "reading it is not permitted".to_owned(),
        _ if is_special(path) => {
            format!("this is a socket or a device that cannot be read: {error}")
        }
        // Among them is a circle of links.
        (_, Ok(target)) => format!("this link leads to {}: {error}", shown_path(target)),
        _ => error.to_string(),
    }
}

/// Whether this is something else than a file or a folder.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| !about.is_file() && !about.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(bytes: &[u8]) -> String {
        text_of(bytes, bytes.len(), MOST_BYTES).unwrap_err().to_string()
    }

    #[test]
    fn a_byte_order_mark_is_skipped_and_utf_16_is_named() {
        assert_eq!(text_of(&b"\xef\xbb\xbfmap"[..], 6, 100).unwrap(), "map");
        for text in [&b"\xff\xfem\0a\0p\0"[..], b"\xfe\xff\0m\0a\0p"] {
            assert_eq!(error(text), "this text is in UTF-16: save it as UTF-8");
        }
        assert!(error(b"m\0a\0p\0").starts_with("line 1: there is a zero byte"));
    }

    #[test]
    fn an_endless_file_ends_at_its_first_zero_byte_or_at_the_limit() {
        let zeros = text_of(io::repeat(0), 0, MOST_BYTES).unwrap_err();
        assert!(matches!(zeros, TextError::ZeroByte(1)));
        let letters = text_of(io::repeat(b'.'), 0, 1 << 20).unwrap_err();
        assert_eq!(letters.to_string(), "this is larger than the 1 MiB that are read at most");
        let large = text_of(io::empty(), 2 << 20, 1 << 20).unwrap_err();
        assert!(
            matches!(large, TextError::TooLarge(_)),
            "nothing is read of a file that is known to be large"
        );
    }

    #[test]
    fn a_zero_byte_is_named_with_its_line() {
        let text = ["....\n".repeat(CHUNK), "..\0.\n".to_owned()].concat();
        assert!(error(text.as_bytes()).starts_with(&format!("line {}: ", CHUNK + 1)));
    }

    #[test]
    fn the_limit_has_room_for_the_largest_map() {
        let side = u64::from(Grid::MAX_SIDE);
        assert!(side * (side + 2) + 100 < MOST_BYTES as u64);
    }
}
