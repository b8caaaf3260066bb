//! File formats: MovingAI maps, scenarios and path files, which other tools read and write, and
//! [scripts](crate::Script) of changes.
//!
//! Everything here works on text. With the feature `std`, `read_map`, `read_scenario`, `read_paths` and `read_script`
//! read files; their errors begin with the name of the file.

#[cfg(feature = "std")]
mod files;
mod map;
mod paths;
mod quote;
mod scenario;
mod script;

#[cfg(feature = "std")]
pub use files::{FileError, read_map, read_paths, read_scenario, read_script};
pub use map::{MapError, parse_map, write_map};
pub use paths::{Paths, PathsError, Position, ReplayError};
pub use quote::quoted;
pub use scenario::{Scenario, ScenarioError, ScenarioRow};
pub use script::ScriptTextError;
