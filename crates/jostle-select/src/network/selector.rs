//! Networks behind the trait of all selectors.

use std::ops::ControlFlow;

use super::{Architecture, Network, Trainer, Training};
use crate::{Predict, Samples, Selector, Sight};

/// Trains a network where it learns, and chooses what the network predicts to cost least.
///
/// `NetworkSelector::<Encodings>` is the small network, `NetworkSelector::<Pictures>` is AlexNet.
#[derive(Clone, Debug)]
pub struct NetworkSelector<A> {
    /// How it is trained. The seed is that which [`Selector::learn`] is given.
    pub training: Training,
    network: Option<Network<A>>,
}

impl<A: Architecture> Default for NetworkSelector<A> {
    fn default() -> Self {
        Self { training: A::training(), network: None }
    }
}

impl<A: Architecture> NetworkSelector<A> {
    /// Trained in this way.
    pub const fn new(training: Training) -> Self {
        Self { training, network: None }
    }

    /// What it has learned.
    pub const fn network(&self) -> Option<&Network<A>> {
        self.network.as_ref()
    }
}

impl<A: Architecture> Predict for NetworkSelector<A> {
    fn predict(&mut self, sight: Sight<'_>) -> Vec<f32> {
        self.network.as_mut().map_or_else(Vec::new, |network| network.predict(sight))
    }
}

impl<A: Architecture> Selector for NetworkSelector<A> {
    fn name(&self) -> &'static str {
        A::NAME
    }

    fn learn(&mut self, samples: &Samples, train: &[usize], seed: u64) -> Result<(), String> {
        let training = Training { seed, ..self.training.clone() };
        let mut trainer = Trainer::<A>::new(samples, train, training)?;
        trainer.run(|_, _| ControlFlow::Continue(()))?;
        self.network = Some(trainer.best());
        Ok(())
    }

    fn choose(&mut self, samples: &Samples, problems: &[usize]) -> Vec<usize> {
        problems.iter().map(|&problem| self.pick(samples.sight(problem))).collect()
    }
}
