//! The `jostle` command: runs crowds on grids, checks the runs, and shows them.

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod args;
mod check;
mod export;
mod failure;
mod generate;
mod maps;
mod output;
mod planners;
mod problem;
mod progress;
mod replay;
mod report;
mod run;
mod sweep;
mod table;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command, RunArgs};

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        None => run::demo(),
        Some(Command::Run(args)) => run::run(&args.completed()).map(drop),
        Some(Command::Sweep(args)) => sweep::sweep(&args),
        Some(Command::Gen(args)) => generate::generate(&args),
        Some(Command::Export(args)) => export::export(&args),
        Some(Command::Check(args)) => check::check(&args),
        Some(Command::Maps(args)) => maps::maps(&args),
        Some(Command::Report(args)) => report::report(&args),
        Some(Command::Planners(args)) => planners::planners(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// What `jostle` without a command runs: small enough to be over in a moment, crowded enough to be
/// worth watching.
fn demo_args() -> RunArgs {
    let words = ["jostle", "run", "islands:96x64", "--agents", "250", "--seed", "7"];
    match Args::parse_from(words).command {
        Some(Command::Run(args)) => args.completed(),
        _ => unreachable!("these words are a run"),
    }
}
