//! Everything that is attacked.

mod files;
mod moves;
mod promise;
mod scripts;
mod soak;
mod worlds;

use jostle::planners::Registry;

use crate::campaign::Attack;
pub use files::Files;
pub use moves::JointMoves;
pub use scripts::Scripts;
pub use soak::Soak;
pub use worlds::Worlds;

/// The targets that `all` means, in order.
pub fn all() -> Vec<Box<dyn Attack>> {
    let registry = || Registry::builtin().clone();
    vec![
        Box::new(Scripts::new(registry())),
        Box::new(Worlds::new(registry())),
        Box::new(JointMoves),
        Box::new(Files),
    ]
}

/// The soak, which takes longer than the others.
pub fn soak() -> Box<dyn Attack> {
    Box::new(Soak::new(Registry::builtin().clone()))
}

/// The target with this name.
pub fn find(name: &str) -> Option<Box<dyn Attack>> {
    all().into_iter().chain([soak()]).find(|target| target.name() == name)
}
