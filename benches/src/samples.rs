//! Durations, percentiles and Markdown tables.

use std::time::{Duration, Instant};

/// Durations of repeated runs of one operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples(Vec<Duration>);

impl Samples {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Runs an operation and records its duration.
    pub(crate) fn time<T>(&mut self, operation: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let outcome = operation();
        self.push(started.elapsed());
        outcome
    }

    pub(crate) fn push(&mut self, duration: Duration) {
        self.0.push(duration);
    }

    /// Adds the first `count` of other samples.
    pub(crate) fn extend_with_first(&mut self, count: usize, of: &Self) {
        self.0.extend(of.0.iter().take(count));
    }

    /// The sum of all samples.
    pub(crate) fn total(&self) -> Duration {
        self.0.iter().sum()
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The smallest sample that is at least as long as `percent` percent of all samples (nearest rank).
    /// Zero without samples.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let rank = (sorted.len() * percent).div_ceil(100).max(1);
        sorted.get(rank - 1).copied().unwrap_or_default()
    }

    pub(crate) fn median(&self) -> Duration {
        self.percentile(50)
    }
}

/// `p50 / p99` in milliseconds, with about three significant digits.
pub(crate) fn median_and_tail(samples: &Samples) -> String {
    format!("{} / {}", milliseconds(samples.median()), milliseconds(samples.percentile(99)))
}

/// Milliseconds without a unit.
pub(crate) fn milliseconds(duration: Duration) -> String {
    let value = duration.as_secs_f64() * 1_000.0;
    match value {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// Microseconds with a unit.
pub(crate) fn microseconds(duration: Duration) -> String {
    format!("{:.1} µs", duration.as_secs_f64() * 1e6)
}

/// Seconds with a unit.
pub(crate) fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

/// A row of a Markdown table.
pub(crate) fn row<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) {
    let cells: Vec<String> = cells.into_iter().map(|it| it.as_ref().to_owned()).collect();
    println!("| {} |", cells.join(" | "));
}

/// The header of a Markdown table.
pub(crate) fn header(cells: &[&str]) {
    row(cells);
    println!("|{}", "---|".repeat(cells.len()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_samples() {
        let mut samples = Samples::default();
        assert_eq!(samples.percentile(99), Duration::ZERO);
        for milliseconds in (1..=200).rev() {
            samples.push(Duration::from_millis(milliseconds));
        }
        let of = |percent| samples.percentile(percent).as_millis();
        assert_eq!([of(0), of(50), of(99), of(100)], [1, 100, 198, 200]);
    }

    #[test]
    fn milliseconds_have_three_significant_digits_or_two_decimals() {
        let shown =
            [0.0123, 1.234, 12.34, 123.4].map(|it| milliseconds(Duration::from_secs_f64(it / 1e3)));
        assert_eq!(shown, ["0.01", "1.23", "12.3", "123"]);
    }
}
