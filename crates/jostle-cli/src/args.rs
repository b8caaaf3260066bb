//! The command line.

mod numbers;
mod rules;

use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{
    Args as ClapArgs, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum, ValueHint,
};
use jostle::formats::{LONGEST_QUOTATION, printable};
use jostle::instance::Kind;
use jostle::planners::{Entry, Registry, Spec};
use jostle::registry::did_you_mean;
use jostle::{CornerRule, Crossing, Limits, Neighbours, Rules, Script, Simulation};
use jostle_lab::{Experiment, GoalChoice, parse_limits};

pub use numbers::{Numbers, whole};
pub use rules::RulesArgs;

use crate::docs::{CompletionsArgs, ManArgs};
use crate::export::ExportArgs;
use crate::failure::Failure;
use crate::generate::GenArgs;
use crate::help;
use crate::names::misnamed;
use crate::print::PrintArgs;
use crate::problem::{NewGoals, ProblemArgs};
use crate::replay::ReplayArgs;
use crate::report::ReportArgs;
use crate::solve::SolveArgs;
use crate::sweep::SweepArgs;

/// Moves crowds of game characters on grids: real-time multi-agent pathfinding.
///
/// Without a command, Jostle runs a crowd on a built-in map with every planner, prints a table, and writes a page
/// that shows the best run in a browser, beside one of bmaa.
#[derive(Parser, Debug)]
#[command(
    name = "jostle",
    version,
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  jostle                                                    every planner on a built-in map
  jostle maps                                               the built-in maps
  jostle run cave --planner jostle --replay cave.html       a page that plays the run
  jostle run my.map --scen my.scen --agents 100 --json      a line of JSON for each run
  jostle run cave --planner bmaa,bmaa:expansions=128        two settings of one planner
  jostle run cave --agents 50-200/50 --seeds 1-10 --brief   tables of 40 crowds
  jostle run aisles --agents 200 --lifelong --ticks 1000    throughput in a warehouse
  jostle solve my.map --scen my.scen --agents 20            the best joint plan, with its proof
  jostle run cave --planner jostle,bmaa --replay both.html  a page that plays two runs side by side
  jostle check my.map paths.txt                             whether a run is legal
  jostle replay my.map a.txt b.txt --out page.html          a page that plays path files of any tool
  jostle gen cave --agents 200 --seeds 1-10 --out problems  scenario files
  jostle sweep spec.toml --out results                      thousands of runs; can be resumed
  jostle report results                                     tables and figures of them
  jostle train --results results --out my.safetensors       learn from them which planner to choose
  jostle completions bash                                   shell completions

Files: In place of a file name, - means standard input or standard output. Messages and tables then go
to standard error.

Environment:
  JOSTLE_MAPS  a folder in which maps and scenarios are also looked for
  NO_COLOR     if it is set and not empty, tables have no colours

