//! How many steps it takes to reach a goal, from every cell.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::grid::{Cell, Grid};

/// The steps from every cell to the goals of agents. Agents with the same goal share a table.
///
/// Cost: one breadth-first search for each goal, and four bytes for each cell.
#[derive(Clone, Debug)]
pub struct Distances {
    tables: Vec<Arc<[u32]>>,
}

impl Distances {
    /// Stands for a cell from which no path leads to the goal.
    pub(crate) const NONE: u32 = u32::MAX;

    /// The distances to these goals, one for each agent.
    pub fn to(grid: &Grid, goals: impl IntoIterator<Item = Cell>) -> Self {
        let mut known: HashMap<Cell, Arc<[u32]>> = HashMap::new();
        let table =
            |goal: Cell| Arc::clone(known.entry(goal).or_insert_with(|| steps_to(grid, goal)));
        Self { tables: goals.into_iter().map(table).collect() }
    }

    /// Distances that are known already, one table for each agent.
    pub(crate) const fn of(tables: Vec<Arc<[u32]>>) -> Self {
        Self { tables }
    }

    /// Adds the distance from the cell of an agent that stands on a cell that has turned into a wall: it can step out.
    pub(super) fn step_out(&mut self, grid: &Grid, agent: usize, cell: Cell) {
        let nearest = grid.neighbours(cell).filter_map(|near| self.get(agent, near)).min();
        if let (Some(steps), None) = (nearest, self.get(agent, cell)) {
            Arc::make_mut(&mut self.tables[agent])[cell.index()] = steps + 1;
        }
    }

    /// The steps to the goal of an agent from every cell.
    pub(super) fn table(&self, agent: usize) -> &Arc<[u32]> {
        &self.tables[agent]
    }

    /// The fewest steps from a cell to the goal of an agent; `None` if it cannot be reached from there.
    pub fn get(&self, agent: usize, cell: Cell) -> Option<u32> {
        let steps = *self.tables.get(agent)?.get(cell.index())?;
        (steps != Self::NONE).then_some(steps)
    }
}

/// The steps to a cell from every cell. Steps lead both ways under all rules, so the search may begin at the goal.
pub(crate) fn steps_to(grid: &Grid, goal: Cell) -> Arc<[u32]> {
    let mut steps = vec![Distances::NONE; grid.cells().len()];
    let mut queue = VecDeque::new();
    if let Some(first) = steps.get_mut(goal.index()) {
        *first = 0;
        queue.push_back(goal);
    }
    while let Some(cell) = queue.pop_front() {
        for near in grid.neighbours(cell) {
            if steps[near.index()] == Distances::NONE {
                steps[near.index()] = steps[cell.index()] + 1;
                queue.push_back(near);
            }
        }
    }
    steps.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_counts_one_and_walls_are_walked_around() {
        let grid = Grid::from_ascii("...#.\n.#.#.\n.#..#").unwrap();
        let at = |x, y| grid.at(x, y).unwrap();
        let distances = Distances::to(&grid, [at(0, 2), at(3, 2), at(0, 2)]);
        assert_eq!(distances.get(0, at(0, 2)), Some(0));
        assert_eq!(distances.get(0, at(3, 2)), Some(7), "diagonal steps need both corners free");
        assert_eq!(distances.get(1, at(0, 2)), Some(7));
        assert_eq!(distances.get(0, at(4, 0)), None);
        assert_eq!(distances.get(7, at(0, 0)), None, "there is no such agent");
        assert!(Arc::ptr_eq(&distances.tables[0], &distances.tables[2]));
    }
}
