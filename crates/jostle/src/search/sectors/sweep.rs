//! Distances inside a small area by sweeps over its rows, eight cells at a time.
//!
//! A sweep goes through the rows from north to south or back, and lowers the distances of a row by steps from the row
//! before. No cell of a row depends on another one there, so the compiler turns this into vector instructions. Steps along
//! rows are left to sweeps over the columns, in a second table in which rows and columns are exchanged. A path in one
//! direction over open floor takes one sweep, and each bend around a wall another one. Sweeps are repeated until nothing
//! changes. Only chunks of eight cells are visited beside which something has changed.
//!
//! Distances have 16 bits here: a cardinal step costs 169 and a diagonal one 239. That is a convergent of √2, as
//! [`Cost`] is, and orders paths alike: between 239/169 and √2 lies no fraction with so small a denominator,
//! so two paths compare differently only if one of them has at least 169 diagonal steps more than the other. A distance
//! of no more than [`LONGEST`] has fewer, and gives away how many steps of each kind there are. Areas that have longer
//! paths, and mazes in which sweeps take too many rounds, are left to another algorithm.

use super::layout::{Area, WINDOW};
use super::terrain::{Row, Terrain};
use crate::Cost;
use crate::grid::{CornerRule, Grid, Neighbours, Rules};

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

/// Cells that are worked on at a time.
pub const CHUNK: usize = 8;
/// A row of a table holds a window, and a chunk on each side that is never reached.
const LANES: usize = WINDOW as usize + 2 * CHUNK;
/// Rows of a table: a window, and one on each side that is never reached.
const ROWS: usize = WINDOW as usize + 2;

/// The number of visited chunks after which no further round is begun. In open terrain, caves and buildings some 600 to
/// 1,500 are enough.
const ENOUGH: u32 = 3500;

/// The distances of a row. The cell in column 0 is at [`CHUNK`].
pub type Lanes = [i16; LANES];
/// A bit for each chunk of a row.
type Chunks = u8;

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
    /// By row of the area, the cells from which a path along the row can turn down. See [`Turns`].
    down_turns: [Row; WINDOW as usize],
    /// By row of the area, the cells from which a path along the row can turn up.
    up_turns: [Row; WINDOW as usize],
    /// All chunks if a path that came down can turn up right away, or up and then down; or none.
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
        let terrain = Terrain::of(grid, area);
        let turned = terrain.turned(area.width as usize, grid.rules());
        self.upright.begin(terrain, grid.rules());
        self.turned.begin(turned, grid.rules());
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

    /// Bytes on the heap.
    pub const fn memory(&self) -> usize {
        2 * size_of::<[Lanes; ROWS]>()
    }

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

    fn begin(&mut self, terrain: Terrain, rules: Rules) {
        self.distances.fill([FAR; LANES]);
        for chunks in [&mut self.down, &mut self.up, &mut self.fresh] {
            chunks.fill(0);
        }
        let is_canonical =
            (rules.neighbours, rules.corners) == (Neighbours::Eight, CornerRule::BothFree);
        self.reversals = if is_canonical { 0 } else { Chunks::MAX };
        for row in 1..terrain.height {
            let (above, below) = (terrain.floor[row - 1], terrain.floor[row]);
            (self.down_turns[row - 1], self.up_turns[row]) = if is_canonical {
                (corners(above, below), corners(below, above))
            } else {
                (Row::MAX, Row::MAX)
            };
        }
        self.terrain = terrain;
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
                let rows: &[Lanes; CHUNK] =
                    self.distances[band * CHUNK + 1..].first_chunk().expect("a band of rows");
                for column in 0..CHUNK {
                    let row = chunk * CHUNK + column;
                    let lane = row + CHUNK;
                    let mut nearer = [0; CHUNK];
                    for at in 0..CHUNK {
                        nearer[at] = rows[at][lane];
                    }
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

/// A part of a row.
pub fn part<const LENGTH: usize>(row: &Lanes, first: usize) -> &[i16; LENGTH] {
    row[first..].first_chunk().expect("a row is longer than its parts")
}

fn part_mut(row: &mut Lanes, first: usize) -> &mut [i16; CHUNK] {
    row[first..].first_chunk_mut().expect("a row is longer than its parts")
}

/// Replaces the distances of a chunk. Returns whether that changed anything.
fn replace(chunk: &mut [i16; CHUNK], by: [i16; CHUNK]) -> bool {
    let mut change = 0;
    for lane in 0..CHUNK {
        change |= chunk[lane] ^ by[lane];
    }
    *chunk = by;
    change != 0
}

/// For each cell of a chunk, the lowest of all numbers if its bit is set, or else [`FAR`], which is the highest.
pub fn mask(bits: u8) -> &'static [i16; CHUNK] {
    &MASKS[usize::from(bits)]
}

/// The cells of a row of floor from which a step leads across into the other row, beside a wall there that could not be
/// passed before.
const fn corners(here: Row, across: Row) -> Row {
    let blocked = here & !across;
    here & across & (blocked << 1 | blocked >> 1)
}

static MASKS: [[i16; CHUNK]; 256] = {
    let mut masks = [[FAR; CHUNK]; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut lane = 0;
        while lane < CHUNK {
            if bits >> lane & 1 == 1 {
                masks[bits][lane] = NEAR;
            }
            lane += 1;
        }
        bits += 1;
    }
    masks
};

/// The chunks in which there is floor.
const fn occupied(floor: Row) -> Chunks {
    // The highest bit of each byte is set if any of it is; the product brings them together in the highest byte.
    let sevens = Row::MAX / 255 * 127;
    let any = (floor | (floor & sevens) + sevens) & !sevens;
    ((any >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as Chunks
}

/// A distance in units of [`Cost`].
const fn units(distance: i16) -> u32 {
    const CARDINAL: u32 = self::CARDINAL as u32;
    const DIAGONAL: u32 = self::DIAGONAL as u32;
    // So many diagonal steps, and some cardinal ones, make a distance of 1 more than a multiple of a cardinal step.
    const ONE: u32 = {
        let mut steps = 1;
        while steps * DIAGONAL % CARDINAL != 1 {
            steps += 1;
        }
        steps
    };
    let distance = distance.wrapping_sub(NEAR) as u16 as u32;
    let diagonals = distance % CARDINAL * ONE % CARDINAL;
    let cardinals = (distance - diagonals * DIAGONAL) / CARDINAL;
    Cost::of_steps(cardinals, diagonals).units() as u32
}
