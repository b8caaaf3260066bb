//! What users of other commands expect: suggestions, completions, manual pages, JSON, standard input and output, pages that open.

mod common;

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use common::{Folder, MAP, is_refused, jostle, stderr, stdout, succeeds};
use serde_json::Value;

/// Runs the command with this text on standard input.
fn jostle_reading(input: &str, words: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_jostle"))
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read all of it has closed the pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn lines_of_json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_name_that_was_nearly_typed_is_suggested_wherever_names_are_typed() {
    let folder = Folder::new();
    let spec = folder
        .write("spec.toml", "[[sweep]]\nmaps = [\"cav\"]\nagents = 2\nplanners = [\"pibt\"]\n");
    let out = folder.path("out");
    for (words, expected) in [
        (
            &["run", "cave", "--planner", "bmma"][..],
            "there is no planner 'bmma': did you mean 'bmaa'? `jostle planners` lists all",
        ),
        (
            &["run", "cave", "--planner", "bmaa:expansion=3"],
            "bmaa has no parameter 'expansion': did you mean 'expansions'?",
        ),
        (&["planners", "bmma"], "did you mean 'bmaa'?"),
        (&["solvers", "eecb"], "did you mean 'eecbs'?"),
        (
            &["solve", "cave", "--solver", "cb"],
            "there is no solver 'cb': did you mean 'cbs'? `jostle solvers` lists all",
        ),
        (&["run", "cav"], "cav: there is no such file or built-in map: did you mean 'cave'?"),
        (&["maps", "dungeon:30x30"], "the built-in maps are"),
        (&["maps", "iland:30x30"], "did you mean 'islands'?"),
        (&["run", "cave", "--kind", "swap-side"], "did you mean 'swap-sides'?"),
        (&["gen", "cave", "--kind", "singel", "--out", "x"], "did you mean 'single'?"),
        (&["run", "--experiment", "sliver"], "did you mean 'silver'?"),
        (&["man", "swep"], "there is no subcommand 'swep': did you mean 'sweep'?"),
        (&["run", "cave", "--agnets", "3"], "'--agents'"),
        (
            &["sweep", &spec, "--out", &out],
            "spec.toml: line 2: cav: there is no such file or built-in map: did you mean 'cave'?",
        ),
    ] {
        is_refused(words, expected);
    }
}

#[test]
fn every_error_and_warning_begins_alike() {
    let folder = Folder::new();
    let paths = folder.write("illegal.txt", "starts=(0,0),\ngoals=(0,0),\nsolution=\n0:(1,1),\n");
    let map = folder.write("a.map", MAP);
    for words in [
        &["run", "cav"][..],
        &["run", "cave", "--agents", "x"],
        &["check", &map, &paths],
        &["export", "none", "--out", "x.csv"],
    ] {
        let said = stderr(&jostle(words));
        assert!(said.starts_with("error: "), "{words:?}: {said}");
        assert!(!said.contains("jostle: "), "{words:?}: {said}");
    }
    let script = folder.write("a.script", "0 wall (2,0)\n1 add 9 (0,0) to (1,0)\n");
    let scen = folder.write("a.scen", "version 1\n0 a.map 4 3 0 0 0 0 0\n");
    let output = jostle(&[
        "run",
        &map,
        "--scen",
        &scen,
        "--script",
        &script,
        "--planner",
        "pibt",
        "--limit",
        "9steps",
    ]);
    assert!(stderr(&output).starts_with("warning: "), "{}", stderr(&output));
}

#[test]
fn every_shell_gets_a_script_with_the_names_of_planners_and_maps() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = succeeds(&["completions", shell]);
        assert!(script.contains("sweep") && script.contains("allow-unreachable"), "{shell}");
        if !["powershell", "elvish"].contains(&shell) {
            assert!(script.contains("bmaa-f-c") && script.contains("tight-to-wide"), "{shell}");
        }
    }
    let completed = |words: &str, position: u32| {
        let script = format!(
            "source <('{}' completions bash)\nCOMP_WORDS=({words})\nCOMP_CWORD={position}\n\
             _jostle jostle \"${{COMP_WORDS[{position}]}}\" \"${{COMP_WORDS[{}]}}\"\necho \"${{COMPREPLY[@]}}\"",
            env!("CARGO_BIN_EXE_jostle"),
            position - 1
        );
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    assert_eq!(completed("jostle swe", 1).trim(), "sweep");
    assert_eq!(completed("jostle run cav", 2).trim(), "cave");
    assert!(completed("jostle run --planner bma", 3).contains("bmaa-f-c"));
    assert_eq!(completed("jostle solve --solver ee", 3).trim(), "eecbs");
    assert_eq!(completed("jostle run --kind sw", 3).trim(), "swap-sides");
    assert_eq!(completed("jostle planners pib", 2).trim(), "pibt");
}

