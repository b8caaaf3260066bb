use std::time::Duration;

use jostle::instance::{Kind, Reach};
use jostle::registry::Entry;
use jostle::solvers::{Answer, Attempt, Progress, Proof, Recipe, Registry, Solution, Solver};
use jostle::{Budget, Grid, Instance, Neighbours, Rules};

use super::*;
use crate::{NamedMap, ProofName};

fn four() -> Rules {
    Rules { neighbours: Neighbours::Four, ..Rules::default() }
}

fn problem(floor: &str, tasks: &[[(u32, u32); 2]]) -> Problem {
    let grid = Grid::from_ascii(floor).unwrap().with_rules(four());
    let cell = |(x, y)| grid.at(x, y).unwrap();
    let tasks = tasks.iter().map(|&[start, goal]| (cell(start), cell(goal))).collect();
    let instance = Instance::new(grid, tasks, Reach::Optional).unwrap();
    Problem {
        map: "m".to_owned(),
        map_fingerprint: 0,
        seed: None,
        kind: None,
        scen: None,
        instance,
        lifelong: None,
    }
}

/// Two agents change places in a corridor with a bay: 5 and 6 ticks.
fn change_of_places() -> Problem {
    problem(".....\n##.##", &[[(0, 0), (4, 0)], [(4, 0), (0, 0)]])
}

fn solved(solver: &str, problem: &Problem, limits: Limits) -> Record {
    let setting = Setting { compare_with_shortest: true, ..Setting::of(limits) };
    solve(&Spec::parse(solver).unwrap(), problem, setting, &|| false).unwrap().unwrap()
}

fn ten_seconds() -> Limits {
    Limits::time(Duration::from_secs(10))
}

#[test]
fn a_plan_is_followed_and_measured() {
    let record = solved("cbs", &change_of_places(), ten_seconds());
    let run = record.solver.as_deref().unwrap();
    assert_eq!((run.name.as_str(), run.proof), ("cbs", ProofName::Optimal));
    assert_eq!((run.cost, run.bound), (Some(11), Some(11)));
    assert_eq!((record.sum_of_costs, record.makespan), (Some(11), Some(6)));
    assert_eq!((record.completion_rate, record.ticks), (1.0, 6));
    assert_eq!(record.completion_ticks, Some(5.5));
    // Each has a shortest path of four steps.
    assert_eq!(record.path_over_shortest, Some(11.0 / 8.0));
    let first = run.first_plan_seconds.unwrap();
    assert!(first <= run.best_plan_seconds.unwrap() && first <= record.seconds);
    assert!(run.nodes > 0 && run.bytes > 0 && record.expansions > 0 && record.searches > 0);
    assert_eq!((&record.planner, record.ending, record.tick_p99_us), (&None, None, None));
    assert_eq!(record.contestant().to_string(), "solver cbs");
}

#[test]
fn the_cost_is_that_of_the_solvers_objective() {
    let record = solved("cbs:objective=makespan", &change_of_places(), ten_seconds());
    assert_eq!(record.solver.unwrap().cost, Some(6));
    assert_eq!(record.makespan, Some(6));
}

#[test]
fn without_a_plan_nobody_moves_and_what_only_a_plan_has_is_missing() {
    // There is no way to the second goal.
    let walled = problem("..#..", &[[(0, 0), (1, 0)], [(3, 0), (0, 0)]]);
    let impossible = solved("cbs", &walled, ten_seconds());
    let run = impossible.solver.as_deref().unwrap();
    assert_eq!((run.proof, run.cost, run.bound), (ProofName::Impossible, None, None));
    let short = solved("cbs", &change_of_places(), Limits::expansions(3));
    let run = short.solver.as_deref().unwrap();
    assert_eq!((run.proof, run.cost, short.expansions), (ProofName::OutOfBudget, None, 3));
    assert!(run.bound.is_some());
    for record in [impossible, short] {
        let run = record.solver.unwrap();
        assert_eq!((run.first_plan_seconds, run.best_plan_seconds), (None, None));
        assert_eq!((record.makespan, record.sum_of_costs), (None, None));
        assert_eq!((record.ticks, record.completion_rate, record.travel_distance), (0, 0.0, 0.0));
    }
}

#[test]
fn a_search_that_is_stopped_leaves_no_record() {
    let map = NamedMap::find("scatter:32x32", four()).unwrap();
    let problem = Problem::draw(&map, Kind::Random, 90, 1).unwrap();
    let solver = Spec::parse("cbs").unwrap();
    let record = solve(&solver, &problem, Setting::of(Limits::default()), &|| true).unwrap();
    assert_eq!(record, None);
}

