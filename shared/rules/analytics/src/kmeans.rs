//! k-means: groups of points that are near their common mean.
//!
//! The first centres are chosen by k-means++ (Arthur, Vassilvitskii 2007), of several candidates the best one at each step. Lloyd's
//! iterations move them, first on a sample of 20,000 points from eight starts, then from the best of these on all points. The bounds of Hamerly (2010) avoid most of the distances: of each point, an upper bound of the
//! distance to its centre, and a lower bound of that to any other. An iteration in which the centres move by less than the
//! tolerance is the last. The same points and seed give the same result.

use crate::{
    InvalidRequest,
    features::{MAX_FEATURES, Point},
    random::Random,
};

/// Smallest number of clusters.
pub const MIN_K: usize = 2;
/// Largest number of clusters.
pub const MAX_K: usize = 50;

const MAX_ITERATIONS: usize = 100;
/// The sum of the squares of the movements, relative to the mean variance of a feature. That of scikit-learn.
const TOLERANCE: f64 = 1e-4;

/// Points in clusters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Clustering {
    /// The mean of each cluster.
    pub(crate) centres: Vec<Point>,
    /// The cluster of each point.
    pub(crate) labels: Vec<u8>,
    /// Number of points of each cluster: never 0.
    pub(crate) sizes: Vec<usize>,
    /// Sum of the squares of the distances of the points to their centres.
    pub(crate) inertia: f64,
    /// Number of iterations.
    pub(crate) iterations: usize,
}

/// Refuses a number of clusters that is not allowed for these points.
fn check(points: &[Point], k: usize) -> Result<(), InvalidRequest> {
    if !(MIN_K..=MAX_K).contains(&k) {
        return Err(InvalidRequest::Clusters {
            given: k as u64,
            min: MIN_K as u64,
            max: MAX_K as u64,
        });
    }
    let different = different(points, k);
    if different < k {
        return Err(InvalidRequest::TooFewDifferentRows { k, different });
    }
    Ok(())
}

/// The number of different points, or `enough` if there are at least so many.
pub(crate) fn different(points: &[Point], enough: usize) -> usize {
    let mut found = std::collections::HashSet::new();
    for point in points {
        if found.len() >= enough {
            break;
        }
        found.insert(point.map(f32::to_bits));
    }
    found.len()
}

/// Points of the sample on which starts are compared.
const SAMPLE: usize = 20_000;
/// Number of starts. A single one misses a planted group in one of twenty registers.
const STARTS: usize = 8;

/// Divides the points into `k` clusters, the largest first.
pub(crate) fn kmeans(points: &[Point], k: usize, seed: u64) -> Result<Clustering, InvalidRequest> {
    check(points, k)?;
    let mut random = Random::new(seed);
    let drawn = random.sample(points.len(), SAMPLE.min(points.len()));
    let sample: Vec<Point> = drawn.into_iter().map(|it| points[it]).collect();
    let starts = (0..STARTS).map(|_| {
        let centres = first_centres(&sample, k, &mut random);
        let (state, _) = iterated(&sample, centres);
        (state.inertia(), state.centres)
    });
    let best = starts.min_by(|a, b| a.0.total_cmp(&b.0)).map_or_else(Vec::new, |it| it.1);
    let (state, iterations) = iterated(points, best);
    Ok(state.finished(iterations))
}

/// Lloyd's iterations until the centres hardly move, and their number.
fn iterated(points: &[Point], centres: Vec<Point>) -> (State<'_>, usize) {
    let mut state = State::new(points, centres);
    let tolerance = TOLERANCE * mean_variance(points);
    for iteration in 1..=MAX_ITERATIONS {
        let moved = state.move_centres();
        let squares: f64 = moved.iter().map(|it| f64::from(*it).powi(2)).sum();
        if squares <= tolerance {
            return (state, iteration);
        }
        state.reassign(&moved);
    }
    (state, MAX_ITERATIONS)
}

/// The square of the distance of two points.
pub(crate) fn square(one: &Point, other: &Point) -> f32 {
    let mut squares = [0.0; MAX_FEATURES];
    for at in 0..MAX_FEATURES {
        squares[at] = (one[at] - other[at]) * (one[at] - other[at]);
    }
    let [a, b, c, d, e, f, g, h] = squares;
    ((a + e) + (b + f)) + ((c + g) + (d + h))
}

