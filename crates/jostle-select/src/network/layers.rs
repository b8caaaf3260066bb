//! The layers that the networks are made of, each with the meaning that it has in PyTorch.

use burn_tensor::Tensor;
use burn_tensor::module::{avg_pool2d, conv2d, max_pool2d};
use burn_tensor::ops::{AvgPoolOptions, ConvOptions, MaxPoolOptions};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::parameters::{Live, tensor};

/// Added to variances before they divide.
const EPSILON: f32 = 1e-5;

/// How a convolution moves over an image.
pub struct Conv {
    /// Pixels from one output to the next.
    pub stride: usize,
    /// Pixels of zeros around the image.
    pub padding: usize,
    /// Channels are split into so many groups, which do not see each other.
    pub groups: usize,
}

/// A convolution.
pub fn conv(live: &Live, layer: &str, input: Tensor<4>, conv: &Conv) -> Tensor<4> {
    let options = ConvOptions::new([conv.stride; 2], [conv.padding; 2], [1, 1], conv.groups);
    conv2d(input, live.get(layer, "weight"), Some(live.get(layer, "bias")), options)
}

/// A linear layer. Its weights have a row for each output.
pub fn linear(live: &Live, layer: &str, input: Tensor<2>) -> Tensor<2> {
    let weight: Tensor<2> = live.get(layer, "weight");
    input.matmul(weight.transpose()) + live.get::<1>(layer, "bias").unsqueeze()
}

/// Normalises groups of channels of each image to mean 0 and variance 1, then scales and shifts each channel (Wu and He, 2018).
pub fn group_norm(live: &Live, layer: &str, input: Tensor<4>, groups: usize) -> Tensor<4> {
    let [images, channels, height, width] = input.dims();
    let grouped: Tensor<3> = input.reshape([images, groups, channels / groups * height * width]);
    let centred = grouped.clone() - grouped.mean_dim(2);
    let variance = centred.clone().square().mean_dim(2);
    let normal: Tensor<4> =
        (centred / (variance + EPSILON).sqrt()).reshape([images, channels, height, width]);
    let each = |part| live.get::<1>(layer, part).reshape([1, channels, 1, 1]);
    normal * each("weight") + each("bias")
}

/// Divides each number by what is around it in five neighbouring channels: (1 + 1e-4 / 5 * the sum of their squares) ^ 0.75
/// (Krizhevsky and others, 2012, with the constants of Caffe).
pub fn local_response_norm(input: Tensor<4>) -> Tensor<4> {
    let [images, channels, height, width] = input.dims();
    // A column of channels for each pixel: beyond the first and the last one there are zeros, which count.
    let squares: Tensor<4> = input.clone().square().reshape([images, 1, channels, height * width]);
    let options = AvgPoolOptions::new([5, 1]).with_stride([1, 1]).with_padding([2, 0]);
    let means = avg_pool2d(squares, options).reshape([images, channels, height, width]);
    input / (means * 1e-4 + 1.0).powf_scalar(0.75)
}

/// The largest of 3x3 pixels, every two pixels.
pub fn max_pool(input: Tensor<4>) -> Tensor<4> {
    max_pool2d(input, MaxPoolOptions::new([3, 3]).with_stride([2, 2]))
}

/// While a network is trained, sets a share of the numbers to zero, drawn at random, and scales the others such that the sum remains.
pub fn dropout(input: Tensor<2>, share: f32, random: Option<&mut ChaCha8Rng>) -> Tensor<2> {
    let Some(random) = random else { return input };
    let [rows, columns] = input.dims();
    let kept = 1.0 / (1.0 - share);
    let draw = |_| if random.random::<f32>() < share { 0.0 } else { kept };
    let mask = (0..rows * columns).map(draw).collect();
    let device = input.device();
    input * tensor(mask, [rows, columns], &device)
}
