//! The components inside one sector: which of its cells reach each other without leaving it.

use super::layout::{Area, SIDE, within};
use super::portals::squeezes;
use super::terrain::{Row, floor};
use crate::grid::{Grid, Place};
use crate::tally::{self, Kind};

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

/// Neighbouring cells of floor in one row.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Its cells as bits.
    cells: Row,
    /// Another run of the same component, the first of them or one nearer to it; itself if it is the first.
    parent: u16,
    label: u8,
}

/// The lists that labelling needs, kept from one sector to the next.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    runs: Vec<Run>,
    /// By row, where its runs end.
    ends: Vec<u16>,
}

impl Runs {
    /// Bytes on the heap.
    pub const fn memory(&self) -> usize {
        self.runs.capacity() * size_of::<Run>() + self.ends.capacity() * size_of::<u16>()
    }
}

/// What labelling a sector counts for, in expansions: see [`Wave`](super::wave::Wave). It takes as long as 20 in open terrain,
/// and as 75 among small rooms.
pub const PRICE: u64 = 150;

impl Labels {
    /// Labels the cells of a sector with this area.
    ///
    /// Each row is cut into runs of floor, and runs that touch one in the row above are joined with it. A diagonal step
    /// between runs that do not touch otherwise passes between two walls, and only
    /// [`CornerRule::Ignored`](crate::CornerRule::Ignored) allows that.
    #[inline(never)]
    pub fn of(grid: &Grid, area: Area, runs: &mut Runs) -> Self {
        let floor = floor(grid, area);
        runs.find(&floor[..area.height as usize], squeezes(grid.rules()));
        let count = runs.number(area.width as u32);
        let mut labels = vec![WALL; (SIDE * SIDE) as usize].into_boxed_slice();
        let mut first = 0;
        for (row, &end) in labels.chunks_exact_mut(SIDE as usize).zip(&runs.ends) {
            for run in &runs.runs[first..usize::from(end)] {
                let label = runs.runs[usize::from(run.parent)].label;
                let begin = run.cells.trailing_zeros() as usize;
                row[begin..][..run.cells.count_ones() as usize].fill(label);
            }
            first = usize::from(end);
        }
        Self { labels, count }
    }

    /// The label of a place of the sector.
    pub fn at(&self, place: Place) -> u8 {
        self.at_index(within(place))
    }

    /// The label of a cell by its index in the sector.
    pub fn at_index(&self, index: u16) -> u8 {
        tally::note(Kind::Wave, 1);
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

impl Runs {
    /// Cuts the rows into runs, and joins those that touch; with `diagonally`, also those whose ends touch at a corner.
    fn find(&mut self, rows: &[Row], diagonally: bool) {
        self.runs.clear();
        self.ends.clear();
        let mut above = 0;
        for &floor in rows {
            let here = self.runs.len();
            let mut left = floor;
            while left != 0 {
                // Adding the lowest bit carries through the run.
                let rest = left & left.wrapping_add(left & left.wrapping_neg());
                let cells = left ^ rest;
                left = rest;
                let reach = if diagonally { cells | cells << 1 | cells >> 1 } else { cells };
                let number = self.runs.len() as u16;
                self.runs.push(Run { cells, parent: number, label: POCKET });
                // Runs above that end before this one begins cannot touch a later one either, but one that goes on can.
                while above < here && self.runs[above].cells < reach & reach.wrapping_neg() {
                    above += 1;
                }
                let touching = self.runs[above..here].iter();
                let count = touching.take_while(|run| run.cells & reach != 0).count();
                for run in above..above + count {
                    self.join(run as u16, number);
                }
                above += count.saturating_sub(1);
            }
            above = here;
            self.ends.push(self.runs.len() as u16);
        }
    }

    /// Numbers the components that touch the edge of an area of this width. Afterwards the parent of every run is the
    /// first of its component, and has its label.
    ///
    /// # Returns
    /// How many components touch the edge.
    fn number(&mut self, width: u32) -> u8 {
        let mut count = 0;
        let mut first = 0;
        let last_row = self.ends.len() - 1;
        let sides = 1 | 1 << (width - 1);
        for row in 0..=last_row {
            let edge = if row == 0 || row == last_row { Row::MAX } else { sides };
            let end = usize::from(self.ends[row]);
            for number in first..end {
                let root = self.root(number as u16);
                self.runs[number].parent = root;
                let is_on_edge = self.runs[number].cells & edge != 0;
                let root = &mut self.runs[usize::from(root)];
                if root.label == POCKET && is_on_edge {
                    root.label = count;
                    count += 1;
                }
            }
            first = end;
        }
        count
    }

    fn join(&mut self, a: u16, b: u16) {
        let (a, b) = (self.root(a), self.root(b));
        self.runs[usize::from(a.max(b))].parent = a.min(b);
    }

    /// The first run of a component.
    fn root(&mut self, mut at: u16) -> u16 {
        while self.runs[usize::from(at)].parent != at {
            let above = self.runs[usize::from(self.runs[usize::from(at)].parent)].parent;
            self.runs[usize::from(at)].parent = above;
            at = above;
        }
        at
    }
}
