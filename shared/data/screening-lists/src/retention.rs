use access::{Environment, Tier};
use components::{Component, Components};
use jiff::{SignedDuration, Timestamp, ToSpan, tz::TimeZone};

/// How long the evidence of Free teams and of sandboxes is kept.
const SHORT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// How long the evidence of screenings and the decisions about their hits are kept: in years, or 30 days for Free teams and
/// sandboxes. The tier at the time of the screening or decision counts.
///
/// The default is ten years: the Swiss Anti-Money Laundering Act (article 7 paragraph 3) requires documents to be kept
/// for at least ten years after the end of the business relationship.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    years: u8,
}

/// The setting is not a number of years.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("SCREENING_RETENTION_YEARS must be a number from 1 to 100; got `{0}`")]
pub struct InvalidRetention(String);

impl Default for Retention {
    fn default() -> Self {
        Self { years: 10 }
    }
}

/// The setting `SCREENING_RETENTION_YEARS`. Ten years if it is not set.
impl Component for Retention {
    fn open(components: &Components) -> Self {
        let years = components.setting("SCREENING_RETENTION_YEARS");
        let years = years.map_or_else(|| Ok(Self::default()), |it| Self::parse(&it));
        years.unwrap_or_else(|it| panic!("{it}"))
    }
}

impl Retention {
    fn parse(text: &str) -> Result<Self, InvalidRetention> {
        let years = text.trim().parse().ok().filter(|it| (1..=100).contains(it));
        years.map(|years| Self { years }).ok_or_else(|| InvalidRetention(text.to_owned()))
    }

    /// When something expires that a team of this tier stores now.
    pub fn expiry(self, tier: Tier, environment: Environment, now: Timestamp) -> Timestamp {
        if tier == Tier::Free || environment == Environment::Test {
            return now.saturating_add(SHORT).unwrap_or(Timestamp::MAX);
        }
        let then = now.to_zoned(TimeZone::UTC).checked_add(i64::from(self.years).years());
        then.map_or(Timestamp::MAX, |it| it.timestamp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIVE: Environment = Environment::Live;

    fn now() -> Timestamp {
        "2026-11-23T10:00:00Z".parse().expect("a time")
    }

    #[test]
    fn evidence_of_paying_teams_expires_after_the_years_of_the_setting() {
        let expiry = |it: Retention| it.expiry(Tier::Starter, LIVE, now()).to_string();
        assert_eq!(expiry(Retention::default()), "2036-11-23T10:00:00Z");
        assert_eq!(Retention::parse(" 5 ").map(expiry), Ok("2031-11-23T10:00:00Z".to_owned()));
        for wrong in ["0", "101", "-1", "ten"] {
            assert!(Retention::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn evidence_of_free_teams_and_sandboxes_expires_after_30_days() {
        for tier in Tier::ALL {
            for environment in [LIVE, Environment::Test] {
                let is_short = tier == Tier::Free || environment == Environment::Test;
                let expected =
                    if is_short { "2026-12-23T10:00:00Z" } else { "2036-11-23T10:00:00Z" };
                let expiry = Retention::default().expiry(tier, environment, now());
                assert_eq!(expiry.to_string(), expected, "{tier} {environment}");
            }
        }
    }
}
