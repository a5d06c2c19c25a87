//! Tests of what all sources have in common.

use std::{fs, path::Path};

use domain::Uid;
use jiff::civil::date;
use serde_json::{Value, json};

use super::*;
use crate::damage::{self, Damaged};

/// The interval of a schedule expression in `template.yaml`.
fn schedule(expression: &str) -> Schedule {
    match expression {
        "rate(1 hour)" => Schedule::Hourly,
        it if it.starts_with("cron(") && it.ends_with("* * ? *)") => Schedule::Daily,
        it if it.starts_with("cron(") && it.ends_with("? * SUN *)") => Schedule::Weekly,
        other => panic!("unknown schedule `{other}`"),
    }
}

/// The sources in a message of the job `fetch_sources`, if the line contains one.
fn fetched(line: &str) -> Vec<Source> {
    let list = line.split_once(r#""fetch_sources""#).and_then(|(_, it)| it.split_once('['));
    let list = list.and_then(|(_, it)| it.split_once(']')).map_or("", |(list, _)| list);
    let names = list.split(',').map(|it| it.trim().trim_matches('"'));
    names.filter(|it| !it.is_empty()).map(|it| it.parse().expect("a source")).collect()
}

#[test]
fn schedules_in_the_template_match_the_descriptions() {
    let template = include_str!("../../../../template.yaml");
    let mut scheduled = Vec::new();
    let mut expected = None;
    for line in template.lines().map(str::trim) {
        if let Some(expression) = line.strip_prefix("ScheduleExpression: ") {
            expected = Some(expression);
        }
        for source in fetched(line) {
            let described = match description(source).schedule {
                Schedule::DailyIfSet => Schedule::Daily,
                other => other,
            };
            assert_eq!(Some(described), expected.map(schedule), "{source}");
            scheduled.push(source);
        }
    }
    scheduled.sort_unstable();
    assert_eq!(scheduled, Source::ALL, "every source is scheduled once");
}

#[test]
fn guide_to_deploying_loads_every_source_once_after_those_it_depends_on() {
    let guide = include_str!("../../../../DEPLOYING.md");
    let mut loaded: Vec<Source> = Vec::new();
    for line in guide.lines() {
        let of_line = fetched(line);
        for source in &of_line {
            for earlier in description(*source).depends_on {
                assert!(loaded.contains(earlier), "{source} before {earlier}");
            }
        }
        loaded.extend(of_line);
    }
    loaded.sort_unstable();
    assert_eq!(loaded, Source::ALL);
}

/// The source of each statement in a file.
fn sources_of(source: Source, bytes: &[u8]) -> Vec<Source> {
    match description(source).reader {
        Reader::Identified(read) => {
            let batch = read(bytes).expect("a file of the source");
            batch.statements.iter().map(|it| it.source).collect()
        }
        Reader::Mentioned(read) => {
            let pending = read(bytes).expect("a file of the source");
            pending.unresolved.iter().map(|it| it.source).collect()
        }
    }
}

/// The files in `fixtures/{source}/`. A folder in it contains files that the reader cannot read alone.
fn examples(source: Source) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(source.name());
    let entries = fs::read_dir(&folder).unwrap_or_else(|it| panic!("{folder:?}: {it}"));
    let paths = entries.map(|it| it.expect("an entry").path()).filter(|it| it.is_file());
    paths.map(|it| fs::read(it).expect("a file")).collect()
}

#[test]
fn every_source_has_an_example_of_each_format() {
    for source in Source::ALL {
        let (examples, formats) = (examples(source), description(source).formats);
        assert!(examples.len() >= formats.len(), "{source} has too few of {formats:?}");
        for example in examples {
            let sources = sources_of(source, &example);
            assert!(!sources.is_empty(), "an example of {source} contains nothing");
            assert!(sources.iter().all(|it| *it == source), "{source}: {sources:?}");
        }
    }
}

#[test]
fn reader_never_states_a_removal() {
    for source in Source::ALL {
        let Coverage::CompleteList { removed } = description(source).coverage else { continue };
        for example in examples(source) {
            let batch = crate::read(source, &example).expect("a list");
            assert!(batch.statements.iter().all(|it| it.statement != removed()));
        }
    }
}

