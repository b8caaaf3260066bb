//! How networks are trained: one loop for all of them.
//!
//! The same seed gives the same bytes, with any number of threads. Nothing is drawn but from `ChaCha8`, and every epoch, and every part of a
//! batch, has a stream of its own, so a training that goes on from a saved [state](Trainer::state) ends with the same bytes as one that was
//! never stopped. A batch is cut into parts of a fixed size, whose gradients are added in their order; threads share the parts.

use std::ops::ControlFlow;

use burn_tensor::{Device, Tensor};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::optimiser::Moments;
use super::parameters::{Parameters, tensor};
use super::problems::Problems;
use super::{Architecture, Network, Optimiser, Symmetry, device, inputs, numbers_of};
use crate::{Samples, Split, least};

/// Problems in a part of a batch. Another number gives other bytes.
const PART: usize = 16;
/// The stream of random numbers that first parameters are drawn from. Epochs begin with 1.
const FIRST_PARAMETERS: u64 = 0;
/// In an epoch, the stream that orders its problems.
const ORDER: u64 = u32::MAX as u64;

/// How a network is trained. Defaults for each network: [`Architecture::training`].
#[derive(Clone, PartialEq, Debug)]
pub struct Training {
    /// At most so many times through the training problems.
    pub epochs: usize,
    /// Problems in a step.
    pub batch: usize,
    /// The rule of a step.
    pub optimiser: Optimiser,
    /// The learning rate at the beginning.
    pub rate: f64,
    /// The last layer learns so many times as fast.
    pub last_layer_rate: f64,
    /// Whether the rate falls to zero along a cosine. Otherwise it stays.
    pub cosine: bool,
    /// How fast parameters shrink by themselves.
    pub weight_decay: f64,
    /// Ends after so many epochs without a better one.
    pub patience: usize,
    /// The share of the problems that is set aside to tell which epoch is best. Without any, the training problems themselves tell.
    pub validation: f64,
    /// Whether they are set aside map by map. Otherwise, and where there is one map only, problem by problem.
    pub validation_by_map: bool,
    /// Whether problems are shown turned and mirrored, in one of eight ways drawn for each. A departure from the thesis, and not
    /// exact: the one-way streets of FAR look other when they are mirrored.
    pub symmetries: bool,
    /// What random numbers are drawn from.
    pub seed: u64,
    /// Threads that share the work, at least 1. They do not change the result.
    pub threads: usize,
    /// The weight of the Huber loss of predicted costs. This and the next two are for the small network.
    pub huber: f64,
    /// The weight of the expected regret of choices.
    pub regret: f64,
    /// The weight of the cross-entropy with the best candidate.
    pub cross_entropy: f64,
}

impl Default for Training {
    fn default() -> Self {
        Self {
            epochs: 60,
            batch: 64,
            optimiser: Optimiser::AdamW,
            rate: 1e-3,
            last_layer_rate: 1.0,
            cosine: true,
            weight_decay: 1e-2,
            patience: 15,
            validation: 0.1,
            validation_by_map: true,
            symmetries: true,
            seed: 0,
            threads: 1,
            huber: 1.0,
            regret: 0.5,
            cross_entropy: 0.1,
        }
    }
}

impl Training {
    /// The learning rate in an epoch; the first one is 1.
    fn rate_in(&self, epoch: usize) -> f64 {
        if !self.cosine {
            return self.rate;
        }
        let passed = (epoch - 1) as f64 / self.epochs as f64;
        self.rate * 0.5 * (1.0 + (std::f64::consts::PI * passed).cos())
    }

    /// What decides about the result, as one line.
    pub(super) fn description(&self) -> String {
        // Threads do not, and more epochs may be asked for later unless the rate depends on their number.
        let epochs = if self.cosine { self.epochs } else { 0 };
        format!("{:?}", Self { threads: 1, epochs, ..self.clone() })
    }
}

/// What an epoch has achieved.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// The first one is 1.
    pub number: usize,
    /// The learning rate.
    pub rate: f64,
    /// The mean loss of the training problems, while they were learned from.
    pub train_loss: f64,
    /// The mean loss of the problems set aside.
    pub validation_loss: f64,
    /// The mean cost of the choices for the problems set aside.
    pub validation_cost: f64,
    /// Whether it is the best one so far: the least cost of choices; of equals, the least loss.
    pub is_best: bool,
}

