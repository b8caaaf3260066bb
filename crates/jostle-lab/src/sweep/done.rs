//! What a sweep's folder has already.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;

use super::lines::{Tail, read_lines};
use super::plan::Plan;
use crate::LabError;

/// Which runs of a plan are recorded.
pub struct Done<'a> {
    numbers: HashMap<&'a str, usize>,
    /// By the number of the run in the plan.
    pub is_done: Vec<bool>,
}

/// The part of an [`Entry`] that says which run it is of: all that going on needs to know.
#[derive(Deserialize)]
struct Key {
    key: String,
}

impl<'a> Done<'a> {
    /// None yet.
    pub fn new(plan: &'a Plan) -> Self {
        let keys = plan.runs.iter().map(|run| run.key.as_str());
        Self {
            numbers: keys.enumerate().map(|(number, key)| (key, number)).collect(),
            is_done: vec![false; plan.runs.len()],
        }
    }

    /// Reads a record file, and gives what follows its last whole line.
    ///
    /// # Errors
    /// When a line is no record of a run of the plan.
    pub fn read(&mut self, path: &Path) -> Result<Tail, LabError> {
        read_lines(path, |line, Key { key }| {
            let number = self.numbers.get(key.as_str()).ok_or_else(|| {
                let reason = format!("the run {key} is not part of the spec");
                LabError::input(format!("{}: line {line}: {reason}", path.display()))
            })?;
            self.is_done[*number] = true;
            Ok(())
        })
    }
}
