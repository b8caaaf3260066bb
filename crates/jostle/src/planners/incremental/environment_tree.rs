//! The environment conflict tree: a conflict tree whose root is the plan that is being executed.
//!
//! When cells close or open, agents whose paths they cut get new ones, and conflicts between agents are split as in
//! conflict-based search, cheapest leaf first. What was executed stays: constraints and searches begin at the present tick.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::Course;
use super::guide::{Ask, Guide};
use super::outlook::Outlook;
use super::scene::Scene;
use crate::grid::{Cell, Grid};
use crate::search::{Budget, Verdict, straight};
use crate::solvers::Objective;
use crate::solvers::conflict_tree::{Constraint, Half, Itinerary, Joint, NodeId, Tree, at};

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
}

impl Options {
    /// Most repairs need a few. One that needs many takes longer than solving anew.
    pub const DEFAULT_NODES: u32 = 64;
}

/// A tree with more nodes is cut back to the leaf that is being executed.
const MOST_NODES: usize = 4096;

/// What an entry of the open list is sorted by: least cost first, then fewest conflicts, then the newest.
type Rank = Reverse<(u64, u32, Reverse<NodeId>)>;

/// The tree, and the searches of all agents.
#[derive(Clone, Debug)]
pub struct EnvironmentTree {
    options: Options,
    /// The tree, and the node in it whose paths are being executed; none before the first repair of a plan.
    tree: Option<(Joint, NodeId)>,
    guides: Vec<Guide>,
    open: BinaryHeap<Rank>,
    /// The constraints of the agent whose path is searched for.
    list: Vec<Constraint>,
}

/// When it is, and on which floor.
#[derive(Clone, Copy)]
struct Setting<'a> {
    scene: &'a Scene,
    outlook: &'a Outlook,
    /// The cells that can be walked at some time.
    floor: &'a Arc<Grid>,
    /// The tick of the world at which paths begin, and how many ticks have passed since.
    began: u64,
    now: u32,
}

