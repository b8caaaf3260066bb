//! The problems of a command: maps, and crowds that are drawn or read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args as ClapArgs, ValueHint};
use jostle::formats::{FileError, read_goals, read_script, shown_path};
use jostle::instance::{Kind, Reach};
use jostle::{Rules, Script};
use jostle_lab::{GoalChoice, GoalSource, NamedMap, Problem, RulesText, ScenarioFile};

use crate::args::{Numbers, RulesArgs, kinds_help, parse_kind};
use crate::failure::Failure;
use crate::table::counted;

/// The map unless the user names one.
pub const DEFAULT_MAP: &str = "cave";

/// Which problems: every combination of what is listed.
#[derive(ClapArgs, Debug)]
pub struct ProblemArgs {
    /// Maps: MovingAI .map files, or built-in ones as NAME, NAME:WIDTHxHEIGHT, NAME:WxH:seed=N
    /// [default: cave]
    #[arg(value_name = "MAP", value_hint = ValueHint::FilePath)]
    pub maps: Vec<String>,

    /// Take starts and goals from the first rows of MovingAI .scen files; each is a problem of its own
    ///
    /// Without a map, a scenario is run on the map that its rows name: beside the scenario, in the folder above it, or in the folder that
    /// `JOSTLE_MAPS` names. With one map, all scenarios are run on it; with several, each on the one that its rows name.
    #[arg(
        long,
        value_name = "FILES",
        value_delimiter = ',',
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["kind", "seeds"]
    )]
    pub scen: Vec<PathBuf>,

    /// How many agents; each command says in its help how many there are otherwise
    #[arg(long, value_name = "NUMBERS")]
    pub agents: Option<Numbers>,

    /// Seeds that draw starts and goals: numbers and ranges, as in 1-10
    #[arg(long, visible_alias = "seed", value_name = "NUMBERS", default_value = "1")]
    pub seeds: Numbers,

    /// How starts and goals are chosen
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
        self.maps.iter().map(Path::new).chain(self.scen.iter().map(PathBuf::as_path))
    }

    /// A problem in one line, with what limits the work on it.
    pub fn heading(problem: &Problem, limits: &str) -> String {
        let grid = problem.instance.grid();
        let mut parts = vec![
            problem.map.clone(),
            format!("{}x{} cells", grid.width(), grid.height()),
            counted(problem.agents(), "agent"),
        ];
        match (problem.seed, &problem.scen) {
            (Some(seed), _) => {
                parts.push(format!("{}, seed {seed}", problem.kind.map_or("drawn", Kind::name)));
            }
            (None, Some(scen)) => parts.push(format!("scenario {scen}")),
            (None, None) => {}
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

/// All problems of the command: maps x agents x seeds, or scenarios x agents. Each is drawn when it is its turn.
pub struct Problems<'a> {
    args: &'a ProblemArgs,
    maps: Vec<NamedMap>,
    /// The scenarios, each with the index of its map. Without any, agents are drawn.
    scens: Vec<(ScenarioFile, usize)>,
    script: Option<(&'a Path, Script)>,
    /// The numbers of agents; none if all of every scenario take part.
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
    origin: Origin,
}

/// Where the agents of a problem come from.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// They are drawn with this seed.
    Seed(u64),
    /// They are read: the index of the scenario.
    Scen(usize),
}

impl<'a> Problems<'a> {
    /// Reads all files, and makes sure that problems of every map and size can be drawn.
    pub fn of(
        args: &'a ProblemArgs,
        default_agents: usize,
        script: Option<&'a Path>,
    ) -> Result<Self, Failure> {
        let counts = match &args.agents {
            Some(counts) => counts.0.iter().map(|&count| count as usize).collect(),
            None if args.scen.is_empty() => vec![default_agents],
            None => Vec::new(),
        };
        let scens = args.scen.iter().map(|path| ScenarioFile::read(path));
        let mut scens: Vec<ScenarioFile> = scens.collect::<Result<_, _>>()?;
        tell_apart(&mut scens);
        let script = script.map(|path| Ok((path, read_script(path)?)));
        let script = script.transpose().map_err(|error: FileError| Failure::input(error))?;
        let find = |text: &str| NamedMap::find(text, args.rules.rules());
        let mut maps: Vec<NamedMap> =
            args.maps.iter().map(|text| find(text)).collect::<Result<_, _>>()?;
        let scens = if maps.is_empty() {
            on_their_maps(scens, &mut maps, args.rules.rules())?
        } else {
            let choose = |scen: ScenarioFile| Ok((scen.choose(maps.iter())?, scen));
            let chosen = scens.into_iter().map(choose).collect::<Result<Vec<_>, Failure>>()?;
            chosen.into_iter().map(|(map, scen)| (scen, map)).collect()
        };
        if maps.is_empty() {
            maps.push(find(DEFAULT_MAP)?);
        }
        let sources = Vec::new();
        let problems = Self { args, maps, scens, script, counts, sources };
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

    /// A problem of every map or scenario and size. The seeds differ little: if one problem of a size can be drawn, so can the others.
    fn samples(&self) -> impl Iterator<Item = ProblemName> {
        self.with_seeds(&self.args.seeds.0[..self.args.seeds.0.len().min(1)])
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        if self.scens.is_empty() {
            let drawn = self.counts.len().saturating_mul(self.args.seeds.0.len());
            return self.maps.len().saturating_mul(drawn);
        }
        self.scens.len().saturating_mul(self.counts.len().max(1))
    }

    /// All of them, in order.
    pub fn names(&self) -> impl Iterator<Item = ProblemName> {
        self.with_seeds(&self.args.seeds.0)
    }

    /// All of them, where those that are drawn have these seeds.
    fn with_seeds<'b>(&'b self, seeds: &'b [u64]) -> impl Iterator<Item = ProblemName> + 'b {
        let maps = if self.scens.is_empty() { 0..self.maps.len() } else { 0..0 };
        let drawn = maps.flat_map(move |map| {
            self.counts.iter().flat_map(move |&agents| {
                let origins = seeds.iter().map(|&seed| Origin::Seed(seed));
                origins.map(move |origin| ProblemName { map, agents, origin })
            })
        });
        let read = self.scens.iter().enumerate().flat_map(|(number, (scen, map))| {
            let all = self.counts.is_empty().then(|| scen.rows());
            let (map, origin) = (*map, Origin::Scen(number));
            let counts = self.counts.iter().copied().chain(all);
            counts.map(move |agents| ProblemName { map, agents, origin })
        });
        drawn.chain(read)
    }

    /// The name of the files that a planner or solver gets for a problem, in a folder.
    pub fn stem(&self, problem: &Problem, contestant: &str) -> String {
        if self.count() == 1 {
            return contestant.to_owned();
        }
        let scen = problem.scen.as_deref().unwrap_or("scen");
        let origin = problem.seed.map_or_else(|| scen.to_owned(), |seed| format!("seed{seed}"));
        format!("{}-{}-{origin}-{contestant}", problem.map, problem.agents())
    }

    /// Draws or reads a problem.
    pub fn draw(&self, name: ProblemName) -> Result<Problem, Failure> {
        let (map, args) = (&self.maps[name.map], self.args);
        let problem = match name.origin {
            Origin::Seed(seed) => Problem::draw(map, args.kind, name.agents, seed)?,
            Origin::Scen(number) => {
                let reach = if args.allow_unreachable { Reach::Optional } else { Reach::Required };
                let hint = "--allow-unreachable accepts that";
                self.scens[number].0.problem(map, name.agents, reach, hint)?
            }
        };
        let problem = Problem { lifelong: self.sources.get(name.map).cloned(), ..problem };
        match &self.script {
            None => Ok(problem),
            Some((path, script)) => with_script(problem, path, script),
        }
    }
}

/// Names scenarios after their folders, too, where the names of their files are the same.
fn tell_apart(scens: &mut [ScenarioFile]) {
    let names: Vec<String> = scens.iter().map(|scen| scen.name.clone()).collect();
    for scen in scens.iter_mut() {
        if names.iter().filter(|name| **name == scen.name).count() > 1 {
            scen.name = scen.path.with_extension("").to_string_lossy().into_owned();
        }
    }
}

/// Finds the maps that scenarios name. A map that several of them name is there once.
fn on_their_maps(
    scens: Vec<ScenarioFile>,
    maps: &mut Vec<NamedMap>,
    rules: Rules,
) -> Result<Vec<(ScenarioFile, usize)>, Failure> {
    let library = std::env::var_os("JOSTLE_MAPS").map(PathBuf::from);
    let folders: Vec<&Path> = [Path::new("")].into_iter().chain(library.as_deref()).collect();
    let mut placed = Vec::new();
    for scen in scens {
        let (_, map) = scen.find_map(&scen.path.to_string_lossy(), &folders, rules)?;
        let is_same = |other: &NamedMap| other.name == map.name && other.file == map.file;
        let number = maps.iter().position(is_same).unwrap_or_else(|| {
            maps.push(map);
            maps.len() - 1
        });
        placed.push((scen, number));
    }
    Ok(placed)
}

/// The same problem with the changes of a script.
fn with_script(problem: Problem, path: &Path, script: &Script) -> Result<Problem, Failure> {
    let instance = problem.instance.with_script(script.clone());
    let instance =
        instance.map_err(|error| Failure::input(format!("{}: {error}", shown_path(path))))?;
    Ok(Problem { instance, ..problem })
}
