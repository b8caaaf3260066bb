//! Problems to learn from, and problems to be tested on.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::Samples;

/// The numbers of the problems on either side, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Split {
    /// Those to learn from.
    pub train: Vec<usize>,
    /// Those to be tested on.
    pub test: Vec<usize>,
}

impl Split {
    /// Splits problems at random such that all of one group, for example of one map, are on the same side. What is learned about a
    /// map is worth nothing on maps that were never seen, so a split that tears maps apart flatters. `share` of the groups, rounded to
    /// the nearest number, are to learn from. The same arguments give the same split everywhere.
    ///
    /// ```
    /// use jostle_select::Split;
    ///
    /// let map_of_problem = [0, 0, 1, 1, 2, 2, 3, 3];
    /// let split = Split::by_group(&map_of_problem, 0.75, 1);
    /// assert_eq!((split.train.len(), split.test.len()), (6, 2));
    /// assert_eq!(map_of_problem[split.test[0]], map_of_problem[split.test[1]]);
    /// ```
    pub fn by_group(group: &[usize], share: f64, seed: u64) -> Self {
        let mut groups = group.to_vec();
        groups.sort_unstable();
        groups.dedup();
        groups.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        let count = (groups.len() as f64 * share.clamp(0.0, 1.0)).round() as usize;
        let mut learned = groups[..count].to_vec();
        learned.sort_unstable();
        let is_learned = |problem: &usize| learned.binary_search(&group[*problem]).is_ok();
        let (train, test) = (0..group.len()).partition(is_learned);
        Self { train, test }
    }

    /// Splits problems one by one at random, whatever groups they belong to.
    pub fn by_problem(problems: usize, share: f64, seed: u64) -> Self {
        let each: Vec<usize> = (0..problems).collect();
        Self::by_group(&each, share, seed)
    }

    /// Whether both sides have problems, of which there are so many, and none is on both.
    ///
    /// # Errors
    /// When not: one sentence.
    pub fn check(&self, problems: usize) -> Result<(), String> {
        let Self { train, test } = self;
        if train.is_empty() {
            return Err("there is no problem to learn from".to_owned());
        }
        if test.is_empty() {
            return Err("there is no problem to be tested on".to_owned());
        }
        let mut is_learned = vec![false; problems];
        for &problem in train.iter().chain(test) {
            if problem >= problems {
                return Err(format!(
                    "there is no problem {problem}: there are {problems} problems"
                ));
            }
        }
        for &problem in train {
            is_learned[problem] = true;
        }
        match test.iter().find(|&&problem| is_learned[problem]) {
            Some(problem) => Err(format!("problem {problem} is to learn from and to be tested on")),
            None => Ok(()),
        }
    }
}

/// What stays together when problems are split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SplitBy {
    /// Nothing: problems of one map are on both sides, as in the thesis's experiments with many agents. What is learned about a map helps on the
    /// other side.
    Problem,
    /// All problems of a map: selectors are tested on maps that they have never seen.
    Map,
}

impl SplitBy {
    /// So many splits, of which `share` is to learn from. The seeds of splits follow one another.
    ///
    /// # Errors
    /// When there are too few problems or maps for two sides: one sentence.
    pub fn splits(
        self,
        samples: &Samples,
        count: usize,
        share: f64,
        seed: u64,
    ) -> Result<Vec<Split>, String> {
        let (group, what) = match self {
            Self::Problem => ((0..samples.len()).collect(), "problem"),
            Self::Map => (samples.maps(), "map"),
        };
        let mut groups: Vec<usize> = group.clone();
        groups.sort_unstable();
        groups.dedup();
        if groups.len() < 2 {
            return Err(format!("there is one {what} only: selectors cannot be tested on others"));
        }
        let seeds = (0..count as u64).map(|number| seed.wrapping_add(number));
        let splits: Vec<Split> = seeds.map(|seed| Split::by_group(&group, share, seed)).collect();
        for split in &splits {
            split.check(samples.len()).map_err(|reason| {
                let groups = groups.len();
                format!(
                    "{reason}: there are {groups} {what}s, and a share of {share} is to learn from"
                )
            })?;
        }
        Ok(splits)
    }
}

#[cfg(test)]
mod tests {
    use jostle::Grid;
    use proptest::prelude::*;

    use super::*;
    use crate::{Results, Sample};

    proptest! {
        #[test]
        fn every_problem_is_on_one_side_and_every_group_too(
            group in prop::collection::vec(0usize..9, 0..60),
            share in 0.0f64..=1.0,
            seed in any::<u64>(),
        ) {
            let split = Split::by_group(&group, share, seed);
            let mut all = [&split.train[..], &split.test[..]].concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..group.len()).collect::<Vec<_>>());
            for &learned in &split.train {
                prop_assert!(split.test.iter().all(|&tested| group[tested] != group[learned]));
            }
            let count = |side: &[usize]| {
                let mut groups: Vec<usize> = side.iter().map(|&problem| group[problem]).collect();
                groups.sort_unstable();
                groups.dedup();
                groups.len()
            };
            let (learned, tested) = (count(&split.train), count(&split.test));
            let expected = ((learned + tested) as f64 * share).round() as usize;
            prop_assert_eq!(learned, expected);
            prop_assert_eq!(Split::by_group(&group, share, seed), split);
        }
    }

    #[test]
    fn splits_that_leave_a_side_empty_are_refused() {
        let samples = |maps: usize| {
            let mut results = Results::of_problems(6).unwrap();
            results.add(&[1.0; 6]).unwrap();
            let problem = |n| Sample { map: n % maps, tasks: Vec::new() };
            let grids = vec![Grid::open(2, 2).unwrap(); maps];
            Samples::new(grids, (0..6).map(problem).collect(), results, vec![0; 6]).unwrap()
        };
        let splits = SplitBy::Map.splits(&samples(3), 4, 0.7, 1).unwrap();
        assert!(splits.iter().all(|split| split.train.len() == 4));
        assert_eq!(SplitBy::Problem.splits(&samples(1), 1, 0.7, 9).unwrap()[0].train.len(), 4);
        let refused = |maps, share| SplitBy::Map.splits(&samples(maps), 1, share, 1).unwrap_err();
        assert_eq!(refused(1, 0.7), "there is one map only: selectors cannot be tested on others");
        assert_eq!(
            refused(3, 0.9),
            "there is no problem to be tested on: there are 3 maps, and a share of 0.9 is to learn from"
        );
        assert!(refused(3, 0.0).starts_with("there is no problem to learn from"));
        let wrong = |train: &[usize], test: &[usize]| {
            Split { train: train.to_vec(), test: test.to_vec() }.check(3).unwrap_err()
        };
        assert_eq!(wrong(&[0], &[3]), "there is no problem 3: there are 3 problems");
        assert_eq!(wrong(&[0, 1], &[2, 1]), "problem 1 is to learn from and to be tested on");
    }

    #[test]
    fn seeds_give_different_splits() {
        let splits = [1, 2].map(|seed| Split::by_problem(1169, 0.75, seed));
        assert_eq!(splits.each_ref().map(|split| split.train.len()), [877, 877]);
        assert_ne!(splits[0], splits[1]);
    }
}
