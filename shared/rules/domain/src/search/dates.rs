//! Dates and times in queries.

use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};
use serde::Deserialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat,
        schema::{AnyOfBuilder, Type},
    },
};

/// A day, given as a date, or as a date and time of which the date in Swiss time counts.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Day(pub Date);

/// A point in time, given as a date (its start in Swiss time) or as a date and time.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Moment(pub Timestamp);

/// The end of a period, given as a date (its last millisecond in Swiss time) or as a date and time.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct LastMoment(pub Timestamp);

/// OpenAPI schema of a date, or a date and time. A date and time without an offset is accepted too.
pub(super) fn date_or_time() -> RefOr<Schema> {
    let text = |format| {
        let text = ObjectBuilder::new().schema_type(Type::String);
        text.format(Some(SchemaFormat::KnownFormat(format)))
    };
    let formats = [KnownFormat::Date, KnownFormat::DateTime].into_iter().map(text);
    formats.fold(AnyOfBuilder::new(), AnyOfBuilder::item).into()
}

impl PartialSchema for Day {
    fn schema() -> RefOr<Schema> {
        date_or_time()
    }
}

impl ToSchema for Day {}

impl PartialSchema for Moment {
    fn schema() -> RefOr<Schema> {
        date_or_time()
    }
}

impl ToSchema for Moment {}

impl PartialSchema for LastMoment {
    fn schema() -> RefOr<Schema> {
        date_or_time()
    }
}

impl ToSchema for LastMoment {}

/// The text is not a date.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "must be a date such as `2026-01-31` or a date and time such as `2026-01-31T12:00:00Z`; got `{0}`"
)]
pub struct MalformedDate(pub(super) String);

impl TryFrom<String> for Day {
    type Error = MalformedDate;

    fn try_from(given: String) -> Result<Self, MalformedDate> {
        if let Ok(date) = strict_date(&given) {
            return Ok(Self(date));
        }
        let Moment(moment) = Moment::try_from(given)?;
        Ok(Self(moment.to_zoned(swiss_time()).date()))
    }
}

impl TryFrom<String> for Moment {
    type Error = MalformedDate;

    fn try_from(given: String) -> Result<Self, MalformedDate> {
        // A plus sign that the client did not escape arrives as a space.
        let escaped = given.replacen(' ', "+", 1);
        if let Ok(moment) = given.parse::<Timestamp>().or_else(|_| escaped.parse()) {
            return Ok(Self(moment));
        }
        // A date and time without an offset is in Swiss time, like the register.
        let local = strict_date(&given)
            .map(|it| it.at(0, 0, 0, 0))
            .or_else(|_| given.parse::<jiff::civil::DateTime>());
        let zoned = local.and_then(|it| it.to_zoned(swiss_time()));
        zoned.map(|it| Self(it.timestamp())).map_err(|_| MalformedDate(given))
    }
}

impl TryFrom<String> for LastMoment {
    type Error = MalformedDate;

    fn try_from(given: String) -> Result<Self, MalformedDate> {
        let Ok(date) = strict_date(&given) else {
            return Moment::try_from(given).map(|it| Self(it.0));
        };
        let end = date.tomorrow().and_then(|it| it.to_zoned(swiss_time()));
        let last = end.and_then(|it| it.timestamp().checked_sub(1.milliseconds()));
        last.map(Self).map_err(|_| MalformedDate(given))
    }
}

/// Parses `2026-01-31` only. The library's own parser also accepts weeks, signed years and times.
pub(super) fn strict_date(text: &str) -> Result<Date, jiff::Error> {
    Date::strptime("%Y-%m-%d", text)
}

fn swiss_time() -> TimeZone {
    TimeZone::get("Europe/Zurich").unwrap_or(TimeZone::UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_ends_with_the_last_millisecond_of_its_day() {
        let last = |text: &str| LastMoment::try_from(text.to_owned()).map(|it| it.0.to_string());
        assert_eq!(last("2026-01-31"), Ok("2026-01-31T22:59:59.999Z".into()));
        assert_eq!(last("2026-07-31T12:00:00Z"), Ok("2026-07-31T12:00:00Z".into()));
        assert!(last("9999-12-31").is_err() && last("2026").is_err());
    }

    #[test]
    fn date_without_offset_is_in_swiss_time() {
        let moment = |text: &str| Moment::try_from(text.to_owned()).map(|it| it.0.to_string());
        assert_eq!(moment("2026-01-31"), Ok("2026-01-30T23:00:00Z".into()));
        assert_eq!(moment("2026-07-31T12:00:00Z"), Ok("2026-07-31T12:00:00Z".into()));
        assert_eq!(moment("2026-07-31T12:00:00 02:00"), Ok("2026-07-31T10:00:00Z".into()));
        assert_eq!(moment("2026-07-31T12:00:00"), Ok("2026-07-31T10:00:00Z".into()));
        for text in ["31.01.2026", "2026-13-01", "2026-02-30", "yesterday", "", "2026"] {
            assert!(moment(text).is_err(), "{text}");
            assert!(Day::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
