//! Tests of solvers in sweeps, exports and reports.

mod common;

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use common::stderr;
use common::sweeps::{Bench, wait_until};
use serde_json::Value;

/// 2 maps x 2 numbers of agents x 3 seeds x 2 solvers.
const SPEC: &str = r#"
[[sweep]]
maps = ["scatter:16x16", "rooms:20x16"]
agents = [3, 6]
seeds = "1-3"
solvers = ["cbs", { solver = "cbs:heuristic=none", agents_at_most = 6 }]
limits = ["200000expansions"]
neighbours = 4
"#;
const RUNS: usize = 24;

#[test]
fn a_sweep_of_solvers_is_resumed_and_split_as_one_of_planners() {
    Bench::of(SPEC).is_resumed_and_split(RUNS);
}

#[test]
fn the_record_of_a_solver_says_what_it_found_and_that_all_agents_arrived() {
    let bench = Bench::of(SPEC);
    bench.succeeds("spec.toml", "out", &["--threads", "1"]);
    let text = bench.records("out");
    let record: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let key = "scatter:16x16:seed=1|random|3|1|solver cbs|200000expansions|4";
    assert_eq!(record["key"], key);
    let run = &record["solver"];
    assert_eq!((&run["name"], &run["proof"]), (&"cbs".into(), &"optimal".into()));
    assert!(run["cost"].as_u64() > Some(0) && run["cost"] == run["bound"], "{run}");
    assert_eq!(run["cost"], record["sum_of_costs"]);
    assert!(run["first_plan_seconds"].as_f64() <= record["seconds"].as_f64());
    assert!(run["nodes"].is_u64() && run["bytes"].as_u64() > Some(0), "{run}");
    assert_eq!((&record["completion_rate"], &record["planner"]), (&1.0.into(), &Value::Null));
}

#[test]
fn what_was_not_solved_within_the_limit_is_recorded_too() {
    let bench = Bench::of(SPEC);
    bench.write("spec.toml", &SPEC.replace("200000expansions", "1expansions"));
    bench.succeeds("spec.toml", "out", &[]);
    for record in bench.results("out").values() {
        let run = &record["solver"];
        assert_eq!((&run["proof"], &run["cost"]), (&"out-of-budget".into(), &Value::Null));
        assert_eq!((&record["completion_rate"], &record["makespan"]), (&0.0.into(), &Value::Null));
    }
}

#[test]
fn a_sweep_of_planners_can_be_extended_by_solvers() {
    let bench = Bench::of(SPEC);
    let planners = SPEC.replace("solvers = [\"cbs\", { solver", "planners = [\"pibt\", { planner");
    bench.write("planners.toml", &planners.replace("cbs:heuristic=none", "bmaa"));
    bench.succeeds("planners.toml", "out", &[]);
    bench.is_refused("spec.toml", "out", "this folder belongs to another spec");
    let both = SPEC.replace("limits", "planners = [\"pibt\", \"bmaa\"]\nlimits");
    bench.write("both.toml", &both);
    bench.succeeds("both.toml", "out", &["--extend"]);
    assert_eq!(bench.results("out").len(), 2 * RUNS);
}

#[test]
fn a_spec_whose_solvers_cannot_be_run_is_refused() {
    let bench = Bench::of(SPEC);
    let refused = |from: &str, to: &str, expected: &str| {
        assert!(SPEC.contains(from), "{from}");
        bench.write("wrong.toml", &SPEC.replace(from, to));
        bench.is_refused("wrong.toml", "out", expected);
        assert!(!bench.path("out").exists());
    };
    let needs = "wrong.toml: line 7: solvers need limits in seconds or expansions";
    refused("200000expansions", "300steps", needs);
    refused("\"cbs\"", "\"bmaa\"", "wrong.toml: line 6: there is no solver 'bmaa'");
    refused("heuristic=none", "heuristic=x", "line 6: heuristic of cbs cannot be 'x'");
    refused("solvers", "solver", "line 6: unknown key 'solver': did you mean 'solvers'?");
}

