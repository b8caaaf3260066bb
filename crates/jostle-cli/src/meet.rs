//! `jostle meet`: plans for pairs of agents that meet.

use std::path::PathBuf;

use clap::Args;
use jostle::Limits;
use jostle::instance::Reach;
use jostle::solvers::co_cbs::CoCbsSpec;
use jostle_lab::{NamedMap, parse_limits};

use crate::args::RulesArgs;
use crate::failure::Failure;
use crate::meetings::{MeetingRequest, Tasks, solve_meetings};

/// The most bytes that a search may hold.
const MEMORY: usize = 4 << 30;

#[derive(Args, Debug)]
pub struct MeetArgs {
    /// The map: a MovingAI .map file, or a built-in one
    map: String,

    /// Tasks: a file with a line for each, as in "(0,0) via (2,0) meets (4,4) to (0,4)", or how many to draw
    #[arg(long, value_name = "FILE|NUMBER")]
    tasks: String,

    /// Seed that draws tasks
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Solvers with parameters after colons, as in co-cbs:lazy=false:at-target=stay
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "co-cbs")]
    solver: Vec<String>,

    /// Limit of a search: 30s, 5000000expansions, or both with a comma
    #[arg(long, value_parser = parse_limits, default_value = "60s")]
    limit: Limits,

    #[command(flatten)]
    pub rules: RulesArgs,

    /// Accept tasks that are out of reach (there is no plan for them)
    #[arg(long)]
    allow_unreachable: bool,

    /// Write the paths: to a file for one solver, to a folder for several
    #[arg(long, value_name = "PATH")]
    paths: Option<PathBuf>,

    /// Write a page that plays the plan in a browser: a file for one solver, a folder for several
    #[arg(long, value_name = "PATH")]
    replay: Option<PathBuf>,

    /// Print one line of JSON for each solver instead of a table
    #[arg(long)]
    json: bool,
}

/// Solves tasks with every solver.
pub fn meet(args: &MeetArgs) -> Result<(), Failure> {
    let solvers = args.solver.iter().map(|text| CoCbsSpec::parse(text).map_err(Failure::input));
    solve_meetings(&MeetingRequest {
        map: NamedMap::find(&args.map, args.rules.rules())?,
        map_text: &args.map,
        tasks: Tasks::of(&args.tasks, args.seed),
        reach: if args.allow_unreachable { Reach::Optional } else { Reach::Required },
        solvers: solvers.collect::<Result<_, Failure>>()?,
        limits: args.limit,
        memory: MEMORY,
        paths: args.paths.as_deref(),
        replay: args.replay.as_deref(),
        json: args.json,
    })
}
