//! Networks that look at a problem and choose.
//!
//! Two of them: a [small one](small) that predicts the cost of every candidate from our own [encoding](crate::Encoding), and
//! [AlexNet](alexnet), which the thesis uses, on [pictures](crate::Picture). Both are plain functions of named parameters; tensors and
//! gradients are those of [burn](https://burn.dev) on a CPU. The names and shapes of parameters are PyTorch's, so that a
//! [file](crate::ModelFile) means the same there: `python/twin.py` is the same two networks in PyTorch.
//!
//! A [`Trainer`] trains one, an epoch at a time; a [`NetworkSelector`] does so behind the trait of all selectors.

mod alexnet;
mod layers;
mod optimiser;
mod parameters;
mod problems;
mod selector;
mod small;
mod state;
#[cfg(test)]
mod tests;
mod training;
#[cfg(test)]
mod twin_tests;

use burn_tensor::{Device, Tensor};
use rand_chacha::ChaCha8Rng;

use self::parameters::{Live, Parameters, Spec};
use crate::{ModelError, ModelFile, ModelKind, NamedTensor, Predict, Sight};

pub use self::alexnet::Pictures;
pub use self::optimiser::Optimiser;
pub use self::selector::NetworkSelector;
pub use self::small::Encodings;
pub use self::training::{Epoch, Trainer, Training};

/// The small network.
pub type SmallNetwork = Network<Encodings>;
/// AlexNet.
pub type AlexNet = Network<Pictures>;

/// What a network is, apart from its parameters: what it sees, how that becomes numbers around zero, its layers and its loss.
///
/// A value of such a type holds what was measured on the training problems, such as means.
pub trait Architecture: Clone + Sized + Send + Sync + 'static {
    /// The kind of its files.
    const KIND: ModelKind;
    /// What tables call it.
    const NAME: &'static str;
    /// Channels and side of its images.
    const IMAGE: [usize; 2];
    /// The layer that is new when the others come from elsewhere.
    const LAST_LAYER: &'static str;
    /// What it sees of a problem.
    type Seen: std::fmt::Debug + Send + Sync;

    /// How it is trained unless somebody says otherwise.
    fn training() -> Training;

    /// Looks at a problem.
    fn see(sight: Sight<'_>) -> Self::Seen;

    /// Measures what it needs on the training problems; for each problem there are the costs of all candidates.
    fn measured(seen: &[&Self::Seen], costs: &[&[f32]]) -> Self;

    /// What was measured, from a file.
    ///
    /// # Errors
    /// When a tensor is missing, has another shape or makes no sense.
    fn read(file: &ModelFile) -> Result<Self, ModelError>;

    /// What was measured, for a file.
    fn tensors(&self) -> Vec<NamedTensor>;

    /// How many candidates it chooses from.
    fn candidates(&self) -> usize;

    /// Appends the image of a problem, standardised, channel by channel, seen in one of eight ways.
    fn add_image(&self, seen: &Self::Seen, symmetry: Symmetry, to: &mut Vec<f32>);

    /// Appends the numbers beside it, standardised.
    fn add_numbers(&self, seen: &Self::Seen, to: &mut Vec<f32>);

    /// Names and shapes of its parameters, and how they begin.
    fn parameters(candidates: usize) -> Vec<Spec>;

    /// The outputs for images and numbers: a row for each problem, a column for each candidate. Where `dropout` draws numbers, the
    /// network is being trained.
    fn forward(
        live: &Live,
        images: Tensor<4>,
        numbers: Tensor<2>,
        dropout: Option<&mut ChaCha8Rng>,
    ) -> Tensor<2>;

    /// What training makes small: the sum over the problems of a batch. `costs` and `best` are those of its problems; the best
    /// candidate of a problem is a one in a row of zeros.
    fn loss(
        &self,
        outputs: Tensor<2>,
        costs: Tensor<2>,
        best: Tensor<2>,
        training: &Training,
    ) -> Tensor<1>;

    /// What a row of outputs predicts: a cost for each candidate, or a number that orders them in the same way.
    fn costs(&self, outputs: &[f32]) -> Vec<f32>;
}

