//! The floor of a small area as bits, a word for each row, so that a whole row is worked on at a time.

use super::layout::{Area, WINDOW};
use crate::grid::{CornerRule, Grid, Neighbours, Rules};
use crate::tally::{self, Kind};

/// The most rows, and the most cells in a row.
const MOST: usize = WINDOW as usize;

/// A row of cells: a bit for each, from the west, which is the lowest.
pub type Row = u64;

/// Rows from the north.
#[derive(Clone, Debug)]
pub struct Terrain {
    /// How many rows there are.
    pub height: usize,
    /// Which cells are floor. None is outside the map, or behind the last row.
    pub floor: [Row; MOST],
    /// The cells from which a step leads south-east inside the area. Steps between floor lead back, too.
    pub southeast: [Row; MOST],
    /// The cells from which a step leads south-west inside the area.
    pub southwest: [Row; MOST],
}

impl Default for Terrain {
    fn default() -> Self {
        let none = [0; MOST];
        Self { height: 0, floor: none, southeast: none, southwest: none }
    }
}

impl Terrain {
    /// Takes over an area, which is at most as large as a window and may reach beyond the map.
    pub fn read(&mut self, grid: &Grid, area: Area) {
        self.height = area.height as usize;
        self.floor = floor(grid, area);
        self.find_diagonals(grid.rules());
    }

    /// Takes over another one with rows and columns exchanged; `width` is how many columns it has.
    pub fn turn(&mut self, other: &Self, width: usize, rules: Rules) {
        let mut words = [0; 64];
        words[..MOST].copy_from_slice(&other.floor);
        transpose(&mut words);
        self.height = width;
        self.floor.copy_from_slice(&words[..MOST]);
        self.find_diagonals(rules);
    }

    fn find_diagonals(&mut self, rules: Rules) {
        // The last row has none. Those behind it have no floor.
        for row in 1..MOST {
            let (here, below) = (self.floor[row - 1], self.floor[row]);
            self.southeast[row - 1] = diagonals(rules, here & below >> 1, here >> 1, below);
            self.southwest[row - 1] = diagonals(rules, here & below << 1, here << 1, below);
        }
    }
}

/// The floor of an area, by row. There is none outside the map, nor behind the last row.
pub fn floor(grid: &Grid, area: Area) -> [Row; MOST] {
    tally::note(Kind::Wave, area.cells() as usize);
    let mut floor = [0; MOST];
    let first = area.x.max(0);
    let last = (area.x + area.width).min(grid.width() as i32);
    let (north, south) = (area.y.max(0), (area.y + area.height).min(grid.height() as i32));
    for y in north..south {
        let cells = grid.row(y as u32).get(first as usize..last as usize).unwrap_or_default();
        floor[(y - area.y) as usize] = pack(cells) << (first - area.x);
    }
    floor
}

/// Of the diagonal steps whose two ends are floor, those that are legal, where `a` and `b` say which cells at their corners
/// are floor.
const fn diagonals(rules: Rules, ends: Row, a: Row, b: Row) -> Row {
    match (rules.neighbours, rules.corners) {
        (Neighbours::Four, _) => 0,
        (Neighbours::Eight, CornerRule::BothFree) => ends & a & b,
        (Neighbours::Eight, CornerRule::OneFree) => ends & (a | b),
        (Neighbours::Eight, CornerRule::Ignored) => ends,
    }
}

/// At most 64 cells as bits.
fn pack(cells: &[bool]) -> Row {
    let (eights, rest) = cells.as_chunks::<8>();
    let mut row = 0;
    for (at, eight) in eights.iter().enumerate() {
        let mut bytes = [0; 8];
        for at in 0..8 {
            bytes[at] = u8::from(eight[at]);
        }
        // The product brings the lowest bits of all bytes together in the highest byte.
        let bytes = Row::from_le_bytes(bytes);
        row |= (bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * at);
    }
    for (at, &cell) in rest.iter().enumerate() {
        row |= Row::from(cell) << (8 * eights.len() + at);
    }
    row
}

/// Exchanges rows and columns: first of the four quarters, then of the quarters of each, and so on.
fn transpose(rows: &mut [Row; 64]) {
    let (mut size, mut low) = (32, Row::MAX >> 32);
    while size > 0 {
        for quarters in rows.chunks_exact_mut(2 * size) {
            let (upper, lower) = quarters.split_at_mut(size);
            for (upper, lower) in upper.iter_mut().zip(lower) {
                let exchanged = (*upper >> size ^ *lower) & low;
                *upper ^= exchanged << size;
                *lower ^= exchanged;
            }
        }
        size /= 2;
        low ^= low << size;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{Drawn, random_map, rules};
    use super::*;
    use crate::grid::{Direction, Exits};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn terrain_has_the_exits_of_the_grid_inside_the_area(
            Drawn(grid) in random_map(), rules in rules(),
            (x, y) in (-20i32..100, -20i32..100), (width, height) in (1i32..=WINDOW, 1i32..=WINDOW),
        ) {
            let grid = grid.with_rules(rules);
            let area = Area { x, y, width, height };
            let (mut terrain, mut turned) = (Terrain::default(), Terrain::default());
            terrain.read(&grid, area);
            turned.turn(&terrain, width as usize, rules);
            prop_assert_eq!(terrain.height, height as usize);
            let has = |rows: &[Row; MOST], row: i32, column: i32| {
                rows.get(row as usize).is_some_and(|row| row >> column & 1 == 1)
            };
            let cell = |x: i32, y: i32| {
                let is_inside = (0..width).contains(&x) && (0..height).contains(&y);
                let (x, y) = (u32::try_from(area.x + x), u32::try_from(area.y + y));
                grid.at(x.ok()?, y.ok()?).filter(|&cell| is_inside && grid.is_floor(cell))
            };
            let leads = |x: i32, y: i32, step: Direction| {
                let (dx, dy) = step.delta();
                let ends = cell(x, y).zip(cell(x + dx, y + dy));
                ends.is_some_and(|(from, _)| grid.exits(from).contains(step))
            };
            for (x, y) in (0..WINDOW).flat_map(|y| (0..WINDOW).map(move |x| (x, y))) {
                prop_assert_eq!(has(&terrain.floor, y, x), cell(x, y).is_some());
                prop_assert_eq!(has(&turned.floor, x, y), cell(x, y).is_some());
                prop_assert_eq!(has(&terrain.southeast, y, x), leads(x, y, Direction::SouthEast));
                prop_assert_eq!(has(&turned.southeast, x, y), leads(x, y, Direction::SouthEast));
                prop_assert_eq!(has(&terrain.southwest, y, x), leads(x, y, Direction::SouthWest));
                prop_assert_eq!(has(&turned.southwest, x, y), leads(x, y, Direction::NorthEast));
            }
        }
    }
}