Exit codes of all commands: 0 success; 1 a check found an illegal run, or a solver found no plan; 2 invalid
arguments or input, or a file that cannot be written; 130 interrupted by Ctrl-C (the results so far are
shown or saved)."
)]
pub struct Args {
    /// Open the page that plays the best run
    #[arg(long)]
    pub open: bool,

    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Args {
    /// The command line of this process. Exits the program at once if it is invalid or only asks for help.
    pub fn of_command_line() -> Self {
        let parsed = help::prepared(Self::command()).try_get_matches();
        let parsed = parsed.and_then(|mut matches| Self::from_arg_matches_mut(&mut matches));
        parsed.unwrap_or_else(|error| match error.kind() {
            ErrorKind::DisplayHelp => help::print(&error),
            _ => help::suggesting(printable_error(error)).exit(),
        })
    }

    /// Whether the command knows the planner `auto`, whose model takes a moment to read.
    #[cfg(feature = "select")]
    pub const fn knows_auto(&self) -> bool {
        matches!(
            self.command,
            Some(
                Command::Run(_)
                    | Command::Sweep(_)
                    | Command::Planners(_)
                    | Command::Completions(_)
            )
        )
    }

    /// The model that the user has asked the planner `auto` to choose with.
    #[cfg(feature = "select")]
    pub fn model(&self) -> Option<&Path> {
        match &self.command {
            Some(Command::Run(args)) => args.model.as_deref(),
            _ => None,
        }
    }

    /// The page or picture that is to be opened when the command is done.
    pub fn page_to_open(&self) -> Option<PathBuf> {
        let (wanted, page) = match self.command.as_ref()? {
            Command::Run(args) => (args.open, args.replay.clone()),
            Command::Solve(args) => (args.open, args.replay.clone()),
            Command::Check(args) => (args.open, args.replay.clone()),
            Command::Replay(args) => (args.open, Some(args.out.clone())),
            Command::Maps(args) => (args.open, args.image.clone()),
            Command::Report(args) => (args.open, Some(args.folder().join("report.md"))),
            _ => return None,
        };
        page.filter(|_| wanted)
    }

    /// A sentence about options that have no effect together, where one of them would be ignored.
    pub fn contradiction(&self) -> Option<String> {
        let (rules, experiment) = match self.command.as_ref()? {
            Command::Run(args) => (args.problems.rules, args.experiment),
            Command::Solve(args) => (args.rules(), None),
            Command::Gen(args) => args.rules(),
            Command::Check(args) => (args.rules, None),
            Command::Replay(args) => (args.rules, None),
            _ => return None,
        };
        let rules = experiment.map_or(rules, |experiment| rules.preferring(experiment.rules()));
        let Rules { neighbours, corners, crossing } = rules.rules();
        let option = match (corners, crossing) {
            (CornerRule::BothFree, Crossing::Allowed) => return None,
            (CornerRule::BothFree, Crossing::Forbidden) => "--forbid-crossing",
            _ => "--corners",
        };
        let no_diagonals = "with 4 neighbours there are no diagonal steps";
        (neighbours == Neighbours::Four)
            .then(|| format!("{option} has no effect here: {no_diagonals}"))
    }
}

/// The error of a command line with its quotations escaped and short.
fn printable_error(mut error: clap::Error) -> clap::Error {
    let changed = error.context().filter_map(|(kind, value)| match value {
        ContextValue::String(text) => {
            let shown = printable(text, LONGEST_QUOTATION);
            (shown != *text).then_some((kind, shown))
        }
        _ => None,
    });
    let changed: Vec<_> = changed.collect();
    if !changed.is_empty() {
        // Its tips repeat the quotations.
        error.remove(ContextKind::Suggested);
    }
    for (kind, shown) in changed {
        error.insert(kind, ContextValue::String(shown));
    }
    error
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run crowds with one or several planners, check the runs, and compare them
    Run(RunArgs),
    /// Find and check joint plans with proven bounds on their cost
    ///
    /// A solver looks at the whole problem before any agent moves. It finds one plan for all agents, and a bound: no plan
    /// costs less. Together they show whether the plan is optimal, or how far from optimal it is at most. If the limit or
    /// Ctrl-C ends a search, the bound and the best plan so far are shown.
    Solve(SolveArgs),
    /// Run experiments by the thousand; a sweep that was stopped can be resumed
    ///
    /// A file asks for all combinations of maps, kinds, numbers of agents or tasks, seeds, planners or solvers, and limits. Every run is
    /// checked and added to the folder as soon as it ends, as a line of records.jsonl. A sweep can be stopped or killed at any time: the
    /// same command resumes it, and no run is made twice.
    Sweep(SweepArgs),
    /// Generate random problems and write them as scenario files that other tools can read
    ///
    /// They are MovingAI .scen files, with the exact length of every shortest path, or tasks for pairs of agents that meet. There is a
    /// file for each map, number of agents and seed, and a .map file for each built-in map. The same seed draws the same agents as in
    /// `jostle run` and `jostle sweep`. An existing file with other contents is never replaced.
    Gen(GenArgs),
    /// Write the records of runs and sweeps as CSV, JSON lines or Parquet
    ///
    /// All shards of a sweep are written together, every run once, in an order that does not depend on when they were made.
    Export(ExportArgs),
    /// Check path files against a map: no collision, no swap, no illegal step
    Check(CheckArgs),
    /// Write a page that plays path files in a browser, several of them side by side
    Replay(ReplayArgs),
    /// Make tables and figures from records, beside the numbers that the papers print
    Report(ReportArgs),
    /// Show the built-in maps, or measure, draw and save one
    Maps(MapsArgs),
    /// List the planners, or the parameters of one
    Planners(NamesArgs),
    /// List the solvers, or the parameters of one
    Solvers(NamesArgs),
    /// Print a script that completes commands, options and names in a shell
    Completions(CompletionsArgs),
    /// Print a manual page, or write all of them to a folder
    Man(ManArgs),
    /// Learn from results which planner to choose for a problem
    ///
    /// With --out, a model is trained on all problems and written. With --splits, selectors are trained on a part of the problems and
    /// tested on the rest, several times, and tables show what their choices are worth: once with problems split one by one, and once
    /// with maps that were never seen.
    #[cfg(feature = "select")]
    Train(crate::train::TrainArgs),
    /// Show what a model chooses for problems
    ///
    /// Beside its choice stands what it expects of every planner.
    #[cfg(feature = "select")]
    Select(crate::select::SelectArgs),
    /// Learn from results which planner to choose for a problem (not in this build)
    #[cfg(not(feature = "select"))]
    Train(AnyArgs),
    /// Show what a model chooses for problems (not in this build)
    #[cfg(not(feature = "select"))]
    Select(AnyArgs),
}

impl Command {
    /// The files that the command reads, and names that are not files, such as those of built-in maps.
    pub fn inputs(&self) -> Vec<&Path> {
        match self {
            Self::Run(args) => args.inputs().collect(),
            Self::Solve(args) => args.inputs().collect(),
            Self::Sweep(args) => vec![&args.spec],
            Self::Export(args) => vec![&args.records],
            Self::Check(args) => {
                args.paths.iter().map(PathBuf::as_path).chain([Path::new(&args.map)]).collect()
            }
            Self::Report(args) => vec![&args.records],
            Self::Replay(args) => {
                args.paths.iter().map(PathBuf::as_path).chain([Path::new(&args.map)]).collect()
            }
            Self::Maps(args) => {
                args.map.iter().map(Path::new).chain(args.scen.as_deref()).collect()
            }
            Self::Gen(args) => args.maps.iter().map(Path::new).collect(),
            #[cfg(feature = "select")]
            Self::Train(args) => args.inputs(),
            #[cfg(feature = "select")]
            Self::Select(args) => args.inputs(),
            _ => Vec::new(),
        }
    }

