//! Tests of `jostle sweep` with walks, and of its results in exports and reports.

mod common;

use common::{Folder, is_refused};

const SPEC: &str = r#"
[[walks]]
maps = ["cave:24x24", "rooms:24x24"]
problems = 5
settings = 8
longest = 20
labels = { genre = "caves" }
"#;

#[test]
fn a_spec_with_both_sorts_of_tables_is_refused() {
    let folder = Folder::new();
    let sweep = "[[sweep]]\nmaps = [\"cave:24x24\"]\nagents = 3\nplanners = [\"lra\"]\n";
    let spec = folder.write("both.toml", &format!("{sweep}{SPEC}"));
    let words = ["sweep", &spec, "--out", &folder.path("out")];
    is_refused(&words, "both.toml: line 6: a spec has [[sweep]] or [[walks]], and not both");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_the_feature_it_says_how_to_get_it() {
    let folder = Folder::new();
    let spec = folder.write("spec.toml", SPEC);
    let how = "cargo install --path crates/jostle-cli --features parquet";
    is_refused(&["sweep", &spec, "--out", &folder.path("out")], how);
    is_refused(&["sweep", &spec, "--list-files"], how);
    folder.write("walks-a.parquet", "");
    is_refused(&["report", &folder.path("")], how);
    is_refused(&["export", &folder.path(""), "--out", &folder.path("a.csv")], how);
}

#[cfg(feature = "parquet")]
#[test]
fn walks_are_made_resumed_exported_and_reported() {
    use common::succeeds;
    let folder = Folder::new();
    let (spec, out) = (folder.write("spec.toml", SPEC), folder.path("out"));
    let said = succeeds(&["sweep", &spec, "--out", &out]);
    assert!(said.contains("80 runs in") && said.contains("80 of them made now"), "{said}");
    assert!(succeeds(&["sweep", &spec, "--out", &out]).contains(", 0 of them made now"));
    let csv = folder.path("walks.csv");
    assert!(succeeds(&["export", &out, "--out", &csv]).contains("80 walks in"));
    let text = std::fs::read_to_string(csv).unwrap();
    assert!(text.starts_with("map,label_genre,problem,start_x,"), "{text}");
    assert_eq!(text.lines().count(), 81);
    let report = succeeds(&["report", &out]);
    assert!(report.contains("The best of 8 settings, on 10 problems on 2 maps"), "{report}");
    is_refused(&["export", &out, "--out", &folder.path("walks.jsonl")], "exported as .csv");
    assert_eq!(succeeds(&["export", &out, "--out", "-"]), text);
    let parquet = ["export", &out, "--out", "-", "--format", "parquet"];
    is_refused(&parquet, "walks are exported as CSV");
    is_refused(&["report", &out, "--planner", "lrta"], "--planner has no effect here");
    let runs = "[[sweep]]\nmaps = [\"cave:24x24\"]\nagents = 3\nplanners = [\"lra\"]\n";
    let runs = folder.write("runs.toml", runs);
    is_refused(&["sweep", &runs, "--out", &out], "this folder belongs to another spec");
    is_refused(&["sweep", &runs, "--out", &out, "--extend"], "this folder holds walks");
}
