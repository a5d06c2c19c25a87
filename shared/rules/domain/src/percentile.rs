/// The percentage of values that are lower, with half of those that are equal (mid-rank): 50 in the middle. `None` without values.
pub fn percentile<T: PartialOrd>(value: T, values: impl IntoIterator<Item = T>) -> Option<f64> {
    let (mut count, mut halves) = (0_u64, 0_u64);
    for other in values {
        count += 1;
        halves += u64::from(other < value) + u64::from(other <= value);
    }
    (count > 0).then(|| halves as f64 * 50.0 / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentile_counts_lower_values_and_half_of_the_equal_ones() {
        assert_eq!(percentile(30.0, []), None);
        assert_eq!(percentile(30, [30]), Some(50.0));
        assert_eq!(percentile(30, [10, 20, 30, 40]), Some(62.5));
        assert_eq!([percentile(0, [1, 2]), percentile(9, [1, 2])], [Some(0.0), Some(100.0)]);
    }
}
