//! The search of LaCAM while the crowd is on its way: it goes on from tick to tick, and the crowd walks along its tree.
//!
//! The configurations that were found form a tree, because each has a parent. The one in which the crowd stands is kept as its root: when the
//! crowd has taken a step, the parents on the way are turned round. So in every tick there is a path from where the crowd stands to
//! the goal configuration, if it was found, and otherwise to the one that was looked at last. The crowd takes the first step of it.
//!
//! Steps lead both ways under all rules, so that the crowd can go back along the tree. The one exception is an agent that leaves
//! a cell that has turned into a wall: it cannot return, so then a new search begins.
//!
//! Work is counted as in [the solver](super), and taken from the budget before the next work is done. Memory: that of the solver.

use std::sync::Arc;

use super::generator::Generator;
use super::nodes::{NOBODY, NodeId, ROOT};
use super::search::{Event, Search};
use crate::grid::{Cell, Grid};
use crate::search::{Budget, GoalDistances};
use crate::solvers::Objective;

/// A search over configurations whose root is where the crowd stands.
#[derive(Clone, Debug)]
pub struct Rooted {
    grid: Arc<Grid>,
    search: Search,
    stage: Stage,
    /// Where the crowd stood when the search began.
    starts: Vec<Cell>,
    /// The steps of each agent from its start to its goal. When all are known, the search begins.
    shortest: Vec<u32>,
    /// Where the crowd stands.
    root: NodeId,
    /// The next two configurations on the way of the crowd.
    ahead: [NodeId; 2],
    /// The work that was taken from budgets, in expansions.
    paid: u64,
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The distances of the starts are being found.
    Preparing,
    /// The goal configuration is being looked for.
    Searching,
    /// It was found.
    Found,
    /// It cannot be reached. Of the configurations that can, this is the nearest to it.
    Exhausted(NodeId),
}

impl Rooted {
    /// A search for agents with these goals, all different, that holds this many [nominal
    /// bytes](Budget::with_memory) at most. `None` if the tables of distances do not fit into half
    /// of them. It has to [begin](Self::begin) before it can do any work.
    pub fn new(
        grid: Arc<Grid>,
        goals: Vec<Cell>,
        (seed, has_swap_rule): (u32, bool),
        most_held: usize,
    ) -> Option<Self> {
        if GoalDistances::least_memory(&grid, goals.len()) > most_held / 2 {
            return None;
        }
        let objective = Objective::SumOfCosts;
        let tables = (GoalDistances::to(&grid, goals.iter().copied()), goals);
        let generator = Generator::new(&grid, tables, objective, (seed, 1), has_swap_rule);
        let search = Search::new(Arc::clone(&grid), generator, objective, (false, most_held));
        Some(Self {
            grid,
            search,
            stage: Stage::Preparing,
            starts: Vec::new(),
            shortest: Vec::new(),
            root: ROOT,
            ahead: [ROOT; 2],
            paid: 0,
        })
    }

    /// Forgets the tree, and begins a new search from these cells. The distances stay known.
    pub fn begin(&mut self, cells: &[Cell]) {
        self.search.forget();
        self.stage = Stage::Preparing;
        self.shortest.clear();
        self.starts.clear();
        self.starts.extend_from_slice(cells);
        (self.root, self.ahead) = (ROOT, [ROOT; 2]);
    }

    /// Sends an agent to another goal. All goals must be different again when the next search begins, before any other work.
    pub fn redirect(&mut self, agent: usize, goal: Cell) {
        self.search.generator.redirect(agent, goal);
    }

    /// The crowd stands on these cells now: that configuration becomes the root. If it is not in the tree, a new search begins.
    pub fn stand_on(&mut self, cells: &[Cell]) {
        if self.here() == cells {
            return;
        }
        match self.search.nodes.find(cells) {
            Some(node) if !self.leaves_wall(cells) => {
                self.search.nodes.make_root(node);
                // What is ahead is found out after the next work.
                (self.root, self.ahead) = (node, [node; 2]);
            }
            _ => self.begin(cells),
        }
    }

