//! The silhouette (Rousseeuw 1987): how much nearer points are to their own cluster than to the next one.

use crate::{features::Point, kmeans::square};

/// The mean silhouette of the points, from −1 to 1: (b − a) ÷ max(a, b), where a is the mean distance to the other points of the
/// cluster, b the smallest mean distance to those of another. 0 for the only point of a cluster. `None` if all points are in one
/// cluster. Time grows with the square of the number of points.
pub(crate) fn silhouette(points: &[Point], labels: &[u8]) -> Option<f64> {
    let clusters = labels.iter().max().map_or(0, |it| usize::from(*it) + 1);
    let mut sizes = vec![0_u32; clusters];
    labels.iter().for_each(|it| sizes[usize::from(*it)] += 1);
    if sizes.iter().filter(|it| **it > 0).count() < 2 {
        return None;
    }
    let mut total = 0.0;
    let mut sums = vec![0.0_f64; clusters];
    for (point, own) in points.iter().zip(labels) {
        sums.fill(0.0);
        for (other, label) in points.iter().zip(labels) {
            sums[usize::from(*label)] += f64::from(square(point, other).sqrt());
        }
        total += of_point(&sums, &sizes, usize::from(*own));
    }
    Some(total / points.len() as f64)
}

/// The silhouette of a point, from the sums of its distances to the points of each cluster.
fn of_point(sums: &[f64], sizes: &[u32], own: usize) -> f64 {
    if sizes[own] < 2 {
        return 0.0;
    }
    let within = sums[own] / f64::from(sizes[own] - 1);
    let others = (0..sums.len()).filter(|it| *it != own && sizes[*it] > 0);
    let next = others.map(|it| sums[it] / f64::from(sizes[it])).fold(f64::INFINITY, f64::min);
    let larger = within.max(next);
    if larger > 0.0 { (next - within) / larger } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f32) -> Point {
        [x, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    }

    /// Two pairs: a = 1, b = 9.5 or 10.5; and a point alone.
    #[test]
    fn silhouette_of_few_points_is_the_one_of_the_definition() {
        let points = [0.0, 1.0, 10.0, 11.0].map(point);
        let expected = (9.5 / 10.5 + 8.5 / 9.5) / 2.0;
        let found = silhouette(&points, &[0, 0, 1, 1]).expect("two clusters");
        assert!((found - expected).abs() < 1e-6, "{found}");
        let alone = silhouette(&points, &[0, 0, 0, 1]).expect("two clusters");
        // a = 5.5, 5 and 9.5; b = 11, 10 and 1; then a point alone.
        let expected = (0.5 + 0.5 + (1.0 - 9.5) / 9.5) / 4.0;
        assert!((alone - expected).abs() < 1e-6, "{alone}");
    }

    #[test]
    fn one_cluster_has_no_silhouette() {
        assert_eq!(silhouette(&[], &[]), None);
        assert_eq!(silhouette(&[point(1.0), point(2.0)], &[3, 3]), None);
        assert_eq!(silhouette(&[point(1.0); 4], &[0, 0, 1, 1]), Some(0.0), "equal points");
    }
}
