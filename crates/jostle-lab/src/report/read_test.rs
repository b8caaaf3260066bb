//! Tests of which records a report reads.

use std::fs;

use jostle::Limits;

use super::read::{Filter, Results};
use crate::LabError;
use crate::record::testing::{OLD_LINE, line};

fn read(lines: &[String], filter: &Filter) -> Result<Results, LabError> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("records.jsonl"), lines.join("\n") + "\n").unwrap();
    Results::read(folder.path(), filter)
}

#[test]
fn runs_that_were_stopped_do_not_count() {
    let stopped = line(&[("all-home", "stopped")]);
    let other = line(&[("\"seed\":1", "\"seed\":2")]);
    let results = read(&[stopped.clone(), other], &Filter::default()).unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!(results.remarks, ["1 run was stopped by hand and does not count"]);
    let error = read(&[stopped], &Filter::default()).unwrap_err().to_string();
    assert!(error.ends_with("all runs were stopped by hand"), "{error}");
}

#[test]
fn notes_about_the_records_are_in_the_report() {
    let results = read(&[OLD_LINE.to_owned(), OLD_LINE.to_owned()], &Filter::default()).unwrap();
    assert_eq!(results.remarks, ["1 record was there twice and counts once"]);
}

#[test]
fn only_runs_that_match_the_filter_are_read() {
    let other = line(&[("\"bmaa\"", "\"far\""), ("\"agents\":10", "\"agents\":20")]);
    let lines = [OLD_LINE.to_owned(), other];
    let far = Filter { planners: vec!["far".to_owned()], ..Filter::default() };
    assert_eq!(read(&lines, &far).unwrap().records[0].contestant().text(), "far");
    let twenty = Filter { agents: vec![20], ..Filter::default() };
    assert_eq!(read(&lines, &twenty).unwrap().records[0].agents, 20);
    let nothing = Filter { limits: vec![Limits::ticks(7)], ..Filter::default() };
    let said = read(&lines, &nothing).unwrap_err().to_string();
    assert!(said.ends_with("none of the 2 runs matches the options"), "{said}");
}
