//! Approaches: how far every cell of a sector is from each of its exits.
//!
//! The wave that measures the distances from an exit to the others passes all cells on its way. What it finds is kept,
//! two bytes a cell and exit, so that a route need not search for its first and its last leg. Cells that no exit can
//! be reached from take no room.
//!
//! There is a limit in [nominal bytes](crate::search::Budget). While distances between exits are
//! measured, no more is kept than fits; for the ends of a route, approaches that have not been used
//! since the last time the search for room came by are dropped (second chance).

use super::grains::NO_PATH;
use super::labels::{Labels, WALL};
use super::layout::{SIDE, within};
use crate::grid::Place;
use crate::tally::{self, Kind};

/// The approaches of all sectors, as far as there are any.
#[derive(Clone, Debug)]
pub struct Approaches {
    sectors: Vec<Option<Box<Approach>>>,
    /// By sector, whether it was used since the hand last passed.
    used: Vec<bool>,
    /// Where the search for room goes on.
    hand: usize,
    /// Nominal bytes of all approaches.
    held: usize,
    /// The most of them.
    most: usize,
}

/// The nominal bytes of an approach to a sector without exits.
const APPROACH: usize = 248;

/// The distances of one sector.
#[derive(Clone, Debug)]
struct Approach {
    /// By row of the sector, which cells have distances.
    cells: [u32; SIDE as usize],
    /// By row of the sector, how many cells of the rows before it have some.
    before: [u16; SIDE as usize],
    /// How many cells have distances.
    count: usize,
    /// By exit, whether its distances have been measured.
    measured: Vec<bool>,
    /// By exit and cell, in grains.
    grains: Vec<u16>,
}

impl Approaches {
    /// Room for so many nominal bytes, and for at least one sector.
    pub fn new(sectors: usize, most: usize) -> Self {
        Self { sectors: vec![None; sectors], used: vec![false; sectors], hand: 0, held: 0, most }
    }

    /// Changes how many nominal bytes there is room for.
    pub const fn set_room(&mut self, most: usize) {
        self.most = most;
    }

    /// Makes room for the distances of a sector with so many exits, if that takes nothing from other sectors.
    pub fn offer(&mut self, sector: usize, labels: &Labels, exits: usize) {
        if self.sectors[sector].is_none() {
            let approach = Approach::new(labels, exits);
            if self.held + approach.held() <= self.most {
                self.insert(sector, approach);
            }
        }
    }

    /// Makes room for the distances of a sector with so many exits.
    pub fn claim(&mut self, sector: usize, labels: &Labels, exits: usize) {
        if self.sectors[sector].is_some() {
            return;
        }
        let approach = Approach::new(labels, exits);
        while self.held > 0 && self.held + approach.held() > self.most {
            if !std::mem::take(&mut self.used[self.hand]) {
                self.drop_sector(self.hand);
            }
            self.hand = (self.hand + 1) % self.sectors.len();
        }
        self.insert(sector, approach);
    }

    /// Forgets the distances of a sector.
    pub fn drop_sector(&mut self, sector: usize) {
        self.held -= self.sectors[sector].take().map_or(0, |approach| approach.held());
    }

    /// Notes how far the cells of a sector are from one of its exits, if there is room for that. `grains` gives the
    /// distance of a cell by its index in the sector.
    pub fn set(&mut self, sector: usize, exit: usize, grains: impl Fn(u16) -> u16) {
        if let Some(approach) = &mut self.sectors[sector] {
            approach.set(exit, grains);
        }
    }

    /// How many exits of a sector there are for which the distances are not known; none if nothing is known.
    pub fn missing(&self, sector: usize) -> Option<usize> {
        let approach = self.sectors[sector].as_ref()?;
        tally::note(Kind::Row, approach.measured.len());
        Some(approach.measured.iter().filter(|&&measured| !measured).count())
    }

    /// Whether the distances from an exit to all cells of its sector are known.
    pub fn is_measured(&self, sector: usize, exit: usize) -> bool {
        self.sectors[sector].as_ref().is_some_and(|approach| approach.measured[exit])
    }

    /// Notes that the distances of a sector were used.
    pub fn note_use(&mut self, sector: usize) {
        self.used[sector] = true;
    }

    /// The distances between a cell and the exits of its sector, in their order, in grains; none if they are not
    /// known. [`NO_PATH`] for exits that cannot be reached inside the sector.
    pub fn distances(&self, sector: usize, place: Place) -> Option<impl Iterator<Item = u16>> {
        let approach = self.sectors[sector].as_ref()?;
        tally::note(Kind::Row, approach.measured.len());
        let at = approach.rank(within(place));
        let rows = approach.grains.chunks_exact(approach.count.max(1));
        approach.measured.iter().all(|&measured| measured).then(|| {
            let rows = rows.map(move |row| at.map_or(NO_PATH, |at| row[at]));
            // A sector in which no cell has an exit has no rows.
            rows.take(approach.measured.len())
        })
    }

    /// Nominal bytes of all approaches.
    pub const fn held(&self) -> usize {
        self.held
    }

    /// Bytes on the heap. What an approach holds never grows, so nothing of it is unused.
    pub fn memory(&self) -> usize {
        self.sectors.capacity() * size_of::<Option<Box<Approach>>>()
            + self.used.capacity()
            + self.held
    }

    fn insert(&mut self, sector: usize, approach: Approach) {
        self.held += approach.held();
        self.sectors[sector] = Some(Box::new(approach));
        self.used[sector] = true;
    }
}

impl Approach {
    fn new(labels: &Labels, exits: usize) -> Self {
        let (mut cells, mut before) = ([0; SIDE as usize], [0; SIDE as usize]);
        let mut count = 0;
        for (row, (cells, before)) in cells.iter_mut().zip(&mut before).enumerate() {
            *before = count;
            for column in 0..SIDE as usize {
                let has_edge = labels.at_index((row * SIDE as usize + column) as u16) < WALL;
                *cells |= u32::from(has_edge) << column;
            }
            count += cells.count_ones() as u16;
        }
        let count = usize::from(count);
        Self {
            cells,
            before,
            count,
            measured: vec![false; exits],
            grains: vec![NO_PATH; exits * count],
        }
    }

    /// The place of a cell in the row of an exit, if it has one.
    const fn rank(&self, cell: u16) -> Option<usize> {
        let (row, column) = ((cell / SIDE as u16) as usize, cell % SIDE as u16);
        let cells = self.cells[row];
        if cells >> column & 1 == 0 {
            return None;
        }
        let in_row = (cells & ((1 << column) - 1)).count_ones() as usize;
        Some(self.before[row] as usize + in_row)
    }

    fn set(&mut self, exit: usize, grains: impl Fn(u16) -> u16) {
        let mut row = self.grains[exit * self.count..][..self.count].iter_mut();
        for (y, &cells) in self.cells.iter().enumerate() {
            let mut left = cells;
            while left != 0 {
                let cell = y as u16 * SIDE as u16 + left.trailing_zeros() as u16;
                if let Some(distance) = row.next() {
                    *distance = grains(cell);
                }
                left &= left - 1;
            }
        }
        self.measured[exit] = true;
    }

    /// Nominal bytes: one for each exit and two for each cell and exit, and some for the sector.
    const fn held(&self) -> usize {
        APPROACH + self.measured.len() + 2 * self.grains.len()
    }
}
