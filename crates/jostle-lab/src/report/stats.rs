//! Means and their confidence intervals.
//!
//! Maps, kinds and numbers of agents are chosen; only the seeds are drawn. So the interval says how far
//! the mean would move if other seeds had been drawn: its variance is that of instances that differ by
//! their seed alone, and the spread between maps or numbers of agents is not part of it. Agents of one run
//! are not independent trials (a jam stops many at once), so intervals are over runs, not over agents.

use std::collections::BTreeMap;

use crate::Record;

/// With fewer degrees of freedom the interval is so wide that it says nothing.
const LEAST_FREEDOM: usize = 2;

/// How much each run counts in a mean over runs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Weight {
    /// All the same.
    #[default]
    Instances,
    /// As much as it has agents: the mean is that of all agents of all runs.
    Agents,
}

impl Weight {
    /// How much a run with so many agents counts.
    fn of(self, agents: u32) -> f64 {
        match self {
            Self::Instances => 1.0,
            Self::Agents => f64::from(agents),
        }
    }

    /// What a mean is taken over, in words.
    pub const fn mean(self) -> &'static str {
        match self {
            Self::Instances => "mean over instances",
            Self::Agents => "mean over instances, weighted by their numbers of agents",
        }
    }
}

/// Which values a run can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Range {
    /// From 0 to 100.
    Percent,
    /// Any number.
    Unbounded,
}

/// A mean with its 95% confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The mean over runs.
    pub mean: f64,
    /// The ends of the interval; none where too few runs differ by their seed alone.
    pub interval: Option<(f64, f64)>,
    /// Whether runs differed. If they did not, the interval of a share is a bound that their number alone allows.
    pub has_spread: bool,
    /// The number of runs.
    pub count: usize,
}

impl Estimate {
    /// The mean of a value over runs; none where no run has it.
    ///
    /// The standard error is that of a stratified sample: runs that differ by their seed alone are a stratum with a variance of
    /// its own, and a stratum of one run has the pooled variance of the others. The interval is Student's t, with the
    /// degrees of freedom of Welch and Satterthwaite. For a share it is [the score interval](score_interval) instead, which stays
    /// between 0 and 100.
    pub fn of<'a>(
        records: impl IntoIterator<Item = &'a Record>,
        weight: Weight,
        range: Range,
        value: impl Fn(&Record) -> Option<f64>,
    ) -> Option<Self> {
        // In a fixed order, so that sums are the same to the last bit.
        let mut strata: BTreeMap<_, Stratum> = BTreeMap::new();
        let (mut sum, mut count) = (Weights::default(), 0_usize);
        let mut total = 0.0;
        for record in records {
            let Some(value) = value(record) else { continue };
            let weight = weight.of(record.agents);
            let stratum = strata.entry(stratum(record)).or_default();
            stratum.add(value);
            stratum.weight += weight;
            sum.add(weight);
            total += weight * value;
            count += 1;
        }
        if count == 0 {
            return None;
        }
        let mean = total / sum.first;
        let error = (count - strata.len() >= LEAST_FREEDOM)
            .then(|| StandardError::of(strata.into_values(), sum.first));
        let interval = error.map(|error| match range {
            Range::Unbounded => {
                let half = student_t_95(error.freedom) * error.variance.sqrt();
                (mean - half, mean + half)
            }
            Range::Percent => {
                let (low, high) =
                    score_interval((mean / 100.0).clamp(0.0, 1.0), error, sum.effective_count());
                (100.0 * low, 100.0 * high)
            }
        });
        let has_spread = error.is_some_and(|error| error.variance > 0.0);
        Some(Self { mean, interval, has_spread, count })
    }
}

/// Sums of weights and of their squares.
#[derive(Default)]
struct Weights {
    first: f64,
    second: f64,
}

impl Weights {
    fn add(&mut self, weight: f64) {
        self.first += weight;
        self.second += weight * weight;
    }

    /// How many runs of equal weight say as much (Kish).
    fn effective_count(&self) -> f64 {
        self.first * self.first / self.second
    }
}

/// Instances that differ by their seed alone.
fn stratum(record: &Record) -> (&str, &str, u32, Option<&str>) {
    let (map, kind, agents, _seed, _scenario, script) = record.instance();
    (map, kind, agents, script)
}

/// The sum of squared differences from the mean, one value at a time (Welford).
#[derive(Default)]
struct Stratum {
    count: usize,
    mean: f64,
    squares: f64,
    weight: f64,
}

