//! The runs that a folder already holds.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use jostle::formats::{quoted, shown_path};

use super::aside::{Reason, move_aside};
use super::history::History;
use super::plan::SweepPlan;
use crate::record::{Build, Line, Record, read_file};
use crate::{LabError, grouped};

/// The most damaged lines that are named one by one.
const MOST_NAMED: usize = 5;

/// Which runs of a plan are recorded, on the maps as they are.
pub struct Done<'a> {
    plan: &'a SweepPlan,
    history: &'a History<'a>,
    numbers: HashMap<&'a str, usize>,
    /// Whether each run is recorded, by its number in the plan.
    pub is_recorded: Vec<bool>,
    /// The number of records by build.
    builds: Vec<(Build, usize)>,
    /// The files that were made for another sweep, with the maps of which they know another version.
    foreign: BTreeMap<PathBuf, BTreeSet<String>>,
}

/// What is wrong with a record file.
pub struct Findings {
    path: PathBuf,
    /// The lines that do not count, in order.
    aside: Vec<(Line, Reason)>,
    /// A sentence about each damaged line.
    damage: Vec<String>,
    /// The number of stale records by map.
    stale: BTreeMap<String, usize>,
    last_is_open: bool,
}

impl<'a> Done<'a> {
    /// No run is recorded yet.
    pub fn new(plan: &'a SweepPlan, history: &'a History<'a>) -> Self {
        let keys = plan.runs.iter().map(|run| run.key.as_str());
        Self {
            plan,
            history,
            numbers: keys.enumerate().map(|(number, key)| (key, number)).collect(),
            is_recorded: vec![false; plan.runs.len()],
            builds: Vec::new(),
            foreign: BTreeMap::new(),
        }
    }

    /// Reads a record file, and returns what is wrong with it.
    ///
    /// # Errors
    /// When a line is a record, but not of a run of the plan.
    pub fn read(&mut self, path: &Path) -> Result<Findings, LabError> {
        let mut findings = Findings {
            path: path.to_owned(),
            aside: Vec::new(),
            damage: Vec::new(),
            stale: BTreeMap::new(),
            last_is_open: false,
        };
        let tail = read_file(path, |line, record| {
            let record = match record {
                Ok(record) => record,
                Err(damage) => {
                    findings.aside.push((line, Reason::Damaged));
                    findings.damage.push(damage.describe(path, line));
                    return Ok(());
                }
            };
            let wrong = |reason: String| {
                LabError::input(format!("{}: line {}: {reason}", shown_path(path), line.number))
            };
            let (Some(key), Some(spec)) = (&record.key, &record.spec) else {
                let reason = "this run has no key, so it was not made by a sweep";
                return Err(wrong(reason.to_owned()));
            };
            if !self.history.knows(spec) {
                let is_of_another_version = self.is_of_another_version(&record);
                let maps = self.foreign.entry(path.to_owned()).or_default();
                maps.extend(is_of_another_version.then_some(record.map));
                return Ok(());
            }
            if self.is_stale(&record, spec) {
                findings.aside.push((line, Reason::Stale));
                *findings.stale.entry(record.map).or_default() += 1;
                return Ok(());
            }
            let number = *self
                .numbers
                .get(key.as_str())
                .ok_or_else(|| wrong(format!("the run {key} is not part of the spec")))?;
            self.is_recorded[number] = true;
            match self.builds.iter_mut().find(|(build, _)| record.is_by(build)) {
                Some((_, count)) => *count += 1,
                None => self.builds.push((record.build(), 1)),
            }
            Ok(())
        })?;
        findings.aside.extend(tail.torn.map(|line| (line, Reason::Torn)));
        findings.last_is_open = tail.is_open;
        Ok(findings)
    }

    /// Whether the run was made on another version of its map than the one of the plan.
    fn is_of_another_version(&self, record: &Record) -> bool {
        let versions = (&record.map_fingerprint, self.plan.floors.get(&record.map));
        matches!(versions, (Some(theirs), Some(ours)) if theirs != ours)
    }

