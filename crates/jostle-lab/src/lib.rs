//! Experiments: named maps, runs and their records, and what is made of thousands of them.
//!
//! A [`Problem`] is a map with agents, as an experiment names it. [`run`] lets a planner solve it, has the
//! independent checker look at every step, and gives the [`Record`] of it. A [`sweep`] makes thousands of
//! runs, and goes on where it was stopped. A [`report`] makes tables and figures of them.

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod audit;
mod error;
mod experiment;
mod export;
mod fingerprint;
mod limit;
mod map;
mod numbers;
mod problem;
mod record;
pub mod report;
mod rules;
mod run;
mod save;
pub mod sweep;
pub mod table;

pub use error::LabError;
pub use experiment::Experiment;
pub use export::export;
pub use limit::{parse_limits, show_limits, write_limits};
pub use map::NamedMap;
pub use numbers::{grouped, parse_numbers};
pub use problem::Problem;
pub use record::{Build, Machine, Record, Records, is_record_file, read_records};
pub use rules::RulesText;
pub use run::{Setting, SoFar, measure, run};
pub use save::save;
