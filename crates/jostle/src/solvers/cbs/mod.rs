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
//! - [`heuristic`](Cbs::heuristic) (CBSH, Felner et al. 2018): how much the conflicts of a node cost at least. Only for the sum of
//!   costs.
//!
//! It promises an optimal plan if it ends within its budget. It may never end where there is none: whether all goals can be
//! reached is checked first, but not whether agents can pass each other.
//!
//! Memory: a node holds one path and its conflicts.

mod cover;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::conflict_tree::{Clash, Half, Itinerary, Joint, NodeId, Split};
use super::{Answer, Attempt, Distances, Objective, Progress, Proof, Solution, Solver};
use crate::instance::Instance;
use crate::search::{Budget, Verdict};

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
pub struct Cbs {
    /// What is minimised.
    pub objective: Objective,
    /// Split conflicts first that raise the cost in any case.
    pub prioritise: bool,
    /// Take over paths that are as short and have fewer conflicts, instead of splitting.
    pub bypass: bool,
    /// Estimate what the conflicts of a node cost at least.
    pub heuristic: bool,
}

impl Default for Cbs {
    fn default() -> Self {
        Self { objective: Objective::SumOfCosts, prioritise: true, bypass: true, heuristic: true }
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
    open: BinaryHeap<Rank>,
    /// For each node, whether the heuristic was computed for it.
    is_estimated: Vec<bool>,
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
    fn new(options: Cbs, instance: &Instance) -> Self {
        let tasks = instance.tasks();
        let mut distances = Distances::to(instance.grid(), tasks.iter().map(|&(_, goal)| goal));
        for (agent, &(start, _)) in tasks.iter().enumerate() {
            if !instance.grid().is_floor(start) {
                distances.step_out(instance.grid(), agent, start);
            }
        }
        let agents = tasks.iter().enumerate().map(|(agent, &(start, goal))| {
            Itinerary::to(start, goal, distances.table(agent).clone())
        });
        let grid = instance.shared_grid().clone();
        Self {
            options,
            joint: Joint::new(grid, agents.collect(), options.objective),
            open: BinaryHeap::new(),
            is_estimated: Vec::new(),
            nodes: 0,
            bound: 0,
            best: None,
            end: None,
        }
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
                self.joint.go_to(id);
                if self.joint.clashes.is_empty() {
                    return self.finish(id, listener);
                }
                if self.is_better_than_expected(id) {
                    self.enter(id);
                    continue;
                }
                if self.nodes.is_multiple_of(TELL_EVERY) {
                    listener(Progress { nodes: self.nodes, bound: self.bound, best: None });
                }
                self.nodes += 1;
                // Only nodes with conflicts are expanded.
                let Some(split) = self.choose(id) else { continue };
                self.joint.split(id, split, budget).map(|halves| (id, halves))
            };
            let Some((id, halves)) = halves else { return Proof::OutOfBudget };
            self.add(id, halves);
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
    fn is_better_than_expected(&mut self, id: NodeId) -> bool {
        if !self.options.heuristic || std::mem::replace(&mut self.is_estimated[id as usize], true) {
            return false;
        }
        let least = self.joint.tree.node(id).cost + self.estimate(id);
        let node = self.joint.tree.node_mut(id);
        let is_higher = least > node.bound;
        node.bound = node.bound.max(least);
        is_higher
    }

    /// Adds the halves of a split to the tree, or takes over the path of one of them.
    fn add(&mut self, id: NodeId, mut halves: Vec<Half>) {
        let node = self.joint.tree.node(id);
        let (cost, conflicts, bound) = (node.cost, node.conflicts, node.bound);
        let is_bypass = |half: &Half| half.cost == cost && half.conflicts < conflicts;
        let bypass = halves.iter().position(is_bypass).filter(|_| self.options.bypass);
        if let Some(half) = bypass {
            let id = self.joint.add(id, halves.swap_remove(half), false, bound);
            self.enter(id);
            return;
        }
        for half in halves {
            let bound = half.cost.max(bound);
            let id = self.joint.add(id, half, true, bound);
            self.enter(id);
        }
    }

    /// The conflict to split: the earliest, of those that cost the most agents something in any case.
    fn choose(&mut self, id: NodeId) -> Option<Split> {
        let clashes = std::mem::take(&mut self.joint.clashes);
        let rank = |run: &mut Self, clash: &Clash| {
            let costly = if run.options.prioritise { run.costly_sides(id, clash) } else { 0 };
            (Reverse(costly), clash.tick, clash.agents)
        };
        let first = clashes.iter().min_by_key(|clash| rank(self, clash)).copied();
        self.joint.clashes = clashes;
        let constraints = first?.constraints(&self.joint.grid, &self.joint.paths);
        Some(Split { agents: first?.agents.map(|agent| agent as usize), constraints })
    }

    /// How many of the two agents have to pay for a conflict in any case.
    fn costly_sides(&mut self, id: NodeId, clash: &Clash) -> usize {
        let costly = clash.agents.into_iter().filter(|&agent| self.is_costly(id, clash, agent));
        costly.count()
    }

    fn is_costly(&mut self, id: NodeId, clash: &Clash, agent: u32) -> bool {
        let tick = clash.tick as usize;
        let singles = self.joint.singles(id, agent as usize);
        // After its arrival, an agent is on its goal and nowhere else.
        let is_single = |tick: usize| singles.get(tick).copied().unwrap_or(true);
        is_single(tick) && (clash.cell(&self.joint.paths).is_some() || is_single(tick - 1))
    }

    /// How much the conflicts of a node cost at least: in each pair with a conflict that costs both agents something, one
    /// of them has to pay.
    fn estimate(&mut self, id: NodeId) -> u64 {
        if self.options.objective == Objective::Makespan {
            return 0;
        }
        let clashes = std::mem::take(&mut self.joint.clashes);
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for clash in &clashes {
            let mut pair = clash.agents;
            pair.sort_unstable();
            if !pairs.contains(&pair) && self.costly_sides(id, clash) == 2 {
                pairs.push(pair);
            }
        }
        self.joint.clashes = clashes;
        cover::least_cover(&pairs)
    }
}

#[cfg(test)]
#[path = "cbs_test.rs"]
mod tests;
