//! The folder of a sweep: which sweep it belongs to, and the locks on it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::plan::SweepPlan;
use super::shard::Shard;
use super::spec::SweepSpec;
use crate::{LabError, save};

/// The file that says which sweep a folder belongs to.
const IDENTITY: &str = "sweep.json";

/// Which sweep a folder belongs to. Nothing in it depends on when or where the sweep runs, so that the
/// folders of several machines can be merged by copying.
#[derive(Serialize, Deserialize)]
struct Identity {
    name: String,
    fingerprint: String,
    runs: usize,
    /// The spec, as it was written.
    spec: String,
    /// The specs that this one extends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    extends: Vec<Earlier>,
}

/// A spec whose records are in the folder beside those of a larger one.
#[derive(Serialize, Deserialize)]
struct Earlier {
    fingerprint: String,
    spec: String,
}

/// A folder that is locked as long as this value lives.
#[derive(Debug)]
pub struct Claim {
    identity: PathBuf,
    /// What to write there, unless it is there already.
    unsigned: Option<String>,
    _locks: Vec<File>,
}

impl Claim {
    /// Creates the folder if needed, and locks it for a sweep or a share of it. Existing files do not change.
    ///
    /// # Errors
    /// When it cannot be created, belongs to another sweep, or is locked by another sweep.
    pub fn new(
        folder: &Path,
        spec: &SweepSpec,
        plan: &SweepPlan,
        shard: Option<Shard>,
        may_extend: bool,
    ) -> Result<Self, LabError> {
        fs::create_dir_all(folder).map_err(|error| wrong(folder, "cannot be created", &error))?;
        // A whole sweep locks out all others, a share only the same share.
        let mut locks = vec![lock(folder, "sweep.lock", shard.is_some())?];
        if let Some(shard) = shard {
            locks.push(lock(folder, &format!("{}.lock", stem(Some(shard))), false)?);
        }
        let identity = folder.join(IDENTITY);
        let earlier = match fs::read_to_string(&identity) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(wrong(&identity, "cannot be read", &error)),
            Ok(text) => Some(serde_json::from_str::<Identity>(&text).map_err(|error| {
                wrong(&identity, "does not say which sweep the folder belongs to", &error)
            })?),
        };
        let extends = match earlier {
            Some(earlier) if earlier.fingerprint == plan.fingerprint => {
                return Ok(Self { identity, unsigned: None, _locks: locks });
            }
            Some(earlier) if !may_extend => {
                return Err(LabError::input(format!(
                    "{}: this folder belongs to another spec ({}, {} runs): choose another folder, or \
                     --extend it if the new spec only adds runs",
                    folder.display(),
                    earlier.name,
                    earlier.runs,
                )));
            }
            Some(Identity { fingerprint, spec, mut extends, .. }) => {
                extends.push(Earlier { fingerprint, spec });
                extends
            }
            None => Vec::new(),
        };
        let ours = Identity {
            name: plan.name.clone(),
            fingerprint: plan.fingerprint.clone(),
            runs: plan.runs.len(),
            spec: spec.text.clone(),
            extends,
        };
        let text = serde_json::to_string_pretty(&ours).map_err(LabError::input)?;
        Ok(Self { identity, unsigned: Some(text + "\n"), _locks: locks })
    }

    /// Writes to the folder which sweep it belongs to.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn sign(&self) -> Result<(), LabError> {
        self.unsigned.as_ref().map_or(Ok(()), |text| save(&self.identity, text))
    }
}

/// The stem of the files of a sweep or a share of it.
pub fn stem(shard: Option<Shard>) -> String {
    match shard {
        None => "records".to_owned(),
        Some(shard) => format!("records-{}", shard.to_string().replace('/', "-of-")),
    }
}

fn lock(folder: &Path, name: &str, is_shared: bool) -> Result<File, LabError> {
    let path = folder.join(name);
    let cannot = |error: &io::Error| wrong(&path, "cannot be locked", error);
    let file = File::options().create(true).append(true).open(&path);
    let file = file.map_err(|error| cannot(&error))?;
    let locked = if is_shared { file.try_lock_shared() } else { file.try_lock() };
    match locked {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(LabError::input(format!(
            "{}: another sweep is at work in this folder",
            folder.display()
        ))),
        Err(TryLockError::Error(error)) => Err(cannot(&error)),
    }
}

fn wrong(path: &Path, what: &str, error: &dyn std::fmt::Display) -> LabError {
    LabError::input(format!("{}: {what}: {error}", path.display()))
}