    /// The files that the command writes.
    pub fn outputs(&self) -> Vec<&Path> {
        let outputs = match self {
            Self::Run(args) => [args.paths.as_deref(), args.replay.as_deref()],
            Self::Solve(args) => [args.paths.as_deref(), args.replay.as_deref()],
            Self::Export(args) => [Some(args.out.as_path()), None],
            Self::Check(args) => [args.replay.as_deref(), None],
            Self::Replay(args) => [Some(args.out.as_path()), None],
            Self::Maps(args) => [args.out.as_deref(), args.image.as_deref()],
            Self::Gen(args) => [Some(args.out.as_path()), None],
            #[cfg(feature = "select")]
            Self::Train(args) => [args.out.as_deref(), args.data.as_deref()],
            #[cfg(feature = "select")]
            Self::Select(args) => [args.picture.as_deref(), None],
            _ => [None, None],
        };
        outputs.into_iter().flatten().collect()
    }

    /// The folder that the command makes, if it can only write to a folder.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Sweep(args) => args.out.as_deref(),
            Self::Report(args) => args.out.as_deref(),
            Self::Man(args) => args.out.as_deref(),
            _ => None,
        }
    }

    /// Whether it prints lines of JSON.
    pub const fn prints_json(&self) -> bool {
        match self {
            Self::Run(args) => args.print.json,
            Self::Solve(args) => args.print.json,
            Self::Check(args) => args.json,
            Self::Maps(args) => args.json,
            #[cfg(feature = "select")]
            Self::Select(args) => args.print.json,
            _ => false,
        }
    }
}

/// Why there is no `jostle train`, `jostle select` and `--planner auto`.
#[cfg(not(feature = "select"))]
pub const NO_SELECTION: &str =
    "this build cannot choose planners: build it with `cargo build --release --features select`";

/// Whatever was typed, for a command that this build lacks.
#[cfg(not(feature = "select"))]
#[derive(ClapArgs, Debug)]
#[command(disable_help_flag = true)]
pub struct AnyArgs {
    #[arg(hide = true, allow_hyphen_values = true, trailing_var_arg = true)]
    anything: Vec<String>,
}