#[test]
fn the_files_of_a_sweep_of_solvers_are_listed() {
    let bench = Bench::of(SPEC);
    bench.write("x.map", "type octile\nheight 1\nwidth 9\nmap\n.........\n");
    bench.write("spec.toml", &SPEC.replace("rooms:20x16", "x.map"));
    let listed = bench.jostle(&["sweep", "spec.toml", "--list-files"]);
    let names: Vec<Value> = String::from_utf8(listed.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["name"].clone())
        .collect();
    assert_eq!(names, ["spec.toml", "x.map"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_search_and_leaves_no_record_of_it() {
    let bench = Bench::of(SPEC);
    let endless = SPEC.replace("200000expansions", "600s").replace("[3, 6]", "[100]");
    bench.write(
        "spec.toml",
        &endless.replace("16x16", "32x32").replace("at_most = 6", "at_most = 100"),
    );
    let child = bench.start("spec.toml", "out");
    wait_until(|| bench.path("out/records.jsonl").exists());
    std::thread::sleep(Duration::from_millis(300));
    let interrupted = Instant::now();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(interrupted.elapsed() < Duration::from_secs(20), "{:?}", interrupted.elapsed());
    let recorded = bench.results("out").len();
    assert!(
        stderr(&output).contains(&format!("stopped with {recorded} of ")),
        "{}",
        stderr(&output)
    );
}

#[test]
fn results_of_solvers_are_exported_in_columns_of_their_own() {
    let bench = Bench::of(SPEC);
    bench.succeeds("spec.toml", "out", &[]);
    bench.jostle(&["export", "out", "--out", "results.csv"]);
    let table = fs::read_to_string(bench.path("results.csv")).unwrap();
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|column| *column == name).unwrap();
    assert_eq!(lines.clone().count(), RUNS);
    for line in lines {
        let values: Vec<&str> = line.split(',').collect();
        let value = |name: &str| values[column(name)];
        assert!(value("solver_name").starts_with("cbs"), "{line}");
        assert_eq!((value("planner"), value("tick_p99_us"), value("ending")), ("", "", ""));
        for name in ["solver_cost", "solver_bound", "solver_nodes", "solver_bytes"] {
            assert!(value(name).parse::<u64>().is_ok(), "{name} of {line}");
        }
        for name in ["solver_first_plan_seconds", "solver_best_plan_seconds"] {
            assert!(value(name).parse::<f64>().is_ok(), "{name} of {line}");
        }
    }
    // JSON lines are records again.
    bench.jostle(&["export", "out", "--out", "results.jsonl"]);
    bench.jostle(&["export", "results.jsonl", "--out", "again.csv"]);
    assert_eq!(fs::read_to_string(bench.path("again.csv")).unwrap(), table);
}

#[test]
fn a_report_of_solvers_has_tables_and_figures() {
    let bench = Bench::of(SPEC);
    let planners = "\nplanners = [\"pibt\"]\nlimits";
    bench.write("spec.toml", &SPEC.replace("\nlimits", planners));
    bench.succeeds("spec.toml", "out", &[]);
    let output = bench.jostle(&["report", "out"]);
    let (tables, said) = (String::from_utf8(output.stdout.clone()).unwrap(), stderr(&output));
    for expected in [
        "36 runs: 1 planner, 2 solvers, 2 maps, 1 limit.",
        "Solvers, at most 200,000 expansions, 4 neighbours",
        "Instances solved (%) by number of agents",
        "Time to the first plan (ms) by number of agents",
        "rooms:20x16:seed=1, cbs",
        "6/6",
    ] {
        assert!(tables.contains(expected), "{expected}: {tables}");
    }
    assert!(said.contains("left out table 200000expansions-4way-cost-over-bound-agents"), "{said}");
    let report = bench.path("out/report");
    let slug = "200000expansions-4way";
    for name in ["solved", "solved-maps", "first-plan", "nodes", "solved-time"] {
        for ending in ["svg", "png"] {
            let path = report.join(format!("figures/{slug}-{name}.{ending}"));
            assert!(fs::metadata(&path).unwrap().len() > 1000, "{name}.{ending}");
        }
    }
    for name in ["solvers", "solved-agents", "solved-maps", "first-plan-agents", "nodes-agents"] {
        for ending in ["txt", "md", "tex"] {
            assert!(report.join(format!("tables/{slug}-{name}.{ending}")).exists(), "{name}");
        }
    }
    let only = |words: &[&str]| {
        let words = [&["report", "out", "--no-figures", "--out", "some"], words].concat();
        String::from_utf8(bench.jostle(&words).stdout).unwrap()
    };
    assert!(only(&["--solver", "cbs"]).starts_with("12 runs: 1 solver, "));
    assert!(only(&["--planner", "pibt"]).starts_with("12 runs: 1 planner, "));
    assert!(only(&["--planner", "pibt", "--solver", "cbs"]).starts_with("24 runs: "));
    let none = Command::new(env!("CARGO_BIN_EXE_jostle"))
        .current_dir(bench.folder.path())
        .args(["report", "out", "--planner", "cbs"])
        .output()
        .unwrap();
    assert_eq!(none.status.code(), Some(2), "no planner has that name");
}