/// One of the eight symmetries of the square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry(u8);

impl Symmetry {
    /// How many there are.
    pub const COUNT: u8 = 8;
    /// Leaves an image as it is.
    pub const NONE: Self = Self(0);

    /// The symmetry of this number.
    ///
    /// # Panics
    /// When there is none.
    pub const fn new(number: u8) -> Self {
        assert!(number < Self::COUNT, "there are eight symmetries");
        Self(number)
    }

    /// Where the pixel that is shown at (x, y) comes from.
    pub const fn source(self, (x, y): (usize, usize), side: usize) -> (usize, usize) {
        let (x, y) = if self.0 & 4 != 0 { (y, x) } else { (x, y) };
        let x = if self.0 & 1 != 0 { side - 1 - x } else { x };
        let y = if self.0 & 2 != 0 { side - 1 - y } else { y };
        (x, y)
    }
}

/// A network with its parameters.
#[derive(Clone, Debug)]
pub struct Network<A> {
    architecture: A,
    parameters: Parameters,
    /// The parameters where the network runs.
    live: Live,
}

impl<A: Architecture> Network<A> {
    fn new(architecture: A, parameters: Parameters) -> Self {
        let live = parameters.live(&device());
        Self { architecture, parameters, live }
    }

    /// The network in a model's file.
    ///
    /// # Errors
    /// When a tensor is missing, has another shape or makes no sense.
    pub fn of(file: &ModelFile) -> Result<Self, ModelError> {
        let architecture = A::read(file)?;
        let parameters = Parameters::read(A::parameters(file.candidates().len()), file)?;
        Ok(Self::new(architecture, parameters))
    }

    /// A model's file for it. There must be a name for each candidate.
    ///
    /// # Panics
    /// When there are more or fewer names than candidates.
    pub fn file(&self, candidates: Vec<String>) -> ModelFile {
        assert_eq!(candidates.len(), self.architecture.candidates(), "each candidate has a name");
        ModelFile::new(A::KIND, candidates)
            .with_all(self.architecture.tensors())
            .with_all(self.parameters.tensors())
    }

    /// How many numbers it has learned.
    pub fn parameter_count(&self) -> usize {
        self.parameters.count()
    }

    /// The outputs of its last layer for problems that it has seen: a row for each.
    pub fn outputs(&self, seen: &[&A::Seen]) -> Vec<Vec<f32>> {
        let (mut images, mut numbers) = (Vec::new(), Vec::new());
        for seen in seen {
            self.architecture.add_image(seen, Symmetry::NONE, &mut images);
            self.architecture.add_numbers(seen, &mut numbers);
        }
        let (images, numbers) = inputs::<A>(images, numbers, seen.len(), &device());
        let outputs = numbers_of(A::forward(&self.live, images, numbers, None));
        outputs.chunks(self.architecture.candidates()).map(<[f32]>::to_vec).collect()
    }
}

impl<A: Architecture> Predict for Network<A> {
    fn predict(&mut self, sight: Sight<'_>) -> Vec<f32> {
        let outputs = self.outputs(&[&A::see(sight)]);
        self.architecture.costs(&outputs[0])
    }
}

/// Where networks run: on one thread of the CPU.
fn device() -> Device {
    Device::flex()
}

/// Images and numbers as tensors.
fn inputs<A: Architecture>(
    images: Vec<f32>,
    numbers: Vec<f32>,
    problems: usize,
    device: &Device,
) -> (Tensor<4>, Tensor<2>) {
    let [channels, side] = A::IMAGE;
    let count = numbers.len() / problems;
    let images = parameters::tensor(images, [problems, channels, side, side], device);
    (images, parameters::tensor(numbers, [problems, count], device))
}

/// The numbers of a tensor, row by row.
fn numbers_of<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().try_into_vec().expect("tensors are of the type f32")
}
