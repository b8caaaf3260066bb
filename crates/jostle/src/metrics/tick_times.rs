//! How long ticks took, in memory that does not grow with their number.

use std::time::Duration;

/// How many ticks are listed one by one. Runs are rarely longer, and their measures are exact.
const MOST_LISTED: usize = 1 << 16;

/// Later ticks are only counted, in classes that are narrower than a part in this many of their times.
const CLASSES_PER_DOUBLING: u64 = 128;

/// How long each tick of a run took.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TickTimes {
    listed: Vec<Duration>,
    /// How many of the ticks that are not listed took how long, by class.
    counted: Vec<u64>,
    slowest_counted: Duration,
    count: u64,
}

impl TickTimes {
    /// Adds the time of a tick.
    pub fn push(&mut self, time: Duration) {
        self.count += 1;
        if self.listed.len() < MOST_LISTED {
            self.listed.push(time);
            return;
        }
        count_in(&mut self.counted, time);
        self.slowest_counted = self.slowest_counted.max(time);
    }

    /// How many ticks there were.
    pub const fn len(&self) -> u64 {
        self.count
    }

    /// Whether there was no tick.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The times of the first 65,536 ticks, in order.
    pub fn listed(&self) -> &[Duration] {
        &self.listed
    }

    /// The time of the slowest tick after the first `skipped` ones, of which there are at most 65,536; zero without such
    /// ticks.
    pub fn slowest_after(&self, skipped: usize) -> Duration {
        let listed = self.listed.iter().skip(skipped).max().copied().unwrap_or_default();
        listed.max(self.slowest_counted)
    }

    /// The time that 99 % of the ticks did not exceed; zero without ticks. In a run of more than 65,536 ticks it is
    /// rounded up by less than one percent.
    pub fn p99(&self) -> Duration {
        let rank = self.count - self.count / 100;
        if self.counted.is_empty() {
            let mut times = self.listed.clone();
            times.sort_unstable();
            return (rank as usize).checked_sub(1).map_or(Duration::ZERO, |last| times[last]);
        }
        let mut classes = self.counted.clone();
        self.listed.iter().for_each(|&time| count_in(&mut classes, time));
        let mut seen = 0;
        let class = classes.iter().position(|count| {
            seen += count;
            seen >= rank
        });
        class.map_or(Duration::ZERO, |class| longest_of(class).min(self.slowest_after(0)))
    }
}

fn count_in(classes: &mut Vec<u64>, time: Duration) {
    let class = class_of(time);
    if class >= classes.len() {
        classes.resize(class + 1, 0);
    }
    classes[class] += 1;
}

/// The class of a time: one for each nanosecond at first, and as many for each doubling from there on.
fn class_of(time: Duration) -> usize {
    let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    let doublings = (nanoseconds / CLASSES_PER_DOUBLING).checked_ilog2().map_or(0, |log| log + 1);
    let width = doublings.saturating_sub(1);
    (u64::from(width) * CLASSES_PER_DOUBLING + (nanoseconds >> width)) as usize
}

/// The longest time of a class.
fn longest_of(class: usize) -> Duration {
    let class = class as u64;
    let width = (class / CLASSES_PER_DOUBLING).saturating_sub(1);
    let first = u128::from(class - width * CLASSES_PER_DOUBLING) << width;
    let last = first + (1 << width) - 1;
    Duration::from_nanos(u64::try_from(last).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_is_in_its_class_and_classes_are_narrow() {
        let times = (0..64).flat_map(|shift| [1_u64 << shift, (1 << shift) + 1, u64::MAX >> shift]);
        for nanoseconds in times.chain(0..1000) {
            let time = Duration::from_nanos(nanoseconds);
            let longest = longest_of(class_of(time));
            assert!(longest >= time, "{nanoseconds}");
            assert!(longest.as_nanos() <= u128::from(nanoseconds) * 129 / 128, "{nanoseconds}");
            assert_eq!(class_of(longest), class_of(time), "{nanoseconds}");
        }
        let classes: Vec<usize> = (0..5000).map(|ns| class_of(Duration::from_nanos(ns))).collect();
        assert!(classes.windows(2).all(|pair| pair[0] <= pair[1] && pair[1] <= pair[0] + 1));
    }

    #[test]
    fn the_measures_of_a_short_run_are_exact_and_those_of_a_long_one_close() {
        let mut times = TickTimes::default();
        assert_eq!((times.p99(), times.slowest_after(0)), (Duration::ZERO, Duration::ZERO));
        for tick in 1..=1000 {
            times.push(Duration::from_micros(tick));
        }
        assert_eq!(times.p99(), Duration::from_micros(990));
        assert_eq!(times.slowest_after(0), Duration::from_millis(1));
        for tick in 1001..=1_000_000 {
            times.push(Duration::from_micros(tick));
        }
        let (p99, exact) = (times.p99().as_secs_f64(), 0.99);
        assert!(p99 >= exact && p99 < exact * 1.01, "{p99}");
        assert_eq!((times.len(), times.listed().len()), (1_000_000, MOST_LISTED));
        assert_eq!(times.slowest_after(9), Duration::from_secs(1));
        assert!(times.counted.len() < 4000, "{} classes", times.counted.len());
    }
}
