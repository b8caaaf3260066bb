//! The `jostle` command with the planners and solvers of the engine.

mod allocator;

use std::process::ExitCode;

use jostle_cli::Registries;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

fn main() -> ExitCode {
    jostle_cli::main_with(Registries::builtin())
}
