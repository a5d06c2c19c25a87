//! The public REST API of the commercial register: `CompanyFull` records.
//!
//! Format: `ZefixPublicREST` 2.6 (`/api/v1/company/uid/{uid}` returns an array,
//! `/api/v1/company/ehraid/{id}` an object). Where responses differ from the documentation, both forms
//! are accepted: UIDs without punctuation, capital as number or string, empty lists as `null`.

use std::borrow::Cow;

use domain::{
    Amount, Source,
    statements::{CompanyStatement, Statement, zefix::CompanyFull},
};
use gazette_notice::MAX_TEXT_LENGTH;
use serde_json::{Value, value::RawValue};

mod api;

pub(crate) use api::{exchange_of_companies, exchange_of_day};

use crate::{
    Batch, Coverage, FetchPolicy, Page, Reader, RequiredSetting, Schedule, SourceDescription,
    Unreadable,
    left_out::{LeftOut, from_json, leave_out_illegible},
    repair::repair_and_trim,
};

/// The description of the source.
pub(crate) const DESCRIPTION: SourceDescription = SourceDescription {
    title: "REST API of the commercial register",
    states: "the current record of a company: everything except persons",
    formats: &["JSON of one record or an array of records"],
    reader: Reader::Identified(read),
    coverage: Coverage::Part,
    is_indexed: true,
    depends_on: &[],
    schedule: Schedule::Daily,
    requires: RequiredSetting::RegisterAccount,
    // The source documents no limit. A day has up to 2,000 companies, which take about 20 minutes.
    policy: FetchPolicy::new(Source::Zefix.name(), 500, 16),
    first_pages: |run| run.days().map(|day| Page::Zefix { day }).collect(),
    has_relationship_files: false,
};

/// Reads one record or an array of records.
pub fn read(bytes: &[u8]) -> Result<Batch, Unreadable> {
    let unreadable = |reason: String| Unreadable { source_name: Source::Zefix, reason };
    // Some editors add a byte order mark, which is not valid JSON.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // Of a record with the wrong encoding, the texts without a replacement character are still read.
    let text = String::from_utf8_lossy(bytes);
    let is_damaged = matches!(text, Cow::Owned(_));
    let json = |it: serde_json::Error| unreadable(it.to_string());
    let whole: &RawValue = serde_json::from_str(&text).map_err(json)?;
    let records: Vec<&RawValue> = match whole.get().as_bytes().first() {
        Some(b'[') => serde_json::from_str(whole.get()).map_err(json)?,
        Some(b'{') => vec![whole],
        _ => return Err(unreadable("neither a record nor an array of records".into())),
    };
    let mut batch = Batch::default();
    for record in records {
        let mut left_out = LeftOut::default();
        let read = statement(record.get(), is_damaged, &mut left_out);
        batch.push(|| record.get().to_owned(), read, left_out);
    }
    Ok(batch)
}

/// Reads a record without what cannot be read of it. Only its number and its name are needed.
fn statement(
    json: &str,
    is_damaged: bool,
    left_out: &mut LeftOut,
) -> Result<CompanyStatement, String> {
    let mut json: Value = serde_json::from_str(json).map_err(|it| it.to_string())?;
    // Every full record has a canton and no short one does: a short record taken for a full one would erase known data.
    if json.is_object() && json.get("canton").is_none() {
        return Err("canton: is missing".into());
    }
    if is_damaged {
        leave_out_illegible(&mut json, left_out);
    }
    normalise(&mut json);
    let mut record: CompanyFull = from_json(json, left_out)?;
    if record.name.is_empty() {
        return Err("name: is empty".into());
    }
    if record.capital_nominal.is_some_and(|it| it < Amount::default()) {
        record.capital_nominal = None;
        left_out.add("capitalNominal: is negative".into());
    }
    for (at, publication) in record.sogc_pub.iter_mut().flatten().enumerate() {
        let length = publication.message.as_ref().map_or(0, String::len);
        if length > MAX_TEXT_LENGTH {
            publication.message = None;
            let maximum = MAX_TEXT_LENGTH;
            left_out.add(format!(
                "sogcPub[{at}].message: has {length} bytes; the maximum is {maximum}"
            ));
        }
    }
    let publications = || record.sogc_pub.iter().flatten();
    Ok(CompanyStatement {
        uid: record.uid,
        source: Source::Zefix,
        published: record.sogc_date.or_else(|| publications().filter_map(|it| it.sogc_date).max()),
        statement: Statement::Zefix(Box::new(record)),
    })
}

