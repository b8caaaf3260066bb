//! What a training knows of its problems: what the network sees of each, what candidates achieve, and which are set aside.

use std::sync::Arc;

use super::{Architecture, Training};
use crate::{Samples, Split};

/// The problems of a training.
#[derive(Debug)]
pub struct Problems<A: Architecture> {
    /// What the network sees of each. Trainings that are copies of each other share it.
    pub seen: Arc<Vec<A::Seen>>,
    /// The costs of all candidates for each.
    pub costs: Vec<Vec<f32>>,
    /// The best candidate for each.
    pub best: Vec<usize>,
    /// To learn from, and set aside.
    pub split: Split,
    /// Tells these problems from others.
    pub fingerprint: u64,
}

impl<A: Architecture> Clone for Problems<A> {
    fn clone(&self) -> Self {
        Self {
            seen: Arc::clone(&self.seen),
            costs: self.costs.clone(),
            best: self.best.clone(),
            split: self.split.clone(),
            fingerprint: self.fingerprint,
        }
    }
}

impl<A: Architecture> Problems<A> {
    /// Some of the samples.
    pub fn of(samples: &Samples, train: &[usize], training: &Training) -> Result<Self, String> {
        if train.is_empty() {
            return Err("there are no problems to learn from".to_owned());
        }
        let results = samples.results();
        if let Some(problem) = train.iter().find(|&&problem| problem >= results.problems()) {
            return Err(format!(
                "there is no problem {problem}: there are {} problems",
                results.problems()
            ));
        }
        let costs_of = |&problem: &usize| -> Vec<f32> {
            (0..results.candidates()).map(|one| results.costs(one)[problem]).collect()
        };
        let costs: Vec<Vec<f32>> = train.iter().map(costs_of).collect();
        if let Some(at) = costs.iter().position(|costs| !costs.iter().all(|cost| cost.is_finite()))
        {
            return Err(format!("a network cannot learn infinite costs: problem {}", train[at]));
        }
        let maps = samples.maps();
        let maps: Vec<usize> = train.iter().map(|&problem| maps[problem]).collect();
        let best: Vec<usize> = train.iter().map(|&problem| samples.best()[problem]).collect();
        let seen: Vec<A::Seen> =
            train.iter().map(|&problem| A::see(samples.sight(problem))).collect();
        let fingerprint = fingerprint(&maps, &costs, &best);
        let split = set_aside(&maps, training);
        Ok(Self { seen: Arc::new(seen), costs, best, split, fingerprint })
    }
}

/// Which problems are learned from, and which are set aside.
fn set_aside(maps: &[usize], training: &Training) -> Split {
    let share = 1.0 - training.validation;
    let is_useful = |split: &Split| !split.train.is_empty() && !split.test.is_empty();
    let by_map = training.validation_by_map.then(|| {
        // At least one map is set aside, where there are two.
        let count = distinct(maps) as f64;
        Split::by_group(maps, share.min((count - 1.0) / count), training.seed)
    });
    let all = || Split { train: (0..maps.len()).collect(), test: Vec::new() };
    if training.validation <= 0.0 {
        return all();
    }
    let by_problem = || Split::by_problem(maps.len(), share, training.seed);
    let split = by_map.filter(is_useful).unwrap_or_else(by_problem);
    if is_useful(&split) { split } else { all() }
}

fn distinct(maps: &[usize]) -> usize {
    let mut maps = maps.to_vec();
    maps.sort_unstable();
    maps.dedup();
    maps.len()
}

/// FNV-1a over maps, costs and best candidates.
fn fingerprint(maps: &[usize], costs: &[Vec<f32>], best: &[usize]) -> u64 {
    let numbers = maps.iter().chain(best).map(|&number| number as u64);
    let costs = costs.iter().flatten().map(|cost| u64::from(cost.to_bits()));
    numbers.chain(costs).flat_map(u64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_maps_are_set_aside_where_there_are_several() {
        let maps: Vec<usize> = (0..40).map(|at| at / 10).collect();
        let split = set_aside(&maps, &Training::default());
        assert_eq!((split.train.len(), split.test.len()), (30, 10));
        assert_eq!(distinct(&split.test.iter().map(|&at| maps[at]).collect::<Vec<_>>()), 1);
    }

    #[test]
    fn on_one_map_single_problems_are_set_aside() {
        let split = set_aside(&[7; 40], &Training::default());
        assert_eq!((split.train.len(), split.test.len()), (36, 4));
        assert!(set_aside(&[7], &Training::default()).test.is_empty());
        let none = Training { validation: 0.0, ..Training::default() };
        assert!(set_aside(&[1, 2, 3], &none).test.is_empty());
    }
}
