//! Reading all records of a folder, for exports and reports.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

use jostle::formats::{STANDARD_INPUT, shown_path};

use super::versions::Versions;
use super::{Identity, Record, read_file, record_files};
use crate::LabError;
use crate::rules::RulesText;

/// The records of a folder.
#[derive(Debug)]
pub struct Records {
    /// Every run once, sorted by what was run.
    pub records: Vec<Record>,
    /// Notes about records that were left out.
    pub notes: Vec<String>,
}

impl Records {
    /// Reads all records of a folder or of one file.
    ///
    /// # Errors
    /// As [`read_records`].
    pub fn read(path: &Path) -> Result<Self, LabError> {
        let mut records = Vec::new();
        let notes = read_records(path, |record| records.push(record))?;
        records.sort_by(|a, b| order(a).cmp(&order(b)));
        Ok(Self { records, notes })
    }
}

/// Reads all records of a folder (`records*.jsonl`) or of one file, whether sweeps or `jostle run --json` wrote
/// them, whichever machines or shards they come from. A run that was recorded twice is visited once, and a
/// torn last line not at all: its sweep may be at work, or be resumed. Returns notes about these.
///
/// # Errors
/// When there are no records, a line is not a record (file, line and reason), or records do not belong together: they
/// were made on different versions of a map, or some of them for a spec that is not the folder's nor one that it extends.
pub fn read_records(path: &Path, mut take: impl FnMut(Record)) -> Result<Vec<String>, LabError> {
    let (mut notes, mut seen, mut twice) = (Vec::new(), HashMap::new(), 0);
    let mut contradictions = Contradictions::default();
    let identity = if is_folder(path) { Identity::read(path)? } else { None };
    let (mut versions, mut foreign) = (Versions::default(), None);
    let files = files(path)?;
    for (number, file) in files.iter().enumerate() {
        let tail = read_file(file, |line, record| {
            let record = record.map_err(|damage| {
                let is_of_a_sweep = damage.is_of_a_sweep() || identity.is_some();
                let hint = if is_of_a_sweep { "; `jostle sweep` makes its run again" } else { "" };
                LabError::input(format!("{}{hint}", damage.describe(file, line)))
            })?;
            versions.add(file, line, &record)?;
            if let (Some(identity), Some(spec)) = (&identity, &record.spec)
                && identity.spec_of(spec).is_none()
            {
                foreign.get_or_insert_with(|| {
                    let (file, name) = (shown_path(file), &identity.name);
                    let reason = "was made for another spec than that of this folder";
                    format!(
                        "{file}: line {}: this run {reason} ({name}), and not for one that it extends",
                        line.number
                    )
                });
            }
            let result = record.reproducible();
            match seen.entry(record.name()) {
                Entry::Vacant(entry) => {
                    entry.insert((number, line.number, result));
                    take(record);
                }
                Entry::Occupied(entry) => {
                    twice += 1;
                    let &(earlier, earlier_line, before) = entry.get();
                    if result != before {
                        contradictions.add((&files[earlier], earlier_line), (file, line.number));
                    }
                }
            }
            Ok(())
        })?;
        if tail.torn.is_some() {
            let name = shown_path(file);
            notes.push(format!(
                "{name}: the last record is torn, as a crash leaves it, and left out"
            ));
        }
    }
    // Not at once, because another version of a map is the better reason.
    if let Some(reason) = foreign {
        return Err(LabError::input(reason));
    }
    if seen.is_empty() {
        let reason = if notes.is_empty() { "the records are empty" } else { "no record is whole" };
        return Err(LabError::input(format!("{}: {reason}", shown_path(path))));
    }
    match twice {
        0 => {}
        1 => notes.push("1 record was there twice and counts once".to_owned()),
        more => notes.push(format!("{more} records were there twice and count once")),
    }
    notes.extend(contradictions.note());
    Ok(notes)
}

/// Records of one run that do not tell the same.
#[derive(Default)]
struct Contradictions {
    /// What is said about the first.
    first: Option<String>,
    count: usize,
}

impl Contradictions {
    /// Two records of one run differ: the file and the line of each.
    fn add(&mut self, (first, line): (&Path, usize), (second, other): (&Path, usize)) {
        self.count += 1;
        self.first.get_or_insert_with(|| {
            let [first, second] = [first, second].map(shown_path);
            format!("{second}: line {other}: this run is also in {first}, line {line}, and the results differ: those of the first count")
        });
    }

    /// A sentence about them, if there are any.
    fn note(self) -> Option<String> {
        let more = match self.count {
            0 | 1 => String::new(),
            2 => "; and so for 1 more run".to_owned(),
            count => format!("; and so for {} more runs", count - 1),
        };
        self.first.map(|first| first + &more)
    }
}

/// Whether a name is that of a folder. `-` never is.
fn is_folder(path: &Path) -> bool {
    path.as_os_str() != STANDARD_INPUT && path.is_dir()
}

fn files(path: &Path) -> Result<Vec<PathBuf>, LabError> {
    let wrong = |reason: &str| LabError::input(format!("{}: {reason}", shown_path(path)));
    if !is_folder(path) {
        // A file, or a pipe.
        let is_there = path.as_os_str() == STANDARD_INPUT || path.symlink_metadata().is_ok();
        let none = || wrong("there is no such folder or file");
        return if is_there { Ok(vec![path.to_owned()]) } else { Err(none()) };
    }
    let files = record_files(path)?;
    if files.is_empty() {
        let hint = "`jostle sweep` writes them, and so does `jostle run --json > records.jsonl`";
        return Err(wrong(&format!("there are no records*.jsonl in this folder; {hint}")));
    }
    Ok(files)
}

