//! What users type.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use jostle::instance::Kind;
use jostle::planners::Spec;
use jostle::{CornerRule, Limits, Neighbours, Rules, Simulation};
use jostle_lab::{Experiment, parse_limits};

use crate::export::ExportArgs;
use crate::generate::GenArgs;
use crate::report::ReportArgs;
use crate::sweep::SweepArgs;

/// Moves crowds of game characters on grids: real-time multi-agent pathfinding.
///
/// Without a command, it runs a crowd on a built-in map with every planner and prints a table.
#[derive(Parser, Debug)]
#[command(
    name = "jostle",
    version,
    after_help = "\
Examples:
  jostle                                                 a crowd on a built-in map
  jostle run cave --planner jostle --replay cave.html    watch it in a browser
  jostle run my.map --scen my.scen --agents 100 --json   one line of JSON for each run
  jostle run rooms:200x120:seed=4 --planner bmaa,bmaa:expansions=128
  jostle gen cave --kind swap-sides --agents 200 --seeds 1-10 --out problems
  jostle sweep spec.toml --out results                   thousands of runs, resumed where they stopped
  jostle report results                                  tables and figures from records
  jostle check my.map paths.txt                          is this run legal?
  jostle maps                                            the built-in maps

Exit codes: 0 it ran, 1 a check found a run illegal, 2 the request or the input was wrong."
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run crowds with one or several planners, check the runs, and compare them
    Run(RunArgs),
    /// Run experiments by the thousand, and go on where they were stopped
    Sweep(SweepArgs),
    /// Draw problems, and write them as scenario files that other tools read
    Gen(GenArgs),
    /// Write the records of runs and sweeps as CSV, JSON lines or Parquet
    Export(ExportArgs),
    /// Check path files against a map: no collision, no swap, no illegal step
    Check(CheckArgs),
    /// Make tables and figures from the records of a folder, beside the papers' own numbers
    Report(ReportArgs),
    /// Show the built-in maps, or draw, measure and save one
    Maps(MapsArgs),
    /// List the planners and their parameters
    Planners(PlannersArgs),
}

#[derive(ClapArgs, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch on the command line")]
pub struct RunArgs {
    /// Maps: MovingAI .map files, or built-in ones as NAME, NAME:WIDTHxHEIGHT, NAME:WxH:seed=N
    /// [default: cave]
    #[arg(value_name = "MAP")]
    pub maps: Vec<String>,

    /// Take starts and goals from the first rows of a MovingAI .scen file
    #[arg(long, value_name = "FILE", conflicts_with = "kind")]
    pub scen: Option<PathBuf>,

    /// How many agents; several numbers make several runs [default: 100, or all of --scen]
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub agents: Vec<usize>,

    /// Draws starts and goals; several numbers make several runs
    #[arg(long, value_name = "SEED", value_delimiter = ',', default_value = "1")]
    pub seed: Vec<u64>,

    /// How starts and goals are drawn
    #[arg(long, value_parser = parse_kind, default_value = "random", help = kinds_help())]
    pub kind: Kind,

    /// An experiment of a paper, with maps, crowds, planners, rules and measures of its own
    #[arg(
        long,
        value_name = "NAME",
        value_parser = parse_experiment,
        conflicts_with_all = ["kind", "scen"],
        help = experiments_help()
    )]
    pub experiment: Option<Experiment>,

    /// Planners, each with parameters after colons, as in bmaa:expansions=64:vision=3
    ///
    /// `jostle planners` lists them all. [default: jostle,bmaa,bmaa-c,bmaa-f,bmaa-f-c]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub planner: Vec<PlannerArg>,

    /// When a run ends at the latest: 4096steps, 30s, 5000000expansions, or several with commas
    ///
    /// A limit in expansions behaves like a clock, since whole searches use it up, but reproduces to the cell on
    /// any machine. [default: 4096steps]
    #[arg(long, value_parser = parse_limits)]
    limit: Option<Limits>,

    #[command(flatten)]
    pub rules: RulesArgs,

    /// Accept agents whose goal is out of reach (they never arrive)
    #[arg(long)]
    pub allow_unreachable: bool,

    /// Write the paths: to a file for one run, to a folder for several
    #[arg(long, value_name = "PATH")]
    pub paths: Option<PathBuf>,

    /// Write a page that plays the run in a browser: a file for one run, a folder for several
    #[arg(long, value_name = "PATH")]
    pub replay: Option<PathBuf>,

    /// Print one line of JSON for each run instead of tables
    #[arg(long)]
    pub json: bool,

    /// Print only the tables that compare all maps and numbers of agents
    #[arg(long, conflicts_with = "json")]
    pub brief: bool,

    /// Print the tables in Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
}

impl RunArgs {
    /// When a run ends at the latest.
    pub fn limit(&self) -> Limits {
        self.limit.unwrap_or(Limits::ticks(Simulation::DEFAULT_TICKS))
    }

