//! Gradients, trainings from beginning to end, and what trainings promise.

use std::ops::ControlFlow;

use burn_tensor::Tensor;
use burn_tensor::activation::relu;
use jostle::Grid;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::layers::{Conv, conv, linear, local_response_norm, max_pool};
use super::parameters::{Begin, Live, Parameters, Spec, tensor};
use super::twin_tests::hashed;
use super::*;
use crate::{Results, Sample, Samples, Selector};

#[test]
fn eight_symmetries_show_a_square_in_eight_ways() {
    let side = 3;
    let shown = |number| {
        let symmetry = Symmetry::new(number);
        let source = |at: usize| {
            let (x, y) = symmetry.source((at % side, at / side), side);
            y * side + x
        };
        (0..side * side).map(source).collect::<Vec<_>>()
    };
    assert_eq!(shown(0), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    // Turned by a quarter.
    assert!((0..8).any(|number| shown(number) == [6, 3, 0, 7, 4, 1, 8, 5, 2]));
    let mut all: Vec<Vec<usize>> = (0..Symmetry::COUNT).map(shown).collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 8);
    for shown in all {
        // What lies beside something lies beside it still.
        assert_eq!(shown[4], 4);
        assert!([1, 3, 5, 7].contains(&shown[1]));
    }
}

/// Compares gradients with central differences, at a few places of each parameter.
#[track_caller]
fn check_gradients(parameters: &Parameters, of: impl Fn(&Live) -> Tensor<1>) {
    let value = |parameters: &Parameters| f64::from(numbers_of(of(&parameters.live(&device())))[0]);
    let live = parameters.tracked(&device().autodiff());
    let found = live.gradients(parameters.specs(), &mut of(&live).backward());
    let mut places = 0;
    for (at, spec) in parameters.specs().iter().enumerate() {
        let gradients = &found[at];
        let largest = gradients.iter().fold(0.0_f32, |largest, one| largest.max(one.abs()));
        assert!(largest > 0.0, "{} has no gradient", spec.name);
        // Where the gradient is large, rounding is small beside the difference.
        let large = (0..gradients.len()).filter(|&place| gradients[place].abs() > 0.3 * largest);
        for place in large.step_by(gradients.len() / 3 + 1).take(3) {
            // Small steps lose to rounding and large ones meet corners of ReLU: one of a few must agree.
            let step_agrees = |step: f32| {
                let moved = |by: f32| {
                    let mut parameters = parameters.clone();
                    parameters.values[at][place] += by;
                    value(&parameters)
                };
                let slope = (moved(step) - moved(-step)) / f64::from(2.0 * step);
                (slope - f64::from(gradients[place])).abs() < 0.02 * f64::from(largest)
            };
            assert!([1e-2, 3e-3, 1e-3].into_iter().any(step_agrees), "{} at {place}", spec.name);
            places += 1;
        }
    }
    assert!(places >= parameters.specs().len());
}

fn random() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(5)
}

/// First parameters, with biases and last weights that matter.
fn lively(specs: Vec<Spec>) -> Parameters {
    let lively = specs.into_iter().map(|mut spec| {
        spec.begin = match spec.begin {
            Begin::With(0.0) => Begin::Within(0.3),
            Begin::Within(0.01) => Begin::Within(0.5),
            begin => begin,
        };
        spec
    });
    Parameters::drawn(lively.collect(), &mut random())
}

#[test]
fn the_gradients_of_the_small_network_and_its_loss_are_the_slopes() {
    let parameters = lively(Encodings::parameters(3));
    let seen = Encodings::see(Sight { grid: &Grid::open(4, 4).unwrap(), tasks: &[] });
    let costs: [&[f32]; 2] = [&[1.0, 3.0, 2.0], &[2.0, 2.5, 0.5]];
    let measured = Encodings::measured(&[&seen, &seen], &costs);
    check_gradients(&parameters, |live| {
        let device = live.get::<1>("fc2", "bias").device();
        let images = tensor(hashed(1, 2 * 4 * 16 * 16), [2, 4, 16, 16], &device);
        let numbers = tensor(hashed(2, 8), [2, 4], &device);
        let outputs = Encodings::forward(live, images, numbers, None);
        let best = tensor(vec![1.0, 0.0, 0.0, 0.0, 0.0, 1.0], [2, 3], &device);
        let costs = tensor(costs.concat(), [2, 3], &device);
        measured.loss(outputs, costs, best, &Training::default())
    });
}

