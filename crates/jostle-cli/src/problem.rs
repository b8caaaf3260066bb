//! Which maps and which agents a command is about.

use std::path::Path;

use jostle::formats::{Scenario, read_map, read_scenario};
use jostle::instance::{InstanceError, Reach};
use jostle::{Grid, Instance, Level, Rules};

use crate::args::RunArgs;
use crate::failure::Failure;

/// The size of a built-in map that is not told otherwise.
const DEFAULT_SIZE: (u32, u32) = (96, 64);
/// The agents of a run that is not told otherwise.
const DEFAULT_AGENTS: usize = 100;

/// A map as a user named it.
#[derive(Debug)]
pub struct NamedMap {
    /// What to call it: a file's stem, or a built-in map with its size and seed.
    pub name: String,
    /// The floor.
    pub grid: Grid,
}

impl NamedMap {
    /// Reads a map file, or makes a built-in map.
    pub fn find(text: &str, rules: Rules) -> Result<Self, Failure> {
        let path = Path::new(text);
        let level = text.split(':').next().and_then(Level::from_name);
        match level {
            Some(level) if !path.exists() => Self::built_in(level, text, rules),
            None if !path.exists() && path.extension().is_none() => {
                let names = Level::ALL.map(Level::name).join(", ");
                let reason = "there is no such file, and the built-in maps are";
                Err(Failure::input(format!("{text}: {reason} {names}")))
            }
            _ => {
                let grid = read_map(path).map_err(Failure::input)?.with_rules(rules);
                let name =
                    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
                Ok(Self { name, grid })
            }
        }
    }

    /// Makes a built-in map from `NAME[:WIDTHxHEIGHT][:seed=N]`.
    fn built_in(level: Level, text: &str, rules: Rules) -> Result<Self, Failure> {
        let wrong = |part: &str| {
            let form = "NAME:WIDTHxHEIGHT:seed=N, as in cave:200x120:seed=4";
            Failure::input(format!("{text}: '{part}' is not understood; a built-in map is {form}"))
        };
        let ((mut width, mut height), mut seed) = (DEFAULT_SIZE, 1);
        for part in text.split(':').skip(1) {
            if let Some(number) = part.strip_prefix("seed=") {
                seed = number.parse().map_err(|_| wrong(part))?;
            } else {
                let (w, h) = part.split_once('x').unwrap_or((part, part));
                width = w.parse().map_err(|_| wrong(part))?;
                height = h.parse().map_err(|_| wrong(part))?;
            }
        }
        let grid = level
            .generate(width, height, seed)
            .map_err(|error| Failure::input(format!("{text}: {error}")))?
            .with_rules(rules);
        Ok(Self { name: format!("{level}:{width}x{height}:seed={seed}"), grid })
    }
}

/// One instance to run.
#[derive(Debug)]
pub struct Problem {
    /// The map's name.
    pub map: String,
    /// The seed that drew the agents; nothing if they were read.
    pub seed: Option<u64>,
    /// How they were drawn; nothing if they were read.
    pub kind: Option<&'static str>,
    /// Map and agents.
    pub instance: Instance,
}

impl Problem {
    /// How many agents there are.
    pub fn agents(&self) -> usize {
        self.instance.tasks().len()
    }
}

/// All instances that a run is about: maps x agents x seeds.
pub fn problems(args: &RunArgs) -> Result<Vec<Problem>, Failure> {
    let scenario = args
        .scen
        .as_deref()
        .map(|path| read_scenario(path).map(|scenario| (path, scenario)).map_err(Failure::input));
    let scenario = scenario.transpose()?;
    let counts = match (args.agents.as_slice(), &scenario) {
        ([], Some((_, scenario))) => vec![scenario.rows.len()],
        ([], None) => vec![DEFAULT_AGENTS],
        (counts, _) => counts.to_vec(),
    };
    let mut problems = Vec::new();
    for text in &args.maps {
        let map = NamedMap::find(text, args.rules.rules())?;
        for &agents in &counts {
            match &scenario {
                Some((path, scenario)) => {
                    problems.push(from_scenario(&map, path, scenario, agents, args)?);
                }
                None => {
                    for &seed in &args.seed {
                        problems.push(drawn(&map, agents, seed, args)?);
                    }
                }
            }
        }
    }
    Ok(problems)
}

fn drawn(map: &NamedMap, agents: usize, seed: u64, args: &RunArgs) -> Result<Problem, Failure> {
    let kind = args.kind.kind();
    let instance = Instance::draw(map.grid.clone(), kind, agents, seed)
        .map_err(|error| Failure::input(format!("{}: {error}", map.name)))?;
    Ok(Problem { map: map.name.clone(), seed: Some(seed), kind: Some(kind.name()), instance })
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
        Failure::input(format!("{}: {place}{error}{hint}", path.display()))
    };
    let instance = Instance::from_scenario(&map.grid, scenario, agents, reach).map_err(located)?;
    Ok(Problem { map: map.name.clone(), seed: None, kind: None, instance })
}
