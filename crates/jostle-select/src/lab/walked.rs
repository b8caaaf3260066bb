//! Walks of single agents: which setting of real-time heuristic search is best for which map or problem?
//!
//! All settings of the walks are candidates. Which few of them are worth choosing from depends on the problems that a selector learns from:
//! that is for a [`Menu`] to say.

use std::path::Path;
use std::sync::Arc;

use jostle::formats::{printable, shown_path};
use jostle::{Grid, Rules};
use jostle_lab::LabError;
use jostle_lab::sweep::maps_of;
use jostle_lab::walks::{self, Walks, name_of};

use super::maps::MapLibrary;
use crate::{Menu, Results, Sample, Samples};

/// What is chosen for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WalkedBy {
    /// Each problem: selectors see its start and its goal.
    Problem,
    /// A whole map: selectors see the map alone, and the cost of a setting is its mean over the problems of the map.
    Map,
}

/// What every setting of real-time heuristic search achieves on problems or maps: how many times as long as the shortest path its walks are.
#[derive(Clone, Debug)]
pub struct Walked {
    /// The problems or maps, with all settings as candidates. The best of several that cost the same is the first.
    pub samples: Samples,
    /// The settings, as planners are named.
    pub candidates: Vec<String>,
    /// The names of maps.
    pub maps: Vec<String>,
    /// What a walk counts as that is as long or longer, or does not arrive.
    pub longest: f64,
    /// The labels of each map, as names and values.
    labels: Vec<Vec<(String, String)>>,
}

impl Walked {
    /// Reads a folder of walks. Maps are looked for in `folders`, one after the other: that of the spec, and `JOSTLE_MAPS`.
    ///
    /// # Errors
    /// When it cannot be read or is not complete, or a map is not there or is another one: one sentence.
    pub fn read(folder: &Path, by: WalkedBy, folders: &[&Path]) -> Result<Self, LabError> {
        let walks = walks::read(folder)?;
        let library = MapLibrary { names: maps_of(folder)?, folders };
        let mut grids: Vec<Arc<Grid>> = Vec::new();
        for map in &walks.maps {
            let found = library.find(&map.name, Some(&map.fingerprint), Rules::default())?;
            grids.push(found.grid);
        }
        Self::of(&walks, grids, by)
    }

    fn of(walks: &Walks, grids: Vec<Arc<Grid>>, by: WalkedBy) -> Result<Self, LabError> {
        let mut results = Results::of_problems(walks.problems.len()).map_err(LabError::input)?;
        for setting in 0..walks.settings.len() {
            results.add(walks.costs(setting)).map_err(LabError::input)?;
        }
        let problems = match by {
            WalkedBy::Problem => {
                let cell = |map: usize, (x, y): (u32, u32)| {
                    let outside = || LabError::input(format!("({x}, {y}) is outside of its map"));
                    grids[map].at(x, y).ok_or_else(outside)
                };
                let sample = |problem: &walks::WalkedProblem| {
                    let map = problem.map;
                    let task = (cell(map, problem.start)?, cell(map, problem.goal)?);
                    Ok(Sample { map, tasks: vec![task] })
                };
                walks.problems.iter().map(sample).collect::<Result<_, LabError>>()?
            }
            WalkedBy::Map => {
                let map_of: Vec<usize> = walks.problems.iter().map(|problem| problem.map).collect();
                results = results.grouped(&map_of).map_err(LabError::input)?;
                (0..results.problems()).map(|map| Sample { map, tasks: Vec::new() }).collect()
            }
        };
        let best = first_of_the_best(&results);
        let map = |map: &walks::WalkedMap| map.labels.clone().into_iter().collect();
        Ok(Self {
            samples: Samples::new(grids, problems, results, best).map_err(LabError::input)?,
            candidates: walks.settings.iter().map(name_of).collect(),
            maps: walks.maps.iter().map(|map| map.name.clone()).collect(),
            longest: walks.longest,
            labels: walks.maps.iter().map(map).collect(),
        })
    }

    /// The choice of a label, for example `genre`: who chooses it gets the setting that is best on the training maps with that label.
    ///
    /// # Errors
    /// When a map has no such label, or all have the same.
    pub fn by_label(&self, label: &str) -> Result<Menu, LabError> {
        let value = |map: usize| {
            let found = self.labels[map].iter().find(|(name, _)| name == label);
            found.map(|(_, value)| value.clone()).ok_or_else(|| {
                let (map, label) = (shown_path(&self.maps[map]), printable(label, 60));
                LabError::input(format!("{map}: the walks have no label {label} for this map"))
            })
        };
        let of_maps: Vec<String> =
            (0..self.maps.len()).map(value).collect::<Result<_, LabError>>()?;
        let mut names = of_maps.clone();
        names.sort_unstable();
        names.dedup();
        if let [only] = &names[..] {
            let (label, only) = (printable(label, 60), printable(only, 60));
            return Err(LabError::input(format!("the {label} of every map is {only}")));
        }
        let number = |map: usize| names.iter().position(|name| *name == of_maps[map]).unwrap_or(0);
        let of = (0..self.samples.len()).map(|problem| number(self.samples.map(problem))).collect();
        Ok(Menu::Labels { of, names })
    }
}

/// For each problem, the first candidate that costs least.
fn first_of_the_best(results: &Results) -> Vec<usize> {
    let mut best = vec![0; results.problems()];
    let mut least = results.costs(0).to_vec();
    for candidate in 1..results.candidates() {
        for (problem, &cost) in results.costs(candidate).iter().enumerate() {
            if cost < least[problem] {
                (best[problem], least[problem]) = (candidate, cost);
            }
        }
    }
    best
}
