//! Tables from few runs, with answers worked out by hand.

use super::super::section::Section;
use super::super::stats::Weight;
use super::comparison::published;
use super::{Compared, Comparison, all};
use crate::record::testing::no_arrivals;
use crate::table::Format;
use crate::{ProblemKind, Record, Seconds, parse_limits};
use jostle::instance::Kind;
use jostle::simulate::Ending;

#[test]
fn runs_whose_changes_were_announced_are_not_compared_with_others() {
    let of = |announced: bool| {
        let (script, announced) = (Some("f".to_owned()), Some(announced));
        Record { script, announced, ..no_arrivals("di-cbs", "a") }
    };
    let records = [of(true), of(false), no_arrivals("di-cbs", "a")];
    let sections = Section::all(&records);
    let counts: Vec<(String, usize)> =
        sections.iter().map(|section| (section.slug(), section.records.len())).collect();
    assert_eq!(counts, [("30s".to_owned(), 2), ("30s-announced".to_owned(), 1)]);
    assert_eq!(sections[1].title(), "at most 30 s, 8 neighbours, changes announced");
}

/// The table of that name from the only section of these runs.
fn table(records: &[Record], name: &str) -> Comparison {
    let sections = Section::all(records);
    assert_eq!(sections.len(), 1);
    let tables = all(&sections[0], None).into_iter().flatten();
    tables.into_iter().find(|table| table.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Why there is no table of that name.
fn why_not(records: &[Record], name: &str) -> String {
    let reasons = all(&Section::all(records)[0], None).into_iter().filter_map(Result::err);
    reasons.into_iter().find(|reason| reason.starts_with(name)).unwrap()
}

/// Label and values of each line.
fn values(table: &Comparison) -> Vec<(String, Vec<String>)> {
    let value = |cell: &Compared| cell.value().unwrap_or_else(|| "–".to_owned());
    let lines = table.lines.iter();
    lines.map(|line| (line.label.clone(), line.cells.iter().map(value).collect())).collect()
}

/// The paper's number in a cell.
fn paper(table: &Comparison, line: usize, column: usize) -> String {
    published(&table.lines[line].cells[column].paper.unwrap())
}

fn shown(values: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    values.iter().map(|(label, texts)| ((*label).to_owned(), owned(texts))).collect()
}

#[test]
fn completion_rates_are_means_over_instances_of_any_size() {
    let run = |planner, map, agents, completion_rate| Record {
        agents,
        completion_rate,
        ..no_arrivals(planner, map)
    };
    let records = [
        run("bmaa", "lak304d", 100, 1.0),
        run("bmaa", "lak304d", 400, 0.2),
        run("bmaa", "lak307d", 100, 0.9),
        run("far", "lak304d", 100, 0.5),
        run("far", "lak304d", 400, 0.3),
        run("far", "lak307d", 100, 0.7),
    ];
    let table = table(&records, "30s-completion-rate");
    assert_eq!(table.header, ["map", "bmaa", "far"]);
    let expected = shown(&[
        ("lak304d", &["60.0", "40.0"]),
        ("lak307d", &["90.0", "70.0"]),
        // (100 + 20 + 90) / 3, not the mean of 60 and 90.
        ("overall", &["70.0", "50.0"]),
    ]);
    assert_eq!(values(&table), expected);
    assert_eq!(paper(&table, 0, 0), "39");
    assert_eq!(table.lines[2].cells[0].paper, None, "these are not the ten maps of the paper");
    assert!(table.lines[0].cells[0].is_best && !table.lines[0].cells[1].is_best);
}

#[test]
fn weighted_by_agents_large_crowds_count_more() {
    let run = |agents, completion_rate| Record {
        agents,
        completion_rate,
        ..no_arrivals("bmaa", "lak304d")
    };
    let records = [run(100, 1.0), run(400, 0.2)];
    let section = Section::all(&records).remove(0).weighted(Weight::Agents);
    let table = all(&section, None).into_iter().flatten().next().unwrap();
    assert_eq!(table.name, "30s-weighted-completion-rate");
    // (100 * 100 + 400 * 20) / 500.
    assert_eq!(values(&table), shown(&[("lak304d", &["36.0"])]));
    assert!(table.notes[0].starts_with("mean over instances, weighted by their numbers of agents"));
}

#[test]
fn planners_are_compared_on_the_instances_that_all_have_run() {
    let run = |planner, agents, seed, completion_rate| Record {
        agents,
        completion_rate,
        seed: Some(seed),
        ..no_arrivals(planner, "a")
    };
    // far has not run the large crowd, on which bmaa does badly.
    let records = [run("bmaa", 100, 1, 0.9), run("bmaa", 400, 1, 0.1), run("far", 100, 1, 0.8)];
    let rates = table(&records, "30s-completion-rate");
    assert_eq!(values(&rates), shown(&[("a", &["90.0", "80.0"])]));
    let note = "1 run is left out, because others have not run the same instances";
    assert!(rates.notes.iter().any(|one| one == note), "{:?}", rates.notes);
    // With 400 agents there is nobody to compare bmaa with, so nothing is left out.
    let by_agents = table(&records, "30s-completion-rate-agents");
    assert_eq!(values(&by_agents), shown(&[("bmaa", &["90.0", "10.0"]), ("far", &["80.0", "–"])]));
}

#[test]
fn an_agent_that_has_not_arrived_counts_as_the_limit() {
    // 8 of 10 arrive after 5 s on average, 2 count 30 s: 0.8 * 5 + 0.2 * 30 = 10.
    let arrived =
        Record { completion_rate: 0.8, completion_seconds: Some(5.0), ..no_arrivals("bmaa", "a") };
    let nobody = Record { seed: Some(2), ..no_arrivals("bmaa", "a") };
    let all =
        Record { completion_rate: 1.0, completion_seconds: Some(2.0), ..no_arrivals("far", "a") };
    let all_again = Record { seed: Some(2), ..all.clone() };
    let times = table(&[arrived.clone(), nobody, all, all_again], "30s-completion-time");
    assert_eq!(values(&times), shown(&[("a", &["20.0", "2.00"])]));
    // The same in ticks where ticks are limited.
    let limit = parse_limits("100steps").unwrap();
    let in_ticks = [Record { completion_ticks: Some(50.0), limit, ..arrived }];
    let times = table(&in_ticks, "100steps-completion-time");
    assert_eq!(values(&times), shown(&[("a", &["60.0"])]));
}

#[test]
fn times_and_distances_are_those_of_at_most_200_agents() {
    let few = Record { agents: 200, travel_distance: 100.0, ..no_arrivals("bmaa", "lak304d") };
    let many = Record { agents: 201, travel_distance: 900.0, ..no_arrivals("bmaa", "lak304d") };
    let distances = table(&[few, many.clone()], "30s-distance");
    assert_eq!(values(&distances), shown(&[("lak304d", &["100"])]));
    assert_eq!(paper(&distances, 0, 0), "1425");
    assert_eq!(why_not(&[many], "30s-distance"), "30s-distance: no run has 200 agents or fewer");
}

#[test]
fn the_papers_numbers_are_only_beside_runs_like_its_own() {
    let random = no_arrivals("bmaa", "lak304d");
    let swapped = Record { kind: Some(ProblemKind::Crowd(Kind::SwapSides)), ..random.clone() };
    let beside = |records: &[Record]| table(records, "30s-completion-rate").lines[0].cells[0].paper;
    assert!(beside(std::slice::from_ref(&random)).is_some());
    assert!(beside(&[random.clone(), swapped]).is_none());
    let ticks = [Record { limit: parse_limits("9steps").unwrap(), ..random }];
    assert!(table(&ticks, "9steps-completion-time").lines[0].cells[0].paper.is_none());
    assert!(table(&ticks, "9steps-distance").lines[0].cells[0].paper.is_some());
}

#[test]
fn values_that_read_the_same_are_equally_good() {
    let records = [
        Record { completion_rate: 0.9001, ..no_arrivals("bmaa", "a") },
        Record { completion_rate: 0.9, ..no_arrivals("far", "a") },
        Record { completion_rate: 0.8, ..no_arrivals("whca", "a") },
    ];
    let best: Vec<bool> = table(&records, "30s-completion-rate").lines[0]
        .cells
        .iter()
        .map(|cell| cell.is_best)
        .collect();
    assert_eq!(best, [true, true, false]);
}

#[test]
fn kinds_come_in_the_order_of_the_thesis_with_its_numbers() {
    let of = |kind, rate| Record {
        agents: 300,
        kind: Some(ProblemKind::Crowd(kind)),
        completion_rate: rate,
        ..no_arrivals("far", "a")
    };
    let records = [of(Kind::SwapSides, 0.5), of(Kind::Random, 1.0)];
    let kinds = table(&records, "30s-kinds");
    let expected =
        shown(&[("random", &["100.0"]), ("swap-sides", &["50.0"]), ("overall", &["75.0"])]);
    assert_eq!(values(&kinds), expected);
    assert_eq!(paper(&kinds, 1, 0), "48.5");
    let fewer = records.map(|record| Record { agents: 100, ..record });
    let kinds = table(&fewer, "30s-kinds");
    assert_eq!(kinds.lines[1].cells[0].paper, None, "the thesis has 300 agents");
}

#[test]
fn the_best_choice_has_most_arrivals_and_ties_go_to_the_shorter_distance() {
    let run = |planner, seed, rate, distance| Record {
        agents: 300,
        seed: Some(seed),
        completion_rate: rate,
        completion_seconds: Some(1.0),
        travel_distance: distance,
        ..no_arrivals(planner, "a")
    };
    let records = [
        // with bmaa more arrive, although it walks further.
        run("bmaa:push=true:push-rule=thesis", 1, 0.9, 50.0),
        run("far", 1, 0.5, 10.0),
        run("whca:window=8", 1, 0.6, 10.0),
        // A tie between far and whca: far walks less, bmaa is worst.
        run("bmaa:push=true:push-rule=thesis", 2, 0.2, 5.0),
        run("far", 2, 1.0, 20.0),
        run("whca:window=8", 2, 1.0, 30.0),
        // Not run by all: does not count.
        run("bmaa:push=true:push-rule=thesis", 3, 1.0, 1.0),
    ];
    let choice = table(&records, "30s-selection-thesis");
    let expected = shown(&[
        ("best choice", &["95.0", "35.0", "2.45", "–"]),
        ("bmaa:push=true:push-rule=thesis", &["55.0", "27.5", "14.0", "50.0"]),
        ("far", &["75.0", "15.0", "8.25", "50.0"]),
        ("whca:window=8", &["80.0", "20.0", "6.80", "0.0"]),
        // far for the first (0.5), bmaa for the second (0.2).
        ("worst choice", &["35.0", "7.50", "19.9", "–"]),
    ]);
    assert_eq!(values(&choice), expected);
    assert_eq!(choice.notes[0], "2 instances that every planner has run");
    assert_eq!(paper(&choice, 0, 0), "80.8 ±0.8");
    assert_eq!(paper(&choice, 4, 2), "19.7 ±0.2");
    // On the clock of expansions, 19.7 of 30 s are 65.7 % of the limit.
    let clock = |record: Record| Record {
        limit: parse_limits("1000expansions,9steps").unwrap(),
        completion_expansions: Some(100.0),
        ..record
    };
    let choice = table(&records.map(clock), "9steps-1000expansions-selection-thesis");
    assert_eq!(values(&choice)[0].1[2], "14.5", "95 % arrive after a tenth of the limit");
    assert_eq!(paper(&choice, 4, 2), "65.7 ±0.7");
}

#[test]
fn a_tie_in_everything_goes_to_the_planner_that_comes_first() {
    let records = [
        Record { completion_rate: 1.0, ..no_arrivals("far", "a") },
        Record { completion_rate: 1.0, ..no_arrivals("bmaa", "a") },
    ];
    let choice = table(&records, "30s-selection");
    assert_eq!(
        values(&choice)[1],
        ("bmaa".to_owned(), ["100.0", "0.000", "0.000", "100.0"].map(str::to_owned).to_vec())
    );
    assert_eq!(choice.lines[0].cells[0].paper, None, "the thesis chose among others");
}

#[test]
fn silvers_figures_are_about_four_neighbours() {
    let run = |planner, agents, success, slowest| Record {
        neighbours: 4,
        limit: parse_limits("100steps").unwrap(),
        agents,
        success_rate: success,
        path_length: Some(30.0),
        path_over_shortest: Some(1.5),
        later_tick_max_us: Some(slowest * 1000.0),
        ..no_arrivals(planner, "a")
    };
    let records = [
        run("lra", 50, 1.0, 1.0),
        run("lra", 100, 0.7, 2.0),
        Record { seed: Some(2), ..run("lra", 100, 0.9, 8.0) },
    ];
    let success = table(&records, "100steps-4way-success-agents");
    assert_eq!(values(&success), shown(&[("lra", &["100.0", "80.0"])]));
    let papers: Vec<bool> =
        success.lines[0].cells.iter().map(|cell| cell.paper.is_some()).collect();
    assert_eq!(papers, [false, true], "Silver's text is about 100 agents");
    let slowest = table(&records, "100steps-4way-slowest-tick-agents");
    assert_eq!(values(&slowest), shown(&[("lra", &["1.00", "8.00"])]), "the slowest of all");
    let lengths = table(&records, "100steps-4way-path-length-agents");
    let expected = shown(&[("lra", &["30.0", "30.0"]), ("shortest path", &["20.0", "20.0"])]);
    assert_eq!(values(&lengths), expected);
    let eight = [no_arrivals("lra", "a"), Record { agents: 20, ..no_arrivals("lra", "a") }];
    assert!(why_not(&eight, "30s-silver").contains("4 neighbours"));
}

#[test]
fn a_table_shows_values_intervals_and_papers() {
    let rates = [(1, 1.0), (2, 0.8), (3, 0.9)];
    let records = rates.map(|(seed, completion_rate)| Record {
        completion_rate,
        seed: Some(seed),
        ..no_arrivals("bmaa", "lak304d")
    });
    let other = [1, 2, 3].map(|seed| Record {
        completion_rate: 0.5,
        seed: Some(seed),
        ..no_arrivals("my_own", "lak304d")
    });
    let table = table(&[&records[..], &other[..]].concat(), "30s-completion-rate");
    let table = table.with_cells(Compared::cell);
    let text = table.write(Format::Text);
    // The standard error is 10 / sqrt(3), as that of 27 trials with a share of 0.9, and t = 4.303: Wilson's centre is 73.7, his half width 25.1.
    assert!(text.contains("┆ 90.0* +8.8 −41.4 (39) ┆ 50.0 ±0.0 │"), "{text}");
}

#[test]
fn runs_under_different_rules_are_not_compared() {
    let usual = no_arrivals("bmaa", "a");
    let records = [
        Record { neighbours: 4, ..usual.clone() },
        Record { corners: jostle::CornerRule::OneFree, ..usual.clone() },
        Record { crossing: jostle::Crossing::Forbidden, ..usual.clone() },
        usual,
    ];
    let sections = Section::all(&records);
    let titles: Vec<String> = sections.iter().map(Section::title).collect();
    let expected = [
        "at most 30 s, 8 neighbours",
        "at most 30 s, 8 neighbours, one free corner is enough",
        "at most 30 s, 8 neighbours, crossing forbidden",
        "at most 30 s, 4 neighbours",
    ];
    assert_eq!(titles, expected);
    let slugs: Vec<String> = sections.iter().map(Section::slug).collect();
    assert_eq!(slugs, ["30s", "30s-8way-corners-one", "30s-8way-no-crossing", "30s-4way"]);
}

#[test]
fn seconds_on_the_wall_are_not_compared_with_those_of_a_processor() {
    let wall = no_arrivals("bmaa", "a");
    let processor = Record { clock: Seconds::Processor, ..wall.clone() };
    let limit = parse_limits("9steps").unwrap();
    let in_ticks = [&wall, &processor].map(|record| Record { limit, ..record.clone() });
    let records = [wall, processor];
    let sections = Section::all(&records);
    let slugs: Vec<String> = sections.iter().map(Section::slug).collect();
    assert_eq!(slugs, ["30s", "30s-processor"]);
    assert_eq!(sections[1].title(), "at most 30 s, 8 neighbours, seconds of processor time");
    assert_eq!(Section::all(&in_ticks).len(), 1, "where ticks are limited it does not matter");
}

#[test]
fn runs_within_expansions_are_a_section_of_their_own() {
    // 8 of 10 arrive after 5 ticks on average, 2 count all 9 ticks of the run: 0.8 * 5 + 0.2 * 9 = 5.8.
    let limit = parse_limits("5000000expansions").unwrap();
    let run = Record {
        limit,
        completion_rate: 0.8,
        completion_ticks: Some(5.0),
        ticks: 9,
        ..no_arrivals("bmaa", "a")
    };
    let times = table(&[run], "5000000expansions-completion-time");
    assert_eq!(values(&times), shown(&[("a", &["5.80"])]));
    assert!(times.title.ends_with("at most 5,000,000 expansions, 8 neighbours"), "{}", times.title);
    let expected = "an agent that has not arrived counts as all ticks of its run";
    assert!(times.notes.iter().any(|note| note == expected), "{:?}", times.notes);
}

#[test]
fn within_expansions_times_of_arrival_are_also_shares_of_the_limit_beside_those_of_the_paper() {
    let limit = parse_limits("5000000expansions").unwrap();
    let run = Record {
        limit,
        completion_rate: 0.8,
        completion_expansions: Some(1_000_000.0),
        ..no_arrivals("bmaa", "lak304d")
    };
    // 0.8 * 20 % + 0.2 * 100 %.
    let shares = table(std::slice::from_ref(&run), "5000000expansions-completion-share");
    assert_eq!(values(&shares), shown(&[("lak304d", &["36.0"])]));
    // The paper's 6.7 s of 30 s.
    assert_eq!(paper(&shares, 0, 0), "22.3");
    let silent = Record { completion_expansions: None, ..run };
    let name = "5000000expansions-completion-share";
    assert!(why_not(&[silent], name).ends_with("no run has a value of it"));
}

#[test]
fn how_runs_ended_is_shown_for_all_and_for_those_with_few_agents() {
    let run = |planner, agents, seed, ending| Record {
        agents,
        seed: Some(seed),
        ending: Some(ending),
        ..no_arrivals(planner, "a")
    };
    let records = [
        run("bmaa", 100, 1, Ending::AllArrived),
        run("bmaa", 100, 2, Ending::OutOfTicks),
        run("bmaa", 400, 1, Ending::OutOfTicks),
        run("far", 100, 1, Ending::AllArrived),
        run("far", 100, 2, Ending::AllArrived),
        run("far", 400, 1, Ending::OutOfTime),
    ];
    let endings = table(&records, "30s-endings");
    assert_eq!(endings.header, ["planner", "all arrived", "out of ticks", "out of time"]);
    let expected = [("bmaa", &["33.3", "66.7", "0.0"][..]), ("far", &["66.7", "0.0", "33.3"])];
    assert_eq!(values(&endings), shown(&expected));
    let few = table(&records, "30s-endings-few");
    let expected = [("bmaa", &["50.0", "50.0"][..]), ("far", &["100.0", "0.0"])];
    assert_eq!(values(&few), shown(&expected));
    let alike = "30s-endings: all runs ended in the same way";
    assert_eq!(why_not(&records[3..5], "30s-endings"), alike);
}
