//! The field of one landmark: the distance of every cell from it.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::grid::{Cell, Direction, Exits, Grid};
use crate::search::Budget;

/// The distance of every cell from one landmark.
///
/// A field must keep one property: the values of neighbours differ by at most the step between them, so that
/// the values of any two cells differ by at most the length of the path between them. A new wall keeps that
/// true, although distances grow. A wall that is removed may break it: from there, values are lowered in a
/// wave.
///
/// Distances are in units of [`Cost`](crate::Cost), in 32 bits, and are capped at [`FARTHEST`]. Neighbours
/// still differ by at most a step.
#[derive(Clone, Debug)]
pub struct Field {
    /// By cell, one more than the distance; 0 where no path leads to the landmark.
    values: Vec<i32>,
    front: Front,
}

/// The distance of all cells that are this far away or farther: 374,000 cardinal steps. Adding one, and one
/// more, still fits into 32 bits.
const FARTHEST: i32 = i32::MAX - 2;

/// The cells from which the field is still to be updated.
#[derive(Clone, Debug)]
enum Front {
    /// The field is being made, by Dijkstra's algorithm. Cardinal and diagonal steps have separate queues. In
    /// each of them costs only rise, so the next cell is at the front of one of them.
    Growing { cardinal: VecDeque<(i32, Cell)>, diagonal: VecDeque<(i32, Cell)> },
    /// The field has been made; these values are still to be lowered because walls were removed.
    Sinking(BinaryHeap<Reverse<(i32, Cell)>>),
}

impl Field {
    /// The field of a landmark, with no distance known yet.
    pub fn begin(grid: &Grid, landmark: Cell) -> Self {
        // Fresh memory from the system is zero, and costs nothing until it is used.
        let values = vec![0; grid.cells().len()];
        let cardinal = VecDeque::from([(0, landmark)]);
        Self { values, front: Front::Growing { cardinal, diagonal: VecDeque::new() } }
    }

    /// Whether its values can be used: it is complete, and nothing is left to repair.
    pub fn is_ready(&self) -> bool {
        matches!(&self.front, Front::Sinking(wave) if wave.is_empty())
    }

    /// Whether it is being made.
    pub const fn is_growing(&self) -> bool {
        matches!(self.front, Front::Growing { .. })
    }

    /// One more than the distance of a cell; 0 if it is not known, or the cell is not on the map.
    pub fn value(&self, cell: Cell) -> i32 {
        self.values.get(cell.index()).copied().unwrap_or(0)
    }

    /// Continues making or repairing the field until it is ready or the budget is spent. `reached` is called with
    /// every new distance.
    pub fn go_on(
        &mut self,
        grid: &Grid,
        budget: &mut Budget<'_>,
        mut reached: impl FnMut(Cell, i32),
    ) {
        while let Some((g, cell)) = self.front.next() {
            if !is_better(g, self.values[cell.index()]) {
                continue;
            }
            if budget.slice(|| 4 * self.values.len()) == 0 {
                self.front.put_back(g, cell);
                return;
            }
            budget.spend(1);
            self.values[cell.index()] = g + 1;
            reached(cell, g);
            for direction in grid.exits(cell) {
                let near = grid.beside(cell, direction);
                let g = after(g, direction);
                if is_better(g, self.values[near.index()]) {
                    self.front.push(direction, g, near);
                }
            }
        }
        self.front = Front::Sinking(BinaryHeap::new());
    }

    /// Notes that a cell has become floor: from there, values may have to be lowered.
    pub fn open(&mut self, grid: &Grid, opened: Cell) {
        let Front::Sinking(wave) = &mut self.front else { return };
        // Apart from its own exits, it may have opened diagonals between the cells around it.
        for cell in grid.neighbours(opened).chain([opened]) {
            let value = self.values.get(cell.index()).copied().unwrap_or(0);
            if value == 0 {
                continue;
            }
            for direction in grid.exits(cell) {
                let near = grid.beside(cell, direction);
                let g = after(value - 1, direction);
                if is_better(g, self.values[near.index()]) {
                    wave.push(Reverse((g, near)));
                }
            }
        }
    }

    /// Bytes this field holds.
    pub fn memory(&self) -> usize {
        let waiting = match &self.front {
            Front::Growing { cardinal, diagonal } => cardinal.capacity() + diagonal.capacity(),
            Front::Sinking(wave) => wave.capacity(),
        };
        self.values.capacity() * size_of::<i32>() + waiting * size_of::<(i32, Cell)>()
    }
}

impl Front {
    fn push(&mut self, direction: Direction, g: i32, cell: Cell) {
        match self {
            Self::Growing { diagonal, .. } if direction.is_diagonal() => {
                diagonal.push_back((g, cell));
            }
            Self::Growing { cardinal, .. } => cardinal.push_back((g, cell)),
            Self::Sinking(wave) => wave.push(Reverse((g, cell))),
        }
    }

    fn put_back(&mut self, g: i32, cell: Cell) {
        match self {
            Self::Growing { cardinal, .. } => cardinal.push_front((g, cell)),
            Self::Sinking(wave) => wave.push(Reverse((g, cell))),
        }
    }

    fn next(&mut self) -> Option<(i32, Cell)> {
        match self {
            Self::Growing { cardinal, diagonal } => match (cardinal.front(), diagonal.front()) {
                (Some(straight), Some(slanted)) if slanted.0 < straight.0 => diagonal.pop_front(),
                (Some(_), _) => cardinal.pop_front(),
                (None, _) => diagonal.pop_front(),
            },
            Self::Sinking(wave) => wave.pop().map(|Reverse(next)| next),
        }
    }
}

/// Whether a distance is less than the one that a value stands for.
const fn is_better(g: i32, value: i32) -> bool {
    value == 0 || g < value - 1
}

/// The distance one step farther.
const fn after(g: i32, direction: Direction) -> i32 {
    let further = g.saturating_add(direction.cost().to_estimate());
    if further > FARTHEST { FARTHEST } else { further }
}
