//! The runs of a sweep, one by one.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use jostle::formats::shown_path;

use jostle::Rules;
use jostle::instance::{DrawError, Kind, Reach};

use super::spec::{AgentsOf, Entrant, SweepSpec, Table};
use crate::fingerprint::fingerprint;
use crate::problem::fingerprint_of;
use crate::record::{Origin, RunKey};
use crate::rules::RulesText;
use crate::{
    Contestant, GoalSource, LabError, MeetingProblem, NamedMap, Problem, ProblemKind, ScenarioFile,
    Seconds, Setting,
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
    agents: PlannedAgents,
    size: usize,
    lifelong: Option<GoalSource>,
}

/// Where the agents of an instance come from.
#[derive(Clone, Debug)]
enum PlannedAgents {
    Drawn { kind: ProblemKind, seed: u64 },
    Read { scen: Arc<ScenarioFile>, reach: Reach, fingerprint: Arc<str> },
}

impl PlannedAgents {
    /// As the keys of runs say it.
    fn origin(&self) -> Origin<'_> {
        match self {
            &Self::Drawn { kind, seed } => Origin::Drawn { kind, seed },
            Self::Read { scen, fingerprint, .. } => {
                Origin::Read { scen: &scen.name, scenario: fingerprint }
            }
        }
    }
}

impl PlannedInstance {
    /// Draws the agents, or takes them from their scenario.
    ///
    /// # Errors
    /// When that many agents cannot be drawn; a plan contains no such instance.
    pub fn draw(&self) -> Result<DrawnProblem, LabError> {
        let Self { map, size, .. } = self;
        let problem = match &self.agents {
            &PlannedAgents::Drawn { kind: ProblemKind::Crowd(kind), seed } => {
                Problem::draw(map, kind, *size, seed)?
            }
            &PlannedAgents::Drawn { kind: ProblemKind::Meetings, seed } => {
                return MeetingProblem::draw(map, *size, seed).map(DrawnProblem::Pairs);
            }
            PlannedAgents::Read { scen, reach, .. } => {
                scen.problem(map, *size, *reach, REACH_HINT)?
            }
        };
        let lifelong = self.lifelong.clone();
        Ok(DrawnProblem::Crowd(Problem { lifelong, ..problem }))
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
            let ground = match &table.agents {
                AgentsOf::Draws { kinds, seeds } => Ground::Floors(maps.of(table, kinds)?, seeds),
                AgentsOf::Scens { .. } => Ground::Scens(maps.scenarios(table)?),
            };
            tables.push((table, ground));
        }
        let rounds = tables.iter().map(|(_, ground)| ground.rounds()).max().unwrap_or(0);
        for round in 0..rounds {
            for (table, ground) in &tables {
                draft.add(table, ground, round);
            }
        }
        if draft.runs.is_empty() {
            return Err(LabError::input(format!("{}: there is nothing to run", spec.name)));
        }
        let sorted = draft.drop_runs_that_are_there_twice();
        let Draft { instances, runs, left_out } = draft;
        let keys = sorted.iter().map(|&run| runs[run].key.as_str());
        let fingerprint = fingerprint_of_plan(&maps.floors, keys);
        let (name, floors) = (spec.name.clone(), maps.floors);
        Ok(Self { name, fingerprint, floors, instances, runs, left_out })
    }
}

/// What the agents of a table stand on. There is a round for every seed, or for every scenario of a map.
enum Ground<'a> {
    Floors(Vec<Floor>, &'a [u64]),
    Scens(Vec<OnMap>),
}

impl Ground<'_> {
    fn rounds(&self) -> usize {
        match self {
            Self::Floors(_, seeds) => seeds.len(),
            Self::Scens(scens) => scens.iter().map(|scen| scen.round + 1).max().unwrap_or(0),
        }
    }
}

/// How a spec accepts goals that are out of reach.
const REACH_HINT: &str = "allow_unreachable = true accepts that";

