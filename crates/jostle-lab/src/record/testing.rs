//! Records for tests.

use std::ops::ControlFlow;

use jostle::instance::Kind;
use jostle::planners::Spec;
use jostle::{Limits, Rules};

use super::{Machine, MeetingSets, ProofName, Record, SolverRun};
use crate::{MeetingProblem, NamedMap, Problem, ProblemKind, Setting, run, solve, solve_meetings};

/// A line as `jostle run --json` of Jostle 0.1 wrote it, before records named all their rules.
pub const OLD_LINE: &str = concat!(
    r#"{"planner":"bmaa","map":"m","agents":10,"seed":1,"kind":"random","neighbours":8,"limit":"30s","#,
    r#""ticks":9,"seconds":0.1,"ending":"all-home","completion_rate":1.0,"completion_ticks":5.0,"#,
    r#""completion_seconds":0.5,"travel_distance":7.5,"makespan":9,"sum_of_costs":50,"expansions":1,"#,
    r#""searches":1,"tick_p99_us":1500.0,"tick_max_us":1.0,"first_tick_us":1.0,"later_tick_max_us":1.0,"#,
    r#""success_rate":1.0,"path_length":5.0,"path_over_shortest":null,"cycles":0.0,"planner_bytes":0,"#,
    r#""fingerprint":"f","version":"0.1.0"}"#
);

/// The old line, with some of its text replaced.
pub fn line(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(OLD_LINE.to_owned(), |line, (from, to)| {
        assert!(line.contains(from), "{from}");
        line.replace(from, to)
    })
}

/// A run of ten agents within 30 s in which no agent arrives or moves.
pub fn no_arrivals(planner: &str, map: &str) -> Record {
    let record: Record = serde_json::from_str(OLD_LINE).unwrap();
    Record {
        planner: Some(planner.to_owned()),
        map: map.to_owned(),
        completion_rate: 0.0,
        completion_ticks: None,
        completion_seconds: None,
        completion_expansions: None,
        travel_distance: 0.0,
        success_rate: 0.0,
        path_length: None,
        ..record
    }
}

/// A record of a sweep with this number of agents.
pub fn sample(agents: usize) -> Record {
    let map = NamedMap::find("cave:32x24", Rules::default()).unwrap();
    let problem = Problem::draw(&map, Kind::Random, agents, 1).unwrap();
    let setting = Setting::of(Limits::ticks(20));
    let planner = Spec::parse("bmaa").unwrap();
    let (_, record) = run(&planner, &problem, setting, |_| ControlFlow::Continue(())).unwrap();
    Record {
        key: Some(format!("{}|random|{agents}|1|bmaa|20steps|8", record.map)),
        spec: Some("0123456789abcdef".to_owned()),
        experiment: Some("a, \"quoted\" name".to_owned()),
        machine: Some(Box::new(Machine::this(1))),
        ..record
    }
}

/// A record of a sweep in which a solver finds a plan for this number of agents.
pub fn solved_sample(agents: usize) -> Record {
    let map = NamedMap::find("cave:32x24", Rules::default()).unwrap();
    let problem = Problem::draw(&map, Kind::Random, agents, 1).unwrap();
    let solver = jostle::solvers::Spec::parse("cbs").unwrap();
    let setting = Setting::of(Limits::expansions(10_000_000));
    let record = solve(&solver, &problem, setting, &|| false).unwrap().unwrap();
    assert!(record.solver.as_ref().unwrap().is_solved());
    Record {
        key: Some(format!("{}|random|{agents}|1|solver cbs|10000000expansions|8", record.map)),
        spec: Some("0123456789abcdef".to_owned()),
        experiment: Some("solvers".to_owned()),
        ..record
    }
}

/// A record of a sweep in which a solver finds a plan for this number of pairs that meet.
pub fn meeting_sample(tasks: usize) -> Record {
    let map = NamedMap::find("cave:32x24", Rules::default()).unwrap();
    let problem = MeetingProblem::draw(&map, tasks, 1).unwrap();
    let solver = jostle::solvers::co_cbs::CoCbsSpec::parse("co-cbs").unwrap();
    let setting = Setting::of(Limits::expansions(10_000_000));
    let record = solve_meetings(&solver, &problem, setting, &|| false).unwrap().unwrap();
    assert!(record.solver.as_ref().unwrap().is_solved());
    Record {
        key: Some(format!("{}|meetings|{tasks}|1|solver co-cbs|10000000expansions|8", record.map)),
        spec: Some("0123456789abcdef".to_owned()),
        experiment: Some("meetings".to_owned()),
        ..record
    }
}

/// A solver's run on ten agents within 30 s that solves nothing.
pub fn unsolved(solver: &str, map: &str) -> Record {
    let run = SolverRun {
        name: solver.to_owned(),
        proof: ProofName::OutOfBudget,
        cost: None,
        bound: Some(90),
        nodes: 1000,
        first_plan_seconds: None,
        best_plan_seconds: None,
        bytes: 2_000_000,
        sets: None,
    };
    Record {
        planner: None,
        solver: Some(Box::new(run)),
        ending: None,
        makespan: None,
        sum_of_costs: None,
        tick_p99_us: None,
        tick_max_us: None,
        first_tick_us: None,
        later_tick_max_us: None,
        planner_bytes: None,
        ..no_arrivals("", map)
    }
}

/// A run of five pairs that meet: another one with the sets of meetings that came up, and whether the first one was enough.
pub fn with_meetings(record: Record, generated: u64, is_first: bool) -> Record {
    let mut run = *record.solver.unwrap();
    let first_is_solved = run.is_solved().then_some(is_first);
    run.sets = Some(Box::new(MeetingSets { generated, planned: generated / 2, first_is_solved }));
    let (solver, kind) = (Some(Box::new(run)), Some(ProblemKind::Meetings));
    Record { solver, kind, tasks: Some(record.agents / 2), ..record }
}

/// The same as [`unsolved`], but with a plan of this cost after so many seconds.
pub fn solved(solver: &str, map: &str, cost: u64, seconds: f64) -> Record {
    let nothing = unsolved(solver, map);
    let run = SolverRun {
        proof: ProofName::Found,
        cost: Some(cost),
        first_plan_seconds: Some(seconds),
        best_plan_seconds: Some(seconds),
        ..*nothing.solver.unwrap()
    };
    Record { solver: Some(Box::new(run)), completion_rate: 1.0, ..nothing }
}
