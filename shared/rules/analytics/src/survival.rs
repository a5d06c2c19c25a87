//! How long companies survive: the estimator of Kaplan and Meier (1958).
//!
//! Companies whose life was over before deletions were known are in no source. Without correction, everybody would seem to survive
//! those years. A company is therefore at risk only from the day since which deletions are known (delayed entry).
//!
//! The interval of 95 % is that of the log-log transformation with Greenwood's variance: exp(−exp(ln(−ln S) ± z √V ÷ ln S)), where
//! V = Σ d ÷ (n (n − d)). If nobody has died, Greenwood's variance is 0, although the sample is finite: then the lower end is that
//! of the exact binomial interval, 0.025^(1/n), of the smallest number at risk.

use crate::rates::{Estimate, Z};

/// The life of a company, in days since its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// Age after which the company is at risk: 0, or its age on the day before deletions are known.
    pub entry: u32,
    /// Age at the end of the life, or of the time in which it was observed. More than `entry`.
    pub exit: u32,
    /// Whether the life ended. Otherwise only the observation did: the company exists, was merged, was split up, or moved abroad.
    pub has_ended: bool,
}

/// Ages above it do not matter: nothing is older than the register, which began in 1883.
const MAX_AGE: u32 = 200 * 365;

impl Life {
    /// The life as it was observed up to the largest age.
    fn limited(self) -> Self {
        Self {
            entry: self.entry,
            exit: self.exit.min(MAX_AGE),
            has_ended: self.has_ended && self.exit <= MAX_AGE,
        }
    }
}

/// Companies at risk below which no point of a curve is given.
pub const MIN_AT_RISK: u32 = 20;

/// A curve of survival: its value after each day on which somebody died.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    steps: Vec<Step>,
    /// Number at risk on each day of age, from the first.
    at_risk: Vec<u32>,
}

/// What the deaths at an age change.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    age: u32,
    survival: f64,
    /// Σ d ÷ (n (n − d)) up to this age. Infinite if all have died.
    variance: f64,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Part of the companies that survive the age, with its interval.
    pub survival: Estimate,
    /// Number of companies that were at risk at the age.
    pub at_risk: u32,
}

impl Curve {
    /// The curve of these lives up to 200 years. Lives that do not last longer than their entry are left out.
    pub fn of(lives: impl IntoIterator<Item = Life>) -> Self {
        // How many enter after, leave after, and die at each age.
        let mut days: Vec<[u32; 3]> = Vec::new();
        for life in lives.into_iter().map(Life::limited).filter(|it| it.exit > it.entry) {
            let exit = life.exit as usize;
            if days.len() <= exit {
                days.resize(exit + 1, [0; 3]);
            }
            days[life.entry as usize][0] += 1;
            days[exit][1] += 1;
            days[exit][2] += u32::from(life.has_ended);
        }
        Self::of_days(&days)
    }

    fn of_days(days: &[[u32; 3]]) -> Self {
        let mut curve = Self { steps: Vec::new(), at_risk: Vec::new() };
        let (mut survival, mut variance) = (1.0, 0.0);
        let mut at_risk = 0_u32;
        for (age, pair) in days.windows(2).enumerate() {
            let ([entered, left, _], [_, _, died]) = (pair[0], pair[1]);
            at_risk = at_risk + entered - left;
            curve.at_risk.push(at_risk);
            if died > 0 {
                let (n, d) = (f64::from(at_risk), f64::from(died));
                survival *= 1.0 - d / n;
                variance += d / (n * (n - d));
                let age = u32::try_from(age).unwrap_or(u32::MAX) + 1;
                curve.steps.push(Step { age, survival, variance });
            }
        }
        curve
    }

    /// The point at an age in days. `None` if on any day up to it fewer than [`MIN_AT_RISK`] companies were at risk: the curve
    /// would then depend on few, or show only the survival of those who had survived until they were known.
    pub fn at(&self, age: u32) -> Option<Point> {
        let before = self.at_risk.get(..age as usize)?;
        let fewest = before.iter().copied().min()?;
        let last = self.steps.partition_point(|it| it.age <= age).checked_sub(1);
        let (survival, variance) =
            last.map_or((1.0, 0.0), |it| (self.steps[it].survival, self.steps[it].variance));
        (fewest >= MIN_AT_RISK).then(|| Point {
            survival: interval(survival, variance, fewest),
            at_risk: before[before.len() - 1],
        })
    }

    /// The age that half of the companies do not survive. `None` if more than half do, or if a point on the way is not given.
    pub fn median_age(&self) -> Option<u32> {
        let age = self.steps.iter().find(|it| it.survival <= 0.5)?.age;
        self.at(age).map(|_| age)
    }
}

