//! The distances that sectors are made of: from some cells to all others of a small area.
//!
//! Sweeps are the fastest way to them nearly everywhere ([`Sweep`]). Where they take too long, because the area is a maze
//! of long corridors, Dijkstra's algorithm takes over ([`Queues`]).

use super::heading::Heading;
use super::layout::{Area, WINDOW};
use super::queues::Queues;
use super::rank;
use super::sweep::Sweep;
use crate::grid::{Grid, Place};
use crate::tally::{self, Kind};

/// Distances from some cells to the cells of an area, along paths that stay in it, in units of
/// [`Cost`](crate::Cost). Its memory is kept from one use to the next.
///
/// Sweeps expand no cells. What they do is counted as expansions all the same, so that a budget takes about as long
/// whatever it is spent on: one for every 100 instructions or so. Instructions were counted with `cargo bench --bench sectors -- pieces`.
#[derive(Clone, Debug, Default)]
pub struct Wave {
    area: Area,
    seeds: Vec<Place>,
    sweep: Sweep,
    queues: Queues,
    /// Whether the distances are those of the queues.
    is_maze: bool,
}

/// So many chunks of a sweep count for an expansion. Each takes 100 instructions, but they take half as long as others, because nothing waits for
/// memory. See [`Wave`].
const CHUNKS: u64 = 2;
/// Beginning with so many cells of an area counts for an expansion.
const CELLS: u64 = 8;
/// Ranking the steps of so many cells counts for an expansion, eight at a time.
const RANKED: u64 = 6;
/// Ranking the steps of so many cells counts for an expansion, one by one.
const RANKED_ALONE: u64 = 1;
/// What a cell counts for that Dijkstra's algorithm expands.
const EXPANDED: u64 = 2;

const CELLS_OF_WINDOW: u64 = (WINDOW * WINDOW) as u64;

impl Wave {
    /// The most expansions that a run in an area counts for.
    pub const fn price(area: Area) -> u64 {
        EXPANDED * area.cells() + area.cells() / CELLS + Sweep::MOST_CHUNKS as u64 / CHUNKS
    }

    /// The most expansions that writing the headings of a window counts for.
    pub const WRITTEN: u64 = CELLS_OF_WINDOW / RANKED_ALONE;

    /// Starts over in an area, which is at most as large as a window.
    pub fn begin(&mut self, grid: &Grid, area: Area) {
        self.area = area;
        self.seeds.clear();
        self.sweep.begin(grid, area);
    }

    /// Makes a place of the area, which must be floor, one of those from which distances are measured.
    pub fn seed(&mut self, place: Place) {
        let (x, y) = self.position(place);
        self.sweep.seed(x, y);
        self.seeds.push(place);
    }

    /// Measures all distances.
    ///
    /// # Returns
    /// How many expansions this counts for.
    #[inline(never)]
    pub fn run(&mut self, grid: &Grid) -> u64 {
        let (chunks, is_right) = self.sweep.run();
        let mut expansions = self.area.cells() / CELLS + u64::from(chunks) / CHUNKS;
        self.is_maze = !is_right;
        if self.is_maze {
            self.queues.begin(grid, self.area);
            self.seeds.iter().for_each(|&place| self.queues.seed(place));
            expansions += EXPANDED * self.queues.run(grid);
        }
        expansions
    }

    /// The distance of a place in the area, if it can be reached.
    pub fn distance(&self, place: Place) -> Option<u32> {
        tally::note(Kind::Wave, 1);
        if self.is_maze {
            self.queues.distance(place)
        } else {
            let (x, y) = self.position(place);
            self.sweep.distance(x, y)
        }
    }

    /// Writes the heading of each cell of the area, which must be a whole window, row by row.
    ///
    /// # Returns
    /// How many expansions this counts for.
    pub fn write(&self, grid: &Grid, words: &mut [u16]) -> u64 {
        tally::note(Kind::Wave, words.len());
        if !self.is_maze {
            rank::write(self.sweep.table(), words);
            return CELLS_OF_WINDOW / RANKED;
        }
        let columns = self.area.x..self.area.x + WINDOW;
        let rows = self.area.y..self.area.y + WINDOW;
        let places = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
        for (word, (x, y)) in words.iter_mut().zip(places) {
            let cell = (x >= 0 && y >= 0).then(|| grid.at(x as u32, y as u32)).flatten();
            let place = cell.map(|cell| Place { cell, x, y });
            let known = place.and_then(|place| Some((place, self.queues.distance(place)?)));
            let heading = known.map_or(Heading::UNKNOWN, |(place, own)| {
                Heading::rank(own, self.queues.around(grid, place))
            });
            *word = heading.word();
        }
        CELLS_OF_WINDOW / RANKED_ALONE
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        Sweep::MEMORY + self.queues.memory() + self.seeds.capacity() * size_of::<Place>()
    }

    /// Column and row of a place in the area.
    const fn position(&self, place: Place) -> (usize, usize) {
        ((place.x - self.area.x) as usize, (place.y - self.area.y) as usize)
    }
}

#[cfg(test)]
#[path = "wave_test.rs"]
mod tests;
