//! Tests of the command: output, files and exit codes.

mod common;

use std::path::Path;
use std::process::{Command, Stdio};

use common::{Folder, MAP, is_refused, jostle, stderr, stdout, succeeds};
use jostle::planners::Registry;
use serde_json::Value;

#[test]
fn without_a_command_it_runs_a_crowd_with_every_planner_as_its_help_says() {
    assert!(succeeds(&["--help"]).contains("with every planner"));
    let said = succeeds(&[]);
    for entry in Registry::builtin().entries() {
        assert!(said.contains(&format!("│ {} ", entry.name())), "{}: {said}", entry.name());
    }
    for expected in
        ["islands", "arrived", "every run was checked", "Watch jostle and bmaa in a browser"]
    {
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn the_example_of_every_planner_is_accepted() {
    for entry in Registry::builtin().entries() {
        let said = succeeds(&["planners", entry.name()]);
        let (_, suggestion) = said.split_once("For example: jostle ").unwrap();
        assert!(suggestion.contains(&format!("--planner {}:", entry.name())), "{suggestion}");
        let mut words: Vec<_> = suggestion.split_whitespace().collect();
        words.extend(["--agents", "5", "--limit", "5steps"]);
        succeeds(&words);
    }
}

#[test]
fn seeds_and_agents_are_spelt_the_same_in_every_command() {
    let folder = Folder::new();
    let (problems, picture) = (folder.path("problems"), folder.path("map.svg"));
    let run = ["run", "cave:40x30", "--planner", "bmaa", "--limit", "5steps", "--json"];
    let solve = ["solve", "cave:40x30", "--limit", "100000expansions", "--json"];
    let generate = ["gen", "cave:40x30", "--out", &problems];
    let maps = ["maps", "cave:40x30", "--image", &picture];
    for seeds in ["--seed", "--seeds"] {
        let several = [seeds, "1-2,5", "--agents", "5-15/5"];
        assert_eq!(succeeds(&[&run[..], &several].concat()).lines().count(), 9);
        assert_eq!(stdout(&jostle(&[&solve[..], &several].concat())).lines().count(), 9);
        assert!(succeeds(&[&generate[..], &several].concat()).contains("9 scenarios"));
        is_refused(&[&maps[..], &several].concat(), "--agents takes one number here");
        is_refused(&[&maps[..], &["--agents", "5"], &several[..2]].concat(), "--seeds takes one");
        succeeds(&[&maps[..], &["--agents", "5", seeds, "2"]].concat());
        for command in [&run[..], &solve, &generate, &maps] {
            let wrong = [command, &["--agents", "5", seeds, "2-1"]].concat();
            is_refused(&wrong, "'--seeds <NUMBER");
            is_refused(&wrong, "'2-1' runs backwards: write 1-2");
            let wrong = [command, &["--agents", "many"]].concat();
            is_refused(&wrong, "'many' is not a number or a range: write 7, 1-10, or 25-400/25");
        }
    }
}

#[test]
fn every_run_is_one_line_of_json() {
    let said = succeeds(&[
        "run",
        "rooms:40x30",
        "--agents",
        "30,40",
        "--seeds",
        "1,2",
        "--planner",
        "bmaa,bmaa-c",
        "--limit",
        "100steps",
        "--json",
    ]);
    let records: Vec<Value> =
        said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 2 * 2 * 2);
    for record in &records {
        for key in [
            "planner",
            "map",
            "agents",
            "seed",
            "ticks",
            "seconds",
            "completion_rate",
            "completion_ticks",
            "completion_seconds",
            "travel_distance",
            "makespan",
            "sum_of_costs",
            "expansions",
            "tick_p99_us",
            "tick_max_us",
        ] {
            assert!(!record[key].is_null(), "{key} of {record}");
        }
    }
    assert_eq!(records[0]["map"], "rooms:40x30:seed=1");
}

#[test]
fn a_limit_in_expansions_ends_a_run_and_reproduces_to_the_cell() {
    let run = |limit: &str| {
        let words = ["run", "rooms:64x48", "--planner", "lra", "--json", "--limit", limit];
        serde_json::from_str::<Value>(&succeeds(&words)).unwrap()
    };
    let [first, second] = [run("20000expansions"), run("20000expansions")];
    assert_eq!(first["ending"], "out-of-expansions");
    assert!(first["expansions"].as_u64() >= Some(20_000), "{first}");
    assert_eq!(first["fingerprint"], second["fingerprint"]);
    let ticks = first["ticks"].as_u64().unwrap();
    let shorter = run(&format!("{}steps,20000expansions", ticks - 1));
    assert_eq!(shorter["ending"], "out-of-ticks");
    assert!(shorter["expansions"].as_u64() < Some(20_000), "{shorter}");
}

#[test]
fn silvers_experiment_is_one_command() {
    let words = ["run", "--experiment", "silver", "--agents", "5,10", "--planner", "lra,whca"];
    let said = succeeds(&words);
    for expected in [
        "Runs of at most 100 ticks, 4 neighbours",
        "Agents that reach their goal (%) by number of agents (Silver's Figure 3)",
        "Path length over the shortest path",
        "Cycles for each agent",
        "│ shortest path ",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(said.starts_with("40 runs: 2 planners, 10 maps, 1 limit."), "{said}");
    is_refused(
        &["run", "--kind", "silver"],
        "silver is an experiment, not a kind: write --experiment silver",
    );
    is_refused(&["run", "--experiment", "gold"], "the experiments are silver");
}

#[test]
fn the_same_seed_gives_the_same_run_on_any_number_of_threads() {
    let fingerprint = |planner: &str| {
        let said = succeeds(&["run", "cave", "--agents", "150", "--planner", planner, "--json"]);
        serde_json::from_str::<Value>(&said).unwrap()["fingerprint"].as_str().unwrap().to_owned()
    };
    let one = fingerprint("bmaa-f-c");
    assert_eq!(one, fingerprint("bmaa-f-c"));
    assert_eq!(one, fingerprint("bmaa-f-c:threads=3"));
    assert_ne!(one, fingerprint("bmaa"));
}

#[test]
fn files_that_it_writes_are_accepted() {
    let folder = Folder::new();
    let (map, paths, replays) =
        (folder.path("level.map"), folder.path("paths"), folder.path("replays"));
    succeeds(&["maps", "city:48x40:seed=9", "--out", &map]);
    succeeds(&[
        "run",
        &map,
        "--agents",
        "80",
        "--planner",
        "bmaa,bmaa-f",
        "--paths",
        &paths,
        "--replay",
        &replays,
    ]);
    let files = folder.files("paths");
    assert_eq!(files.len(), 2);
    let mut words = vec!["check", &map];
    words.extend(files.iter().map(|file| file.to_str().unwrap()));
    let said = succeeds(&words);
    assert_eq!(said.matches("legal: 80 agents").count(), 2, "{said}");
    for page in folder.files("replays") {
        let page = std::fs::read_to_string(page).unwrap();
        assert!(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"));
        let is_self_contained = |address: &&str| !page.contains(*address);
        assert!(["src=\"http", "href=\"http", "url(http", "import("].iter().all(is_self_contained));
    }
}

#[test]
fn an_illegal_path_file_is_reported_with_exit_code_1() {
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    let swap =
        "starts=(0,0),(1,0),\ngoals=(1,0),(0,0),\nsolution=\n0:(0,0),(1,0),\n1:(1,0),(0,0),\n";
    let output = jostle(&["check", &map, &folder.write("swap.txt", swap)]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("swap.txt: illegal: tick 1: agents 1 and 0 swapped cells"));
}

#[test]
fn a_bad_path_file_does_not_keep_the_others_from_being_checked() {
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    let run = |name: &str, goal: &str| {
        let text = format!("starts=(0,0),\ngoals={goal},\nsolution=\n0:(0,0),\n1:{goal},\n");
        folder.write(name, &text)
    };
    let (legal, also_legal) = (run("legal.txt", "(1,0)"), run("also.txt", "(0,1)"));
    let illegal = run("jump.txt", "(3,0)");
    let garbled = folder.write("garbled.txt", "starts=(0,");
    let missing = folder.path("none.txt");
    let files = [&missing, &legal, &garbled, &illegal, &also_legal].map(String::as_str);
    let output = jostle(&[&["check", &map], &files[..]].concat());
    let (said, noted) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(2), "{noted}");
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(said.contains("legal.txt: legal: 1 agent, 1 tick, 1 arrived"), "{said}");
    assert!(said.contains("also.txt: legal: "), "{said}");
    assert_eq!(noted.lines().count(), 3, "{noted}");
    for expected in ["none.txt: there is no such file", "garbled.txt: line 1", "jump.txt: illegal"]
    {
        assert!(noted.contains(expected), "{noted}");
    }
    let output = jostle(&["check", &map, &illegal, &legal]);
    assert_eq!(output.status.code(), Some(1), "all inputs are good, one run is not");
}

#[test]
fn starts_and_goals_come_from_the_first_rows_of_a_scenario() {
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    let scen = folder.write(
        "a.scen",
        "version 1\n0 a.map 4 3 0 0 3 0 3.0\n0 a.map 4 3 2 2 2 0 2.0\n0 a.map 4 3 3 1 0 2 4.0\n",
    );
    let said =
        succeeds(&["run", &map, "--scen", &scen, "--agents", "2", "--planner", "bmaa", "--json"]);
    let record: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((record["agents"].as_u64(), record["seed"].is_null()), (Some(2), true));
    let said = succeeds(&["run", &map, "--scen", &scen, "--planner", "bmaa", "--json"]);
    assert!(said.contains("\"agents\":3"), "all rows without --agents: {said}");
}

#[test]
fn every_kind_of_instance_can_be_run() {
    for kind in [
        "random",
        "cross-sides",
        "swap-sides",
        "inside-out",
        "outside-in",
        "tight-to-tight",
        "tight-to-wide",
    ] {
        succeeds(&[
            "run",
            "cave",
            "--kind",
            kind,
            "--agents",
            "60",
            "--planner",
            "bmaa-c",
            "--limit",
            "50steps",
        ]);
    }
}

#[test]
fn four_neighbours_and_forbidden_crossings_hold_to_the_end() {
    let folder = Folder::new();
    let paths = folder.path("paths.txt");
    for rules in [&["--neighbours", "4"][..], &["--forbid-crossing"], &["--corners", "none"]] {
        let mut words =
            vec!["run", "arena", "--agents", "300", "--planner", "bmaa-c", "--paths", &paths];
        words.extend(rules);
        succeeds(&words);
        let mut words = vec!["check", "arena", &paths];
        words.extend(rules);
        succeeds(&words);
    }
}

#[test]
fn lists_are_printed() {
    assert!(succeeds(&["maps"]).contains("warehouse"));
    assert!(succeeds(&["maps", "maze:64x64"]).contains("all connected"));
    assert!(succeeds(&["planners"]).contains("bmaa-f-c"));
    assert!(succeeds(&["planners", "bmaa"]).contains("expansions"));
    assert!(succeeds(&["run", "--help"]).contains("swap-sides"));
}

#[test]
fn closed_output_causes_no_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_jostle"))
        .args(["maps"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
}

#[test]
fn an_illegal_run_is_reported_even_if_standard_output_is_closed() {
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    let start = "starts=(0,0),\ngoals=(3,0),\nsolution=\n0:(0,0),\n";
    let legal = folder.write("legal.txt", start);
    let illegal = folder.write("jump.txt", &format!("{start}1:(3,0),\n"));
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_jostle"))
        .args(["check", &map, &legal, &illegal])
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .and_then(std::process::Child::wait_with_output)
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("jump.txt: illegal"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_shows_its_results_and_exits_with_130() {
    let child = Command::new(env!("CARGO_BIN_EXE_jostle"))
        .args([
            "run",
            "maze:200x200",
            "--agents",
            "1500",
            "--planner",
            "bmaa,bmaa-c",
            "--limit",
            "600s",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let (said, noted) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(130), "{noted}");
    assert!(said.contains("bmaa was stopped at tick") && said.contains("arrival"), "{said}");
    assert!(noted.contains("stopped with 0 of 2 runs done"), "{noted}");
    assert!(!said.contains("│ bmaa-c"), "later runs were not begun: {said}");
}

#[cfg(unix)]
#[test]
fn the_path_file_of_an_interrupted_run_says_so_and_one_that_is_cut_off_is_refused() {
    let folder = Folder::new();
    let paths = folder.path("paths.txt");
    let run = ["run", "rooms:40x30", "--agents", "200", "--planner", "pibt", "--lifelong"];
    let child = Command::new(env!("CARGO_BIN_EXE_jostle"))
        .args(run)
        .args(["--limit", "600s", "--paths", &paths])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let text = std::fs::read_to_string(&paths).unwrap();
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("stopped="), "{last}");
    let check = ["check", "rooms:40x30", &paths];
    let said = succeeds(&check);
    assert!(said.contains("legal: 200 agents, ") && said.trim().ends_with(", and stopped there"));
    let line = succeeds(&[&check[..], &["--json"]].concat());
    assert!(line.contains("\"legal\":true") && line.contains("\"stopped\":true"), "{line}");
    // As if the program had been killed at the end of a tick.
    std::fs::write(&paths, text.strip_suffix(&format!("{last}\n")).unwrap()).unwrap();
    is_refused(&check, "the file is cut off here: its beginning announces a last line");
}

#[test]
fn paper_maps_run_as_the_documentation_says() {
    let Some(maps) = std::env::var_os("JOSTLE_MAPS") else {
        eprintln!("skipped: JOSTLE_MAPS is not set");
        return;
    };
    let folder = Folder::new();
    let map = Path::new(&maps).join("paper/lak307d.map");
    let (map, paths) = (map.to_str().unwrap(), folder.path("paths"));
    let said = succeeds(&[
        "run",
        map,
        "--agents",
        "400",
        "--seed",
        "1",
        "--planner",
        "bmaa,bmaa-c,bmaa-f,bmaa-f-c",
        "--limit",
        "4096steps",
        "--json",
        "--paths",
        &paths,
    ]);
    assert_eq!(said.lines().count(), 4);
    for file in folder.files("paths") {
        succeeds(&["check", map, file.to_str().unwrap()]);
    }
}
