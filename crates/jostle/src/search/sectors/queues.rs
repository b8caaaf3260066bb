//! Distances inside a small area by Dijkstra's algorithm.

use super::layout::{Area, WINDOW};
use crate::grid::{Cell, Direction, Directions, Exits, Grid, Place};
use crate::tally::{self, Kind};

/// A row of the table holds a window and a rim of one cell on each side. It is a power of two, so that a slot is two
/// coordinates side by side.
const STRIDE: usize = 64;
const ROWS: usize = WINDOW as usize + 2;

/// The distance of a cell that has not been reached.
const FAR: u32 = u32::MAX;

/// Distances from some cells to the cells of an area, along paths that stay in it, in units of
/// [`Cost`](crate::Cost). The longest path in a window has 2304 cells, so 32 bits are enough.
///
/// Cardinal and diagonal steps have separate queues. In each of them distances only rise, so the next cell is at the
/// front of one of them, and no heap is needed. The table and the queues are kept from one use to the next.
#[derive(Clone, Debug)]
pub struct Queues {
    area: Area,
    /// The cell of slot 0, which may lie outside the map.
    origin: i64,
    width: i64,
    /// By slot. During a run the rim has distance 0, which no path can improve, so that no step needs a test for the
    /// area's edge; and after it [`FAR`], so that no cell of the rim seems to have been reached.
    distances: Vec<u32>,
    cardinal: Queue,
    diagonal: Queue,
}

/// Where a cell of the area is in the table.
type Slot = u16;

/// How much a step changes the slot, by direction.
const OFFSETS: [i16; 8] = offsets();

impl Default for Queues {
    fn default() -> Self {
        Self {
            area: Area::default(),
            origin: 0,
            width: 0,
            distances: vec![0; STRIDE * ROWS],
            cardinal: Queue::default(),
            diagonal: Queue::default(),
        }
    }
}

impl Queues {
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
    }

    /// Makes a place of the area one of those from which distances are measured.
    pub fn seed(&mut self, place: Place) {
        let slot = self.slot(place);
        if self.distances[usize::from(slot)] != 0 {
            self.distances[usize::from(slot)] = 0;
            self.cardinal.push(Entry { g: 0, slot, step: None });
        }
    }

    /// Expands cells in the order of their distances until none is left.
    ///
    /// # Returns
    /// How many cells were expanded: at most as many as the area has.
    pub fn run(&mut self, grid: &Grid) -> u64 {
        let mut expansions = 0;
        while let Some(Entry { g, slot, step }) = self.next() {
            tally::note(Kind::Wave, 1);
            if g > self.distances[usize::from(slot)] {
                continue;
            }
            expansions += 1;
            let exits = grid.exits(self.cell(slot));
            // The cell before has already reached its neighbours, at no greater cost than over this one.
            let known = step.map_or(Directions::NONE, |(step, before)| step.shadow(before));
            for direction in exits.without(known) {
                tally::note(Kind::Wave, 1);
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

    /// The distance of a place of the area, if it can be reached.
    pub fn distance(&self, place: Place) -> Option<u32> {
        self.known(self.slot(place))
    }

    /// For each exit of a place that leads to a cell of the area whose distance is known: the direction and that
    /// distance. Only after a run.
    pub fn around(&self, grid: &Grid, place: Place) -> impl Iterator<Item = (Direction, u32)> {
        let slot = self.slot(place);
        grid.exits(place.cell).into_iter().filter_map(move |direction| {
            let near = slot.wrapping_add_signed(OFFSETS[direction as usize]);
            self.known(near).map(|far| (direction, far))
        })
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.distances.capacity() * size_of::<u32>()
            + self.cardinal.memory()
            + self.diagonal.memory()
    }

    const fn slot(&self, place: Place) -> Slot {
        let (x, y) = (place.x - self.area.x + 1, place.y - self.area.y + 1);
        y as u16 * STRIDE as u16 + x as u16
    }

    fn known(&self, slot: Slot) -> Option<u32> {
        Some(self.distances[usize::from(slot)]).filter(|&distance| distance != FAR)
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
