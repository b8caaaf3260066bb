//! Which tables of distances there are: a [`Region`] for each.
//!
//! A rectangle of sectors is cut in two across its longer side, between two columns or rows, and so are its parts, until
//! every part is one sector. Every route that stays inside the rectangle and visits both parts passes a hub on the cut.
//! The fewer hubs, the better, so the cut lies where there are fewest in the middle third of the rectangle. If all of
//! the map is cut like this, the tables know every route ([`Scope::Map`]).
//!
//! For a large map they would take too much room. There the map is divided into square tiles, and each of these is cut
//! ([`Scope::Near`]). Each half of a line between two tiles has a table too, about all that lies within its *reach*. A route
//! that leaves a tile crosses such a line, so it passes a hub there. Unless it is long, it stays within the reach of the
//! line, and then the tables know it: [`Cuts::certain`] says how long that is.

use super::grains::step_grains;
use super::layout::{Layout, SIDE, SectorId};
use super::region::{Line, Rectangle, Region};
use crate::grid::{Direction, Place};

/// Which routes the tables know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// All routes of the map.
    #[default]
    Map,
    /// Those that are not too long.
    Near {
        /// The sectors on a side of a tile.
        tile: u16,
        /// How many sectors the table of a line between tiles reaches beyond it.
        reach: u16,
    },
}

impl Scope {
    /// What tables know on large maps.
    pub const NEAR: Self = Self::Near { tile: 16, reach: 12 };
    /// The smallest side of a tile for which tables are worth while.
    const SMALLEST: u16 = 8;

    /// What tables know if there is no room for these.
    pub const fn smaller(self) -> Option<Self> {
        match self {
            Self::Map => Some(Self::NEAR),
            Self::Near { tile, reach } if tile > Self::SMALLEST => {
                Some(Self::Near { tile: tile / 2, reach: reach / 2 })
            }
            Self::Near { .. } => None,
        }
    }
}

const NO_REGION: u32 = u32::MAX;

/// All regions. Each comes before its parts.
#[derive(Clone, Debug, Default)]
pub struct Cuts {
    scope: Scope,
    regions: Vec<Region>,
    /// By region, the regions on both sides of its cut, or `NO_REGION` for single sectors, and for what is around a line
    /// between tiles.
    parts: Vec<[u32; 2]>,
    /// The sectors on a side of a tile.
    tile: u16,
    /// How many tiles there are in a row.
    across: usize,
    /// By tile, where its list begins in `listed`, and then where the last one ends.
    lists: Vec<u32>,
    /// By tile, the regions that overlap it and are not parts of others, from the tile itself on.
    listed: Vec<u32>,
}

impl Cuts {
    /// Cuts a map. `portals` says by how many portals one can leave a sector to the east and to the south.
    pub fn of(layout: &Layout, scope: Scope, portals: impl Fn(SectorId) -> (u32, u32)) -> Self {
        let (columns, rows) = layout.sides();
        let map = Rectangle { column: 0, row: 0, columns, rows };
        let tile = match scope {
            Scope::Map => columns.max(rows),
            Scope::Near { tile, .. } => tile,
        };
        let across = usize::from(columns.div_ceil(tile));
        let mut cuts = Self { scope, tile, across, ..Self::default() };
        // Which region overlaps which tile.
        let mut overlaps: Vec<(u32, u32)> = Vec::new();
        for (index, bounds) in (0..).zip(tiles(map, tile)) {
            if bounds.sectors() > 1 {
                overlaps.push((index, cuts.regions.len() as u32));
                cuts.cut(bounds, &portals);
            }
        }
        if let Scope::Near { reach, .. } = scope {
            for line in tiles(map, tile).flat_map(|tile| borders(map, tile)) {
                let bounds = map.around(line, reach);
                let index = cuts.regions.len() as u32;
                overlaps.extend(cuts.tiles_under(bounds).map(|tile| (tile, index)));
                cuts.regions.push(Region { bounds, line });
                cuts.parts.push([NO_REGION; 2]);
            }
        }
        overlaps.sort_unstable();
        cuts.listed = overlaps.iter().map(|&(_, region)| region).collect();
        let count = across * usize::from(rows.div_ceil(tile));
        let first = |tile| overlaps.partition_point(|&(other, _)| (other as usize) < tile) as u32;
        cuts.lists = (0..=count).map(first).collect();
        cuts
    }

    /// How many regions there are.
    pub const fn count(&self) -> usize {
        self.regions.len()
    }

