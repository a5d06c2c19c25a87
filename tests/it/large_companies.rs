//! A company with 5,000 publications: what a request reads and returns is limited.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use access::Tier;
use domain::{
    Source, Uid,
    company::{Affiliation, AffiliationKind},
};
use facts::Fact;
use http::Method;
use http_service::Operation;
use jiff::Timestamp;
use local::cloud::{Cloud, clients::dynamodb_client};
use publications::Publication;
use serde_json::{Value, json};
use store::Registry;
use tests::{Answer, Service, faults::Faults};

const UID: &str = "CHE-600.000.012";
const NAME: &str = "Grosse Bank AG";
const PUBLICATIONS: u64 = 5_000;
/// Number of publications after which an officer leaves.
const TERM: u64 = 300;
/// Maximum number of bytes that a request may read from DynamoDB.
const MAX_READ: u64 = 200_000;
/// The same for news with sentiment, which is computed from the newest 500 items.
const MAX_READ_FOR_MEDIA: u64 = 1_000_000;
/// The same for assessments, which read the history whole.
const MAX_READ_FOR_ASSESSMENT: u64 = 1_500_000;
/// The same for a page that is as large as a response may be.
const MAX_READ_FOR_FULL_PAGE: u64 = 5_500_000;
/// Number of news items, with texts of the maximum length. They do not fit in one response.
const NEWS: usize = 5_000;
/// Number of annual reports.
const REPORTS: usize = 100;
/// Number of reports with descriptions of the maximum length that do not fit in one response.
const LONG_REPORTS: usize = 2_500;
/// Maximum size of a response in bytes.
const MAX_ANSWER: usize = 5_000_000;

/// Publications over forty years. Each enters an officer, and removes one. Every fifth changes the purpose, which is
/// long.
fn publications() -> Vec<Publication> {
    const NAMES: [&str; 8] =
        ["Keller", "Brunner", "Favre", "Rossi", "Gerber", "Baumann", "Meier", "Roth"];
    const TOWNS: [&str; 7] = ["Bern", "Chur", "Thun", "Lausanne", "Lugano", "Basel", "Luzern"];
    let officer = |it: u64| {
        let (name, town) = (NAMES[it as usize % 8], TOWNS[it as usize % 7]);
        let (origin, first) = (TOWNS[it as usize / 7 % 7], it * 7_919 % 10_007);
        format!("{name}-{first}, Eva {it}, von {origin}, in {town}, mit Kollektivprokura zu zweien")
    };
    let purpose = |it: u64| {
        let business = "Die Gesellschaft betreibt alle Geschäfte einer Bank im In- und Ausland. ";
        format!("{}Ausgabe {it}.", business.repeat(30))
    };
    (0..PUBLICATIONS)
        .map(|it| {
            let (year, day) = (1986 + it / 125, it % 125);
            let date = format!("{year}-{:02}-{:02}", day / 12 + 1, day % 12 * 2 + 1);
            let publication = Publication::mutation(UID, NAME).number(it + 1).on(&date);
            let publication = match it % 5 {
                0 => publication.new_purpose(&purpose(it), &purpose(it + 5)),
                _ => publication.persons_entered(&officer(it)),
            };
            match it.checked_sub(TERM) {
                Some(first) if first % 5 != 0 => publication.persons_left(&officer(first)),
                _ => publication,
            }
        })
        .collect()
}

/// News of the company, one an hour, with long texts.
fn news() -> Vec<Fact> {
    let text = "Die Bank hat im Quartal mehr Gewinn erzielt als erwartet. ".repeat(20);
    let items: Vec<Value> = (0..NEWS)
        .map(|it| {
            let at = Timestamp::from_second(1_760_000_000 + it as i64 * 3_600).expect("a moment");
            json!({
                "id": it.to_string(), "title": format!("Meldung {it}"), "content_text": text,
                "url": format!("https://news.example/{it}"), "_gotthard": { "uid": UID },
                "date_published": at.to_string(),
            })
        })
        .collect();
    let feed = json!({ "version": "https://jsonfeed.org/version/1.1", "title": "Zeitung", "items": items });
    facts_of(Source::News, &feed)
}

/// Reports of the company, of 200 years, with descriptions of this length.
fn reports(count: usize, length: usize) -> Vec<Fact> {
    let reports: Vec<Value> = (0..count)
        .map(|it| {
            let (year, kind) = (2025 - it % 200, format!("annual-{}", it / 200));
            json!({
                "uid": UID, "fiscalYear": year, "currency": "CHF", "revenue": 1_000_000 + it,
                "reportType": kind, "description": "x".repeat(length),
            })
        })
        .collect();
    facts_of(Source::Reports, &json!(reports))
}

