//! The records of a sweep that do not count: torn, damaged, stale, or of another sweep.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::time::Duration;

use common::sweeps::{Bench, SPEC, refusal};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

#[test]
fn a_torn_last_record_is_reported_moved_aside_and_made_again() {
    let bench = Bench::new();
    bench.succeeds("spec.toml", "out", &[]);
    let whole = bench.results("out");
    let records = bench.records("out");
    let (kept, torn) = records.split_at(records.len() - 300);
    bench.write("out/records.jsonl", kept);
    let said = bench.succeeds("spec.toml", "out", &[]);
    assert!(said.contains("records.jsonl: the last record was torn by a crash"), "{said}");
    let aside = fs::read_to_string(bench.path("out/records.jsonl.torn")).unwrap();
    assert!(records.ends_with(&format!("{}{torn}", aside.trim_end())), "nothing is lost");
    assert_eq!(bench.results("out"), whole);
}

#[test]
fn damaged_records_do_not_count_as_done() {
    let bench = Bench::new();
    bench.succeeds("spec.toml", "out", &["--threads", "1"]);
    let whole = bench.results("out");
    let records = bench.records("out");
    let lines: Vec<&str> = records.lines().collect();
    let misspelt = lines[6].replace("\"ticks\"", "\"tickz\"");
    let key = "rooms:40x30:seed=1|swap-sides|40|1|jostle|300steps|8";
    assert!(misspelt.contains(key));
    for (damaged, reason) in [
        (misspelt.as_str(), "unknown field `tickz`"),
        (&lines[6].replace("\"agents\":40", "\"agents\":41"), "is that of another run"),
        (&lines[6].replace("\"searches\":", "\"searches\":1"), "it does not fit its checksum"),
        (&lines[6][..400], "it is not JSON"),
        (&lines[6].replace("\"ticks\"", "\"ti\0ks\""), "it is not JSON"),
    ] {
        let text = records.replace(lines[6], damaged);
        bench.write("out/records.jsonl", &text);
        let verdict = format!("out/records.jsonl: line 7: the record of '{key}' is damaged: ");
        for words in [&["export", "out", "--out", "out.csv"][..], &["report", "out"]] {
            let said = refusal(&bench, words);
            assert!(said.contains(&verdict) && said.contains(reason), "{said}");
            assert!(said.ends_with("; `jostle sweep` makes its run again\n"), "{said}");
        }
        let said = bench.succeeds("spec.toml", "out", &[]);
        let again = "; it now stands in records.jsonl.damaged, and its run is made again\n";
        assert!(
            said.contains(&verdict) && said.contains(reason) && said.ends_with(again),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
        let aside = fs::read_to_string(bench.path("out/records.jsonl.damaged")).unwrap();
        assert!(aside.ends_with(&format!("{damaged}\n")), "nothing is lost");
        assert_eq!(bench.results("out"), whole);
    }
}

#[test]
fn stale_results_do_not_pass_as_new() {
    let bench = Bench::with_map(1);
    bench.succeeds("spec.toml", "out", &[]);
    let first = bench.results_of_any_spec("out");
    bench.draw_map(2);
    bench.succeeds("spec.toml", "fresh", &[]);
    let fresh = bench.results_of_any_spec("fresh");
    assert_ne!(first, fresh);
    for more in [&[][..], &["--extend"]] {
        let said = bench.succeeds("spec.toml", "out", more);
        if more.is_empty() {
            assert_eq!(
                said,
                "warning: 32 runs in records.jsonl were made on maps that have changed since (32 on 'x'); their records \
                 now stand in *.stale, and they are made again\n"
            );
        } else {
            assert_eq!(said, "", "they are made again once");
        }
        assert_eq!(bench.results_of_any_spec("out"), fresh);
    }
    let stale = fs::read_to_string(bench.path("out/records.jsonl.stale")).unwrap();
    assert_eq!(stale.lines().count(), 32, "nothing is lost");
    assert!(stale.lines().all(|line| line.contains("\"map\":\"x\"")));
    let exported = ["export", "out", "--out", "out.csv"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_jostle"));
    assert!(command.current_dir(bench.folder.path()).args(exported).status().unwrap().success());
    // Back to the first version.
    bench.draw_map(1);
    bench.succeeds("spec.toml", "out", &["--extend"]);
    assert_eq!(bench.results_of_any_spec("out"), first);
}

#[test]
fn records_of_a_spec_that_the_folder_does_not_extend_are_refused() {
    let bench = Bench::new();
    bench.succeeds("spec.toml", "out", &["--shard", "1/2"]);
    bench.write("less.toml", &SPEC.replace("1-4", "1-3"));
    bench.succeeds("less.toml", "less", &["--shard", "2/2"]);
    fs::copy(bench.path("less/records-2-of-2.jsonl"), bench.path("out/records-2-of-2.jsonl"))
        .unwrap();
    let expected = "out: records-2-of-2.jsonl: made for another spec than that of this folder";
    bench.is_refused("spec.toml", "out", expected);
    let said = refusal(&bench, &["export", "out", "--out", "out.csv"]);
    assert!(
        said.contains("records-2-of-2.jsonl: line 1: this run was made for another spec"),
        "{said}"
    );
}

#[test]
fn records_of_before_count_as_long_as_the_maps_of_their_spec_are_the_same() {
    let bench = Bench::with_map(1);
    bench.succeeds("spec.toml", "out", &["--threads", "1"]);
    let before: Vec<String> = bench
        .records("out")
        .lines()
        .map(|line| {
            let mut record: Value = serde_json::from_str(line).unwrap();
            record.as_object_mut().unwrap().retain(|name, _| {
                !["checksum", "map_fingerprint", "scenario"].contains(&name.as_str())
            });
            format!("{record}\n")
        })
        .collect();
    let before = before.concat();
    bench.write("out/records.jsonl", &before);
    assert_eq!(bench.succeeds("spec.toml", "out", &[]), "");
    bench.write("more.toml", &SPEC.replace("cave:40x30:seed=3", "x.map").replace("1-4", "1-5"));
    let said = bench.succeeds("more.toml", "out", &["--extend"]);
    assert_eq!(said, "", "the maps of the earlier spec are the same");
    assert!(bench.records("out").starts_with(&before));
    bench.draw_map(2);
    // Nobody knows which of the earlier maps have changed.
    let said = bench.succeeds("more.toml", "out", &[]);
    let maps = "(32 on 'rooms:40x30:seed=1', 40 on 'x')";
    assert!(
        said.contains("72 runs in records.jsonl were made on maps") && said.contains(maps),
        "{said}"
    );
    bench.succeeds("more.toml", "fresh", &[]);
    assert_eq!(bench.results_of_any_spec("out"), bench.results_of_any_spec("fresh"));
}

#[test]
fn killed_while_stale_lines_are_moved_aside_it_loses_none_and_counts_none() {
    let bench = Bench::with_map(1);
    // Many short runs: the lines take a moment to move.
    let spec = |seeds: &str| {
        SPEC.replace("cave:40x30:seed=3", "x.map")
            .replace("\"rooms:40x30\", ", "")
            .replace("1-4", seeds)
            .replace("300steps", "1steps")
    };
    bench.write("spec.toml", &spec("1-300"));
    bench.succeeds("spec.toml", "out", &[]);
    let first = bench.records("out");
    bench.draw_map(2);
    bench.succeeds("spec.toml", "fresh", &[]);
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut kills = 0;
    for round in 0..60 {
        let mut child = bench.start("spec.toml", "out");
        std::thread::sleep(Duration::from_micros(rng.random_range(0..2_000 * (1 + round % 20))));
        child.kill().unwrap();
        kills += u32::from(!child.wait().unwrap().success());
    }
    assert!(kills > 10, "killed {kills} times while it worked");
    bench.succeeds("spec.toml", "out", &[]);
    assert_eq!(bench.results_of_any_spec("out"), bench.results_of_any_spec("fresh"));
    let stale = fs::read_to_string(bench.path("out/records.jsonl.stale")).unwrap();
    let stale: BTreeSet<&str> = stale.lines().collect();
    assert!(first.lines().all(|line| stale.contains(line)), "every stale line is there");
}

#[test]
fn a_record_that_was_not_made_by_a_sweep_is_an_error_with_file_and_line() {
    let bench = Bench::new();
    bench.succeeds("spec.toml", "out", &[]);
    let words = ["run", "rooms:40x30", "--agents", "20", "--planner", "bmaa", "--json"];
    let run = Command::new(env!("CARGO_BIN_EXE_jostle")).args(words).output().unwrap();
    fs::write(bench.path("out/records-mine.jsonl"), run.stdout).unwrap();
    let expected = "records-mine.jsonl: line 1: this run has no key, so it was not made by a sweep";
    bench.is_refused("spec.toml", "out", expected);
}

#[test]
fn a_last_record_without_the_end_of_its_line_counts_and_others_follow_it() {
    let bench = Bench::new();
    bench.succeeds("spec.toml", "out", &["--threads", "1"]);
    let whole = bench.results("out");
    let records = bench.records("out");
    let kept: Vec<&str> = records.lines().take(10).collect();
    bench.write("out/records.jsonl", &kept.join("\n"));
    assert_eq!(bench.succeeds("spec.toml", "out", &[]), "", "nothing is torn");
    assert!(bench.records("out").starts_with(&(kept.join("\n") + "\n{")));
    assert_eq!(bench.results("out"), whole);
}
