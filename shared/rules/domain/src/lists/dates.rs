use std::{fmt, str::FromStr};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

/// A date of which the month and the day may be unknown: `1980`, `1980-03` or `1980-03-23`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PartialDate {
    year: i16,
    month: Option<i8>,
    day: Option<i8>,
}

/// The text or the numbers are not a date.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{0}` is not a date such as 1980, 1980-03 or 1980-03-23")]
pub struct InvalidPartialDate(String);

impl PartialDate {
    /// A date of the Gregorian calendar. The year is between 1 and 9999; a day requires a month.
    pub fn new(year: i16, month: Option<i8>, day: Option<i8>) -> Result<Self, InvalidPartialDate> {
        let date = Self { year, month, day };
        let exists = (1..=9999).contains(&year)
            && (month.is_some() || day.is_none())
            && Date::new(year, month.unwrap_or(1), day.unwrap_or(1)).is_ok();
        if exists { Ok(date) } else { Err(InvalidPartialDate(date.to_string())) }
    }

    /// The year.
    pub fn year(self) -> i16 {
        self.year
    }

    /// The month, 1 to 12, if it is known.
    pub fn month(self) -> Option<i8> {
        self.month
    }

    /// The day of the month, if it is known.
    pub fn day(self) -> Option<i8> {
        self.day
    }
}

impl PartialSchema for PartialDate {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).examples(["1980-03"]);
        let description = "Date of which the month and the day may be unknown: `1980` (only the year), `1980-03` (year and \
            month) or `1980-03-23`.";
        let text = text.description(Some(description));
        text.pattern(Some(r"^\d{4}(-\d{2}(-\d{2})?)?$")).into()
    }
}

impl ToSchema for PartialDate {}

impl From<Date> for PartialDate {
    fn from(date: Date) -> Self {
        Self { year: date.year(), month: Some(date.month()), day: Some(date.day()) }
    }
}

impl FromStr for PartialDate {
    type Err = InvalidPartialDate;

    /// Accepts a time after the day, which is ignored: `1980-03-23T12:00:00`.
    fn from_str(text: &str) -> Result<Self, InvalidPartialDate> {
        let invalid = || InvalidPartialDate(text.to_owned());
        let number = |part: &str, digits: usize| -> Result<i16, InvalidPartialDate> {
            let is_number = part.len() == digits && part.bytes().all(|it| it.is_ascii_digit());
            if is_number { part.parse().map_err(|_| invalid()) } else { Err(invalid()) }
        };
        let two = |part: &str| i8::try_from(number(part, 2)?).map_err(|_| invalid());
        let date = text.trim().split(['T', ' ']).next().unwrap_or_default();
        let parts: Vec<&str> = date.split('-').collect();
        match parts[..] {
            [year] => Self::new(number(year, 4)?, None, None),
            [year, month] => Self::new(number(year, 4)?, Some(two(month)?), None),
            [year, month, day] => Self::new(number(year, 4)?, Some(two(month)?), Some(two(day)?)),
            _ => Err(invalid()),
        }
        .map_err(|_| invalid())
    }
}

impl fmt::Display for PartialDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        for part in self.month.iter().chain(&self.day) {
            write!(f, "-{part:02}")?;
        }
        Ok(())
    }
}

impl TryFrom<String> for PartialDate {
    type Error = InvalidPartialDate;

    fn try_from(text: String) -> Result<Self, InvalidPartialDate> {
        text.parse()
    }
}

impl From<PartialDate> for String {
    fn from(date: PartialDate) -> String {
        date.to_string()
    }
}

/// A birth date of a person, or the founding date of an organisation, as a list states it. An entry can have
/// several, because lists state every date that is claimed.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BirthDate {
    /// The date: a year, a month or a day.
    pub date: PartialDate,
    /// Whether the list marks the date as approximate. Absent if it does not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub approximate: bool,
    /// Calendar of the date, as the list names it. Absent for the Gregorian calendar.
    pub calendar: Option<String>,
}

impl BirthDate {
    /// A date of the Gregorian calendar that is not marked as approximate.
    pub fn exact(date: PartialDate) -> Self {
        Self { date, approximate: false, calendar: None }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn dates_of_three_precisions_are_read() {
        for (text, year, month, day) in [
            ("1980", 1980, None, None),
            ("1980-03", 1980, Some(3), None),
            ("1980-02-29", 1980, Some(2), Some(29)),
        ] {
            let date: PartialDate = text.parse().expect(text);
            assert_eq!((date.year(), date.month(), date.day()), (year, month, day));
            assert_eq!(date.to_string(), text);
            assert_eq!(serde_json::to_value(date).expect("a text"), text);
        }
        assert_eq!("1980-03-23T08:00:00".parse(), "1980-03-23".parse::<PartialDate>());
    }

    #[test]
    fn dates_that_do_not_exist_are_errors() {
        for text in
            ["", "80", "1980-13", "1981-02-29", "1980-3-23", "1980-03-23-01", "0000", "١٩٨٠"]
        {
            assert!(text.parse::<PartialDate>().is_err(), "{text}");
        }
        assert!(PartialDate::new(1980, None, Some(1)).is_err(), "a day without a month");
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in ".{0,20}") {
            if let Ok(date) = text.parse::<PartialDate>() {
                prop_assert_eq!(date.to_string().parse(), Ok(date));
            }
        }
    }
}
