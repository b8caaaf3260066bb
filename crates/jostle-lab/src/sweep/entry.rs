//! A line of a sweep's records.

use serde::{Deserialize, Serialize};

use super::machine::Machine;
use crate::Record;

/// What one run of a sweep came to, with what is needed to repeat it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// What tells the run from all others of its sweep: map, kind, agents, seed, planner, limit, rules.
    pub key: String,
    /// The fingerprint of the spec that asked for it.
    pub spec: String,
    /// What the experiment is called.
    pub experiment: String,
    /// On what it was made.
    pub machine: Machine,
    /// What it came to.
    #[serde(flatten)]
    pub record: Record,
}
