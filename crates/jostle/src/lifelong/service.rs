//! How long agents took to reach their goals.

use std::collections::BTreeMap;

/// How many goals were reached, and after how many ticks each.
///
/// The service time of a goal is the number of ticks from when an agent has it until it first stands on it. Memory grows with
/// the number of different times.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ServiceTimes {
    /// How many goals took how many ticks.
    counts: BTreeMap<u64, u64>,
    goals: u64,
    ticks: u64,
}

impl ServiceTimes {
    /// Adds a goal that was reached after so many ticks.
    pub fn add(&mut self, ticks: u64) {
        *self.counts.entry(ticks).or_default() += 1;
        self.goals += 1;
        self.ticks += ticks;
    }

    /// How many goals were reached.
    pub const fn goals(&self) -> u64 {
        self.goals
    }

    /// The mean service time, in ticks; none without goals.
    pub fn mean(&self) -> Option<f64> {
        (self.goals > 0).then(|| self.ticks as f64 / self.goals as f64)
    }

    /// The least time, in ticks, that at least this many percent of the goals did not exceed; none without goals.
    pub fn percentile(&self, percent: u64) -> Option<u64> {
        let rank = (self.goals * percent.min(100)).div_ceil(100).max(1);
        let mut seen = 0;
        self.counts.iter().find_map(|(&ticks, &count)| {
            seen += count;
            (seen >= rank).then_some(ticks)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_and_percentiles_of_a_hundred_goals() {
        let mut times = ServiceTimes::default();
        assert_eq!((times.goals(), times.mean(), times.percentile(95)), (0, None, None));
        // In any order.
        for ticks in (1..=100).map(|number| number * 37 % 101) {
            times.add(ticks);
        }
        assert_eq!((times.goals(), times.mean()), (100, Some(50.5)));
        let percentiles = [0, 1, 50, 95, 100, 200].map(|percent| times.percentile(percent));
        assert_eq!(percentiles, [1, 1, 50, 95, 100, 100].map(Some));
    }
}
