//! The whole `jostle` command with one more planner.

mod greedy;

use std::process::ExitCode;

use jostle::planners::{Entry, Registry};

fn main() -> ExitCode {
    let mut registry = Registry::builtin().clone();
    let about = "steps to the free cell nearest to its goal, and waits when there is none";
    registry.add(Entry::new("greedy", about, greedy::Greedy::default)).expect("a new name");
    jostle_cli::main_with(&registry)
}
