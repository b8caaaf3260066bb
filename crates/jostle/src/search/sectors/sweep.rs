//! Distances inside a small area by sweeps over its rows, eight cells at a time.
//!
//! A sweep goes through the rows from north to south or back, and lowers the distances of a row by steps from the row
//! before. No cell of a row depends on another one there, so the compiler turns this into vector instructions. Steps along
//! rows are left to sweeps over the columns, in a second table in which rows and columns are exchanged. Only chunks of
//! eight cells are visited beside which something has changed. Sweeps are repeated until nothing does.
//!
//! # Turns
//! A path in one direction over open floor takes one sweep, and each turn another one. Under the default rules few turns
//! are needed. Say that a sweep to the east has reached a cell, by a step from the west, the south-west or the north-west.
//! To go on to the north from there is part of a shortest path only if the cell in the north-west is a wall and the one in
//! the west is not. Otherwise another path is as short or shorter: the diagonal step, or first the step north and then the
//! diagonal one. It ends with a diagonal step, which sweeps to the north and to the east both make; so the sweep that
//! reached the last cell but one goes on there, unless it goes the other way. But no shortest path turns back to the south or
//! to the west right after that: a step or two straight ahead are shorter, and legal, because diagonal steps need floor
//! on both sides. It is the same for all directions. So a table goes on from cells that the other one has reached only
//! at such corners, and never turns back. With other rules, all turns are made.
//!
//! # Sixteen bits
//! A cardinal step costs 169 here and a diagonal one 239. That is a convergent of √2, as [`Cost`] is, and orders paths
//! alike: between 239/169 and √2 lies no fraction with so small a denominator, so two paths compare differently only if one
//! of them has at least 169 diagonal steps more than the other. A distance of no more than [`LONGEST`] has fewer, and gives
//! away how many steps of each kind there are. Areas with longer paths, and those in which sweeps take too many
//! rounds, are left to another algorithm.

use super::chunks::{
    CHUNK, Chunks, LANES, Lanes, mask, occupied, part, part_mut, replace, transpose,
};
use super::layout::{Area, WINDOW};
use super::terrain::{Row, Terrain};
use crate::Cost;
use crate::grid::{CornerRule, Grid, Neighbours, Rules};
use crate::tally::{self, Kind};

/// What steps cost here.
pub const CARDINAL: i16 = 169;
pub const DIAGONAL: i16 = 239;

/// A distance of 0. All 16 bits are used.
const NEAR: i16 = i16::MIN;
/// The distance of a wall, or of a cell that has not been reached.
pub const FAR: i16 = i16::MAX;
/// The longest distance for which distances and sums of a distance and a step compare like [`Cost`]: fewer than 169
/// diagonal steps are in them.
const LONGEST: u16 = (CARDINAL as u16 - 2) * DIAGONAL as u16;
const LAST: i16 = (LONGEST as i32 + NEAR as i32) as i16;

/// Rows of a table: a window, and one on each side that is never reached, as the lanes on both sides are not.
const ROWS: usize = WINDOW as usize + 2;

/// The number of visited chunks after which no further round is begun. A window in open terrain, a cave or a city takes 400
/// to 900, one in a maze or among small rooms up to 3000, and one in noise 4000.
const ENOUGH: u32 = 5000;

/// Distances from some cells to all cells of an area, along paths that stay in it.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    upright: Table,
    /// With rows and columns exchanged.
    turned: Table,
}

/// The distances in one orientation.
#[derive(Clone, Debug)]
pub struct Table {
    pub terrain: Terrain,
    /// From the rim in the north: row 0 of the area is the second.
    distances: Box<[Lanes; ROWS]>,
    /// By row of the area, the chunks from which the next sweep down has to go on.
    down: [Chunks; WINDOW as usize],
    /// By row of the area, the chunks from which the next sweep up has to go on.
    up: [Chunks; WINDOW as usize],
    /// By row of the area, the chunks that have changed since the other table was last updated.
    fresh: [Chunks; WINDOW as usize],
    /// By row of the area, the cells from which a path along the row can turn down.
    down_turns: [Row; WINDOW as usize],
    /// By row of the area, the cells from which a path along the row can turn up.
    up_turns: [Row; WINDOW as usize],
    /// All chunks if a path that came down can turn back up, or the other way round; otherwise none.
    reversals: Chunks,
}

impl Default for Table {
    fn default() -> Self {
        let none = [0; WINDOW as usize];
        Self {
            terrain: Terrain::default(),
            distances: Box::new([[FAR; LANES]; ROWS]),
            down: none,
            up: none,
            fresh: none,
            down_turns: [0; WINDOW as usize],
            up_turns: [0; WINDOW as usize],
            reversals: 0,
        }
    }
}

