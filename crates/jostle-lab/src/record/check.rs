//! Whether a record can be that of a run.

use jostle::formats::quoted;

use super::{Origin, Record, RunKey};
use crate::ProblemKind;

impl Record {
    /// What makes this record impossible, if anything does.
    pub(super) fn check(&self) -> Result<(), String> {
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        if self.agents == 0 {
            return Err("a run needs at least one agent".to_owned());
        }
        if !is_share(self.completion_rate) || !is_share(self.success_rate) {
            return Err("a share of agents is not between 0 and 1".to_owned());
        }
        if ![4, 8].contains(&self.neighbours) {
            return Err("neighbours are 4 or 8".to_owned());
        }
        if !self.reals().all(|number| (0.0..=f64::MAX).contains(&number)) {
            return Err("a measure is negative or not a number".to_owned());
        }
        if self.scen.is_some() && (self.scenario.is_none() || self.kind.is_some()) {
            return Err("only agents that were read have a scenario".to_owned());
        }
        self.check_tasks()?;
        self.check_contestant()?;
        self.check_lifelong()?;
        match &self.key {
            None if self.spec.is_some() => Err("a record of a sweep needs a key".to_owned()),
            Some(_) if self.spec.is_none() => Err("a record of a sweep needs a spec".to_owned()),
            Some(key) if !self.fits(key) => {
                Err(format!("its key, {}, is that of another run", quoted(key)))
            }
            _ => Ok(()),
        }
    }

    /// What is wrong with the parts that only runs with meetings have.
    fn check_tasks(&self) -> Result<(), String> {
        let sets = self.solver.as_ref().and_then(|solver| solver.sets.as_ref());
        let drawn_with_tasks = self.kind == Some(ProblemKind::Meetings);
        match self.tasks {
            None if drawn_with_tasks || sets.is_some() => {
                Err("a run with meetings needs a number of tasks".to_owned())
            }
            Some(_) if sets.is_none() || self.kind.is_some() && !drawn_with_tasks => {
                Err("only a solver's run with meetings has tasks".to_owned())
            }
            Some(tasks) if tasks.checked_mul(2) != Some(self.agents) => {
                Err("a task for which agents meet has two agents".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// What is wrong with the parts that only runs of planners or of solvers have.
    fn check_contestant(&self) -> Result<(), String> {
        let ticks =
            [self.tick_p99_us, self.tick_max_us, self.first_tick_us, self.later_tick_max_us];
        let is_of_planner = self.ending.is_some()
            && self.makespan.is_some()
            && self.sum_of_costs.is_some()
            && self.planner_bytes.is_some()
            && ticks.iter().all(Option::is_some);
        match (&self.planner, &self.solver) {
            (Some(_), None) if is_of_planner => Ok(()),
            (Some(_), None) => Err("the run of a planner lacks a measure".to_owned()),
            (None, Some(solver)) => solver.check(),
            _ => Err("a run has a planner or a solver, and not both".to_owned()),
        }
    }

    /// What is wrong with the part that only lifelong runs have.
    fn check_lifelong(&self) -> Result<(), String> {
        match &self.lifelong {
            None => Ok(()),
            Some(_) if self.solver.is_some() => {
                Err("only the run of a planner is lifelong".to_owned())
            }
            Some(lifelong) => lifelong.check(),
        }
    }

    /// All measures that are not whole numbers.
    fn reals(&self) -> impl Iterator<Item = f64> {
        let always = [self.seconds, self.travel_distance, self.cycles];
        let perhaps = [
            self.completion_ticks,
            self.completion_seconds,
            self.completion_expansions,
            self.path_length,
            self.path_over_shortest,
            self.tick_p99_us,
            self.tick_max_us,
            self.first_tick_us,
            self.later_tick_max_us,
        ];
        let of_solver = self.solver.iter().flat_map(|solver| solver.reals());
        let lifelong = self.lifelong.as_deref();
        let of_goals =
            lifelong.into_iter().flat_map(|run| [Some(run.throughput), run.service_ticks]);
        let perhaps = perhaps.into_iter().chain(of_goals).flatten();
        always.into_iter().chain(perhaps).chain(of_solver)
    }

    /// Whether the key of a sweep's run says what the fields say.
    fn fits(&self, key: &str) -> bool {
        let origin = match (self.kind, self.seed, &self.scen, &self.scenario) {
            (Some(kind), Some(seed), ..) => Origin::Drawn { kind, seed },
            (None, None, Some(scen), Some(scenario)) => Origin::Read { scen, scenario },
            _ => return false,
        };
        let compares_with_shortest = key.ends_with(RunKey::SHORTEST);
        let of_fields = RunKey {
            map: &self.map,
            origin,
            size: self.size() as usize,
            contestant: self.contestant(),
            limits: self.limit,
            rules: self.rules(),
            lifelong: self.goal_places(),
            compares_with_shortest,
        };
        (compares_with_shortest || self.path_over_shortest.is_none()) && of_fields.is(key)
    }
}
