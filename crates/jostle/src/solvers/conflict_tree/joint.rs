//! The conflict tree with the node that is looked at: its paths, its conflicts, and how it is split.

mod roots;

use std::sync::Arc;

use super::{
    Clash, Constraint, Constraints, Itinerary, Mdd, Node, NodeId, Question, Routes, Timetable,
    Tree, clash,
};
use crate::grid::{Cell, Grid};
use crate::plan::{Plan, TimedPath};
use crate::search::{Budget, Verdict};
use crate::solvers::Objective;

/// Two agents in conflict, and what each is forbidden in its half.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Split {
    pub agents: [usize; 2],
    pub constraints: [Constraint; 2],
}

/// One half of a split.
#[derive(Clone, Debug)]
pub struct Half {
    pub agent: usize,
    pub constraint: Constraint,
    pub path: Arc<[Cell]>,
    /// No path of the agent is shorter.
    pub shortest: u32,
    pub clashes: Vec<Clash>,
    pub cost: u64,
    /// How many conflicts all agents have.
    pub conflicts: u32,
}

/// A split that is being made.
#[derive(Clone, Debug)]
struct Work {
    id: NodeId,
    split: Split,
    halves: Vec<Half>,
    /// The side that is searched for, or comes next.
    side: usize,
    is_searching: bool,
}

/// The tree, and the one node that is looked at: the present one.
#[derive(Clone, Debug)]
pub struct Joint {
    pub grid: Arc<Grid>,
    /// What every agent has to do. In a tree with several roots, that may depend on the root.
    pub agents: Vec<Itinerary>,
    pub objective: Objective,
    /// How many thousandths of the shortest length a path may have.
    pub weight: u32,
    pub tree: Tree,
    /// The paths of the present node, which are in the timetable.
    pub paths: Vec<Arc<[Cell]>>,
    /// The conflicts of the present node.
    pub clashes: Vec<Clash>,
    pub timetable: Timetable,
    /// What holds for an agent in every node.
    pub given: Vec<Vec<Constraint>>,
    pub constraints: Constraints,
    /// Diagrams of two agents.
    pub mdds: [Mdd; 2],
    routes: Routes,
    /// The paths of a root that is being made, and how short they could be at best.
    shortest: Vec<u32>,
    is_planting: bool,
    /// The agents that get new paths in a root that is being made from another one, the next one last.
    to_replan: Vec<usize>,
    is_replanning: bool,
    /// How often the paths of a root are looked at once more, for paths of the same length with fewer conflicts.
    polish_rounds: usize,
    /// How many agents the polishing of the root has looked at, and whether it is searching for one.
    polished: usize,
    is_polishing: bool,
    work: Option<Work>,
}

impl Joint {
    /// How often the paths of a root are looked at once more, unless that is switched off.
    const POLISH_ROUNDS: usize = 3;

    /// Switches the second look at the paths of a root off or on.
    pub const fn set_polishing(&mut self, is_on: bool) {
        self.polish_rounds = if is_on { Self::POLISH_ROUNDS } else { 0 };
    }

    /// No paths yet for these agents.
    pub fn new(grid: Arc<Grid>, agents: Vec<Itinerary>, objective: Objective) -> Self {
        Self {
            timetable: Timetable::on(&grid),
            grid,
            given: vec![Vec::new(); agents.len()],
            agents,
            objective,
            weight: Question::SHORTEST,
            tree: Tree::default(),
            paths: Vec::new(),
            clashes: Vec::new(),
            constraints: Constraints::default(),
            mdds: <[Mdd; 2]>::default(),
            routes: Routes::default(),
            shortest: Vec::new(),
            is_planting: false,
            to_replan: Vec::new(),
            is_replanning: false,
            polish_rounds: Self::POLISH_ROUNDS,
            polished: 0,
            is_polishing: false,
            work: None,
        }
    }

    /// Makes another node the present one. If it has another root, set the itineraries of that root first; agents stay or leave as
    /// before.
    pub fn go_to(&mut self, id: NodeId) {
        let mut paths = Vec::new();
        self.tree.paths(id, &mut paths);
        for (agent, (before, now)) in self.paths.iter().zip(&paths).enumerate() {
            if !Arc::ptr_eq(before, now) {
                let stays = self.agents[agent].stays();
                self.timetable.remove(agent, before, stays);
                self.timetable.add(agent, now, stays);
            }
        }
        for (agent, path) in paths.iter().enumerate().skip(self.paths.len()) {
            self.timetable.add(agent, path, self.agents[agent].stays());
        }
        self.paths = paths;
        self.tree.clashes(id, &mut self.clashes);
    }

