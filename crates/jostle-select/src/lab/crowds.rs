//! Runs with many agents: which planner is best for which problem?

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jostle::formats::printable;
use jostle::instance::Kind;
use jostle::simulate::Ending;
use jostle::{Grid, Limits, Rules};
use jostle_lab::report::completion_time;
use jostle_lab::sweep::maps_of;
use jostle_lab::{
    LabError, NamedMap, Problem, ProblemKind, Record, RulesText, read_records, show_limits,
    write_limits,
};

use super::maps::MapLibrary;
use crate::{Groups, Measure, Results, Sample, Samples};

/// Which runs of a folder count.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CrowdsFilter {
    /// The planners to choose from, in their order: named as in the records, a solver with `solver ` before its name. All if there are none,
    /// in the order of their names, planners first.
    pub planners: Vec<String>,
    /// The limits of the runs. They must be given if the folder has runs under several. Solvers have no limit in ticks, so those of theirs
    /// count that are the same but for the ticks.
    pub limit: Option<Limits>,
}

/// The runs of planners and solvers on the same problems, all under the same limits.
///
/// The cost of a candidate is the share of agents that are not on their goals at the end. The best candidate for a problem is the one that
/// costs least; of several, the one whose agents walk least, then the one whose agents arrive earliest (those that have not count as the
/// limit), then the first.
#[derive(Clone, Debug)]
pub struct Crowds {
    /// The problems, and what every candidate achieves on each. Starts and goals are drawn again as the lab draws them.
    pub samples: Samples,
    /// The names of candidates.
    pub candidates: Vec<String>,
    /// The names of maps.
    pub maps: Vec<String>,
    /// How the agents of each problem were drawn.
    pub kinds: Groups,
    /// Distance walked, and the time of arrival.
    pub measures: Vec<Measure>,
    /// The limits of all runs.
    pub limit: Limits,
    /// Notes about records that do not count.
    pub notes: Vec<String>,
}

