//! Everything that Jostle reads, in mutated form: reading never panics, what is refused gets a short sentence, and
//! what is accepted survives being written and read.

mod mutate;
mod readers;
mod samples;

use serde::{Deserialize, Serialize};

use crate::dice::Dice;
use crate::fault::{Fault, ensure};
use crate::target::{Effort, Target};

/// The longest error, in characters, without the name of the file: a reason of 300, and the place before it.
const LONGEST_ERROR: usize = 360;

/// Mutated files and arguments.
#[derive(Debug)]
pub struct Files;

/// What is read.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Format {
    Map,
    Scenario,
    Script,
    Paths,
    SweepSpec,
    Records,
    Planner,
    Numbers,
    Limits,
    MapName,
    Shard,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Map,
        Self::Scenario,
        Self::Script,
        Self::Paths,
        Self::SweepSpec,
        Self::Records,
        Self::Planner,
        Self::Numbers,
        Self::Limits,
        Self::MapName,
        Self::Shard,
    ];
}

/// A text in some format.
#[derive(Debug, Serialize, Deserialize)]
pub struct Mutant {
    format: Format,
    /// Each character is the byte with that number, so that any bytes can be written down.
    bytes: String,
}

impl Mutant {
    fn bytes(&self) -> Vec<u8> {
        self.bytes.chars().map(|letter| letter as u8).collect()
    }
}

impl Target for Files {
    type Case = Mutant;

    fn name(&self) -> &'static str {
        "files"
    }

    fn about(&self) -> &'static str {
        "mutated maps, scenarios, scripts, path files, specs, records and arguments"
    }

    fn usual_cases(&self) -> u64 {
        100_000
    }

    fn draw(&self, index: u64, dice: &mut Dice) -> Mutant {
        let format = Format::ALL[(index % Format::ALL.len() as u64) as usize];
        let mut bytes = samples::sample(format, dice).into_bytes();
        for _ in 0..dice.between(0, 5) {
            let other = samples::sample(*dice.pick(&Format::ALL), dice);
            mutate::mutate(&mut bytes, other.as_bytes(), dice);
        }
        Mutant { format, bytes: bytes.into_iter().map(char::from).collect() }
    }

    fn run(&self, case: &Mutant, _: &mut Effort) -> Result<(), Fault> {
        read(case.format, &case.bytes())
    }
}

/// Reads bytes in a format.
///
/// # Errors
/// When an error is not a short sentence, or what was accepted does not survive being written and read.
pub fn read(format: Format, bytes: &[u8]) -> Result<(), Fault> {
    let kind = |what: &str| format!("{format:?}: {what}");
    match readers::read_and_write(format, bytes) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(sentence)) => {
            let is_plain = !sentence.chars().any(char::is_control);
            ensure(is_plain, &kind("an error has control characters"), || {
                sentence.escape_debug().to_string()
            })?;
            let length = sentence.chars().count();
            // The name of a map may be that of a file, which is shown whole.
            let is_short = length <= LONGEST_ERROR || format == Format::MapName;
            ensure(is_short, &kind("an error is too long"), || {
                format!("{length} characters: {sentence:.100}...")
            })?;
            ensure(!sentence.trim().is_empty(), &kind("an error is empty"), String::new)
        }
        Err(what) => Err(Fault::new(kind("what was read is not what was written"), what)),
    }
}
