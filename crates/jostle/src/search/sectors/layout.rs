//! How a map is cut into sectors, and the windows around them.

use crate::grid::{Cell, Direction, Grid, Place};

/// Cells on a side of a sector. With 16, paths along the fields are 6% longer than the shortest on average, with 32
/// less than 0.5%; larger sectors make fields and edits dearer and gain nothing that can be measured.
pub const SIDE: i32 = 32;

/// Cells by which a window reaches beyond its sector on each side. The window of the next exit covers an agent before
/// it crosses the border, so that it need not walk through the middle of the portal.
pub const MARGIN: i32 = 8;

/// Cells on a side of a window.
pub const WINDOW: i32 = SIDE + 2 * MARGIN;

/// A whole sector, wherever it is.
pub const SECTOR: Area = Area { x: 0, y: 0, width: SIDE, height: SIDE };

/// Which sector: its column from the west and its row from the north.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SectorId {
    pub column: u16,
    pub row: u16,
}

impl SectorId {
    /// The sector of a place.
    pub const fn of(place: Place) -> Self {
        Self { column: (place.x / SIDE) as u16, row: (place.y / SIDE) as u16 }
    }

    /// The sector one step away, which must exist.
    pub const fn beside(self, side: Direction) -> Self {
        let (dx, dy) = side.delta();
        Self {
            column: self.column.wrapping_add_signed(dx as i16),
            row: self.row.wrapping_add_signed(dy as i16),
        }
    }

    /// The cells of the sector and those around it for which its exits give directions. It may reach beyond the map.
    pub const fn window(self) -> Area {
        let (x, y) = (self.column as i32 * SIDE - MARGIN, self.row as i32 * SIDE - MARGIN);
        Area { x, y, width: WINDOW, height: WINDOW }
    }
}

/// A rectangle of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Area {
    /// The first column.
    pub x: i32,
    /// The first row.
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

impl Area {
    /// Whether a place lies in the area, at least `inset` cells from its edge.
    pub const fn covers(self, place: Place, inset: i32) -> bool {
        let (x, y) = (place.x - self.x, place.y - self.y);
        x >= inset && y >= inset && x < self.width - inset && y < self.height - inset
    }

    /// How many cells there are, outside the map too.
    pub const fn cells(self) -> u64 {
        self.width as u64 * self.height as u64
    }
}

/// The sectors of a map. Those in the last column and row may be smaller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    width: i32,
    height: i32,
    columns: u16,
    rows: u16,
}

impl Layout {
    pub const fn of(grid: &Grid) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let (columns, rows) = (sectors_along(width), sectors_along(height));
        Self { width: width as i32, height: height as i32, columns, rows }
    }

    /// How many sectors there are.
    pub const fn count(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// How many cells the map has.
    pub const fn cells(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// How many columns and rows of sectors there are.
    pub const fn sides(&self) -> (u16, u16) {
        (self.columns, self.rows)
    }

    /// The index of a sector, row by row.
    pub const fn index(&self, sector: SectorId) -> usize {
        sector.row as usize * self.columns as usize + sector.column as usize
    }

    /// The sector with this index.
    pub const fn sector(&self, index: usize) -> SectorId {
        let columns = self.columns as usize;
        SectorId { column: (index % columns) as u16, row: (index / columns) as u16 }
    }

    /// The sector on one side of another, if the map goes on there.
    pub const fn beside(&self, sector: SectorId, side: Direction) -> Option<SectorId> {
        let beside = sector.beside(side);
        if beside.column < self.columns && beside.row < self.rows { Some(beside) } else { None }
    }

    /// The cells of a sector.
    pub fn area(&self, sector: SectorId) -> Area {
        let (x, y) = (i32::from(sector.column) * SIDE, i32::from(sector.row) * SIDE);
        Area { x, y, width: SIDE.min(self.width - x), height: SIDE.min(self.height - y) }
    }

    /// A place of a sector by its index there: see [`within`].
    pub fn place(&self, sector: SectorId, index: u16) -> Place {
        let (x, y) = (i32::from(index) % SIDE, i32::from(index) / SIDE);
        self.at(i32::from(sector.column) * SIDE + x, i32::from(sector.row) * SIDE + y)
    }

    /// The place of a cell.
    pub const fn place_of(&self, cell: Cell) -> Place {
        let width = self.width as usize;
        let (x, y) = (cell.index() % width, cell.index() / width);
        Place { cell, x: x as i32, y: y as i32 }
    }

    /// The place in column `x` and row `y`, which must be on the map.
    pub const fn at(&self, x: i32, y: i32) -> Place {
        Place { cell: Cell::from_index(y as usize * self.width as usize + x as usize), x, y }
    }

    /// The sectors whose windows cover a place.
    pub fn windows_over(&self, place: Place) -> impl Iterator<Item = SectorId> {
        let home = SectorId::of(place);
        let around = Direction::ALL.into_iter().filter_map(move |side| self.beside(home, side));
        std::iter::once(home).chain(around).filter(move |sector| sector.window().covers(place, 0))
    }
}

/// The index of a place within its sector, row by row. All sectors are as long as a whole one here.
pub const fn within(place: Place) -> u16 {
    (place.y % SIDE * SIDE + place.x % SIDE) as u16
}

const fn sectors_along(cells: u32) -> u16 {
    cells.div_ceil(SIDE as u32) as u16
}
