//! What a training learns from: the problems of results folders, and what there is to choose from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jostle_lab::write_limits;
use jostle_select::lab::{Columns, Crowds, CrowdsFilter, Sees, WalkLessons};
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
        let are_walks = args.results.iter().map(|path| jostle_lab::walks::is_folder(path));
        match (are_walks.clone().all(|is| is), are_walks.clone().any(|is| is), &args.by) {
            (true, ..) => Self::of_walks(args),
            (_, true, _) => Err(Failure::input(
                "some of these results are of crowds and some of walks: train on one sort",
            )),
            (.., Some(by)) if by != "problem" => Err(Failure::input(format!(
                "--by {by} is for walks of single agents: for crowds, a planner is chosen for each problem"
            ))),
            _ => Self::of_crowds(args),
        }
    }

    fn of_crowds(args: &TrainArgs) -> Result<Self, Failure> {
        let paths: Vec<&Path> = args.results.iter().map(PathBuf::as_path).collect();
        let filter = CrowdsFilter { planners: args.planners.clone(), limit: args.limit };
        let maps = std::env::var_os("JOSTLE_MAPS").map(PathBuf::from);
        let folders: Vec<&Path> = [Path::new("")].into_iter().chain(maps.as_deref()).collect();
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
}
