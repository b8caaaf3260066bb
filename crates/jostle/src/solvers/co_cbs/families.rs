//! Sets of meetings: for each task the number of a meeting in its table.

/// The number of a family.
pub type FamilyId = u32;

/// Stands for no task.
const NONE: u32 = u32::MAX;

/// A family of sets of meetings: a first set, and all those in which some tasks have later meetings. Tasks that are settled keep
/// their meetings.
#[derive(Clone, Copy, Debug)]
struct Family {
    parent: FamilyId,
    /// The task that has its next meeting, compared with the parent; none if only more tasks are settled.
    task: u32,
    /// Two tasks that are settled, beyond those of the parent, and all tasks before one.
    settled: [u32; 2],
    settled_below: u32,
    /// Whether the first set was looked at elsewhere, and only the others are left.
    has_no_first: bool,
    has_rest: bool,
    /// What the first set costs if no agents are in each other's way.
    cost: u64,
    /// No set of the family costs less.
    bound: u64,
}

/// All families of sets of meetings so far, as a tree: a family is a part of its parent. A family is taken apart such that no set
/// is in two parts, so every set comes up once.
#[derive(Clone, Debug, Default)]
pub struct Families {
    families: Vec<Family>,
    /// How many sets came up: the first ones of families.
    sets: u64,
}

/// The first set of a family, and which of its tasks are settled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FirstSet {
    /// The numbers of the meetings, by task.
    pub numbers: Vec<usize>,
    pub is_settled: Vec<bool>,
}

impl Families {
    /// The family of all sets of meetings, which begins with the cheapest ones.
    pub fn all(&mut self, cost: u64) -> FamilyId {
        self.sets += 1;
        self.push(Family {
            parent: 0,
            task: NONE,
            settled: [NONE; 2],
            settled_below: 0,
            has_no_first: false,
            has_rest: true,
            cost,
            bound: cost,
        })
    }

    fn push(&mut self, family: Family) -> FamilyId {
        self.families.push(family);
        self.families.len() as FamilyId - 1
    }

    fn get(&self, id: FamilyId) -> &Family {
        &self.families[id as usize]
    }

    /// The part of a family in which a task has a later meeting than in its first set, which costs so much. One other task may be
    /// settled, and all tasks before one.
    pub fn later(
        &mut self,
        parent: FamilyId,
        task: usize,
        (settled, settled_below): (Option<usize>, usize),
        cost: u64,
    ) -> FamilyId {
        self.sets += 1;
        let bound = self.bound(parent).max(cost);
        let settled = settled.map_or(NONE, |task| task as u32);
        self.push(Family {
            parent,
            task: task as u32,
            settled: [settled, NONE],
            settled_below: settled_below as u32,
            has_no_first: false,
            has_rest: true,
            cost,
            bound,
        })
    }

    /// The part of a family in which two tasks are settled.
    pub fn settle(&mut self, parent: FamilyId, tasks: [usize; 2]) -> FamilyId {
        let settled = tasks.map(|task| task as u32);
        self.push(Family { parent, task: NONE, settled, settled_below: 0, ..*self.get(parent) })
    }

    /// A family without its first set; `None` if it was asked for before.
    pub fn rest(&mut self, parent: FamilyId) -> Option<FamilyId> {
        let had_rest = std::mem::replace(&mut self.families[parent as usize].has_rest, false);
        let (task, settled) = (NONE, [NONE; 2]);
        let family = Family { parent, task, settled, settled_below: 0, ..*self.get(parent) };
        had_rest.then(|| self.push(Family { has_no_first: true, has_rest: true, ..family }))
    }

    /// Whether the first set of a family was looked at elsewhere.
    pub fn has_no_first(&self, id: FamilyId) -> bool {
        self.get(id).has_no_first
    }

    /// What the first set of a family costs if no agents are in each other's way.
    pub fn cost(&self, id: FamilyId) -> u64 {
        self.get(id).cost
    }

    /// No set of a family costs less.
    pub fn bound(&self, id: FamilyId) -> u64 {
        self.get(id).bound
    }

    /// Raises the bound of a family.
    pub fn raise(&mut self, id: FamilyId, bound: u64) {
        let family = &mut self.families[id as usize];
        family.bound = family.bound.max(bound);
    }

    /// A family and those that it is a part of, from itself up.
    pub fn line(&self, id: FamilyId) -> impl Iterator<Item = FamilyId> {
        let above = |&id: &FamilyId| (id != 0).then(|| self.get(id).parent);
        std::iter::successors(Some(id), above)
    }

    /// The first set of a family.
    pub fn first(&self, id: FamilyId, first: &mut FirstSet) {
        first.numbers.fill(0);
        first.is_settled.fill(false);
        for family in self.line(id).map(|id| self.get(id)) {
            if let Some(number) = first.numbers.get_mut(family.task as usize) {
                *number += 1;
            }
            for task in family.settled {
                if let Some(is_settled) = first.is_settled.get_mut(task as usize) {
                    *is_settled = true;
                }
            }
            first.is_settled[..family.settled_below as usize].fill(true);
        }
    }

    /// How many sets came up.
    pub const fn sets(&self) -> u64 {
        self.sets
    }

    /// Nominal bytes: 48 for each family.
    pub const fn held(&self) -> usize {
        48 * self.families.len()
    }

    /// Bytes the families hold.
    pub const fn memory(&self) -> usize {
        self.families.capacity() * size_of::<Family>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn however_families_are_taken_apart_every_set_comes_up_once() {
        let mut dice = ChaCha8Rng::seed_from_u64(3);
        for _ in 0..50 {
            let (tasks, most) = (4, 3);
            let mut families = Families::default();
            let mut left = vec![families.all(0)];
            let mut seen = HashSet::new();
            let nothing = FirstSet { numbers: vec![0; tasks], is_settled: vec![false; tasks] };
            while let Some(family) = left.pop() {
                let mut first = nothing.clone();
                families.first(family, &mut first);
                if first.numbers.iter().sum::<usize>() > most {
                    continue;
                }
                if !families.has_no_first(family) {
                    assert!(seen.insert(first.numbers.clone()), "{first:?} comes up twice");
                    left.extend(families.rest(family));
                    assert_eq!(families.rest(family), None);
                    continue;
                }
                let [one, other] = [0; 2].map(|_| dice.random_range(0..tasks));
                if one != other && !(first.is_settled[one] && first.is_settled[other]) {
                    if !first.is_settled[one] {
                        left.push(families.later(family, one, (None, 0), 0));
                    }
                    if !first.is_settled[other] {
                        left.push(families.later(family, other, (Some(one), 0), 0));
                    }
                    left.push(families.settle(family, [one, other]));
                } else {
                    let free = (0..tasks).filter(|&task| !first.is_settled[task]);
                    left.extend(free.map(|task| families.later(family, task, (None, task), 0)));
                }
            }
            // All ways to write 0, 1, 2 and 3 as the sum of four numbers.
            assert_eq!(seen.len(), 1 + 4 + 10 + 20);
        }
    }
}
