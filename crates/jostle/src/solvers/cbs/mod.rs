//! Conflict-based search (CBS): optimal joint plans.
//!
//! Every agent gets a shortest path of its own. Where two of them conflict, the problem is split: in one half the one agent
//! must not be there at that tick, in the other half the other one, and that agent's path is searched again. The halves
//! form a tree, of which the cheapest leaf is looked at next. The first one without conflicts is an optimal plan.
//!
//! Paper: Sharon et al. (2015). Beyond it, each of which can be switched off:
//! - [`prioritise`](Cbs::prioritise) (ICBS, Boyarski et al. 2015): a conflict that costs both agents something in any
//!   case is split first, then one that costs one of them something.
//! - [`bypass`](Cbs::bypass) (the same): if a half is as cheap and has fewer conflicts, its path is taken over and nothing is split.
//!   Before the first split, such paths are looked for once for all agents in conflict, which is not in the paper.
//! - [`heuristic`](Cbs::heuristic) (CBSH2, Li et al. 2019): how much the conflicts of a node cost at least, computed when
//!   the node is looked at for the first time. Only for the sum of costs.
//! - [`target`](Cbs::target), [`corridor`](Cbs::corridor), [`rectangle`](Cbs::rectangle) (Li et al. 2021): conflicts with an
//!   agent that has arrived, in a corridor, and in the open are split once and for all, instead of tick by tick.
//!
//! It promises an optimal plan if it ends within its budget. It may never end where there is none: whether all goals can be
//! reached, and whether agents in corridors and rings keep their order, is checked first, but no more than that.
//!
//! Memory: a node holds one path and its conflicts.

pub(super) mod cover;
pub(super) mod heuristic;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::conflict_tree::{Chooser, Constraint, Half, Itinerary, Joint, NodeId, Ways};
use super::{
    Answer, Attempt, Distances, Field, Objective, Progress, Proof, Recipe, Solution, Solver, Value,
    joint_of, joint_with, possible,
};
use crate::instance::Instance;
use crate::search::{Budget, Verdict};
use heuristic::Estimates;
pub use heuristic::Heuristic;

/// The bound where there is no plan: larger than any cost.
pub(super) const NO_PLAN: u64 = 1 << 40;

/// How often the listener is told how far the search has come, in nodes.
const TELL_EVERY: u64 = 256;

/// Conflict-based search, and its options.
///
/// ```
/// use jostle::instance::Reach;
/// use jostle::solvers::{Cbs, Proof, Solver};
/// use jostle::{Budget, Grid, Instance};
///
/// // Two agents change places in a corridor with a bay.
/// let grid = Grid::from_ascii(".....\n##.##")?;
/// let [west, east] = [0, 4].map(|x| grid.at(x, 0).unwrap());
/// let instance = Instance::new(grid, vec![(west, east), (east, west)], Reach::Required)?;
/// let answer = Cbs::default().solve(&instance, &mut Budget::unlimited(), &mut |_| ());
/// assert_eq!(answer.proof, Proof::Optimal);
/// assert_eq!(answer.best.unwrap().cost, 11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each can be switched by itself")]
pub struct Cbs {
    /// What is minimised.
    pub objective: Objective,
    /// Split conflicts first that raise the cost in any case.
    pub prioritise: bool,
    /// Take over paths that are as short and have fewer conflicts, instead of splitting.
    pub bypass: bool,
    /// Estimate what the conflicts of a node cost at least.
    pub heuristic: Heuristic,
    /// Split conflicts with agents that have arrived once and for all.
    pub target: bool,
    /// Split conflicts in corridors once and for all.
    pub corridor: bool,
    /// Split conflicts of agents that cross in the open once and for all. Only with four neighbours.
    pub rectangle: bool,
}

impl Cbs {
    /// Conflict-based search as it was first published, without any of the options.
    pub const PLAIN: Self = Self {
        objective: Objective::SumOfCosts,
        prioritise: false,
        bypass: false,
        heuristic: Heuristic::None,
        target: false,
        corridor: false,
        rectangle: false,
    };
}

impl Default for Cbs {
    fn default() -> Self {
        Self {
            objective: Objective::SumOfCosts,
            prioritise: true,
            bypass: true,
            heuristic: Heuristic::Weighted,
            target: true,
            corridor: true,
            rectangle: true,
        }
    }
}

impl Recipe<dyn Solver> for Cbs {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let flag = |name, value, about| Field { name, about, value: Value::Flag(value) };
        vec![
            Field {
                name: "objective",
                about: "what to minimise: the sum of the agents' costs, or the last arrival",
                value: Value::Name(&mut self.objective),
            },
            flag("prioritise", &mut self.prioritise, "split conflicts that cost something first"),
            flag("bypass", &mut self.bypass, "take paths with fewer conflicts before splitting"),
            Field {
                name: "heuristic",
                about: "what to estimate for each pair of agents in conflict",
                value: Value::Name(&mut self.heuristic),
            },
            flag(
                "target",
                &mut self.target,
                "split conflicts with arrived agents once and for all",
            ),
            flag("corridor", &mut self.corridor, "split conflicts in corridors once and for all"),
            flag("rectangle", &mut self.rectangle, "split crossings in the open once and for all"),
        ]
    }

    fn build(&self) -> Box<dyn Solver> {
        Box::new(*self)
    }
}