/// Repairs the encoding of all texts and replaces empty lists by `null`, since the register uses both
/// forms. Records that differ only in this are equal.
fn normalise(json: &mut Value) {
    match json {
        Value::String(text) => repair_and_trim(text),
        Value::Array(items) if items.is_empty() => *json = Value::Null,
        Value::Array(items) => items.iter_mut().for_each(normalise),
        Value::Object(members) => members.values_mut().for_each(normalise),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::damage::{self, Damaged};

    /// An invented record with all the irregularities of real responses.
    const RECORD: &str = include_str!("../fixtures/zefix/company.json");

    #[test]
    fn layout_of_a_file_does_not_change_the_statements() {
        let one = read(RECORD.as_bytes()).expect("json");
        let compact = RECORD.replace('\n', " ");
        let array = read(format!("\u{feff}[{compact}]").as_bytes()).expect("json");
        assert_eq!(one.statements, array.statements);
    }

    #[test]
    fn record_in_another_encoding_is_read_without_its_damaged_texts() {
        let (before, after) = ("[", ", {\"name\": \"Caf");
        let latin1 = [before.as_bytes(), RECORD.as_bytes(), after.as_bytes(), b"\xe9\"}]"].concat();
        let batch = read(&latin1).expect("json");
        assert_eq!((batch.statements.len(), batch.rejected.len()), (1, 1));
        assert!(!batch.rejected[0].is_read, "{:?}", batch.rejected);
        let street = RECORD.replace("Seestrasse", "See\u{1}strasse");
        let latin1: Vec<u8> = street.bytes().map(|it| if it == 1 { 0xe9 } else { it }).collect();
        let batch = read(&latin1).expect("json");
        assert_eq!((batch.statements.len(), batch.rejected[0].is_read), (1, true));
        assert!(batch.rejected[0].reason.starts_with("address.street: contains"));
    }

    #[test]
    fn record_without_date_gets_the_date_of_its_newest_publication() {
        let dated = RECORD
            .replace("\"BEING_CANCELLED\", \"sogcDate\": \"2026-03-24\"", "\"BEING_CANCELLED\"");
        assert_ne!(dated, RECORD);
        let facts = read(dated.as_bytes()).expect("json").statements;
        assert_eq!(facts[0].published, Some(jiff::civil::date(2026, 3, 24)));
    }

    #[test]
    fn negative_capital_is_left_out() {
        let negative = RECORD.replace("100000.5", "-5");
        let batch = read(negative.as_bytes()).expect("json");
        assert_eq!(batch.rejected[0].reason, "capitalNominal: is negative");
        let Statement::Zefix(record) = &batch.statements[0].statement else { panic!("{batch:?}") };
        assert_eq!(record.capital_nominal, None);
    }

    #[test]
    fn message_above_the_maximum_length_is_left_out() {
        let message = |text: &str| RECORD.replace("\"…\"", &format!("\"{text}\""));
        let max = MAX_TEXT_LENGTH;
        let batch = read(message(&"x".repeat(max)).as_bytes()).expect("json");
        assert_eq!(batch.rejected, []);
        let batch = read(message(&"x".repeat(max + 1)).as_bytes()).expect("json");
        let expected = format!("sogcPub[1].message: has {} bytes; the maximum is {max}", max + 1);
        assert_eq!((batch.statements.len(), &batch.rejected[0].reason), (1, &expected));
    }

    #[test]
    fn empty_list_equals_null() {
        let empty = RECORD.replace("\"headOffices\": null", "\"headOffices\": []");
        assert_eq!(
            read(empty.as_bytes()).expect("json").statements,
            read(RECORD.as_bytes()).expect("json").statements
        );
    }

    #[test]
    fn record_is_rejected_only_if_nothing_identifies_its_company() {
        let bad = RECORD.replace("\"BEING_CANCELLED\"", "\"SLEEPING\"");
        let short = r#"{"name": "Muster AG", "uid": "CHE600000012", "legalSeat": "Zürich"}"#;
        let error = r#"{"error": {"code": "404"}}"#;
        let batch =
            read(format!("[{bad}, {short}, {error}, 7, {RECORD}]").as_bytes()).expect("json");
        assert_eq!(batch.statements.len(), 2);
        let reasons: Vec<&str> = batch.rejected.iter().map(|it| it.reason.as_str()).collect();
        assert!(reasons[0].starts_with("status: unknown variant `SLEEPING`"), "{reasons:?}");
        assert!(reasons[1].contains("canton"), "{reasons:?}");
        assert!(reasons[2].contains("canton"), "{reasons:?}");
        assert_eq!(batch.rejected[0].record, bad.trim_end());
        let is_read: Vec<bool> = batch.rejected.iter().map(|it| it.is_read).collect();
        assert_eq!(is_read, [true, false, false, false]);
    }

    #[test]
    fn truncated_file_is_an_error() {
        for invalid in ["", "[", "{\"name\": ", "[1,]", "null", "\"text\""] {
            assert!(read(invalid.as_bytes()).is_err(), "{invalid}");
        }
    }

    #[test]
    fn only_a_damaged_identity_hides_a_company() {
        for Damaged { record, member, .. } in damage::json(RECORD) {
            let batch = read(&record).expect("json");
            let is_identity = ["/uid", "/name"].contains(&member.as_str());
            assert!(batch.statements.len() == 1 || is_identity, "{member}: {:?}", batch.rejected);
            assert!(batch.statements.len() + batch.rejected.len() >= 1);
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes);
        }

        #[test]
        fn no_change_of_one_character_makes_the_reader_panic(at in 0usize..2_000, with in any::<char>()) {
            let mut text: Vec<char> = RECORD.chars().collect();
            let at = at % text.len();
            text[at] = with;
            let _ = read(text.into_iter().collect::<String>().as_bytes());
        }
    }
}
