//! Isolation forest: points that few random cuts separate from all others are unusual (Liu, Ting, Zhou 2008).
//!
//! Each of 100 trees is grown from 256 points that are drawn without replacement. A node cuts a random feature of which its points
//! have different values, at a random place between the smallest and the largest. A tree ends at the height ⌈log₂ 256⌉ = 8. The
//! score of a point is 2^(−E(h) ÷ c(256)), where h is the length of its path, with c(n) added for the n points at its end, and
//! c(n) = 2 (ln(n − 1) + γ) − 2 (n − 1) ÷ n, the mean path in a binary search tree: from 0 to 1, about 0.5 or less for usual points.
//!
//! Trees are stored with all nodes up to their height, so that each point makes the same number of steps, without a branch.

use crate::{
    features::{MAX_FEATURES, Point},
    random::Random,
};

const TREES: usize = 100;
const SAMPLE: usize = 256;
/// Points that are scored with one tree after another, so that both stay in the nearest cache.
const BLOCK: usize = 512;

/// γ of Euler and Mascheroni.
const EULER: f64 = 0.577_215_664_901_532_9;

/// The mean length of a path in a binary search tree of so many points: `c(n)`.
fn mean_path(points: usize) -> f64 {
    match points {
        0 | 1 => 0.0,
        2 => 1.0,
        n => {
            let others = (n - 1) as f64;
            2.0 * (others.ln() + EULER) - 2.0 * others / n as f64
        }
    }
}

/// The score of each point: 0.5 for all if there are fewer than two.
pub(crate) fn scores(points: &[Point], seed: u64) -> Vec<f64> {
    forest_scores(points, TREES, seed)
}

fn forest_scores(points: &[Point], trees: usize, seed: u64) -> Vec<f64> {
    let size = points.len().min(SAMPLE);
    let mut random = Random::new(seed);
    let grow = |_| {
        let mut sample: Vec<Point> =
            random.sample(points.len(), size).into_iter().map(|it| points[it]).collect();
        Tree::grow(&mut sample, &mut random)
    };
    let trees: Vec<Tree> = (0..trees).map(grow).collect();
    let unit = mean_path(size);
    let mut scores = Vec::with_capacity(points.len());
    let mut paths = [0.0_f32; BLOCK];
    for block in points.chunks(BLOCK) {
        let paths = &mut paths[..block.len()];
        paths.fill(0.0);
        trees.iter().for_each(|tree| tree.add_paths(block, paths));
        scores.extend(paths.iter().map(|sum| {
            let mean = f64::from(*sum) / trees.len() as f64;
            // A single point has no path.
            if unit > 0.0 { (-mean / unit).exp2() } else { 0.5 }
        }));
    }
    scores
}

/// A tree with all nodes up to its height: the children of node `i` are `2 i + 1` and `2 i + 2`.
struct Tree {
    height: usize,
    cuts: Vec<Cut>,
    /// The length of the path to each end.
    paths: Vec<f32>,
}

/// Points whose feature is above the threshold go to the right.
#[derive(Clone, Copy)]
struct Cut {
    feature: u32,
    threshold: f32,
}

impl Tree {
    fn grow(sample: &mut [Point], random: &mut Random) -> Self {
        let height = sample.len().max(1).next_power_of_two().ilog2() as usize;
        let cuts = vec![Cut { feature: 0, threshold: 0.0 }; (1 << height) - 1];
        let mut tree = Self { height, cuts, paths: vec![0.0; 1 << height] };
        tree.grow_node(0, 0, sample, random);
        tree
    }

    fn grow_node(&mut self, node: usize, depth: usize, sample: &mut [Point], random: &mut Random) {
        let cut = if depth < self.height { cut(sample, random) } else { None };
        let Some(cut) = cut else {
            return self.end(node, depth, depth as f64 + mean_path(sample.len()));
        };
        self.cuts[node] = cut;
        let value = |it: &Point| it[cut.feature as usize];
        sample.sort_unstable_by(|a, b| value(a).total_cmp(&value(b)));
        let middle = sample.partition_point(|it| value(it) <= cut.threshold);
        let (left, right) = sample.split_at_mut(middle);
        self.grow_node(2 * node + 1, depth + 1, left, random);
        self.grow_node(2 * node + 2, depth + 1, right, random);
    }

