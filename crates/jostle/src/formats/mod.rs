//! File formats: MovingAI maps, scenarios and path files, which other tools read and write, and
//! [scripts](crate::Script) of changes.
//!
//! Everything here works on text. With the feature `std`, `read_map`, `read_scenario`, `read_paths` and `read_script`
//! read files; their errors begin with the name of the file. What an error quotes is [escaped and short](quoted).

#[cfg(feature = "std")]
mod files;
mod map;
mod paths;
mod quote;
mod scenario;
mod script;
mod text;

#[cfg(feature = "std")]
pub use files::{
    FileError, open_paths, read_map, read_paths, read_scenario, read_script, read_text,
};
pub use map::{MapError, parse_map, write_map};
pub use paths::{
    Paths, PathsError, PathsOpening, PathsReader, PathsReplay, PathsStep, PathsWriter, Position,
    ReplayError,
};
pub use quote::{LONGEST_QUOTATION, is_hidden, printable, quoted, shown_path};
pub use scenario::{Scenario, ScenarioError, ScenarioRow};
pub use script::ScriptTextError;
pub use text::without_byte_order_mark;
