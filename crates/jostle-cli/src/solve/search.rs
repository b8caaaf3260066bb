//! One search of a solver on one problem, within its limits, and its plan, checked.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use jostle::check::Checker;
use jostle::plan::{Plan, TimedPath};
use jostle::solvers::{Answer, Proof, Spec};
use jostle::{Budget, Instance};
use jostle_lab::Problem;

use super::args::SearchLimits;
use crate::failure::Failure;
use crate::progress::{SearchProgress, is_interrupted, stop_flag};

/// What a search has found out, and what it took.
#[derive(Debug)]
pub struct Found {
    pub answer: Answer,
    pub end: End,
    pub expansions: u64,
    pub seconds: f64,
    /// Bytes that the search holds at its end.
    pub bytes: usize,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum End {
    /// No plan costs less than the one that was found.
    Optimal,
    /// No plan costs less than the one that was found, divided by this.
    Bounded(f64),
    /// There is a plan, of which nothing more is known.
    Found,
    /// There is no plan.
    Impossible,
    /// It was not over when its time was up.
    OutOfTime,
    /// It was not over when its expansions were made.
    OutOfExpansions,
    /// It was not over when it held too much memory.
    OutOfMemory,
    /// The user stopped it.
    Stopped,
}

impl Found {
    /// Lets a solver search, with a progress bar, and checks its plan.
    pub fn by(solver: &Spec, problem: &Problem, limits: SearchLimits) -> Result<Self, Failure> {
        let progress =
            SearchProgress::new(&format!("{} {}", problem.map, solver.text()), limits.time);
        let (started, is_time_up) = (Instant::now(), AtomicBool::new(false));
        let is_late = || {
            progress.keep_time();
            let is_late = limits.time.is_some_and(|limit| started.elapsed() >= limit);
            is_time_up.store(is_late, Ordering::Relaxed);
            is_late
        };
        let most = limits.expansions.unwrap_or(u64::MAX);
        let mut budget = Budget::expansions(most)
            .with_deadline(&is_late)
            .with_cancel(stop_flag())
            .with_memory(limits.bytes);
        let mut attempt = solver.build().begin(&problem.instance);
        let answer = attempt.go_on(&mut budget, &mut |so_far| {
            progress.show(so_far.nodes, so_far.bound, so_far.best.map(|best| best.cost));
        });
        let expansions = budget.work().expansions;
        let end = match answer.proof {
            Proof::Optimal => End::Optimal,
            Proof::Bounded(factor) => End::Bounded(factor),
            Proof::Found => End::Found,
            Proof::Impossible => End::Impossible,
            _ if is_interrupted() => End::Stopped,
            _ if is_time_up.load(Ordering::Relaxed) => End::OutOfTime,
            _ if expansions >= most => End::OutOfExpansions,
            _ => End::OutOfMemory,
        };
        let (seconds, bytes) = (started.elapsed().as_secs_f64(), attempt.memory());
        check(&problem.instance, &answer).map_err(|reason| {
            Failure::Illegal(format!("{} on {}: {reason}", solver.text(), problem.map))
        })?;
        Ok(Self { answer, end, expansions, seconds, bytes })
    }

    /// The best plan.
    pub fn plan(&self) -> Option<&Plan> {
        self.answer.best.as_ref().map(|best| &best.plan)
    }

    /// The cost of the best plan, as the solver counts it.
    pub fn cost(&self) -> Option<u64> {
        self.answer.best.as_ref().map(|best| best.cost)
    }

    /// No plan costs less than this. None if there is no plan at all.
    pub fn bound(&self) -> Option<u64> {
        (self.end != End::Impossible).then_some(self.answer.bound)
    }

