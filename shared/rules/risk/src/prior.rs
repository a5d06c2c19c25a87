//! Prior probabilities, and the base rate of the composite.

use domain::{Language, wording};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{FactorKind, MeasuredRates};

/// Where a rate comes from: `published` by a source, `measured` from the loaded register, or `assumed` because no
/// published rate was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RateBasis {
    /// Published by the named source.
    Published,
    /// Measured from the loaded register.
    Measured,
    /// Assumed: no published rate was found, so the prior is weak.
    Assumed,
}

/// A probability per company, with its origin.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rate {
    /// The probability, between 0 and 1.
    pub value: f64,
    /// Where it comes from.
    pub basis: RateBasis,
    /// The source, and how the value follows from what it states.
    pub source: String,
    /// Year or day to which it refers. Absent if it is assumed.
    #[schema(example = "2024")]
    pub date: Option<String>,
}

/// A Beta distribution before any evidence: alpha is the mean times the effective sample size, beta the rest of the
/// sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Prior {
    /// Mean of the Beta distribution.
    pub rate: Rate,
    /// Number of observations that the prior counts for. The higher, the more evidence is needed to change it.
    pub effective_sample_size: f64,
}

impl Prior {
    /// The distribution.
    pub fn beta(&self) -> Beta {
        let alpha = self.rate.value * self.effective_sample_size;
        Beta { alpha, beta: self.effective_sample_size - alpha }
    }
}

/// A Beta distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beta {
    /// Number of observations of the condition.
    pub alpha: f64,
    /// Number of observations without it.
    pub beta: f64,
}

impl Beta {
    /// The mean.
    pub fn mean(self) -> f64 {
        self.alpha / (self.alpha + self.beta)
    }

    /// The logarithm of the odds of the mean.
    pub fn log_odds(self) -> f64 {
        (self.alpha / self.beta).ln()
    }
}

/// Number of observations that a published or measured prior counts for.
const KNOWN: f64 = 20.0;
/// Number of observations that an assumed prior counts for: half of a known one.
const WEAK: f64 = 10.0;

/// Number of companies in the Swiss register, rounded. The denominator of published counts.
const COMPANIES: f64 = 790_000.0;
/// Bankruptcies of companies in Switzerland in 2024.
const BANKRUPTCIES: f64 = 11_510.0;
/// Deletions from the register in 2024.
const DELETIONS: f64 = 34_800.0;
/// Names on the list of warnings of FINMA.
const WARNINGS: f64 = 2_180.0;

fn published(count: f64, source: &str, date: &str) -> Rate {
    Rate {
        value: count / COMPANIES,
        basis: RateBasis::Published,
        source: format!(
            "{source}: {}, divided by about {} registered companies.",
            wording::number(Language::En, count as u64),
            wording::number(Language::En, COMPANIES as u64),
        ),
        date: Some(date.to_owned()),
    }
}

fn assumed(value: f64, what: &str) -> Rate {
    Rate {
        value,
        basis: RateBasis::Assumed,
        source: format!("No published rate was found for {what}; a weak prior."),
        date: None,
    }
}

fn bankruptcies() -> Rate {
    published(
        BANKRUPTCIES,
        "Bankruptcies of companies in Switzerland (Creditreform, as reported by nau.ch)",
        "2024",
    )
}

/// The priors of all factors, and the base rate of the composite.
#[derive(Clone, Debug, PartialEq)]
pub struct Priors {
    /// Probability of a company without any evidence.
    pub base_rate: Rate,
    /// In the order of [`FactorKind::ALL`].
    factors: [Prior; 9],
}

impl Priors {
    /// Version of the factors, signs, priors and weights. It changes when one of them does.
    pub const SCHEMA_VERSION: &str = "v2";

    /// The priors from published rates, and weak ones where there are none.
    pub fn published() -> Self {
        let factors = FactorKind::ALL.map(|factor| {
            let rate = match factor {
                FactorKind::OwnershipOpacity => assumed(0.1, "companies whose owners cannot be seen"),
                FactorKind::Listings => published(
                    WARNINGS,
                    "Names on the warning list of FINMA, some of them not in the register; an order of magnitude, \
                     because no rate of companies on sanctions lists was found",
                    "2026",
                ),
                FactorKind::Geography => assumed(0.05, "companies that are owned or directed from such countries"),
                FactorKind::Industry | FactorKind::Capital => bankruptcies(),
                FactorKind::Audit => assumed(0.2, "companies that waived the limited audit"),
                FactorKind::Board => assumed(0.1, "changes of boards"),
                FactorKind::Address => assumed(0.05, "changes of addresses"),
                FactorKind::Status => {
                    published(DELETIONS, "Deletions from the commercial register (Creditreform)", "2024")
                }
            };
            let effective_sample_size = match rate.basis {
                RateBasis::Assumed => WEAK,
                RateBasis::Published | RateBasis::Measured => KNOWN,
            };
            Prior { rate, effective_sample_size }
        });
        Self { base_rate: bankruptcies(), factors }
    }