/// A training, from epoch to epoch.
#[derive(Clone, Debug)]
pub struct Trainer<A: Architecture> {
    pub(super) training: Training,
    architecture: A,
    pub(super) problems: Problems<A>,
    pub(super) parameters: Parameters,
    pub(super) moments: Moments,
    /// Epochs that have passed.
    pub(super) epochs: usize,
    pub(super) best: Option<Best>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Best {
    pub epoch: usize,
    pub cost: f64,
    pub loss: f64,
    pub parameters: Parameters,
}

impl<A: Architecture> Trainer<A> {
    /// A training that has not begun, on some of the problems.
    ///
    /// # Errors
    /// When there are no problems, or a cost is infinite.
    pub fn new(samples: &Samples, train: &[usize], training: Training) -> Result<Self, String> {
        let problems = Problems::<A>::of(samples, train, &training)?;
        let learned = &problems.split.train;
        let seen: Vec<&A::Seen> = learned.iter().map(|&at| &problems.seen[at]).collect();
        let costs: Vec<&[f32]> = learned.iter().map(|&at| &problems.costs[at][..]).collect();
        let architecture = A::measured(&seen, &costs);
        let specs = A::parameters(architecture.candidates());
        let parameters = Parameters::drawn(specs, &mut random(training.seed, FIRST_PARAMETERS));
        let moments = Moments::new(&parameters, training.optimiser);
        Ok(Self { training, architecture, problems, parameters, moments, epochs: 0, best: None })
    }

    /// Trains an epoch. None when all have passed, or there was no better one for too long.
    ///
    /// # Errors
    /// When the loss is no longer a number.
    pub fn epoch(&mut self) -> Result<Option<Epoch>, String> {
        if self.is_finished() {
            return Ok(None);
        }
        self.epochs += 1;
        let number = self.epochs;
        let rate = self.training.rate_in(number);
        let train_loss = self.learn(rate);
        if !train_loss.is_finite() {
            return Err(format!(
                "the training has diverged in epoch {number}: a lower rate than {} may help",
                self.training.rate
            ));
        }
        let (validation_loss, validation_cost) = self.validate();
        let is_better = |best: &Best| (validation_cost, validation_loss) < (best.cost, best.loss);
        let is_best = self.best.as_ref().is_none_or(is_better);
        if is_best {
            self.best = Some(Best {
                epoch: number,
                cost: validation_cost,
                loss: validation_loss,
                parameters: self.parameters.clone(),
            });
        }
        Ok(Some(Epoch { number, rate, train_loss, validation_loss, validation_cost, is_best }))
    }

