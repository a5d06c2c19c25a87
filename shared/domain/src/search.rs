//! What lists can be asked: filters, order, page. Those of companies here, others below.

pub mod changes;
mod identifiers;
pub mod persons;
pub mod tenures;
mod words;

use std::{fmt, ops::Range};

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use changes::UtcDay;

use crate::{
    Amount, Canton, Status, Uid,
    auditors::WantedAuditorCategory,
    company::{CanonicalStatus, WantedStatus},
    legal_forms::WantedLegalForm,
    text,
};

/// The question behind every list of companies. Filters narrow together; within one filter any of
/// the values may match.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CompanyQuery {
    /// Words of a company's name, an old name or a translation, with or without accents; the last
    /// word may be unfinished; one typo is forgiven from four letters and two from eight. A company
    /// number finds its company.
    #[serde(alias = "query", alias = "name")]
    #[serde(deserialize_with = "words::read")]
    #[param(max_length = 1000, example = "Plastics")]
    pub search: Option<String>,
    /// Two letters or a name; several separated by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Canton>>, example = json!(["ZH"]))]
    pub canton: Vec<Canton>,
    /// `ACTIVE`, `BEING_CANCELLED` or `CANCELLED`; several separated by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Status>>, example = json!(["ACTIVE"]))]
    pub status: Vec<WantedStatus>,
    /// `active`, `in_liquidation` or `deleted`; several separated by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<CanonicalStatus>>, example = json!(["active"]))]
    pub status_canonical: Vec<WantedStatus>,
    /// Code, short name or name, in German, French, Italian or English; several separated by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedLegalForm>>, example = json!(["AG"]))]
    pub legal_form: Vec<WantedLegalForm>,
    /// eCH-0097 code; several separated by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedLegalForm>>, example = json!(["0106"]))]
    pub legal_form_code: Vec<WantedLegalForm>,
    /// The least nominal capital, in whole currency units.
    #[param(value_type = Option<f64>, minimum = 0, example = 100_000)]
    pub capital_min: Option<Bound>,
    /// The greatest nominal capital, in whole currency units.
    #[param(value_type = Option<f64>, minimum = 0, example = 5_000_000)]
    pub capital_max: Option<Bound>,
    /// `KPMG`, `EY`, `PwC`, `Deloitte`, `Big4Competitor`, `Other`, `None`, or `big4` for the four.
    #[param(inline, value_type = Option<WantedAuditorCategory>, example = "big4")]
    pub auditor_category: Option<WantedAuditorCategory>,
    /// Whether an auditor is known.
    #[param(example = true)]
    pub has_auditor: Option<bool>,
    /// Founded (or else first registered) on this day or later.
    #[param(value_type = Option<Date>, format = Date, example = "2020-01-01")]
    pub founded_after: Option<Day>,
    /// Founded (or else first registered) on this day or earlier.
    #[param(value_type = Option<Date>, format = Date, example = "2024-12-31")]
    pub founded_before: Option<Day>,
    /// Changed on this day or later: `updatedAt` is the day of the newest publication, so of a date and
    /// time the day counts. What is published late is found by the change feed.
    #[serde(alias = "changed_since")]
    #[param(value_type = Option<Date>, format = Date, example = "2026-01-01")]
    pub changed_since: Option<UtcDay>,
    /// Company numbers, separated by commas; at most 500.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Uid>>, max_items = 500, example = json!(["CHE-101.049.653", "CHE-101.329.561"]))]
    pub uids: Uids,
    /// A legal entity identifier.
    #[serde(deserialize_with = "identifiers::lei")]
    #[param(pattern = "^[A-Z0-9]{18}[0-9]{2}$", example = "506700GE1G29325QX363")]
    pub lei: Option<String>,
    /// Accepted; no open source fills it yet.
    #[serde(deserialize_with = "identifiers::duns")]
    #[param(pattern = "^[0-9]{9}$", example = "480012345")]
    pub duns: Option<String>,
    /// A securities number.
    #[serde(deserialize_with = "identifiers::isin")]
    #[param(pattern = "^[A-Z]{2}[A-Z0-9]{9}[0-9]$", example = "CH0012032048")]
    pub isin: Option<String>,
    /// Whether a legal entity identifier is known.
    #[param(example = true)]
    pub has_lei: Option<bool>,
    /// Accepted; no open source fills it yet.
    #[param(example = false)]
    pub has_wikidata: Option<bool>,
    /// Whether a source beyond the register has filled something.
    #[param(example = true)]
    pub enriched: Option<bool>,
    /// Whether the financial supervisor has authorised the company.
    #[param(example = true)]
    pub is_finma_regulated: Option<bool>,
    /// The name of a NOGA division, folded.
    #[param(inline, value_type = Option<WantedIndustry>, example = "Financial services")]
    pub industry: Option<WantedIndustry>,
    /// A letter, `A` to `U`.
    #[param(value_type = Option<String>, pattern = "^[A-U]$", example = "K")]
    pub noga_section: Option<NogaSection>,
    /// Two digits.
    #[param(value_type = Option<String>, pattern = "^[0-9]{2}$", example = "64")]
    pub noga_division: Option<NogaPrefix<2>>,
    /// Two to six digits; shorter codes include the longer.
    #[param(value_type = Option<String>, pattern = "^[0-9]{2,6}$", example = "6201")]
    pub noga_code: Option<NogaPrefix<6>>,
    /// 0 to 1.
    #[param(value_type = Option<f64>, minimum = 0, maximum = 1, example = 0.5)]
    pub data_quality_min: Option<Share>,
    /// 0 to 1.
    #[param(value_type = Option<f64>, minimum = 0, maximum = 1, example = 1.0)]
    pub data_quality_max: Option<Share>,
    /// Words of the name of somebody who holds an office or signs today, as in the search for
    /// persons.
    #[serde(deserialize_with = "words::read")]
    #[param(max_length = 1000, example = "Samuel Iten")]
    pub board_member_search: Option<String>,
    /// The least number of changes that are known.
    #[param(value_type = Option<u64>, minimum = 0, maximum = 4294967295_u32, example = 3)]
    pub min_changes: Option<u32>,
    // Refused until the data is there, and not described until then.
    #[param(ignore)]
    pub tag: Option<NotAvailableYet>,
    /// What the list is sorted by; `relevance` by default.
    #[param(inline, value_type = Option<SortBy>, example = "name")]
    pub sort_by: SortBy,
    /// From the greatest to the least; companies without the value come last either way.
    #[param(value_type = Option<bool>, example = true)]
    pub sort_desc: bool,
    /// From 1; beyond the last page the list is empty.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    pub page: PageNumber,
    /// 1 to 100.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    pub page_size: PageSize,
}