fn facts_of(source: Source, file: &Value) -> Vec<Fact> {
    let batch = sources::read(source, file.to_string().as_bytes()).expect("a file");
    assert!(batch.rejected.is_empty(), "{:?}", batch.rejected);
    facts::facts(batch.statements)
}

/// A service over a cloud, and a proxy that measures what its functions read of the register.
async fn service_over(mut cloud: Cloud) -> (Service, Faults) {
    let faults = Faults::before(&cloud.endpoints.dynamodb).await;
    cloud.registry = Registry::named(dynamodb_client(&faults.address), &cloud.tables[0]);
    let service = Service::over(cloud).await;
    // A generation without the company: its events are not published, which would take minutes here.
    let about = indexer::About {
        built_at: service.now(),
        registry_version: 0,
        as_of_sequence: 0,
        left_out: 0,
    };
    let (objects, folder) = (&service.cloud.objects, service.downloads.path());
    indexer::Builder::new(jiff::civil::date(2026, 10, 30))
        .publish(objects, folder, about)
        .await
        .expect("published");
    service.generations.refresh().await.expect("opened");
    (service, faults)
}

/// The path of an operation about one company; `None` for other operations.
fn path(operation: &Operation) -> Option<String> {
    let path = match operation.path.as_str() {
        "/v1/changes/{id}" => format!("/v1/changes/{UID}"),
        "/v1/companies/{uid}/diff" => format!("/v1/companies/{UID}/diff?since=1900-01-01"),
        path => path.replace("{uid}", UID),
    };
    let is_about_company = operation.method == Method::GET && path.contains(UID);
    is_about_company.then_some(path)
}

/// The entries of the longest list in a response.
fn entries(answer: &Answer) -> Vec<Value> {
    let lists = match &answer.body {
        Value::Array(list) => vec![list.clone()],
        Value::Object(members) => members.values().filter_map(Value::as_array).cloned().collect(),
        _ => Vec::new(),
    };
    lists.into_iter().max_by_key(Vec::len).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_about_a_company_with_5000_publications_reads_and_returns_a_limited_part() {
    let cloud = tests::cloud().await;
    let (registry, uid) = (&cloud.registry, UID.parse().expect("a number"));
    let mut facts = facts::facts(tests::read_publications(&publications()).statements);
    let last = facts.pop().expect("a fact");
    registry.record_facts(uid, &[last]).await.expect("stored");
    registry.put_facts([facts, news(), reports(REPORTS, 600)].concat()).await.expect("stored");
    registry.rebuild_record(uid, |it| it).await.expect("folded");
    let (service, faults) = service_over(cloud).await;
    let key = service.key(Tier::Enterprise).await;
    let mut paths: Vec<String> = service.operations.iter().filter_map(path).collect();
    assert!(paths.len() >= 20, "{paths:?}");
    let news = format!("/v1/companies/{UID}/news");
    paths.extend([1, 20, 100].map(|it| format!("{news}?limit={it}")));
    paths.extend(
        ["", "/full", "/auditor-history"].map(|it| format!("/v1/companies/{UID}{it}?proofs=true")),
    );
    // The roles have their source already.
    paths.push(format!("/v1/persons/board-members/{UID}?proofs=true"));
    let mut too_much = Vec::new();
    for path in &paths {
        faults.bytes_read();
        let answer = service.get_as(&key, path).await;
        assert_eq!(answer.status.as_u16(), 200, "{path}: {}", answer.text);
        let read = faults.bytes_read();
        assert!(read > 0, "{path} reads the register through the proxy");
        eprintln!("{path}: {read} bytes read, {} returned", answer.text.len());
        let max_read = match path {
            // A whole page of news is as large as a response may be.
            path if *path == news => MAX_READ_FOR_FULL_PAGE,
            _ if path.ends_with("/media") => MAX_READ_FOR_MEDIA,
            // A legal event counts however old it is, so the history is read whole.
            _ if ["/risk/v2/", "/compliance/", "/audit/", "/profile.pdf"]
                .iter()
                .any(|it| path.contains(it)) =>
            {
                MAX_READ_FOR_ASSESSMENT
            }
            _ => MAX_READ,
        };
        if read > max_read || answer.text.len() > MAX_ANSWER {
            too_much.push(format!("{path}: {read} read, {} returned", answer.text.len()));
        }
    }
    assert_eq!(too_much, [] as [String; 0]);

    // Every list is complete if the links are followed, and no response is too large.
    for (path, count) in [
        (format!("/v1/companies/{UID}/timeline"), 8_760),
        (format!("/v1/companies/{UID}/diff?since=1900-01-01"), 8_760),
        (format!("/v1/changes/{UID}"), 8_760),
        (format!("/v1/companies/{UID}/timeline?changeType=purpose_change"), 1_000),
        (format!("/v1/companies/{UID}/events"), 8_760),
        (format!("/v1/companies/{UID}/reports"), REPORTS),
        (news, NEWS),
    ] {
        assert_eq!(follow(&service, &key, &path).await.0, count, "{path}");
    }
}

/// Follows the links from this path. Returns the number of different entries and of responses.
async fn follow(service: &Service, key: &str, path: &str) -> (usize, usize) {
    let (mut found, mut responses) = (Vec::new(), 0);
    let mut at = Some(path.to_owned());
    while let Some(path) = at {
        let answer = service.get_as(key, &path).await;
        assert!(answer.text.len() < MAX_ANSWER, "{path}: {}", answer.text.len());
        assert!(!entries(&answer).is_empty(), "{path}");
        found.extend(entries(&answer).iter().map(Value::to_string));
        responses += 1;
        at = answer.next();
    }
    let all = found.len();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), all, "{path}: an entry was repeated");
    (all, responses)
}

