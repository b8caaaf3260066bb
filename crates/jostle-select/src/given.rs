//! Choices that were made elsewhere.

use crate::{Samples, Selector, Split};

/// Choices that somebody else has made for the test problems of some splits, for example a network that was trained by another program.
///
/// ```
/// use jostle_select::{Given, Split};
///
/// let split = Split { train: vec![0, 2], test: vec![1, 3] };
/// let given = Given::new("AlexNet (PyTorch)", &[split], vec![vec![1, 0]])?;
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    name: String,
    splits: Vec<(Split, Vec<usize>)>,
    /// The split that it was last asked to learn from.
    current: Option<usize>,
}

impl Given {
    /// Choices for the test problems of each split, in their order.
    ///
    /// # Errors
    /// When there are more or fewer than that.
    pub fn new(
        name: impl Into<String>,
        splits: &[Split],
        choices: Vec<Vec<usize>>,
    ) -> Result<Self, String> {
        let name = name.into();
        let (found, expected) = (choices.len(), splits.len());
        if found != expected {
            return Err(format!("{name} has choices for {found} splits, and there are {expected}"));
        }
        let splits: Vec<(Split, Vec<usize>)> = splits.iter().cloned().zip(choices).collect();
        let fits = |(split, choices): &(Split, Vec<usize>)| split.test.len() == choices.len();
        if let Some(number) = splits.iter().position(|split| !fits(split)) {
            let (split, choices) = &splits[number];
            let (found, expected) = (choices.len(), split.test.len());
            return Err(format!(
                "{name} has {found} choices for split {number}, which has {expected} test problems"
            ));
        }
        Ok(Self { name, splits, current: None })
    }
}

impl Selector for Given {
    fn name(&self) -> &str {
        &self.name
    }

    fn learn(&mut self, samples: &Samples, train: &[usize], _: u64) -> Result<(), String> {
        let split = self.splits.iter().position(|(split, _)| split.train == train);
        let Some(split) = split else {
            return Err("it was not trained on these problems".to_owned());
        };
        let candidates = samples.results().candidates();
        if let Some(choice) = self.splits[split].1.iter().find(|&&choice| choice >= candidates) {
            return Err(format!("it has chosen candidate {choice}, and there are {candidates}"));
        }
        self.current = Some(split);
        Ok(())
    }

    /// # Panics
    /// When it has not learned, or a problem is not one of the split's test problems.
    fn choose(&mut self, _: &Samples, problems: &[usize]) -> Vec<usize> {
        let (split, choices) = &self.splits[self.current.expect("choices are those of a split")];
        let choice = |problem: &usize| {
            let at = split.test.iter().position(|tested| tested == problem);
            choices[at.expect("choices are for test problems")]
        };
        if split.test == problems { choices.clone() } else { problems.iter().map(choice).collect() }
    }
}
