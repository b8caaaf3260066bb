//! LaCAM and LaCAM\*: plans for crowds of a thousand agents, by a search over whole configurations.
mod attempt;
mod constraints;
mod edges;
mod generator;
mod groups;
mod nodes;
mod open;
mod refine;
mod room;
mod search;

use std::sync::Arc;

use super::{Attempt, Field, GoalDistances, Objective, Proof, Recipe, Solver, Value, possible};
use crate::grid::Cell;
use crate::instance::Instance;
use crate::registry::within_ranges;
pub(crate) use attempt::LacamAttempt;
use attempt::Mode;
use generator::Generator;
use search::Search;

/// LaCAM, and its options: the first plan that is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lacam {
    /// Decides between equally good moves.
    pub seed: u32,
    /// How many steps are tried for each successor; the one nearest to the goals is taken. At least 1.
    pub generators: u32,
    /// The most memory that the search may hold, in megabytes.
    pub memory: u32,
}

/// LaCAM\*, and its options: the first plan that is found, and then better ones as long as the budget lasts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LacamStar {
    /// What is minimised.
    pub objective: Objective,
    /// Decides between equally good moves.
    pub seed: u32,
    /// How many steps are tried for each successor; the one nearest to the goals is taken. At least 1.
    pub generators: u32,
    /// Whether to spend most of the budget, once there is a plan, on planning some of its agents anew.
    pub refine: bool,
    /// The most memory that the search may hold, in megabytes.
    pub memory: u32,
}

/// The default of `memory`, in megabytes.
const MEMORY: u32 = 2048;

impl Default for Lacam {
    fn default() -> Self {
        Self { seed: 0, generators: 1, memory: MEMORY }
    }
}

impl Default for LacamStar {
    fn default() -> Self {
        let objective = Objective::default();
        Self { objective, seed: 0, generators: 1, refine: true, memory: MEMORY }
    }
}

impl Recipe<dyn Solver> for Lacam {
    fn fields(&mut self) -> Vec<Field<'_>> {
        common_fields(&mut self.seed, &mut self.generators, &mut self.memory).into()
    }

    fn build(&self) -> Box<dyn Solver> {
        Box::new(*self)
    }
}

impl Recipe<dyn Solver> for LacamStar {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let objective = Field {
            name: "objective",
            about: "what to minimise: the sum of costs, or the makespan",
            value: Value::Name(&mut self.objective),
        };
        let refine = Field {
            name: "refine",
            about: "plan some agents of the best plan anew while the budget lasts",
            value: Value::Flag(&mut self.refine),
        };
        let mut fields = vec![objective, refine];
        fields.extend(common_fields(&mut self.seed, &mut self.generators, &mut self.memory));
        fields
    }

    fn build(&self) -> Box<dyn Solver> {
        Box::new(*self)
    }
}

/// The parameters that both have.
fn common_fields<'a>(
    seed: &'a mut u32,
    generators: &'a mut u32,
    memory: &'a mut u32,
) -> [Field<'a>; 3] {
    [
        Field {
            name: "seed",
            about: "decides between equally good moves",
            value: Value::Count { value: seed, range: 0..=u32::MAX },
        },
        Field {
            name: "generators",
            about: "how many steps are tried for each successor",
            value: Value::Count { value: generators, range: 1..=100 },
        },
        Field {
            name: "memory",
            about: "the most memory that the search may hold, in megabytes",
            value: Value::Count { value: memory, range: 1..=1 << 20 },
        },
    ]
}

impl Solver for Lacam {
    fn begin(&self, instance: &Instance) -> Box<dyn Attempt> {
        let Self { seed, generators, memory } = within_ranges(*self);
        let options = LacamStar { seed, generators, memory, ..LacamStar::default() };
        Box::new(begin(instance, options, Mode::First, possible::is_impossible(instance)))
    }
}

impl Solver for LacamStar {
    fn begin(&self, instance: &Instance) -> Box<dyn Attempt> {
        Box::new(self.attempt(instance))
    }
}

impl LacamStar {
    /// What [`begin`](Solver::begin) returns.
    pub(crate) fn attempt(&self, instance: &Instance) -> LacamAttempt {
        let options = within_ranges(*self);
        let mode = if options.refine { Mode::Refined(options.seed) } else { Mode::Best };
        begin(instance, options, mode, possible::is_impossible(instance))
    }
}

/// Begins an attempt. LaCAM is LaCAM\* that ends with the first plan.
fn begin(instance: &Instance, options: LacamStar, mode: Mode, is_impossible: bool) -> LacamAttempt {
    let LacamStar { objective, seed, generators, memory, .. } = options;
    let grid = instance.grid();
    let (starts, goals): (Vec<Cell>, Vec<Cell>) = instance.tasks().iter().copied().unzip();
    let most_memory = (memory as usize) << 20;
    // Tables that do not fit, or that nobody needs, are not made.
    let end = if is_impossible {
        Some(Proof::Impossible)
    } else if GoalDistances::least_memory(grid, goals.len()) > most_memory {
        Some(Proof::OutOfBudget)
    } else {
        None
    };
    let distances = match end {
        None => GoalDistances::to(grid, goals.iter().copied()),
        Some(_) => GoalDistances::to(grid, []),
    };
    let generator = Generator::new(grid, (distances, goals), objective, (seed, generators));
    let grid = Arc::clone(instance.shared_grid());
    let is_star = mode != Mode::First;
    let search = Search::new(grid, generator, objective, (is_star, most_memory));
    LacamAttempt::new(search, starts, (objective, mode), end)
}

#[cfg(test)]
#[path = "lacam_test.rs"]
mod tests;
