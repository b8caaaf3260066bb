//! The arguments of `jostle solve`.

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueHint};
use jostle::Limits;
use jostle::formats::quoted;
use jostle::registry::SpecError;
use jostle::solvers::co_cbs::CoCbsSpec;
use jostle::solvers::{Registry, Spec};
use jostle_lab::{NamedMap, parse_limits, show_limits};

use crate::args::{RulesArgs, agents_help};
use crate::failure::Failure;
use crate::meetings::{MeetingRequest, Tasks};
use crate::names::misnamed;
use crate::print::PrintArgs;
use crate::problem::{DEFAULT_MAP, ProblemArgs};
use crate::table::bytes;

#[derive(ClapArgs, Debug)]
#[command(
    mut_arg("agents", |agents| agents.help(agents_help(SolveArgs::DEFAULT_AGENTS))),
    mut_arg("allow_unreachable", |allow| {
        allow.help("Accept agents of --scen whose goal is out of reach (there is no plan then)")
    }),
    after_long_help = "\
Examples:
  jostle solve rooms:40x30 --agents 15 --replay plan.html          a page that plays the best plan
  jostle solve my.map --scen my.scen --agents 30 --paths plan.txt  paths that `jostle check` accepts
  jostle solve cave --solver cbs,cbs:objective=makespan            two solvers, a row each
  jostle solve cave --agents 10-50/10 --seeds 1-5 --brief          how many agents can be solved
  jostle solve cave --limit 5000000expansions --json               the same result on any machine
  jostle solve cave --tasks 5 --replay meetings.html               pairs of agents that meet

Exit codes: 0 every search found a plan, 1 one of them found none, 2 invalid arguments or input,
130 interrupted (what is known so far is shown and written)."
)]
pub struct SolveArgs {
    #[command(flatten)]
    pub problems: ProblemArgs,

    /// Tasks for pairs of agents that meet: a file with one on each line, as in "(0,0) via (2,0) meets (4,4) to (0,4)", or
    /// how many to draw
    #[arg(
        long,
        value_name = "FILE|NUMBER",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["scen", "agents", "kind", "brief", "markdown"]
    )]
    pub tasks: Option<String>,

    /// Solvers (`jostle solvers` lists them), each with parameters after colons, as in cbs:objective=makespan
    /// [default: cbs, and with --tasks co-cbs]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    solver: Vec<String>,

    /// Limit of a search: 60s, 5000000expansions, or both with a comma
    ///
    /// With a limit in expansions alone, a search gives the same result on every machine.
    #[arg(long, value_parser = parse_search_limits, default_value = "60s")]
    limit: Limits,

    /// Memory limit per search, counted by entries; exceeding it ends that search only: 500MB, 2GB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "2GB")]
    memory: usize,

    /// Write the paths of the plan: to a file for one search, to a folder for several. Without a plan, nothing is written
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Option<PathBuf>,

    /// Open the page of --replay in a browser
    #[arg(long, requires = "replay")]
    pub open: bool,

    /// Write a page that plays the plan in a browser: a file for one search, a folder for several
    #[arg(long, value_name = "PATH")]
    pub replay: Option<PathBuf>,

    #[command(flatten)]
    pub print: PrintArgs,
}

impl SolveArgs {
    /// The number of agents that are drawn unless the user says otherwise: optimal plans for many more are seldom found.
    pub const DEFAULT_AGENTS: usize = 20;

    /// The rules of moving.
    pub const fn rules(&self) -> RulesArgs {
        self.problems.rules
    }

    /// The solvers that were asked for.
    pub fn solvers(&self, registry: &Registry) -> Result<Vec<Spec>, Failure> {
        let parse = |text: &str| registry.parse(text).map_err(|error| unsuited(text, &error));
        self.names("cbs").map(parse).collect()
    }

    /// The names of the solvers that were asked for, or this one.
    fn names<'a>(&'a self, usual: &'a str) -> impl Iterator<Item = &'a str> {
        let usual = self.solver.is_empty().then_some(usual);
        self.solver.iter().map(String::as_str).chain(usual)
    }

