use std::collections::BTreeSet;

use domain::Uid;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use statements::Source;

use crate::{Request, Unreadable, text::lossy};

const ADDRESS: &str = "https://www.zefix.admin.ch/ZefixPublicREST/api/v1";

/// Every publication of a day, each with the company that it is about. Wants an account, as does all
/// of the interface. 404 is the answer that there is none.
pub fn day_request(day: Date) -> Request {
    Request::get(format!("{ADDRESS}/sogc/bydate/{day}")).accepting("application/json")
}

/// The companies that an answer to [`day_request`] names, each once. What has no number is left out:
/// no record can be asked for.
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

/// The full records of one company, of which there may be several. 404 is the answer that there is
/// none.
pub fn request(uid: Uid) -> Request {
    // Documented without punctuation.
    Request::get(format!("{ADDRESS}/company/uid/CHE{:09}", uid.number()))
        .accepting("application/json")
}

/// The records of several answers to [`request`] as one file.
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
    fn a_day_names_each_company_once() {
        let companies = companies(DAY.as_bytes()).expect("json");
        let names: Vec<String> = companies.iter().map(Uid::to_string).collect();
        assert_eq!(names, ["CHE-600.000.012", "CHE-600.000.029"]);
        assert!(super::companies(b"{}").is_err());
    }

    #[test]
    fn days_and_companies_are_asked_for_at_the_documented_addresses() {
        let day = day_request(date(2026, 5, 15)).url;
        assert_eq!(day, "https://www.zefix.admin.ch/ZefixPublicREST/api/v1/sogc/bydate/2026-05-15");
        let company = request("CHE-600.000.012".parse().expect("a number")).url;
        assert!(company.ends_with("/api/v1/company/uid/CHE600000012"), "{company}");
    }

    #[test]
    fn the_records_of_several_answers_are_one_file() {
        let answers =
            [br#"[{"name": "a"}]"#.to_vec(), b"[]".to_vec(), br#"[{"name":1},2]"#.to_vec()];
        let joined = joined(&answers).expect("json");
        assert_eq!(joined, br#"[{"name": "a"},{"name":1},2]"#);
        assert_eq!(super::joined(&[]).expect("json"), b"[]");
        assert!(super::joined(&[b"<html>".to_vec()]).is_err());
    }
}
