//! The estimates of one agent: how long the way from each cell to its goal is.

use crate::grid::{Cell, Direction, Directions, Grid, Neighbours};
use crate::search::Place;

/// The estimates of all cells, in units of [`Cost`](crate::Cost): straight lines until something is learned.
///
/// Cells are kept in square tiles, and a tile takes memory when the agent first looks at one of its cells. Reading the estimates
/// around a cell is what a search does most, and in most places they are all in one tile.
#[derive(Clone, Debug, Default)]
pub struct Estimates {
    /// For each tile of the map, one more than its number among the used ones; 0 if it is not used.
    table: Vec<u32>,
    tiles: Vec<Tile>,
    /// Where in the table the used tiles are.
    used: Vec<u32>,
    /// How many tiles the map has from west to east.
    row_length: usize,
    goal: Option<Place>,
    kind: Neighbours,
}

/// The estimates of a tile, row by row.
type Tile = [i64; SIDE * SIDE];

/// The side of a tile is two to this power.
const SHIFT: usize = 3;
const SIDE: usize = 1 << SHIFT;

/// The estimate of a removed cell: above all others.
pub const REMOVED: i64 = 1 << 56;

impl Estimates {
    /// Forgets everything that was learned, and begins anew for a goal.
    pub fn begin(&mut self, grid: &Grid, goal: Cell) {
        let [width, height] = [grid.width(), grid.height()].map(|side| side as usize);
        for used in self.used.drain(..) {
            self.table[used as usize] = 0;
        }
        self.tiles.clear();
        self.row_length = width.div_ceil(SIDE);
        self.table.resize(self.row_length * height.div_ceil(SIDE), 0);
        self.goal = Some(Place::of(grid, goal));
        self.kind = grid.rules().neighbours;
    }

    pub const fn goal(&self) -> Option<Place> {
        self.goal
    }

    /// The straight line from a place to the goal.
    pub fn straight(&self, place: Place) -> i64 {
        self.goal.map_or(0, |goal| place.distance(goal, self.kind).units())
    }

    /// The number of the tile of a place, which is made if it is not there yet.
    fn tile(&mut self, place: Place) -> usize {
        let (x, y) = (place.x as usize, place.y as usize);
        let at = (y >> SHIFT) * self.row_length + (x >> SHIFT);
        match self.table[at] {
            0 => self.add_tile(at),
            number => number as usize - 1,
        }
    }

    #[cold]
    fn add_tile(&mut self, at: usize) -> usize {
        let (x, y) = ((at % self.row_length) << SHIFT, (at / self.row_length) << SHIFT);
        let mut tile = [0; SIDE * SIDE];
        for (within, estimate) in tile.iter_mut().enumerate() {
            let (x, y) = ((x + within % SIDE) as i32, (y + within / SIDE) as i32);
            *estimate = self
                .goal
                .map_or(0, |goal| Place { x, y, ..goal }.distance(goal, self.kind).units());
        }
        self.tiles.push(tile);
        self.used.push(at as u32);
        self.table[at] = self.tiles.len() as u32;
        self.tiles.len() - 1
    }

    /// The estimate of a cell.
    pub fn get(&mut self, place: Place) -> i64 {
        let tile = self.tile(place);
        self.tiles[tile][within(place)]
    }

    /// Sets the estimate of a cell.
    pub fn set(&mut self, place: Place, estimate: i64) {
        let tile = self.tile(place);
        self.tiles[tile][within(place)] = estimate;
    }

    /// The estimates of the neighbours of a cell, in the order of the directions; any number where there is no exit.
    #[inline]
    pub fn around(&mut self, grid: &Grid, place: Place, exits: Directions) -> [i64; 8] {
        let inside = |at: i32| (1..SIDE as i32 - 1).contains(&(at & (SIDE as i32 - 1)));
        if inside(place.x) && inside(place.y) {
            let tile = self.tile(place);
            // From the north-western to the south-eastern neighbour.
            let from = within(place) - SIDE - 1;
            let near: &[i64] = &self.tiles[tile][from..=from + 2 * SIDE + 2];
            let at = |direction: Direction| {
                let (dx, dy) = direction.delta();
                near[((dy + 1) * SIDE as i32 + dx + 1) as usize]
            };
            Direction::ALL.map(at)
        } else {
            self.around_border(grid, place, exits)
        }
    }

    fn around_border(&mut self, grid: &Grid, place: Place, exits: Directions) -> [i64; 8] {
        let mut near = [REMOVED; 8];
        for direction in exits {
            near[direction as usize] = self.get(place.beside(grid, direction));
        }
        near
    }

    /// Bytes that are held.
    pub fn memory(&self) -> usize {
        self.table.capacity() * size_of::<u32>()
            + self.tiles.capacity() * size_of::<Tile>()
            + self.used.capacity() * size_of::<u32>()
    }
}

/// Where in its tile a cell is.
const fn within(place: Place) -> usize {
    let (x, y) = (place.x as usize % SIDE, place.y as usize % SIDE);
    y * SIDE + x
}
