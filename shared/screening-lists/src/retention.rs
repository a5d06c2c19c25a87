use jiff::{Timestamp, ToSpan, tz::TimeZone};

/// How long the evidence of screenings is kept, in years.
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

impl Retention {
    /// Reads `SCREENING_RETENTION_YEARS`. Ten years if it is not set.
    #[expect(clippy::disallowed_methods, reason = "this setting is read only here")]
    pub fn from_env() -> Result<Self, InvalidRetention> {
        match std::env::var("SCREENING_RETENTION_YEARS") {
            Ok(text) if !text.trim().is_empty() => Self::parse(&text),
            _ => Ok(Self::default()),
        }
    }

    fn parse(text: &str) -> Result<Self, InvalidRetention> {
        let years = text.trim().parse().ok().filter(|it| (1..=100).contains(it));
        years.map(|years| Self { years }).ok_or_else(|| InvalidRetention(text.to_owned()))
    }

    /// When something that is stored now expires.
    pub fn expiry(self, now: Timestamp) -> Timestamp {
        let then = now.to_zoned(TimeZone::UTC).checked_add(i64::from(self.years).years());
        then.map_or(Timestamp::MAX, |it| it.timestamp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_expires_after_the_years_of_the_setting() {
        let now: Timestamp = "2026-11-23T10:00:00Z".parse().expect("a time");
        let expiry = |it: Retention| it.expiry(now).to_string();
        assert_eq!(expiry(Retention::default()), "2036-11-23T10:00:00Z");
        assert_eq!(Retention::parse(" 5 ").map(expiry), Ok("2031-11-23T10:00:00Z".to_owned()));
        for wrong in ["0", "101", "-1", "ten"] {
            assert!(Retention::parse(wrong).is_err(), "{wrong}");
        }
    }
}
