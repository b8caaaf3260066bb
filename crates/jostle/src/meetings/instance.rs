//! A map with tasks for pairs of agents.

use std::collections::HashMap;
use std::sync::Arc;

use super::MeetingTask;
use super::draw;
use crate::formats::{TaskList, TaskRow};
use crate::grid::{Cell, Components, Grid, OutsideMap};
use crate::instance::{DrawError, Reach};

/// A map with tasks for pairs of agents: all places on floor, and no two agents on one cell at the beginning.
///
/// ```
/// use jostle::formats::TaskList;
/// use jostle::instance::Reach;
/// use jostle::meetings::MeetingInstance;
/// use jostle::Grid;
///
/// let list = TaskList::parse("(0,0) via (2,0) meets (4,4) to (0,4)")?;
/// let instance = MeetingInstance::from_list(Grid::open(5, 5)?, &list, Reach::Required)?;
/// assert_eq!(instance.tasks().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeetingInstance {
    grid: Arc<Grid>,
    tasks: Arc<[MeetingTask]>,
}

/// Why tasks do not make an instance. Tasks are counted from 0.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeetingInstanceError {
    /// There are no tasks.
    #[error("there are no tasks")]
    NoTasks,
    /// A position is not on the map.
    #[error("{what} ({}, {}) of task {task} is outside the map of {}x{}", source.x, source.y, source.width, source.height)]
    Outside {
        /// The task's number.
        task: usize,
        /// "the initiator", "the start", "the executor" or "the goal".
        what: &'static str,
        /// The position, and the size of the map.
        source: OutsideMap,
    },
    /// A position is a wall.
    #[error("{what} ({x}, {y}) of task {task} is a wall")]
    Wall {
        /// The task's number.
        task: usize,
        /// "the initiator", "the start", "the executor" or "the goal".
        what: &'static str,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
    /// Two agents begin on one cell.
    #[error("{what} of task {task} begins on ({x}, {y}), as an agent of task {other} does")]
    Shared {
        /// The task's number.
        task: usize,
        /// The task whose agent begins there already.
        other: usize,
        /// "the initiator" or "the executor".
        what: &'static str,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
    /// No path leads from the initiator to one of the other places.
    #[error(
        "no path leads from the initiator ({}, {}) of task {task} to {what} ({}, {})",
        from.0, from.1, to.0, to.1
    )]
    OutOfReach {
        /// The task's number.
        task: usize,
        /// "the start", "the executor" or "the goal".
        what: &'static str,
        /// Where the initiator begins.
        from: (u32, u32),
        /// The place that cannot be reached.
        to: (u32, u32),
    },
    /// Tasks could not be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
}

impl MeetingInstanceError {
    /// The task that is at fault, if it is a single one.
    pub const fn task(&self) -> Option<usize> {
        match self {
            Self::Outside { task, .. }
            | Self::Wall { task, .. }
            | Self::Shared { task, .. }
            | Self::OutOfReach { task, .. } => Some(*task),
            Self::NoTasks | Self::Draw(_) => None,
        }
    }
}

impl MeetingInstance {
    /// Tasks on a map.
    ///
    /// # Errors
    /// When there are none, when one of their cells is a wall, when two agents begin on one cell, or when the places of
    /// a task are out of each other's reach and that is [required](Reach::Required).
    pub fn new(
        grid: impl Into<Arc<Grid>>,
        tasks: Vec<MeetingTask>,
        reach: Reach,
    ) -> Result<Self, MeetingInstanceError> {
        let grid = grid.into();
        if tasks.is_empty() {
            return Err(MeetingInstanceError::NoTasks);
        }
        let mut begins = HashMap::new();
        for (number, task) in tasks.iter().enumerate() {
            for (what, cell) in task.cells() {
                if !grid.is_floor(cell) {
                    let (x, y) = grid.position(cell);
                    return Err(MeetingInstanceError::Wall { task: number, what, x, y });
                }
            }
            for (what, cell) in [("the initiator", task.initiator), ("the executor", task.executor)]
            {
                if let Some(other) = begins.insert(cell, number) {
                    let (x, y) = grid.position(cell);
                    return Err(MeetingInstanceError::Shared { task: number, other, what, x, y });
                }
            }
        }
        let instance = Self { grid, tasks: tasks.into() };
        match instance.first_out_of_reach() {
            Some(error) if reach == Reach::Required => Err(error),
            _ => Ok(instance),
        }
    }