    /// Gives all ends below a node the same path.
    fn end(&mut self, node: usize, depth: usize, path: f64) {
        let below = 1 << (self.height - depth);
        let first = (node + 1) * below - (1 << self.height);
        self.paths[first..first + below].fill(path as f32);
    }

    fn add_paths(&self, points: &[Point], paths: &mut [f32]) {
        for (point, path) in points.iter().zip(paths) {
            let mut node = 0;
            for _ in 0..self.height {
                let cut = self.cuts[node];
                let is_right = point[cut.feature as usize % MAX_FEATURES] > cut.threshold;
                node = 2 * node + 1 + usize::from(is_right);
            }
            *path += self.paths[node - self.cuts.len()];
        }
    }
}

/// A random cut of the points: `None` if all are equal.
fn cut(sample: &[Point], random: &mut Random) -> Option<Cut> {
    let first = sample.first()?;
    let (mut low, mut high) = (*first, *first);
    for point in sample {
        for at in 0..MAX_FEATURES {
            low[at] = low[at].min(point[at]);
            high[at] = high[at].max(point[at]);
        }
    }
    let different: Vec<usize> = (0..MAX_FEATURES).filter(|it| low[*it] < high[*it]).collect();
    if different.is_empty() {
        return None;
    }
    let feature = different[random.below(different.len())];
    let (low, high) = (low[feature], high[feature]);
    let threshold = (f64::from(low) + random.unit() * (f64::from(high) - f64::from(low))) as f32;
    // Rounded up to the largest value, it would leave nothing to the right.
    let threshold = if threshold < high { threshold } else { low };
    Some(Cut { feature: feature as u32, threshold })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kmeans::tests::groups;

    fn point(x: f32) -> Point {
        [x, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    }

    /// Points 0, 1 and 10: the first cut separates 10 with probability 0.9, and 0 with 0.1. The mean paths are 1.9, 2 and 1.1.
    #[test]
    fn scores_are_those_of_the_formula() {
        let found = forest_scores(&[0.0, 1.0, 10.0].map(point), 20_000, 1);
        let unit = 2.0 * (2_f64.ln() + EULER) - 4.0 / 3.0;
        for (found, path) in found.into_iter().zip([1.9, 2.0, 1.1]) {
            let expected = (-path / unit).exp2();
            assert!((found - expected).abs() < 2e-3, "{found}, not {expected}");
        }
        let two = forest_scores(&[1.0, 2.0].map(point), 10, 1);
        assert_eq!(two, [0.5, 0.5], "each cut separates the two");
        assert!((mean_path(256) - 10.244_77).abs() < 1e-4);
    }

    #[test]
    fn equal_points_and_single_points_are_not_unusual() {
        assert!(scores(&[], 1).is_empty());
        assert_eq!(scores(&[point(3.0)], 1), [0.5]);
        assert!(scores(&[point(3.0); 700], 1).iter().all(|it| (it - 0.5).abs() < 1e-6));
    }

    #[test]
    fn planted_outliers_are_in_the_top_percent() {
        for seed in 0..5 {
            let (mut points, _) = groups(seed, 2, 4, 4_950);
            let mut random = Random::new(seed);
            // In every direction, outside both groups.
            points.extend((0..50).map(|_| {
                let side = if random.below(2) == 0 { -9.0 } else { 17.0 };
                std::array::from_fn(|at| if at < 4 { side + random.normal() as f32 } else { 0.0 })
            }));
            let found = scores(&points, seed);
            let mut sorted = found.clone();
            sorted.sort_by(f64::total_cmp);
            let limit = sorted[sorted.len() - 50];
            assert!(found[4_950..].iter().all(|it| *it >= limit), "seed {seed}");
        }
    }

    #[test]
    fn same_seed_gives_the_same_scores() {
        let (points, _) = groups(1, 3, 5, 2_000);
        assert_eq!(scores(&points, 7), scores(&points, 7));
        assert_ne!(scores(&points, 7), scores(&points, 8));
    }

    #[test]
    fn extreme_values_give_finite_scores() {
        let points: Vec<Point> = (0..300)
            .map(|it| point([f32::MAX, f32::MIN, 0.0, f32::MIN_POSITIVE][it % 4]))
            .collect();
        assert!(scores(&points, 1).iter().all(|it| (0.0..=1.0).contains(it)));
    }
}