    /// The node of which a split is being made that did not end within its budget.
    pub fn unfinished(&self) -> Option<NodeId> {
        self.work.as_ref().map(|work| work.id)
    }

    /// The halves of a split of the present node; those without a path for the agent are left out. `None` if the budget was not enough: call
    /// [`Joint::resume`] then, before anything else is done.
    pub fn split(
        &mut self,
        id: NodeId,
        split: Split,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Half>> {
        self.work = Some(Work { id, split, halves: Vec::new(), side: 0, is_searching: false });
        self.resume(budget)
    }

    /// Goes on with a split that did not end.
    pub fn resume(&mut self, budget: &mut Budget<'_>) -> Option<Vec<Half>> {
        let mut work = self.work.take()?;
        while work.side < 2 {
            let agent = work.split.agents[work.side];
            let constraint = &work.split.constraints[work.side];
            let stays = self.agents[agent].stays();
            if !std::mem::replace(&mut work.is_searching, true) {
                self.set_constraints(agent, Some(work.id), Some(constraint));
                self.timetable.remove(agent, &self.paths[agent], stays);
                self.begin_search(agent, budget);
            }
            let found = self.go_on_searching(agent, budget);
            if found == Verdict::OutOfBudget {
                self.work = Some(work);
                return None;
            }
            self.timetable.add(agent, &self.paths[agent], stays);
            work.is_searching = false;
            work.side += 1;
            let Verdict::Found(path) = found else { continue };
            let shortest = self.routes.bound;
            work.halves.push(self.half(agent, constraint.clone(), path, shortest));
        }
        Some(work.halves)
    }

    fn begin_search(&mut self, agent: usize, budget: &mut Budget<'_>) {
        let mut routes = std::mem::take(&mut self.routes);
        routes.begin(self.question(agent), budget);
        self.routes = routes;
    }

    fn go_on_searching(&mut self, agent: usize, budget: &mut Budget<'_>) -> Verdict<Arc<[Cell]>> {
        let mut routes = std::mem::take(&mut self.routes);
        let found = routes.go_on(self.question(agent), budget);
        self.routes = routes;
        found
    }

    /// What a search for a path of an agent is about, under the constraints that are set.
    fn question(&self, agent: usize) -> Question<'_> {
        Question {
            grid: &self.grid,
            itinerary: &self.agents[agent],
            constraints: &self.constraints,
            timetable: &self.timetable,
            paths: &self.paths,
            longest: self.longest(),
            weight: self.weight,
        }
    }

    /// The present node with a new path for one agent, under one more constraint.
    pub fn half(
        &self,
        agent: usize,
        constraint: Constraint,
        path: Arc<[Cell]>,
        shortest: u32,
    ) -> Half {
        let mut clashes = Vec::new();
        self.find_clashes(agent, &path, &mut clashes);
        let left = self.clashes.iter().filter(|clash| !clash.concerns(agent as u32)).count();
        let conflicts = (left + clashes.len()) as u32;
        let cost = self.cost_with(Some((agent, &path)));
        Half { agent, constraint, path, shortest, clashes, cost, conflicts }
    }

    /// Adds a half of a split of a node to the tree; without its constraint if only its path is taken over.
    pub fn add(
        &mut self,
        parent: NodeId,
        half: Half,
        keeps_constraint: bool,
        bound: u64,
    ) -> NodeId {
        let Half { agent, constraint, path, shortest, clashes, cost, conflicts } = half;
        let constraint = keeps_constraint.then_some(constraint);
        let (clashes, costs) = ((clashes, conflicts), (cost, bound));
        self.tree.push(Node::new(parent, (agent, constraint), (path, shortest), clashes, costs))
    }

    /// Adds the halves of a split to the tree, or, with `may_bypass`, takes over the path of a half that is as cheap and has fewer
    /// conflicts instead. Returns the new nodes.
    pub fn add_halves(
        &mut self,
        id: NodeId,
        mut halves: Vec<Half>,
        may_bypass: bool,
    ) -> Vec<NodeId> {
        let node = self.tree.node(id);
        let (cost, conflicts, bound) = (node.cost, node.conflicts, node.bound);
        let is_bypass = |half: &Half| half.cost == cost && half.conflicts < conflicts;
        if let Some(half) = halves.iter().position(is_bypass).filter(|_| may_bypass) {
            return vec![self.add(id, halves.swap_remove(half), false, bound)];
        }
        let add = |half: Half| {
            let bound = half.cost.max(bound);
            self.add(id, half, true, bound)
        };
        halves.into_iter().map(add).collect()
    }

