//! Choke points: places where the crowds of games jam.
//!
//! Two crowds on a bridge, a crowd before a door, one agent in a throng: each is small, has nothing random in
//! it, and is hard for a different reason. They are the same on every platform.

use std::fmt;
use std::ops::Range;

use super::{Instance, InstanceError, Reach, Task};
use crate::grid::{Cell, Grid, Rules, SizeError};

/// The side of the fields and rooms, in cells.
const FIELD: u32 = 40;
/// The length of a bridge, in cells.
const BRIDGE: u32 = 12;
/// The rows and columns of a throng, and how many columns are free at either end.
const THRONG: (u32, u32) = (20, 30);
const MARGIN: u32 = 5;

/// A crowd at a choke point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ChokePoint {
    /// Two groups of 100 change places over a bridge.
    Bridge {
        /// How many cells wide it is.
        width: u32,
    },
    /// 200 agents go through one door.
    Door,
    /// One agent goes through a throng in which four of five cells hold an agent that stands on its goal.
    Throng,
}

impl ChokePoint {
    /// The choke points that are measured.
    pub const ALL: [Self; 5] = [
        Self::Bridge { width: 1 },
        Self::Bridge { width: 2 },
        Self::Bridge { width: 3 },
        Self::Door,
        Self::Throng,
    ];

    /// The name that records and benches use.
    pub fn name(self) -> String {
        match self {
            Self::Bridge { width } => format!("bridge-{width}"),
            Self::Door => "door".to_owned(),
            Self::Throng => "throng".to_owned(),
        }
    }

    /// The map with the starts and goals of its agents.
    ///
    /// ```
    /// use jostle::instance::ChokePoint;
    ///
    /// let instance = ChokePoint::Bridge { width: 2 }.instance()?;
    /// assert_eq!(instance.tasks().len(), 200);
    /// # Ok::<(), jostle::instance::InstanceError>(())
    /// ```
    ///
    /// # Errors
    /// When a bridge has no width, so that no agent can cross.
    pub fn instance(self) -> Result<Instance, InstanceError> {
        let (grid, tasks) = match self {
            Self::Bridge { width } => bridge(width)?,
            Self::Door => door()?,
            Self::Throng => throng()?,
        };
        Instance::new(grid, tasks, Reach::Required)
    }
}

impl fmt::Display for ChokePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// Two fields with something narrow between them: `length` columns, of which the middle `width` rows are
/// floor.
fn fields(length: u32, width: u32) -> Result<Grid, SizeError> {
    let first = FIELD.saturating_sub(width) / 2;
    let (columns, rows) = (FIELD..FIELD + length, first..first + width);
    Grid::new(2 * FIELD + length, FIELD, Rules::default(), |x, y| {
        !columns.contains(&x) || rows.contains(&y)
    })
}

fn bridge(width: u32) -> Result<(Grid, Vec<Task>), SizeError> {
    let grid = fields(BRIDGE, width)?;
    let west = block(&grid, 15..25, 15..25);
    let far = FIELD + BRIDGE;
    let east = block(&grid, far + 15..far + 25, 15..25);
    let tasks = west.iter().zip(&east).flat_map(|(&west, &east)| [(west, east), (east, west)]);
    let tasks = tasks.collect();
    Ok((grid, tasks))
}

fn door() -> Result<(Grid, Vec<Task>), SizeError> {
    let grid = fields(1, 1)?;
    let far = FIELD + 1;
    let (west, east) = (block(&grid, 15..25, 10..30), block(&grid, far + 15..far + 25, 10..30));
    Ok((grid, west.into_iter().zip(east).collect()))
}

fn throng() -> Result<(Grid, Vec<Task>), SizeError> {
    let (rows, columns) = THRONG;
    let grid = Grid::open(columns + 2 * MARGIN, rows)?;
    let is_full = |cell: &Cell| {
        let (x, y) = grid.position(*cell);
        !(x + 2 * y).is_multiple_of(5)
    };
    let throng = block(&grid, MARGIN..MARGIN + columns, 0..rows).into_iter().filter(is_full);
    let through = block(&grid, 0..grid.width(), rows / 2..rows / 2 + 1);
    let ends = through.first().copied().zip(through.last().copied());
    let tasks = ends.into_iter().chain(throng.map(|cell| (cell, cell))).collect();
    Ok((grid, tasks))
}

/// The cells of a rectangle, row by row.
fn block(grid: &Grid, columns: Range<u32>, rows: Range<u32>) -> Vec<Cell> {
    rows.flat_map(|y| columns.clone().filter_map(move |x| grid.at(x, y))).collect()
}
