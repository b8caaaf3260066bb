//! Every part of the command treats a planner and a solver of another crate like those of the engine.

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

/// What the command says when it refuses a request.
fn refuses(folder: &Path, words: &[&str]) -> String {
    let output = command(folder, words);
    let noted = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words:?}: {noted}");
    noted
}

#[test]
fn it_is_listed_with_its_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let all = succeeds(folder.path(), &["planners"]);
    assert!(all.contains("\npibt ") && all.contains("\ngreedy "), "{all}");
    let one = succeeds(folder.path(), &["planners", "greedy"]);
    assert!(one.contains("patience") && one.contains("--planner greedy:patience=8"), "{one}");
    let refused = refuses(folder.path(), &["run", "--planner", "teleport"]);
    assert!(refused.contains("pibt, ") && refused.contains(", greedy"), "{refused}");
    let meant = refuses(folder.path(), &["run", "--planner", "greedily"]);
    assert!(meant.contains("did you mean 'greedy'?"), "{meant}");
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

#[test]
fn a_solver_is_listed_with_its_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let all = succeeds(folder.path(), &["solvers"]);
    assert!(all.contains("cbs ") && all.contains("\nprioritised "), "{all}");
    let one = succeeds(folder.path(), &["solvers", "prioritised"]);
    assert!(one.contains("--solver prioritised:orders=16"), "{one}");
    let refused = refuses(folder.path(), &["solve", "--solver", "teleport"]);
    assert!(refused.contains("cbs, ") && refused.contains(", prioritised"), "{refused}");
    let meant = refuses(folder.path(), &["solve", "--solver", "prior"]);
    assert!(meant.contains("did you mean 'prioritised'?"), "{meant}");
}

/// The value of a field in a line of JSON that holds a whole number there.
fn number(line: &str, field: &str) -> u64 {
    let (_, rest) = line.split_once(&format!("\"{field}\":")).unwrap_or_else(|| panic!("{line}"));
    rest.split([',', '}']).next().unwrap().parse().unwrap_or_else(|_| panic!("{field} of {line}"))
}

#[test]
fn a_solver_finds_plans_that_are_legal_and_not_below_the_optimum() {
    let folder = tempfile::tempdir().unwrap();
    for neighbours in ["4", "8"] {
        let words = ["solve", "scatter:24x24", "--agents", "20", "--neighbours", neighbours];
        let more = ["--solver", "prioritised,cbs", "--json", "--paths", neighbours];
        let rows = succeeds(folder.path(), &[&words[..], &more].concat());
        let (ours, optimal) = rows.split_once('\n').unwrap();
        assert!(ours.contains(r#""solver":"prioritised""#), "{ours}");
        assert!(ours.contains(r#""proof":"found""#), "{ours}");
        assert!(optimal.contains(r#""proof":"optimal""#), "{optimal}");
        assert!(number(ours, "cost") >= number(optimal, "cost"), "{rows}");
        let file = format!("{neighbours}/prioritised.txt");
        let words = ["check", "scatter:24x24", &file, "--neighbours", neighbours];
        let said = succeeds(folder.path(), &words);
        assert!(said.contains(": legal: 20 agents"), "{said}");
    }
}

#[test]
fn more_orders_never_make_a_plan_worse() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["solve", "rooms:24x20", "--agents", "12", "--json"];
    let rows = succeeds(
        folder.path(),
        &[&words[..], &["--solver", "prioritised:orders=2,prioritised:orders=12"]].concat(),
    );
    let (few, many) = rows.split_once('\n').unwrap();
    assert!(number(many, "cost") <= number(few, "cost"), "{rows}");
}

#[test]
fn a_solver_is_swept_reported_and_followed_as_a_planner() {
    let folder = tempfile::tempdir().unwrap();
    let spec = "[[sweep]]\nmaps = [\"cave:40x30\"]\nagents = [5, 10]\nseeds = \"1-3\"\n\
        planners = [\"prioritised\"]\nsolvers = [\"prioritised:orders=2\", \"eecbs\"]\n\
        limits = [\"2000000expansions\"]\n";
    fs::write(folder.path().join("spec.toml"), spec).unwrap();
    let words = ["sweep", "spec.toml", "--out", "results"];
    assert!(succeeds(folder.path(), &words).contains("18 runs in results, 18 of them made now"));
    let records = fs::read_to_string(folder.path().join("results/records.jsonl")).unwrap();
    assert!(records.contains(r#""planner":"prioritised""#), "{records}");
    assert!(records.contains(r#""name":"prioritised:orders=2","proof":"found""#), "{records}");
    let report = succeeds(folder.path(), &["report", "results"]);
    assert!(report.contains("prioritised:orders=2"), "{report}");
}
