//! Jobs sent to the queues are run by the workers: pages are fetched, files ingested, generations published.

use std::{
    io::{Cursor, Write},
    ops::Deref,
    time::Duration,
};

use access::Tier;
use axum::{Router, extract::Query, http::StatusCode as Status, response::Redirect, routing::get};
use domain::Source;
use fetch::{Fetcher, Settings};
use futures_util::FutureExt;
use http::StatusCode;
use jiff::{Timestamp, civil::date};
use jobs::{IndexJob, IngestJob};
use local::workers;
use publications::Publication;
use serde_json::{Value, json};
use sources::Page;
use tests::Service;
use tokio::sync::oneshot;

const UID: &str = "CHE-600.000.012";
/// Maximum time to wait for a result.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A service with its workers. Dropping it stops them.
struct ServiceWithWorkers {
    service: Service,
    _stop: oneshot::Sender<()>,
}

impl Deref for ServiceWithWorkers {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

/// A service whose workers fetch from this router instead of the real sources.
async fn start(sources: Router) -> ServiceWithWorkers {
    let service = Service::with([]).await;
    let settings = Settings { contact: Some("gotthard@example.org".into()), ..Settings::default() };
    let fetcher = Fetcher::with_service(settings, sources);
    let components = service.components.clone().with(fetcher);
    let components = workers::components(components, service.downloads.path());
    let (stop, stopped) = oneshot::channel();
    workers::start(&components, stopped.map(drop).shared()).expect("workers");
    ServiceWithWorkers { service, _stop: stop }
}

/// Repeats a request until its answer has the expected body.
async fn eventually(service: &Service, path: &str, is_expected: impl Fn(&Value) -> bool) -> Value {
    let key = service.key(Tier::Enterprise).await;
    let started = tokio::time::Instant::now();
    loop {
        service.generations.refresh().await.expect("opened");
        let answer = service.get_as(&key, path).await;
        if answer.status == StatusCode::OK && is_expected(&answer.body) {
            return answer.body;
        }
        assert!(started.elapsed() < TIMEOUT, "{path} still answers {}", answer.text);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn record() -> Value {
    json!({
        "name": "Muster AG", "uid": "CHE600000012", "canton": "ZH", "status": "ACTIVE",
        "sogcDate": "2026-03-24",
    })
}

fn file(key: &str) -> IngestJob {
    IngestJob::ImportFile {
        source: Source::Zefix,
        key: key.to_owned(),
        offset: 0,
        accept_shrunk: false,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_ingested_once_even_if_its_job_is_sent_twice() {
    let service = start(Router::new()).await;
    let record = record();
    let objects = &service.cloud.objects;
    objects.put("incoming/a.json", record.to_string().into_bytes()).await.expect("put");
    let twice = [file("incoming/a.json"), file("incoming/a.json")];
    service.cloud.ingest_queue.send_all(&twice).await.expect("sent");
    eventually(&service, "/v1/companies?search=muster", |it| it["total"] == 1).await;
    let uid = UID.parse().expect("a number");
    assert_eq!(service.cloud.registry.facts(uid).await.expect("read").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_job_does_not_block_other_sources_and_its_reason_is_in_the_status() {
    let service = start(Router::new()).await;
    let objects = &service.cloud.objects;
    objects.put("incoming/a.json", record().to_string().into_bytes()).await.expect("put");
    objects.put("incoming/b.json", b"no json".to_vec()).await.expect("put");
    let unreadable = IngestJob::ImportFile {
        source: Source::Gleif,
        key: "incoming/b.json".to_owned(),
        offset: 0,
        accept_shrunk: false,
    };
    let jobs = [unreadable, file("incoming/a.json")];
    service.cloud.ingest_queue.send_all(&jobs).await.expect("sent");
    eventually(&service, "/v1/companies?search=muster", |it| it["total"] == 1).await;
    let status = eventually(&service, "/v1/sync/status", |it| {
        it["pipelines"].to_string().contains("not a gleif file")
    });
    status.await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_job_is_retried_within_seconds() {
    let service = start(Router::new()).await;
    service.cloud.ingest_queue.send(&file("incoming/late.json")).await.expect("sent");
    eventually(&service, "/v1/sync/status", |it| {
        it["pipelines"].to_string().contains("there is no object `incoming/late.json`")
    })
    .await;
    let objects = &service.cloud.objects;
    objects.put("incoming/late.json", record().to_string().into_bytes()).await.expect("put");
    eventually(&service, "/v1/companies?search=muster", |it| it["total"] == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quarantined_records_are_read_again_by_a_reprocess_job() {
    let service = start(Router::new()).await;
    let figures = b"company,fiscalYear,employees\nMuster AG,2024,40\n".to_vec();
    let key = "incoming/reports/2026-03-02/figures".to_owned();
    service.cloud.objects.put(&key, figures).await.expect("put");
    let file =
        IngestJob::ImportFile { source: Source::Reports, key, offset: 0, accept_shrunk: false };
    service.cloud.ingest_queue.send(&file).await.expect("sent");
    let quarantined = async |count: u64| {
        eventually(&service, "/v1/sources/freshness", |it| {
            let sources = it["sources"].as_array();
            let reports = sources.and_then(|it| it.iter().find(|it| it["source"] == "reports"));
            reports.is_some_and(|it| it["quarantined"] == count && it["read"] != 0)
        })
        .await
    };
    quarantined(1).await;
    // Waits for the generation that the first job requested: the test publishes the next one itself.
    eventually(&service, "/v1/companies/count", |it| it["count"] == 0).await;
    service.register([domain::Company::new(UID.parse().expect("a number"), "Muster AG")]).await;
    let reprocess = IngestJob::Reprocess { source: Source::Reports };
    service.cloud.ingest_queue.send(&reprocess).await.expect("sent");
    quarantined(0).await;
}

/// The gazette's portal. It has more publications for two days than one page may contain.
fn portal() -> Router {
    const BOARD: &str = "Musterfrau, Regula, von Bern, in Bern, Mitglied des Verwaltungsrates, \
                         mit Einzelunterschrift";
    let publications = async |Query(query): Query<std::collections::BTreeMap<String, String>>| {
        let days = (query["publicationDate.start"].as_str(), query["publicationDate.end"].as_str());
        let (total, content) = match days {
            ("2026-03-02", "2026-03-02") => {
                let text = format!("Eingetragene Personen: {BOARD}.");
                let registration = Publication::registration(UID, "Muster AG");
                (1, vec![registration.number(1_000_000_001).on("2026-03-02").text(&text).json()])
            }
            ("2026-03-03", "2026-03-03") => {
                let mutation = Publication::mutation(UID, "Muster AG")
                    .number(1_000_000_002)
                    .on("2026-03-03")
                    .persons_entered("Beispiel, Urs, von Chur, in Thun, mit Einzelprokura");
                (1, vec![mutation.json()])
            }
            _ => (4_000, Vec::new()),
        };
        axum::Json(json!({ "content": content, "total": total, "pageRequest": {} }))
    };
    Router::new().route("/api/v1/publications", get(publications))
}

#[tokio::test(flavor = "multi_thread")]
async fn all_pages_of_a_source_are_fetched_saved_and_published() {
    let service = start(portal()).await;
    let page = Page::Shab { first: date(2026, 3, 2), last: date(2026, 3, 3), number: 0 };
    service.cloud.ingest_queue.send(&IngestJob::FetchPage { page }).await.expect("sent");
    let board = format!("/v1/persons/board-members/{UID}");
    let officers = eventually(&service, &board, |it| it.as_array().is_some_and(|it| it.len() == 2));
    let officers = officers.await;
    assert_eq!(officers[0]["source"]["source"], "shab", "{officers}");
    eventually(&service, "/v1/persons/search?q=beispiel", |it| it["total"] == 1).await;
    let kept = service.cloud.objects.keys("incoming/shab/").await.expect("listed");
    assert!(kept.len() >= 2, "{kept:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fetch_of_several_sources_reports_those_that_refuse() {
    let list = "Name;UID;City;AuthorisationTypeEN\nMuster AG;CHE-600.000.012;Bern;Bank\n";
    let sources = Router::new()
        .route(
            "/en/~/media/finma/dokumente/bewilligungstraeger/csv/uid.csv",
            get(async move || list),
        )
        .fallback(async || Status::FORBIDDEN);
    let service = start(sources).await;
    service.register([domain::Company::new(UID.parse().expect("a number"), "Muster AG")]).await;
    let fetch =
        IngestJob::FetchSources { sources: vec![Source::Gleif, Source::Finma, Source::News] };
    service.cloud.ingest_queue.send(&fetch).await.expect("sent");
    let status = eventually(&service, "/v1/sync/status", |it| {
        let pipelines = it["pipelines"].as_array();
        let of = |name: &str| pipelines?.iter().find(|it| it["pipeline"] == name);
        let of = |name: &str, member: &str| of(name).is_some_and(|it| it[member].is_string());
        of("finma", "lastCompletedAt") && of("gleif", "lastFailure")
    });
    status.await;
}

#[tokio::test(flavor = "multi_thread")]
async fn public_status_of_a_source_does_not_contain_the_query_of_its_address() {
    let sources = Router::new()
        .route(
            "/en/~/media/finma/dokumente/bewilligungstraeger/csv/uid.csv",
            get(async || Redirect::temporary("https://files.example/list.csv?Signature=geheim#s")),
        )
        .fallback(async || Status::FORBIDDEN);
    let service = start(sources).await;
    let page = Page::Finma;
    service.cloud.ingest_queue.send(&IngestJob::FetchPage { page }).await.expect("sent");
    let status = eventually(&service, "/v1/sync/status", |it| it.to_string().contains("responded"));
    let status = status.await.to_string();
    assert!(
        status.contains("finma responded to `https://files.example/list.csv` with 403"),
        "{status}"
    );
    let freshness = service.get("/v1/sources/freshness").await.text;
    for text in [status, freshness] {
        assert!(!text.contains("geheim"), "{text}");
    }
}

/// A zip archive of one table, as GLEIF publishes its tables.
fn archive(table: &str) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("table.csv", zip::write::SimpleFileOptions::default()).expect("a file");
    archive.write_all(table.as_bytes()).expect("written");
    archive.finish().expect("an archive").into_inner()
}

#[tokio::test(flavor = "multi_thread")]
async fn relationships_and_securities_are_fetched_after_the_identifiers() {
    const OTHER: &str = "CHE-600.000.032";
    const CHILD: &str = "999900MUSTERAGCH0008";
    const PARENT: &str = "999900SUBSIDIARY0002";
    let record = |lei: &str, name: &str, number: &str| {
        json!({ "type": "lei-records", "id": lei, "attributes": { "lei": lei,
            "entity": { "legalName": { "name": name }, "registeredAt": { "id": "RA000549" },
                "registeredAs": number, "status": "ACTIVE" },
            "registration": { "lastUpdateDate": "2026-02-03T10:00:00Z", "status": "ISSUED" } } })
    };
    let answer = json!({ "data": [
        record(CHILD, "Muster AG", "CHE-600.000.026"), record(PARENT, "Andere AG", OTHER)] });
    let relationships = format!(
        "Relationship.StartNode.NodeID,Relationship.EndNode.NodeID,Relationship.RelationshipType,\
         Relationship.RelationshipStatus\n{CHILD},{PARENT},IS_DIRECTLY_CONSOLIDATED_BY,ACTIVE\n"
    );
    let tables = [
        ("/api/v2/golden-copies/publishes/rr/latest.csv", relationships),
        ("/api/v2/golden-copies/publishes/repex/latest.csv", "LEI,Exception.Category\n".to_owned()),
        ("/api/v2/isin-lei/latest/download", format!("LEI,ISIN\n{CHILD},CH0012032048\n")),
    ];
    let mut sources =
        Router::new().route("/api/v1/lei-records", get(async move || answer.to_string()));
    for (path, table) in tables {
        sources = sources.route(path, get(async move || archive(&table)));
    }
    let service = start(sources).await;
    let registered = |name: &str, uid: &str| json!({ "name": name, "uid": uid, "canton": "ZH", "status": "ACTIVE", "sogcDate": "2026-03-24" });
    let records =
        json!([registered("Muster AG", "CHE600000026"), registered("Andere AG", "CHE600000032")]);
    let objects = &service.cloud.objects;
    objects.put("incoming/a.json", records.to_string().into_bytes()).await.expect("put");
    service.cloud.ingest_queue.send(&file("incoming/a.json")).await.expect("sent");
    eventually(&service, "/v1/companies?search=andere", |it| it["total"] == 1).await;
    let fetch = IngestJob::FetchSources { sources: vec![Source::Gleif] };
    service.cloud.ingest_queue.send(&fetch).await.expect("sent");
    let company = eventually(&service, "/v1/companies/CHE-600.000.026", |it| {
        it["directParentLei"] == PARENT && it["isin"] == "CH0012032048"
    })
    .await;
    assert_eq!(company["lei"], CHILD);
    let path = format!("/v1/companies/{OTHER}/relationships");
    eventually(&service, &path, |it| it.to_string().contains("gleif_subsidiary")).await;

    // Pretends that the previous table had more rows, so that the new one is refused as incomplete.
    let before = json!({ "relationships": 10, "exceptions": 0, "isins": 1 }).to_string();
    objects.put("lists/gleif/counts.json", before.into_bytes()).await.expect("put");
    service.cloud.ingest_queue.send(&fetch).await.expect("sent");
    eventually(&service, "/v1/sync/status", |it| {
        it.to_string().contains("the relationships of GLEIF shrank from 10 rows to 1")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_publish_job_leads_to_a_generation_that_is_newer_than_the_request() {
    let service = start(Router::new()).await;
    let before = generations::published(&service.cloud.objects).await.expect("read").expect("one");
    #[expect(
        clippy::disallowed_methods,
        reason = "the indexer compares this time with its own clock"
    )]
    let requested_at = Timestamp::now();
    let many = vec![IndexJob::Publish { requested_at }; 5];
    service.cloud.index_queue.send_all(&many).await.expect("sent");
    let published =
        async || generations::published(&service.cloud.objects).await.expect("read").expect("one");
    let started = tokio::time::Instant::now();
    while published().await.built_at < requested_at {
        assert!(started.elapsed() < TIMEOUT);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(published().await.id > before.id);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_publish_job_does_nothing_if_a_newer_generation_exists() {
    let service = Service::with([]).await;
    let (registry, objects) = (service.cloud.registry.clone(), service.cloud.objects.clone());
    let indexer = indexer::Worker::new(registry, objects, service.downloads.path());
    let first = service.publish().await;
    let requested_at = first.built_at - jiff::SignedDuration::from_secs(60);
    indexer.handle(IndexJob::Publish { requested_at }).await.expect("done");
    let current = generations::published(&service.cloud.objects).await.expect("read").expect("one");
    assert_eq!(current.id, first.id);
    indexer.handle(IndexJob::Publish { requested_at: first.built_at }).await.expect("done");
    let current = generations::published(&service.cloud.objects).await.expect("read").expect("one");
    assert!(
        current.id > first.id,
        "a generation started at the moment of the request may lack facts stored before it"
    );
}
