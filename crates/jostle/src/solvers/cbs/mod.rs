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
//! - [`mutex`](Cbs::mutex) (Zhang et al. 2020): conflicts that no shortest paths of two agents avoid are split once and for all. This
//!   sees all that [`rectangle`](Cbs::rectangle) sees where it matters, so that is switched off by default.
//!
//! It promises an optimal plan if it ends within its budget. It may never end where there is none: whether all goals can be
//! reached, and whether agents in corridors and rings keep their order, is checked first, but no more than that.
//!
//! Memory: a node holds one path and its conflicts.

pub(super) mod cover;
pub(super) mod heuristic;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::conflict_tree::{Constraint, Half, Itinerary, Joint, NodeId, Ways};
use super::tree_search::{Ends, Order, TreeSearch};
use super::{
    Answer, Attempt, Distances, Field, Objective, Proof, Recipe, Solver, Value, joint_of,
    joint_with, possible,
};
use crate::grid::Cell;
use crate::instance::Instance;
use crate::search::Budget;
use heuristic::Estimates;
pub use heuristic::Heuristic;

/// The bound where there is no plan: larger than any cost.
pub(super) const NO_PLAN: u64 = 1 << 40;

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
    /// Split conflicts of agents that cross in the open once and for all. Only with four neighbours. Of no use beside `mutex`.
    pub rectangle: bool,
    /// Split conflicts that no shortest paths of two agents avoid once and for all.
    pub mutex: bool,
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
        mutex: false,
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
            rectangle: false,
            mutex: true,
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

impl Cbs {
    /// Begins to solve an instance whose distances are known.
    pub(crate) fn begin_with(self, instance: &Instance, distances: Distances) -> Box<dyn Attempt> {
        let joint = joint_with(instance, distances, self.objective);
        Box::new(Run::of(self, joint, possible::is_impossible(instance)))
    }
}

impl Solver for Cbs {
    fn begin(&self, instance: &Instance) -> Box<dyn Attempt> {
        let joint = joint_of(instance, self.objective);
        Box::new(Run::of(*self, joint, possible::is_impossible(instance)))
    }
}

/// What an entry of the open list is sorted by: least cost first, then fewest conflicts, then the newest.
type Rank = Reverse<(u64, u32, Reverse<NodeId>)>;

/// One search.
type Run = TreeSearch<LeastBound>;

/// The open nodes, the one with the least bound first.
#[derive(Default)]
struct LeastBound {
    options: Cbs,
    open: BinaryHeap<Rank>,
    estimates: Estimates,
    /// For each node, whether the heuristic was computed for it.
    is_estimated: Vec<bool>,
}

impl Order for LeastBound {
    const TELL_EVERY: u64 = 256;

    fn enter(&mut self, joint: &Joint, id: NodeId) {
        self.is_estimated.resize(joint.tree.len(), false);
        let node = joint.tree.node(id);
        self.open.push(Reverse((node.bound, node.conflicts, Reverse(id))));
    }

    fn take(&mut self) -> Option<(NodeId, u64)> {
        let Reverse((bound, _, Reverse(id))) = self.open.pop()?;
        Some((id, bound))
    }

    /// Computes the heuristic, if that was not done yet.
    fn raises_bound(&mut self, joint: &mut Joint, id: NodeId, budget: &mut Budget<'_>) -> bool {
        if std::mem::replace(&mut self.is_estimated[id as usize], true) {
            return false;
        }
        let origin =
            |joint: &Joint, agent| (agent, u64::from(joint.tree.origin(id, agent as usize)));
        let more = self.estimates.estimate(self.options, joint, id, origin, budget);
        joint.tree.node_mut(id).raise_bound(more)
    }

    /// Both halves, or only the path of one of them.
    fn add(&mut self, joint: &mut Joint, id: NodeId, halves: Vec<Half>) -> Vec<NodeId> {
        joint.add_halves(id, halves, self.options.bypass)
    }

    fn held(&self) -> usize {
        20 * self.open.len() + self.is_estimated.len() + self.estimates.held()
    }

    fn memory(&self) -> usize {
        self.open.capacity() * size_of::<Rank>()
            + self.is_estimated.capacity()
            + self.estimates.memory()
    }

    fn proof(&self, _: u64, _: u64) -> Proof {
        Proof::Optimal
    }
}

impl Run {
    fn of(options: Cbs, mut joint: Joint, is_impossible: bool) -> Self {
        joint.set_polishing(options.bypass);
        let Cbs { prioritise, target, corridor, rectangle, mutex, .. } = options;
        let ways = Ways { prioritise, target, corridor, rectangle, mutex };
        Self::new(joint, ways, LeastBound { options, ..LeastBound::default() }, is_impossible)
    }

    /// No plan for other agents on the same floor, who begin with these paths, costs less. `ends` is where the search ends early; if the
    /// budget ends, it is the bound by then.
    fn bound_of(
        &mut self,
        (agents, given): (Vec<Itinerary>, Vec<Vec<Constraint>>),
        paths: Vec<Arc<[Cell]>>,
        ends: Ends,
        budget: &mut Budget<'_>,
    ) -> u64 {
        self.restart(ends);
        self.order.open.clear();
        self.order.is_estimated.clear();
        self.joint.restart(agents, given);
        let root = self.joint.plant_paths(paths);
        self.enter(root);
        match self.go_on(budget, &mut |_| ()) {
            Answer { proof: Proof::Impossible, .. } => NO_PLAN,
            Answer { bound, .. } => bound,
        }
    }
}

#[cfg(test)]
#[path = "cbs_test.rs"]
mod tests;