    pub fn region(&self, index: usize) -> Region {
        self.regions[index]
    }

    /// The indices of all regions that contain both of two sectors, each before its parts.
    pub fn around(&self, a: SectorId, b: SectorId) -> impl Iterator<Item = usize> {
        let contains = move |region: u32| {
            let bounds = self.regions[region as usize].bounds;
            bounds.contains(a) && bounds.contains(b)
        };
        let tile = self.tile_of(a);
        let list = self.lists[tile] as usize..self.lists[tile + 1] as usize;
        let listed = self.listed[list].iter().copied().filter(move |&region| contains(region));
        listed.flat_map(move |region| {
            std::iter::successors(Some(region), move |&region| {
                let parts = self.parts[region as usize].into_iter();
                parts.filter(|&part| part != NO_REGION).find(|&part| contains(part))
            })
            .map(|region| region as usize)
        })
    }

    /// A route between two places that the tables do not know is no shorter than this, in half grains.
    ///
    /// Take a route from `a` to `b` that passes a hub of a line between tiles and visits a place that is farther from
    /// there than the reach. Say that place lies to the east of the hub, and `b` is the end on its side of the route. It walks
    /// at least the reach from the hub to there. From there it has to come back to `b`, which lies to the west of it by at
    /// least the reach, less what it walked from `a` to the hub, less the columns between `a` and `b`. So it is at least as
    /// long as twice the reach, less the columns between its ends; and the same is true for rows.
    pub fn certain(&self, a: Place, b: Place) -> u64 {
        match self.scope {
            Scope::Map => u64::MAX,
            Scope::Near { reach, .. } => {
                let apart = a.x.abs_diff(b.x).max(a.y.abs_diff(b.y));
                let cells = (2 * u32::from(reach) * SIDE as u32).saturating_sub(apart);
                u64::from(2 * step_grains(Direction::East) * cells)
            }
        }
    }

    /// Bytes on the heap.
    pub const fn memory(&self) -> usize {
        self.regions.capacity() * size_of::<Region>()
            + self.parts.capacity() * size_of::<[u32; 2]>()
            + (self.lists.capacity() + self.listed.capacity()) * size_of::<u32>()
    }

    /// Cuts a rectangle and its parts, until every part is one sector.
    fn cut(&mut self, bounds: Rectangle, portals: impl Fn(SectorId) -> (u32, u32)) {
        let mut at = self.regions.len();
        self.push(bounds, &portals);
        while at < self.regions.len() {
            let Region { bounds, line } = self.regions[at];
            for (which, part) in bounds.parts(line).into_iter().enumerate() {
                if part.sectors() > 1 {
                    self.parts[at][which] = self.regions.len() as u32;
                    self.push(part, &portals);
                }
            }
            at += 1;
        }
    }

    fn push(&mut self, bounds: Rectangle, portals: impl Fn(SectorId) -> (u32, u32)) {
        self.regions.push(Region { bounds, line: best_cut(bounds, portals) });
        self.parts.push([NO_REGION; 2]);
    }

    /// The index of the tile of a sector.
    const fn tile_of(&self, sector: SectorId) -> usize {
        (sector.row / self.tile) as usize * self.across + (sector.column / self.tile) as usize
    }

    /// The indices of the tiles of which there are sectors in a rectangle.
    fn tiles_under(&self, bounds: Rectangle) -> impl Iterator<Item = u32> + use<> {
        let (tile, across) = (self.tile, self.across as u32);
        let span = move |first: u16, count: u16| first / tile..=(first + count - 1) / tile;
        let columns = span(bounds.column, bounds.columns);
        span(bounds.row, bounds.rows).flat_map(move |row| {
            columns.clone().map(move |column| u32::from(row) * across + u32::from(column))
        })
    }
}

/// The tiles of a map, row by row.
fn tiles(map: Rectangle, side: u16) -> impl Iterator<Item = Rectangle> {
    let step = usize::from(side);
    (0..map.rows).step_by(step).flat_map(move |row| {
        (0..map.columns).step_by(step).map(move |column| Rectangle {
            column,
            row,
            columns: side.min(map.columns - column),
            rows: side.min(map.rows - row),
        })
    })
}

/// The lines between a tile and those to the east and to the south of it, in halves.
fn borders(map: Rectangle, tile: Rectangle) -> impl Iterator<Item = Line> {
    let east = tile.line(true, tile.columns);
    let south = tile.line(false, tile.rows);
    let ends = [(east, map.columns), (south, map.rows)];
    let lines = ends.into_iter().filter(|&(line, end)| line.beyond < end).map(|(line, _)| line);
    lines.flat_map(Line::halves).filter(|half| half.first < half.end)
}

