//! Explicit estimation conflict-based search (EECBS): joint plans that cost at most `w` times as much as the best one.
//!
//! The conflict tree is that of [`Cbs`](super::Cbs). Paths may be up to `w` times as long as the shortest ones if they have
//! fewer conflicts, and of the nodes that are cheap enough it looks at those first that promise to be near a plan.
//!
//! Three orders of the open nodes are kept:
//! - by lower bound: the least of them bounds the cost of all plans;
//! - by estimate: what a plan below a node will cost, by how much plans have become dearer so far for each conflict
//!   that was resolved;
//! - the focal list, by conflicts: nodes of which the estimate is at most `w` times the least estimate.
//!
//! The next node is the first of the focal list if it costs at most `w` times the least bound, else the one with the least
//! estimate if that does, else the one with the least bound, which raises the bound.
//!
//! Paper: Li, Ruml and Koenig (2021). Departures: no heuristic is added to the bounds. `bypass`, `prioritise`, `target`,
//! `corridor`, `rectangle` and `mutex` are those of CBS and can be switched off.
//!
//! It promises that the plan costs at most `w` times as much as the best one, by sum of costs. Like CBS it may never end where
//! there is no plan. Memory: a node holds one path and its conflicts.

mod lists;

use super::conflict_tree::{Half, Joint, NodeId, Question, Ways};
use super::tree_search::{Order, TreeSearch};
use super::{Attempt, Field, Objective, Proof, Recipe, Solver, Value, joint_of, possible};
use crate::instance::Instance;
use lists::{Lists, Rank};

/// Explicit estimation conflict-based search, and its options.
///
/// ```
/// use jostle::instance::Reach;
/// use jostle::solvers::{Eecbs, Proof, Solver};
/// use jostle::{Budget, Grid, Instance};
///
/// // Two agents change places in a corridor with a bay. The best plan costs 11.
/// let grid = Grid::from_ascii(".....\n##.##")?;
/// let [west, east] = [0, 4].map(|x| grid.at(x, 0).unwrap());
/// let instance = Instance::new(grid, vec![(west, east), (east, west)], Reach::Required)?;
/// let answer = Eecbs { w: 1.5, ..Eecbs::default() }.solve(&instance, &mut Budget::unlimited(), &mut |_| ());
/// assert!(answer.best.unwrap().cost <= 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each can be switched by itself")]
pub struct Eecbs {
    /// How many times as much as the best plan a plan may cost, at least 1. Three digits after the point count.
    pub w: f64,
    /// Split conflicts first that raise the cost in any case.
    pub prioritise: bool,
    /// Take over paths with fewer conflicts that are short enough, instead of splitting.
    pub bypass: bool,
    /// Split conflicts with agents that have arrived once and for all.
    pub target: bool,
    /// Split conflicts in corridors once and for all.
    pub corridor: bool,
    /// Split conflicts of agents that cross in the open once and for all. Only with four neighbours. Of no use beside `mutex`.
    pub rectangle: bool,
    /// Split conflicts that no shortest paths of two agents avoid once and for all.
    pub mutex: bool,
}

impl Default for Eecbs {
    fn default() -> Self {
        Self {
            w: 1.2,
            prioritise: true,
            bypass: true,
            target: true,
            corridor: true,
            rectangle: false,
            mutex: true,
        }
    }
}

impl Recipe<dyn Solver> for Eecbs {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let flag = |name, value, about| Field { name, about, value: Value::Flag(value) };
        vec![
            Field {
                name: "w",
                about: "how many times as much as the best plan a plan may cost",
                value: Value::Real { value: &mut self.w, range: 1.0..=100.0 },
            },
            flag("prioritise", &mut self.prioritise, "split conflicts that cost something first"),
            flag("bypass", &mut self.bypass, "take paths with fewer conflicts before splitting"),
            flag(
                "target",
                &mut self.target,
                "split conflicts with arrived agents once and for all",
            ),
            flag("corridor", &mut self.corridor, "split conflicts in corridors once and for all"),
            flag("rectangle", &mut self.rectangle, "split crossings in the open once and for all"),
            flag(
                "mutex",
                &mut self.mutex,
                "resolve conflicts that no pair of shortest paths can avoid in a single split (mutex propagation)",
            ),
        ]
    }

    fn build(&self) -> Box<dyn Solver> {
        Box::new(*self)
    }
}

impl Solver for Eecbs {
    fn begin(&self, instance: &Instance) -> Box<dyn Attempt> {
        let Self { w, prioritise, bypass, target, corridor, rectangle, mutex } = *self;
        let weight = (w.clamp(1.0, 100.0) * f64::from(Question::SHORTEST)) as u32;
        let mut joint = joint_of(instance, Objective::SumOfCosts);
        joint.weight = weight;
        joint.set_polishing(bypass);
        let ways = Ways { prioritise, target, corridor, rectangle, mutex };
        let order = Explicit { may_bypass: bypass, w, lists: Lists::new(weight) };
        Box::new(TreeSearch::new(joint, ways, order, possible::is_impossible(instance)))
    }
}

/// The open nodes, in their three orders.
struct Explicit {
    may_bypass: bool,
    w: f64,
    lists: Lists,
}

impl Order for Explicit {
    const TELL_EVERY: u64 = 64;

    fn held(&self) -> usize {
        self.lists.held()
    }

    fn memory(&self) -> usize {
        self.lists.memory()
    }

    fn enter(&mut self, joint: &Joint, id: NodeId) {
        let node = joint.tree.node(id);
        let (cost, bound, conflicts) = (node.cost, node.bound, node.conflicts);
        self.lists.add(Rank { id, cost, bound, conflicts });
    }

    fn take(&mut self) -> Option<(NodeId, u64)> {
        let least = self.lists.least_bound()?;
        Some((self.lists.take()?, least))
    }

    /// Both halves, or only the path of one of them. What they cost is learned.
    fn add(&mut self, joint: &mut Joint, id: NodeId, mut halves: Vec<Half>) -> Vec<NodeId> {
        let node = joint.tree.node(id);
        let (cost, conflicts, bound) = (node.cost, node.conflicts, node.bound);
        let shortest = |half: &Half| joint.tree.shortest(id, half.agent);
        let is_bypass = |half: &Half| {
            let length = half.path.len() as u64 - 1;
            half.conflicts < conflicts
                && self.lists.is_within(length, u64::from(shortest(half)))
                && self.lists.is_within(half.cost, bound)
        };
        let bypass = halves.iter().position(is_bypass).filter(|_| self.may_bypass);
        if let Some(half) = bypass {
            let half = halves.swap_remove(half);
            // Without its constraint, the agent may have a shorter path.
            let half = Half { shortest: shortest(&half), ..half };
            return vec![joint.add(id, half, false, bound)];
        }
        // What the cheaper half costs more, and how many conflicts it has more than one less.
        if let Some(best) = halves.iter().min_by_key(|half| (half.cost, half.conflicts)) {
            let dearer = best.cost.saturating_sub(cost);
            self.lists.learn(dearer, (best.conflicts + 1).saturating_sub(conflicts));
        }
        let add = |half: Half| {
            let before = joint.tree.shortest(id, half.agent);
            let grown = u64::from(half.shortest.saturating_sub(before));
            joint.add(id, half, true, bound + grown)
        };
        halves.into_iter().map(add).collect()
    }

    fn proof(&self, cost: u64, bound: u64) -> Proof {
        if cost <= bound { Proof::Optimal } else { Proof::Bounded(self.w) }
    }
}

#[cfg(test)]
#[path = "eecbs_test.rs"]
mod tests;
