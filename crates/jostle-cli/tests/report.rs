//! Tests of `jostle report` and of pictures of maps.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

fn jostle(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jostle")).args(words).output().unwrap()
}

fn succeeds(words: &[&str]) -> (String, String) {
    let output = jostle(words);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{words:?}: {said}");
    (String::from_utf8(output.stdout).unwrap(), said)
}

/// One sentence on standard error, exit code 2, nothing on standard output, no panic.
fn is_refused(words: &[&str], expected: &str) {
    let output = jostle(words);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
    assert!(said.contains(expected), "{words:?}: {said}");
    assert!(!said.contains("panicked") && output.stdout.is_empty(), "{words:?}: {said}");
}

/// A folder with the records of a few runs.
fn records() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, more: &[&str]| {
        let words = ["run", "rooms:40x30", "cave:40x30", "--seed", "1,2", "--json"];
        let (lines, _) = succeeds(&[&words, more].concat());
        fs::write(folder.path().join(name), lines).unwrap();
    };
    let planners = ["--planner", "bmaa,far,whca:window=8"];
    run("records-1.jsonl", &[&planners[..], &["--agents", "5,9", "--limit", "60steps"]].concat());
    run("records-2.jsonl", &[&planners[..], &["--agents", "5,9", "--limit", "20steps"]].concat());
    run("records-3.jsonl", &["--planner", "lra", "--agents", "5,9", "--experiment", "silver"]);
    folder
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn records_become_tables_and_figures() {
    let folder = records();
    let (tables, said) = succeeds(&["report", &folder.path().to_string_lossy()]);
    for expected in ["Table I of the BMAA* paper", "Table 5.1", "Silver's Figure 3", "│ overall"]
    {
        assert!(tables.contains(expected), "{expected}: {tables}");
    }
    assert!(said.contains("left out table 60steps-kinds: all runs are of one kind"), "{said}");
    let report = folder.path().join("report");
    let page = text(&report.join("report.md"));
    let mut pictures = 0;
    for link in page.split("](figures/").skip(1).filter_map(|rest| rest.split(')').next()) {
        let svg = report.join("figures").join(link);
        assert!(text(&svg).contains("</svg>"));
        assert!(fs::read(svg.with_extension("png")).unwrap().starts_with(b"\x89PNG"));
        pictures += 1;
    }
    assert_eq!(pictures, 17, "five and five of eight neighbours, six of Silver's, one of limits");
    let stem = report.join("tables/60steps-completion-rate");
    assert!(text(&stem.with_extension("md")).contains("| map "));
    assert!(text(&stem.with_extension("txt")).contains("│ map "));
    assert!(text(&stem.with_extension("tex")).contains("\\toprule"));
}

#[test]
fn a_report_of_the_same_records_is_the_same_report() {
    let folder = records();
    let path = folder.path().to_string_lossy().into_owned();
    let out = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    succeeds(&["report", &path, "--out", &out("a")]);
    // Sweeps write records in any order.
    let records = folder.path().join("records-1.jsonl");
    let mut lines: Vec<String> = text(&records).lines().map(str::to_owned).collect();
    lines.reverse();
    fs::write(&records, lines.join("\n")).unwrap();
    succeeds(&["report", &path, "--out", &out("b")]);
    for name in ["report.md", "figures/60steps-distance.svg", "tables/60steps-selection.tex"] {
        assert_eq!(
            text(&folder.path().join("a").join(name)),
            text(&folder.path().join("b").join(name))
        );
    }
}

#[test]
fn a_report_can_be_restricted_to_some_runs_in_another_format_without_figures() {
    let folder = records();
    let path = folder.path().to_string_lossy().into_owned();
    let words =
        ["--format", "latex", "--no-figures", "--limit", "60steps", "--planner", "far,bmaa"];
    let (tables, _) = succeeds(&[&["report", &path][..], &words].concat());
    assert!(tables.contains("\\begin{tabular}") && tables.contains("map & bmaa & far \\\\"));
    assert!(!tables.contains("whca") && !tables.contains("20 ticks"), "{tables}");
    assert_eq!(fs::read_dir(folder.path().join("report/figures")).unwrap().count(), 0);
}