#[tokio::test(flavor = "multi_thread")]
async fn only_requests_for_news_read_news() {
    let cloud = tests::cloud().await;
    let uid = UID.parse().expect("a number");
    let registration = Publication::registration(UID, NAME).number(1).on("2020-03-02");
    let facts = facts::facts(tests::read_publications(&[registration]).statements);
    cloud.registry.record_facts(uid, &facts).await.expect("stored");
    cloud.registry.put_facts(news()).await.expect("stored");
    let (service, faults) = service_over(cloud).await;
    let key = service.key(Tier::Enterprise).await;
    let mut paths: Vec<String> = service.operations.iter().filter_map(path).collect();
    for path in ["", "/full", "/auditor-history"] {
        paths.push(format!("/v1/companies/{UID}{path}?asOf=2025-12-31"));
    }
    paths.push(format!("/v1/persons/board-members/{UID}?asOf=2025-12-31"));
    paths.retain(|it| !it.ends_with("/news") && !it.ends_with("/media"));
    assert!(paths.len() >= 20, "{paths:?}");
    for path in paths {
        let answer = service.get_as(&key, &path).await;
        assert_eq!(answer.status.as_u16(), 200, "{path}: {}", answer.text);
        let read = faults.bytes_read();
        assert!(read < 20_000, "{path}: {read} bytes read");
    }
    // Nor does the job that stores another publication.
    let publication = Publication::mutation(UID, NAME).number(2).new_purpose("Bank", "Grosse Bank");
    let facts = facts::facts(tests::read_publications(&[publication]).statements);
    service.cloud.registry.record_facts(uid, &facts).await.expect("stored");
    assert!(faults.bytes_read() < 20_000);
}

#[tokio::test]
async fn a_page_of_long_reports_is_continued_by_its_link() {
    let service = Service::with([tests::company(UID, NAME)]).await;
    service.cloud.registry.put_facts(reports(LONG_REPORTS, 2_000)).await.expect("stored");
    let key = service.key(Tier::Enterprise).await;
    let path = format!("/v1/companies/{UID}/reports");
    assert_eq!(follow(&service, &key, &path).await, (LONG_REPORTS, 2));
}

#[tokio::test]
async fn a_page_of_companies_with_long_purposes_is_continued_by_its_link() {
    let companies = (0..130).map(|it| {
        let uid = Uid::from_number(600_100_000 + it).expect("a number");
        let mut company = tests::company(&uid.to_string(), "Muster AG");
        company.purpose = Some(format!("{it} {}", "Handel mit Waren aller Art. ".repeat(2_000)));
        company
    });
    let service = Service::with(companies).await;
    let key = service.key(Tier::Enterprise).await;
    let filters = json!({ "name": "Muster", "searchParams": { "pageSize": 100 } });
    let search = service.post_as(&key, "/v1/saved-searches", filters).await;
    let id = search.body["id"].as_str().unwrap_or_else(|| panic!("{search:?}"));
    for path in ["/v1/companies?pageSize=100".to_owned(), format!("/v1/saved-searches/{id}/run")] {
        assert_eq!(follow(&service, &key, &path).await, (130, 3), "{path}");
    }
}

