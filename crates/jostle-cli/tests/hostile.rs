//! What files, file names and arguments hold is shown and never obeyed: no control character leaves the command
//! raw, and nothing is quoted at length.

mod common;

use std::process::Output;

use common::{Folder, MAP, jostle, stderr, stdout, succeeds};
use jostle::formats::is_hidden;

/// Clears the screen, writes a title, returns to the start of the line, and turns the text around.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;x\u{7}\r\u{9b}31m\u{202e}\u{200b}";

/// Nothing hidden but line breaks on either output.
fn is_clean(words: &[&str]) -> Output {
    let output = jostle(words);
    for text in [stdout(&output), stderr(&output)] {
        let hidden = text.chars().find(|&letter| letter != '\n' && is_hidden(letter));
        assert_eq!(hidden, None, "{words:?}: {text:?}");
        assert!(text.len() < 12_000, "{words:?}: {} bytes", text.len());
    }
    output
}

/// Exit code 2, and one clean sentence that holds this text.
fn is_refused_cleanly(words: &[&str], expected: &str) {
    let output = is_clean(words);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
    assert!(said.contains(expected), "{words:?}: {said}");
}

#[test]
fn escape_sequences_in_files_are_not_echoed() {
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    let shown = r"\u{1b}[2J\u{1b}]0;x\u{7}";
    for long in ["", &"x".repeat(1_000_000)] {
        let token = format!("{}{long}", HOSTILE.replace('\r', ""));
        let write = |name: &str, text: &str| folder.write(name, &text.replace("TOKEN", &token));
        let header = write("header.map", "TOKEN");
        is_refused_cleanly(&["run", &header], shown);
        let cell = write("cell.map", &MAP.replace("..@", &format!("{}.@", '\u{1b}')));
        is_refused_cleanly(&["run", &cell], r"unknown terrain '\u{1b}'");
        for rows in ["version TOKEN", "version 1\n0 a 4 3 0 0 TOKEN 0 3.0"] {
            let scen = write("a.scen", rows);
            is_refused_cleanly(&["run", &map, "--scen", &scen], shown);
        }
        for line in ["TOKEN wall (1,1)", "3 TOKEN (1,1)", "3 wall TOKEN"] {
            let script = write("a.script", line);
            is_refused_cleanly(&["run", &map, "--script", &script], shown);
        }
        for text in ["TOKEN", "starts=TOKEN", "foreign=TOKEN", "change=TOKEN"] {
            let paths = write("paths.txt", text);
            is_refused_cleanly(&["check", &map, &paths], shown);
        }
    }
}

#[test]
fn escape_sequences_in_specs_are_not_echoed() {
    let folder = Folder::new();
    let out = folder.path("out");
    let usual = "[[sweep]]\nmaps = ['cave']\nplanners = ['pibt']\nagents = 5\n";
    for long in ["", &"x".repeat(1_000_000)] {
        // TOML wants control characters escaped.
        let token = format!("\"{}{long}\"", r"\u001b[2J\u0007\u202e");
        for spec in [
            usual.replace("'cave'", &token),
            usual.replace("'pibt'", &token),
            format!("{usual}kinds = [{token}]"),
            format!("{usual}limits = [{token}]"),
            format!("{usual}seeds = {token}"),
            format!("{usual}corners = {token}"),
            format!("{usual}{token} = 1"),
        ] {
            let spec = folder.write("spec.toml", &spec);
            is_refused_cleanly(&["sweep", &spec, "--out", &out], r"\u{1b}[2J\u{7}\u{202e}");
        }
        let raw = folder.write("raw.toml", &format!("{usual}seeds = \"{HOSTILE}{long}\""));
        is_refused_cleanly(&["sweep", &raw, "--out", &out], "raw.toml: line 5");
    }
}