/// The best cut through a rectangle: the one with the fewest portals, and among equals the one nearest to the middle.
fn best_cut(bounds: Rectangle, portals: impl Fn(SectorId) -> (u32, u32)) -> Line {
    let is_wide = bounds.columns >= bounds.rows;
    let (long, short) =
        if is_wide { (bounds.columns, bounds.rows) } else { (bounds.rows, bounds.columns) };
    let third = (long / 3).max(1);
    let on_cut = |before: u16| {
        let hubs = (0..short).map(|along| {
            let (column, row) = if is_wide { (before - 1, along) } else { (along, before - 1) };
            let id = SectorId { column: bounds.column + column, row: bounds.row + row };
            let (east, south) = portals(id);
            if is_wide { east } else { south }
        });
        (hubs.sum::<u32>(), (2 * before).abs_diff(long))
    };
    let before = (third..=long - third).min_by_key(|&before| on_cut(before)).unwrap_or(long / 2);
    bounds.line(is_wide, before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;

    #[test]
    fn every_region_is_cut_where_there_are_fewest_portals_until_sectors_are_alone() {
        let layout = Layout::of(&Grid::open(32 * 12, 32 * 5).unwrap());
        // One column and one row are bottlenecks.
        let portals = |id: SectorId| (if id.column == 4 { 1 } else { 3 }, 2 + u32::from(id.row));
        let cuts = Cuts::of(&layout, Scope::Map, portals);
        assert_eq!(cuts.count(), 12 * 5 - 1, "every cut makes one part more");
        let whole = cuts.region(0);
        assert_eq!((whole.bounds.columns, whole.bounds.rows, whole.line.beyond), (12, 5, 5));
        for index in 0..layout.count() {
            let id = layout.sector(index);
            let around: Vec<usize> = cuts.around(id, id).collect();
            assert!(around.windows(2).all(|pair| {
                let (outer, inner) = (cuts.region(pair[0]).bounds, cuts.region(pair[1]).bounds);
                outer.sectors() > inner.sectors() && inner.all().all(|id| outer.contains(id))
            }));
            let last = cuts.region(around[around.len() - 1]);
            assert!(
                last.bounds.all().all(|other| other == id
                    || last.line.has(id, other)
                    || last.bounds.sectors() > 2)
            );
        }
        let (a, b) = (SectorId { column: 0, row: 0 }, SectorId { column: 11, row: 4 });
        assert_eq!(cuts.around(a, b).count(), 1, "the first cut separates them");
    }

    #[test]
    fn around_a_line_between_tiles_all_within_its_reach_has_a_table() {
        let layout = Layout::of(&Grid::open(32 * 11, 32 * 7).unwrap());
        let cuts = Cuts::of(&layout, Scope::Near { tile: 4, reach: 2 }, |_| (1, 1));
        // Tiles of 4x4, 4x4, 3x4, 4x3, 4x3 and 3x3 sectors, and seven lines between them.
        assert_eq!(cuts.count(), 15 + 15 + 11 + 11 + 11 + 8 + 2 * 7);
        let sectors = || (0..layout.count()).map(|index| layout.sector(index));
        for (a, b) in sectors().flat_map(|a| sectors().map(move |b| (a, b))) {
            let around: Vec<usize> = cuts.around(a, b).collect();
            let expected = (0..cuts.count()).filter(|&index| {
                let bounds = cuts.region(index).bounds;
                bounds.contains(a) && bounds.contains(b)
            });
            let mut sorted = around.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, expected.collect::<Vec<_>>(), "{a:?} {b:?}");
            let beside = a.column.abs_diff(b.column) + a.row.abs_diff(b.row) == 1;
            let (from, to) = if (a.row, a.column) < (b.row, b.column) { (a, b) } else { (b, a) };
            let separating = around.iter().filter(|&&index| cuts.region(index).line.has(from, to));
            assert!(!beside || separating.count() == 1, "one line is between neighbours");
        }
        let line = cuts.region(cuts.count() - 1);
        assert_eq!(line.line, Line { is_upright: true, beyond: 8, first: 5, end: 7 });
        let bounds = Rectangle { column: 6, row: 3, columns: 4, rows: 4 };
        assert_eq!(line.bounds, bounds);
    }
}
