//! One attempt of LaCAM or LaCAM\*, in slices: the search, and the refinement of its plans in turns.

use super::refine::{Refiner, Refining};
use super::search::{Event, Search};
use crate::grid::Cell;
use crate::search::{Budget, GoalDistances};
use crate::solvers::{Answer, Attempt, Objective, Progress, Proof, Solution};

/// How often the listener is told how far the search has come, in steps of the search.
const TELL_EVERY: u64 = 4096;

/// How much work refinement does between two plans of which the listener is told.
const SHOW_EVERY: u64 = 100_000;

/// How much more work than the search refinement does, as long as it makes the plan better.
const REFINING_SHARE: u64 = 15;

/// After so much work without a better plan, refinement does only as much as the search.
const IDLE: u64 = 20_000_000;

/// A search, what it has found, and what of its work is not paid for yet.
#[derive(Clone, Debug)]
pub struct LacamAttempt {
    search: Search,
    refiner: Option<Refiner>,
    starts: Vec<Cell>,
    objective: Objective,
    mode: Mode,
    /// The steps of each agent from its start to its goal. When all are known, the search begins.
    shortest: Vec<u32>,
    best: Option<Solution>,
    bound: u64,
    steps: u64,
    /// How much work refinement may do before it is the search's turn.
    credit: u64,
    /// The work that refinement had done when its plan was shown last.
    shown: u64,
    /// The work that was taken from budgets, in expansions. Work is paid for before the next work is done, so that slices do the
    /// same as a single budget.
    paid: u64,
    /// It pauses when the swap rule has looked at so many cells.
    most_walked: u64,
    /// How the search has ended.
    end: Option<Proof>,
}

/// When an attempt ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// With the first plan.
    First,
    /// When no better plan is left.
    Best,
    /// The same, and the best plan is refined.
    Refined(Refining),
}

impl Attempt for LacamAttempt {
    fn go_on(&mut self, budget: &mut Budget<'_>, listener: &mut dyn FnMut(Progress<'_>)) -> Answer {
        while self.end.is_none() && self.walked() < self.most_walked && self.pay(budget) {
            self.end = self.work(listener);
        }
        self.show_refined(listener);
        let proof = self.end.unwrap_or(Proof::OutOfBudget);
        let nodes = self.search.len() as u64;
        Answer { best: self.best.clone(), bound: self.bound, proof, nodes }
    }

    fn memory(&self) -> usize {
        self.search.memory() + self.refiner.as_ref().map_or(0, Refiner::memory)
    }
}

impl LacamAttempt {
    /// Nominal bytes.
    fn held(&self) -> usize {
        self.search.held() + self.refiner.as_ref().map_or(0, Refiner::held)
    }

    /// An attempt that has not begun; or has ended already, if the end is known.
    pub const fn new(
        search: Search,
        starts: Vec<Cell>,
        (objective, mode): (Objective, Mode),
        end: Option<Proof>,
    ) -> Self {
        Self {
            search,
            refiner: None,
            starts,
            objective,
            mode,
            shortest: Vec::new(),
            best: None,
            bound: 0,
            steps: 0,
            credit: 0,
            shown: 0,
            paid: 0,
            most_walked: u64::MAX,
            end,
        }
    }

    /// How many cells the swap rule has looked at so far. That is not counted as work.
    pub const fn walked(&self) -> u64 {
        self.search.generator.walked
    }

    /// Pauses after the piece of work in which the swap rule has looked at so many cells more.
    pub const fn limit_walks(&mut self, more: u64) {
        self.most_walked = self.walked().saturating_add(more);
    }

    /// Whether there is a plan that is being refined.
    pub const fn is_refining(&self) -> bool {
        self.refiner.is_some()
    }

    /// The work of the search so far, in expansions.
    const fn searched(&self) -> u64 {
        self.search.generator.choices + self.search.generator.distances.reached()
    }

    /// Takes the work that was done from the budget. Returns whether more may be done.
    fn pay(&mut self, budget: &mut Budget<'_>) -> bool {
        let done = self.searched() + self.refiner.as_ref().map_or(0, |refiner| refiner.work);
        loop {
            let slice = budget.slice(|| self.held());
            let payment = slice.min(done - self.paid);
            budget.spend(payment);
            self.paid += payment;
            if slice == 0 || payment == 0 {
                return slice > 0;
            }
        }
    }

