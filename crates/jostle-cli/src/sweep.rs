//! `jostle sweep`: experiments by the thousand.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use clap::{Args, ValueHint};
use indicatif::HumanDuration;
use jostle::formats::{read_text, shown_path};
use jostle_lab::sweep::{Order, Shard, Sort, Sweep, SweepSpec, Tally, files_of};
#[cfg(feature = "parquet")]
use jostle_lab::walks::{self, WalkSweep};
use jostle_lab::{LabError, Registries, grouped};

use crate::args::whole;
use crate::failure::Failure;
use crate::progress::{is_interrupted, something_is_done, stop_gently, wrap_up};
use crate::say::{out, say, warn};
use crate::steps::Steps;
use crate::table::counted;

/// Which sweep, and where its records go.
#[derive(Args, Debug)]
#[command(after_long_help = [EXAMPLE, WALKS_EXAMPLE, ENDING].concat())]
pub struct SweepArgs {
    /// What to run: a TOML file (see below)
    #[arg(value_name = "SPEC", value_hint = ValueHint::FilePath)]
    pub spec: PathBuf,

    /// The folder for records; a sweep that was begun there is resumed
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, required_unless_present = "list_files")]
    pub out: Option<PathBuf>,

    /// How many runs at a time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=u64::from(u16::MAX)))]
    threads: Option<u16>,

    /// Run only shard I of N, e.g. 3/8; shards may share one output folder
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Reuse a folder from another spec, provided this one contains all its recorded runs
    #[arg(long)]
    extend: bool,

    /// Run nothing; print the files that the sweep reads, the spec first: a line of JSON for each, with its name in the
    /// spec and its path
    #[arg(long, conflicts_with_all = ["out", "threads", "shard", "extend"])]
    list_files: bool,
}

const EXAMPLE: &str = r#"Example of a spec:

  name = "doors"                            # default: the file's name

  [defaults]                                # keys of all tables that have none of their own
  limits = ["4096steps"]

  [[sweep]]                                 # one or several: every combination of what is listed
  maps = ["rooms:96x64:seed=1",             # a built-in map,
          "mine.map",                       # a file beside the spec,
          "paper/lak304d.map"]              # or a file in the folder that JOSTLE_MAPS names
  kinds = ["random", "swap-sides"]          # default: random
  agents = ["25-400/25", 600]               # 25, 50, 75, ... 400, and 600
  seeds = "1-10"                            # default: 1
  planners = ["jostle", "whca:window=16", { planner = "lra", agents_at_most = 100 },
              { planner = "whca:window=8", label = "short-sighted" }]     # what reports call it
  limits = ["30s", "4096steps"]             # or 5000000expansions; default: 4096steps
  neighbours = 8                            # 4 or 8
  corners = "both"                          # both, one or none of the corners of a diagonal step must be free
  forbid_crossing = false                   # whether to forbid diagonal steps that cross
  compare_with_shortest = false             # whether to measure paths against the shortest ones
  skip_too_many = false                     # leave out crowds that do not fit on a map, instead of refusing the spec

  [[sweep]]
  scens = ["mapf/scen/den312d-random-1.scen", # instead of maps, kinds and seeds: agents that are read, on
           "mapf/scen/den312d-random-2.scen"] # the maps that the scenarios name
  agents = [50, 100]                        # the first rows of each; default: all
  planners = ["jostle"]

  [[sweep]]
  maps = ["rooms:96x64:seed=1"]
  agents = "5-50/5"
  solvers = ["cbs", { solver = "cbs:heuristic=none", agents_at_most = 30 }] # instead of planners, or beside them
  limits = ["60s"]                          # of a search: seconds or expansions

  [[sweep]]
  maps = ["rooms:96x64:seed=1"]
  tasks = "6-22/4"                          # instead of agents: pairs of agents that meet
  solvers = ["co-cbs", { solver = "co-cbs:heuristic=false", tasks_at_most = 10 }]
  limits = ["60s"]

Limits in ticks and expansions reproduce exactly; those in seconds depend on the machine.
Seeds are the outermost loop: a sweep that is stopped early has completed whole rounds of the experiment.
Several machines: give each --shard I/N with the same N, and copy all folders into one afterwards."#;

const WALKS_EXAMPLE: &str = r#"

Walks of single agents by the million (builds with the feature parquet): a spec with [[walks]] instead of [[sweep]].

  name = "settings"

  [[walks]]
  maps = ["cave:96x64", "bg512/*.map"]      # * in the last part: all such files, in the order of their names
  problems = 50                             # drawn on each map; or scenarios = true: those of MAP.scen
  seed = 1                                  # draws the problems; default: 1
  settings = 1000                           # drawn, by settings_seed = 1; or a list: ["lrta", "lrta:w=2:b=0"]
  longest = 100                             # abandon walks this many times longer than the shortest path; default: 1000
  labels = { genre = "RPG" }                # free names for the maps, kept with the results

The walks on a map become one Parquet file when all are done, so a sweep that is killed loses only those under way."#;

const ENDING: &str = "

Examples:
  jostle sweep experiments/silver.toml --out results/silver
  jostle sweep spec.toml --out results --threads 4 --shard 1/8

Exit codes: 0 all runs are recorded, 1 a run was illegal, 2 the spec or the folder was wrong, 130 interrupted
(the same command resumes the sweep).";

