//! How runs ended: which limit decided what a planner reached.

use jostle::simulate::Ending;

use super::super::section::Section;
use super::super::stats::Estimate;
use super::comparison::{Compared, Comparison};
use super::per_map::FEW;
use crate::table::Line;

/// A table of all runs, and one of those with few agents, whose times and distances are compared.
pub fn all(section: &Section<'_>) -> Vec<Result<Comparison, String>> {
    let mut tables = vec![table(section, "endings", u32::MAX)];
    let has = |matches: fn(&u32) -> bool| section.sizes.iter().any(matches);
    if has(|agents| *agents <= FEW) && has(|agents| *agents > FEW) {
        tables.push(table(section, "endings-few", FEW));
    }
    tables
}

/// A line for each planner, a column for each way in which a run ended.
fn table(section: &Section<'_>, name: &str, most_agents: u32) -> Result<Comparison, String> {
    let name = format!("{}-{name}", section.slug());
    let by_planner = section.shared(|record| record.agents <= most_agents, |_| ());
    let endings_of = |planner| {
        let runs = by_planner.runs((), planner).iter();
        runs.filter_map(|record| record.ending).collect::<Vec<Ending>>()
    };
    let lists: Vec<(&str, Vec<Ending>)> =
        section.contestants.iter().map(|planner| (*planner, endings_of(planner))).collect();
    let mut seen = Ending::ALL.to_vec();
    seen.retain(|ending| lists.iter().any(|(_, endings)| endings.contains(ending)));
    if seen.len() < 2 {
        return Err(format!("{name}: all runs ended in the same way"));
    }
    let share = |endings: &[Ending], ending: &Ending| {
        let count = endings.len();
        let mean = 100.0 * endings.iter().filter(|other| *other == ending).count() as f64;
        let mean = mean / count as f64;
        let estimate = Estimate { mean, interval: None, has_spread: false, count };
        Compared { ours: (count > 0).then_some(estimate), digits: 1, ..Compared::default() }
    };
    let lines = lists.iter().map(|(planner, endings)| Line {
        label: section.label(planner).to_owned(),
        cells: seen.iter().map(|ending| share(endings, ending)).collect(),
        is_summary: false,
    });
    let header = seen.iter().map(|ending| ending.name().replace('-', " "));
    let few =
        if most_agents == u32::MAX { String::new() } else { format!(" with at most {FEW} agents") };
    let mut notes = vec!["all runs count the same".to_owned()];
    notes.extend(by_planner.note());
    Ok(Comparison {
        title: format!("How runs{few} ended (%), {}", section.title()),
        name,
        header: std::iter::once("planner".to_owned()).chain(header).collect(),
        lines: lines.collect(),
        notes,
    })
}
