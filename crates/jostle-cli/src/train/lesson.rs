//! What a training learns from: the problems of results folders, and what there is to choose from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jostle::formats::quoted;
use jostle_lab::sweep::Sort;
use jostle_lab::write_limits;
use jostle_select::lab::{Columns, Crowds, CrowdsFilter, Walked, WalkedBy};
use jostle_select::{Groups, Measure, Menu, Samples, SplitBy};

use super::TrainArgs;
use crate::failure::Failure;

/// Problems to learn from.
pub struct Lesson {
    pub samples: Samples,
    /// What there is to choose from.
    pub menu: Menu,
    /// The names of all candidates of the results.
    pub candidates: Vec<String>,
    pub columns: Columns,
    pub measures: Vec<Measure>,
    pub groups: Groups,
    /// What a model says about itself.
    pub about: BTreeMap<String, String>,
    pub notes: Vec<String>,
    /// Whether every sample is a map of its own, so that splits by problem are splits by map.
    is_of_maps: bool,
}

impl Lesson {
    /// Reads the results folders.
    pub fn read(args: &TrainArgs) -> Result<Self, Failure> {
        let sorts = args.results.iter().map(|path| Sort::of_results(path));
        let sorts: Vec<Sort> = sorts.collect::<Result<_, _>>()?;
        if sorts.iter().all(|sort| *sort == Sort::Walks) {
            return Self::of_walks(args);
        }
        if sorts.contains(&Sort::Walks) {
            let reason = "some of these results are of crowds and some of walks: train on one sort";
            return Err(Failure::input(reason));
        }
        match &args.by {
            Some(by) if by != "problem" => Err(Failure::input(format!(
                "--by {} is for walks of single agents: for crowds, a planner is chosen for each problem",
                quoted(by)
            ))),
            _ => Self::of_crowds(args),
        }
    }

    fn of_crowds(args: &TrainArgs) -> Result<Self, Failure> {
        let paths: Vec<&Path> = args.results.iter().map(PathBuf::as_path).collect();
        let filter = CrowdsFilter { planners: args.planners.clone(), limit: args.limit };
        let folders = map_folders();
        let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
        let crowds = Crowds::read(&paths, &filter, &folders)?;
        let about = [
            ("cost", "completion".to_owned()),
            ("sees", "problem".to_owned()),
            ("problems", crowds.samples.len().to_string()),
            ("maps", crowds.maps.join(" ")),
            ("limit", write_limits(crowds.limit)),
        ];
        Ok(Self {
            columns: Columns::completion(&crowds.candidates),
            about: about.map(|(key, value)| (key.to_owned(), value)).into(),
            samples: crowds.samples,
            menu: Menu::All,
            candidates: crowds.candidates,
            measures: crowds.measures,
            groups: crowds.kinds,
            notes: crowds.notes,
            is_of_maps: false,
        })
    }

    fn of_walks(args: &TrainArgs) -> Result<Self, Failure> {
        let [folder] = &args.results[..] else {
            return Err(Failure::input("walks are read from one folder at a time"));
        };
        if !args.planners.is_empty() || args.limit.is_some() {
            let reason = "--planners and --limit are for crowds: walks have settings of one search";
            return Err(Failure::input(reason));
        }
        let by = args.by.as_deref().unwrap_or("problem");
        let of_problems = by == "problem";
        let sees = if of_problems { WalkedBy::Problem } else { WalkedBy::Map };
        let folders = map_folders();
        let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
        let walked = Walked::read(folder, sees, &folders)?;
        let menu = match by {
            "problem" | "map" => Menu::Portfolio(usize::from(args.portfolio)),
            label => walked.by_label(label)?,
        };
        let cost = if matches!(menu, Menu::Labels { .. }) { "label" } else { "suboptimality" };
        let about = [
            ("cost", cost.to_owned()),
            ("sees", if of_problems { "problem" } else { "map" }.to_owned()),
            ("chooses by", by.to_owned()),
            ("problems", walked.samples.len().to_string()),
            ("maps", walked.maps.len().to_string()),
        ];
        Ok(Self {
            columns: Columns::suboptimality(&walked.candidates),
            about: about.map(|(key, value)| (key.to_owned(), value)).into(),
            samples: walked.samples,
            menu,
            candidates: walked.candidates,
            measures: Vec::new(),
            groups: Groups::default(),
            notes: Vec::new(),
            is_of_maps: !of_problems,
        })
    }

    /// Whether it makes sense to split in this way.
    pub fn splits_by(&self, by: SplitBy) -> bool {
        by == SplitBy::Map || !self.is_of_maps
    }

    /// The same with the choices of a model that learns from all problems.
    pub fn for_a_model(&self) -> Result<Self, Failure> {
        let all: Vec<usize> = (0..self.samples.len()).collect();
        let courses = self.menu.courses(&self.samples, &all).map_err(Failure::input)?;
        let names = courses.candidates.iter().map(|&candidate| self.candidates[candidate].clone());
        let mut about = self.about.clone();
        let candidates = match &self.menu {
            Menu::All | Menu::Portfolio(_) => names.collect(),
            Menu::Labels { names: labels, .. } => {
                about.extend(labels.iter().map(|label| format!("best for {label}")).zip(names));
                labels.clone()
            }
        };
        Ok(Self {
            samples: courses.samples,
            menu: Menu::All,
            candidates,
            columns: self.columns.clone(),
            measures: Vec::new(),
            groups: Groups::default(),
            about,
            notes: Vec::new(),
            is_of_maps: self.is_of_maps,
        })
    }

    /// Whether the same candidate is best for every problem.
    pub fn is_settled(&self) -> bool {
        let best = self.samples.best();
        best.iter().all(|one| *one == best[0])
    }
}

/// Where maps are looked for.
fn map_folders() -> Vec<PathBuf> {
    let maps = std::env::var_os("JOSTLE_MAPS").map(PathBuf::from);
    [PathBuf::new()].into_iter().chain(maps).collect()
}
