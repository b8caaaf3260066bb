//! Built-in maps that look like game levels, of any size, from any seed.
//!
//! Levels are drawn by the project's own code: the same kind, size and seed give the same map on
//! every platform. All floor of a level is connected, and at least a quarter of the cells are floor.
//!
//! Cost: time and memory grow with the area; a level of 512x512 cells takes tens of milliseconds, one of 4096x4096
//! a few seconds.

mod aisles;
mod arena;
mod bridges;
mod canvas;
mod cave;
mod city;
mod dice;
mod islands;
mod maze;
mod noise;
mod partition;
mod regions;
mod rooms;
mod scatter;
mod sites;
mod warehouse;

pub use sites::Sites;

use std::fmt;

use crate::grid::{Grid, SizeError};

use canvas::Canvas;
use dice::Dice;
use regions::Tunnels;

/// Maps with a shorter side than this have no walls, which would leave too little floor.
const NARROWEST_WITH_WALLS: u32 = 5;

/// At least this many percent of the cells are floor.
const LEAST_FLOOR_PERCENT: usize = 25;

/// The most memory that drawing takes for each cell, in bytes. Caves take 19, all other kinds less than 12.
const BYTES_A_CELL: usize = 24;

/// A kind of built-in map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Level {
    /// Caverns in rock, and winding tunnels between them.
    Cave,
    /// Rooms and hallways with one-cell doors.
    Rooms,
    /// Land in water, joined by bridges.
    Islands,
    /// Corridors with few loops.
    Maze,
    /// Streets, buildings, courtyards and squares.
    City,
    /// Racks with narrow aisles, and docks on two sides.
    Warehouse,
    /// An open field with symmetric cover.
    Arena,
    /// Obstacles scattered over an open floor.
    Scatter,
    /// Shelves with aisles one cell wide, and stations on two sides.
    Aisles,
}

impl Level {
    /// Every kind of level.
    pub const ALL: [Self; 9] = [
        Self::Cave,
        Self::Rooms,
        Self::Islands,
        Self::Maze,
        Self::City,
        Self::Warehouse,
        Self::Arena,
        Self::Scatter,
        Self::Aisles,
    ];

    /// The name that [`Level::from_name`] takes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cave => "cave",
            Self::Rooms => "rooms",
            Self::Islands => "islands",
            Self::Maze => "maze",
            Self::City => "city",
            Self::Warehouse => "warehouse",
            Self::Arena => "arena",
            Self::Scatter => "scatter",
            Self::Aisles => "aisles",
        }
    }

    /// A description in one line.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Cave => "caverns in rock, joined by winding tunnels",
            Self::Rooms => "rooms and hallways behind doors one cell wide",
            Self::Islands => "land in water, joined by bridges one to three cells wide",
            Self::Maze => "corridors eight cells wide (narrower on small maps) with few loops",
            Self::City => "streets between buildings of many shapes, with squares and courtyards",
            Self::Warehouse => "racks with aisles one or two cells wide, cross aisles and docks",
            Self::Arena => {
                "an open field with symmetric pillars and cover, and a spawn on each side"
            }
            Self::Scatter => "obstacles on a fifth of the cells, as in research benchmarks",
            Self::Aisles => "a warehouse with aisles one cell wide, and stations on two sides",
        }
    }

    /// The level with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Where the robots of a warehouse have work; none for levels that are not warehouses, and for maps that are too small for
    /// shelves.
    pub fn sites(self, grid: &Grid) -> Option<Sites> {
        matches!(self, Self::Warehouse | Self::Aisles).then(|| Sites::of(grid))?
    }

    /// Draws the level. The same size and seed give the same map everywhere.
    ///
    /// All floor is connected, and at least a quarter of the map is floor. A map less than five
    /// cells wide or high is all floor.
    ///
    /// ```
    /// use jostle::{Level, grid::Components};
    ///
    /// let cave = Level::Cave.generate(80, 40, 7)?;
    /// assert_eq!(Components::of(&cave).count(), 1);
    /// # Ok::<(), jostle::grid::SizeError>(())
    /// ```
    ///
    /// # Errors
    /// When a side is 0 or longer than [`Grid::MAX_SIDE`], there would be more than [`Grid::MAX_MADE`] cells, or the
    /// memory is not there.
    pub fn generate(self, width: u32, height: u32, seed: u64) -> Result<Grid, SizeError> {
        Grid::check_made(width, height)?;
        Grid::check_memory(width, height, BYTES_A_CELL)?;
        if width.min(height) < NARROWEST_WITH_WALLS {
            return Grid::open(width, height);
        }
        let mut dice = Dice::new(self, width, height, seed);
        let draw = match self {
            Self::Cave => cave::draw,
            Self::Rooms => rooms::draw,
            Self::Islands => islands::draw,
            Self::Maze => maze::draw,
            Self::City => city::draw,
            Self::Warehouse => warehouse::draw,
            Self::Arena => arena::draw,
            Self::Scatter => scatter::draw,
            Self::Aisles => aisles::draw,
        };
        let mut canvas: Canvas = draw(width, height, &mut dice);
        if !canvas.has_floor_share(LEAST_FLOOR_PERCENT) {
            // The map is too small for this kind of level: leave it empty inside its rim.
            canvas.carve(canvas.bounds().inset(1));
        }
        // Most kinds of level are connected by construction. This makes sure of it for all of them.
        regions::join(&mut canvas, &Tunnels { width: 1, margin: 0, loops: 0 }, &mut dice);
        canvas.into_grid()
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Draws with this percentage of cells as floor to begin with. Smoothing and filling can leave too little
/// floor on a small map; then it tries again with a higher percentage.
fn draw_with_floor_share(percent: usize, mut draw: impl FnMut(usize) -> Canvas) -> Canvas {
    let mut canvas = draw(percent);
    for percent in (percent..100).step_by(10).skip(1) {
        if canvas.has_floor_share(LEAST_FLOOR_PERCENT) {
            break;
        }
        canvas = draw(percent);
    }
    canvas
}

#[cfg(test)]
#[path = "levels_test.rs"]
mod tests;
