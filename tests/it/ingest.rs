//! Ingesting files gives the same registry in any order, repeatedly and after an interruption.

use domain::{Source, Uid};
use http::StatusCode;
use jiff::Timestamp;
use publications::Publication;
use serde_json::{Value, json};
use sources::Batch;
use tests::Service;

const UID: &str = "CHE-600.000.012";

fn record(name: &str, published: &str) -> String {
    json!({
        "name": name, "uid": "CHE600000012", "canton": "ZH", "status": "ACTIVE", "sogcDate": published,
        "legalSeat": "Zürich", "oldNames": null, "capitalNominal": 100_000, "capitalCurrency": "CHF",
    })
    .to_string()
}

fn batch(json: &str) -> Batch {
    sources::read(Source::Zefix, json.as_bytes()).expect("json")
}

async fn ingest(service: &Service, json: &str) -> ingest::Report {
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let ingested = ingest::ingest(registry, objects, Source::Zefix, batch(json), service.now());
    ingested.await.expect("ingested")
}

/// The record and all facts of the company in the registry.
async fn stored(service: &Service) -> (Option<domain::Company>, Vec<facts::Fact>) {
    let uid: Uid = UID.parse().expect("a number");
    let registry = &service.cloud.registry;
    (registry.company(uid).await.expect("read"), registry.facts(uid).await.expect("read"))
}

#[tokio::test]
async fn an_ingested_record_is_returned_with_its_source_and_date() {
    let service = Service::start().await;
    assert_eq!(ingest(&service, &record("Muster AG", "2026-03-24")).await.new, 1);
    service.publish().await;
    let company = service.get("/v1/companies/CHE600000012").await;
    assert_eq!((company.status, &company.body["name"]), (StatusCode::OK, &json!("Muster AG")));
    assert_eq!(company.body["sources"], json!([{ "source": "zefix", "date": "2026-03-24" }]));
    assert_eq!(service.get("/v1/companies?search=mutser").await.body["total"], 1);
}

#[tokio::test]
async fn ingesting_a_file_twice_changes_nothing() {
    let service = Service::start().await;
    let file = format!("[{}]", record("Muster AG", "2026-03-24"));
    let first = ingest(&service, &file).await;
    let before = stored(&service).await;
    let again = ingest(&service, &file).await;
    assert_eq!((first.new, again.new, again.changed, again.unchanged), (1, 0, 0, 1));
    assert_eq!(stored(&service).await, before);
}

#[tokio::test]
async fn a_record_that_is_twice_in_a_file_is_stored_once() {
    let service = Service::start().await;
    let record = record("Muster AG", "2026-03-24");
    let report = ingest(&service, &format!("[{record}, {record}]")).await;
    assert_eq!((report.read, report.new), (2, 1));
    assert_eq!(stored(&service).await.1.len(), 1);
}