impl Stratum {
    fn add(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }
}

/// How uncertain a mean is.
#[derive(Clone, Copy, PartialEq, Debug)]
struct StandardError {
    /// Its variance.
    variance: f64,
    /// How many degrees of freedom the variance has.
    freedom: usize,
}

impl StandardError {
    fn of(strata: impl IntoIterator<Item = Stratum>, total_weight: f64) -> Self {
        // The variances of the mean that come from strata with one run, and from the others, and the parts of
        // Satterthwaite's denominator.
        let (mut squares, mut freedom) = (0.0, 0_usize);
        let (mut of_single, mut variance, mut denominator) = (0.0, 0.0, 0.0);
        for stratum in strata {
            let share = stratum.weight / total_weight;
            if stratum.count < 2 {
                of_single += share * share;
                continue;
            }
            let own_freedom = stratum.count - 1;
            let own = share * share * stratum.squares / own_freedom as f64 / stratum.count as f64;
            variance += own;
            denominator += own * own / own_freedom as f64;
            squares += stratum.squares;
            freedom += own_freedom;
        }
        let pooled = of_single * squares / freedom as f64;
        variance += pooled;
        denominator += pooled * pooled / freedom as f64;
        let effective = variance * variance / denominator;
        // Without any variance it does not matter.
        let effective = if effective.is_finite() { effective.round() as usize } else { freedom };
        Self { variance, freedom: effective.clamp(1, freedom) }
    }
}

/// The interval of a share from 0 to 1: Wilson's score interval for as many independent trials as would have this standard
/// error. Where all runs have 0, or all have 1, the variance that was seen says nothing, and the runs themselves are the trials.
fn score_interval(share: f64, error: StandardError, runs: f64) -> (f64, f64) {
    let spread = share * (1.0 - share);
    let variance = error.variance / 1e4;
    if variance <= 0.0 && spread > 1e-12 {
        return (share, share);
    }
    let trials = if variance > 0.0 { spread / variance } else { runs };
    let t = student_t_95(error.freedom);
    let shrink = t * t / trials;
    let centre = (share + shrink / 2.0) / (1.0 + shrink);
    let half = (shrink * (spread + shrink / 4.0)).sqrt() / (1.0 + shrink);
    ((centre - half).clamp(0.0, share), (centre + half).clamp(share, 1.0))
}

