//! Maps by name.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jostle::formats::{LONGEST_QUOTATION, STANDARD_INPUT, printable, quoted, read_map, shown_path};
use jostle::registry::nearest;
use jostle::{Grid, Level, Rules};

use crate::LabError;
use crate::fingerprint::fingerprint;

/// The default size of a built-in map.
const DEFAULT_SIZE: (u32, u32) = (96, 64);

/// A map as a user named it.
#[derive(Debug)]
pub struct NamedMap {
    /// Its name: a file's stem, or a built-in map with its size and seed.
    pub name: String,
    /// The floor, shared by all instances on it.
    pub grid: Arc<Grid>,
    /// The file it was read from; none if it is built in.
    pub file: Option<PathBuf>,
    /// The kind of built-in map; none if it was read.
    pub level: Option<Level>,
}

impl NamedMap {
    /// Reads a map file, or generates a built-in map.
    ///
    /// # Errors
    /// When there is no such map, or it cannot be read or generated.
    pub fn find(text: &str, rules: Rules) -> Result<Self, LabError> {
        Self::find_in(&[Path::new("")], text, rules)
    }

    /// Reads a map file from the first of these folders that has it, or generates a built-in map.
    ///
    /// # Errors
    /// When there is no such map, or it cannot be read or generated.
    pub fn find_in(folders: &[&Path], text: &str, rules: Rules) -> Result<Self, LabError> {
        let (file, level) = locate(folders, text);
        match (file, level) {
            (Some(path), _) => Self::read(&path, rules),
            (None, Some(level)) => Self::built_in(level, text, rules),
            (None, None) if Path::new(text).extension().is_none() => {
                let typed = text.split(':').next().unwrap_or(text);
                let names = Level::ALL.map(Level::name);
                let reason = match nearest(typed, names) {
                    Some(name) => {
                        format!("there is no such file or built-in map: did you mean '{name}'?")
                    }
                    None => format!(
                        "there is no such file, and the built-in maps are {}",
                        names.join(", ")
                    ),
                };
                Err(LabError::input(format!("{}: {reason}", shown_path(text))))
            }
            (None, None) => {
                Err(LabError::input(format!("{}: there is no such file", shown_path(text))))
            }
        }
    }

    /// Whether one of these folders has a file of this name, or a built-in map has it.
    pub(crate) fn is_there(folders: &[&Path], text: &str) -> bool {
        matches!(locate(folders, text), (Some(_), _) | (_, Some(_)))
    }

    /// A number that two maps share only if they have the same floor.
    pub fn fingerprint(&self) -> u64 {
        let size = [self.grid.width(), self.grid.height()].map(u32::to_le_bytes);
        let floor = self.grid.cells().map(|cell| u8::from(self.grid.is_floor(cell)));
        fingerprint(size.into_iter().flatten().chain(floor))
    }

    fn read(path: &Path, rules: Rules) -> Result<Self, LabError> {
        let grid = read_map(path).map_err(LabError::input)?.with_rules(rules);
        let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        let name = if stem == STANDARD_INPUT { "stdin".to_owned() } else { stem.into_owned() };
        Ok(Self { name, grid: Arc::new(grid), file: Some(path.to_owned()), level: None })
    }

    /// Generates a built-in map from `NAME[:WIDTHxHEIGHT][:seed=N]`.
    fn built_in(level: Level, text: &str, rules: Rules) -> Result<Self, LabError> {
        let shown = printable(text, LONGEST_QUOTATION);
        let wrong = |part: &str| {
            let form = "NAME:WIDTHxHEIGHT:seed=N, as in cave:200x120:seed=4";
            let reason = format!("{} is not understood", quoted(part));
            LabError::input(format!("{shown}: {reason}; a built-in map is {form}"))
        };
        let twice = |what: &str| LabError::input(format!("{shown}: {what} is given twice"));
        let (mut size, mut seed) = (None, None);
        for part in text.split(':').skip(1) {
            if let Some(number) = part.strip_prefix("seed=") {
                let number = number.parse().map_err(|_| wrong(part))?;
                if seed.replace(number).is_some() {
                    return Err(twice("the seed"));
                }
            } else {
                let (width, height) = part.split_once('x').unwrap_or((part, part));
                let sides = [width, height].map(str::parse);
                let [Ok(width), Ok(height)] = sides else { return Err(wrong(part)) };
                if size.replace((width, height)).is_some() {
                    return Err(twice("the size"));
                }
            }
        }
        let ((width, height), seed) = (size.unwrap_or(DEFAULT_SIZE), seed.unwrap_or(1));
        let grid = level
            .generate(width, height, seed)
            .map_err(|error| LabError::input(format!("{shown}: {error}")))?
            .with_rules(rules);
        let name = format!("{level}:{width}x{height}:seed={seed}");
        Ok(Self { name, grid: Arc::new(grid), file: None, level: Some(level) })
    }
}

/// The map file of this name in the first of these folders that has it, and the built-in map of this name.
fn locate(folders: &[&Path], text: &str) -> (Option<PathBuf>, Option<Level>) {
    if text == STANDARD_INPUT {
        return (Some(text.into()), None);
    }
    let level = text.split(':').next().and_then(Level::from_name);
    // A folder does not hide the built-in map of the same name.
    let is_map = |path: &PathBuf| is_there(path) && !(level.is_some() && path.is_dir());
    (folders.iter().map(|folder| folder.join(text)).find(is_map), level)
}

/// Whether there is anything under this name. What cannot be looked at (a circle of links, a closed folder) is there:
/// reading it says why it cannot be read.
fn is_there(path: &Path) -> bool {
    let nothing = [ErrorKind::NotFound, ErrorKind::NotADirectory, ErrorKind::InvalidInput];
    path.symlink_metadata().map_or_else(|error| !nothing.contains(&error.kind()), |_| true)
}
