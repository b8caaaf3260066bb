//! The small network: predicts the cost of every candidate from 64x64 maps of densities.
//!
//! Four convolutions, each with group normalisation in eight groups and ReLU; the mean and the maximum of each channel, with the numbers
//! beside the maps; two linear layers. About 100,000 parameters, so that it runs in milliseconds on one thread and its file is small.
//!
//! It sees the square roots of densities, because one agent in a pixel of a large map is a small density, and a crowd a large one. They are standardised with the mean and scale of each channel and number over the training problems. Outputs are costs in standard
//! units: each candidate has a mean of its own, and all have one scale, so that differences between candidates keep their meaning.
//!
//! The loss has three parts, with weights in [`Training`]. The Huber loss asks for the costs. The expected regret asks that candidates
//! which look cheap are cheap: choices are drawn with probabilities softmax(-cost / 0.3), and each is charged what it costs beyond the
//! cheapest candidate. The cross-entropy asks for the best candidate, which also counts what costs do not, such as distances.

use burn_tensor::Tensor;
use burn_tensor::activation::{log_softmax, relu, softmax};
use rand_chacha::ChaCha8Rng;

use super::layers::{Conv, conv, dropout, group_norm, linear};
use super::parameters::{Live, Spec, tensor};
use super::{Architecture, Symmetry, Training};
use crate::{Channel, Encoding, ModelError, ModelFile, ModelKind, NamedTensor, Sight};

const CHANNELS: usize = Channel::ALL.len();
/// Groups of channels in every normalisation.
const GROUPS: usize = 8;
/// The share of numbers that is dropped before the last layer.
const DROPOUT: f32 = 0.2;

/// What costs are divided by, in standard units, where they become probabilities: the less it is, the surer the choice of the cheapest.
const TEMPERATURE: f32 = 0.3;

/// Name, channels in and out, size of the kernel, stride and padding of each convolution.
const CONVS: [(&str, [usize; 2], usize, usize, usize); 4] = [
    ("conv1", [CHANNELS, 24], 5, 2, 2),
    ("conv2", [24, 48], 3, 2, 1),
    ("conv3", [48, 64], 3, 2, 1),
    ("conv4", [64, 64], 3, 1, 1),
];

/// What the small network has measured on its training problems.
#[derive(Clone, PartialEq, Debug)]
pub struct Encodings {
    input: Standard,
    numbers: Standard,
    cost_mean: Vec<f32>,
    cost_scale: f32,
}

/// A mean and a scale for each of a few numbers.
#[derive(Clone, PartialEq, Debug)]
struct Standard {
    mean: Vec<f32>,
    scale: Vec<f32>,
}

impl Standard {
    /// Of rows of numbers; each column may have several in each row.
    fn of<'a>(
        columns: usize,
        values: impl Fn(usize) -> Box<dyn Iterator<Item = f32> + 'a>,
    ) -> Self {
        let (mean, scale) = (0..columns).map(|column| moments(|| values(column))).unzip();
        Self { mean, scale }
    }

    fn read(file: &ModelFile, name: &str, columns: usize) -> Result<Self, ModelError> {
        let part = |part| Ok(file.tensor(&format!("{name}.{part}"), &[columns])?.to_vec());
        let (mean, scale) = (part("mean")?, part("scale")?);
        check_scale(&scale, name)?;
        Ok(Self { mean, scale })
    }

    fn tensors(&self, name: &str) -> [NamedTensor; 2] {
        [("mean", &self.mean), ("scale", &self.scale)]
            .map(|(part, values)| (format!("{name}.{part}"), vec![values.len()], values.clone()))
    }
}

/// Mean and standard deviation; numbers that are all the same have the scale 1.
fn moments<I: Iterator<Item = f32>>(values: impl Fn() -> I) -> (f32, f32) {
    let mean_of = |of: &dyn Fn(f64) -> f64| {
        let (sum, count) = values()
            .fold((0.0, 0_u64), |(sum, count), value| (sum + of(f64::from(value)), count + 1));
        sum / count.max(1) as f64
    };
    let mean = mean_of(&|value| value);
    let deviation = mean_of(&|value| (value - mean) * (value - mean)).sqrt();
    (mean as f32, if deviation > 1e-6 { deviation as f32 } else { 1.0 })
}

fn check_scale(scale: &[f32], name: &str) -> Result<(), ModelError> {
    if scale.iter().all(|&scale| scale > 0.0) {
        return Ok(());
    }
    Err(ModelError::Senseless(format!("`{name}.scale` has to be more than 0")))
}

impl Architecture for Encodings {
    const KIND: ModelKind = ModelKind::Small;
    const NAME: &'static str = "small network";
    const IMAGE: [usize; 2] = [CHANNELS, Encoding::SIDE];
    const LAST_LAYER: &'static str = "fc2";
    type Seen = Encoding;

    fn training() -> Training {
        Training::default()
    }

    fn see(sight: Sight<'_>) -> Encoding {
        Encoding::of(sight.grid, sight.tasks)
    }

