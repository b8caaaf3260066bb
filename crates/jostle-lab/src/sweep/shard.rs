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
        let mut order: Vec<usize> = (0..runs).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(0));
        let mut share: Vec<_> =
            order.into_iter().skip(self.index - 1).step_by(self.count).collect();
        share.sort_unstable();
        share
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