/// The order of a list of companies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub enum SortBy {
    /// The best match first; without a search, active companies first, then the largest.
    #[default]
    Relevance,
    Name,
    ShareCapital,
    FoundingDate,
    RegistrationDate,
    UpdatedAt,
    Canton,
    EmployeeCount,
    DataQualityScore,
}

impl PartialSchema for SortBy {
    fn schema() -> RefOr<Schema> {
        crate::text::one_of(Self::ALL.map(Self::name))
    }
}

impl ToSchema for SortBy {}

impl SortBy {
    /// Every order.
    pub const ALL: [Self; 9] = [
        Self::Relevance,
        Self::Name,
        Self::ShareCapital,
        Self::FoundingDate,
        Self::RegistrationDate,
        Self::UpdatedAt,
        Self::Canton,
        Self::EmployeeCount,
        Self::DataQualityScore,
    ];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Relevance => "relevance",
            Self::Name => "name",
            Self::ShareCapital => "shareCapital",
            Self::FoundingDate => "foundingDate",
            Self::RegistrationDate => "registrationDate",
            Self::UpdatedAt => "updatedAt",
            Self::Canton => "canton",
            Self::EmployeeCount => "employeeCount",
            Self::DataQualityScore => "dataQualityScore",
        }
    }
}

/// Text that names no order.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{given}` is not a sort order; the nearest is `{nearest}`")]
pub struct UnknownSort {
    given: String,
    nearest: &'static str,
}

/// The order of this name. Case and underscores do not matter: `share_capital` is `shareCapital`.
fn sort_named<T: Copy>(
    given: String,
    orders: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, UnknownSort> {
    let plain = |it: &str| text::fold(it).replace(' ', "");
    let found = orders.iter().find(|it| plain(name(**it)) == plain(&given));
    found.copied().ok_or_else(|| UnknownSort {
        nearest: text::nearest(&given, orders.iter().map(|it| (name(*it), name(*it))))
            .unwrap_or("relevance"),
        given,
    })
}

impl TryFrom<String> for SortBy {
    type Error = UnknownSort;

    fn try_from(given: String) -> Result<Self, UnknownSort> {
        sort_named(given, &Self::ALL, Self::name)
    }
}

/// A bound of an amount, from 0. Unlike an amount it may be as great as numbers are: what lies beyond all
/// amounts bounds them too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound(pub Amount);

impl<'de> Deserialize<'de> for Bound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bound = match text.parse::<Amount>() {
            Ok(exact) => Some(exact).filter(|it| *it >= Amount::default()),
            Err(refusal) => {
                let number = text.trim().replace(',', ".").parse::<f64>();
                let number = number.ok().filter(|it| it.is_finite());
                let number = number.ok_or_else(|| D::Error::custom(refusal))?;
                let near = || Amount::from_ten_thousandths((number * 10_000.0).round() as i64);
                (number >= 0.0).then(near)
            }
        };
        bound.map(Self).ok_or_else(|| D::Error::custom("an amount is 0 or more"))
    }
}

