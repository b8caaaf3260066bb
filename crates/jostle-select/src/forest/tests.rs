use jostle::Grid;
use proptest::prelude::*;

use super::grow::Cut;
use super::*;
use crate::{Results, Sample};

/// Every feature is looked at, every row counts by itself, and splits look at what leaves hold.
const EXACT: ForestSettings =
    ForestSettings { trees: 1, depth: 24, leaf: 1, differences: false, handicap: 0.0 };

/// The variance that a cut leaves, by its definition: squared differences from the means of either side, over all candidates.
fn left_over(table: &Table<'_>, rows: &[u32], feature: usize, threshold: f32) -> f64 {
    let value = |row: u32| table.features[row as usize * table.width + feature];
    let (left, right): (Vec<u32>, Vec<u32>) =
        rows.iter().partition(|&&row| value(row) <= threshold);
    let squares = |side: &[u32]| -> f64 {
        let of = |candidate: usize| {
            let costs: Vec<f64> = side
                .iter()
                .map(|&row| table.costs[row as usize * table.candidates + candidate])
                .collect();
            let mean = costs.iter().sum::<f64>() / costs.len() as f64;
            costs.iter().map(|cost| (cost - mean).powi(2)).sum::<f64>()
        };
        (0..table.candidates).map(of).sum()
    };
    squares(&left) + squares(&right)
}

/// All thresholds between two values of a feature.
fn thresholds(table: &Table<'_>, rows: &[u32], feature: usize) -> Vec<f32> {
    let mut values: Vec<f32> =
        rows.iter().map(|&row| table.features[row as usize * table.width + feature]).collect();
    values.sort_by(f32::total_cmp);
    values.dedup();
    values.windows(2).map(|pair| f32::midpoint(pair[0], pair[1])).collect()
}

proptest! {
    #[test]
    fn the_best_cut_is_the_one_that_brute_force_finds(
        (width, candidates) in (1usize..4, 1usize..4),
        numbers in prop::collection::vec((0u8..5, 0u8..9), 6 * 9),
        rows in 2usize..10,
        leaf in 1usize..4,
    ) {
        let features: Vec<f32> = numbers[..rows * width].iter().map(|n| f32::from(n.0)).collect();
        let costs: Vec<f64> = numbers[..rows * candidates].iter().map(|n| f64::from(n.1)).collect();
        let table = Table { features: &features, costs: &costs, width, candidates };
        let all: Vec<u32> = (0..rows as u32).collect();
        let mut growth = Growth::new(table, ForestSettings { leaf, ..EXACT }, 1);
        let found = growth.best_cut(&all, width);
        let sides = |feature: usize, threshold: f32| {
            let left = (0..rows).filter(|row| features[row * width + feature] <= threshold).count();
            left.min(rows - left)
        };
        let cuts = (0..width).flat_map(|f| thresholds(&table, &all, f).into_iter().map(move |t| (f, t)));
        let cuts: Vec<(usize, f32)> = cuts.filter(|&(f, t)| sides(f, t) >= leaf).collect();
        let least = cuts.iter().map(|&(f, t)| left_over(&table, &all, f, t)).fold(f64::INFINITY, f64::min);
        let before = left_over(&table, &all, 0, f32::INFINITY);
        match found {
            None => prop_assert!(cuts.is_empty() || least > before - 1e-6),
            Some(Cut { feature, threshold, .. }) => {
                prop_assert!(sides(feature, threshold) >= leaf);
                prop_assert!((left_over(&table, &all, feature, threshold) - least).abs() < 1e-6);
                prop_assert!(least < before);
            }
        }
    }

    #[test]
    fn a_tree_that_may_grow_knows_every_row_that_has_features_of_its_own(
        numbers in prop::collection::vec((0u16..1000, 0u8..9), 1..20),
    ) {
        let mut features: Vec<f32> = numbers.iter().map(|n| f32::from(n.0)).collect();
        features.sort_by(f32::total_cmp);
        features.dedup();
        let costs: Vec<f64> = numbers[..features.len()].iter().map(|n| f64::from(n.1)).collect();
        let table = Table { features: &features, costs: &costs, width: 1, candidates: 1 };
        let mut rows: Vec<u32> = (0..features.len() as u32).collect();
        let mut growth = Growth::new(table, ForestSettings { trees: 0, ..EXACT }, 1);
        growth.tree(&mut rows);
        let trees = growth.trees();
        for (feature, cost) in features.iter().zip(&costs) {
            prop_assert!((f64::from(trees.mean(&[*feature])[0]) - cost).abs() < 1e-3);
        }
    }
}

