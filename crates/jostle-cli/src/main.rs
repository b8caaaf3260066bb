//! The `jostle` command with the planners of the engine.

mod allocator;

use std::process::ExitCode;

use jostle::planners::Registry;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

fn main() -> ExitCode {
    jostle_cli::main_with(Registry::builtin())
}
