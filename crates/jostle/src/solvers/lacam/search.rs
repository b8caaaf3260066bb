//! The search of LaCAM and LaCAM\* over configurations, in the papers' names.

use std::cmp::Reverse;
use std::sync::Arc;

use rand::RngExt;
use rand::seq::SliceRandom;

use super::constraints::Constraints;
use super::edges::Edges;
use super::generator::Generator;
use super::nodes::{NOBODY, NodeId, Nodes, ROOT};
use super::open::Open;
use crate::grid::{Cell, Grid};
use crate::plan::{Plan, TimedPath};
use crate::search::GoalDistances;
use crate::solvers::Objective;

/// How often LaCAM\* goes on from the root instead of from a configuration that it finds again: one time in so many (paper: 0.001).
const RESTART_EVERY: u32 = 1000;

/// After how many steps it is looked at how much the search holds. A look costs a few nanoseconds
/// for each agent.
const LOOK_EVERY: u32 = 16;

/// The result of a step of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// Nothing new is known.
    None,
    /// The path to the goal configuration is the first one, or cheaper than before.
    Better,
    /// There is nothing left to look at: no plan costs less than [`Search::upper`].
    Exhausted,
    /// The search holds as much as it may.
    Full,
}

/// A depth-first search over configurations.
#[derive(Clone, Debug)]
pub struct Search {
    grid: Arc<Grid>,
    objective: Objective,
    /// Whether to go on after the first solution.
    is_star: bool,
    /// The most nominal bytes to hold.
    most_held: usize,
    /// How many steps are made before it is looked at again how many there are.
    until_look: u32,
    pub generator: Generator,
    pub nodes: Nodes,
    constraints: Constraints,
    open: Open,
    edges: Edges,
    /// The agents in the order in which they choose first: those far from their goals come first.
    first_order: Vec<u32>,
    /// The goal configuration, once it was found.
    pub goal: Option<NodeId>,
    /// The configuration that was looked at last: the successor that was generated, or the one from which none was.
    pub last: NodeId,
    /// Only plans that cost less are looked for.
    pub upper: u64,
    decided: Vec<Cell>,
    next: Vec<Cell>,
    order: Vec<u32>,
}

impl Search {
    /// A search without a root yet.
    pub fn new(
        grid: Arc<Grid>,
        generator: Generator,
        objective: Objective,
        (is_star, most_held): (bool, usize),
    ) -> Self {
        let agents = generator.goals().len();
        Self {
            grid,
            objective,
            is_star,
            most_held,
            until_look: 0,
            generator,
            nodes: Nodes::of(agents),
            constraints: Constraints::default(),
            open: Open::new(),
            edges: Edges::default(),
            first_order: Vec::new(),
            goal: None,
            last: ROOT,
            upper: u64::MAX,
            decided: Vec::new(),
            next: Vec::new(),
            order: Vec::new(),
        }
    }

    /// Finds the distance of an agent's start from its goal.
    pub fn prepare(&mut self, agent: usize, start: Cell) -> u32 {
        self.generator.distances.start_distance(&self.grid, agent, start)
    }

    /// Adds the root. These are the steps of each agent to its goal, all finite. Returns what the cheapest plan costs at least.
    pub fn begin(&mut self, starts: &[Cell], shortest: &[u32]) -> (u64, Event) {
        self.first_order.extend(0..starts.len() as u32);
        self.first_order.sort_by_key(|&agent| Reverse(shortest[agent as usize]));
        let h = self.objective.total(shortest.iter().map(|&steps| u64::from(steps)));
        self.set_order(NOBODY, starts);
        (h, self.add(starts, (NOBODY, 0, h)))
    }

    /// Forgets all configurations, but not the distances, so that another root can be [added](Self::begin). The lists keep their
    /// memory unless that is all that is allowed.
    pub fn forget(&mut self) {
        if self.held() > self.most_held {
            self.nodes = Nodes::of(self.generator.goals().len());
            self.constraints = Constraints::default();
            self.open = Open::new();
            self.edges = Edges::default();
        }
        self.nodes.clear();
        self.constraints.clear();
        self.open.clear();
        self.edges.clear();
        self.first_order.clear();
        self.generator.begin_anew();
        (self.goal, self.last, self.upper) = (None, ROOT, u64::MAX);
        self.until_look = 0;
    }

    /// Looks at one constraint of the configuration on the top of the stack, and generates at most one successor.
    pub fn expand(&mut self) -> Event {
        if !self.make_room() {
            return Event::Full;
        }
        let (node, constraint) = loop {
            let Some(top) = self.open.top() else { return Event::Exhausted };
            let is_too_dear = self.is_star && self.nodes.f(top) >= self.upper;
            // One that is too dear now may have a cheaper path later, so it keeps its constraints.
            let constraint = if is_too_dear { None } else { self.constraints.take(top) };
            match constraint {
                Some(constraint) => break (top, constraint),
                None => self.open.remove(top),
            }
        };
        self.last = node;
        let Self { grid, nodes, generator, constraints, decided, .. } = self;
        constraints.decided(constraint, decided);
        let (cells, order) = (nodes.cells(node), nodes.order(node));
        if !generator.begin(grid, cells, order, decided) {
            // What is decided further down the tree of constraints is not legal either.
            generator.choices += 1;
            return Event::None;
        }
        if let Some(&agent) = order.get(decided.len()) {
            let here = cells[agent as usize];
            let mut near = [Cell::NOWHERE; 9];
            let mut count = 0;
            for to in grid.neighbours(here).chain([here]) {
                if to == here || generator.distances.get(agent as usize, to) != GoalDistances::NONE
                {
                    near[count] = to;
                    count += 1;
                }
            }
            near[..count].shuffle(&mut generator.dice);
            near[..count].iter().for_each(|&to| constraints.add(node, constraint, to));
        }
        let Some((next, h)) = generator.run(grid, order, decided) else { return Event::None };
        self.next.clear();
        self.next.extend_from_slice(next);
        self.arrive(node, h)
    }

