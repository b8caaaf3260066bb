//! Tests of pairs that meet in sweeps, exports and reports.

mod common;

use std::fs;

use common::sweeps::Bench;
use serde_json::Value;

/// 2 maps x 2 numbers of tasks x 2 seeds x 2 solvers, and agents on their own beside them.
const SPEC: &str = r#"
[[sweep]]
maps = ["scatter:16x16", "rooms:20x16"]
tasks = [2, 3]
seeds = "1-2"
solvers = ["co-cbs", "co-cbs:at-target=stay"]
limits = ["500000expansions"]
neighbours = 4

[[sweep]]
maps = ["scatter:16x16"]
agents = [2, 4]
solvers = ["cbs"]
limits = ["500000expansions"]
neighbours = 4
"#;
const PAIRS: usize = 16;
const RUNS: usize = PAIRS + 2;

#[test]
fn a_sweep_of_meetings_is_resumed_and_split_as_any_other() {
    Bench::of(SPEC).is_resumed_and_split(RUNS);
}

#[test]
fn the_record_of_a_run_with_meetings_says_what_jostle_solve_says() {
    let bench = Bench::of(SPEC);
    bench.succeeds("spec.toml", "out", &["--threads", "1"]);
    let key = "scatter:16x16:seed=1|meetings|3|2|solver co-cbs:at-target=stay|500000expansions|4";
    let records = bench.results("out");
    let record = &records[key];
    let words =
        ["solve", "scatter:16x16:seed=1", "--tasks", "3", "--seeds", "2", "--neighbours", "4"];
    let more = ["--solver", "co-cbs:at-target=stay", "--limit", "500000expansions", "--json"];
    let solved = bench.jostle(&[&words[..], &more].concat()).stdout;
    let solved: Value = serde_json::from_slice(&solved).unwrap();
    let run = &record["solver"];
    assert_eq!((&run["proof"], &solved["proof"]), (&"optimal".into(), &"optimal".into()));
    for (ours, theirs) in [
        (&run["cost"], "cost"),
        (&run["nodes"], "nodes"),
        (&run["sets"]["generated"], "sets"),
        (&run["sets"]["planned"], "sets_planned"),
        (&run["sets"]["first_is_solved"], "first_set"),
        (&record["tasks"], "tasks"),
        (&record["makespan"], "makespan"),
        (&record["expansions"], "expansions"),
    ] {
        assert_eq!(*ours, solved[theirs], "{theirs}");
    }
    assert_eq!((&record["agents"], &record["completion_rate"]), (&6.into(), &1.0.into()));
    assert_eq!(record["sum_of_costs"], run["cost"]);
}

#[test]
fn results_with_meetings_are_exported_in_columns_of_their_own() {
    let bench = Bench::of(SPEC);
    bench.succeeds("spec.toml", "out", &[]);
    bench.jostle(&["export", "out", "--out", "results.csv"]);
    let table = fs::read_to_string(bench.path("results.csv")).unwrap();
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let (pairs, alone): (Vec<_>, Vec<_>) =
        rows.iter().partition(|row| row[column("kind")] == "meetings");
    assert_eq!((pairs.len(), alone.len()), (PAIRS, RUNS - PAIRS));
    for row in pairs {
        assert!(["2", "3"].contains(&row[column("tasks")]), "{row:?}");
        assert!(row[column("solver_sets_generated")].parse::<u64>().is_ok(), "{row:?}");
        assert!(["true", "false"].contains(&row[column("solver_sets_first_is_solved")]), "{row:?}");
    }
    for row in alone {
        assert_eq!((row[column("tasks")], row[column("solver_sets_generated")]), ("", ""));
    }
    // JSON lines are records again.
    bench.jostle(&["export", "out", "--out", "results.jsonl"]);
    bench.jostle(&["export", "results.jsonl", "--out", "again.csv"]);
    assert_eq!(fs::read_to_string(bench.path("again.csv")).unwrap(), table);
}

#[test]
fn a_report_shows_success_over_tasks() {
    let bench = Bench::of(SPEC);
    bench.succeeds("spec.toml", "out", &[]);
    let tables = String::from_utf8(bench.jostle(&["report", "out"]).stdout).unwrap();
    for expected in [
        "18 runs: 3 solvers, 2 maps, 1 limit.",
        "Solvers, at most 500,000 expansions, 4 neighbours",
        "Solvers, pairs that meet, at most 500,000 expansions, 4 neighbours",
        "Instances solved (%) by number of tasks, pairs that meet",
        "Instances solved (%) by number of agents",
        "Solved with first set (%) by number of tasks",
        "rooms:20x16:seed=1, co-cbs",
    ] {
        assert!(tables.contains(expected), "{expected}: {tables}");
    }
    let report = bench.path("out/report");
    let slug = "500000expansions-4way-meetings";
    for name in ["solved", "solved-maps", "first-plan", "solved-time", "sets", "first-set-maps"] {
        for ending in ["svg", "png"] {
            let path = report.join(format!("figures/{slug}-{name}.{ending}"));
            assert!(fs::metadata(&path).unwrap().len() > 1000, "{name}.{ending}");
        }
    }
    let words = ["report", "out", "--no-figures", "--out", "some", "--tasks", "3"];
    let only = String::from_utf8(bench.jostle(&words).stdout).unwrap();
    assert!(only.starts_with("8 runs: 2 solvers, "), "{only}");
}

#[test]
fn what_a_table_with_tasks_cannot_have_is_refused_before_anything_runs() {
    let bench = Bench::of(SPEC);
    let refused = |from: &str, to: &str, expected: &str| {
        assert!(SPEC.contains(from), "{from}");
        bench.write("wrong.toml", &SPEC.replacen(from, to, 1));
        bench.is_refused("wrong.toml", "out", expected);
        assert!(!bench.path("out").exists());
    };
    refused(
        "\"co-cbs\"",
        "\"cbs\"",
        "wrong.toml: line 6: for pairs that meet, there is no solver 'cbs'",
    );
    refused("\"cbs\"", "\"co-cbs\"", "wrong.toml: line 13: there is no solver 'co-cbs'");
    refused(
        "solvers = [\"co-cbs\",",
        "planners = [\"pibt\",",
        "line 6: planners do not plan meetings",
    );
    refused("[2, 3]", "[2, 3000]", "6000 agents do not fit");
    refused("[2, 3]", "[0, 3]", "wrong.toml: line 2: there are no tasks");
}
