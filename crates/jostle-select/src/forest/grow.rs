//! Growing trees.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::ForestSettings;
use super::trees::Trees;

/// What trees are grown on: rows of features, and rows of costs.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    /// Row by row.
    pub features: &'a [f32],
    /// Row by row.
    pub costs: &'a [f64],
    /// Features in a row.
    pub width: usize,
    /// Costs in a row.
    pub candidates: usize,
}

impl Table<'_> {
    const fn rows(&self) -> usize {
        self.features.len() / self.width
    }

    const fn feature(&self, row: u32, feature: usize) -> f32 {
        self.features[row as usize * self.width + feature]
    }
}

/// A forest that is being grown.
pub struct Growth<'a> {
    table: Table<'a>,
    settings: ForestSettings,
    /// What splits look at, row by row.
    targets: Vec<f64>,
    dice: ChaCha8Rng,
    trees: Trees,
    /// Reused by all nodes: rows with the values of a feature, all features in a random order, and sums on either side of a split.
    ordered: Vec<(f32, u32)>,
    order: Vec<usize>,
    left: Vec<f64>,
}

/// A split of the rows of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cut {
    /// By this feature.
    pub feature: usize,
    /// Rows whose feature is at most this go left.
    pub threshold: f32,
    /// The sum over both sides and all candidates of squared sums over their counts: the larger, the less variance is left.
    pub score: f64,
}

impl<'a> Growth<'a> {
    pub fn new(table: Table<'a>, settings: ForestSettings, seed: u64) -> Self {
        let mut targets = table.costs.to_vec();
        if settings.differences {
            for row in targets.chunks_exact_mut(table.candidates) {
                let mean = row.iter().sum::<f64>() / row.len() as f64;
                for cost in row {
                    *cost -= mean;
                }
            }
        }
        Self {
            table,
            settings,
            targets,
            dice: ChaCha8Rng::seed_from_u64(seed),
            trees: Trees { candidates: table.candidates, ..Trees::default() },
            ordered: Vec::new(),
            order: (0..table.width).collect(),
            left: Vec::new(),
        }
    }

    /// All trees, each on its own draw of the rows.
    pub fn trees(mut self) -> Trees {
        let rows = self.table.rows() as u32;
        for _ in 0..self.settings.trees {
            let mut drawn: Vec<u32> = (0..rows).map(|_| self.dice.random_range(0..rows)).collect();
            self.tree(&mut drawn);
        }
        self.trees
    }

    /// One tree on these rows.
    pub fn tree(&mut self, rows: &mut [u32]) {
        self.trees.roots.push(self.trees.features.len() as u32);
        self.node(rows, 0);
    }

    fn node(&mut self, rows: &mut [u32], depth: usize) {
        let can_split = depth < self.settings.depth && rows.len() >= 2 * self.settings.leaf.max(1);
        let looked_at = self.table.width.div_ceil(3);
        let Some(cut) = can_split.then(|| self.best_cut(rows, looked_at)).flatten() else {
            return self.leaf(rows);
        };
        let node = self.trees.push(cut.feature as u32, cut.threshold, 0);
        let table = self.table;
        let is_left = |row: &u32| table.feature(*row, cut.feature) <= cut.threshold;
        rows.sort_by_key(|row| !is_left(row));
        let middle = rows.partition_point(is_left);
        let (left, right) = rows.split_at_mut(middle);
        self.node(left, depth + 1);
        self.trees.next[node] = self.trees.features.len() as u32;
        self.node(right, depth + 1);
    }

    /// The mean costs of the rows.
    fn leaf(&mut self, rows: &[u32]) {
        let Table { costs, candidates, .. } = self.table;
        let mean = |candidate: usize| {
            let cost = |&row: &u32| costs[row as usize * candidates + candidate];
            (rows.iter().map(cost).sum::<f64>() / rows.len() as f64) as f32
        };
        self.trees.push_leaf((0..candidates).map(mean));
    }

    /// The best cut by some of the features, drawn at random: `looked_at` of those that differ among the rows. None if nothing is gained.
    pub fn best_cut(&mut self, rows: &[u32], looked_at: usize) -> Option<Cut> {
        let mut order = std::mem::take(&mut self.order);
        order.shuffle(&mut self.dice);
        let whole: f64 = self.sums(rows).iter().map(|sum| sum * sum / rows.len() as f64).sum();
        // Sums of what is equal differ in their last bits: that is no gain.
        let mut best: Option<Cut> = None;
        let mut least = whole + 1e-9 * (1.0 + whole.abs());
        let mut left = looked_at;
        for &feature in &order {
            if left == 0 {
                break;
            }
            if !self.sort_by(rows, feature) {
                continue;
            }
            left -= 1;
            if let Some(cut) = self.cut_by(feature).filter(|cut| cut.score > least) {
                least = cut.score;
                best = Some(cut);
            }
        }
        self.order = order;
        best
    }

    /// The rows in the order of a feature; false if it is the same for all.
    fn sort_by(&mut self, rows: &[u32], feature: usize) -> bool {
        let first = self.table.feature(rows[0], feature);
        if rows.iter().all(|&row| self.table.feature(row, feature).total_cmp(&first).is_eq()) {
            return false;
        }
        self.ordered.clear();
        self.ordered.extend(rows.iter().map(|&row| (self.table.feature(row, feature), row)));
        self.ordered.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        true
    }

    fn sums(&self, rows: &[u32]) -> Vec<f64> {
        let mut sums = vec![0.0; self.table.candidates];
        for &row in rows {
            self.add(row, &mut sums);
        }
        sums
    }

    fn add(&self, row: u32, sums: &mut [f64]) {
        let row = &self.targets[row as usize * sums.len()..][..sums.len()];
        sums.iter_mut().zip(row).for_each(|(sum, cost)| *sum += cost);
    }

    /// The best cut by the feature that the rows are sorted by; the first of equals.
    fn cut_by(&mut self, feature: usize) -> Option<Cut> {
        let (count, least) = (self.ordered.len(), self.settings.leaf.max(1));
        let mut whole = vec![0.0; self.table.candidates];
        for &(_, row) in &self.ordered {
            self.add(row, &mut whole);
        }
        let mut left = std::mem::take(&mut self.left);
        left.clear();
        left.resize(self.table.candidates, 0.0);
        let mut best: Option<Cut> = None;
        for at in 1..=count.saturating_sub(least) {
            let (value, row) = self.ordered[at - 1];
            self.add(row, &mut left);
            let next = self.ordered.get(at).map_or(value, |next| next.0);
            if at < least || value >= next {
                continue;
            }
            let (here, there) = (at as f64, (count - at) as f64);
            let sides = left.iter().zip(&whole);
            let score = sides
                .map(|(&left, &whole)| {
                    let right = whole - left;
                    left * left / here + right * right / there
                })
                .sum();
            if best.is_none_or(|best| score > best.score) {
                best = Some(Cut { feature, threshold: between(value, next), score });
            }
        }
        self.left = left;
        best
    }
}

/// A threshold between two values: the lower one goes left, the higher one right.
fn between(low: f32, high: f32) -> f32 {
    let middle = low + (high - low) / 2.0;
    if middle < high { middle } else { low }
}
