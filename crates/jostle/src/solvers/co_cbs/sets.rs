//! Sets of meetings: for each task the number of a meeting in its table.

/// The number of a set.
pub type SetId = u32;

#[derive(Clone, Copy, Debug)]
struct Set {
    parent: SetId,
    /// The task that has its next meeting, compared with the parent.
    task: u32,
    cost: u64,
}

/// All sets of meetings so far, as a tree: a set takes the next meeting for one task of its parent.
///
/// A set only goes on with the task that it has changed itself and those after it. So every combination of meetings comes
/// up once, and none has to be looked for.
#[derive(Clone, Debug, Default)]
pub struct MeetingSets {
    sets: Vec<Set>,
}

impl MeetingSets {
    /// The set of the cheapest meetings.
    pub fn first(&mut self, cost: u64) -> SetId {
        self.add(0, 0, cost)
    }

    /// The set with the next meeting for one task.
    pub fn add(&mut self, parent: SetId, task: usize, cost: u64) -> SetId {
        self.sets.push(Set { parent, task: task as u32, cost });
        self.sets.len() as SetId - 1
    }

    /// The first task for which a set goes on with the next meeting.
    pub fn goes_on_from(&self, id: SetId) -> usize {
        self.sets[id as usize].task as usize
    }

    /// The set from which a set comes, and the task that has another meeting there; none for the first.
    pub fn before(&self, id: SetId) -> Option<(SetId, usize)> {
        let set = self.sets[id as usize];
        (id != 0).then_some((set.parent, set.task as usize))
    }

    /// What the meetings of a set cost if no other agents are in the way.
    pub fn cost(&self, id: SetId) -> u64 {
        self.sets[id as usize].cost
    }

    /// The numbers of the meetings, by task.
    pub fn numbers(&self, mut id: SetId, numbers: &mut [usize]) {
        numbers.fill(0);
        while id != 0 {
            let set = self.sets[id as usize];
            numbers[set.task as usize] += 1;
            id = set.parent;
        }
    }

    /// How many sets there are.
    pub const fn len(&self) -> usize {
        self.sets.len()
    }

    /// Bytes the sets hold.
    pub const fn memory(&self) -> usize {
        self.sets.capacity() * size_of::<Set>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_combination_comes_up_once() {
        let (tasks, steps) = (3, 4);
        let mut sets = MeetingSets::default();
        let mut ends = vec![sets.first(0)];
        for _ in 0..steps {
            for parent in std::mem::take(&mut ends) {
                let more = sets.goes_on_from(parent)..tasks;
                ends.extend(more.map(|task| sets.add(parent, task, 0)));
            }
        }
        let mut numbers = vec![0; tasks];
        let mut seen = HashSet::new();
        for id in 0..sets.len() as SetId {
            sets.numbers(id, &mut numbers);
            assert!(seen.insert(numbers.clone()), "{numbers:?} comes up twice");
        }
        // All ways to write 0, 1, 2, 3 and 4 as the sum of three numbers.
        assert_eq!(seen.len(), 1 + 3 + 6 + 10 + 15);
    }
}