/// What makes a problem: map, kind, agents, seed.
type Key = (String, &'static str, u32, u64);

/// What counts of a run.
#[derive(Clone, Copy, Debug)]
struct Run {
    cost: f64,
    distance: f64,
    time: f64,
}

impl Run {
    /// Whether it is better (`Less`) than another one, or worse.
    fn compare(&self, other: &Self) -> Ordering {
        (self.cost.total_cmp(&other.cost))
            .then(self.distance.total_cmp(&other.distance))
            .then(self.time.total_cmp(&other.time))
    }
}

/// Runs by problem, before anything is known to be complete.
#[derive(Default)]
struct Draft {
    /// The runs of each problem, by the names of candidates.
    runs: BTreeMap<Key, BTreeMap<String, Run>>,
    /// The kind and the floor of each problem's map.
    kinds: BTreeMap<&'static str, Kind>,
    floors: BTreeMap<String, Option<String>>,
    rules: Option<Rules>,
}

impl Crowds {
    /// Reads the records of folders or files. Maps are looked for in `folders`, one after the other: that of the spec, and `JOSTLE_MAPS`.
    ///
    /// # Errors
    /// When records cannot be read; when they are of several limits or rules; when a candidate lacks a problem that another one has run;
    /// when a problem cannot be drawn again, because its map is not there or is another one: one sentence.
    pub fn read(
        paths: &[&Path],
        filter: &CrowdsFilter,
        folders: &[&Path],
    ) -> Result<Self, LabError> {
        let (mut records, mut notes, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for path in paths {
            notes.extend(read_records(path, |record| records.push(record))?);
            if path.is_dir() {
                names.extend(maps_of(path)?);
            }
        }
        let stopped = records.len();
        records.retain(|record: &Record| record.ending != Some(Ending::Stopped));
        match stopped - records.len() {
            0 => {}
            1 => notes.push("1 run was stopped by hand and does not count".to_owned()),
            more => notes.push(format!("{more} runs were stopped by hand and do not count")),
        }
        let candidates = candidates(&records, &filter.planners)?;
        records.retain(|record| candidates.contains(&record.contestant().to_string()));
        let limit = the_limit(&records, filter.limit)?;
        records.retain(|record| is_under(record, limit));
        let mut draft = Draft::default();
        for record in &records {
            draft.add(record, limit)?;
        }
        draft.check(&candidates)?;
        draft.finish(candidates, limit, notes, &MapLibrary { names, folders })
    }
}

/// The names of those to choose from.
fn candidates(records: &[Record], wanted: &[String]) -> Result<Vec<String>, LabError> {
    let known: BTreeSet<_> = records.iter().map(Record::contestant).collect();
    let known: Vec<String> = known.iter().map(ToString::to_string).collect();
    if let Some(unknown) = wanted.iter().find(|name| !known.contains(name)) {
        let (name, known) = (printable(unknown, 60), known.join(", "));
        return Err(LabError::input(format!("there are no runs of {name}: there are {known}")));
    }
    let candidates = if wanted.is_empty() { known } else { wanted.to_vec() };
    let distinct: BTreeSet<&String> = candidates.iter().collect();
    if distinct.len() < candidates.len() {
        return Err(LabError::input("a planner is named twice"));
    }
    match &candidates[..] {
        [] => Err(LabError::input("there are no runs to choose from")),
        [one] => Err(LabError::input(format!("there is only one planner to choose from: {one}"))),
        _ => Ok(candidates),
    }
}

/// Whether a run was made under these limits. Solvers have none in ticks, so theirs are the same but for that.
fn is_under(record: &Record, limit: Limits) -> bool {
    let of_solver = Limits { ticks: None, ..limit };
    record.limit == limit || (record.solver.is_some() && record.limit == of_solver)
}

/// The limits that were asked for, or those of all runs.
fn the_limit(records: &[Record], wanted: Option<Limits>) -> Result<Limits, LabError> {
    let mut all: Vec<Limits> = Vec::new();
    for record in records {
        if !all.contains(&record.limit) {
            all.push(record.limit);
        }
    }
    let is_of_its_own = |record: &&Record| {
        !all.iter().any(|&other| other != record.limit && is_under(record, other))
    };
    let limits: BTreeMap<String, Limits> = (records.iter().filter(is_of_its_own))
        .map(|record| (write_limits(record.limit), record.limit))
        .collect();
    let list = || limits.keys().cloned().collect::<Vec<_>>().join("; ");
    match wanted {
        Some(wanted) if records.iter().any(|record| is_under(record, wanted)) => Ok(wanted),
        Some(wanted) => Err(LabError::input(format!(
            "there are no runs of at most {}: the limits are {}",
            show_limits(wanted),
            list()
        ))),
        None if limits.len() == 1 => Ok(*limits.values().next().unwrap_or(&Limits::default())),
        None => Err(LabError::input(format!(
            "there are runs under several limits, and one must be chosen: {}",
            list()
        ))),
    }
}

impl Draft {
    fn add(&mut self, record: &Record, limit: Limits) -> Result<(), LabError> {
        let (map, name) = (&record.map, record.contestant());
        let wrong = |reason: &str| Err(LabError::input(format!("{map}: a run of {name} {reason}")));
        let kind = match (record.kind, record.seed) {
            (Some(ProblemKind::Crowd(kind)), Some(seed)) => (kind, seed),
            (Some(ProblemKind::Meetings), _) => return wrong("is of pairs that meet"),
            _ => return wrong("has starts and goals of a scenario, which cannot be drawn again"),
        };
        if record.script.is_some() {
            return wrong("has a script of changes, and problems to learn from do not change");
        }
        if record.lifelong.is_some() {
            return wrong("is lifelong, and in problems to learn from agents have one goal");
        }
        let rules = record.rules();
        if *self.rules.get_or_insert(rules) != rules {
            return wrong(&format!("has other rules than the others ({})", rules.title()));
        }
        let floor = record.map_fingerprint.clone();
        if *self.floors.entry(map.clone()).or_insert_with(|| floor.clone()) != floor {
            return wrong("was made on another version of the map");
        }
        let (kind, seed) = kind;
        self.kinds.insert(kind.name(), kind);
        let run = Run {
            cost: 1.0 - record.completion_rate,
            distance: record.travel_distance,
            time: completion_time(record, limit).unwrap_or(f64::MAX),
        };
        let problem = (map.clone(), kind.name(), record.agents, seed);
        // Several folders may have the same run.
        self.runs.entry(problem).or_default().entry(name.to_string()).or_insert(run);
        Ok(())
    }

    /// Whether every candidate has run every problem.
    fn check(&self, candidates: &[String]) -> Result<(), LabError> {
        for ((map, kind, agents, seed), runs) in &self.runs {
            if let Some(name) = candidates.iter().find(|name| !runs.contains_key(*name)) {
                return Err(LabError::input(format!(
                    "{name} has not run a problem that others have: {map}, {kind}, {agents} agents, seed {seed}"
                )));
            }
        }
        Ok(())
    }

    fn finish(
        self,
        candidates: Vec<String>,
        limit: Limits,
        notes: Vec<String>,
        library: &MapLibrary<'_>,
    ) -> Result<Crowds, LabError> {
        let rules = self.rules.unwrap_or_default();
        let maps: Vec<String> = self.floors.keys().cloned().collect();
        let mut found: Vec<NamedMap> = Vec::new();
        for (map, floor) in &self.floors {
            found.push(library.find(map, floor.as_deref(), rules)?);
        }
        let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        let names: Vec<&str> =
            names.into_iter().filter(|name| self.kinds.contains_key(name)).collect();
        let (mut problems, mut best, mut of) = (Vec::new(), Vec::new(), Vec::new());
        let mut columns = vec![[Vec::new(), Vec::new(), Vec::new()]; candidates.len()];
        for ((map, kind, agents, seed), runs) in &self.runs {
            let number = maps.iter().position(|known| known == map).unwrap_or(0);
            let drawn = Problem::draw(&found[number], self.kinds[kind], *agents as usize, *seed)?;
            problems.push(Sample { map: number, tasks: drawn.instance.tasks().to_vec() });
            of.push(names.iter().position(|name| name == kind).unwrap_or(0));
            let runs: Vec<Run> = candidates.iter().map(|name| runs[name]).collect();
            for (column, run) in columns.iter_mut().zip(&runs) {
                let values = [run.cost, run.distance, run.time];
                column.iter_mut().zip(values).for_each(|(column, value)| column.push(value as f32));
            }
            let by_run = |a: &usize, b: &usize| runs[*a].compare(&runs[*b]);
            best.push((0..runs.len()).min_by(by_run).unwrap_or(0));
        }
        let table = |part: usize| {
            let mut results = Results::of_problems(problems.len()).map_err(LabError::input)?;
            for column in &columns {
                results.add(&column[part]).map_err(LabError::input)?;
            }
            Ok::<Results, LabError>(results)
        };
        let unit = if limit.time.is_some() { "s" } else { "ticks" };
        let measures = vec![
            Measure { name: "distance (cells)".to_owned(), results: table(1)?, digits: 1 },
            Measure { name: format!("completion time ({unit})"), results: table(2)?, digits: 1 },
        ];
        let kinds = Groups { of, names: names.into_iter().map(str::to_owned).collect() };
        let grids: Vec<std::sync::Arc<Grid>> = found.into_iter().map(|map| map.grid).collect();
        let results = table(0)?;
        let samples = Samples::new(grids, problems, results, best).map_err(LabError::input)?;
        Ok(Crowds { samples, candidates, maps, kinds, measures, limit, notes })
    }
}