#[test]
fn a_tree_by_hand() {
    // The cost jumps between 2 and 3, and then between 3 and 4 by less.
    let features = [1.0, 2.0, 3.0, 4.0];
    let costs = [0.0, 0.0, 8.0, 10.0];
    let table = Table { features: &features, costs: &costs, width: 1, candidates: 1 };
    let settings = ForestSettings { trees: 0, ..EXACT };
    let mut growth = Growth::new(table, settings, 1);
    growth.tree(&mut [0, 1, 2, 3]);
    let trees = growth.trees();
    assert_eq!(trees.features, [0, trees::LEAF, 0, trees::LEAF, trees::LEAF]);
    assert_eq!((trees.thresholds[0], trees.thresholds[2]), (2.5, 3.5));
    assert_eq!((trees.next[0], trees.next[2]), (2, 4));
    assert_eq!(trees.values, [0.0, 8.0, 10.0]);
    let says = [0.0, 2.5, 2.6, 3.5, 9.0].map(|feature| trees.mean(&[feature])[0]).to_vec();
    assert_eq!(says, [0.0, 0.0, 8.0, 8.0, 10.0]);
}

/// A map for each problem, `wide` columns and `tall` rows, and two candidates, of which the second one is best where it says so.
fn maps(sizes: &[(u32, u32)], is_second: impl Fn(u32, u32) -> bool) -> Samples {
    let best: Vec<usize> = sizes.iter().map(|&(x, y)| usize::from(is_second(x, y))).collect();
    let grids: Vec<Grid> = sizes.iter().map(|&(x, y)| Grid::open(x, y).unwrap()).collect();
    let problems = (0..sizes.len()).map(|map| Sample { map, tasks: Vec::new() }).collect();
    let mut results = Results::of_problems(sizes.len()).unwrap();
    for candidate in 0..2 {
        let cost = |&best: &usize| if best == candidate { 1.0 } else { 2.0 };
        results.add(&best.iter().map(cost).collect::<Vec<f32>>()).unwrap();
    }
    Samples::new(grids, problems, results, best).unwrap()
}

fn squares() -> Vec<(u32, u32)> {
    (3..19).flat_map(|x| (3..19).map(move |y| (x, y))).collect()
}

/// The share of right choices on every third problem, learned from the others.
fn accuracy(samples: &Samples, mut forest: Forest) -> f64 {
    let (test, train): (Vec<usize>, Vec<usize>) = (0..samples.len()).partition(|n| n % 3 == 1);
    forest.learn(samples, &train, 7).unwrap();
    let choices = forest.choose(samples, &test);
    let right =
        choices.iter().zip(&test).filter(|&(choice, &test)| *choice == samples.best()[test]);
    right.count() as f64 / test.len() as f64
}

#[test]
fn a_forest_learns_when_exactly_one_of_two_features_is_large() {
    let samples = maps(&squares(), |x, y| (x > 10) != (y > 10));
    let accuracy = accuracy(&samples, Forest::default());
    assert!(accuracy > 0.9, "{accuracy}");
}

#[test]
fn the_same_seed_grows_the_same_forest() {
    let samples = maps(&squares(), |x, y| x * y > 100);
    let grown = |seed| {
        let mut forest = Forest::default();
        forest.learn(&samples, &(0..200).collect::<Vec<_>>(), seed).unwrap();
        forest
    };
    assert_eq!(grown(1), grown(1));
    assert_ne!(grown(1), grown(2));
}

#[test]
fn what_it_is_tested_on_does_not_matter_to_what_it_learns() {
    let train: Vec<usize> = (0..128).collect();
    let grown = |samples: &Samples| {
        let mut forest = Forest::default();
        forest.learn(samples, &train, 1).unwrap();
        forest
    };
    let is_second = |x: u32, y: u32| x > y;
    // Of the second half, sizes and results differ.
    let mut others = squares();
    others[128..].reverse();
    let other = maps(&others, |x, y| is_second(x, y) != (x > 10));
    assert_eq!(others[..128], squares()[..128]);
    assert_eq!(grown(&maps(&squares(), is_second)), grown(&other));
}

