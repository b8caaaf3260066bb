//! Where the other agents are, to choose paths that get in fewer ways.

use crate::grid::{Cell, Direction, Grid};
use crate::search::Keyed;

/// How many agents are on which cell and make which step at which tick.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    /// The number of agents by cell and tick.
    at: Keyed<u32>,
    /// The number of agents by step and the tick at which it ends.
    steps: Keyed<u32>,
    /// For each cell, the tick from which an agent stays there, plus one; 0 if none does.
    parked: Vec<u32>,
}

impl Traffic {
    /// No agents, on a grid.
    pub fn on(grid: &Grid) -> Self {
        Self { parked: vec![0; grid.cells().len()], ..Self::default() }
    }

    /// Adds the path of an agent.
    pub fn add(&mut self, grid: &Grid, path: &[Cell]) {
        self.count(grid, path, 1);
        if let Some(last) = path.last() {
            self.parked[last.index()] = path.len() as u32 + 1;
        }
    }

    /// Removes the path of an agent.
    pub fn remove(&mut self, grid: &Grid, path: &[Cell]) {
        self.count(grid, path, -1);
        if let Some(last) = path.last() {
            self.parked[last.index()] = 0;
        }
    }

    fn count(&mut self, grid: &Grid, path: &[Cell], change: i32) {
        let change = |counts: &mut Keyed<u32>, key| {
            let count = counts.get(key).unwrap_or(0).wrapping_add_signed(change);
            if count == 0 {
                counts.remove(key);
            } else {
                counts.insert(key, count);
            }
        };
        for (tick, &cell) in (0..).zip(path) {
            change(&mut self.at, cell_key(cell, tick));
        }
        for (tick, step) in (1..).zip(path.windows(2)) {
            if let Some(direction) = grid.step_between(step[0], step[1]) {
                change(&mut self.steps, step_key(step[0], direction, tick));
            }
        }
    }

    /// How many agents a step or a wait that ends at a tick would be in conflict with.
    pub fn conflicts(
        &self,
        grid: &Grid,
        from: Cell,
        direction: Option<Direction>,
        to: Cell,
        tick: u32,
    ) -> u32 {
        let parked = self.parked[to.index()];
        let there = self.at.get(cell_key(to, tick)).unwrap_or(0)
            + u32::from(parked > 0 && tick + 1 >= parked);
        let Some(direction) = direction else { return there };
        let making = |from: Cell, direction: Direction| {
            self.steps.get(step_key(from, direction, tick)).unwrap_or(0)
        };
        let crossed = grid.crossed_steps(from, direction).into_iter().flatten();
        let crossing: u32 = crossed
            .filter_map(|(here, there)| Some(making(here, grid.step_between(here, there)?)))
            .sum();
        there + making(to, direction.opposite()) + crossing
    }
}

fn cell_key(cell: Cell, tick: u32) -> u64 {
    u64::from(tick) << 32 | cell.index() as u64
}

fn step_key(from: Cell, direction: Direction, tick: u32) -> u64 {
    u64::from(tick) << 34 | (from.index() as u64) << 4 | direction as u64
}
