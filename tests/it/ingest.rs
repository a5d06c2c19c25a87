//! A file that comes twice, in any order, or after a run that died, leaves the same registry.

use domain::Uid;
use http::StatusCode;
use jiff::Timestamp;
use publications::Publication;
use serde_json::json;
use sources::{Batch, Source};
use tests::{Service, shared_data};

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

async fn read(service: &Service, json: &str) -> ingest::Report {
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let ingested = ingest::ingest(registry, objects, Source::Zefix, batch(json), service.now());
    ingested.await.expect("ingested")
}

/// All that the registry knows of the company.
async fn known(service: &Service) -> (Option<domain::Company>, Vec<sources::Fact>) {
    let uid: Uid = UID.parse().expect("a number");
    let registry = &service.cloud.registry;
    (registry.company(uid).await.expect("read"), registry.facts(uid).await.expect("read"))
}

#[tokio::test]
async fn a_record_goes_in_and_comes_out_with_its_source_and_date() {
    let service = Service::start().await;
    assert_eq!(read(&service, &record("Muster AG", "2026-03-24")).await.new, 1);
    service.publish().await;
    let company = service.get("/v1/companies/CHE600000012").await;
    assert_eq!((company.status, &company.body["name"]), (StatusCode::OK, &json!("Muster AG")));
    assert_eq!(company.body["sources"], json!([{ "source": "zefix", "date": "2026-03-24" }]));
    assert_eq!(service.get("/v1/companies?search=mutser").await.body["total"], 1);
}

#[tokio::test]
async fn a_file_that_comes_twice_changes_nothing() {
    let service = Service::start().await;
    let file = format!("[{}]", record("Muster AG", "2026-03-24"));
    let first = read(&service, &file).await;
    let before = known(&service).await;
    let again = read(&service, &file).await;
    assert_eq!((first.new, again.new, again.changed, again.unchanged), (1, 0, 0, 1));
    assert_eq!(known(&service).await, before);
}

#[tokio::test]
async fn a_file_that_names_a_record_twice_stores_it_once() {
    let service = Service::start().await;
    let record = record("Muster AG", "2026-03-24");
    let report = read(&service, &format!("[{record}, {record}]")).await;
    assert_eq!((report.read, report.new), (2, 1));
    assert_eq!(known(&service).await.1.len(), 1);
}

#[tokio::test]
async fn the_order_of_files_does_not_matter() {
    let (old, new) = (record("Alt AG", "2024-01-01"), record("Neu AG", "2026-01-01"));
    let (forward, backward, together) =
        (Service::start().await, Service::start().await, Service::start().await);
    read(&forward, &old).await;
    read(&forward, &new).await;
    read(&backward, &new).await;
    assert_eq!(
        read(&backward, &old).await.changed,
        1,
        "a late fact is kept, and folded in its place"
    );
    read(&together, &format!("[{new}, {old}]")).await;
    let known_forward = known(&forward).await;
    assert_eq!(known_forward, known(&backward).await);
    assert_eq!(known_forward, known(&together).await);
    assert_eq!(known_forward.0.expect("a record").name, "Neu AG");
}

