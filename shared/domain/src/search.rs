//! Query parameters of the list operations: filters, sort order and page. Those of companies are in this
//! file, the others in the modules.

pub mod changes;
mod dates;
mod identifiers;
mod industries;
mod pages;
pub mod persons;
mod sorting;
pub mod tenures;
mod words;

use serde::{Deserialize, Deserializer, de::Error as _};
use utoipa::IntoParams;

use changes::UtcDay;

use crate::{
    Amount, Canton, Isin, Lei, Status, Uid,
    auditors::WantedAuditorCategory,
    company::{CanonicalStatus, WantedStatus},
    legal_forms::WantedLegalForm,
};

pub use dates::{Day, MalformedDate, Moment};
pub use identifiers::WantedIdentifier;
pub use industries::{NogaPrefix, NogaSection, WantedIndustry};
pub use pages::{Page, PageNumber, PageSize, SizeOfPage};
pub use sorting::{SortBy, UnknownSort};

/// Query of a list of companies. A company must match all filters; within one filter, any of the values.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CompanyQuery {
    /// Words of the company's name, of a former name or of a translation, with or without accents. The last
    /// word may be incomplete. If fewer than five companies match exactly, typos are allowed: one in words of
    /// four to seven letters, two in longer words. A company number finds that company. At most 1,000
    /// characters.
    #[serde(alias = "query", alias = "name")]
    #[serde(deserialize_with = "words::read")]
    #[param(max_length = 1000, example = "Plastics")]
    pub search: Option<String>,
    /// Canton of the seat: two letters, or a name in German, French, Italian or English. Separate several
    /// values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Canton>>, example = json!(["ZH"]))]
    pub canton: Vec<Canton>,
    /// Status: `ACTIVE`, `BEING_CANCELLED` or `CANCELLED`. Separate several values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Status>>, example = json!(["ACTIVE"]))]
    pub status: Vec<WantedStatus>,
    /// Status in plain words: `active`, `in_liquidation` or `deleted`. Separate several values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<CanonicalStatus>>, example = json!(["active"]))]
    pub status_canonical: Vec<WantedStatus>,
    /// Legal form: eCH-0097 code, or short name or name in German, French, Italian or English. Separate
    /// several values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedLegalForm>>, example = json!(["AG"]))]
    pub legal_form: Vec<WantedLegalForm>,
    /// Legal form by its eCH-0097 code. Separate several values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedLegalForm>>, example = json!(["0106"]))]
    pub legal_form_code: Vec<WantedLegalForm>,
    /// Minimum nominal capital, in units of the company's currency.
    #[param(value_type = Option<f64>, minimum = 0, example = 100_000)]
    pub capital_min: Option<Bound>,
    /// Maximum nominal capital, in units of the company's currency.
    #[param(value_type = Option<f64>, minimum = 0, example = 5_000_000)]
    pub capital_max: Option<Bound>,
    /// Category of the auditor: `KPMG`, `EY`, `PwC`, `Deloitte`, `Big4Competitor`, `Other`, `None`, or
    /// `big4` for any of the first four.
    #[param(inline, value_type = Option<WantedAuditorCategory>, example = "big4")]
    pub auditor_category: Option<WantedAuditorCategory>,
    /// `true`: only companies with a known auditor. `false`: only companies without.
    #[param(example = true)]
    pub has_auditor: Option<bool>,
    /// Earliest founding date (inclusive). If the founding date is unknown, the registration date counts.
    #[param(value_type = Option<Date>, format = Date, example = "2020-01-01")]
    pub founded_after: Option<Day>,
    /// Latest founding date (inclusive). If the founding date is unknown, the registration date counts.
    #[param(value_type = Option<Date>, format = Date, example = "2024-12-31")]
    pub founded_before: Option<Day>,
    /// Earliest date of `updatedAt` (inclusive). A time is ignored, because statements have only a date. To
    /// find late changes too, use the change feed.
    #[serde(alias = "changed_since")]
    #[param(value_type = Option<Date>, format = Date, example = "2026-01-01")]
    pub changed_since: Option<UtcDay>,
    /// Company numbers (UID), separated by commas, at most 500.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Uid>>, max_items = 500, example = json!(["CHE-101.049.653", "CHE-101.329.561"]))]
    pub uids: Uids,
    /// Legal entity identifier (LEI). Case, spaces and hyphens do not matter.
    #[serde(deserialize_with = "identifiers::lei")]
    #[param(value_type = Option<String>, pattern = "^[A-Z0-9]{18}[0-9]{2}$", example = "506700GE1G29325QX363")]
    pub lei: Option<WantedIdentifier<Lei>>,
    /// D-U-N-S number. Finds nothing yet, because no source states it.
    #[serde(deserialize_with = "identifiers::duns")]
    #[param(pattern = "^[0-9]{9}$", example = "480012345")]
    pub duns: Option<String>,
    /// International securities identification number (ISIN). Case, spaces and hyphens do not matter.
    #[serde(deserialize_with = "identifiers::isin")]
    #[param(value_type = Option<String>, pattern = "^[A-Z]{2}[A-Z0-9]{9}[0-9]$", example = "CH0012032048")]
    pub isin: Option<WantedIdentifier<Isin>>,
    /// `true`: only companies with a known LEI. `false`: only companies without.
    #[param(example = true)]
    pub has_lei: Option<bool>,
    /// `true`: only companies with a Wikidata entry, which no source states yet. `false`: all companies.
    #[param(example = false)]
    pub has_wikidata: Option<bool>,
    /// `true`: only records with data from sources other than the register. `false`: only records without.
    #[param(example = true)]
    pub enriched: Option<bool>,
    /// `true`: only companies authorised by the Swiss Financial Market Supervisory Authority (FINMA).
    /// `false`: only companies that are not.
    #[param(example = true)]
    pub is_finma_regulated: Option<bool>,
    /// Name of a NOGA division. Case does not matter.
    #[param(inline, value_type = Option<WantedIndustry>, example = "Financial services")]
    pub industry: Option<WantedIndustry>,
    /// NOGA section: a letter, `A` to `U`.
    #[param(value_type = Option<String>, pattern = "^[A-U]$", example = "K")]
    pub noga_section: Option<NogaSection>,
    /// NOGA division: two digits.
    #[param(value_type = Option<String>, pattern = "^[0-9]{2}$", example = "64")]
    pub noga_division: Option<NogaPrefix<2>>,
    /// NOGA code: two to six digits. A shorter code includes all longer codes that begin with it.
    #[param(value_type = Option<String>, pattern = "^[0-9]{2,6}$", example = "6201")]
    pub noga_code: Option<NogaPrefix<6>>,
    /// Minimum completeness of the record (`dataQualityScore`), 0 to 1.
    #[param(value_type = Option<f64>, minimum = 0, maximum = 1, example = 0.5)]
    pub data_quality_min: Option<Share>,
    /// Maximum completeness of the record (`dataQualityScore`), 0 to 1.
    #[param(value_type = Option<f64>, minimum = 0, maximum = 1, example = 1.0)]
    pub data_quality_max: Option<Share>,
    /// Words of the name of a current officer or signatory. Matched as in the search for persons, but typos
    /// are allowed only if nobody matches exactly.
    #[serde(deserialize_with = "words::read")]
    #[param(max_length = 1000, example = "Samuel Iten")]
    pub board_member_search: Option<String>,
    /// Minimum number of known changes.
    #[param(value_type = Option<u64>, minimum = 0, maximum = 4294967295_u32, example = 3)]
    pub min_changes: Option<u32>,
    /// Rejected and not described until there are data.
    #[param(ignore)]
    pub tag: Option<NotAvailableYet>,
    /// Sort order. The default is `relevance`: best match first; without `search`, active companies first,
    /// then the largest.
    #[param(inline, value_type = Option<SortBy>, example = "name")]
    pub sort_by: SortBy,
    /// `true`: descending. Companies without the value come last in either direction.
    #[param(value_type = Option<bool>, example = true)]
    pub sort_desc: bool,
    /// Page number, starting at 1. Pages after the last one are empty.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    pub page: PageNumber,
    /// Maximum number of items per page, 1 to 100.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    pub page_size: PageSize,
}

