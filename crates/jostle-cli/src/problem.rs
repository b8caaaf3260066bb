//! The problems of a command: maps, and crowds that are drawn or read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args as ClapArgs;
use jostle::formats::{FileError, Scenario, read_goals, read_scenario, read_script, shown_path};
use jostle::instance::{InstanceError, Kind, Reach};
use jostle::{Instance, Rules, Script};
use jostle_lab::{GoalChoice, GoalSource, NamedMap, Problem, RulesText};

use crate::args::{Numbers, RulesArgs, kinds_help, parse_kind};
use crate::failure::Failure;
use crate::table::counted;

/// The map unless the user names one.
const DEFAULT_MAP: &str = "cave";

/// Which problems: every combination of what is listed.
#[derive(ClapArgs, Debug)]
pub struct ProblemArgs {
    /// Maps: MovingAI .map files, or built-in ones as NAME, NAME:WIDTHxHEIGHT, NAME:WxH:seed=N
    /// [default: cave]
    #[arg(value_name = "MAP")]
    pub maps: Vec<String>,

    /// Take starts and goals from the first rows of a MovingAI .scen file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["kind", "seeds"])]
    pub scen: Option<PathBuf>,

    /// How many agents; each command says in its help how many there are otherwise
    #[arg(long, value_name = "NUMBERS")]
    pub agents: Option<Numbers>,

    /// Seeds that draw starts and goals: numbers and ranges, as in 1-10
    #[arg(long, visible_alias = "seed", value_name = "NUMBERS", default_value = "1")]
    pub seeds: Numbers,

    /// How starts and goals are drawn
    #[arg(long, value_parser = parse_kind, default_value = "random", help = kinds_help())]
    pub kind: Kind,

    /// Accept agents of --scen whose goal is out of reach (they never arrive)
    #[arg(long, requires = "scen")]
    pub allow_unreachable: bool,

    #[command(flatten)]
    pub rules: RulesArgs,
}

impl ProblemArgs {
    /// The files that are read, and the names of maps that are not files.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.maps.iter().map(Path::new).chain(self.scen.as_deref())
    }

    /// A problem in one line, with what limits the work on it.
    pub fn heading(&self, problem: &Problem, limits: &str) -> String {
        let grid = problem.instance.grid();
        let mut parts = vec![
            problem.map.clone(),
            format!("{}x{} cells", grid.width(), grid.height()),
            counted(problem.agents(), "agent"),
        ];
        match problem.seed {
            Some(seed) => {
                parts.push(format!("{}, seed {seed}", problem.kind.map_or("drawn", Kind::name)));
            }
            None => parts.extend(self.scen.as_ref().map(shown_path)),
        }
        let goals = problem.lifelong.as_ref().map(|source| source.places().title());
        parts.extend(goals.map(|goals| format!("lifelong, {goals}")));
        parts.push(format!("at most {limits}"));
        let rules = grid.rules();
        if rules != Rules::default() {
            parts.push(rules.title());
        }
        parts.join(" · ")
    }
}

/// All problems of the command: maps x agents x seeds. Each is drawn when it is its turn.
pub struct Problems<'a> {
    args: &'a ProblemArgs,
    maps: Vec<NamedMap>,
    scenario: Option<(&'a Path, Scenario)>,
    script: Option<(&'a Path, Script)>,
    counts: Vec<usize>,
    /// Where agents that arrive get new goals, for each map; nothing if the problems are not lifelong.
    sources: Vec<GoalSource>,
}

/// Where agents that arrive get new goals.
#[derive(Clone, Copy, Debug)]
pub enum NewGoals<'a> {
    /// They are drawn.
    Drawn(GoalChoice),
    /// They are listed in a file.
    Listed(&'a Path),
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
    pub fn of(
        args: &'a ProblemArgs,
        default_agents: usize,
        script: Option<&'a Path>,
    ) -> Result<Self, Failure> {
        let scenario = args.scen.as_deref().map(|path| Ok((path, read_scenario(path)?)));
        let scenario = scenario.transpose().map_err(|error: FileError| Failure::input(error))?;
        let counts = match (&args.agents, &scenario) {
            (Some(counts), _) => counts.0.iter().map(|&count| count as usize).collect(),
            (None, Some((_, scenario))) => vec![scenario.rows.len()],
            (None, None) => vec![default_agents],
        };
        let script = script.map(|path| Ok((path, read_script(path)?)));
        let script = script.transpose().map_err(|error: FileError| Failure::input(error))?;
        let find = |text: &str| NamedMap::find(text, args.rules.rules());
        let maps = if args.maps.is_empty() {
            vec![find(DEFAULT_MAP)?]
        } else {
            args.maps.iter().map(|text| find(text)).collect::<Result<_, _>>()?
        };
        let sources = Vec::new();
        let problems = Self { args, maps, scenario, script, counts, sources };
        for name in problems.samples() {
            problems.draw(name)?;
        }
        Ok(problems)
    }

    /// The same problems as lifelong ones. A list of goals must fit all of them.
    pub fn lifelong(mut self, goals: NewGoals<'_>) -> Result<Self, Failure> {
        self.sources = match goals {
            NewGoals::Drawn(choice) => {
                self.maps.iter().map(|map| choice.on(map)).collect::<Result<_, _>>()?
            }
            NewGoals::Listed(path) => {
                let list = Arc::new(read_goals(path).map_err(Failure::input)?);
                vec![GoalSource::List(list); self.maps.len()]
            }
        };
        if let NewGoals::Listed(path) = goals {
            for name in self.samples() {
                let problem = self.draw(name)?;
                self.sources[name.map]
                    .goals(&problem)
                    .map_err(|error| Failure::input(format!("{}: {error}", shown_path(path))))?;
            }
        }
        Ok(self)
    }

    /// A problem of every map and size. The seeds differ little: if one problem of a size can be drawn, so can the others.
    fn samples(&self) -> impl Iterator<Item = ProblemName> {
        let seed = self.seeds().next().flatten();
        (0..self.maps.len()).flat_map(move |map| {
            self.counts.iter().map(move |&agents| ProblemName { map, agents, seed })
        })
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

    /// The name of the files that a planner or solver gets for a problem, in a folder.
    pub fn stem(&self, problem: &Problem, contestant: &str) -> String {
        if self.count() == 1 {
            return contestant.to_owned();
        }
        let seed = problem.seed.map_or_else(|| "scen".to_owned(), |seed| format!("seed{seed}"));
        format!("{}-{}-{seed}-{contestant}", problem.map, problem.agents())
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
        let problem = Problem { lifelong: self.sources.get(name.map).cloned(), ..problem };
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
    args: &ProblemArgs,
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
    let (seed, kind, lifelong) = (None, None, None);
    Ok(Problem { map: name, map_fingerprint, seed, kind, instance, lifelong })
}