/// The mean of the variances of the features.
fn mean_variance(points: &[Point]) -> f64 {
    let n = points.len() as f64;
    let used = (0..MAX_FEATURES).map(|at| {
        let mean = points.iter().map(|it| f64::from(it[at])).sum::<f64>() / n;
        points.iter().map(|it| (f64::from(it[at]) - mean).powi(2)).sum::<f64>() / n
    });
    // Features that are not used have no variance, and do not count.
    let variances: Vec<f64> = used.filter(|it| *it > 0.0).collect();
    variances.iter().sum::<f64>() / variances.len().max(1) as f64
}

/// k-means++: each next centre is a point, more likely the further it is from the nearest centre. Of 2 + ln k candidates, the one
/// that leaves the smallest distances.
fn first_centres(points: &[Point], k: usize, random: &mut Random) -> Vec<Point> {
    let candidates = 2 + (k as f64).ln() as usize;
    let mut centres = vec![points[random.below(points.len())]];
    let mut nearest: Vec<f32> = points.iter().map(|it| square(it, &centres[0])).collect();
    while centres.len() < k {
        let sums = Sums::of(&nearest);
        let tried = (0..candidates).map(|_| points[sums.draw(&nearest, random)]);
        let left = |candidate: &Point| -> f64 {
            let block = |(points, nearest): (&[Point], &[f32])| -> f32 {
                points
                    .iter()
                    .zip(nearest)
                    .map(|(it, nearest)| square(it, candidate).min(*nearest))
                    .sum()
            };
            points
                .chunks(Sums::BLOCK)
                .zip(nearest.chunks(Sums::BLOCK))
                .map(|it| f64::from(block(it)))
                .sum()
        };
        let best = tried.map(|it| (left(&it), it)).min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, best)) = best else { break };
        for (nearest, point) in nearest.iter_mut().zip(points) {
            *nearest = nearest.min(square(point, &best));
        }
        centres.push(best);
    }
    centres
}

/// Sums of blocks of weights, to draw a position in proportion to its weight.
struct Sums {
    /// The sum of all weights up to the end of each block.
    ends: Vec<f64>,
}

impl Sums {
    const BLOCK: usize = 1_024;

    fn of(weights: &[f32]) -> Self {
        let mut sum = 0.0;
        let blocks = weights.chunks(Self::BLOCK).map(|block| {
            sum += block.iter().copied().map(f64::from).sum::<f64>();
            sum
        });
        Self { ends: blocks.collect() }
    }

    fn draw(&self, weights: &[f32], random: &mut Random) -> usize {
        let drawn = random.unit() * self.ends.last().copied().unwrap_or_default();
        let block =
            self.ends.partition_point(|it| *it <= drawn).min(self.ends.len().saturating_sub(1));
        let mut left = drawn - block.checked_sub(1).map_or(0.0, |it| self.ends[it]);
        let first = block * Self::BLOCK;
        let mut last_with_weight = first;
        for (at, weight) in weights[first..].iter().take(Self::BLOCK).enumerate() {
            if *weight > 0.0 {
                last_with_weight = first + at;
                left -= f64::from(*weight);
                if left < 0.0 {
                    break;
                }
            }
        }
        last_with_weight
    }
}

/// What the iterations change.
struct State<'a> {
    points: &'a [Point],
    centres: Vec<Point>,
    /// Sum of the points of each cluster.
    sums: Vec<[f64; MAX_FEATURES]>,
    sizes: Vec<usize>,
    labels: Vec<u8>,
    /// Upper bound of the distance of each point to its centre.
    upper: Vec<f32>,
    /// Lower bound of the distance of each point to the second nearest centre.
    lower: Vec<f32>,
}

/// The nearest of the centres, with the distances to it and to the second nearest.
fn two_nearest(point: &Point, centres: &[Point]) -> (usize, f32, f32) {
    let (mut nearest, mut first, mut second) = (0, f32::INFINITY, f32::INFINITY);
    for (at, centre) in centres.iter().enumerate() {
        let distance = square(point, centre);
        if distance < first {
            (nearest, first, second) = (at, distance, first);
        } else if distance < second {
            second = distance;
        }
    }
    (nearest, first.sqrt(), second.sqrt())
}