/// What Student's t distribution stays within with a probability of 95%.
///
/// # Panics
/// Without a degree of freedom.
pub fn student_t_95(freedom: usize) -> f64 {
    const SMALL: [f64; 10] =
        [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    if let Some(exact) = SMALL.get(freedom - 1) {
        return *exact;
    }
    // The first terms of the expansion around the normal distribution (Abramowitz and Stegun 26.7.5).
    let (z, freedom) = (1.959_964_f64, freedom as f64);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / freedom + second / freedom.powi(2) + third / freedom.powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::testing::no_arrivals;

    fn distance(records: &[Record], weight: Weight) -> Estimate {
        let value = |record: &Record| Some(record.travel_distance);
        Estimate::of(records, weight, Range::Unbounded, value).unwrap()
    }

    fn rate(records: &[Record]) -> Estimate {
        let value = |record: &Record| Some(record.completion_rate * 100.0);
        Estimate::of(records, Weight::Instances, Range::Percent, value).unwrap()
    }

    fn at(map: &str, travel_distance: f64) -> Record {
        Record { travel_distance, ..no_arrivals("bmaa", map) }
    }

    fn half_width(estimate: Estimate) -> f64 {
        let (low, high) = estimate.interval.unwrap();
        (high - low) / 2.0
    }

    #[test]
    fn the_interval_is_that_of_students_t() {
        // Mean 5, standard deviation 1, n = 3: 4.303 * 1 / sqrt(3).
        let estimate = distance(&[at("m", 4.0), at("m", 5.0), at("m", 6.0)], Weight::Instances);
        assert!((estimate.mean - 5.0).abs() < 1e-12);
        assert!((half_width(estimate) - 2.4843).abs() < 1e-3);
    }

    #[test]
    fn differences_between_maps_do_not_widen_the_interval() {
        let records = [at("a", 1.0), at("a", 3.0), at("b", 7.0), at("b", 9.0)];
        // Each map: variance 2, two runs, half of the weight. Two equal variances with one degree of freedom each make two.
        let expected = 4.303 * (2.0 * 0.25 * 2.0 / 2.0_f64).sqrt();
        let estimate = distance(&records, Weight::Instances);
        assert!((half_width(estimate) - expected).abs() < 1e-9);
    }

    #[test]
    fn a_map_with_one_run_has_the_variance_of_the_others() {
        let records = [at("a", 1.0), at("a", 2.0), at("a", 3.0), at("b", 7.0)];
        // Map a: 3/4 of the weight, variance 1, three runs. Map b: 1/4 of the weight, the same variance, one run.
        let (a, b) = (0.75 * 0.75 / 3.0, 0.25 * 0.25_f64);
        let freedom = (a + b) * (a + b) / (a * a / 2.0 + b * b / 2.0);
        assert_eq!(freedom.round() as usize, 3, "more than there are, so two count");
        let estimate = distance(&records, Weight::Instances);
        assert!((half_width(estimate) - 4.303 * (a + b).sqrt()).abs() < 1e-9);
    }

    #[test]
    fn runs_weigh_as_much_as_they_have_agents() {
        let of = |agents, distance| Record { agents, ..at("a", distance) };
        let records = [of(100, 1.0), of(100, 3.0), of(300, 7.0), of(300, 7.0)];
        let estimate = distance(&records, Weight::Agents);
        // (200 * 2 + 600 * 7) / 800.
        assert!((estimate.mean - 5.75).abs() < 1e-12);
        // Only the small crowds vary: a quarter of the weight, variance 2, two runs, one degree of freedom.
        assert!((half_width(estimate) - 12.706 * (0.0625_f64).sqrt()).abs() < 1e-9);
        assert!((distance(&records, Weight::Instances).mean - 4.5).abs() < 1e-12);
    }

    #[test]
    fn where_all_arrive_the_interval_is_wilsons_over_runs() {
        let all = Record { completion_rate: 1.0, ..no_arrivals("bmaa", "m") };
        let of = |runs: usize| rate(&vec![all.clone(); runs]).interval.unwrap();
        let (low, high) = of(10);
        // t = 2.262 with nine degrees of freedom: 1 / (1 + t^2 / 10).
        assert!((low - 66.15).abs() < 0.01 && (high - 100.0).abs() < 1e-9, "{low} {high}");
        assert!(of(1000).0 > 99.6);
        let none = vec![no_arrivals("bmaa", "m"); 10];
        let (low, high) = rate(&none).interval.unwrap();
        assert!(low.abs() < 1e-9 && (high - 33.85).abs() < 0.01, "{low} {high}");
    }

    #[test]
    fn runs_that_are_all_alike_have_no_spread() {
        let of = |completion_rate| Record { completion_rate, ..no_arrivals("bmaa", "m") };
        assert!(!rate(&[of(1.0), of(1.0), of(1.0)]).has_spread);
        assert!(rate(&[of(1.0), of(1.0), of(0.9)]).has_spread);
    }

    #[test]
    fn the_interval_of_a_share_is_students_in_the_middle_and_stays_within_100_at_the_end() {
        let of = |rates: &[f64]| {
            let of = |rate: &f64| Record { completion_rate: *rate, ..no_arrivals("bmaa", "m") };
            rate(&rates.iter().map(of).collect::<Vec<_>>())
        };
        let middle = of(&[0.49, 0.50, 0.51]);
        assert!((half_width(middle) - 2.4843).abs() < 0.01);
        let (low, high) = of(&[0.97, 1.0, 1.0]).interval.unwrap();
        // As of 99 trials: Wilson's centre is 91.3, his half width 8.7.
        assert!((low - 82.6).abs() < 0.1 && (high - 99.95).abs() < 0.1, "{low} {high}");
        let same = of(&[0.5, 0.5, 0.5]);
        assert_eq!(same.interval, Some((50.0, 50.0)));
    }

    #[test]
    fn too_few_runs_have_no_interval_and_no_runs_have_no_mean() {
        let two = [at("m", 1.0), at("m", 2.0)];
        assert_eq!(distance(&two, Weight::Instances).interval, None);
        let value = |record: &Record| Some(record.travel_distance);
        assert_eq!(Estimate::of(&[], Weight::Instances, Range::Unbounded, value), None);
    }

    #[test]
    fn student_t_matches_published_tables() {
        for (freedom, expected) in
            [(1, 12.706), (10, 2.228), (11, 2.201), (30, 2.042), (120, 1.980)]
        {
            assert!((student_t_95(freedom) - expected).abs() < 1e-3, "{freedom}");
        }
    }
}
