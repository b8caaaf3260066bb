//! Dijkstra's algorithm inside a small rectangle: the distances that sectors are made of.

use super::layout::{Area, WINDOW};
use crate::grid::{Cell, Direction, Directions, Exits, Grid, Place};

/// A row of the table holds a window and a rim of one cell on each side. It is a power of two, so that a slot is two
/// coordinates side by side.
const STRIDE: usize = 64;
const ROWS: usize = WINDOW as usize + 2;

/// The distance of a cell that has not been reached.
const FAR: u32 = u32::MAX;
/// More than every distance.
const ALL: u32 = FAR - 1;

/// Distances from some cells to the cells of an area, along paths that stay in it, in units of
/// [`Cost`](crate::Cost). The longest path in a window has 2304 cells, so 32 bits are enough.
///
/// Cardinal and diagonal steps have separate queues. In each of them distances only rise, so the next cell is at the
/// front of one of them, and no heap is needed. The table and the queues are kept from one use to the next.
#[derive(Clone, Debug)]
pub struct Wave {
    area: Area,
    /// The cell of slot 0, which may lie outside the map.
    origin: i64,
    width: i64,
    /// By slot. During a run the rim has distance 0, which no path can improve, so that no step needs a test for the
    /// area's edge; and after it [`FAR`], so that no cell of the rim seems to have been reached.
    distances: Vec<u32>,
    cardinal: Queue,
    diagonal: Queue,
    /// All distances up to this one are final.
    settled: u32,
    /// By slot, whether a run must go on until it is reached.
    wanted: Vec<bool>,
}

/// Where a cell of the area is in the table.
pub type Slot = u16;

/// How much a step changes the slot, by direction.
const OFFSETS: [i16; 8] = offsets();

impl Default for Wave {
    fn default() -> Self {
        Self {
            area: Area::default(),
            origin: 0,
            width: 0,
            distances: vec![0; STRIDE * ROWS],
            cardinal: Queue::default(),
            diagonal: Queue::default(),
            settled: 0,
            wanted: vec![false; STRIDE * ROWS],
        }
    }
}

impl Wave {
    /// Starts over in an area, which is at most as large as a window.
    pub fn begin(&mut self, grid: &Grid, area: Area) {
        self.area = area;
        self.width = i64::from(grid.width());
        self.origin = i64::from(area.y - 1) * self.width + i64::from(area.x - 1);
        let (width, height) = (area.width as usize, area.height as usize);
        for row in 1..=height {
            self.distances[row * STRIDE + 1..][..width].fill(FAR);
        }
        self.set_rim(0);
        self.cardinal.clear();
        self.diagonal.clear();
        self.settled = 0;
    }

    /// Makes a place of the area one of those from which distances are measured.
    pub fn seed(&mut self, place: Place) {
        let slot = self.slot(place);
        if self.distances[usize::from(slot)] != 0 {
            self.distances[usize::from(slot)] = 0;
            self.cardinal.push(Entry { g: 0, slot, step: None });
        }
    }

    /// Expands cells in the order of their distances until `is_enough` says so or none is left. It is asked before a
    /// cell is expanded, with the cell's slot and distance.
    ///
    /// # Returns
    /// How many cells were expanded: at most as many as the area has.
    pub fn run(&mut self, grid: &Grid, mut is_enough: impl FnMut(Slot, u32) -> bool) -> u64 {
        let mut expansions = 0;
        loop {
            let Some(Entry { g, slot, step }) = self.next() else {
                self.settled = ALL;
                break;
            };
            if g > self.distances[usize::from(slot)] {
                continue;
            }
            self.settled = g;
            if is_enough(slot, g) {
                break;
            }
            expansions += 1;
            let exits = grid.exits(self.cell(slot));
            // The cell before has already reached its neighbours, at no greater cost than over this one.
            let known = step.map_or(Directions::NONE, |(step, before)| step.shadow(before));
            for direction in exits.without(known) {
                let near = slot.wrapping_add_signed(OFFSETS[direction as usize]);
                let further = g + direction.cost().units() as u32;
                let known = &mut self.distances[usize::from(near)];
                if further < *known {
                    *known = further;
                    let queue = if direction.is_diagonal() {
                        &mut self.diagonal
                    } else {
                        &mut self.cardinal
                    };
                    queue.push(Entry { g: further, slot: near, step: Some((direction, exits)) });
                }
            }
        }
        self.set_rim(FAR);
        expansions
    }

