//! Silver's experiment: what he measured, for each planner and number of agents.

use std::io::{self, Write};

use jostle_lab::Record;

use crate::failure::Failure;
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