    fn measured(seen: &[&Encoding], costs: &[&[f32]]) -> Self {
        let input = Standard::of(CHANNELS, |channel| {
            let channel = Channel::ALL[channel];
            Box::new(
                seen.iter().flat_map(move |seen| seen.channel(channel)).map(|value| value.sqrt()),
            )
        });
        let numbers = Standard::of(Encoding::NUMBERS, |at| {
            Box::new(seen.iter().map(move |seen| seen.numbers()[at]))
        });
        let candidates = costs.first().map_or(0, |costs| costs.len());
        let cost_mean: Vec<f32> = (0..candidates)
            .map(|candidate| moments(|| costs.iter().map(|costs| costs[candidate])).0)
            .collect();
        let (_, cost_scale) = moments(|| {
            let centred = |costs: &&[f32]| {
                let pairs = costs.iter().zip(&cost_mean);
                pairs.map(|(cost, mean)| cost - mean).collect::<Vec<f32>>()
            };
            costs.iter().flat_map(centred)
        });
        Self { input, numbers, cost_mean, cost_scale }
    }

    fn read(file: &ModelFile) -> Result<Self, ModelError> {
        let cost_scale = file.tensor("cost.scale", &[1])?;
        check_scale(cost_scale, "cost")?;
        Ok(Self {
            input: Standard::read(file, "input", CHANNELS)?,
            numbers: Standard::read(file, "numbers", Encoding::NUMBERS)?,
            cost_mean: file.tensor("cost.mean", &[file.candidates().len()])?.to_vec(),
            cost_scale: cost_scale[0],
        })
    }

    fn tensors(&self) -> Vec<NamedTensor> {
        let mut tensors = Vec::from(self.input.tensors("input"));
        tensors.extend(self.numbers.tensors("numbers"));
        let candidates = self.cost_mean.len();
        tensors.push(("cost.mean".to_owned(), vec![candidates], self.cost_mean.clone()));
        tensors.push(("cost.scale".to_owned(), vec![1], vec![self.cost_scale]));
        tensors
    }

    fn candidates(&self) -> usize {
        self.cost_mean.len()
    }

    fn add_image(&self, seen: &Encoding, symmetry: Symmetry, to: &mut Vec<f32>) {
        let side = Encoding::SIDE;
        for channel in Channel::ALL {
            let values = seen.channel(channel);
            let (mean, scale) =
                (self.input.mean[channel as usize], self.input.scale[channel as usize]);
            to.extend((0..side * side).map(|at| {
                let (x, y) = symmetry.source((at % side, at / side), side);
                (values[y * side + x].sqrt() - mean) / scale
            }));
        }
    }

    fn add_numbers(&self, seen: &Encoding, to: &mut Vec<f32>) {
        let standard = self.numbers.mean.iter().zip(&self.numbers.scale);
        let values = seen.numbers().iter().zip(standard);
        to.extend(values.map(|(value, (mean, scale))| (value - mean) / scale));
    }

    fn parameters(candidates: usize) -> Vec<Spec> {
        let mut specs = Vec::new();
        for (at, (name, [from, to], kernel, ..)) in CONVS.into_iter().enumerate() {
            specs.extend(Spec::layer(name, &[to, from, kernel, kernel]));
            specs.extend(Spec::norm(&norm(at), to));
        }
        specs.extend(Spec::layer("fc1", &[128, 2 * CONVS[3].1[1] + Encoding::NUMBERS]));
        specs.extend(Spec::last_layer(Self::LAST_LAYER, &[candidates, 128]));
        specs
    }

    fn forward(
        live: &Live,
        images: Tensor<4>,
        numbers: Tensor<2>,
        random: Option<&mut ChaCha8Rng>,
    ) -> Tensor<2> {
        let mut signal = images;
        for (at, (name, _, _, stride, padding)) in CONVS.into_iter().enumerate() {
            signal = conv(live, name, signal, &Conv { stride, padding, groups: 1 });
            signal = relu(group_norm(live, &norm(at), signal, GROUPS));
        }
        let [problems, channels, height, width] = signal.dims();
        let pixels: Tensor<3> = signal.reshape([problems, channels, height * width]);
        let mean = pixels.clone().mean_dim(2).reshape([problems, channels]);
        let largest = pixels.max_dim(2).reshape([problems, channels]);
        let signal = relu(linear(live, "fc1", Tensor::cat(vec![mean, largest, numbers], 1)));
        linear(live, Self::LAST_LAYER, dropout(signal, DROPOUT, random))
    }

    fn loss(
        &self,
        outputs: Tensor<2>,
        costs: Tensor<2>,
        best: Tensor<2>,
        training: &Training,
    ) -> Tensor<1> {
        let device = outputs.device();
        let means = self.cost_mean.iter().map(|mean| mean / self.cost_scale).collect();
        let means: Tensor<2> = tensor(means, [1, self.candidates()], &device);
        // Costs of different candidates can be compared only with their means.
        let predicted = outputs + means;
        let costs = costs / self.cost_scale;
        let error = (predicted.clone() - costs.clone()).abs();
        let near = error.clone().clamp_max(1.0);
        // Half the square of small errors, and the same slope beyond 1.
        let huber = (near.clone().square() * 0.5 + (error - near)).mean_dim(1).sum();
        let regrets = costs.clone() - costs.min_dim(1);
        let scores = -predicted / TEMPERATURE;
        let regret = (softmax(scores.clone(), 1) * regrets).sum();
        let cross_entropy = -(log_softmax(scores, 1) * best).sum();
        huber * training.huber + regret * training.regret + cross_entropy * training.cross_entropy
    }

    fn costs(&self, outputs: &[f32]) -> Vec<f32> {
        let pairs = outputs.iter().zip(&self.cost_mean);
        pairs.map(|(output, mean)| output * self.cost_scale + mean).collect()
    }
}

/// The normalisation after a convolution.
fn norm(at: usize) -> String {
    format!("norm{}", at + 1)
}
