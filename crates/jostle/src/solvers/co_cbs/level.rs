//! The first level: which meetings there are, what they cost, and what they ask of agents.

use std::sync::Arc;

use super::CoCbs;
use super::families::{Families, FamilyId, FirstSet};
use super::steps::StepsCache;
use super::table::{MeetingTable, Row};
use crate::grid::Grid;
use crate::meetings::{AtTarget, Meeting, MeetingInstance, MeetingTask};
use crate::solvers::Distances;
use crate::solvers::conflict_tree::{Constraint, Ending, Itinerary, Stop};

/// The meetings of all tasks, and the families of sets of them.
#[derive(Debug)]
pub struct MeetingLevel {
    instance: MeetingInstance,
    at_target: AtTarget,
    tables: Vec<MeetingTable>,
    /// The steps to the start, to where the executor begins, and to the goal of each task, in this order.
    distances: Distances,
    steps: StepsCache,
    pub families: Families,
}

/// What the two agents of a task have to do: the initiator, then the executor, and what the executor must not do.
pub type Pair = ([Itinerary; 2], Vec<Constraint>);

impl MeetingLevel {
    /// The meetings of an instance.
    pub fn new(options: CoCbs, instance: MeetingInstance) -> Self {
        let (grid, tasks) = (instance.grid(), instance.tasks());
        let cells = tasks.iter().flat_map(|task| [task.start, task.executor, task.goal]);
        let distances = Distances::to(grid, cells);
        let table = |(number, task)| {
            MeetingTable::of(grid.floor_cells(), task, options.at_target, &distances, 3 * number)
        };
        Self {
            at_target: options.at_target,
            tables: tasks.iter().enumerate().map(table).collect(),
            distances,
            steps: StepsCache::default(),
            families: Families::default(),
            instance,
        }
    }

    /// How many tasks there are.
    pub fn tasks(&self) -> usize {
        self.tables.len()
    }

    pub const fn instance(&self) -> &MeetingInstance {
        &self.instance
    }

    pub const fn grid(&self) -> &Arc<Grid> {
        self.instance.shared_grid()
    }

    /// The family of all sets of meetings; `None` if it is clear that there is no plan, because a task cannot be done or two agents
    /// would have to stay on one goal.
    pub fn all(&mut self) -> Option<FamilyId> {
        let mut goals: Vec<_> = self.instance.tasks().iter().map(|task| task.goal).collect();
        goals.sort_unstable();
        if self.at_target == AtTarget::Stay && goals.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let costs = self.tables.iter_mut().map(|table| Some(u64::from(table.get(0)?.cost)));
        let cost = costs.sum::<Option<u64>>()?;
        Some(self.families.all(cost))
    }

    /// The first set of a family.
    pub fn first(&self, family: FamilyId) -> FirstSet {
        let (numbers, is_settled) = (vec![0; self.tasks()], vec![false; self.tasks()]);
        let mut first = FirstSet { numbers, is_settled };
        self.families.first(family, &mut first);
        first
    }

    /// The part of a family in which a task has a later meeting than in its first set.
    pub fn later(
        &mut self,
        family: FamilyId,
        first: &FirstSet,
        task: usize,
        settled: (Option<usize>, usize),
    ) -> Option<FamilyId> {
        let number = first.numbers[task];
        let [now, next] = [number, number + 1].map(|number| self.tables[task].get(number));
        let cost = self.families.cost(family) + u64::from(next?.cost - now?.cost);
        Some(self.families.later(family, task, settled, cost))
    }

    /// The meeting of a task with a number.
    #[cfg(test)]
    pub fn row(&mut self, task: usize, number: usize) -> Option<Row> {
        self.tables[task].get(number)
    }

    /// The meetings of a set.
    pub fn meetings(&mut self, numbers: &[usize]) -> Vec<Meeting> {
        let rows = self.tables.iter_mut().zip(numbers);
        let rows = rows.filter_map(|(table, &number)| table.get(number));
        rows.map(|row| Meeting { cell: row.cell, tick: u64::from(row.tick) }).collect()
    }

    /// What the two agents of a task have to do if they have the meeting with a number.
    pub fn pair(&mut self, task: usize, number: usize) -> Option<Pair> {
        let Row { cell, tick, .. } = self.tables[task].get(number)?;
        let MeetingTask { initiator, start, executor, goal } = self.instance.tasks()[task];
        let [first, second] = [2 * task as u32, 2 * task as u32 + 1];
        let steps = self.steps.to(self.instance.grid(), cell);
        let meet = Stop { cell, tick: Some(tick), steps };
        let stop = |cell, table: usize| {
            let steps = Arc::clone(self.distances.table(3 * task + table));
            Stop { cell, tick: None, steps }
        };
        let (visit, deliver) = (stop(start, 0), stop(goal, 2));
        let (ending, forbidden) = match self.at_target {
            AtTarget::Leave => (Ending::Leaves, None),
            // The initiator is on the cell of the meeting for good.
            AtTarget::Stay => (
                Ending::Stays,
                Some(Constraint::Between { cell, first: tick + 1, last: Itinerary::NEVER }),
            ),
        };
        let itinerary = |start, stops, partner| {
            let meeting = Some((partner, tick));
            Itinerary { start, stops, ending, meeting }
        };
        let itineraries = [
            itinerary(initiator, vec![visit, meet.clone()], second),
            itinerary(executor, vec![meet, deliver], first),
        ];
        Some((itineraries, forbidden.into_iter().collect()))
    }

    /// Nominal bytes.
    pub fn held(&self) -> usize {
        self.families.held()
            + self.steps.held()
            + self.tables.iter().map(MeetingTable::held).sum::<usize>()
    }

    /// Bytes that are held.
    pub fn memory(&self) -> usize {
        self.families.memory()
            + self.steps.held()
            + self.tables.iter().map(MeetingTable::memory).sum::<usize>()
    }
}
