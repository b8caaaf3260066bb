//! D\* Lite (Koenig and Likhachev 2002): the distance to one goal on a floor that changes, for an agent that moves.
//!
//! The search runs backwards from the goal towards the agent. When cells close or open, only the part of the search that
//! they make wrong is done again; when the agent has moved, nothing is, because keys are compared with an offset
//! (`km` in the paper) instead of being computed again.
//!
//! It promises the exact number of steps from any cell that is asked for, not only from that of the agent: the search goes on
//! until that cell is settled. Every step costs 1, diagonals too. An agent on a cell that has turned into a wall can
//! step out of it, so its cell has a distance as well; no path leads through a wall.
//!
//! Cost: the first question is an A\* search backwards; later ones expand what changes have made wrong and what was not asked
//! for before. Memory: 16 bytes for each cell of the map, and the open list.
//!
//! This is the paper's second version (figure 4) but for the open list: an entry that is not the newest of its cell is
//! skipped instead of being removed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Budget, Verdict};
use crate::grid::{Cell, Grid, Neighbours};

/// A key of the open list: the least length of a path through the cell, then its distance from the goal.
type Key = (u32, u32);

/// Stands for a distance that is not known, or infinite.
const INFINITY: u32 = u32::MAX;
/// The key of a cell that is not on the open list.
const NOT_OPEN: Key = (INFINITY, INFINITY);

/// What is known about one cell: `g`, `rhs`, and the key with which it is on the open list. Numbers are stored as their distances from
/// infinity, so that a map of which nothing is known is all zeros: that takes no time to make.
type Entry = [u32; 4];

/// An incremental search backwards from one goal.
#[derive(Clone, Debug)]
pub struct DstarLite {
    goal: Cell,
    start: Cell,
    /// By how much keys have grown because the agent has moved.
    km: u32,
    /// By cell.
    entries: Vec<Entry>,
    open: BinaryHeap<Reverse<(Key, Cell)>>,
}

impl Default for DstarLite {
    fn default() -> Self {
        Self {
            goal: Cell::NOWHERE,
            start: Cell::NOWHERE,
            km: 0,
            entries: Vec::new(),
            open: BinaryHeap::new(),
        }
    }
}

impl DstarLite {
    /// Begins anew, for an agent on `start` that wants to go to `goal`.
    pub fn begin(&mut self, grid: &Grid, start: Cell, goal: Cell) {
        (self.start, self.goal, self.km) = (start, goal, 0);
        self.entries = vec![[0; 4]; grid.cells().len()];
        self.open.clear();
        if grid.contains(goal) {
            self.update(grid, goal);
        }
    }

    /// The goal of the search; no cell of any grid before the first one begins.
    pub const fn goal(&self) -> Cell {
        self.goal
    }

    /// The agent has moved.
    pub fn move_to(&mut self, grid: &Grid, cell: Cell) {
        if cell == self.start || !grid.contains(cell) {
            return;
        }
        self.km += straight(grid, self.start, cell);
        self.start = cell;
        // The cell of the agent counts even if it is a wall.
        self.update(grid, cell);
    }

    /// A cell has been opened or closed. Tell it of every edit since the search began, after the agent has moved.
    pub fn edit(&mut self, grid: &Grid, cell: Cell) {
        if !grid.contains(cell) || self.entries.len() != grid.cells().len() {
            return;
        }
        self.update(grid, cell);
        // Steps past the corners of the cell may be gone or new as well.
        for near in grid.around(cell) {
            self.update(grid, near);
        }
    }

    /// The fewest steps from the cell of the agent to the goal, or [`Verdict::Nothing`] if no path leads there.
    pub fn distance(&mut self, grid: &Grid, budget: &mut Budget<'_>) -> Verdict<u32> {
        self.distance_from(grid, self.start, budget)
    }

    /// The fewest steps from a cell to the goal, or [`Verdict::Nothing`] if no path leads there. Out of budget, the next
    /// question goes on where this one stopped.
    pub fn distance_from(
        &mut self,
        grid: &Grid,
        cell: Cell,
        budget: &mut Budget<'_>,
    ) -> Verdict<u32> {
        let is_known = cell == self.start || grid.is_floor(cell);
        if !is_known || self.entries.len() != grid.cells().len() || !grid.contains(cell) {
            return Verdict::Nothing;
        }
        loop {
            let top = self.top();
            let found = self.g(cell);
            let is_settled = top.is_none_or(|(key, _)| key >= self.key(grid, cell));
            if found == self.rhs(cell) && is_settled {
                return if found == INFINITY { Verdict::Nothing } else { Verdict::Found(found) };
            }
            let Some((key, next)) = top else { return Verdict::Nothing };
            if budget.slice(|| self.held()) == 0 {
                return Verdict::OutOfBudget;
            }
            budget.spend(1);
            self.expand(grid, next, key);
        }
    }

