//! The floor: which cells can be walked, and which steps lead from cell to cell.

mod ascii;
mod cell;
mod components;
mod direction;
mod fingerprint;
mod flow;
#[cfg(feature = "serde")]
mod form;
mod place;
mod rules;
mod size;

pub use ascii::{AsciiError, Picture};
pub use cell::Cell;
pub use components::Components;
pub use direction::{Direction, Directions, DirectionsIter};
pub use flow::{Flow, FlowExits};
pub use place::Place;
pub use rules::{CornerRule, Crossing, Neighbours, Rules};
pub use size::SizeError;

use crate::Cost;
use crate::tally::{self, Kind};
use fingerprint::Fingerprint;
pub(crate) use fingerprint::mix;

/// A position that is not on the map: the error for every source of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("({x}, {y}) is outside the map of {width}x{height}")]
pub struct OutsideMap {
    /// The column that was asked for.
    pub x: u32,
    /// The row that was asked for.
    pub y: u32,
    /// The map's columns.
    pub width: u32,
    /// The map's rows.
    pub height: u32,
}

/// The steps that can be taken from a cell: on the plain floor ([`Grid`]), or on a floor
/// annotated with one-way streets ([`FlowExits`]).
pub trait Exits {
    /// The steps that can be taken from a cell.
    fn exits(&self, cell: Cell) -> Directions;
}

/// The floor: a rectangle of cells, each floor or wall, and the legal steps between them.
///
/// ```
/// use jostle::Grid;
///
/// let grid = Grid::from_ascii("
///     ...
///     .#.
/// ")?;
/// let corner = grid.at(0, 1).unwrap();
/// assert_eq!(grid.neighbours(corner).count(), 1); // north; the wall forbids the diagonal too
/// # Ok::<(), jostle::grid::AsciiError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "form::GridForm", try_from = "form::GridForm"))]
pub struct Grid {
    width: u32,
    height: u32,
    rules: Rules,
    floor: Vec<bool>,
    /// The legal steps out of each cell, kept up to date by `set_floor`. A wall has them too, because an
    /// agent on a cell that turns into a wall can walk out; no agent can walk in.
    exits: Vec<Directions>,
    /// One by the width, as a fraction of 2^64, rounded up: a division by the width takes longer than a multiplication.
    per_width: u64,
    /// How much a step changes the index of the cell, by direction.
    offsets: [i32; 8],
    /// Kept up to date by `set_floor`.
    fingerprint: Fingerprint,
}

impl Grid {
    /// A floor whose cell `(x, y)` can be walked where `is_floor(x, y)` says so.
    ///
    /// # Errors
    /// When a side is 0 or longer than [`Grid::MAX_SIDE`], or the memory is not there.
    pub fn new(
        width: u32,
        height: u32,
        rules: Rules,
        mut is_floor: impl FnMut(u32, u32) -> bool,
    ) -> Result<Self, SizeError> {
        Self::check_sides(width, height)?;
        let mut floor = size::room_for_cells(width, height)?;
        let mut exits = size::room_for_cells(width, height)?;
        for y in 0..height {
            floor.extend((0..width).map(|x| is_floor(x, y)));
        }
        exits.resize(floor.len(), Directions::NONE);
        let offsets = Direction::ALL.map(|direction| {
            let (dx, dy) = direction.delta();
            dy * width as i32 + dx
        });
        let per_width = (u64::MAX / u64::from(width)).saturating_add(1);
        let fingerprint = Fingerprint::of(width, &floor);
        let mut grid = Self { width, height, rules, floor, exits, per_width, offsets, fingerprint };
        for cell in grid.cells() {
            grid.exits[cell.index()] = grid.exits_from_floor(cell);
        }
        Ok(grid)
    }

    /// A floor without walls.
    ///
    /// # Errors
    /// When a side is 0 or longer than [`Grid::MAX_SIDE`], or the memory is not there.
    pub fn open(width: u32, height: u32) -> Result<Self, SizeError> {
        Self::new(width, height, Rules::default(), |_, _| true)
    }

    /// The same floor under other rules.
    #[must_use]
    pub fn with_rules(self, rules: Rules) -> Self {
        let has_same_exits =
            (rules.neighbours, rules.corners) == (self.rules.neighbours, self.rules.corners);
        if has_same_exits {
            return Self { rules, ..self };
        }
        let mut grid = Self { rules, ..self };
        for cell in grid.cells() {
            grid.exits[cell.index()] = grid.exits_from_floor(cell);
        }
        grid
    }

