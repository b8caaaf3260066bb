//! What a solver found out about a problem.

use jostle::formats::quoted;
use jostle::solvers::Proof;
use serde::{Deserialize, Serialize};

use super::columns::with_columns;
use super::{AsText, as_text};

with_columns! {
    /// The part of a record that only runs of solvers have.
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct SolverRun {
        /// The solver, with the parameters that were given.
        pub name: String,
        /// What is known in the end: optimal, bounded, found, impossible or out-of-budget. After out-of-budget
        /// there can be a plan, which is the best so far.
        #[serde(with = "as_text")]
        pub proof: ProofName,
        /// The cost of the plan, as the solver's objective counts it; null without a plan.
        pub cost: Option<u64>,
        /// No plan costs less than this; null if there is none at all.
        pub bound: Option<u64>,
        /// Nodes of the search tree that were expanded.
        pub nodes: u64,
        /// Seconds until the first plan was found; null without a plan.
        pub first_plan_seconds: Option<f64>,
        /// Seconds until the plan was found than which no better one was; null without a plan.
        pub best_plan_seconds: Option<f64>,
        /// Bytes that the search holds at the end.
        pub bytes: usize,
        /// The sets of meetings of a search for pairs that meet; null if no agents meet.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub sets: Option<Box<MeetingSets>>,
    }
}

with_columns! {
    /// The sets of meetings, one for each task, that a search has looked at.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct MeetingSets {
        /// The sets that came up.
        pub generated: u64,
        /// Those of them for which paths were searched for.
        pub planned: u64,
        /// Whether the plan has the first set, which is the cheapest meeting of every task; null without a plan.
        pub first_is_solved: Option<bool>,
    }
}

impl SolverRun {
    /// Whether it found a plan.
    pub const fn is_solved(&self) -> bool {
        self.cost.is_some()
    }

    /// The cost of the plan over the bound: 1 is optimal. None without a plan.
    pub fn cost_over_bound(&self) -> Option<f64> {
        match (self.cost?, self.bound?) {
            // Everybody stands on its goal already.
            (0, 0) => Some(1.0),
            (_, 0) => None,
            (cost, bound) => Some(cost as f64 / bound as f64),
        }
    }

    /// What makes it impossible, if anything does.
    pub(super) fn check(&self) -> Result<(), String> {
        let is_found = self.is_solved();
        if self.sets.as_ref().is_some_and(|sets| sets.first_is_solved.is_some() != is_found) {
            return Err(
                "it does not say of a plan, and of a plan alone, whether it has the first meetings"
                    .to_owned(),
            );
        }
        if self.cost.zip(self.bound).is_some_and(|(cost, bound)| cost < bound) {
            return Err("its plan costs less than its bound".to_owned());
        }
        if self.first_plan_seconds.is_some() != is_found
            || self.best_plan_seconds.is_some() != is_found
        {
            return Err("a solver's run has a cost and the times of its plans, or none".to_owned());
        }
        let fits = match self.proof {
            ProofName::Optimal | ProofName::Bounded | ProofName::Found => is_found,
            ProofName::Impossible => !is_found,
            ProofName::OutOfBudget => true,
        };
        let reason = || format!("its proof is {}, which does not fit its cost", self.proof.text());
        if fits { Ok(()) } else { Err(reason()) }
    }

    /// All measures that are not whole numbers.
    pub(super) fn reals(&self) -> impl Iterator<Item = f64> {
        [self.first_plan_seconds, self.best_plan_seconds].into_iter().flatten()
    }
}

/// What is known when a solver ends, in a word. The factor of a bounded plan is among the solver's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofName {
    /// No plan costs less.
    Optimal,
    /// No plan costs less than this one over the solver's factor.
    Bounded,
    /// There is a plan, of which nothing more is known.
    Found,
    /// There is no plan.
    Impossible,
    /// The limit or the memory ended the search.
    OutOfBudget,
}

impl ProofName {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Optimal, Self::Bounded, Self::Found, Self::Impossible, Self::OutOfBudget];
}

impl From<Proof> for ProofName {
    fn from(proof: Proof) -> Self {
        match proof {
            Proof::Optimal => Self::Optimal,
            Proof::Bounded(_) => Self::Bounded,
            Proof::Found => Self::Found,
            Proof::Impossible => Self::Impossible,
            // `OutOfBudget`, and what later engines may add: it claims nothing.
            _ => Self::OutOfBudget,
        }
    }
}

impl AsText for ProofName {
    fn text(&self) -> String {
        let text = match self {
            Self::Optimal => "optimal",
            Self::Bounded => "bounded",
            Self::Found => "found",
            Self::Impossible => "impossible",
            Self::OutOfBudget => "out-of-budget",
        };
        text.to_owned()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|proof| proof.text() == text);
        known.ok_or_else(|| format!("no search ends {}", quoted(text)))
    }
}
