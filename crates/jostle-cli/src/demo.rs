//! `jostle` without a command: every planner on a built-in map, and a page that plays the best run.

use std::io::{self, Write};

use clap::Parser;
use jostle::planners::{Entry, Registry};
use jostle_lab::OutputFile;

use crate::args::{Args, Command, RunArgs};
use crate::failure::Failure;
use crate::output::write_whole;
use crate::problem::Problems;
use crate::run::{run, run_one, write_replay};

/// Runs every planner, and writes a page that plays the run in which most agents arrived.
pub fn demo(registry: &Registry) -> Result<(), Failure> {
    let args = demo_args(registry);
    let records = run(registry, &args)?;
    // `max_by_key` keeps the last of equals; reversed, that is the first planner.
    let best = records.iter().rev().max_by_key(|record| record.arrived());
    let Some(best) = best else { return Ok(()) };
    let problems = Problems::of(&args)?;
    let Some(problem) = problems.names().next() else { return Ok(()) };
    let problem = problems.draw(problem)?;
    let planner = registry.parse(&best.planner).map_err(Failure::input)?;
    let (outcome, record, _) = run_one(&planner, &problem, &args, true, None)?;
    let path = std::env::temp_dir().join("jostle.html");
    if let Some(trace) = &outcome.trace {
        write_whole(OutputFile::open(&path)?, |out| write_replay(&record, trace, out))?;
        writeln!(io::stdout(), "\nWatch {} in a browser: {}", planner.text(), path.display())?;
        writeln!(io::stdout(), "Next: jostle run --help")?;
    }
    Ok(())
}

/// Small and short enough to finish in a few seconds, crowded enough to tell planners apart.
fn demo_args(registry: &Registry) -> RunArgs {
    let planners = registry.entries().iter().map(Entry::name).collect::<Vec<_>>().join(",");
    let words = ["jostle", "run", "islands:96x64", "--agents", "250", "--seeds", "7"];
    let more = ["--limit", "512steps", "--planner", &planners];
    match Args::parse_from(words.into_iter().chain(more)).command {
        Some(Command::Run(args)) => args.completed(),
        _ => unreachable!("these words are a run"),
    }
}
