//! Rates and means with their confidence intervals of 95 %.

/// The 97.5th percentile of the standard normal distribution.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// A figure with its confidence interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Events for each unit of exposure, with Byar's approximation of the Poisson interval (Breslow, Day 1987, p. 69). `None` without
/// exposure.
pub fn rate(events: u64, exposure: f64) -> Option<Estimate> {
    let of = |count: f64| count / exposure;
    let (low, high) = byar(events);
    (exposure > 0.0).then(|| Estimate { value: of(events as f64), low: of(low), high: of(high) })
}

/// The interval of the expected number of events, of which so many happened.
fn byar(events: u64) -> (f64, f64) {
    let end = |count: f64, sign: f64| {
        let root = 1.0 - 1.0 / (9.0 * count) + sign * Z / (3.0 * count.sqrt());
        count * root.powi(3)
    };
    let events = events as f64;
    let low = if events > 0.0 { end(events, -1.0).max(0.0) } else { 0.0 };
    (low, end(events + 1.0, 1.0))
}

/// The mean of counts, with the interval of the normal distribution, which is never below 0. `None` without counts; the interval
/// of a single count is unknown, so it has none either.
pub fn mean(counts: impl Iterator<Item = u32>) -> Option<Estimate> {
    let (mut number, mut sum, mut squares) = (0_u64, 0_u64, 0_u128);
    for count in counts {
        number += 1;
        sum += u64::from(count);
        squares += u128::from(count).pow(2);
    }
    if number < 2 {
        return None;
    }
    let n = number as f64;
    let mean = sum as f64 / n;
    // Exact in integers until the division, so that a large mean leaves no rounding error.
    let deviations = u128::from(number) * squares - u128::from(sum).pow(2);
    let variance = deviations as f64 / (n * (n - 1.0));
    let half_width = Z * (variance / n).sqrt();
    Some(Estimate { value: mean, low: (mean - half_width).max(0.0), high: mean + half_width })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn assert_close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found}, not {expected}");
    }

    /// Exact Poisson limits: Fay, Feuer 1997, and any table of the chi-squared distribution.
    #[test]
    fn intervals_are_close_to_the_exact_ones() {
        for (events, low, high, tolerance) in [
            (0, 0.0, 3.689, 0.06),
            (1, 0.025, 5.572, 0.06),
            (10, 4.795, 18.390, 0.02),
            (100, 81.364, 121.627, 0.01),
        ] {
            let found = byar(events);
            assert_close(found.0, low, tolerance);
            assert_close(found.1, high, tolerance);
        }
    }

    #[test]
    fn rate_is_events_for_each_unit_of_exposure() {
        let found = rate(10, 200.0).expect("exposure");
        assert_close(found.value, 0.05, 1e-12);
        assert!(found.low < found.value && found.value < found.high);
        assert_eq!(rate(0, 0.0), None);
        assert_eq!(rate(0, 10.0).map(|it| it.low), Some(0.0));
    }

    #[test]
    fn mean_has_an_interval_from_two_counts_on() {
        assert_eq!(mean([].into_iter()), None);
        assert_eq!(mean([3].into_iter()), None);
        let same = mean([4, 4, 4].into_iter()).expect("three");
        assert_eq!((same.value, same.low, same.high), (4.0, 4.0, 4.0));
        let two = mean([1, 3].into_iter()).expect("two");
        assert_close(two.high - two.value, Z, 1e-12);
        let large = mean([u32::MAX, u32::MAX].into_iter()).expect("two");
        assert_eq!(large.low, large.high, "no rounding error");
    }

    #[test]
    fn the_true_rate_is_in_the_interval_of_95_of_100_samples() {
        let mut random = Random::new(5);
        let mut hits = 0;
        for _ in 0..1_000 {
            // Events of a Poisson process with rate 1 in 20 units of time.
            let mut time = random.exponential();
            let mut events = 0;
            while time < 20.0 {
                events += 1;
                time += random.exponential();
            }
            let found = rate(events, 20.0).expect("exposure");
            hits += u32::from(found.low <= 1.0 && 1.0 <= found.high);
        }
        assert!((935..=985).contains(&hits), "{hits}");
    }
}
