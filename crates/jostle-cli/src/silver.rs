//! Silver's experiment: what he measured, for each planner and number of agents.

use std::io::{self, Write};

use jostle::metrics::Turns;
use jostle::search::shortest_path;
use jostle::simulate::Outcome;

use crate::failure::Failure;
use crate::problem::Problem;
use crate::record::Record;
use crate::table::{Style, planners_by_agents};

/// Silver's measures: what they are called, and how to get them from a run.
type Measure = (&'static str, fn(&Record) -> Option<f64>);
const MEASURES: [Measure; 5] = [
    ("agents that reach their goal within the limit, %", |record| {
        Some(record.success_rate * 100.0)
    }),
    ("path length over the shortest path", |record| record.path_over_shortest),
    ("cycles for each agent", |record| Some(record.cycles)),
    ("first tick, ms", |record| Some(record.first_tick_us / 1000.0)),
    ("slowest later tick, ms (the worst of all maps)", |record| {
        Some(record.later_tick_max_us / 1000.0)
    }),
];

/// Prints a table for each measure: a row for each planner, a column for each number of agents. Values are
/// means over maps and seeds, but the slowest tick is the slowest of all.
pub fn print(records: &[Record], style: Style) -> Result<(), Failure> {
    let (mark, gap) = if style == Style::Markdown { ("\n### ", "\n") } else { ("", "") };
    for (title, measure) in MEASURES {
        writeln!(io::stdout(), "{mark}{title}")?;
        let combine = if title.starts_with("slowest") { largest } else { mean };
        let table = planners_by_agents(records, style, |records| {
            combine(&records.iter().filter_map(|record| measure(record)).collect::<Vec<_>>())
        });
        writeln!(io::stdout(), "{gap}{table}")?;
    }
    Ok(())
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn largest(values: &[f64]) -> Option<f64> {
    values.iter().copied().reduce(f64::max)
}

/// The turns that agents took until they first reached their goals, over the steps that they would have
/// taken alone; agents that never did do not count.
pub fn path_over_shortest(problem: &Problem, outcome: &Outcome) -> Option<f64> {
    let turns = Turns::of(outcome.trace.as_ref()?);
    let grid = problem.instance.grid();
    let arrived =
        problem.instance.tasks().iter().zip(turns).filter_map(|(&(start, goal), turns)| {
            let (_, path) = shortest_path(grid, start, goal)?;
            Some((turns.path_length?, path.len() as u64 - 1))
        });
    let (walked, shortest) =
        arrived.fold((0, 0), |(walked, shortest), (more, least)| (walked + more, shortest + least));
    (shortest > 0).then(|| walked as f64 / shortest as f64)
}