    /// What is asked for if there are tasks for pairs that meet.
    pub fn meetings(&self) -> Result<Option<MeetingRequest<'_>>, Failure> {
        let Some(tasks) = &self.tasks else { return Ok(None) };
        let [seed] = &self.problems.seeds.0[..] else {
            return Err(Failure::input("--tasks needs one map, and at most one seed"));
        };
        let map_text = match &self.problems.maps[..] {
            [] => DEFAULT_MAP,
            [map] => map.as_str(),
            _ => return Err(Failure::input("--tasks needs one map, and at most one seed")),
        };
        let solvers = self.names("co-cbs").map(CoCbsSpec::parse);
        Ok(Some(MeetingRequest {
            map: NamedMap::find(map_text, self.rules().rules())?,
            map_text,
            tasks: Tasks::of(tasks, *seed),
            solvers: solvers.collect::<Result<_, _>>().map_err(|error| misnamed(&error))?,
            limits: self.limit,
            memory: self.memory,
            paths: self.paths.as_deref(),
            replay: self.replay.as_deref(),
            json: self.print.json,
        }))
    }

    /// The files that the command reads, and the names of maps that are not files.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.problems.inputs().chain(self.tasks.as_deref().map(Path::new))
    }

    /// What ends a search.
    pub const fn limits(&self) -> SearchLimits {
        let Limits { time, expansions, .. } = self.limit;
        SearchLimits { time, expansions, bytes: self.memory }
    }
}

/// Why a text names no solver for crowds: it may be one for pairs that meet.
fn unsuited(text: &str, error: &SpecError) -> Failure {
    let name = text.split(':').next().unwrap_or(text).trim();
    if CoCbsSpec::parse(name).is_ok() {
        return Failure::input(format!(
            "{name} is for pairs of agents that meet: it needs --tasks"
        ));
    }
    misnamed(error)
}

/// When a search ends at the latest: at the first of these limits.
#[derive(Clone, Copy, Debug)]
pub struct SearchLimits {
    pub time: Option<std::time::Duration>,
    pub expansions: Option<u64>,
    /// The most nominal bytes that it may hold.
    pub bytes: usize,
}

impl SearchLimits {
    /// In words: `60 s, 2 GB of memory`.
    pub fn show(self) -> String {
        let Self { time, expansions, .. } = self;
        let work = show_limits(Limits { time, expansions, ticks: None });
        format!("{work}, {} of memory", bytes(self.bytes))
    }
}

/// Reads `60s`, `5000000expansions`, or both.
fn parse_search_limits(text: &str) -> Result<Limits, String> {
    let limits = parse_limits(text).ok().filter(|limits| limits.ticks.is_none());
    limits.ok_or_else(|| {
        let forms = "write 60s, 5000000expansions, or both with a comma";
        format!("{} is not a limit of a search: {forms}", quoted(text))
    })
}

/// Reads `500MB` or `2GB`. A unit is a thousand of the next smaller one.
fn parse_bytes(text: &str) -> Result<usize, String> {
    let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match text[number.len()..].to_ascii_uppercase().as_str() {
        "KB" => Some(1e3),
        "MB" => Some(1e6),
        "GB" => Some(1e9),
        "TB" => Some(1e12),
        _ => None,
    };
    let size = unit.zip(number.trim().parse::<f64>().ok()).map(|(unit, number)| unit * number);
    let is_size = |size: &f64| (1.0..1e18).contains(size);
    let size = size.filter(is_size).map(|size| size as usize);
    size.ok_or_else(|| format!("{} is not a size: write 500MB or 2GB", quoted(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!(parse_bytes("2GB"), Ok(2_000_000_000));
        assert_eq!(parse_bytes("1.5 mb"), Ok(1_500_000));
        for wrong in ["", "2", "GB", "2GiB", "-1MB", "0MB", "NaNGB", "1e30TB", "ä"] {
            let said = parse_bytes(wrong).unwrap_err();
            assert!(said.ends_with("is not a size: write 500MB or 2GB"), "{said}");
        }
    }

    #[test]
    fn a_search_has_no_limit_in_steps() {
        assert!(parse_search_limits("3s,40expansions").is_ok());
        for wrong in ["100steps", "3s,100ticks", "", "60"] {
            assert!(parse_search_limits(wrong).unwrap_err().contains("is not a limit of a search"));
        }
    }
}
