//! Everything that is attacked.

mod commands;
mod files;
mod moves;
mod promise;
mod scripts;
mod soak;
mod sweeps;
mod twins;
mod worlds;

use std::path::PathBuf;

use jostle::planners::Registry;

use crate::campaign::Attack;
use crate::node::InNode;
pub use commands::Commands;
pub use files::{Files, Format, read};
pub use moves::JointMoves;
pub use scripts::Scripts;
pub use soak::Soak;
pub use sweeps::Sweeps;
pub use twins::{Twin, TwinGame, Twins};
pub use worlds::Worlds;

/// What targets run beside the engine that this program has.
#[derive(Clone, Debug)]
pub struct Tools {
    /// The command.
    pub jostle: PathBuf,
    /// The engine as a module for wasm32.
    pub module: PathBuf,
}

/// The targets that `all` means, in order.
pub fn all(tools: &Tools) -> Vec<Box<dyn Attack>> {
    let Tools { jostle, module } = tools;
    let registry = || Registry::builtin().clone();
    vec![
        Box::new(Scripts::new(registry())),
        Box::new(Worlds::new(registry())),
        Box::new(JointMoves),
        Box::new(Files),
        Box::new(Commands::new(jostle.clone())),
        Box::new(Sweeps::new(jostle.clone())),
        Box::new(Twins::new(registry(), Box::new(InNode::new(module.clone())))),
    ]
}

/// The soak, which takes longer than the others.
pub fn soak() -> Box<dyn Attack> {
    Box::new(Soak::new(Registry::builtin().clone()))
}

/// The target with this name.
pub fn find(name: &str, tools: &Tools) -> Option<Box<dyn Attack>> {
    all(tools).into_iter().chain([soak()]).find(|target| target.name() == name)
}
