//! The runs of a sweep, one by one.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use jostle::formats::shown_path;

use jostle::Rules;
use jostle::instance::DrawError;

use super::spec::{Entrant, SweepSpec, Table};
use crate::fingerprint::fingerprint;
use crate::record::RunKey;
use crate::rules::RulesText;
use crate::{
    Contestant, GoalSource, LabError, MeetingProblem, NamedMap, Problem, ProblemKind, Seconds,
    Setting,
};

/// All runs of a sweep, in order, none of them twice.
///
/// Seeds are the outermost loop: all combinations have their first instance before any has its second, so
/// that a sweep that is stopped early is a smaller experiment and not half of one.
#[derive(Debug)]
pub struct SweepPlan {
    /// The name of the experiment.
    pub name: String,
    /// The same for two plans only if they ask for the same runs on the same maps.
    pub fingerprint: String,
    /// The fingerprint of each map, by its name.
    pub floors: BTreeMap<String, String>,
    /// The instances of the runs.
    pub instances: Vec<PlannedInstance>,
    /// The runs. Those of one instance follow one another.
    pub runs: Vec<PlannedRun>,
    /// Runs that were left out because their agents do not fit on the map.
    pub left_out: usize,
}

/// An instance that is drawn when it is needed.
#[derive(Clone, Debug)]
pub struct PlannedInstance {
    map: Arc<NamedMap>,
    kind: ProblemKind,
    size: usize,
    seed: u64,
    lifelong: Option<GoalSource>,
}

impl PlannedInstance {
    /// Draws the agents.
    ///
    /// # Errors
    /// When that many agents cannot be drawn; a plan contains no such instance.
    pub fn draw(&self) -> Result<DrawnProblem, LabError> {
        let Self { map, size, seed, .. } = self;
        match self.kind {
            ProblemKind::Crowd(kind) => {
                let problem = Problem::draw(map, kind, *size, *seed)?;
                let lifelong = self.lifelong.clone();
                Ok(DrawnProblem::Crowd(Problem { lifelong, ..problem }))
            }
            ProblemKind::Meetings => {
                MeetingProblem::draw(map, *size, *seed).map(DrawnProblem::Pairs)
            }
        }
    }
}

/// The problem of a run.
#[derive(Debug)]
pub enum DrawnProblem {
    /// Every agent has a goal of its own.
    Crowd(Problem),
    /// Pairs of agents meet.
    Pairs(MeetingProblem),
}

/// One run of a sweep.
#[derive(Debug)]
pub struct PlannedRun {
    /// What distinguishes it from all others: map, kind, agents or tasks, seed, planner or solver, limit and rules.
    pub key: String,
    /// The index of its instance in the plan.
    pub instance: usize,
    /// The planner or solver, with its parameters.
    pub contestant: Arc<Contestant>,
    /// What reports call it, if not by its name.
    pub label: Option<Arc<str>>,
    /// Its limits, and what it measures.
    pub setting: Setting,
}

impl SweepPlan {
    /// Lists all runs. Maps are looked for beside the spec and in `maps`.
    ///
    /// # Errors
    /// When a map is missing or wrong, agents do not fit on it, or nothing is left to run.
    pub fn of(spec: &SweepSpec, maps: Option<&Path>) -> Result<Self, LabError> {
        let mut maps = Maps::new(&spec.folder, maps);
        let mut draft = Draft::default();
        let mut tables = Vec::new();
        for table in &spec.tables {
            tables.push((table, maps.of(table)?));
        }
        let rounds = spec.tables.iter().map(|table| table.seeds.len()).max().unwrap_or(0);
        for round in 0..rounds {
            for (table, floors) in &tables {
                if let Some(&seed) = table.seeds.get(round) {
                    draft.add(table, floors, seed);
                }
            }
        }
        if draft.runs.is_empty() {
            return Err(LabError::input(format!("{}: there is nothing to run", spec.name)));
        }
        let sorted = draft.drop_runs_that_are_there_twice();
        let Draft { instances, runs, left_out } = draft;
        let keys = sorted.iter().map(|&run| runs[run].key.as_str());
        let fingerprint = fingerprint_of(&maps.floors, keys);
        let (name, floors) = (spec.name.clone(), maps.floors);
        Ok(Self { name, fingerprint, floors, instances, runs, left_out })
    }
}

