//! The components inside one sector: which of its cells reach each other without leaving it.

use super::layout::{Area, SIDE, SectorId, within};
use crate::grid::{Exits, Grid, Place};

/// The component of each cell of a sector.
///
/// Only components that touch the edge of the sector are numbered, in the order of their first cells on the edge: no
/// other can be left. There are at most half as many as the edge has cells, so a byte is enough.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labels {
    labels: Box<[u8]>,
    /// How many components touch the edge.
    count: u8,
}

/// The label of a wall.
pub const WALL: u8 = u8::MAX - 1;
/// The label of a cell from which the edge of the sector cannot be reached without leaving the sector; nor otherwise.
pub const POCKET: u8 = u8::MAX;

impl Labels {
    /// Labels the cells of a sector.
    ///
    /// # Returns
    /// The labels, and how many cells were expanded: at most as many as the sector has.
    pub fn of(grid: &Grid, sector: SectorId, area: Area, stack: &mut Vec<Place>) -> (Self, u64) {
        let mut labels = vec![WALL; (SIDE * SIDE) as usize].into_boxed_slice();
        let at = |x: i32, y: i32| grid.at(x as u32, y as u32).map(|cell| Place { cell, x, y });
        let (east, south) = (area.x + area.width, area.y + area.height);
        for y in area.y..south {
            for x in area.x..east {
                let Some(place) = at(x, y) else { continue };
                if grid.is_floor(place.cell) {
                    labels[usize::from(within(place))] = POCKET;
                }
            }
        }
        let mut count = 0;
        let mut expansions = 0;
        for y in area.y..south {
            let step = if y == area.y || y == south - 1 { 1 } else { (area.width - 1).max(1) };
            for x in (area.x..east).step_by(step as usize) {
                let Some(first) = at(x, y) else { continue };
                if labels[usize::from(within(first))] != POCKET {
                    continue;
                }
                labels[usize::from(within(first))] = count;
                stack.push(first);
                while let Some(place) = stack.pop() {
                    expansions += 1;
                    for direction in grid.exits(place.cell) {
                        let near = place.beside(grid, direction);
                        if SectorId::of(near) != sector {
                            continue;
                        }
                        let label = &mut labels[usize::from(within(near))];
                        if *label == POCKET {
                            *label = count;
                            stack.push(near);
                        }
                    }
                }
                count += 1;
            }
        }
        (Self { labels, count }, expansions)
    }

    /// The label of a place of the sector.
    pub fn at(&self, place: Place) -> u8 {
        self.at_index(within(place))
    }

    /// The label of a cell by its index in the sector.
    pub fn at_index(&self, index: u16) -> u8 {
        self.labels[usize::from(index)]
    }

    /// How many components touch the edge of the sector: their labels are the numbers below.
    pub const fn count(&self) -> u8 {
        self.count
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.labels.len()
    }
}
