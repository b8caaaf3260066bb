//! The places of a map that kinds of problem use: sides, the rim, the middle, dense spots.

use std::cmp::Reverse;
use std::collections::VecDeque;

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::grid::{Cell, Components, Grid};

/// From how many random cells the centre of the second of two distant spots is chosen.
const DISTANT_TRIES: usize = 8;

/// A side of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    North,
    East,
    South,
    West,
}

impl Side {
    pub(super) const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];
}

/// The largest component of a floor, and the box around it.
pub(super) struct Places<'grid> {
    grid: &'grid Grid,
    cells: Vec<Cell>,
    west: u32,
    east: u32,
    north: u32,
    south: u32,
}

impl<'grid> Places<'grid> {
    pub(super) fn largest_of(grid: &'grid Grid, components: &Components) -> Self {
        let largest = components.largest();
        let is_inside = |&cell: &Cell| components.label(cell) == largest;
        let cells: Vec<Cell> = grid.floor_cells().filter(is_inside).collect();
        let (mut west, mut east, mut north, mut south) = (u32::MAX, 0, u32::MAX, 0);
        for &cell in &cells {
            let (x, y) = grid.position(cell);
            (west, east) = (west.min(x), east.max(x));
            (north, south) = (north.min(y), south.max(y));
        }
        Self { grid, cells, west, east, north, south }
    }

    /// How many agents there is room for: one for each cell.
    pub(super) fn room(&self) -> usize {
        self.cells.len()
    }

    /// How many cells a place gets: `wanted` or a share of all cells, whichever is more, but not
    /// more than half of them unless the place would not hold `needed` agents.
    pub(super) fn share(&self, wanted: usize, percent: usize, needed: usize) -> usize {
        let most = (self.room() / 2).max(needed);
        wanted.max(self.room() * percent / 100).min(most)
    }

    /// A random cell.
    pub(super) fn anywhere(&self, rng: &mut ChaCha8Rng) -> Cell {
        self.cells[rng.random_range(0..self.cells.len() as u32) as usize]
    }

    /// Another cell than this one, if there is any.
    pub(super) fn other_than(&self, cell: Cell) -> Cell {
        self.cells.iter().copied().find(|&other| other != cell).unwrap_or(cell)
    }

    /// The cell nearest to the middle of the box.
    pub(super) fn middle(&self) -> Cell {
        // Twice the distance, because the middle can lie between two cells.
        let from_middle = |at: u32, low: u32, high: u32| u64::from((2 * at).abs_diff(low + high));
        let distance = |&cell: &Cell| {
            let (x, y) = self.grid.position(cell);
            let dx = from_middle(x, self.west, self.east);
            let dy = from_middle(y, self.north, self.south);
            dx * dx + dy * dy
        };
        self.cells.iter().copied().min_by_key(distance).unwrap_or(Cell::NOWHERE)
    }

    /// The cells nearest to a side, and as many nearest to the opposite side. They have no cell in common
    /// unless each is more than half of all.
    pub(super) fn opposite_bands(
        &self,
        side: Side,
        count: usize,
        rng: &mut ChaCha8Rng,
    ) -> (Vec<Cell>, Vec<Cell>) {
        let inwards = |x: u32, y: u32| match side {
            Side::North => y - self.north,
            Side::East => self.east - x,
            Side::South => self.south - y,
            Side::West => x - self.west,
        };
        let ordered = self.ordered_by(inwards, rng);
        (ordered[..count].to_vec(), ordered[ordered.len() - count..].to_vec())
    }

    /// The cells nearest to the edge of the box.
    pub(super) fn rim(&self, size: usize, rng: &mut ChaCha8Rng) -> Vec<Cell> {
        let inwards = |x: u32, y: u32| {
            let (across, along) =
                ((x - self.west).min(self.east - x), (y - self.north).min(self.south - y));
            across.min(along)
        };
        let mut ordered = self.ordered_by(inwards, rng);
        ordered.truncate(size);
        ordered
    }

    /// The first cells that a breadth-first search from a centre reaches.
    pub(super) fn ball(&self, centre: Cell, size: usize) -> Vec<Cell> {
        let mut is_reached = vec![false; self.grid.cells().len()];
        is_reached[centre.index()] = true;
        let mut frontier = VecDeque::from([centre]);
        let mut ball = Vec::with_capacity(size.min(self.room()));
        while ball.len() < size
            && let Some(cell) = frontier.pop_front()
        {
            ball.push(cell);
            for near in self.grid.neighbours(cell) {
                if !is_reached[near.index()] {
                    is_reached[near.index()] = true;
                    frontier.push_back(near);
                }
            }
        }
        ball
    }

    /// Two dense spots: one at a random cell, the other at the farthest of a few random cells whose
    /// spot does not touch the first, or at the farthest of all if every one does.
    pub(super) fn distant_balls(
        &self,
        size: usize,
        rng: &mut ChaCha8Rng,
    ) -> (Vec<Cell>, Vec<Cell>) {
        let size = size.min(self.room());
        // In breadth-first order from the first spot, later means farther.
        let by_distance = self.ball(self.anywhere(rng), self.room());
        let first = by_distance[..size].to_vec();
        let mut is_first = vec![false; self.grid.cells().len()];
        for cell in &first {
            is_first[cell.index()] = true;
        }
        let mut ranks: Vec<u32> =
            (0..DISTANT_TRIES).map(|_| rng.random_range(0..self.cells.len() as u32)).collect();
        ranks.sort_unstable_by_key(|&rank| Reverse(rank));
        let spot = |rank: u32| self.ball(by_distance[rank as usize], size);
        let is_apart = |spot: &Vec<Cell>| spot.iter().all(|cell| !is_first[cell.index()]);
        let second = ranks.iter().map(|&rank| spot(rank)).find(is_apart);
        (first, second.unwrap_or_else(|| spot(ranks[0])))
    }

    /// All cells by a measure of their position, smallest first; those with the same measure in random order,
    /// so that cutting the list among them is fair.
    fn ordered_by(&self, measure: impl Fn(u32, u32) -> u32, rng: &mut ChaCha8Rng) -> Vec<Cell> {
        let mut shuffled = self.cells.clone();
        shuffled.shuffle(rng);
        let measure_of = |cell: Cell| {
            let (x, y) = self.grid.position(cell);
            measure(x, y) as usize
        };
        // A counting sort: measures are at most the longer side, cells are many.
        let mut begins = vec![0; (self.grid.width().max(self.grid.height()) + 1) as usize];
        for &cell in &shuffled {
            begins[measure_of(cell) + 1] += 1;
        }
        for measure in 1..begins.len() {
            begins[measure] += begins[measure - 1];
        }
        let mut ordered = vec![Cell::NOWHERE; shuffled.len()];
        for cell in shuffled {
            let next: &mut usize = &mut begins[measure_of(cell)];
            ordered[*next] = cell;
            *next += 1;
        }
        ordered
    }
}
