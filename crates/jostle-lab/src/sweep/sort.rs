//! The two sorts of specs: of runs, which are recorded one by one, and of walks, which are kept in batches.

use std::fs;
use std::path::Path;

use jostle::formats::{STANDARD_INPUT, shown_path};
use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

use super::spec::lines::Lines;
use crate::LabError;

/// What a spec asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// Runs of planners and solvers: `[[sweep]]`.
    Runs,
    /// Walks of single agents: `[[walks]]`.
    Walks,
}

#[derive(Deserialize)]
struct Tables {
    sweep: Option<Spanned<IgnoredAny>>,
    walks: Option<Spanned<IgnoredAny>>,
}

impl Sort {
    /// Which sort of spec a text is, as if it stood in this file. One with other mistakes counts as one of runs: reading it says what they are.
    ///
    /// # Errors
    /// When it asks for both, or for walks in a build without them.
    pub fn of(path: &Path, text: &str) -> Result<Self, LabError> {
        let lines = Lines::new(path, text);
        match toml::from_str::<Tables>(text) {
            Ok(Tables { sweep: Some(sweep), walks: Some(walks) }) => {
                let second = sweep.span().start.max(walks.span().start);
                let reason = "a spec has [[sweep]] or [[walks]], and not both";
                Err(lines.wrong(&(second..second), reason))
            }
            Ok(Tables { sweep: None, walks: Some(walks) }) if cfg!(not(feature = "parquet")) => {
                Err(lines.wrong(&walks.span(), WITHOUT_WALKS))
            }
            Ok(Tables { sweep: None, walks: Some(_) }) => Ok(Self::Walks),
            _ => Ok(Self::Runs),
        }
    }

    /// Which sort of results a folder holds. A file, or a folder without any, counts as one of runs: reading it says what is wrong.
    ///
    /// # Errors
    /// When it holds walks, and this is a build without them.
    pub fn of_results(folder: &Path) -> Result<Self, LabError> {
        if folder.as_os_str() == STANDARD_INPUT {
            return Ok(Self::Runs);
        }
        let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
        match entries.any(|entry| is_walk_file(&entry.path())) {
            true if cfg!(not(feature = "parquet")) => {
                Err(LabError::input(format!("{}: {WITHOUT_WALKS}", shown_path(folder))))
            }
            true => Ok(Self::Walks),
            false => Ok(Self::Runs),
        }
    }
}

const WITHOUT_WALKS: &str = "walks are kept in Parquet files, and this jostle was built without that feature: \
                             cargo install --path crates/jostle-cli --features parquet";

/// How the names of files of walks begin and end.
pub(crate) const WALK_FILES: (&str, &str) = ("walks-", ".parquet");

/// Whether walks are kept under such a name.
pub(crate) fn is_walk_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(WALK_FILES.0) && name.ends_with(WALK_FILES.1)
}
