//! A plan as knots follow it: only the moves, because in long plans agents stand most of the time.

use crate::grid::Cell;
use crate::plan::Plan;

/// Which cells agents enter, and when.
#[derive(Clone, Debug)]
pub(super) struct Stops {
    /// By agent, the ticks of its moves and the cells that it enters, in order.
    all: Vec<Vec<(u32, Cell)>>,
    /// By agent, how many of these have passed, and where it stands now.
    now: Vec<(u32, Cell)>,
    /// How many ticks have passed, of how many.
    passed: u32,
    ticks: u32,
}

impl Stops {
    /// The moves of agents that begin on these cells.
    pub fn new(starts: impl Iterator<Item = Cell>, all: Vec<Vec<(u32, Cell)>>) -> Self {
        let ticks = all.iter().filter_map(|stops| stops.last()).map(|stop| stop.0).max();
        let now = starts.map(|start| (0, start)).collect();
        Self { all, now, passed: 0, ticks: ticks.unwrap_or(0) }
    }

    /// The moves of a plan.
    pub fn of_plan(plan: &Plan) -> Self {
        let starts = plan.paths().iter().map(|path| path.cells.first().copied());
        let moves = plan.paths().iter().map(|path| {
            let steps = path.cells.windows(2).zip(1..);
            steps.filter(|(step, _)| step[0] != step[1]).map(|(step, tick)| (tick, step[1]))
        });
        Self::new(
            starts.map(|start| start.unwrap_or(Cell::NOWHERE)),
            moves.map(Iterator::collect).collect(),
        )
    }

    /// Where an agent stands now.
    pub fn now(&self, agent: usize) -> Cell {
        self.now[agent].1
    }

    /// Where an agent stands after the next tick.
    pub fn next(&self, agent: usize) -> Cell {
        let (passed, cell) = self.now[agent];
        let next = self.all[agent].get(passed as usize);
        next.filter(|&&(tick, _)| tick == self.passed + 1).map_or(cell, |&(_, cell)| cell)
    }

    /// A tick passes.
    pub fn advance(&mut self) {
        for agent in 0..self.now.len() {
            let next = self.next(agent);
            let (passed, cell) = &mut self.now[agent];
            if next != *cell {
                (*passed, *cell) = (*passed + 1, next);
            }
        }
        self.passed += 1;
    }

    /// How many ticks are left until all moves have been made.
    pub const fn left(&self) -> u32 {
        self.ticks.saturating_sub(self.passed)
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        let stops: usize = self.all.iter().map(Vec::capacity).sum();
        (stops + self.now.capacity()) * size_of::<(u32, Cell)>()
            + self.all.capacity() * size_of::<Vec<(u32, Cell)>>()
    }
}