#[tokio::test(flavor = "multi_thread")]
async fn ingests_side_by_side_lose_no_fact() {
    let service = std::sync::Arc::new(Service::start().await);
    let runs: Vec<_> = (1..=12)
        .map(|month| {
            let service = service.clone();
            let json = record(&format!("Firma {month} AG"), &format!("2026-{month:02}-01"));
            tokio::spawn(async move { read(&service, &json).await })
        })
        .collect();
    for run in runs {
        run.await.expect("ingested");
    }
    let (company, facts) = known(&service).await;
    assert_eq!(facts.len(), 12);
    assert_eq!(company.expect("a record").name, "Firma 12 AG");
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_kept_once_with_its_reason_and_the_others_go_in() {
    let service = Service::start().await;
    let bad = record("Muster AG", "2026-03-24").replace("\"ACTIVE\"", "\"SLEEPING\"");
    let file = format!("[{bad}, {}]", record("Muster AG", "2026-03-24"));
    for _ in 0..2 {
        let report = read(&service, &file).await;
        assert_eq!((report.read, report.quarantined), (2, 1));
    }
    let kept = service.cloud.objects.keys("quarantine/zefix/").await.expect("listed");
    assert_eq!(kept.len(), 1);
    let bytes = service.cloud.objects.get(&kept[0]).await.expect("read").expect("kept");
    let rejected: sources::Rejected = serde_json::from_slice(&bytes).expect("json");
    assert_eq!(rejected.record, bad);
    assert!(
        rejected.reason.starts_with("status: unknown variant `SLEEPING`"),
        "{}",
        rejected.reason
    );
    let status = service.cloud.registry.source_status(Source::Zefix).await.expect("read");
    assert_eq!((status.quarantined, status.stored), (1, 1));
    assert_eq!(status.newest_publication.map(|it| it.to_string()).as_deref(), Some("2026-03-24"));

    // By a day that is still to come, nothing would be asked for until then.
    assert_eq!(read(&service, &record("Morgen AG", "2062-03-24")).await.changed, 1);
    let later = service.cloud.registry.source_status(Source::Zefix).await.expect("read");
    assert_eq!(later.newest_publication, status.newest_publication);
}

#[tokio::test]
async fn a_preview_says_what_would_change_and_changes_nothing() {
    let service = Service::start().await;
    read(&service, &record("Alt AG", "2024-01-01")).await;
    let before = known(&service).await;
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let batch = batch(&record("Neu AG", "2026-01-01"));
    let preview =
        ingest::preview(registry, objects, Source::Zefix, batch, Timestamp::UNIX_EPOCH).await;
    let preview = preview.expect("compared");
    let (name, members) = preview.changes.values().next().expect("a change");
    assert_eq!((name.as_str(), preview.report.changed), ("Neu AG", 1));
    assert_eq!(members, &["name", "sources", "updatedAt"]);
    assert_eq!(known(&service).await, before);
}

#[tokio::test]
async fn a_company_is_new_when_its_record_first_appears() {
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
    // The acquirer is entered; of the other it is only known that it is taken over.
    assert_eq!((report.new, report.changed), (1, 1));
    assert_eq!((preview.new, preview.changed), (1, 1));
    assert_eq!(known(&service).await.0, None);
    let report = read(&service, &record("Muster AG", "2024-01-01")).await;
    assert_eq!((report.new, report.changed), (1, 0));
    let company = known(&service).await.0.expect("a record");
    assert_eq!(company.affiliations[0].uid, "CHE-600.000.029".parse().ok());
    assert_eq!(read(&service, &record("Muster AG", "2024-01-01")).await.unchanged, 1);
}

/// The real record, where the shared data lies beside the checkout.
#[tokio::test]
async fn the_official_example_is_found_with_the_members_it_has() {
    let Some(file) = shared_data("zefix/zefix_detail_response.json") else {
        println!("skipped: the shared data is not beside this checkout");
        return;
    };
    let service = Service::start().await;
    read(&service, &std::fs::read_to_string(file).expect("a file")).await;
    service.publish().await;
    for search in ["A1%20AUTO%20AG%20in%20Liquidation", "a1+auto", "a1+atuo", "CHE-107.251.578"] {
        let found = service.get(&format!("/v1/companies?search={search}")).await;
        assert_eq!(found.body["items"][0]["uid"], "CHE-107.251.578", "{search}");
    }
    let company = service.get("/v1/companies/CHE107251578").await;
    for (member, value) in [
        ("status", json!("BEING_CANCELLED")),
        ("shareCapital", json!(100_000)),
        ("legalForm", json!("Aktiengesellschaft")),
        ("addressZipCode", json!("6207")),
        ("ehraid", json!(437_580)),
        ("dataSource", json!("zefix")),
    ] {
        assert_eq!(company.body[member], value, "{member}");
    }
}

/// The authority's list of this day, with the companies of these numbers on it.
fn licensed(numbers: impl IntoIterator<Item = u32>, day: &str) -> Batch {
    let row = |it: u32| format!("Muster {it} AG,CHE{:09},Bank\n", 600_000_000 + it);
    let rows: String = numbers.into_iter().map(row).collect();
    let list =
        sources::read(Source::Finma, format!("Name,UID,AuthorisationTypeEN\n{rows}").as_bytes());
    list.expect("a table").dated(day.parse().ok())
}

async fn list(service: &Service, batch: Batch) -> Result<ingest::Report, ingest::Error> {
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    ingest::ingest(registry, objects, Source::Finma, batch, Timestamp::UNIX_EPOCH).await
}

/// Twenty companies whose numbers are valid.
fn numbers() -> Vec<u32> {
    let is_valid = |it: &u32| format!("CHE{:09}", 600_000_000 + it).parse::<Uid>().is_ok();
    (0..).filter(is_valid).take(20).collect()
}

/// Whether a company is licensed, and by which list it is known.
async fn licence(service: &Service, number: u32) -> (Option<bool>, Option<String>) {
    let uid: Uid = format!("CHE{:09}", 600_000_000 + number).parse().expect("a number");
    let company = service.cloud.registry.company(uid).await.expect("read").expect("a record");
    let source = company.sources.iter().find(|it| it.source == "finma");
    let day = source.and_then(|it| it.date).map(|it| it.to_string());
    (company.is_finma_regulated, day)
}

/// A service that has the records of these companies.
async fn registered(numbers: &[u32]) -> Service {
    let service = Service::start().await;
    for number in numbers {
        let record = record(&format!("Muster {number} AG"), "2024-01-01");
        let uid = format!("CHE{:09}", 600_000_000 + number);
        read(&service, &record.replace("CHE600000012", &uid)).await;
    }
    service
}

#[tokio::test]
async fn who_is_missing_from_the_next_list_has_lost_the_licence_whichever_list_comes_first() {
    let numbers = numbers();
    let gone = numbers[0];
    let lists = || {
        [
            licensed(numbers.clone(), "2026-01-04"),
            licensed(numbers[1..].to_vec(), "2026-01-11"),
            licensed(numbers[1..].to_vec(), "2026-01-18"),
        ]
    };
    for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0], [2, 0, 1]] {
        let service = registered(&numbers).await;
        let mut lists = lists().map(Some);
        for at in order {
            list(&service, lists[at].take().expect("once")).await.expect("ingested");
        }
        let (licensed, day) = licence(&service, gone).await;
        assert_eq!(licensed, Some(false), "{order:?}");
        assert!(day >= Some("2026-01-11".into()), "{order:?}: {day:?}");
        assert_eq!(licence(&service, numbers[1]).await.0, Some(true), "{order:?}");
    }
    let service = registered(&numbers).await;
    let [first, second, _] = lists();
    list(&service, first).await.expect("ingested");
    assert_eq!(licence(&service, gone).await, (Some(true), Some("2026-01-04".into())));
    list(&service, second).await.expect("ingested");
    assert_eq!(licence(&service, gone).await, (Some(false), Some("2026-01-11".into())));
    // And who comes back is licensed again, even if the list between came late.
    list(&service, licensed(numbers.clone(), "2026-01-25")).await.expect("ingested");
    list(&service, licensed(numbers[1..].to_vec(), "2026-01-20")).await.expect("ingested");
    assert_eq!(licence(&service, gone).await, (Some(true), Some("2026-01-25".into())));
}

