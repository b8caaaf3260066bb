//! The records of a sweep, for those who make something of them.

use std::collections::HashSet;
use std::path::Path;

use super::Entry;
use super::lines::{read_lines, record_files};
use crate::LabError;

/// What a folder holds.
#[derive(Debug)]
pub struct Entries {
    /// Every run once, sorted by what was run.
    pub entries: Vec<Entry>,
    /// What is worth saying about how they were found.
    pub notes: Vec<String>,
}

/// Reads all records of a folder, whichever machines or shares they come from. A run that was recorded
/// twice counts once, and a torn last line not at all: its sweep may be at work, or go on.
///
/// # Errors
/// When the folder holds no records, or a line that is not the last is no record.
pub fn read_entries(folder: &Path) -> Result<Entries, LabError> {
    let (mut entries, mut notes): (Vec<Entry>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut keys, mut twice) = (HashSet::new(), 0);
    for path in record_files(folder)? {
        let tail = read_lines(&path, |_, entry: Entry| {
            if keys.insert(entry.key.clone()) {
                entries.push(entry);
            } else {
                twice += 1;
            }
            Ok(())
        })?;
        if !tail.torn.is_empty() {
            notes.push(format!("{}: the last record is torn and not counted", path.display()));
        }
    }
    if twice > 0 {
        notes.push(format!("{twice} runs were recorded more than once and count once"));
    }
    if entries.is_empty() {
        let reason = "there are no records here: `jostle sweep` writes them";
        return Err(LabError::input(format!("{}: {reason}", folder.display())));
    }
    entries.sort_by(|a, b| order(a).cmp(&order(b)));
    Ok(Entries { entries, notes })
}

/// An order that does not depend on which run was done first.
fn order(entry: &Entry) -> impl Ord {
    let record = &entry.record;
    let texts = (&record.map, &record.kind, &record.planner, &entry.key);
    (texts.0, texts.1, record.agents, record.seed, texts.2, texts.3)
}

#[cfg(test)]
mod tests {
    use super::super::entry::sample;
    use super::*;

    fn write(folder: &Path, name: &str, entries: &[&Entry], tail: &str) {
        let lines = entries.iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n");
        std::fs::write(folder.join(name), lines.collect::<String>() + tail).unwrap();
    }

    #[test]
    fn shares_are_read_together_and_every_run_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let [a, b, c] = [9, 30, 100].map(sample);
        write(folder, "records-1-of-2.jsonl", &[&c, &a], "");
        write(folder, "records-2-of-2.jsonl", &[&b, &a], "{\"key\":\"ca");
        write(folder, "other.jsonl", &[], "nothing of ours");
        let read = read_entries(folder).unwrap();
        assert_eq!(read.entries, [a, b, c]);
        assert_eq!(read.notes.len(), 2, "{:?}", read.notes);
    }

    #[test]
    fn a_folder_without_records_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let error = read_entries(folder.path()).unwrap_err().to_string();
        assert!(error.contains("there are no records here"), "{error}");
        assert!(read_entries(&folder.path().join("none")).is_err());
    }
}