/// A map, and how many agents each kind of a table can place on it.
struct Floor {
    map: Arc<NamedMap>,
    room: Vec<usize>,
    /// Where agents that arrive get new goals.
    lifelong: Option<GoalSource>,
}

/// The maps of a spec, each read once for every set of rules.
pub(super) struct Maps<'a> {
    folder: &'a Path,
    library: Option<&'a Path>,
    found: HashMap<(String, String), Arc<NamedMap>>,
    /// The fingerprint of each map.
    floors: BTreeMap<String, String>,
}

impl<'a> Maps<'a> {
    pub(super) fn new(folder: &'a Path, library: Option<&'a Path>) -> Self {
        Self { folder, library, found: HashMap::new(), floors: BTreeMap::new() }
    }

    /// The maps of a table. Crowds that do not fit on them are refused here, before anything runs.
    fn of(&mut self, table: &Table) -> Result<Vec<Floor>, LabError> {
        let mut floors = Vec::new();
        for (text, place) in &table.maps {
            let map =
                self.find(text, table).map_err(|why| LabError::input(format!("{place}: {why}")))?;
            let room: Vec<_> = table.kinds.iter().map(|kind| kind.room(&map.grid)).collect();
            let most = table.sizes.iter().copied().max().unwrap_or(0);
            let agents = table.kinds.iter().map(|kind| kind.agents(most)).max().unwrap_or(0);
            let smallest = room.iter().copied().min().unwrap_or(0);
            if let Some(kind) = table.kinds.first().filter(|_| table.sizes.contains(&0)) {
                return Err(LabError::input(format!("{}: {}", table.place, kind.too_few())));
            }
            if agents > smallest && !table.skip_too_many {
                let error = DrawError::TooMany { agents, room: smallest };
                let hint = "skip_too_many = true leaves such runs out";
                return Err(LabError::input(format!("{place}: {}: {error} ({hint})", map.name)));
            }
            let lifelong = table.lifelong.map(|choice| choice.on(&map)).transpose();
            let lifelong = lifelong.map_err(|why| LabError::input(format!("{place}: {why}")))?;
            floors.push(Floor { map, room, lifelong });
        }
        Ok(floors)
    }

    pub(super) fn find(&mut self, text: &str, table: &Table) -> Result<Arc<NamedMap>, LabError> {
        let map = find_map(&[Some(self.folder), self.library], text, table.rules)?;
        let floor = format!("{:016x}", map.fingerprint());
        if *self.floors.entry(map.name.clone()).or_insert_with(|| floor.clone()) != floor {
            let reason = "another map of this spec has the same name and another floor";
            return Err(LabError::input(format!("{}: {reason}", map.name)));
        }
        let key = (map.name.clone(), table.rules.key());
        Ok(Arc::clone(self.found.entry(key).or_insert_with(|| Arc::new(map))))
    }
}

/// Finds a map beside a spec, or in the folder of maps if there is one.
pub(crate) fn find_map(
    [folder, library]: &[Option<&Path>; 2],
    text: &str,
    rules: Rules,
) -> Result<NamedMap, LabError> {
    let folders: Vec<&Path> = [*folder, *library].into_iter().flatten().collect();
    NamedMap::find_in(&folders, text, rules).map_err(|error| {
        let hint = match library {
            Some(folder) => format!("looked for beside the spec and in {}", shown_path(folder)),
            None => "looked for beside the spec; JOSTLE_MAPS can name another folder".to_owned(),
        };
        LabError::input(format!("{error} ({hint})"))
    })
}

/// A plan under construction.
#[derive(Default)]
struct Draft {
    instances: Vec<PlannedInstance>,
    runs: Vec<PlannedRun>,
    left_out: usize,
}

