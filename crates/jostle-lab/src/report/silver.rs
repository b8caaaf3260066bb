//! Silver's Figures 3 to 7: results of planners as the crowd on a small map with 4 neighbours grows.

use std::collections::BTreeMap;

use jostle::Neighbours;

use super::measure::Measure;
use super::section::Section;
use super::stats::{Estimate, Range};
use crate::Record;

/// The measures of his figures.
pub const FIGURES: [(Measure, &str); 6] = [
    (Measure::Success, "Silver's Figure 3"),
    (Measure::PathLength, "Silver's Figure 4"),
    (Measure::PathOverShortest, "Silver's Figure 4"),
    (Measure::Cycles, "Silver's Figure 5"),
    (Measure::FirstTick, "Silver's Figure 6"),
    (Measure::SlowestLaterTick, "Silver's Figure 7"),
];

/// The reason why a section is not his experiment, if there is one.
pub fn fits(section: &Section<'_>) -> Result<(), String> {
    if section.rules.neighbours != Neighbours::Four {
        return Err("Silver's figures are about runs with 4 neighbours".to_owned());
    }
    section.has_sizes()
}

/// The mean length of the shortest paths, for each number of agents: of those agents that arrive in the
/// run of each instance in which most of them do.
pub fn shortest_paths(section: &Section<'_>) -> BTreeMap<u32, Estimate> {
    let mut runs: BTreeMap<_, &Record> = BTreeMap::new();
    for record in section.records.iter().filter(|record| record.path_over_shortest.is_some()) {
        let best = runs.entry(record.instance()).or_insert(record);
        if record.success_rate > best.success_rate {
            *best = record;
        }
    }
    let length = |record: &Record| Some(record.path_length? / record.path_over_shortest?);
    let estimate = |agents: u32| {
        let records = runs.values().copied().filter(|record| record.agents == agents);
        Estimate::of(records, section.weight, Range::Unbounded, length)
            .map(|estimate| (agents, estimate))
    };
    section.sizes.iter().filter_map(|agents| estimate(*agents)).collect()
}
