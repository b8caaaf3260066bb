//! Sweeps: thousands of runs, resumed where they were stopped.
//!
//! A [`SweepSpec`] says what to run, a [`SweepPlan`] is that run by run, and a [`Sweep`] makes the runs of a plan that
//! its folder does not have yet. Every run is checked, and added to the folder as one line when it ends, a
//! [`Record`](crate::Record). Killing a sweep loses only the runs that were under way.

mod aside;
mod crew;
mod done;
mod files;
pub(crate) mod folder;
pub(crate) mod history;
mod log;
mod named_maps;
pub(crate) mod plan;
mod shard;
mod sort;
pub(crate) mod spec;

use std::path::Path;

use jostle::formats::{read_text, shown_path};

use crew::Crew;
use done::{Done, clear};
use folder::{Claim, stem};
use history::History;
use log::Log;

use crate::record::{Build, Identity, record_files};
use crate::{LabError, Registries, grouped};

pub use files::{SweepFile, files_of};
pub use folder::is_sweep_file;
pub use named_maps::maps_of;
pub use plan::{DrawnProblem, PlannedInstance, PlannedRun, SweepPlan};
pub use shard::Shard;
pub use sort::Sort;
#[cfg(feature = "parquet")]
pub(crate) use sort::{WALK_FILES, is_walk_file};
pub use spec::{AgentsOf, Entrant, SweepSpec, Table};

/// The request for a sweep.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// The planners and solvers that a spec may name.
    pub registries: Registries<'a>,
    /// The spec's file.
    pub spec: &'a Path,
    /// The folder for its records.
    pub out: &'a Path,
    /// The folder of maps that are not beside the spec.
    pub maps: Option<&'a Path>,
    /// The share of the runs to make; all of them if none.
    pub shard: Option<Shard>,
    /// Whether the folder may belong to a spec that asks for less.
    pub may_extend: bool,
}

/// A sweep that is ready to run.
#[derive(Debug)]
pub struct Sweep {
    plan: SweepPlan,
    log: Log,
    /// The runs that are missing, in order.
    todo: Vec<usize>,
    total: usize,
    notes: Vec<String>,
    _claim: Claim,
}

/// The result of a sweep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Runs made and recorded by this call.
    pub made: usize,
    /// Runs that are still missing.
    pub left: usize,
}

impl Sweep {
    /// Reads the spec, locks the folder and reads its records. All errors in the request are found here, before
    /// anything runs.
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
        let spec = SweepSpec::parse(order.spec, text, order.registries)?;
        let plan = SweepPlan::of(&spec, order.maps)?;
        let mut claim = Claim::new(order.out, order.shard)?;
        let wanted = Identity {
            name: plan.name.clone(),
            fingerprint: plan.fingerprint.clone(),
            runs: plan.runs.len(),
            spec: spec.text.clone(),
            extends: Vec::new(),
        };
        let present = move |text: &str| {
            let spec = SweepSpec::parse(order.spec, text.to_owned(), order.registries).ok()?;
            SweepPlan::of(&spec, order.maps).ok().map(|plan| plan.fingerprint)
        };
        let history = History::of(order, wanted, present, &claim.at_work)?;
        if Sort::of_results(order.out)? == Sort::Walks {
            let reason = "this folder holds walks: choose another one for runs";
            return Err(LabError::input(format!("{}: {reason}", shown_path(order.out))));
        }
        if history.is_written {
            claim.open_gate();
        }
        let mut notes = Vec::new();
        if plan.left_out > 0 {
            notes.push(format!(
                "{} runs are left out: their agents do not fit on the map",
                plan.left_out
            ));
        }
        let stem = stem(order.shard);
        let is_mine = |path: &Path| {
            order.shard.is_none() || path.file_stem().is_some_and(|name| name == stem.as_str())
        };
        let mut done = Done::new(&plan, &history);
        let mut mine = Vec::new();
        for path in record_files(order.out)? {
            let findings = done.read(&path)?;
            // Other shards may be writing to these files, and repair them themselves.
            if is_mine(&path) {
                mine.push(findings);
            }
        }
        done.refuse_foreign(order.out)?;
        // From here on the folder fits the spec, and may change.
        history.sign()?;
        claim.open_gate();
        notes.extend(clear(&mine)?);
        let all = match order.shard {
            Some(shard) => shard.share(plan.runs.len()),
            None => (0..plan.runs.len()).collect(),
        };
        let mut total = all.len();
        let missing: Vec<usize> = all.into_iter().filter(|&run| !done.is_recorded[run]).collect();
        let before = missing.len();
        let todo = Shard::without_those_of(&claim.others, plan.runs.len(), missing);
        let left_to_others = before - todo.len();
        if left_to_others > 0 {
            total -= left_to_others;
            notes.push(note_on_others(left_to_others, &claim.others));
        }
        if !todo.is_empty() {
            notes.extend(done.other_builds(&Build::this()));
        }
        let log = Log::open(order.out, &stem)?;
        Ok(Self { todo, total, notes, log, _claim: claim, plan })
    }

    /// Notes to print before it starts.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The number of all its runs, including those made before.
    pub const fn total(&self) -> usize {
        self.total
    }

    /// The number of missing runs.
    pub fn left(&self) -> usize {
        self.todo.len()
    }

    /// Makes the missing runs, `threads` at a time. `is_stopped` is asked before every tick and during every
    /// search, and ends the sweep;
    /// `made` is called with the number of runs made so far.
    ///
    /// # Errors
    /// When a run is illegal, or a record cannot be written. Earlier records stay.
    pub fn run(
        self,
        threads: usize,
        is_stopped: &(dyn Fn() -> bool + Sync),
        made: &(dyn Fn(usize) + Sync),
    ) -> Result<Tally, LabError> {
        let crew = Crew::new(&self, threads, is_stopped, made);
        let made = crew.run(threads)?;
        Ok(Tally { made, left: self.todo.len() - made })
    }
}

/// A sentence about runs that other shares make.
pub(crate) fn note_on_others(runs: usize, others: &[Shard]) -> String {
    let others: Vec<String> = others.iter().map(|shard| format!("shard {shard}")).collect();
    format!(
        "{} runs are left to {}, at work in this folder, whose share they are in as well; the same command makes those \
         that are missing afterwards",
        grouped(runs as u64),
        others.join(", "),
    )
}
