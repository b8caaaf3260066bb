//! What runs are compared by.

use jostle::Limits;

use super::row::Row;
use super::section::Section;
use super::stats::Estimate;

/// Something that every run has a value of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Agents on their goals at the end, in percent.
    CompletionRate,
    /// Mean time of arrival, those that are not home counted as the limit.
    CompletionTime,
    /// Mean distance walked, in cells.
    Distance,
    /// Agents that were on their goals at some time, in percent.
    Success,
    /// Mean number of ticks until then.
    PathLength,
    /// The same over the shortest way.
    PathOverShortest,
    /// Mean number of returns to a cell.
    Cycles,
    /// The first tick, in milliseconds.
    FirstTick,
    /// The slowest tick after the first of all runs, in milliseconds.
    SlowestLaterTick,
    /// The time that 99 of 100 ticks did not exceed, in milliseconds.
    TickP99,
}

/// Which values are better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Better {
    /// Large ones.
    More,
    /// Small ones.
    Less,
}

impl Measure {
    /// What to call it in the name of a file.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::CompletionRate => "completion-rate",
            Self::CompletionTime => "completion-time",
            Self::Distance => "distance",
            Self::Success => "success",
            Self::PathLength => "path-length",
            Self::PathOverShortest => "path-over-shortest",
            Self::Cycles => "cycles",
            Self::FirstTick => "first-tick",
            Self::SlowestLaterTick => "slowest-tick",
            Self::TickP99 => "tick",
        }
    }

    /// What the values are, with their unit.
    pub fn title(self, section: &Section<'_>) -> String {
        match self {
            Self::CompletionRate => "completion rate (%)".to_owned(),
            Self::CompletionTime => format!("completion time ({})", section.time_unit()),
            Self::Distance => "travel distance (cells)".to_owned(),
            Self::Success => "agents that reach their goal (%)".to_owned(),
            Self::PathLength => "path length (ticks)".to_owned(),
            Self::PathOverShortest => "path length over the shortest path".to_owned(),
            Self::Cycles => "cycles for each agent".to_owned(),
            Self::FirstTick => "first tick (ms)".to_owned(),
            Self::SlowestLaterTick => "slowest later tick (ms)".to_owned(),
            Self::TickP99 => "tick time, p99 (ms)".to_owned(),
        }
    }

    /// Which values are better.
    pub const fn better(self) -> Better {
        match self {
            Self::CompletionRate | Self::Success => Better::More,
            _ => Better::Less,
        }
    }

    /// Whether values are shares of all agents, in percent.
    pub const fn is_share(self) -> bool {
        matches!(self, Self::CompletionRate | Self::Success)
    }

    /// How many digits a value gets after the point: shares one, others about three in all.
    pub fn digits(self, value: f64) -> usize {
        match value.abs() {
            _ if self.is_share() => 1,
            value if value >= 100.0 => 0,
            value if value >= 10.0 => 1,
            value if value >= 1.0 => 2,
            _ => 3,
        }
    }

    /// The value of a run; nothing where it has none.
    pub fn of(self, row: &Row, limits: Limits) -> Option<f64> {
        match self {
            Self::CompletionRate => Some(row.completion * 100.0),
            Self::CompletionTime => row.completion_time(limits),
            Self::Distance => Some(row.distance),
            Self::Success => Some(row.success * 100.0),
            Self::PathLength => row.path_length,
            Self::PathOverShortest => row.path_over_shortest,
            Self::Cycles => Some(row.cycles),
            Self::FirstTick => Some(row.first_tick),
            Self::SlowestLaterTick => Some(row.slowest_later_tick),
            Self::TickP99 => Some(row.tick_p99),
        }
    }

    /// The value of several runs: their mean, but the largest of the slowest ticks.
    pub fn estimate<'a>(
        self,
        rows: impl IntoIterator<Item = &'a Row>,
        limits: Limits,
    ) -> Option<Estimate> {
        if self != Self::SlowestLaterTick {
            return Estimate::of(rows, |row| self.of(row, limits));
        }
        let values = rows.into_iter().filter_map(|row| self.of(row, limits));
        let (count, largest) = values.fold((0, f64::NEG_INFINITY), |(count, largest), value| {
            (count + 1, largest.max(value))
        });
        (count > 0).then_some(Estimate { mean: largest, half_width: None, count })
    }
}
