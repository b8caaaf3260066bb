//! The problems of a `jostle run`.

use std::path::{Path, PathBuf};

use jostle::formats::{FileError, Scenario, read_scenario, read_script, shown_path};
use jostle::instance::{InstanceError, Reach};
use jostle::{Instance, Script};
use jostle_lab::{NamedMap, Problem};

use crate::args::RunArgs;
use crate::failure::Failure;

/// The number of agents unless the user says otherwise.
const DEFAULT_AGENTS: usize = 100;

/// All problems of the command: maps x agents x seeds. Each is drawn when it is its turn.
pub struct Problems<'a> {
    args: &'a RunArgs,
    maps: Vec<NamedMap>,
    scenario: Option<(&'a Path, Scenario)>,
    script: Option<(&'a Path, Script)>,
    counts: Vec<usize>,
}

/// One of the problems, not yet drawn.
#[derive(Clone, Copy, Debug)]
pub struct ProblemName {
    map: usize,
    agents: usize,
    /// None if the agents are read.
    seed: Option<u64>,
}

impl<'a> Problems<'a> {
    /// Reads all files, and makes sure that problems of every map and size can be drawn.
    pub fn of(args: &'a RunArgs) -> Result<Self, Failure> {
        let named = |path: &'a Option<PathBuf>| path.as_deref();
        let scenario = named(&args.scen).map(|path| Ok((path, read_scenario(path)?)));
        let scenario = scenario.transpose().map_err(|error: FileError| Failure::input(error))?;
        let counts = match (&args.agents, &scenario) {
            (Some(counts), _) => counts.0.iter().map(|&count| count as usize).collect(),
            (None, Some((_, scenario))) => vec![scenario.rows.len()],
            (None, None) => vec![DEFAULT_AGENTS],
        };
        let script = named(&args.script).map(|path| Ok((path, read_script(path)?)));
        let script = script.transpose().map_err(|error: FileError| Failure::input(error))?;
        let maps = args.maps.iter().map(|text| NamedMap::find(text, args.rules.rules()));
        let maps = maps.collect::<Result<_, _>>()?;
        let problems = Self { args, maps, scenario, script, counts };
        // The seeds differ little: if one problem of a size can be drawn, so can the others.
        for map in 0..problems.maps.len() {
            for &agents in &problems.counts {
                let seed = problems.seeds().next().flatten();
                problems.draw(ProblemName { map, agents, seed })?;
            }
        }
        Ok(problems)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.maps.len().saturating_mul(self.counts.len()).saturating_mul(self.seeds().count())
    }

    /// All of them, in order.
    pub fn names(&self) -> impl Iterator<Item = ProblemName> {
        (0..self.maps.len()).flat_map(move |map| {
            self.counts.iter().flat_map(move |&agents| {
                self.seeds().map(move |seed| ProblemName { map, agents, seed })
            })
        })
    }

    fn seeds(&self) -> Box<dyn Iterator<Item = Option<u64>> + '_> {
        match self.scenario {
            Some(_) => Box::new(std::iter::once(None)),
            None => Box::new(self.args.seeds.0.iter().map(|&seed| Some(seed))),
        }
    }

    /// Draws or reads a problem.
    pub fn draw(&self, name: ProblemName) -> Result<Problem, Failure> {
        let (map, args) = (&self.maps[name.map], self.args);
        let problem = match (&self.scenario, name.seed) {
            (Some((path, scenario)), _) => from_scenario(map, path, scenario, name.agents, args)?,
            (None, seed) => Problem::draw(map, args.kind, name.agents, seed.unwrap_or_default())?,
        };
        match &self.script {
            None => Ok(problem),
            Some((path, script)) => with_script(problem, path, script),
        }
    }
}

/// The same problem with the changes of a script.
fn with_script(problem: Problem, path: &Path, script: &Script) -> Result<Problem, Failure> {
    let instance = problem.instance.with_script(script.clone());
    let instance =
        instance.map_err(|error| Failure::input(format!("{}: {error}", shown_path(path))))?;
    Ok(Problem { instance, ..problem })
}

fn from_scenario(
    map: &NamedMap,
    path: &Path,
    scenario: &Scenario,
    agents: usize,
    args: &RunArgs,
) -> Result<Problem, Failure> {
    let reach = if args.allow_unreachable { Reach::Optional } else { Reach::Required };
    let located = |error: InstanceError| {
        let line = error.agent().and_then(|agent| scenario.rows.get(agent)).map(|row| row.line);
        let place = line.map_or_else(String::new, |line| format!("line {line}: "));
        let hint = match error {
            InstanceError::OutOfReach { .. } => " (--allow-unreachable accepts that)",
            _ => "",
        };
        Failure::input(format!("{}: {place}{error}{hint}", shown_path(path)))
    };
    let instance = Instance::from_scenario(&map.grid, scenario, agents, reach).map_err(located)?;
    let (name, map_fingerprint) = (map.name.clone(), map.fingerprint());
    Ok(Problem { map: name, map_fingerprint, seed: None, kind: None, instance })
}
