//! The Swiss Official Gazette of Commerce (SHAB, FOSC, FUSC): publications of the rubrics HR01 (new
//! entries), HR02 (mutations) and HR03 (deletions).
//!
//! Format: a response of the portal's `/api/v1/publications` with `includeContent=true`, a single
//! publication in JSON, or the XML export of one publication. A publication contains the company's data
//! before and after the change. Persons who were entered or removed appear only in the text, which
//! `gazette-notice` reads.

use std::borrow::Cow;

use domain::{
    Source,
    statements::{CompanyStatement, Statement, gazette::Publication},
};
use serde_json::{Value, value::RawValue};
use serde_path_to_error::Segment;

use crate::{
    Batch, Coverage, FetchPolicy, Page, Reader, RequiredSetting, Schedule, SourceDescription,
    Unreadable,
    left_out::{LeftOut, from_json_without, leave_out_illegible_with, remove},
};

mod api;
mod publication;
mod shape;

pub use api::PAGE_SIZE;
pub(crate) use api::exchange;

/// The description of the source.
pub(crate) const DESCRIPTION: SourceDescription = SourceDescription {
    title: "Swiss Official Gazette of Commerce",
    states: "new entries, changes and deletions in the commercial register, with persons",
    formats: &["JSON of the portal's API", "XML export of one publication"],
    reader: Reader::Identified(read),
    coverage: Coverage::Part,
    is_indexed: true,
    depends_on: &[],
    schedule: Schedule::Daily,
    requires: RequiredSetting::Nothing,
    // The source documents no limit. A full page has about 15 MB, and a load needs only a few pages.
    policy: FetchPolicy::new(Source::Shab.name(), 2_000, 64),
    // One page per day, because a day almost fills a response.
    first_pages: |run| {
        run.days().map(|day| Page::Shab { first: day, last: day, number: 0 }).collect()
    },
    has_relationship_files: false,
};

/// Reads publications from JSON (a page `{"content": [ … ]}`, an array or a single publication) or from
/// the XML export of one publication.
pub fn read(bytes: &[u8]) -> Result<Batch, Unreadable> {
    let unreadable = |reason: String| Unreadable { source_name: Source::Shab, reason };
    // Some editors add a byte order mark, which neither JSON nor the XML check below accepts.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // If one publication has the wrong encoding, the others are still read.
    let text = String::from_utf8_lossy(bytes);
    let is_damaged = |record: &str| matches!(text, Cow::Owned(_)) && record.contains('\u{fffd}');
    let mut batch = Batch::default();
    if text.trim_start().starts_with('<') {
        let record = shape::xml(&text).map_err(unreadable)?.to_string();
        let mut left_out = LeftOut::default();
        let read = statement(&record, is_damaged(&text), &mut left_out);
        batch.push(|| text.to_string(), read, left_out);
        return Ok(batch);
    }
    let json = |it: serde_json::Error| unreadable(it.to_string());
    for record in records(&text)
        .map_err(json)?
        .ok_or_else(|| unreadable("neither a publication nor a list of publications".into()))?
    {
        let record = record.get();
        let mut left_out = LeftOut::default();
        let read = statement(record, is_damaged(record), &mut left_out);
        batch.push(|| record.to_owned(), read, left_out);
    }
    Ok(batch)
}

/// The publications of a JSON file, unparsed. `None` if the file is neither an object nor an array.
fn records(text: &str) -> Result<Option<Vec<&RawValue>>, serde_json::Error> {
    #[derive(serde::Deserialize)]
    struct Page<'a> {
        // A publication has `content` too, but as an object instead of a list.
        #[serde(borrow)]
        content: Option<&'a RawValue>,
        #[serde(borrow)]
        meta: Option<&'a RawValue>,
    }
    match text.trim_start().as_bytes().first() {
        Some(b'[') => serde_json::from_str(text).map(Some),
        Some(b'{') => {
            let page: Page<'_> = serde_json::from_str(text)?;
            match page.content {
                Some(list) if page.meta.is_none() && list.get().starts_with('[') => {
                    serde_json::from_str(list.get()).map(Some)
                }
                _ => Ok(Some(vec![serde_json::from_str(text)?])),
            }
        }
        _ => Ok(None),
    }
}

/// Parses a publication, without what cannot be read of it. What identifies it (number, day, kind, state, company) and its text
/// are needed. The error names the invalid field.
fn raw(record: &str, is_damaged: bool, left_out: &mut LeftOut) -> Result<publication::Raw, String> {
    // Nearly all publications are undamaged, and tracking the path of an invalid field is slow.
    if let (false, Ok(raw)) = (is_damaged, serde_json::from_str(record)) {
        return Ok(raw);
    }
    let mut json: Value = serde_json::from_str(record).map_err(|it| it.to_string())?;
    if is_damaged {
        leave_out_illegible_with(&mut json, left_out, remove_from_both);
    }
    from_json_without(json, left_out, remove_from_both)
}

