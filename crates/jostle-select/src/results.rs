//! What every candidate achieves on every problem.

use std::fmt;

/// The cost of every candidate on every problem: less is better. Of what should be large, as a completion rate, take the negative.
///
/// ```
/// use jostle_select::Results;
///
/// let mut results = Results::of_problems(3)?;
/// results.add(&[1.0, 4.0, 2.0])?;
/// results.add(&[2.0, 1.0, 2.0])?;
/// assert_eq!(results.best(), Some((1, 5.0 / 3.0)));
/// assert_eq!(results.perfect(), Some(4.0 / 3.0));
/// # Ok::<(), jostle_select::ResultsError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    problems: usize,
    /// One candidate after the other.
    costs: Vec<f32>,
}

/// Results that make no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ResultsError {
    /// There is no problem.
    NoProblems,
    /// A candidate has results for another number of problems.
    Problems {
        /// How many it should be.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// A cost is not a number.
    NotANumber {
        /// On this problem.
        problem: usize,
    },
    /// There is no problem of that number.
    NoProblem {
        /// The number.
        problem: usize,
        /// How many problems there are.
        problems: usize,
    },
    /// A choice is not a candidate.
    NoCandidate {
        /// What was chosen.
        candidate: usize,
        /// How many candidates there are.
        candidates: usize,
    },
    /// There are groups for another number of problems.
    Groups {
        /// How many problems have a group.
        found: usize,
        /// How many problems there are.
        expected: usize,
    },
}

impl fmt::Display for ResultsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoProblems => write!(f, "there are no problems to compare candidates on"),
            Self::Problems { expected, found } => {
                write!(f, "a candidate has {found} results, but there are {expected} problems")
            }
            Self::NotANumber { problem } => {
                write!(f, "the result on problem {problem} is not a number")
            }
            Self::NoProblem { problem, problems } => {
                write!(f, "there is no problem {problem}: there are {problems} problems")
            }
            Self::NoCandidate { candidate, candidates } => {
                write!(f, "there is no candidate {candidate}: there are {candidates} candidates")
            }
            Self::Groups { found, expected } => {
                write!(f, "{found} problems have a group, but there are {expected} problems")
            }
        }
    }
}

impl std::error::Error for ResultsError {}

impl Results {
    /// No candidates yet, for so many problems.
    ///
    /// # Errors
    /// When there are no problems.
    pub const fn of_problems(problems: usize) -> Result<Self, ResultsError> {
        if problems == 0 {
            return Err(ResultsError::NoProblems);
        }
        Ok(Self { problems, costs: Vec::new() })
    }

    /// Adds a candidate with its costs, one for each problem.
    ///
    /// # Errors
    /// When there are more or fewer costs than problems, or one is not a number.
    pub fn add(&mut self, costs: &[f32]) -> Result<(), ResultsError> {
        if costs.len() != self.problems {
            let (expected, found) = (self.problems, costs.len());
            return Err(ResultsError::Problems { expected, found });
        }
        if let Some(problem) = costs.iter().position(|cost| cost.is_nan()) {
            return Err(ResultsError::NotANumber { problem });
        }
        self.costs.extend_from_slice(costs);
        Ok(())
    }

    /// How many problems there are.
    pub const fn problems(&self) -> usize {
        self.problems
    }

    /// How many candidates there are.
    pub const fn candidates(&self) -> usize {
        self.costs.len() / self.problems
    }

    /// The costs of a candidate, problem by problem.
    pub fn costs(&self, candidate: usize) -> &[f32] {
        &self.costs[candidate * self.problems..(candidate + 1) * self.problems]
    }

    /// The mean cost of a candidate.
    pub fn mean(&self, candidate: usize) -> f64 {
        mean(self.costs(candidate).iter().copied())
    }

    /// The single best candidate, and its mean cost: what one takes who does not choose (the prior).
    pub fn best(&self) -> Option<(usize, f64)> {
        let means = (0..self.candidates()).map(|candidate| (candidate, self.mean(candidate)));
        means.min_by(|one, other| one.1.total_cmp(&other.1))
    }

    /// The mean cost if the best candidate is chosen for every problem.
    pub fn perfect(&self) -> Option<f64> {
        self.over_candidates(f32::min)
    }

    /// The mean cost if the worst candidate is chosen for every problem.
    pub fn worst(&self) -> Option<f64> {
        self.over_candidates(f32::max)
    }

    fn over_candidates(&self, choose: impl Fn(f32, f32) -> f32) -> Option<f64> {
        let mut chosen = self.costs.get(..self.problems)?.to_vec();
        for candidate in 1..self.candidates() {
            let costs = chosen.iter_mut().zip(self.costs(candidate));
            costs.for_each(|(chosen, &cost)| *chosen = choose(*chosen, cost));
        }
        Some(mean(chosen.into_iter()))
    }