    /// Trains to the end, or until the listener has had enough. It is told of every epoch, and may ask for the [state](Self::state).
    ///
    /// # Errors
    /// When the loss is no longer a number.
    pub fn run(
        &mut self,
        mut listener: impl FnMut(&Self, &Epoch) -> ControlFlow<()>,
    ) -> Result<(), String> {
        while let Some(epoch) = self.epoch()? {
            if listener(self, &epoch).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Whether all epochs have passed, or there was no better one for too long.
    pub fn is_finished(&self) -> bool {
        let waited = self.best.as_ref().map_or(0, |best| self.epochs - best.epoch);
        self.epochs >= self.training.epochs || waited >= self.training.patience.max(1)
    }

    /// How many epochs have passed.
    pub const fn epochs(&self) -> usize {
        self.epochs
    }

    /// How many problems it learns from, and how many are set aside.
    pub const fn sizes(&self) -> (usize, usize) {
        (self.problems.split.train.len(), self.problems.split.test.len())
    }

    /// The problems that it learns from, by their places among those that it was given.
    pub fn learned(&self) -> &[usize] {
        &self.problems.split.train
    }

    /// The problems that tell which epoch is best: those set aside, or all if there are none.
    pub fn set_aside(&self) -> &[usize] {
        let Split { train, test } = &self.problems.split;
        if test.is_empty() { train } else { test }
    }

    /// The mean cost of choices for the problems set aside, after the best epoch.
    pub fn best_cost(&self) -> Option<f64> {
        self.best.as_ref().map(|best| best.cost)
    }

    /// The network as it was after the best epoch; before the first one, as it begins.
    pub fn best(&self) -> Network<A> {
        let parameters = self.best.as_ref().map_or(&self.parameters, |best| &best.parameters);
        Network::new(self.architecture.clone(), parameters.clone())
    }

    /// Goes through the training problems once.
    fn learn(&mut self, rate: f64) -> f64 {
        let seed = self.training.seed;
        let epoch = (self.epochs as u64) << 32;
        let mut order = self.problems.split.train.clone();
        order.shuffle(&mut random(seed, epoch | ORDER));
        let last = format!("{}.", A::LAST_LAYER);
        let rates: Vec<f32> = self
            .parameters
            .specs()
            .iter()
            .map(|spec| {
                let factor =
                    if spec.name.starts_with(&last) { self.training.last_layer_rate } else { 1.0 };
                (rate * factor) as f32
            })
            .collect();
        let mut total = 0.0;
        let mut parts = 0;
        for batch in order.chunks(self.training.batch.max(1)) {
            let streams: Vec<(&[usize], u64)> = batch.chunks(PART).zip(epoch + parts..).collect();
            parts += streams.len() as u64;
            let mut gradients = self.parameters.zeros().values;
            for shared in streams.chunks(self.training.threads.max(1)) {
                for (loss, part) in self.gradients(shared, batch.len()) {
                    total += loss;
                    add(&mut gradients, &part);
                }
            }
            let decay = self.training.weight_decay as f32;
            self.training.optimiser.step(
                &mut self.parameters,
                &gradients,
                &mut self.moments,
                decay,
                |at| rates[at],
            );
        }
        total / order.len() as f64
    }

    /// The summed loss and the gradients of parts of a batch, each on a thread.
    fn gradients(&self, parts: &[(&[usize], u64)], batch: usize) -> Vec<(f64, Vec<Vec<f32>>)> {
        if let [(part, stream)] = parts {
            return vec![self.gradients_of(part, *stream, batch)];
        }
        std::thread::scope(|scope| {
            let threads: Vec<_> = parts
                .iter()
                .map(|&(part, stream)| scope.spawn(move || self.gradients_of(part, stream, batch)))
                .collect();
            let joined = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
            joined
                .map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        })
    }

    fn gradients_of(&self, part: &[usize], stream: u64, batch: usize) -> (f64, Vec<Vec<f32>>) {
        let mut random = random(self.training.seed, stream);
        let device = device().autodiff();
        let live = self.parameters.tracked(&device);
        let mut symmetry = || {
            if self.training.symmetries {
                Symmetry::new(random.random_range(0..Symmetry::COUNT))
            } else {
                Symmetry::NONE
            }
        };
        let (mut images, mut numbers) = (Vec::new(), Vec::new());
        for &problem in part {
            let seen = &self.problems.seen[problem];
            self.architecture.add_image(seen, symmetry(), &mut images);
            self.architecture.add_numbers(seen, &mut numbers);
        }
        let (images, numbers) = inputs::<A>(images, numbers, part.len(), &device);
        let outputs = A::forward(&live, images, numbers, Some(&mut random));
        let (costs, best) = self.targets(part, &device);
        let loss = self.architecture.loss(outputs, costs, best, &self.training);
        let mut gradients = (loss.clone() / batch as f32).backward();
        let gradients = live.gradients(self.parameters.specs(), &mut gradients);
        (f64::from(numbers_of(loss)[0]), gradients)
    }

    fn targets(&self, part: &[usize], device: &Device) -> (Tensor<2>, Tensor<2>) {
        let candidates = self.architecture.candidates();
        let costs = part.iter().flat_map(|&problem| &self.problems.costs[problem]);
        let best = part.iter().flat_map(|&problem| {
            let best = self.problems.best[problem];
            (0..candidates).map(move |candidate| f32::from(u8::from(candidate == best)))
        });
        let shape = [part.len(), candidates];
        (tensor(costs.copied().collect(), shape, device), tensor(best.collect(), shape, device))
    }

    /// The mean loss of the problems set aside, and the mean cost of the choices for them.
    fn validate(&self) -> (f64, f64) {
        let problems = self.set_aside();
        let network = Network::new(self.architecture.clone(), self.parameters.clone());
        let candidates = self.architecture.candidates();
        let (mut loss, mut cost) = (0.0, 0.0);
        for part in problems.chunks(PART) {
            let seen: Vec<&A::Seen> = part.iter().map(|&at| &self.problems.seen[at]).collect();
            let outputs = network.outputs(&seen);
            for (outputs, &problem) in outputs.iter().zip(part) {
                let choice = least(&self.architecture.costs(outputs));
                cost += f64::from(self.problems.costs[problem][choice]);
            }
            let (costs, best) = self.targets(part, &device());
            let outputs = tensor(outputs.concat(), [part.len(), candidates], &device());
            let losses = self.architecture.loss(outputs, costs, best, &self.training);
            loss += f64::from(numbers_of(losses)[0]);
        }
        (loss / problems.len() as f64, cost / problems.len() as f64)
    }
}

/// The random numbers of a stream.
fn random(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(stream);
    random
}

fn add(sums: &mut [Vec<f32>], numbers: &[Vec<f32>]) {
    for (sums, numbers) in sums.iter_mut().zip(numbers) {
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += number;
        }
    }
}
