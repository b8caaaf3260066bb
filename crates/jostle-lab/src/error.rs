//! Errors of experiments.

use std::fmt::Display;

use jostle::formats::{LONGEST_QUOTATION, printable, quoted};
use jostle::registry::did_you_mean;

/// Why an experiment failed, in one sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LabError {
    /// The request or the input is wrong.
    #[error("{0}")]
    Input(String),
    /// The checker found a run illegal.
    #[error("{0}")]
    Illegal(String),
    /// Whoever reads standard output wants no more of it.
    #[error("the reader of the output has closed it")]
    OutputClosed,
}

impl LabError {
    /// A wrong request or input.
    pub fn input(reason: impl Display) -> Self {
        Self::Input(reason.to_string())
    }
}

/// The longest reason that a library gives for an error, in characters.
const LONGEST_REASON: usize = 200;

/// What the libraries for JSON and TOML say about a text, in one line. They quote it whole, between backticks or double
/// quotes: such quotations are escaped and as short as those of our own errors.
pub(crate) fn reason_of_library(message: &str) -> String {
    let mut reason = String::new();
    let mut rest = message.trim();
    while let Some(open) = rest.find(['`', '"']) {
        let (before, quoted) = rest.split_at(open);
        let mark = &quoted[..1];
        let (inside, after) = quoted[1..].split_once(mark).unwrap_or((&quoted[1..], ""));
        reason.extend([before, mark, &printable(inside, LONGEST_QUOTATION), mark]);
        rest = after;
    }
    reason += rest;
    printable(&reason.replace('\n', ", "), LONGEST_REASON)
}

/// What the libraries for JSON and TOML say about a key that is not known, in our words: with the one that was probably meant, or all
/// keys. None if they say something else.
pub(crate) fn unknown_key(message: &str) -> Option<String> {
    let rest = message.trim().strip_prefix("unknown field `")?;
    let (typed, known) = rest.split_once("`, expected ")?;
    // The names of the keys stand between backticks.
    let names: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    let meant = did_you_mean(typed, &names, "the keys are");
    Some(format!("unknown key {}: {meant}", quoted(typed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_library_quotes_is_escaped_and_short() {
        let long = "x".repeat(500);
        let expected = format!("unknown field `{}...` here, not `a`", "x".repeat(60));
        assert_eq!(reason_of_library(&format!("unknown field `{long}` here, not `a`")), expected);
        let expected = r#"string "\u{1b}[2J", a map"#;
        assert_eq!(reason_of_library("string \"\u{1b}[2J\"\na map"), expected);
        assert_eq!(reason_of_library("left `open"), "left `open`");
        assert!(reason_of_library(&long).len() < 210);
    }
}
