//! What the command says, and where: results on standard output, and errors, warnings and notes on standard error. In what is said, names of
//! files, maps and planners are only shown, never obeyed.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use jostle::formats::printable;

use crate::failure::Failure;

/// The longest line that the command prints, in characters. Two paths of any length fit.
const LONGEST_LINE: usize = 10_000;

/// Set when a file is written to standard output: what is meant for people then goes to standard error.
static IS_STDOUT_TAKEN: AtomicBool = AtomicBool::new(false);

/// From now on standard output is for a file alone.
pub fn take_stdout() {
    IS_STDOUT_TAKEN.store(true, Ordering::SeqCst);
}

fn is_stdout_taken() -> bool {
    IS_STDOUT_TAKEN.load(Ordering::SeqCst)
}

/// Where results for people go: standard output, or standard error if a file is written to standard output.
pub fn out() -> Box<dyn Write> {
    if is_stdout_taken() { Box::new(io::stderr()) } else { Box::new(io::stdout()) }
}

/// Whether results for people go to a terminal.
pub fn is_terminal() -> bool {
    if is_stdout_taken() { io::stderr().is_terminal() } else { io::stdout().is_terminal() }
}

/// How many characters fit on a line of results; none if they do not go to a terminal.
pub fn columns() -> Option<usize> {
    let size = if is_stdout_taken() {
        terminal_size::terminal_size_of(io::stderr())
    } else {
        terminal_size::terminal_size_of(io::stdout())
    };
    size.map(|(width, _)| usize::from(width.0))
}

/// Prints results while others are still to come.
#[derive(Debug)]
pub struct Printer {
    /// Whether there is more to do than to print, so that the work goes on when nothing can be printed any more.
    goes_on: bool,
    failure: Option<Failure>,
}

impl Printer {
    /// The printer of a command that also writes files, or does not.
    pub const fn beside_files(writes_files: bool) -> Self {
        Self { goes_on: writes_files, failure: None }
    }

    /// Prints a text as it is.
    pub fn print(&mut self, text: impl Display) -> Result<(), Failure> {
        if self.failure.is_some() {
            return Ok(());
        }
        match write!(out(), "{text}") {
            Err(error) if self.goes_on => self.failure = Some(error.into()),
            printed => printed?,
        }
        Ok(())
    }

    /// Prints a warning, in the place of which the exit code has to do if standard error is closed.
    pub fn warn(&self, line: impl Display) -> Result<(), Failure> {
        match warn(line) {
            Err(_) if self.goes_on => Ok(()),
            printed => Ok(printed?),
        }
    }

    /// Why not everything was printed, if so.
    pub fn end(self) -> Option<Failure> {
        self.failure
    }
}

/// Prints a line of results.
pub fn say(line: impl Display) -> io::Result<()> {
    writeln!(out(), "{}", in_one_line(line))
}

/// Prints why the command failed.
pub fn error(line: impl Display) -> io::Result<()> {
    writeln!(io::stderr(), "error: {}", in_one_line(line))
}

/// Prints what may be wrong although the command goes on.
pub fn warn(line: impl Display) -> io::Result<()> {
    writeln!(io::stderr(), "warning: {}", in_one_line(line))
}

/// Prints what is going on, where nothing is wrong.
pub fn note(line: impl Display) -> io::Result<()> {
    writeln!(io::stderr(), "{}", in_one_line(line))
}

/// Whatever its parts hold, the line stays one line, and a terminal finds nothing in it to obey.
fn in_one_line(line: impl Display) -> String {
    printable(&line.to_string(), LONGEST_LINE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_endless_or_holds_what_a_terminal_obeys() {
        assert_eq!(in_one_line("a\u{1b}[2J.map:\nline 3"), r"a\u{1b}[2J.map:\nline 3");
        assert!(in_one_line("x".repeat(1_000_000)).len() < 11_000);
    }
}
