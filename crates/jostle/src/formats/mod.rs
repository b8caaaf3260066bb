//! File formats: MovingAI maps, scenarios and path files, which other tools read and write,
//! [scripts](crate::Script) of changes, [tasks](crate::meetings) for pairs of agents that meet, and goals of
//! [lifelong](crate::lifelong) crowds.
//!
//! Everything here works on text. With the feature `std`, `read_map`, `read_scenario`, `read_paths`, `read_script`,
//! `read_tasks` and `read_goals` read files; their errors begin with the name of the file. What an error quotes is [escaped and short](quoted).

#[cfg(feature = "std")]
mod files;
mod goals;
mod map;
mod paths;
mod quote;
mod scenario;
mod script;
mod tasks;
mod text;

#[cfg(feature = "std")]
pub use files::{
    FileError, open_input, open_paths, read_goals, read_map, read_paths, read_scenario,
    read_script, read_tasks, read_text,
};
pub use goals::{GoalList, GoalListError, GoalRow};
pub use map::{MapError, parse_map, write_map};
pub use paths::{
    Paths, PathsError, PathsOpening, PathsReader, PathsReplay, PathsStep, PathsTask, PathsWriter,
    Position, ReplayError,
};
pub use quote::{LONGEST_QUOTATION, STANDARD_INPUT, is_hidden, printable, quoted, shown_path};
pub use scenario::{Scenario, ScenarioError, ScenarioRow};
pub use script::ScriptTextError;
pub use tasks::{TaskList, TaskListError, TaskRow};
pub use text::without_byte_order_mark;
