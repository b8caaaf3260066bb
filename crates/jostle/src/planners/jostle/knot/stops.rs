//! A plan as knots follow it: only the moves, because in long plans agents stand most of the time.

use crate::grid::Cell;
use crate::plan::Plan;
use crate::tally::{self, Kind};

/// By agent, the ticks of its moves and the cells that it enters, in order.
pub(super) type Timetable = Vec<Vec<(u32, Cell)>>;

/// Which cells agents enter, and when.
#[derive(Clone, Debug)]
pub(super) struct Stops {
    all: Timetable,
    /// By agent, how many of these have passed, and where it stands now.
    now: Vec<(u32, Cell)>,
    /// By cell, how often agents will still enter it.
    entries: Vec<u32>,
    /// How many ticks have passed, of how many.
    passed: u32,
    ticks: u32,
}

impl Stops {
    /// Agents stand on these cells.
    pub fn standing(cells: impl Iterator<Item = Cell>) -> Self {
        let now = cells.map(|cell| (0, cell)).collect();
        Self { all: Vec::new(), now, entries: Vec::new(), passed: 0, ticks: 0 }
    }

    /// Agents make these moves from where they stand.
    pub fn begin(&mut self, all: Timetable) {
        let ticks = all.iter().filter_map(|stops| stops.last()).map(|stop| stop.0).max();
        (self.passed, self.ticks) = (0, ticks.unwrap_or(0));
        self.now.iter_mut().for_each(|(passed, _)| *passed = 0);
        let entered = || all.iter().flatten().map(|&(_, cell)| cell.index());
        self.entries = vec![0; entered().max().map_or(0, |last| last + 1)];
        entered().for_each(|cell| self.entries[cell] += 1);
        self.all = all;
    }

    /// Where an agent stands now.
    pub fn now(&self, agent: usize) -> Cell {
        self.now[agent].1
    }

    /// Where an agent stands after the next tick.
    pub fn next(&self, agent: usize) -> Cell {
        tally::note(Kind::Agent, 1);
        let (passed, cell) = self.now[agent];
        let next = self.all.get(agent).and_then(|stops| stops.get(passed as usize));
        next.filter(|&&(tick, _)| tick == self.passed + 1).map_or(cell, |&(_, cell)| cell)
    }

    /// A tick passes.
    pub fn advance(&mut self) {
        for agent in 0..self.now.len() {
            let next = self.next(agent);
            let (passed, cell) = &mut self.now[agent];
            if next != *cell {
                (*passed, *cell) = (*passed + 1, next);
                self.entries[next.index()] -= 1;
            }
        }
        self.passed += 1;
    }

    /// How many ticks are left until all moves have been made.
    pub const fn left(&self) -> u32 {
        self.ticks.saturating_sub(self.passed)
    }

    /// The cells that agents will still enter.
    pub fn entered(&self) -> impl Iterator<Item = Cell> {
        tally::note(Kind::Cell, self.entries.len() / 4);
        let entries = self.entries.iter().enumerate();
        entries.filter(|&(_, &entries)| entries > 0).map(|(cell, _)| Cell::from_index(cell))
    }

    /// Whether any moves have been made.
    pub const fn has_begun(&self) -> bool {
        self.passed > 0
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        let stops: usize = self.all.iter().map(Vec::capacity).sum();
        (stops + self.now.capacity()) * size_of::<(u32, Cell)>()
            + self.all.capacity() * size_of::<Vec<(u32, Cell)>>()
            + self.entries.capacity() * size_of::<u32>()
    }
}

/// The moves of a plan.
pub(super) fn moves_of(plan: &Plan) -> Timetable {
    let moves = plan.paths().iter().map(|path| {
        let steps = path.cells.windows(2).zip(1..);
        steps.filter(|(step, _)| step[0] != step[1]).map(|(step, tick)| (tick, step[1]))
    });
    moves.map(Iterator::collect).collect()
}
