//! The batches of a sweep of walks.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jostle::formats::{quoted, read_scenario, shown_path};
use jostle::grid::{Components, Exits};
use jostle::instance::{DrawError, Task, draw_single};
use jostle::search::Lrta;
use jostle::{Grid, Rules};

use super::facts::{Facts, ProblemFacts};
use super::spec::{Problems, WalkSpec};
use crate::fingerprint::fingerprint;
use crate::sweep::plan::find_map;
use crate::{LabError, NamedMap};

/// About how many walks a batch has at most: as many as a killed sweep may lose for each thread.
const WALKS: usize = 100_000;

/// What a sweep of walks does: batch by batch, in the order of the spec.
#[derive(Debug)]
pub struct WalkPlan {
    /// The name of the experiment.
    pub name: String,
    /// The same for two plans only if they ask for the same walks on the same maps.
    pub fingerprint: String,
    /// The settings, all of which walk in every batch.
    pub settings: Vec<Lrta>,
    /// The batches.
    pub batches: Vec<Batch>,
}

/// Some problems of one map.
#[derive(Debug)]
pub struct Batch {
    /// What its file says about itself.
    pub facts: Facts,
    floor: Arc<Floor>,
    /// The file of its map; none if it is built in.
    file: Option<PathBuf>,
}

/// A map that is read again when its turn comes: a plan does not keep all maps in memory.
#[derive(Debug)]
struct Floor {
    /// The name of the map in the spec.
    text: String,
    /// Where maps are looked for.
    folders: [Option<PathBuf>; 2],
    problems: Problems,
}

impl WalkPlan {
    /// Lists all batches. Maps are looked for beside the spec and in `maps`.
    ///
    /// # Errors
    /// When a map or a file of problems is missing or wrong.
    pub fn of(spec: &WalkSpec, maps: Option<&Path>) -> Result<Self, LabError> {
        let mut seen = HashSet::new();
        let mut batches = Vec::new();
        let folders = [Some(spec.folder.as_path()), maps];
        for table in &spec.tables {
            for (pattern, place) in &table.maps {
                let at_place = |error: LabError| LabError::input(format!("{place}: {error}"));
                for text in names_of(&folders, pattern).map_err(at_place)? {
                    let folders = folders.map(|folder| folder.map(Path::to_owned));
                    let floor = Floor { text, folders, problems: table.problems };
                    let (map, tasks) = floor.read().map_err(at_place)?;
                    if !seen.insert(map.name.clone()) {
                        let reason = "this spec has a map of this name already";
                        let name = shown_path(&map.name);
                        return Err(at_place(LabError::input(format!("{name}: {reason}"))));
                    }
                    let problems = floor.facts(&map, tasks.as_deref()).map_err(at_place)?;
                    let floor_mark = format!("{:016x}", map.fingerprint());
                    let mark = (map.name.as_str(), floor_mark.as_str());
                    let facts =
                        Facts::of_map(mark, &table.labels, problems, &spec.settings, spec.longest);
                    batches.extend(split(&facts, &Arc::new(floor), map.file.as_deref()));
                }
            }
        }
        let fingerprint = fingerprint_of(&batches);
        let (name, settings) = (spec.name.clone(), spec.settings.clone());
        Ok(Self { name, fingerprint, settings, batches })
    }

    /// How many walks it has.
    pub fn walks(&self) -> usize {
        self.batches.iter().map(|batch| batch.facts.walks()).sum()
    }
}

/// The problems of a map, a batch after the other.
fn split<'a>(
    all: &'a Facts,
    floor: &'a Arc<Floor>,
    file: Option<&'a Path>,
) -> impl Iterator<Item = Batch> + 'a {
    let size = (WALKS / all.settings).max(1);
    (0..all.problems.all).step_by(size).map(move |first| {
        let count = size.min(all.problems.all - first);
        let facts = Facts { first, count, ..all.clone() };
        Batch { facts, floor: Arc::clone(floor), file: file.map(Path::to_owned) }
    })
}

/// The order of batches, their labels and the name of the experiment do not change it.
fn fingerprint_of(batches: &[Batch]) -> String {
    let mut marks: Vec<String> = batches
        .iter()
        .map(|Batch { facts, .. }| {
            let Facts { map, map_fingerprint, problems, first, count, .. } = facts;
            let Facts { settings_fingerprint, longest, .. } = facts;
            let ProblemFacts { seed, scenario, .. } = problems;
            format!(
                "{map} {map_fingerprint} {seed:?} {scenario:?} {first} {count} {settings_fingerprint} {longest}\n"
            )
        })
        .collect();
    marks.sort_unstable();
    format!("{:016x}", fingerprint(marks.iter().flat_map(|mark| mark.bytes())))
}

impl Batch {
    /// Reads the map, and draws or reads the problems of the batch.
    ///
    /// # Errors
    /// When the map cannot be read, or has changed since the sweep began.
    pub fn open(&self) -> Result<(Arc<Grid>, Vec<Task>), LabError> {
        let Self { facts, floor, .. } = self;
        let (map, tasks) = floor.read()?;
        let problems = floor.facts(&map, tasks.as_deref())?;
        if format!("{:016x}", map.fingerprint()) != facts.map_fingerprint
            || problems != facts.problems
        {
            let name = shown_path(&map.name);
            return Err(LabError::input(format!(
                "{name}: this map has changed since the sweep began"
            )));
        }
        let all = match (floor.problems, tasks) {
            (Problems::Drawn { count, seed }, _) => draw_single(&map.grid, count, seed)
                .map_err(|error| LabError::input(format!("{}: {error}", shown_path(&map.name))))?,
            (Problems::Scenario, tasks) => tasks.unwrap_or_default(),
        };
        Ok((map.grid, all[facts.first..facts.first + facts.count].to_vec()))
    }