#[test]
fn a_search_ends_at_its_limit_in_seconds() {
    let map = NamedMap::find("scatter:32x32", four()).unwrap();
    let problem = Problem::draw(&map, Kind::Random, 120, 1).unwrap();
    let record = solved("cbs:heuristic=none", &problem, Limits::time(Duration::from_millis(50)));
    assert_eq!(record.solver.unwrap().proof, ProofName::OutOfBudget);
    assert!(record.seconds >= 0.05, "{}", record.seconds);
}

/// A solver that answers what it is told to.
#[derive(Clone)]
struct Told {
    /// The paths, as distances from the western end of the first row, one after another: each is told to the listener.
    plans: Vec<Vec<Vec<u32>>>,
    bound: u64,
}

impl Recipe<dyn Solver> for Told {
    fn build(&self) -> Box<dyn Solver> {
        Box::new(self.clone())
    }
}

impl Solver for Told {
    fn begin(&self, instance: &Instance) -> Box<dyn Attempt> {
        let grid = instance.shared_grid();
        let path =
            |xs: &Vec<u32>| TimedPath::of(xs.iter().map(|&x| grid.at(x, 0).unwrap()).collect());
        let plans = self.plans.iter().map(|paths| {
            let plan = Plan::new(Arc::clone(grid), paths.iter().map(path).collect());
            Solution { cost: plan.sum_of_costs(), plan }
        });
        Box::new(Telling { plans: plans.collect(), bound: self.bound })
    }
}

struct Telling {
    plans: Vec<Solution>,
    bound: u64,
}

impl Attempt for Telling {
    fn go_on(&mut self, _: &mut Budget<'_>, listener: &mut dyn FnMut(Progress<'_>)) -> Answer {
        for best in &self.plans {
            std::thread::sleep(Duration::from_millis(2));
            listener(Progress { nodes: 1, bound: self.bound, best: Some(best) });
        }
        let best = self.plans.last().cloned();
        Answer { best, bound: self.bound, proof: Proof::Found, nodes: 1 }
    }

    fn memory(&self) -> usize {
        0
    }
}

fn told(plans: &[&[&[u32]]], bound: u64) -> Result<Record, String> {
    let plans = plans.iter().map(|plan| plan.iter().map(|path| path.to_vec()).collect());
    let told = Told { plans: plans.collect(), bound };
    let mut registry = Registry::empty();
    registry.add(Entry::new("told", "a test", move || told.clone())).unwrap();
    let solver = registry.parse("told").unwrap();
    let problem = problem("....", &[[(0, 0), (1, 0)], [(2, 0), (3, 0)]]);
    let record = solve(&solver, &problem, Setting::of(ten_seconds()), &|| false);
    record.map(Option::unwrap).map_err(|error| error.to_string())
}

#[test]
fn the_first_and_the_best_plan_have_times_of_their_own() {
    let slow: &[&[u32]] = &[&[0, 0, 1], &[2, 3]];
    let fast: &[&[u32]] = &[&[0, 1], &[2, 3]];
    let run = told(&[slow, fast, fast], 2).unwrap().solver.unwrap();
    assert_eq!((run.cost, run.proof), (Some(2), ProofName::Found));
    let [first, best] = [run.first_plan_seconds, run.best_plan_seconds].map(Option::unwrap);
    assert!((0.002..best).contains(&first) && best < 0.2, "{first} {best}");
}

#[test]
fn a_plan_that_is_illegal_or_does_not_arrive_or_beats_its_bound_is_an_error() {
    for (plan, bound, reason) in [
        (&[&[0, 1][..], &[2, 1]][..], 0, "agents 0 and 1 are both on (1, 0) at tick 1"),
        (&[&[0, 2], &[2, 3]], 0, "the path of agent 0 has a step that the floor does not allow"),
        (&[&[0], &[2]], 0, "the plan does not bring every agent to its goal"),
        (&[&[0], &[2, 3]], 0, "the agents of the world are not those of the plan"),
        (&[&[0, 1], &[3]], 0, "the agents of the world are not those of the plan"),
        (&[&[0, 1], &[2, 3]], 3, "a plan costs 2, which is less than the bound 3"),
    ] {
        let error = told(&[plan], bound).unwrap_err();
        assert!(error.starts_with("told on m: ") && error.contains(reason), "{error}");
    }
}