#[test]
fn wrong_requests_for_reports_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    is_refused(&["report", &path("nowhere")], "there is no such folder or file");
    is_refused(&["report", &path("")], "there are no records*.jsonl in this folder");
    fs::write(path("records.jsonl"), "{\"planner\":\"bmaa\"}\n").unwrap();
    is_refused(
        &["report", &path("")],
        "records.jsonl: line 1: the record is damaged: missing field `map`",
    );
    let whole = records();
    let records = whole.path().to_string_lossy().into_owned();
    is_refused(&["report", &records, "--format", "word"], "invalid value 'word'");
    is_refused(&["report", &records, "--limit", "soon"], "'soon' is not a limit");
    is_refused(
        &["report", &records, "--kind", "funny"],
        "--kind: no run is of 'funny': there are ",
    );
    is_refused(
        &["report", &records, "--agents", "9999"],
        "none of the 56 runs matches the options",
    );
    fs::write(path("file"), "").unwrap();
    is_refused(&["report", &records, "--out", &path("file")], "cannot be created");
    assert_eq!(text(Path::new(&path("file"))), "", "and is not touched");
}

#[test]
fn the_json_of_a_run_is_reported_and_exported_from_a_folder_or_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let words = ["run", "rooms:40x30", "--seed", "1,2", "--planner", "bmaa,far", "--json"];
    let (lines, _) = succeeds(&words);
    fs::write(path("records.jsonl"), &lines).unwrap();
    fs::write(path("mine.jsonl"), &lines).unwrap();
    succeeds(&["report", &path(""), "--no-figures"]);
    let (_, said) = succeeds(&["report", &path("mine.jsonl"), "--no-figures"]);
    assert!(said.contains("mine-report"), "{said}");
    assert_eq!(
        text(Path::new(&path("report/report.md"))),
        text(Path::new(&path("mine-report/report.md")))
    );
    for (from, to) in [("", "folder.csv"), ("mine.jsonl", "file.csv"), ("", "all.jsonl")] {
        let (said, _) = succeeds(&["export", &path(from), "--out", &path(to)]);
        assert!(said.starts_with("4 records in "), "{said}");
    }
    let csv = text(Path::new(&path("folder.csv")));
    assert!(csv.starts_with("key,spec,experiment,machine_os,"), "{csv}");
    assert_eq!((csv.lines().count(), csv == text(Path::new(&path("file.csv")))), (5, true));
    let mut before: Vec<&str> = lines.lines().collect();
    let after = text(Path::new(&path("all.jsonl")));
    let mut after: Vec<&str> = after.lines().collect();
    before.sort_unstable();
    after.sort_unstable();
    assert_eq!(before, after, "JSON lines are as they were");
}

#[test]
fn a_damaged_line_is_refused_in_the_same_words_by_reports_and_exports() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (line, _) = succeeds(&["run", "rooms:40x30", "--planner", "bmaa", "--json"]);
    fs::write(path("records.jsonl"), format!("{line}\nwhat?\n{line}")).unwrap();
    let expected = "records.jsonl: line 3: the record is damaged: it is not JSON (column 1)";
    is_refused(&["report", &path("")], expected);
    is_refused(&["export", &path(""), "--out", &path("out.csv")], expected);
}

#[test]
fn runs_under_other_rules_get_a_chapter_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let runs = [&["--forbid-crossing"][..], &["--corners", "one"], &[]];
    let lines = runs.map(|rules| {
        let words = ["run", "arena:30x30", "--planner", "bmaa", "--limit", "9steps", "--json"];
        succeeds(&[&words[..], rules].concat()).0
    });
    fs::write(folder.path().join("records.jsonl"), lines.concat()).unwrap();
    let path = folder.path().to_string_lossy().into_owned();
    let (tables, _) = succeeds(&["report", &path, "--no-figures"]);
    for rules in ["", ", crossing forbidden", ", one free corner is enough"] {
        let title = format!("\nRuns of at most 9 ticks, 8 neighbours{rules}\n");
        assert_eq!(tables.matches(&title).count(), 1, "{tables}");
    }
}

#[test]
fn a_map_is_drawn_with_its_agents() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let words = ["maps", "cave:40x30", "--agents", "12", "--kind", "swap-sides", "--seed", "3"];
    let (said, _) = succeeds(&[&words[..], &["--image", &path("cave.svg")]].concat());
    assert!(said.contains("12 agents · swap-sides, seed 3: drawn to"), "{said}");
    assert!(text(Path::new(&path("cave.svg"))).contains("swap-sides, seed 3"));
    succeeds(&["maps", "cave:40x30", "--image", &path("cave.png")]);
    assert!(fs::read(path("cave.png")).unwrap().starts_with(b"\x89PNG"));
    is_refused(&["maps", "cave", "--image", &path("cave.gif")], "a .png or an .svg file");
    is_refused(&["maps", "cave", "--image", &path("no/cave.png")], "does not exist");
    is_refused(
        &["maps", "cave:20x20", "--image", &path("full.png"), "--agents", "5000"],
        "5000 agents do not fit",
    );
    assert!(!Path::new(&path("full.png")).exists());
}
