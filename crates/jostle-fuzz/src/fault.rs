//! What an attack finds.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What is wrong with a case.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// What kind of fault it is. Shrinking keeps it, and of several findings with the same kind the first is
    /// written out.
    pub kind: String,
    /// What happened in this case.
    pub message: String,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind: kind.into(), message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}

/// A fault of this kind unless the condition holds.
///
/// # Errors
/// When it does not.
pub fn ensure(is_right: bool, kind: &str, message: impl FnOnce() -> String) -> Result<(), Fault> {
    if is_right { Ok(()) } else { Err(Fault::new(kind, message())) }
}
