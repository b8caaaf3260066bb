//! What the command says, and where: results on standard output, and errors, warnings and notes on standard error. In what is said, names of
//! files, maps and planners are only shown, never obeyed.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use jostle::formats::printable;

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