    /// The first place of a task that cannot be reached from where its initiator begins.
    fn first_out_of_reach(&self) -> Option<MeetingInstanceError> {
        let components = Components::of(&self.grid);
        self.tasks.iter().enumerate().find_map(|(number, task)| {
            let is_cut = |&(_, cell): &(&str, Cell)| !components.connected(task.initiator, cell);
            let (what, cell) = task.cells().into_iter().find(is_cut)?;
            let [from, to] = [task.initiator, cell].map(|cell| self.grid.position(cell));
            Some(MeetingInstanceError::OutOfReach { task: number, what, from, to })
        })
    }

    /// The tasks of a file on its map.
    ///
    /// # Errors
    /// When they do not make an instance.
    pub fn from_list(
        grid: impl Into<Arc<Grid>>,
        list: &TaskList,
        reach: Reach,
    ) -> Result<Self, MeetingInstanceError> {
        let grid = grid.into();
        let locate = |(number, row): (usize, &TaskRow)| {
            let cell = |what, position| {
                let located = grid.locate(position);
                located.map_err(|source| MeetingInstanceError::Outside {
                    task: number,
                    what,
                    source,
                })
            };
            Ok::<_, MeetingInstanceError>(MeetingTask {
                initiator: cell("the initiator", row.initiator)?,
                start: cell("the start", row.start)?,
                executor: cell("the executor", row.executor)?,
                goal: cell("the goal", row.goal)?,
            })
        };
        let tasks = list.rows.iter().enumerate().map(locate);
        let tasks = tasks.collect::<Result<_, MeetingInstanceError>>()?;
        Self::new(grid, tasks, reach)
    }

    /// The tasks of a file on a map, whatever is wrong with them.
    #[cfg(test)]
    pub(crate) fn unchecked(grid: Grid, list: &TaskList) -> Self {
        let at = |(x, y)| grid.at(x, y).expect("on the map");
        let task = |row: &TaskRow| MeetingTask {
            initiator: at(row.initiator),
            start: at(row.start),
            executor: at(row.executor),
            goal: at(row.goal),
        };
        let tasks = list.rows.iter().map(task).collect();
        Self { grid: grid.into(), tasks }
    }

    /// Draws tasks: anywhere on the largest piece of floor, with as many different starts, and as many different goals, as
    /// there are tasks. The same arguments give the same instance everywhere.
    ///
    /// # Errors
    /// When there are no tasks, or no room for so many.
    pub fn draw(
        grid: impl Into<Arc<Grid>>,
        tasks: usize,
        seed: u64,
    ) -> Result<Self, MeetingInstanceError> {
        let grid = grid.into();
        if tasks == 0 {
            return Err(MeetingInstanceError::NoTasks);
        }
        let tasks = draw::tasks(&grid, tasks, seed)?;
        Self::new(grid, tasks, Reach::Required)
    }

    /// The map.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The map, to be shared.
    pub const fn shared_grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// The tasks.
    pub fn tasks(&self) -> &[MeetingTask] {
        &self.tasks
    }

    /// The tasks, to be shared.
    pub(super) const fn shared_tasks(&self) -> &Arc<[MeetingTask]> {
        &self.tasks
    }

    /// The tasks as they are written to a file.
    pub fn to_list(&self) -> TaskList {
        let at = |cell| self.grid.position(cell);
        let row = |(index, task): (usize, &MeetingTask)| TaskRow {
            line: index + 1,
            initiator: at(task.initiator),
            start: at(task.start),
            executor: at(task.executor),
            goal: at(task.goal),
        };
        TaskList { rows: self.tasks.iter().enumerate().map(row).collect() }
    }
}
