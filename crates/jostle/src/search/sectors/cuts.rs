//! How the map is cut in two, again and again, until every region is one sector.
//!
//! A region is a rectangle of sectors. It is cut across its longer side, between two columns or rows of sectors. The
//! portals on the cut are its *hubs*: every route that stays inside the region and visits both parts passes one of them.

use super::layout::{Layout, SectorId};

/// A rectangle of more than one sector.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    pub column: u16,
    pub row: u16,
    pub columns: u16,
    pub rows: u16,
    /// The regions on both sides of the cut, or `NO_REGION` for single sectors.
    parts: [u32; 2],
}

const NO_REGION: u32 = u32::MAX;

/// All regions, the whole map first, and each before its parts.
#[derive(Clone, Debug)]
pub struct Cuts {
    regions: Vec<Region>,
}

impl Cuts {
    pub fn of(layout: &Layout) -> Self {
        let (columns, rows) = layout.sides();
        let mut regions = Vec::new();
        if layout.count() > 1 {
            regions.push(Region { column: 0, row: 0, columns, rows, parts: [NO_REGION; 2] });
        }
        let mut at = 0;
        while let Some(&region) = regions.get(at) {
            for (which, part) in region.halves().into_iter().enumerate() {
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
        if self.is_wide() {
            let cut = self.column + self.columns / 2;
            (a.column < cut) != (b.column < cut)
        } else {
            let cut = self.row + self.rows / 2;
            (a.row < cut) != (b.row < cut)
        }
    }

    const fn is_wide(self) -> bool {
        self.columns >= self.rows
    }

    /// The two parts.
    const fn halves(self) -> [Self; 2] {
        let (mut near, mut far) = (self, self);
        near.parts = [NO_REGION; 2];
        far.parts = [NO_REGION; 2];
        if self.is_wide() {
            near.columns = self.columns / 2;
            far.column += near.columns;
            far.columns -= near.columns;
        } else {
            near.rows = self.rows / 2;
            far.row += near.rows;
            far.rows -= near.rows;
        }
        [near, far]
    }
}
