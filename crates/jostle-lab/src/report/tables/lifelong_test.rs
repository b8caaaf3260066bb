use std::collections::HashSet;

use super::super::{Options, Report, Results};
use crate::record::testing::no_arrivals;
use crate::table::Format;
use crate::{GoalPlaces, LifelongRun, Record};

fn run(planner: &str, map: &str, agents: u32, goals: u64, places: GoalPlaces) -> Record {
    let lifelong = LifelongRun {
        places,
        list: None,
        goals,
        throughput: goals as f64 / 100.0,
        service_ticks: Some(40.0),
        service_p95_ticks: Some(90),
    };
    let record = no_arrivals(planner, map);
    let fingerprint = format!("{planner} {agents} {goals}");
    Record { agents, fingerprint, ticks: 100, lifelong: Some(Box::new(lifelong)), ..record }
}

fn report() -> Report {
    let anywhere = GoalPlaces::Anywhere;
    Report::of(
        &Results::of(vec![
            run("jostle", "a", 10, 150, anywhere),
            run("pibt", "a", 10, 100, anywhere),
            run("jostle", "a", 20, 225, anywhere),
            run("pibt", "a", 20, 250, anywhere),
            run("jostle", "b", 10, 300, anywhere),
            run("jostle", "a", 10, 77, GoalPlaces::Stations),
            no_arrivals("jostle", "a"),
        ]),
        &Options::default(),
    )
}

/// A table without the spaces that align its columns.
fn unaligned(table: &str) -> String {
    table.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn throughput_is_compared_by_map_and_number_of_agents() {
    let report = report();
    let titles: Vec<&str> = report.chapters.iter().map(|chapter| &*chapter.title).collect();
    assert_eq!(
        titles,
        [
            "Runs of at most 30 s, 8 neighbours",
            "Lifelong runs, goals anywhere, at most 30 s, 8 neighbours",
            "Lifelong runs, goals at shelves and stations in turn, at most 30 s, 8 neighbours",
            "All limits"
        ]
    );
    let lifelong = &report.chapters[1];
    let table = unaligned(&lifelong.tables[0].write(Format::Markdown));
    for line in [
        "| a, 10 agents | **1.50** | 1.00 |",
        "| a, 20 agents | 2.25 | **2.50** |",
        "| b, 10 agents | 3.00 | – |",
    ] {
        assert!(table.contains(line), "{line} in\n{table}");
    }
    assert_eq!(lifelong.tables[0].name, "30s-lifelong-anywhere-throughput");
    let over_agents =
        lifelong.tables.iter().find(|table| table.name.ends_with("throughput-agents"));
    let over_agents = unaligned(&over_agents.unwrap().write(Format::Markdown));
    // With ten agents only map a, which pibt has run as well.
    assert!(over_agents.contains("| jostle | **1.50** | 2.25 |"), "{over_agents}");
    assert_eq!(report.chapters[2].tables.len(), 2, "one number of agents");
}

#[test]
fn the_figures_show_throughput_over_agents() {
    let report = report();
    let figures = &report.chapters[1].figures;
    let names: HashSet<&str> = figures.iter().map(|figure| &*figure.name).collect();
    for name in ["throughput", "throughput-maps", "service", "tick"] {
        assert!(names.contains(&*format!("30s-lifelong-anywhere-{name}")), "{names:?}");
    }
    let figure = figures.iter().find(|figure| figure.name.ends_with("throughput")).unwrap();
    assert!(figure.svg().unwrap().contains("Throughput over the number of agents"));
}
