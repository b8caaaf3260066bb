//! Experiments: named maps, runs and their records, sweeps and reports.
//!
//! A [`Problem`] is a map with agents, as an experiment names it. [`run`] runs a planner on it, and [`solve`] a solver. In a
//! [`MeetingProblem`] pairs of agents meet; [`solve_meetings`] runs a solver on it. A problem may be lifelong: then agents that arrive get new goals. All check every step with the independent
//! checker, and return the [`Record`]. A [`sweep`] makes thousands of runs, and
//! resumes where it was stopped. With the feature `parquet`, `walks` makes millions of walks of single agents. A [`report`] makes tables and figures of them.

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod audit;
mod clock;
mod contestant;
mod error;
mod experiment;
mod export;
mod fingerprint;
#[cfg(test)]
mod hostile_names_test;
mod lifelong;
mod limit;
mod map;
mod numbers;
mod problem;
mod problem_kind;
mod record;
mod regular;
pub mod report;
mod rules;
mod run;
mod save;
mod scenario_file;
mod solve;
pub mod sweep;
pub mod table;
#[cfg(feature = "parquet")]
pub mod walks;

pub use clock::Seconds;
pub use contestant::{Contestant, ContestantName, Registries};
pub use error::LabError;
pub use experiment::Experiment;
pub use export::{ExportFormat, export, json_line};
pub use lifelong::{GoalChoice, GoalPlaces, GoalSource};
pub use limit::{parse_limits, show_limits, write_limits};
pub use map::NamedMap;
pub use numbers::{grouped, parse_numbers};
pub use problem::{MeetingProblem, Problem};
pub use problem_kind::ProblemKind;
pub use record::{
    Build, LifelongRun, Machine, MeetingSets, ProofName, Record, Records, SolverRun,
    is_record_file, read_records,
};
pub use regular::expect_regular;
pub use rules::RulesText;
pub use run::{Setting, SoFar, run};
pub use save::{
    FileIdentity, OutputFile, STANDARD_OUTPUT, cannot_be_written, discard_unfinished_files, plain,
    save, shown_output,
};
pub use scenario_file::ScenarioFile;
pub use solve::{MOST_BYTES, check_meetings, solve, solve_meetings};
