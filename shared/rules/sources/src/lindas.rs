//! The commercial register as linked data: responses of the federal SPARQL endpoint.
//!
//! Format: SPARQL 1.1 Query Results JSON. A company has one row for each combination of its multi-valued
//! fields. The graph contains only companies that are currently registered, without status, capital,
//! persons or dates. Licence: open use, with attribution.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Source, Uid,
    statements::{CompanyStatement, Statement, lindas::Organisation},
};
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    Batch, Coverage, Exchange, FetchPolicy, Fetched, Page, Reader, Request, RequiredSetting,
    Schedule, SourceDescription, Unreadable, left_out::LeftOut, text::lossy, xml::REPLACEMENT,
};

/// Address of the SPARQL endpoint.
const ENDPOINT: &str = "https://lindas.admin.ch/query";

/// Maximum number of companies in a page. The endpoint returns a page in about a second.
pub const PAGE_SIZE: usize = 500;

/// Request for the page of companies after the entity `after`; the first page if `None`. Pages are
/// selected by key, because the endpoint does not support offsets above a few thousand.
fn request(after: Option<&str>) -> Request {
    let filter = match after {
        Some(last) => format!("FILTER(STR(?entity) > \"{}\")", escaped(last)),
        None => String::new(),
    };
    // The commune's name is the only lookup outside the graph: with a second one, the query takes 15
    // seconds instead of 0.2. Codes are therefore taken from the IRIs.
    let query = format!(
        r#"PREFIX schema: <http://schema.org/>
SELECT * WHERE {{
  {{ SELECT ?entity WHERE {{
      GRAPH <https://lindas.admin.ch/foj/zefix> {{ ?entity a <https://schema.ld.admin.ch/ZefixOrganisation> }}
      {filter}
    }} ORDER BY STR(?entity) LIMIT {PAGE_SIZE} }}
  GRAPH <https://lindas.admin.ch/foj/zefix> {{
    OPTIONAL {{ ?entity schema:legalName ?legalName }}
    OPTIONAL {{ ?entity schema:name ?name }}
    OPTIONAL {{ ?entity schema:identifier [ schema:name "CompanyUID" ; schema:value ?uid ] }}
    OPTIONAL {{ ?entity schema:identifier [ schema:name "CompanyCHID" ; schema:value ?chid ] }}
    OPTIONAL {{ ?entity schema:identifier [ schema:name "CompanyEHRAID" ; schema:value ?ehraid ] }}
    OPTIONAL {{ ?entity schema:additionalType ?legalForm }}
    OPTIONAL {{ ?entity <https://schema.ld.admin.ch/municipality> ?municipality }}
    OPTIONAL {{ ?entity schema:description ?purpose }}
    OPTIONAL {{
      ?entity schema:address ?address .
      OPTIONAL {{ ?address schema:streetAddress ?street }}
      OPTIONAL {{ ?address schema:postalCode ?zip }}
      OPTIONAL {{ ?address schema:addressLocality ?locality }}
      OPTIONAL {{ ?address schema:addressRegion ?region }}
    }}
  }}
  OPTIONAL {{ ?municipality schema:name ?municipalityName }}
}}"#
    );
    Request::post_form(ENDPOINT, &[("query", &query)]).accepting("application/sparql-results+json")
}

/// Request for the date of the graph. It is the date of all its records, because rows have none.
fn freshness_request() -> Request {
    let query = "SELECT ?modified WHERE { <https://register.ld.admin.ch/.well-known/dataset/foj-zefix> \
                 <http://schema.org/dateModified> ?modified }";
    Request::post_form(ENDPOINT, &[("query", query)]).accepting("application/sparql-results+json")
}

/// Reads the date from a response to [`freshness_request`].
fn freshness(bytes: &[u8]) -> Result<Option<Date>, Unreadable> {
    let dates = rows(bytes)?.into_iter().filter_map(|row| value(&row, "modified"));
    Ok(dates.filter_map(|it| it.get(..10)?.parse().ok()).max())
}

/// The last entity of a response to [`request`], to request the next page. `None` if the response is
/// empty, which is the end. A page that does not end after `after` is an error, because it would be
/// requested forever.
fn next(bytes: &[u8], after: Option<&str>) -> Result<Option<String>, Unreadable> {
    // The endpoint and Rust both sort by code point.
    let last = rows(bytes)?.into_iter().filter_map(|row| value(&row, "entity")).max();
    match (last, after) {
        (Some(last), Some(after)) if last.as_str() <= after => Err(Unreadable {
            source_name: Source::Lindas,
            reason: format!("the page after `{after}` ends with `{last}`"),
        }),
        (last, _) => Ok(last),
    }
}

