//! `jostle` without a command: every planner on a built-in map, and a page that plays the best run.

use std::io::{self, Write};

use clap::Parser;
use jostle::planners::{Entry, Registry};

use crate::args::{Args, Command, RunArgs};
use crate::failure::Failure;
use crate::output::save;
use crate::problem::problems;
use crate::run::{replay_page, run, run_one};

/// Runs every planner, and writes a page that plays the run in which most agents arrived.
pub fn demo(registry: &Registry) -> Result<(), Failure> {
    let args = demo_args(registry);
    let records = run(registry, &args)?;
    // `max_by_key` keeps the last of equals; reversed, that is the first planner.
    let best = records.iter().rev().max_by_key(|record| record.arrived());
    let Some(best) = best else { return Ok(()) };
    let problem = problems(&args)?.remove(0);
    let planner = registry.parse(&best.planner).map_err(Failure::input)?;
    let (outcome, record) = run_one(&planner, &problem, &args, true)?;
    let path = std::env::temp_dir().join("jostle.html");
    if let Some(trace) = &outcome.trace {
        save(&path, &replay_page(&record, trace))?;
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