impl<'a> State<'a> {
    fn new(points: &'a [Point], centres: Vec<Point>) -> Self {
        let mut state = Self {
            points,
            sums: vec![[0.0; MAX_FEATURES]; centres.len()],
            sizes: vec![0; centres.len()],
            labels: Vec::with_capacity(points.len()),
            upper: Vec::with_capacity(points.len()),
            lower: Vec::with_capacity(points.len()),
            centres,
        };
        for point in points {
            let (nearest, upper, lower) = two_nearest(point, &state.centres);
            state.labels.push(label(nearest));
            state.upper.push(upper);
            state.lower.push(lower);
            state.sizes[nearest] += 1;
            add(&mut state.sums[nearest], point, 1.0);
        }
        state
    }

    /// Moves each centre to the mean of its points. Returns how far each moved. A centre without points moves to the point that is
    /// furthest from its own centre.
    fn move_centres(&mut self) -> Vec<f32> {
        let mut moved = Vec::with_capacity(self.centres.len());
        for at in 0..self.centres.len() {
            let size = self.sizes[at] as f64;
            let centre = match self.sizes[at] {
                0 => self.furthest(),
                _ => self.sums[at].map(|it| (it / size) as f32),
            };
            moved.push(square(&centre, &self.centres[at]).sqrt());
            self.centres[at] = centre;
        }
        moved
    }

    fn furthest(&self) -> Point {
        let distance = |it: &(&Point, &u8)| square(it.0, &self.centres[usize::from(*it.1)]);
        let all = self.points.iter().zip(&self.labels);
        all.max_by(|a, b| distance(a).total_cmp(&distance(b)))
            .map_or([0.0; MAX_FEATURES], |it| *it.0)
    }

    /// Assigns each point to the centre that is now the nearest one, given how far each centre moved.
    fn reassign(&mut self, moved: &[f32]) {
        let gaps = self.half_gaps();
        let (fastest, largest, second) = two_largest(moved);
        for at in 0..self.points.len() {
            let own = usize::from(self.labels[at]);
            let upper = self.upper[at] + moved[own];
            let lower = self.lower[at] - if own == fastest { second } else { largest };
            (self.upper[at], self.lower[at]) = (upper, lower);
            let safe = lower.max(gaps[own]);
            if upper <= safe {
                continue;
            }
            let point = &self.points[at];
            self.upper[at] = square(point, &self.centres[own]).sqrt();
            if self.upper[at] <= safe {
                continue;
            }
            let (nearest, upper, lower) = two_nearest(point, &self.centres);
            (self.upper[at], self.lower[at]) = (upper, lower);
            if nearest != own {
                self.labels[at] = label(nearest);
                self.sizes[own] -= 1;
                self.sizes[nearest] += 1;
                add(&mut self.sums[own], point, -1.0);
                add(&mut self.sums[nearest], point, 1.0);
            }
        }
    }

    /// Half of the distance of each centre to the nearest other one: points that are nearer to their centre have no nearer one.
    fn half_gaps(&self) -> Vec<f32> {
        let gap = |at: usize| {
            let others = self.centres.iter().enumerate().filter(|it| it.0 != at);
            let nearest = others.map(|(_, it)| square(it, &self.centres[at]));
            nearest.fold(f32::INFINITY, f32::min).sqrt() / 2.0
        };
        (0..self.centres.len()).map(gap).collect()
    }

    /// Sum of the squares of the distances of the points to their centres.
    fn inertia(&self) -> f64 {
        let pairs = self.points.iter().zip(&self.labels);
        pairs.map(|(it, label)| f64::from(square(it, &self.centres[usize::from(*label)]))).sum()
    }

