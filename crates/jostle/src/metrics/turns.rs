//! Silver's measures of a route: how long until the goal, and how often in circles.

use std::collections::HashSet;

use crate::grid::Cell;
use crate::trace::Trace;

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
        let ours = trace.opening().iter().filter(|agent| agent.ours);
        ours.map(|agent| {
            let later = trace.frames().iter().map(|frame| frame.cells[agent.slot()]);
            Self::of_walk(agent.cell, agent.goal, later)
        })
        .collect()
    }

    fn of_walk(start: Cell, goal: Cell, later: impl Iterator<Item = Cell>) -> Self {
        let mut turns = Self { path_length: (start == goal).then_some(0), cycles: 0 };
        let mut visited = HashSet::from([start]);
        let mut here = start;
        for (tick, next) in (1..).zip(later) {
            if next != here && !visited.insert(next) {
                turns.cycles += 1;
            }
            here = next;
            if here == goal && turns.path_length.is_none() {
                turns.path_length = Some(tick);
            }
        }
        turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_example_of_the_definitions() {
        let walk = [(0, 0), (1, 1), (1, 1), (2, 1), (1, 1), (2, 1), (3, 2), (3, 2)];
        let mut cells = walk.map(|(x, y)| Cell::from_index(y * 10 + x)).into_iter();
        let turns = Turns::of_walk(cells.next().unwrap(), Cell::from_index(23), cells);
        assert_eq!(turns, Turns { path_length: Some(6), cycles: 2 });
    }
}
