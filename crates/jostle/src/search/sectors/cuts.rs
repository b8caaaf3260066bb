//! How the map is cut in two, again and again, until every region is one sector.
//!
//! A region is a rectangle of sectors. It is cut across its longer side, between two columns or rows of sectors. The
//! portals on the cut are its *hubs*: every route that stays inside the region and visits both parts passes one of them.
//! The fewer hubs, the better, so the cut lies where there are fewest in the middle third of the region.

use super::layout::{Layout, SectorId};

/// A rectangle of more than one sector.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    pub column: u16,
    pub row: u16,
    pub columns: u16,
    pub rows: u16,
    /// How many of its columns lie west of the cut, or 0.
    west: u16,
    /// How many of its rows lie north of the cut, or 0.
    north: u16,
    /// The regions on both sides of the cut, or `NO_REGION` for single sectors.
    parts: [u32; 2],
}

const NO_REGION: u32 = u32::MAX;

/// All regions, the whole map first, and each before its parts.
#[derive(Clone, Debug, Default)]
pub struct Cuts {
    regions: Vec<Region>,
}

impl Cuts {
    /// Cuts a map. `portals` says by how many portals one can leave a sector to the east and to the south.
    pub fn of(layout: &Layout, portals: impl Fn(SectorId) -> (u32, u32)) -> Self {
        let (columns, rows) = layout.sides();
        let mut regions = Vec::new();
        if layout.count() > 1 {
            regions.push(Region::new(0, 0, columns, rows));
        }
        let mut at = 0;
        while at < regions.len() {
            regions[at].cut(&portals);
            for (which, part) in regions[at].halves().into_iter().enumerate() {
                if part.sectors() > 1 {
                    regions[at].parts[which] = regions.len() as u32;
                    regions.push(part);
                }
            }
            at += 1;
        }
        Self { regions }
    }

    /// How many regions there are.
    pub const fn count(&self) -> usize {
        self.regions.len()
    }

    pub fn region(&self, index: usize) -> Region {
        self.regions[index]
    }

    /// The indices of all regions that contain both of two sectors, from the largest to the smallest.
    pub fn around(&self, a: SectorId, b: SectorId) -> impl Iterator<Item = usize> {
        let mut next = (!self.regions.is_empty()).then_some(0);
        std::iter::from_fn(move || {
            let at = next?;
            let parts = self.regions[at].parts.into_iter().filter(|&part| part != NO_REGION);
            next = parts.map(|part| part as usize).find(|&part| {
                let part = self.regions[part];
                part.contains(a) && part.contains(b)
            });
            Some(at)
        })
    }

    /// Bytes on the heap.
    pub const fn memory(&self) -> usize {
        self.regions.capacity() * size_of::<Region>()
    }
}

impl Region {
    const fn new(column: u16, row: u16, columns: u16, rows: u16) -> Self {
        Self { column, row, columns, rows, west: 0, north: 0, parts: [NO_REGION; 2] }
    }

    /// How many sectors there are.
    pub const fn sectors(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    pub const fn contains(self, sector: SectorId) -> bool {
        sector.column.wrapping_sub(self.column) < self.columns
            && sector.row.wrapping_sub(self.row) < self.rows
    }

    /// The index of one of its sectors, row by row.
    pub const fn index(self, sector: SectorId) -> usize {
        let (column, row) = (sector.column - self.column, sector.row - self.row);
        row as usize * self.columns as usize + column as usize
    }

    /// Its sectors, row by row.
    pub fn all(self) -> impl Iterator<Item = SectorId> {
        (self.row..self.row + self.rows).flat_map(move |row| {
            (self.column..self.column + self.columns).map(move |column| SectorId { column, row })
        })
    }

    /// Whether the cut separates two of its sectors.
    pub const fn separates(self, a: SectorId, b: SectorId) -> bool {
        let (column, row) = (self.column + self.west, self.row + self.north);
        if self.west > 0 {
            (a.column < column) != (b.column < column)
        } else {
            (a.row < row) != (b.row < row)
        }
    }

    /// Finds the best cut: the one with the fewest portals, and among equals the one nearest to the middle.
    fn cut(&mut self, portals: impl Fn(SectorId) -> (u32, u32)) {
        let is_wide = self.columns >= self.rows;
        let (long, short) =
            if is_wide { (self.columns, self.rows) } else { (self.rows, self.columns) };
        let third = (long / 3).max(1);
        let on_cut = |near: u16| {
            let hubs = (0..short).map(|along| {
                let (column, row) = if is_wide { (near - 1, along) } else { (along, near - 1) };
                let id = SectorId { column: self.column + column, row: self.row + row };
                let (east, south) = portals(id);
                if is_wide { east } else { south }
            });
            (hubs.sum::<u32>(), (2 * near).abs_diff(long))
        };
        let near = (third..=long - third).min_by_key(|&near| on_cut(near)).unwrap_or(long / 2);
        (self.west, self.north) = if is_wide { (near, 0) } else { (0, near) };
    }

    /// The two parts.
    const fn halves(self) -> [Self; 2] {
        let Self { column, row, columns, rows, west, north, .. } = self;
        if west > 0 {
            let east = Self::new(column + west, row, columns - west, rows);
            [Self::new(column, row, west, rows), east]
        } else {
            let south = Self::new(column, row + north, columns, rows - north);
            [Self::new(column, row, columns, north), south]
        }
    }
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
        let cuts = Cuts::of(&layout, portals);
        assert_eq!(cuts.count(), 12 * 5 - 1, "every cut makes one part more");
        let whole = cuts.region(0);
        assert_eq!((whole.columns, whole.rows, whole.west), (12, 5, 5));
        for index in 0..layout.count() {
            let id = layout.sector(index);
            let around: Vec<usize> = cuts.around(id, id).collect();
            assert!(around.windows(2).all(|pair| {
                let (outer, inner) = (cuts.region(pair[0]), cuts.region(pair[1]));
                outer.sectors() > inner.sectors() && inner.all().all(|id| outer.contains(id))
            }));
            let last = cuts.region(around[around.len() - 1]);
            assert!(
                last.all()
                    .all(|other| other == id || last.separates(id, other) || last.sectors() > 2)
            );
        }
        let (a, b) = (SectorId { column: 0, row: 0 }, SectorId { column: 11, row: 4 });
        assert_eq!(cuts.around(a, b).count(), 1, "the first cut separates them");
    }
}