    /// Does a small piece of work. Returns how the search has ended, if it has.
    fn work(&mut self, listener: &mut dyn FnMut(Progress<'_>)) -> Option<Proof> {
        if let Some(&start) = self.starts.get(self.shortest.len()) {
            let steps = self.search.prepare(self.shortest.len(), start);
            self.shortest.push(steps);
            return (steps == GoalDistances::NONE).then_some(Proof::Impossible);
        }
        if self.credit > 0 && self.refiner.is_some() {
            return self.refine(listener);
        }
        let before = self.searched();
        let event = if self.search.len() == 0 {
            let (bound, event) = self.search.begin(&self.starts, &self.shortest);
            self.bound = bound;
            event
        } else {
            self.search.expand()
        };
        if let Some(refiner) = &self.refiner {
            let share = if refiner.idle < IDLE { REFINING_SHARE } else { 1 };
            self.credit = share * (self.searched() - before);
        }
        self.steps += 1;
        match event {
            Event::Better => self.take_plan(listener),
            Event::Exhausted => Some(self.exhausted(listener)),
            Event::Full => Some(Proof::OutOfBudget),
            Event::None => {
                if self.steps.is_multiple_of(TELL_EVERY) {
                    self.tell(listener);
                }
                None
            }
        }
    }

    /// Plans a group of agents of the best plan anew.
    fn refine(&mut self, listener: &mut dyn FnMut(Progress<'_>)) -> Option<Proof> {
        let refiner = self.refiner.as_mut()?;
        let before = refiner.work;
        let is_better = refiner.improve(&mut self.search.generator.distances);
        self.credit = self.credit.saturating_sub(refiner.work - before);
        if is_better {
            let cost = refiner.cost();
            self.search.upper = self.search.upper.min(cost);
            if cost <= self.bound {
                self.show_refined(listener);
                return self.proof();
            }
        }
        if refiner.work - self.shown > SHOW_EVERY {
            self.show_refined(listener);
        }
        None
    }

    /// Takes over the refined plan, if it is as good as the best one: when the listener is told does not change the answer.
    fn show_refined(&mut self, listener: &mut dyn FnMut(Progress<'_>)) {
        let (Some(refiner), Some(best)) = (&self.refiner, &mut self.best) else { return };
        let before = best.cost;
        let cost = refiner.cost();
        if cost <= before && self.shown < refiner.work {
            *best = Solution { plan: refiner.plan(), cost };
        }
        self.shown = refiner.work;
        if cost < before {
            self.tell(listener);
        }
    }

    /// Takes over the plan of the search, if it is better than the best one.
    fn take_plan(&mut self, listener: &mut dyn FnMut(Progress<'_>)) -> Option<Proof> {
        self.show_refined(listener);
        let plan = self.search.plan()?;
        let cost = self.objective.of(&plan);
        if self.best.as_ref().is_none_or(|best| cost < best.cost) {
            if let Mode::Refined(refining) = self.mode {
                let (objective, shortest) = (self.objective, &self.shortest);
                let refiner = self.refiner.get_or_insert_with(|| {
                    let grid = plan.shared_grid().clone();
                    Refiner::new(grid, shortest.clone(), objective, refining)
                });
                refiner.take(&plan);
            }
            self.best = Some(Solution { plan, cost });
            self.search.upper = self.search.upper.min(cost);
            self.tell(listener);
        }
        self.proof()
    }

    /// How the search ends with its best plan, if it does.
    fn proof(&self) -> Option<Proof> {
        let best = self.best.as_ref()?;
        if best.cost <= self.bound {
            return Some(Proof::Optimal);
        }
        (self.mode == Mode::First).then_some(Proof::Found)
    }

    /// What is known when no plan costs less than [`Search::upper`].
    fn exhausted(&mut self, listener: &mut dyn FnMut(Progress<'_>)) -> Proof {
        self.show_refined(listener);
        let Some(best) = &self.best else { return Proof::Impossible };
        self.bound = self.bound.max(self.search.upper);
        if best.cost <= self.bound {
            Proof::Optimal
        } else {
            Proof::Bounded(best.cost as f64 / self.bound as f64)
        }
    }

    fn tell(&self, listener: &mut dyn FnMut(Progress<'_>)) {
        let nodes = self.search.len() as u64;
        listener(Progress { nodes, bound: self.bound, best: self.best.as_ref() });
    }
}
