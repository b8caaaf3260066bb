//! The search for a plan that undoes a knot, in slices of what is left of the budgets of ticks.

use super::super::WALK_PRICE;
use super::party::Party;
use super::stops::{Timetable, moves_of};
use crate::search::Budget;
use crate::solvers::push_rotate;
use crate::solvers::{Attempt, LacamAttempt, LacamStar, Proof, PushAndRotate};

/// If its floor has more cells than this, a search is prepared over several ticks.
const LARGE: usize = 1024;
/// The most [nominal bytes](Budget::with_memory) that a search may hold. With more, it does not go
/// on.
const MOST_HELD: usize = 128 << 20;
/// How many expansions of the budget one of a solver takes, because it takes as much time: with few agents, and with more.
const PRICES: [u64; 2] = [4, 8];
/// The same for one that refines a plan.
const REFINED_PRICE: u64 = 12;
/// After so many expansions, and so many more for each agent, LaCAM\* is given up.
const MOST_WORK: u64 = 200_000;
const WORK_FOR_EACH: u64 = 5000;
/// So many agents are few. LaCAM\* refines their plans; with more, that takes too long at a time.
const FEW: usize = 64;
/// When push and rotate has found so many moves, they are made before it goes on. They and what it
/// takes to find them fit into [`MOST_HELD`].
const INSTALMENT: usize = 1 << 20;
/// For how many ticks a plan is improved after it was found.
const POLISHING: u32 = 2;

/// Who looks for a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Method {
    /// LaCAM\*. Most plans that it finds are short.
    Search,
    /// Push and rotate. Its plans may be very long.
    Rules,
    /// LaCAM\*, and if it finds none, push and rotate.
    Both,
}

/// A search for a plan, while agents stand still.
#[derive(Clone, Debug, Default)]
pub(super) struct Solving {
    stage: Stage,
    /// Says whether there is a plan, and makes one by rules if LaCAM\* finds none.
    rules: Option<Box<push_rotate::Search>>,
    lacam: Option<Box<LacamAttempt>>,
    /// What LaCAM\* has done so far, in expansions.
    work: u64,
    /// For how many ticks the plan was improved after it was found.
    polished: u32,
}

/// What is done next. On a large floor each preparation takes a tick of its own, so that none takes long.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stage {
    /// Prepare push and rotate.
    #[default]
    Gathered,
    /// Find out whether there is a plan.
    Deciding,
    /// Prepare LaCAM\*.
    Decided,
    /// Let LaCAM\* search.
    Lacam,
    /// Let push and rotate make a plan.
    Rules,
}

/// What a search has come to.
#[derive(Debug)]
pub(super) enum Found {
    /// It has to go on.
    NotYet,
    /// This plan.
    Plan(Timetable),
    /// The first moves of a plan. When they have been made, the search has to go on.
    Instalment(Timetable),
    /// That there is no plan.
    Impossible,
    /// No plan, but there may be one.
    Nothing,
}

