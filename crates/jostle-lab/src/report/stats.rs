//! Means and their confidence intervals.
//!
//! Maps, kinds and numbers of agents are chosen; only the seeds are drawn. So the interval says how far
//! the mean would move if other seeds had been drawn: its variance is that of instances that differ by
//! their seed alone, and the spread between maps or numbers of agents is not part of it. Agents of one run
//! are not independent trials (a jam stops many at once), so intervals are over runs, not over agents.

use std::collections::HashMap;

use crate::Record;

/// With fewer degrees of freedom the interval is so wide that it says nothing.
const LEAST_FREEDOM: usize = 2;

/// A mean with its 95% confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The mean over runs.
    pub mean: f64,
    /// Half the width of the interval; none where too few runs differ by their seed alone.
    pub half_width: Option<f64>,
    /// The number of runs.
    pub count: usize,
}

impl Estimate {
    /// The mean of a value over runs; none where no run has it.
    pub fn of<'a>(
        records: impl IntoIterator<Item = &'a Record>,
        value: impl Fn(&Record) -> Option<f64>,
    ) -> Option<Self> {
        let mut strata: HashMap<_, Stratum> = HashMap::new();
        let (mut sum, mut count) = (0.0, 0_usize);
        for record in records {
            let Some(value) = value(record) else { continue };
            strata.entry(stratum(record)).or_default().add(value);
            sum += value;
            count += 1;
        }
        if count == 0 {
            return None;
        }
        let freedom = count - strata.len();
        let half_width = (freedom >= LEAST_FREEDOM).then(|| {
            let squares: f64 = strata.values().map(|stratum| stratum.squares).sum();
            let standard_error = (squares / freedom as f64 / count as f64).sqrt();
            student_t_95(freedom) * standard_error
        });
        Some(Self { mean: sum / count as f64, half_width, count })
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
}

impl Stratum {
    fn add(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }
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

    fn completion(records: &[Record]) -> Estimate {
        Estimate::of(records, |record| Some(record.completion_rate)).unwrap()
    }

    #[test]
    fn the_interval_is_that_of_students_t() {
        // Mean 0.5, standard deviation 0.1, n = 3: 4.303 * 0.1 / sqrt(3).
        let records = [0.4, 0.5, 0.6]
            .map(|rate| Record { completion_rate: rate, ..no_arrivals("bmaa", "m") });
        let estimate = completion(&records);
        assert!((estimate.mean - 0.5).abs() < 1e-12);
        assert!((estimate.half_width.unwrap() - 0.248_43).abs() < 1e-4);
    }

    #[test]
    fn differences_between_maps_do_not_widen_the_interval() {
        let at = |map, rate| Record { completion_rate: rate, ..no_arrivals("bmaa", map) };
        let records = [at("a", 0.1), at("a", 0.3), at("b", 0.7), at("b", 0.9)];
        // Squares within maps 0.04, two degrees of freedom, four runs.
        let expected = 4.303 * (0.04_f64 / 2.0 / 4.0).sqrt();
        assert!((completion(&records).half_width.unwrap() - expected).abs() < 1e-9);
    }

    #[test]
    fn too_few_runs_have_no_interval_and_no_runs_have_no_mean() {
        assert_eq!(
            completion(&[no_arrivals("bmaa", "m"), no_arrivals("bmaa", "m")]).half_width,
            None
        );
        assert_eq!(Estimate::of(&[], |record| Some(record.completion_rate)), None);
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
