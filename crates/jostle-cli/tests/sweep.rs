//! Tests of `jostle sweep`: stopped, killed, resumed, split into shards, and never with a run lost or made twice.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::time::Duration;

use common::stderr;
use common::sweeps::{Bench, RUNS, SPEC, contents, endless, refusal, wait_until};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

#[test]
fn killed_at_random_moments_and_resumed_it_gives_the_same_records_as_uninterrupted() {
    let bench = Bench::new();
    // Runs that take a moment, so that most kills hit one.
    bench.write("spec.toml", &SPEC.replace("40x30", "96x64").replace("20-40/20", "150-300/150"));
    bench.succeeds("spec.toml", "whole", &[]);
    let whole = bench.results("whole");
    assert_eq!(whole.len(), RUNS);
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let done = || bench.records("killed").lines().count();
    let mut kills = 0;
    while done() < RUNS {
        let target = done() + rng.random_range(0..10);
        let mut child = bench.start("spec.toml", "killed");
        wait_until(|| done() >= target || child.try_wait().unwrap().is_some());
        std::thread::sleep(Duration::from_micros(rng.random_range(0..10_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        kills += u32::from(done() < RUNS);
    }
    assert!(kills >= 4, "killed {kills} times while it ran");
    bench.succeeds("spec.toml", "killed", &[]);
    assert_eq!(bench.results("killed"), whole);
}

#[test]
fn recorded_runs_are_not_made_again() {
    let bench = Bench::new();
    bench.succeeds("spec.toml", "out", &["--threads", "1"]);
    let before = contents(&bench.path("out"));
    bench.write(
        "same.toml",
        &format!("# The same, spelled otherwise.\n{}", SPEC.replace("\"1-4\"", "[4, 3, 2, 1]")),
    );
    let output = bench.sweep("same.toml", "out", &[]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("64 runs in out, 0 of them made now"), "{said}");
    assert_eq!(before, contents(&bench.path("out")));
}

#[test]
fn a_record_has_all_that_is_needed_to_repeat_the_run() {
    let bench = Bench::new();
    // One at a time, so that they are in order.
    bench.succeeds("spec.toml", "out", &["--threads", "1"]);
    let records = bench.records("out");
    let record: Value = serde_json::from_str(records.lines().next().unwrap()).unwrap();
    assert_eq!(record["key"], "rooms:40x30:seed=1|random|20|1|jostle|300steps|8");
    for (field, expected) in
        [("kind", "random"), ("planner", "jostle"), ("limit", "300steps"), ("experiment", "spec")]
    {
        assert_eq!(record[field], expected);
    }
    assert_eq!((record["agents"].as_u64(), record["seed"].as_u64()), (Some(20), Some(1)));
    assert!(record["version"].is_string() && record["machine"]["cores"].as_u64() >= Some(1));
    let identity = fs::read_to_string(bench.path("out").join("sweep.json")).unwrap();
    let identity: Value = serde_json::from_str(&identity).unwrap();
    assert_eq!((&identity["fingerprint"], &identity["spec"]), (&record["spec"], &SPEC.into()));
}

#[test]
fn a_sweep_resumed_by_another_build_names_the_builds_of_its_records() {
    let bench = Bench::new();
    bench.succeeds("spec.toml", "out", &[]);
    let whole = bench.records("out");
    let mut records: Vec<Value> =
        whole.lines().take(50).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(records[0]["commit"].is_string() || records[0]["commit"].is_null());
    for (number, record) in records.iter_mut().enumerate() {
        // It is not the line that was written any more.
        record.as_object_mut().unwrap().remove("checksum");
        match number {
            0..20 => record["commit"] = "0123456789ab".into(),
            20..23 => (record["version"], record["commit"]) = ("0.0.9".into(), Value::Null),
            _ => {}
        }
    }
    let lines = records.iter().map(|record| format!("{record}\n"));
    bench.write("out/records.jsonl", &lines.collect::<String>());
    let said = bench.succeeds("spec.toml", "out", &[]);
    let begin = "warning: the 50 records in this folder are not all of this build, 0.1.0";
    let end = ": 0.0.9 made 3, 0.1.0 (0123456789ab) made 20 of them\n";
    assert!(said.starts_with(begin) && said.ends_with(end), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    let again = bench.succeeds("spec.toml", "out", &[]);
    assert_eq!(again, "", "nothing is left to make, so there is no note");
}

#[test]
fn runs_under_other_rules_and_limits_are_other_runs() {
    let bench = Bench::new();
    let one = SPEC.replace("seeds = \"1-4\"\n", "").replace("20-40/20", "20");
    let tables = [
        one.clone(),
        one.replace("[[sweep]]", "[[sweep]]\ncorners = \"one\""),
        one.replace("[[sweep]]", "[[sweep]]\nforbid_crossing = true"),
        one.replace("[[sweep]]", "[[sweep]]\nneighbours = 4"),
        one.replace("300steps", "300steps,2000expansions"),
    ];
    bench.write("spec.toml", &tables.concat());
    bench.succeeds("spec.toml", "out", &[]);
    let results = bench.results("out");
    assert_eq!(results.len(), tables.len() * 8);
    let rules: BTreeSet<String> = results
        .values()
        .map(|r| ["neighbours", "corners", "crossing", "limit"].map(|f| r[f].to_string()).join(" "))
        .collect();
    let expected = [
        "4 \"both\" \"allowed\" \"300steps\"",
        "8 \"both\" \"allowed\" \"300steps\"",
        "8 \"both\" \"allowed\" \"300steps,2000expansions\"",
        "8 \"both\" \"forbidden\" \"300steps\"",
        "8 \"one\" \"allowed\" \"300steps\"",
    ];
    assert_eq!(rules, expected.map(str::to_owned).into());
    let ran_out = |record: &&Value| record["ending"] == "out-of-expansions";
    assert!(results.values().filter(ran_out).all(|r| r["expansions"].as_u64() >= Some(2000)));
    assert!(results.values().any(|record| ran_out(&record)));
    let output = bench.sweep("spec.toml", "out", &[]);
    assert!(String::from_utf8(output.stdout).unwrap().contains("0 of them made now"));
}

#[test]
fn a_folder_of_another_spec_is_refused_or_extended() {
    let bench = Bench::new();
    bench.succeeds("spec.toml", "out", &[]);
    let whole = bench.results("out");
    bench.write("more.toml", &SPEC.replace("1-4", "1-5"));
    bench.write("other.toml", &SPEC.replace("1-4", "2-5"));
    bench.is_refused(
        "more.toml",
        "out",
        "out: this folder belongs to another spec (spec, 64 runs)",
    );
    let output = bench.sweep("other.toml", "out", &["--extend"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(
        said.contains("records.jsonl: line 1: the run rooms:40x30:seed=1|random|20|1|"),
        "{said}"
    );
    assert_eq!(bench.results("out"), whole);
    bench.succeeds("spec.toml", "out", &[]);
    bench.succeeds("more.toml", "out", &["--extend"]);
    let more = bench.results("out");
    assert_eq!(more.len(), RUNS / 4 * 5);
    assert!(whole.iter().all(|(key, record)| more[key] == *record));
    let identity = fs::read_to_string(bench.path("out/sweep.json")).unwrap();
    assert!(
        identity.contains("1-4") && identity.contains("1-5"),
        "both specs are kept: {identity}"
    );
}

#[test]
fn bad_specs_are_refused_and_no_folder_is_made() {
    let bench = Bench::new();
    let cases = [
        ("\"bmaa\"", "\"teleport\"", "spec.toml: line 7: there is no planner 'teleport'"),
        ("rooms:40x30", "dungeon", "spec.toml: line 3: dungeon: there is no such file"),
        ("rooms:40x30", "none.map", "spec.toml: line 3: none.map: there is no such file"),
        ("seeds", "seed", "spec.toml: line 6: unknown key 'seed': did you mean 'seeds'?"),
        ("swap-sides", "upside-down", "spec.toml: line 4: there is no kind 'upside-down'"),
        ("\"1-4\"", "[]", "spec.toml: line 6: seeds is empty, so there is nothing to run"),
        ("20-40/20", "20-4000/20", "line 3: rooms:40x30:seed=1: 4000 agents do not fit"),
        ("300steps", "soon", "spec.toml: line 8: 'soon' is not a limit"),
        ("[[sweep]]", "[sweep", "spec.toml: line 2: "),
    ];
    for (what, instead, expected) in cases {
        bench.write("spec.toml", &SPEC.replace(what, instead));
        bench.is_refused("spec.toml", "out", expected);
        assert!(!bench.path("out").exists());
    }
    bench.is_refused("none.toml", "out", "none.toml: there is no such file");
    bench.write("spec.toml", SPEC);
    bench.write("taken", "precious");
    bench.is_refused("spec.toml", "taken", "taken: cannot be created");
    assert_eq!(fs::read_to_string(bench.path("taken")).unwrap(), "precious");
}

#[test]
fn two_sweeps_do_not_work_in_one_folder() {
    let bench = Bench::new();
    bench.write("spec.toml", &endless());
    let mut first = bench.start("spec.toml", "out");
    wait_until(|| bench.path("out/records.jsonl").exists());
    bench.is_refused("spec.toml", "out", "out: another sweep is at work in this folder");
    let shard = bench.sweep("spec.toml", "out", &["--shard", "1/2"]);
    assert!(stderr(&shard).contains("another sweep is at work"), "{}", stderr(&shard));
    first.kill().unwrap();
    first.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_at_once_and_keeps_its_records() {
    let bench = Bench::new();
    bench.write("spec.toml", &endless());
    let child = bench.start("spec.toml", "out");
    wait_until(|| bench.path("out/records.jsonl").exists());
    std::thread::sleep(Duration::from_millis(200));
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    // A run that was cut short is not recorded.
    let recorded = bench.results("out").len();
    let expected = format!("stopped with {recorded} of 32 runs in out");
    assert!(recorded < 32 && stderr(&output).contains(&expected), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_within_a_second_while_it_plans() {
    let bench = Bench::new();
    bench.write("spec.toml", &SPEC.replace("1-4", "1-125000"));
    let child = bench.start("spec.toml", "out");
    std::thread::sleep(Duration::from_millis(100));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let asked = std::time::Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(!output.status.success());
    // On an idle machine it is less than a second; this machine may be busy.
    assert!(asked.elapsed() < Duration::from_secs(10));
    assert!(!bench.path("out").exists(), "it had not finished planning");
}

/// A limit on the size of files stands for a full disk: the write that exceeds it fails in the middle.
#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_and_earlier_records_are_whole() {
    let bench = Bench::new();
    let script = format!(
        "trap '' XFSZ; ulimit -f 24; exec '{}' sweep spec.toml --out out",
        env!("CARGO_BIN_EXE_jostle")
    );
    let output =
        Command::new("sh").current_dir(bench.folder.path()).args(["-c", &script]).output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("records.jsonl: cannot be written: File too large"), "{said}");
    assert_eq!(said.trim().lines().count(), 1, "{said}");
    let records = bench.records("out");
    assert!(records.ends_with('\n'), "the half-written record was taken back");
    let kept: BTreeSet<String> = bench.results("out").into_keys().collect();
    assert!((1..RUNS).contains(&kept.len()), "{} records", kept.len());
    let said = bench.succeeds("spec.toml", "out", &[]);
    assert!(!said.contains("torn"), "{said}");
    assert_eq!(bench.results("out").len(), RUNS);
    assert!(bench.records("out").starts_with(&records), "nothing was made again");
}

#[test]
fn a_short_sweep_prints_nothing_before_its_end() {
    let bench = Bench::new();
    assert_eq!(bench.succeeds("spec.toml", "out", &[]), "");
}

/// Under a limit of memory in which no list of all those numbers fits.
#[cfg(unix)]
#[test]
fn specs_and_options_that_ask_for_too_much_are_refused_before_memory_is_taken() {
    let bench = Bench::new();
    let refuses = |words: &str, expected: &str| {
        let script = format!("ulimit -v 1000000; exec '{}' {words}", env!("CARGO_BIN_EXE_jostle"));
        let output = Command::new("sh")
            .current_dir(bench.folder.path())
            .args(["-c", &script])
            .output()
            .unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(expected), "{words}: {said}");
    };
    let million = "stands for more than 1,000,000 numbers, the most that a list can have";
    for (seeds, expected) in [
        ("\"1-11000000\"", million),
        ("\"1-18446744073709551615\"", million),
        ("[\"1-999999\", \"1-999999\"]", million),
        ("\"1-1000000\"", "asks for 16,000,000 runs, and a sweep has at most 2,000,000"),
    ] {
        bench.write("spec.toml", &SPEC.replace("\"1-4\"", seeds));
        refuses("sweep spec.toml --out out", expected);
    }
    assert!(!bench.path("out").exists());
    refuses("run cave --agents 1-99999999999", million);
    refuses("gen cave --agents 5 --seeds 1-18446744073709551615 --out scenarios", million);
    refuses("report out --agents 1-600000,1-600000", million);
}

#[test]
fn the_files_that_a_sweep_reads_are_listed_and_nothing_runs() {
    let bench = Bench::with_map(1);
    fs::create_dir_all(bench.path("library/paper")).unwrap();
    fs::copy(bench.path("x.map"), bench.path("library/paper/y.map")).unwrap();
    bench.write("secret.txt", "not named by the spec");
    let maps = "maps = [\"rooms:40x30\", \"x.map\", \"paper/y.map\"]";
    bench
        .write("spec.toml", &SPEC.replace("maps = [\"rooms:40x30\", \"cave:40x30:seed=3\"]", maps));
    let output = Command::new(env!("CARGO_BIN_EXE_jostle"))
        .current_dir(bench.folder.path())
        .env("JOSTLE_MAPS", "library")
        .args(["sweep", "spec.toml", "--list-files"])
        .output()
        .unwrap();
    let expected =
        [("spec.toml", "spec.toml"), ("paper/y.map", "library/paper/y.map"), ("x.map", "x.map")];
    let expected =
        expected.map(|(name, path)| format!("{{\"name\":\"{name}\",\"path\":\"{path}\"}}\n"));
    assert_eq!(
        String::from_utf8(output.stdout.clone()).unwrap(),
        expected.concat(),
        "{}",
        stderr(&output)
    );
    let said = refusal(&bench, &["sweep", "spec.toml"]);
    assert!(said.contains("--out <DIR>"), "{said}");
}