    /// Makes `constraints` those of an agent in a node, and one more.
    pub fn set_constraints(&mut self, agent: usize, id: Option<NodeId>, more: Option<&Constraint>) {
        let mut constraints = std::mem::take(&mut self.constraints);
        let own = self.constraints_of(agent, id).chain(more);
        constraints.set(&self.grid, own, &self.agents[agent]);
        self.constraints = constraints;
    }

    /// The constraints of an agent in a node, and those that are given; without a node, only these.
    pub fn constraints_of(
        &self,
        agent: usize,
        id: Option<NodeId>,
    ) -> impl Iterator<Item = &Constraint> {
        let own = id.into_iter().flat_map(move |id| self.tree.constraints(id, agent));
        self.given[agent].iter().chain(own)
    }

    fn find_clashes(&self, agent: usize, path: &[Cell], clashes: &mut Vec<Clash>) {
        let (longest, itinerary) = (self.longest(), &self.agents[agent]);
        let who = (agent, itinerary, path);
        clash::find(&self.grid, who, &self.timetable, &self.paths, longest, clashes);
    }

    fn longest(&self) -> usize {
        self.paths.iter().map(|path| path.len()).max().unwrap_or(0)
    }

    /// The cost of the present paths, with another one for one agent.
    pub fn cost_with(&self, other: Option<(usize, &[Cell])>) -> u64 {
        self.objective.total(self.paths.iter().enumerate().map(|(agent, present)| {
            let path = other.filter(|(one, _)| *one == agent).map_or(&**present, |(_, path)| path);
            path.len() as u64 - 1
        }))
    }

    /// At which ticks all paths of an agent of the present length, under the constraints of a node, go through one cell.
    pub fn singles(&mut self, id: NodeId, agent: usize) -> Arc<[bool]> {
        let length = self.paths[agent].len();
        // There are other ways if the path need not be the shortest, and the diagram would be large.
        if length as u32 - 1 > self.tree.shortest(id, agent) {
            return vec![false; length].into();
        }
        let origin = self.tree.origin(id, agent);
        if let Some(known) = self.tree.singles(origin, agent) {
            return known;
        }
        self.build_mdd(0, id, agent);
        let singles: Arc<[bool]> = self.mdds[0].singles().into();
        self.tree.set_singles(origin, agent, Arc::clone(&singles));
        singles
    }

    /// Makes one of the diagrams that of an agent: all its paths of the present length, under its constraints.
    pub fn build_mdd(&mut self, which: usize, id: NodeId, agent: usize) {
        self.set_constraints(agent, Some(id), None);
        let length = self.paths[agent].len() as u32 - 1;
        self.mdds[which].build(&self.grid, &self.agents[agent], length, &self.constraints);
    }

    /// The present paths as a plan.
    pub fn plan(&self) -> Plan {
        let path = |(path, itinerary): (&Arc<[Cell]>, &Itinerary)| TimedPath {
            stays: itinerary.stays(),
            ..TimedPath::of(path.to_vec())
        };
        let paths = self.paths.iter().zip(&self.agents).map(path).collect();
        Plan::new(Arc::clone(&self.grid), paths)
    }

    /// Nominal bytes of the tables of distances, which never grow. Agents with the same stop share
    /// one.
    fn tables(&self) -> usize {
        let stops = self.agents.iter().flat_map(|itinerary| &itinerary.stops);
        let mut tables: Vec<_> = stops.map(|stop| (stop.cell.index(), stop.steps.len())).collect();
        tables.sort_unstable();
        tables.dedup();
        tables.into_iter().map(|(_, cells)| 4 * cells).sum()
    }

    /// Nominal bytes.
    pub fn held(&self) -> usize {
        self.tree.held()
            + self.routes.held()
            + self.timetable.held()
            + self.tables()
            + self.mdds.iter().map(Mdd::held).sum::<usize>()
    }

    /// Bytes the search holds.
    pub fn memory(&self) -> usize {
        self.tree.memory()
            + self.routes.memory()
            + self.timetable.memory()
            + self.tables()
            + self.mdds.iter().map(Mdd::memory).sum::<usize>()
    }
}
