//! What selectors are worth, over several splits of the problems.

use crate::results::mean;
use crate::{Courses, Menu, Results, Samples, Selector, Split, Worth, least};

/// Something else that a choice brings about, beside the cost that selectors are to keep low.
#[derive(Clone, PartialEq, Debug)]
pub struct Measure {
    /// What tables call it, with its unit.
    pub name: String,
    /// Its value for every candidate on every problem.
    pub results: Results,
    /// The number of decimals in tables.
    pub digits: usize,
}

/// Problems by what they have in common, for example how their agents were drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Groups {
    /// The number of each problem's group; none if problems are in no groups.
    pub of: Vec<usize>,
    /// The names of groups.
    pub names: Vec<String>,
}

/// How selectors are to be evaluated: the same for all of them.
///
/// ```
/// use jostle::Grid;
/// use jostle_select::{Forest, Results, Sample, Samples, SplitBy, Trial};
///
/// // The second candidate is better on wide maps.
/// let grids: Vec<Grid> = (2..42).map(|side| Grid::open(side, 5)).collect::<Result<_, _>>()?;
/// let problems = (0..40).map(|map| Sample { map, tasks: Vec::new() }).collect();
/// let mut results = Results::of_problems(40)?;
/// results.add(&[1.0; 40])?;
/// results.add(&(0..40).map(|map| if map < 20 { 2.0 } else { 0.0 }).collect::<Vec<f32>>())?;
/// let best = (0..40).map(|map| usize::from(map >= 20)).collect();
/// let samples = Samples::new(grids, problems, results, best)?;
///
/// let splits = SplitBy::Map.splits(&samples, 5, 0.75, 1)?;
/// let trial = Trial::new(&samples, &splits);
/// let evaluation = trial.evaluate(&mut [Box::new(Forest::default())], &mut |_| ())?;
/// let forest = evaluation.row("forest").unwrap();
/// assert!(forest.gap_closed().unwrap() > 0.9);
/// assert_eq!(evaluation.splits_won(forest), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trial<'a> {
    /// The problems, and what every candidate achieves on them.
    pub samples: &'a Samples,
    /// What there is to choose from.
    pub menu: Menu,
    /// What selectors learn from, and what they are tested on.
    pub splits: &'a [Split],
    /// What else to report.
    pub measures: &'a [Measure],
    /// Groups of problems to report one by one.
    pub groups: &'a Groups,
}

/// A selector is about to learn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step<'a> {
    /// Its name.
    pub selector: &'a str,
    /// The number of the split, from 0.
    pub split: usize,
    /// How many times selectors have learned.
    pub done: usize,
    /// How many times they will in all.
    pub of: usize,
}

/// What choices have brought about on the test problems of one split.
#[derive(Clone, PartialEq, Debug)]
pub struct Score {
    /// Their costs, and the bounds. [`Worth::perfect`] is the mean cost of the best choice of [`Samples::best`].
    pub worth: Worth,
    /// The share of choices that are the best one of [`Samples::best`]: where two cost the same, only one is. None for a candidate that was
    /// not among the choices.
    pub accuracy: Option<f64>,
    /// How often each choice was made; nothing for a candidate that was not among them.
    pub chosen: Vec<usize>,
    /// The mean of each measure.
    pub measures: Vec<f64>,
    /// The mean cost in each group; none where it has no test problem.
    pub groups: Vec<Option<f64>>,
}

/// One line of a table: a selector, or what selectors are compared with.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub role: Role,
    /// Its scores, split by split.
    pub scores: Vec<Score>,
}

/// What makes the choices of a [`Row`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Always the best choice: the upper bound.
    Perfect,
    /// A selector.
    Selector,
    /// The candidate that is best on average on the training problems: the prior. It may be another one on each split.
    SingleBest,
    /// Always the same candidate, by its number.
    Always(usize),
    /// Always a choice that costs most: the lower bound.
    Worst,
}

/// What selectors and bounds are worth over all splits of a [`Trial`]. Everything that is learned or compared with, the single best candidate
/// among it, comes from the training side of a split, and every number from its test side.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// The best choice first, then the selectors in their order, the single best candidate, every candidate if all are on the menu, and the
    /// worst choice.
    pub rows: Vec<Row>,
    /// How often each choice was the best one, split by split.
    pub best: Vec<Vec<usize>>,
    /// The numbers of training and of test problems, split by split.
    pub sizes: Vec<(usize, usize)>,
    /// What a reader should know, each a sentence without its full stop.
    pub notes: Vec<String>,
}

/// A mean over splits, and the standard deviation between them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation, by one less than the number of splits; 0 for a single split.
    pub deviation: f64,
}

impl Spread {
    /// The spread of values; none without any.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let values: Vec<f64> = values.into_iter().collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (squares / (count - 1.0).max(1.0)).sqrt();
        (!values.is_empty()).then_some(Self { mean, deviation })
    }
}

/// No groups at all.
static NO_GROUPS: Groups = Groups { of: Vec::new(), names: Vec::new() };