/// Limit of an amount, from 0. Unlike an [`Amount`] it may be any number; a number beyond all amounts is
/// a valid limit too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound(pub Amount);

impl<'de> Deserialize<'de> for Bound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bound = match text.parse::<Amount>() {
            Ok(exact) => Some(exact).filter(|it| *it >= Amount::default()),
            Err(error) => {
                let number = text.trim().replace(',', ".").parse::<f64>();
                let number = number.ok().filter(|it| it.is_finite());
                let number = number.ok_or_else(|| D::Error::custom(error))?;
                let rounded = || Amount::from_ten_thousandths((number * 10_000.0).round() as i64);
                (number >= 0.0).then(rounded)
            }
        };
        bound.map(Self).ok_or_else(|| D::Error::custom(format!("must be at least 0; got `{text}`")))
    }
}

/// A share: a number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize)]
#[serde(try_from = "f64")]
pub struct Share(pub f64);

impl TryFrom<f64> for Share {
    type Error = String;

    fn try_from(share: f64) -> Result<Self, String> {
        if (0.0..=1.0).contains(&share) {
            Ok(Self(share))
        } else {
            Err(format!("must be between 0 and 1; got `{share}`"))
        }
    }
}

/// Up to 500 company numbers.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "Vec<Uid>")]
pub struct Uids(pub Vec<Uid>);

impl TryFrom<Vec<Uid>> for Uids {
    type Error = String;

    fn try_from(uids: Vec<Uid>) -> Result<Self, String> {
        match uids.len() {
            0..=500 => Ok(Self(uids)),
            more => Err(format!("must be at most 500 company numbers; got {more}")),
        }
    }
}

/// A parameter for which there are no data yet. It is always rejected, so that nobody mistakes an
/// unfiltered list for a filtered one.
#[derive(Clone, Debug, PartialEq)]
pub enum NotAvailableYet {}

impl<'de> Deserialize<'de> for NotAvailableYet {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(serde::de::Error::custom("not available yet"))
    }
}
