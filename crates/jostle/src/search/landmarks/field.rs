//! The field of one landmark: how far every cell is from it.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::grid::{Cell, Direction, Exits, Grid};
use crate::search::Budget;

/// How far every cell is from one landmark.
///
/// What is asked of a field is that the values of neighbours differ by at most the step between them; then
/// the values of any two cells differ by at most the way between them. A wall that is built keeps that true,
/// although distances grow. A wall that falls may not: from there, values sink in a wave.
///
/// Distances are in units of [`Cost`](crate::Cost), in 32 bits: beyond [`FARTHEST`] all cells are equally far. Neighbours
/// still differ by at most a step.
#[derive(Clone, Debug)]
pub struct Field {
    /// By cell, one more than the distance; 0 where the landmark does not reach.
    values: Vec<i32>,
    front: Front,
}

/// What the field says of all cells that are as far as this or farther: 374,000 cardinal steps. One more, and
/// one more than that, fit into 32 bits.
const FARTHEST: i32 = i32::MAX - 2;

/// How far the field is.
#[derive(Clone, Debug)]
enum Front {
    /// It is being made: Dijkstra's algorithm. Cardinal and diagonal steps have queues of their own, in each
    /// of which costs only rise, so that the next cell is at the front of one of them.
    Growing { cardinal: VecDeque<(i32, Cell)>, diagonal: VecDeque<(i32, Cell)> },
    /// It has been made; values still sink where walls fell.
    Sinking(BinaryHeap<Reverse<(i32, Cell)>>),
}

impl Field {
    /// A field of a landmark, of which nothing is known yet.
    pub fn begin(grid: &Grid, landmark: Cell) -> Self {
        // Fresh memory from the system is zero, and costs nothing until it is used.
        let values = vec![0; grid.cells().len()];
        let cardinal = VecDeque::from([(0, landmark)]);
        Self { values, front: Front::Growing { cardinal, diagonal: VecDeque::new() } }
    }

    /// Whether it can be trusted.
    pub fn is_ready(&self) -> bool {
        matches!(&self.front, Front::Sinking(wave) if wave.is_empty())
    }

    /// Whether it is being made.
    pub const fn is_growing(&self) -> bool {
        matches!(self.front, Front::Growing { .. })
    }

    /// One more than the distance of a cell; 0 if it is not known.
    pub fn value(&self, cell: Cell) -> i32 {
        self.values[cell.index()]
    }

    /// Goes on with the field as far as the budget goes. `reached` hears of every new value.
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
            if budget.slice(|| self.values.capacity() * size_of::<i32>()) == 0 {
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

    /// A cell has become floor: from there, values may sink.
    pub fn open(&mut self, grid: &Grid, opened: Cell) {
        let Front::Sinking(wave) = &mut self.front else { return };
        // Beside its own ways, it may have opened diagonals between the cells around it.
        for cell in grid.neighbours(opened).chain([opened]) {
            let value = self.values[cell.index()];
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

/// Whether a distance is less than what a value says.
const fn is_better(g: i32, value: i32) -> bool {
    value == 0 || g < value - 1
}

/// The distance one step further.
const fn after(g: i32, direction: Direction) -> i32 {
    let further = g.saturating_add(direction.cost().to_estimate());
    if further > FARTHEST { FARTHEST } else { further }
}