#[tokio::test]
async fn the_order_of_files_makes_no_difference() {
    let (old, new) = (record("Alt AG", "2024-01-01"), record("Neu AG", "2026-01-01"));
    let (forward, backward, together) =
        (Service::start().await, Service::start().await, Service::start().await);
    ingest(&forward, &old).await;
    ingest(&forward, &new).await;
    ingest(&backward, &new).await;
    assert_eq!(
        ingest(&backward, &old).await.changed,
        1,
        "a late fact is stored and folded by its date"
    );
    ingest(&together, &format!("[{new}, {old}]")).await;
    let expected = stored(&forward).await;
    assert_eq!(expected, stored(&backward).await);
    assert_eq!(expected, stored(&together).await);
    assert_eq!(expected.0.expect("a record").name, "Neu AG");
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_ingests_lose_no_fact() {
    let service = std::sync::Arc::new(Service::start().await);
    let runs: Vec<_> = (1..=12)
        .map(|month| {
            let service = service.clone();
            let json = record(&format!("Firma {month} AG"), &format!("2026-{month:02}-01"));
            tokio::spawn(async move { ingest(&service, &json).await })
        })
        .collect();
    for run in runs {
        run.await.expect("ingested");
    }
    let (company, facts) = stored(&service).await;
    assert_eq!(facts.len(), 12);
    assert_eq!(company.expect("a record").name, "Firma 12 AG");
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_kept_once_and_used_as_far_as_it_can() {
    let service = Service::start().await;
    let muster = record("Muster AG", "2026-03-24");
    let incomplete = muster.replace("\"ACTIVE\"", "\"SLEEPING\"");
    let nameless = muster.replace("\"Muster AG\"", "7");
    let file = format!("[{incomplete}, {nameless}]");
    for _ in 0..2 {
        let report = ingest(&service, &file).await;
        assert_eq!((report.read, report.quarantined, report.incomplete), (2, 1, 1));
    }
    // The company is served without the member.
    let (company, facts) = stored(&service).await;
    assert_eq!(company.expect("a record").name, "Muster AG");
    assert_eq!(facts.len(), 1);
    let quarantined = service.cloud.objects.keys("quarantine/zefix/").await.expect("listed");
    assert_eq!(quarantined.len(), 2);
    let mut reasons = Vec::new();
    for key in quarantined {
        let bytes = service.cloud.objects.get(&key).await.expect("read").expect("an object");
        let kept: sources::Rejected = serde_json::from_slice(&bytes).expect("json");
        assert_eq!(kept.record, if kept.is_read { &incomplete } else { &nameless }.as_str());
        reasons.push(kept.reason);
    }
    let has = |start: &str| reasons.iter().any(|it| it.starts_with(start));
    assert!(has("status: unknown variant `SLEEPING`") && has("name: invalid type"), "{reasons:?}");
    let status = service.cloud.registry.source_status(Source::Zefix).await.expect("read");
    assert_eq!((status.quarantined, status.incomplete, status.stored), (1, 1, 1));
    assert_eq!(status.newest_publication.map(|it| it.to_string()).as_deref(), Some("2026-03-24"));

    // A future date must not count as the newest publication: nothing would be fetched until then.
    assert_eq!(ingest(&service, &record("Morgen AG", "2062-03-24")).await.changed, 1);
    let later = service.cloud.registry.source_status(Source::Zefix).await.expect("read");
    assert_eq!(later.newest_publication, status.newest_publication);
}

#[tokio::test]
async fn a_preview_lists_changes_without_storing_them() {
    let service = Service::start().await;
    ingest(&service, &record("Alt AG", "2024-01-01")).await;
    let before = stored(&service).await;
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let batch = batch(&record("Neu AG", "2026-01-01"));
    let preview =
        ingest::preview(registry, objects, Source::Zefix, batch, Timestamp::UNIX_EPOCH).await;
    let preview = preview.expect("compared");
    let (name, members) = preview.changes.values().next().expect("a change");
    assert_eq!((name.as_str(), preview.report.changed), ("Neu AG", 1));
    assert_eq!(members, &["name", "sources", "updatedAt"]);
    assert_eq!(stored(&service).await, before);
}

#[tokio::test]
async fn a_company_counts_as_new_when_it_gets_its_first_record() {
    let service = Service::start().await;
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let merger = "Übernahme der Aktiven und Passiven der Muster AG, in Zürich (CHE-600.000.012), \
                  gemäss Fusionsvertrag vom 01.06.2026.";
    let merger = Publication::mutation("CHE-600.000.029", "Probe AG").on("2026-06-15").text(merger);
    let merger = || tests::read_publications(std::slice::from_ref(&merger));
    let now = Timestamp::UNIX_EPOCH;
    let preview = ingest::preview(registry, objects, Source::Shab, merger(), now).await;
    let preview = preview.expect("compared").report;
    let report = ingest::ingest(registry, objects, Source::Shab, merger(), now).await;
    let report = report.expect("ingested");
    // The acquirer gets a record. About the other company only the merger is known, so it has none yet.
    assert_eq!((report.new, report.changed), (1, 1));
    assert_eq!((preview.new, preview.changed), (1, 1));
    assert_eq!(stored(&service).await.0, None);
    let report = ingest(&service, &record("Muster AG", "2024-01-01")).await;
    assert_eq!((report.new, report.changed), (1, 0));
    let company = stored(&service).await.0.expect("a record");
    assert_eq!(company.affiliations[0].uid, "CHE-600.000.029".parse().ok());
    assert_eq!(ingest(&service, &record("Muster AG", "2024-01-01")).await.unchanged, 1);
}

#[tokio::test]
async fn a_record_in_the_format_of_zefix_is_found_with_all_its_members() {
    let searches = ["F7%20FLUGBAU%20AG%20in%20Liquidation", "f7+flugbau", "f7+flugbua", UID];
    let members = [
        ("status", json!("BEING_CANCELLED")),
        ("shareCapital", json!(100_000)),
        ("legalForm", json!("Aktiengesellschaft")),
        ("addressZipCode", json!("3000")),
        ("ehraid", json!(999_007)),
        ("dataSource", json!("zefix")),
    ];
    assert_found(include_str!("files/zefix_company.json"), UID, &searches, &members).await;
}

/// Needs `zefix/zefix_detail_response.json` of the folder `shared/data` next to the repository. To run it:
/// `cargo test -p tests --test it -- --ignored`
#[tokio::test]
#[ignore = "needs ../shared/data"]
async fn the_official_example_of_zefix_is_found_with_all_its_members() {
    const UID: &str = "CHE-107.251.578";
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let file = std::fs::read_to_string(folder.join("zefix/zefix_detail_response.json"));
    let searches = ["A1%20AUTO%20AG%20in%20Liquidation", "a1+auto", "a1+atuo", UID];
    let members = [
        ("status", json!("BEING_CANCELLED")),
        ("shareCapital", json!(100_000)),
        ("legalForm", json!("Aktiengesellschaft")),
        ("addressZipCode", json!("6207")),
        ("ehraid", json!(437_580)),
        ("dataSource", json!("zefix")),
    ];
    assert_found(&file.expect("the file of shared data"), UID, &searches, &members).await;
}

/// Ingests a file of Zefix and checks that every search finds the company first, with these members.
async fn assert_found(file: &str, uid: &str, searches: &[&str], members: &[(&str, Value)]) {
    let service = Service::start().await;
    ingest(&service, file).await;
    service.publish().await;
    for search in searches {
        let found = service.get(&format!("/v1/companies?search={search}")).await;
        assert_eq!(found.body["items"][0]["uid"], uid, "{search}");
    }
    let company = service.get(&format!("/v1/companies/{uid}")).await;
    for (member, value) in members {
        assert_eq!(company.body[member], *value, "{member}");
    }
}

/// The list of FINMA of this date, with the companies of these numbers.
fn finma_list(numbers: impl IntoIterator<Item = u32>, day: &str) -> Batch {
    let row = |it: u32| format!("Muster {it} AG,CHE{:09},Bank\n", 600_000_000 + it);
    let rows: String = numbers.into_iter().map(row).collect();
    let list =
        sources::read(Source::Finma, format!("Name,UID,AuthorisationTypeEN\n{rows}").as_bytes());
    list.expect("a table").dated(day.parse().ok())
}

async fn ingest_list(service: &Service, batch: Batch) -> Result<ingest::Report, ingest::Error> {
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    ingest::ingest(registry, objects, Source::Finma, batch, Timestamp::UNIX_EPOCH).await
}

/// Numbers of twenty companies, with valid check digits.
fn numbers() -> Vec<u32> {
    let is_valid = |it: &u32| format!("CHE{:09}", 600_000_000 + it).parse::<Uid>().is_ok();
    (0..).filter(is_valid).take(20).collect()
}

/// Whether a company is licensed, and the date of the list that states it.
async fn licence(service: &Service, number: u32) -> (Option<bool>, Option<String>) {
    let uid: Uid = format!("CHE{:09}", 600_000_000 + number).parse().expect("a number");
    let company = service.cloud.registry.company(uid).await.expect("read").expect("a record");
    let source = company.sources.iter().find(|it| it.source == "finma");
    let day = source.and_then(|it| it.date).map(|it| it.to_string());
    (company.is_finma_regulated, day)
}

/// A service with records of these companies.
async fn registered(numbers: &[u32]) -> Service {
    let service = Service::start().await;
    for number in numbers {
        let record = record(&format!("Muster {number} AG"), "2024-01-01");
        let uid = format!("CHE{:09}", 600_000_000 + number);
        ingest(&service, &record.replace("CHE600000012", &uid)).await;
    }
    service
}

#[tokio::test]
async fn a_company_missing_from_the_next_list_has_lost_its_licence_in_any_order_of_lists() {
    let numbers = numbers();
    let removed = numbers[0];
    let lists = || {
        [
            finma_list(numbers.clone(), "2026-01-04"),
            finma_list(numbers[1..].to_vec(), "2026-01-11"),
            finma_list(numbers[1..].to_vec(), "2026-01-18"),
        ]
    };
    for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0], [2, 0, 1]] {
        let service = registered(&numbers).await;
        let mut lists = lists().map(Some);
        for at in order {
            ingest_list(&service, lists[at].take().expect("once")).await.expect("ingested");
        }
        let (licensed, day) = licence(&service, removed).await;
        assert_eq!(licensed, Some(false), "{order:?}");
        assert!(day >= Some("2026-01-11".into()), "{order:?}: {day:?}");
        assert_eq!(licence(&service, numbers[1]).await.0, Some(true), "{order:?}");
    }
    let service = registered(&numbers).await;
    let [first, second, _] = lists();
    ingest_list(&service, first).await.expect("ingested");
    assert_eq!(licence(&service, removed).await, (Some(true), Some("2026-01-04".into())));
    ingest_list(&service, second).await.expect("ingested");
    assert_eq!(licence(&service, removed).await, (Some(false), Some("2026-01-11".into())));
    // A company that is listed again is licensed again, even if an earlier list arrives late.
    ingest_list(&service, finma_list(numbers.clone(), "2026-01-25")).await.expect("ingested");
    ingest_list(&service, finma_list(numbers[1..].to_vec(), "2026-01-20")).await.expect("ingested");
    assert_eq!(licence(&service, removed).await, (Some(true), Some("2026-01-25".into())));
}

