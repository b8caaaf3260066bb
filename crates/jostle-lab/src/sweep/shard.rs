//! A share of a sweep, for one machine of several.

use std::fmt;
use std::str::FromStr;

use jostle::formats::quoted;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Share `index` of `count`, from 1. All shares together are the whole sweep, and no run is in two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// The runs of this share among `runs`, in order.
    ///
    /// Runs are shuffled with a fixed seed and dealt out: the sizes of shares differ by at most one run, and
    /// slow runs are spread over all of them.
    pub fn share(self, runs: usize) -> Vec<usize> {
        let mut share: Vec<_> = self.deal(runs).collect();
        share.sort_unstable();
        share
    }

    /// Those of these runs, in order, that no other share contains.
    pub fn without_those_of(others: &[Self], runs: usize, mut share: Vec<usize>) -> Vec<usize> {
        let mut is_theirs = vec![false; if others.is_empty() { 0 } else { runs }];
        for run in others.iter().flat_map(|other| other.deal(runs)) {
            is_theirs[run] = true;
        }
        share.retain(|&run| !is_theirs.get(run).is_some_and(|&theirs| theirs));
        share
    }

    /// Whether a run can be in both of two shares: not if the sweep was split in the same way.
    pub const fn may_overlap(self, other: Self) -> bool {
        self.count != other.count
    }

    fn deal(self, runs: usize) -> impl Iterator<Item = usize> {
        let mut order: Vec<usize> = (0..runs).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(0));
        order.into_iter().skip(self.index - 1).step_by(self.count)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{} is not a shard: write 1/8 for the first of eight", quoted(text));
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.parse::<usize>().map_err(|_| wrong());
        let shard = Self { index: number(index)?, count: number(count)? };
        if (1..=shard.count).contains(&shard.index) { Ok(shard) } else { Err(wrong()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_even_and_make_the_whole() {
        let share = |index| Shard { index, count: 3 }.share(100);
        assert_eq!([1, 2, 3].map(|index| share(index).len()), [34, 33, 33]);
        let mut all: Vec<_> = [1, 2, 3].map(share).concat();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn shares_of_different_divisions_can_be_told_apart() {
        let [half, third] = ["1/2", "1/3"].map(|text| text.parse::<Shard>().unwrap());
        assert!(half.may_overlap(third) && !half.may_overlap("2/2".parse().unwrap()));
        let share = third.share(100);
        let left = Shard::without_those_of(&[half], 100, share.clone());
        assert!(!left.is_empty() && left.len() < share.len());
        let theirs = half.share(100);
        assert!(left.iter().all(|run| share.contains(run) && !theirs.contains(run)));
        assert_eq!(Shard::without_those_of(&[], 100, share.clone()), share);
    }

    #[test]
    fn a_periodic_property_of_runs_is_in_every_share() {
        // Every fourth run is slow, and there are four shares.
        for index in 1..=4 {
            let share = Shard { index, count: 4 }.share(400);
            let slow = share.iter().filter(|run| run.is_multiple_of(4)).count();
            assert!((15..=35).contains(&slow), "{slow} of 100");
        }
    }

    #[test]
    fn shards_are_read_as_they_are_written() {
        assert_eq!("3/8".parse::<Shard>().unwrap().to_string(), "3/8");
        for wrong in ["", "3", "0/8", "9/8", "1/0", "a/b", "-1/3", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