/// Makes the runs that are missing.
pub fn sweep(registries: Registries<'_>, args: &SweepArgs) -> Result<(), Failure> {
    stop_gently();
    let maps = std::env::var_os("JOSTLE_MAPS").map(PathBuf::from);
    let text = read_text(&args.spec).map_err(Failure::input)?;
    let Some(out) = &args.out else { return list_files(registries, args, text, maps.as_deref()) };
    let order = Order {
        registries,
        spec: &args.spec,
        out,
        maps: maps.as_deref(),
        shard: args.shard,
        may_extend: args.extend,
    };
    match Sort::of(&args.spec, &text)? {
        Sort::Runs => {
            let sweep = Sweep::prepare_text(order, text)?;
            let (total, left) = (sweep.total(), sweep.left());
            let notes = sweep.notes().to_vec();
            make(args, out, &notes, (total, left), |threads, is_stopped, made| {
                sweep.run(threads, is_stopped, made)
            })
        }
        #[cfg(feature = "parquet")]
        Sort::Walks => {
            let sweep = WalkSweep::prepare_text(order, text)?;
            let (total, left) = (sweep.total(), sweep.left());
            let notes = sweep.notes().to_vec();
            make(args, out, &notes, (total, left), |threads, is_stopped, made| {
                sweep.run(threads, is_stopped, made)
            })
        }
        // A build without them refuses such a spec.
        #[cfg(not(feature = "parquet"))]
        Sort::Walks => Ok(()),
    }
}

/// What stands beside the bar of a sweep.
const BESIDE_BAR: &str = "{human_pos} of {human_len} runs, {per_sec}, {eta} left";

/// Makes the runs of a sweep that are left of all, and says how it went.
fn make(
    args: &SweepArgs,
    out: &Path,
    notes: &[String],
    (total, left): (usize, usize),
    run: impl FnOnce(
        usize,
        &(dyn Fn() -> bool + Sync),
        &(dyn Fn(usize) + Sync),
    ) -> Result<Tally, LabError>,
) -> Result<(), Failure> {
    for note in notes {
        warn(note)?;
    }
    let threads =
        args.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let before = total - left;
    let (started, steps) = (Instant::now(), Steps::new(BESIDE_BAR, before, total));
    let tally = run(threads, &is_interrupted, &|made| {
        something_is_done();
        steps.show(before + made, "", || {
            let rate = made as f64 / started.elapsed().as_secs_f64();
            let seconds = (total - before - made) as f64 / rate;
            let [done, all] = [before + made, total].map(|runs| grouped(runs as u64));
            let left = HumanDuration(Duration::from_secs(seconds as u64));
            format!("{done} of {all} runs, {rate:.1} per second, {left} left")
        });
    });
    wrap_up();
    drop(steps);
    let tally = tally?;
    let folder = shown_path(out);
    if tally.left > 0 {
        let done = grouped((before + tally.made) as u64);
        let said = format!("stopped with {done} of {} runs in {folder}", grouped(total as u64));
        return Err(Failure::Interrupted(format!("{said}: the same command resumes the sweep")));
    }
    let (total, made) = (counted(total, "run"), grouped(tally.made as u64));
    say(format_args!("{total} in {folder}, {made} of them made now"))?;
    Ok(())
}

/// Prints the files that the sweep reads.
fn list_files(
    registries: Registries<'_>,
    args: &SweepArgs,
    text: String,
    maps: Option<&Path>,
) -> Result<(), Failure> {
    let files = match Sort::of(&args.spec, &text)? {
        #[cfg(feature = "parquet")]
        Sort::Walks => {
            walks::files_of(&walks::WalkSpec::parse(&args.spec, text)?, &args.spec, maps)?
        }
        _ => files_of(&SweepSpec::parse(&args.spec, text, registries)?, &args.spec, maps)?,
    };
    for file in files {
        let line = serde_json::to_string(&file).map_err(Failure::input)?;
        writeln!(out(), "{line}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use jostle_lab::sweep::AgentsOf;

    use super::*;

    #[test]
    fn the_example_is_a_valid_spec() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("doors.toml");
        let lines = EXAMPLE.lines().filter_map(|line| line.strip_prefix("  "));
        std::fs::write(&path, lines.collect::<Vec<_>>().join("\n")).unwrap();
        let spec =
            SweepSpec::read(&path, Registries::builtin()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((spec.name.as_str(), spec.tables[0].sizes.len()), ("doors", 17));
        assert!(
            matches!(&spec.tables[1].agents, AgentsOf::Scens { files, .. } if files.len() == 2)
        );
        assert_eq!((spec.tables[2].entrants.len(), spec.tables[3].sizes.len()), (2, 5));
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn the_example_of_walks_is_a_valid_spec() {
        let lines = WALKS_EXAMPLE.lines().filter_map(|line| line.strip_prefix("  "));
        let text = lines.collect::<Vec<_>>().join("\n");
        let spec = walks::WalkSpec::parse(Path::new("spec.toml"), text).unwrap();
        assert_eq!((spec.settings.len(), spec.tables[0].maps.len()), (1000, 2));
        assert_eq!(spec.tables[0].labels["genre"], "RPG");
    }
}
