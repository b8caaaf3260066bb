//! Trees in flat arrays.

/// Regression trees with a vector in each leaf. Nodes lie in the order of a walk that turns left first, one tree after the other, so the left
/// child of a node is the next node.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trees {
    /// The numbers in a leaf.
    pub candidates: usize,
    /// The first node of each tree.
    pub roots: Vec<u32>,
    /// The feature that a node splits by; [`LEAF`] for leaves.
    pub features: Vec<u32>,
    /// Problems whose feature is at most this go left; nothing for leaves.
    pub thresholds: Vec<f32>,
    /// The right child; for a leaf, the number of its row of values.
    pub next: Vec<u32>,
    /// The rows of leaves.
    pub values: Vec<f32>,
}

/// No feature.
pub const LEAF: u32 = u32::MAX;

impl Trees {
    /// The mean of what all trees say about these features.
    pub fn mean(&self, features: &[f32]) -> Vec<f32> {
        let mut sums = vec![0.0; self.candidates];
        for &root in &self.roots {
            for (sum, &value) in sums.iter_mut().zip(self.leaf(root, features)) {
                *sum += f64::from(value);
            }
        }
        let count = self.roots.len().max(1) as f64;
        sums.into_iter().map(|sum| (sum / count) as f32).collect()
    }

    /// What the tree with this root says.
    pub fn leaf(&self, root: u32, features: &[f32]) -> &[f32] {
        let mut node = root as usize;
        while self.features[node] != LEAF {
            let is_left = features[self.features[node] as usize] <= self.thresholds[node];
            node = if is_left { node + 1 } else { self.next[node] as usize };
        }
        let row = self.next[node] as usize * self.candidates;
        &self.values[row..row + self.candidates]
    }

    /// Adds a node, and returns its number.
    pub fn push(&mut self, feature: u32, threshold: f32, next: u32) -> usize {
        self.features.push(feature);
        self.thresholds.push(threshold);
        self.next.push(next);
        self.features.len() - 1
    }

    /// Adds a leaf with these values.
    pub fn push_leaf(&mut self, values: impl Iterator<Item = f32>) {
        let row = self.values.len() / self.candidates;
        self.values.extend(values);
        self.push(LEAF, 0.0, row as u32);
    }
}