#[test]
fn there_is_a_manual_page_for_every_subcommand() {
    let folder = Folder::new();
    let out = folder.path("man");
    assert!(succeeds(&["man", "--out", &out]).contains("pages in"));
    let files = folder.files("man");
    let names: Vec<_> =
        files.iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect();
    for name in [
        "jostle.1",
        "jostle-run.1",
        "jostle-solve.1",
        "jostle-sweep.1",
        "jostle-check.1",
        "jostle-completions.1",
    ] {
        assert!(names.iter().any(|other| other == name), "{name}: {names:?}");
    }
    let page = succeeds(&["man"]);
    assert!(
        page.starts_with(".ie") || page.starts_with(".TH") || page.contains("\n.TH "),
        "{page}"
    );
    assert!(
        page.contains(".SH EXIT STATUS\n.nf\n")
            && page.contains(".SH EXAMPLES\n.nf\n")
            && page.contains("130")
    );
    assert_eq!(
        succeeds(&["man", "run"]),
        fs::read_to_string(folder.path("man/jostle-run.1")).unwrap()
    );
}

#[test]
fn planners_solvers_and_maps_are_lines_of_json() {
    let planners = lines_of_json(&succeeds(&["planners", "--json"]));
    let bmaa = planners.iter().find(|planner| planner["name"] == "bmaa").unwrap();
    let expansions = &bmaa["parameters"][0];
    assert_eq!((&expansions["name"], &expansions["default"]), (&"expansions".into(), &32.into()));
    assert_eq!((&expansions["least"], &expansions["most"]), (&1.into(), &1_000_000.into()));
    assert_eq!(
        lines_of_json(&succeeds(&["planners", "bmaa", "--json"])),
        std::slice::from_ref(bmaa)
    );
    let pibt = &lines_of_json(&succeeds(&["planners", "pibt", "--json"]))[0];
    let types: Vec<_> =
        pibt["parameters"].as_array().unwrap().iter().map(|one| &one["type"]).collect();
    assert_eq!(types, ["flag", "choice", "whole", "limit"]);
    let solvers = lines_of_json(&succeeds(&["solvers", "--json"]));
    assert_eq!(
        (&solvers[0]["name"], &solvers.last().unwrap()["name"]),
        (&"cbs".into(), &"co-cbs".into())
    );
    let maps = lines_of_json(&succeeds(&["maps", "--json"]));
    assert!(maps.iter().any(|map| map["name"] == "cave" && map["about"].is_string()));
    let folder = Folder::new();
    let map = &lines_of_json(&succeeds(&["maps", &folder.write("a.map", MAP), "--json"]))[0];
    let numbers =
        ["width", "height", "floor", "parts", "largest_part"].map(|key| map[key].as_u64().unwrap());
    assert_eq!(numbers, [4, 3, 10, 1, 10]);
}

#[test]
fn a_check_in_json_names_the_first_error_with_its_tick_and_agents() {
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    let begin =
        "starts=(0,0),(2,0),\ngoals=(1,0),(2,0),\nsolution=\n0:(0,0),(2,0),\n1:(1,0),(2,0),\n";
    let legal = folder.write("legal.txt", begin);
    let crash = folder.write("crash.txt", &format!("{begin}2:(2,0),(2,0),\n"));
    let none = folder.path("none.txt");
    let output = jostle(&["check", &map, &legal, &crash, &none, "--json"]);
    assert_eq!(output.status.code(), Some(2), "a missing file may hide an illegal run");
    let [legal, crash, none] = &lines_of_json(&stdout(&output))[..] else { panic!("{output:?}") };
    assert_eq!(
        (&legal["legal"], &legal["arrived"], &legal["ticks"]),
        (&true.into(), &2.into(), &1.into())
    );
    assert_eq!((&crash["legal"], &crash["error_tick"]), (&false.into(), &2.into()));
    assert_eq!(crash["error_agents"], serde_json::json!([0, 1]));
    assert!(
        none["legal"].is_null()
            && none["error"].as_str().unwrap().ends_with("there is no such file")
    );
    assert_eq!(
        jostle(&["check", &map, &folder.path("crash.txt"), "--json"]).status.code(),
        Some(1)
    );
}