impl Solving {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.rules.as_ref().map_or(0, |rules| rules.memory())
            + self.lacam.as_ref().map_or(0, |lacam| lacam.memory())
    }

    /// Goes on with the search for a plan of a party, within a budget. If there is none that brings everybody to where they aim for, the
    /// party settles for what it can have.
    pub fn go_on(&mut self, party: &mut Party, method: Method, budget: &mut Budget<'_>) -> Found {
        loop {
            match self.stage {
                Stage::Gathered => {
                    self.rules = Some(Box::new(rules_for(party)));
                    self.stage = Stage::Deciding;
                }
                Stage::Deciding => match self.decide(party, budget) {
                    Some(true) => self.stage = Stage::Decided,
                    Some(false) => return Found::Impossible,
                    None => return Found::NotYet,
                },
                Stage::Decided if method == Method::Rules => self.stage = Stage::Rules,
                Stage::Decided => {
                    let refine = party.len() <= FEW;
                    let lacam = LacamStar { refine, ..LacamStar::default() };
                    self.lacam = Some(Box::new(lacam.attempt(party.instance())));
                    self.stage = Stage::Lacam;
                }
                Stage::Lacam => match self.search(party, budget) {
                    Found::Nothing if method == Method::Both => {
                        self.lacam = None;
                        self.stage = Stage::Rules;
                        return Found::NotYet;
                    }
                    found => return found,
                },
                Stage::Rules => return self.work_by_rules(party, budget),
            }
            if party.cells() > LARGE {
                return Found::NotYet;
            }
        }
    }

    /// Finds out whether there is a plan. If not, the party settles for what it can have, if that is known, and there is one for that.
    fn decide(&mut self, party: &mut Party, budget: &mut Budget<'_>) -> Option<bool> {
        let rules = self.rules.as_mut()?;
        let proof = sliced(price_for(party), budget, |slice| rules.decide(slice)).0?;
        if proof != Proof::Impossible {
            return Some(true);
        }
        let is_possible = rules.attainable().is_some_and(|aims| party.settle_for(&aims));
        if is_possible {
            **rules = rules_for(party);
        }
        Some(is_possible)
    }

    /// Lets LaCAM\* search, unless that takes too long.
    fn search(&mut self, party: &Party, budget: &mut Budget<'_>) -> Found {
        let Some(lacam) = &mut self.lacam else { return Found::Nothing };
        let price = if lacam.is_refining() { REFINED_PRICE } else { price_for(party) };
        let walked = lacam.walked();
        lacam.limit_walks(budget.remaining() / (2 * WALK_PRICE));
        let (answer, slice) = sliced(price, budget, |slice| lacam.go_on(slice, &mut |_| ()));
        budget.charge((lacam.walked() - walked) * WALK_PRICE);
        self.work += slice.work;
        let has_ended = answer.proof != Proof::OutOfBudget || slice.is_refused;
        match answer.best {
            Some(best) if has_ended || self.polished == POLISHING => {
                Found::Plan(moves_of(&best.plan))
            }
            Some(_) => {
                self.polished += 1;
                Found::NotYet
            }
            None if has_ended || self.work > MOST_WORK + WORK_FOR_EACH * party.len() as u64 => {
                Found::Nothing
            }
            None => Found::NotYet,
        }
    }

    /// Lets push and rotate go on. If it does not find a plan, there is nothing more to try.
    fn work_by_rules(&mut self, party: &Party, budget: &mut Budget<'_>) -> Found {
        let Some(rules) = &mut self.rules else { return Found::Nothing };
        let (proof, slice) = sliced(price_for(party), budget, |slice| rules.advance(slice));
        match proof {
            Proof::Found if rules.goes_on() => Found::Instalment(rules.take_stops()),
            Proof::Found => Found::Plan(rules.take_stops()),
            Proof::OutOfBudget if !slice.is_refused => Found::NotYet,
            _ => Found::Nothing,
        }
    }
}

/// Push and rotate for a party. However long its plan is, it does not need much memory.
fn rules_for(party: &Party) -> push_rotate::Search {
    PushAndRotate.search(party.instance()).in_instalments(INSTALMENT)
}

/// What an expansion takes of the budget.
const fn price_for(party: &Party) -> u64 {
    PRICES[(party.len() > FEW) as usize]
}

/// What a solver did with its part of a budget.
struct Slice {
    /// In expansions of the solver.
    work: u64,
    /// Nothing, although there was something to spend: it holds too much to go on, or has ended.
    is_refused: bool,
}

/// Lets a solver work with what is left of a budget, at this price for an expansion.
fn sliced<T>(
    price: u64,
    budget: &mut Budget<'_>,
    go_on: impl FnOnce(&mut Budget<'_>) -> T,
) -> (T, Slice) {
    let share = budget.remaining() / price;
    let mut part = Budget::expansions(share).with_memory(MOST_HELD);
    let answer = go_on(&mut part);
    let work = part.work().expansions;
    budget.spend(work * price);
    (answer, Slice { work, is_refused: work == 0 && share > 0 })
}