/// The members with the company's data before and after the publication.
const BLOCKS: [&str; 2] = ["commonsActual", "commonsNew"];

/// Removes what cannot be read. In a block, from both, and a list as a whole: otherwise, the difference between the blocks would
/// look like a change of the company.
fn remove_from_both(json: &mut Value, path: &[&Segment]) -> bool {
    let [Segment::Map { key: content }, Segment::Map { key: block }, rest @ ..] = path else {
        return remove(json, path);
    };
    if content != "content" || !BLOCKS.contains(&block.as_str()) {
        return remove(json, path);
    }
    let mut names = Vec::new();
    for segment in rest {
        let Segment::Map { key } = segment else { break };
        names.push(key.as_str());
    }
    let mut is_removed = false;
    for block in BLOCKS {
        let names = [&["content", block], &names[..]].concat();
        is_removed |= names.split_last().is_some_and(|(last, parents)| {
            let parent = parents.iter().try_fold(&mut *json, |it, name| it.get_mut(name));
            let members = parent.and_then(Value::as_object_mut);
            members.is_some_and(|it| it.remove(*last).is_some())
        });
    }
    is_removed
}

fn statement(
    record: &str,
    is_damaged: bool,
    left_out: &mut LeftOut,
) -> Result<CompanyStatement, String> {
    let publication: Publication = raw(record, is_damaged, left_out)?.publication()?;
    let company = publication.company().ok_or("content: contains no company")?;
    Ok(CompanyStatement {
        uid: company.uid,
        source: Source::Shab,
        published: Some(publication.date),
        statement: Statement::Shab(Box::new(publication)),
    })
}

#[cfg(test)]
mod tests {
    use domain::{
        Amount, Canton,
        statements::gazette::{CompanyBlock, Rubric, State, StatusChange},
    };
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;
    use crate::damage::{self, Damaged};

    /// An invented mutation with all the irregularities of real responses.
    const MUTATION: &str = include_str!("../fixtures/shab/publication.json");

    /// An invented deletion in the portal's XML export.
    const XML: &str = include_str!("../fixtures/shab/publication.xml");

    fn one(text: &str) -> Publication {
        let batch = read(text.as_bytes()).expect("readable");
        assert_eq!(batch.rejected, []);
        publication(batch.statements.into_iter().next().expect("a publication"))
    }

    fn publication(it: CompanyStatement) -> Publication {
        match it.statement {
            Statement::Shab(publication) => *publication,
            other => unreachable!("read as a publication: {other:?}"),
        }
    }

    fn reason(text: &str) -> String {
        read(text.as_bytes()).expect("readable").rejected.remove(0).reason
    }

    #[test]
    fn mutation_contains_the_company_before_and_after() {
        let publication = one(MUTATION);
        let (before, after) =
            (publication.before.expect("before"), publication.after.expect("after"));
        assert_eq!((before.seat.as_deref(), after.seat.as_deref()), (Some("Bern"), Some("Thun")));
        assert_eq!(before.translations, ["Muster Sàrl", "Muster (Suisse) Ltd"]);
        assert_eq!(before.purpose.as_deref(), Some("Handel in Zürich."));
        let nominal = |it: CompanyBlock| it.capital.and_then(|it| it.nominal);
        assert_eq!((before.opting_out, after.opting_out), (Some(false), Some(true)));
        assert_eq!(before.auditors[0].uid, "CHE-600.000.029".parse().ok());
        assert_eq!((after.auditors[0].name.as_str(), after.auditors[0].uid), ("Ausland Ltd", None));
        assert_eq!(after.address, None);
        assert_eq!(nominal(before), Some(Amount::units(20_000)));
        assert_eq!(nominal(after), "20000.5".parse().ok());
        assert_eq!(publication.status_changes, [StatusChange::LiquidationByCourt]);
        assert_eq!(publication.journal_date, Some(date(2026, 2, 26)));
        assert_eq!(publication.previous.and_then(|it| it.number), Some(1_000_000_001));
        assert_eq!(publication.cantons, [Canton::Be]);
    }

    #[test]
    fn xml_export_is_read() {
        let publication = one(XML);
        assert_eq!((publication.rubric, publication.state), (Rubric::Deletion, State::Cancelled));
        assert_eq!(publication.text, "Muster & Fils Sàrl, <b> à Genève. La société est radiée.");
        assert_eq!(publication.deletion_date, Some(date(2026, 2, 27)));
        assert_eq!(publication.cantons, [Canton::Ge]);
        let before = publication.before.expect("before");
        assert_eq!(before.auditors.len(), 2);
        assert_eq!((before.opting_out, publication.after), (Some(false), None));
        assert_eq!(before.capital.and_then(|it| it.paid), Some(Amount::units(20_000)));
    }

