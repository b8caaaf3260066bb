//! Files that other tools read and write: MovingAI maps and scenarios, and path files.
//!
//! Everything here works on text. [`read_map`], [`read_scenario`] and [`read_paths`] read files, and put
//! the file's name before what is wrong with it.

mod files;
mod map;
mod paths;
mod scenario;

pub use files::{FileError, read_map, read_paths, read_scenario};
pub use map::{MapError, parse_map, write_map};
pub use paths::{Paths, PathsError};
pub use scenario::{Scenario, ScenarioError, ScenarioRow};