#[test]
fn the_gradients_of_layers_and_loss_of_alexnet_are_the_slopes() {
    let mut specs = Vec::from(Spec::layer("conv", &[8, 2, 3, 3]));
    specs.extend(Spec::layer("fc", &[3, 8 * 3 * 3]));
    let parameters = lively(specs);
    let measured = Pictures::measured(&[], &[&[0.0; 3]]);
    check_gradients(&parameters, |live| {
        let device = live.get::<1>("fc", "bias").device();
        // So large that the normalisation matters.
        let images = hashed(3, 2 * 4 * 9 * 9).iter().map(|value| value * 100.0).collect();
        let images = tensor(images, [2, 4, 9, 9], &device);
        let grouped = Conv { stride: 1, padding: 0, groups: 2 };
        let signal = relu(conv(live, "conv", images, &grouped));
        let signal: Tensor<2> = max_pool(local_response_norm(signal)).flatten(1, 3);
        let outputs = linear(live, "fc", signal * 0.01);
        let best = tensor(vec![0.0, 1.0, 0.0, 0.0, 0.0, 1.0], [2, 3], &device);
        let costs = tensor(vec![0.0; 6], [2, 3], &device);
        measured.loss(outputs, costs, best, &Training::default())
    });
}

#[test]
fn the_loss_of_the_small_network_is_the_sum_of_its_parts() {
    let seen = Encodings::see(Sight { grid: &Grid::open(4, 4).unwrap(), tasks: &[] });
    // Both candidates have the mean 1, and the scale is 1.
    let costs: [&[f32]; 2] = [&[0.0, 2.0], &[2.0, 0.0]];
    let measured = Encodings::measured(&[&seen, &seen], &costs);
    let loss = |outputs: [f32; 2], [huber, regret, cross_entropy]: [f64; 3]| {
        let training = Training { huber, regret, cross_entropy, ..Training::default() };
        let outputs = tensor(outputs.to_vec(), [1, 2], &device());
        let costs = tensor(costs[0].to_vec(), [1, 2], &device());
        let best = tensor(vec![1.0, 0.0], [1, 2], &device());
        f64::from(numbers_of(measured.loss(outputs, costs, best, &training))[0])
    };
    // Predicted costs are 1.5 and 4: errors of 1.5 and 2, of which 0.5 and 1 are beyond 1, with 0.5 each below: 1 and 1.5.
    let outputs = [0.5, 3.0];
    assert!((loss(outputs, [1.0, 0.0, 0.0]) - 1.25).abs() < 1e-5);
    // The second one costs 2 more than the first and is chosen with this probability.
    let second = 1.0 / (1.0 + (2.5_f64 / 0.3).exp());
    assert!((loss(outputs, [0.0, 1.0, 0.0]) - 2.0 * second).abs() < 1e-5);
    assert!((loss(outputs, [0.0, 0.0, 1.0]) + (1.0 - second).ln()).abs() < 1e-5);
    // Small errors count as half their squares.
    assert!((loss([-0.5, 0.5], [1.0, 0.0, 0.0]) - 0.125).abs() < 1e-5);
}

#[test]
fn the_small_network_has_fewer_than_a_million_parameters() {
    let count = |spec: &Spec| spec.shape.iter().product::<usize>();
    let count = Encodings::parameters(3).iter().map(count).sum::<usize>();
    assert_eq!(count, 95_291);
}