/// An order that does not depend on which run was done first.
fn order(record: &Record) -> impl Ord {
    let Record { map, kind, agents, seed, scen, key, fingerprint, .. } = record;
    let contestant = record.contestant();
    let kind = kind.map(crate::ProblemKind::name);
    let rules = record.rules().key();
    (
        map,
        kind,
        agents,
        seed,
        scen,
        contestant,
        key,
        super::AsText::text(&record.limit),
        rules,
        fingerprint,
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::testing::{OLD_LINE, line, sample};
    use super::*;

    fn write(folder: &Path, name: &str, records: &[&Record], tail: &str) {
        let lines = records.iter().map(|record| serde_json::to_string(record).unwrap() + "\n");
        fs::write(folder.join(name), lines.collect::<String>() + tail).unwrap();
    }

    #[test]
    fn shards_are_read_together_and_every_run_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let [a, b, c] = [9, 30, 100].map(sample);
        write(folder, "records-1-of-2.jsonl", &[&c, &a], "");
        write(folder, "records-2-of-2.jsonl", &[&b, &a], "{\"key\":\"ca");
        write(folder, "other.jsonl", &[], "nothing of ours");
        let read = Records::read(folder).unwrap();
        assert_eq!(read.records, [a, b, c]);
        let file = shown_path(folder.join("records-2-of-2.jsonl"));
        let torn = format!("{file}: the last record is torn, as a crash leaves it, and left out");
        assert_eq!(read.notes, [torn.as_str(), "1 record was there twice and counts once"]);
    }

    #[test]
    fn two_records_of_one_run_with_different_results_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let first = sample(9);
        let slower = Record { seconds: first.seconds + 1.0, ..first.clone() };
        write(folder, "records-1-of-2.jsonl", &[&first, &slower], "");
        assert_eq!(
            Records::read(folder).unwrap().notes,
            ["1 record was there twice and counts once"]
        );
        let other = Record { ticks: first.ticks - 1, ..first.clone() };
        write(folder, "records-2-of-2.jsonl", &[&other], "");
        let read = Records::read(folder).unwrap();
        assert_eq!(read.records, [first]);
        let expected = "records-2-of-2.jsonl: line 1: this run is also in ";
        assert!(read.notes[1].contains(expected), "{:?}", read.notes);
        assert!(read.notes[1].contains("records-1-of-2.jsonl, line 1, and the results differ"));
    }

    #[test]
    fn records_made_on_different_versions_of_a_map_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let [a, b] = [9, 30].map(sample);
        let stale = Record { map_fingerprint: Some("0".repeat(16)), ..b.clone() };
        write(folder, "records-1-of-2.jsonl", &[&a], "");
        write(folder, "records-2-of-2.jsonl", &[&a, &stale], "");
        let error = Records::read(folder).unwrap_err().to_string();
        for part in [
            "records-1-of-2.jsonl (line 1) and ",
            "records-2-of-2.jsonl (line 2) were made on different versions of the map 'cave:32x24:seed=1'",
        ] {
            assert!(error.contains(part), "{error}");
        }
        // Records of before do not say.
        let before = Record { map_fingerprint: None, ..b };
        write(folder, "records-2-of-2.jsonl", &[&a, &before], "");
        assert_eq!(Records::read(folder).unwrap().records.len(), 2);
    }

    #[test]
    fn records_of_another_spec_than_that_of_the_folder_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let other = Record { spec: Some("fedcba9876543210".to_owned()), ..sample(30) };
        write(folder, "records.jsonl", &[&sample(9), &other], "");
        let identity = |extends: &str| {
            let known =
                "\"name\":\"doors\",\"fingerprint\":\"0123456789abcdef\",\"runs\":2,\"spec\":\"\"";
            fs::write(folder.join("sweep.json"), format!("{{{known},\"extends\":[{extends}]}}"))
                .unwrap();
        };
        identity("");
        let error = Records::read(folder).unwrap_err().to_string();
        let expected = "records.jsonl: line 2: this run was made for another spec than that of this folder (doors)";
        assert!(error.contains(expected), "{error}");
        identity("{\"fingerprint\":\"fedcba9876543210\",\"spec\":\"\"}");
        assert_eq!(Records::read(folder).unwrap().records.len(), 2);
    }

    #[test]
    fn runs_without_keys_are_the_same_if_all_agents_stood_on_the_same_cells() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.jsonl");
        let other = line(&[("\"fingerprint\":\"f\"", "\"fingerprint\":\"g\"")]);
        let rules = line(&[("\"neighbours\":8", "\"neighbours\":8,\"corners\":\"one\"")]);
        fs::write(&path, format!("{OLD_LINE}\n{other}\n{OLD_LINE}\n{rules}\n")).unwrap();
        assert_eq!(Records::read(&path).unwrap().records.len(), 3);
    }

    #[test]
    fn a_line_without_rules_is_of_a_run_under_the_default_rules() {
        let record: Record = serde_json::from_str(OLD_LINE).unwrap();
        assert_eq!(record.rules(), jostle::Rules::default());
        assert_eq!((record.commit, record.key), (None, None));
    }

    #[test]
    fn a_folder_without_records_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let error = |name: &str| Records::read(&folder.path().join(name)).unwrap_err().to_string();
        assert!(error("").contains("there are no records*.jsonl in this folder"));
        assert!(error("none").ends_with("none: there is no such folder or file"));
        fs::write(folder.path().join("records.jsonl"), "\n").unwrap();
        assert!(error("").ends_with("the records are empty"));
        fs::write(folder.path().join("records.jsonl"), &OLD_LINE[..99]).unwrap();
        assert!(error("").ends_with("no record is whole"));
    }
}
