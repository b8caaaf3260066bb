//! The steps to one goal from every cell, on a floor that changes.
//!
//! When cells close or open, only the cells whose distances change are looked at, and those around them: first those whose last way
//! to the goal is gone lose their distances, nearest first, and then distances spread from the cells that have kept theirs.
//!
//! It promises the distances that a search from nothing would find. The table is shared with the solver of the first plan.
//!
//! Cost: about as much as a breadth-first search over the cells whose distances change. As in the solvers, that is not counted as
//! expansions.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::grid::{Cell, Grid};
use crate::solvers::{Distances, steps_to};

/// The steps to one goal, and the edits that they do not know yet.
#[derive(Clone, Debug)]
pub struct GoalTable {
    goal: Cell,
    /// By cell; empty if nothing is known.
    steps: Arc<[u32]>,
    edits: Vec<Cell>,
    /// Cells to look at, the nearest to the goal first.
    queue: Levels,
    /// The cells that have lost their distances.
    lost: Vec<Cell>,
}

impl Default for GoalTable {
    fn default() -> Self {
        Self {
            goal: Cell::NOWHERE,
            steps: Arc::new([]),
            edits: Vec::new(),
            queue: Levels::default(),
            lost: Vec::new(),
        }
    }
}

impl GoalTable {
    /// Forgets all distances.
    pub fn forget(&mut self) {
        self.steps = Arc::new([]);
        self.edits.clear();
    }

    /// These cells may have closed or opened.
    pub fn note(&mut self, edits: impl IntoIterator<Item = Cell>) {
        if !self.steps.is_empty() {
            self.edits.extend(edits);
        }
    }

    /// The steps to a goal from every cell of the floor as it is now. All edits since the last call must have been noted.
    pub fn to(&mut self, grid: &Grid, goal: Cell) -> &Arc<[u32]> {
        if self.goal != goal || self.steps.len() != grid.cells().len() {
            self.goal = goal;
            self.compute(grid);
        } else if !self.edits.is_empty() {
            self.update(grid);
        }
        &self.steps
    }

    /// The steps from a cell to the goal at the last call of [`to`](Self::to). Nobody can be on a wall but who was there when it closed,
    /// and can step out.
    pub fn from(&self, grid: &Grid, cell: Cell) -> Option<u32> {
        let known = |cell: Cell| self.steps.get(cell.index()).copied();
        let steps = known(cell).filter(|&steps| steps != Distances::NONE);
        steps.or_else(|| {
            let out = grid.neighbours(cell).filter(|_| !grid.is_floor(cell)).filter_map(known);
            out.min().filter(|&steps| steps != Distances::NONE).map(|steps| steps + 1)
        })
    }

    /// A breadth-first search.
    fn compute(&mut self, grid: &Grid) {
        self.edits.clear();
        self.steps = if grid.is_floor(self.goal) {
            steps_to(grid, self.goal)
        } else {
            let mut steps = vec![Distances::NONE; grid.cells().len()];
            if let Some(goal) = steps.get_mut(self.goal.index()) {
                *goal = 0;
            }
            steps.into()
        };
    }

