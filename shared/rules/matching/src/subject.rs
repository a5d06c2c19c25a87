//! What is compared: a person, organisation or vessel with its names and other statements.

use std::borrow::Cow;

use domain::Uid;
use serde::{Deserialize, Serialize};

/// The kind of a subject.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A natural person.
    Person,
    /// A company, authority, group or other organisation.
    Organisation,
    /// A ship.
    Vessel,
    /// Unknown: names are read both as names of persons and of organisations.
    #[default]
    Other,
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Person => "person",
            Self::Organisation => "organisation",
            Self::Vessel => "vessel",
            Self::Other => "other",
        })
    }
}

/// One name of a subject.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Name {
    /// The name in any script, as the source writes it. Only the first 256 characters are compared.
    pub text: String,
    /// Whether the source calls it a weak (little reliable) alias.
    pub weak: bool,
}

impl Name {
    /// A name that is not weak.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), weak: false }
    }

    /// A weak alias.
    pub fn weak(text: impl Into<String>) -> Self {
        Self { text: text.into(), weak: true }
    }
}

/// A date of which only the year or the year and the month may be known. Not checked against the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PartialDate {
    /// The year of the Gregorian calendar.
    pub year: i16,
    /// The month, 1–12.
    pub month: Option<u8>,
    /// The day of the month, 1–31. Ignored if the month is unknown.
    pub day: Option<u8>,
}

impl PartialDate {
    /// A date of which only the year is known.
    pub fn year(year: i16) -> Self {
        Self { year, month: None, day: None }
    }

    /// A date of which the day is unknown.
    pub fn month(year: i16, month: u8) -> Self {
        Self { year, month: Some(month), day: None }
    }

    /// A complete date.
    pub fn day(year: i16, month: u8, day: u8) -> Self {
        Self { year, month: Some(month), day: Some(day) }
    }
}

impl std::fmt::Display for PartialDate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}", self.year)?;
        match (self.month, self.day) {
            (Some(month), Some(day)) => write!(f, "-{month:02}-{day:02}"),
            (Some(month), None) => write!(f, "-{month:02}"),
            _ => Ok(()),
        }
    }
}

/// A number that an authority gave to the subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identifier {
    /// What the number is, for example `passport`, `lei`, `uid` or `imo`. Only numbers of one scheme are compared;
    /// case is ignored.
    pub scheme: String,
    /// The number. Only its letters and digits are compared.
    pub value: String,
}

impl Identifier {
    /// The value as people write it: lists have company numbers with and without signs.
    pub(crate) fn written(&self) -> Cow<'_, str> {
        let uid = (self.scheme == "uid").then(|| self.value.parse::<Uid>().ok()).flatten();
        uid.map_or(Cow::Borrowed(&self.value), |it| Cow::Owned(it.to_string()))
    }
}

/// A subject that is screened, or a listed one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Subject {
    /// What it is.
    pub kind: Kind,
    /// Its names, the main name first. Only the first 512 are compared.
    pub names: Vec<Name>,
    /// Its possible dates of birth; of organisations the dates of foundation.
    pub birth_dates: Vec<PartialDate>,
    /// Nationalities, residences or seats: ISO 3166-1 alpha-2 codes.
    pub countries: Vec<String>,
    /// Numbers of documents and registers.
    pub identifiers: Vec<Identifier>,
}
