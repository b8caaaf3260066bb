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

use super::conflict_tree::{Chooser, Half, Joint, NodeId, Question, Ways};
use super::{
    Answer, Attempt, Field, Objective, Progress, Proof, Recipe, Solution, Solver, Value, joint_of,
    possible,
};
use crate::instance::Instance;
use crate::search::{Budget, Verdict};
use lists::{Lists, Rank};

/// How often the listener is told how far the search has come, in nodes.
const TELL_EVERY: u64 = 64;

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
            flag("mutex", &mut self.mutex, "split what no shortest paths avoid once and for all"),
        ]
    }

    fn build(&self) -> Box<dyn Solver> {
        Box::new(*self)
    }
}

impl Solver for Eecbs {
    fn begin(&self, instance: &Instance) -> Box<dyn Attempt> {
        Box::new(Run::new(*self, instance))
    }
}

/// One search.
struct Run {
    options: Eecbs,
    joint: Joint,
    chooser: Chooser,
    lists: Lists,
    nodes: u64,
    bound: u64,
    best: Option<Solution>,
    /// How the search has ended.
    end: Option<Proof>,
}

impl Attempt for Run {
    fn go_on(&mut self, budget: &mut Budget<'_>, listener: &mut dyn FnMut(Progress<'_>)) -> Answer {
        let end = self.end.unwrap_or_else(|| self.search(budget, listener));
        self.end = (end != Proof::OutOfBudget).then_some(end);
        Answer { best: self.best.clone(), bound: self.bound, proof: end, nodes: self.nodes }
    }

    fn memory(&self) -> usize {
        self.joint.memory()
    }
}

impl Run {
    fn new(options: Eecbs, instance: &Instance) -> Self {
        let Eecbs { prioritise, target, corridor, rectangle, mutex, .. } = options;
        let weight = (options.w.clamp(1.0, 100.0) * f64::from(Question::SHORTEST)) as u32;
        let mut joint = joint_of(instance, Objective::SumOfCosts);
        joint.weight = weight;
        joint.set_polishing(options.bypass);
        Self {
            options,
            joint,
            chooser: Chooser::new(Ways { prioritise, target, corridor, rectangle, mutex }),
            lists: Lists::new(weight),
            nodes: 0,
            bound: 0,
            best: None,
            end: possible::is_impossible(instance).then_some(Proof::Impossible),
        }
    }

    /// Searches until the search ends or the budget is spent.
    fn search(&mut self, budget: &mut Budget<'_>, listener: &mut dyn FnMut(Progress<'_>)) -> Proof {
        if self.joint.tree.len() == 0 {
            match self.joint.plant(budget) {
                Verdict::Found(root) => self.enter(root),
                Verdict::Nothing => return Proof::Impossible,
                Verdict::OutOfBudget => return Proof::OutOfBudget,
            }
        }
        loop {
            if budget.slice(|| self.joint.memory()) == 0 {
                return Proof::OutOfBudget;
            }
            let halves = if let Some(id) = self.joint.unfinished() {
                self.joint.resume(budget).map(|halves| (id, halves))
            } else {
                let Some(least) = self.lists.least_bound() else { return Proof::Impossible };
                self.bound = self.bound.max(least);
                let Some(id) = self.lists.take() else { return Proof::Impossible };
                self.joint.go_to(id);
                if self.joint.clashes.is_empty() {
                    return self.finish(id, listener);
                }
                if self.nodes.is_multiple_of(TELL_EVERY) {
                    listener(Progress { nodes: self.nodes, bound: self.bound, best: None });
                }
                self.nodes += 1;
                // Only nodes with conflicts are expanded.
                let split = self.chooser.choose(&mut self.joint, id, budget);
                let Some(split) = split else { continue };
                self.joint.split(id, split, budget).map(|halves| (id, halves))
            };
            let Some((id, halves)) = halves else { return Proof::OutOfBudget };
            self.add(id, halves);
        }
    }

    fn finish(&mut self, id: NodeId, listener: &mut dyn FnMut(Progress<'_>)) -> Proof {
        let cost = self.joint.tree.node(id).cost;
        let best = self.best.insert(Solution { plan: self.joint.plan(), cost });
        listener(Progress { nodes: self.nodes, bound: self.bound, best: Some(best) });
        if cost <= self.bound { Proof::Optimal } else { Proof::Bounded(self.options.w) }
    }

    /// Puts a node on the open lists.
    fn enter(&mut self, id: NodeId) {
        let node = self.joint.tree.node(id);
        let (cost, bound, conflicts) = (node.cost, node.bound, node.conflicts);
        self.lists.add(Rank { id, cost, bound, conflicts });
    }

    /// Adds the halves of a split to the tree, or takes over the path of one of them.
    fn add(&mut self, id: NodeId, mut halves: Vec<Half>) {
        let node = self.joint.tree.node(id);
        let (cost, conflicts, bound) = (node.cost, node.conflicts, node.bound);
        let shortest = |half: &Half| self.joint.tree.shortest(id, half.agent);
        let is_bypass = |half: &Half| {
            let length = half.path.len() as u64 - 1;
            half.conflicts < conflicts
                && self.lists.is_within(length, u64::from(shortest(half)))
                && self.lists.is_within(half.cost, bound)
        };
        let bypass = halves.iter().position(is_bypass).filter(|_| self.options.bypass);
        if let Some(half) = bypass {
            let half = halves.swap_remove(half);
            // Without its constraint, the agent may have a shorter path.
            let half = Half { shortest: shortest(&half), ..half };
            let id = self.joint.add(id, half, false, bound);
            self.enter(id);
            return;
        }
        // What the cheaper half costs more, and how many conflicts it has more than one less.
        if let Some(best) = halves.iter().min_by_key(|half| (half.cost, half.conflicts)) {
            let dearer = best.cost.saturating_sub(cost);
            self.lists.learn(dearer, (best.conflicts + 1).saturating_sub(conflicts));
        }
        for half in halves {
            let before = self.joint.tree.shortest(id, half.agent);
            let grown = u64::from(half.shortest.saturating_sub(before));
            let id = self.joint.add(id, half, true, bound + grown);
            self.enter(id);
        }
    }
}

#[cfg(test)]
#[path = "eecbs_test.rs"]
mod tests;
