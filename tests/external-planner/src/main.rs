//! The whole `jostle` command with one more planner and one more solver.

mod greedy;
mod prioritised;

use std::process::ExitCode;

use jostle::planners::Solved;
use jostle::{planners, solvers};
use jostle_cli::Registries;

fn main() -> ExitCode {
    let mut planners = planners::Registry::builtin().clone();
    let about = "steps to the free cell nearest to its goal, and waits when there is none";
    let greedy = planners::Entry::new("greedy", about, greedy::Greedy::default);
    planners.add(greedy).expect("a new name");
    let mut solvers = solvers::Registry::builtin().clone();
    let about = "plans for one agent after the other, in several orders";
    let prioritised = solvers::Entry::new("prioritised", about, prioritised::Prioritised::default);
    planners.add(Solved::entry(&prioritised)).expect("a new name");
    solvers.add(prioritised).expect("a new name");
    jostle_cli::main_with(Registries { planners: &planners, solvers: &solvers })
}
