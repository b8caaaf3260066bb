//! What levels are drawn on: floor and wall, painted in rectangles and discs.

use crate::grid::{Grid, Rules, SizeError};

/// A rectangle of cells. One without width or height has no cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rect {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

impl Rect {
    pub(super) const fn new(x: i32, y: i32, width: i32, height: i32) -> Self {
        Self { x, y, width, height }
    }

    /// The square that reaches `reach` cells from its middle in each direction.
    pub(super) const fn around(x: i32, y: i32, reach: i32) -> Self {
        Self::new(x - reach, y - reach, 2 * reach + 1, 2 * reach + 1)
    }

    /// The column east of the last one.
    pub(super) const fn right(self) -> i32 {
        self.x + self.width
    }

    /// The row south of the last one.
    pub(super) const fn bottom(self) -> i32 {
        self.y + self.height
    }

    /// The rectangle without a margin on all four sides; a negative margin makes it larger.
    pub(super) const fn inset(self, margin: i32) -> Self {
        self.shrunk(margin, margin)
    }

    /// The rectangle without a margin to the west and east and another one to the north and south.
    pub(super) const fn shrunk(self, across: i32, along: i32) -> Self {
        Self::new(self.x + across, self.y + along, self.width - 2 * across, self.height - 2 * along)
    }

    /// The cell in the middle, or the one north-west of it.
    pub(super) const fn middle(self) -> (i32, i32) {
        (self.x + (self.width - 1) / 2, self.y + (self.height - 1) / 2)
    }

    pub(super) const fn shorter_side(self) -> i32 {
        if self.width < self.height { self.width } else { self.height }
    }

    pub(super) const fn longer_side(self) -> i32 {
        if self.width < self.height { self.height } else { self.width }
    }

    pub(super) const fn contains(self, x: i32, y: i32) -> bool {
        self.x <= x && x < self.right() && self.y <= y && y < self.bottom()
    }

    /// The cells, row by row.
    pub(super) fn cells(self) -> impl Iterator<Item = (i32, i32)> {
        (self.y..self.bottom()).flat_map(move |y| (self.x..self.right()).map(move |x| (x, y)))
    }
}

/// A level that is being drawn. Drawing outside it does nothing, and everything outside counts as wall.
#[derive(Clone)]
pub(super) struct Canvas {
    width: i32,
    height: i32,
    floor: Vec<bool>,
}

impl Canvas {
    /// A canvas of nothing but wall.
    pub(super) fn walled(width: u32, height: u32) -> Self {
        Self::plain(width, height, false)
    }

    /// A canvas of nothing but floor.
    pub(super) fn open(width: u32, height: u32) -> Self {
        Self::plain(width, height, true)
    }

    fn plain(width: u32, height: u32, is_floor: bool) -> Self {
        let floor = vec![is_floor; width as usize * height as usize];
        Self { width: width as i32, height: height as i32, floor }
    }

    pub(super) const fn bounds(&self) -> Rect {
        Rect::new(0, 0, self.width, self.height)
    }

    /// The cells row by row, `true` for floor.
    pub(super) fn floor(&self) -> &[bool] {
        &self.floor
    }

    /// The index of a cell of the canvas in [`floor`](Self::floor).
    pub(super) const fn index(&self, x: i32, y: i32) -> usize {
        y as usize * self.width as usize + x as usize
    }

    /// Column and row of the cell with this index.
    pub(super) const fn position(&self, index: usize) -> (i32, i32) {
        ((index % self.width as usize) as i32, (index / self.width as usize) as i32)
    }

    pub(super) fn is_floor(&self, x: i32, y: i32) -> bool {
        self.bounds().contains(x, y) && self.floor[self.index(x, y)]
    }

    /// Whether there is floor everywhere in a rectangle.
    pub(super) fn is_open(&self, rect: Rect) -> bool {
        rect.cells().all(|(x, y)| self.is_floor(x, y))
    }

