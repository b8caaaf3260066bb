//! Tables I to III of the BMAA\* paper: a line for each map, a column for each planner.

use super::super::measure::{Measure, not_arrived};
use super::super::papers::{PerMap, SECONDS, bmaa_agents};
use super::super::section::Section;
use super::super::stats::Weight;
use super::agreement;
use super::comparison::{Compared, Comparison, mark_best};
use crate::Record;
use crate::table::{Line, capital};

/// The most agents of the runs that count for completion times and distances: with more,
/// most agents did not arrive with some planners of the paper, and their means said little.
pub const FEW: u32 = 200;

/// The three tables. The second in percent of the limit as well, where expansions are limited.
pub fn all(section: &Section<'_>) -> Vec<Result<Comparison, String>> {
    let mut rules = vec![
        (Measure::CompletionRate, "I", u32::MAX),
        (Measure::CompletionTime, "II", FEW),
        (Measure::Distance, "III", FEW),
    ];
    if section.limits.expansions.is_some() {
        rules.push((Measure::CompletionShare, "II", FEW));
    }
    let tables = rules.into_iter().map(|(measure, number, most)| {
        table(section, measure, &format!("Table {number} of the BMAA* paper"), most)
    });
    tables.collect()
}

fn table(
    section: &Section<'_>,
    measure: Measure,
    origin: &str,
    most_agents: u32,
) -> Result<Comparison, String> {
    let name = format!("{}-{}", section.slug(), measure.slug());
    let counts = |record: &Record| record.agents <= most_agents;
    if !section.records.iter().any(|record| counts(record)) {
        return Err(format!("{name}: no run has {most_agents} agents or fewer"));
    }
    if !section.records.iter().any(|record| measure.of(record, section.limits).is_some()) {
        return Err(format!("{name}: no run has a value of it"));
    }
    let paper = PerMap::beside(section, measure);
    let by_map = section.shared(counts, |record| &*record.map);
    let together = section.shared(counts, |_| ());
    let mut lines: Vec<Line<Compared>> = Vec::new();
    for &map in &section.maps {
        let cells = section.contestants.iter().map(|planner| {
            let runs = by_map.runs(map, planner).iter().copied();
            let published = paper.and_then(|table| table.on(map, planner));
            Compared::new(measure, measure.estimate(runs, section), published)
        });
        lines.push(Line { label: map.to_owned(), cells: cells.collect(), is_summary: false });
    }
    if section.maps.len() > 1 {
        let overall = section.contestants.iter().map(|planner| {
            let runs = together.runs((), planner).iter().copied();
            let published = paper.and_then(|table| table.overall(&section.maps, planner));
            Compared::new(measure, measure.estimate(runs, section), published)
        });
        lines.push(Line {
            label: "overall".to_owned(),
            cells: overall.collect(),
            is_summary: true,
        });
    }
    for line in &mut lines {
        mark_best(measure, line.cells.iter_mut());
    }
    let shows_paper = lines.iter().flat_map(|line| &line.cells).any(|cell| cell.paper.is_some());
    let mut notes = rule(section, measure, most_agents);
    notes.extend(together.note());
    if shows_paper {
        notes.push(differences(section, measure));
    }
    notes.extend(agreement::note(&lines, "map"));
    let header =
        std::iter::once("map").chain(section.contestants.iter().map(|name| section.label(name)));
    Ok(Comparison {
        name,
        title: format!(
            "{} by map ({origin}), {}",
            capital(&measure.title(section)),
            section.title()
        ),
        header: header.map(str::to_owned).collect(),
        lines,
        notes,
    })
}

/// Notes on the runs of which the values are means.
fn rule(section: &Section<'_>, measure: Measure, most_agents: u32) -> Vec<String> {
    let counted: Vec<u32> =
        section.sizes.iter().copied().filter(|agents| *agents <= most_agents).collect();
    let agents = match counted.as_slice() {
        [one] => format!("{one} agents"),
        [first, .., last] => format!("{first} to {last} agents"),
        [] => String::new(),
    };
    let kinds = section.kinds.join(", ");
    let mut notes = vec![format!("{}, {agents}; kinds: {kinds}", section.weight.mean())];
    if measure == Measure::CompletionTime {
        notes.push(format!(
            "an agent that has not arrived counts as {}",
            not_arrived(section.limits)
        ));
    }
    if measure == Measure::CompletionShare {
        notes.push("an agent that has not arrived counts as the limit".to_owned());
    }
    if measure == Measure::Distance {
        notes.push("agents that have not arrived count with the distance they walked".to_owned());
    }
    notes
}

/// How the paper's experiment differs from ours.
fn differences(section: &Section<'_>, measure: Measure) -> String {
    let mut differences = Vec::new();
    if measure == Measure::CompletionRate && section.weight == Weight::Instances {
        let weighted = "with equal weights its Tables I and II contradict each other";
        differences.push(weighted.to_owned());
    }
    if section.limits.time.map(|time| time.as_secs_f64()) != Some(SECONDS) {
        differences.push(format!("its limit is {SECONDS} s"));
    }
    if section.sizes != bmaa_agents() {
        differences.push("its runs have 24 numbers of agents from 25 to 2000".to_owned());
    }
    if differences.is_empty() {
        return "in brackets: the paper".to_owned();
    }
    format!("in brackets: the paper, but {}", differences.join(", and "))
}
