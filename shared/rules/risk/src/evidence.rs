//! From observations to the rows that count.

use domain::{Provenance, wording::Translations};
use jiff::civil::Date;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{Direction, Sign};

/// An observation that changed a factor.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = RiskEvidence)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// What was observed.
    pub sign: Sign,
    /// Whether it is added to alpha (`adverse`) or to beta (`mitigating`).
    pub direction: Direction,
    /// Name of the source.
    #[schema(example = "shab")]
    pub source: String,
    /// Reference within the source. Absent if the source has none.
    pub reference: Option<String>,
    /// Date of the statement. Absent if it is not known.
    pub observed_at: Option<Date>,
    /// How many observations of the Beta-Bernoulli model this evidence counts as on the day of the assessment; more
    /// than 0.
    pub weight: f64,
    /// What was observed, in one sentence.
    #[serde(serialize_with = "Translations::serialize_english")]
    #[schema(value_type = String)]
    pub summary: Translations,
}

/// Maximum number of rows of a factor in each direction: those with the highest weight.
pub const MAX_ROWS: usize = 20;

/// An observation before it is weighed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Observation {
    pub(crate) sign: Sign,
    /// Part of the sign's weight, 0 to 1.
    pub(crate) strength: f64,
    pub(crate) source: Provenance,
    pub(crate) summary: Translations,
}

impl Observation {
    pub(crate) fn new(sign: Sign, source: &Provenance, summary: Translations) -> Self {
        Self { sign, strength: 1.0, source: source.clone(), summary }
    }

    /// Counts only a part, 0 to 1. Anything else counts as the nearest of both; what is not a number counts nothing.
    pub(crate) fn with_strength(self, strength: f64) -> Self {
        let strength = if strength.is_nan() { 0.0 } else { strength.clamp(0.0, 1.0) };
        Self { strength, ..self }
    }
}

/// The rows that count on a day, in an order that depends on their contents only: those of the highest weight first. What
/// was published after the day does not count. Repeated observations count once.
pub(crate) fn rows(observations: Vec<Observation>, as_of: Date) -> Vec<Evidence> {
    let weighed = observations.into_iter().filter_map(|it| weighed(it, as_of));
    let mut rows: Vec<Evidence> = weighed.collect();
    rows.sort_by(order);
    rows.dedup();
    let mut counted = [0; 2];
    rows.retain(|it| {
        let counted = &mut counted[it.direction as usize];
        *counted += 1;
        *counted <= MAX_ROWS
    });
    rows
}

fn weighed(observation: Observation, as_of: Date) -> Option<Evidence> {
    let Observation { sign, strength, source, summary } = observation;
    let age = source.date.map_or(0, |date| (as_of - date).get_days());
    let weight = sign.weight_at_age(age) * strength;
    // A state is stated by the caller for the day of the assessment, whenever its source was read.
    let is_known = sign.half_life_days().is_none() || age >= 0;
    (is_known && weight > 0.0).then(|| Evidence {
        sign,
        direction: sign.direction(),
        source: source.source,
        reference: source.reference,
        observed_at: source.date,
        weight,
        summary,
    })
}

fn order(one: &Evidence, other: &Evidence) -> std::cmp::Ordering {
    fn key(it: &Evidence) -> (Direction, Sign, Option<Date>, &str, Option<&str>, &str) {
        let reference = it.reference.as_deref();
        (it.direction, it.sign, it.observed_at, &it.source, reference, &it.summary.en)
    }
    other.weight.total_cmp(&one.weight).then_with(|| key(one).cmp(&key(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn departure(day: &str, summary: &str) -> Observation {
        let date = Some(day.parse().expect("a day"));
        let source = Provenance { source: "shab".into(), reference: None, date };
        Observation::new(Sign::Departure, &source, Translations::of(|_| summary.to_owned()))
    }

    const TODAY: Date = jiff::civil::date(2026, 10, 31);

    #[test]
    fn older_events_weigh_less_and_later_ones_nothing() {
        let rows = rows(
            vec![
                departure("2025-10-31", "A year ago."),
                departure("2026-10-31", "Today."),
                departure("2026-11-01", "Tomorrow."),
            ],
            TODAY,
        );
        let weights: Vec<_> = rows.iter().map(|it| (it.summary.en.as_str(), it.weight)).collect();
        assert_eq!(weights, [("Today.", 0.3), ("A year ago.", 0.15)]);
    }

    #[test]
    fn repeated_observations_count_once_and_twenty_at_most() {
        let one = departure("2026-10-01", "One.");
        assert_eq!(rows(vec![one.clone(), one], TODAY).len(), 1);
        let many = (0..30).map(|it| departure("2026-10-01", &it.to_string())).collect();
        assert_eq!(rows(many, TODAY).len(), MAX_ROWS);
    }

    #[test]
    fn strength_is_a_part_of_the_weight() {
        let weak = departure("2026-10-31", "Weak.").with_strength(0.5);
        assert_eq!(rows(vec![weak], TODAY)[0].weight, 0.15);
        for none in [0.0, -1.0, f64::NAN] {
            let nothing = departure("2026-10-31", "Nothing.").with_strength(none);
            assert!(rows(vec![nothing], TODAY).is_empty(), "{none}");
        }
    }
}
