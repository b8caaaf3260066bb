//! Table 5.2 of the thesis: completion rates by kind of problem.

use super::super::measure::Measure;
use super::super::papers::{SECONDS, THESIS_AGENTS, completion_by_kind};
use super::super::section::Section;
use super::agreement;
use super::comparison::{Compared, Comparison, mark_best};
use crate::Record;
use crate::table::Line;

/// The table, if runs are of several kinds.
pub fn table(section: &Section<'_>) -> Result<Comparison, String> {
    let name = format!("{}-kinds", section.slug());
    if section.kinds.len() < 2 {
        let kind = section.kinds.first().unwrap_or(&"one kind");
        return Err(format!("{name}: all runs are of one kind ({kind})"));
    }
    let measure = Measure::CompletionRate;
    let by_kind = section.shared(|_| true, Record::kind_name);
    let together = section.shared(|_| true, |_| ());
    let mut lines: Vec<Line<Compared>> = Vec::new();
    for &kind in &section.kinds {
        let line = section.contestants.iter().map(|&planner| {
            let runs = by_kind.runs(kind, planner).iter().copied();
            let ours = measure.estimate(runs, section);
            Compared::new(measure, ours, completion_by_kind(section, kind, planner))
        });
        lines.push(Line { label: kind.to_owned(), cells: line.collect(), is_summary: false });
    }
    let overall = section.contestants.iter().map(|planner| {
        let runs = together.runs((), planner).iter().copied();
        Compared::new(measure, measure.estimate(runs, section), None)
    });
    lines.push(Line { label: "overall".to_owned(), cells: overall.collect(), is_summary: true });
    for line in &mut lines {
        mark_best(measure, line.cells.iter_mut());
    }
    let mut notes = vec![format!("{}, all maps and numbers of agents", section.weight.mean())];
    notes.extend(together.note());
    if lines.iter().flat_map(|line| &line.cells).any(|cell| cell.paper.is_some()) {
        notes.push(format!("in brackets: the thesis, {}", its_experiment()));
    }
    notes.extend(agreement::note(&lines, "kind"));
    let header =
        std::iter::once("kind").chain(section.contestants.iter().map(|name| section.label(name)));
    Ok(Comparison {
        name,
        title: format!(
            "Completion rate (%) by kind of problem (Table 5.2 of the thesis), {}",
            section.title()
        ),
        header: header.map(str::to_owned).collect(),
        lines,
        notes,
    })
}

/// The experiment of the thesis, in words.
pub fn its_experiment() -> String {
    format!("{THESIS_AGENTS} agents on 20 maps of Baldur's Gate II within {SECONDS} s")
}
