//! One search within its limits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jostle::simulate::{Clock, WallClock};
use jostle::solvers::{Answer, Progress, Proof, Solution};
use jostle::{Budget, Limits, Work};

use super::MOST_BYTES;
use crate::record::SolverRun;

/// What a search found out, and what it took.
pub struct Searched<P> {
    /// What it found out.
    pub answer: Answer<P>,
    /// How long it took.
    pub time: Duration,
    /// Its expansions and searches for paths.
    pub work: Work,
    plans: PlanTimes,
}

impl<P> Searched<P> {
    /// Lets a solver search within the limits in seconds and expansions and [`MOST_BYTES`]. Returns none if `is_stopped`
    /// returned true before the search ended.
    pub fn within(
        limits: Limits,
        is_stopped: &(dyn Fn() -> bool + Sync),
        search: impl FnOnce(&mut Budget<'_>, &mut dyn FnMut(Progress<'_, P>)) -> Answer<P>,
    ) -> Option<Self> {
        let clock = WallClock::start();
        let was_stopped = AtomicBool::new(false);
        let is_over = || {
            was_stopped.fetch_or(is_stopped(), Ordering::Relaxed);
            was_stopped.load(Ordering::Relaxed)
                || limits.time.is_some_and(|limit| clock.now() >= limit)
        };
        let most = limits.expansions.unwrap_or(u64::MAX);
        let mut budget = Budget::expansions(most).with_memory(MOST_BYTES).with_deadline(&is_over);
        let mut plans = PlanTimes::default();
        let answer = search(&mut budget, &mut |progress| plans.note(progress.best, clock.now()));
        let time = clock.now();
        plans.note(answer.best.as_ref(), time);
        let is_lost = was_stopped.load(Ordering::Relaxed) && answer.proof == Proof::OutOfBudget;
        (!is_lost).then(|| Self { answer, time, work: budget.work(), plans })
    }

    /// What is wrong with the cost of its plan, if anything is.
    pub fn check_cost(&self) -> Result<(), String> {
        match &self.answer.best {
            Some(best) if best.cost < self.answer.bound => {
                let (cost, bound) = (best.cost, self.answer.bound);
                Err(format!("a plan costs {cost}, which is less than the bound {bound}"))
            }
            _ => Ok(()),
        }
    }

    /// The part of the record that is about the search, of the solver with this name.
    pub fn run(&self, name: &str, bytes: usize) -> SolverRun {
        let answer = &self.answer;
        SolverRun {
            name: name.to_owned(),
            proof: answer.proof.into(),
            cost: answer.best.as_ref().map(|best| best.cost),
            bound: (answer.proof != Proof::Impossible).then_some(answer.bound),
            nodes: answer.nodes,
            first_plan_seconds: self.plans.first.map(|time| time.as_secs_f64()),
            best_plan_seconds: self.plans.best.map(|(_, time)| time.as_secs_f64()),
            bytes,
            sets: None,
        }
    }
}

/// When plans were found.
#[derive(Default)]
struct PlanTimes {
    first: Option<Duration>,
    /// The cost of the best plan, and when it was first heard of.
    best: Option<(u64, Duration)>,
}

impl PlanTimes {
    fn note<P>(&mut self, plan: Option<&Solution<P>>, now: Duration) {
        let Some(Solution { cost, .. }) = plan else { return };
        self.first.get_or_insert(now);
        if self.best.is_none_or(|(least, _)| *cost < least) {
            self.best = Some((*cost, now));
        }
    }
}
