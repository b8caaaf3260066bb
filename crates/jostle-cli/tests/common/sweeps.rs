//! What tests of sweeps share: a folder with a spec, and ways to look at what a sweep leaves there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use super::stderr;

pub const SPEC: &str = r#"
[[sweep]]
maps = ["rooms:40x30", "cave:40x30:seed=3"]
kinds = ["random", "swap-sides"]
agents = "20-40/20"
seeds = "1-4"
planners = ["jostle", "bmaa"]
limits = ["300steps"]
"#;

pub const RUNS: usize = 64;

/// A folder with a spec, and sweeps of it.
pub struct Bench {
    pub folder: TempDir,
}

impl Bench {
    pub fn new() -> Self {
        Self::of(SPEC)
    }

    /// A folder with another spec, in `spec.toml`.
    pub fn of(spec: &str) -> Self {
        let bench = Self { folder: tempfile::tempdir().unwrap() };
        bench.write("spec.toml", spec);
        bench
    }

    /// Runs any command in the folder, which succeeds.
    pub fn jostle(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jostle"));
        let output = command.current_dir(self.folder.path()).args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
        output
    }

    /// A sweep of the spec, which has so many runs, a multiple of three, leads to the same records in shards as in one go, and goes on
    /// where it stopped.
    pub fn is_resumed_and_split(&self, runs: usize) {
        self.succeeds("spec.toml", "whole", &[]);
        let whole = self.results("whole");
        assert_eq!(whole.len(), runs);
        for shard in ["2/3", "1/3"] {
            self.succeeds("spec.toml", "parts", &["--shard", shard]);
        }
        assert_eq!(self.results("parts").len(), runs / 3 * 2);
        self.succeeds("spec.toml", "parts", &[]);
        assert_eq!(self.results("parts"), whole);
        let again = self.sweep("spec.toml", "parts", &[]);
        let said = String::from_utf8(again.stdout).unwrap();
        assert!(said.contains(&format!("{runs} runs in parts, 0 of them made now")), "{said}");
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn command(&self, spec: &str, out: &str, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jostle"));
        command.current_dir(self.folder.path()).args(["sweep", spec, "--out", out]).args(more);
        command.env_remove("JOSTLE_MAPS").stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn sweep(&self, spec: &str, out: &str, more: &[&str]) -> Output {
        self.command(spec, out, more).output().unwrap()
    }

    /// Its standard error.
    pub fn succeeds(&self, spec: &str, out: &str, more: &[&str]) -> String {
        let output = self.sweep(spec, out, more);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stderr(&output)
    }

    /// One sentence, exit code 2, and the folder is as it was.
    pub fn is_refused(&self, spec: &str, out: &str, expected: &str) {
        let before = contents(&self.path(out));
        let output = self.sweep(spec, out, &[]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
        assert_eq!(said.trim().lines().count(), 1, "{said}");
        assert_eq!(before, contents(&self.path(out)));
    }

    /// One run at a time, so that it lasts on any number of cores.
    pub fn start(&self, spec: &str, out: &str) -> Child {
        self.command(spec, out, &["--threads", "1"]).spawn().unwrap()
    }

    pub fn records(&self, out: &str) -> String {
        fs::read_to_string(self.path(out).join("records.jsonl")).unwrap_or_default()
    }

    /// The fields that do not depend on the clock or the machine, by key. Fails if a run was recorded twice.
    pub fn results(&self, out: &str) -> BTreeMap<String, Value> {
        let mut results = BTreeMap::new();
        for file in files(&self.path(out)) {
            if file.extension().is_none_or(|end| end != "jsonl") {
                continue;
            }
            for line in fs::read_to_string(file).unwrap().lines() {
                let mut record: Value = serde_json::from_str(line).unwrap();
                forget_times(&mut record["solver"]);
                forget_times(&mut record);
                let fields = record.as_object_mut().unwrap();
                fields.retain(|name, _| !["machine", "checksum"].contains(&name.as_str()));
                let key = fields["key"].as_str().unwrap().to_owned();
                assert!(results.insert(key.clone(), record).is_none(), "{key} was recorded twice");
            }
        }
        results
    }
}

/// Removes the fields of an object that depend on the clock.
fn forget_times(record: &mut Value) {
    if let Some(fields) = record.as_object_mut() {
        fields.retain(|name, _| !name.contains("seconds") && !name.ends_with("_us"));
    }
}

pub fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// All files of a folder but the locks.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_lock = |path: &PathBuf| path.extension().is_some_and(|end| end == "lock");
    let with_bytes = |path: PathBuf| (path.clone(), fs::read(path).unwrap());
    files(folder).into_iter().filter(|path| !is_lock(path)).map(with_bytes).collect()
}

pub fn wait_until(mut is_so: impl FnMut() -> bool) {
    for _ in 0..60_000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("it did not happen within a minute");
}

/// Standard error of a command that is refused.
pub fn refusal(bench: &Bench, words: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jostle"));
    let output = command.current_dir(bench.folder.path()).args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{words:?}: {}", stderr(&output));
    stderr(&output)
}

impl Bench {
    /// A map file beside the spec, in one of several versions, and a spec with it.
    pub fn with_map(version: u32) -> Self {
        let bench = Self::new();
        bench.write("spec.toml", &SPEC.replace("cave:40x30:seed=3", "x.map"));
        bench.draw_map(version);
        bench
    }

    pub fn draw_map(&self, version: u32) {
        let _ = fs::remove_file(self.path("x.map"));
        let map = format!("cave:40x30:seed={version}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_jostle"));
        command.current_dir(self.folder.path()).args(["maps", &map, "--out", "x.map"]);
        assert!(command.stdout(Stdio::null()).status().unwrap().success());
    }

    /// The results, without the fingerprint of the spec that asked for them.
    pub fn results_of_any_spec(&self, out: &str) -> BTreeMap<String, Value> {
        let mut results = self.results(out);
        for record in results.values_mut() {
            record.as_object_mut().unwrap().remove("spec");
        }
        results
    }
}

/// Runs that take longer than any test waits for them.
pub fn endless() -> String {
    SPEC.replace("40x30", "120x90").replace("20-40/20", "900").replace("300steps", "600s")
}
