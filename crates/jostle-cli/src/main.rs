//! The `jostle` command with the planners of the engine.

use std::process::ExitCode;

use jostle::planners::Registry;

fn main() -> ExitCode {
    jostle_cli::main_with(Registry::builtin())
}
