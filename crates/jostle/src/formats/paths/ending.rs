//! The last line of a path file, by which readers notice that the end of a file is missing.
//!
//! A file is written while its run goes on, and every beginning of it looks like the file of a
//! shorter run. So it announces before `solution=`, with `marks=end`, that it will end with
//! `end=TICKS`, or with `stopped=TICKS` if somebody stopped the run.
//!
//! Tools that read this form skip names that they do not know before `solution=`. After it,
//! mapf-visualizer and readers in Python take a line for a step only if it has a colon, so the last
//! line has none.

use std::fmt::Write as _;

/// The name of the line that says which marks a file has, and the mark of its end.
const MARKS: &str = "marks";
const END: &str = "end";

/// How a file says that it is whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// The run came to its end.
    Whole,
    /// Somebody stopped the run before its end.
    Stopped,
}

impl Ending {
    const ALL: [Self; 2] = [Self::Whole, Self::Stopped];

    const fn name(self) -> &'static str {
        match self {
            Self::Whole => END,
            Self::Stopped => "stopped",
        }
    }

    /// Whether a line before `solution=` announces that there is a last line.
    pub fn is_announced_by(name: &str, marks: &str) -> bool {
        name == MARKS && marks.split(',').any(|mark| mark.trim() == END)
    }

    /// Announces that there is a last line.
    pub fn announce(text: &mut String) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{MARKS}={END}");
    }

    /// Writes the last line of a run of so many ticks.
    pub fn write(self, text: &mut String, ticks: u64) {
        let _ = writeln!(text, "{}={ticks}", self.name());
    }

    /// How a file ends that has this line, and the number of ticks as it stands there. None if it
    /// is no last line.
    pub fn of(line: &str) -> Option<(Self, &str)> {
        let (name, ticks) = line.split_once('=')?;
        let ending = Self::ALL.into_iter().find(|ending| ending.name() == name)?;
        Some((ending, ticks))
    }
}
