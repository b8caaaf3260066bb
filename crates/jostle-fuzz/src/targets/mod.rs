//! Everything that is attacked.

mod commands;
mod files;
mod moves;
mod promise;
mod scripts;
mod soak;
mod sweeps;
mod worlds;

use std::path::Path;

use jostle::planners::Registry;

use crate::campaign::Attack;
pub use commands::Commands;
pub use files::{Files, Format, read};
pub use moves::JointMoves;
pub use scripts::Scripts;
pub use soak::Soak;
pub use sweeps::Sweeps;
pub use worlds::Worlds;

/// The targets that `all` means, in order; `jostle` is the command that some of them run.
pub fn all(jostle: &Path) -> Vec<Box<dyn Attack>> {
    let registry = || Registry::builtin().clone();
    vec![
        Box::new(Scripts::new(registry())),
        Box::new(Worlds::new(registry())),
        Box::new(JointMoves),
        Box::new(Files),
        Box::new(Commands::new(jostle.to_owned())),
        Box::new(Sweeps::new(jostle.to_owned())),
    ]
}

/// The soak, which takes longer than the others.
pub fn soak() -> Box<dyn Attack> {
    Box::new(Soak::new(Registry::builtin().clone()))
}

/// The target with this name.
pub fn find(name: &str, jostle: &Path) -> Option<Box<dyn Attack>> {
    all(jostle).into_iter().chain([soak()]).find(|target| target.name() == name)
}