impl Sweep {
    /// The most chunks that a run visits: a round has two sweeps.
    pub const MOST_CHUNKS: u32 = ENOUGH + 2 * (ROWS * LANES / CHUNK) as u32;

    /// Starts over in an area, which is at most as large as a window.
    pub fn begin(&mut self, grid: &Grid, area: Area) {
        let (upright, turned) = (&mut self.upright, &mut self.turned);
        upright.terrain.read(grid, area);
        turned.terrain.turn(&upright.terrain, area.width as usize, grid.rules());
        upright.begin(grid.rules());
        turned.begin(grid.rules());
    }

    /// Makes a cell of the area one of those from which distances are measured, if it is floor.
    pub fn seed(&mut self, x: usize, y: usize) {
        if self.upright.terrain.floor[y] >> x & 1 == 1 {
            self.upright.seed(x, y);
            self.turned.seed(y, x);
        }
    }

    /// Sweeps until all distances are known.
    ///
    /// # Returns
    /// How many chunks were visited, and whether the distances are right; if not, a path is too long, or it took too
    /// many rounds.
    pub fn run(&mut self) -> (u32, bool) {
        let mut visited = 0;
        let (mut table, mut other) = (&mut self.upright, &mut self.turned);
        loop {
            visited += table.sweep_down() + table.sweep_up();
            table.pass_on(other);
            if !table.is_changing() && !other.is_changing() {
                break;
            }
            if visited > ENOUGH {
                return (visited, false);
            }
            (table, other) = (other, table);
        }
        (visited, !self.upright.has_long_paths())
    }

    /// The distance of a cell in units of [`Cost`], if it can be reached. Only after a run, with distances that are right.
    pub fn distance(&self, x: usize, y: usize) -> Option<u32> {
        let distance = self.upright.distances[y + 1][x + CHUNK];
        (distance != FAR).then(|| units(distance))
    }

    /// Bytes on the heap: both tables.
    pub const MEMORY: usize = 2 * size_of::<[Lanes; ROWS]>();

    /// The table of all distances.
    pub const fn table(&self) -> &Table {
        &self.upright
    }
}

impl Table {
    /// The distances of three rows of the area: the one before, this one, and the next.
    pub fn around(&self, row: usize) -> &[Lanes; 3] {
        self.distances[row..].first_chunk().expect("there is a rim on both sides")
    }

    fn begin(&mut self, rules: Rules) {
        self.distances.fill([FAR; LANES]);
        for chunks in [&mut self.down, &mut self.up, &mut self.fresh] {
            chunks.fill(0);
        }
        let is_canonical =
            (rules.neighbours, rules.corners) == (Neighbours::Eight, CornerRule::BothFree);
        if is_canonical {
            self.reversals = 0;
            for row in 1..WINDOW as usize {
                let (above, below) = (self.terrain.floor[row - 1], self.terrain.floor[row]);
                self.down_turns[row - 1] = corners(above, below);
                self.up_turns[row] = corners(below, above);
            }
        } else {
            self.reversals = Chunks::MAX;
            self.down_turns.fill(Row::MAX);
            self.up_turns.fill(Row::MAX);
        }
    }

    fn seed(&mut self, column: usize, row: usize) {
        self.distances[row + 1][column + CHUNK] = NEAR;
        self.down[row] |= 1 << (column / CHUNK);
        self.up[row] |= 1 << (column / CHUNK);
    }

    /// Lowers the distances of each row by steps from the row before.
    fn sweep_down(&mut self) -> u32 {
        let mut visited = 0;
        for row in 1..self.terrain.height {
            let chunks = std::mem::take(&mut self.down[row - 1]);
            if chunks != 0 {
                let (southeast, southwest) =
                    (self.terrain.southeast[row - 1], self.terrain.southwest[row - 1]);
                let steps = (southeast << 1, southwest >> 1);
                let changed = self.relax((row - 1, row), chunks, steps, &mut visited);
                self.down[row] |= changed;
                self.up[row] |= changed & self.reversals;
            }
        }
        self.down[self.terrain.height - 1] = 0;
        visited
    }

    /// Lowers the distances of each row by steps from the next one.
    fn sweep_up(&mut self) -> u32 {
        let mut visited = 0;
        for row in (1..self.terrain.height).rev() {
            let chunks = std::mem::take(&mut self.up[row]);
            if chunks != 0 {
                let (southeast, southwest) =
                    (self.terrain.southeast[row - 1], self.terrain.southwest[row - 1]);
                let steps = (southwest, southeast);
                let changed = self.relax((row, row - 1), chunks, steps, &mut visited);
                self.up[row - 1] |= changed;
                self.down[row - 1] |= changed & self.reversals;
            }
        }
        self.up[0] = 0;
        visited
    }

