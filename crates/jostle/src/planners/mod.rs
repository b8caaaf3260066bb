//! The online algorithms: each decides, tick by tick, where every agent stands next.

pub mod bmaa;
mod builtin;
pub mod cooperative;
mod cursor;
pub mod far;
mod follow;
pub mod incremental;
pub mod jostle;
pub mod lacam_rt;
pub mod lra;
pub mod lrta;
mod news;
pub mod pibt;
mod rehearsal;
mod schedule;
mod settle;
mod slices;
pub mod solved;
#[cfg(test)]
mod testing;
pub mod whca;

pub use bmaa::Bmaa;
pub use cooperative::Cooperative;
pub use far::Far;
pub use follow::{Breach, Follow, Following, PlanError};
pub use incremental::{CbsDstarLite, CbsReplan, DiCbs, Repairs};
pub use jostle::Jostle;
pub use lacam_rt::LacamRt;
pub use lra::Lra;
pub use pibt::Pibt;
pub use solved::{Pace, Solved, SolvedPlanner};
pub use whca::Whca;

pub use crate::planner::Planner;
pub use crate::registry::{AddError, Choice, Field, Recipe, SpecError, Value};
pub use crate::search::Work;

use crate::registry;

/// A planner that can be built by name.
pub type Entry = registry::Entry<dyn Planner>;

/// The planners that can be built by name: those of the engine, and those that a program adds.
///
/// ```
/// use jostle::planners::{Entry, Pibt, Registry};
///
/// let mut registry = Registry::builtin().clone();
/// registry.add(Entry::new("calm", "PIBT by another name", Pibt::default))?;
/// let planner = registry.parse("calm")?.build();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Registry = registry::Registry<dyn Planner>;

/// A planner as users type it, as in `bmaa:expansions=64:vision=3`. The planner exists and accepts these
/// parameters.
pub type Spec = registry::Spec<dyn Planner>;

/// A new planner of the engine by name and parameters, as in `bmaa:expansions=64`.
///
/// # Errors
/// When there is no such planner or parameter, or a value is out of range.
pub fn planner(spec: &str) -> Result<Box<dyn Planner>, SpecError> {
    Spec::parse(spec).map(|spec| spec.build())
}
