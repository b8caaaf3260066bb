//! What selectors choose from.

use crate::{Portfolio, Results, Samples};

/// What there is to choose from. Whatever is found out for it comes from the problems that selectors learn from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Menu {
    /// All candidates.
    #[default]
    All,
    /// The members of a [greedy portfolio](Portfolio::greedy) of at most this many.
    Portfolio(usize),
    /// The labels of problems, for example the genre of a map. Who chooses a label gets the candidate that is best on average on the training
    /// problems with that label. Perfect is who always knows the label, not who always has the best candidate (the thesis's π* for
    /// genres and games).
    Labels {
        /// The number of the label of each problem.
        of: Vec<usize>,
        /// The names of labels.
        names: Vec<String>,
    },
}

/// What selectors choose from, once their training problems are known.
#[derive(Clone, Debug)]
pub struct Courses {
    /// The problems with these choices as candidates: what selectors learn from. The cost of a wrong label is 1, that of the right one 0.
    pub samples: Samples,
    /// For each choice, the candidate that it stands for.
    pub candidates: Vec<usize>,
    /// The candidate that is best on average, of all: what one takes without choosing.
    pub single_best: usize,
}

impl Menu {
    /// The choices, from what the training problems tell. The results of other problems do not change which they are.
    ///
    /// # Errors
    /// When there are no training problems, no candidates, or a problem has no label.
    pub fn courses(&self, samples: &Samples, train: &[usize]) -> Result<Courses, String> {
        let seen = samples.results().only(train).map_err(|error| error.to_string())?;
        let Some((single_best, _)) = seen.best() else {
            return Err("there is no candidate to choose from".to_owned());
        };
        let courses = |samples, candidates| Courses { samples, candidates, single_best };
        match self {
            Self::All => {
                let all = (0..seen.candidates()).collect();
                Ok(courses(samples.clone(), all))
            }
            Self::Portfolio(size) => {
                let members = Portfolio::greedy(&seen, *size).members;
                if members.is_empty() {
                    return Err("a portfolio has at least one member".to_owned());
                }
                let samples = of_members(samples, &members);
                Ok(courses(samples.map_err(|error| error.to_string())?, members))
            }
            Self::Labels { of, names } => {
                if of.len() != samples.len() || of.iter().any(|&label| label >= names.len()) {
                    return Err("a problem has no label".to_owned());
                }
                let best = |label: usize| {
                    let with: Vec<usize> =
                        train.iter().copied().filter(|&problem| of[problem] == label).collect();
                    let seen = samples.results().only(&with).ok();
                    // Nothing is known about a label that was never seen.
                    seen.and_then(|seen| seen.best()).map_or(single_best, |(best, _)| best)
                };
                let candidates = (0..names.len()).map(best).collect();
                let samples = of_labels(samples, of, names.len());
                Ok(courses(samples.map_err(|error| error.to_string())?, candidates))
            }
        }
    }
}

/// The same problems with some of the candidates. Where the best of all is not among them, it is the first that costs least.
fn of_members(samples: &Samples, members: &[usize]) -> Result<Samples, crate::ResultsError> {
    let results = samples.results().of_candidates(members)?;
    let best = |problem: usize| {
        let known = samples.best()[problem];
        let costs = (0..members.len()).map(|member| results.costs(member)[problem]);
        let first = crate::least(&costs.collect::<Vec<f32>>());
        members.iter().position(|&member| member == known).unwrap_or(first)
    };
    let best = (0..samples.len()).map(best).collect();
    samples.with_candidates(results, best)
}

/// The same problems with labels for candidates.
fn of_labels(
    samples: &Samples,
    of: &[usize],
    labels: usize,
) -> Result<Samples, crate::ResultsError> {
    let mut results = Results::of_problems(samples.len())?;
    for label in 0..labels {
        let cost = |&right: &usize| if right == label { 0.0 } else { 1.0 };
        results.add(&of.iter().map(cost).collect::<Vec<f32>>())?;
    }
    samples.with_candidates(results, of.to_vec())
}

#[cfg(test)]
mod tests {
    use jostle::Grid;

    use super::*;
    use crate::Sample;

    fn samples() -> Samples {
        let mut results = Results::of_problems(4).unwrap();
        results.add(&[5.0, 5.0, 5.0, 5.0]).unwrap();
        results.add(&[1.0, 9.0, 9.0, 0.0]).unwrap();
        results.add(&[9.0, 2.0, 9.0, 0.0]).unwrap();
        let problems = (0..4).map(|map| Sample { map, tasks: Vec::new() }).collect();
        let grids = vec![Grid::open(2, 2).unwrap(); 4];
        Samples::new(grids, problems, results, vec![1, 2, 0, 2]).unwrap()
    }

    #[test]
    fn a_portfolio_is_formed_where_selectors_learn() {
        // Without the last problem the first candidate is the best one, and the second one complements it.
        let courses = Menu::Portfolio(2).courses(&samples(), &[0, 1, 2]).unwrap();
        assert_eq!((courses.candidates, courses.single_best), (vec![0, 1], 0));
        let members = courses.samples;
        assert_eq!(members.results().costs(1), [1.0, 9.0, 9.0, 0.0]);
        // The best of all on the second and on the last problem is no member.
        assert_eq!(members.best(), [1, 0, 0, 1]);
        let courses = Menu::Portfolio(2).courses(&samples(), &[1]).unwrap();
        assert_eq!(courses.candidates, [2], "nothing gains on a single problem");
    }

    #[test]
    fn a_label_stands_for_the_candidate_that_is_best_where_it_was_seen() {
        let names = ["one", "two", "never"].map(str::to_owned).to_vec();
        let menu = Menu::Labels { of: vec![0, 1, 1, 2], names };
        let courses = menu.courses(&samples(), &[0, 1]).unwrap();
        // Over both, the third candidate costs 5.5 on average, and the first one 5.
        assert_eq!((courses.candidates, courses.single_best), (vec![1, 2, 0], 0));
        assert_eq!(courses.samples.best(), [0, 1, 1, 2]);
        assert_eq!(courses.samples.results().costs(1), [1.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn menus_without_a_choice_are_refused() {
        let refused = |menu: Menu, train: &[usize]| menu.courses(&samples(), train).unwrap_err();
        assert_eq!(refused(Menu::All, &[]), "there are no problems to compare candidates on");
        assert_eq!(refused(Menu::Portfolio(0), &[0]), "a portfolio has at least one member");
        let menu = Menu::Labels { of: vec![0; 3], names: vec!["one".to_owned()] };
        assert_eq!(refused(menu, &[0]), "a problem has no label");
    }
}
