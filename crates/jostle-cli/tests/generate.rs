//! Tests of `jostle gen`: problems are written, read back and run.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use jostle::formats::{ScenarioRow, read_map, read_scenario};
use jostle::instance::Reach;
use jostle::search::shortest_path;
use jostle::{Instance, Neighbours, Rules};
use serde_json::Value;

fn jostle(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jostle")).current_dir(folder).args(words).output().unwrap()
}

fn succeeds(folder: &Path, words: &[&str]) -> String {
    let output = jostle(folder, words);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{words:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

fn is_refused(folder: &Path, words: &[&str], expected: &str) {
    let output = jostle(folder, words);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
    assert!(said.contains(expected), "{words:?}: {said}");
}

fn fingerprint(folder: &Path, words: &[&str]) -> Value {
    let said = succeeds(folder, words);
    serde_json::from_str::<Value>(&said).unwrap()["fingerprint"].clone()
}

#[test]
fn a_written_problem_runs_like_the_drawn_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let kinds = [
        "random",
        "cross-sides",
        "swap-sides",
        "inside-out",
        "outside-in",
        "tight-to-tight",
        "tight-to-wide",
    ];
    for kind in kinds {
        succeeds(
            folder,
            &[
                "gen",
                "rooms:48x32:seed=2",
                "--kind",
                kind,
                "--agents",
                "40",
                "--seeds",
                "5,7",
                "--out",
                "problems",
            ],
        );
        let run = |words: &[&str]| {
            let common = ["--agents", "40", "--planner", "bmaa", "--limit", "60steps", "--json"];
            fingerprint(folder, &[words, &common].concat())
        };
        let scen = format!("problems/rooms_48x32_seed=2-{kind}-40-7.scen");
        let read = run(&["run", "problems/rooms_48x32_seed=2.map", "--scen", &scen]);
        let drawn = run(&["run", "rooms:48x32:seed=2", "--kind", kind, "--seed", "7"]);
        assert_eq!(read, drawn, "{kind}");
    }
    assert_eq!(fs::read_dir(folder.join("problems")).unwrap().count(), 1 + 2 * kinds.len());
}

#[test]
fn single_problems_are_sorted_by_length() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeeds(
        folder,
        &["gen", "cave:40x30", "--kind", "single", "--agents", "300", "--out", "problems"],
    );
    let grid = read_map(&folder.join("problems/cave_40x30_seed=1.map")).unwrap();
    let scenario =
        read_scenario(&folder.join("problems/cave_40x30_seed=1-single-300-1.scen")).unwrap();
    assert_eq!(scenario.rows.len(), 300);
    assert!(scenario.rows.is_sorted_by(|a, b| a.length <= b.length && a.bucket <= b.bucket));
    for row in &scenario.rows {
        assert_eq!((row.size, row.bucket), (Some((40, 30)), (row.length / 4.0) as u32));
        let [start, goal] = [row.start, row.goal].map(|(x, y)| grid.at(x, y).unwrap());
        let (cost, _) = shortest_path(&grid, start, goal).unwrap();
        assert!(start != goal && (cost.as_f64() - row.length).abs() < 1e-5);
    }
}

#[test]
fn silvers_problems_have_his_maps_and_four_neighbours() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let said = succeeds(
        folder,
        &["gen", "--experiment", "silver", "--agents", "20-40/20", "--out", "silver"],
    );
    assert!(said.contains("20 scenarios in silver"), "{said}");
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    let grid =
        read_map(&folder.join("silver/scatter_32x32_seed=10.map")).unwrap().with_rules(rules);
    let scenario =
        read_scenario(&folder.join("silver/scatter_32x32_seed=10-silver-40-1.scen")).unwrap();
    let instance = Instance::from_scenario(&grid, &scenario, 40, Reach::Required).unwrap();
    for (row, &(start, goal)) in scenario.rows.iter().zip(instance.tasks()) {
        let (_, path) = shortest_path(&grid, start, goal).unwrap();
        assert_eq!(row.length.to_string(), (path.len() - 1).to_string());
    }
}

#[test]
fn files_with_other_contents_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = ["gen", "cave:40x30", "--agents", "20", "--out", "problems"];
    succeeds(folder, &words);
    succeeds(folder, &words);
    let file = folder.join("problems/cave_40x30_seed=1-random-20-1.scen");
    fs::write(&file, "precious").unwrap();
    is_refused(folder, &words, "cave_40x30_seed=1-random-20-1.scen: this file exists already");
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
}

#[test]
fn bad_requests_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("taken"), "precious").unwrap();
    is_refused(folder, &["gen", "--out", "x"], "name a map");
    is_refused(
        folder,
        &["gen", "--kind", "silver", "--out", "x"],
        "silver is an experiment, not a kind: write --experiment silver\n",
    );
    is_refused(folder, &["gen", "dungeon", "--out", "x"], "the built-in maps are");
    is_refused(folder, &["gen", "cave", "--kind", "up", "--out", "x"], "the kinds are random, ");
    is_refused(
        folder,
        &["gen", "cave", "--seeds", "3-1", "--out", "x"],
        "'3-1' runs backwards: write 1-3",
    );
    is_refused(
        folder,
        &["gen", "cave", "--agents", "99999", "--out", "x"],
        "99999 agents do not fit",
    );
    is_refused(
        folder,
        &["gen", "cave", "--out", "taken"],
        "taken: this is a file, but scenarios are written to a folder",
    );
    is_refused(folder, &["gen", "cave"], "--out");
}

