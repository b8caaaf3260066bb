//! A finding as a file: the shrunk case with all that is needed to run it again.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fault::Fault;

/// A case that shows a fault.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The name of the target.
    pub target: String,
    /// The seed of the campaign.
    pub seed: u64,
    /// The number of the case in it.
    pub index: u64,
    /// What is wrong.
    pub fault: Fault,
    /// The case, shrunk.
    pub case: Value,
}

impl Finding {
    /// Writes the finding to a folder, and returns the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, folder: &Path) -> Result<PathBuf, String> {
        let Self { target, seed, index, .. } = self;
        let path = folder.join(format!("{target}-{seed}-{index}.json"));
        let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = serde_json::to_string_pretty(self).map_err(|error| wrong(&error))?;
        fs::create_dir_all(folder).map_err(|error| wrong(&error))?;
        fs::write(&path, text + "\n").map_err(|error| wrong(&error))?;
        Ok(path)
    }

    /// Reads a finding.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a finding.
    pub fn read(path: &Path) -> Result<Self, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = fs::read_to_string(path).map_err(|error| wrong(&error))?;
        serde_json::from_str(&text).map_err(|error| wrong(&error))
    }
}