#[test]
fn alexnet_gives_a_row_for_each_picture_and_the_same_for_the_same() {
    let parameters = Parameters::drawn(Pictures::parameters(4), &mut random());
    let architecture = Pictures::measured(&[], &[&[0.0; 4]]);
    let mut network = Network::new(architecture, parameters);
    let white = vec![255; 227 * 227 * 3];
    let outputs = network.outputs(&[&white, &white]);
    assert_eq!(outputs.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4]);
    assert_eq!(outputs[0], outputs[1]);
    let grid = Grid::open(5, 5).unwrap();
    let chances = network.predict(Sight { grid: &grid, tasks: &[] });
    assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)));
    assert!((chances.iter().sum::<f32>() - 3.0).abs() < 1e-5);
}

const PROBLEMS_ON_A_MAP: usize = 20;

/// Crowds that go east, where the first candidate is better, or west, where the other one is. Each map has as many of both. All that a
/// network sees beside the picture is the same for all problems. Where the pictures are shuffled, every second crowd of a map goes
/// where the next one should, so that candidates have nothing to do with directions.
fn crowds(maps: usize, are_shuffled: bool, seed: u64) -> Samples {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let grid = Grid::open(64, 64).unwrap();
    let mut tasks: Vec<Vec<_>> = (0..maps * PROBLEMS_ON_A_MAP)
        .map(|problem| {
            let is_east = problem % 2 == 0;
            let task = |_| {
                let (x, y) = (random.random_range(0..48), random.random_range(0..64));
                let ends = (grid.at(x, y).unwrap(), grid.at(x + 16, y).unwrap());
                if is_east { ends } else { (ends.1, ends.0) }
            };
            (0..6).map(task).collect()
        })
        .collect();
    if are_shuffled {
        for four in tasks.chunks_mut(4) {
            four.swap(0, 1);
        }
    }
    let problems = tasks.into_iter().enumerate();
    let problems = problems.map(|(at, tasks)| Sample { map: at / PROBLEMS_ON_A_MAP, tasks });
    let mut results = Results::of_problems(maps * PROBLEMS_ON_A_MAP).unwrap();
    for candidate in 0..2 {
        let cost = |problem: usize| f32::from(u8::from(problem % 2 != candidate));
        results.add(&(0..results.problems()).map(cost).collect::<Vec<_>>()).unwrap();
    }
    let best = (0..results.problems()).map(|problem| problem % 2).collect();
    Samples::new(vec![grid.clone(); maps], problems.collect(), results, best).unwrap()
}

fn quick() -> Training {
    // East and west look the same in a mirror.
    let (epochs, batch) = (8, 32);
    Training { epochs, batch, rate: 3e-3, symmetries: false, threads: 2, ..Encodings::training() }
}

fn accuracy(learned_from: &Samples) -> f64 {
    let mut selector = NetworkSelector::<Encodings>::new(quick());
    let all: Vec<usize> = (0..learned_from.len()).collect();
    selector.learn(learned_from, &all, 1).unwrap();
    let unseen = crowds(5, false, 99);
    let all: Vec<usize> = (0..unseen.len()).collect();
    let choices = selector.choose(&unseen, &all);
    let right = choices.iter().zip(unseen.best()).filter(|(choice, best)| choice == best).count();
    right as f64 / choices.len() as f64
}

#[test]
fn a_network_learns_what_only_the_picture_tells() {
    let accuracy = accuracy(&crowds(10, false, 1));
    assert!(accuracy > 0.9, "{accuracy}");
}

#[test]
fn a_network_learns_nothing_from_pictures_of_other_problems() {
    let accuracy = accuracy(&crowds(10, true, 1));
    assert!(accuracy <= 0.7, "{accuracy}");
}

/// Few problems, a short training.
fn short() -> (Samples, Vec<usize>, Training) {
    let samples = crowds(2, false, 3);
    let all = (0..samples.len()).collect();
    (samples, all, Training { epochs: 5, batch: 24, symmetries: true, ..quick() })
}