    /// Goes on with the search, by this many iterations at most, and takes those that were made from them. One iteration generates one
    /// successor at most.
    pub fn work(&mut self, iterations: &mut u32, budget: &mut Budget<'_>) {
        while self.pay(budget) && !self.has_ended() && *iterations > 0 {
            if let Some(&start) = self.starts.get(self.shortest.len()) {
                let steps = self.search.prepare(self.shortest.len(), start);
                self.shortest.push(steps);
                if steps == GoalDistances::NONE {
                    // There is nothing to search for, so nobody moves.
                    self.stage = Stage::Exhausted(ROOT);
                }
            } else if self.stage == Stage::Preparing {
                let (_, event) = self.search.begin(&self.starts, &self.shortest);
                self.stage = Stage::Searching;
                self.judge(event);
            } else {
                *iterations -= 1;
                let event = self.search.expand();
                self.judge(event);
            }
        }
        self.look_ahead();
    }

    /// Where the crowd stands.
    pub fn here(&self) -> &[Cell] {
        self.cells(self.root)
    }

    /// Where the crowd should stand in one tick: where it stands if the way is not known yet, or is over.
    pub fn next(&self) -> &[Cell] {
        self.cells(self.ahead[0])
    }

    /// Where it should stand in two ticks, as far as is known now.
    pub fn after_next(&self) -> &[Cell] {
        self.cells(self.ahead[1])
    }

    /// Whether it is known that the goals cannot be reached together.
    pub const fn is_exhausted(&self) -> bool {
        matches!(self.stage, Stage::Exhausted(_))
    }

    /// Bytes this holds, itself not included, nor the grid.
    pub fn memory(&self) -> usize {
        self.search.memory()
            + self.starts.capacity() * size_of::<Cell>()
            + self.shortest.capacity() * size_of::<u32>()
    }

    const fn has_ended(&self) -> bool {
        matches!(self.stage, Stage::Found | Stage::Exhausted(_))
    }

    fn cells(&self, node: NodeId) -> &[Cell] {
        if self.search.len() == 0 { &self.starts } else { self.search.nodes.cells(node) }
    }

    /// Takes account of what a step of the search has come to.
    fn judge(&mut self, event: Event) {
        match event {
            Event::None => {}
            Event::Better => self.stage = Stage::Found,
            Event::Exhausted => {
                let nodes = &self.search.nodes;
                let nearest = (0..nodes.len() as NodeId).min_by_key(|&id| nodes.node(id).h);
                self.stage = Stage::Exhausted(nearest.unwrap_or(ROOT));
            }
            Event::Full => {
                let here = self.here().to_vec();
                self.begin(&here);
            }
        }
    }

    /// Finds the next two configurations on the way to the goal, or to where the search is.
    fn look_ahead(&mut self) {
        self.ahead = [self.root; 2];
        let mut at = match self.stage {
            _ if self.search.len() == 0 => return,
            Stage::Preparing | Stage::Searching => self.search.last,
            Stage::Found => self.search.goal.unwrap_or(self.root),
            Stage::Exhausted(nearest) => nearest,
        };
        self.ahead = [at; 2];
        while at != self.root && at != NOBODY {
            self.ahead = [at, self.ahead[0]];
            at = self.search.nodes.node(at).parent;
        }
    }

    /// Whether an agent leaves a cell that has turned into a wall, when the crowd goes from the root to these cells.
    fn leaves_wall(&self, cells: &[Cell]) -> bool {
        let mut steps = self.here().iter().zip(cells);
        steps.any(|(&from, &to)| from != to && !self.grid.is_floor(from))
    }

    /// Takes the work that was done from the budget. Returns whether more may be done.
    fn pay(&mut self, budget: &mut Budget<'_>) -> bool {
        let generator = &self.search.generator;
        let done = generator.choices + generator.distances.reached();
        let payment = budget.remaining().min(done - self.paid);
        budget.spend(payment);
        self.paid += payment;
        !budget.is_spent()
    }
}

#[cfg(test)]
#[path = "rooted_test.rs"]
mod tests;
