//! The connected parts of a level that is being drawn, and tunnels between them.
//!
//! Only cells that share a side are connected. Grids have the same regions: a diagonal step needs both cells
//! at its corners, so it never leads where two cardinal steps do not.

use std::collections::BTreeSet;

use super::canvas::{Canvas, Rect};
use super::dice::Dice;

const NONE: u32 = u32::MAX;
/// The longest delay of a growing region at one cell. Delays are random, which makes tunnels wind.
const MAX_DELAY: i32 = 4;

/// Which region each cell belongs to.
pub(super) struct Regions {
    labels: Vec<u32>,
    sizes: Vec<usize>,
}

impl Regions {
    /// The regions of floor.
    pub(super) fn of_floor(canvas: &Canvas) -> Self {
        Self::of(canvas, true)
    }

    /// The regions of cells that are floor, or of those that are not.
    fn of(canvas: &Canvas, is_floor: bool) -> Self {
        let mut labels = vec![NONE; canvas.floor().len()];
        let mut sizes = Vec::new();
        let mut frontier = Vec::new();
        for first in 0..labels.len() {
            if labels[first] != NONE || canvas.floor()[first] != is_floor {
                continue;
            }
            let label = sizes.len() as u32;
            let mut size = 0;
            labels[first] = label;
            frontier.push(first);
            while let Some(index) = frontier.pop() {
                size += 1;
                for near in sides(canvas, index) {
                    if labels[near] == NONE && canvas.floor()[near] == is_floor {
                        labels[near] = label;
                        frontier.push(near);
                    }
                }
            }
            sizes.push(size);
        }
        Self { labels, sizes }
    }

    pub(super) fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The region of the cell with this index on the canvas.
    pub(super) fn label(&self, index: usize) -> Option<u32> {
        Some(self.labels[index]).filter(|&label| label != NONE)
    }
}

/// Fills the pieces of floor that have fewer than `smallest` cells, but never the largest one.
pub(super) fn drop_small_floors(canvas: &mut Canvas, smallest: usize) {
    let regions = Regions::of(canvas, true);
    let largest = regions.sizes.iter().copied().max().unwrap_or(0);
    turn_over(canvas, &regions, smallest.min(largest));
}

/// Turns pieces of wall with fewer than `smallest` cells into floor.
pub(super) fn drop_small_walls(canvas: &mut Canvas, smallest: usize) {
    let regions = Regions::of(canvas, false);
    turn_over(canvas, &regions, smallest);
}

fn turn_over(canvas: &mut Canvas, regions: &Regions, smallest: usize) {
    for index in 0..canvas.floor().len() {
        if regions.label(index).is_some_and(|label| regions.sizes[label as usize] < smallest) {
            let (x, y) = canvas.position(index);
            canvas.set(x, y, !canvas.floor()[index]);
        }
    }
}

/// How [`join`] digs tunnels.
pub(super) struct Tunnels {
    /// How many cells wide they are.
    pub width: i32,
    /// How many cells at the edge of the canvas they leave alone.
    pub margin: i32,
    /// The percentage of adjacent pairs of regions that get a tunnel although they are already connected.
    pub loops: u32,
}

/// Digs winding tunnels between regions of floor until there is only one region.
pub(super) fn join(canvas: &mut Canvas, tunnels: &Tunnels, dice: &mut Dice) {
    let regions = Regions::of_floor(canvas);
    if regions.count() < 2 {
        return;
    }
    let region_count = regions.count();
    let (growth, mut meetings) = Growth::between(canvas, regions, tunnels.margin, dice);
    meetings.sort_unstable();
    let mut groups = Groups::new(region_count);
    let mut pairs = BTreeSet::new();
    for (_, here, there) in meetings {
        let (a, b) = (growth.owners[here as usize], growth.owners[there as usize]);
        let is_new_pair = pairs.insert((a.min(b), a.max(b)));
        if groups.unite(a, b) || is_new_pair && dice.chance(tunnels.loops) {
            growth.dig(canvas, here, tunnels);
            growth.dig(canvas, there, tunnels);
        }
    }
}

/// Regions that have grown through the walls until they met.
struct Growth {
    /// The region that reached each cell first.
    owners: Vec<u32>,
    /// The cell from which it was reached; itself for floor.
    parents: Vec<u32>,
}

/// Where two regions met: the length of a tunnel through that place, and the cells on either side of the border.
type Meeting = (i32, u32, u32);