/// Escapes a text for use inside the quotes of a query.
fn escaped(text: &str) -> String {
    let clean = text.chars().filter(|it| !it.is_control());
    clean.flat_map(|it| matches!(it, '"' | '\\').then_some('\\').into_iter().chain([it])).collect()
}

fn rows(bytes: &[u8]) -> Result<Vec<Value>, Unreadable> {
    #[derive(Deserialize)]
    struct Answer {
        results: Results,
    }
    #[derive(Deserialize)]
    struct Results {
        bindings: Vec<Value>,
    }
    let answer: Answer = serde_json::from_str(&lossy(bytes))
        .map_err(|it| Unreadable { source_name: Source::Lindas, reason: it.to_string() })?;
    Ok(answer.results.bindings)
}

/// The value of a variable in a row: a literal, with or without language tag, or an IRI. `None` also: it cannot be read.
fn value(row: &Value, variable: &str) -> Option<String> {
    let text = row.get(variable)?.get("value")?.as_str()?.trim();
    (!text.is_empty() && !text.contains(REPLACEMENT)).then(|| text.to_owned())
}

/// The variables of a row that cannot be read.
fn unreadable(row: &Value) -> impl Iterator<Item = String> {
    row.as_object().into_iter().flatten().filter_map(|(name, it)| {
        match it.get("value").and_then(Value::as_str) {
            None => Some(format!("{name}: is not a text")),
            Some(text) => text
                .contains(REPLACEMENT)
                .then(|| format!("{name}: contains a character that cannot be read")),
        }
    })
}

/// The description of the source.
pub(crate) const DESCRIPTION: SourceDescription = SourceDescription {
    title: "commercial register as linked data",
    states: "name, legal form, seat, address and purpose of every registered company",
    formats: &["SPARQL 1.1 Query Results JSON"],
    reader: Reader::Identified(read),
    // A file is one page of the graph.
    coverage: Coverage::Part,
    is_indexed: true,
    depends_on: &[],
    schedule: Schedule::Weekly,
    requires: RequiredSetting::Nothing,
    // The source documents no limit. A page takes about a second; the pause is as long.
    policy: FetchPolicy::new(Source::Lindas.name(), 1_000, 64),
    first_pages: |_| vec![Page::Lindas { after: None, day: None }],
    has_relationship_files: false,
};

/// How a page is fetched. The first page also requests the date of the graph.
pub(crate) fn exchange(after: Option<&str>, day: Option<Date>) -> Exchange<'_> {
    let is_first = after.is_none() && day.is_none();
    let freshness_request = is_first.then(freshness_request);
    let requests = freshness_request.into_iter().chain([request(after)]).collect();
    Exchange::new(Source::Lindas, requests, move |responses| {
        let (dates, page) = match <[_; 2]>::try_from(responses) {
            Ok([dates, page]) => (Some(dates), Some(page)),
            Err(mut responses) => (None, responses.pop()),
        };
        let day = match dates {
            Some(dates) => freshness(&dates.bytes)?,
            None => day,
        };
        let bytes = page.map(|it| it.bytes).unwrap_or_default();
        let next = next(&bytes, after)?.map(|it| Page::Lindas { after: Some(it), day });
        Ok(Fetched { day, ..Fetched::new(bytes, next) })
    })
}

/// Reads one page. Only a company without UID or name is rejected, with its rows.
pub fn read(bytes: &[u8]) -> Result<Batch, Unreadable> {
    let mut by_entity: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut batch = Batch::default();
    for row in rows(bytes)? {
        let Some(entity) = value(&row, "entity") else {
            let left_out = LeftOut::from_iter(unreadable(&row));
            batch.push(|| row.to_string(), Err("entity: is missing".into()), left_out);
            continue;
        };
        by_entity.entry(entity).or_default().push(row);
    }
    for (entity, rows) in by_entity {
        let mut left_out = LeftOut::from_iter(rows.iter().flat_map(unreadable));
        let read = statement(entity, &rows, &mut left_out);
        batch.push(|| Value::from_iter(rows).to_string(), read, left_out);
    }
    Ok(batch)
}

