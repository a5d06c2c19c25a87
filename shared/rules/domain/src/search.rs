//! Query parameters of the list operations: filters, sort order and page. Those of companies are in this
//! file, the others in the modules.

mod auditors;
pub mod changes;
mod currencies;
mod dates;
mod folded_names;
mod identifiers;
mod industries;
mod pages;
pub mod persons;
mod selections;
mod sorting;
pub mod tenures;
mod terms;
mod values;
mod words;

use serde::{Deserialize, Deserializer, de::Error as _};
use utoipa::IntoParams;

use changes::UtcDay;

use crate::{
    Amount, Canton, GivenUid, Isin, Lei, Status,
    auditors::WantedAuditorCategory,
    company::{CanonicalStatus, StatusReason},
    legal_forms::WantedLegalForm,
};

pub use auditors::WantedAuditor;
pub use currencies::{CURRENCIES, WantedCurrency};
pub use dates::{Day, LastMoment, MalformedDate, Moment};
pub use folded_names::{WantedMunicipality, WantedTag};
pub use identifiers::WantedIdentifier;
pub use industries::{NogaPrefix, NogaSection, WantedIndustry};
pub use pages::{Page, PageNumber, PageSize, SizeOfPage};
pub use selections::CompanyFilters;
pub use sorting::SortBy;
pub use terms::{
    WantedChangeKind, WantedLegalEvent, WantedRoleCategory, WantedSigningAuthority, WantedStatus,
    WantedStatusReason,
};
pub use values::{Uids, Values};

