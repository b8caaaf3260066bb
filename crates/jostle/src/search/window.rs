//! The cells around the start of a short search, and what the search knows about each.

use super::block::Block;
use super::{Learned, Place};
use crate::grid::{Cell, Direction, Grid};

/// A square of 256x256 cells with the start in the middle, which no short search leaves.
///
/// A search reads the cells [block](Block) by block when it first comes to one of them, and writes what it has learned
/// back in the same way. The next search makes only those blocks unread again. Positions are counted row by row.
/// All 2^16 numbers are positions, whatever is added to one.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// Three numbers for each cell, one kind after the other: the cost of the best path to it so far or one of the
    /// constants below, the estimated cost from it to the goal, and the number of its node. Costs are in units.
    // In one array, because the address of one fits into the registers of a search and those of three do not.
    cells: Box<[i32; 3 * CELLS]>,
    /// For the first cell of each block that was read, which cells of the block have learned, one bit for each.
    learners: Box<[u16; CELLS]>,
    /// The blocks that were read.
    read: Vec<Read>,
    /// The place of the first position. It may lie outside of the map.
    corner: Place,
    /// How many cells a row of the map has.
    row_length: u32,
}

/// A block that was read.
#[derive(Clone, Copy, Debug)]
struct Read {
    /// The position of its first cell.
    first: u16,
    /// The number of its learned values, if it has any.
    tile: Option<u32>,
}

/// The `g` of a cell of a block that was not read.
pub(super) const UNREAD: i32 = i32::MAX;
/// The `g` of a cell that was not reached: every path is better.
pub(super) const UNSEEN: i32 = i32::MAX - 1;
/// The `g` of a cell that was expanded or must not be entered: no path is better.
pub(super) const CLOSED: i32 = i32::MIN;

const ROW: usize = 256;
const CELLS: usize = ROW * ROW;
/// Where the estimates and the numbers of nodes begin among the numbers of cells.
const H: usize = CELLS;
const NUMBERS: usize = 2 * CELLS;
/// The position of the block of the start.
const MIDDLE: u16 = (ROW / 2 * ROW + ROW / 2) as u16;

/// How much a step changes a position, by direction.
const STEPS: [u16; 8] = {
    let mut steps = [0; 8];
    let mut at = 0;
    while at < 8 {
        let (dx, dy) = Direction::ALL[at].delta();
        steps[at] = (dy * ROW as i32 + dx) as u16;
        at += 1;
    }
    steps
};

/// The position after a step.
pub(super) const fn after(at: u16, step: Direction) -> u16 {
    at.wrapping_add(STEPS[step as usize])
}

/// The position before a step.
pub(super) const fn before(at: u16, step: Direction) -> u16 {
    at.wrapping_sub(STEPS[step as usize])
}

impl Default for Window {
    fn default() -> Self {
        Self {
            cells: filled(UNREAD),
            learners: filled(0),
            read: Vec::new(),
            corner: Place { cell: Cell::from_index(0), x: 0, y: 0 },
            row_length: 0,
        }
    }
}

/// An array that was never on the stack.
#[allow(clippy::unnecessary_box_returns, reason = "the stack may be too small for it")]
fn filled<T: Clone, const N: usize>(element: T) -> Box<[T; N]> {
    let array = vec![element; N].into_boxed_slice().try_into();
    array.unwrap_or_else(|_| unreachable!("the length is right"))
}

impl Window {
    /// The most steps that a search may go from its start.
    pub const MOST_STEPS: usize = ROW / 2 - Block::SIDE;

    /// Starts a search. Returns the position of the start.
    pub fn begin(&mut self, grid: &Grid, start: Place) -> u16 {
        let (cells, _) = self.cells.as_chunks_mut();
        for &Read { first, .. } in &self.read {
            for row in rows(first) {
                cells[row] = [UNREAD; Block::SIDE];
            }
        }
        self.read.clear();
        let (block, index) = Block::of(grid, start);
        let (dx, dy) = ((MIDDLE as usize % ROW) as i32, (MIDDLE as usize / ROW) as i32);
        self.row_length = grid.width();
        let back = dy as u32 * self.row_length + dx as u32;
        let Place { cell, x, y } = block.corner;
        let cell = Cell::from_index(cell.index().wrapping_sub(back as usize));
        self.corner = Place { cell, x: x - dx, y: y - dy };
        MIDDLE + (index / Block::SIDE * ROW + index % Block::SIDE) as u16
    }

