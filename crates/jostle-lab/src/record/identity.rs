//! Which sweep a folder of records belongs to.

use std::path::{Path, PathBuf};
use std::{fs, io};

use jostle::formats::shown_path;

use serde::{Deserialize, Serialize};

use crate::LabError;
use crate::regular::expect_regular;

/// The file that says which sweep a folder belongs to.
pub(crate) const SWEEP: &str = "sweep.json";

/// Which sweep a folder belongs to, as its file says it. Nothing in it depends on when or where the sweep runs, so that
/// the folders of several machines can be merged by copying.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// The name of the experiment.
    pub name: String,
    /// The fingerprint of the spec on its maps.
    pub fingerprint: String,
    /// The number of runs.
    pub runs: usize,
    /// The spec, as it was written.
    pub spec: String,
    /// The specs that this one extends, and this one on other versions of its maps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extends: Vec<Earlier>,
}

/// A spec whose records may be in the folder beside those of the present one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Earlier {
    /// Its fingerprint on the maps as they were.
    pub fingerprint: String,
    /// The spec, as it was written.
    pub spec: String,
}

impl Identity {
    /// The file that says which sweep a folder belongs to.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join(SWEEP)
    }

    /// Reads it; none if the folder has no such file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Self>, LabError> {
        let path = Self::path(folder);
        let wrong = |what: &str, error: &dyn std::fmt::Display| {
            LabError::input(format!("{}: {what}: {error}", shown_path(&path)))
        };
        expect_regular(&path)?;
        match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(wrong("cannot be read", &error)),
            Ok(text) => serde_json::from_str(&text)
                .map(Some)
                .map_err(|error| wrong("does not say which sweep the folder belongs to", &error)),
        }
    }

    /// The spec with this fingerprint: the present one, or one that it extends.
    pub fn spec_of(&self, fingerprint: &str) -> Option<&str> {
        self.specs().find(|(known, _)| *known == fingerprint).map(|(_, spec)| spec)
    }

    /// The specs that it extends, and the present one, with their fingerprints.
    pub fn specs(&self) -> impl Iterator<Item = (&str, &str)> {
        let earlier = self.extends.iter().map(|earlier| (&earlier.fingerprint, &earlier.spec));
        let all = earlier.chain([(&self.fingerprint, &self.spec)]);
        all.map(|(fingerprint, spec)| (fingerprint.as_str(), spec.as_str()))
    }
}
