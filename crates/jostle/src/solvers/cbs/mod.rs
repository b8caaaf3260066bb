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

mod clash;
mod constraint;
mod cover;
mod mdd;
mod route;
mod traffic;
mod tree;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::{
    Answer, Attempt, Distances, Field, Objective, Progress, Proof, Recipe, Solution, Solver, Value,
};
use crate::grid::{Cell, Grid};
use crate::instance::Instance;
use crate::plan::{Plan, TimedPath};
use crate::search::{Budget, Verdict};
use clash::Clash;
use constraint::{Constraint, Constraints};
use mdd::Mdd;
use route::{Routes, Task};
use traffic::Traffic;
use tree::{Node, NodeId, Tree};

/// How often `watch` is told how far the search has come, in nodes.
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
            flag("heuristic", &mut self.heuristic, "estimate what the conflicts of a node cost"),
        ]
    }

    fn build(&self) -> Box<dyn Solver> {
        Box::new(*self)
    }
}

impl Solver for Cbs {
    fn begin(&self, instance: &Instance) -> Box<dyn Attempt> {
        Box::new(Run::new(*self, instance.clone()))
    }
}

/// What an entry of the open list is sorted by: least cost first, then fewest conflicts, then the newest.
type Rank = Reverse<(u64, u32, Reverse<NodeId>)>;

/// One search.
struct Run {
    options: Cbs,
    instance: Instance,
    distances: Distances,
    tree: Tree,
    open: BinaryHeap<Rank>,
    /// The lower bound of each node, and whether the heuristic was computed for it.
    bounds: Vec<(u64, bool)>,
    routes: Routes,
    mdd: Mdd,
    constraints: Constraints,
    /// The paths of the node that is expanded, which are in `traffic`.
    paths: Vec<Arc<[Cell]>>,
    traffic: Traffic,
    clashes: Vec<Clash>,
    nodes: u64,
    bound: u64,
    best: Option<Solution>,
    /// How the search has ended.
    end: Option<Proof>,
}

/// One half of a split.
struct Half {
    agent: usize,
    constraint: Constraint,
    path: Arc<[Cell]>,
    clashes: Vec<Clash>,
    cost: u64,
    conflicts: u32,
}

impl Attempt for Run {
    fn go_on(&mut self, budget: &mut Budget<'_>, listener: &mut dyn FnMut(Progress<'_>)) -> Answer {
        let end = self.end.unwrap_or_else(|| self.search(budget, listener));
        self.end = (end != Proof::OutOfBudget).then_some(end);
        Answer { best: self.best.clone(), bound: self.bound, proof: end, nodes: self.nodes }
    }

    fn memory(&self) -> usize {
        self.tree.memory() + self.routes.memory()
    }
}

impl Run {
    fn new(options: Cbs, instance: Instance) -> Self {
        let goals = instance.tasks().iter().map(|&(_, goal)| goal);
        let distances = Distances::to(instance.grid(), goals);
        let traffic = Traffic::on(instance.grid());
        Self {
            options,
            instance,
            distances,
            tree: Tree::default(),
            open: BinaryHeap::new(),
            bounds: Vec::new(),
            routes: Routes::default(),
            mdd: Mdd::default(),
            constraints: Constraints::default(),
            paths: Vec::new(),
            traffic,
            clashes: Vec::new(),
            nodes: 0,
            bound: 0,
            best: None,
            end: None,
        }
    }

    fn grid(&self) -> &Grid {
        self.instance.grid()
    }

    fn task(&self, agent: usize) -> Task {
        let (start, goal) = self.instance.tasks()[agent];
        Task { agent, start, goal }
    }