fn bytes<A: Architecture>(trainer: &Trainer<A>) -> Vec<u8> {
    trainer.best().file(vec!["east".to_owned(), "west".to_owned()]).write().unwrap()
}

fn trained(samples: &Samples, problems: &[usize], training: Training) -> Vec<u8> {
    let mut trainer = Trainer::<Encodings>::new(samples, problems, training).unwrap();
    trainer.run(|_, _| ControlFlow::Continue(())).unwrap();
    bytes(&trainer)
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let (samples, all, training) = short();
    let first = trained(&samples, &all, training.clone());
    assert_eq!(trained(&samples, &all, Training { threads: 1, ..training.clone() }), first);
    assert_ne!(trained(&samples, &all, Training { seed: 7, ..training }), first);
}

#[test]
fn a_training_that_was_stopped_goes_on_to_the_same_bytes() {
    let (samples, all, training) = short();
    let mut trainer = Trainer::<Encodings>::new(&samples, &all, training.clone()).unwrap();
    let mut state = Vec::new();
    let stop = |trainer: &Trainer<Encodings>, epoch: &Epoch| {
        assert!(epoch.train_loss.is_finite() && epoch.validation_cost <= 1.0);
        state = trainer.state();
        if epoch.number == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    trainer.run(stop).unwrap();
    assert_eq!((trainer.epochs(), trainer.is_finished()), (3, false));
    let mut resumed =
        Trainer::<Encodings>::resumed(&samples, &all, training.clone(), &state).unwrap();
    assert_eq!(resumed.state(), state);
    resumed.run(|_, _| ControlFlow::Continue(())).unwrap();
    assert_eq!(bytes(&resumed), trained(&samples, &all, training.clone()));

    let refused = |training: Training, problems: &[usize], state: &[u8]| {
        Trainer::<Encodings>::resumed(&samples, problems, training, state).unwrap_err()
    };
    assert_eq!(refused(training.clone(), &all, b"nonsense"), "this is not the state of a training");
    let others = refused(training.clone(), &all[..30], &state);
    assert!(others.starts_with("this state is that of another training: its problems"), "{others}");
    let otherwise = refused(Training { batch: 3, ..training }, &all, &state);
    assert!(otherwise.contains("its settings"), "{otherwise}");
}

#[test]
fn a_training_without_problems_is_refused() {
    let (samples, _, training) = short();
    let refused = Trainer::<Encodings>::new(&samples, &[], training).unwrap_err();
    assert_eq!(refused, "there are no problems to learn from");
}

#[test]
fn a_training_on_one_problem_with_one_candidate_ends() {
    let mut results = Results::of_problems(1).unwrap();
    results.add(&[3.0]).unwrap();
    let problems = vec![Sample { map: 0, tasks: Vec::new() }];
    let grids = vec![Grid::open(3, 3).unwrap()];
    let samples = Samples::new(grids, problems, results, vec![0]).unwrap();
    let mut selector = NetworkSelector::<Encodings>::new(Training { epochs: 2, ..quick() });
    assert!(selector.predict(samples.sight(0)).is_empty());
    selector.learn(&samples, &[0], 1).unwrap();
    assert_eq!(selector.choose(&samples, &[0]), [0]);
    assert!((selector.predict(samples.sight(0))[0] - 3.0).abs() < 1.0);
}

#[test]
fn a_model_predicts_the_same_after_it_was_written_and_read() {
    let (samples, all, training) = short();
    let mut trainer = Trainer::<Encodings>::new(&samples, &all, training).unwrap();
    trainer.epoch().unwrap();
    let mut model = crate::Model::read(&bytes(&trainer)).unwrap();
    assert_eq!(model.candidates(), ["east", "west"]);
    assert_eq!(model.predict(samples.sight(0)), trainer.best().predict(samples.sight(0)));
    assert_eq!(model.write().unwrap(), bytes(&trainer));
    let file = ModelFile::new(ModelKind::Small, vec!["east".to_owned()]);
    assert!(matches!(crate::Model::new(file), Err(ModelError::Missing(_))));
}
