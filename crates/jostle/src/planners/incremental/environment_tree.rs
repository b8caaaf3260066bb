//! The environment conflict tree: a conflict tree whose root is the plan that is being executed.
//!
//! When cells close or open, agents whose paths they cut get new ones, and conflicts between agents are split as in
//! conflict-based search, cheapest leaf first. What was executed stays: the ticks of a repair count from the present one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::Course;
use super::guide::{Ask, Guide};
use super::outlook::Outlook;
use super::scene::Scene;
use crate::grid::{Cell, Grid, Neighbours};
use crate::search::{Budget, Verdict, straight};
use crate::solvers::conflict_tree::{
    Chooser, Constraint, Constraints, Half, Itinerary, Joint, NodeId, Split, Ways, at,
};
use crate::solvers::{Distances, Objective};

/// How the path of one agent is found again.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Method {
    /// By SLPA\*, from `rho` of the way back from where the path is cut, with states and distances that are kept.
    Slpa { rho: f64 },
    /// By D\* Lite; under constraints, by a new search through cells and ticks from where the agent is.
    DstarLite,
    /// By a new search through cells and ticks from where the agent is, with new distances after every change.
    Anew,
}

/// What the tree of one change takes over from that of the change before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inheritance {
    Paths,
    PathsAndConstraints,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    pub method: Method,
    pub inheritance: Inheritance,
    /// Whether agents take shorter paths when cells open.
    pub openings: bool,
    /// The most nodes of a repair.
    pub nodes: u32,
    /// How conflicts are chosen and split.
    pub ways: Ways,
}

/// What an entry of the open list is sorted by: least cost first, then fewest conflicts, then the newest.
type Rank = Reverse<(u64, u32, Reverse<NodeId>)>;

/// The tree, and the searches of all agents.
#[derive(Clone, Debug)]
pub struct EnvironmentTree {
    options: Options,
    /// What each agent must not do according to the leaf that is being executed.
    inherited: Vec<Vec<Constraint>>,
    guides: Vec<Guide>,
    open: BinaryHeap<Rank>,
    /// The constraints of the agent whose path is searched for.
    list: Vec<Constraint>,
}

/// On which floor it is, and the tick of the world from which ticks count: the present one.
#[derive(Clone, Copy)]
struct Setting<'a> {
    scene: &'a Scene,
    outlook: &'a Outlook,
    /// The cells that can be walked at some time.
    floor: &'a Arc<Grid>,
    tick: u64,
}

/// An agent that is to get a new path.
struct Repair {
    agent: usize,
    /// What it must not do any more.
    constraint: Option<Constraint>,
    /// The first tick at which its present path is no longer good.
    cut: u32,
}

impl EnvironmentTree {
    /// No plan yet.
    pub const fn new(options: Options) -> Self {
        Self {
            options,
            inherited: Vec::new(),
            guides: Vec::new(),
            open: BinaryHeap::new(),
            list: Vec::new(),
        }
    }

    /// The same without a plan.
    pub const fn emptied(&self) -> Self {
        Self::new(self.options)
    }

    /// Cells have closed or opened, `now` ticks after the beginning of the plan that is being executed.
    pub fn note(&mut self, edits: &[Cell], now: u32) {
        for guide in &mut self.guides {
            match self.options.method {
                Method::Anew => guide.forget(),
                Method::Slpa { .. } | Method::DstarLite => guide.note(edits, now + 1),
            }
        }
    }

    /// The steps to the targets of all agents, if they are kept from one change to the next.
    pub fn distances(&mut self, scene: &Scene, floor: &Grid) -> Option<Distances> {
        if !matches!(self.options.method, Method::Slpa { .. }) {
            return None;
        }
        let agents = scene.agents();
        self.guides.resize_with(agents.len(), Guide::default);
        let tables = self.guides.iter_mut().zip(agents);
        let tables = tables.map(|(guide, known)| Arc::clone(guide.table(floor, known.target)));
        Some(Distances::of(tables.collect()))
    }

    /// A new plan is being executed.
    pub fn begin(&mut self, agents: usize) {
        self.inherited.clear();
        self.inherited.resize(agents, Vec::new());
        self.guides.resize_with(agents, Guide::default);
        for guide in &mut self.guides {
            match self.options.method {
                Method::Slpa { .. } => guide.forget_states(),
                Method::DstarLite | Method::Anew => guide.forget(),
            }
        }
    }

