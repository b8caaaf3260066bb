//! What chooses, and the bounds of what choosing can gain.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{Samples, Sight};

/// Chooses a candidate for each problem.
///
/// Those that [`Predict`] look at the problem alone. The others are what they are compared with: the [`SingleBest`] candidate, which
/// needs no choosing, and the bounds [`Perfect`], [`Worst`] and [`Random`], which look up the results.
pub trait Selector {
    /// What tables call it.
    fn name(&self) -> &str;

    /// Learns from some of the problems. The same seed gives the same selector.
    ///
    /// # Errors
    /// When nothing can be learned from them, or it is not made for such problems: one sentence.
    fn learn(&mut self, samples: &Samples, train: &[usize], seed: u64) -> Result<(), String>;

    /// The candidate that it chooses for each of these problems.
    fn choose(&mut self, samples: &Samples, problems: &[usize]) -> Vec<usize>;
}

/// Predicts what candidates will achieve on a problem that nobody has tried.
pub trait Predict {
    /// The cost of every candidate, as it will be, or a number that orders them in the same way: less is better. Before it has learned
    /// anything there are none.
    fn predict(&mut self, sight: Sight<'_>) -> Vec<f32>;

    /// The candidate with the least cost; of equals, the first one.
    fn pick(&mut self, sight: Sight<'_>) -> usize {
        least(&self.predict(sight))
    }
}

/// The number of the least cost; of equals, the first one.
pub fn least(costs: &[f32]) -> usize {
    let costs = costs.iter().enumerate();
    costs.min_by(|one, other| one.1.total_cmp(other.1)).map_or(0, |(candidate, _)| candidate)
}

/// Always the candidate that was best on average where it learned: the prior.
#[derive(Clone, Copy, Debug, Default)]
pub struct SingleBest(usize);

impl Selector for SingleBest {
    fn name(&self) -> &'static str {
        "single best"
    }

    fn learn(&mut self, samples: &Samples, train: &[usize], _: u64) -> Result<(), String> {
        let results = samples.results().only(train).map_err(|error| error.to_string())?;
        self.0 = results.best().map_or(0, |(candidate, _)| candidate);
        Ok(())
    }

    fn choose(&mut self, _: &Samples, problems: &[usize]) -> Vec<usize> {
        vec![self.0; problems.len()]
    }
}

/// Always the best candidate: what choosing could gain at most.
#[derive(Clone, Copy, Debug, Default)]
pub struct Perfect;

impl Selector for Perfect {
    fn name(&self) -> &'static str {
        "perfect"
    }

    fn learn(&mut self, _: &Samples, _: &[usize], _: u64) -> Result<(), String> {
        Ok(())
    }

    fn choose(&mut self, samples: &Samples, problems: &[usize]) -> Vec<usize> {
        problems.iter().map(|&problem| samples.best()[problem]).collect()
    }
}

/// Always a candidate that costs most.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst;

impl Selector for Worst {
    fn name(&self) -> &'static str {
        "worst"
    }

    fn learn(&mut self, _: &Samples, _: &[usize], _: u64) -> Result<(), String> {
        Ok(())
    }

    fn choose(&mut self, samples: &Samples, problems: &[usize]) -> Vec<usize> {
        let results = samples.results();
        let worst = |&problem: &usize| {
            let costs = (0..results.candidates()).map(|one| -results.costs(one)[problem]);
            least(&costs.collect::<Vec<f32>>())
        };
        problems.iter().map(worst).collect()
    }
}

/// Any candidate, each as likely as the others.
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Default for Random {
    fn default() -> Self {
        Self(ChaCha8Rng::seed_from_u64(0))
    }
}

impl Selector for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn learn(&mut self, _: &Samples, _: &[usize], seed: u64) -> Result<(), String> {
        self.0 = ChaCha8Rng::seed_from_u64(seed);
        Ok(())
    }

    fn choose(&mut self, samples: &Samples, problems: &[usize]) -> Vec<usize> {
        let candidates = samples.results().candidates() as u32;
        problems.iter().map(|_| self.0.random_range(0..candidates) as usize).collect()
    }
}

#[cfg(test)]
mod tests {
    use jostle::Grid;

    use super::*;
    use crate::{Results, Sample, Worth};

    fn samples() -> Samples {
        let mut results = Results::of_problems(4).unwrap();
        results.add(&[1.0, 2.0, 3.0, 5.0]).unwrap();
        results.add(&[2.0, 2.0, 1.0, 1.0]).unwrap();
        results.add(&[3.0, 0.5, 9.0, 9.0]).unwrap();
        let problems = vec![Sample { map: 0, tasks: Vec::new() }; 4];
        Samples::new(vec![Grid::open(2, 2).unwrap()], problems, results, vec![0, 2, 1, 1]).unwrap()
    }

    #[test]
    fn the_bounds_are_those_of_the_results() {
        let (samples, all) = (samples(), [0, 1, 2, 3]);
        let worth = |selector: &mut dyn Selector| {
            selector.learn(&samples, &all, 1).unwrap();
            Worth::of(samples.results(), 1, &selector.choose(&samples, &all)).unwrap()
        };
        let bounds = worth(&mut SingleBest::default());
        assert_eq!((bounds.chosen, bounds.unbeaten), (bounds.single_best, 0.5));
        let [perfect, worst] = [worth(&mut Perfect), worth(&mut Worst)].map(|worth| worth.chosen);
        assert_eq!((perfect, worst), (bounds.perfect, bounds.worst));
    }

    #[test]
    fn the_single_best_candidate_depends_on_where_it_was_found() {
        let samples = samples();
        let mut prior = SingleBest::default();
        prior.learn(&samples, &[1], 0).unwrap();
        assert_eq!(prior.choose(&samples, &[0, 3]), [2, 2]);
        assert!(prior.learn(&samples, &[], 0).is_err());
    }

    #[test]
    fn random_choices_are_those_of_the_seed() {
        let samples = samples();
        let choices = |seed| {
            let mut random = Random::default();
            random.learn(&samples, &[], seed).unwrap();
            (0..30).flat_map(|_| random.choose(&samples, &[0, 1, 2, 3])).collect::<Vec<_>>()
        };
        assert_eq!(choices(1), choices(1));
        assert_ne!(choices(1), choices(2));
        let count = |one: usize| choices(1).iter().filter(|&&choice| choice == one).count();
        assert!((0..3).all(|candidate| count(candidate) > 20));
    }
}
