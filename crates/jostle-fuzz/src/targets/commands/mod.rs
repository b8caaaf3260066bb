//! Random command lines, each run as a process in a folder of its own: a documented exit code, no panic, no input
//! changed, and no file where none was asked for.

mod folder;
mod words;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::dice::Dice;
use crate::fault::{Fault, ensure};
use crate::process;
use crate::target::{Effort, Target};
use folder::Folder;

/// Random command lines.
#[derive(Debug)]
pub struct Commands {
    jostle: PathBuf,
}

impl Commands {
    /// Runs this program.
    pub const fn new(jostle: PathBuf) -> Self {
        Self { jostle }
    }
}

/// The words after `jostle`.
#[derive(Debug, Serialize, Deserialize)]
pub struct CommandLine {
    words: Vec<String>,
}

impl Target for Commands {
    type Case = CommandLine;

    fn name(&self) -> &'static str {
        "commands"
    }

    fn about(&self) -> &'static str {
        "random command lines, run as processes with limits on time and memory"
    }

    fn usual_cases(&self) -> u64 {
        1_200
    }

    fn draw(&self, _: u64, dice: &mut Dice) -> CommandLine {
        CommandLine { words: words::draw(dice) }
    }

    fn run(&self, case: &CommandLine, _: &mut Effort) -> Result<(), Fault> {
        let words = &case.words;
        // Without a command it shows a demonstration, which takes seconds.
        if words.is_empty() {
            return Ok(());
        }
        let folder = Folder::new().map_err(|error| Fault::new("no folder", error))?;
        let output = process::run(&self.jostle, folder.path(), words)?;
        let said = String::from_utf8_lossy(&output.stderr);
        let is_obeyed = |letter: char| letter.is_control() && !"\n\t".contains(letter);
        ensure(!said.contains(is_obeyed), "an error has control characters", || {
            said.escape_debug().to_string()
        })?;
        folder.check(words)
    }
}
