//! Query parameters of a list of changes.

use jiff::{
    Timestamp,
    civil::{Date, DateTime},
    tz::TimeZone,
};
use serde::Deserialize;
use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use super::{
    CompanyQuery, MalformedDate, NogaPrefix, NogaSection, PageNumber, PageSize, Uids, Values,
    WantedChangeKind, WantedIndustry, WantedLegalEvent,
    dates::{date_or_time, strict_date},
    words,
};
use crate::{Canton, GivenUid};

/// Query of a list of changes. A change must match all filters; within one filter, any of the values.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ChangeQuery {
    /// Change types, separated by commas. `/v1/reference/change-types` lists them.
    #[serde(rename = "type", alias = "change_type", alias = "changeType")]
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedChangeKind>>, max_items = 100, example = json!(["auditor_change"]))]
    pub kinds: Values<WantedChangeKind>,
    /// Legal events, separated by commas, as `legalEvent` of a change. Changes without one do not match.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedLegalEvent>>, max_items = 100, example = json!(["bankruptcy_opened"]))]
    pub legal_event: Values<WantedLegalEvent>,
    /// Earliest publication date (inclusive): a date, or a date and time, of which only the UTC date is used, because
    /// publication dates have no time of day.
    #[param(inline, value_type = Option<UtcDay>, example = "2026-01-01")]
    pub since: Option<UtcDay>,
    /// Latest publication date (inclusive): a date, or a date and time, of which only the UTC date is used, because
    /// publication dates have no time of day.
    #[param(inline, value_type = Option<UtcDay>, example = "2026-12-31")]
    pub until: Option<UtcDay>,
    /// Words of the company's name as published, with or without accents. The last word may be incomplete.
    /// If nothing matches exactly, typos are allowed: one in words of four to seven letters, two in longer
    /// words. A company number finds the changes of that company. At most 1,000 characters.
    #[serde(deserialize_with = "words::read")]
    #[param(max_length = 1000, example = "Plastics")]
    pub company_search: Option<String>,
    /// Company numbers (UID), separated by commas, at most 500. The punctuation and the prefix `CHE` are optional.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<GivenUid>>, max_items = 500, example = json!(["CHE-101.049.653", "CHE-101.329.561"]))]
    pub uids: Uids,
    /// Code of the canton of the seat, as published, such as `ZH`, or its name in German, French, Italian or English.
    /// Separate several values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Canton>>, max_items = 100, example = json!(["ZH"]))]
    pub canton: Values<Canton>,
    /// Name of a NOGA division: changes of the companies that are in it today. `/v1/reference/noga` lists them and explains NOGA.
    #[param(inline, value_type = Option<WantedIndustry>, example = "Financial services")]
    pub industry: Option<WantedIndustry>,
    /// NOGA section, a letter from `A` to `U`: changes of the companies that are in it today.
    #[param(value_type = Option<String>, pattern = "^[A-Ua-u]$", example = "K")]
    pub noga_section: Option<NogaSection>,
    /// NOGA division, two digits: changes of the companies that are in it today.
    #[param(value_type = Option<String>, pattern = "^[0-9]{2}$", example = "64")]
    pub noga_division: Option<NogaPrefix<2>>,
    /// Include publications that change no field of the record. `type=other` always includes them.
    #[param(value_type = Option<bool>, example = true)]
    pub include_internal: bool,
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

impl ChangeQuery {
    /// The companies whose changes are wanted, if the query names an industry.
    pub fn companies(&self) -> Option<CompanyQuery> {
        let Self { industry, noga_section, noga_division, .. } = self;
        let is_set = industry.is_some() || noga_section.is_some() || noga_division.is_some();
        is_set.then(|| CompanyQuery {
            industry: *industry,
            noga_section: *noga_section,
            noga_division: noga_division.clone(),
            ..CompanyQuery::default()
        })
    }
}

/// A day, given as a date or as a date and time. Of a date and time, only the date in UTC is used. Without
/// an offset, the date is used unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct UtcDay(pub Date);

impl PartialSchema for UtcDay {
    fn schema() -> RefOr<Schema> {
        date_or_time()
    }
}

impl ToSchema for UtcDay {}

impl TryFrom<String> for UtcDay {
    type Error = MalformedDate;

    fn try_from(given: String) -> Result<Self, MalformedDate> {
        if let Ok(date) = strict_date(&given) {
            return Ok(Self(date));
        }
        // A plus sign that the client did not escape arrives as a space.
        let escaped = given.replacen(' ', "+", 1);
        if let Ok(moment) = given.parse::<Timestamp>().or_else(|_| escaped.parse()) {
            return Ok(Self(TimeZone::UTC.to_datetime(moment).date()));
        }
        // The library also parses a date alone, in formats that are not accepted here.
        let dated = given.contains(['T', 't', ' ']).then(|| given.parse::<DateTime>());
        match dated {
            Some(Ok(local)) => Ok(Self(local.date())),
            _ => Err(MalformedDate(given)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_and_time_is_converted_to_its_date_in_utc() {
        let day = |text: &str| UtcDay::try_from(text.to_owned()).map(|it| it.0.to_string());
        assert_eq!(day("2026-01-31"), Ok("2026-01-31".into()));
        assert_eq!(day("2026-01-31T23:30:00Z"), Ok("2026-01-31".into()));
        assert_eq!(day("2026-02-01T00:30:00+01:00"), Ok("2026-01-31".into()));
        assert_eq!(day("2026-02-01T00:30:00 01:00"), Ok("2026-01-31".into()));
        assert_eq!(day("2026-02-01T00:30:00"), Ok("2026-02-01".into()));
        for text in ["31.01.2026", "2026-13-01", "2026-02-30", "2026-W05-6", "20260131", "", "T"] {
            assert!(day(text).is_err(), "{text}");
        }
    }

    #[test]
    fn kinds_are_accepted_under_all_parameter_names() {
        for name in ["type", "change_type", "changeType"] {
            let query = serde_json::json!({ name: ["AuditorChange", "merger"], "pageSize": 5 });
            let query: ChangeQuery = serde_json::from_value(query).expect("accepted");
            assert_eq!(query.kinds.len(), 2, "{name}");
        }
        let twice = serde_json::json!({ "type": ["merger"], "changeType": ["merger"] });
        assert!(
            serde_json::from_value::<ChangeQuery>(twice).is_err(),
            "two names of one parameter"
        );
        let unknown = serde_json::json!({ "kinds": ["merger"] });
        assert!(serde_json::from_value::<ChangeQuery>(unknown).is_err());
    }
}
