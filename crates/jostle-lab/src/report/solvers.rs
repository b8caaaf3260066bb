//! What reports say about solvers.

use super::measure::Measure;
use super::section::Section;
use crate::SolverRun;

/// The measures that are shown over the number of agents.
pub const MEASURES: [Measure; 5] = [
    Measure::Solved,
    Measure::FirstPlan,
    Measure::BestPlan,
    Measure::CostOverBound,
    Measure::Nodes,
];

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