#[tokio::test]
async fn a_list_that_lost_more_than_a_tenth_is_refused_until_an_operator_accepts_it() {
    let numbers = numbers();
    let service = registered(&numbers).await;
    list(&service, licensed(numbers.clone(), "2026-01-04")).await.expect("ingested");
    let less = || licensed(numbers[3..].to_vec(), "2026-01-11");
    let refused = list(&service, less()).await.expect_err("refused");
    assert_eq!(
        refused.to_string(),
        "finma shrank from 20 companies to 17: a part of it is missing"
    );
    assert_eq!(licence(&service, numbers[0]).await, (Some(true), Some("2026-01-04".into())));
    // Rows that cannot be read are no licences either.
    let mut broken = licensed(numbers[3..].to_vec(), "2026-01-11");
    let rejected = sources::Rejected { record: "?".into(), reason: "UID: is empty".into() };
    broken.rejected = vec![rejected; 3];
    list(&service, broken).await.expect_err("refused");

    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let now = Timestamp::UNIX_EPOCH;
    let preview = ingest::preview(registry, objects, Source::Finma, less(), now).await;
    let preview = preview.expect("compared");
    assert_eq!((preview.shrunk, preview.changes.len()), (Some((20, 17)), 3));
    let file =
        ingest::File { source: Source::Finma, batch: less(), key: None, accept_shrunk: true };
    ingest::ingest_file(registry, objects, file, now).await.expect("ingested");
    assert_eq!(licence(&service, numbers[0]).await, (Some(false), Some("2026-01-11".into())));
    // What was accepted is what the next is measured by.
    list(&service, licensed(numbers[3..].to_vec(), "2026-01-18")).await.expect("ingested");
}