    /// The place at a position.
    pub const fn place(&self, at: u16) -> Place {
        let (dx, dy) = (at as u32 % ROW as u32, at as u32 / ROW as u32);
        let steps = dy.wrapping_mul(self.row_length).wrapping_add(dx);
        let cell = Cell::from_index((self.corner.cell.index() as u32).wrapping_add(steps) as usize);
        Place { cell, x: self.corner.x + dx as i32, y: self.corner.y + dy as i32 }
    }

    /// The cost of the best path to a cell so far, or one of the constants above.
    pub const fn g(&self, at: u16) -> i32 {
        self.cells[at as usize]
    }

    pub const fn set_g(&mut self, at: u16, g: i32) {
        self.cells[at as usize] = g;
    }

    /// The estimated cost from a cell that was read to the goal.
    pub const fn h(&self, at: u16) -> i32 {
        self.cells[H + at as usize]
    }

    /// The number of the node at a position that was reached.
    pub const fn number(&self, at: u16) -> u32 {
        self.cells[NUMBERS + at as usize] as u32
    }

    pub const fn set_number(&mut self, at: u16, number: u32) {
        self.cells[NUMBERS + at as usize] = number as i32;
    }

    /// The block of a position.
    pub fn block(&self, at: u16) -> Block {
        Block { corner: self.place(first_of_block(at)) }
    }

    /// Reads the block of a position: the number of its learned values, if it has any, the estimates of its cells, and
    /// which of them must not be entered.
    #[allow(clippy::inline_always, reason = "a call would cost as much as the rest")]
    #[inline(always)]
    pub fn read(&mut self, at: u16, tile: Option<u32>, values: &[i32; Block::CELLS], blocked: u16) {
        let first = first_of_block(at);
        self.read.push(Read { first, tile });
        self.learners[usize::from(first)] = 0;
        let (cells, _) = self.cells.as_chunks_mut();
        let (values, _) = values.as_chunks::<{ Block::SIDE }>();
        for (row, values) in rows(first).into_iter().zip(values) {
            cells[row] = [UNSEEN; Block::SIDE];
            cells[H / Block::SIDE + row] = *values;
        }
        let mut blocked = blocked;
        while blocked != 0 {
            let index = blocked.trailing_zeros() as usize;
            blocked &= blocked - 1;
            self.cells[usize::from(first) + index / Block::SIDE * ROW + index % Block::SIDE] =
                CLOSED;
        }
    }

    /// Learns the value of a cell that was read.
    pub const fn learn(&mut self, at: u16, h: i32) {
        self.cells[H + at as usize] = h;
        self.learners[first_of_block(at) as usize] |= 1 << index_in_block(at);
    }

    /// Writes what was learned back. Where `monotone`, no value that was learned before falls.
    pub fn write(&self, learned: &mut Learned, monotone: bool) {
        let (h, _) = self.cells[H..].as_chunks::<{ Block::SIDE }>();
        for &Read { first, tile } in &self.read {
            let learners = self.learners[usize::from(first)];
            if learners != 0 {
                let rows = rows(first).map(|row| h[row]);
                let values = std::array::from_fn(|at| rows[at / Block::SIDE][at % Block::SIDE]);
                let tile = tile.unwrap_or_else(|| learned.add(self.block(first).key(), &values));
                learned.set(tile, learners, &values, monotone);
            }
        }
    }

    /// Bytes this window holds.
    pub fn memory(&self) -> usize {
        size_of_val(&*self.cells)
            + size_of_val(&*self.learners)
            + self.read.capacity() * size_of::<Read>()
    }
}

/// The position of the first cell of a block.
const fn first_of_block(at: u16) -> u16 {
    at & !(3 * ROW as u16 + 3)
}

/// The four rows of a block, counted in rows of four cells from the first position on.
fn rows(first: u16) -> [usize; Block::SIDE] {
    let row_starts = |row: usize| first.wrapping_add((row * ROW) as u16);
    std::array::from_fn(|row| usize::from(row_starts(row)) / Block::SIDE)
}

const fn index_in_block(at: u16) -> usize {
    at as usize / ROW % Block::SIDE * Block::SIDE + at as usize % Block::SIDE
}
