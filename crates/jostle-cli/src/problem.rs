//! The problems of a `jostle run`.

use std::path::Path;

use jostle::formats::{FileError, Scenario, read_scenario, read_script};
use jostle::instance::{InstanceError, Reach};
use jostle::{Instance, Script};
use jostle_lab::{NamedMap, Problem, grouped};

use crate::args::RunArgs;
use crate::failure::Failure;

/// The number of agents unless the user says otherwise.
const DEFAULT_AGENTS: usize = 100;

/// The most problems of one command: all of them are drawn before the first is run, so that errors come early.
const MOST_PROBLEMS: usize = 10_000;

/// All problems of the command: maps x agents x seeds.
pub fn problems(args: &RunArgs) -> Result<Vec<Problem>, Failure> {
    let scenario = args
        .scen
        .as_deref()
        .map(|path| read_scenario(path).map(|scenario| (path, scenario)).map_err(Failure::input));
    let scenario = scenario.transpose()?;
    let counts: Vec<usize> = match (&args.agents, &scenario) {
        (Some(counts), _) => counts.0.iter().map(|&count| count as usize).collect(),
        (None, Some((_, scenario))) => vec![scenario.rows.len()],
        (None, None) => vec![DEFAULT_AGENTS],
    };
    let script = args.script.as_deref().map(|path| Ok((path, read_script(path)?)));
    let script = script.transpose().map_err(|error: FileError| Failure::input(error))?;
    let seeds = if scenario.is_some() { 1 } else { args.seeds.0.len() };
    let number = args.maps.len().saturating_mul(counts.len()).saturating_mul(seeds);
    if number > MOST_PROBLEMS {
        let [number, most] = [number, MOST_PROBLEMS].map(|number| grouped(number as u64));
        return Err(Failure::input(format!(
            "{number} problems are too many for one command: {most} is the most, and `jostle sweep` makes more runs"
        )));
    }
    let mut problems = Vec::new();
    for text in &args.maps {
        let map = NamedMap::find(text, args.rules.rules())?;
        for &agents in &counts {
            match &scenario {
                Some((path, scenario)) => {
                    problems.push(from_scenario(&map, path, scenario, agents, args)?);
                }
                None => {
                    for &seed in &args.seeds.0 {
                        problems.push(Problem::draw(&map, args.kind, agents, seed)?);
                    }
                }
            }
        }
    }
    match script {
        None => Ok(problems),
        Some((path, script)) => {
            problems.into_iter().map(|problem| with_script(problem, path, &script)).collect()
        }
    }
}

/// The same problem with the changes of a script.
fn with_script(problem: Problem, path: &Path, script: &Script) -> Result<Problem, Failure> {
    let instance = problem.instance.with_script(script.clone());
    let instance =
        instance.map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
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
        Failure::input(format!("{}: {place}{error}{hint}", path.display()))
    };
    let instance = Instance::from_scenario(&map.grid, scenario, agents, reach).map_err(located)?;
    let (name, map_fingerprint) = (map.name.clone(), map.fingerprint());
    Ok(Problem { map: name, map_fingerprint, seed: None, kind: None, instance })
}