    #[test]
    fn page_array_and_single_publication_give_the_same_statements() {
        let single = read(MUTATION.as_bytes()).expect("json").statements;
        let page =
            format!(r#"{{"content": [{MUTATION}], "total": 1, "pageRequest": {{"page": 0}}}}"#);
        assert_eq!(read(page.as_bytes()).expect("json").statements, single);
        assert_eq!(
            read(format!("\u{feff}[{MUTATION}]").as_bytes()).expect("json").statements,
            single
        );
    }

    #[test]
    fn invalid_publication_is_rejected_with_its_field_and_others_are_read() {
        let day = MUTATION.replace("2026-03-02T00", "2. März");
        let text = format!("[{MUTATION}, 7, {day}]");
        let batch = read(text.as_bytes()).expect("json");
        assert_eq!((batch.statements.len(), batch.rejected.len()), (1, 2));
        assert!(batch.rejected[1].reason.starts_with("meta.publicationDate: `2. März"));
        let number = MUTATION.replace("HR02-1000000002", "HR02-x");
        assert_eq!(reason(&number), "meta.publicationNumber: `HR02-x` is not a number");
        let rubric = MUTATION.replace("\"HR02\"", "\"KK01\"");
        assert!(reason(&rubric).starts_with("meta.subRubric: unknown variant `KK01`"));
        let blocks = MUTATION.replace("commonsActual", "x").replace("commonsNew", "y");
        assert_eq!(reason(&blocks), "content: has neither commonsNew nor commonsActual");
        let latin1 = [b"[", MUTATION.as_bytes(), b", {\"meta\": \"Caf\xe9\"}]"].concat();
        let reason = &read(&latin1).expect("json").rejected[0].reason;
        assert!(reason.starts_with("meta: contains a character that cannot be read"), "{reason}");
    }

    #[test]
    fn text_above_the_maximum_length_is_rejected() {
        let long = MUTATION.replace("Sitz neu: Thun.", &"Sitz neu: Thun. ".repeat(20_000));
        let reason = reason(&long);
        assert!(reason.starts_with("content.publicationText: has 320"), "{reason}");
    }

    #[test]
    fn truncated_file_is_an_error() {
        for invalid in ["", "[", "null", "\"text\"", "<a>", "<a></b>", "<a>&bogus;</a>", "<"] {
            assert!(read(invalid.as_bytes()).is_err(), "{invalid}");
        }
        let deep = "<a>".repeat(10_000);
        assert!(read(deep.as_bytes()).is_err());
    }

    /// Whether each part of the company's data has changed, as far as both blocks state it.
    fn changed(it: &Publication) -> [bool; 8] {
        let (Some(one), Some(other)) = (&it.before, &it.after) else { return [false; 8] };
        [
            one.name != other.name,
            one.translations != other.translations,
            one.seat != other.seat,
            one.legal_form != other.legal_form,
            one.purpose != other.purpose,
            one.capital != other.capital,
            one.opting_out != other.opting_out,
            one.head_office != other.head_office,
        ]
    }

    #[test]
    fn damaged_member_is_no_change_of_the_company() {
        let needed = [
            "/meta",
            "/meta/id",
            "/meta/subRubric",
            "/meta/publicationNumber",
            "/meta/publicationState",
            "/meta/publicationDate",
            "/content",
            "/content/publicationText",
        ];
        let names = ["", "/company", "/company/name", "/company/uid"];
        for Damaged { record, member, .. } in damage::json(MUTATION) {
            let batch = read(&record).expect("json");
            let of_block =
                |it: &str| BLOCKS.iter().any(|block| member == format!("/content/{block}{it}"));
            let is_needed =
                needed.contains(&member.as_str()) || names.iter().any(|it| of_block(it));
            assert!(batch.statements.len() == 1 || is_needed, "{member}: {:?}", batch.rejected);
            // A value of another type may be a valid one, and a valid one a change.
            if batch.rejected.iter().any(|it| it.is_read) {
                let (damaged, whole) = (publication(batch.statements[0].clone()), one(MUTATION));
                for (now, before) in changed(&damaged).into_iter().zip(changed(&whole)) {
                    assert!(!now || before, "{member}: {damaged:?}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes);
        }

        #[test]
        fn no_change_of_one_character_makes_the_reader_panic(at in any::<prop::sample::Index>(), with in any::<char>()) {
            for whole in [MUTATION, XML] {
                let mut text: Vec<char> = whole.chars().collect();
                let at = at.index(text.len());
                text[at] = with;
                let _ = read(text.into_iter().collect::<String>().as_bytes());
            }
        }
    }
}
