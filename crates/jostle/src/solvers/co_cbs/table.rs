//! The meetings of one task, from the cheapest: what each would cost if no other agents were there.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::grid::Cell;
use crate::meetings::{AtTarget, MeetingTask};
use crate::solvers::Distances;

/// A meeting of a task, and the cost of the task with it. Ordered by cost, then by tick.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Row {
    /// The ticks of the two agents until their parts are done, added up.
    pub cost: u32,
    pub tick: u32,
    pub cell: Cell,
}

/// All meetings of a task, by cost. There are infinitely many, so they are listed as they are asked for.
#[derive(Clone, Debug)]
pub struct MeetingTable {
    /// For each cell the next meeting there that is not listed yet.
    next: BinaryHeap<Reverse<Row>>,
    listed: Vec<Row>,
}

impl MeetingTable {
    /// The meetings of a task. `distances` has the steps to its start, to where its executor begins, and to its goal, in this order
    /// from the number `first` on. The table is empty if the task cannot be done.
    pub fn of(
        cells: impl Iterator<Item = Cell>,
        task: &MeetingTask,
        at_target: AtTarget,
        distances: &Distances,
        first: usize,
    ) -> Self {
        let row = |cell: Cell| {
            let to_start = distances.get(first, task.initiator)?;
            let from_start = distances.get(first, cell)?;
            let from_executor = distances.get(first + 1, cell)?;
            let to_goal = distances.get(first + 2, cell)?;
            let tick = (to_start + from_start).max(from_executor);
            Some(Reverse(Row { cost: 2 * tick + to_goal, tick, cell }))
        };
        // An initiator that stays on the goal leaves no place for the executor.
        let is_possible = |cell: &Cell| at_target == AtTarget::Leave || *cell != task.goal;
        let next = cells.filter(is_possible).filter_map(row).collect();
        Self { next, listed: Vec::new() }
    }

    /// The meeting with a number, from 0 for the cheapest. `None` if the task cannot be done.
    pub fn get(&mut self, number: usize) -> Option<Row> {
        while self.listed.len() <= number {
            let Reverse(row) = self.next.pop()?;
            self.listed.push(row);
            // On the same cell they can also meet one tick later, for which both wait once.
            let later = Row { cost: row.cost + 2, tick: row.tick + 1, ..row };
            self.next.push(Reverse(later));
        }
        Some(self.listed[number])
    }

    /// Nominal bytes: twelve for each meeting.
    pub fn held(&self) -> usize {
        12 * (self.next.len() + self.listed.len())
    }

    /// Bytes the table holds.
    pub fn memory(&self) -> usize {
        (self.next.capacity() + self.listed.capacity()) * size_of::<Row>()
    }
}
