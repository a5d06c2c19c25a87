//! What a list of changes can be asked.

use jiff::{
    Timestamp,
    civil::{Date, DateTime},
    tz::TimeZone,
};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{MalformedDate, PageNumber, PageSize, Uids, strict_date, words};
use crate::{Canton, Uid, changes::WantedChangeKind};

/// The question behind every list of changes. Filters narrow together; within one filter any of the
/// values may match.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ChangeQuery {
    /// Kinds of change, as `/reference/change-types` lists them; several separated by commas.
    #[serde(rename = "type", alias = "change_type", alias = "changeType")]
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedChangeKind>>, example = json!(["auditor_change"]))]
    pub kinds: Vec<WantedChangeKind>,
    /// Published on this day or later; of a date and time the day in UTC.
    #[param(value_type = Option<Date>, format = Date, example = "2026-01-01")]
    pub since: Option<UtcDay>,
    /// Published on this day or earlier; of a date and time the day in UTC.
    #[param(value_type = Option<Date>, format = Date, example = "2026-12-31")]
    pub until: Option<UtcDay>,
    /// Words of the company's name as the publication writes it, with or without accents; the last
    /// word may be unfinished; typos are forgiven where nothing matches as written. A company number
    /// finds the changes of its company.
    #[serde(deserialize_with = "words::read")]
    #[param(max_length = 1000, example = "Plastics")]
    pub company_search: Option<String>,
    /// Company numbers, separated by commas; at most 500.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Uid>>, max_items = 500, example = json!(["CHE-101.049.653", "CHE-101.329.561"]))]
    pub uids: Uids,
    /// The canton of the seat, as the publication says it: two letters or a name; several separated
    /// by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Canton>>, example = json!(["ZH"]))]
    pub canton: Vec<Canton>,
    /// Whether publications that change none of what is kept here are listed too; `type=other` lists
    /// them in any case.
    #[param(value_type = Option<bool>, example = true)]
    pub include_internal: bool,
    /// From 1; beyond the last page the list is empty.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    pub page: PageNumber,
    /// 1 to 100.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    pub page_size: PageSize,
}

/// A day, given as a date or as a date and time (its date in UTC, or as it stands where it names no
/// offset).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct UtcDay(pub Date);

impl TryFrom<String> for UtcDay {
    type Error = MalformedDate;

    fn try_from(given: String) -> Result<Self, MalformedDate> {
        if let Ok(date) = strict_date(&given) {
            return Ok(Self(date));
        }
        // A plus sign that a client did not escape arrives as a space.
        let escaped = given.replacen(' ', "+", 1);
        if let Ok(moment) = given.parse::<Timestamp>().or_else(|_| escaped.parse()) {
            return Ok(Self(TimeZone::UTC.to_datetime(moment).date()));
        }
        // The library reads a date alone as a date and time too, in spellings that are none here.
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
    fn a_date_and_time_is_its_day_in_utc() {
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
    fn kinds_are_asked_for_in_the_spellings_of_every_client() {
        for name in ["type", "change_type", "changeType"] {
            let query = serde_json::json!({ name: ["AuditorChange", "merger"], "pageSize": 5 });
            let query: ChangeQuery = serde_json::from_value(query).expect("accepted");
            assert_eq!(query.kinds.len(), 2, "{name}");
        }
        let twice = serde_json::json!({ "type": ["merger"], "changeType": ["merger"] });
        assert!(serde_json::from_value::<ChangeQuery>(twice).is_err(), "in two spellings");
        let unknown = serde_json::json!({ "kinds": ["merger"] });
        assert!(serde_json::from_value::<ChangeQuery>(unknown).is_err());
    }
}
