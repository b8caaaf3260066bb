//! The `jostle` command: runs crowds on grids, finds joint plans for them, checks both, and shows them.
//!
//! It is a library so that a program with planners of its own can offer the whole command with them: runs,
//! sweeps, replays and reports.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use jostle::planners::{Entry, Registry};
//! # use jostle::planners::Pibt as Greedy;
//!
//! fn main() -> ExitCode {
//!     let mut registry = Registry::builtin().clone();
//!     let greedy = Entry::new("greedy", "steps nearer to the goal, or waits", Greedy::default);
//!     registry.add(greedy).expect("a new name");
//!     jostle_cli::main_with(&registry)
//! }
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod args;
mod check;
mod demo;
mod export;
mod failure;
mod generate;
mod maps;
mod meetings;
mod names;
mod output;
mod paths;
mod print;
mod problem;
mod progress;
mod replay;
mod report;
mod run;
mod run_table;
mod say;
mod solve;
mod sweep;
mod table;

use std::process::ExitCode;

use jostle::planners::Registry;
use jostle::solvers;

use args::{Args, Command};
use failure::Failure;

/// Executes the command line with the planners of this registry, and prints the result to standard output.
/// Exits the program at once if the command line is invalid or only asks for help.
pub fn main_with(registry: &Registry) -> ExitCode {
    let args = Args::of_command_line();
    if let Some(reason) = args.contradiction() {
        return Failure::input(reason).report();
    }
    let outcome = match args.command {
        None => demo::demo(registry),
        Some(Command::Run(args)) => run::run(registry, &args.completed()).map(drop),
        Some(Command::Solve(args)) => solve::solve(solvers::Registry::builtin(), &args),
        Some(Command::Sweep(args)) => sweep::sweep(registry, &args),
        Some(Command::Gen(args)) => generate::generate(&args),
        Some(Command::Export(args)) => export::export(&args),
        Some(Command::Check(args)) => check::check(&args),
        Some(Command::Maps(args)) => maps::maps(&args),
        Some(Command::Report(args)) => report::report(&args),
        Some(Command::Planners(args)) => names::names(registry, &args, "jostle run cave --planner"),
        Some(Command::Solvers(args)) => names::solver_names(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
