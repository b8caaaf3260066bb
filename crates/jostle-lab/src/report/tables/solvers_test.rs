//! The tables of solvers from few runs, with answers worked out by hand.

use super::super::section::{Contest, Section};
use super::{Compared, Comparison, all};
use crate::record::testing::{no_arrivals, solved, unsolved, with_meetings};
use crate::table::Cell;
use crate::{Record, SolverRun};

/// The table of that name from the only section of these runs.
fn table(records: &[Record], name: &str) -> Comparison {
    let sections = Section::all(records);
    assert_eq!(sections.len(), 1);
    let tables = all(&sections[0], None).into_iter().flatten();
    tables.into_iter().find(|table| table.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Label and cells of each line, a star at the best.
fn cells(table: &Comparison) -> Vec<(String, Vec<String>)> {
    let text = |cell: &Compared| {
        let Cell { value, detail, is_best } = cell.cell();
        let star = if is_best { "*" } else { "" };
        format!("{}{star} {detail}", value.as_deref().unwrap_or("–")).trim().to_owned()
    };
    let lines = table.lines.iter();
    lines.map(|line| (line.label.clone(), line.cells.iter().map(text).collect())).collect()
}

fn shown(values: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    values.iter().map(|(label, texts)| ((*label).to_owned(), owned(texts))).collect()
}

fn seeded(seed: u64, record: Record) -> Record {
    Record { seed: Some(seed), ..record }
}

fn with(record: Record, change: impl Fn(&mut SolverRun)) -> Record {
    let mut record = record;
    record.solver.as_mut().map(|run| change(run)).unwrap();
    record
}

/// Two solvers, two maps, 10 and 20 agents: `slow` solves nothing with 20.
fn records() -> Vec<Record> {
    let twenty = |record: Record| Record { agents: 20, ..record };
    vec![
        solved("cbs", "a", 90, 0.001),
        solved("cbs", "b", 108, 0.003),
        twenty(solved("cbs", "a", 90, 0.5)),
        twenty(unsolved("cbs", "b")),
        solved("slow", "a", 90, 0.010),
        solved("slow", "b", 90, 0.030),
        twenty(unsolved("slow", "a")),
        twenty(unsolved("slow", "b")),
    ]
}

#[test]
fn a_solver_succeeds_where_it_finds_a_plan() {
    let solved = table(&records(), "30s-solved-agents");
    assert_eq!(solved.header, ["solver", "10 agents", "20 agents"]);
    let expected =
        shown(&[("cbs", &["100.0* 2/2", "50.0* 1/2"]), ("slow", &["100.0* 2/2", "0.0 0/2"])]);
    assert_eq!(cells(&solved), expected);
    let maps = table(&records(), "30s-solved-maps");
    let expected = shown(&[
        ("a, cbs", &["100.0* 1/1", "100.0* 1/1"]),
        ("a, slow", &["100.0* 1/1", "0.0 0/1"]),
        ("b, cbs", &["100.0* 1/1", "0.0 0/1"]),
        ("b, slow", &["100.0* 1/1", "0.0 0/1"]),
    ]);
    assert_eq!(cells(&maps), expected);
}

#[test]
fn times_and_nodes_are_those_of_solved_instances_and_say_of_how_many() {
    let times = table(&records(), "30s-first-plan-agents");
    // Of 20 agents one has solved an instance that the other has not, so none is best.
    let expected = shown(&[("cbs", &["2.00* 2/2", "500 1/2"]), ("slow", &["20.0 2/2", "– 0/2"])]);
    assert_eq!(cells(&times), expected);
    let nodes = table(&records(), "30s-nodes-agents");
    let expected = shown(&[("cbs", &["1000* 2/2", "1000 1/2"]), ("slow", &["1000* 2/2", "– 0/2"])]);
    assert_eq!(cells(&nodes), expected);
}

#[test]
fn costs_are_compared_with_the_bound_of_their_own_run() {
    // 90 / 90 and 108 / 90 for cbs.
    let costs = table(&records(), "30s-cost-over-bound-agents");
    let expected =
        shown(&[("cbs", &["1.100 2/2", "1.000 1/2"]), ("slow", &["1.000* 2/2", "– 0/2"])]);
    assert_eq!(cells(&costs), expected);
}

#[test]
fn the_overview_has_a_line_for_each_solver() {
    let overview = table(&records(), "30s-solvers");
    let cbs = &["75.0* 3/4", "168 3/4", "1.067 3/4", "1000 3/4", "2.00*"];
    let slow = &["50.0 2/4", "20.0 2/4", "1.000 2/4", "1000 2/4", "2.00*"];
    assert_eq!(cells(&overview), shown(&[("cbs", cbs), ("slow", slow)]));
    assert_eq!(overview.title, "Solvers, at most 30 s, 8 neighbours");
}

/// Five and ten tasks: `co-cbs` solves one of the larger instances, with its first set of meetings.
fn meetings() -> Vec<Record> {
    let twenty = |record: Record| Record { agents: 20, ..record };
    vec![
        with_meetings(solved("co-cbs", "a", 90, 0.001), 4, true),
        with_meetings(solved("co-cbs", "b", 90, 0.003), 8, false),
        with_meetings(twenty(solved("co-cbs", "a", 90, 0.5)), 100, true),
        with_meetings(twenty(unsolved("co-cbs", "b")), 300, false),
    ]
}

#[test]
fn pairs_that_meet_are_shown_by_the_number_of_their_tasks() {
    let solved = table(&meetings(), "30s-meetings-solved-tasks");
    assert_eq!(solved.header, ["solver", "5 tasks", "10 tasks"]);
    assert_eq!(cells(&solved), shown(&[("co-cbs", &["100.0 2/2", "50.0 1/2"])]));
    assert!(
        solved.title.ends_with("by number of tasks, pairs that meet, at most 30 s, 8 neighbours")
    );
}

#[test]
fn sets_of_meetings_count_for_all_instances_and_first_sets_for_those_solved() {
    let value = |name: &str| cells(&table(&meetings(), name))[0].1.clone();
    assert_eq!(value("30s-meetings-sets-tasks"), ["6.00", "200"]);
    assert_eq!(value("30s-meetings-sets-planned-tasks"), ["3.00", "100"]);
    assert_eq!(value("30s-meetings-first-set-tasks"), ["50.0 2/2", "100.0 1/2"]);
    let few = with_meetings(solved("co-cbs:lazy=false", "a", 90, 0.001), 2, true);
    let both = [&meetings()[..], &[few]].concat();
    let marked = cells(&table(&both, "30s-meetings-sets-tasks"));
    assert!(!format!("{marked:?}").contains('*'), "fewer sets are not better: {marked:?}");
}

#[test]
fn pairs_that_meet_are_not_compared_with_agents_on_their_own() {
    let both = [meetings(), records()].concat();
    let sections = Section::all(&both);
    let contests: Vec<Contest> = sections.iter().map(|section| section.contest).collect();
    assert_eq!(contests, [Contest::Solvers, Contest::Meetings]);
    let names = |section| all(section, None).into_iter().flatten().map(|table| table.name);
    let alone: Vec<String> = names(&sections[0]).collect();
    assert!(names(&sections[1]).all(|name| !alone.contains(&name)), "files of their own");
}

#[test]
fn a_label_replaces_a_long_name_unless_records_contradict_each_other() {
    let labelled = |label: &str| {
        let mut records = records();
        for record in records.iter_mut().filter(|record| record.contestant().text() == "slow") {
            record.label = Some(label.to_owned());
        }
        records
    };
    let names = |records: &[Record]| {
        let lines = table(records, "30s-solvers").lines;
        lines.into_iter().map(|line| line.label).collect::<Vec<_>>()
    };
    assert_eq!(names(&labelled("tortoise")), ["cbs", "tortoise"]);
    let by_map = table(&labelled("tortoise"), "30s-solved-maps");
    assert_eq!(by_map.lines[1].label, "a, tortoise");
    assert_eq!(names(&labelled("cbs")), ["cbs", "slow"], "it is the name of another one");
    let two = [labelled("tortoise"), labelled("snail")].concat();
    assert_eq!(names(&two), ["cbs", "slow"]);
}

#[test]
fn intervals_are_over_seeds() {
    let record = |seed, seconds| seeded(seed, solved("cbs", "a", 90, seconds));
    let one = Record { agents: 20, ..unsolved("cbs", "a") };
    let records = [record(1, 0.4), record(2, 0.5), record(3, 0.6), one];
    let times = table(&records, "30s-first-plan-agents");
    // The standard deviation is 100, so the interval is 4.303 * 100 / sqrt(3).
    assert_eq!(cells(&times), shown(&[("cbs", &["500 ±248 3/3", "– 0/1"])]));
}

#[test]
fn tables_that_say_nothing_are_left_out() {
    let why_not = |records: &[Record], name: &str| {
        let reasons = all(&Section::all(records)[0], None).into_iter().filter_map(Result::err);
        reasons.into_iter().find(|reason| reason.starts_with(name)).unwrap_or_default()
    };
    let first_is_best = "30s-best-plan-agents: the first plan of every search is also its best";
    assert_eq!(why_not(&records(), "30s-best-plan"), first_is_best);
    let optimal: Vec<Record> = records().into_iter().filter(|record| record.map == "a").collect();
    assert!(why_not(&optimal, "30s-cost-over-bound").ends_with("so all are optimal"));
    assert!(why_not(&optimal, "30s-solved-maps").ends_with("all runs are on one map"));
    let anytime = with(records()[0].clone(), |run| run.best_plan_seconds = Some(9.0));
    let anytime = [&[anytime][..], &records()[1..]].concat();
    let best = table(&anytime, "30s-best-plan-agents");
    assert_eq!(cells(&best)[0].1[0], "4502 2/2");
    let nothing = [unsolved("cbs", "a"), Record { agents: 20, ..unsolved("cbs", "a") }];
    assert!(why_not(&nothing, "30s-nodes-agents").ends_with("no instance was solved"));
    assert!(why_not(&nothing[..1], "30s-solved-agents").ends_with("same number of agents"));
}

#[test]
fn planners_are_not_compared_with_solvers_even_if_they_share_a_name() {
    let records = [solved("cbs", "a", 90, 1.0), no_arrivals("cbs", "a"), no_arrivals("far", "a")];
    let sections = Section::all(&records);
    let found: Vec<(Contest, &[&str])> =
        sections.iter().map(|section| (section.contest, &*section.contestants)).collect();
    let expected = [(Contest::Planners, &["far", "cbs"][..]), (Contest::Solvers, &["cbs"])];
    assert_eq!(found, expected);
    let names = |section| all(section, None).into_iter().flatten().map(|table| table.name);
    let planners: Vec<String> = names(&sections[0]).collect();
    assert!(names(&sections[1]).all(|name| !planners.contains(&name)), "files of their own");
}
