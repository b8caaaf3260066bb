//! The search for a plan that undoes a knot, in slices of what is left of the budgets of ticks.

use super::party::Party;
use crate::plan::Plan;
use crate::search::Budget;
use crate::solvers::push_rotate;
use crate::solvers::{Answer, Attempt, LacamAttempt, LacamStar, Proof, PushAndRotate};

/// If its floor has more cells than this, a search is prepared over several ticks.
const LARGE: usize = 1024;
/// The most pairs of a cell and an agent for which it is checked first whether there is a plan. With more, that takes too long.
const MOST_CHECKED: usize = 1 << 20;
/// The most bytes that a search may hold. With more, it does not go on.
const MOST_BYTES: usize = 64 << 20;
/// How many expansions of the budget one of a solver takes: it takes as much time.
const PRICE: u64 = 4;
/// After so many expansions, and so many more for each agent, LaCAM\* is given up.
const EFFORT: u64 = 200_000;
const EFFORT_FOR_EACH: u64 = 5000;
/// For how many ticks a plan is improved after it was found.
const POLISHING: u32 = 2;

/// A search for a plan, while agents stand still.
#[derive(Clone, Debug)]
pub(super) struct Solving {
    pub party: Party,
    preparation: Preparation,
    solver: Solver,
    /// What the solver has done so far, in expansions.
    work: u64,
    /// For how many ticks the plan was improved after it was found.
    polished: u32,
}

/// How far the preparations for a search have come. On a large floor each takes a tick, so that none takes long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Preparation {
    /// Who takes part is known.
    Gathered,
    /// It is not known whether there may be a plan.
    Unchecked,
    /// There may be one.
    Checked,
    /// The search can go on.
    Done,
}

#[derive(Clone, Debug)]
enum Solver {
    None,
    Lacam(Box<LacamAttempt>),
    Rules(Box<push_rotate::Search>),
}

/// What a search has come to.
pub(super) enum Found {
    /// It has to go on.
    NotYet,
    /// This plan.
    Plan(Plan),
    /// That there is no plan, or none that it can find.
    Nothing,
}

impl Solving {
    /// The search of a party has not begun.
    pub const fn new(party: Party) -> Self {
        let (preparation, solver) = (Preparation::Gathered, Solver::None);
        Self { party, preparation, solver, work: 0, polished: 0 }
    }

    /// Bytes on the heap, without those of the party.
    pub fn memory(&self) -> usize {
        self.solver.memory()
    }

    /// Goes on with the search, within a budget.
    pub fn go_on(&mut self, budget: &mut Budget<'_>) -> Found {
        while self.preparation != Preparation::Done {
            if !self.prepare() {
                return Found::Nothing;
            }
            if self.party.map.len() > LARGE {
                return Found::NotYet;
            }
        }
        let share = budget.remaining() / PRICE;
        let mut slice = Budget::expansions(share).with_memory(MOST_BYTES);
        let answer = self.solver.go_on(&mut slice);
        let work = slice.work().expansions;
        budget.spend(work * PRICE);
        self.work += work;
        // A search that does nothing with its budget holds too many bytes to go on.
        let has_ended = answer.proof != Proof::OutOfBudget || (work == 0 && share > 0);
        let effort = EFFORT + EFFORT_FOR_EACH * self.party.slots.len() as u64;
        match answer.best {
            Some(best) if has_ended || self.polished == POLISHING => Found::Plan(best.plan),
            Some(_) => {
                self.polished += 1;
                Found::NotYet
            }
            None if answer.proof == Proof::Impossible => Found::Nothing,
            None if has_ended || self.work > effort => self.try_rules(has_ended),
            None => Found::NotYet,
        }
    }

    /// Takes one step towards a search. Returns false if there is no plan.
    fn prepare(&mut self) -> bool {
        let instance = &self.party.problem.instance;
        self.preparation = match self.preparation {
            Preparation::Gathered => Preparation::Unchecked,
            Preparation::Unchecked
                if self.party.map.len() * self.party.slots.len() <= MOST_CHECKED
                    && push_rotate::is_solvable(instance) == Some(false) =>
            {
                return false;
            }
            Preparation::Unchecked => Preparation::Checked,
            Preparation::Checked | Preparation::Done => {
                self.solver = Solver::Lacam(Box::new(LacamStar::default().attempt(instance)));
                Preparation::Done
            }
        };
        true
    }

    /// The search of LaCAM\* takes too long. If so does push and rotate, there is nothing more to try.
    fn try_rules(&mut self, has_ended: bool) -> Found {
        match self.solver {
            Solver::None | Solver::Lacam(_) => {
                let search = PushAndRotate.search(&self.party.problem.instance);
                self.solver = Solver::Rules(Box::new(search));
                Found::NotYet
            }
            Solver::Rules(_) if has_ended => Found::Nothing,
            Solver::Rules(_) => Found::NotYet,
        }
    }
}

impl Solver {
    fn go_on(&mut self, budget: &mut Budget<'_>) -> Answer {
        match self {
            Self::None => Answer { best: None, bound: 0, proof: Proof::OutOfBudget, nodes: 0 },
            Self::Lacam(attempt) => attempt.go_on(budget, &mut |_| ()),
            Self::Rules(search) => search.go_on(budget, &mut |_| ()),
        }
    }

    fn memory(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Lacam(attempt) => attempt.memory(),
            Self::Rules(search) => search.memory(),
        }
    }
}
