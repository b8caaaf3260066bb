//! What the command says: lines in which names of files, maps and planners are only shown, never obeyed.

use std::fmt::Display;
use std::io::{self, Write};

use jostle::formats::printable;

/// The longest line that the command prints, in characters. Two paths of any length fit.
const LONGEST_LINE: usize = 10_000;

/// Prints a line to standard output.
pub fn say(line: impl Display) -> io::Result<()> {
    writeln!(io::stdout(), "{}", in_one_line(line))
}

/// Prints a note or an error to standard error.
pub fn warn(line: impl Display) -> io::Result<()> {
    writeln!(io::stderr(), "jostle: {}", in_one_line(line))
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
