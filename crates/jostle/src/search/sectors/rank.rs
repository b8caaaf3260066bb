//! Ranks the steps from all cells of a window, eight cells at a time.

use super::chunks::{CHUNK, Lanes, mask, part};
use super::heading::Heading;
use super::layout::WINDOW;
use super::sweep::{CARDINAL, DIAGONAL, FAR, Table};
use super::terrain::Row;

/// More than any two distances differ by that are one step apart.
const NO_STEP: i16 = 1000;
/// More than the key of any step that there is.
const NO_KEY: i16 = 8 * NO_STEP;

/// Writes the heading of each cell of a window, row by row.
pub fn write(table: &Table, words: &mut [u16]) {
    let terrain = &table.terrain;
    for (row, words) in words.chunks_exact_mut(WINDOW as usize).enumerate() {
        let rows = table.around(row);
        let (southeast, southwest) = (terrain.southeast[row], terrain.southwest[row]);
        let before = row.checked_sub(1);
        let (northwest, northeast) = before.map_or((0, 0), |before| {
            (terrain.southeast[before] << 1, terrain.southwest[before] >> 1)
        });
        let diagonals = [northeast, southeast, southwest, northwest];
        for (chunk, words) in words.as_chunks_mut::<CHUNK>().0.iter_mut().enumerate() {
            *words = if (terrain.floor[row] >> (chunk * CHUNK)) as u8 == 0 {
                [Heading::UNKNOWN.word(); CHUNK]
            } else {
                rank(rows, chunk, diagonals)
            };
        }
    }
}

/// The headings of the cells of a chunk.
fn rank(rows: &[Lanes; 3], chunk: usize, diagonals: [Row; 4]) -> [u16; CHUNK] {
    let part = |row| part::<{ CHUNK + 2 }>(row, chunk * CHUNK + CHUNK - 1);
    let (north, here, south) = (part(&rows[0]), part(&rows[1]), part(&rows[2]));
    let mask = |diagonal: usize| mask(diagonals[diagonal].to_le_bytes()[chunk]);
    let (northeast, southeast, southwest, northwest) = (mask(0), mask(1), mask(2), mask(3));
    let mut words = [0; CHUNK];
    for lane in 0..CHUNK {
        let (west, middle, east) = (lane, lane + 1, lane + 2);
        let own = here[middle];
        let ends = [
            north[middle],
            here[east],
            south[middle],
            here[west],
            north[east].max(northeast[lane]),
            south[east].max(southeast[lane]),
            south[west].max(southwest[lane]),
            north[west].max(northwest[lane]),
        ];
        let (mut best, mut second, mut closer) = (i16::MAX, i16::MAX, 0);
        for (step, &end) in ends.iter().enumerate() {
            let nearer = end.saturating_sub(own).min(NO_STEP);
            let cost = if step < 4 { CARDINAL } else { DIAGONAL };
            // The length of the path, then diagonal steps before others, then the order of directions.
            let key = (nearer + cost) << 3 | (step as i16 ^ 4);
            second = second.min(best.max(key));
            best = best.min(key);
            closer |= (nearer >> 15) as u16 & 1 << step;
        }
        let has_second = second < NO_KEY;
        let (first, other) = (best & 7 ^ 4, second & 7 ^ 4);
        let other = if has_second { other } else { first };
        let is_tie = (best ^ second) & !7 == 0;
        let word = Heading::join(first as u16, other as u16, is_tie, closer);
        let word = if best < NO_KEY { word } else { Heading::join(0, 0, false, 0) };
        words[lane] = if own == FAR { Heading::UNKNOWN.word() } else { word };
    }
    words
}