fn statement(
    entity: String,
    rows: &[Value],
    left_out: &mut LeftOut,
) -> Result<CompanyStatement, String> {
    let all = |variable: &str| -> BTreeSet<String> {
        rows.iter().filter_map(|row| value(row, variable)).collect()
    };
    // If there are several values, the smallest is used, so that the order of rows does not matter.
    let one = |variable: &str| all(variable).into_iter().next();
    let last_segment = |variable: &str| one(variable)?.rsplit('/').next().map(str::to_owned);
    let missing = |variable: &str| format!("{variable}: is missing");

    let legal_name = one("legalName").ok_or_else(|| missing("legalName"))?;
    let uids = all("uid");
    if uids.len() > 1 {
        return Err(format!("uid: expected one value; got {}", uids.len()));
    }
    let uid = uids.first().ok_or_else(|| missing("uid"))?;
    let uid: Uid = uid.parse().map_err(|it| format!("uid: {it}"))?;
    let ehraid = one("ehraid").or_else(|| entity.rsplit('/').next().map(str::to_owned));
    let mut names = all("name");
    names.remove(&legal_name);
    let legal_form = last_segment("legalForm").and_then(|code| {
        let is_code = code.len() == 4 && code.bytes().all(|it| it.is_ascii_digit());
        let invalid = format!("legalForm: `{code}` is not a four-digit code");
        left_out.value(is_code.then_some(code).ok_or(invalid))
    });
    let municipality = last_segment("municipality").and_then(|it| {
        left_out.value(it.parse().map_err(|_| format!("municipality: `{it}` is not a number")))
    });
    let record = Organisation {
        uid,
        legal_name,
        names,
        chid: one("chid"),
        ehraid: ehraid.and_then(|it| it.parse().ok()),
        legal_form,
        municipality,
        municipality_name: one("municipalityName"),
        street_address: one("street"),
        postal_code: one("zip"),
        locality: one("locality"),
        region: one("region"),
        purpose: one("purpose"),
        entity,
    };
    Ok(CompanyStatement {
        uid,
        source: Source::Lindas,
        published: None,
        statement: Statement::Lindas(Box::new(record)),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PAGE: &str = include_str!("../fixtures/lindas/page.json");

    #[test]
    fn company_with_missing_or_invalid_uid_is_rejected_with_its_field() {
        let batch = read(PAGE.as_bytes()).expect("json");
        let reasons: Vec<&str> = batch.rejected.iter().map(|it| it.reason.as_str()).collect();
        assert_eq!(
            reasons,
            [
                "entity: is missing",
                "uid: is missing",
                "uid: must be a company number of the form `CHE-NNN.NNN.NNN`; got `CHE12`",
            ]
        );
        assert_eq!(batch.statements.len(), 1);
    }

    #[test]
    fn order_of_rows_does_not_change_the_statements() {
        let mut page: Value = serde_json::from_str(PAGE).expect("json");
        let forward = read(PAGE.as_bytes()).expect("json").statements;
        page["results"]["bindings"].as_array_mut().expect("rows").reverse();
        assert_eq!(read(page.to_string().as_bytes()).expect("json").statements, forward);
    }

    #[test]
    fn next_page_starts_after_the_last_key_and_an_empty_page_is_the_end() {
        let next = next(PAGE.as_bytes(), None).expect("json").expect("a next page");
        let body = request(Some(&next)).body.expect("a form");
        assert!(body.contains("company%2F999003%22%29"), "{body}");
        assert!(!request(None).body.expect("a form").contains("FILTER"));
        let empty = br#"{"results": {"bindings": []}}"#;
        assert_eq!(super::next(empty, Some(&next)).expect("json"), None);
        assert!(super::next(PAGE.as_bytes(), Some(&next)).is_err());
    }

    #[test]
    fn key_is_escaped_in_the_query() {
        assert_eq!(escaped("a\"b\\c\n"), "a\\\"b\\\\c");
    }

    #[test]
    fn statements_get_the_date_of_the_graph() {
        let answer = br#"{"results": {"bindings": [{"modified": {"value": "2026-11-19"}}]}}"#;
        let day = freshness(answer).expect("json");
        assert_eq!(day, Some(jiff::civil::date(2026, 11, 19)));
        let statements = read(PAGE.as_bytes()).expect("json").dated(day).statements;
        assert_eq!(statements[0].published, day);
    }

    #[test]
    fn file_in_another_format_is_an_error() {
        for invalid in ["", "[]", "{}", "{\"results\": {}}", "<html>"] {
            assert!(read(invalid.as_bytes()).is_err(), "{invalid}");
        }
    }

    proptest! {
        #[test]
        fn no_change_of_one_character_makes_the_reader_panic(at in 0usize..5_000, with in any::<char>()) {
            let mut text: Vec<char> = PAGE.chars().collect();
            let at = at % text.len();
            text[at] = with;
            let text = text.into_iter().collect::<String>();
            let _ = (read(text.as_bytes()), next(text.as_bytes(), None), freshness(text.as_bytes()));
        }
    }
}
