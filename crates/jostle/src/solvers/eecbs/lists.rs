//! The open nodes of EECBS, in three orders.

use std::collections::BTreeSet;

use crate::solvers::conflict_tree::{NodeId, Question};

/// An open node.
#[derive(Clone, Copy, Debug)]
pub struct Rank {
    pub id: NodeId,
    pub cost: u64,
    /// No plan below it costs less.
    pub bound: u64,
    pub conflicts: u32,
}

/// An open node with its estimate, in thousandths of a step.
#[derive(Clone, Copy, Debug)]
struct Entry {
    rank: Rank,
    estimate: u64,
}

/// The open nodes.
#[derive(Clone, Debug)]
pub struct Lists {
    /// The weight, in thousandths.
    weight: u64,
    /// All nodes that were ever added, by number.
    entries: Vec<Option<Entry>>,
    by_bound: BTreeSet<(u64, u32, NodeId)>,
    by_estimate: BTreeSet<(u64, u32, NodeId)>,
    /// Nodes of which the estimate is at most `reach`, by conflicts.
    focal: BTreeSet<(u32, u64, NodeId)>,
    reach: u64,
    /// How often was learned, how much dearer plans became, and how many more conflicts they had than expected.
    learned: u64,
    dearer: u64,
    more_conflicts: u64,
}

impl Lists {
    pub const fn new(weight: u32) -> Self {
        Self {
            weight: weight as u64,
            entries: Vec::new(),
            by_bound: BTreeSet::new(),
            by_estimate: BTreeSet::new(),
            focal: BTreeSet::new(),
            reach: 0,
            learned: 0,
            dearer: 0,
            more_conflicts: 0,
        }
    }

    /// Nominal bytes: 48 for each node, and 24 for each time that it is in a list.
    pub fn held(&self) -> usize {
        48 * self.entries.len() + 24 * self.listed()
    }

    /// Bytes on the heap. The lists do not tell; about half as much again as their entries.
    pub fn memory(&self) -> usize {
        self.entries.capacity() * size_of::<Option<Entry>>()
            + self.listed() * size_of::<(u64, u32, NodeId)>() * 3 / 2
    }

    fn listed(&self) -> usize {
        self.by_bound.len() + self.by_estimate.len() + self.focal.len()
    }

    /// Whether a cost is at most `w` times another one.
    pub fn is_within(&self, cost: u64, least: u64) -> bool {
        cost * u64::from(Question::SHORTEST) <= least * self.weight
    }

    /// Remembers what a split has brought: how much dearer the better half is, and how many conflicts it has beyond one less
    /// than its parent.
    pub const fn learn(&mut self, dearer: u64, more_conflicts: u32) {
        self.learned += 1;
        self.dearer += dearer;
        self.more_conflicts += more_conflicts as u64;
    }

    /// What a plan below a node will cost, in thousandths: each conflict takes a split, and some more, and each split costs
    /// what it has cost on average.
    fn estimate(&self, rank: Rank) -> u64 {
        let learned = self.learned.max(1);
        // If splits bring as many conflicts as they resolve, the estimate is of no use; then it is limited.
        let left = learned.saturating_sub(self.more_conflicts).max(learned.div_ceil(10));
        rank.cost * 1000 + u64::from(rank.conflicts) * self.dearer * 1000 / left
    }

    pub fn add(&mut self, rank: Rank) {
        let Rank { id, bound, conflicts, .. } = rank;
        let estimate = self.estimate(rank);
        if self.entries.len() <= id as usize {
            self.entries.resize(id as usize + 1, None);
        }
        self.entries[id as usize] = Some(Entry { rank, estimate });
        self.by_bound.insert((bound, conflicts, id));
        self.by_estimate.insert((estimate, conflicts, id));
        if estimate <= self.reach {
            self.focal.insert((conflicts, estimate, id));
        }
        self.fill_focal();
    }

    /// No plan below any open node costs less.
    pub fn least_bound(&self) -> Option<u64> {
        self.by_bound.first().map(|&(bound, _, _)| bound)
    }

    /// Takes the node to look at next.
    pub fn take(&mut self) -> Option<NodeId> {
        let &(least, _, cheapest) = self.by_bound.first()?;
        let is_cheap = |id: NodeId| {
            let entry = self.entries[id as usize];
            entry.is_some_and(|entry| self.is_within(entry.rank.cost, least))
        };
        let promising = self.focal.first().map(|&(_, _, id)| id);
        let estimated = self.by_estimate.first().map(|&(_, _, id)| id);
        let id = promising
            .filter(|&id| is_cheap(id))
            .or_else(|| estimated.filter(|&id| is_cheap(id)))
            .unwrap_or(cheapest);
        let entry = self.entries[id as usize].take()?;
        let Rank { bound, conflicts, .. } = entry.rank;
        self.by_bound.remove(&(bound, conflicts, id));
        self.by_estimate.remove(&(entry.estimate, conflicts, id));
        self.focal.remove(&(conflicts, entry.estimate, id));
        self.fill_focal();
        Some(id)
    }

    /// Makes the focal list that of the present least estimate.
    fn fill_focal(&mut self) {
        let Some(&(least, _, _)) = self.by_estimate.first() else { return };
        let reach = least * self.weight / u64::from(Question::SHORTEST);
        let (low, high) = (self.reach.min(reach), self.reach.max(reach));
        for &(estimate, conflicts, id) in self.by_estimate.range((low + 1, 0, 0)..(high + 1, 0, 0))
        {
            if reach > self.reach {
                self.focal.insert((conflicts, estimate, id));
            } else {
                self.focal.remove(&(conflicts, estimate, id));
            }
        }
        self.reach = reach;
    }
}
