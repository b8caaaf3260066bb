//! Problems to learn from and to be tested on, with what every candidate achieves on them.

use std::sync::Arc;

use jostle::{Cell, Grid};

use crate::{Results, ResultsError};

/// A problem as a selector sees it, before anybody has moved: the floor, and a start and a goal for each agent. Where a selector chooses for
/// a whole map there are none.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// The floor.
    pub grid: &'a Grid,
    /// Starts and goals.
    pub tasks: &'a [(Cell, Cell)],
}

/// A problem on one of the maps of a set of [`Samples`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The number of its map.
    pub map: usize,
    /// Starts and goals; none where the choice is made for a whole map.
    pub tasks: Vec<(Cell, Cell)>,
}

/// Problems, and what every candidate achieves on each. Copies share the maps and the problems.
#[derive(Clone, Debug)]
pub struct Samples {
    grids: Arc<[Arc<Grid>]>,
    problems: Arc<[Sample]>,
    results: Results,
    best: Vec<usize>,
}

impl Samples {
    /// Problems on these maps, with the costs of all candidates. `best` is the best candidate for each problem: one of those that cost least,
    /// chosen by whatever else counts.
    ///
    /// # Errors
    /// When the numbers of problems differ, there is no candidate, or a best one is not a candidate.
    ///
    /// # Panics
    /// When a problem is on a map that is not there.
    pub fn new(
        grids: Vec<impl Into<Arc<Grid>>>,
        problems: Vec<Sample>,
        results: Results,
        best: Vec<usize>,
    ) -> Result<Self, ResultsError> {
        let grids = grids.into_iter().map(Into::into).collect();
        Self::of(grids, problems.into(), results, best)
    }

    /// The same problems with other candidates: their costs, and the best of them for each problem.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_candidates(
        &self,
        results: Results,
        best: Vec<usize>,
    ) -> Result<Self, ResultsError> {
        Self::of(Arc::clone(&self.grids), Arc::clone(&self.problems), results, best)
    }

    fn of(
        grids: Arc<[Arc<Grid>]>,
        problems: Arc<[Sample]>,
        results: Results,
        best: Vec<usize>,
    ) -> Result<Self, ResultsError> {
        assert!(problems.iter().all(|problem| problem.map < grids.len()), "every map is there");
        let expected = results.problems();
        if let Some(found) =
            [problems.len(), best.len()].into_iter().find(|&found| found != expected)
        {
            return Err(ResultsError::Problems { expected, found });
        }
        let candidates = results.candidates();
        if let Some(&candidate) = best.iter().find(|&&best| best >= candidates) {
            return Err(ResultsError::NoCandidate { candidate, candidates });
        }
        Ok(Self { grids, problems, results, best })
    }

    /// How many problems there are.
    pub fn len(&self) -> usize {
        self.problems.len()
    }

    /// Never: without a problem there are no results.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// What a selector may see of a problem.
    pub fn sight(&self, problem: usize) -> Sight<'_> {
        let Sample { map, tasks } = &self.problems[problem];
        Sight { grid: &self.grids[*map], tasks }
    }

    /// The number of the map of a problem.
    pub fn map(&self, problem: usize) -> usize {
        self.problems[problem].map
    }

    /// The number of the map of each problem.
    pub fn maps(&self) -> Vec<usize> {
        self.problems.iter().map(|problem| problem.map).collect()
    }

    /// What every candidate achieves on every problem.
    pub const fn results(&self) -> &Results {
        &self.results
    }

    /// The best candidate for each problem.
    pub fn best(&self) -> &[usize] {
        &self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_that_do_not_fit_their_results_are_refused() {
        let grid = Grid::open(3, 3).unwrap();
        let problem = Sample { map: 0, tasks: Vec::new() };
        let mut results = Results::of_problems(2).unwrap();
        results.add(&[1.0, 2.0]).unwrap();
        let samples = |problems: usize, best: &[usize]| {
            let problems = vec![problem.clone(); problems];
            Samples::new(vec![grid.clone()], problems, results.clone(), best.to_vec())
        };
        assert_eq!(samples(2, &[0, 0]).unwrap().len(), 2);
        let too_few = ResultsError::Problems { expected: 2, found: 1 };
        assert_eq!(samples(1, &[0, 0]).unwrap_err(), too_few);
        assert_eq!(samples(2, &[0]).unwrap_err(), too_few);
        let nobody = ResultsError::NoCandidate { candidate: 1, candidates: 1 };
        assert_eq!(samples(2, &[0, 1]).unwrap_err(), nobody);
    }
}
