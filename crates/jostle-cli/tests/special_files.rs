//! Pipes and the like under the names of files that a sweep looks for by itself: they are refused,
//! and nobody waits for them.
#![cfg(unix)]

mod common;

use std::fs;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::{Folder, stderr, succeeds};

const SPEC: &str = r#"
[[sweep]]
maps = ["rooms:20x16"]
agents = [4]
seeds = "1-3"
planners = ["pibt"]
limits = ["50steps"]
"#;

/// Runs the command, which must not take longer than a minute.
fn ends(words: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_jostle"))
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("{words:?} hangs");
        }
        thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

/// The command ends with one sentence about this file, and exit code 2.
fn is_refused(words: &[&str], file: &str, what: &str) {
    let output = ends(words);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
    let expected = format!("{file}: this is {what}, and a file is expected");
    assert!(said.contains(&expected), "{words:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{words:?}: {said}");
}

fn make_pipe(path: &str) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A folder with a spec, and the results of a sweep of it.
fn swept() -> (Folder, String, String) {
    let folder = Folder::new();
    let (spec, out) = (folder.write("spec.toml", SPEC), folder.path("out"));
    succeeds(&["sweep", &spec, "--out", &out]);
    (folder, spec, out)
}

#[test]
fn a_pipe_among_the_records_does_not_hang_a_sweep_a_report_or_an_export() {
    let (folder, spec, out) = swept();
    let csv = folder.path("all.csv");
    for name in ["records.jsonl", "records-1-of-2.jsonl", "sweep.json"] {
        let file = format!("{out}/{name}");
        let before = fs::read(&file).ok();
        let _ = fs::remove_file(&file);
        make_pipe(&file);
        is_refused(&["sweep", &spec, "--out", &out], name, "a pipe");
        is_refused(&["sweep", &spec, "--out", &out, "--shard", "1/2"], name, "a pipe");
        is_refused(&["report", &out], name, "a pipe");
        is_refused(&["export", &out, "--out", &csv], name, "a pipe");
        fs::remove_file(&file).unwrap();
        if let Some(before) = before {
            fs::write(&file, before).unwrap();
        }
    }
    assert_eq!(ends(&["report", &out]).status.code(), Some(0), "it is whole again");
}

#[test]
fn a_pipe_under_the_name_of_a_lock_does_not_hang_a_sweep() {
    let (_folder, spec, out) = swept();
    for (name, shard) in [
        ("sweep.lock", &[][..]),
        ("shards.lock", &["--shard", "1/2"]),
        ("records-1-of-2.lock", &["--shard", "1/2"]),
        // The lock of another share, at which this one looks.
        ("records-2-of-2.lock", &["--shard", "1/2"]),
    ] {
        let file = format!("{out}/{name}");
        let _ = fs::remove_file(&file);
        make_pipe(&file);
        is_refused(&[&["sweep", &spec, "--out", &out], shard].concat(), name, "a pipe");
        fs::remove_file(&file).unwrap();
    }
}

#[test]
fn a_pipe_where_damaged_lines_go_does_not_hang_a_sweep() {
    let (_folder, spec, out) = swept();
    let records = format!("{out}/records.jsonl");
    let damaged = fs::read_to_string(&records).unwrap() + "{}\n{\"key\":";
    fs::write(&records, &damaged).unwrap();
    for name in ["records.jsonl.damaged", "records.jsonl.torn", "records.jsonl.new"] {
        let file = format!("{out}/{name}");
        make_pipe(&file);
        is_refused(&["sweep", &spec, "--out", &out], name, "a pipe");
        assert_eq!(fs::read_to_string(&records).unwrap(), damaged, "nothing has changed");
        fs::remove_file(&file).unwrap();
    }
    assert_eq!(ends(&["sweep", &spec, "--out", &out]).status.code(), Some(0));
}

#[test]
fn devices_sockets_and_folders_are_no_records_either() {
    let (_folder, spec, out) = swept();
    let records = format!("{out}/records.jsonl");
    fs::remove_file(&records).unwrap();
    let words = ["sweep", &spec, "--out", &out];
    std::os::unix::fs::symlink("/dev/zero", &records).unwrap();
    is_refused(&words, "records.jsonl", "a device");
    fs::remove_file(&records).unwrap();
    let socket = std::os::unix::net::UnixListener::bind(&records).unwrap();
    is_refused(&words, "records.jsonl", "a socket");
    drop(socket);
    fs::remove_file(&records).unwrap();
    fs::create_dir(&records).unwrap();
    is_refused(&words, "records.jsonl", "a folder");
}

#[test]
fn a_pipe_in_the_place_of_a_drawn_problem_does_not_hang_gen() {
    let folder = Folder::new();
    let out = folder.path("problems");
    let words = ["gen", "rooms:20x16", "--agents", "3", "--seeds", "1", "--out", &out];
    succeeds(&words);
    for file in folder.files("problems") {
        let (file, before) = (file.to_str().unwrap(), fs::read(&file).unwrap());
        fs::remove_file(file).unwrap();
        make_pipe(file);
        is_refused(&words, file, "a pipe");
        fs::remove_file(file).unwrap();
        fs::write(file, before).unwrap();
    }
}

#[test]
fn records_that_are_named_on_the_command_line_may_be_a_pipe() {
    let (folder, _, out) = swept();
    let pipe = folder.path("some.jsonl");
    make_pipe(&pipe);
    let text = fs::read(format!("{out}/records.jsonl")).unwrap();
    let writer = thread::spawn({
        let pipe = pipe.clone();
        move || fs::write(pipe, text).unwrap()
    });
    let output = ends(&["export", &pipe, "--out", "-", "--format", "csv"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    writer.join().unwrap();
}

#[cfg(feature = "select")]
#[test]
fn a_pipe_beside_a_model_does_not_hang_a_training() {
    let (folder, _, out) = swept();
    let model = folder.path("my.safetensors");
    for name in ["my.training", "my.curves.csv", "my.curves.svg"] {
        make_pipe(&folder.path(name));
        is_refused(&["train", "--results", &out, "--out", &model], name, "a pipe");
        fs::remove_file(folder.path(name)).unwrap();
    }
    make_pipe(&format!("{out}/records-1-of-2.jsonl"));
    is_refused(&["train", "--results", &out, "--out", &model], "records-1-of-2.jsonl", "a pipe");
}