    /// A shortest path from the cell of the agent to the goal, both included; the list is empty if there is none. Ties go
    /// to the first direction.
    pub fn path(
        &mut self,
        grid: &Grid,
        path: &mut Vec<Cell>,
        budget: &mut Budget<'_>,
    ) -> Verdict<()> {
        path.clear();
        let mut left = match self.distance(grid, budget) {
            Verdict::Found(steps) => steps,
            Verdict::Nothing => return Verdict::Nothing,
            Verdict::OutOfBudget => return Verdict::OutOfBudget,
        };
        let mut at = self.start;
        path.push(at);
        while left > 0 {
            left -= 1;
            // On a settled cell, a neighbour that is one step nearer is settled too.
            let Some(next) = grid.neighbours(at).find(|&near| self.g(near) == left) else {
                return Verdict::Nothing;
            };
            at = next;
            path.push(at);
        }
        Verdict::Found(())
    }

    /// Nominal bytes: 16 for each cell of the map, and 12 for each entry of the open list.
    fn held(&self) -> usize {
        16 * self.entries.len() + 12 * self.open.len()
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + self.open.capacity() * size_of::<Reverse<(Key, Cell)>>()
    }

    /// The first entry of the open list that is not outdated.
    fn top(&mut self) -> Option<(Key, Cell)> {
        while let Some(&Reverse((key, cell))) = self.open.peek() {
            if self.open_with(cell) == key {
                return Some((key, cell));
            }
            self.open.pop();
        }
        None
    }

    /// Takes the first cell from the open list and makes it consistent. Paper: the loop of `ComputeShortestPath`.
    fn expand(&mut self, grid: &Grid, cell: Cell, key: Key) {
        let now = self.key(grid, cell);
        if key < now {
            self.enter(cell, now);
            return;
        }
        self.set_key(cell, NOT_OPEN);
        self.open.pop();
        if self.g(cell) > self.rhs(cell) {
            self.set_g(cell, self.rhs(cell));
        } else {
            self.set_g(cell, INFINITY);
            self.update(grid, cell);
        }
        // Steps lead both ways between floor cells.
        for near in grid.neighbours(cell) {
            self.update(grid, near);
        }
        if !grid.is_floor(self.start) && grid.step_between(self.start, cell).is_some() {
            self.update(grid, self.start);
        }
    }

    /// Computes a cell's distance again from its neighbours'. Paper: `UpdateVertex`.
    fn update(&mut self, grid: &Grid, cell: Cell) {
        let rhs = if !grid.is_floor(cell) && cell != self.start {
            INFINITY
        } else if cell == self.goal {
            0
        } else {
            let nearest = grid.neighbours(cell).map(|near| self.g(near)).min();
            nearest.map_or(INFINITY, |steps| steps.saturating_add(1))
        };
        self.entries[cell.index()][1] = INFINITY - rhs;
        if self.g(cell) == rhs {
            self.set_key(cell, NOT_OPEN);
        } else {
            let key = self.key(grid, cell);
            self.enter(cell, key);
        }
    }

    fn enter(&mut self, cell: Cell, key: Key) {
        if self.open_with(cell) != key {
            self.set_key(cell, key);
            self.open.push(Reverse((key, cell)));
        }
    }

    /// Paper: `CalculateKey`.
    fn key(&self, grid: &Grid, cell: Cell) -> Key {
        let steps = self.g(cell).min(self.rhs(cell));
        let ahead = straight(grid, self.start, cell).saturating_add(self.km);
        // An infinite key would be that of a cell that is not open.
        (steps.saturating_add(ahead).min(INFINITY - 1), steps)
    }

    fn g(&self, cell: Cell) -> u32 {
        INFINITY - self.entries[cell.index()][0]
    }

    fn set_g(&mut self, cell: Cell, g: u32) {
        self.entries[cell.index()][0] = INFINITY - g;
    }

    fn rhs(&self, cell: Cell) -> u32 {
        INFINITY - self.entries[cell.index()][1]
    }

    /// The key with which a cell is on the open list.
    fn open_with(&self, cell: Cell) -> Key {
        let [_, _, first, second] = self.entries[cell.index()];
        (INFINITY - first, INFINITY - second)
    }

    fn set_key(&mut self, cell: Cell, (first, second): Key) {
        let [g, rhs, ..] = self.entries[cell.index()];
        self.entries[cell.index()] = [g, rhs, INFINITY - first, INFINITY - second];
    }
}

/// The fewest steps between two cells if every cell were floor.
pub(crate) fn straight(grid: &Grid, a: Cell, b: Cell) -> u32 {
    let ((ax, ay), (bx, by)) = (grid.position(a), grid.position(b));
    let (dx, dy) = (ax.abs_diff(bx), ay.abs_diff(by));
    match grid.rules().neighbours {
        Neighbours::Four => dx + dy,
        Neighbours::Eight => dx.max(dy),
    }
}

#[cfg(test)]
#[path = "dstar_lite_test.rs"]
mod tests;