    /// The clusters, after each point is assigned to the nearest of the last centres, and their means. Those without points are left
    /// out.
    fn finished(mut self, iterations: usize) -> Clustering {
        let k = self.centres.len();
        (self.sums, self.sizes) = (vec![[0.0; MAX_FEATURES]; k], vec![0; k]);
        for (point, label_of) in self.points.iter().zip(&mut self.labels) {
            let (nearest, ..) = two_nearest(point, &self.centres);
            *label_of = label(nearest);
            self.sizes[nearest] += 1;
            add(&mut self.sums[nearest], point, 1.0);
        }
        let mut order: Vec<usize> = (0..k).filter(|it| self.sizes[*it] > 0).collect();
        let by_centre = |a: usize, b: usize| {
            let pairs = self.centres[a].iter().zip(&self.centres[b]);
            pairs.map(|(a, b)| a.total_cmp(b)).find(|it| it.is_ne()).unwrap_or(a.cmp(&b))
        };
        order.sort_by(|a, b| self.sizes[*b].cmp(&self.sizes[*a]).then_with(|| by_centre(*a, *b)));
        let mut places = vec![0; k];
        for (place, old) in order.iter().enumerate() {
            places[*old] = label(place);
        }
        let mean = |it: &usize| self.sums[*it].map(|sum| (sum / self.sizes[*it] as f64) as f32);
        self.centres = order.iter().map(mean).collect();
        for label in &mut self.labels {
            *label = places[usize::from(*label)];
        }
        Clustering {
            sizes: order.iter().map(|it| self.sizes[*it]).collect(),
            inertia: self.inertia(),
            centres: self.centres,
            labels: self.labels,
            iterations,
        }
    }
}

/// The number of a cluster, which is below [`MAX_K`].
fn label(cluster: usize) -> u8 {
    u8::try_from(cluster).unwrap_or(u8::MAX)
}

fn add(sum: &mut [f64; MAX_FEATURES], point: &Point, sign: f64) {
    for (sum, value) in sum.iter_mut().zip(point) {
        *sum += sign * f64::from(*value);
    }
}

