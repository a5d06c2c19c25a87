use std::collections::BTreeSet;

use domain::{Source, Uid};
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use crate::{Exchange, Fetched, Page, Request, Unreadable, text::lossy};

const ADDRESS: &str = "https://www.zefix.admin.ch/ZefixPublicREST/api/v1";

/// Number of full records in a page. A page takes about a minute, so that little is lost when a fetch is
/// interrupted.
const COMPANIES_PER_PAGE: usize = 50;

/// How the companies with a publication on a day are fetched. The list contains too little data to be used,
/// so that the next pages fetch the full records.
pub(crate) fn exchange_of_day(day: Date) -> Exchange<'static> {
    Exchange::new(Source::Zefix, vec![day_request(day)], |responses| {
        let companies = match responses.first() {
            Some(response) => companies(&response.bytes)?,
            None => Vec::new(),
        };
        let pages = companies.chunks(COMPANIES_PER_PAGE);
        let next = pages.map(|it| Page::ZefixCompanies { uids: it.to_vec() });
        Ok(Fetched::new(b"[]".to_vec(), next))
    })
}

/// How the full records of companies are fetched.
pub(crate) fn exchange_of_companies(uids: &[Uid]) -> Exchange<'static> {
    let requests = uids.iter().map(|uid| request(*uid)).collect();
    Exchange::new(Source::Zefix, requests, |responses| {
        let answers: Vec<Vec<u8>> = responses.into_iter().map(|it| it.bytes).collect();
        Ok(Fetched::new(joined(&answers)?, None))
    })
}

/// A request to the API, which requires basic authentication and returns 404 if it has nothing.
fn authenticated(path: &str) -> Request {
    let request = Request::get(format!("{ADDRESS}/{path}")).accepting("application/json");
    Request { needs_account: true, may_be_missing: true, ..request }
}

/// Request for all publications of a day, each with its company.
fn day_request(day: Date) -> Request {
    authenticated(&format!("sogc/bydate/{day}"))
}

/// The distinct companies in a response to [`day_request`]. Companies without a UID are left out, because
/// their records cannot be requested.
fn companies(bytes: &[u8]) -> Result<Vec<Uid>, Unreadable> {
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

/// Request for the full records of a company; there may be several.
fn request(uid: Uid) -> Request {
    // The API documents UIDs without punctuation.
    authenticated(&format!("company/uid/CHE{:09}", uid.number()))
}

/// Joins the records of several responses to [`request`] to one file.
fn joined(answers: &[Vec<u8>]) -> Result<Vec<u8>, Unreadable> {
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