#[test]
fn every_kind_of_file_is_read_from_standard_input() {
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    let scen = "version 1\n0 a.map 4 3 0 0 3 0 3\n";
    let reads = |input: &str, words: &[&str]| {
        let output = jostle_reading(input, words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
        stdout(&output)
    };
    assert!(reads(MAP, &["maps", "-"]).starts_with("stdin: 4x3, 10 cells"));
    let run = ["run", &map, "--scen", "-", "--planner", "pibt", "--json"];
    let record = reads(scen, &run);
    assert_eq!(lines_of_json(&record)[0]["scen"], "stdin");
    let paths = succeeds(&["run", &map, "--agents", "2", "--planner", "pibt", "--paths", "-"]);
    assert!(paths.starts_with("starts="), "nothing but the file: {paths}");
    assert!(reads(&paths, &["check", &map, "-"]).starts_with("standard input: legal: 2 agents"));
    reads("1 wall (2,0)\n", &["run", &map, "--agents", "1", "--script", "-", "--planner", "pibt"]);
    let goals = [
        "run",
        &map,
        "--agents",
        "1",
        "--lifelong",
        "--tasks",
        "-",
        "--planner",
        "pibt",
        "--ticks",
        "50",
    ];
    reads("(0,0)\n(1,0)\n", &goals);
    reads("(0,0) via (1,0) meets (3,0) to (0,1)\n", &["solve", &map, "--tasks", "-"]);
    let spec = "[[sweep]]\nmaps = [\"cave:20x20\"]\nagents = 2\nplanners = [\"pibt\"]\nlimits = [\"9steps\"]\n";
    assert!(reads(spec, &["sweep", "-", "--out", &folder.path("out")]).contains("1 run in"));
    let csv = reads(&record, &["export", "-", "--out", "-", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 2, "{csv}");
    assert!(
        reads(&record, &["report", "-", "--out", &folder.path("report"), "--no-figures"])
            .contains("pibt")
    );
    let wrong = jostle_reading("type octile\nheight four\n", &["maps", "-"]);
    assert!(stderr(&wrong).starts_with("error: standard input: line 2: "), "{}", stderr(&wrong));
}

#[test]
fn standard_input_and_output_are_named_once() {
    is_refused(&["check", "-", "-"], "standard input can be read only once");
    is_refused(&["run", "-", "--scen", "-"], "standard input can be read only once");
    is_refused(
        &["run", "cave", "--planner", "pibt", "--paths", "-", "--replay", "-"],
        "one file can be written to standard output",
    );
    is_refused(
        &["run", "cave", "--planner", "pibt", "--paths", "-", "--json"],
        "--json prints to standard output already",
    );
    is_refused(&["run", "cave", "--paths", "-"], "5 runs are written to a folder");
    is_refused(&["gen", "cave", "--agents", "3,4", "--out", "-"], "one problem can be written");
}

#[test]
fn maps_and_scenarios_are_written_to_standard_output() {
    let map = succeeds(&["maps", "cave:20x20", "--out", "-"]);
    assert!(map.starts_with("type octile\n"), "{map}");
    assert!(succeeds(&["maps", "cave:20x20", "--image", "-"]).contains("<svg"));
    let scen = succeeds(&["gen", "cave:20x20", "--agents", "4", "--out", "-"]);
    assert_eq!(scen.lines().count(), 5, "{scen}");
    let output =
        jostle_reading(&scen, &["run", "cave:20x20", "--scen", "-", "--planner", "pibt", "--json"]);
    assert_eq!(lines_of_json(&stdout(&output))[0]["agents"], 4, "{}", stderr(&output));
}

#[test]
fn several_scenarios_are_problems_of_their_own() {
    let folder = Folder::new();
    for (map, seeds) in [("cave:20x20", "1-2"), ("rooms:20x20", "3")] {
        succeeds(&["gen", map, "--agents", "6", "--seeds", seeds, "--out", &folder.path("")]);
    }
    let scen =
        |map: &str, seed: u32| folder.path(&format!("{map}_20x20_seed=1-random-6-{seed}.scen"));
    let (one, two, three) = (scen("cave", 1), scen("cave", 2), scen("rooms", 3));
    let all = [&one, &two, &three].map(String::as_str).join(",");
    let run = ["run", "--scen", &all, "--agents", "3,6", "--planner", "pibt", "--limit", "99steps"];
    let records = lines_of_json(&succeeds(&[&run[..], &["--json"]].concat()));
    let sizes: Vec<_> = records
        .iter()
        .map(|record| (record["map"].as_str().unwrap(), record["agents"].as_u64().unwrap()))
        .collect();
    let (cave, rooms) = ("cave_20x20_seed=1", "rooms_20x20_seed=1");
    assert_eq!(sizes, [(cave, 3), (cave, 6), (cave, 3), (cave, 6), (rooms, 3), (rooms, 6)]);
    assert_eq!(records[2]["scen"], "cave_20x20_seed=1-random-6-2");
    let marks: std::collections::BTreeSet<_> =
        records.iter().map(|record| record["scenario"].to_string()).collect();
    assert_eq!(marks.len(), 6);
    let said = succeeds(&run);
    for name in ["scenario cave_20x20_seed=1-random-6-1 ", "│ rooms_20x20_seed=1-random-6-3 "] {
        assert!(said.contains(name), "{said}");
    }
    // The same agents as those that are drawn.
    let drawn = &lines_of_json(&succeeds(&[
        "run",
        "cave:20x20",
        "--agents",
        "6",
        "--seed",
        "2",
        "--planner",
        "pibt",
        "--limit",
        "99steps",
        "--json",
    ]))[0];
    assert_eq!(drawn["fingerprint"], records[3]["fingerprint"]);
    assert!(drawn["scen"].is_null());
    // On several maps, each scenario is for the one that it names.
    let maps = ["run", "rooms:20x20", "cave:20x20", "--scen", &two, "--planner", "pibt", "--json"];
    assert_eq!(lines_of_json(&succeeds(&maps))[0]["map"], "cave:20x20:seed=1");
    is_refused(
        &["run", "rooms:20x20", "maze:20x20", "--scen", &two],
        "this scenario is for the map 'cave_20x20_seed=1.map'",
    );
    let lost =
        folder.write("lost.scen", &fs::read_to_string(&one).unwrap().replace("cave_20", "gone_20"));
    is_refused(&["run", "--scen", &lost], "its map 'gone_20x20_seed=1.map' was not found");
    let solved = ["solve", "--scen", &one, "--scen", &two, "--agents", "2", "--json"];
    let rows = lines_of_json(&succeeds(&solved));
    assert_eq!(rows[1]["scen"], "cave_20x20_seed=1-random-6-2");
}

#[test]
fn what_run_prints_as_json_is_exported_and_read_back() {
    let folder = Folder::new();
    let lines = [
        succeeds(&[
            "run",
            "cave:20x20",
            "--agents",
            "3,4",
            "--planner",
            "pibt,cbs",
            "--limit",
            "99steps",
            "--json",
        ]),
        succeeds(&[
            "run",
            "aisles:40x30",
            "--agents",
            "5",
            "--lifelong",
            "--ticks",
            "60",
            "--planner",
            "pibt",
            "--json",
        ]),
        succeeds(&[
            "run",
            "cave:20x20",
            "--agents",
            "3",
            "--planner",
            "pibt",
            "--limit",
            "99steps",
            "--neighbours",
            "4",
            "--json",
        ]),
    ]
    .concat();
    let output = jostle_reading(&lines, &["export", "-", "--out", "-"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let mut exported: Vec<String> =
        lines_of_json(&stdout(&output)).iter().map(Value::to_string).collect();
    let mut printed: Vec<String> = lines_of_json(&lines).iter().map(Value::to_string).collect();
    exported.sort();
    printed.sort();
    assert_eq!(exported, printed);
    let file = folder.write("runs.jsonl", &lines);
    let csv = folder.path("runs.csv");
    assert!(succeeds(&["export", &file, "--out", &csv]).contains("6 records in"));
    assert_eq!(fs::read_to_string(csv).unwrap().lines().count(), 7);
}

#[cfg(unix)]
#[test]
fn a_page_is_opened_only_when_asked_and_a_missing_browser_is_no_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    fs::create_dir(folder.path("bin")).unwrap();
    let opened = folder.path("opened");
    let script = folder.write(
        "bin/xdg-open",
        &format!("#!/bin/sh\necho \"$1\" > '{opened}.new' && mv '{opened}.new' '{opened}'\n"),
    );
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let page = folder.path("page.html");
    let run = |path: &str, more: &[&str]| {
        let words = ["run", "cave:20x20", "--agents", "2", "--planner", "pibt", "--replay", &page];
        Command::new(env!("CARGO_BIN_EXE_jostle"))
            .args(words)
            .args(more)
            .env("PATH", path)
            .output()
            .unwrap()
    };
    let bin = format!("{}:/usr/bin:/bin", folder.path("bin"));
    assert!(run(&bin, &[]).status.success());
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(!std::path::Path::new(&opened).exists(), "nobody asked");
    assert!(run(&bin, &["--open"]).status.success());
    common::sweeps::wait_until(|| std::path::Path::new(&opened).exists());
    assert_eq!(fs::read_to_string(&opened).unwrap().trim(), page);
    let nobody = run(&folder.path("empty"), &["--open"]);
    assert_eq!(nobody.status.code(), Some(0), "{}", stderr(&nobody));
    assert!(
        stderr(&nobody).contains("warning: ") && stderr(&nobody).contains("cannot be opened"),
        "{}",
        stderr(&nobody)
    );
    is_refused(&["run", "cave", "--open"], "--replay <PATH>");
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error_in_any_command() {
    let folder = Folder::new();
    let record = succeeds(&["run", "cave:20x20", "--agents", "2", "--planner", "pibt", "--json"]);
    let records = folder.write("runs.jsonl", &record);
    for words in [
        "planners",
        "planners --json",
        "solvers",
        "maps",
        "maps cave:400x400 --out -",
        "completions bash",
        "man run",
        "maps --json",
        "run cave:20x20 --agents 2 --planner pibt --paths -",
        "--help",
        "run --help",
        &format!("export {records} --out -"),
        "gen cave:40x40 --agents 200 --out -",
    ] {
        // The pipe is closed before the command writes to it.
        let script = format!(
            "(sleep 0.1; exec '{}' {words}) 2>err | true; echo \"${{PIPESTATUS[0]}}\"; cat err",
            env!("CARGO_BIN_EXE_jostle")
        );
        let output = Command::new("bash")
            .args(["-c", &script])
            .current_dir(folder.path(""))
            .output()
            .unwrap();
        let said = stdout(&output);
        assert!(said.starts_with("0\n"), "{words}: {said}");
        assert!(!said.contains("panicked") && !said.contains("error"), "{words}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_gives_130_in_every_command_that_takes_a_while() {
    use std::time::Duration;
    let folder = Folder::new();
    let many = folder.path("many");
    // Those that wait for standard input wait for ever.
    for words in [
        &[
            "run",
            "aisles",
            "--agents",
            "50",
            "--lifelong",
            "--ticks",
            "100000000",
            "--planner",
            "pibt",
        ][..],
        &["solve", "cave", "--agents", "60", "--limit", "600s"],
        &["gen", "cave:300x300", "--agents", "100", "--seeds", "1-100000", "--out", &many],
        &["maps", "-"],
        &["check", "cave", "-"],
        &["export", "-", "--out", &folder.path("x.csv")],
        &["report", "-", "--out", &folder.path("report")],
        &["sweep", "-", "--out", &folder.path("out")],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_jostle"))
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Kept open.
        let input = child.stdin.take();
        std::thread::sleep(Duration::from_millis(1500));
        assert!(child.try_wait().unwrap().is_none(), "{words:?} is over");
        assert!(
            Command::new("kill")
                .args(["-INT", &child.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
        let output = child.wait_with_output().unwrap();
        drop(input);
        assert_eq!(output.status.code(), Some(130), "{words:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("error: "), "{words:?}: {}", stderr(&output));
    }
    let unfinished = folder.files("").into_iter().chain(folder.files("many"));
    let hidden = unfinished
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(".jostle"));
    assert_eq!(hidden.count(), 0, "nothing unfinished is left behind");
}
