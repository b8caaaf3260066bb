//! Problems to learn from, and problems to be tested on.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

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
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
    fn seeds_give_different_splits() {
        let splits = [1, 2].map(|seed| Split::by_problem(1169, 0.75, seed));
        assert_eq!(splits.each_ref().map(|split| split.train.len()), [877, 877]);
        assert_ne!(splits[0], splits[1]);
    }
}
