//! Records as they are found: whole, torn, twice, and wrong.

use std::fs;
use std::path::Path;

use super::read::{Filter, Results};
use crate::LabError;

const LINE: &str = r#"{"planner":"bmaa","map":"m","agents":10,"seed":1,"kind":"random","neighbours":8,
"limit":"30s","ticks":9,"seconds":0.1,"ending":"all-home","completion_rate":1.0,"completion_ticks":5.0,
"completion_seconds":0.5,"travel_distance":7.5,"makespan":9,"sum_of_costs":50,"expansions":1,"searches":1,
"tick_p99_us":1500.0,"tick_max_us":1.0,"first_tick_us":1.0,"later_tick_max_us":1.0,"success_rate":1.0,
"path_length":5.0,"path_over_shortest":null,"cycles":0.0,"planner_bytes":0,"fingerprint":"f","version":"0.1.0"}"#;

/// A record, with some of its text replaced.
fn line(changes: &[(&str, &str)]) -> String {
    let line = LINE.replace('\n', "");
    changes.iter().fold(line, |line, (from, to)| {
        assert!(line.contains(from), "{from}");
        line.replace(from, to)
    })
}

fn read(files: &[(&str, String)]) -> Result<Results, LabError> {
    read_some(files, &Filter::default())
}

fn read_some(files: &[(&str, String)], filter: &Filter) -> Result<Results, LabError> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    Results::read(folder.path(), filter)
}

fn error(files: &[(&str, String)]) -> String {
    read(files).unwrap_err().to_string()
}

#[test]
fn all_record_files_of_a_folder_are_read() {
    let other = line(&[("\"seed\":1", "\"seed\":2")]);
    let results = read(&[
        ("records.jsonl", line(&[]) + "\n"),
        ("records-2of2.jsonl", other + "\n\n"),
        ("notes.jsonl", "not a record\n".to_owned()),
    ]);
    let results = results.unwrap();
    assert_eq!(results.len(), 2);
    assert!((results.rows[0].tick_p99 - 1.5).abs() < 1e-9, "in milliseconds");
    assert!(results.remarks.is_empty(), "{:?}", results.remarks);
}

#[test]
fn a_run_that_was_written_twice_counts_once() {
    let keyed = |key: &str, seed: &str| {
        let start = format!("{{\"key\":\"{key}\",\"machine\":{{\"cores\":2}},\"planner\"");
        line(&[("{\"planner\"", &start), ("\"seed\":1", seed)]) + "\n"
    };
    let (a, b) = (keyed("a", "\"seed\":1"), keyed("b", "\"seed\":2"));
    let results = read(&[("records.jsonl", format!("{a}{b}{a}"))]).unwrap();
    assert_eq!(results.len(), 2);
    assert_eq!(results.remarks, ["1 records were there twice"]);
    // Without keys, runs are the same if everybody stood on the same cells.
    let other_run = line(&[("\"fingerprint\":\"f\"", "\"fingerprint\":\"g\"")]);
    let text = format!("{0}\n{other_run}\n{0}\n", line(&[]));
    assert_eq!(read(&[("records.jsonl", text)]).unwrap().len(), 2);
}

#[test]
fn a_torn_last_line_is_left_out_and_said() {
    let whole = line(&[]);
    let text = format!("{whole}\n{}", &whole[..200]);
    let results = read(&[("records.jsonl", text)]).unwrap();
    assert_eq!(results.len(), 1);
    assert!(results.remarks[0].starts_with("records.jsonl: the last line is torn"));
    // A last line that is whole but for its end counts.
    assert_eq!(read(&[("records.jsonl", whole)]).unwrap().len(), 1);
}

#[test]
fn a_line_that_is_no_record_is_refused_with_its_place() {
    let after = |wrong: String| error(&[("records.jsonl", format!("{}\n{wrong}\n", line(&[])))]);
    for (wrong, reason) in [
        ("garbage".to_owned(), "line 2: not a record: expected value (column 1)"),
        (line(&[("\"agents\":10", "\"agents\":-1")]), "line 2: not a record: invalid value"),
        (line(&[("\"agents\":10", "\"agents\":0")]), "line 2: a run needs at least one agent"),
        (line(&[("\"completion_rate\":1.0", "\"completion_rate\":1.5")]), "line 2: a share of"),
        (line(&[("\"30s\"", "\"soon\"")]), "line 2: 'soon' is not a limit"),
        (line(&[("\"map\":\"m\",", "")]), "line 2: not a record: missing field `map`"),
    ] {
        let said = after(wrong);
        assert!(said.contains("records.jsonl: ") && said.contains(reason), "{said}");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("records.jsonl"), b"\xff\xfe\n").unwrap();
    let said = Results::read(folder.path(), &Filter::default()).unwrap_err().to_string();
    assert!(said.contains("line 1: not a record"), "{said}");
}

#[test]
fn a_folder_without_runs_is_refused() {
    assert!(error(&[("other.txt", String::new())]).contains("there are no records*.jsonl"));
    assert!(error(&[("records.jsonl", String::new())]).contains("the records are empty"));
    let stopped = line(&[("all-home", "stopped")]);
    assert!(error(&[("records.jsonl", stopped)]).contains("all runs were stopped by hand"));
    let said = Results::read(Path::new("/no/such/folder"), &Filter::default()).unwrap_err();
    assert_eq!(said.to_string(), "/no/such/folder: there is no such folder");
}

#[test]
fn only_what_is_asked_for_is_read() {
    let other = line(&[("\"bmaa\"", "\"far\""), ("\"agents\":10", "\"agents\":20")]);
    let files = [("records.jsonl", format!("{}\n{other}\n", line(&[])))];
    let far = Filter { planners: vec!["far".to_owned()], ..Filter::default() };
    assert_eq!(&*read_some(&files, &far).unwrap().rows[0].planner, "far");
    let twenty = Filter { agents: vec![20], ..Filter::default() };
    assert_eq!(read_some(&files, &twenty).unwrap().rows[0].agents, 20);
    let nothing = Filter { limits: vec!["1s".to_owned()], ..Filter::default() };
    let said = read_some(&files, &nothing).unwrap_err().to_string();
    assert!(said.ends_with("none of the 2 runs is of what was asked for"), "{said}");
}
