//! The `jostle` command: runs crowds on grids, finds joint plans for them, checks both, and shows them.
//!
//! It is a library so that a program with planners and solvers of its own can offer the whole command with them: runs,
//! plans, sweeps, replays and reports.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use jostle::planners::Solved;
//! use jostle::{planners, solvers};
//! use jostle_cli::Registries;
//! # use jostle::planners::Pibt as Greedy;
//! # use jostle::solvers::Cbs as Prioritised;
//!
//! fn main() -> ExitCode {
//!     let mut planners = planners::Registry::builtin().clone();
//!     let about = "steps nearer to the goal, or waits";
//!     planners.add(planners::Entry::new("greedy", about, Greedy::default)).expect("a new name");
//!     let mut solvers = solvers::Registry::builtin().clone();
//!     let about = "plans for one agent after the other";
//!     let prioritised = solvers::Entry::new("prioritised", about, Prioritised::default);
//!     // A planner that follows its plans, as those of the engine's solvers.
//!     planners.add(Solved::entry(&prioritised)).expect("a new name");
//!     solvers.add(prioritised).expect("a new name");
//!     jostle_cli::main_with(Registries { planners: &planners, solvers: &solvers })
//! }
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod args;
#[cfg(feature = "select")]
mod auto;
mod check;
mod check_json;
mod demo;
mod docs;
mod export;
mod failure;
mod generate;
mod help;
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
#[cfg(feature = "select")]
mod select;
mod show;
mod solve;
mod standard;
mod steps;
mod sweep;
mod table;
#[cfg(feature = "select")]
mod train;

use std::process::ExitCode;

pub use jostle_lab::Registries;

use args::{Args, Command};
use failure::Failure;

/// Executes the command line with these planners and solvers, and prints the result to standard output.
/// Exits the program at once if the command line is invalid or only asks for help.
pub fn main_with(registries: Registries<'_>) -> ExitCode {
    let args = Args::of_command_line();
    progress::catch_interrupts();
    if let Some(reason) = args.contradiction() {
        return Failure::input(reason).report();
    }
    if let Err(failure) = standard::prepare(&args) {
        return failure.report();
    }
    let page = args.page_to_open();
    #[cfg(feature = "select")]
    let planners = if args.knows_auto() {
        match auto::with_auto(registries.planners, args.model()) {
            Ok(planners) => planners,
            Err(failure) => return failure.report(),
        }
    } else {
        registries.planners.clone()
    };
    #[cfg(feature = "select")]
    let registries = Registries { planners: &planners, ..registries };
    let Registries { planners, solvers } = registries;
    let outcome = match args.command {
        None => demo::demo(registries, args.open),
        Some(Command::Run(args)) => run::run(planners, &args.completed()).map(drop),
        Some(Command::Solve(args)) => solve::solve(solvers, &args),
        Some(Command::Sweep(args)) => sweep::sweep(registries, &args),
        Some(Command::Gen(args)) => generate::generate(&args),
        Some(Command::Export(args)) => export::export(&args),
        Some(Command::Check(args)) => check::check(&args),
        Some(Command::Replay(args)) => replay::replay(&args),
        Some(Command::Maps(args)) => maps::maps(&args),
        Some(Command::Report(args)) => report::report(&args),
        Some(Command::Completions(args)) => docs::completions(registries, &args),
        Some(Command::Man(args)) => docs::man(&args),
        Some(Command::Planners(args)) => names::names(planners, &args, "jostle run cave --planner"),
        Some(Command::Solvers(args)) => names::solver_names(solvers, &args),
        #[cfg(feature = "select")]
        Some(Command::Train(args)) => train::train(&args),
        #[cfg(feature = "select")]
        Some(Command::Select(args)) => select::select(&args),
        #[cfg(not(feature = "select"))]
        Some(Command::Train(_) | Command::Select(_)) => Err(Failure::input(args::NO_SELECTION)),
    };
    match outcome {
        Ok(()) => {
            if let Some(page) = page {
                show::open(&page);
            }
            ExitCode::SUCCESS
        }
        Err(failure) => failure.report(),
    }
}