/// The number of a page, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "u32")]
pub struct PageNumber(u32);

impl PageNumber {
    pub fn get(self) -> u32 {
        self.0
    }

    /// The places of this page in a list of so many; none beyond the last page.
    pub fn places<const BY_DEFAULT: u32, const MAXIMUM: u32>(
        self,
        size: SizeOfPage<BY_DEFAULT, MAXIMUM>,
        total: u64,
    ) -> Range<usize> {
        let size = u64::from(size.get());
        let skip = (u64::from(self.get()) - 1) * size;
        if skip >= total {
            return 0..0;
        }
        skip as usize..(skip + size).min(total) as usize
    }
}

impl Default for PageNumber {
    fn default() -> Self {
        Self(1)
    }
}

impl TryFrom<u32> for PageNumber {
    type Error = &'static str;

    fn try_from(page: u32) -> Result<Self, Self::Error> {
        if page == 0 { Err("pages count from 1") } else { Ok(Self(page)) }
    }
}

/// How many items a page holds, 1 to 100.
pub type PageSize = SizeOfPage<20, 100>;

/// How many items a page holds, from 1 to a most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "u32")]
pub struct SizeOfPage<const BY_DEFAULT: u32, const MAXIMUM: u32>(u32);

impl<const BY_DEFAULT: u32, const MAXIMUM: u32> SizeOfPage<BY_DEFAULT, MAXIMUM> {
    /// As many as there can be on one page.
    pub const FULL: Self = Self(MAXIMUM);

    pub fn get(self) -> u32 {
        self.0
    }
}

impl<const BY_DEFAULT: u32, const MAXIMUM: u32> Default for SizeOfPage<BY_DEFAULT, MAXIMUM> {
    fn default() -> Self {
        Self(BY_DEFAULT)
    }
}

impl<const BY_DEFAULT: u32, const MAXIMUM: u32> TryFrom<u32> for SizeOfPage<BY_DEFAULT, MAXIMUM> {
    type Error = String;

    fn try_from(size: u32) -> Result<Self, String> {
        if (1..=MAXIMUM).contains(&size) {
            Ok(Self(size))
        } else {
            Err(format!("a page holds 1 to {MAXIMUM} items"))
        }
    }
}

/// One page of a list, and how many items there are in all.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    pub items: Vec<T>,
    /// How many items match, over all pages.
    pub total: u64,
    /// From 1.
    pub page: u32,
    /// The size that was used.
    pub page_size: u32,
}

/// A day, given as a date or as a date and time (its date in Switzerland).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Day(pub Date);

/// A moment, given as a date (its first moment in Switzerland) or as a date and time.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Moment(pub Timestamp);

/// Text that is no date.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{0}` is not a date such as 2026-01-31, nor a date and time such as 2026-01-31T12:00:00Z")]
pub struct MalformedDate(String);

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
        // A plus sign that a client did not escape arrives as a space.
        let escaped = given.replacen(' ', "+", 1);
        if let Ok(moment) = given.parse::<Timestamp>().or_else(|_| escaped.parse()) {
            return Ok(Self(moment));
        }
        // A date and time without an offset is meant as the register's own clock shows it.
        let local = strict_date(&given)
            .map(|it| it.at(0, 0, 0, 0))
            .or_else(|_| given.parse::<jiff::civil::DateTime>());
        let zoned = local.and_then(|it| it.to_zoned(swiss_time()));
        zoned.map(|it| Self(it.timestamp())).map_err(|_| MalformedDate(given))
    }
}

/// `2026-01-31` and nothing else; the library also reads weeks, years with signs and times.
fn strict_date(text: &str) -> Result<Date, jiff::Error> {
    Date::strptime("%Y-%m-%d", text)
}

fn swiss_time() -> TimeZone {
    TimeZone::get("Europe/Zurich").unwrap_or(TimeZone::UTC)
}

/// A number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize)]
#[serde(try_from = "f64")]
pub struct Share(pub f64);

impl TryFrom<f64> for Share {
    type Error = &'static str;

    fn try_from(share: f64) -> Result<Self, Self::Error> {
        if (0.0..=1.0).contains(&share) {
            Ok(Self(share))
        } else {
            Err("a share lies between 0 and 1")
        }
    }
}