    /// Expands cells until the distances of all these places of the area are known or no cell is left.
    ///
    /// # Returns
    /// How many cells were expanded.
    pub fn run_to(&mut self, grid: &Grid, places: impl Iterator<Item = Place>) -> u64 {
        let mut wanted = std::mem::take(&mut self.wanted);
        let mut left = 0;
        for place in places {
            left += usize::from(!wanted[usize::from(self.slot(place))]);
            wanted[usize::from(self.slot(place))] = true;
        }
        let expansions = self.run(grid, |slot, _| {
            left -= usize::from(std::mem::take(&mut wanted[usize::from(slot)]));
            left == 0
        });
        if left > 0 {
            wanted.fill(false);
        }
        self.wanted = wanted;
        expansions
    }

    /// The slot of a place in the area.
    pub const fn slot(&self, place: Place) -> Slot {
        let (x, y) = (place.x - self.area.x + 1, place.y - self.area.y + 1);
        y as u16 * STRIDE as u16 + x as u16
    }

    /// The distance of a slot, if it is known for certain.
    pub fn distance(&self, slot: Slot) -> Option<u32> {
        let distance = self.distances[usize::from(slot)];
        (distance <= self.settled).then_some(distance)
    }

    /// Whether every cell that can be reached has been.
    pub const fn is_complete(&self) -> bool {
        self.settled == ALL
    }

    /// For each exit of a cell that leads to a cell of the area whose distance is known: the direction and that
    /// distance. Only after a run.
    pub fn around(&self, grid: &Grid, slot: Slot) -> impl Iterator<Item = (Direction, u32)> {
        grid.exits(self.cell(slot)).into_iter().filter_map(move |direction| {
            let near = slot.wrapping_add_signed(OFFSETS[direction as usize]);
            self.distance(near).map(|far| (direction, far))
        })
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.distances.capacity() * size_of::<u32>()
            + self.wanted.capacity()
            + self.cardinal.memory()
            + self.diagonal.memory()
    }

    fn next(&mut self) -> Option<Entry> {
        match (self.cardinal.first(), self.diagonal.first()) {
            (Some(straight), Some(slanted)) if slanted.g < straight.g => self.diagonal.pop(),
            (Some(_), _) => self.cardinal.pop(),
            (None, _) => self.diagonal.pop(),
        }
    }

    /// Gives all cells of the rim this distance.
    fn set_rim(&mut self, distance: u32) {
        let (width, height) = (self.area.width as usize, self.area.height as usize);
        for row in [0, height + 1] {
            self.distances[row * STRIDE..][..width + 2].fill(distance);
        }
        for row in 1..=height {
            self.distances[row * STRIDE] = distance;
            self.distances[row * STRIDE + width + 1] = distance;
        }
    }

    const fn cell(&self, slot: Slot) -> Cell {
        let (x, y) = (slot as i64 % STRIDE as i64, slot as i64 / STRIDE as i64);
        Cell::from_index((self.origin + y * self.width + x) as usize)
    }
}

/// A cell that was reached.
#[derive(Clone, Copy, Debug)]
struct Entry {
    g: u32,
    slot: Slot,
    /// The step that led there, and the exits of the cell before it.
    step: Option<(Direction, Directions)>,
}

/// Cells in the order in which they entered.
#[derive(Clone, Debug, Default)]
struct Queue {
    entries: Vec<Entry>,
    head: usize,
}

impl Queue {
    fn clear(&mut self) {
        self.entries.clear();
        self.head = 0;
    }

    fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    fn first(&self) -> Option<Entry> {
        self.entries.get(self.head).copied()
    }

    fn pop(&mut self) -> Option<Entry> {
        let first = self.first();
        self.head += usize::from(first.is_some());
        first
    }

    fn memory(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }
}

const fn offsets() -> [i16; 8] {
    let mut offsets = [0; 8];
    let mut at = 0;
    while at < 8 {
        let (dx, dy) = Direction::ALL[at].delta();
        offsets[at] = dy as i16 * STRIDE as i16 + dx as i16;
        at += 1;
    }
    offsets
}
