//! Sweeps of walks: millions of runs of [real-time heuristic search](jostle::search::Lrta) for one agent.
//!
//! A [`WalkSpec`] says which settings walk on which maps. A [`WalkPlan`] is that batch by batch, a batch being all walks on some problems
//! of one map, and a [`WalkSweep`] makes the batches that its folder does not have yet. A batch becomes one Parquet file when all its
//! walks are done, so killing a sweep loses only the batches that were under way. [`read`] returns the results.

mod best;
mod crew;
mod csv;
mod done;
mod facts;
mod file;
mod plan;
mod read;
mod relabel;
mod spec;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jostle::formats::{read_text, shown_path};

use crate::LabError;
use crate::record::{Identity, record_files};
use crate::sweep::folder::Claim;
use crate::sweep::history::History;
use crate::sweep::{Order, Shard, SweepFile, Tally, note_on_others};
use crew::Crew;
use done::Done;

pub use csv::export;
pub use facts::{Facts, ProblemFacts};
pub use plan::{Batch, WalkPlan};
pub use read::{WalkedMap, WalkedProblem, Walks, read};
pub use spec::{Problems, WalkSpec, WalkTable, name_of};

/// A sweep of walks that is ready to run.
#[derive(Debug)]
pub struct WalkSweep {
    plan: WalkPlan,
    folder: PathBuf,
    /// The batches that are missing, in order.
    todo: Vec<usize>,
    total: usize,
    notes: Vec<String>,
    _claim: Claim,
}

impl WalkSweep {
    /// Reads the spec, locks the folder and looks at its files. All errors in the request are found here, before anything runs.
    ///
    /// # Errors
    /// When the spec is wrong, or the folder cannot be used for it.
    pub fn prepare(order: Order<'_>) -> Result<Self, LabError> {
        let text = read_text(order.spec).map_err(LabError::input)?;
        Self::prepare_text(order, text)
    }

    /// The same with the text of the spec, which was read before: its file may be a pipe.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare).
    pub fn prepare_text(order: Order<'_>, text: String) -> Result<Self, LabError> {
        let spec = WalkSpec::parse(order.spec, text)?;
        let plan = WalkPlan::of(&spec, order.maps)?;
        let mut claim = Claim::new(order.out, order.shard)?;
        let wanted = Identity {
            name: plan.name.clone(),
            fingerprint: plan.fingerprint.clone(),
            runs: plan.walks(),
            spec: spec.text.clone(),
            extends: Vec::new(),
        };
        let present = move |text: &str| {
            let spec = WalkSpec::parse(order.spec, text.to_owned()).ok()?;
            WalkPlan::of(&spec, order.maps).ok().map(|plan| plan.fingerprint)
        };
        let history = History::of(order, wanted, present, &claim.at_work)?;
        if !record_files(order.out)?.is_empty() {
            let reason = "this folder holds records of runs: choose another one for walks";
            return Err(LabError::input(format!("{}: {reason}", shown_path(order.out))));
        }
        if history.is_written {
            claim.open_gate();
        }
        let batches = plan.batches.len();
        let mine: Vec<usize> = match order.shard {
            Some(shard) => shard.share(batches),
            None => (0..batches).collect(),
        };
        let done = Done::read(order.out, &plan, &mine)?;
        // From here on the folder fits the spec, and may change.
        history.sign()?;
        claim.open_gate();
        let walks = |batches: &[usize]| {
            batches.iter().map(|&batch| plan.batches[batch].facts.walks()).sum::<usize>()
        };
        let mut total = walks(&mine);
        let missing: Vec<usize> =
            mine.into_iter().filter(|&batch| !done.is_written[batch]).collect();
        let mut notes = done.clear()?;
        let before = walks(&missing);
        let todo = Shard::without_those_of(&claim.others, batches, missing);
        let left_to_others = before - walks(&todo);
        if left_to_others > 0 {
            total -= left_to_others;
            notes.push(note_on_others(left_to_others, &claim.others));
        }
        let folder = order.out.to_owned();
        Ok(Self { todo, total, notes, folder, _claim: claim, plan })
    }

    /// Notes to print before it starts.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The number of all its walks, including those made before.
    pub const fn total(&self) -> usize {
        self.total
    }

    /// The number of missing walks.
    pub fn left(&self) -> usize {
        self.todo.iter().map(|&batch| self.plan.batches[batch].facts.walks()).sum()
    }

    /// Makes the missing walks with so many threads. `is_stopped` is asked before every walk, and ends the sweep; `made` is called with
    /// the number of walks made so far.
    ///
    /// # Errors
    /// When a map cannot be read any more, or a file cannot be written. Earlier files stay.
    pub fn run(
        self,
        threads: usize,
        is_stopped: &(dyn Fn() -> bool + Sync),
        made: &(dyn Fn(usize) + Sync),
    ) -> Result<Tally, LabError> {
        let batches = self.todo.iter().map(|&batch| &self.plan.batches[batch]).collect();
        let crew = Crew::new(&self.plan.settings, &self.folder, batches, is_stopped, made);
        let made = crew.run(threads)?;
        Ok(Tally { made, left: self.left() - made })
    }
}

/// The spec, and then every file that the sweep reads. Built-in maps need no files.
///
/// # Errors
/// When a map is missing or cannot be read.
pub fn files_of(
    spec: &WalkSpec,
    path: &Path,
    maps: Option<&Path>,
) -> Result<Vec<SweepFile>, LabError> {
    let plan = WalkPlan::of(spec, maps)?;
    let mut files = BTreeMap::new();
    for batch in &plan.batches {
        files.extend(batch.files());
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let of_spec = SweepFile { name, path: path.to_owned() };
    let others = files.into_iter().map(|(name, path)| SweepFile { name, path });
    Ok([of_spec].into_iter().chain(others).collect())
}

#[cfg(test)]
#[path = "walks_test.rs"]
mod tests;