    /// Repairs a plan after cells have closed or opened, and makes it keep to the outlook. If that fails, the plan is as it was, and
    /// [`begin`](Self::begin) has to be called when there is another one.
    pub fn repair(
        &mut self,
        scene: &Scene,
        outlook: &Outlook,
        course: &mut Course,
        tick: u64,
        budget: &mut Budget<'_>,
    ) -> Verdict {
        let floor = outlook.ever(scene.shared_floor());
        let setting = Setting { scene, outlook, floor: &floor, tick };
        let now = course.now(tick);
        let mut paths = course.paths.iter().enumerate();
        let is_cut = paths.any(|(agent, path)| setting.cut(agent, now, path).is_some());
        let gains = self.gains(setting, now, &course.paths, budget);
        if !is_cut && gains.is_empty() {
            return Verdict::Found(());
        }
        course.begin_at(tick);
        let mut joint = self.root(setting, now, course.paths.clone());
        let found = self.resolve(setting, &mut joint, &gains, budget);
        found.map(|leaf| {
            for (agent, inherited) in self.inherited.iter_mut().enumerate() {
                inherited.extend(joint.tree.constraints(leaf, agent).cloned());
            }
            course.paths = joint.paths;
        })
    }

    /// The agents that would have a shorter way through cells that have opened, if no other agents were there.
    fn gains(
        &mut self,
        Setting { scene, floor, .. }: Setting<'_>,
        now: u32,
        paths: &[Arc<[Cell]>],
        budget: &mut Budget<'_>,
    ) -> Vec<usize> {
        let method = self.options.method;
        let is_opened = |cell: &Cell| scene.floor().is_floor(*cell);
        let opened: Vec<Cell> = scene.edits().iter().copied().filter(is_opened).collect();
        if !self.options.openings || opened.is_empty() {
            return Vec::new();
        }
        // A step past the corner of a cell is one shorter than the way over it.
        let corner = u32::from(floor.rules().neighbours == Neighbours::Eight);
        let mut gains = Vec::new();
        for (agent, path) in paths.iter().enumerate() {
            let left = (path.len() as u32 - 1).saturating_sub(now);
            let (here, goal) = (at(path, now as usize), scene.agents()[agent].target);
            let could_gain = |&cell: &Cell| {
                straight(floor, here, cell) + straight(floor, cell, goal) < left + corner
            };
            if opened.iter().any(could_gain)
                && let Verdict::Found(steps) =
                    self.guides[agent].distance(method, floor, [here, goal], budget)
                && steps < left
            {
                gains.push(agent);
            }
        }
        gains
    }

    /// A tree with the plan as its root, `now` ticks after it began, under the constraints that are inherited.
    fn root(&mut self, setting: Setting<'_>, now: u32, paths: Vec<Arc<[Cell]>>) -> Joint {
        let keeps = self.options.inheritance == Inheritance::PathsAndConstraints;
        let floor = setting.floor;
        for (guide, inherited) in self.guides.iter_mut().zip(&mut self.inherited) {
            guide.pass(now, floor);
            let left = inherited.iter().filter(|_| keeps);
            *inherited = left.filter_map(|constraint| constraint.after(now, floor)).collect();
        }
        let agents = setting.scene.agents().iter().zip(&paths);
        // The tables of agents are asked for when they are needed.
        let agents = agents.map(|(known, path)| Itinerary::to(path[0], known.target, Arc::new([])));
        let mut joint = Joint::new(Arc::clone(floor), agents.collect(), Objective::SumOfCosts);
        joint.given.clone_from(&self.inherited);
        joint.plant_paths(paths);
        joint
    }

    /// Gives new paths to agents whose paths are cut or could be shorter, and resolves the conflicts. The leaf without conflicts is the
    /// present node of the tree then.
    fn resolve(
        &mut self,
        setting: Setting<'_>,
        joint: &mut Joint,
        gains: &[usize],
        budget: &mut Budget<'_>,
    ) -> Verdict<NodeId> {
        let mut root = 0;
        for agent in 0..joint.paths.len() {
            let Some(cut) = setting.cut(agent, 0, &joint.paths[agent]) else { continue };
            // The wall cannot yield, so that there is one child only.
            let repair = Repair { agent, constraint: None, cut };
            root = match self.child(setting, joint, root, repair, budget) {
                Verdict::Found(half) => joint.add(root, half, false, 0),
                Verdict::Nothing => return Verdict::Nothing,
                Verdict::OutOfBudget => return Verdict::OutOfBudget,
            };
            joint.go_to(root);
        }
        for &agent in gains {
            let repair = Repair { agent, constraint: None, cut: 0 };
            let cost = joint.tree.node(root).cost;
            let half = self.child(setting, joint, root, repair, budget).found();
            if let Some(half) = half.filter(|half| half.cost < cost) {
                root = joint.add(root, half, false, 0);
                joint.go_to(root);
            }
        }
        self.search(setting, joint, root, budget)
    }