#[test]
fn company_missing_from_a_complete_list_is_removed() {
    let [first, second]: [Uid; 2] =
        ["CHE-600.000.012", "CHE-600.000.058"].map(|it| it.parse().expect("a number"));
    let coverage = &description(Source::Finma).coverage;
    let removals = coverage.removals(Source::Finma, [first, second], [first]);
    assert_eq!(removals.iter().map(|it| it.uid).collect::<Vec<_>>(), [second]);
    assert!(!coverage.is_listed(&removals[0].statement));
    assert!(Coverage::Part.removals(Source::Finma, [first], []).is_empty());
}

#[test]
fn pages_belong_to_their_source_and_are_requested_with_its_policy() {
    let addresses = ["https://a.example/".to_owned()];
    let today = date(2026, 3, 2);
    for source in Source::ALL {
        let description = description(source);
        let run = FetchRun { today, newest: None, addresses: &addresses };
        let pages = (description.first_pages)(&run);
        assert!(!pages.is_empty(), "{source}");
        for page in pages {
            assert_eq!(page.source(), source);
            assert!(!page.exchange().requests.is_empty(), "{page:?}");
        }
        assert_eq!(description.policy.name, source.name());
    }
}

/// Where a file has its records.
#[derive(Clone, Copy, Debug)]
enum Records {
    /// Rows below a header, with this delimiter.
    Rows(u8),
    /// An array in JSON, by its path.
    Json(&'static str),
    /// Elements of XML with this name, of which the first is damaged.
    Xml(&'static str),
}

/// The files whose records are damaged: the source, the file, its records, and the members without which nothing identifies
/// what a record is about (names of columns, or ends of paths; in XML the texts).
const FILES: [(Source, &str, Records, &[&str]); 13] = [
    (Source::Finma, "list.csv", Records::Rows(b','), &["UID", "AuthorisationTypeEN"]),
    (Source::Six, "notices.json", Records::Json("/itemList"), &["/noticeId", "/title", "/date"]),
    (
        Source::Six,
        "shareholders.json",
        Records::Json("/itemList"),
        &["/publication", "/notificationId", "/notificationSubmitter", "/publicationDate"],
    ),
    (Source::News, "feed.json", Records::Json("/items"), &["/id", "/title", "/date_published"]),
    (
        Source::News,
        "rss.xml",
        Records::Xml("item"),
        &["a1", "Muster &amp; Söhne AG baut aus", "Tue, 03 Mar 2026 10:00:00 +0100"],
    ),
    (
        Source::Reports,
        "reports.json",
        Records::Json("/reports"),
        &["/uid", "/company", "/fiscalYear", "/reportType"],
    ),
    (Source::Reports, "table.csv", Records::Rows(b';'), &["uid", "lei", "fiscalYear"]),
    (
        Source::Gleif,
        "level1.csv",
        Records::Rows(b','),
        &[
            "LEI",
            "Entity.LegalName",
            "Entity.RegistrationAuthority.RegistrationAuthorityID",
            "Entity.RegistrationAuthority.RegistrationAuthorityEntityID",
        ],
    ),
    (
        Source::Gleif,
        "relationships.csv",
        Records::Rows(b','),
        &[
            "Relationship.StartNode.NodeID",
            "Relationship.EndNode.NodeID",
            "Relationship.RelationshipType",
            "Relationship.RelationshipStatus",
            "Registration.RegistrationStatus",
        ],
    ),
    (Source::Gleif, "exceptions.csv", Records::Rows(b','), &["LEI", "Exception.Category"]),
    (
        Source::Gleif,
        "response.json",
        Records::Json("/data"),
        &[
            "/type",
            "/attributes",
            "/lei",
            "/entity",
            "/legalName",
            "/name",
            "/registeredAt",
            "/registeredAt/id",
            "/registeredAs",
            "/relationship",
            "/startNode",
            "/endNode",
            "/id",
            "/relationship/type",
            "/status",
            "/registration",
            "/category",
        ],
    ),
    (Source::Zefix, "company.json", Records::Json(""), &["/uid", "/name"]),
    (
        Source::Lindas,
        "page.json",
        Records::Json("/results/bindings"),
        &["/entity", "/entity/value", "/uid", "/uid/value", "/legalName", "/legalName/value"],
    ),
];

/// For each record of a file: a file with it alone, and the same with each of its members damaged in each way.
fn one_record(text: &str, records: Records) -> Vec<(Vec<u8>, Vec<Damaged>)> {
    let file =
        |start: &str, record: &[u8], end: &str| [start.as_bytes(), record, end.as_bytes()].concat();
    let of = |start: &str, record: &str, end: &str, damaged: &mut dyn Iterator<Item = Damaged>| {
        let damaged = damaged.map(|it| Damaged { record: file(start, &it.record, end), ..it });
        (file(start, record.as_bytes(), end), damaged.collect())
    };
    match records {
        Records::Rows(delimiter) => {
            let (header, rows) = text.split_once('\n').expect("a header");
            let names = header.trim().trim_start_matches('\u{feff}').split(char::from(delimiter));
            let names: Vec<&str> = names.collect();
            let named = |it: Damaged| {
                let at: usize = it.member.parse().expect("a position");
                // A row may be too long.
                Some(Damaged { member: (*names.get(at)?).to_owned(), ..it })
            };
            let start = format!("{header}\n");
            let all = rows
                .lines()
                .map(|row| of(&start, row, "", &mut damage::row(row, delimiter).filter_map(named)));
            all.collect()
        }
        Records::Json(path) => {
            let mut json: Value = serde_json::from_str(text).expect("JSON");
            let records = json.pointer_mut(path).expect("records");
            let records = match records.take() {
                Value::Array(records) => records,
                record => vec![record],
            };
            *json.pointer_mut(path).expect("records") = json!(["RECORD"]);
            let around = json.to_string();
            let (start, end) = around.split_once("\"RECORD\"").expect("a place");
            let records = records.iter().map(Value::to_string);
            records.map(|it| of(start, &it, end, &mut damage::json(&it))).collect()
        }
        Records::Xml(name) => {
            let (open, close) = (format!("<{name}>"), format!("</{name}>"));
            let (start, rest) = text.split_at(text.find(&open).expect("a record"));
            let (record, end) = rest.split_at(rest.find(&close).expect("its end") + close.len());
            vec![of(start, record, end, &mut damage::xml(record))]
        }
    }
}

/// Number of statements, whose companies may have to be looked up, and the records that were not read or not as a whole.
fn read_in_part(source: Source, bytes: &[u8]) -> (usize, Vec<Rejected>) {
    match description(source).reader {
        Reader::Identified(read) => {
            let batch = read(bytes).expect("a file of the source");
            (batch.statements.len(), batch.rejected)
        }
        Reader::Mentioned(read) => {
            let pending = read(bytes).expect("a file of the source");
            let left_out = pending
                .unresolved
                .iter()
                .filter_map(|it| Rejected::in_part(&it.left_out, String::new));
            let rejected = pending.rejected.into_iter().chain(left_out.collect::<Vec<_>>());
            (pending.unresolved.len(), rejected.collect())
        }
    }
}

#[test]
fn only_a_damaged_identity_hides_a_record() {
    for (source, file, records, identity) in FILES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(source.name());
        let text = fs::read_to_string(folder.join(file)).expect("a file");
        for (whole, damaged) in one_record(&text, records) {
            let (expected, _) = read_in_part(source, &whole);
            for Damaged { record, member, .. } in damaged {
                let (read, rejected) = read_in_part(source, &record);
                let is_identity = match records {
                    Records::Json(_) => identity.iter().any(|it| member.ends_with(it)),
                    Records::Rows(_) | Records::Xml(_) => identity.contains(&&*member),
                };
                let shown = String::from_utf8_lossy(&record);
                assert!(
                    read >= expected || is_identity,
                    "{source} {file} {member}: {rejected:?}\n{shown}"
                );
                // What was not read is never silent, except where an entity is in no Swiss register, or a row of a table
                // about the whole world names none.
                let is_elsewhere = source == Source::Gleif
                    && (matches!(records, Records::Rows(_)) || member.contains("/registeredAt"));
                assert!(
                    read + rejected.len() >= expected || is_elsewhere,
                    "{source} {file} {member}\n{shown}"
                );
            }
        }
    }
}