/// An agent that is to get a new path.
#[derive(Clone)]
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
        Self { options, tree: None, guides: Vec::new(), open: BinaryHeap::new(), list: Vec::new() }
    }

    /// The same without a plan.
    pub const fn emptied(&self) -> Self {
        Self::new(self.options)
    }

    /// A new plan is being executed.
    pub fn begin(&mut self, paths: &[Arc<[Cell]>]) {
        self.tree = None;
        self.guides.resize_with(paths.len(), Guide::default);
        self.guides.iter_mut().for_each(Guide::forget);
    }

    /// Repairs a plan after cells have closed or opened, and makes it keep to the outlook. If that fails, the plan is as it was, and
    /// [`begin`](Self::begin) has to be called with another one.
    pub fn repair(
        &mut self,
        scene: &Scene,
        outlook: &Outlook,
        course: &mut Course,
        tick: u64,
        budget: &mut Budget<'_>,
    ) -> Verdict {
        let floor = outlook.ever(scene.shared_floor());
        let setting =
            Setting { scene, outlook, floor: &floor, began: course.began, now: course.now(tick) };
        for guide in &mut self.guides {
            match self.options.method {
                Method::Anew => guide.forget(),
                Method::Slpa { .. } | Method::DstarLite => {
                    guide.note(scene.edits(), setting.now + 1);
                }
            }
        }
        let cut = |agent: usize| {
            let cut = setting.cut(agent, &course.paths[agent])?;
            Some(Repair { agent, constraint: None, cut })
        };
        let cuts: Vec<Repair> = (0..course.paths.len()).filter_map(cut).collect();
        let gains = self.gains(setting, &course.paths, budget);
        if cuts.is_empty() && gains.is_empty() {
            return Verdict::Found(());
        }
        let (mut joint, present) = self.root(setting, &course.paths);
        let found = self.resolve(setting, &mut joint, present, &cuts, &gains, budget);
        found.map(|leaf| {
            course.paths.clone_from(&joint.paths);
            self.tree = Some((joint, leaf));
        })
    }

    /// The agents that would have a shorter way through cells that have opened, if no other agents were there.
    fn gains(
        &mut self,
        setting: Setting<'_>,
        paths: &[Arc<[Cell]>],
        budget: &mut Budget<'_>,
    ) -> Vec<usize> {
        let Setting { scene, floor, now, .. } = setting;
        let is_opened = |cell: &Cell| scene.floor().is_floor(*cell);
        let opened: Vec<Cell> = scene.edits().iter().copied().filter(is_opened).collect();
        if !self.options.openings || opened.is_empty() {
            return Vec::new();
        }
        let mut gains = Vec::new();
        for (agent, path) in paths.iter().enumerate() {
            let left = (path.len() as u32 - 1).saturating_sub(now);
            let (here, goal) = (at(path, now as usize), scene.agents()[agent].target);
            let could_gain =
                |&cell: &Cell| straight(floor, here, cell) + straight(floor, cell, goal) < left;
            if opened.iter().any(could_gain)
                && let Verdict::Found(steps) =
                    self.guides[agent].distance(floor, here, goal, budget)
                && steps < left
            {
                gains.push(agent);
            }
        }
        gains
    }

    /// The tree with the present plan as a root, or as the leaf from which it goes on.
    fn root(&mut self, setting: Setting<'_>, paths: &[Arc<[Cell]>]) -> (Joint, NodeId) {
        let before = self.tree.take();
        let keeps = self.options.inheritance == Inheritance::PathsAndConstraints;
        let (mut joint, leaf) = before
            .map_or_else(|| (setting.joint(paths), None), |(joint, leaf)| (joint, Some(leaf)));
        joint.grid = Arc::clone(setting.floor);
        match leaf {
            Some(leaf) if keeps && joint.tree.len() < MOST_NODES => {
                joint.go_to(leaf);
                (joint, leaf)
            }
            leaf => {
                for agent in 0..paths.len() {
                    let own = leaf.into_iter().flat_map(|leaf| joint.tree.constraints(leaf, agent));
                    let own: Vec<Constraint> = own.filter(|_| keeps).cloned().collect();
                    joint.given[agent].extend(own);
                }
                joint.tree = Tree::default();
                let root = joint.plant_paths(paths.to_vec());
                (joint, root)
            }
        }
    }

    /// Gives new paths to agents whose paths are cut or could be shorter, and resolves the conflicts. The leaf without conflicts is the
    /// present node of the tree then.
    fn resolve(
        &mut self,
        setting: Setting<'_>,
        joint: &mut Joint,
        mut root: NodeId,
        cuts: &[Repair],
        gains: &[usize],
        budget: &mut Budget<'_>,
    ) -> Verdict<NodeId> {
        for repair in cuts.iter().cloned() {
            // The wall cannot yield, so that there is one child only.
            root = match self.child(setting, joint, root, repair, budget) {
                Verdict::Found(half) => joint.add(root, half, false, 0),
                Verdict::Nothing => return Verdict::Nothing,
                Verdict::OutOfBudget => return Verdict::OutOfBudget,
            };
            joint.go_to(root);
        }
        for &agent in gains {
            let repair = Repair { agent, constraint: None, cut: setting.now };
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
        self.open.clear();
        self.enter(joint, root);
        let mut nodes = 0;
        while let Some(Reverse((cost, conflicts, Reverse(id)))) = self.open.pop() {
            joint.go_to(id);
            let Some(&clash) = joint.clashes.iter().min_by_key(|clash| (clash.tick, clash.agents))
            else {
                return Verdict::Found(id);
            };
            nodes += 1;
            if nodes > self.options.nodes {
                return Verdict::OutOfBudget;
            }
            let constraints = clash.constraints(&joint.grid, &joint.paths);
            let mut halves = Vec::new();
            for (agent, constraint) in clash.agents.into_iter().zip(constraints) {
                let (agent, constraint) = (agent as usize, Some(constraint));
                let repair = Repair { agent, constraint, cut: clash.tick };
                match self.child(setting, joint, id, repair, budget) {
                    Verdict::Found(half) => halves.push(half),
                    Verdict::Nothing => {}
                    Verdict::OutOfBudget => return Verdict::OutOfBudget,
                }
            }
            let is_bypass = |half: &Half| half.cost == cost && half.conflicts < conflicts;
            if let Some(half) = halves.iter().position(is_bypass) {
                let id = joint.add(id, halves.swap_remove(half), false, 0);
                self.enter(joint, id);
                continue;
            }
            for half in halves {
                let id = joint.add(id, half, true, 0);
                self.enter(joint, id);
            }
        }
        Verdict::Nothing
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
            began: setting.began,
            agent,
            goal: setting.scene.agents()[agent].target,
            now: setting.now,
            paths: &joint.paths,
            timetable: &joint.timetable,
            cut,
            constraints: &joint.constraints,
            list: &self.list,
        };
        let path = self.guides[agent].find(self.options.method, ask, budget);
        path.map(|path| {
            let shortest = path.len() as u32 - 1;
            // Without a constraint of its own, the node is added without one.
            let constraint = constraint.unwrap_or(Constraint::EndBefore { tick: 0 });
            joint.half(agent, constraint, path, shortest)
        })
    }

    /// Whether it holds the paths that are being executed.
    pub const fn holds_paths(&self) -> bool {
        self.tree.is_some()
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.tree.as_ref().map_or(0, |(joint, _)| joint.memory())
            + self.guides.iter().map(Guide::memory).sum::<usize>()
            + self.guides.capacity() * size_of::<Guide>()
            + self.open.capacity() * size_of::<Rank>()
            + self.list.capacity() * size_of::<Constraint>()
    }
}

impl Setting<'_> {
    /// A tree without nodes for these agents.
    fn joint(&self, paths: &[Arc<[Cell]>]) -> Joint {
        let agents = self.scene.agents().iter().zip(paths);
        // Distances come from the guides, so the table of the itinerary is never asked.
        let agents = agents.map(|(known, path)| Itinerary::to(path[0], known.target, Arc::new([])));
        Joint::new(Arc::clone(self.floor), agents.collect(), Objective::SumOfCosts)
    }

    /// The first tick after now at which a path makes a step that the floor does not allow.
    fn cut(&self, agent: usize, path: &[Cell]) -> Option<u32> {
        let here = at(path, self.now as usize);
        let ends = [here, self.scene.agents()[agent].target];
        let steps =
            (self.now as usize + 1..path.len()).map(|tick| (tick, path[tick - 1], path[tick]));
        let is_cut = |&(tick, from, to): &(usize, Cell, Cell)| {
            let direction = self.floor.step_between(from, to);
            let tick = self.began + tick as u64;
            (from != to && direction.is_none())
                || !self.outlook.allows(self.floor, (from, direction, to), tick, ends)
        };
        steps.into_iter().find(is_cut).map(|(tick, _, _)| tick as u32)
    }
}
