//! Differences on the same instances, worked out by hand.

use super::super::section::Section;
use super::super::stats::Weight;
use super::{Compared, Comparison, all};
use crate::Record;
use crate::record::testing::no_arrivals;
use crate::table::Format;

fn run(planner: &str, agents: u32, seed: u64, completion_rate: f64) -> Record {
    Record { agents, seed: Some(seed), completion_rate, ..no_arrivals(planner, "a") }
}

/// far is 10, 20 and 30 points above bmaa with 100 agents, and 10 below with 300.
fn records() -> Vec<Record> {
    vec![
        run("bmaa", 100, 1, 0.1),
        run("bmaa", 100, 2, 0.5),
        run("bmaa", 100, 3, 0.3),
        run("bmaa", 300, 1, 0.5),
        run("far", 100, 1, 0.2),
        run("far", 100, 2, 0.7),
        run("far", 100, 3, 0.6),
        run("far", 300, 1, 0.4),
        // bmaa has not run this one.
        run("far", 300, 2, 1.0),
    ]
}

fn table(records: &[Record], weight: Weight, name: &str) -> Comparison {
    let section = Section::all(records).remove(0).weighted(weight);
    let tables = all(&section, Some("bmaa")).into_iter().flatten();
    tables.into_iter().find(|table| table.name == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn differences_are_taken_instance_by_instance() {
    let table = table(&records(), Weight::Instances, "30s-completion-rate-difference");
    assert_eq!(table.header, ["map", "far"], "the planner itself has no difference");
    let cell = table.lines[0].cells[0];
    // (10 + 20 + 30 - 10) / 4.
    assert_eq!(cell.value().unwrap(), "+12.5");
    assert_eq!(cell.ours.unwrap().count, 4);
    assert!(table.title.contains("less that of bmaa on the same instances"), "{}", table.title);
}

#[test]
fn differences_with_few_and_with_many_agents_stand_apart_and_have_signs() {
    let table = table(&records(), Weight::Instances, "30s-completion-rate-difference-agents");
    let text = table.with_cells(Compared::cell).write(Format::Text);
    // Standard deviation 10, three runs: 4.303 * 10 / sqrt(3). The rates themselves spread more.
    assert!(text.contains("│ far     ┆ +20.0 ±24.8 ┆      −10.0 │"), "{text}");
}

#[test]
fn weighted_by_agents_the_large_crowds_decide() {
    let name = "30s-weighted-completion-rate-difference";
    let table = table(&records(), Weight::Agents, name);
    // (100 * 60 - 300 * 10) / 600.
    assert_eq!(table.lines[0].cells[0].value().unwrap(), "+5.0");
}

#[test]
fn there_is_no_table_without_shared_instances() {
    let records = [run("bmaa", 100, 1, 0.5), run("far", 100, 2, 0.5)];
    let section = Section::all(&records).remove(0);
    let reasons: Vec<String> =
        all(&section, Some("bmaa")).into_iter().filter_map(Result::err).collect();
    let expected =
        "30s-completion-rate-difference: no instance was run with bmaa and another planner";
    assert!(reasons.iter().any(|reason| reason == expected), "{reasons:?}");
}
