//! The two sorts of specs: of runs, which are recorded one by one, and of walks, which are kept in batches.

use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

use super::spec::lines::Lines;
use crate::LabError;
use jostle::formats::read_text;

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
    /// Which sort of spec a file is. One with other mistakes counts as one of runs: reading it says what they are.
    ///
    /// # Errors
    /// When the file cannot be read or asks for both, or for walks in a build without them.
    pub fn of(path: &Path) -> Result<Self, LabError> {
        let text = read_text(path).map_err(LabError::input)?;
        let lines = Lines::new(path, &text);
        match toml::from_str::<Tables>(&text) {
            Ok(Tables { sweep: Some(sweep), walks: Some(walks) }) => {
                let second = sweep.span().start.max(walks.span().start);
                let reason = "a spec has [[sweep]] or [[walks]], and not both";
                Err(lines.wrong(&(second..second), reason))
            }
            Ok(Tables { sweep: None, walks: Some(walks) }) if cfg!(not(feature = "parquet")) => {
                let how = "cargo install --path crates/jostle-cli --features parquet";
                let reason = "this jostle was built without the feature for Parquet, in which walks are kept";
                Err(lines.wrong(&walks.span(), format!("{reason}: {how}")))
            }
            Ok(Tables { sweep: None, walks: Some(_) }) => Ok(Self::Walks),
            _ => Ok(Self::Runs),
        }
    }
}
