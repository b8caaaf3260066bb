//! AlexNet (Krizhevsky and others, 2012), as it was published for Caffe: the network of the thesis.
//!
//! It classifies [pictures](Picture) of 227x227 pixels: the best candidate is the class. Five convolutions, of which the second, fourth
//! and fifth have two groups; local response normalisation after the first two; three linear layers with dropout. Pictures are centred by
//! the mean picture of the training problems. What it predicts for a candidate is 1 less the probability that it is the best.
//!
//! The thesis begins with weights that were trained on photographs. Here everything begins at random, unless a file with weights comes from
//! elsewhere. An epoch takes minutes on a CPU.

use burn_tensor::Tensor;
use burn_tensor::activation::{log_softmax, relu};
use rand_chacha::ChaCha8Rng;

use super::layers::{Conv, conv, dropout, linear, local_response_norm, max_pool};
use super::parameters::{Live, Spec};
use super::{Architecture, Optimiser, Symmetry, Training};
use crate::{ModelError, ModelFile, ModelKind, NamedTensor, Picture, Sight};

const SIDE: usize = Picture::SEEN_SIDE;
/// Red, green and blue.
const COLOURS: usize = 3;
const DROPOUT: f32 = 0.5;

/// What AlexNet has measured on its training problems.
#[derive(Clone, PartialEq, Debug)]
pub struct Pictures {
    candidates: usize,
    /// The mean picture, colour by colour.
    mean: Vec<f32>,
}

impl Architecture for Pictures {
    const KIND: ModelKind = ModelKind::AlexNet;
    const NAME: &'static str = "AlexNet";
    const IMAGE: [usize; 2] = [COLOURS, SIDE];
    const LAST_LAYER: &'static str = "fc8";
    /// Red, green and blue of every pixel, row by row.
    type Seen = Vec<u8>;

    fn training() -> Training {
        Training {
            epochs: 30,
            optimiser: Optimiser::Momentum,
            rate: 1e-2,
            cosine: false,
            weight_decay: 5e-4,
            patience: 30,
            symmetries: false,
            ..Training::default()
        }
    }

    fn see(sight: Sight<'_>) -> Vec<u8> {
        Picture::seen(sight).pixels().as_flattened().to_vec()
    }

    fn measured(seen: &[&Vec<u8>], costs: &[&[f32]]) -> Self {
        let mut sums = vec![0_u64; COLOURS * SIDE * SIDE];
        for seen in seen {
            for (at, &value) in seen.iter().enumerate() {
                sums[at % COLOURS * SIDE * SIDE + at / COLOURS] += u64::from(value);
            }
        }
        let mean = sums.iter().map(|&sum| (sum as f64 / seen.len().max(1) as f64) as f32).collect();
        Self { candidates: costs.first().map_or(0, |costs| costs.len()), mean }
    }

    fn read(file: &ModelFile) -> Result<Self, ModelError> {
        let mean = file.tensor("input.mean", &[COLOURS, SIDE, SIDE])?.to_vec();
        Ok(Self { candidates: file.candidates().len(), mean })
    }

    fn tensors(&self) -> Vec<NamedTensor> {
        vec![("input.mean".to_owned(), vec![COLOURS, SIDE, SIDE], self.mean.clone())]
    }

    fn candidates(&self) -> usize {
        self.candidates
    }

    fn add_image(&self, seen: &Vec<u8>, symmetry: Symmetry, to: &mut Vec<f32>) {
        for (colour, mean) in self.mean.chunks(SIDE * SIDE).enumerate() {
            to.extend(mean.iter().enumerate().map(|(at, mean)| {
                let (x, y) = symmetry.source((at % SIDE, at / SIDE), SIDE);
                f32::from(seen[(y * SIDE + x) * COLOURS + colour]) - mean
            }));
        }
    }

    fn add_numbers(&self, _: &Vec<u8>, to: &mut Vec<f32>) {
        // It has none, but a tensor has at least one number in a row.
        to.push(0.0);
    }

    fn parameters(candidates: usize) -> Vec<Spec> {
        let mut specs = Vec::new();
        specs.extend(Spec::published("conv1", &[96, COLOURS, 11, 11], 0.01, 0.0));
        specs.extend(Spec::published("conv2", &[256, 48, 5, 5], 0.01, 0.1));
        specs.extend(Spec::published("conv3", &[384, 256, 3, 3], 0.01, 0.0));
        specs.extend(Spec::published("conv4", &[384, 192, 3, 3], 0.01, 0.1));
        specs.extend(Spec::published("conv5", &[256, 192, 3, 3], 0.01, 0.1));
        specs.extend(Spec::published("fc6", &[4096, 9216], 0.005, 0.1));
        specs.extend(Spec::published("fc7", &[4096, 4096], 0.005, 0.1));
        specs.extend(Spec::published(Self::LAST_LAYER, &[candidates, 4096], 0.01, 0.0));
        specs
    }

    fn forward(
        live: &Live,
        images: Tensor<4>,
        _: Tensor<2>,
        mut random: Option<&mut ChaCha8Rng>,
    ) -> Tensor<2> {
        let conv = |layer, input, stride, padding, groups| {
            relu(conv(live, layer, input, &Conv { stride, padding, groups }))
        };
        let signal = max_pool(local_response_norm(conv("conv1", images, 4, 0, 1)));
        let signal = max_pool(local_response_norm(conv("conv2", signal, 1, 2, 2)));
        let signal = conv("conv3", signal, 1, 1, 1);
        let signal = conv("conv4", signal, 1, 1, 2);
        let signal = max_pool(conv("conv5", signal, 1, 1, 2));
        let mut signal: Tensor<2> = signal.flatten(1, 3);
        for layer in ["fc6", "fc7"] {
            signal = relu(linear(live, layer, signal));
            signal = dropout(signal, DROPOUT, random.as_deref_mut());
        }
        linear(live, Self::LAST_LAYER, signal)
    }

    fn loss(&self, outputs: Tensor<2>, _: Tensor<2>, best: Tensor<2>, _: &Training) -> Tensor<1> {
        -(log_softmax(outputs, 1) * best).sum()
    }

    fn costs(&self, outputs: &[f32]) -> Vec<f32> {
        let largest = outputs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let powers: Vec<f32> = outputs.iter().map(|output| (output - largest).exp()).collect();
        let sum: f32 = powers.iter().sum();
        powers.iter().map(|power| 1.0 - power / sum).collect()
    }
}
