//! The least that agents pay if each pair of some pairs has to pay something.

/// A pair of agents, and how much the two pay at least.
pub type Pair = ([u32; 2], u64);

/// The most pairs for which the exact number is computed. For more, a bound from below is enough.
const MOST_PAIRS: usize = 20;
/// How many ways of paying are tried before a bound from below has to do: where pairs have no plan at all, they would have to pay
/// more than can be counted up to.
const MOST_TRIES: u32 = 10_000;

/// The least sum of what agents pay, whole numbers, so that each pair pays as much as it has to; or less, if there are very
/// many pairs.
pub fn least_cover(pairs: &[Pair]) -> u64 {
    let mut left: Vec<Pair> = pairs.iter().copied().filter(|&(_, due)| due > 0).collect();
    let mut sum = 0;
    // Pairs that share no agent, even through others, are independent.
    while let Some(&first) = left.first() {
        let mut group = vec![first];
        let mut members = first.0.to_vec();
        while let Some(next) = left.iter().find(|pair| {
            !group.contains(pair) && pair.0.iter().any(|agent| members.contains(agent))
        }) {
            group.push(*next);
            members.extend(next.0);
        }
        left.retain(|pair| !group.contains(pair));
        sum += match group.len() {
            1 => group[0].1,
            2..=MOST_PAIRS => {
                exact(&group, u64::MAX, &mut { MOST_TRIES }).unwrap_or_else(|| disjoint(&group))
            }
            _ => disjoint(&group),
        };
    }
    sum
}

/// The exact sum, or anything from `most` on if it is not less than that; none after too many tries.
fn exact(pairs: &[Pair], most: u64, tries: &mut u32) -> Option<u64> {
    // The pair that pays the most: what one agent of it pays, the others need not pay.
    let Some(&([one, other], due)) = pairs.iter().max_by_key(|pair| pair.1) else {
        return Some(0);
    };
    let mut best = most;
    for paid in 0..=due {
        if due >= best {
            break;
        }
        *tries = tries.checked_sub(1)?;
        let rest = after(pairs, &[(one, paid), (other, due - paid)]);
        if due + disjoint(&rest) < best {
            best = best.min(due + exact(&rest, best - due, tries)?);
        }
    }
    Some(best)
}

/// What pairs have left to pay after agents have paid something.
fn after(pairs: &[Pair], paid: &[(u32, u64)]) -> Vec<Pair> {
    let due = |&(agents, due): &Pair| {
        let of_pair = paid.iter().filter(|(agent, _)| agents.contains(agent));
        (agents, of_pair.fold(due, |due, (_, paid)| due.saturating_sub(*paid)))
    };
    pairs.iter().map(due).filter(|&(_, due)| due > 0).collect()
}

/// The sum over pairs that share no agent: they all have to pay by themselves.
fn disjoint(pairs: &[Pair]) -> u64 {
    let mut sorted = pairs.to_vec();
    sorted.sort_unstable_by_key(|&(agents, due)| (std::cmp::Reverse(due), agents));
    let (mut used, mut sum) = (Vec::new(), 0);
    for (agents, due) in sorted {
        if !agents.iter().any(|agent| used.contains(agent)) {
            used.extend(agents);
            sum += due;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn pairs_that_have_no_plan_are_not_counted_up_to() {
        let much = 1 << 40;
        let pairs = [([0, 1], much), ([1, 2], much), ([2, 3], much)];
        assert_eq!(least_cover(&pairs), 2 * much, "a bound from below");
    }

    #[test]
    fn covers_of_small_graphs() {
        assert_eq!(least_cover(&[]), 0);
        assert_eq!(least_cover(&[([0, 1], 1)]), 1);
        assert_eq!(least_cover(&[([0, 1], 3)]), 3);
        let triangle = |due| [([0, 1], due), ([1, 2], due), ([0, 2], due)];
        assert_eq!(least_cover(&triangle(1)), 2);
        assert_eq!(least_cover(&triangle(2)), 3, "each pays 1");
        let star: Vec<Pair> = (1..5).map(|tip| ([0, tip], 1)).collect();
        assert_eq!(least_cover(&star), 1);
        assert_eq!(least_cover(&[([0, 1], 1), ([2, 3], 2), ([4, 5], 1)]), 4);
        let all: Vec<Pair> = (0..12).flat_map(|a| (0..a).map(move |b| ([b, a], 1))).collect();
        assert_eq!(least_cover(&all), 6, "many pairs: a bound from below");
    }

    /// Tries everything that agents could pay.
    fn plain(pairs: &[Pair], agents: u32, most: u64) -> u64 {
        let mut best = u64::MAX;
        for mut code in 0..(most + 1).pow(agents) {
            let mut paid = Vec::new();
            for agent in 0..agents {
                paid.push((agent, code % (most + 1)));
                code /= most + 1;
            }
            if after(pairs, &paid).is_empty() {
                best = best.min(paid.iter().map(|(_, paid)| paid).sum());
            }
        }
        best
    }

    #[test]
    fn covers_are_the_least_ones() {
        let mut dice = ChaCha8Rng::seed_from_u64(3);
        for _ in 0..300 {
            let pairs: Vec<Pair> = (0..5)
                .flat_map(|a| (0..a).map(move |b| [b, a]))
                .map(|pair| (pair, dice.random_range(0..4)))
                .filter(|&(_, due)| due > 0)
                .collect();
            assert_eq!(least_cover(&pairs), plain(&pairs, 5, 3), "{pairs:?}");
        }
    }
}