    /// Fills in what was not said.
    #[must_use]
    pub fn completed(mut self) -> Self {
        let words = |list: &str| list.split(',').map(str::to_owned).collect::<Vec<_>>();
        let planners = |list: &str| words(list).into_iter().map(PlannerArg).collect();
        if let Some(experiment) = self.experiment {
            self.rules = self.rules.preferring(experiment.rules());
            self.limit.get_or_insert(experiment.limits());
            self.kind = experiment.kind();
            if self.maps.is_empty() {
                self.maps = experiment.maps();
            }
            if self.agents.is_empty() {
                self.agents = experiment.agents().to_vec();
            }
            if self.planner.is_empty() {
                self.planner = planners(&experiment.planners().join(","));
            }
        }
        if self.maps.is_empty() {
            self.maps = words("cave");
        }
        if self.planner.is_empty() {
            self.planner = planners("jostle,bmaa,bmaa-c,bmaa-f,bmaa-f-c");
        }
        self
    }
}

#[derive(ClapArgs, Debug, Clone, Copy)]
pub struct RulesArgs {
    /// How many neighbours a cell has [default: 8]
    #[arg(long, value_enum, value_name = "4|8", hide_possible_values = true)]
    neighbours: Option<NeighboursArg>,

    /// Which of the two cells at the corners of a diagonal step must be free
    #[arg(long, value_enum, default_value = "both")]
    pub corners: CornersArg,

    /// Forbid two diagonal steps to cross inside a block of four cells
    #[arg(long)]
    pub forbid_crossing: bool,
}

impl RulesArgs {
    /// With these neighbours, unless the user said otherwise.
    pub fn preferring(mut self, rules: Rules) -> Self {
        self.neighbours.get_or_insert(match rules.neighbours {
            Neighbours::Four => NeighboursArg::Four,
            Neighbours::Eight => NeighboursArg::Eight,
        });
        self
    }

    pub fn rules(self) -> Rules {
        Rules {
            neighbours: match self.neighbours {
                Some(NeighboursArg::Four) => Neighbours::Four,
                Some(NeighboursArg::Eight) | None => Neighbours::Eight,
            },
            corners: match self.corners {
                CornersArg::Both => CornerRule::BothFree,
                CornersArg::One => CornerRule::OneFree,
                CornersArg::None => CornerRule::Ignored,
            },
        }
    }
}

#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum NeighboursArg {
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
}

#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum CornersArg {
    Both,
    One,
    None,
}

#[derive(ClapArgs, Debug)]
pub struct CheckArgs {
    /// The map: a MovingAI .map file, or a built-in one
    pub map: String,

    /// The path files
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub rules: RulesArgs,
}

#[derive(ClapArgs, Debug)]
pub struct MapsArgs {
    /// A built-in map as NAME, NAME:WIDTHxHEIGHT, NAME:WxH:seed=N, or a .map file; all built-in ones
    /// without
    pub map: Option<String>,

    /// Write it as a MovingAI .map file
    #[arg(long, value_name = "FILE", requires = "map")]
    pub out: Option<PathBuf>,

    /// Draw it as a .png or an .svg file
    #[arg(long, value_name = "FILE", requires = "map", conflicts_with = "out")]
    pub image: Option<PathBuf>,

    /// With the starts and goals of so many agents
    #[arg(long, value_name = "N", requires = "image")]
    pub agents: Option<usize>,

    /// How starts and goals are drawn
    #[arg(long, value_parser = parse_kind, default_value = "random", help = kinds_help())]
    pub kind: Kind,

    /// Draws starts and goals
    #[arg(long, value_name = "SEED", default_value = "1")]
    pub seed: u64,

    /// Take starts and goals from the first rows of a MovingAI .scen file
    #[arg(long, value_name = "FILE", requires = "image")]
    pub scen: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
pub struct PlannersArgs {
    /// One planner; all of them without
    pub name: Option<String>,
}

/// A planner that exists, with parameters that it has.
#[derive(Debug, Clone)]
pub struct PlannerArg(pub String);

impl std::str::FromStr for PlannerArg {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match Spec::parse(text) {
            Ok(spec) => Ok(Self(spec.text().to_owned())),
            Err(error) => Err(error.to_string()),
        }
    }
}

pub fn parse_kind(name: &str) -> Result<Kind, String> {
    if let Some(experiment) = Experiment::from_name(name) {
        let name = experiment.name();
        return Err(format!("{name} is an experiment, not a kind: write --experiment {name}"));
    }
    Kind::from_name(name).ok_or_else(|| format!("the kinds are {}", kind_names()))
}

fn kind_names() -> String {
    Kind::ALL.map(Kind::name).join(", ")
}

fn kinds_help() -> String {
    format!("How starts and goals are drawn: {}", kind_names())
}

pub fn parse_experiment(name: &str) -> Result<Experiment, String> {
    let names = || Experiment::ALL.map(Experiment::name).join(", ");
    Experiment::from_name(name).ok_or_else(|| format!("the experiments are {}", names()))
}

pub fn experiments_help() -> String {
    let list = Experiment::ALL.map(|one| format!("{} ({})", one.name(), one.about())).join(", ");
    format!("An experiment of a paper, with maps and settings of its own: {list}")
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
