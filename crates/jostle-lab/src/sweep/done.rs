//! The runs that a folder already holds.

use std::collections::HashMap;
use std::path::Path;

use super::plan::SweepPlan;
use crate::record::{Build, Tail, read_file};
use crate::{LabError, grouped};

/// Which runs of a plan are recorded.
pub struct Done<'a> {
    numbers: HashMap<&'a str, usize>,
    /// Whether each run is recorded, by its number in the plan.
    pub is_recorded: Vec<bool>,
    /// The number of records by build.
    builds: Vec<(Build, usize)>,
}

impl<'a> Done<'a> {
    /// No run is recorded yet.
    pub fn new(plan: &'a SweepPlan) -> Self {
        let keys = plan.runs.iter().map(|run| run.key.as_str());
        Self {
            numbers: keys.enumerate().map(|(number, key)| (key, number)).collect(),
            is_recorded: vec![false; plan.runs.len()],
            builds: Vec::new(),
        }
    }

    /// Reads a record file, and returns how it ends.
    ///
    /// # Errors
    /// When a line is not a record of a run of the plan.
    pub fn read(&mut self, path: &Path) -> Result<Tail, LabError> {
        read_file(path, |line, record| {
            let wrong = |reason: String| {
                LabError::input(format!("{}: line {line}: {reason}", path.display()))
            };
            match self.builds.iter_mut().find(|(build, _)| record.is_by(build)) {
                Some((_, count)) => *count += 1,
                None => self.builds.push((record.build(), 1)),
            }
            let key = record.key.ok_or_else(|| {
                wrong("this run has no key, so it was not made by a sweep".to_owned())
            })?;
            let number = self
                .numbers
                .get(key.as_str())
                .ok_or_else(|| wrong(format!("the run {key} is not part of the spec")))?;
            self.is_recorded[*number] = true;
            Ok(())
        })
    }

    /// A sentence about the records made by builds other than `this`, if there are any.
    pub fn other_builds(&self, this: &Build) -> Option<String> {
        let mut builds = self.builds.clone();
        builds.sort();
        let others = builds.iter().filter(|(build, _)| build != this);
        let others: Vec<String> = others
            .map(|(build, count)| format!("{build} made {}", grouped(*count as u64)))
            .collect();
        let all = grouped(builds.iter().map(|(_, count)| *count as u64).sum());
        let begin = format!("the {all} records in this folder are not all of this build, {this}");
        (!others.is_empty()).then(|| format!("{begin}: {} of them", others.join(", ")))
    }
}