impl Growth {
    /// Grows all regions at the same speed, and returns where they met. Cells are 32-bit numbers here, because on large
    /// maps this is what takes most memory.
    fn between(
        canvas: &Canvas,
        regions: Regions,
        margin: i32,
        dice: &mut Dice,
    ) -> (Self, Vec<Meeting>) {
        let inside = canvas.bounds().inset(margin);
        let mut owners = regions.labels;
        let mut parents: Vec<u32> = (0..owners.len() as u32).collect();
        let mut ages = vec![0; owners.len()];
        let mut meetings = Vec::new();
        // Cells are handled in the order of their age. The ages of waiting cells span at most MAX_DELAY, so
        // a ring of one more bucket than that replaces a heap.
        let mut ring = vec![Vec::new(); MAX_DELAY as usize + 1];
        let floor = parents.iter().filter(|&&cell| owners[cell as usize] != NONE);
        ring[0].extend(floor.map(|&cell| (cell, cell)));
        let mut waiting = ring[0].len();
        let mut age = 0;
        while waiting > 0 {
            for (cell, parent) in std::mem::take(&mut ring[age as usize % (MAX_DELAY as usize + 1)])
            {
                waiting -= 1;
                let index = cell as usize;
                if owners[index] != NONE && cell != parent {
                    continue;
                }
                owners[index] = owners[parent as usize];
                parents[index] = parent;
                ages[index] = age;
                for near in sides(canvas, index) {
                    let (x, y) = canvas.position(near);
                    if owners[near] == NONE && inside.contains(x, y) {
                        let due = age + dice.between(1, MAX_DELAY);
                        ring[due as usize % (MAX_DELAY as usize + 1)].push((near as u32, cell));
                        waiting += 1;
                    } else if owners[near] != NONE && owners[near] != owners[index] {
                        meetings.push((ages[near] + age, near as u32, cell));
                    }
                }
            }
            age += 1;
        }
        (Self { owners, parents }, meetings)
    }

    /// Digs from a cell back to the region that reached it.
    fn dig(&self, canvas: &mut Canvas, mut cell: u32, tunnels: &Tunnels) {
        let inside = canvas.bounds().inset(tunnels.margin);
        while self.parents[cell as usize] != cell {
            let (x, y) = canvas.position(cell as usize);
            let (x, y) =
                (x.min(inside.right() - tunnels.width), y.min(inside.bottom() - tunnels.width));
            canvas.carve(Rect::new(x.max(inside.x), y.max(inside.y), tunnels.width, tunnels.width));
            cell = self.parents[cell as usize];
        }
    }
}

/// The cells north, east, south and west of one.
fn sides(canvas: &Canvas, index: usize) -> impl Iterator<Item = usize> + use<> {
    let bounds = canvas.bounds();
    let width = bounds.width as usize;
    let (x, y) = canvas.position(index);
    let north = (y > 0).then(|| index - width);
    let east = (x + 1 < bounds.width).then(|| index + 1);
    let south = (y + 1 < bounds.height).then(|| index + width);
    let west = (x > 0).then(|| index - 1);
    [north, east, south, west].into_iter().flatten()
}

/// Which things have been joined, directly or through others (a union-find structure).
pub(super) struct Groups {
    parents: Vec<u32>,
}

impl Groups {
    /// Things numbered from 0, none of them joined.
    pub(super) fn new(count: usize) -> Self {
        Self { parents: (0..count as u32).collect() }
    }

    fn root(&mut self, mut thing: u32) -> u32 {
        while self.parents[thing as usize] != thing {
            let grandparent = self.parents[self.parents[thing as usize] as usize];
            self.parents[thing as usize] = grandparent;
            thing = grandparent;
        }
        thing
    }

    /// Joins two things. Returns whether they were separate before.
    pub(super) fn unite(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a as usize] = b;
        a != b
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Level;

    #[test]
    fn tunnels_join_all_regions_and_leave_the_margin_alone() {
        for seed in 0..20 {
            let mut dice = Dice::new(Level::Cave, 40, 30, seed);
            let mut canvas = Canvas::walled(40, 30);
            for _ in 0..12 {
                canvas.set(dice.between(1, 38), dice.between(1, 28), true);
            }
            join(&mut canvas, &Tunnels { width: 2, margin: 1, loops: 50 }, &mut dice);
            assert_eq!(Regions::of_floor(&canvas).count(), 1);
            let rim =
                canvas.bounds().cells().filter(|&(x, y)| !Rect::new(1, 1, 38, 28).contains(x, y));
            assert!(rim.into_iter().all(|(x, y)| !canvas.is_floor(x, y)));
        }
    }

    #[test]
    fn the_largest_floor_is_kept_however_small_it_is() {
        let mut canvas = Canvas::walled(9, 3);
        canvas.set(1, 1, true);
        canvas.carve(Rect::new(4, 1, 2, 1));
        drop_small_floors(&mut canvas, 100);
        assert!(!canvas.is_floor(1, 1));
        assert!(canvas.is_open(Rect::new(4, 1, 2, 1)));
    }
}