fn interval(survival: f64, variance: f64, fewest: u32) -> Estimate {
    let of = |low, high| Estimate { value: survival, low, high };
    let exact = 0.025_f64.powf(1.0 / f64::from(fewest));
    if survival >= 1.0 {
        return of(exact, 1.0);
    }
    if survival <= 0.0 {
        return of(0.0, 1.0 - exact);
    }
    let half_width = Z * variance.sqrt() / survival.ln();
    let end = |sign: f64| (-((-survival.ln()).ln() + sign * half_width).exp()).exp();
    of(end(-1.0), end(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn life(entry: u32, exit: u32, has_ended: bool) -> Life {
        Life { entry, exit, has_ended }
    }

    /// Freireich and others 1963: weeks until relapse of 21 patients with 6-MP. The values are in every textbook (Collett,
    /// example 2.2; Kleinbaum, Klein, table 2.1).
    #[test]
    fn curve_of_a_textbook() {
        let relapses = [6, 6, 6, 7, 10, 13, 16, 22, 23];
        let others = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35];
        let lives = relapses.map(|it| life(0, it, true));
        let curve = Curve::of(lives.into_iter().chain(others.map(|it| life(0, it, false))));
        let survival: Vec<(u32, f64)> = curve
            .steps
            .iter()
            .map(|it| (it.age, (it.survival * 10_000.0).round() / 10_000.0))
            .collect();
        assert_eq!(
            survival,
            [
                (6, 0.8571),
                (7, 0.8067),
                (10, 0.7529),
                (13, 0.6902),
                (16, 0.6275),
                (22, 0.5378),
                (23, 0.4482)
            ]
        );
        let deviation = curve.steps[0].variance.sqrt() * curve.steps[0].survival;
        assert!((deviation - 0.0764).abs() < 5e-5, "{deviation}");
        assert_eq!(curve.at(6).map(|it| it.at_risk), Some(21));
        assert_eq!(curve.at(7), None, "only 17 are at risk");
        assert_eq!(curve.median_age(), None);
    }

    #[test]
    fn a_curve_without_lives_has_no_points() {
        let curve = Curve::of([]);
        assert_eq!((curve.at(0), curve.at(1), curve.median_age()), (None, None, None));
        assert_eq!(Curve::of([life(5, 5, true), life(7, 3, true)]), curve);
    }

    #[test]
    fn nobody_is_immortal_because_nobody_has_died_yet() {
        let curve = Curve::of((0..50).map(|_| life(0, 400, false)));
        let point = curve.at(365).expect("enough");
        assert_eq!((point.survival.value, point.survival.high, point.at_risk), (1.0, 1.0, 50));
        assert!((point.survival.low - 0.929).abs() < 1e-3, "{point:?}");
        let curve = Curve::of((0..50).map(|_| life(0, 400, true)));
        let point = curve.at(400).expect("enough");
        assert_eq!((point.survival.value, point.survival.low), (0.0, 0.0));
        assert_eq!(curve.median_age(), Some(400));
    }

    /// Those who are known only because they survived 1,000 days say nothing about these.
    #[test]
    fn survival_before_the_first_entry_is_not_given() {
        let curve = Curve::of((0..100).map(|it| life(1_000, 2_000 + it, true)));
        assert_eq!((curve.at(365), curve.at(1_500), curve.at(2_050)), (None, None, None));
    }

    #[test]
    fn extreme_ages_take_no_memory() {
        let lives = [life(0, u32::MAX, true), life(u32::MAX - 1, u32::MAX, true)];
        let curve = Curve::of(lives.into_iter().cycle().take(60));
        assert_eq!(curve.at(365).map(|it| it.at_risk), Some(30));
        assert_eq!(curve.steps, []);
    }

    #[test]
    fn order_of_lives_does_not_matter() {
        let mut random = Random::new(3);
        let mut lives: Vec<Life> = (0..300)
            .map(|_| {
                let entry = random.below(100) as u32;
                life(entry, entry + 1 + random.below(500) as u32, random.below(2) == 0)
            })
            .collect();
        let one = Curve::of(lives.clone());
        lives.reverse();
        assert_eq!(one, Curve::of(lives));
    }

    /// Companies are founded over 30 years and die with 8 % a year; deletions are known for the last 12 years only; some are
    /// merged. The true survival is within the interval for at least 93 % of 300 registers.
    #[test]
    fn true_survival_is_within_the_interval() {
        const HAZARD: f64 = 0.08 / 365.0;
        let mut hits = [0_u32; 4];
        let ages = [365, 1_095, 1_825, 3_650];
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let lives = (0..3_000).filter_map(|_| planted_life(&mut random, HAZARD));
            let curve = Curve::of(lives);
            for (hits, age) in hits.iter_mut().zip(ages) {
                let truth = (-HAZARD * f64::from(age)).exp();
                let found = curve.at(age).expect("enough at risk").survival;
                *hits += u32::from(found.low <= truth && truth <= found.high);
            }
        }
        assert!(hits.iter().all(|it| *it >= 279), "{hits:?}");
    }

    /// The life of a company as the register shows it: `None` if it was over before deletions were known.
    fn planted_life(random: &mut Random, hazard: f64) -> Option<Life> {
        let (years_30, years_18) = (10_950.0, 6_570.0);
        let start = random.unit() * years_30;
        let death = (random.exponential() / hazard).ceil();
        let merger = (random.exponential() / (hazard / 4.0)).ceil();
        let observed = (years_30 - start).floor().min(merger);
        let entry = (years_18 - start).max(0.0).floor();
        let exit = death.min(observed);
        (exit > entry).then(|| life(entry as u32, exit as u32, death <= observed))
    }
}
