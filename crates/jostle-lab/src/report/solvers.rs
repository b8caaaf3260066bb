//! What reports say about solvers.

use super::measure::Measure;
use super::section::{Contest, Section};
use crate::SolverRun;

/// The measures that are shown over the size of problems.
const MEASURES: [Measure; 5] = [
    Measure::Solved,
    Measure::FirstPlan,
    Measure::BestPlan,
    Measure::CostOverBound,
    Measure::Nodes,
];

/// Those that only searches for pairs that meet have.
const OF_MEETINGS: [Measure; 3] = [Measure::Sets, Measure::SetsPlanned, Measure::FirstSet];

/// The measures of these runs that are shown over the size of problems.
pub fn measures(section: &Section<'_>) -> Vec<Measure> {
    match section.contest {
        Contest::Meetings => [&MEASURES[..], &OF_MEETINGS].concat(),
        Contest::Planners | Contest::Lifelong(_) | Contest::Solvers => MEASURES.to_vec(),
    }
}

/// Whether a table or figure of this measure says something about these runs.
///
/// # Errors
/// The reason why it does not.
pub fn says_something(section: &Section<'_>, measure: Measure) -> Result<(), String> {
    let runs = || section.records.iter().filter_map(|record| record.solver.as_deref());
    if measure.is_of_solved() && !runs().any(SolverRun::is_solved) {
        return Err("no instance was solved".to_owned());
    }
    if measure == Measure::BestPlan
        && runs().all(|run| run.first_plan_seconds == run.best_plan_seconds)
    {
        return Err("the first plan of every search is also its best".to_owned());
    }
    if measure == Measure::CostOverBound
        && runs().filter_map(SolverRun::cost_over_bound).all(|ratio| ratio <= 1.0)
    {
        return Err("every plan costs as much as its bound, so all are optimal".to_owned());
    }
    Ok(())
}
