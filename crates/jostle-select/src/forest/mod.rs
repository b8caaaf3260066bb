//! A random forest: many trees on [`Features`], each grown on a draw of the problems, which predict the cost of every candidate.
//!
//! It is the baseline for every network: it learns in seconds, and knows nothing of a problem but a few numbers.
//!
//! Random forests are those of Breiman (2001), for regression with a vector in each leaf: the mean costs of all candidates. Every tree is
//! grown on as many problems as there are, drawn with replacement. At each node a random third of the features that differ among its
//! problems is looked at, and the split is taken that lowers the variance of the costs most, summed over candidates. A tree is not
//! pruned. Departures from the textbook, each of which can be switched off in [`ForestSettings`]: splits look at
//! [differences](ForestSettings::differences) between candidates, and a candidate that is not the best one has a small
//! [handicap](ForestSettings::handicap).
//!
//! It is our own because it is a few hundred lines: vector leaves are rare in libraries, the same seed must give the same bits on every
//! machine, and its [tensors](Forest::to_tensors) go into the same model files as those of networks.

mod grow;
mod tensors;
mod trees;

pub use tensors::{Tensor, TensorError};

use grow::{Growth, Table};
use trees::Trees;

use crate::{Features, Predict, Samples, Selector, Sight, least};

/// How a [`Forest`] is grown.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ForestSettings {
    /// The number of trees. More are never worse, but take more time and space: past 200, choices hardly change.
    pub trees: usize,
    /// The most splits from the root to a leaf.
    pub depth: usize,
    /// The fewest problems in a leaf.
    pub leaf: usize,
    /// Whether splits look at costs relative to the mean over candidates. Whether a problem is hard for all of them does not matter for the
    /// choice, but would take most splits.
    pub differences: bool,
    /// What is added to the cost of every candidate but the best one where splits are looked for and leaves are filled. Where several
    /// cost the same, it leads to the one that is [best](Samples::best) by what else counts. In units of cost; predictions are too high by
    /// at most this.
    pub handicap: f32,
}

impl Default for ForestSettings {
    fn default() -> Self {
        Self { trees: 200, depth: 24, leaf: 3, differences: true, handicap: 0.05 }
    }
}

/// A random forest that chooses candidates by the [`Features`] of a problem.
///
/// ```
/// use jostle::Grid;
/// use jostle_select::{Forest, Results, Sample, Samples, Selector};
///
/// // The first candidate is for small maps, the second one for large ones.
/// let grids: Vec<Grid> = (2..22).map(|side| Grid::open(side, side)).collect::<Result<_, _>>()?;
/// let problems = (0..20).map(|map| Sample { map, tasks: Vec::new() }).collect();
/// let is_large = |map: usize| if map < 10 { 0.0 } else { 1.0 };
/// let mut results = Results::of_problems(20)?;
/// results.add(&(0..20).map(is_large).collect::<Vec<f32>>())?;
/// results.add(&(0..20).map(|map| 1.0 - is_large(map)).collect::<Vec<f32>>())?;
/// let best = (0..20).map(|map| usize::from(map >= 10)).collect();
/// let samples = Samples::new(grids, problems, results, best)?;
///
/// let mut forest = Forest::default();
/// let train: Vec<usize> = (0..20).filter(|problem| problem % 4 != 1).collect();
/// forest.learn(&samples, &train, 1)?;
/// assert_eq!(forest.choose(&samples, &[1, 5, 13, 17]), [0, 0, 1, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Forest {
    settings: ForestSettings,
    trees: Trees,
}

impl Default for Forest {
    fn default() -> Self {
        Self::new(ForestSettings::default())
    }
}

impl Forest {
    /// A forest that has learned nothing yet.
    pub fn new(settings: ForestSettings) -> Self {
        Self { settings, trees: Trees::default() }
    }

    /// The number of candidates that it knows; none before it has learned.
    pub const fn candidates(&self) -> usize {
        self.trees.candidates
    }

    /// What it predicts for a problem with these features: none before it has learned.
    pub fn costs(&self, features: &Features) -> Vec<f32> {
        self.trees.mean(features.values())
    }
}

impl Selector for Forest {
    fn name(&self) -> &'static str {
        "forest"
    }

    fn learn(&mut self, samples: &Samples, train: &[usize], seed: u64) -> Result<(), String> {
        let results = samples.results().only(train).map_err(|error| error.to_string())?;
        let candidates = results.candidates();
        let mut costs = Vec::with_capacity(train.len() * candidates);
        for (at, &problem) in train.iter().enumerate() {
            let best = samples.best()[problem];
            costs.extend((0..candidates).map(|candidate| {
                let handicap = if candidate == best { 0.0 } else { self.settings.handicap };
                f64::from(results.costs(candidate)[at] + handicap)
            }));
        }
        let features: Vec<f32> =
            Features::of_all(samples, train).iter().flat_map(|one| *one.values()).collect();
        let table =
            Table { features: &features, costs: &costs, width: Features::COUNT, candidates };
        self.trees = Growth::new(table, self.settings, seed).trees();
        Ok(())
    }

    fn choose(&mut self, samples: &Samples, problems: &[usize]) -> Vec<usize> {
        let features = Features::of_all(samples, problems);
        features.iter().map(|features| least(&self.costs(features))).collect()
    }
}

impl Predict for Forest {
    fn predict(&mut self, sight: Sight<'_>) -> Vec<f32> {
        self.costs(&Features::of(sight))
    }
}

#[cfg(test)]
mod tests;
