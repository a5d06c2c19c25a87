//! The random values of screenings in the examples.

use domain::lists::List;
use objects::Objects;
use serde_json::Value;

use super::failed;
use crate::CommandError;

/// The screening whose evidence the examples show.
const SCREENING: &str = "0199c0de-5c01-7000-8000-000000000000";
/// The subject that the examples monitor.
const SUBJECT: &str = "0199c0de-5c03-7000-8000-000000000000";
/// A screening of several companies.
const OF_A_COMPANY: &str = "0199c0de-5c02-7000-8000-000000000000";

/// The ids of the versions of the lists, each with the id shown instead.
pub(super) async fn versions(objects: &Objects) -> Result<Vec<(String, String)>, CommandError> {
    let mut versions = Vec::new();
    for (number, list) in List::ALL.into_iter().enumerate() {
        let published = screening_lists::current(objects, list).await.map_err(failed)?;
        let fixed = format!("0199c0de-5c1{number}-7000-8000-000000000000");
        versions.extend(published.map(|it| (it.id, fixed)));
    }
    Ok(versions)
}

/// The ids of the screenings in an answer, each with the id shown instead.
pub(super) fn replacements(uri: &str, body: &Value) -> Vec<(String, String)> {
    let single = body["id"].as_str().filter(|_| uri == "/v1/screening");
    let single = single.map(|it| (it.to_owned(), SCREENING.to_owned()));
    let several = body["results"].as_array().into_iter().flatten();
    let several = several.filter_map(|it| it["screeningId"].as_str());
    let subject = body["subjectId"].as_str().map(|it| (it.to_owned(), SUBJECT.to_owned()));
    let single = single.into_iter().chain(subject);
    single.chain(several.map(|it| (it.to_owned(), OF_A_COMPANY.to_owned()))).collect()
}
