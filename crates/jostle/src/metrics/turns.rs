//! Silver's measures of a route: how long until the goal, and how often in circles.

use crate::grid::Cell;
use crate::trace::Trace;

/// How many agents are followed at a time: their cells share a line of the memory's cache.
const AT_A_TIME: usize = 16;

/// How an agent that was there from the beginning got along, counted in turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turns {
    /// Turns until it first reached its goal; nothing if it never did.
    pub path_length: Option<u64>,
    /// How often it entered a cell that it had been on before. Staying is not entering.
    pub cycles: u64,
}

impl Turns {
    /// The measures of all agents of ours that a trace begins with, by slot. Goals are those at the
    /// beginning.
    pub fn of(trace: &Trace) -> Vec<Self> {
        let ours: Vec<_> = trace.opening().iter().filter(|agent| agent.ours).collect();
        let mut turns = Vec::with_capacity(ours.len());
        for some in ours.chunks(AT_A_TIME) {
            let cells = trace.grid().cells().len();
            let begin = some.iter().map(|agent| Walk::begin(agent.cell, agent.goal, cells));
            let mut walks: Vec<_> = begin.collect();
            for (tick, frame) in (1..).zip(trace.frames()) {
                for (walk, agent) in walks.iter_mut().zip(some) {
                    walk.step(tick, frame.cells[agent.slot()]);
                }
            }
            turns.extend(walks.iter().map(|walk| walk.turns));
        }
        turns
    }
}

/// An agent on its way.
struct Walk {
    here: Cell,
    goal: Cell,
    /// A bit for each cell that it has been on, and one for nowhere.
    visited: Vec<u64>,
    turns: Turns,
}

impl Walk {
    fn begin(start: Cell, goal: Cell, cells: usize) -> Self {
        let turns = Turns { path_length: (start == goal).then_some(0), cycles: 0 };
        let mut walk = Self { here: start, goal, visited: vec![0; cells / 64 + 1], turns };
        walk.visit(start);
        walk
    }

    fn step(&mut self, tick: u64, next: Cell) {
        if next == self.here {
            return;
        }
        self.here = next;
        if self.visit(next) {
            self.turns.cycles += 1;
        }
        if next == self.goal && self.turns.path_length.is_none() {
            self.turns.path_length = Some(tick);
        }
    }

    /// Whether it has been there before.
    fn visit(&mut self, cell: Cell) -> bool {
        let last = self.visited.len() * 64 - 1;
        let index = cell.index().min(last);
        let (word, bit) = (&mut self.visited[index / 64], 1 << (index % 64));
        let was_there = *word & bit != 0;
        *word |= bit;
        was_there
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn turns_of(cells: &[Cell], goal: Cell, floor: usize) -> Turns {
        let mut walk = Walk::begin(cells[0], goal, floor);
        for (tick, &next) in (1..).zip(&cells[1..]) {
            walk.step(tick, next);
        }
        walk.turns
    }

    #[test]
    fn the_worked_example_of_the_definitions() {
        let walk = [(0, 0), (1, 1), (1, 1), (2, 1), (1, 1), (2, 1), (3, 2), (3, 2)];
        let cells = walk.map(|(x, y)| Cell::from_index(y * 10 + x));
        let turns = turns_of(&cells, Cell::from_index(23), 100);
        assert_eq!(turns, Turns { path_length: Some(6), cycles: 2 });
    }

    proptest! {
        #[test]
        fn cycles_are_entries_into_cells_of_a_plain_set(
            walk in prop::collection::vec(0_usize..=127, 1..200),
        ) {
            // The last of them stands for nowhere.
            let cell = |index| if index == 127 { Cell::NOWHERE } else { Cell::from_index(index) };
            let cells: Vec<Cell> = walk.iter().map(|&index| cell(index)).collect();
            let mut visited = HashSet::from([cells[0]]);
            let entered = cells.windows(2).filter(|step| step[0] != step[1]).map(|step| step[1]);
            let cycles = entered.filter(|&next| !visited.insert(next)).count() as u64;
            let goal = Cell::from_index(5);
            let path_length = cells.iter().position(|&at| at == goal).map(|tick| tick as u64);
            prop_assert_eq!(turns_of(&cells, goal, 127), Turns { path_length, cycles });
        }
    }
}
