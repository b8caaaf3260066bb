use jostle::formats::TaskList;
use jostle::instance::Reach;
use jostle::meetings::Meeting;
use jostle::{Cell, Limits, Neighbours, Rules};

use super::*;
use crate::{NamedMap, ProblemKind, ProofName};

fn four() -> Rules {
    Rules { neighbours: Neighbours::Four, ..Rules::default() }
}

/// An initiator at the western end, its task's start in the middle, and an executor at the eastern end, which brings
/// something back to the west: they meet on (3, 0) after three ticks, and it takes three more to the goal.
fn corridor() -> MeetingProblem {
    let grid = Grid::from_ascii(".......").unwrap().with_rules(four());
    let list = TaskList::parse("(0,0) via (2,0) meets (6,0) to (0,0)").unwrap();
    let instance = MeetingInstance::from_list(grid, &list, Reach::Required).unwrap();
    MeetingProblem { map: "m".to_owned(), map_fingerprint: 0, seed: 1, instance }
}

fn solved(solver: &str, problem: &MeetingProblem, limits: Limits) -> Record {
    let solver = CoCbsSpec::parse(solver).unwrap();
    solve_meetings(&solver, problem, Setting::of(limits), &|| false).unwrap().unwrap()
}

#[test]
fn a_plan_is_checked_and_measured() {
    let record = solved("co-cbs", &corridor(), Limits::expansions(100_000));
    let run = record.solver.as_deref().unwrap();
    assert_eq!((run.name.as_str(), run.proof), ("co-cbs", ProofName::Optimal));
    assert_eq!((run.cost, run.bound), (Some(9), Some(9)));
    let sets = run.sets.as_deref().unwrap();
    assert!(sets.generated >= 1 && (1..=sets.generated).contains(&sets.planned), "{sets:?}");
    assert_eq!(sets.first_is_solved, Some(true));
    assert_eq!((record.agents, record.tasks, record.size()), (2, Some(1), 1));
    assert_eq!(record.kind, Some(ProblemKind::Meetings));
    assert_eq!((record.sum_of_costs, record.makespan, record.ticks), (Some(9), Some(6), 6));
    assert_eq!((record.completion_rate, record.completion_ticks), (1.0, Some(4.5)));
    assert_eq!((record.travel_distance, record.path_length), (4.5, Some(4.5)));
    assert!(run.bytes > 0 && record.expansions > 0);
}

#[test]
fn agents_that_stay_are_measured_until_their_part_is_done() {
    let floor = "......\n......";
    let grid = Grid::from_ascii(floor).unwrap().with_rules(four());
    let list = TaskList::parse("(0,0) via (0,0) meets (2,0) to (5,1)").unwrap();
    let instance = MeetingInstance::from_list(grid, &list, Reach::Required).unwrap();
    let problem = MeetingProblem { instance, ..corridor() };
    let record = solved("co-cbs:at-target=stay", &problem, Limits::expansions(100_000));
    let run = record.solver.as_deref().unwrap();
    assert_eq!((run.proof, run.cost), (ProofName::Optimal, record.sum_of_costs));
    assert_eq!(record.arrived(), 2);
}

#[test]
fn without_a_plan_nobody_moves_and_what_only_a_plan_has_is_missing() {
    let record = solved("co-cbs", &corridor(), Limits::expansions(1));
    let run = record.solver.as_deref().unwrap();
    assert_eq!((run.proof, run.cost), (ProofName::OutOfBudget, None));
    assert_eq!(run.sets.as_deref().unwrap().first_is_solved, None);
    assert_eq!((record.ticks, record.completion_rate, record.travel_distance), (0, 0.0, 0.0));
    assert_eq!((record.makespan, record.sum_of_costs, record.success_rate), (None, None, 0.0));
}

#[test]
fn the_same_expansions_give_the_same_record() {
    let map = NamedMap::find("scatter:16x16", four()).unwrap();
    let problem = MeetingProblem::draw(&map, 4, 2).unwrap();
    let untimed = || {
        let record = solved("co-cbs", &problem, Limits::expansions(300_000));
        let mut run = *record.solver.unwrap();
        assert!(run.is_solved());
        (run.first_plan_seconds, run.best_plan_seconds) = (None, None);
        (run, Record { solver: None, seconds: 0.0, ..record })
    };
    assert_eq!(untimed(), untimed());
}

#[test]
fn a_search_that_is_stopped_leaves_no_record() {
    let map = NamedMap::find("scatter:32x32", four()).unwrap();
    let problem = MeetingProblem::draw(&map, 40, 1).unwrap();
    let setting = Setting::of(Limits::default());
    let solver = CoCbsSpec::parse("co-cbs").unwrap();
    assert_eq!(solve_meetings(&solver, &problem, setting, &|| true).unwrap(), None);
}

/// What is wrong with these paths through the corridor, and a meeting on this column and tick.
fn said(initiator: &[u32], executor: &[u32], meeting: (u32, u64)) -> Option<String> {
    let instance = corridor().instance;
    let at = |x: u32| instance.grid().at(x, 0).unwrap();
    let leaving = |xs: &[u32]| {
        let cells: Vec<Cell> = xs.iter().map(|&x| at(x)).collect();
        TimedPath { stays: false, ..TimedPath::of(cells) }
    };
    let meeting = Meeting { cell: at(meeting.0), tick: meeting.1 };
    let plan =
        MeetingPlan::new(&instance, vec![leaving(initiator), leaving(executor)], vec![meeting]);
    check_meetings(&instance, &plan).err()
}

#[test]
fn only_a_plan_that_does_all_tasks_is_accepted() {
    let there = [6, 5, 4, 3, 2, 1, 0];
    assert_eq!(said(&[0, 1, 2, 3], &there, (3, 3)), None);
    let wrong = |initiator: &[u32], executor: &[u32], meeting| {
        said(initiator, executor, meeting).unwrap_or_else(|| panic!("{initiator:?} is accepted"))
    };
    wrong(&[0, 1, 2, 3], &there[..6], (3, 3));
    wrong(&[0, 1, 2], &there, (2, 2));
    wrong(&[0, 0, 1, 3], &there, (3, 3));
    let elsewhere = wrong(&[1, 2, 3, 3], &there, (3, 3));
    assert!(elsewhere.contains("does not begin on the start of its agent"), "{elsewhere}");
    let other = MeetingProblem::draw(&NamedMap::find("arena:8x8", four()).unwrap(), 1, 1).unwrap();
    let answer = CoCbsSpec::parse("co-cbs").unwrap().build().solve(
        &other.instance,
        &mut jostle::Budget::unlimited(),
        &mut |_| (),
    );
    let plan = answer.best.unwrap().plan;
    assert!(check_meetings(&other.instance, &plan).is_ok());
    assert!(check_meetings(&corridor().instance, &plan).is_err(), "it is for other tasks");
}
