use std::collections::BTreeSet;

use domain::Uid;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use statements::Source;

use crate::{Request, Unreadable, text::lossy};

const ADDRESS: &str = "https://www.zefix.admin.ch/ZefixPublicREST/api/v1";

/// Request for all publications of a day, each with its company. The API requires basic authentication
/// and returns 404 if there are no publications.
pub fn day_request(day: Date) -> Request {
    Request::get(format!("{ADDRESS}/sogc/bydate/{day}")).accepting("application/json")
}

/// The distinct companies in a response to [`day_request`]. Companies without a UID are left out, because
/// their records cannot be requested.
pub fn companies(bytes: &[u8]) -> Result<Vec<Uid>, Unreadable> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Published {
        company_short: Option<Short>,
    }
    #[derive(Deserialize)]
    struct Short {
        uid: Option<Value>,
    }
    let published: Vec<Published> =
        serde_json::from_str(&lossy(bytes)).map_err(|it| unreadable(it.to_string()))?;
    let numbers = published.into_iter().filter_map(|it| it.company_short?.uid);
    let companies: BTreeSet<Uid> = numbers.filter_map(|it| it.as_str()?.parse().ok()).collect();
    Ok(companies.into_iter().collect())
}

/// Request for the full records of a company; there may be several. The API returns 404 if there is none.
pub fn request(uid: Uid) -> Request {
    // The API documents UIDs without punctuation.
    Request::get(format!("{ADDRESS}/company/uid/CHE{:09}", uid.number()))
        .accepting("application/json")
}

/// Joins the records of several responses to [`request`] to one file.
pub fn joined(answers: &[Vec<u8>]) -> Result<Vec<u8>, Unreadable> {
    let mut records: Vec<Box<RawValue>> = Vec::new();
    for answer in answers {
        let of_company: Vec<Box<RawValue>> =
            serde_json::from_str(&lossy(answer)).map_err(|it| unreadable(it.to_string()))?;
        records.extend(of_company);
    }
    serde_json::to_vec(&records).map_err(|it| unreadable(it.to_string()))
}

fn unreadable(reason: String) -> Unreadable {
    Unreadable { source_name: Source::Zefix, reason }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    const DAY: &str = r#"[
        {"sogcPublication": {"sogcId": 1, "message": "Ã¼"}, "companyShort": {"name": "Muster AG", "uid": "CHE600000029"}},
        {"sogcPublication": {"sogcId": 2}, "companyShort": {"name": "Andere AG", "uid": "CHE600000012"}},
        {"sogcPublication": {"sogcId": 3}, "companyShort": {"name": "Muster AG", "uid": "CHE600000029"}},
        {"sogcPublication": {"sogcId": 4}, "companyShort": {"name": "Ohne Nummer", "uid": null}},
        {"sogcPublication": {"sogcId": 5}, "companyShort": {"name": "Kurz AG", "uid": "CHE6"}},
        {"sogcPublication": {"sogcId": 6}, "companyShort": null}]"#;

    #[test]
    fn companies_of_a_day_are_distinct() {
        let companies = companies(DAY.as_bytes()).expect("json");
        let names: Vec<String> = companies.iter().map(Uid::to_string).collect();
        assert_eq!(names, ["CHE-600.000.012", "CHE-600.000.029"]);
        assert!(super::companies(b"{}").is_err());
    }

    #[test]
    fn requests_use_the_documented_addresses() {
        let day = day_request(date(2026, 5, 15)).url;
        assert_eq!(day, "https://www.zefix.admin.ch/ZefixPublicREST/api/v1/sogc/bydate/2026-05-15");
        let company = request("CHE-600.000.012".parse().expect("a number")).url;
        assert!(company.ends_with("/api/v1/company/uid/CHE600000012"), "{company}");
    }

    #[test]
    fn records_of_several_responses_are_joined() {
        let answers =
            [br#"[{"name": "a"}]"#.to_vec(), b"[]".to_vec(), br#"[{"name":1},2]"#.to_vec()];
        let joined = joined(&answers).expect("json");
        assert_eq!(joined, br#"[{"name": "a"},{"name":1},2]"#);
        assert_eq!(super::joined(&[]).expect("json"), b"[]");
        assert!(super::joined(&[b"<html>".to_vec()]).is_err());
    }
}