#[derive(ClapArgs, Debug)]
#[command(
    mut_arg("agents", |agents| agents.help(agents_help(RunArgs::DEFAULT_AGENTS))),
    after_long_help = "\
Examples:
  jostle run cave --agents 200 --planner jostle,pibt
  jostle run cave --planner jostle --replay cave.html --open        watch the run in a browser
  jostle run my.map --scen a.scen,b.scen --agents 50-200/50         two scenarios, four sizes of each
  jostle run --scen den312d-random-1.scen                           on the map that the scenario names
  jostle run rooms --kind swap-sides --seeds 1-20 --brief           means over 20 crowds
  jostle run cave --planner jostle --paths - | jostle check cave -
  jostle run cave --json | jostle export - --out runs.csv
  jostle run aisles --agents 200 --lifelong --ticks 1000 --planner jostle,pibt

Exit codes: 0 success, 1 a run was illegal, 2 invalid arguments or input, 130 interrupted (the results
so far are shown)."
)]
pub struct RunArgs {
    #[command(flatten)]
    pub problems: ProblemArgs,

    /// Apply a script of changes, one per line, each preceded by its tick, as in "30 wall (4,7)"; docs/formats.md lists the changes
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "experiment")]
    pub script: Option<PathBuf>,

    /// Give agents a new goal whenever they arrive, until the limit, and count the goals that are reached
    ///
    /// An agent that stands on its goal at the end of a tick has its next goal in the next tick. No two agents have the same goal.
    #[arg(long, conflicts_with_all = ["experiment", "script"])]
    pub lifelong: bool,

    /// Where the new goals are: anywhere, or at shelves and stations in turn [default: stations on the built-in warehouses, anywhere on other
    /// maps]
    #[arg(long, value_enum, value_name = "PLACES", requires = "lifelong")]
    goals: Option<GoalsArg>,

    /// Take the new goals from a file, one on each line: "(4,7)" for the next agent that arrives, "3 (4,7)" for agent 3
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "lifelong", conflicts_with = "goals")]
    pub tasks: Option<PathBuf>,

    /// Announce the script's changes in advance; planners that cannot use them are rejected
    #[arg(long, requires = "script")]
    pub announced: bool,

    /// Reproduce an experiment from a paper, with maps, crowds, planners, rules and measures of its own
    #[arg(
        long,
        value_name = "NAME",
        value_parser = parse_experiment,
        conflicts_with_all = ["kind", "scen"],
        help = experiments_help()
    )]
    pub experiment: Option<Experiment>,

    /// Planners (`jostle planners` lists them), each with parameters after colons, as in
    /// bmaa:expansions=64:vision=3 [default: jostle,bmaa,bmaa-c,bmaa-f,bmaa-f-c, and with --lifelong jostle,pibt]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    planner: Vec<String>,

    /// The model with which the planner auto chooses: a file that `jostle train` has written [default: the one that comes with Jostle]
    #[cfg(feature = "select")]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    model: Option<PathBuf>,

    /// Limit of a run: 4096steps, 30s, 5000000expansions, or several, separated by commas [default: 4096steps]
    ///
    /// A limit in expansions behaves like one in seconds, because searches use it up, but gives the same run on every machine.
    #[arg(long, value_parser = parse_limits)]
    limit: Option<Limits>,

    /// Limit of a run in ticks: --ticks 500 is the same as --limit 500steps
    #[arg(long, value_name = "NUMBER", conflicts_with = "limit", value_parser = whole::<u64>(0..=u64::MAX))]
    ticks: Option<u64>,

    /// Write the paths: to a file for one run, to a folder for several
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Option<PathBuf>,

    /// Open the page of --replay in a browser
    #[arg(long, requires = "replay")]
    pub open: bool,

    /// Write a page that plays the run in a browser
    ///
    /// Several planners on one problem are side by side on one page if the name ends in .html. Any other name is a folder that receives
    /// one page per run.
    #[arg(long, value_name = "PATH")]
    pub replay: Option<PathBuf>,

    #[command(flatten)]
    pub print: PrintArgs,
}

impl RunArgs {
    /// The number of agents that are drawn unless the user says otherwise.
    pub const DEFAULT_AGENTS: usize = 100;

    /// The limits of a run.
    pub fn limit(&self) -> Limits {
        let ticks = self.ticks.unwrap_or(Simulation::DEFAULT_TICKS);
        self.limit.unwrap_or(Limits::ticks(ticks))
    }

