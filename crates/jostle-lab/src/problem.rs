//! A map with agents, as an experiment names it.

use std::sync::Arc;

use jostle::instance::{Kind, Task};
use jostle::meetings::MeetingInstance;
use jostle::{Instance, Rules};

use crate::fingerprint::fingerprint;
use crate::{GoalSource, LabError, NamedMap, ProblemKind};

/// What a record says about the problem of a run.
pub struct Subject {
    /// The map's name.
    pub map: String,
    /// The [fingerprint](NamedMap::fingerprint) of the map.
    pub map_fingerprint: u64,
    /// The rules of moving.
    pub rules: Rules,
    /// The number of agents.
    pub agents: usize,
    /// The number of tasks for pairs that meet; none if every agent has a goal of its own.
    pub tasks: Option<usize>,
    /// The seed that drew them; none if they were read.
    pub seed: Option<u64>,
    /// How they were drawn; none if they were read.
    pub kind: Option<ProblemKind>,
    /// The name of the scenario that they were read from.
    pub scen: Option<String>,
    /// The fingerprint of starts and goals that were read.
    pub scenario: Option<String>,
    /// The fingerprint of the script.
    pub script: Option<String>,
}

/// One instance to run, in which every agent has a goal of its own.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The map's name.
    pub map: String,
    /// The [fingerprint](NamedMap::fingerprint) of the map.
    pub map_fingerprint: u64,
    /// The seed that drew the agents; none if they were read.
    pub seed: Option<u64>,
    /// How they were drawn; none if they were read.
    pub kind: Option<Kind>,
    /// The name of the scenario that they were read from; none if they were drawn.
    pub scen: Option<Arc<str>>,
    /// The map and its agents.
    pub instance: Instance,
    /// Where agents that arrive get new goals; none if they stay where they are.
    pub lifelong: Option<GoalSource>,
}

impl Problem {
    /// The number of agents.
    pub fn agents(&self) -> usize {
        self.instance.tasks().len()
    }

    /// The fingerprint of the script, which only equal scripts share; none without a script.
    pub fn script_fingerprint(&self) -> Option<String> {
        let script = self.instance.script();
        (!script.is_empty()).then(|| format!("{:016x}", fingerprint(script.write().bytes())))
    }

    /// The fingerprint of starts and goals that were read; none if they were drawn, because then kind, number and seed
    /// say it all.
    pub fn scenario_fingerprint(&self) -> Option<String> {
        self.kind.is_none().then(|| fingerprint_of(self.instance.tasks()))
    }

    /// What records say about it.
    pub(crate) fn subject(&self) -> Subject {
        Subject {
            map: self.map.clone(),
            map_fingerprint: self.map_fingerprint,
            rules: self.instance.grid().rules(),
            agents: self.agents(),
            tasks: None,
            seed: self.seed,
            kind: self.kind.map(ProblemKind::Crowd),
            scen: self.scen.as_deref().map(str::to_owned),
            scenario: self.scenario_fingerprint(),
            script: self.script_fingerprint(),
        }
    }

    /// Draws agents on a map.
    ///
    /// # Errors
    /// When that many cannot be drawn.
    pub fn draw(map: &NamedMap, kind: Kind, agents: usize, seed: u64) -> Result<Self, LabError> {
        let instance = Instance::draw(Arc::clone(&map.grid), kind, agents, seed)
            .map_err(|error| LabError::input(format!("{}: {error}", map.name)))?;
        let (name, map_fingerprint) = (map.name.clone(), map.fingerprint());
        let (seed, kind) = (Some(seed), Some(kind));
        Ok(Self { map: name, map_fingerprint, seed, kind, scen: None, instance, lifelong: None })
    }
}

/// A number, as text, that only equal lists of starts and goals share.
pub fn fingerprint_of(tasks: &[Task]) -> String {
    let places = tasks.iter().flat_map(|&(start, goal)| [start, goal]);
    let bytes = places.flat_map(|cell| (cell.index() as u32).to_le_bytes());
    format!("{:016x}", fingerprint(bytes))
}

/// One instance to solve, in which pairs of agents meet.
#[derive(Debug)]
pub struct MeetingProblem {
    /// The map's name.
    pub map: String,
    /// The [fingerprint](NamedMap::fingerprint) of the map.
    pub map_fingerprint: u64,
    /// The seed that drew the tasks.
    pub seed: u64,
    /// The map and its tasks.
    pub instance: MeetingInstance,
}

impl MeetingProblem {
    /// Draws tasks on a map, as `jostle gen --tasks` does.
    ///
    /// # Errors
    /// When that many cannot be drawn.
    pub fn draw(map: &NamedMap, tasks: usize, seed: u64) -> Result<Self, LabError> {
        let instance = MeetingInstance::draw(Arc::clone(&map.grid), tasks, seed)
            .map_err(|error| LabError::input(format!("{}: {error}", map.name)))?;
        let (name, map_fingerprint) = (map.name.clone(), map.fingerprint());
        Ok(Self { map: name, map_fingerprint, seed, instance })
    }

    /// What records say about it.
    pub(crate) fn subject(&self) -> Subject {
        let tasks = self.instance.tasks().len();
        Subject {
            map: self.map.clone(),
            map_fingerprint: self.map_fingerprint,
            rules: self.instance.grid().rules(),
            agents: 2 * tasks,
            tasks: Some(tasks),
            seed: Some(self.seed),
            kind: Some(ProblemKind::Meetings),
            scen: None,
            scenario: None,
            script: None,
        }
    }
}
