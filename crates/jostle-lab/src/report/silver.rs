//! Silver's Figures 3 to 7: how planners fare as the crowd on a small map with 4 neighbours grows.

use std::collections::BTreeMap;

use super::measure::Measure;
use super::row::Row;
use super::section::Section;
use super::stats::Estimate;

/// What his figures show.
pub const FIGURES: [(Measure, &str); 6] = [
    (Measure::Success, "Silver's Figure 3"),
    (Measure::PathLength, "Silver's Figure 4"),
    (Measure::PathOverShortest, "Silver's Figure 4"),
    (Measure::Cycles, "Silver's Figure 5"),
    (Measure::FirstTick, "Silver's Figure 6"),
    (Measure::SlowestLaterTick, "Silver's Figure 7"),
];

/// Why a section is not his experiment, if it is not.
pub fn fits(section: &Section<'_>) -> Result<(), String> {
    if section.neighbours != 4 {
        return Err("Silver's figures are about runs with 4 neighbours".to_owned());
    }
    if section.agents.len() < 2 {
        return Err("all runs have the same number of agents".to_owned());
    }
    Ok(())
}

/// The mean length of the shortest paths, for each number of agents: of those agents that arrive in the
/// run of each instance in which most of them do.
pub fn shortest_paths(section: &Section<'_>) -> BTreeMap<u32, Estimate> {
    let mut runs: BTreeMap<_, &Row> = BTreeMap::new();
    for row in section.rows.iter().filter(|row| row.path_over_shortest.is_some()) {
        let best = runs.entry(row.instance()).or_insert(row);
        if row.success > best.success {
            *best = row;
        }
    }
    let length = |row: &Row| Some(row.path_length? / row.path_over_shortest?);
    let estimate = |agents: u32| {
        let rows = runs.values().copied().filter(|row| row.agents == agents);
        Estimate::of(rows, length).map(|estimate| (agents, estimate))
    };
    section.agents.iter().filter_map(|agents| estimate(*agents)).collect()
}