#[test]
fn one_class_one_row_and_constant_features_make_forests_too() {
    let one_class = maps(&squares(), |_, _| true);
    assert!(accuracy(&one_class, Forest::default()) > 0.99);
    let mut forest = Forest::default();
    forest.learn(&one_class, &[5], 1).unwrap();
    assert_eq!(forest.choose(&one_class, &[0, 200]), [1, 1]);
    // All maps are the same: the mean is all there is, and the second candidate is best on two of three.
    let sizes = [(4, 4); 30];
    let mut constant = maps(&sizes, |_, _| true);
    let best: Vec<usize> = (0..30).map(|n| usize::from(n % 3 > 0)).collect();
    constant = constant.with_candidates(constant.results().clone(), best).unwrap();
    forest.learn(&constant, &(0..30).collect::<Vec<_>>(), 1).unwrap();
    assert_eq!(forest.choose(&constant, &[0]), [1]);
    assert!(forest.learn(&constant, &[], 1).is_err());
    assert!(Forest::default().predict(constant.sight(0)).is_empty());
}

#[test]
fn where_candidates_cost_the_same_the_best_one_is_chosen() {
    let samples = maps(&squares(), |x, _| x > 10);
    let mut same = Results::of_problems(samples.len()).unwrap();
    let cost: Vec<f32> = (0..samples.len()).map(|n| n as f32 * 0.001).collect();
    same.add(&cost).unwrap();
    same.add(&cost).unwrap();
    let samples = samples.with_candidates(same, samples.best().to_vec()).unwrap();
    assert!(accuracy(&samples, Forest::default()) > 0.95);
    let plain = ForestSettings { handicap: 0.0, ..ForestSettings::default() };
    assert!(accuracy(&samples, Forest::new(plain)) < 0.6, "nothing tells them apart");
}

fn grown() -> Forest {
    let samples = maps(&squares(), |x, y| x > y);
    let mut forest = Forest::new(ForestSettings { trees: 3, ..ForestSettings::default() });
    forest.learn(&samples, &(0..256).collect::<Vec<_>>(), 1).unwrap();
    forest
}

fn read(tensors: &[Tensor]) -> Result<Forest, TensorError> {
    Forest::from_tensors(|name| {
        let tensor = tensors.iter().find(|tensor| tensor.name == name)?;
        Some((&tensor.shape[..], &tensor.values[..]))
    })
}

#[test]
fn tensors_are_read_as_they_are_written() {
    let forest = grown();
    assert_eq!(read(&forest.to_tensors()).unwrap(), forest);
}

#[test]
fn tensors_that_are_no_forest_are_refused() {
    let tensors = grown().to_tensors();
    let with = |name: &str, change: &dyn Fn(&mut Tensor)| {
        let mut tensors = tensors.clone();
        change(tensors.iter_mut().find(|tensor| tensor.name == name).unwrap());
        read(&tensors).unwrap_err()
    };
    let value = |name, at, value: f32| with(name, &|tensor| tensor.values[at] = value);
    for name in tensors.iter().map(|tensor| tensor.name) {
        let others: Vec<Tensor> = tensors.iter().filter(|one| one.name != name).cloned().collect();
        assert_eq!(read(&others).unwrap_err(), TensorError::Missing(name));
        let longer = with(name, &|tensor| tensor.shape.push(1));
        assert_eq!(longer, TensorError::Shape(name));
    }
    // A circle, a child beyond the end, in another tree, or before its parent.
    let far = tensors[3].values.len() as f32;
    for child in [0.0, 1.0, far, -1.0, 1.5, f32::NAN, tensors[1].values[1]] {
        assert_eq!(value("forest.next", 0, child), TensorError::Value("forest.next", 0), "{child}");
    }
    assert_eq!(value("forest.features", 0, 99.0), TensorError::Value("forest.features", 0));
    assert_eq!(value("forest.features", 0, -2.0), TensorError::Value("forest.features", 0));
    assert_eq!(
        value("forest.thresholds", 0, f32::INFINITY),
        TensorError::Value("forest.thresholds", 0)
    );
    assert_eq!(value("forest.values", 3, f32::NAN), TensorError::Value("forest.values", 3));
    assert_eq!(value("forest.roots", 0, 1.0), TensorError::Value("forest.roots", 0));
    assert_eq!(value("forest.roots", 1, 0.0), TensorError::Value("forest.roots", 1));
    assert_eq!(value("forest.width", 0, 7.0), TensorError::Features(7));
    let other = value("forest.width", 0, 7.0).to_string();
    assert!(other.starts_with("the forest looks at 7 features, and this version has "), "{other}");
}
