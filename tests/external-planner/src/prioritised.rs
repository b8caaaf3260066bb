//! An example of a solver, which uses only the public API of Jostle: prioritised planning. Agents plan one after another, each
//! around the paths of those before it, in several orders.
//!
//! It promises legal plans, but neither the best one nor that it finds any.

use std::sync::Arc;

use jostle::plan::{Plan, TimedPath};
use jostle::search::{Place, Reservations, SpaceTime, TimedStep, Traffic, Verdict};
use jostle::solvers::{
    Answer, Attempt, Distances, Field, Progress, Proof, Recipe, Solution, Solver, Value,
};
use jostle::{Budget, Cell, Cost, Grid, Instance};

/// The parameters of the solver.
#[derive(Clone)]
pub struct Prioritised {
    /// In how many orders the agents plan. Each begins with another agent, and goes round.
    pub orders: u32,
}

impl Default for Prioritised {
    fn default() -> Self {
        Self { orders: 8 }
    }
}

impl Recipe<dyn Solver> for Prioritised {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let orders = Value::Count { value: &mut self.orders, range: 1..=1000 };
        let about = "in how many orders the agents plan, one after another";
        vec![Field { name: "orders", about, value: orders }]
    }

    fn build(&self) -> Box<dyn Solver> {
        Box::new(self.clone())
    }
}

impl Solver for Prioritised {
    fn begin(&self, instance: &Instance) -> Box<dyn Attempt> {
        let tasks = instance.tasks().to_vec();
        let distances = Distances::to(instance.grid(), tasks.iter().map(|&(_, goal)| goal));
        let starts = tasks.iter().enumerate();
        let steps = starts.map(|(agent, &(start, _))| distances.get(agent, start).map(u64::from));
        Box::new(PrioritisedAttempt {
            grid: Arc::clone(instance.shared_grid()),
            shortest: steps.sum(),
            distances,
            orders: (self.orders as usize).min(tasks.len()),
            tasks,
            order: 0,
            paths: Vec::new(),
            table: Reservations::default(),
            search: SpaceTime::default(),
            is_searching: false,
            best: None,
            nodes: 0,
        })
    }
}

/// One search of the solver, in slices.
struct PrioritisedAttempt {
    grid: Arc<Grid>,
    tasks: Vec<(Cell, Cell)>,
    distances: Distances,
    /// The sum of the lengths of shortest paths; none if a goal is out of reach.
    shortest: Option<u64>,
    orders: usize,
    /// The agent with which the present order begins.
    order: usize,
    /// The paths of the present order so far, and what they reserve.
    paths: Vec<TimedPath>,
    table: Reservations,
    search: SpaceTime,
    /// Whether the search for the next path has begun.
    is_searching: bool,
    best: Option<Solution>,
    /// The paths that were found, in all orders.
    nodes: u64,
}

impl Attempt for PrioritisedAttempt {
    fn go_on(&mut self, budget: &mut Budget<'_>, listener: &mut dyn FnMut(Progress<'_>)) -> Answer {
        let Some(bound) = self.shortest else { return self.answer(0, Proof::Impossible) };
        while self.order < self.orders {
            match self.next_path(budget) {
                Verdict::OutOfBudget => return self.answer(bound, Proof::OutOfBudget),
                Verdict::Nothing => self.begin_order(self.order + 1),
                Verdict::Found(path) => {
                    path.reserve(self.next_agent(), &mut self.table);
                    self.paths.push(path);
                    self.nodes += 1;
                }
            }
            if self.paths.len() == self.tasks.len() {
                self.keep_if_better();
                self.begin_order(self.order + 1);
                let (nodes, best) = (self.nodes, self.best.as_ref());
                listener(Progress { nodes, bound, best });
            }
        }
        // Without a plan nothing is known: there may be one in another order, or in none.
        let proof = if self.best.is_some() { Proof::Found } else { Proof::OutOfBudget };
        self.answer(bound, proof)
    }

    fn memory(&self) -> usize {
        self.table.memory() + self.search.memory()
    }
}

impl PrioritisedAttempt {
    fn answer(&self, bound: u64, proof: Proof) -> Answer {
        Answer { best: self.best.clone(), bound, proof, nodes: self.nodes }
    }

    fn begin_order(&mut self, order: usize) {
        self.order = order;
        self.paths.clear();
        self.table.clear();
        self.is_searching = false;
    }

    /// The agent that plans next.
    fn next_agent(&self) -> usize {
        (self.order + self.paths.len()) % self.tasks.len()
    }

    /// A shortest path for the next agent around those that are reserved.
    fn next_path(&mut self, budget: &mut Budget<'_>) -> Verdict<TimedPath> {
        let agent = self.next_agent();
        let (start, goal) = self.tasks[agent];
        if !self.is_searching {
            self.search.begin(&self.grid, start, 0);
            budget.count_search();
            self.is_searching = true;
        }
        let settled = self.paths.iter().filter_map(TimedPath::ends).max().unwrap_or(0) + 1;
        let (distances, table) = (&self.distances, &self.table);
        let mut surroundings = Surroundings { agent, goal, distances, table, settled };
        let verdict = self.search.resume(&self.grid, &mut surroundings, budget);
        self.is_searching = matches!(verdict, Verdict::OutOfBudget);
        verdict.map(|()| {
            let mut cells = Vec::new();
            self.search.path(&mut cells);
            TimedPath::of(cells)
        })
    }

    /// Takes the paths of the present order, if they are the cheapest so far.
    fn keep_if_better(&mut self) {
        // They are in the order in which the agents planned.
        let agents = self.tasks.len();
        self.paths.rotate_right(self.order % agents);
        let plan = Plan::new(Arc::clone(&self.grid), std::mem::take(&mut self.paths));
        let cost = plan.sum_of_costs();
        if self.best.as_ref().is_none_or(|best| cost < best.cost) {
            self.best = Some(Solution { plan, cost });
        }
    }
}

/// What an agent sees of the others: their paths.
struct Surroundings<'a> {
    agent: usize,
    goal: Cell,
    distances: &'a Distances,
    table: &'a Reservations,
    settled: u64,
}

impl Traffic for Surroundings<'_> {
    fn h(&mut self, _: &Grid, place: Place, _: &mut Budget<'_>) -> Verdict<Cost> {
        match self.distances.get(self.agent, place.cell) {
            Some(steps) => Verdict::Found(Cost::of_steps(steps, 0)),
            None => Verdict::Nothing,
        }
    }

    fn is_free(&self, grid: &Grid, step: TimedStep) -> bool {
        self.table.conflict(grid, self.agent, step).is_none()
    }

    fn waiting(&self, _: Place) -> Cost {
        Cost::of_steps(1, 0)
    }

    fn is_end(&self, place: Place, tick: u64) -> bool {
        place.cell == self.goal && self.table.is_free_from(self.agent, place.cell, tick)
    }

    fn settled(&self) -> u64 {
        self.settled
    }
}
