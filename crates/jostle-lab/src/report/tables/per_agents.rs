//! Figures as tables: a line for each planner, a column for each number of agents.

use super::super::measure::Measure;
use super::super::papers::{self, Published, SILVER_AGENTS};
use super::super::section::Section;
use super::super::silver;
use super::comparison::{Compared, Comparison, mark_best};
use crate::table::{Line, capital};

/// Figure 2 of the BMAA\* paper, the times of ticks, and Silver's figures.
pub fn all(section: &Section<'_>) -> Vec<Result<Comparison, String>> {
    let mut tables = Vec::new();
    if let Err(reason) = section.has_sizes() {
        tables.push(Err(format!("{}-completion-rate-agents: {reason}", section.slug())));
    } else {
        let figure_2 = Some("Figure 2 of the BMAA* paper");
        tables.push(table(section, Measure::CompletionRate, figure_2, |_, _| None));
        tables.push(table(section, Measure::TickP99, None, |_, _| None));
    }
    match silver::fits(section) {
        Err(reason) => tables.push(Err(format!("{}-silver: {reason}", section.slug()))),
        Ok(()) => tables.extend(silver(section)),
    }
    tables
}

/// Silver's figures.
pub fn silver(section: &Section<'_>) -> Vec<Result<Comparison, String>> {
    let tables = silver::FIGURES.map(|(measure, figure)| {
        table(section, measure, Some(figure), |planner, agents| {
            papers::silver(measure, planner).filter(|_| agents == SILVER_AGENTS)
        })
    });
    tables.into()
}

/// One table: a line for each planner, a column for each number of agents.
pub fn table(
    section: &Section<'_>,
    measure: Measure,
    origin: Option<&str>,
    published: impl Fn(&str, u32) -> Option<Published>,
) -> Result<Comparison, String> {
    let name = format!("{}-{}-agents", section.slug(), measure.slug());
    if !section.records.iter().any(|record| measure.of(record, section.limits).is_some()) {
        return Err(format!("{name}: no run has a value of it"));
    }
    let by_size = section.shared(|_| true, |record| record.agents);
    let mut lines: Vec<Line<Compared>> = Vec::new();
    for &planner in &section.contestants {
        let line = section.sizes.iter().map(|&agents| {
            let ours = measure.estimate(by_size.runs(agents, planner).iter().copied(), section);
            Compared::new(measure, ours, published(planner, agents))
        });
        lines.push(Line {
            label: section.label(planner).to_owned(),
            cells: line.collect(),
            is_summary: false,
        });
    }
    for column in 0..section.sizes.len() {
        mark_best(measure, lines.iter_mut().filter_map(|line| line.cells.get_mut(column)));
    }
    if measure == Measure::PathLength {
        lines.extend(shortest_paths(section));
    }
    let mut notes = vec![match measure {
        Measure::SlowestLaterTick => "the slowest tick of all runs".to_owned(),
        _ => "mean over instances, all maps".to_owned(),
    }];
    notes.extend(by_size.note());
    if lines.iter().flat_map(|line| &line.cells).any(|cell| cell.paper.is_some()) {
        let bounds = "his text gives numbers or bounds for 100 agents";
        notes.push(format!("in brackets: Silver; {bounds}"));
    }
    let header = section.sizes.iter().map(|agents| format!("{agents} agents"));
    let origin = origin.map_or_else(String::new, |origin| format!(" ({origin})"));
    Ok(Comparison {
        name,
        title: format!(
            "{} by number of agents{origin}, {}",
            capital(&measure.title(section)),
            section.title()
        ),
        header: std::iter::once("planner".to_owned()).chain(header).collect(),
        lines,
        notes,
    })
}

/// The bound that no planner can beat.
fn shortest_paths(section: &Section<'_>) -> Option<Line<Compared>> {
    let shortest = silver::shortest_paths(section);
    let cell =
        |agents: &u32| Compared::new(Measure::PathLength, shortest.get(agents).copied(), None);
    let cells = section.sizes.iter().map(cell).collect();
    let label = "shortest path".to_owned();
    (!shortest.is_empty()).then_some(Line { label, cells, is_summary: true })
}