    /// The files that the command reads, and the names of maps that are not files.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        #[cfg(feature = "select")]
        let model = self.model.as_deref();
        #[cfg(not(feature = "select"))]
        let model: Option<&Path> = None;
        let lists = [self.script.as_deref(), self.tasks.as_deref(), model];
        self.problems.inputs().chain(lists.into_iter().flatten())
    }

    /// Where agents that arrive get new goals; none if the runs are not lifelong.
    pub fn new_goals(&self) -> Option<NewGoals<'_>> {
        let choice = match self.goals {
            None => GoalChoice::Usual,
            Some(GoalsArg::Anywhere) => GoalChoice::Anywhere,
            Some(GoalsArg::Stations) => GoalChoice::Stations,
        };
        let drawn = NewGoals::Drawn(choice);
        self.lifelong.then(|| self.tasks.as_deref().map_or(drawn, NewGoals::Listed))
    }

    /// The planners that were asked for.
    pub fn planners(&self, registry: &Registry) -> Result<Vec<Spec>, Failure> {
        #[cfg(not(feature = "select"))]
        if self.planner.iter().any(|text| is_auto(text)) && registry.find("auto").is_err() {
            return Err(Failure::input(NO_SELECTION));
        }
        #[cfg(feature = "select")]
        if self.model.is_some() && !self.planner.iter().any(|text| is_auto(text)) {
            let reason = "--model has no effect here: only the planner auto chooses with a model";
            return Err(Failure::input(reason));
        }
        let planners = self.planner.iter().map(|text| registry.parse(text));
        let planners: Vec<Spec> =
            planners.collect::<Result<_, _>>().map_err(|error| misnamed(&error))?;
        if self.announced {
            refuse_surprised(registry, &planners)?;
        }
        Ok(planners)
    }

    /// Fills in the defaults.
    #[must_use]
    pub fn completed(mut self) -> Self {
        if let Some(experiment) = self.experiment {
            let problems = &mut self.problems;
            problems.rules = problems.rules.preferring(experiment.rules());
            if self.ticks.is_none() {
                self.limit.get_or_insert(experiment.limits());
            }
            problems.kind = experiment.kind();
            if problems.maps.is_empty() {
                problems.maps = experiment.maps();
            }
            let agents = experiment.agents().iter().map(|&agents| agents as u64).collect();
            problems.agents.get_or_insert(Numbers(agents));
            if self.planner.is_empty() {
                self.planner = experiment.planners().iter().map(|&name| name.to_owned()).collect();
            }
        }
        if self.planner.is_empty() {
            let usual: &[&str] = if self.lifelong {
                &["jostle", "pibt"]
            } else {
                &["jostle", "bmaa", "bmaa-c", "bmaa-f", "bmaa-f-c"]
            };
            self.planner = usual.iter().map(|&name| name.to_owned()).collect();
        }
        self
    }
}

/// Whether a text names the planner `auto`.
fn is_auto(text: &str) -> bool {
    text.trim().split(':').next() == Some("auto")
}

/// Refuses planners that cannot use changes that are announced.
fn refuse_surprised(registry: &Registry, planners: &[Spec]) -> Result<(), Failure> {
    let none = Script::default();
    let Some(planner) = planners.iter().find(|planner| planner.build_knowing(&none).is_none())
    else {
        return Ok(());
    };
    let entries = registry.entries().iter();
    let able = entries.filter(|entry| entry.recipe().build_knowing(&none).is_some());
    let able = able.map(Entry::name).collect::<Vec<_>>().join(", ");
    Err(Failure::input(format!(
        "{} cannot use changes that are announced: those that can are {able}",
        planner.text()
    )))
}

#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum GoalsArg {
    Anywhere,
    Stations,
}

