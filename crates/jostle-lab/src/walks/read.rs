//! The results of a sweep of walks, all together.

use std::collections::BTreeMap;
use std::path::Path;

use jostle::formats::{quoted, shown_path};
use jostle::planners::Recipe;
use jostle::search::Lrta;
use parquet::data_type::{BoolType, ByteArrayType, DoubleType, FloatType, Int32Type};

use super::facts::{Facts, fingerprint_of};
use super::file::{WalkFile, opened};
use crate::record::Identity;
use crate::{LabError, grouped};

/// How all settings have solved all problems.
#[derive(Clone, PartialEq, Debug)]
pub struct Walks {
    /// The maps, in the order of their names.
    pub maps: Vec<WalkedMap>,
    /// The problems, map by map.
    pub problems: Vec<WalkedProblem>,
    /// The settings.
    pub settings: Vec<Lrta>,
    /// A walk that is so many times as long as the shortest path, or longer, or does not arrive, counts as just that.
    pub longest: f64,
    /// The suboptimality of each setting on each problem, one setting after the other.
    suboptimality: Vec<f32>,
}

/// A map on which settings have walked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WalkedMap {
    /// Its name.
    pub name: String,
    /// Its [fingerprint](crate::NamedMap::fingerprint), in 16 hexadecimal digits.
    pub fingerprint: String,
    /// Free names for it, as the spec gives them.
    pub labels: BTreeMap<String, String>,
}

/// A problem that all settings have solved.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WalkedProblem {
    /// The index of its map.
    pub map: usize,
    /// Column and row of the start.
    pub start: (u32, u32),
    /// Column and row of the goal.
    pub goal: (u32, u32),
    /// The length of the shortest path, in cells.
    pub shortest: f64,
}

impl Walks {
    /// How many times as long as the shortest path the walks of a setting are, for all problems.
    ///
    /// # Panics
    /// When there is no setting of that number.
    pub fn costs(&self, setting: usize) -> &[f32] {
        let problems = self.problems.len();
        &self.suboptimality[setting * problems..(setting + 1) * problems]
    }
}

/// Reads the results of a sweep of walks from its folder.
///
/// # Errors
/// When there are none, some are missing or damaged, or they do not belong together.
pub fn read(folder: &Path) -> Result<Walks, LabError> {
    let files = opened(folder)?;
    check_completeness(folder, &files)?;
    let first = &files[0];
    let settings = settings_of(first)?;
    let mut walks = Walks {
        maps: Vec::new(),
        problems: Vec::new(),
        settings,
        longest: first.facts.longest,
        suboptimality: Vec::new(),
    };
    let all: usize = files.iter().map(|file| file.facts.count).sum();
    walks.suboptimality.resize(all * walks.settings.len(), 0.0);
    for file in &files {
        walks.add(file, all)?;
    }
    Ok(walks)
}

impl Walks {
    /// Adds the problems of a file, of `all`.
    fn add(&mut self, file: &WalkFile, all: usize) -> Result<(), LabError> {
        let Facts { map, map_fingerprint, labels, settings, first, .. } = &file.facts;
        if self.maps.last().is_none_or(|last| last.name != *map) {
            let (name, fingerprint) = (map.clone(), map_fingerprint.clone());
            self.maps.push(WalkedMap { name, fingerprint, labels: labels.clone() });
        }
        let [numbers, start_x, start_y, goal_x, goal_y, order] =
            ["problem", "start_x", "start_y", "goal_x", "goal_y", "setting"]
                .map(|name| file.column::<Int32Type>(name));
        let (numbers, order) = (numbers?, order?);
        let in_order = |row: usize| {
            (numbers[row] as usize, order[row] as usize) == (first + row / settings, row % settings)
        };
        if !(0..numbers.len()).all(in_order) {
            return Err(file.wrong("its rows are not in the order in which Jostle writes them"));
        }
        let (start_x, start_y, goal_x, goal_y) = (start_x?, start_y?, goal_x?, goal_y?);
        let shortest = file.column::<DoubleType>("shortest")?;
        let suboptimality = file.column::<FloatType>("suboptimality")?;
        let within = 1.0..=self.longest as f32;
        if !suboptimality.iter().all(|times| within.contains(times)) {
            return Err(file.wrong("a suboptimality is below 1 or above what a walk can have"));
        }
        let before = self.problems.len();
        for (number, times) in suboptimality.chunks_exact(*settings).enumerate() {
            let row = number * settings;
            let position = |x: &[i32], y: &[i32]| (x[row] as u32, y[row] as u32);
            self.problems.push(WalkedProblem {
                map: self.maps.len() - 1,
                start: position(&start_x, &start_y),
                goal: position(&goal_x, &goal_y),
                shortest: shortest[row],
            });
            for (setting, &times) in times.iter().enumerate() {
                self.suboptimality[setting * all + before + number] = times;
            }
        }
        Ok(())
    }
}