    /// The same floor stretched or shrunk to another size: each new cell copies the old cell at its
    /// position, rounded to the north-west. Scenario files ask for this when they name another size.
    ///
    /// # Errors
    /// When a side is 0 or longer than [`Grid::MAX_SIDE`], there would be more than [`Grid::MAX_MADE`] cells, or the
    /// memory is not there.
    pub fn scaled(&self, width: u32, height: u32) -> Result<Self, SizeError> {
        Self::check_made(width, height)?;
        let nearest =
            |at: u32, from: u32, to: u32| (u64::from(at) * u64::from(from) / u64::from(to)) as u32;
        Self::new(width, height, self.rules, |x, y| {
            let (x, y) = (nearest(x, self.width, width), nearest(y, self.height, height));
            self.floor[self.index_of(x, y)]
        })
    }

    /// Cells from west to east.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Cells from north to south.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// The rules that say which steps are legal.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// All cells, walls too, row by row.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Cell> + use<> {
        (0..self.width * self.height).map(Cell)
    }

    /// The cells that can be walked, row by row.
    pub fn floor_cells(&self) -> impl Iterator<Item = Cell> {
        self.cells().filter(|&cell| self.is_floor(cell))
    }

    /// The cell in column `x` and row `y`, if there is one.
    pub fn at(&self, x: u32, y: u32) -> Option<Cell> {
        (x < self.width && y < self.height).then(|| Cell(self.index_of(x, y) as u32))
    }

    /// The cell in column `x` and row `y`, or an error that says where the map ends.
    ///
    /// # Errors
    /// When the position is outside the map.
    pub fn locate(&self, (x, y): (u32, u32)) -> Result<Cell, OutsideMap> {
        let (width, height) = (self.width, self.height);
        self.at(x, y).ok_or(OutsideMap { x, y, width, height })
    }

    /// The cell with this [index](Cell::index), if there is one.
    pub fn cell(&self, index: usize) -> Option<Cell> {
        (index < self.floor.len()).then_some(Cell(index as u32))
    }

    /// Whether a cell is one of this grid's.
    pub fn contains(&self, cell: Cell) -> bool {
        cell.index() < self.floor.len()
    }

    /// Column and row of a cell. Those of a cell that is not on this grid are outside it.
    pub const fn position(&self, cell: Cell) -> (u32, u32) {
        let y = if self.width == 1 {
            cell.0
        } else {
            ((cell.0 as u128 * self.per_width as u128) >> u64::BITS) as u32
        };
        (cell.0 - y * self.width, y)
    }

    /// Whether the cell can be walked; false for a cell that is not on this grid.
    pub fn is_floor(&self, cell: Cell) -> bool {
        tally::note(Kind::Cell, 1);
        self.floor.get(cell.index()).copied().unwrap_or(false)
    }

    /// Which cells of row `y`, which must be on the grid, can be walked.
    pub(crate) fn row(&self, y: u32) -> &[bool] {
        &self.floor[self.index_of(0, y)..][..self.width as usize]
    }

    /// The cell one step away, if both are on the grid (floor or not).
    pub fn step(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        tally::note(Kind::Cell, 1);
        if !self.contains(cell) {
            return None;
        }
        let ((x, y), (dx, dy)) = (self.position(cell), direction.delta());
        self.at(x.checked_add_signed(dx)?, y.checked_add_signed(dy)?)
    }

    /// The cell one step away through one of the cell's [`Exits`], which cannot leave the grid.
    pub fn beside(&self, cell: Cell, direction: Direction) -> Cell {
        Cell(cell.0.wrapping_add_signed(self.offsets[direction as usize]))
    }

    /// The neighbours of a cell, in the order that breaks ties.
    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        self.exits(cell).into_iter().map(move |direction| self.beside(cell, direction))
    }

    /// The up to eight cells around a cell, walls too.
    pub fn around(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        Direction::ALL.into_iter().filter_map(move |direction| self.step(cell, direction))
    }

    /// The direction of the legal step from one cell to another, if there is one.
    pub fn step_between(&self, from: Cell, to: Cell) -> Option<Direction> {
        let exits = self.exits(from);
        if self.width < 3 {
            // On so narrow a grid, different steps can change the index by the same amount.
            return exits.into_iter().find(|&direction| self.beside(from, direction) == to);
        }
        let offset = to.0.wrapping_sub(from.0) as i32;
        let dy = i32::from(offset > 1) - i32::from(offset < -1);
        let dx = offset.wrapping_sub(dy * self.width as i32);
        Direction::of_delta(dx, dy).filter(|&direction| exits.contains(direction))
    }

    /// Whether the step between two neighbouring cells is diagonal.
    pub(crate) fn is_diagonal(&self, from: Cell, to: Cell) -> bool {
        if self.width < 3 {
            // On so narrow a grid, different steps can change the index by the same amount.
            let ((x, y), (to_x, to_y)) = (self.position(from), self.position(to));
            return x != to_x && y != to_y;
        }
        let apart = from.0.abs_diff(to.0);
        apart != 1 && apart != self.width
    }

    /// The two steps that a diagonal step from a cell would cross, where the rules forbid that: from one of the
    /// cells at its corners to the other, and back. This is the crossing rule; all code that moves agents uses it.
    pub fn crossed_steps(&self, from: Cell, direction: Direction) -> Option<[(Cell, Cell); 2]> {
        if self.rules.crossing == Crossing::Allowed || !direction.is_diagonal() {
            return None;
        }
        let (a, b) = direction.parts();
        let (a, b) = (self.beside(from, a), self.beside(from, b));
        Some([(a, b), (b, a)])
    }

    /// The length of the path between two cells if every cell were floor: octile with 8 neighbours,
    /// Manhattan with 4. Never more than the length of the real path.
    pub fn distance(&self, a: Cell, b: Cell) -> Cost {
        tally::note(Kind::Cell, 1);
        let ((ax, ay), (bx, by)) = (self.position(a), self.position(b));
        let (dx, dy) = (ax.abs_diff(bx), ay.abs_diff(by));
        match self.rules.neighbours {
            Neighbours::Four => Cost::manhattan(dx, dy),
            Neighbours::Eight => Cost::octile(dx, dy),
        }
    }

    /// Makes a cell floor or wall. Returns whether that changed anything, which it does not for a cell that is not on
    /// this grid.
    pub fn set_floor(&mut self, cell: Cell, is_floor: bool) -> bool {
        if !self.contains(cell) || self.floor[cell.index()] == is_floor {
            return false;
        }
        self.floor[cell.index()] = is_floor;
        self.fingerprint.toggle(cell);
        for direction in Direction::ALL {
            if let Some(near) = self.step(cell, direction) {
                self.exits[near.index()] = self.exits_from_floor(near);
            }
        }
        true
    }

    /// A number that depends on the size, the rules and every cell, the same on every platform. What was derived
    /// from a grid is valid for every grid with the same fingerprint.
    ///
    /// ```
    /// use jostle::Grid;
    ///
    /// let mut grid = Grid::open(3, 2)?;
    /// let (before, cell) = (grid.fingerprint(), grid.at(1, 1).unwrap());
    /// grid.set_floor(cell, false);
    /// assert_ne!(grid.fingerprint(), before);
    /// grid.set_floor(cell, true);
    /// assert_eq!(grid.fingerprint(), before);
    /// # Ok::<(), jostle::grid::SizeError>(())
    /// ```
    pub const fn fingerprint(&self) -> u64 {
        self.fingerprint.under(self.rules)
    }

    /// The fingerprint of this grid before these cells were edited, each as often as it is named.
    pub(crate) fn fingerprint_before(&self, edits: impl Iterator<Item = Cell>) -> u64 {
        let mut before = self.fingerprint;
        edits.for_each(|cell| before.toggle(cell));
        before.under(self.rules)
    }

    /// Bytes this grid holds.
    pub fn memory(&self) -> usize {
        self.floor.capacity() + self.exits.capacity()
    }

    fn index_of(&self, x: u32, y: u32) -> usize {
        y as usize * self.width as usize + x as usize
    }

    fn exits_from_floor(&self, cell: Cell) -> Directions {
        let opens = |direction| self.step(cell, direction).is_some_and(|near| self.is_floor(near));
        let is_exit = |&direction: &Direction| {
            if !direction.is_diagonal() {
                return opens(direction);
            }
            let (a, b) = direction.parts();
            self.rules.neighbours == Neighbours::Eight
                && opens(direction)
                && match self.rules.corners {
                    CornerRule::BothFree => opens(a) && opens(b),
                    CornerRule::OneFree => opens(a) || opens(b),
                    CornerRule::Ignored => true,
                }
        };
        Direction::ALL.into_iter().filter(is_exit).collect()
    }
}

