//! Eight cells of a row at a time: what the compiler turns into vector instructions.
//!
//! Loops over the lanes of a chunk are written out with arrays of fixed size, because iterators over them are not always
//! compiled to the same.

use super::layout::WINDOW;
use super::terrain::Row;

/// How many cells are worked on at a time.
pub const CHUNK: usize = 8;
/// Numbers of a row of cells: a window, and a chunk on each side. The cell in column 0 is at [`CHUNK`].
pub type Lanes = [i16; LANES];
pub const LANES: usize = WINDOW as usize + 2 * CHUNK;
/// A bit for each chunk of a row.
pub type Chunks = u8;

/// A part of a row.
pub fn part<const LENGTH: usize>(row: &Lanes, first: usize) -> &[i16; LENGTH] {
    row[first..].first_chunk().expect("a row is longer than its parts")
}

pub fn part_mut(row: &mut Lanes, first: usize) -> &mut [i16; CHUNK] {
    row[first..].first_chunk_mut().expect("a row is longer than its parts")
}

/// Exchanges rows and columns.
pub fn transpose(mut block: [[i16; CHUNK]; CHUNK]) -> [[i16; CHUNK]; CHUNK] {
    // Each round interleaves the first half of the rows with the second one.
    for _ in 0..CHUNK.ilog2() {
        let mut next = [[0; CHUNK]; CHUNK];
        for row in 0..CHUNK / 2 {
            let (a, b) = (block[row], block[row + CHUNK / 2]);
            for lane in 0..CHUNK / 2 {
                next[2 * row][2 * lane] = a[lane];
                next[2 * row][2 * lane + 1] = b[lane];
                next[2 * row + 1][2 * lane] = a[lane + CHUNK / 2];
                next[2 * row + 1][2 * lane + 1] = b[lane + CHUNK / 2];
            }
        }
        block = next;
    }
    block
}

/// Replaces the numbers of a chunk. Returns whether that changed anything.
pub fn replace(chunk: &mut [i16; CHUNK], by: [i16; CHUNK]) -> bool {
    let mut change = 0;
    for lane in 0..CHUNK {
        change |= chunk[lane] ^ by[lane];
    }
    *chunk = by;
    change != 0
}

/// For each cell of a chunk, the lowest of all numbers if its bit is set, or else the highest.
pub fn mask(bits: u8) -> &'static [i16; CHUNK] {
    &MASKS[usize::from(bits)]
}

static MASKS: [[i16; CHUNK]; 256] = {
    let mut masks = [[i16::MAX; CHUNK]; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut lane = 0;
        while lane < CHUNK {
            if bits >> lane & 1 == 1 {
                masks[bits][lane] = i16::MIN;
            }
            lane += 1;
        }
        bits += 1;
    }
    masks
};

/// The chunks in which there is floor.
pub const fn occupied(floor: Row) -> Chunks {
    // The highest bit of each byte is set if any of it is; the product brings them together in the highest byte.
    let sevens = Row::MAX / 255 * 127;
    let any = (floor | ((floor & sevens) + sevens)) & !sevens;
    ((any >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as Chunks
}