/// A scenario on its map.
struct OnMap {
    map: Arc<NamedMap>,
    scen: Arc<ScenarioFile>,
    reach: Reach,
    /// The numbers of agents, each with the fingerprint of their starts and goals; none if the scenario has not so many.
    sizes: Vec<(usize, Option<Arc<str>>)>,
    /// Where agents that arrive get new goals.
    lifelong: Option<GoalSource>,
    /// How many scenarios of the same map the table has before this one.
    round: usize,
}

/// A scenario and its map, as a spec names them.
pub(super) struct NamedScenario {
    pub scen: ScenarioFile,
    pub map: Arc<NamedMap>,
    /// The name by which the map was found.
    pub map_name: String,
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
    fn of(&mut self, table: &Table, kinds: &[ProblemKind]) -> Result<Vec<Floor>, LabError> {
        let mut floors = Vec::new();
        for (text, place) in &table.maps {
            let map =
                self.find(text, table).map_err(|why| LabError::input(format!("{place}: {why}")))?;
            let room: Vec<_> = kinds.iter().map(|kind| kind.room(&map.grid)).collect();
            let most = table.sizes.iter().copied().max().unwrap_or(0);
            let agents = kinds.iter().map(|kind| kind.agents(most)).max().unwrap_or(0);
            let smallest = room.iter().copied().min().unwrap_or(0);
            if let Some(kind) = kinds.first().filter(|_| table.sizes.contains(&0)) {
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

    /// The scenarios of a table on their maps. Those that do not fit are refused here, before anything runs.
    fn scenarios(&mut self, table: &Table) -> Result<Vec<OnMap>, LabError> {
        let AgentsOf::Scens { files, reach } = &table.agents else { return Ok(Vec::new()) };
        let mut before: HashMap<String, usize> = HashMap::new();
        let mut all = Vec::new();
        for (found, (_, place)) in self.named_scenarios(table)?.into_iter().zip(files) {
            let wrong = |why: LabError| LabError::input(format!("{place}: {why}"));
            let NamedScenario { scen, map, .. } = found;
            let sizes =
                if table.sizes.is_empty() { vec![scen.rows()] } else { table.sizes.clone() };
            let fits = |size: &usize| *size <= scen.rows() || !table.skip_too_many;
            let most = sizes.iter().copied().filter(fits).max();
            // If the first rows are wrong, so are more of them.
            let problem = most.map(|most| scen.problem(&map, most, *reach, REACH_HINT));
            let problem = problem.transpose().map_err(wrong)?;
            let tasks = problem.as_ref().map_or(&[][..], |problem| problem.instance.tasks());
            if sizes.contains(&0) {
                return Err(wrong(LabError::input(ProblemKind::Crowd(Kind::default()).too_few())));
            }
            let fingerprint = |size| tasks.get(..size).map(|tasks| fingerprint_of(tasks).into());
            let lifelong = table.lifelong.map(|choice| choice.on(&map)).transpose();
            let round = before.entry(map.name.clone()).or_default();
            all.push(OnMap {
                sizes: sizes.into_iter().map(|size| (size, fingerprint(size))).collect(),
                lifelong: lifelong.map_err(wrong)?,
                reach: *reach,
                round: *round,
                scen: Arc::new(scen),
                map,
            });
            *round += 1;
        }
        Ok(all)
    }

    /// Finds the scenarios of a table, and their maps: the one that the table lists, the one of several that the scenario names, or,
    /// where the table lists none, the one that lies near the scenario.
    pub(super) fn named_scenarios(
        &mut self,
        table: &Table,
    ) -> Result<Vec<NamedScenario>, LabError> {
        let AgentsOf::Scens { files, .. } = &table.agents else { return Ok(Vec::new()) };
        let mut listed = Vec::new();
        for (text, place) in &table.maps {
            let map = self.find(text, table);
            let map = map.map_err(|why| LabError::input(format!("{place}: {why}")))?;
            listed.push((text.clone(), map));
        }
        let mut found = Vec::new();
        for (text, place) in files {
            let (scen, (map_name, map)) = self
                .scenario(text, table, &listed)
                .map_err(|why| LabError::input(format!("{place}: {why}")))?;
            found.push(NamedScenario { scen, map, map_name });
        }
        Ok(found)
    }

    /// A scenario, and its map with its name.
    fn scenario(
        &mut self,
        text: &str,
        table: &Table,
        listed: &[(String, Arc<NamedMap>)],
    ) -> Result<(ScenarioFile, (String, Arc<NamedMap>)), LabError> {
        let folders: Vec<&Path> = [Some(self.folder), self.library].into_iter().flatten().collect();
        let paths = folders.iter().map(|folder| folder.join(text));
        let path = paths.clone().find(|path| path.exists()).or_else(|| paths.clone().next());
        let scen = ScenarioFile::read(&path.unwrap_or_default())?;
        if listed.is_empty() {
            let (name, map) = scen.find_map(text, &folders, table.rules)?;
            return Ok((scen, (name, self.keep(map, table)?)));
        }
        let map = scen.choose(listed.iter().map(|(_, map)| &**map))?;
        Ok((scen, listed[map].clone()))
    }

    pub(super) fn find(&mut self, text: &str, table: &Table) -> Result<Arc<NamedMap>, LabError> {
        let map = find_map(&[Some(self.folder), self.library], text, table.rules)?;
        self.keep(map, table)
    }

    /// The same map, or the equal one that was found before.
    fn keep(&mut self, map: NamedMap, table: &Table) -> Result<Arc<NamedMap>, LabError> {
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
    /// Adds all runs of a table in one round. The spec has made sure that they are not too many.
    fn add(&mut self, table: &Table, ground: &Ground<'_>, round: usize) {
        match (ground, &table.agents) {
            (Ground::Floors(floors, seeds), AgentsOf::Draws { kinds, .. }) => {
                let Some(&seed) = seeds.get(round) else { return };
                for Floor { map, room, lifelong } in floors {
                    for (&kind, &room) in kinds.iter().zip(room) {
                        for &size in &table.sizes {
                            let fits = kind.agents(size) <= room;
                            let agents = fits.then_some(PlannedAgents::Drawn { kind, seed });
                            self.add_size(table, (map, lifelong), size, agents);
                        }
                    }
                }
            }
            (Ground::Scens(scens), _) => {
                for on_map in scens.iter().filter(|scen| scen.round == round) {
                    let OnMap { map, scen, reach, lifelong, .. } = on_map;
                    for (size, fingerprint) in &on_map.sizes {
                        let agents = fingerprint.clone().map(|fingerprint| {
                            let (scen, reach) = (Arc::clone(scen), *reach);
                            PlannedAgents::Read { scen, reach, fingerprint }
                        });
                        self.add_size(table, (map, lifelong), *size, agents);
                    }
                }
            }
            (Ground::Floors(..), AgentsOf::Scens { .. }) => {}
        }
    }

    /// Adds the runs of a table with so many agents on a map, or leaves them out if there are no such agents.
    fn add_size(
        &mut self,
        table: &Table,
        (map, lifelong): (&Arc<NamedMap>, &Option<GoalSource>),
        size: usize,
        agents: Option<PlannedAgents>,
    ) {
        let takes_part = |entrant: &&Entrant| entrant.takes_part_with(size);
        let allowed: Vec<_> = table.entrants.iter().filter(takes_part).collect();
        let Some(agents) = agents else {
            self.left_out += allowed.len() * table.limits.len();
            return;
        };
        let (map, lifelong) = (Arc::clone(map), lifelong.clone());
        let instance = PlannedInstance { map, agents, size, lifelong };
        for &limits in &table.limits {
            for entrant in &allowed {
                let compare_with_shortest = table.compare_with_shortest;
                let seconds = Seconds::Processor;
                let setting = Setting { compare_with_shortest, seconds, ..Setting::of(limits) };
                self.add_run(&instance, entrant, setting, table.rules);
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
        let &PlannedInstance { ref map, ref agents, size, ref lifelong } = instance;
        let origin = agents.origin();
        let places = lifelong.as_ref().map(GoalSource::places);
        let key = RunKey {
            map: &map.name,
            origin,
            size,
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
                && (last.agents.origin(), last.size, of_last) == (origin, size, places)
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
fn fingerprint_of_plan<'a>(
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