impl Draft {
    /// Adds all runs of a table with one seed. The spec has made sure that they are not too many.
    fn add(&mut self, table: &Table, floors: &[Floor], seed: u64) {
        for Floor { map, room, lifelong } in floors {
            for (&kind, &room) in table.kinds.iter().zip(room) {
                for &size in &table.sizes {
                    let takes_part = |entrant: &&Entrant| entrant.takes_part_with(size);
                    let allowed: Vec<_> = table.entrants.iter().filter(takes_part).collect();
                    if kind.agents(size) > room {
                        self.left_out += allowed.len() * table.limits.len();
                        continue;
                    }
                    let (map, lifelong) = (Arc::clone(map), lifelong.clone());
                    let instance = PlannedInstance { map, kind, size, seed, lifelong };
                    for &limits in &table.limits {
                        for entrant in &allowed {
                            let setting = Setting {
                                compare_with_shortest: table.compare_with_shortest,
                                seconds: Seconds::Processor,
                                ..Setting::of(limits)
                            };
                            self.add_run(&instance, entrant, setting, table.rules);
                        }
                    }
                }
            }
        }
    }

    fn add_run(
        &mut self,
        instance: &PlannedInstance,
        entrant: &Entrant,
        setting: Setting,
        rules: Rules,
    ) {
        let &PlannedInstance { ref map, kind, size, seed, ref lifelong } = instance;
        let places = lifelong.as_ref().map(GoalSource::places);
        let key = RunKey {
            map: &map.name,
            kind,
            size,
            seed,
            contestant: entrant.contestant.name(),
            limits: setting.limits,
            rules,
            lifelong: places,
            compares_with_shortest: setting.compare_with_shortest,
        };
        let key = key.to_string();
        let is_same = |last: &PlannedInstance| {
            let of_last = last.lifelong.as_ref().map(GoalSource::places);
            Arc::ptr_eq(&last.map, map)
                && (last.kind, last.size, last.seed, of_last) == (kind, size, seed, places)
        };
        if !self.instances.last().is_some_and(is_same) {
            self.instances.push(instance.clone());
        }
        let instance = self.instances.len() - 1;
        let Entrant { contestant, label, .. } = entrant.clone();
        self.runs.push(PlannedRun { key, instance, contestant, label, setting });
    }

    /// Keeps the first of those with the same key. Returns the runs that are left, in the order of their keys.
    fn drop_runs_that_are_there_twice(&mut self) -> Vec<usize> {
        let key = |run: usize| &self.runs[run].key;
        let mut sorted: Vec<usize> = (0..self.runs.len()).collect();
        sorted.sort_unstable_by(|&a, &b| key(a).cmp(key(b)).then(a.cmp(&b)));
        let mut is_first = vec![true; self.runs.len()];
        for pair in sorted.windows(2) {
            is_first[pair[1]] = key(pair[0]) != key(pair[1]);
        }
        sorted.retain(|&run| is_first[run]);
        let mut numbers = vec![0; is_first.len()];
        let mut kept = 0;
        for (number, &is_first) in numbers.iter_mut().zip(&is_first) {
            *number = kept;
            kept += usize::from(is_first);
        }
        let mut keeps = is_first.into_iter();
        self.runs.retain(|_| keeps.next() == Some(true));
        sorted.iter().map(|&run| numbers[run]).collect()
    }
}

/// The order of runs, their spelling in the file and the name of the experiment do not change it.
fn fingerprint_of<'a>(
    floors: &BTreeMap<String, String>,
    sorted_keys: impl Iterator<Item = &'a str>,
) -> String {
    let floors = floors.iter().flat_map(|(map, floor)| format!("{map} {floor}\n").into_bytes());
    // Byte by byte, so that the keys are not copied.
    let keys = sorted_keys.enumerate().flat_map(|(index, key)| {
        let line_break = (index > 0).then_some(b'\n');
        line_break.into_iter().chain(key.bytes())
    });
    format!("{:016x}", fingerprint(floors.chain(keys)))
}

#[cfg(test)]
#[path = "plan_test.rs"]
mod tests;
