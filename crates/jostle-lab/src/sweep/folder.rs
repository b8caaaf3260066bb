//! The folder of a sweep: its files, and the locks on them.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::Path;

use jostle::formats::shown_path;

use super::shard::Shard;
use super::sort::is_walk_file;
use crate::LabError;
use crate::record::{SWEEP, is_record_file};
use crate::regular::expect_regular;

/// A folder that is locked as long as this value lives.
#[derive(Debug)]
pub struct Claim {
    /// The other shares that are being made in the folder.
    pub at_work: Vec<Shard>,
    /// Those of other divisions of the sweep to which the runs that are in both are left.
    pub others: Vec<Shard>,
    /// Other shares wait here until they may look around.
    gate: Option<File>,
    _locks: Vec<File>,
}

impl Claim {
    /// Creates the folder if needed, and locks it for a sweep or a share of it. Existing files do not change.
    ///
    /// # Errors
    /// When it cannot be created, or is locked by another sweep.
    pub fn new(folder: &Path, shard: Option<Shard>) -> Result<Self, LabError> {
        fs::create_dir_all(folder).map_err(|error| wrong(folder, "cannot be created", &error))?;
        // A whole sweep locks out all others, a share only the same share.
        let mut locks = vec![lock(folder, "sweep.lock", shard.is_some())?];
        let Some(shard) = shard else {
            let (at_work, others) = (Vec::new(), Vec::new());
            return Ok(Self { at_work, others, gate: None, _locks: locks });
        };
        // One share after another looks around, so that of two that begin at once, one sees the other.
        let gate = open_lock(folder, "shards.lock")?;
        gate.lock().map_err(|error| wrong(folder, "cannot be locked", &error))?;
        let name = lock_of(shard);
        let ours = lock(folder, &name, false)?;
        let at_work = shards_at_work(folder, shard)?;
        let leaves_all_to = |other: &Shard| {
            shard.may_overlap(*other) && !leaves_runs_to(&folder.join(lock_of(*other)), shard)
        };
        let others: Vec<Shard> = at_work.iter().copied().filter(leaves_all_to).collect();
        say_what_is_left(&ours, &others)
            .map_err(|error| wrong(&folder.join(name), "cannot be written", &error))?;
        locks.push(ours);
        Ok(Self { at_work, others, gate: Some(gate), _locks: locks })
    }

    /// Lets other shares begin: the folder says which sweep it belongs to.
    pub fn open_gate(&mut self) {
        self.gate = None;
    }
}

/// The file that a share locks while it is being made.
fn lock_of(shard: Shard) -> String {
    format!("{}.lock", stem(Some(shard)))
}

/// Writes to the lock of a share to which others it leaves the runs that are in both. If one of those was killed and
/// begins again, it makes them.
fn say_what_is_left(mut lock: &File, others: &[Shard]) -> io::Result<()> {
    lock.set_len(0)?;
    others.iter().try_for_each(|shard| writeln!(lock, "{shard}"))
}

/// Whether the lock of a share says that it leaves runs to this one. Where locked files cannot be read, it says nothing.
fn leaves_runs_to(lock: &Path, shard: Shard) -> bool {
    let text = fs::read_to_string(lock).unwrap_or_default();
    text.lines().any(|line| line.parse() == Ok(shard))
}

/// The other shares whose locks are held.
fn shards_at_work(folder: &Path, ours: Shard) -> Result<Vec<Shard>, LabError> {
    let unreadable = |error: io::Error| wrong(folder, "cannot be read", &error);
    let mut others = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        let name = name.to_string_lossy();
        let Some(shard) = name.strip_suffix(".lock").and_then(of_stem) else { continue };
        if shard != ours
            && let Err(TryLockError::WouldBlock) = open_lock(folder, &name)?.try_lock_shared()
        {
            others.push(shard);
        }
    }
    Ok(others)
}

/// Whether a sweep keeps something of its own under such a name: records, lines that it has put aside, what it is about, locks, or
/// walks.
pub fn is_sweep_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_aside = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        ["torn", "damaged", "stale", "new"].contains(&ending) && is_record_file(Path::new(stem))
    });
    let lock = name.strip_suffix(".lock");
    let is_lock =
        lock.is_some_and(|stem| ["sweep", "shards"].contains(&stem) || of_stem(stem).is_some());
    is_record_file(path) || is_aside || is_lock || name == SWEEP || is_walk_file(path)
}

/// The stem of the files of a sweep or a share of it.
pub fn stem(shard: Option<Shard>) -> String {
    match shard {
        None => "records".to_owned(),
        Some(shard) => format!("records-{}", shard.to_string().replace('/', "-of-")),
    }
}

/// The share whose files have this stem.
fn of_stem(stem: &str) -> Option<Shard> {
    stem.strip_prefix("records-")?.replacen("-of-", "/", 1).parse().ok()
}

fn lock(folder: &Path, name: &str, is_shared: bool) -> Result<File, LabError> {
    let file = open_lock(folder, name)?;
    let locked = if is_shared { file.try_lock_shared() } else { file.try_lock() };
    match locked {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(LabError::input(format!(
            "{}: another sweep is at work in this folder",
            shown_path(folder)
        ))),
        Err(TryLockError::Error(error)) => {
            Err(wrong(&folder.join(name), "cannot be locked", &error))
        }
    }
}

fn open_lock(folder: &Path, name: &str) -> Result<File, LabError> {
    let path = folder.join(name);
    expect_regular(&path)?;
    let file = File::options().create(true).append(true).open(&path);
    file.map_err(|error| wrong(&path, "cannot be locked", &error))
}

fn wrong(path: &Path, what: &str, error: &dyn std::fmt::Display) -> LabError {
    LabError::input(format!("{}: {what}: {error}", shown_path(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_sweep_are_known_by_their_names() {
        for name in [
            "records.jsonl",
            "records-1-of-2.jsonl",
            "records.jsonl.torn",
            "records-1-of-2.jsonl.stale",
            "records-1-of-2.lock",
            "sweep.json",
            "sweep.lock",
            "shards.lock",
            "walks-0001-cave.parquet",
        ] {
            assert!(is_sweep_file(&Path::new("results").join(name)), "{name}");
        }
        for name in ["runs.jsonl", "records.csv", "my.lock", "report.md", "torn", "m.safetensors"] {
            assert!(!is_sweep_file(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn of_two_shares_at_work_that_overlap_exactly_one_leaves_runs_to_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let [half, third, other_half] =
            ["1/2", "1/3", "2/2"].map(|text| text.parse::<Shard>().unwrap());
        let claim = |shard| {
            let mut claim = Claim::new(folder.path(), Some(shard)).unwrap();
            claim.open_gate();
            claim
        };
        let first = claim(half);
        assert_eq!(first.others, []);
        let second = claim(third);
        assert_eq!(second.others, [half]);
        let last = claim(other_half);
        assert_eq!(last.others, [third], "the same division does not overlap");
        assert_eq!(last.at_work.len(), 2);
        // The first is killed and begins again: the second still leaves its runs to it.
        drop(first);
        let first = claim(half);
        assert_eq!(first.others, []);
        drop((first, second));
        assert_eq!(claim(third).others, [], "the last leaves its runs to it as well");
    }
}
