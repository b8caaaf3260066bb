//! Who makes a run: a planner or a solver.

use std::fmt;

use jostle::solvers::co_cbs::CoCbsSpec;
use jostle::{planners, solvers};

/// A planner, which decides tick by tick, or a solver, which makes the whole plan first. One name may stand for both.
#[derive(Clone, Debug)]
pub enum Contestant {
    /// A planner, with its parameters.
    Planner(planners::Spec),
    /// A solver, with its parameters.
    Solver(solvers::Spec),
    /// A solver for pairs of agents that meet, with its parameters.
    MeetingSolver(CoCbsSpec),
}

impl Contestant {
    /// Its name, with the parameters that were given.
    pub fn name(&self) -> ContestantName<'_> {
        match self {
            Self::Planner(planner) => ContestantName::Planner(planner.text()),
            Self::Solver(solver) => ContestantName::Solver(solver.text()),
            Self::MeetingSolver(solver) => ContestantName::Solver(solver.text()),
        }
    }
}

/// The name of a planner or of a solver, with the parameters that were given.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ContestantName<'a> {
    /// That of a planner.
    Planner(&'a str),
    /// That of a solver.
    Solver(&'a str),
}

impl<'a> ContestantName<'a> {
    /// The name alone.
    pub const fn text(self) -> &'a str {
        match self {
            Self::Planner(name) | Self::Solver(name) => name,
        }
    }
}

/// As in the keys of runs. No planner has a space in its name, so it cannot be taken for a solver.
impl fmt::Display for ContestantName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Planner(name) => f.write_str(name),
            Self::Solver(name) => write!(f, "solver {name}"),
        }
    }
}

/// The planners and solvers that a spec may name.
#[derive(Clone, Copy, Debug)]
pub struct Registries<'a> {
    /// The planners.
    pub planners: &'a planners::Registry,
    /// The solvers.
    pub solvers: &'a solvers::Registry,
}

impl Registries<'static> {
    /// Those that come with the engine.
    pub fn builtin() -> Self {
        Self { planners: planners::Registry::builtin(), solvers: solvers::Registry::builtin() }
    }
}
