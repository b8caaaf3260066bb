//! The cells around the start of a short search, and what the search knows about each.

use super::block::Block;
use super::{Learned, Place};
use crate::grid::{Cell, Direction, Grid};

/// A square of 256x256 cells with the start in the middle, which no short search leaves.
///
/// A search reads the cells [block](Block) by block when it first comes to one of them, and the next search
/// makes only those blocks unread again. Positions are counted row by row. All 2^16 numbers are positions, whatever
/// is added to one.
#[derive(Clone, Debug)]
pub(super) struct Window {
    spots: Box<[Spot; CELLS]>,
    /// The number of the node on each cell that was reached.
    numbers: Box<[u16; CELLS]>,
    /// For each block that was read, the number of its learned values, or `NO_TILE`.
    tiles: Box<[u32; BLOCKS]>,
    /// The positions of the blocks that were read.
    read: Vec<u16>,
    /// The place of the first position. It may lie outside of the map.
    corner: Place,
    /// How many cells a row of the map has.
    row_length: u32,
}

/// The costs of one cell, in units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// The cost of the best path to it so far, or one of the constants below.
    pub g: i32,
    /// The estimated cost from it to the goal.
    pub h: i32,
}

impl Spot {
    /// The `g` of a cell of a block that was not read.
    pub const UNREAD: i32 = i32::MAX;
    /// The `g` of a cell that was not reached: every path is better.
    pub const UNSEEN: i32 = i32::MAX - 1;
    /// The `g` of a cell that was expanded, or must not be entered: no path is better.
    pub const CLOSED: i32 = i32::MIN;

    pub const fn is_unseen(self) -> bool {
        self.g >= Self::UNSEEN
    }
}

const ROW: usize = 256;
const CELLS: usize = ROW * ROW;
const BLOCKS: usize = CELLS / Block::CELLS;
const BLOCKS_IN_ROW: usize = ROW / Block::SIDE;
const NO_TILE: u32 = u32::MAX;
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
            spots: filled(Spot { g: Spot::UNREAD, h: 0 }),
            numbers: filled(0),
            tiles: filled(NO_TILE),
            read: Vec::new(),
            corner: Place { cell: Cell::from_index(0), x: 0, y: 0 },
            row_length: 0,
        }
    }
}

/// An array that was never on the stack, which may be too small for it.
fn filled<T: Clone, const N: usize>(element: T) -> Box<[T; N]> {
    let array = vec![element; N].into_boxed_slice().try_into();
    array.unwrap_or_else(|_| unreachable!("the length is right"))
}

impl Window {
    /// The most steps that a search may go from its start.
    pub const MOST_STEPS: usize = ROW / 2 - Block::SIDE;

    /// Starts a search. Returns the position of the start.
    pub fn begin(&mut self, grid: &Grid, start: Place) -> u16 {
        for &first in &self.read {
            for row in rows(first) {
                let (spots, _) = self.spots.as_chunks_mut::<{ Block::SIDE }>();
                spots[row] = [Spot { g: Spot::UNREAD, h: 0 }; Block::SIDE];
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

    pub const fn spot(&mut self, at: u16) -> &mut Spot {
        &mut self.spots[at as usize]
    }

    /// The number of the node at a position that was reached.
    pub const fn number(&self, at: u16) -> u16 {
        self.numbers[at as usize]
    }

    pub const fn set_number(&mut self, at: u16, number: u16) {
        self.numbers[at as usize] = number;
    }

    /// The block of a position that was not read yet.
    pub fn block(&self, at: u16) -> Block {
        Block { corner: self.place(first_of_block(at)) }
    }

    /// Reads the block of a position: its learned values, if it has a tile, the estimates of its cells, and which of
    /// them must not be entered.
    pub fn read(&mut self, at: u16, tile: Option<u32>, h: &[i32; Block::CELLS], blocked: u16) {
        let first = first_of_block(at);
        self.tiles[block_number(at)] = tile.unwrap_or(NO_TILE);
        self.read.push(first);
        let (values, _) = h.as_chunks::<{ Block::SIDE }>();
        for (row, values) in rows(first).into_iter().zip(values) {
            let (spots, _) = self.spots.as_chunks_mut::<{ Block::SIDE }>();
            spots[row] = values.map(|h| Spot { g: Spot::UNSEEN, h });
        }
        let mut blocked = blocked;
        while blocked != 0 {
            let index = blocked.trailing_zeros() as usize;
            blocked &= blocked - 1;
            let at = first + (index / Block::SIDE * ROW + index % Block::SIDE) as u16;
            self.spots[usize::from(at)].g = Spot::CLOSED;
        }
    }

    /// The tile in which to learn the value of a cell of a block that was read, and the index of the cell in it.
    pub fn tile_for(&mut self, at: u16, learned: &mut Learned) -> (u32, usize) {
        let (block, index) = (block_number(at), index_in_block(at));
        if self.tiles[block] == NO_TILE {
            self.tiles[block] = self.add_tile(at, learned);
        }
        (self.tiles[block], index)
    }

    /// Adds a tile with the estimates of a block that was read.
    fn add_tile(&self, at: u16, learned: &mut Learned) -> u32 {
        let (spots, _) = self.spots.as_chunks::<{ Block::SIDE }>();
        let rows = rows(first_of_block(at)).map(|row| spots[row].map(|spot| spot.h));
        let estimates = rows.as_flattened().try_into().expect("a block has four rows of four");
        learned.add(self.block(at).key(), estimates)
    }

    /// Bytes this window holds.
    pub fn memory(&self) -> usize {
        size_of_val(&*self.spots)
            + size_of_val(&*self.numbers)
            + size_of_val(&*self.tiles)
            + self.read.capacity() * size_of::<u16>()
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

const fn block_number(at: u16) -> usize {
    let (column, row) = (at as usize % ROW / Block::SIDE, at as usize / (ROW * Block::SIDE));
    row * BLOCKS_IN_ROW + column
}

const fn index_in_block(at: u16) -> usize {
    at as usize / ROW % Block::SIDE * Block::SIDE + at as usize % Block::SIDE
}