    /// Lowers the distances of one row by steps from another one beside it, of which these chunks have changed. The
    /// last two say to which cells steps lead from the column before and from the next one.
    ///
    /// # Returns
    /// The chunks that have changed.
    fn relax(
        &mut self,
        (from, to): (usize, usize),
        chunks: Chunks,
        (before, next): (Row, Row),
        visited: &mut u32,
    ) -> Chunks {
        let floor = self.terrain.floor[to];
        let rows = self.distances.get_disjoint_mut([from + 1, to + 1]);
        let [source, target] = rows.expect("two rows of the table");
        let mut left = (chunks | chunks << 1 | chunks >> 1) & occupied(floor);
        let (floor, before, next) = (floor.to_le_bytes(), before.to_le_bytes(), next.to_le_bytes());
        let mut changed = 0;
        while left != 0 {
            let chunk = left.trailing_zeros() as usize;
            left &= left - 1;
            let source: &[i16; CHUNK + 2] = part(source, chunk * CHUNK + CHUNK - 1);
            let target = part_mut(target, chunk * CHUNK + CHUNK);
            let (floor, before, next) =
                (mask(floor[chunk]), mask(before[chunk]), mask(next[chunk]));
            let mut nearer = *target;
            for lane in 0..CHUNK {
                let slanted = source[lane].max(before[lane]).min(source[lane + 2].max(next[lane]));
                let straight = source[lane + 1].saturating_add(CARDINAL);
                let distance = straight.min(slanted.saturating_add(DIAGONAL));
                nearer[lane] = nearer[lane].min(distance.max(floor[lane]));
            }
            changed |= Chunks::from(replace(target, nearer)) << chunk;
            *visited += 1;
            tally::note(Kind::Wave, CHUNK);
        }
        self.fresh[to] |= changed;
        changed
    }

    /// Copies what has changed to the other table.
    fn pass_on(&mut self, other: &mut Self) {
        for (band, rows) in self.fresh.chunks_exact_mut(CHUNK).enumerate() {
            let mut chunks = rows.iter_mut().fold(0, |all, row| all | std::mem::take(row));
            while chunks != 0 {
                let chunk = chunks.trailing_zeros() as usize;
                chunks &= chunks - 1;
                tally::note(Kind::Wave, CHUNK);
                let mut block = [[0; CHUNK]; CHUNK];
                for (at, rows) in block.iter_mut().enumerate() {
                    *rows = *part(&self.distances[band * CHUNK + at + 1], chunk * CHUNK + CHUNK);
                }
                for (column, nearer) in transpose(block).into_iter().enumerate() {
                    let row = chunk * CHUNK + column;
                    let target = part_mut(&mut other.distances[row + 1], band * CHUNK + CHUNK);
                    if replace(target, nearer) {
                        let turns = |turns: Row| Chunks::from((turns >> (band * CHUNK)) as u8 != 0);
                        other.down[row] |= turns(other.down_turns[row]) << band;
                        other.up[row] |= turns(other.up_turns[row]) << band;
                    }
                }
            }
        }
    }

    /// Whether a sweep could lower distances.
    fn is_changing(&self) -> bool {
        let none = [0; WINDOW as usize];
        self.down != none || self.up != none
    }

    /// Whether there are distances that are too long to be right.
    fn has_long_paths(&self) -> bool {
        let rows = &self.distances[1..=self.terrain.height];
        rows.iter().any(|row| {
            // One more makes the smallest of all numbers of `FAR`, so that it does not count.
            let mut longest = NEAR;
            for &distance in &row[CHUNK..LANES - CHUNK] {
                longest = longest.max(distance.wrapping_add(1));
            }
            longest > LAST + 1
        })
    }
}

/// The cells from which a path along a row can turn into the row across: the first ones after a wall there.
const fn corners(here: Row, across: Row) -> Row {
    let blocked = here & !across;
    here & across & (blocked << 1 | blocked >> 1)
}

/// A distance in units of [`Cost`].
const fn units(distance: i16) -> u32 {
    let distance = distance.wrapping_sub(NEAR) as u16;
    let (whole, rest) = (distance / CARDINAL as u16, distance % CARDINAL as u16);
    (whole as i32 * Cost::CARDINAL.units() as i32 + RESTS[rest as usize]) as u32
}

/// By what a distance is more than a number of cardinal steps, by how many units of [`Cost`] it is more. That tells how many diagonal
/// steps there are, because each of them leaves another rest.
static RESTS: [i32; CARDINAL as usize] = {
    let mut rests = [0; CARDINAL as usize];
    let mut diagonals = 0;
    while diagonals < CARDINAL as usize {
        let distance = diagonals * DIAGONAL as usize;
        let whole = (distance / CARDINAL as usize) as i64 * Cost::CARDINAL.units();
        let diagonal_units = diagonals as i64 * Cost::DIAGONAL.units();
        rests[distance % CARDINAL as usize] = (diagonal_units - whole) as i32;
        diagonals += 1;
    }
    rests
};