/// The position of the largest value, the largest and the second largest.
fn two_largest(values: &[f32]) -> (usize, f32, f32) {
    let (mut at, mut largest, mut second) = (0, 0.0, 0.0);
    for (position, value) in values.iter().copied().enumerate() {
        if value > largest {
            (at, largest, second) = (position, value, largest);
        } else if value > second {
            second = value;
        }
    }
    (at, largest, second)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Points of Gaussian groups with the group of each, and the groups' sizes in proportion to 1, 2, 3 …
    pub(crate) fn groups(
        seed: u64,
        groups: usize,
        features: usize,
        count: usize,
    ) -> (Vec<Point>, Vec<u8>) {
        let mut random = Random::new(seed);
        let centres: Vec<Point> = (0..groups)
            .map(|group| {
                std::array::from_fn(|at| {
                    if at < features { ((group >> at) & 1) as f32 * 8.0 } else { 0.0 }
                })
            })
            .collect();
        let total = groups * (groups + 1) / 2;
        (0..count)
            .map(|_| {
                let mut rest = random.below(total);
                let mut group = 0;
                while rest > group {
                    rest -= group + 1;
                    group += 1;
                }
                let point = std::array::from_fn(|at| {
                    if at < features { centres[group][at] + random.normal() as f32 } else { 0.0 }
                });
                (point, group as u8)
            })
            .unzip()
    }

    /// The adjusted Rand index of two divisions (Hubert, Arabie 1985): 1 if they are the same, about 0 by chance.
    fn adjusted_rand(one: &[u8], other: &[u8]) -> f64 {
        let mut both = vec![vec![0_u64; 256]; 256];
        for (a, b) in one.iter().zip(other) {
            both[usize::from(*a)][usize::from(*b)] += 1;
        }
        let pairs = |count: u64| (count * count.saturating_sub(1) / 2) as f64;
        let cells: f64 = both.iter().flatten().map(|it| pairs(*it)).sum();
        let rows: f64 = both.iter().map(|it| pairs(it.iter().sum())).sum();
        let columns: f64 = (0..256).map(|at| pairs(both.iter().map(|it| it[at]).sum())).sum();
        let expected = rows * columns / pairs(one.len() as u64);
        (cells - expected) / (f64::midpoint(rows, columns) - expected)
    }

    #[test]
    fn planted_groups_are_found() {
        for seed in 0..10 {
            let (points, truth) = groups(seed, 6, 3, 1_000);
            let found = kmeans(&points, 6, seed).expect("valid");
            let index = adjusted_rand(&found.labels, &truth);
            assert!(index >= 0.95, "seed {seed}: {index}");
            assert!(found.sizes.is_sorted_by(|a, b| a >= b));
            assert_eq!(found.sizes.iter().sum::<usize>(), 1_000);
        }
    }

    /// Without bounds, as in a textbook.
    fn lloyd(points: &[Point], mut centres: Vec<Point>) -> f64 {
        for _ in 0..MAX_ITERATIONS {
            let mut sums = vec![([0.0; MAX_FEATURES], 0.0); centres.len()];
            for point in points {
                let (nearest, _, _) = two_nearest(point, &centres);
                add(&mut sums[nearest].0, point, 1.0);
                sums[nearest].1 += 1.0;
            }
            centres = sums.iter().map(|(sum, size)| sum.map(|it| (it / size) as f32)).collect();
        }
        points.iter().map(|it| f64::from(two_nearest(it, &centres).1).powi(2)).sum()
    }

    #[test]
    fn bounds_do_not_change_the_result() {
        for seed in 0..5 {
            let (points, _) = groups(seed, 2, 4, 1_000);
            let centres = first_centres(&points, 7, &mut Random::new(seed));
            let plain = lloyd(&points, centres.clone());
            let found = iterated(&points, centres).0.inertia();
            // The tolerance ends the iterations a little earlier.
            assert!((found / plain - 1.0).abs() < 2e-3, "{found} {plain}");
        }
    }

    #[test]
    fn same_seed_gives_the_same_clusters() {
        let (points, _) = groups(1, 4, 2, 500);
        assert_eq!(kmeans(&points, 4, 9), kmeans(&points, 4, 9));
    }

    #[test]
    fn order_of_separate_groups_does_not_matter() {
        let (mut points, _) = groups(3, 4, 2, 1_000);
        let one = kmeans(&points, 4, 5).expect("valid");
        points.reverse();
        let other = kmeans(&points, 4, 5).expect("valid");
        assert_eq!(one.sizes, other.sizes);
        assert!(one.labels.iter().eq(other.labels.iter().rev()));
    }

    #[test]
    fn numbers_of_clusters_are_checked() {
        let point = |at: usize| [at as f32, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let points: Vec<Point> = (0..60).map(|it| point(it % 3)).collect();
        for k in [0, 1, 51, 10_000] {
            let error = InvalidRequest::Clusters { given: k as u64, min: 2, max: 50 };
            assert_eq!(kmeans(&points, k, 1), Err(error));
        }
        let error = InvalidRequest::TooFewDifferentRows { k: 4, different: 3 };
        assert_eq!(kmeans(&points, 4, 1), Err(error));
        let found = kmeans(&points, 3, 1).expect("three values");
        assert_eq!((found.sizes, found.inertia), (vec![20; 3], 0.0));
        let equal = vec![point(7); 9];
        let error = InvalidRequest::TooFewDifferentRows { k: 2, different: 1 };
        assert_eq!(kmeans(&equal, 2, 1), Err(error));
        assert_eq!(
            kmeans(&[], 2, 1),
            Err(InvalidRequest::TooFewDifferentRows { k: 2, different: 0 })
        );
        let two = kmeans(&[point(1), point(2)], 2, 1).expect("as many points as clusters");
        assert_eq!(two.sizes, [1, 1]);
    }

    #[test]
    fn a_centre_without_points_moves_to_the_furthest_point() {
        let point = |x: f32| [x, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let points = [point(0.0), point(1.0), point(10.0)];
        let mut state = State::new(&points, vec![point(0.0), point(-100.0)]);
        assert_eq!(state.sizes, [3, 0]);
        let moved = state.move_centres();
        assert_eq!(state.centres[1], point(10.0));
        state.reassign(&moved);
        assert_eq!(
            (state.labels.as_slice(), state.sizes.as_slice()),
            (&[0, 0, 1][..], &[2, 1][..])
        );
    }

    #[test]
    fn centres_that_are_drawn_have_weight() {
        let mut weights = vec![0.0; 3_000];
        weights[1_500] = 1.0;
        weights[2_999] = 3.0;
        let sums = Sums::of(&weights);
        let mut random = Random::new(1);
        let mut drawn = [0; 2];
        for _ in 0..4_000 {
            match sums.draw(&weights, &mut random) {
                1_500 => drawn[0] += 1,
                2_999 => drawn[1] += 1,
                other => panic!("{other} has no weight"),
            }
        }
        assert!((900..1_100).contains(&drawn[0]), "{drawn:?}");
    }
}