    /// Takes account of the edits.
    fn update(&mut self, grid: &Grid) {
        let Self { goal, steps, edits, queue, lost } = self;
        let (goal, steps) = (*goal, Arc::make_mut(steps));
        // Steps past the corners of a cell that was edited may be gone or new as well.
        let concerned = || edits.iter().flat_map(|&cell| grid.around(cell).chain([cell]));
        let known = concerned().map(|cell| (steps[cell.index()], cell));
        queue.begin(known.filter(|&(steps, _)| steps != Distances::NONE));
        lost.clear();
        while let Some((known, cell)) = queue.pop() {
            let mut nearer = grid.neighbours(cell).filter(|_| grid.is_floor(cell));
            let is_kept = cell == goal || nearer.any(|near| steps[near.index()] == known - 1);
            if steps[cell.index()] == known && !is_kept {
                steps[cell.index()] = Distances::NONE;
                lost.push(cell);
                let next = grid.neighbours(cell).filter(|near| steps[near.index()] == known + 1);
                next.for_each(|near| queue.push(known + 1, near));
            }
        }
        let to_reach = concerned().chain(lost.iter().copied());
        let reached =
            to_reach.filter(|&cell| grid.is_floor(cell) && cell != goal).filter_map(|cell| {
                let nearest = grid.neighbours(cell).map(|near| steps[near.index()]).min();
                let nearest = nearest.filter(|&steps| steps != Distances::NONE)?;
                Some((nearest + 1, cell))
            });
        queue.begin(reached);
        while let Some((reached, cell)) = queue.pop() {
            if reached < steps[cell.index()] {
                steps[cell.index()] = reached;
                let next = grid.neighbours(cell).filter(|near| reached + 1 < steps[near.index()]);
                next.for_each(|near| queue.push(reached + 1, near));
            }
        }
        edits.clear();
    }

    /// Bytes held on the heap. A table that a search for a plan has too is left to that search.
    pub fn memory(&self) -> usize {
        let counts = 2 * size_of::<usize>();
        let is_own = Arc::strong_count(&self.steps) == 1;
        let table = if is_own { counts + size_of_val(&*self.steps) } else { 0 };
        table
            + (self.edits.capacity() + self.lost.capacity()) * size_of::<Cell>()
            + self.queue.memory()
    }
}

/// Cells by level, the lowest first. What is pushed is one level above what was popped last.
#[derive(Clone, Debug, Default)]
struct Levels {
    /// Those that it began with, the lowest last.
    first: Vec<(u32, Cell)>,
    pushed: VecDeque<(u32, Cell)>,
}

impl Levels {
    fn begin(&mut self, first: impl Iterator<Item = (u32, Cell)>) {
        self.first.clear();
        self.first.extend(first);
        self.first.sort_unstable_by(|one, other| other.cmp(one));
        self.pushed.clear();
    }

    fn push(&mut self, level: u32, cell: Cell) {
        self.pushed.push_back((level, cell));
    }

    fn pop(&mut self) -> Option<(u32, Cell)> {
        match (self.first.last(), self.pushed.front()) {
            (Some(first), Some(pushed)) if pushed.0 < first.0 => self.pushed.pop_front(),
            (Some(_), _) => self.first.pop(),
            (None, _) => self.pushed.pop_front(),
        }
    }

    fn memory(&self) -> usize {
        (self.first.capacity() + self.pushed.capacity()) * size_of::<(u32, Cell)>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grid::{Neighbours, Rules};

    fn anew(grid: &Grid, goal: Cell) -> Arc<[u32]> {
        Arc::clone(GoalTable::default().to(grid, goal))
    }

    proptest! {
        #[test]
        fn an_updated_table_is_that_of_a_search_from_nothing(
            walls in prop::collection::vec(0u32..100, 144),
            eight in any::<bool>(),
            goal in 0u32..144,
            edits in prop::collection::vec(prop::collection::vec(0u32..144, 1..5), 1..12),
        ) {
            let neighbours = if eight { Neighbours::Eight } else { Neighbours::Four };
            let rules = Rules { neighbours, ..Rules::default() };
            let mut grid = Grid::new(12, 12, rules, |x, y| walls[(y * 12 + x) as usize] >= 20).unwrap();
            let cell = |number: u32| grid.at(number % 12, number / 12).unwrap();
            let goal = cell(goal);
            let edits: Vec<Vec<Cell>> =
                edits.into_iter().map(|edits| edits.into_iter().map(cell).collect()).collect();
            let mut table = GoalTable::default();
            table.to(&grid, goal);
            for edits in edits {
                for &cell in &edits {
                    grid.set_floor(cell, !grid.is_floor(cell));
                }
                table.note(edits);
                let updated = Arc::clone(table.to(&grid, goal));
                prop_assert_eq!(updated, anew(&grid, goal));
            }
        }
    }
}
