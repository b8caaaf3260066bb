//! Sweeps that are split into shards.

mod common;

use std::fs;
use std::process::Command;

use common::stderr;
use common::sweeps::{Bench, RUNS, SPEC, endless, files, refusal, wait_until};

#[test]
fn each_shard_makes_its_own_stale_runs_again() {
    let bench = Bench::with_map(1);
    for shard in ["1/2", "2/2"] {
        bench.succeeds("spec.toml", "out", &["--shard", shard]);
    }
    bench.draw_map(2);
    bench.succeeds("spec.toml", "fresh", &[]);
    let said = bench.succeeds("spec.toml", "out", &["--shard", "1/2"]);
    assert!(
        said.contains("runs in records-1-of-2.jsonl were made on maps that have changed"),
        "{said}"
    );
    let said = refusal(&bench, &["export", "out", "--out", "out.csv"]);
    assert!(said.contains("records-1-of-2.jsonl (line "), "{said}");
    assert!(said.contains(" were made on different versions of the map 'x'"), "{said}");
    let said = bench.succeeds("spec.toml", "out", &["--shard", "2/2"]);
    assert!(
        said.contains("runs in records-2-of-2.jsonl were made on maps that have changed"),
        "{said}"
    );
    assert_eq!(bench.results_of_any_spec("out"), bench.results_of_any_spec("fresh"));
}

#[test]
fn shards_made_on_different_versions_of_a_map_are_not_put_together() {
    let bench = Bench::with_map(1);
    bench.succeeds("spec.toml", "one", &["--shard", "1/2"]);
    bench.draw_map(2);
    bench.succeeds("spec.toml", "two", &["--shard", "2/2"]);
    fs::create_dir(bench.path("out")).unwrap();
    for folder in ["one", "two"] {
        for file in files(&bench.path(folder)) {
            fs::copy(&file, bench.path("out").join(file.file_name().unwrap())).unwrap();
        }
    }
    bench.is_refused(
        "spec.toml",
        "out",
        "out: records-1-of-2.jsonl: made in another folder on another version of the map 'x'",
    );
    for words in [&["export", "out", "--out", "out.csv"][..], &["report", "out"]] {
        let said = refusal(&bench, words);
        for part in ["records-1-of-2.jsonl (line ", "records-2-of-2.jsonl (line ", "the map 'x'"] {
            assert!(said.contains(part), "{said}");
        }
    }
}

#[test]
fn shards_at_work_on_different_versions_of_a_map_do_not_share_a_folder() {
    let bench = Bench::with_map(1);
    let spec = endless().replace("cave:120x90:seed=3", "x.map").replace("900", "100");
    bench.write("spec.toml", &spec);
    let mut first =
        bench.command("spec.toml", "out", &["--threads", "1", "--shard", "1/2"]).spawn().unwrap();
    wait_until(|| bench.path("out/records-1-of-2.jsonl").exists());
    bench.draw_map(2);
    let output = bench.sweep("spec.toml", "out", &["--shard", "2/2"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("out: shard 1/2 is at work in this folder for another spec, or on another"),
        "{said}"
    );
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn shards_give_the_same_records_as_the_whole_in_one_folder_or_copied_into_one() {
    let bench = Bench::new();
    bench.succeeds("spec.toml", "whole", &[]);
    let whole = bench.results("whole");
    fs::create_dir(bench.path("merged")).unwrap();
    for shard in ["1/3", "2/3", "3/3"] {
        bench.succeeds("spec.toml", "shared", &["--shard", shard]);
        let alone = format!("alone-{}", &shard[..1]);
        bench.succeeds("spec.toml", &alone, &["--shard", shard]);
        assert!((RUNS / 3..=RUNS / 3 + 1).contains(&bench.results(&alone).len()));
        for file in files(&bench.path(&alone)) {
            fs::copy(&file, bench.path("merged").join(file.file_name().unwrap())).unwrap();
        }
    }
    for folder in ["shared", "merged"] {
        assert_eq!(bench.results(folder), whole);
        let output = bench.sweep("spec.toml", folder, &[]);
        assert!(String::from_utf8(output.stdout).unwrap().contains("0 of them made now"));
    }
}

#[test]
fn a_shard_makes_only_runs_that_other_shares_have_left() {
    let bench = Bench::new();
    bench.succeeds("spec.toml", "out", &["--shard", "1/2"]);
    bench.succeeds("spec.toml", "out", &["--shard", "3/5"]);
    bench.succeeds("spec.toml", "out", &[]);
    assert_eq!(bench.results("out").len(), RUNS);
}

/// A shard that begins while shards of another division are at work.
#[test]
fn overlapping_shards_at_work_on_one_folder_make_no_run_twice_and_lose_none() {
    let bench = Bench::new();
    // Runs that take a moment, so that the shards are at work at the same time.
    bench.write("spec.toml", &SPEC.replace("40x30", "96x64").replace("20-40/20", "150-300/150"));
    let start = |shard: &str| {
        bench.command("spec.toml", "out", &["--threads", "1", "--shard", shard]).spawn().unwrap()
    };
    let shards = ["1/2", "1/3", "2/3", "2/2", "3/5", "3/3"];
    let mut said = String::new();
    for child in shards.map(start) {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        said += &stderr(&output);
    }
    assert!(said.contains(" runs are left to shard "), "they overlapped: {said}");
    // Fails if a run was recorded twice.
    assert_eq!(bench.results("out").len(), RUNS);
    let output = bench.sweep("spec.toml", "out", &[]);
    assert!(String::from_utf8(output.stdout).unwrap().contains("0 of them made now"));
}

#[test]
fn shards_are_exported_as_one_table_that_does_not_depend_on_the_split() {
    let bench = Bench::new();
    bench.succeeds("spec.toml", "whole", &[]);
    for shard in ["2/2", "1/2"] {
        bench.succeeds("spec.toml", "shards", &["--shard", shard]);
    }
    let export = |folder: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_jostle"))
            .current_dir(bench.folder.path())
            .args(["export", folder, "--out", &format!("{folder}.csv")])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let table = fs::read_to_string(bench.path(&format!("{folder}.csv"))).unwrap();
        // The key is the first column; the fingerprint comes before version and commit.
        let fingerprint = |line: &str| {
            let key = line.split(',').next().unwrap().to_owned();
            (key, line.rsplit(',').nth(2).unwrap().to_owned())
        };
        table.lines().map(fingerprint).collect::<Vec<_>>()
    };
    let whole = export("whole");
    assert_eq!(whole.len(), 1 + RUNS);
    assert_eq!(whole, export("shards"));
}