#[tokio::test]
async fn a_company_whose_row_cannot_be_read_keeps_the_licence_of_the_last_list() {
    let numbers = numbers();
    let service = registered(&numbers).await;
    ingest_list(&service, finma_list(numbers.clone(), "2026-01-04")).await.expect("ingested");
    let mut damaged = finma_list(numbers[1..].to_vec(), "2026-01-11");
    let row =
        format!("Name,UID,AuthorisationTypeEN\nMuster AG,CHE{:09},\n", 600_000_000 + numbers[0]);
    let unreadable = sources::read(Source::Finma, row.as_bytes()).expect("a table");
    assert_eq!((unreadable.statements.len(), unreadable.rejected.len()), (0, 1));
    damaged.rejected = unreadable.rejected;
    damaged.unreadable = unreadable.unreadable;
    ingest_list(&service, damaged).await.expect("ingested");
    assert_eq!(licence(&service, numbers[0]).await, (Some(true), Some("2026-01-04".into())));
    // The next list is compared with what stayed.
    ingest_list(&service, finma_list(numbers[1..].to_vec(), "2026-01-18")).await.expect("ingested");
    assert_eq!(licence(&service, numbers[0]).await, (Some(false), Some("2026-01-18".into())));
}

#[tokio::test]
async fn a_list_that_shrank_by_more_than_a_tenth_is_refused_unless_accepted() {
    let numbers = numbers();
    let service = registered(&numbers).await;
    ingest_list(&service, finma_list(numbers.clone(), "2026-01-04")).await.expect("ingested");
    let shrunk = || finma_list(numbers[3..].to_vec(), "2026-01-11");
    let refused = ingest_list(&service, shrunk()).await.expect_err("refused");
    assert_eq!(
        refused.to_string(),
        "finma shrank from 20 companies to 17: a part of it is missing"
    );
    assert_eq!(licence(&service, numbers[0]).await, (Some(true), Some("2026-01-04".into())));
    // Unreadable rows do not count as licences.
    let mut broken = finma_list(numbers[3..].to_vec(), "2026-01-11");
    let rejected = sources::Rejected::new("?".into(), "UID: is empty".into());
    broken.rejected = vec![rejected; 3];
    ingest_list(&service, broken).await.expect_err("refused");

    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let now = Timestamp::UNIX_EPOCH;
    let preview = ingest::preview(registry, objects, Source::Finma, shrunk(), now).await;
    let preview = preview.expect("compared");
    assert_eq!((preview.shrunk, preview.changes.len()), (Some((20, 17)), 3));
    let file =
        ingest::File { source: Source::Finma, batch: shrunk(), key: None, accept_shrunk: true };
    ingest::ingest_file(registry, objects, file, now).await.expect("ingested");
    assert_eq!(licence(&service, numbers[0]).await, (Some(false), Some("2026-01-11".into())));
    // The next list is compared with the accepted one.
    ingest_list(&service, finma_list(numbers[3..].to_vec(), "2026-01-18")).await.expect("ingested");
}