#[test]
fn a_script_of_closures_is_drawn_with_a_problem_and_runs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = [
        "gen",
        "rooms:32x32:seed=2",
        "--agents",
        "6",
        "--seeds",
        "3",
        "--changes",
        "9",
        "--out",
        "p",
    ];
    succeeds(folder, &words);
    let script = "p/rooms_32x32_seed=2-random-6-3.script";
    let text = fs::read_to_string(folder.join(script)).unwrap();
    assert_eq!(text.lines().count(), 9);
    assert_eq!(text.lines().filter(|line| line.contains("wall")).count(), 5, "{text}");
    let (map, scen) = ("p/rooms_32x32_seed=2.map", "p/rooms_32x32_seed=2-random-6-3.scen");
    for planner in ["cbs-replan", "cbs-dstar-lite", "di-cbs", "di-cbs:slpa=off"] {
        let words =
            ["run", map, "--scen", scen, "--script", script, "--planner", planner, "--json"];
        let record: Value = serde_json::from_str(&succeeds(folder, &words)).unwrap();
        assert_eq!(record["ending"], "all-arrived", "{record}");
    }
    // The same words draw the same script, and other contents never replace a file.
    succeeds(folder, &words);
    let others = [&words[..], &["--closed-for", "3", "--on-paths", "1", "--cut-off"]].concat();
    is_refused(folder, &others, "p/rooms_32x32_seed=2-random-6-3.script");
}

#[test]
fn what_closures_cannot_be_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let gen_with = |more: &[&'static str]| [&["gen", "rooms:32x32", "--out", "p"], more].concat();
    for (more, expected) in [
        (&["--changes", "4", "--closed-for", "0"][..], "a number of ticks from 1 to 1000000"),
        (&["--changes", "4", "--closed-for", "9-3"], "a number of ticks from 1 to 1000000"),
        (&["--changes", "4", "--on-paths", "1.5"], "a number from 0 to 1"),
        (&["--changes", "4", "--on-paths", "nan"], "a number from 0 to 1"),
        (&["--changes", "many"], "--changes"),
        (&["--closed-for", "5"], "--changes"),
        (&["--kind", "single", "--changes", "4"], "not for problems of one agent each"),
    ] {
        is_refused(folder, &gen_with(more), expected);
    }
    let narrow = folder.join("narrow.map");
    fs::write(&narrow, "type octile\nheight 1\nwidth 3\nmap\n...\n").unwrap();
    // Every cell is the goal of an agent.
    let words = ["gen", "narrow.map", "--agents", "3", "--changes", "2", "--out", "p"];
    is_refused(folder, &words, "no cell was found that can be closed at tick ");
}

#[test]
fn lengths_of_shortest_paths_can_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = ["gen", "cave:80x60", "--agents", "50", "--out"];
    succeeds(folder, &[&words[..], &["with"]].concat());
    succeeds(folder, &[&words[..], &["without", "--no-lengths"]].concat());
    let rows = |out: &str| {
        let files = fs::read_dir(folder.join(out)).unwrap().map(|entry| entry.unwrap().path());
        let file = { files }.find(|path| path.extension().unwrap() == "scen").unwrap();
        read_scenario(&file).unwrap().rows
    };
    let (with, without) = (rows("with"), rows("without"));
    assert!(with.iter().all(|row| row.length > 0.0));
    assert!(without.iter().all(|row| row.length == 0.0));
    let same = |(with, without): (&ScenarioRow, &ScenarioRow)| {
        (with.start, with.goal) == (without.start, without.goal)
    };
    assert!(with.len() == 50 && with.iter().zip(&without).all(same));
}

#[test]
fn what_cannot_be_drawn_is_known_before_the_first_file_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = ["gen", "cave:40x30", "--agents", "5,9999", "--out", "half"];
    is_refused(folder, &words, "9999 agents do not fit");
    is_refused(
        folder,
        &["gen", "cave:40x30", "--tasks", "2,9999", "--out", "half"],
        "agents do not fit",
    );
    assert!(!folder.join("half").exists());
}

#[test]
fn a_scenario_that_is_named_is_a_file_and_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = ["gen", "cave:40x30", "--agents", "5", "--out", "my.scen"];
    assert_eq!(succeeds(folder, &words), "1 scenario in my.scen\n");
    assert_eq!(read_scenario(&folder.join("my.scen")).unwrap().rows.len(), 5);
    succeeds(folder, &["run", "--scen", "my.scen", "--planner", "pibt"]);
    succeeds(folder, &["gen", "cave:40x30", "--tasks", "3", "--out", "my.tasks"]);
    succeeds(folder, &["solve", "cave:40x30", "--tasks", "my.tasks"]);
    let several = [&words[..], &["--seeds", "1-2"]].concat();
    is_refused(folder, &several, "my.scen: this names one file, and there are 2 scenarios");
    let tasks = ["gen", "cave:40x30", "--tasks", "3", "--out", "your.scen"];
    is_refused(folder, &tasks, "your.scen: a task file is a .tasks file");
    assert!(!folder.join("your.scen").exists());
    fs::create_dir(folder.join("folder.scen")).unwrap();
    succeeds(folder, &["gen", "cave:40x30", "--seeds", "1-2", "--out", "folder.scen"]);
}
