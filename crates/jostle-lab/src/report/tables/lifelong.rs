//! The throughput of lifelong runs: a line for each map and number of agents, a column for each planner.

use super::super::measure::Measure;
use super::super::section::Section;
use super::comparison::{Compared, Comparison, mark_best};
use super::per_agents;
use crate::table::{Line, capital};

/// Throughput and service times by map and number of agents, and the same and the times of ticks over all maps where there are
/// several numbers of agents.
pub fn all(section: &Section<'_>) -> Vec<Result<Comparison, String>> {
    let mut tables =
        vec![Ok(table(section, Measure::Throughput)), Ok(table(section, Measure::Service))];
    if let Err(reason) = section.has_sizes() {
        tables.push(Err(format!("{}-throughput-agents: {reason}", section.slug())));
        return tables;
    }
    let measures = [Measure::Throughput, Measure::Service, Measure::ServiceP95, Measure::TickP99];
    tables.extend(measures.map(|measure| per_agents::table(section, measure, None, |_, _| None)));
    tables
}

fn table(section: &Section<'_>, measure: Measure) -> Comparison {
    let shared = section.shared(|_| true, |record| (&*record.map, record.agents));
    let mut lines: Vec<Line<Compared>> = Vec::new();
    for &map in &section.maps {
        for &agents in &section.sizes {
            let line = section.contestants.iter().map(|&planner| {
                let runs = shared.runs((map, agents), planner).iter().copied();
                Compared::new(measure, measure.estimate(runs, section), None)
            });
            let cells: Vec<Compared> = line.collect();
            if cells.iter().any(|cell| cell.ours.is_some()) {
                let label = format!("{map}, {agents} agents");
                lines.push(Line { label, cells, is_summary: false });
            }
        }
    }
    for line in &mut lines {
        mark_best(measure, line.cells.iter_mut());
    }
    let header =
        std::iter::once("map").chain(section.contestants.iter().map(|name| section.label(name)));
    Comparison {
        name: format!("{}-{}", section.slug(), measure.slug()),
        title: format!(
            "{} by map and number of agents, {}",
            capital(&measure.title(section)),
            section.title()
        ),
        header: header.map(str::to_owned).collect(),
        lines,
        notes: std::iter::once(section.weight.mean().to_owned()).chain(shared.note()).collect(),
    }
}
