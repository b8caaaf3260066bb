//! What a network has learned: numbers with names.
//!
//! Between steps they are plain numbers, which an optimiser changes and a file holds. To run, they become tensors: [`Live`].

use std::collections::BTreeMap;

use burn_tensor::{Device, Gradients, Tensor, TensorData};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::numbers_of;
use crate::{ModelError, ModelFile, NamedTensor};

/// A parameter: its name, its shape and how it begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    /// Its name in files: that of its layer, a point, and `weight` or `bias`.
    pub name: String,
    /// Its shape, as in PyTorch.
    pub shape: Vec<usize>,
    /// Its first numbers.
    pub begin: Begin,
}

/// The first numbers of a parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Begin {
    /// All are this one.
    With(f32),
    /// Any between its negative and this one, each as likely as others.
    Within(f32),
}

impl Spec {
    /// Weight and bias of a layer that adds up `inputs` products for each output, where ReLU follows. The weights begin such that
    /// signals neither grow nor fade from layer to layer (He and others, 2015), the biases at zero.
    pub fn layer(name: &str, shape: &[usize]) -> [Self; 2] {
        let inputs: usize = shape[1..].iter().product();
        let weight = Begin::Within((6.0 / inputs as f32).sqrt());
        Self::pair(name, shape, [weight, Begin::With(0.0)])
    }

    /// Weight and bias of the last layer: as [`layer`](Self::layer), with weights so small that all outputs begin near zero.
    pub fn last_layer(name: &str, shape: &[usize]) -> [Self; 2] {
        Self::pair(name, shape, [Begin::Within(0.01), Begin::With(0.0)])
    }

    /// Weight and bias of a layer that begins as in the paper on AlexNet (Krizhevsky and others, 2012): weights with this standard deviation, and
    /// this bias. Its inputs are pixels, which are a hundred times as large as what [`layer`](Self::layer) expects.
    pub fn published(name: &str, shape: &[usize], deviation: f32, bias: f32) -> [Self; 2] {
        // As wide as a normal distribution of that deviation.
        let weight = Begin::Within(deviation * 3.0_f32.sqrt());
        Self::pair(name, shape, [weight, Begin::With(bias)])
    }

    /// Weight and bias of a normalisation.
    pub fn norm(name: &str, channels: usize) -> [Self; 2] {
        Self::pair(name, &[channels], [Begin::With(1.0), Begin::With(0.0)])
    }

    fn pair(name: &str, shape: &[usize], [weight, bias]: [Begin; 2]) -> [Self; 2] {
        let of = |part, shape: &[usize], begin| Self {
            name: format!("{name}.{part}"),
            shape: shape.to_vec(),
            begin,
        };
        [of("weight", shape, weight), of("bias", &shape[..1], bias)]
    }

    fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// The parameters of a network, as plain numbers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Parameters {
    specs: Vec<Spec>,
    /// The numbers of one parameter after the other.
    pub values: Vec<Vec<f32>>,
}

impl Parameters {
    /// Parameters before anything is learned.
    pub fn drawn(specs: Vec<Spec>, random: &mut ChaCha8Rng) -> Self {
        let mut first = |spec: &Spec| match spec.begin {
            Begin::With(value) => vec![value; spec.count()],
            Begin::Within(bound) => {
                (0..spec.count()).map(|_| (2.0 * random.random::<f32>() - 1.0) * bound).collect()
            }
        };
        let values = specs.iter().map(&mut first).collect();
        Self { specs, values }
    }

    /// All zero, as the sums of an optimiser begin.
    pub fn zeros(&self) -> Self {
        let values = self.values.iter().map(|values| vec![0.0; values.len()]).collect();
        Self { specs: self.specs.clone(), values }
    }

    /// The parameters in a file.
    pub fn read(specs: Vec<Spec>, file: &ModelFile) -> Result<Self, ModelError> {
        let values = specs.iter().map(|spec| Ok(file.tensor(&spec.name, &spec.shape)?.to_vec()));
        let values = values.collect::<Result<_, ModelError>>()?;
        Ok(Self { specs, values })
    }

    /// The parameters for a file.
    pub fn tensors(&self) -> impl Iterator<Item = NamedTensor> {
        let pairs = self.specs.iter().zip(&self.values);
        pairs.map(|(spec, values)| (spec.name.clone(), spec.shape.clone(), values.clone()))
    }

    /// Names and shapes.
    pub fn specs(&self) -> &[Spec] {
        &self.specs
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        self.values.iter().map(Vec::len).sum()
    }

    /// The parameters as tensors, to run the network.
    pub fn live(&self, device: &Device) -> Live {
        self.on(device, |tensor| tensor)
    }

    /// The parameters as tensors whose gradients are wanted.
    pub fn tracked(&self, device: &Device) -> Live {
        self.on(device, Tensor::require_grad)
    }

    fn on(&self, device: &Device, as_wanted: impl Fn(Tensor<1>) -> Tensor<1>) -> Live {
        let pairs = self.specs.iter().zip(&self.values);
        let tensors = pairs.map(|(spec, values)| {
            let flat = tensor(values.clone(), [values.len()], device);
            (spec.name.clone(), (spec.shape.clone(), as_wanted(flat)))
        });
        Live(tensors.collect())
    }
}

/// Parameters as tensors, by name.
#[derive(Clone, Debug)]
pub struct Live(BTreeMap<String, (Vec<usize>, Tensor<1>)>);

impl Live {
    /// A parameter in its shape.
    ///
    /// # Panics
    /// When the network has no such parameter, or its shape has more or fewer dimensions.
    pub fn get<const D: usize>(&self, layer: &str, part: &str) -> Tensor<D> {
        let (shape, tensor) = &self.0[&format!("{layer}.{part}")];
        let shape: [usize; D] = shape.as_slice().try_into().expect("the dimensions are known");
        tensor.clone().reshape(shape)
    }

    /// The gradient of each parameter, in the order of these names; zero where nothing depends on it.
    pub fn gradients(&self, specs: &[Spec], gradients: &mut Gradients) -> Vec<Vec<f32>> {
        let gradient = |spec: &Spec| {
            let found = self.0[&spec.name].1.grad_remove(gradients);
            found.map_or_else(|| vec![0.0; spec.count()], numbers_of)
        };
        specs.iter().map(gradient).collect()
    }
}

/// A tensor of these numbers.
pub fn tensor<const D: usize>(values: Vec<f32>, shape: [usize; D], device: &Device) -> Tensor<D> {
    Tensor::from_data(TensorData::new(values, shape), device)
}
