//! Sweeps that are killed at random moments and resumed: at the end every record is there, once, and says the same as
//! in a sweep that was left alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use jostle_lab::Records;
use serde::{Deserialize, Serialize};

use crate::dice::Dice;
use crate::fault::{Fault, ensure};
use crate::process;
use crate::target::{Effort, Target};

/// Sweeps that are killed and resumed.
#[derive(Debug)]
pub struct Sweeps {
    jostle: PathBuf,
}

impl Sweeps {
    /// Runs this program.
    pub const fn new(jostle: PathBuf) -> Self {
        Self { jostle }
    }
}

/// A small sweep, and when it is killed.
#[derive(Debug, Serialize, Deserialize)]
pub struct KilledSweep {
    seeds: u32,
    agents: u32,
    threads: u32,
    /// Microseconds after which each attempt is killed.
    kills: Vec<u32>,
}

/// How many planners each instance is run with.
const PLANNERS: usize = 3;

impl Target for Sweeps {
    type Case = KilledSweep;

    fn name(&self) -> &'static str {
        "sweeps"
    }

    fn about(&self) -> &'static str {
        "sweeps killed at random moments and resumed: every record is there once"
    }

    fn usual_cases(&self) -> u64 {
        60
    }

    fn draw(&self, _: u64, dice: &mut Dice) -> KilledSweep {
        let kills = (0..dice.between(1, 6)).map(|_| dice.between(0, 60_000)).collect();
        KilledSweep {
            seeds: dice.between(1, 20),
            agents: dice.between(1, 40),
            threads: dice.between(1, 3),
            kills,
        }
    }

    fn run(&self, case: &KilledSweep, _: &mut Effort) -> Result<(), Fault> {
        let cannot = |error: std::io::Error| Fault::new("no folder", error.to_string());
        let folder = tempfile::tempdir().map_err(cannot)?;
        let KilledSweep { seeds, agents, threads, kills } = case;
        let (seeds, agents) = ((*seeds).max(1), (*agents).clamp(1, 100));
        let spec = format!(
            "[[sweep]]\nmaps = [\"cave:24x20\"]\nagents = {agents}\nseeds = \"1-{seeds}\"\n\
             planners = [\"jostle\", \"bmaa\", \"pibt\"]\nlimits = [\"60steps\"]\n"
        );
        fs::write(folder.path().join("spec.toml"), spec).map_err(cannot)?;
        let threads = (*threads).max(1).to_string();
        let words = |out| ["sweep", "spec.toml", "--out", out, "--threads", &threads];
        for after in kills {
            self.kill(folder.path(), &words("killed"), Duration::from_micros((*after).into()))?;
        }
        for out in ["killed", "whole"] {
            let output = process::run(&self.jostle, folder.path(), &words(out))?;
            let said = String::from_utf8_lossy(&output.stderr);
            ensure(output.status.success(), "a killed sweep cannot be resumed", || {
                format!("{out}: {said}")
            })?;
        }
        let (killed, whole) =
            (read(&folder.path().join("killed"))?, read(&folder.path().join("whole"))?);
        let expected = seeds as usize * PLANNERS;
        ensure(whole.len() == expected, "a sweep does not have all records", || {
            format!("{} of {expected}", whole.len())
        })?;
        ensure(killed == whole, "a killed sweep has other records", || {
            format!("{} and {}", killed.len(), whole.len())
        })
    }
}

impl Sweeps {
    /// Begins or resumes the sweep, and kills it.
    fn kill(&self, folder: &Path, words: &[&str], after: Duration) -> Result<(), Fault> {
        let cannot = |error: std::io::Error| Fault::new("a process", error.to_string());
        // Without the shell and the timer around it, which would be killed in its place.
        let mut child = std::process::Command::new(&self.jostle)
            .args(words)
            .current_dir(folder)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .map_err(cannot)?;
        thread::sleep(after);
        child.kill().and_then(|()| child.wait()).map_err(cannot)?;
        Ok(())
    }
}

/// The fingerprints of all runs of a folder by their keys; a run that is recorded twice is a fault.
fn read(folder: &Path) -> Result<BTreeMap<String, String>, Fault> {
    let records = Records::read(folder).map_err(|error| {
        Fault::new("the records of a killed sweep are damaged", error.to_string())
    })?;
    ensure(records.notes.is_empty(), "a killed sweep has odd records", || {
        records.notes.join("; ")
    })?;
    let pair = |record: jostle_lab::Record| (record.key.unwrap_or_default(), record.fingerprint);
    Ok(records.records.into_iter().map(pair).collect())
}
