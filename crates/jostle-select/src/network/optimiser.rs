//! How gradients change parameters: the two rules that the networks are trained with, as PyTorch has them.

use super::parameters::Parameters;

/// A rule for steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimiser {
    /// Adam with weight decay apart from the gradients (Loshchilov and Hutter, 2019), with 0.9, 0.999 and 1e-8.
    AdamW,
    /// Stochastic gradient descent with momentum 0.9 and weight decay as part of the gradients.
    Momentum,
}

/// What a rule remembers from step to step.
#[derive(Clone, PartialEq, Debug)]
pub struct Moments {
    /// Steps so far.
    pub steps: u64,
    /// The running sum of gradients.
    pub first: Parameters,
    /// The running sum of their squares; none for [`Optimiser::Momentum`].
    pub second: Parameters,
}

impl Moments {
    /// Before the first step.
    pub fn new(parameters: &Parameters, optimiser: Optimiser) -> Self {
        let first = parameters.zeros();
        let second = match optimiser {
            Optimiser::AdamW => first.clone(),
            Optimiser::Momentum => Parameters::default(),
        };
        Self { steps: 0, first, second }
    }
}

impl Optimiser {
    /// Makes a step. `rate` is that of each parameter.
    pub fn step(
        self,
        parameters: &mut Parameters,
        gradients: &[Vec<f32>],
        moments: &mut Moments,
        weight_decay: f32,
        rate: impl Fn(usize) -> f32,
    ) {
        moments.steps += 1;
        let steps = moments.steps.min(1 << 20) as i32;
        let corrections = [0.9_f32, 0.999].map(|factor| 1.0 - factor.powi(steps));
        for (at, values) in parameters.values.iter_mut().enumerate() {
            let rate = rate(at);
            let (gradients, first) = (&gradients[at], &mut moments.first.values[at]);
            let each = values.iter_mut().zip(gradients).zip(first);
            match self {
                Self::AdamW => {
                    for (((value, &gradient), first), second) in
                        each.zip(&mut moments.second.values[at])
                    {
                        *first = 0.9 * *first + 0.1 * gradient;
                        *second = 0.999 * *second + 0.001 * gradient * gradient;
                        let scale = (*second / corrections[1]).sqrt() + 1e-8;
                        *value -= rate * weight_decay * *value;
                        *value -= rate * (*first / corrections[0]) / scale;
                    }
                }
                Self::Momentum => {
                    for ((value, &gradient), first) in each {
                        *first = 0.9 * *first + gradient + weight_decay * *value;
                        *value -= rate * *first;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::network::parameters::{Begin, Spec};

    fn after_two_steps(optimiser: Optimiser) -> f32 {
        let begin = Begin::With(1.0);
        let spec = Spec { name: "a.weight".to_owned(), shape: vec![1], begin };
        let mut one = Parameters::drawn(vec![spec], &mut ChaCha8Rng::seed_from_u64(0));
        let mut moments = Moments::new(&one, optimiser);
        for gradient in [0.5, -0.25] {
            optimiser.step(&mut one, &[vec![gradient]], &mut moments, 0.1, |_| 0.01);
        }
        one.values[0][0]
    }

    #[test]
    fn adam_steps_as_its_formula_says() {
        // First step: decay to 0.999, then 0.01 down, whatever the gradient is. Second step: the first moments are 0.05 and 0.02, over
        // 0.19; the second ones 0.00025 and 0.00031225, over 0.001999.
        let first = 1.0 - 0.01 * 0.1 - 0.01;
        let step = (0.02 / 0.19) / f64::sqrt(0.000_312_25 / 0.001_999);
        let second = first - 0.01 * 0.1 * first - 0.01 * step;
        assert!((f64::from(after_two_steps(Optimiser::AdamW)) - second).abs() < 1e-6);
    }

    #[test]
    fn momentum_steps_as_its_formula_says() {
        // The sums of gradients are 0.5 + 0.1 and 0.9 * 0.6 - 0.25 + 0.1 * 0.994.
        let second = 1.0 - 0.01 * 0.6 - 0.01 * (0.54 - 0.25 + 0.0994);
        assert!((f64::from(after_two_steps(Optimiser::Momentum)) - second).abs() < 1e-6);
    }
}
