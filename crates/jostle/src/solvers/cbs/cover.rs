//! The fewest agents of which at least one is in every pair.

/// The most pairs for which the exact number is computed. For more, a bound from below is enough.
const MOST_PAIRS: usize = 24;

/// The size of the smallest set of agents of which at least one is in every pair, or less if there are very many pairs.
pub fn least_cover(pairs: &[[u32; 2]]) -> u64 {
    let mut left = pairs.to_vec();
    let mut size = 0;
    // Pairs that share no agent, even through others, are independent.
    while let Some(&first) = left.first() {
        let mut group = vec![first];
        let mut members = first.to_vec();
        while let Some(next) = left
            .iter()
            .find(|pair| !group.contains(pair) && pair.iter().any(|agent| members.contains(agent)))
        {
            group.push(*next);
            members.extend(next);
        }
        left.retain(|pair| !group.contains(pair));
        size += if group.len() <= MOST_PAIRS { exact(&group) } else { disjoint(&group) };
    }
    size
}

/// One agent of the first pair has to be in the set.
fn exact(pairs: &[[u32; 2]]) -> u64 {
    let Some(&[one, other]) = pairs.first() else { return 0 };
    let without = |agent: u32| -> Vec<[u32; 2]> {
        pairs.iter().filter(|pair| !pair.contains(&agent)).copied().collect()
    };
    1 + exact(&without(one)).min(exact(&without(other)))
}

/// How many pairs can be picked that share no agent. Every one needs an agent of its own.
fn disjoint(pairs: &[[u32; 2]]) -> u64 {
    let mut used = Vec::new();
    for pair in pairs {
        if !pair.iter().any(|agent| used.contains(agent)) {
            used.extend(pair);
        }
    }
    used.len() as u64 / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_of_small_graphs() {
        assert_eq!(least_cover(&[]), 0);
        assert_eq!(least_cover(&[[0, 1]]), 1);
        assert_eq!(least_cover(&[[0, 1], [1, 2], [0, 2]]), 2, "a triangle");
        assert_eq!(least_cover(&[[0, 1], [0, 2], [0, 3], [0, 4]]), 1, "a star");
        assert_eq!(least_cover(&[[0, 1], [2, 3], [4, 5]]), 3);
        let all: Vec<[u32; 2]> = (0..12).flat_map(|a| (0..a).map(move |b| [b, a])).collect();
        assert_eq!(least_cover(&all), 6, "many pairs: a bound from below");
    }
}
