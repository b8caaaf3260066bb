//! Every part of the command treats a planner of another crate like those of the engine.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn command(folder: &Path, words: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_external-planner");
    Command::new(program).current_dir(folder).args(words).output().unwrap()
}

fn succeeds(folder: &Path, words: &[&str]) -> String {
    let output = command(folder, words);
    let noted = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{words:?}: {noted}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn it_is_listed_with_its_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let all = succeeds(folder.path(), &["planners"]);
    assert!(all.contains("\npibt ") && all.contains("\ngreedy "), "{all}");
    let one = succeeds(folder.path(), &["planners", "greedy"]);
    assert!(one.contains("patience") && one.contains("--planner greedy:patience=8"), "{one}");
    let refused = command(folder.path(), &["run", "--planner", "greedily"]);
    let noted = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{noted}");
    assert!(noted.contains("pibt, ") && noted.contains(", greedy"), "{noted}");
}

#[test]
fn it_runs_beside_the_others_and_its_paths_are_legal() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["run", "arena:40x30", "--agents", "60", "--limit", "200steps", "--json"];
    let more = ["--planner", "greedy:patience=2,pibt", "--paths", "paths"];
    let records = succeeds(folder.path(), &[&words[..], &more].concat());
    let (greedy, pibt) = records.split_once('\n').unwrap();
    assert!(greedy.contains(r#""planner":"greedy:patience=2""#), "{greedy}");
    assert!(pibt.contains(r#""planner":"pibt""#), "{pibt}");
    assert!(!greedy.contains(r#""completion_rate":0.0"#), "some agent arrives: {greedy}");
    let words = ["check", "arena:40x30", "paths/greedy_patience=2.txt", "paths/pibt.txt"];
    assert_eq!(succeeds(folder.path(), &words).matches(": legal: 60 agents").count(), 2);
}

#[test]
fn it_is_swept_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let spec = "[[sweep]]\nmaps = [\"cave:40x30\"]\nagents = [10, 20]\nseeds = \"1-3\"\n\
        planners = [\"greedy\", \"greedy:patience=1\", \"bmaa\"]\nlimits = [\"60steps\"]\n";
    fs::write(folder.path().join("spec.toml"), spec).unwrap();
    let words = ["sweep", "spec.toml", "--out", "results"];
    assert!(succeeds(folder.path(), &words).contains("18 runs in results, 18 of them made now"));
    assert!(succeeds(folder.path(), &words).contains("0 of them made now"));
    let report = succeeds(folder.path(), &["report", "results", "--no-figures"]);
    assert!(report.contains("greedy:patience=1"), "{report}");
}