    /// The cost over the bound: 1 is optimal.
    pub fn ratio(&self) -> Option<f64> {
        match (self.cost()?, self.bound()?) {
            // Everybody is on its goal already.
            (0, 0) => Some(1.0),
            (_, 0) => None,
            (cost, bound) => Some(cost as f64 / bound as f64),
        }
    }
}

/// Lets the independent checker follow a plan from the starts of the instance to its goals.
fn check(instance: &Instance, answer: &Answer) -> Result<(), String> {
    fn reason(violation: impl Display) -> String {
        violation.to_string()
    }
    let Some(best) = &answer.best else { return Ok(()) };
    if best.cost < answer.bound {
        let (cost, bound) = (best.cost, answer.bound);
        return Err(format!("a plan costs {cost}, which is less than the bound {bound}"));
    }
    let (world, paths) = (instance.world(), best.plan.paths());
    let starts = instance.tasks().iter().map(|&(start, _)| Some(start));
    if !paths.iter().map(|path| path.at(0)).eq(starts) {
        return Err("a path of the plan does not begin on the start of its agent".to_owned());
    }
    let mut checker = Checker::begin(world.grid(), world.agents()).map_err(reason)?;
    let last = paths.iter().filter_map(TimedPath::ends).max().unwrap_or(0);
    for tick in 1..=last {
        checker.tick(&[], paths.iter().map(|path| path.at(tick))).map_err(reason)?;
    }
    let legal = checker.finish();
    if legal.arrived < legal.agents {
        return Err("the plan does not bring every agent to its goal".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use jostle::instance::{Kind, Reach};
    use jostle::solvers::{Attempt, Entry, Progress, Recipe, Registry, Solution, Solver};
    use jostle::{Grid, Rules};
    use jostle_lab::NamedMap;

    use super::*;

    /// What the checker says about paths on three open cells, for one agent that is to go from the west to the east
    /// and one that stands on (1, 1).
    fn said(first: &[(u32, u32)], bound: u64) -> Result<(), String> {
        let grid = Grid::open(3, 2).unwrap();
        let cell = |(x, y): (u32, u32)| grid.at(x, y).unwrap();
        let tasks = vec![(cell((0, 0)), cell((2, 0))), (cell((1, 1)), cell((1, 1)))];
        let instance = Instance::new(grid.clone(), tasks, Reach::Required).unwrap();
        let first = TimedPath::of(first.iter().map(|&at| cell(at)).collect());
        let plan = Plan::new(grid.clone(), vec![first, TimedPath::of(vec![cell((1, 1))])]);
        let cost = plan.sum_of_costs();
        let best = Some(Solution { plan, cost });
        check(&instance, &Answer { best, bound, proof: Proof::Found, nodes: 1 })
    }

    #[test]
    fn only_a_plan_that_solves_the_instance_is_accepted() {
        assert_eq!(said(&[(0, 0), (1, 0), (2, 0)], 2), Ok(()));
        let wrong = |path: &[(u32, u32)], bound| said(path, bound).unwrap_err();
        assert!(wrong(&[(0, 0), (1, 0), (2, 0)], 3).contains("less than the bound 3"));
        assert!(wrong(&[(1, 0), (2, 0)], 0).contains("does not begin on the start"));
        assert!(wrong(&[(0, 0), (2, 0)], 0).contains("tick 1"));
        assert!(wrong(&[(0, 0), (1, 1), (2, 0)], 0).contains("tick 1"));
        assert!(wrong(&[(0, 0), (1, 0)], 0).contains("does not bring every agent to its goal"));
    }

    /// Has a plan at once, and then looks for a better one until its budget is spent.
    #[derive(Default)]
    struct Restless(Option<Answer>);

    impl Recipe<dyn Solver> for Restless {
        fn build(&self) -> Box<dyn Solver> {
            Box::new(Self(None))
        }
    }

    impl Solver for Restless {
        fn begin(&self, instance: &Instance) -> Box<dyn Attempt> {
            let cbs = jostle::solvers::solver("cbs").unwrap();
            let answer = cbs.solve(instance, &mut Budget::unlimited(), &mut |_| ());
            let answer = Answer { proof: Proof::OutOfBudget, bound: 1, ..answer };
            Box::new(Self(Some(answer)))
        }
    }

    impl Attempt for Restless {
        fn go_on(
            &mut self,
            budget: &mut Budget<'_>,
            listener: &mut dyn FnMut(Progress<'_>),
        ) -> Answer {
            let answer = self.0.clone().unwrap();
            loop {
                let slice = budget.slice(|| 100_000);
                listener(Progress { nodes: 1, bound: 1, best: answer.best.as_ref() });
                if slice == 0 {
                    return answer;
                }
                budget.spend(slice);
            }
        }

        fn memory(&self) -> usize {
            100_000
        }
    }

    #[test]
    fn a_search_that_is_ended_keeps_its_best_plan_and_knows_which_limit_ended_it() {
        let mut registry = Registry::empty();
        registry.add(Entry::new("restless", "never ends", Restless::default)).unwrap();
        let solver = registry.parse("restless").unwrap();
        let map = NamedMap::find("arena:20x20", Rules::default()).unwrap();
        let problem = Problem::draw(&map, Kind::Random, 4, 1).unwrap();
        let unlimited = SearchLimits { time: None, expansions: None, bytes: usize::MAX };
        let ended = |limits| {
            let found = Found::by(&solver, &problem, limits).unwrap();
            assert_eq!(found.plan().unwrap().paths().len(), 4);
            assert_eq!(found.ratio(), found.cost().map(|cost| cost as f64));
            found.end
        };
        let expansions = Some(5000);
        assert_eq!(ended(SearchLimits { expansions, ..unlimited }), End::OutOfExpansions);
        assert_eq!(ended(SearchLimits { bytes: 50_000, ..unlimited }), End::OutOfMemory);
        let time = Some(std::time::Duration::from_millis(20));
        assert_eq!(ended(SearchLimits { time, ..unlimited }), End::OutOfTime);
    }
}