impl Exits for Grid {
    fn exits(&self, cell: Cell) -> Directions {
        tally::note(Kind::Cell, 1);
        self.exits.get(cell.index()).copied().unwrap_or(Directions::NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exits_of(map: &str, corners: CornerRule, x: u32, y: u32) -> Vec<Direction> {
        let rules = Rules { corners, ..Rules::default() };
        let grid = Grid::from_ascii(map).unwrap().with_rules(rules);
        grid.exits(grid.at(x, y).unwrap()).into_iter().collect()
    }

    #[test]
    fn a_diagonal_needs_both_corners_by_default() {
        use CornerRule::{BothFree, Ignored, OneFree};
        use Direction::{East, South, SouthEast};
        assert_eq!(exits_of("..\n..", BothFree, 0, 0), [East, South, SouthEast]);
        assert_eq!(exits_of(".#\n..", BothFree, 0, 0), [South]);
        assert_eq!(exits_of(".#\n..", OneFree, 0, 0), [South, SouthEast]);
        assert_eq!(exits_of(".#\n#.", OneFree, 0, 0), []);
        assert_eq!(exits_of(".#\n#.", Ignored, 0, 0), [SouthEast]);
    }

    #[test]
    fn four_neighbours_leave_diagonals_out() {
        let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
        let grid = Grid::open(3, 3).unwrap().with_rules(rules);
        let centre = grid.at(1, 1).unwrap();
        assert_eq!(grid.neighbours(centre).count(), 4);
        assert_eq!(grid.distance(Cell(0), Cell(8)), Cost::of_steps(4, 0));
    }

    #[test]
    fn edits_keep_exits_as_a_new_grid_would_have_them() {
        let mut grid = Grid::open(5, 4).unwrap();
        for index in [7, 12, 0, 19, 7, 13, 8, 12] {
            let cell = Cell(index);
            assert!(grid.set_floor(cell, !grid.is_floor(cell)));
            let is_floor = |x, y| grid.is_floor(grid.at(x, y).unwrap());
            let fresh = Grid::new(5, 4, grid.rules(), is_floor).unwrap();
            assert_eq!(grid.exits, fresh.exits);
            assert_eq!(grid.fingerprint(), fresh.fingerprint());
        }
        assert!(!grid.set_floor(Cell(0), grid.is_floor(Cell(0))));
    }

    #[test]
    fn a_step_between_two_cells_is_the_exit_that_leads_there() {
        for (width, height) in [(1, 5), (2, 4), (3, 3), (7, 4)] {
            let mut grid = Grid::open(width, height).unwrap();
            grid.set_floor(Cell(2), false);
            for from in grid.cells() {
                for to in grid.cells() {
                    let found = grid
                        .exits(from)
                        .into_iter()
                        .find(|&direction| grid.beside(from, direction) == to);
                    assert_eq!(grid.step_between(from, to), found, "{from:?} {to:?}");
                    if let Some(step) = found {
                        assert_eq!(
                            grid.is_diagonal(from, to),
                            step.is_diagonal(),
                            "{from:?} {to:?}"
                        );
                    }
                }
                assert_eq!(grid.step_between(from, Cell::NOWHERE), None);
            }
        }
    }

    #[test]
    fn positions_are_those_that_a_division_gives() {
        for width in (1..=300).chain([511, 512, 513, 10_922, 10_923, 32_767, 32_768]) {
            let grid = Grid::open(width, 1).unwrap();
            let near = (1..u32::MAX / width)
                .step_by(7_777_777)
                .flat_map(|row| [row * width - 1, row * width]);
            let last = u32::MAX / width * width;
            for index in near.chain([0, width - 1, width, last - 1, last, u32::MAX]) {
                let expected = (index % width, index / width);
                assert_eq!(grid.position(Cell(index)), expected, "{index} by {width}");
            }
        }
    }

    #[test]
    fn sides_that_are_zero_or_too_long_are_refused() {
        assert_eq!(Grid::open(0, 4).unwrap_err(), SizeError::Sides { width: 0, height: 4 });
        let error = Grid::open(40_000, 4).unwrap_err().to_string();
        assert_eq!(error, "a floor of 40000x4 cells: both sides must be between 1 and 32768");
    }

    #[test]
    fn scaling_repeats_or_skips_cells() {
        let grid = Grid::from_ascii(".#\n#.").unwrap();
        let large = grid.scaled(4, 4).unwrap();
        assert_eq!(large.to_ascii(), "..##\n..##\n##..\n##..\n");
        assert_eq!(large.scaled(2, 2).unwrap().to_ascii(), grid.to_ascii());
    }
}
