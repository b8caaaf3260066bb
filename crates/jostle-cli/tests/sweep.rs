//! Tests of `jostle sweep`: stopped, killed, resumed, split into shards, and never with a run lost or made twice.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use tempfile::TempDir;

const SPEC: &str = r#"
[[sweep]]
maps = ["rooms:40x30", "cave:40x30:seed=3"]
kinds = ["random", "swap-sides"]
agents = "20-40/20"
seeds = "1-4"
planners = ["jostle", "bmaa"]
limits = ["300steps"]
"#;
const RUNS: usize = 64;

/// A folder with a spec, and sweeps of it.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { folder: tempfile::tempdir().unwrap() };
        bench.write("spec.toml", SPEC);
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn command(&self, spec: &str, out: &str, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jostle"));
        command.current_dir(self.folder.path()).args(["sweep", spec, "--out", out]).args(more);
        command.env_remove("JOSTLE_MAPS").stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn sweep(&self, spec: &str, out: &str, more: &[&str]) -> Output {
        self.command(spec, out, more).output().unwrap()
    }

    /// Its standard error.
    fn succeeds(&self, spec: &str, out: &str, more: &[&str]) -> String {
        let output = self.sweep(spec, out, more);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stderr(&output)
    }

    /// One sentence, exit code 2, and the folder is as it was.
    fn is_refused(&self, spec: &str, out: &str, expected: &str) {
        let before = contents(&self.path(out));
        let output = self.sweep(spec, out, &[]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
        assert_eq!(said.trim().lines().count(), 1, "{said}");
        assert_eq!(before, contents(&self.path(out)));
    }

    /// One run at a time, so that it lasts on any number of cores.
    fn start(&self, spec: &str, out: &str) -> Child {
        self.command(spec, out, &["--threads", "1"]).spawn().unwrap()
    }

    fn records(&self, out: &str) -> String {
        fs::read_to_string(self.path(out).join("records.jsonl")).unwrap_or_default()
    }

    /// The fields that do not depend on the clock or the machine, by key. Fails if a run was recorded twice.
    fn results(&self, out: &str) -> BTreeMap<String, Value> {
        let mut results = BTreeMap::new();
        for file in files(&self.path(out)) {
            if file.extension().is_none_or(|end| end != "jsonl") {
                continue;
            }
            for line in fs::read_to_string(file).unwrap().lines() {
                let mut record: Value = serde_json::from_str(line).unwrap();
                let fields = record.as_object_mut().unwrap();
                fields.retain(|name, _| {
                    let depends = ["machine", "checksum"].contains(&name.as_str());
                    !name.contains("seconds") && !name.ends_with("_us") && !depends
                });
                let key = fields["key"].as_str().unwrap().to_owned();
                assert!(results.insert(key.clone(), record).is_none(), "{key} was recorded twice");
            }
        }
        results
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// All files of a folder but the locks.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_lock = |path: &PathBuf| path.extension().is_some_and(|end| end == "lock");
    let with_bytes = |path: PathBuf| (path.clone(), fs::read(path).unwrap());
    files(folder).into_iter().filter(|path| !is_lock(path)).map(with_bytes).collect()
}

fn wait_until(mut is_so: impl FnMut() -> bool) {
    for _ in 0..60_000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("it did not happen within a minute");
}

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

/// Standard error of a command that is refused.
fn refusal(bench: &Bench, words: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jostle"));
    let output = command.current_dir(bench.folder.path()).args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{words:?}: {}", stderr(&output));
    stderr(&output)
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
        (&lines[6][..400], "EOF while parsing"),
        (&lines[6].replace("\"ticks\"", "\"ti\0ks\""), "control character"),
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

impl Bench {
    /// A map file beside the spec, in one of several versions, and a spec with it.
    fn with_map(version: u32) -> Self {
        let bench = Self::new();
        bench.write("spec.toml", &SPEC.replace("cave:40x30:seed=3", "x.map"));
        bench.draw_map(version);
        bench
    }

    fn draw_map(&self, version: u32) {
        let _ = fs::remove_file(self.path("x.map"));
        let map = format!("cave:40x30:seed={version}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_jostle"));
        command.current_dir(self.folder.path()).args(["maps", &map, "--out", "x.map"]);
        assert!(command.stdout(Stdio::null()).status().unwrap().success());
    }

    /// The results, without the fingerprint of the spec that asked for them.
    fn results_of_any_spec(&self, out: &str) -> BTreeMap<String, Value> {
        let mut results = self.results(out);
        for record in results.values_mut() {
            record.as_object_mut().unwrap().remove("spec");
        }
        results
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
                "jostle: 32 runs in records.jsonl were made on maps that have changed since (32 on 'x'); their records \
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
    let begin = "jostle: the 50 records in this folder are not all of this build, 0.1.0";
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
fn bad_specs_are_refused_and_no_folder_is_made() {
    let bench = Bench::new();
    let cases = [
        ("\"bmaa\"", "\"teleport\"", "spec.toml: line 7: there is no planner 'teleport'"),
        ("rooms:40x30", "dungeon", "spec.toml: line 3: dungeon: there is no such file"),
        ("rooms:40x30", "none.map", "spec.toml: line 3: none.map: there is no such file"),
        ("seeds", "seed", "spec.toml: line 6: unknown field `seed`"),
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

/// Runs that take longer than any test waits for them.
fn endless() -> String {
    SPEC.replace("40x30", "120x90").replace("20-40/20", "900").replace("300steps", "600s")
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
    assert!(asked.elapsed() < Duration::from_secs(1));
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