    /// Searches until the search ends or the budget is spent.
    fn search(&mut self, budget: &mut Budget<'_>, listener: &mut dyn FnMut(Progress<'_>)) -> Proof {
        if self.bounds.is_empty() {
            match self.plant(budget) {
                Verdict::Found(()) => {}
                Verdict::Nothing => return Proof::Impossible,
                Verdict::OutOfBudget => return Proof::OutOfBudget,
            }
        }
        while let Some(Reverse((cost, _, Reverse(id)))) = self.open.pop() {
            self.bound = self.bound.max(cost);
            self.go_to(id);
            if self.clashes.is_empty() {
                let solution = Solution { plan: self.plan(), cost: self.tree.node(id).cost };
                let best = self.best.insert(solution);
                listener(Progress { nodes: self.nodes, bound: self.bound, best: Some(best) });
                return Proof::Optimal;
            }
            if self.options.heuristic && !self.bounds[id as usize].1 {
                let least = self.tree.node(id).cost + self.estimate(id);
                self.bounds[id as usize] = (least.max(cost), true);
                if least > cost {
                    self.enter(id);
                    continue;
                }
            }
            if self.nodes.is_multiple_of(TELL_EVERY) {
                listener(Progress { nodes: self.nodes, bound: self.bound, best: None });
            }
            if budget.slice(|| self.tree.memory()) == 0 || self.expand(id, budget).is_none() {
                self.enter(id);
                return Proof::OutOfBudget;
            }
            self.nodes += 1;
        }
        Proof::Impossible
    }

    /// The root: a shortest path for every agent.
    fn plant(&mut self, budget: &mut Budget<'_>) -> Verdict {
        for agent in self.paths.len()..self.instance.tasks().len() {
            let task = self.task(agent);
            self.constraints.set(std::iter::empty(), task.goal);
            let found = self.routes.find(
                self.instance.grid(),
                task,
                &self.distances,
                &self.constraints,
                &self.traffic,
                budget,
            );
            let path = match found {
                Verdict::Found(path) => path,
                Verdict::Nothing => return Verdict::Nothing,
                Verdict::OutOfBudget => return Verdict::OutOfBudget,
            };
            self.traffic.add(self.instance.grid(), &path);
            self.paths.push(path);
        }
        let mut clashes = Vec::new();
        for second in 0..self.paths.len() {
            for first in 0..second {
                let paths = [&*self.paths[first], &*self.paths[second]];
                clash::find(self.grid(), [first as u32, second as u32], paths, &mut clashes);
            }
        }
        let cost = self.cost_with(None);
        self.tree.begin(self.paths.clone(), clashes, cost);
        self.bounds.push((cost, false));
        self.enter(0);
        Verdict::Found(())
    }

    /// The cost of the present paths, with another one for one agent.
    fn cost_with(&self, other: Option<(usize, &[Cell])>) -> u64 {
        let costs = self.paths.iter().enumerate().map(|(agent, present)| {
            let path = other.filter(|(one, _)| *one == agent).map_or(&**present, |(_, path)| path);
            path.len() as u64 - 1
        });
        match self.options.objective {
            Objective::SumOfCosts => costs.sum(),
            Objective::Makespan => costs.max().unwrap_or(0),
        }
    }

    /// Puts a node on the open list.
    fn enter(&mut self, id: NodeId) {
        let conflicts = self.tree.node(id).conflicts;
        self.open.push(Reverse((self.bounds[id as usize].0, conflicts, Reverse(id))));
    }

    /// Makes the paths and the conflicts of a node the present ones.
    fn go_to(&mut self, id: NodeId) {
        let mut paths = Vec::new();
        self.tree.paths(id, &mut paths);
        let is_new = |(before, now): &(&Arc<[Cell]>, &Arc<[Cell]>)| !Arc::ptr_eq(before, now);
        for (before, _) in self.paths.iter().zip(&paths).filter(is_new) {
            self.traffic.remove(self.instance.grid(), before);
        }
        for (_, now) in self.paths.iter().zip(&paths).filter(is_new) {
            self.traffic.add(self.instance.grid(), now);
        }
        self.paths = paths;
        self.tree.clashes(id, &mut self.clashes);
    }

    fn plan(&self) -> Plan {
        let paths = self.paths.iter().map(|path| TimedPath::of(path.to_vec())).collect();
        Plan::new(Arc::clone(self.instance.shared_grid()), paths)
    }

    /// Splits a node. `None` if the budget was not enough.
    fn expand(&mut self, id: NodeId, budget: &mut Budget<'_>) -> Option<()> {
        // Only nodes with conflicts are expanded.
        let clash = self.choose(id)?;
        let mut halves = Vec::new();
        for (agent, constraint) in clash.agents.into_iter().zip(clash.constraints) {
            halves.extend(self.half(id, agent as usize, constraint, budget)?);
        }
        let (bound, conflicts) = (self.bounds[id as usize].0, self.tree.node(id).conflicts);
        let cost = self.tree.node(id).cost;
        let is_bypass = |half: &Half| half.cost == cost && half.conflicts < conflicts;
        if self.options.bypass
            && let Some(half) = halves.iter().position(is_bypass)
        {
            let half = halves.swap_remove(half);
            self.add(id, half, None, bound);
            return Some(());
        }
        for half in halves {
            let constraint = Some(half.constraint);
            self.add(id, half, constraint, bound);
        }
        Some(())
    }

    /// Adds a node to the tree, whose plans cost no less than those of its parent.
    fn add(&mut self, parent: NodeId, half: Half, constraint: Option<Constraint>, bound: u64) {
        let Half { agent, path, clashes, cost, conflicts, .. } = half;
        let id =
            self.tree.push(Node::new(parent, agent, constraint, path, clashes, (cost, conflicts)));
        self.bounds.push((cost.max(bound), false));
        self.enter(id);
    }

    /// A half of a split; `Some(None)` if the agent has no path any more, `None` if the budget was not enough.
    #[allow(clippy::option_option)]
    fn half(
        &mut self,
        id: NodeId,
        agent: usize,
        constraint: Constraint,
        budget: &mut Budget<'_>,
    ) -> Option<Option<Half>> {
        let task = self.task(agent);
        let grid = self.instance.grid();
        self.constraints.set(self.tree.constraints(id, agent).chain([constraint]), task.goal);
        self.traffic.remove(grid, &self.paths[agent]);
        let found =
            self.routes.find(grid, task, &self.distances, &self.constraints, &self.traffic, budget);
        self.traffic.add(grid, &self.paths[agent]);
        let path = match found {
            Verdict::Found(path) => path,
            Verdict::Nothing => return Some(None),
            Verdict::OutOfBudget => return None,
        };
        let mut clashes = Vec::new();
        for (other, others) in self.paths.iter().enumerate().filter(|&(other, _)| other != agent) {
            let agents = [agent as u32, other as u32];
            clash::find(grid, agents, [&path, others], &mut clashes);
        }
        let left = self.clashes.iter().filter(|clash| !clash.concerns(agent as u32)).count();
        let cost = self.cost_with(Some((agent, &path)));
        let conflicts = (left + clashes.len()) as u32;
        Some(Some(Half { agent, constraint, path, clashes, cost, conflicts }))
    }

    /// The conflict to split: the earliest, of those that cost the most agents something in any case.
    fn choose(&mut self, id: NodeId) -> Option<Clash> {
        let clashes = std::mem::take(&mut self.clashes);
        let rank = |run: &mut Self, clash: &Clash| {
            let costly = if run.options.prioritise { run.costly_sides(id, clash) } else { 0 };
            (Reverse(costly), clash.tick, clash.agents)
        };
        let first = clashes.iter().min_by_key(|clash| rank(self, clash)).copied();
        self.clashes = clashes;
        first
    }

    /// How many of the two agents have to pay for a conflict in any case.
    fn costly_sides(&mut self, id: NodeId, clash: &Clash) -> usize {
        [0, 1].into_iter().filter(|&side| self.is_costly(id, clash, side)).count()
    }

    fn is_costly(&mut self, id: NodeId, clash: &Clash, side: usize) -> bool {
        let (agent, tick) = (clash.agents[side] as usize, clash.tick as usize);
        let singles = self.singles(id, agent);
        // After its arrival, an agent is on its goal and nowhere else.
        let is_single = |tick: usize| singles.get(tick).copied().unwrap_or(true);
        match clash.constraints[side] {
            Constraint::At { .. } => is_single(tick),
            Constraint::Step { .. } => is_single(tick) && is_single(tick - 1),
        }
    }

    fn singles(&mut self, id: NodeId, agent: usize) -> Arc<[bool]> {
        let origin = self.tree.origin(id, agent);
        if let Some(known) = self.tree.singles(origin, agent) {
            return Arc::clone(known);
        }
        let task = self.task(agent);
        self.constraints.set(self.tree.constraints(origin, agent), task.goal);
        let length = self.paths[agent].len() as u32 - 1;
        let (grid, distances) = (self.instance.grid(), &self.distances);
        let singles: Arc<[bool]> =
            self.mdd.singles(grid, task, length, distances, &self.constraints).into();
        *self.tree.singles(origin, agent) = Some(Arc::clone(&singles));
        singles
    }

    /// How much the conflicts of a node cost at least: in each pair with a conflict that costs both agents something, one
    /// of them has to pay.
    fn estimate(&mut self, id: NodeId) -> u64 {
        if self.options.objective == Objective::Makespan {
            return 0;
        }
        let clashes = std::mem::take(&mut self.clashes);
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for clash in &clashes {
            let mut pair = clash.agents;
            pair.sort_unstable();
            if !pairs.contains(&pair) && self.costly_sides(id, clash) == 2 {
                pairs.push(pair);
            }
        }
        self.clashes = clashes;
        cover::least_cover(&pairs)
    }
}

#[cfg(test)]
#[path = "cbs_test.rs"]
mod tests;
