//! Errors of experiments.

use std::fmt::Display;

/// Why an experiment failed, in one sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LabError {
    /// The request or the input is wrong.
    #[error("{0}")]
    Input(String),
    /// The checker found a run illegal.
    #[error("{0}")]
    Illegal(String),
}

impl LabError {
    /// A wrong request or input.
    pub fn input(reason: impl Display) -> Self {
        Self::Input(reason.to_string())
    }
}