    /// The same candidates on some of the problems, which are named by their numbers.
    ///
    /// # Errors
    /// When there are none, or there is no such problem.
    pub fn only(&self, problems: &[usize]) -> Result<Self, ResultsError> {
        let count = self.problems;
        if let Some(&problem) = problems.iter().find(|&&problem| problem >= count) {
            return Err(ResultsError::NoProblem { problem, problems: count });
        }
        let mut some = Self::of_problems(problems.len())?;
        for candidate in 0..self.candidates() {
            let costs = self.costs(candidate);
            some.costs.extend(problems.iter().map(|&problem| costs[problem]));
        }
        Ok(some)
    }

    /// Some of the candidates, which are named by their numbers, on the same problems.
    ///
    /// # Errors
    /// When there is no such candidate.
    pub fn of_candidates(&self, some: &[usize]) -> Result<Self, ResultsError> {
        let candidates = self.candidates();
        if let Some(&candidate) = some.iter().find(|&&candidate| candidate >= candidates) {
            return Err(ResultsError::NoCandidate { candidate, candidates });
        }
        let costs = some.iter().flat_map(|&candidate| self.costs(candidate)).copied().collect();
        Ok(Self { problems: self.problems, costs })
    }

    /// The same candidates on groups of problems, for example all problems of a map: the cost on a group is the mean over its problems.
    /// `group` has the number of each problem's group; groups without a problem are left out.
    ///
    /// # Errors
    /// When there are more or fewer numbers than problems.
    pub fn grouped(&self, group: &[usize]) -> Result<Self, ResultsError> {
        if group.len() != self.problems {
            return Err(ResultsError::Groups { found: group.len(), expected: self.problems });
        }
        let most = group.iter().max().map_or(0, |most| most + 1);
        let mut sizes = vec![0_u32; most];
        for &group in group {
            sizes[group] += 1;
        }
        let mut grouped = Self::of_problems(sizes.iter().filter(|&&size| size > 0).count())?;
        for candidate in 0..self.candidates() {
            let mut sums = vec![0.0; most];
            for (&group, &cost) in group.iter().zip(self.costs(candidate)) {
                sums[group] += f64::from(cost);
            }
            let means = sums.iter().zip(&sizes).filter(|&(_, &size)| size > 0);
            let means = means.map(|(sum, &size)| (sum / f64::from(size)) as f32);
            grouped.costs.extend(means);
        }
        Ok(grouped)
    }
}

/// The mean of costs, of which there is at least one.
pub fn mean(costs: impl ExactSizeIterator<Item = f32>) -> f64 {
    let count = costs.len();
    costs.map(f64::from).sum::<f64>() / count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Results {
        let mut results = Results::of_problems(4).unwrap();
        results.add(&[1.0, 2.0, 9.0, 4.0]).unwrap();
        results.add(&[3.0, 1.0, 2.0, 4.0]).unwrap();
        results
    }

    #[test]
    fn the_best_the_perfect_and_the_worst_choice() {
        let results = table();
        assert_eq!(results.best(), Some((1, 2.5)));
        assert_eq!(results.perfect(), Some(2.0));
        assert_eq!(results.worst(), Some((3.0 + 2.0 + 9.0 + 4.0) / 4.0));
        let nobody = Results::of_problems(2).unwrap();
        assert_eq!((nobody.best(), nobody.perfect(), nobody.worst()), (None, None, None));
    }

    #[test]
    fn groups_have_the_mean_of_their_problems() {
        let grouped = table().grouped(&[0, 2, 2, 0]).unwrap();
        assert_eq!(grouped.problems(), 2);
        assert_eq!(grouped.costs(0), [2.5, 5.5]);
        assert_eq!(grouped.costs(1), [3.5, 1.5]);
    }

    #[test]
    fn some_problems_keep_their_costs() {
        let some = table().only(&[3, 1]).unwrap();
        assert_eq!((some.costs(0), some.costs(1)), (&[4.0, 2.0][..], &[4.0, 1.0][..]));
        assert_eq!(table().only(&[]), Err(ResultsError::NoProblems));
        let unknown = ResultsError::NoProblem { problem: 4, problems: 4 };
        assert_eq!(table().only(&[4]), Err(unknown));
    }

    #[test]
    fn some_candidates_keep_their_costs() {
        let turned = table().of_candidates(&[1, 0]).unwrap();
        assert_eq!((turned.costs(0), turned.costs(1)), (table().costs(1), table().costs(0)));
        let unknown = ResultsError::NoCandidate { candidate: 2, candidates: 2 };
        assert_eq!(table().of_candidates(&[0, 2]), Err(unknown));
    }

    #[test]
    fn what_makes_no_table_is_refused() {
        assert_eq!(Results::of_problems(0), Err(ResultsError::NoProblems));
        let mut results = table();
        let too_few = ResultsError::Problems { expected: 4, found: 1 };
        assert_eq!(results.add(&[1.0]), Err(too_few));
        let unknown = ResultsError::NotANumber { problem: 2 };
        assert_eq!(results.add(&[1.0, 1.0, f32::NAN, 1.0]), Err(unknown));
        assert_eq!(results, table());
        assert!(results.grouped(&[0, 1]).is_err());
    }
}