    /// Whether the run has to be made again. Records of before do not name the version of their map, but the
    /// fingerprint of their spec covers its maps.
    fn is_stale(&self, record: &Record, spec: &str) -> bool {
        // The key of a scenario's run has the fingerprint of its agents.
        let key = record.key.as_deref().unwrap_or_default();
        if record.scen.is_some()
            && !self.numbers.contains_key(key)
            && !self.history.is_current(spec)
        {
            return true;
        }
        if record.map_fingerprint.is_some() {
            return self.is_of_another_version(record);
        }
        spec != self.plan.fingerprint && !self.history.is_current(spec)
    }

    /// Refuses records that were made for another sweep.
    ///
    /// # Errors
    /// When there are any: the files, and the maps of which they know another version.
    pub fn refuse_foreign(&self, folder: &Path) -> Result<(), LabError> {
        if self.foreign.is_empty() {
            return Ok(());
        }
        let name =
            |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files = self.foreign.keys().map(name).collect::<Vec<_>>().join(", ");
        let maps: BTreeSet<&String> = self.foreign.values().flatten().collect();
        let maps = maps.into_iter().map(|map| quoted(map)).collect::<Vec<_>>().join(", ");
        let reason = if maps.is_empty() {
            "made for another spec than that of this folder, and not for one that it extends"
                .to_owned()
        } else {
            format!("made in another folder on another version of the map {maps}")
        };
        Err(LabError::input(format!(
            "{}: {files}: {reason}; put only the records of one spec on the same maps together",
            shown_path(folder)
        )))
    }

    /// A sentence about the records made by builds other than `this`, if there are any.
    pub fn other_builds(&self, this: &Build) -> Option<String> {
        let mut builds = self.builds.clone();
        builds.sort();
        let others = builds.iter().filter(|(build, _)| build != this);
        let others: Vec<String> = others
            .map(|(build, count)| format!("{build} made {}", grouped(*count as u64)))
            .collect();
        let all = grouped(builds.iter().map(|(_, count)| *count as u64).sum());
        let begin = format!("the {all} records in this folder are not all of this build, {this}");
        (!others.is_empty()).then(|| format!("{begin}: {} of them", others.join(", ")))
    }
}

/// Moves all lines that do not count out of their files, and returns notes about that.
///
/// # Errors
/// When that is impossible.
pub fn clear(findings: &[Findings]) -> Result<Vec<String>, LabError> {
    let mut notes = Vec::new();
    for Findings { path, aside, damage, last_is_open, .. } in findings {
        move_aside(path, aside, *last_is_open)?;
        let name = shown_path(path);
        let again = |reason: Reason| {
            format!("it now stands in {}, and its run is made again", reason.file_name(path))
        };
        for damage in damage.iter().take(MOST_NAMED) {
            notes.push(format!("{damage}; {}", again(Reason::Damaged)));
        }
        if damage.len() > MOST_NAMED {
            let more = grouped((damage.len() - MOST_NAMED) as u64);
            let aside = Reason::Damaged.file_name(path);
            notes.push(format!(
                "{name}: {more} more records are damaged; they now stand in {aside}"
            ));
        }
        if aside.last().is_some_and(|(_, reason)| *reason == Reason::Torn) {
            let torn = "the last record was torn by a crash";
            notes.push(format!("{name}: {torn}; {}", again(Reason::Torn)));
        }
    }
    notes.extend(stale_note(findings));
    Ok(notes)
}

/// A sentence about runs that were made on other versions of their maps: how many, on which, and in which files.
fn stale_note(findings: &[Findings]) -> Option<String> {
    let mut maps: BTreeMap<&str, usize> = BTreeMap::new();
    let mut files = Vec::new();
    for Findings { path, stale, .. } in findings.iter().filter(|file| !file.stale.is_empty()) {
        files.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        for (map, count) in stale {
            *maps.entry(map).or_default() += count;
        }
    }
    let all = grouped(maps.values().map(|&count| count as u64).sum());
    let maps: Vec<String> = maps
        .into_iter()
        .map(|(map, count)| format!("{} on {}", grouped(count as u64), quoted(map)))
        .collect();
    (!maps.is_empty()).then(|| {
        format!(
            "{all} runs in {} were made on maps that have changed since ({}); their records now stand in *.stale, and \
             they are made again",
            files.join(", "),
            maps.join(", ")
        )
    })
}
