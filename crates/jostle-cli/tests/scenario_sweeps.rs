//! Tests of sweeps whose agents are read from scenarios, and of the defaults of specs.

mod common;

use std::fs;

use common::stderr;
use common::sweeps::Bench;
use serde_json::Value;

const SPEC: &str = r#"
[defaults]
planners = ["pibt", "bmaa"]
limits = ["99steps"]

[[sweep]]
scens = ["files/scen/one.scen", "files/scen/two.scen", "files/scen/three.scen"]
agents = [3, 6]
"#;

/// Two scenarios of one map and one of another; the maps lie in the folder above.
fn bench() -> Bench {
    let bench = Bench::of(SPEC);
    for (map, seed, name) in [("cave", 1, "one"), ("cave", 2, "two"), ("rooms", 1, "three")] {
        let (text, seed) = (format!("{map}:20x20"), seed.to_string());
        bench.jostle(&["gen", &text, "--agents", "6", "--seed", &seed, "--out", "files"]);
        fs::create_dir_all(bench.path("files/scen")).unwrap();
        let drawn = format!("files/{map}_20x20_seed=1-random-6-{seed}.scen");
        fs::rename(bench.path(&drawn), bench.path(&format!("files/scen/{name}.scen"))).unwrap();
    }
    bench
}

#[test]
fn a_sweep_of_scenarios_is_resumed_and_split_into_shards() {
    let bench = bench();
    bench.is_resumed_and_split(12);
    let results = bench.results("whole");
    for (key, record) in &results {
        let (scen, mark) = (record["scen"].as_str().unwrap(), record["scenario"].as_str().unwrap());
        let begin =
            format!("{}|scen {scen}|{}|{mark}|", record["map"].as_str().unwrap(), record["agents"]);
        assert!(key.starts_with(&begin), "{key}");
        assert!(record["seed"].is_null() && record["kind"].is_null());
    }
    let first: Vec<Value> = bench
        .records("whole")
        .lines()
        .take(4)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(
        first.iter().all(|record| record["scen"] != "two"),
        "the first round has the first scenario of each map"
    );
    // A run of the command is the same run.
    let words = [
        "run",
        "--scen",
        "files/scen/two.scen",
        "--agents",
        "6",
        "--planner",
        "pibt",
        "--limit",
        "99steps",
        "--json",
    ];
    let run: Value = serde_json::from_slice(&bench.jostle(&words).stdout).unwrap();
    let swept =
        results.iter().find(|(key, _)| key.contains("|scen two|6|") && key.contains("|pibt|"));
    assert_eq!(swept.unwrap().1["fingerprint"], run["fingerprint"]);
}

#[test]
fn reports_and_exports_keep_scenarios_apart() {
    let bench = bench();
    bench.succeeds("spec.toml", "out", &[]);
    let said = bench.jostle(&["report", "out", "--no-figures"]);
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(said.contains("pibt") && said.contains("bmaa"), "{said}");
    bench.jostle(&["export", "out", "--out", "out.csv"]);
    let csv = fs::read_to_string(bench.path("out.csv")).unwrap();
    assert_eq!(csv.lines().count(), 13);
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    assert!(header.contains(&"scen") && header.contains(&"scenario"), "{header:?}");
}

#[test]
fn the_runs_of_a_scenario_that_has_changed_are_made_again() {
    let bench = bench();
    bench.succeeds("spec.toml", "out", &[]);
    let path = bench.path("files/scen/two.scen");
    let text = fs::read_to_string(&path).unwrap();
    let mut rows: Vec<&str> = text.lines().collect();
    // With three agents it stays as it was.
    rows.swap(5, 6);
    fs::write(&path, rows.join("\n") + "\n").unwrap();
    let output = bench.sweep("spec.toml", "out", &[]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("12 runs in out, 2 of them made now"), "{said}{}", stderr(&output));
    assert!(stderr(&output).contains("2 runs in records.jsonl"), "{}", stderr(&output));
    assert_eq!(bench.results("out").len(), 12);
}

#[test]
fn maps_are_found_by_name_or_near_the_scenario() {
    let bench = bench();
    // The built-in maps are those that the scenarios name.
    let listed = SPEC.replace("agents = [3, 6]", "maps = [\"cave:20x20\", \"rooms:20x20\"]");
    bench.write("listed.toml", &listed);
    bench.succeeds("listed.toml", "listed", &[]);
    let results = bench.results("listed");
    assert_eq!(results.len(), 6, "all six agents take part");
    assert!(results.keys().any(|key| key.starts_with("rooms:20x20:seed=1|scen three|6|")));
    bench.write(
        "none.toml",
        &SPEC.replace("agents = [3, 6]", "maps = [\"maze:20x20\", \"rooms:20x20\"]"),
    );
    bench.is_refused("none.toml", "x", "none.toml: line 7: files/scen/one.scen: this scenario is for the map 'cave_20x20_seed=1.map'");
    fs::rename(bench.path("files/cave_20x20_seed=1.map"), bench.path("elsewhere.map")).unwrap();
    bench.is_refused(
        "spec.toml",
        "x",
        "spec.toml: line 7: files/scen/one.scen: its map 'cave_20x20_seed=1.map' was not found",
    );
    let lost = SPEC.replace("two.scen", "lost.scen").replace("/one.scen", "/three.scen");
    bench.write("lost.toml", &lost);
    bench.is_refused(
        "lost.toml",
        "x",
        "lost.toml: line 7: files/scen/lost.scen: there is no such file",
    );
    bench.write(
        "many.toml",
        &SPEC
            .replace("[3, 6]", "7")
            .replace("\"files/scen/one.scen\", \"files/scen/two.scen\", ", ""),
    );
    bench.is_refused("many.toml", "x", "many.toml: line 7: files/scen/three.scen: the scenario has 6 rows, and 7 agents are asked for");
}

#[test]
fn the_files_of_scenarios_are_listed_for_other_machines() {
    let bench = bench();
    let said = bench.jostle(&["sweep", "spec.toml", "--list-files"]);
    let files: Vec<String> = String::from_utf8(said.stdout)
        .unwrap()
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["name"].as_str().unwrap().to_owned()
        })
        .collect();
    let scens = ["one", "three", "two"].map(|name| format!("files/scen/{name}.scen"));
    let maps = ["cave", "rooms"].map(|name| format!("files/{name}_20x20_seed=1.map"));
    let expected: Vec<String> =
        ["spec.toml".to_owned()].into_iter().chain(maps).chain(scens).collect();
    assert_eq!(files, expected);
}

#[test]
fn a_spec_with_defaults_asks_for_the_same_runs_as_one_that_repeats_them() {
    let repeated = "[[sweep]]\nmaps = [\"cave:20x20\"]\nagents = 3\nseeds = \"1-2\"\nplanners = [\"pibt\"]\nlimits = [\"9steps\"]\n\
                    [[sweep]]\nmaps = [\"cave:20x20\"]\nagents = 5\nseeds = \"1-2\"\nplanners = [\"pibt\"]\nlimits = [\"9steps\"]\n";
    let bench = Bench::of(repeated);
    bench.succeeds("spec.toml", "out", &[]);
    bench.write(
        "spec.toml",
        "[defaults]\nmaps = [\"cave:20x20\"]\nseeds = \"1-2\"\nplanners = [\"pibt\"]\nlimits = [\"9steps\"]\n\
         [[sweep]]\nagents = 3\n[[sweep]]\nagents = 5\n",
    );
    let output = bench.sweep("spec.toml", "out", &[]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("4 runs in out, 0 of them made now"), "{said}{}", stderr(&output));
}