#[derive(ClapArgs, Debug)]
#[command(after_long_help = "\
Examples:
  jostle check cave paths.txt
  jostle check my.map runs/*.txt                        all of them, even if some are illegal
  jostle check my.map paths.txt --json                  the first error with its tick and its agents
  jostle run cave --planner pibt --paths - | jostle check cave -

Exit codes: 0 all runs are legal, 1 a run is illegal, 2 invalid arguments or input, 130 interrupted.")]
pub struct CheckArgs {
    /// The map: a MovingAI .map file, or a built-in one
    #[arg(value_hint = ValueHint::FilePath)]
    pub map: String,

    /// Path files, as `jostle run --paths` and `jostle solve --paths` write them; all are checked, even if some are illegal
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub paths: Vec<PathBuf>,

    /// Print a line of JSON for each file
    #[arg(long, conflicts_with = "replay")]
    pub json: bool,

    /// Open the page of --replay in a browser
    #[arg(long, requires = "replay")]
    pub open: bool,

    /// Write a page that plays the run in a browser
    ///
    /// Several path files are side by side on one page if the name ends in .html. Any other name is a folder that receives one page per
    /// run. A run that is illegal is shown up to its first illegal step.
    #[arg(long, value_name = "PATH")]
    pub replay: Option<PathBuf>,

    #[command(flatten)]
    pub rules: RulesArgs,
}

#[derive(ClapArgs, Debug)]
#[command(after_long_help = "\
Examples:
  jostle maps                                                 the built-in maps
  jostle maps cave:200x120:seed=4                             its size, its floor, and a sketch
  jostle maps rooms:64x48 --out rooms.map
  jostle maps my.map --image my.svg --open
  jostle maps my.map --image my.png --scen my.scen --agents 100
  jostle maps my.map --json                                   its size and its floor, for programs")]
pub struct MapsArgs {
    /// A .map file, or a built-in map as NAME, NAME:WIDTHxHEIGHT, NAME:WxH:seed=N [default: a list of the built-in maps]
    #[arg(value_hint = ValueHint::FilePath)]
    pub map: Option<String>,

    /// Write the map as a MovingAI .map file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "map")]
    pub out: Option<PathBuf>,

    /// Draw the map as a .png or an .svg file; - writes an SVG to standard output
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        requires = "map",
        conflicts_with = "out"
    )]
    pub image: Option<PathBuf>,

    /// Print the list, or the size and the floor of a map, as JSON
    #[arg(long, conflicts_with_all = ["out", "image"])]
    pub json: bool,

    /// Open the picture of --image
    #[arg(long, requires = "image")]
    pub open: bool,

    /// Draw the starts and goals of this many agents
    #[arg(long, value_name = "NUMBER", requires = "image")]
    pub agents: Option<Numbers>,

    /// How starts and goals are chosen
    #[arg(long, value_parser = parse_kind, default_value = "random", requires = "agents", help = kinds_help())]
    pub kind: Kind,

    /// Seed that draws starts and goals: one number, because a picture shows one crowd
    #[arg(
        long,
        visible_alias = "seed",
        value_name = "NUMBER",
        default_value = "1",
        requires = "agents"
    )]
    pub seeds: Numbers,

    /// Draw the starts and goals of the first rows of a MovingAI .scen file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "image", conflicts_with_all = ["kind", "seeds"])]
    pub scen: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
pub struct NamesArgs {
    /// A name, to show its parameters [default: a list of all names]
    pub name: Option<String>,

    /// Print a line of JSON for each name, with its parameters
    #[arg(long)]
    pub json: bool,
}

pub fn parse_kind(name: &str) -> Result<Kind, String> {
    if let Some(experiment) = Experiment::from_name(name) {
        let name = experiment.name();
        return Err(format!("{name} is an experiment, not a kind: write --experiment {name}"));
    }
    let names = Kind::ALL.map(Kind::name);
    Kind::from_name(name).ok_or_else(|| did_you_mean(name, &names, "the kinds are"))
}

fn kind_names() -> String {
    Kind::ALL.map(Kind::name).join(", ")
}

pub fn kinds_help() -> String {
    format!("How starts and goals are chosen: {}", kind_names())
}

pub fn agents_help(default: usize) -> String {
    let form = "How many agents: numbers and ranges, as in 25-400/25,600";
    format!("{form} [default: {default}, or all of --scen]")
}

pub fn parse_experiment(name: &str) -> Result<Experiment, String> {
    let names = Experiment::ALL.map(Experiment::name);
    Experiment::from_name(name).ok_or_else(|| did_you_mean(name, &names, "the experiments are"))
}

pub fn experiments_help() -> String {
    let list = Experiment::ALL.map(|one| format!("{} ({})", one.name(), one.about())).join(", ");
    format!("Reproduce an experiment from a paper, with maps and settings of its own: {list}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        use clap::CommandFactory;
        Args::command().debug_assert();
    }
}