    /// The files it is read from: names in the spec, and paths.
    pub fn files(&self) -> Vec<(String, PathBuf)> {
        let Floor { text, problems, .. } = &*self.floor;
        let Some(path) = &self.file else { return Vec::new() };
        let scenario = match problems {
            Problems::Drawn { .. } => None,
            Problems::Scenario => Some((text.clone() + ".scen", scenario_of(path))),
        };
        [(text.clone(), path.clone())].into_iter().chain(scenario).collect()
    }
}

impl Floor {
    fn find(&self) -> Result<NamedMap, LabError> {
        let folders = [0, 1].map(|index| self.folders[index].as_deref());
        find_map(&folders, &self.text, Rules::default())
    }

    /// The map, and its problems if they are read.
    fn read(&self) -> Result<(NamedMap, Option<Vec<Task>>), LabError> {
        let map = self.find()?;
        let tasks = match self.problems {
            Problems::Drawn { .. } => None,
            Problems::Scenario => Some(read_tasks(&map)?),
        };
        Ok((map, tasks))
    }

    fn facts(&self, map: &NamedMap, tasks: Option<&[Task]>) -> Result<ProblemFacts, LabError> {
        match self.problems {
            Problems::Drawn { count, seed } => {
                let grid = &map.grid;
                if !grid.floor_cells().any(|cell| !grid.exits(cell).is_empty()) {
                    let error = DrawError::TooMany { agents: 1, room: 0 };
                    return Err(LabError::input(format!("{}: {error}", shown_path(&map.name))));
                }
                Ok(ProblemFacts { all: count, seed: Some(seed), scenario: None })
            }
            Problems::Scenario => {
                let tasks = tasks.unwrap_or_default();
                let cells = tasks.iter().flat_map(|&(start, goal)| [start, goal]);
                let bytes = cells.flat_map(|cell| (cell.index() as u32).to_le_bytes());
                let scenario = Some(format!("{:016x}", fingerprint(bytes)));
                Ok(ProblemFacts { all: tasks.len(), seed: None, scenario })
            }
        }
    }
}

/// The file of a map's problems.
fn scenario_of(map: &Path) -> PathBuf {
    let mut name = map.as_os_str().to_owned();
    name.push(".scen");
    name.into()
}

/// The problems of a map's file, without those that have nothing to walk.
fn read_tasks(map: &NamedMap) -> Result<Vec<Task>, LabError> {
    let Some(file) = &map.file else {
        let reason = "a built-in map has no scenarios: write problems = NUMBER";
        return Err(LabError::input(format!("{}: {reason}", shown_path(&map.name))));
    };
    let path = scenario_of(file);
    let (grid, components) = (&map.grid, Components::of(&map.grid));
    let mut tasks = Vec::new();
    for row in read_scenario(&path).map_err(LabError::input)?.rows {
        let wrong = |reason: String| {
            LabError::input(format!("{}: line {}: {reason}", shown_path(&path), row.line))
        };
        if row.size.is_some_and(|size| size != (grid.width(), grid.height())) {
            return Err(wrong("this problem is for a map of another size".to_owned()));
        }
        let [start, goal] = [row.start, row.goal].map(|position| grid.locate(position));
        let start = start.map_err(|error| wrong(format!("the start: {error}")))?;
        let goal = goal.map_err(|error| wrong(format!("the goal: {error}")))?;
        if start == goal || row.length <= 0.0 {
            continue;
        }
        if !components.connected(start, goal) {
            return Err(wrong("the goal cannot be reached from the start".to_owned()));
        }
        tasks.push((start, goal));
    }
    if tasks.is_empty() {
        return Err(LabError::input(format!("{}: there is nothing to walk", shown_path(&path))));
    }
    Ok(tasks)
}

/// The maps that a name stands for: all files of a folder that fit, in the order of their names, if there is a `*` in its last part.
fn names_of(folders: &[Option<&Path>; 2], text: &str) -> Result<Vec<String>, LabError> {
    let (folder, pattern) =
        text.rsplit_once('/').map_or(("", text), |(folder, last)| (folder, last));
    if folder.contains('*') {
        let reason = "only the last part of a name may have a *";
        return Err(LabError::input(format!("{}: {reason}", quoted(text))));
    }
    if !pattern.contains('*') {
        return Ok(vec![text.to_owned()]);
    }
    for place in folders.iter().flatten() {
        // A folder that is not there has no files.
        let Ok(entries) = fs::read_dir(place.join(folder)) else { continue };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| fits(pattern, name)).collect();
        if !names.is_empty() {
            names.sort_unstable();
            let full =
                |name: String| if folder.is_empty() { name } else { format!("{folder}/{name}") };
            return Ok(names.into_iter().map(full).collect());
        }
    }
    let hint = match folders[1] {
        Some(library) => format!("looked for beside the spec and in {}", shown_path(library)),
        None => "looked for beside the spec; JOSTLE_MAPS can name another folder".to_owned(),
    };
    Err(LabError::input(format!("{}: there is no such file ({hint})", quoted(text))))
}

/// Whether a name is of the form of a pattern, in which `*` stands for any letters.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            let mut ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            ends.any(|at| fits(after, &rest[at..]))
        }),
    }
}
