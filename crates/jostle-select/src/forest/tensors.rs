//! A forest as tensors, for model files.

use std::fmt;

use super::trees::{LEAF, Trees};
use super::{Forest, ForestSettings};
use crate::Features;

/// Numbers with a name and a shape.
#[derive(Clone, PartialEq, Debug)]
pub struct Tensor {
    /// Its name in a model file.
    pub name: &'static str,
    /// Its size along each axis.
    pub shape: Vec<usize>,
    /// Its numbers, the last axis fastest.
    pub values: Vec<f32>,
}

/// Tensors that are no forest.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TensorError {
    /// There is none of this name.
    Missing(&'static str),
    /// It has another shape than the others ask for.
    Shape(&'static str),
    /// A number in it makes no sense.
    Value(&'static str, usize),
    /// The forest is of features that this version does not compute.
    Features(usize),
}

impl fmt::Display for TensorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(name) => write!(f, "the tensor {name} of the forest is missing"),
            Self::Shape(name) => write!(f, "the tensor {name} of the forest has the wrong shape"),
            Self::Value(name, at) => write!(f, "number {at} of the tensor {name} makes no forest"),
            Self::Features(found) => write!(
                f,
                "the forest looks at {found} features, and this version has {}",
                Features::COUNT
            ),
        }
    }
}

impl std::error::Error for TensorError {}

/// The largest whole number up to which a 32-bit floating point number holds all.
const MOST: f32 = 16_777_216.0;

impl Forest {
    /// What it has learned: `forest.roots` has the first node of each tree; `forest.features` the feature by which each node splits, or -1 for
    /// a leaf; `forest.thresholds` up to which value problems go left, to the next node; `forest.next` the right child, or for a leaf the
    /// number of its row in `forest.values`, which has a cost for each candidate; `forest.width` the number of features.
    pub fn to_tensors(&self) -> Vec<Tensor> {
        let Trees { candidates, roots, features, thresholds, next, values } = &self.trees;
        let flat = |name, values: Vec<f32>| Tensor { name, shape: vec![values.len()], values };
        let numbers = |of: &[u32]| of.iter().map(|&number| number as f32).collect::<Vec<f32>>();
        let feature = |&feature: &u32| if feature == LEAF { -1.0 } else { feature as f32 };
        vec![
            flat("forest.width", vec![Features::COUNT as f32]),
            flat("forest.roots", numbers(roots)),
            flat("forest.features", features.iter().map(feature).collect()),
            flat("forest.thresholds", thresholds.clone()),
            flat("forest.next", numbers(next)),
            Tensor {
                name: "forest.values",
                shape: vec![values.len() / candidates.max(&1), *candidates],
                values: values.clone(),
            },
        ]
    }

    /// A forest that was written as tensors, which `find` finds by their names.
    ///
    /// # Errors
    /// When a tensor is missing, or they are not a forest: a node out of range, a circle, a number that is none.
    pub fn from_tensors<'a>(
        find: impl Fn(&str) -> Option<(&'a [usize], &'a [f32])>,
    ) -> Result<Self, TensorError> {
        let get = |name| find(name).ok_or(TensorError::Missing(name));
        let flat = |name| {
            let (shape, values) = get(name)?;
            if shape == [values.len()] { Ok(values) } else { Err(TensorError::Shape(name)) }
        };
        let width = flat("forest.width")?;
        if *width != [Features::COUNT as f32] {
            return Err(TensorError::Features(width.first().map_or(0, |&width| width as usize)));
        }
        let (shape, values) = get("forest.values")?;
        let &[rows, candidates] = shape else { return Err(TensorError::Shape("forest.values")) };
        if candidates == 0 || rows.checked_mul(candidates) != Some(values.len()) {
            return Err(TensorError::Shape("forest.values"));
        }
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            return Err(TensorError::Value("forest.values", at));
        }
        let features = flat("forest.features")?;
        let nodes = features.len();
        let roots = whole("forest.roots", flat("forest.roots")?, nodes)?;
        let of_nodes = |name| {
            let values = flat(name)?;
            if values.len() == nodes { Ok(values) } else { Err(TensorError::Shape(name)) }
        };
        let thresholds = of_nodes("forest.thresholds")?;
        let next = whole("forest.next", of_nodes("forest.next")?, nodes.max(rows))?;
        let mut trees = Trees { candidates, values: values.to_vec(), ..Trees::default() };
        for (at, &feature) in features.iter().enumerate() {
            if feature.total_cmp(&-1.0).is_eq() {
                trees.push(LEAF, 0.0, next[at]);
            } else {
                let feature = whole("forest.features", &[feature], Features::COUNT)
                    .map_err(|_| TensorError::Value("forest.features", at))?[0];
                if !thresholds[at].is_finite() {
                    return Err(TensorError::Value("forest.thresholds", at));
                }
                trees.push(feature, thresholds[at], next[at]);
            }
        }
        trees.roots = roots;
        check(&trees, rows)?;
        let settings = ForestSettings { trees: trees.roots.len(), ..ForestSettings::default() };
        Ok(Self { settings, trees })
    }
}

/// Whole numbers below a bound.
fn whole(name: &'static str, values: &[f32], bound: usize) -> Result<Vec<u32>, TensorError> {
    let is_wrong = |value: &f32| {
        !(value.fract() == 0.0 && (0.0..MOST).contains(value) && (*value as usize) < bound)
    };
    match values.iter().position(is_wrong) {
        Some(at) => Err(TensorError::Value(name, at)),
        None => Ok(values.iter().map(|&value| value as u32).collect()),
    }
}

/// Whether each tree ends before the next one begins, and children come after their parents: then every walk ends in a leaf.
fn check(trees: &Trees, rows: usize) -> Result<(), TensorError> {
    let nodes = trees.features.len();
    if trees.roots.first() != Some(&0) {
        return Err(TensorError::Value("forest.roots", 0));
    }
    for (tree, &root) in trees.roots.iter().enumerate() {
        let end = trees.roots.get(tree + 1).map_or(nodes, |&next| next as usize);
        if end <= root as usize {
            return Err(TensorError::Value("forest.roots", tree + 1));
        }
        for node in root as usize..end {
            let next = trees.next[node] as usize;
            let is_right = if trees.features[node] == LEAF {
                next < rows
            } else {
                // The left child is the next node, and the right one comes after it.
                node + 1 < next && next < end
            };
            if !is_right {
                return Err(TensorError::Value("forest.next", node));
            }
        }
    }
    Ok(())
}
