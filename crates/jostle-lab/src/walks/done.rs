//! The batches that a folder already holds.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use jostle::formats::{quoted, shown_path};

use super::facts::Facts;
use super::file::{WalkFile, walk_files};
use super::plan::WalkPlan;
use super::relabel::relabel;
use crate::{LabError, grouped};

/// Which batches of a plan are written, on the maps as they are, and what is wrong with other files.
#[derive(Default)]
pub struct Done {
    /// Whether each batch is there, by its number in the plan.
    pub is_written: Vec<bool>,
    /// Files that do not count, with their new ending.
    aside: Vec<(PathBuf, &'static str)>,
    /// Files whose map has other labels now, with their new facts.
    relabelled: Vec<(PathBuf, Facts)>,
    notes: Vec<String>,
    stale_maps: BTreeSet<String>,
    stale_walks: usize,
}

impl Done {
    /// Looks at all files of walks in a folder. Those of batches that are not `mine` are not repaired: others may be writing them.
    ///
    /// # Errors
    /// When a file holds walks that the plan does not ask for.
    pub fn read(folder: &Path, plan: &WalkPlan, mine: &[usize]) -> Result<Self, LabError> {
        let names = plan.batches.iter().map(|batch| batch.facts.file_name());
        let numbers: HashMap<String, usize> =
            names.enumerate().map(|(number, name)| (name, number)).collect();
        let mut done = Self { is_written: vec![false; plan.batches.len()], ..Self::default() };
        for path in walk_files(folder)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let number = numbers.get(&name).copied();
            let is_mine = number.is_none_or(|number| mine.binary_search(&number).is_ok());
            done.look_at(&path, number, is_mine, plan)?;
        }
        Ok(done)
    }

    fn look_at(
        &mut self,
        path: &Path,
        number: Option<usize>,
        is_mine: bool,
        plan: &WalkPlan,
    ) -> Result<(), LabError> {
        let facts = match WalkFile::open(path) {
            Ok(file) => file.facts,
            Err(reason) => {
                if is_mine {
                    let name = shown_path(path);
                    let again = "it now ends in .damaged, and its walks are made again";
                    self.notes.push(format!("{name}: {reason}; {again}"));
                    self.aside.push((path.to_owned(), "parquet.damaged"));
                }
                return Ok(());
            }
        };
        let wanted = number.map(|number| &plan.batches[number].facts);
        if let Some((number, wanted)) = number.zip(wanted)
            && wanted.are_the_same_walks(&facts)
        {
            self.is_written[number] = true;
            if is_mine && wanted.labels != facts.labels {
                let labels = wanted.labels.clone();
                self.relabelled.push((path.to_owned(), Facts { labels, ..facts }));
            }
            return Ok(());
        }
        let mut of_map = plan.batches.iter().map(|batch| &batch.facts);
        if !of_map.any(|batch| facts.map == batch.map && facts.are_of_another_version(batch)) {
            return Err(LabError::input(format!(
                "{}: these walks on {} are not part of the spec: its problems, settings or longest are others; choose \
                 another folder",
                shown_path(path),
                quoted(&facts.map),
            )));
        }
        if is_mine {
            self.stale_walks += facts.walks();
            self.stale_maps.insert(facts.map);
            self.aside.push((path.to_owned(), "parquet.stale"));
        }
        Ok(())
    }

    /// Renames all files that do not count, gives others their new labels, and returns notes about that.
    ///
    /// # Errors
    /// When that is impossible.
    pub fn clear(self) -> Result<Vec<String>, LabError> {
        let Self { aside, relabelled, mut notes, stale_maps, stale_walks, .. } = self;
        for (path, ending) in aside {
            fs::rename(&path, path.with_extension(ending)).map_err(|error| {
                LabError::input(format!("{}: cannot be renamed: {error}", shown_path(&path)))
            })?;
        }
        for (path, facts) in &relabelled {
            relabel(path, facts)?;
        }
        if !relabelled.is_empty() {
            let files = grouped(relabelled.len() as u64);
            notes.push(format!("{files} files now have the labels that the spec gives their maps"));
        }
        if stale_walks > 0 {
            let walks = grouped(stale_walks as u64);
            let maps: Vec<String> = stale_maps.iter().map(|map| quoted(map)).collect();
            notes.push(format!(
                "{walks} walks were made on maps that have changed since ({}); their files now end in .stale, and they are \
                 made again",
                maps.join(", ")
            ));
        }
        Ok(notes)
    }
}