    /// Whether at least this many percent of the cells are floor.
    pub(super) fn has_floor_share(&self, percent: usize) -> bool {
        let floor = self.floor.iter().filter(|&&is_floor| is_floor).count();
        floor * 100 >= self.floor.len() * percent
    }

    pub(super) fn set(&mut self, x: i32, y: i32, is_floor: bool) {
        if self.bounds().contains(x, y) {
            let index = self.index(x, y);
            self.floor[index] = is_floor;
        }
    }

    /// Makes a rectangle floor.
    pub(super) fn carve(&mut self, rect: Rect) {
        rect.cells().for_each(|(x, y)| self.set(x, y, true));
    }

    /// Makes a rectangle wall.
    pub(super) fn build(&mut self, rect: Rect) {
        rect.cells().for_each(|(x, y)| self.set(x, y, false));
    }

    /// Makes a disc floor.
    pub(super) fn carve_disc(&mut self, x: i32, y: i32, radius: i32) {
        disc(x, y, radius).for_each(|(x, y)| self.set(x, y, true));
    }

    /// Makes a disc wall.
    pub(super) fn build_disc(&mut self, x: i32, y: i32, radius: i32) {
        disc(x, y, radius).for_each(|(x, y)| self.set(x, y, false));
    }

    /// One round of a cellular automaton that rounds coasts and removes specks: a cell becomes what
    /// most of the nine cells in its 3x3 neighbourhood are.
    pub(super) fn smooth(&mut self) {
        let (width, height) = (self.width as usize, self.height as usize);
        let near = |at: usize, end: usize| at.saturating_sub(1)..(at + 2).min(end);
        let mut row_sums = vec![0_u8; self.floor.len()];
        for (row, sums) in self.floor.chunks(width).zip(row_sums.chunks_mut(width)) {
            for (x, sum) in sums.iter_mut().enumerate() {
                *sum = row[near(x, width)].iter().map(|&is_floor| u8::from(is_floor)).sum();
            }
        }
        for (y, row) in self.floor.chunks_mut(width).enumerate() {
            for (x, is_floor) in row.iter_mut().enumerate() {
                *is_floor = near(y, height).map(|y| row_sums[y * width + x]).sum::<u8>() >= 5;
            }
        }
    }

    pub(super) fn into_grid(self) -> Result<Grid, SizeError> {
        Grid::new(self.width as u32, self.height as u32, Rules::default(), |x, y| {
            self.floor[self.index(x as i32, y as i32)]
        })
    }
}

/// The cells of a disc. Half a cell is added to the radius, because discs would have spikes otherwise.
fn disc(x: i32, y: i32, radius: i32) -> impl Iterator<Item = (i32, i32)> {
    let is_inside = move |&(at_x, at_y): &(i32, i32)| {
        let (dx, dy) = (at_x - x, at_y - y);
        dx * dx + dy * dy <= radius * radius + radius
    };
    Rect::around(x, y, radius).cells().filter(is_inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_beyond_the_edge_is_cut_off() {
        let mut canvas = Canvas::walled(4, 3);
        canvas.carve(Rect::new(2, 1, 10, 10));
        assert_eq!(canvas.into_grid().unwrap().to_ascii(), "####\n##..\n##..\n");
    }

    #[test]
    fn discs_are_round() {
        let mut canvas = Canvas::walled(5, 5);
        canvas.carve_disc(2, 2, 2);
        assert_eq!(canvas.into_grid().unwrap().to_ascii(), "#...#\n.....\n.....\n.....\n#...#\n");
    }

    #[test]
    fn smoothing_removes_specks_and_fills_pinholes() {
        let mut canvas = Canvas::walled(9, 5);
        canvas.carve(Rect::new(4, 0, 5, 5));
        canvas.set(1, 2, true);
        canvas.set(6, 2, false);
        canvas.smooth();
        assert!(!canvas.is_floor(1, 2));
        assert!(canvas.is_floor(6, 2));
    }
}