/// A company with more branches than are read. They have names so long that their list does not fit in a response, and
/// the same foreign parent as the company.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_about_a_group_reads_at_most_500_of_its_members() {
    let head: Uid = UID.parse().expect("a number");
    let parent = "549300AAAAAAAAAAAA08".parse().ok();
    let branches = (0..600).map(|it| {
        let uid = Uid::from_number(600_100_000 + it).expect("a number");
        let name = format!("Filiale {it} {}", "der Bank ".repeat(1_200));
        let mut branch = tests::company(&uid.to_string(), &name);
        branch.direct_parent_lei = parent;
        let (kind, name) = (AffiliationKind::HeadOffice, NAME.to_owned());
        branch.affiliations = vec![Affiliation { kind, uid: Some(head), name }];
        branch
    });
    let mut company = tests::company(UID, NAME);
    company.direct_parent_lei = parent;
    let (kind, name) = (AffiliationKind::ConsolidatedBy, "Example Group plc".to_owned());
    company.affiliations = vec![Affiliation { kind, uid: None, name }];
    let mut cloud = tests::cloud().await;
    let faults = Faults::before(&cloud.endpoints.dynamodb).await;
    cloud.registry = Registry::named(dynamodb_client(&faults.address), &cloud.tables[0]);
    let service = Service::over(cloud).await;
    service.register(branches.chain([company])).await;
    let key = service.key(Tier::Enterprise).await;
    let records = Arc::new(AtomicUsize::new(0));
    let counted = records.clone();
    faults.decide(move |operation, request| {
        if operation == "BatchGetItem" {
            let tables = request["RequestItems"].as_object().into_iter().flatten();
            let keys = tables.filter_map(|(_, it)| it["Keys"].as_array().map(Vec::len));
            counted.fetch_add(keys.sum(), Ordering::SeqCst);
        }
        None
    });
    // The record and the history of the company are read like one of them.
    for (path, maximum) in [
        ("/v1/companies/{uid}/relationships", 502),
        ("/v1/companies/{uid}/structure", 502),
        ("/v1/companies/{uid}/acquisitions", 502),
        ("/v1/companies/{uid}/full", 502),
        ("/v1/companies/{uid}/hierarchy", 1_000),
        ("/v1/graph/{uid}", 502),
    ] {
        records.store(0, Ordering::SeqCst);
        let answer = service.get_as(&key, &path.replace("{uid}", UID)).await;
        assert_eq!(answer.status.as_u16(), 200, "{path}: {}", answer.text);
        let read = records.load(Ordering::SeqCst);
        assert!((500..=maximum).contains(&read), "{path}: {read} records read");
    }
    let path = format!("/v1/companies/{UID}/relationships");
    // With the foreign parent, which has no record.
    assert_eq!(follow(&service, &key, &path).await, (501, 2));
}

#[tokio::test]
async fn a_page_of_changes_with_long_purposes_is_continued_by_its_link() {
    let service = Service::start().await;
    let purpose = |it: u64| format!("{it} {}", "Handel mit Waren aller Art. ".repeat(1_200));
    let publications = (1..=110).map(|it| {
        Publication::mutation(UID, NAME).number(it).new_purpose(&purpose(it), &purpose(it + 1))
    });
    service.ingest_publications(publications).await;
    let key = service.key(Tier::Enterprise).await;
    let (mut ids, mut at) = (Vec::new(), Some("/v1/changes?pageSize=100".to_owned()));
    while let Some(path) = at {
        let answer = service.get_as(&key, &path).await;
        assert!(answer.text.len() < MAX_ANSWER, "{path}: {}", answer.text.len());
        assert_eq!((&answer.body["total"], &answer.body["pageSize"]), (&json!(110), &json!(100)));
        ids.extend(entries(&answer).into_iter().map(|it| it["id"].to_string()));
        at = answer.next();
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 110);
    let full = service.get_as(&key, &format!("/v1/companies/{UID}/full")).await;
    assert!(full.text.len() < MAX_ANSWER, "{}", full.text.len());
    let feed = crate::change_feed::follow(&service, "", 100, None).await;
    assert_eq!(feed.len(), 110);
}