/// Checks that the files have the same settings, and all problems of their maps; and all walks of the sweep, if the folder says how
/// many those are.
fn check_completeness(folder: &Path, files: &[WalkFile]) -> Result<(), LabError> {
    let again = "`jostle sweep` with the spec makes them";
    let mut next = 0;
    for (number, file) in files.iter().enumerate() {
        let (facts, first) = (&file.facts, &files[0].facts);
        let is_alike = facts.settings_fingerprint == first.settings_fingerprint
            && facts.settings == first.settings
            && facts.longest.to_bits() == first.longest.to_bits();
        if !is_alike {
            let other = shown_path(&files[0].path);
            return Err(file.wrong(&format!(
                "its walks have other settings or another longest than those of {other}, so they do not belong together"
            )));
        }
        let map = quoted(&facts.map);
        let before = number.checked_sub(1).map(|before| &files[before].facts);
        if let Some(before) = before.filter(|before| before.map == facts.map) {
            let versions = (&before.map_fingerprint, &before.problems)
                == (&facts.map_fingerprint, &facts.problems);
            if !versions {
                return Err(file.wrong(&format!(
                    "its walks were made on another version of the map {map} or of its problems than others in this folder"
                )));
            }
        } else {
            next = 0;
        }
        let is_last = files.get(number + 1).is_none_or(|after| after.facts.map != facts.map);
        let has_gap =
            facts.first != next || (is_last && facts.first + facts.count != facts.problems.all);
        if has_gap {
            let folder = shown_path(folder);
            return Err(LabError::input(format!(
                "{folder}: walks on {map} are missing or there twice, {} problems should be there: {again}",
                grouped(facts.problems.all as u64)
            )));
        }
        next = facts.first + facts.count;
    }
    let there: usize = files.iter().map(|file| file.facts.walks()).sum();
    match Identity::read(folder)? {
        Some(identity) if identity.runs > there => Err(LabError::input(format!(
            "{}: {} of {} walks are missing: {again}",
            shown_path(folder),
            grouped((identity.runs - there) as u64),
            grouped(identity.runs as u64),
        ))),
        _ => Ok(()),
    }
}

/// The settings of a file: those of its first problem.
fn settings_of(file: &WalkFile) -> Result<Vec<Lrta>, LabError> {
    let [w, wc, b] = ["w", "wc", "b"].map(|name| file.column::<DoubleType>(name));
    let (w, wc, b) = (w?, wc?, b?);
    let [da, expendable] = ["da", "expendable"].map(|name| file.column::<BoolType>(name));
    let (da, expendable) = (da?, expendable?);
    let lop = file.column::<ByteArrayType>("lop")?;
    let mut settings = Vec::with_capacity(file.facts.settings);
    for row in 0..file.facts.settings {
        let (da, expendable) = (da[row], expendable[row]);
        let mut setting =
            Lrta { w: w[row], wc: wc[row], b: b[row], da, expendable, ..Lrta::default() };
        let name = lop[row].as_utf8().unwrap_or_default();
        for field in setting.fields().iter_mut().filter(|field| field.name == "lop") {
            field
                .value
                .set(name)
                .map_err(|_| file.wrong(&format!("{} is not a way of learning", quoted(name))))?;
        }
        settings.push(setting);
    }
    if fingerprint_of(&settings) != file.facts.settings_fingerprint {
        return Err(file.wrong("its settings are not those that it says it has"));
    }
    Ok(settings)
}
