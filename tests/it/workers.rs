//! What is sent to a queue is done: read, published and answered, however often it comes.

use std::{
    io::{Cursor, Write},
    ops::Deref,
    time::Duration,
};

use access::Tier;
use axum::{Router, extract::Query, http::StatusCode as Status, routing::get};
use fetch::{Fetcher, Settings};
use futures_util::FutureExt;
use http::StatusCode;
use jiff::{Timestamp, civil::date};
use jobs::{IndexJob, IngestJob};
use local::workers::Workers;
use publications::Publication;
use serde_json::{Value, json};
use sources::Page;
use statements::Source;
use tests::Service;
use tokio::sync::oneshot;

const UID: &str = "CHE-600.000.012";
/// How long is waited for what must happen in the end; it takes far less.
const PATIENCE: Duration = Duration::from_secs(60);

/// A service with its workers, who stop when it goes.
struct Working {
    service: Service,
    _stop: oneshot::Sender<()>,
}

impl Deref for Working {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

/// A service whose workers fetch from a router that plays the sources.
async fn working(sources: Router) -> Working {
    let service = Service::with([]).await;
    let settings = Settings { contact: Some("gotthard@example.org".into()), ..Settings::default() };
    let fetcher = Fetcher::over(settings, sources);
    let workers =
        Workers::new(&service.cloud, &service.generations, fetcher, service.downloads.path());
    let (stop, stopped) = oneshot::channel();
    workers.start(&service.cloud, stopped.map(drop).shared()).expect("workers");
    Working { service, _stop: stop }
}

/// What the service answers when it is as it should be.
async fn in_the_end(service: &Service, path: &str, is_due: impl Fn(&Value) -> bool) -> Value {
    let key = service.key(Tier::Enterprise).await;
    let begun = tokio::time::Instant::now();
    loop {
        service.generations.refresh().await.expect("opened");
        let answer = service.get_as(&key, path).await;
        if answer.status == StatusCode::OK && is_due(&answer.body) {
            return answer.body;
        }
        assert!(begun.elapsed() < PATIENCE, "{path} still says {}", answer.text);
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
async fn a_file_of_the_bucket_is_read_and_published_once_though_its_job_comes_twice() {
    let service = working(Router::new()).await;
    let record = record();
    let objects = &service.cloud.objects;
    objects.put("incoming/a.json", record.to_string().into_bytes()).await.expect("put");
    let twice = [file("incoming/a.json"), file("incoming/a.json")];
    service.cloud.ingest_queue.send_all(&twice).await.expect("sent");
    in_the_end(&service, "/v1/companies?search=muster", |it| it["total"] == 1).await;
    let uid = UID.parse().expect("a number");
    assert_eq!(service.cloud.registry.facts(uid).await.expect("read").len(), 1);
}

/// Jobs of another kind, of an older version, or no job at all.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_done_holds_up_nothing_else_and_its_reason_is_told() {
    let service = working(Router::new()).await;
    let record = record();
    let objects = &service.cloud.objects;
    objects.put("incoming/a.json", record.to_string().into_bytes()).await.expect("put");
    objects.put("incoming/b.json", b"no json".to_vec()).await.expect("put");
    let jobs = ["incoming/b.json", "incoming/nowhere.json", "incoming/a.json"].map(file);
    service.cloud.ingest_queue.send_all(&jobs).await.expect("sent");
    in_the_end(&service, "/v1/companies?search=muster", |it| it["total"] == 1).await;
    // A run that does what it is asked takes the reason back; so one more that does not.
    service.cloud.ingest_queue.send(&file("incoming/b.json")).await.expect("sent");
    let told = in_the_end(&service, "/v1/sync/status", |it| {
        it["pipelines"].to_string().contains("not a zefix file")
    });
    told.await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_could_not_be_read_is_read_again_when_it_is_asked_for() {
    let service = working(Router::new()).await;
    let figures = b"company,fiscalYear,employees\nMuster AG,2024,40\n".to_vec();
    let key = "incoming/reports/2026-03-02/figures".to_owned();
    service.cloud.objects.put(&key, figures).await.expect("put");
    let file =
        IngestJob::ImportFile { source: Source::Reports, key, offset: 0, accept_shrunk: false };
    service.cloud.ingest_queue.send(&file).await.expect("sent");
    let quarantined = async |count: u64| {
        in_the_end(&service, "/v1/sources/freshness", |it| {
            let sources = it["sources"].as_array();
            let reports = sources.and_then(|it| it.iter().find(|it| it["source"] == "reports"));
            reports.is_some_and(|it| it["quarantined"] == count && it["read"] != 0)
        })
        .await
    };
    quarantined(1).await;
    // The file asked for a generation: two publishers at once are one too many.
    in_the_end(&service, "/v1/companies/count", |it| it["count"] == 0).await;
    service.register([domain::Company::new(UID.parse().expect("a number"), "Muster AG")]).await;
    let again = IngestJob::Reprocess { source: Source::Reports };
    service.cloud.ingest_queue.send(&again).await.expect("sent");
    quarantined(0).await;
}

/// The portal, with more of two days than an answer holds.
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
async fn pages_of_a_source_are_fetched_to_the_last_kept_as_they_came_and_published() {
    let service = working(portal()).await;
    let page = Page::Shab { first: date(2026, 3, 2), last: date(2026, 3, 3), number: 0 };
    service.cloud.ingest_queue.send(&IngestJob::FetchPage { page }).await.expect("sent");
    let board = format!("/v1/persons/board-members/{UID}");
    let officers = in_the_end(&service, &board, |it| it.as_array().is_some_and(|it| it.len() == 2));
    let officers = officers.await;
    assert_eq!(officers[0]["source"]["source"], "shab", "{officers}");
    in_the_end(&service, "/v1/persons/search?q=beispiel", |it| it["total"] == 1).await;
    let kept = service.cloud.objects.keys("incoming/shab/").await.expect("listed");
    assert!(kept.len() >= 2, "{kept:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_asks_every_source_and_tells_of_those_that_refuse() {
    let list = "Name;UID;City;AuthorisationTypeEN\nMuster AG;CHE-600.000.012;Bern;Bank\n";
    let sources = Router::new()
        .route(
            "/en/~/media/finma/dokumente/bewilligungstraeger/csv/uid.csv",
            get(async move || list),
        )
        .fallback(async || Status::FORBIDDEN);
    let service = working(sources).await;
    service.register([domain::Company::new(UID.parse().expect("a number"), "Muster AG")]).await;
    let look =
        IngestJob::FetchSources { sources: vec![Source::Gleif, Source::Finma, Source::News] };
    service.cloud.ingest_queue.send(&look).await.expect("sent");
    let told = in_the_end(&service, "/v1/sync/status", |it| {
        let pipelines = it["pipelines"].as_array();
        let of = |name: &str| pipelines?.iter().find(|it| it["pipeline"] == name);
        let of = |name: &str, member: &str| of(name).is_some_and(|it| it[member].is_string());
        of("finma", "lastCompletedAt") && of("gleif", "lastFailure")
    });
    told.await;
}

/// An archive of one table, as the golden copy is.
fn archive(table: &str) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("table.csv", zip::write::SimpleFileOptions::default()).expect("a file");
    archive.write_all(table.as_bytes()).expect("written");
    archive.finish().expect("an archive").into_inner()
}

#[tokio::test(flavor = "multi_thread")]
async fn identifiers_lead_to_parents_and_securities() {
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
    let service = working(sources).await;
    let registered = |name: &str, uid: &str| json!({ "name": name, "uid": uid, "canton": "ZH", "status": "ACTIVE", "sogcDate": "2026-03-24" });
    let records =
        json!([registered("Muster AG", "CHE600000026"), registered("Andere AG", "CHE600000032")]);
    let objects = &service.cloud.objects;
    objects.put("incoming/a.json", records.to_string().into_bytes()).await.expect("put");
    service.cloud.ingest_queue.send(&file("incoming/a.json")).await.expect("sent");
    in_the_end(&service, "/v1/companies?search=andere", |it| it["total"] == 1).await;
    let look = IngestJob::FetchSources { sources: vec![Source::Gleif] };
    service.cloud.ingest_queue.send(&look).await.expect("sent");
    let company = in_the_end(&service, "/v1/companies/CHE-600.000.026", |it| {
        it["directParentLei"] == PARENT && it["isin"] == "CH0012032048"
    })
    .await;
    assert_eq!(company["lei"], CHILD);
    let path = format!("/v1/companies/{OTHER}/relationships");
    in_the_end(&service, &path, |it| it.to_string().contains("gleif_subsidiary")).await;

    // Had there been more relationships the time before, a part of the table would be missing.
    let before = json!({ "relationships": 10, "exceptions": 0, "isins": 1 }).to_string();
    objects.put("lists/gleif/counts.json", before.into_bytes()).await.expect("put");
    service.cloud.ingest_queue.send(&look).await.expect("sent");
    in_the_end(&service, "/v1/sync/status", |it| {
        it.to_string().contains("the relationships of GLEIF shrank from 10 rows to 1")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_that_ask_for_a_generation_each_gets_one_that_is_no_older_than_its_question() {
    let service = working(Router::new()).await;
    let before = generations::published(&service.cloud.objects).await.expect("read").expect("one");
    let asked_at = Timestamp::now();
    let many = vec![IndexJob::Publish { requested_at: asked_at }; 5];
    service.cloud.index_queue.send_all(&many).await.expect("sent");
    let published =
        async || generations::published(&service.cloud.objects).await.expect("read").expect("one");
    let begun = tokio::time::Instant::now();
    while published().await.built_at < asked_at {
        assert!(begun.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(published().await.id > before.id);
}

/// A generation that began well after the question answers it: nothing is built.
#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_a_later_generation_answers_builds_none() {
    let service = Service::with([]).await;
    let (registry, objects) = (service.cloud.registry.clone(), service.cloud.objects.clone());
    let indexer = indexer::Worker::new(registry, objects, service.downloads.path());
    let there = service.publish().await;
    let asked_at = there.built_at - jiff::SignedDuration::from_secs(60);
    indexer.handle(IndexJob::Publish { requested_at: asked_at }).await.expect("done");
    let current = generations::published(&service.cloud.objects).await.expect("read").expect("one");
    assert_eq!(current.id, there.id);
    indexer.handle(IndexJob::Publish { requested_at: there.built_at }).await.expect("done");
    let current = generations::published(&service.cloud.objects).await.expect("read").expect("one");
    assert!(
        current.id > there.id,
        "one that began in the same moment may lack what was stored in it"
    );
}
