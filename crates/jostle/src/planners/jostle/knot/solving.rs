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
    stage: Stage,
    /// What the solver has done so far, in expansions.
    work: u64,
    /// For how many ticks the plan was improved after it was found.
    polished: u32,
}

/// How far the search has come. On a large floor each preparation takes a tick, so that none takes long.
#[derive(Clone, Debug)]
enum Stage {
    /// Who takes part is known.
    Gathered,
    /// It is to be checked whether there may be a plan.
    Unchecked,
    /// There may be one.
    Checked,
    /// LaCAM\* looks for it.
    Lacam(Box<LacamAttempt>),
    /// Push and rotate makes one.
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
        Self { party, stage: Stage::Gathered, work: 0, polished: 0 }
    }

    /// Bytes on the heap, without those of the party.
    pub fn memory(&self) -> usize {
        match &self.stage {
            Stage::Gathered | Stage::Unchecked | Stage::Checked => 0,
            Stage::Lacam(attempt) => attempt.memory(),
            Stage::Rules(search) => search.memory(),
        }
    }

    /// Goes on with the search, within a budget.
    pub fn go_on(&mut self, budget: &mut Budget<'_>) -> Found {
        while matches!(self.stage, Stage::Gathered | Stage::Unchecked | Stage::Checked) {
            if !self.prepare() {
                return Found::Nothing;
            }
            if self.party.map.len() > LARGE {
                return Found::NotYet;
            }
        }
        let share = budget.remaining() / PRICE;
        let mut slice = Budget::expansions(share).with_memory(MOST_BYTES);
        let answer = match &mut self.stage {
            Stage::Lacam(attempt) => attempt.go_on(&mut slice, &mut |_| ()),
            Stage::Rules(search) => search.go_on(&mut slice, &mut |_| ()),
            Stage::Gathered | Stage::Unchecked | Stage::Checked => return Found::NotYet,
        };
        let work = slice.work().expansions;
        budget.spend(work * PRICE);
        self.work += work;
        // A search that does nothing with its budget holds too many bytes to go on.
        let has_ended = answer.proof != Proof::OutOfBudget || (work == 0 && share > 0);
        self.judge(answer, has_ended)
    }

    /// What an answer of the present solver comes to.
    fn judge(&mut self, answer: Answer, has_ended: bool) -> Found {
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
        let is_small = self.party.map.len() * self.party.slots.len() <= MOST_CHECKED;
        self.stage = match self.stage {
            Stage::Gathered => Stage::Unchecked,
            Stage::Unchecked => {
                if is_small && push_rotate::is_solvable(instance) == Some(false) {
                    return false;
                }
                Stage::Checked
            }
            _ => Stage::Lacam(Box::new(LacamStar::default().attempt(instance))),
        };
        true
    }

    /// The search of LaCAM\* takes too long. If so does push and rotate, there is nothing more to try.
    fn try_rules(&mut self, has_ended: bool) -> Found {
        if !matches!(self.stage, Stage::Rules(_)) {
            let search = PushAndRotate.search(&self.party.problem.instance);
            self.stage = Stage::Rules(Box::new(search));
            return Found::NotYet;
        }
        if has_ended { Found::Nothing } else { Found::NotYet }
    }
}
