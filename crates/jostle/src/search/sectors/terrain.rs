//! The floor of a small area as bits, a word for each row, so that a whole row is worked on at a time.

use super::layout::{Area, WINDOW};
use crate::grid::{CornerRule, Grid, Neighbours, Rules};

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
    /// The terrain of an area, which is at most as large as a window and may reach beyond the map.
    pub fn of(grid: &Grid, area: Area) -> Self {
        let mut floor = [0; MOST];
        let first = area.x.max(0);
        let last = (area.x + area.width).min(grid.width() as i32);
        for (row, y) in floor.iter_mut().zip(area.y..area.y + area.height) {
            if let Some(cells) = u32::try_from(y).ok().and_then(|y| grid.row(y)) {
                let cells = cells.get(first as usize..last as usize).unwrap_or_default();
                *row = pack(cells) << (first - area.x);
            }
        }
        Self::with(floor, area.height as usize, grid.rules())
    }

    /// The same with rows and columns exchanged; `width` is how many columns there are.
    pub fn turned(&self, width: usize, rules: Rules) -> Self {
        let mut words = [0; 64];
        words[..MOST].copy_from_slice(&self.floor);
        transpose(&mut words);
        let mut floor = [0; MOST];
        floor.copy_from_slice(&words[..MOST]);
        Self::with(floor, width, rules)
    }

    /// Works out where diagonal steps lead.
    fn with(floor: [Row; MOST], height: usize, rules: Rules) -> Self {
        let (mut southeast, mut southwest) = ([0; MOST], [0; MOST]);
        for ((pair, southeast), southwest) in
            floor.windows(2).zip(&mut southeast).zip(&mut southwest)
        {
            let (here, below) = (pair[0], pair[1]);
            *southeast = diagonals(rules, here & below >> 1, here >> 1, below);
            *southwest = diagonals(rules, here & below << 1, here << 1, below);
        }
        Self { height, floor, southeast, southwest }
    }
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
        // The product brings the lowest bits of all bytes together in the highest byte.
        let mut bytes = [0; 8];
        for (byte, &cell) in bytes.iter_mut().zip(eight) {
            *byte = u8::from(cell);
        }
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
            let terrain = Terrain::of(&grid, area);
            let turned = terrain.turned(width as usize, rules);
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