    /// The published priors, with the rates that were measured from the register instead where it is large enough.
    pub fn of_register(measured: Option<&MeasuredRates>) -> Self {
        let large = measured.filter(|it| it.companies >= MeasuredRates::MIN_COMPANIES);
        large.into_iter().fold(Self::published(), Self::with_measured)
    }

    /// Replaces the rates that were measured from the register. The others stay.
    #[must_use]
    pub fn with_measured(mut self, measured: &MeasuredRates) -> Self {
        let rates = [
            (FactorKind::Industry, measured.bankruptcies, "opened bankruptcies in a year"),
            (FactorKind::Capital, measured.bankruptcies, "opened bankruptcies in a year"),
            (FactorKind::Audit, measured.opting_out, "waivers of the limited audit"),
            (
                FactorKind::Board,
                measured.board_departures,
                "companies with a departure from the board in a year",
            ),
            (
                FactorKind::Address,
                measured.address_changes,
                "companies with a new address in a year",
            ),
            (FactorKind::Status, measured.deletions, "deletions in a year"),
        ];
        for (factor, value, what) in rates {
            if let Some(rate) = measured_rate(value, what, measured.measured_on) {
                self.factors[factor.index()] = Prior { rate, effective_sample_size: KNOWN };
            }
        }
        let base = measured_rate(
            measured.bankruptcies,
            "opened bankruptcies in a year",
            measured.measured_on,
        );
        self.base_rate = base.unwrap_or(self.base_rate);
        self
    }

    /// The prior of a factor.
    pub fn of(&self, factor: FactorKind) -> &Prior {
        &self.factors[factor.index()]
    }
}

/// `None` for a number that is no probability between 0 and 1: its log-odds would not be finite.
fn measured_rate(value: Option<f64>, what: &str, on: Date) -> Option<Rate> {
    let value = value.filter(|it| *it > 0.0 && *it < 1.0)?;
    let source = format!("Measured from the loaded register: {what}.");
    Some(Rate { value, basis: RateBasis::Measured, source, date: Some(on.to_string()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_and_beta_are_parts_of_the_effective_sample() {
        for factor in FactorKind::ALL {
            let priors = Priors::published();
            let prior = priors.of(factor);
            let Beta { alpha, beta } = prior.beta();
            assert!(alpha > 0.0 && beta > 0.0, "{factor:?}");
            assert!((alpha + beta - prior.effective_sample_size).abs() < 1e-12, "{factor:?}");
            assert!((prior.beta().mean() - prior.rate.value).abs() < 1e-12, "{factor:?}");
        }
    }

    #[test]
    fn published_rates_are_the_counts_divided_by_the_companies() {
        let priors = Priors::published();
        assert!((priors.base_rate.value - 0.014_569_6).abs() < 1e-6);
        assert!((priors.of(FactorKind::Status).rate.value - 0.044_050_6).abs() < 1e-6);
        assert!(
            priors.base_rate.source.contains("11,510, divided by about 790,000 registered"),
            "{}",
            priors.base_rate.source
        );
    }

    #[test]
    fn measured_rates_replace_published_and_assumed_ones() {
        let measured = MeasuredRates {
            measured_on: "2026-10-31".parse().expect("a day"),
            companies: 1_000,
            opting_out: Some(0.4),
            board_departures: None,
            address_changes: Some(0.0),
            bankruptcies: Some(0.02),
            deletions: None,
        };
        let priors = Priors::published().with_measured(&measured);
        let audit = priors.of(FactorKind::Audit);
        assert_eq!((audit.rate.value, audit.rate.basis), (0.4, RateBasis::Measured));
        assert_eq!(audit.rate.date.as_deref(), Some("2026-10-31"));
        assert_eq!(priors.base_rate.value, 0.02);
        assert_eq!(priors.of(FactorKind::Board), Priors::published().of(FactorKind::Board));
        let address = priors.of(FactorKind::Address);
        assert_eq!(address.rate.basis, RateBasis::Assumed, "0 has no finite log-odds");
    }

    #[test]
    fn a_small_register_leaves_the_published_priors() {
        let measured = |companies| MeasuredRates {
            measured_on: "2026-10-31".parse().expect("a day"),
            companies,
            opting_out: Some(0.4),
            board_departures: None,
            address_changes: None,
            bankruptcies: None,
            deletions: None,
        };
        let of = |companies| Priors::of_register(Some(&measured(companies)));
        assert_eq!(of(999), Priors::published());
        assert_eq!(of(1_000).of(FactorKind::Audit).rate.basis, RateBasis::Measured);
        assert_eq!(Priors::of_register(None), Priors::published());
    }
}
