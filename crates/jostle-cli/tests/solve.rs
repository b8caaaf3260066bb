//! Tests of `jostle solve` and `jostle solvers`: plans, proofs, files and exit codes.

mod common;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Folder, is_refused, jostle, stderr, stdout, succeeds};
use jostle::solvers::Registry;
use serde_json::Value;

/// A corridor with a bay, in which two agents can change places, and a part of the floor that is cut off.
const BAY: &str = "type octile\nheight 2\nwidth 7\nmap\n.....@.\n@@.@@@@\n";

/// More agents than any optimal solver can handle within a test.
const CROWD: [&str; 6] = ["solve", "arena:16x16", "--neighbours", "4", "--agents", "100"];

/// Agents that change places.
const SWAP: &str = "version 1\n0 a.map 7 2 0 0 4 0 4\n0 a.map 7 2 4 0 0 0 4\n";

/// A folder with the map, and agents that change places on it.
fn swap_in_the_bay() -> (Folder, String, String) {
    let folder = Folder::new();
    let (map, scen) = (folder.write("a.map", BAY), folder.write("a.scen", SWAP));
    (folder, map, scen)
}

fn rows(said: &str) -> Vec<Value> {
    said.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A search that only its limits end, and its exit code and standard error.
fn endless(limits: &[&str]) -> (Value, Option<i32>, String) {
    let output = jostle(&[&CROWD, limits, &["--solver", "cbs:heuristic=none", "--json"]].concat());
    let row = rows(&stdout(&output)).remove(0);
    (row, output.status.code(), stderr(&output))
}

#[test]
fn every_solver_finds_the_plan_and_says_how_good_it_is() {
    let (_folder, map, scen) = swap_in_the_bay();
    for entry in Registry::builtin().entries() {
        let words = ["solve", &map, "--scen", &scen, "--solver", entry.name(), "--json"];
        let row = rows(&succeeds(&words)).remove(0);
        assert_eq!((&row["solver"], &row["agents"]), (&entry.name().into(), &2.into()));
        let [cost, bound] = ["cost", "bound"].map(|name| row[name].as_f64().unwrap());
        match row["proof"].as_str().unwrap() {
            "optimal" => assert_eq!((cost, bound), (11.0, 11.0)),
            "bounded" => assert!(cost <= 11.0 * row["factor"].as_f64().unwrap(), "{row}"),
            "found" => assert!(cost >= 11.0, "{row}"),
            other => panic!("{other}"),
        }
        assert!(bound <= 11.0, "{row}");
        assert!(row["expansions"].as_u64() > Some(0) && row["bytes"].as_u64() > Some(0), "{row}");
    }
}

#[test]
fn several_solvers_are_compared_in_a_table() {
    let (_folder, map, scen) = swap_in_the_bay();
    let solvers = "cbs,cbs:objective=makespan";
    let said = succeeds(&["solve", &map, "--scen", &scen, "--solver", solvers]);
    let row = |name: &str| {
        let line = said.lines().find(|line| line.starts_with(&format!("│ {name} ")));
        let cells = line.unwrap_or_else(|| panic!("{name}: {said}")).split(['│', '┆']);
        cells.map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(row("cbs")[2..7], ["optimal", "11", "6", "11", "1.000"]);
    assert_eq!(row("cbs:objective=makespan")[2..7], ["optimal", "11", "6", "6", "1.000"]);
    for expected in ["a · 7x2 cells · 2 agents · ", "at most 60 s, 2 GB", "every plan was checked"]
    {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn several_problems_are_summarised() {
    let words = ["solve", "rooms:30x20", "--agents", "3,6", "--seeds", "1-2", "--solver", "cbs"];
    let said = succeeds(&words);
    assert_eq!(said.matches("│ cbs").count(), 4, "{said}");
    for expected in ["plans found, % of problems: cbs", "3 agents ┆ 6 agents", "100 ┆      100"]
    {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(!succeeds(&[&words[..], &["--brief"]].concat()).contains("│ cbs"));
    let markdown = succeeds(&[&words[..], &["--markdown"]].concat());
    assert!(markdown.contains("\n### rooms:30x20") && markdown.contains("| cbs"), "{markdown}");
}

#[test]
fn one_problem_has_its_table_in_brief_too() {
    for (command, option, name) in [("solve", "--solver", "cbs"), ("run", "--planner", "pibt")] {
        let said = succeeds(&[command, "rooms:30x20", "--agents", "3", option, name, "--brief"]);
        assert!(said.contains(&format!("│ {name}")), "{said}");
    }
}

#[test]
fn the_files_of_a_plan_are_accepted_under_the_rules_it_was_made_for() {
    let folder = Folder::new();
    let (paths, page) = (folder.path("plan.txt"), folder.path("plan.html"));
    for rules in [&[][..], &["--neighbours", "4"], &["--forbid-crossing"], &["--corners", "none"]] {
        let problem =
            ["solve", "arena:30x20", "--agents", "15", "--paths", &paths, "--replay", &page];
        succeeds(&[&problem[..], rules].concat());
        let said = succeeds(&[&["check", "arena:30x20", &paths], rules].concat());
        assert!(said.contains("legal: 15 agents") && said.contains("15 arrived"), "{said}");
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text.contains("cbs · arena:30x20:seed=1 · 15 agents"));
        assert!(text.contains("<dt>result</dt><dd>optimal</dd>"));
    }
}

#[test]
fn several_plans_go_to_a_folder() {
    let folder = Folder::new();
    let paths = folder.path("plans");
    let solvers = "cbs,cbs:bypass=false";
    succeeds(&["solve", "arena:30x20", "--agents", "5", "--solver", solvers, "--paths", &paths]);
    let names = folder.files("plans");
    let names: Vec<_> = names.iter().map(|file| file.file_name().unwrap()).collect();
    assert_eq!(names, ["cbs.txt", "cbs_bypass=false.txt"]);
}

#[test]
fn without_a_plan_nothing_is_written_and_the_exit_code_is_1() {
    let folder = Folder::new();
    let (paths, page) = (folder.path("plan.txt"), folder.path("plan.html"));
    let words = [&CROWD[..], &["--limit", "20000expansions"]].concat();
    let output = jostle(&[&words[..], &["--paths", &paths, "--replay", &page]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(!Path::new(&paths).exists() && !Path::new(&page).exists());
    assert!(stdout(&output).contains("out of expansions"), "{}", stdout(&output));
    let noted = stderr(&output);
    assert!(noted.contains("cbs: out of expansions before there was a plan; any plan"), "{noted}");
    let output = jostle(&[&words[..], &["--solver", "cbs,cbs:heuristic=none"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("2 of 2 searches ended without a plan"));
}

#[test]
fn a_goal_out_of_reach_is_refused_or_answered_with_impossible() {
    let (folder, map, _) = swap_in_the_bay();
    let scen = folder.write("cut.scen", "version 1\n0 a.map 7 2 0 0 6 0 6\n");
    let words = ["solve", &map, "--scen", &scen];
    is_refused(&words, "cut.scen: line 2: no path leads from the start (0, 0) of agent 0");
    let output = jostle(&[&words[..], &["--allow-unreachable"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("impossible"), "{}", stdout(&output));
    assert!(stderr(&output).contains("there is no plan that brings every agent to its goal"));
}

#[test]
fn each_limit_ends_a_search_with_what_is_known() {
    let limits = [
        (["--limit", "30000expansions", "--memory", "1GB"], "out-of-expansions"),
        (["--limit", "60s", "--memory", "1MB"], "out-of-memory"),
        (["--limit", "1500ms", "--memory", "1GB"], "out-of-time"),
    ];
    for (limits, expected) in limits {
        let (row, code, noted) = endless(&limits);
        assert_eq!((&row["proof"], code), (&expected.into(), Some(1)), "{row}");
        assert!(row["cost"].is_null() && row["bound"].as_u64() > Some(1000), "{row}");
        // Progress is for terminals.
        assert_eq!(noted.lines().count(), 1, "{noted}");
    }
}

#[test]
fn a_limit_in_expansions_reproduces_exactly() {
    let facts = || {
        let (row, ..) = endless(&["--limit", "50000expansions"]);
        assert_eq!(row["expansions"], 50_000);
        ["bound", "nodes", "bytes"].map(|name| row[name].clone())
    };
    assert_eq!(facts(), facts());
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_shows_what_is_known_and_exits_with_130() {
    let folder = Folder::new();
    let paths = folder.path("plans");
    let child = Command::new(env!("CARGO_BIN_EXE_jostle"))
        .args(CROWD)
        .args(["--solver", "cbs:heuristic=none,cbs", "--limit", "600s", "--paths", &paths])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let asked = Instant::now();
    let output = child.wait_with_output().unwrap();
    // On an idle machine it is less than a second; this machine may be busy.
    assert!(asked.elapsed() < Duration::from_secs(10));
    let (said, noted) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(130), "{noted}");
    assert!(said.contains("stopped ┆"), "{said}");
    assert!(!said.contains("│ cbs  "), "later searches were not begun: {said}");
    assert_eq!(noted, "error: stopped with 0 of 2 searches done: what is known so far is shown\n");
    assert!(folder.files("plans").is_empty());
}

#[test]
fn wrong_requests_are_refused_in_one_sentence() {
    let (folder, map, scen) = swap_in_the_bay();
    is_refused(
        &["solve", "cave", "--solver", "a*"],
        "there is no solver 'a*': the solvers are cbs",
    );
    is_refused(&["solve", "cave", "--solver", "cbs:speed=3"], "cbs has no parameter 'speed'");
    is_refused(&["solve", "cave", "--limit", "100steps"], "'100steps' is not a limit of a search");
    is_refused(&["solve", "cave", "--memory", "much"], "'much' is not a size: write 500MB or 2GB");
    is_refused(&["solve", "no.map"], "no.map");
    is_refused(&["solve", &map, "--scen", &scen, "--agents", "3"], "the scenario has 2 rows");
    is_refused(&["solve", &map, "--scen", &scen, "--seeds", "2"], "cannot be used with");
    is_refused(
        &["solve", &map, "--scen", &scen, "--paths", &scen],
        "this command reads that file: choose another name to write to",
    );
    is_refused(
        &["solve", "cave", "--neighbours", "4", "--corners", "one"],
        "--corners has no effect here",
    );
    let file = folder.write("file", "");
    is_refused(&["solve", "cave", "--solver", "cbs,cbs", "--paths", &file], "this is a file");
    is_refused(&["solvers", "bmaa"], "there is no solver 'bmaa': the solvers are cbs");
}

#[test]
fn the_example_of_every_solver_is_accepted() {
    let list = succeeds(&["solvers"]);
    for entry in Registry::builtin().entries() {
        assert!(list.contains(&format!("{} ", entry.name())), "{list}");
        let said = succeeds(&["solvers", entry.name()]);
        let (_, suggestion) = said.split_once("For example: jostle ").unwrap();
        assert!(suggestion.contains(&format!("--solver {}", entry.name())), "{suggestion}");
        let words: Vec<_> = suggestion.split_whitespace().chain(["--agents", "5"]).collect();
        succeeds(&words);
    }
}