#[test]
fn escape_sequences_in_arguments_are_not_echoed() {
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    for long in ["", &"x".repeat(100_000)] {
        let word = &format!("{HOSTILE}{long}");
        let shown = r"\u{1b}[2J\u{1b}]0;x\u{7}\r";
        for words in [
            &["run", word][..],
            &["run", &format!("cave:{word}")],
            &["run", &map, "--planner", word],
            &["run", &map, "--planner", &format!("bmaa:{word}")],
            &["run", &map, "--planner", &format!("bmaa:{word}=1")],
            &["run", &map, "--planner", &format!("bmaa:expansions={word}")],
            &["run", &map, "--kind", word],
            &["run", &map, "--limit", word],
            &["run", &map, "--agents", word],
            &["run", &map, "--neighbours", word],
            &["run", &map, "--experiment", word],
            &["run", &map, "--scen", word],
            &["run", "cave", "--planner", "pibt", "--paths", &format!("{word}/x")],
            &["run", &map, &format!("--{word}")],
            &[word],
            &["planners", word],
            &["check", &map, word],
            &["maps", &map, "--image", word],
            &["gen", &map, "--agents", "2", "--out", &format!("{map}/{word}")],
            &["sweep", word, "--out", &folder.path("out")],
            &["sweep", &map, "--out", &folder.path("out"), "--shard", word],
            &["sweep", &map, "--out", &folder.path("out"), "--threads", word],
            &["report", word],
            &["export", word, "--out", "x.csv"],
        ] {
            is_refused_cleanly(words, shown);
        }
    }
}

#[test]
fn a_hostile_file_name_is_shown_in_tables_headings_notes_and_json() {
    let folder = Folder::new();
    let map = folder.write(&format!("a{HOSTILE}|<b>`.map"), MAP);
    let script = folder
        .write(&format!("s{HOSTILE}.script"), "0 add 9 (0,0) to (1,0)\n0 add 8 (0,0) to (2,0)\n");
    let run = [
        "run",
        &map,
        "--planner",
        "pibt",
        "--agents",
        "3",
        "--limit",
        "9steps",
        "--script",
        &script,
    ];
    let with = |more: &[&str]| {
        let output = is_clean(&[&run[..], more].concat());
        let notes = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{notes}");
        assert!(notes.contains(": line 2: left out at tick 0 (pibt): "), "{notes}");
        stdout(&output)
    };
    assert!(
        with(&[])
            .starts_with(r"a\u{1b}[2J\u{1b}]0;x\u{7}\r\u{9b}31m\u{202e}\u{200b}|<b>` · 4x3 cells")
    );
    let markdown = with(&["--markdown", "--seeds", "1-2"]);
    assert!(markdown.contains(r"### a\\u{1b}\[2J"), "{markdown}");
    assert!(markdown.contains(r"\|&lt;b>\` "), "{markdown}");
    let json: serde_json::Value = serde_json::from_str(&with(&["--json"])).unwrap();
    assert_eq!(json["map"], format!("a{HOSTILE}|<b>`"));
    is_clean(&["maps", &map]);
    is_clean(&["maps", &map, "--out", &folder.path(&format!("b{HOSTILE}.map"))]);
    is_clean(&["gen", &map, "--agents", "2", "--out", &folder.path(&format!("gen{HOSTILE}"))]);
}

#[test]
fn a_report_of_hostile_records_shows_their_names() {
    let folder = Folder::new();
    let map = folder.write(&format!("<img src=x onerror=alert(1)>|[x](y){HOSTILE}.map"), MAP);
    let run =
        ["run", &map, "--planner", "pibt,bmaa", "--agents", "2,3", "--limit", "9steps", "--json"];
    folder.write("records.jsonl", &succeeds(&run));
    let out = folder.path("report");
    is_clean(&["report", &folder.path(""), "--out", &out]);
    is_clean(&["report", &folder.path(""), "--out", &out, "--format", "markdown"]);
    is_clean(&["report", &folder.path(""), "--out", &out, "--format", "latex"]);
    is_clean(&["export", &folder.path(""), "--out", &folder.path("all.csv")]);
    let page = std::fs::read_to_string(folder.path("report/report.md")).unwrap();
    assert!(page.contains(r"| &lt;img src=x onerror=alert(1)>\|\[x\](y)\\u{1b}"), "{page}");
    assert!(!page.contains("<img"), "{page}");
}