/// A NOGA section letter.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct NogaSection(pub char);

impl TryFrom<String> for NogaSection {
    type Error = String;

    fn try_from(given: String) -> Result<Self, String> {
        match given.trim().to_ascii_uppercase().as_str() {
            letter if letter.len() == 1 && ("A"..="U").contains(&letter) => {
                Ok(Self(char::from(letter.as_bytes()[0])))
            }
            _ => Err(format!("`{given}` is not a NOGA section; sections are the letters A to U")),
        }
    }
}

/// The first digits of a NOGA code: two, up to `DIGITS`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct NogaPrefix<const DIGITS: usize>(pub String);

impl<const DIGITS: usize> TryFrom<String> for NogaPrefix<DIGITS> {
    type Error = String;

    fn try_from(given: String) -> Result<Self, String> {
        // NOGA writes a point before the third and the fifth digit.
        let pointed = given.char_indices().filter(|(_, it)| *it == '.').map(|(at, _)| at);
        let digits = if pointed.clone().all(|at| at == 2 || at == 5) {
            given.replace('.', "")
        } else {
            given.clone()
        };
        let well_formed =
            (2..=DIGITS).contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_digit());
        if well_formed {
            return Ok(Self(digits));
        }
        let rule =
            if DIGITS == 2 { "a division has two digits" } else { "a code has two to six digits" };
        Err(format!("`{given}` is not a NOGA code; {rule}"))
    }
}

/// An industry that a caller asks for: the name of a NOGA division, folded.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct WantedIndustry(pub &'static crate::noga::Division);

impl PartialSchema for WantedIndustry {
    fn schema() -> RefOr<Schema> {
        crate::text::one_of(crate::noga::DIVISIONS.iter().map(|it| it.name))
    }
}

impl ToSchema for WantedIndustry {}

impl TryFrom<String> for WantedIndustry {
    type Error = String;

    fn try_from(given: String) -> Result<Self, String> {
        let known = || crate::noga::DIVISIONS.iter().map(|it| (it.name, it));
        match known().find(|(name, _)| text::fold(name) == text::fold(&given)) {
            Some((_, division)) => Ok(Self(division)),
            None => Err(format!(
                "`{given}` is not an industry; the nearest is `{}`",
                text::nearest(&given, known()).map_or("", |it| it.name)
            )),
        }
    }
}

/// At most 500 company numbers.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "Vec<Uid>")]
pub struct Uids(pub Vec<Uid>);

impl TryFrom<Vec<Uid>> for Uids {
    type Error = String;

    fn try_from(uids: Vec<Uid>) -> Result<Self, String> {
        match uids.len() {
            0..=500 => Ok(Self(uids)),
            more => Err(format!("{more} company numbers given; at most 500 are accepted")),
        }
    }
}

/// A parameter whose data comes later: always refused, so that nobody takes an unfiltered list for
/// a filtered one.
#[derive(Clone, Debug, PartialEq)]
pub enum NotAvailableYet {}

impl<'de> Deserialize<'de> for NotAvailableYet {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(serde::de::Error::custom("not available yet"))
    }
}

impl fmt::Display for SortBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_a_day_in_switzerland() {
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

    #[test]
    fn the_last_page_ends_with_the_list_and_there_is_nothing_beyond() {
        let places = |page, total| {
            let size = PageSize::try_from(20).expect("a size");
            PageNumber::try_from(page).expect("a page").places(size, total)
        };
        assert_eq!(places(1, 50), 0..20);
        assert_eq!(places(3, 50), 40..50);
        assert!(places(4, 50).is_empty() && places(u32::MAX, 50).is_empty());
        assert!(places(1, 0).is_empty());
    }

    #[test]
    fn a_sort_order_is_known_in_either_spelling() {
        assert_eq!(SortBy::try_from("share_capital".to_owned()), Ok(SortBy::ShareCapital));
        let refusal = SortBy::try_from("nmae".to_owned()).expect_err("unknown");
        assert_eq!(refusal.to_string(), "`nmae` is not a sort order; the nearest is `name`");
    }

    #[test]
    fn a_noga_code_has_two_to_six_digits() {
        assert_eq!(NogaPrefix::<6>::try_from("62.01".to_owned()), Ok(NogaPrefix("6201".into())));
        assert!(NogaPrefix::<2>::try_from("620".to_owned()).is_err());
        assert!(NogaPrefix::<2>::try_from("0.5".to_owned()).is_err());
        assert!(NogaSection::try_from("k".to_owned()) == Ok(NogaSection('K')));
        assert!(NogaSection::try_from("Z".to_owned()).is_err());
    }
}