    /// Best-first search from a node, which is the present one, for a leaf without conflicts.
    fn search(
        &mut self,
        setting: Setting<'_>,
        joint: &mut Joint,
        root: NodeId,
        budget: &mut Budget<'_>,
    ) -> Verdict<NodeId> {
        let mut chooser = Chooser::new(self.options.ways);
        self.open.clear();
        self.enter(joint, root);
        let mut nodes = 0;
        while let Some(Reverse((_, _, Reverse(id)))) = self.open.pop() {
            joint.go_to(id);
            if joint.clashes.is_empty() {
                return Verdict::Found(id);
            }
            nodes += 1;
            if nodes > self.options.nodes {
                return Verdict::OutOfBudget;
            }
            self.inform(setting, joint);
            // Only nodes with conflicts are split.
            let Some(split) = chooser.choose(joint, id, budget) else { continue };
            let Split { agents, constraints } = split;
            let mut halves = Vec::new();
            for (agent, constraint) in agents.into_iter().zip(constraints) {
                joint.set_constraints(agent, None, Some(&constraint));
                let cut = broken(&joint.grid, &joint.paths[agent], &joint.constraints);
                let repair = Repair { agent, constraint: Some(constraint), cut };
                match self.child(setting, joint, id, repair, budget) {
                    Verdict::Found(half) => halves.push(half),
                    Verdict::Nothing => {}
                    Verdict::OutOfBudget => return Verdict::OutOfBudget,
                }
            }
            for id in joint.add_halves(id, halves, true) {
                self.enter(joint, id);
            }
        }
        Verdict::Nothing
    }

    /// Gives the tree the tables of the agents in conflict, which the better ways to split conflicts need.
    fn inform(&mut self, setting: Setting<'_>, joint: &mut Joint) {
        if self.options.method == Method::DstarLite || self.options.ways == Ways::PLAIN {
            return;
        }
        let agents = joint.clashes.iter().flat_map(|clash| clash.agents);
        for agent in agents.map(|agent| agent as usize) {
            for stop in &mut joint.agents[agent].stops {
                if stop.steps.is_empty() {
                    stop.steps = Arc::clone(self.guides[agent].table(setting.floor, stop.cell));
                }
            }
        }
    }

    fn enter(&mut self, joint: &Joint, id: NodeId) {
        let node = joint.tree.node(id);
        self.open.push(Reverse((node.cost, node.conflicts, Reverse(id))));
    }

    /// The present node with a new path for one agent.
    fn child(
        &mut self,
        setting: Setting<'_>,
        joint: &mut Joint,
        id: NodeId,
        Repair { agent, constraint, cut }: Repair,
        budget: &mut Budget<'_>,
    ) -> Verdict<Half> {
        joint.set_constraints(agent, Some(id), constraint.as_ref());
        self.list.clear();
        let own = joint.constraints_of(agent, Some(id)).chain(&constraint);
        self.list.extend(own.cloned());
        let ask = Ask {
            grid: setting.floor,
            outlook: setting.outlook,
            began: setting.tick,
            agent,
            goal: setting.scene.agents()[agent].target,
            paths: &joint.paths,
            timetable: &joint.timetable,
            cut,
            constraints: &joint.constraints,
            list: &self.list,
        };
        let path = self.guides[agent].find(self.options.method, ask, budget);
        path.map(|(path, shortest)| {
            // Without a constraint of its own, the node is added without one.
            let constraint = constraint.unwrap_or(Constraint::EndBefore { tick: 0 });
            joint.half(agent, constraint, path, shortest)
        })
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        let inherited = self.inherited.iter().map(Vec::capacity).sum::<usize>();
        self.guides.iter().map(Guide::memory).sum::<usize>()
            + self.guides.capacity() * size_of::<Guide>()
            + self.open.capacity() * size_of::<Rank>()
            + (inherited + self.list.capacity()) * size_of::<Constraint>()
            + self.inherited.capacity() * size_of::<Vec<Constraint>>()
    }
}

impl Setting<'_> {
    /// The first tick after `now`, which is the present one, at which a path makes a step that the floor does not allow.
    fn cut(&self, agent: usize, now: u32, path: &[Cell]) -> Option<u32> {
        let now = now as usize;
        let ends = [at(path, now), self.scene.agents()[agent].target];
        let is_cut = |&tick: &usize| {
            let (from, to) = (path[tick - 1], path[tick]);
            let direction = self.floor.step_between(from, to);
            let when = self.tick + (tick - now) as u64;
            (from != to && direction.is_none())
                || !self.outlook.allows(self.floor, (from, direction, to), when, ends)
        };
        (now + 1..path.len()).find(is_cut).map(|tick| tick as u32)
    }
}

/// The first tick at which a path breaks constraints: its last one, if it ends too early.
fn broken(grid: &Grid, path: &[Cell], constraints: &Constraints) -> u32 {
    let is_broken = |&tick: &usize| {
        let (from, to) = (path[tick - 1], path[tick]);
        !constraints.allow(from, grid.step_between(from, to), to, tick as u32)
    };
    (1..path.len()).find(is_broken).unwrap_or(path.len() - 1) as u32
}
