//! What choosing is worth.

use crate::results::mean;
use crate::{Results, ResultsError};

/// What choices cost on a set of problems, between what can be had without choosing and what a perfect chooser would get.
///
/// ```
/// use jostle_select::{Results, Worth};
///
/// let mut results = Results::of_problems(4)?;
/// results.add(&[1.0, 1.0, 4.0, 4.0])?;
/// results.add(&[3.0, 3.0, 2.0, 2.0])?;
/// // Candidate 0 was the best one where the chooser was trained. It is right about three of four problems.
/// let worth = Worth::of(&results, 0, &[0, 0, 1, 0])?;
/// assert_eq!((worth.single_best, worth.chosen, worth.perfect), (2.5, 2.0, 1.5));
/// assert_eq!((worth.unbeaten, worth.gap_closed()), (0.75, Some(0.5)));
/// # Ok::<(), jostle_select::ResultsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Worth {
    /// The mean cost of what was chosen.
    pub chosen: f64,
    /// The mean cost of the candidate that is best on average, where that was found out: on the training problems.
    pub single_best: f64,
    /// The mean cost if the best candidate is chosen for every problem.
    pub perfect: f64,
    /// The mean cost if the worst one is.
    pub worst: f64,
    /// The share of problems for which no candidate costs less than the chosen one. Of two that cost the same, either is right: an
    /// [accuracy](crate::Score::accuracy) counts only the best one.
    pub unbeaten: f64,
}

impl Worth {
    /// What the choices of candidates, one for each problem, are worth. `single_best` is the candidate that one would take without
    /// choosing.
    ///
    /// # Errors
    /// When there are more or fewer choices than problems, or one is not a candidate.
    pub fn of(
        results: &Results,
        single_best: usize,
        choices: &[usize],
    ) -> Result<Self, ResultsError> {
        if choices.len() != results.problems() {
            let (expected, found) = (results.problems(), choices.len());
            return Err(ResultsError::Problems { expected, found });
        }
        let candidates = results.candidates();
        let mut all = choices.iter().copied().chain([single_best]);
        if let Some(candidate) = all.find(|&candidate| candidate >= candidates) {
            return Err(ResultsError::NoCandidate { candidate, candidates });
        }
        let best = |problem: usize| {
            let costs = (0..candidates).map(|candidate| results.costs(candidate)[problem]);
            costs.fold(f32::INFINITY, f32::min)
        };
        let costs: Vec<f32> =
            choices.iter().enumerate().map(|(at, &choice)| results.costs(choice)[at]).collect();
        let right = costs.iter().enumerate().filter(|&(at, &cost)| cost <= best(at)).count();
        let none = ResultsError::NoCandidate { candidate: single_best, candidates };
        Ok(Self {
            unbeaten: right as f64 / costs.len() as f64,
            chosen: mean(costs.into_iter()),
            single_best: results.mean(single_best),
            perfect: results.perfect().ok_or(none)?,
            worst: results.worst().ok_or(none)?,
        })
    }

    /// What a perfect chooser gains over the single best candidate.
    pub const fn gap(&self) -> f64 {
        self.single_best - self.perfect
    }

    /// What the choices gain over the single best candidate; negative if they lose.
    pub const fn gain(&self) -> f64 {
        self.single_best - self.chosen
    }

    /// How much of the gap between the single best candidate and the perfect choice is closed: 1 is perfect, 0 is no better than not to
    /// choose. None if there is no gap.
    pub fn gap_closed(&self) -> Option<f64> {
        (self.gap() > 0.0).then(|| self.gain() / self.gap())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Results {
        let mut results = Results::of_problems(3).unwrap();
        results.add(&[1.0, 5.0, 2.0]).unwrap();
        results.add(&[4.0, 2.0, 2.0]).unwrap();
        results
    }

    #[test]
    fn a_perfect_chooser_closes_the_gap_and_a_bad_one_widens_it() {
        let perfect = Worth::of(&table(), 1, &[0, 1, 1]).unwrap();
        assert_eq!((perfect.unbeaten, perfect.gap_closed()), (1.0, Some(1.0)));
        // Of two that are as good, either is right.
        assert_eq!(Worth::of(&table(), 1, &[0, 1, 0]).unwrap(), perfect);
        let bad = Worth::of(&table(), 1, &[1, 0, 0]).unwrap();
        assert_eq!((bad.chosen, bad.worst), (11.0 / 3.0, 11.0 / 3.0));
        assert!(bad.gap_closed().unwrap() < 0.0);
    }

    #[test]
    fn where_one_candidate_is_always_best_there_is_no_gap() {
        let mut results = Results::of_problems(2).unwrap();
        results.add(&[1.0, 1.0]).unwrap();
        results.add(&[2.0, 1.0]).unwrap();
        assert_eq!(Worth::of(&results, 0, &[0, 1]).unwrap().gap_closed(), None);
    }

    #[test]
    fn choices_that_make_no_sense_are_refused() {
        let refused = |single_best, choices: &[usize]| {
            Worth::of(&table(), single_best, choices).unwrap_err().to_string()
        };
        assert_eq!(refused(0, &[0]), "a candidate has 1 results, but there are 3 problems");
        assert_eq!(refused(0, &[0, 2, 0]), "there is no candidate 2: there are 2 candidates");
        assert_eq!(refused(7, &[0, 1, 0]), "there is no candidate 7: there are 2 candidates");
    }
}
