//! Tables from few runs, with answers worked out by hand.

use std::sync::Arc;

use super::super::row::Row;
use super::super::section::Section;
use super::super::testing::row;
use super::text::published;
use super::{Format, Table, all};

/// The table of that name from the only section of these runs.
fn table(rows: &[Row], name: &str) -> Table {
    let sections = Section::all(rows);
    assert_eq!(sections.len(), 1);
    let tables = all(&sections[0]).into_iter().flatten();
    tables.into_iter().find(|table| table.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Why there is no table of that name.
fn why_not(rows: &[Row], name: &str) -> String {
    let reasons = all(&Section::all(rows)[0]).into_iter().filter_map(Result::err);
    reasons.into_iter().find(|reason| reason.starts_with(name)).unwrap()
}

/// Label and values of each line.
fn values(table: &Table) -> Vec<(String, Vec<String>)> {
    let value = |cell: &super::Cell| cell.value().unwrap_or_else(|| "–".to_owned());
    let lines = table.lines.iter();
    lines.map(|line| (line.label.clone(), line.cells.iter().map(value).collect())).collect()
}

/// The paper's number in a cell.
fn paper(table: &Table, line: usize, column: usize) -> String {
    published(&table.lines[line].cells[column].paper.unwrap())
}

fn shown(values: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    values.iter().map(|(label, texts)| ((*label).to_owned(), owned(texts))).collect()
}

#[test]
fn completion_rates_are_means_over_instances_of_any_size() {
    let rows = [
        Row { completion: 1.0, agents: 100, ..row("bmaa", "lak304d") },
        Row { completion: 0.2, agents: 400, ..row("bmaa", "lak304d") },
        Row { completion: 0.9, agents: 100, ..row("bmaa", "lak307d") },
        Row { completion: 0.5, agents: 100, ..row("far", "lak304d") },
    ];
    let table = table(&rows, "30s-completion-rate");
    assert_eq!(table.header, ["map", "bmaa", "far"]);
    let expected = shown(&[
        ("lak304d", &["60.0", "50.0"]),
        ("lak307d", &["90.0", "–"]),
        // (100 + 20 + 90) / 3, not the mean of 60 and 90.
        ("overall", &["70.0", "50.0"]),
    ]);
    assert_eq!(values(&table), expected);
    assert_eq!(paper(&table, 0, 0), "39");
    assert_eq!(table.lines[2].cells[0].paper, None, "these are not the ten maps of the paper");
    assert!(table.lines[0].cells[0].is_best && !table.lines[0].cells[1].is_best);
    assert!(!table.lines[1].cells[0].is_best, "one alone is not best");
    let uneven = "planners have from 1 to 3 runs, so compare them with care";
    assert!(table.notes.iter().any(|note| note == uneven), "{:?}", table.notes);
}

#[test]
fn an_agent_that_is_not_home_counts_as_the_limit() {
    // 8 of 10 arrive after 5 s on average, 2 count 30 s: 0.8 * 5 + 0.2 * 30 = 10.
    let arrived = Row { completion: 0.8, completion_seconds: Some(5.0), ..row("bmaa", "a") };
    let nobody = Row { seed: Some(2), ..row("bmaa", "a") };
    let all = Row { completion: 1.0, completion_seconds: Some(2.0), ..row("far", "a") };
    let times = table(&[arrived.clone(), nobody, all], "30s-completion-time");
    assert_eq!(values(&times), shown(&[("a", &["20.0", "2.00"])]));
    // The same in ticks where ticks are limited.
    let limit = Arc::from("100steps");
    let in_ticks = [Row { completion_ticks: Some(50.0), limit, ..arrived }];
    let times = table(&in_ticks, "100steps-completion-time");
    assert_eq!(values(&times), shown(&[("a", &["60.0"])]));
}

#[test]
fn times_and_distances_are_those_of_at_most_200_agents() {
    let few = Row { agents: 200, distance: 100.0, ..row("bmaa", "lak304d") };
    let many = Row { agents: 201, distance: 900.0, ..row("bmaa", "lak304d") };
    let distances = table(&[few, many.clone()], "30s-distance");
    assert_eq!(values(&distances), shown(&[("lak304d", &["100"])]));
    assert_eq!(paper(&distances, 0, 0), "1425");
    assert_eq!(why_not(&[many], "30s-distance"), "30s-distance: no run has 200 agents or fewer");
}

#[test]
fn the_paper_stands_only_beside_runs_like_its_own() {
    let random = row("bmaa", "lak304d");
    let swapped = Row { kind: Arc::from("swap-sides"), ..random.clone() };
    let beside = |rows: &[Row]| table(rows, "30s-completion-rate").lines[0].cells[0].paper;
    assert!(beside(std::slice::from_ref(&random)).is_some());
    assert!(beside(&[random.clone(), swapped]).is_none());
    let ticks = [Row { limit: Arc::from("9steps"), ..random }];
    assert!(table(&ticks, "9steps-completion-time").lines[0].cells[0].paper.is_none());
    assert!(table(&ticks, "9steps-distance").lines[0].cells[0].paper.is_some());
}

#[test]
fn values_that_read_the_same_are_equally_good() {
    let rows = [
        Row { completion: 0.9001, ..row("bmaa", "a") },
        Row { completion: 0.9, ..row("far", "a") },
        Row { completion: 0.8, ..row("whca", "a") },
    ];
    let best: Vec<bool> = table(&rows, "30s-completion-rate").lines[0]
        .cells
        .iter()
        .map(|cell| cell.is_best)
        .collect();
    assert_eq!(best, [true, true, false]);
}

#[test]
fn kinds_come_in_the_order_of_the_thesis_with_its_numbers() {
    let of = |kind: &str, home| Row { kind: Arc::from(kind), completion: home, ..row("far", "a") };
    let rows = [of("swap-sides", 0.5), of("random", 1.0)];
    let kinds = table(&rows, "30s-kinds");
    let expected =
        shown(&[("random", &["100.0"]), ("swap-sides", &["50.0"]), ("overall", &["75.0"])]);
    assert_eq!(values(&kinds), expected);
    assert_eq!(paper(&kinds, 1, 0), "48.5");
}

#[test]
fn the_best_choice_brings_most_agents_home_and_ties_go_to_the_shorter_way() {
    let run = |planner, seed, home, distance| Row {
        seed: Some(seed),
        completion: home,
        completion_seconds: Some(1.0),
        distance,
        ..row(planner, "a")
    };
    let rows = [
        // bmaa brings more home, although it walks further.
        run("bmaa", 1, 0.9, 50.0),
        run("far", 1, 0.5, 10.0),
        run("whca:window=8", 1, 0.6, 10.0),
        // A tie between far and whca: far walks less, bmaa is worst.
        run("bmaa", 2, 0.2, 5.0),
        run("far", 2, 1.0, 20.0),
        run("whca:window=8", 2, 1.0, 30.0),
        // Not run by all: does not count.
        run("bmaa", 3, 1.0, 1.0),
    ];
    let choice = table(&rows, "30s-selection-thesis");
    let expected = shown(&[
        ("best choice", &["95.0", "35.0", "2.45", "–"]),
        ("bmaa", &["55.0", "27.5", "14.0", "50.0"]),
        ("far", &["75.0", "15.0", "8.25", "50.0"]),
        ("whca:window=8", &["80.0", "20.0", "6.80", "0.0"]),
        // far for the first (0.5), bmaa for the second (0.2).
        ("worst choice", &["35.0", "7.50", "19.9", "–"]),
    ]);
    assert_eq!(values(&choice), expected);
    assert_eq!(choice.notes[0], "2 instances that every planner has run");
    assert_eq!(paper(&choice, 0, 0), "80.8 ±0.8");
    assert_eq!(paper(&choice, 4, 2), "19.7 ±0.2");
}

#[test]
fn a_tie_in_everything_goes_to_the_planner_that_comes_first() {
    let rows =
        [Row { completion: 1.0, ..row("far", "a") }, Row { completion: 1.0, ..row("bmaa", "a") }];
    let choice = table(&rows, "30s-selection");
    assert_eq!(
        values(&choice)[1],
        ("bmaa".to_owned(), ["100.0", "0.000", "0.000", "100.0"].map(str::to_owned).to_vec())
    );
    assert_eq!(choice.lines[0].cells[0].paper, None, "the thesis chose among others");
}

#[test]
fn silvers_figures_are_about_four_neighbours() {
    let run = |planner, agents, success, slowest| Row {
        neighbours: 4,
        limit: Arc::from("100steps"),
        agents,
        success,
        path_length: Some(30.0),
        path_over_shortest: Some(1.5),
        slowest_later_tick: slowest,
        ..row(planner, "a")
    };
    let rows = [
        run("lra", 50, 1.0, 1.0),
        run("lra", 100, 0.7, 2.0),
        Row { seed: Some(2), ..run("lra", 100, 0.9, 8.0) },
    ];
    let success = table(&rows, "100steps-4way-success-agents");
    assert_eq!(values(&success), shown(&[("lra", &["100.0", "80.0"])]));
    let papers: Vec<bool> =
        success.lines[0].cells.iter().map(|cell| cell.paper.is_some()).collect();
    assert_eq!(papers, [false, true], "Silver's text is about 100 agents");
    let slowest = table(&rows, "100steps-4way-slowest-tick-agents");
    assert_eq!(values(&slowest), shown(&[("lra", &["1.00", "8.00"])]), "the slowest of all");
    let lengths = table(&rows, "100steps-4way-path-length-agents");
    let expected = shown(&[("lra", &["30.0", "30.0"]), ("shortest path", &["20.0", "20.0"])]);
    assert_eq!(values(&lengths), expected);
    let eight = [row("lra", "a"), Row { agents: 20, ..row("lra", "a") }];
    assert!(why_not(&eight, "30s-silver").contains("4 neighbours"));
}

#[test]
fn a_table_reads_the_same_in_every_format() {
    let rows = [
        Row { completion: 1.0, ..row("bmaa", "lak304d") },
        Row { completion: 0.8, seed: Some(2), ..row("bmaa", "lak304d") },
        Row { completion: 0.9, seed: Some(3), ..row("bmaa", "lak304d") },
        Row { completion: 0.5, ..row("my_own", "lak304d") },
    ];
    let table = table(&rows, "30s-completion-rate");
    // The standard deviation is 10, so the interval is 4.303 * 10 / sqrt(3).
    assert!(
        table.write(Format::Text).contains("┆ 90.0* ±24.8 (39) ┆   50.0 │"),
        "{}",
        table.write(Format::Text)
    );
    assert!(table.write(Format::Markdown).contains("| **90.0** ±24.8 (39) |   50.0 |"));
    let latex = table.write(Format::Latex);
    assert!(latex.contains("map & bmaa & my\\_own \\\\"), "{latex}");
    assert!(latex.contains("lak304d & \\textbf{90.0} $\\pm$24.8 (39) & 50.0 \\\\"), "{latex}");
    assert!(latex.contains("\\label{tab:30s-completion-rate}"), "{latex}");
}
