//! How the command fails: one sentence, and an exit code.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use jostle_lab::{LabError, STANDARD_OUTPUT, cannot_be_written};

use crate::say::error;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The request or the input is wrong: exit code 2.
    Input(String),
    /// A check found a run illegal: exit code 1.
    Illegal(String),
    /// A solver found no plan: exit code 1.
    NoPlan(String),
    /// The user stopped the command before it was done: exit code 130, as shells have it.
    Interrupted(String),
    /// Several things went wrong, one after another: the highest of their exit codes, because input that
    /// cannot be read may hide an illegal run.
    Several(Vec<Self>),
    /// The reader of our output has closed it: there is nothing left to print, and it is no error.
    OutputClosed,
}

impl Failure {
    /// A wrong request or input.
    pub fn input(reason: impl Display) -> Self {
        Self::Input(reason.to_string())
    }

    /// Prints the reason to standard error.
    pub fn report(self) -> ExitCode {
        ExitCode::from(self.print())
    }

    /// Prints the reason, and returns the exit code.
    fn print(self) -> u8 {
        let (reason, code) = match self {
            Self::Input(reason) => (reason, 2),
            Self::Illegal(reason) | Self::NoPlan(reason) => (reason, 1),
            Self::Interrupted(reason) => (reason, 130),
            Self::Several(failures) => {
                return failures.into_iter().map(Self::print).max().unwrap_or(0);
            }
            Self::OutputClosed => return 0,
        };
        // If standard error is closed too, the exit code has to do.
        let _ = error(reason);
        code
    }
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        match error {
            LabError::Input(reason) => Self::Input(reason),
            LabError::Illegal(reason) => Self::Illegal(reason),
            LabError::OutputClosed => Self::OutputClosed,
        }
    }
}

/// What the command prints goes to standard output; whatever else fails names its file.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        cannot_be_written(Path::new(STANDARD_OUTPUT), &error).into()
    }
}