/// Query of a list of companies. A company must match all filters; within one filter, any of the values.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CompanyQuery {
    /// Words of the company's name, of a former name or of a translation, with or without accents. The last
    /// word may be incomplete. If fewer than five companies match exactly, typos are allowed: one in words of
    /// four to seven letters, two in longer words. Names of places are found in all their languages, unless they have other
    /// meanings, such as `Muster` and `Monaco`. A company number, also of before 2014, a LEI or an ISIN finds its company. The municipality of the seat, also
    /// with its postal code, or the canton may follow after a comma. If no company matches, the state (`in liquidation`), the legal
    /// form and words for a branch are left out, and the place may follow a whole name without a comma. At most 1,000 characters.
    #[serde(alias = "query", alias = "name")]
    #[serde(deserialize_with = "words::read")]
    #[param(max_length = 1000, example = "Plastics")]
    pub search: Option<String>,
    /// Code of the canton of the seat, such as `ZH`, or its name in German, French, Italian or English. Separate several
    /// values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Canton>>, max_items = 100, example = json!(["ZH"]))]
    pub canton: Values<Canton>,
    /// Municipality of the registered seat, in any of its languages: `Genf` finds companies in Genève. Of several with the same
    /// name, all match unless the canton follows: `Buchs SG`. A name that no seat has is an error if one is near. Separate several
    /// values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedMunicipality>>, max_items = 100, example = json!(["Lenzburg"]))]
    pub municipality: Values<WantedMunicipality>,
    /// Status: `ACTIVE`, `BEING_CANCELLED` or `CANCELLED`. Separate several values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Status>>, max_items = 100, example = json!(["ACTIVE"]))]
    pub status: Values<WantedStatus>,
    /// Status in plain words: `active`, `in_liquidation` or `deleted`. Separate several values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<CanonicalStatus>>, max_items = 100, example = json!(["active"]))]
    pub status_canonical: Values<WantedStatus>,
    /// Reason for the status. Separate several values by commas. Companies whose reason is not known do not match.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<StatusReason>>, max_items = 100, example = json!(["bankruptcy"]))]
    pub status_reason: Values<WantedStatusReason>,
    /// Legal form: its code in eCH-0097 (the Swiss standard for codes of legal forms) or a short name. A name in
    /// German, French, Italian or English is also accepted. Separate several values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedLegalForm>>, max_items = 100, example = json!(["AG"]))]
    pub legal_form: Values<WantedLegalForm>,
    /// Legal form: its code in eCH-0097. Everything that `legalForm` accepts is also accepted. Separate several
    /// values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedLegalForm>>, max_items = 100, example = json!(["0106"]))]
    pub legal_form_code: Values<WantedLegalForm>,
    /// Minimum nominal capital, in units of the company's currency.
    #[param(value_type = Option<f64>, minimum = 0, example = 100_000)]
    pub capital_min: Option<Bound>,
    /// Maximum nominal capital, in units of the company's currency.
    #[param(value_type = Option<f64>, minimum = 0, example = 5_000_000)]
    pub capital_max: Option<Bound>,
    /// Currency of the nominal capital: `CHF`, `EUR`, `GBP`, `JPY` or `USD`, which are the permitted ones. Separate several values
    /// by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedCurrency>>, max_items = 100, example = json!(["CHF"]))]
    pub currency: Values<WantedCurrency>,
    /// Category of the auditor: `KPMG`, `EY`, `PwC`, `Deloitte`, `Big4Competitor`, `Other`, `None`, or
    /// `big4` for any of the first four.
    #[param(inline, value_type = Option<WantedAuditorCategory>, example = "big4")]
    pub auditor_category: Option<WantedAuditorCategory>,
    /// Current auditor: its company number (UID), or its whole name as published. Case, accents and punctuation
    /// do not matter. Companies of which only the name of the auditor is known are found by the name only.
    #[param(inline, value_type = Option<WantedAuditor>, example = "CHE-900.128.107")]
    pub auditor: Option<WantedAuditor>,
    /// `true`: only companies with a known auditor. `false`: all others, including those that waived the audit.
    #[param(example = true)]
    pub has_auditor: Option<bool>,
    /// Earliest founding date (inclusive): a date, or a date and time, of which the date in Swiss time counts, because
    /// founding dates have no time of day. If the founding date is unknown, the registration date is compared.
    #[param(inline, value_type = Option<Day>, example = "2020-01-01")]
    pub founded_after: Option<Day>,
    /// Latest founding date (inclusive): a date, or a date and time, of which the date in Swiss time counts, because
    /// founding dates have no time of day. If the founding date is unknown, the registration date is compared.
    #[param(inline, value_type = Option<Day>, example = "2024-12-31")]
    pub founded_before: Option<Day>,
    /// Earliest date of the first entry in the register (inclusive), as in `foundedAfter`. Companies whose date is unknown do not
    /// match.
    #[param(inline, value_type = Option<Day>, example = "2020-01-01")]
    pub registered_after: Option<Day>,
    /// Latest date of the first entry in the register (inclusive), as in `foundedAfter`. Companies whose date is unknown do not match.
    #[param(inline, value_type = Option<Day>, example = "2024-12-31")]
    pub registered_before: Option<Day>,
    /// Earliest date of the deletion from the register (inclusive), as in `foundedAfter`. Companies that are not deleted, or whose
    /// date is unknown, do not match.
    #[param(inline, value_type = Option<Day>, example = "2020-01-01")]
    pub deleted_after: Option<Day>,
    /// Latest date of the deletion from the register (inclusive), as in `foundedAfter`. Companies that are not deleted, or whose date
    /// is unknown, do not match.
    #[param(inline, value_type = Option<Day>, example = "2024-12-31")]
    pub deleted_before: Option<Day>,
    /// Earliest date of `updatedAt` (inclusive): a date, or a date and time, of which only the UTC date is used.
    /// `updatedAt` is the date of the newest statement (at midnight UTC), not the time at which the statement was read. A
    /// publication that is read late keeps its old date, so this filter can miss it. To miss nothing, use the change
    /// feed.
    #[serde(alias = "changed_since")]
    #[param(inline, value_type = Option<UtcDay>, example = "2026-01-01")]
    pub changed_since: Option<UtcDay>,
    /// Company numbers (UID), separated by commas, at most 500. The punctuation and the prefix `CHE` are optional.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<GivenUid>>, max_items = 500, example = json!(["CHE-101.049.653", "CHE-101.329.561"]))]
    pub uids: Uids,
    /// Legal entity identifier (LEI). Case, spaces and hyphens do not matter.
    #[serde(deserialize_with = "identifiers::lei")]
    #[param(value_type = Option<String>, pattern = "^([A-Za-z0-9][ -]*){18}([0-9][ -]*){2}$", example = "506700GE1G29325QX363")]
    pub lei: Option<WantedIdentifier<Lei>>,
    /// D-U-N-S number. Spaces and hyphens do not matter. Finds no company yet, because no source states it.
    #[serde(deserialize_with = "identifiers::duns")]
    #[param(pattern = "^([0-9][ -]*){9}$", example = "480012345")]
    pub duns: Option<String>,
    /// International securities identification number (ISIN). Case, spaces and hyphens do not matter.
    #[serde(deserialize_with = "identifiers::isin")]
    #[param(value_type = Option<String>, pattern = "^([A-Za-z][ -]*){2}([A-Za-z0-9][ -]*){9}[0-9][ -]*$", example = "CH0012032048")]
    pub isin: Option<WantedIdentifier<Isin>>,
    /// `true`: only companies with a known LEI. `false`: all others.
    #[param(example = true)]
    pub has_lei: Option<bool>,
    /// No source states Wikidata entries yet: `true` finds no company, `false` finds all.
    #[param(example = false)]
    pub has_wikidata: Option<bool>,
    /// `true`: only records with the `enrichmentLevel` `enriched`. `false`: all others.
    #[param(example = true)]
    pub enriched: Option<bool>,
    /// `true`: only companies authorised by the Swiss Financial Market Supervisory Authority (FINMA). `false`:
    /// all others, including those for which it is unknown.
    #[param(example = true)]
    pub is_finma_regulated: Option<bool>,
    /// Name of a NOGA division. `/v1/reference/noga` lists them and explains NOGA.
    #[param(inline, value_type = Option<WantedIndustry>, example = "Financial services")]
    pub industry: Option<WantedIndustry>,
    /// NOGA section: a letter, `A` to `U`.
    #[param(value_type = Option<String>, pattern = "^[A-Ua-u]$", example = "K")]
    pub noga_section: Option<NogaSection>,
    /// NOGA division: two digits.
    #[param(value_type = Option<String>, pattern = "^[0-9]{2}$", example = "64")]
    pub noga_division: Option<NogaPrefix<2>>,
    /// NOGA code: two to six digits. A shorter code includes all longer codes that begin with it. Codes that are derived from
    /// purposes have two or four digits, so one with five or six finds only companies of which a source states it.
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
    /// Tags of the caller's team: companies with at least one of them. Separate several values by commas.
    /// Case, accents and punctuation do not matter. Requires an API key or a session.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedTag>>, max_items = 20, example = json!(["High risk"]))]
    pub tag: Values<WantedTag, 20>,
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
    /// Number of items of the page to skip. Do not compute it: use the URL in the header `Link`.
    #[param(value_type = Option<u32>, minimum = 0, maximum = 4294967295_u32, default = 0, example = 0)]
    pub offset: u32,
}

impl CompanyQuery {
    /// The folded names of the wanted tags.
    pub fn tags(&self) -> Vec<String> {
        self.tag.iter().map(|it| it.0.clone()).collect()
    }
}

/// Limit of an amount, from 0. Unlike an [`Amount`] it may be any number; a number beyond all amounts is
/// a valid limit too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound(pub Amount);

impl<'de> Deserialize<'de> for Bound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // `100'000.-` is how prices are written.
        let no_cents = [".-", ".–", ".—"];
        let plain = no_cents.iter().find_map(|it| text.trim().strip_suffix(it)).unwrap_or(&text);
        let bound = match plain.parse::<Amount>() {
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