    /// The plan of the cheapest path to the goal configuration that is known.
    pub fn plan(&self) -> Option<Plan> {
        let path = self.nodes.path(self.goal?);
        let paths = self.generator.goals().iter().enumerate().map(|(agent, &goal)| {
            let mut cells: Vec<Cell> =
                path.iter().map(|&node| self.nodes.cells(node)[agent]).collect();
            let arrives = cells.iter().rposition(|&cell| cell != goal).map_or(0, |at| at + 1);
            cells.truncate(arrives + 1);
            TimedPath::of(cells)
        });
        Some(Plan::new(Arc::clone(&self.grid), paths.collect()))
    }

    /// How many configurations were found.
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Nominal bytes.
    pub fn held(&self) -> usize {
        self.generator.held(&self.grid)
            + self.nodes.held()
            + self.constraints.held()
            + self.open.held()
            + self.edges.held()
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.generator.memory()
            + self.nodes.memory()
            + self.constraints.memory()
            + self.open.memory()
            + self.edges.memory()
            + (self.decided.capacity() + self.next.capacity()) * size_of::<Cell>()
            + (self.first_order.capacity() + self.order.capacity()) * size_of::<u32>()
    }

    /// Takes over the configuration in `next` as a successor of a node.
    fn arrive(&mut self, from: NodeId, h: u64) -> Event {
        let cost = self.cost(from);
        let Some(known) = self.nodes.find(&self.next) else {
            let next = std::mem::take(&mut self.next);
            self.set_order(from, &next);
            let g = self.nodes.node(from).g + u64::from(cost);
            let id = self.nodes.len() as NodeId;
            let event = self.add(&next, (from, g, h));
            self.last = id;
            self.next = next;
            if self.is_star {
                self.edges.add(from, id, cost);
            }
            return event;
        };
        self.last = known;
        if !self.is_star {
            self.open.push(known);
            return Event::None;
        }
        self.edges.add(from, known, cost);
        let Self { edges, nodes, open, goal, upper, .. } = self;
        let before = goal.map(|goal| nodes.node(goal).g);
        edges.relax(nodes, from, |nodes, cheaper| {
            if nodes.f(cheaper) < *upper && Some(cheaper) != *goal {
                open.push(cheaper);
            }
        });
        let has_plan = goal.is_some();
        let restarts = has_plan && self.generator.dice.random_ratio(1, RESTART_EVERY);
        let again = if restarts { ROOT } else { known };
        if Some(again) != self.goal && self.nodes.f(again) < self.upper {
            self.open.push(again);
        }
        let now = self.goal.map(|goal| self.nodes.node(goal).g);
        if now < before { self.improve() } else { Event::None }
    }

    /// Adds a configuration whose order is known.
    fn add(&mut self, cells: &[Cell], (parent, g, h): (NodeId, u64, u64)) -> Event {
        let id = self.nodes.add(cells, &self.order, (parent, g, h));
        self.constraints.add_tree();
        if self.generator.is_goal(cells) {
            self.goal = Some(id);
            return self.improve();
        }
        if !self.is_star || self.nodes.f(id) < self.upper {
            self.open.push(id);
        }
        Event::None
    }

    /// From now on, only plans that cost less than the known one are looked for.
    fn improve(&mut self) -> Event {
        self.upper = self.goal.map_or(self.upper, |goal| self.upper.min(self.nodes.node(goal).g));
        Event::Better
    }

    /// The order in which agents choose on these cells. An agent that is not on its goal has waited longer than before, and longer than those
    /// that were on their goals. So those keep their order, and the others follow in the first order, as in the paper.
    fn set_order(&mut self, parent: NodeId, cells: &[Cell]) {
        let Self { nodes, generator, first_order, order, .. } = self;
        let before = if parent == NOBODY { &first_order[..] } else { nodes.order(parent) };
        let has_arrived =
            |&&agent: &&u32| cells[agent as usize] == generator.goals()[agent as usize];
        order.clear();
        order.extend(before.iter().filter(|agent| !has_arrived(agent)));
        order.extend(first_order.iter().filter(has_arrived));
    }

    /// What the step from a node to the configuration in `next` costs.
    fn cost(&self, from: NodeId) -> u32 {
        match self.objective {
            Objective::Makespan => 1,
            // An agent that stays on its goal costs nothing, even if it leaves later.
            Objective::SumOfCosts => {
                let goals = self.generator.goals().iter();
                let steps = self.nodes.cells(from).iter().zip(&self.next);
                goals.zip(steps).filter(|&(goal, (a, b))| a != goal || b != goal).count() as u32
            }
        }
    }

    /// Makes room for what one step of the search may add. Returns false if the search holds too
    /// much, or the memory is not there.
    fn make_room(&mut self) -> bool {
        if self.until_look == 0 {
            if self.held() > self.most_held {
                return false;
            }
            self.until_look = LOOK_EVERY;
        }
        self.until_look -= 1;
        self.nodes.make_room() && self.constraints.make_room() && self.edges.make_room()
    }
}
