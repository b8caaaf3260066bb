//! A few candidates that are worth choosing from.

use crate::Results;
use crate::results::mean;

/// Candidates that complement each other, the most useful one first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Portfolio {
    /// The candidates, by number.
    pub members: Vec<usize>,
    /// The mean cost if the best of the first member is chosen for every problem, of the first two, and so on.
    pub values: Vec<f64>,
}

impl Portfolio {
    /// Greedy formation (Algorithm 2 of Sigurdson's thesis, 2018): takes the candidate with which the portfolio gains most if the best
    /// member is chosen for every problem, again and again, until it has `size` members or none of the others would gain anything. Of
    /// equals, the first one is taken.
    ///
    /// Takes time in proportion to `size`, the candidates and the problems.
    ///
    /// ```
    /// use jostle_select::{Portfolio, Results};
    ///
    /// let mut results = Results::of_problems(2)?;
    /// results.add(&[5.0, 5.0])?;
    /// results.add(&[1.0, 10.0])?;
    /// results.add(&[10.0, 2.0])?;
    /// // The first one is the best of all on average, but then the others complement it.
    /// let portfolio = Portfolio::greedy(&results, 3);
    /// assert_eq!(portfolio.members, [0, 1, 2]);
    /// assert_eq!(portfolio.values, [5.0, 3.0, 1.5]);
    /// # Ok::<(), jostle_select::ResultsError>(())
    /// ```
    pub fn greedy(results: &Results, size: usize) -> Self {
        let mut portfolio = Self::default();
        // The cost of the best member on each problem.
        let mut least = vec![f32::INFINITY; results.problems()];
        while portfolio.members.len() < size {
            let with = |candidate: usize| {
                let costs = least.iter().zip(results.costs(candidate));
                (candidate, mean(costs.map(|(&least, &cost)| least.min(cost))))
            };
            let values = (0..results.candidates()).map(with);
            let best = values.min_by(|one, other| one.1.total_cmp(&other.1));
            let before = portfolio.values.last().copied();
            let Some((best, value)) = best.filter(|best| before.is_none_or(|value| best.1 < value))
            else {
                break;
            };
            portfolio.members.push(best);
            portfolio.values.push(value);
            let costs = least.iter_mut().zip(results.costs(best));
            costs.for_each(|(least, &cost)| *least = least.min(cost));
        }
        portfolio
    }

    /// The [values](Self::values) on other problems: the mean cost there if the best of the first member is chosen for every problem, of the
    /// first two, and so on. The candidates must be the same.
    pub fn values_on(&self, results: &Results) -> Vec<f64> {
        let mut least = vec![f32::INFINITY; results.problems()];
        let value = |&member: &usize| {
            let costs = least.iter_mut().zip(results.costs(member));
            costs.for_each(|(least, &cost)| *least = least.min(cost));
            mean(least.iter().copied())
        };
        self.members.iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn table(rows: &[Vec<f32>]) -> Results {
        let mut results = Results::of_problems(rows[0].len()).unwrap();
        for row in rows {
            results.add(row).unwrap();
        }
        results
    }

    #[test]
    fn it_stops_when_nobody_gains_anything() {
        let results = table(&[vec![1.0, 1.0], vec![1.0, 2.0], vec![3.0, 1.0]]);
        let portfolio = Portfolio::greedy(&results, 3);
        assert_eq!((portfolio.members, portfolio.values), (vec![0], vec![1.0]));
    }

    #[test]
    fn nobody_makes_no_portfolio() {
        let nobody = Results::of_problems(3).unwrap();
        assert_eq!(Portfolio::greedy(&nobody, 2), Portfolio::default());
        assert_eq!(Portfolio::greedy(&table(&[vec![1.0]]), 0), Portfolio::default());
    }

    proptest! {
        /// Each member is the one with which the portfolio costs least, by trying all of them.
        #[test]
        fn every_member_is_the_best_one_to_add(
            rows in (1usize..6, 1usize..8).prop_flat_map(|(candidates, problems)| {
                let row = prop::collection::vec((0u8..20).prop_map(f32::from), problems);
                prop::collection::vec(row, candidates)
            }),
            size in 0usize..7,
        ) {
            let results = table(&rows);
            let portfolio = Portfolio::greedy(&results, size);
            let value = |members: &[usize]| {
                let least = |problem: usize| {
                    members.iter().map(|&m| rows[m][problem]).fold(f32::INFINITY, f32::min)
                };
                (0..rows[0].len()).map(|p| f64::from(least(p))).sum::<f64>() / rows[0].len() as f64
            };
            let mut members = Vec::new();
            for (&member, &known) in portfolio.members.iter().zip(&portfolio.values) {
                let tried: Vec<f64> =
                    (0..rows.len()).map(|c| value(&[&members[..], &[c]].concat())).collect();
                let least = tried.iter().copied().fold(f64::INFINITY, f64::min);
                prop_assert_eq!(tried.iter().position(|&v| v <= least), Some(member));
                prop_assert!((known - least).abs() < 1e-9);
                members.push(member);
            }
            let ends_early = members.len() < size;
            let gains = (0..rows.len()).any(|c| value(&[&members[..], &[c]].concat()) < value(&members));
            prop_assert!(!ends_early || members.len() == rows.len() || !gains);
            prop_assert_eq!(portfolio.values_on(&results), portfolio.values.clone());
            prop_assert!(portfolio.values.windows(2).all(|pair| pair[1] < pair[0]));
        }
    }
}