impl<'a> Trial<'a> {
    /// A choice between all candidates, with nothing else to report.
    pub const fn new(samples: &'a Samples, splits: &'a [Split]) -> Self {
        Self { samples, menu: Menu::All, splits, measures: &[], groups: &NO_GROUPS }
    }

    /// Lets every selector learn from the training side of every split, and choose for its test side. The seed of a split is its number.
    /// `progress` is called before each of them learns.
    ///
    /// # Errors
    /// When there is no split, a side of one is empty or has a problem that is not there or is on the other side as well, measures or groups
    /// are for other problems, or a selector cannot learn: one sentence.
    pub fn evaluate(
        &self,
        selectors: &mut [Box<dyn Selector>],
        progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<Evaluation, String> {
        self.check()?;
        let of = self.splits.len() * selectors.len();
        let mut evaluation =
            Evaluation { rows: Vec::new(), best: Vec::new(), sizes: Vec::new(), notes: Vec::new() };
        let (mut alike, mut without_gap) = (0, 0);
        for (number, split) in self.splits.iter().enumerate() {
            let courses = self.menu.courses(self.samples, &split.train)?;
            let table = TestTable::of(self, &courses, &split.test)?;
            let mut rows = vec![("perfect".to_owned(), Role::Perfect, table.best.clone())];
            for (at, selector) in selectors.iter_mut().enumerate() {
                let done = number * (of / self.splits.len()) + at;
                progress(Step { selector: selector.name(), split: number, done, of });
                let learned = selector.learn(&courses.samples, &split.train, number as u64);
                learned.map_err(|reason| format!("{}: {reason}", selector.name()))?;
                let choices = selector.choose(&courses.samples, &split.test);
                rows.push((selector.name().to_owned(), Role::Selector, choices));
            }
            let always = |choice: usize| vec![choice; split.test.len()];
            rows.push(("single best".to_owned(), Role::SingleBest, always(table.single_best)));
            if self.menu == Menu::All {
                rows.extend((0..courses.candidates.len()).map(|candidate| {
                    (format!("candidate {candidate}"), Role::Always(candidate), always(candidate))
                }));
            }
            rows.push(("worst".to_owned(), Role::Worst, table.worst()));
            for (at, (name, role, choices)) in rows.into_iter().enumerate() {
                let score = table.score(&choices).map_err(|reason| format!("{name}: {reason}"))?;
                if number == 0 {
                    evaluation.rows.push(Row { name, role, scores: Vec::new() });
                }
                evaluation.rows[at].scores.push(score);
            }
            let first = courses.samples.best()[split.train[0]];
            let is_first = |&problem: &usize| courses.samples.best()[problem] == first;
            alike += usize::from(split.train.iter().all(is_first));
            without_gap += usize::from(evaluation.rows[0].scores[number].worth.gap() <= 0.0);
            evaluation.best.push(table.counts(&table.best));
            evaluation.sizes.push((split.train.len(), split.test.len()));
        }
        let splits = self.splits.len();
        if alike > 0 {
            evaluation.notes.push(format!(
                "on {alike} of {splits} splits the same choice is best for every training problem: there is nothing to learn"
            ));
        }
        if without_gap > 0 {
            evaluation.notes.push(format!(
                "on {without_gap} of {splits} splits the best choice costs no less than the single best candidate: there is nothing to gain"
            ));
        }
        Ok(evaluation)
    }

    fn check(&self) -> Result<(), String> {
        if self.splits.is_empty() {
            return Err("there is no split of the problems".to_owned());
        }
        let problems = self.samples.len();
        for (number, split) in self.splits.iter().enumerate() {
            split.check(problems).map_err(|reason| format!("split {number}: {reason}"))?;
        }
        let (results, groups) = (self.samples.results(), self.groups);
        for Measure { name, results: measured, .. } in self.measures {
            if (measured.problems(), measured.candidates()) != (problems, results.candidates()) {
                return Err(format!("{name} is measured for other problems or candidates"));
            }
        }
        let is_named = |&group: &usize| group < groups.names.len();
        let are_right = groups.of.len() == problems && groups.of.iter().all(is_named);
        if !(groups.names.is_empty() || are_right) {
            return Err("a problem belongs to no group".to_owned());
        }
        Ok(())
    }
}

/// The test problems of a split: what every choice costs there.
struct TestTable<'a> {
    trial: &'a Trial<'a>,
    test: &'a [usize],
    /// The candidates that choices stand for, and the single best one where it is not among them.
    candidates: Vec<usize>,
    /// How many choices there are.
    choices: usize,
    /// Their costs on the test problems.
    costs: Results,
    /// The best choice for each of them.
    best: Vec<usize>,
    /// The column of the single best candidate.
    single_best: usize,
}

