//! Medians. Percentiles are those of [`domain::percentile`].

use std::cmp::Ordering;

/// The median: the mean of the two in the middle, if the number of values is even. `None` without values. Reorders the values.
pub fn median(values: &mut [f64]) -> Option<f64> {
    middle(values, f64::total_cmp).map(|(lower, upper)| f64::midpoint(lower, upper))
}

/// The two values in the middle: the same one twice, if the number of values is odd. Reorders the values.
pub(crate) fn middle<T: Copy>(
    values: &mut [T],
    order: impl Fn(&T, &T) -> Ordering,
) -> Option<(T, T)> {
    if values.is_empty() {
        return None;
    }
    let (middle, is_even) = (values.len() / 2, values.len().is_multiple_of(2));
    let (below, upper, _) = values.select_nth_unstable_by(middle, &order);
    let lower = below.iter().max_by(|a, b| order(a, b)).filter(|_| is_even);
    Some((*lower.unwrap_or(upper), *upper))
}

/// The median of sorted values.
pub fn median_of_sorted(sorted: &[f64]) -> Option<f64> {
    let upper = sorted.get(sorted.len() / 2)?;
    let lower = sorted.get((sorted.len() - 1) / 2)?;
    Some(f64::midpoint(*lower, *upper))
}

/// A confidence interval of 95 % for the median of the population that the sorted values were drawn from: two of the values,
/// chosen by the binomial distribution of the number of values below the median (Conover, Practical Nonparametric Statistics,
/// 3.2). `None` for fewer than 6 values, which allow no such interval.
pub fn median_interval(sorted: &[f64]) -> Option<(f64, f64)> {
    let rank = lower_rank(sorted.len())?;
    Some((sorted[rank], sorted[sorted.len() - 1 - rank]))
}

/// Up to this number of values, ranks are exact; above, the distribution is nearly normal.
const EXACT: usize = 1_000;

/// The largest position for which at most 2.5 % of samples have no more values than it below the median.
fn lower_rank(count: usize) -> Option<usize> {
    if count > EXACT {
        let half_width = crate::rates::Z * (count as f64).sqrt() / 2.0;
        return Some((count as f64 / 2.0 - half_width - 0.5) as usize);
    }
    // Probability that exactly `rank` of the values are below the median.
    let mut exactly = 0.5_f64.powi(i32::try_from(count).ok()?);
    let mut at_most = exactly;
    let mut rank = None;
    for next in 0..count {
        if at_most > 0.025 {
            break;
        }
        rank = Some(next);
        exactly *= (count - next) as f64 / (next + 1) as f64;
        at_most += exactly;
    }
    rank
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random::Random;

    #[test]
    fn median_of_an_even_number_is_the_mean_of_the_middle() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [7.0]), Some(7.0));
        assert_eq!(median(&mut [9.0, 1.0, 5.0]), Some(5.0));
        assert_eq!(median(&mut [9.0, 1.0, 5.0, 2.0]), Some(3.5));
        assert_eq!(median_of_sorted(&[]), None);
        assert_eq!(median_of_sorted(&[1.0, 2.0, 5.0, 9.0]), Some(3.5));
    }

    /// The ranks of a table of the binomial distribution (Conover, table A3), counted from 0.
    #[test]
    fn ranks_are_those_of_the_binomial_distribution() {
        let ranks = [5, 6, 8, 9, 20, 50, 100].map(lower_rank);
        assert_eq!(ranks, [None, Some(0), Some(0), Some(1), Some(5), Some(17), Some(39)]);
        // The exact rank of the second is 469: the interval is wider by one value.
        let (exact, normal) = (lower_rank(EXACT), lower_rank(EXACT + 1));
        assert_eq!((exact, normal), (Some(468), Some(468)));
    }

    #[test]
    fn interval_contains_the_true_median_in_95_of_100_samples() {
        let mut random = Random::new(7);
        let mut hits = 0;
        for _ in 0..1_000 {
            let mut sample: Vec<f64> = (0..101).map(|_| random.exponential()).collect();
            sample.sort_by(f64::total_cmp);
            let (low, high) = median_interval(&sample).expect("enough values");
            hits += u32::from(low <= 2_f64.ln() && 2_f64.ln() <= high);
        }
        assert!((935..=985).contains(&hits), "{hits}");
    }

    proptest! {
        #[test]
        fn median_is_the_50th_percentile_in_any_order(values in prop::collection::vec(-1e6..1e6_f64, 1..60)) {
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let found = median(&mut values.clone());
            prop_assert_eq!(found, median_of_sorted(&sorted));
            let percentile = domain::percentile(found.expect("values"), values).expect("values");
            // Values that are equal to the median may be more on one side.
            let equal = sorted.iter().filter(|it| Some(**it) == found).count().max(1);
            prop_assert!((percentile - 50.0).abs() <= 50.0 * equal as f64 / sorted.len() as f64 + 1e-9);
        }
    }
}