impl Cbs {
    /// Begins to solve an instance whose distances are known.
    pub(crate) fn begin_with(self, instance: &Instance, distances: Distances) -> Box<dyn Attempt> {
        let joint = joint_with(instance, distances, self.objective);
        Box::new(Run::with(self, instance, joint))
    }
}

impl Solver for Cbs {
    fn begin(&self, instance: &Instance) -> Box<dyn Attempt> {
        Box::new(Run::new(*self, instance))
    }
}

/// What an entry of the open list is sorted by: least cost first, then fewest conflicts, then the newest.
type Rank = Reverse<(u64, u32, Reverse<NodeId>)>;

/// One search.
struct Run {
    options: Cbs,
    joint: Joint,
    chooser: Chooser,
    estimates: Estimates,
    open: BinaryHeap<Rank>,
    /// For each node, whether the heuristic was computed for it.
    is_estimated: Vec<bool>,
    nodes: u64,
    bound: u64,
    /// The search ends after so many nodes, and when the bound is so high.
    most_nodes: u64,
    enough: Option<u64>,
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
    fn new(options: Cbs, instance: &Instance) -> Self {
        Self::with(options, instance, joint_of(instance, options.objective))
    }

    fn with(options: Cbs, instance: &Instance, joint: Joint) -> Self {
        let end = possible::is_impossible(instance).then_some(Proof::Impossible);
        Self { end, ..Self::of(options, joint) }
    }

    fn of(options: Cbs, mut joint: Joint) -> Self {
        joint.set_polishing(options.bypass);
        let Cbs { prioritise, target, corridor, rectangle, .. } = options;
        Self {
            options,
            joint,
            chooser: Chooser::new(Ways { prioritise, target, corridor, rectangle }),
            estimates: Estimates::default(),
            open: BinaryHeap::new(),
            is_estimated: Vec::new(),
            nodes: 0,
            bound: 0,
            most_nodes: u64::MAX,
            enough: None,
            best: None,
            end: None,
        }
    }

    /// Begins anew with other agents on the same floor.
    fn restart(&mut self, agents: Vec<Itinerary>, given: Vec<Vec<Constraint>>) {
        self.joint.restart(agents, given);
        self.open.clear();
        self.is_estimated.clear();
        (self.nodes, self.bound, self.best, self.end) = (0, 0, None, None);
    }

    /// Searches until the search ends or the budget is spent.
    fn search(&mut self, budget: &mut Budget<'_>, listener: &mut dyn FnMut(Progress<'_>)) -> Proof {
        if self.is_estimated.is_empty() {
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
                let Some(Reverse((bound, _, Reverse(id)))) = self.open.pop() else {
                    return Proof::Impossible;
                };
                self.bound = self.bound.max(bound);
                if self.nodes >= self.most_nodes
                    || self.enough.is_some_and(|enough| bound >= enough)
                {
                    return Proof::OutOfBudget;
                }
                self.joint.go_to(id);
                if self.joint.clashes.is_empty() {
                    return self.finish(id, listener);
                }
                if self.raises_bound(id, budget) {
                    self.enter(id);
                    continue;
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

    /// The bound after so many nodes, or once it is high enough. If the budget ends, the bound by then.
    fn bound_within(&mut self, nodes: u64, enough: Option<u64>, budget: &mut Budget<'_>) -> u64 {
        self.most_nodes = nodes;
        self.enough = enough;
        match self.search(budget, &mut |_| ()) {
            Proof::Impossible => NO_PLAN,
            _ => self.bound,
        }
    }

    fn finish(&mut self, id: NodeId, listener: &mut dyn FnMut(Progress<'_>)) -> Proof {
        let solution = Solution { plan: self.joint.plan(), cost: self.joint.tree.node(id).cost };
        let best = self.best.insert(solution);
        listener(Progress { nodes: self.nodes, bound: self.bound, best: Some(best) });
        Proof::Optimal
    }

    /// Puts a node on the open list.
    fn enter(&mut self, id: NodeId) {
        self.is_estimated.resize(self.joint.tree.len(), false);
        let node = self.joint.tree.node(id);
        self.open.push(Reverse((node.bound, node.conflicts, Reverse(id))));
    }

    /// Computes the heuristic of the present node, if that was not done yet. Whether its bound is higher now.
    fn raises_bound(&mut self, id: NodeId, budget: &mut Budget<'_>) -> bool {
        if std::mem::replace(&mut self.is_estimated[id as usize], true) {
            return false;
        }
        let origin =
            |joint: &Joint, agent| (agent, u64::from(joint.tree.origin(id, agent as usize)));
        let more = self.estimates.estimate(self.options, &mut self.joint, id, origin, budget);
        self.joint.tree.node_mut(id).raise_bound(more)
    }

    /// Adds the halves of a split to the tree, or takes over the path of one of them.
    fn add(&mut self, id: NodeId, halves: Vec<Half>) {
        for id in self.joint.add_halves(id, halves, self.options.bypass) {
            self.enter(id);
        }
    }
}

#[cfg(test)]
#[path = "cbs_test.rs"]
mod tests;
