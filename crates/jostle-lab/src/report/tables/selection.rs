//! Table 5.1 of the thesis: the results of choosing the best planner for each problem.
//!
//! The better planner is the one with which more agents arrive; ties go to the shorter distance, then to the earlier
//! arrival, as in the thesis, and then to the one that comes first in the table. The worst choice is the
//! worst by the same rule.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use jostle::Limits;

use super::super::measure::{Measure, completion_time};
use super::super::names::canonical;
use super::super::papers::{Chooser, THESIS_AGENTS, THESIS_PLANNERS, best_choice, selection};
use super::super::section::Section;
use super::super::stats::{Estimate, Range, Weight};
use super::comparison::{Compared, Comparison, mark_best};
use super::per_kind::its_experiment;
use crate::Record;
use crate::table::Line;

/// The three measures of the thesis. Where expansions stand for its clock, so they do for the time of arrival.
fn measures(section: &Section<'_>) -> [Measure; 3] {
    let is_clock = section.limits.expansions.is_some() && section.limits.time.is_none();
    let arrival = if is_clock { Measure::CompletionShare } else { Measure::CompletionTime };
    [Measure::CompletionRate, Measure::Distance, arrival]
}

/// A table for the thesis's three planners, where all three have run, and one for all planners.
pub fn all(section: &Section<'_>) -> Vec<Result<Comparison, String>> {
    let name = format!("{}-selection", section.slug());
    if section.contestants.len() < 2 {
        return vec![Err(format!("{name}: there is only one planner to choose from"))];
    }
    let is_of_thesis = |planner: &&str| THESIS_PLANNERS.contains(&canonical(planner).as_str());
    let of_thesis: Vec<&str> = section.contestants.iter().copied().filter(is_of_thesis).collect();
    let has_all = of_thesis.len() == THESIS_PLANNERS.len();
    let mut tables = Vec::new();
    if has_all {
        tables.push(table(section, &of_thesis, format!("{name}-thesis")));
    }
    if !has_all || of_thesis.len() < section.contestants.len() {
        tables.push(table(section, &section.contestants, name));
    }
    tables
}

fn table(section: &Section<'_>, portfolio: &[&str], name: String) -> Result<Comparison, String> {
    let problems = shared_problems(section, portfolio);
    if problems.is_empty() {
        return Err(format!("{name}: no instance has a run of every planner"));
    }
    let is_of_thesis = section.sizes == [THESIS_AGENTS]
        && portfolio.len() == THESIS_PLANNERS.len()
        && portfolio.iter().all(|planner| best_choice(planner).is_some());
    let better = |a: &Record, b: &Record| compare(a, b, section.limits);
    let best = choose(&problems, |run, best| better(run, best).is_gt());
    let worst = choose(&problems, |run, worst| better(run, worst).is_lt());
    let mut lines = vec![line(section, "best choice", Chooser::Perfect, &best, is_of_thesis)];
    for (column, planner) in portfolio.iter().enumerate() {
        let runs: Vec<&Record> = problems.iter().map(|runs| runs[column]).collect();
        let mut line =
            line(section, section.label(planner), Chooser::Always(planner), &runs, is_of_thesis);
        line.cells.push(chosen(&best, section.weight, planner, is_of_thesis));
        lines.push(line);
    }
    lines.push(line(section, "worst choice", Chooser::Worst, &worst, is_of_thesis));
    for (column, measure) in measures(section).into_iter().enumerate() {
        mark_best(measure, lines.iter_mut().filter_map(|line| line.cells.get_mut(column)));
    }
    let titles = measures(section).map(|measure| measure.title(section));
    for line in &mut lines {
        let blank = Compared { digits: 1, ..Compared::default() };
        line.cells.resize(titles.len() + 1, blank);
    }
    let mut notes = vec![
        format!("{} instances that every planner has run", problems.len()),
        "better: more agents arrive, then they walk less, then they arrive earlier".to_owned(),
    ];
    if is_of_thesis {
        let spread = "its ± is the spread over ten splits of the problems";
        notes.push(format!("in brackets: the thesis, {}; {spread}", its_experiment()));
    }
    let header = std::iter::once("planner".to_owned())
        .chain(titles)
        .chain(std::iter::once("best choice, % of instances".to_owned()));
    Ok(Comparison {
        name,
        title: format!(
            "Choosing among {} planners for each problem (Table 5.1 of the thesis), {}",
            portfolio.len(),
            section.title()
        ),
        header: header.collect(),
        lines,
        notes,
    })
}

/// For each instance that all planners have run, a run of each, in their order.
fn shared_problems<'a>(section: &Section<'a>, portfolio: &[&str]) -> Vec<Vec<&'a Record>> {
    let mut problems: BTreeMap<_, Vec<Option<&Record>>> = BTreeMap::new();
    for record in &section.records {
        if let Some(column) =
            portfolio.iter().position(|planner| **planner == *record.contestant().text())
        {
            let runs =
                problems.entry(record.instance()).or_insert_with(|| vec![None; portfolio.len()]);
            runs[column].get_or_insert(record);
        }
    }
    problems.into_values().filter_map(|runs| runs.into_iter().collect()).collect()
}

/// One run of each problem: the first of the best.
fn choose<'a>(
    problems: &[Vec<&'a Record>],
    beats: impl Fn(&Record, &Record) -> bool,
) -> Vec<&'a Record> {
    let chosen = |runs: &Vec<&'a Record>| {
        runs.iter().copied().reduce(|chosen, run| if beats(run, chosen) { run } else { chosen })
    };
    problems.iter().filter_map(chosen).collect()
}

/// Whether the first run is better (`Greater`) or worse than the second.
fn compare(a: &Record, b: &Record, limits: Limits) -> Ordering {
    let time = |record: &Record| completion_time(record, limits).unwrap_or(f64::INFINITY);
    a.completion_rate
        .total_cmp(&b.completion_rate)
        .then(b.travel_distance.total_cmp(&a.travel_distance))
        .then(time(b).total_cmp(&time(a)))
}

fn line(
    section: &Section<'_>,
    label: &str,
    chooser: Chooser<'_>,
    runs: &[&Record],
    is_of_thesis: bool,
) -> Line<Compared> {
    let cells = measures(section).map(|measure| {
        let ours = measure.estimate(runs.iter().copied(), section);
        let has_unit = measure != Measure::CompletionTime || section.limits.time.is_some();
        let paper = if is_of_thesis && has_unit { selection(chooser, measure) } else { None };
        Compared::new(measure, ours, paper)
    });
    let is_summary = !matches!(chooser, Chooser::Always(_));
    Line { label: label.to_owned(), cells: cells.into(), is_summary }
}

/// How often a planner is the best choice.
fn chosen(best: &[&Record], weight: Weight, planner: &str, is_of_thesis: bool) -> Compared {
    let value =
        |record: &Record| Some(if record.contestant().text() == planner { 100.0 } else { 0.0 });
    let ours = Estimate::of(best.iter().copied(), weight, Range::Percent, value);
    let paper = if is_of_thesis { best_choice(planner) } else { None };
    Compared { ours, paper, digits: 1, ..Compared::default() }
}
