use std::ops::ControlFlow;
use std::sync::Arc;

use jostle::formats::GoalList;
use jostle::instance::Kind;
use jostle::{Limits, Rules};

use super::*;
use crate::{GoalChoice, GoalPlaces, GoalSource, NamedMap, solve};

fn problem(map: &str, agents: usize, choice: GoalChoice) -> Problem {
    let map = NamedMap::find(map, Rules::default()).unwrap();
    let lifelong = Some(choice.on(&map).unwrap());
    Problem { lifelong, ..Problem::draw(&map, Kind::Random, agents, 3).unwrap() }
}

fn lifelong(problem: &Problem, name: &str, stop_after: u64) -> Record {
    let planner = Spec::parse(name).unwrap();
    let setting = Setting::of(Limits::ticks(150));
    let watch = |so_far: SoFar<'_>| {
        let is_over = so_far.world.tick() >= stop_after;
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    run(&planner, problem, setting, watch).unwrap().1
}

#[test]
fn a_lifelong_run_has_a_throughput_and_reproduces() {
    let problem = problem("cave:40x30", 40, GoalChoice::Usual);
    let record = lifelong(&problem, "jostle", u64::MAX);
    let goals = record.lifelong.clone().unwrap();
    assert_eq!((goals.places, goals.list.as_deref()), (GoalPlaces::Anywhere, None));
    assert!(goals.goals > 80, "{goals:?}");
    assert_eq!((record.ticks, goals.throughput), (150, goals.goals as f64 / 150.0));
    assert!(goals.service_ticks.unwrap() <= goals.service_p95_ticks.unwrap() as f64);
    let again = lifelong(&problem, "jostle", u64::MAX);
    assert_eq!((again.fingerprint, again.lifelong), (record.fingerprint, record.lifelong));
}

#[test]
fn a_run_that_is_stopped_counts_the_goals_of_its_last_tick() {
    let problem = problem("cave:40x30", 40, GoalChoice::Usual);
    // Were they not counted, the checker would disagree at one of these ticks.
    for ticks in 1..40 {
        assert_eq!(lifelong(&problem, "pibt", ticks).ticks, ticks);
    }
}

#[test]
fn built_in_warehouses_have_stations_and_other_maps_only_if_they_are_asked_for() {
    let places = |map, choice: GoalChoice| {
        let map = NamedMap::find(map, Rules::default()).unwrap();
        choice.on(&map).map(|source| source.places()).map_err(|error| error.to_string())
    };
    for map in ["aisles", "warehouse"] {
        assert_eq!(places(map, GoalChoice::Usual), Ok(GoalPlaces::Stations));
        assert_eq!(places(map, GoalChoice::Anywhere), Ok(GoalPlaces::Anywhere));
    }
    assert_eq!(places("scatter", GoalChoice::Usual), Ok(GoalPlaces::Anywhere));
    assert_eq!(places("scatter", GoalChoice::Stations), Ok(GoalPlaces::Stations));
    let error = places("maze:3x3", GoalChoice::Stations).unwrap_err();
    assert!(error.starts_with("maze:3x3:seed=1: there are no stations on this map"), "{error}");
}

#[test]
fn a_record_of_a_lifelong_run_is_read_as_it_was_written() {
    let record = lifelong(&problem("aisles:40x30", 20, GoalChoice::Usual), "jostle", u64::MAX);
    let text = serde_json::to_string(&record).unwrap();
    assert!(text.contains("\"lifelong\":{\"places\":\"stations\",\"goals\":"), "{text}");
    let read: Record = serde_json::from_str(&text).unwrap();
    assert_eq!(read, record);
    // What other runs write is as before.
    let plain = Record { lifelong: None, ..record };
    assert!(!serde_json::to_string(&plain).unwrap().contains("lifelong"));
}

#[test]
fn a_list_is_followed_and_one_that_does_not_fit_is_refused() {
    let drawn = problem("cave:40x30", 2, GoalChoice::Usual);
    let (x, y) = drawn.instance.grid().position(drawn.instance.tasks()[0].0);
    let with = |text: &str| {
        let list = Arc::new(GoalList::parse(text).unwrap());
        Problem { lifelong: Some(GoalSource::List(list)), ..drawn.clone() }
    };
    let record = lifelong(&with(&format!("({x},{y})")), "jostle", u64::MAX);
    let goals = record.lifelong.unwrap();
    assert_eq!((goals.places, goals.goals), (GoalPlaces::List, 3));
    assert_eq!(goals.list.unwrap().len(), 16);
    let setting = Setting::of(Limits::ticks(5));
    let wrong = with("(0,0)");
    let refused =
        run(&Spec::parse("jostle").unwrap(), &wrong, setting, |_| ControlFlow::Continue(()));
    assert_eq!(refused.unwrap_err().to_string(), "line 1: the goal (0, 0) is a wall");
}

#[test]
fn solvers_refuse_lifelong_problems() {
    let solver = jostle::solvers::Spec::parse("cbs").unwrap();
    let problem = problem("cave:40x30", 2, GoalChoice::Usual);
    let error = solve(&solver, &problem, Setting::of(Limits::expansions(10)), &|| false);
    assert_eq!(
        error.unwrap_err().to_string(),
        "cbs plans to the last goal, and a lifelong run has none"
    );
}