impl<'a> TestTable<'a> {
    fn of(trial: &'a Trial<'a>, courses: &Courses, test: &'a [usize]) -> Result<Self, String> {
        let mut candidates = courses.candidates.clone();
        let choices = candidates.len();
        let known = candidates.iter().position(|&candidate| candidate == courses.single_best);
        let single_best = known.unwrap_or_else(|| {
            candidates.push(courses.single_best);
            choices
        });
        let columns = trial.samples.results().of_candidates(&candidates);
        let costs = columns.and_then(|columns| columns.only(test));
        let costs = costs.map_err(|error| error.to_string())?;
        let best = test.iter().map(|&problem| courses.samples.best()[problem]).collect();
        Ok(Self { trial, test, candidates, choices, costs, best, single_best })
    }

    /// The choice that costs most, for each problem; the first of equals.
    fn worst(&self) -> Vec<usize> {
        let worst = |at: usize| {
            let costs = (0..self.choices).map(|choice| -self.costs.costs(choice)[at]);
            least(&costs.collect::<Vec<f32>>())
        };
        (0..self.test.len()).map(worst).collect()
    }

    fn counts(&self, choices: &[usize]) -> Vec<usize> {
        let mut counts = vec![0; self.choices];
        for &choice in choices {
            if let Some(count) = counts.get_mut(choice) {
                *count += 1;
            }
        }
        counts
    }

    /// The mean over test problems of what the chosen candidates have in a table of all candidates and problems.
    fn mean(&self, results: &Results, choices: &[usize]) -> f64 {
        let value =
            |(&problem, &choice): (&usize, &usize)| results.costs(self.candidates[choice])[problem];
        mean(self.test.iter().zip(choices).map(value).collect::<Vec<f32>>().into_iter())
    }

    fn score(&self, choices: &[usize]) -> Result<Score, String> {
        let worth = Worth::of(&self.costs, self.single_best, choices);
        let results = self.trial.samples.results();
        let worth = Worth {
            perfect: self.mean(results, &self.best),
            ..worth.map_err(|error| error.to_string())?
        };
        let is_choice = choices.iter().all(|&choice| choice < self.choices);
        let right = choices.iter().zip(&self.best).filter(|(choice, best)| choice == best).count();
        let measures = self.trial.measures.iter();
        Ok(Score {
            worth,
            accuracy: is_choice.then(|| right as f64 / choices.len() as f64),
            chosen: self.counts(choices),
            measures: measures.map(|measure| self.mean(&measure.results, choices)).collect(),
            groups: self.by_group(choices),
        })
    }

    fn by_group(&self, choices: &[usize]) -> Vec<Option<f64>> {
        let Groups { of, names } = self.trial.groups;
        let mut sums = vec![(0.0, 0_u32); names.len()];
        for (at, (&problem, &choice)) in self.test.iter().zip(choices).enumerate() {
            if let Some((sum, count)) = of.get(problem).and_then(|&group| sums.get_mut(group)) {
                *sum += f64::from(self.costs.costs(choice)[at]);
                *count += 1;
            }
        }
        sums.iter().map(|&(sum, count)| (count > 0).then(|| sum / f64::from(count))).collect()
    }
}

impl Row {
    /// A number of every split.
    pub fn spread(&self, value: impl Fn(&Score) -> Option<f64>) -> Option<Spread> {
        Spread::of(self.scores.iter().filter_map(value))
    }

    /// The mean costs.
    pub fn cost(&self) -> Option<Spread> {
        self.spread(|score| Some(score.worth.chosen))
    }

    /// The shares of choices that are the best one.
    pub fn accuracy(&self) -> Option<Spread> {
        self.spread(|score| score.accuracy)
    }

    /// How much of the gap between the single best candidate and the best choice is closed, of the means over splits: 1 is perfect, 0 is no
    /// better than not to choose. None if there is no gap.
    pub fn gap_closed(&self) -> Option<f64> {
        let sum = |part: fn(&Worth) -> f64| -> f64 {
            self.scores.iter().map(|score| part(&score.worth)).sum()
        };
        let gap = sum(Worth::gap);
        (gap > 0.0).then(|| sum(Worth::gain) / gap)
    }
}

impl Evaluation {
    /// The row of this name.
    pub fn row(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// On how many splits a row costs less than the single best candidate.
    pub fn splits_won(&self, row: &Row) -> usize {
        row.scores.iter().filter(|score| score.worth.gain() > 0.0).count()
    }

    /// What a row gains over the single best candidate: the mean over splits, and the standard error of that mean. Splits share their problems, so
    /// their gains are not independent, and the usual standard error would be far too small: it is corrected as Nadeau and Bengio (2003)
    /// propose, by the test problems for each training problem. None for fewer than two splits.
    pub fn gain(&self, row: &Row) -> Option<(f64, f64)> {
        let gains = row.spread(|score| Some(score.worth.gain()))?;
        let splits = self.sizes.len() as f64;
        let ratio = self.sizes.iter().map(|&(train, test)| test as f64 / train as f64).sum::<f64>();
        let factor = 1.0 / splits + ratio / splits;
        (self.sizes.len() > 1).then(|| (gains.mean, gains.deviation * factor.sqrt()))
    }
}

#[cfg(test)]
#[path = "evaluation_test.rs"]
mod tests;
