//! What a table of distances is about: a rectangle of sectors, and a line in it. The portals on the line are its *hubs*.

use super::grains::grains_below;
use super::layout::{SIDE, SectorId};
use crate::Cost;
use crate::grid::Place;

/// A rectangle of sectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rectangle {
    pub column: u16,
    pub row: u16,
    pub columns: u16,
    pub rows: u16,
}

/// A line between two columns of sectors, or between two rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Whether there are columns on both sides, and not rows.
    pub is_upright: bool,
    /// The first column or row beyond it.
    pub beyond: u16,
    /// The first of the rows or columns along it.
    pub first: u16,
    /// The first row or column after its end.
    pub end: u16,
}

/// A rectangle of sectors, and a line in it.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    pub bounds: Rectangle,
    pub line: Line,
}

impl Rectangle {
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

    /// The line that has so many of its columns to the west, or of its rows to the north, from one side of it to the other.
    pub const fn line(self, is_upright: bool, before: u16) -> Line {
        let Self { column, row, columns, rows } = self;
        if is_upright {
            Line { is_upright, beyond: column + before, first: row, end: row + rows }
        } else {
            Line { is_upright, beyond: row + before, first: column, end: column + columns }
        }
    }

    /// The two parts on both sides of a line through it.
    pub const fn parts(self, line: Line) -> [Self; 2] {
        let (mut before, mut after) = (self, self);
        if line.is_upright {
            before.columns = line.beyond - self.column;
            (after.column, after.columns) = (line.beyond, self.columns - before.columns);
        } else {
            before.rows = line.beyond - self.row;
            (after.row, after.rows) = (line.beyond, self.rows - before.rows);
        }
        [before, after]
    }

    /// All of it that is at most so many sectors from a line.
    pub fn around(self, line: Line, reach: u16) -> Self {
        let clip = |first: u16, end: u16, from: u16, count: u16| {
            let first = first.saturating_sub(reach).max(from);
            (first, (end.saturating_add(reach)).min(from + count) - first)
        };
        let across = (line.beyond, line.beyond);
        let along = (line.first, line.end);
        let (x, y) = if line.is_upright { (across, along) } else { (along, across) };
        let (column, columns) = clip(x.0, x.1, self.column, self.columns);
        let (row, rows) = clip(y.0, y.1, self.row, self.rows);
        Self { column, row, columns, rows }
    }
}

impl Line {
    /// Whether a portal that leads from a sector to one beside it lies on the line. Of two sectors in different rows and
    /// columns, the first one decides where along the line that is.
    pub const fn has(self, from: SectorId, to: SectorId) -> bool {
        let (across, along) = if self.is_upright {
            ((from.column, to.column), from.row)
        } else {
            ((from.row, to.row), from.column)
        };
        (across.0 < self.beyond) != (across.1 < self.beyond)
            && self.first <= along
            && along < self.end
    }

    /// Its two halves, one of which may be empty.
    pub const fn halves(self) -> [Self; 2] {
        let middle = self.first.midpoint(self.end);
        [Self { end: middle, ..self }, Self { first: middle, ..self }]
    }

    /// No route from a place to a hub is shorter than this, in half grains.
    pub fn least_distance(self, place: Place) -> u32 {
        let (across, along) = if self.is_upright { (place.x, place.y) } else { (place.y, place.x) };
        let near = i32::from(self.beyond) * SIDE;
        // The other end of a diagonal crossing may lie one cell past the ends of the line.
        let (first, last) = (i32::from(self.first) * SIDE - 1, i32::from(self.end) * SIDE);
        let aside = (near - 1 - across).max(across - near).max(0);
        let ahead = (first - along).max(along - last).max(0);
        2 * grains_below(Cost::octile(aside as u32, ahead as u32)) as u32
    }
}
