//! Building generations: when one is needed, that no change of the feed is missing, and what is left out.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
};

use access::Tier;
use domain::{Source, Uid, history::Recorded};
use generations::Manifest;
use indexer::{Error, Worker};
use jiff::{SignedDuration, Timestamp};
use jobs::IndexJob;
use local::cloud::clients::dynamodb_client;
use serde_json::{Value, json};
use store::{Bulk, BulkItem, Registry, keys};
use tests::{
    Service, company,
    faults::{Fault, Faults},
};
use tokio::sync::Notify;
use tracing::subscriber::DefaultGuard;

use crate::{
    change_feed::follow,
    items::{Items, item},
    logs::Log,
    two_companies::{self, EINS, ingest},
};

fn uid(text: &str) -> Uid {
    text.parse().expect("a company number")
}

/// The log of this thread, on which a test runs.
fn log() -> (Log, DefaultGuard) {
    let log = Log::default();
    let subscriber = telemetry::log("tests", log.clone());
    (log, tracing::subscriber::set_default(subscriber))
}

/// How often a metric was counted.
fn counted(log: &Log, metric: &str) -> usize {
    log.lines().iter().filter(|it| it[metric] == 1).count()
}

async fn publish(service: &Service, registry: &Registry) -> Result<Manifest, Error> {
    let objects = &service.cloud.objects;
    let folder = service.downloads.path();
    indexer::publish(registry, objects, folder, service.now(), |_| ()).await
}

async fn current(service: &Service) -> String {
    let published = generations::published(&service.cloud.objects).await.expect("read");
    published.expect("a generation").id
}

/// A registry behind a proxy.
async fn proxied(service: &Service) -> (Registry, Faults) {
    let faults = Faults::before(&service.cloud.endpoints.dynamodb).await;
    let client = dynamodb_client(&faults.address);
    (Registry::named(client, &service.cloud.tables[0]), faults)
}

/// The changes that the generation lists, in the order of the feed.
async fn listed(service: &Service) -> Vec<Value> {
    let key = service.key(Tier::Enterprise).await;
    let list = service.get_as(&key, "/v1/changes?pageSize=100&includeInternal=true").await;
    let mut listed = list.body["items"].as_array().expect("items").clone();
    listed.sort_by_key(|it| it["sequence"].as_u64());
    listed
}

#[tokio::test]
async fn the_registry_is_scanned_consistently() {
    let service = Service::start().await;
    let (registry, faults) = proxied(&service).await;
    let scans = Arc::new(AtomicUsize::new(0));
    let inconsistent = Arc::new(AtomicBool::new(false));
    let (seen, wrong) = (scans.clone(), inconsistent.clone());
    faults.decide(move |operation, request| {
        if operation == "Scan" {
            seen.fetch_add(1, SeqCst);
            wrong.fetch_or(request["ConsistentRead"] != true, SeqCst);
        }
        None
    });
    publish(&service, &registry).await.expect("published");
    assert!(scans.load(SeqCst) > 0 && !inconsistent.load(SeqCst));
}

#[tokio::test]
async fn a_generation_without_a_change_of_the_feed_is_refused_and_the_retry_succeeds() {
    let (log, _guard) = log();
    let service = Service::start().await;
    let publications = two_companies::publications();
    service.ingest_publications(publications[..2].to_vec()).await;
    let (items, cloud) = (Items::of(&service), &service.cloud);
    let history = keys::history(uid(EINS));
    let stale = items.get(&history).await;
    ingest(&cloud.registry, cloud, &publications[2..]).await.expect("ingested");
    let newest = items.get(&history).await;

    // The scan returns the history as it was before the last publications.
    items.put(stale).await;
    let before = current(&service).await;
    let refused = publish(&service, &cloud.registry).await;
    assert!(matches!(refused, Err(Error::MissingChanges { .. })), "{refused:?}");
    assert_eq!(current(&service).await, before, "the previous generation is still served");
    assert_eq!(counted(&log, "GenerationRefused"), 1);

    items.put(newest).await;
    service.publish().await;
    assert_eq!(follow(&service, "", 100, None).await, listed(&service).await);
}

/// A company with a history of three parts, in a service of its own.
struct LongHistory {
    service: Service,
    uid: Uid,
    stored: Vec<BulkItem>,
}

/// Makes the history of Eins AG in this service long.
async fn long_history(service: &Service) -> LongHistory {
    let registry = &service.cloud.registry;
    let (eins, mut history) =
        registry.company_with_history(uid(EINS)).await.expect("read").expect("a company");
    let template = history.events[0].event.clone();
    history.replaced.clear();
    history.events = (0..3)
        .map(|it| {
            let mut event = template.clone();
            event.id = uuid::Uuid::from_u128(it);
            event.summary = "x".repeat(380_000);
            Recorded::from(event)
        })
        .collect();
    let service = Service::over(tests::cloud().await).await;
    let items = Items::of(&service);
    let mut bulk = Bulk::new(service.now());
    let stored = bulk.company(&eins, &mut history, &[]).expect("items");
    let (feed, last) = bulk.finish().expect("items");
    for it in stored.iter().chain(&feed) {
        items.put(item(it)).await;
    }
    assert_eq!(last, 3);
    LongHistory { service, uid: eins.uid, stored }
}

/// The item of one part of the events.
fn part_of(stored: &[BulkItem], uid: Uid, part: usize) -> &BulkItem {
    let key = keys::history_part(uid, "EVENTS", part);
    stored.iter().find(|it| it.key == key).expect("a part")
}

#[tokio::test]
async fn a_company_whose_history_has_a_wrong_part_is_left_out_and_its_changes_remain() {
    let (log, _guard) = log();
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    let LongHistory { service, uid, stored } = long_history(&service).await;
    let mut wrong = part_of(&stored, uid, 1).clone();
    wrong.revision = Some(2);
    Items::of(&service).put(item(&wrong)).await;
    let manifest = service.publish().await;
    assert_eq!((manifest.companies, manifest.left_out, manifest.as_of_sequence), (0, 1, 3));
    assert!(counted(&log, "UnreadableRecord") >= 1);
}

#[tokio::test]
async fn a_history_that_was_replaced_during_the_scan_is_read_again() {
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    let LongHistory { service, uid, stored } = long_history(&service).await;
    let items = Items::of(&service);
    let [second, third] = [1, 2].map(|it| part_of(&stored, uid, it));

    // The scan reads the second part after a writer has replaced it, with the first part still being the old one.
    let mut newer = third.clone();
    (newer.key, newer.revision) = (second.key.clone(), Some(2));
    items.put(item(&newer)).await;
    let (registry, faults) = proxied(&service).await;
    let read_again = Arc::new(Notify::new());
    let noticed = read_again.clone();
    faults.decide(move |operation, request| {
        if operation == "Query" && request.to_string().contains("HISTORY#") {
            noticed.notify_one();
        }
        None
    });
    let restore = async {
        read_again.notified().await;
        items.put(item(second)).await;
        std::future::pending::<()>().await;
    };
    let published = tokio::select! {
        published = publish(&service, &registry) => published,
        () = restore => unreachable!("it waits for ever"),
    };
    assert_eq!(published.expect("published").as_of_sequence, 3);
}

#[tokio::test]
async fn a_company_that_cannot_be_decoded_is_left_out_and_its_changes_remain() {
    let (log, _guard) = log();
    let service = Service::start().await;
    let publications = two_companies::publications();
    service.ingest_publications(publications[..4].to_vec()).await;
    let (items, cloud) = (Items::of(&service), &service.cloud);
    let quarantined = async || cloud.objects.keys("quarantine/registry/").await.expect("listed");
    let feed = follow(&service, "", 100, None).await;
    let statistics = service.get("/v1/changes/statistics").await.body;

    let whole = items.damage(&keys::history(uid(EINS))).await;
    // The company also waits for the publication of events, which must not block the others.
    let document = json!({ "uid": EINS }).to_string();
    let waiting = BulkItem { key: keys::outbox(uid(EINS)), document, revision: None };
    items.put(item(&waiting)).await;
    items.damage(&waiting.key).await;
    ingest(&cloud.registry, cloud, &publications[4..]).await.expect("ingested");
    let manifest = service.publish().await;
    assert_eq!((manifest.companies, manifest.left_out), (1, 1));
    let newer = follow(&service, "", 100, None).await;
    assert_eq!(newer[..feed.len()], feed);
    assert!(newer.len() > feed.len(), "the other company's events are published");
    assert_eq!(listed(&service).await, newer);
    let names = service.get("/v1/companies").await;
    assert_eq!((names.names(), &names.body["total"]), (vec!["Zwei AG"], &json!(1)));
    let freshness = service.get("/v1/sources/freshness").await;
    assert_eq!(freshness.body["generation"]["companiesLeftOut"], 1);
    assert!(counted(&log, "UnreadableRecord") >= 1);
    let keys = quarantined().await;
    assert_eq!(keys, [format!("quarantine/registry/{EINS}.json")]);
    let reason = cloud.objects.get(&keys[0]).await.expect("read").expect("an object");
    let reason: Value = serde_json::from_slice(&reason).expect("json");
    assert!(reason["reason"].as_str().is_some_and(|it| it.contains("EOF")), "{reason}");

    items.put(whole).await;
    let manifest = service.publish().await;
    assert_eq!((manifest.companies, manifest.left_out), (2, 0));
    assert!(quarantined().await.is_empty());
    let total = |statistics: &Value| statistics["totalChanges"].as_u64().expect("a number");
    let after = service.get("/v1/changes/statistics").await.body;
    assert_eq!(total(&after), total(&statistics) + (newer.len() - feed.len()) as u64);
}

#[tokio::test]
async fn a_generation_that_would_leave_out_many_companies_is_refused() {
    let (log, _guard) = log();
    let companies: Vec<_> =
        (0..30).map(|it| company(&format!("CHE-600.000.{it:03}"), "Muster AG")).collect();
    let service = Service::with(companies.clone()).await;
    let items = Items::of(&service);
    let before = current(&service).await;
    for (damaged, it) in companies.iter().enumerate().take(11) {
        items.damage(&keys::company(it.uid)).await;
        let published = publish(&service, &service.cloud.registry).await;
        if damaged < 10 {
            assert_eq!(published.expect("published").left_out, damaged as u64 + 1);
        } else {
            let Err(Error::TooManyUnreadable { left_out, companies, .. }) = published else {
                panic!("{published:?}");
            };
            assert_eq!((left_out, companies), (11, 30));
        }
    }
    let manifest = generations::published(&service.cloud.objects).await.expect("read");
    let manifest = manifest.expect("a generation");
    assert!(manifest.id > before);
    assert_eq!((manifest.companies, manifest.left_out), (20, 10));
    assert_eq!(counted(&log, "GenerationRefused"), 1);
}

#[tokio::test]
async fn a_generation_is_published_only_if_companies_have_changed() {
    let service = Service::start().await;
    let Service { cloud, .. } = &service;
    let (registry, objects) = (&cloud.registry, &cloud.objects);
    let indexer = Worker::new(registry.clone(), objects.clone(), service.downloads.path());
    // Whether the hourly job has published a generation.
    let publishes = async || {
        let before = current(&service).await;
        indexer.handle(IndexJob::PublishChanges).await.expect("done");
        current(&service).await != before
    };
    assert!(!publishes().await, "nothing has changed");
    let publications = two_companies::publications();
    ingest(registry, cloud, &publications[..2]).await.expect("ingested");
    assert!(publishes().await);
    assert!(!publishes().await, "nothing has changed since");
    ingest(registry, cloud, &publications[..2]).await.expect("ingested");
    assert!(!publishes().await, "the file was known");

    // The ingest is interrupted after it has stored a fact. Its repetition finds nothing new.
    let (broken, faults) = proxied(&service).await;
    let mut is_stored = false;
    faults.decide(move |operation, request| {
        if is_stored {
            return Some(Fault::Down);
        }
        is_stored = operation == "TransactWriteItems" && request.to_string().contains("FACT#");
        None
    });
    let interrupted = ingest(&broken, cloud, &publications[2..3]).await;
    interrupted.expect_err("interrupted");
    let batch = tests::read_publications(&publications[2..3]);
    let report = service.ingest(Source::Shab, batch).await;
    assert_eq!((report.new, report.changed), (0, 0));
    assert!(publishes().await);
    assert!(!publishes().await);

    // The ingest is interrupted and never repeated.
    #[expect(clippy::disallowed_methods, reason = "the indexer compares it with its own clock")]
    let now = Timestamp::now();
    registry.start_run(Source::Gleif.name(), now).await.expect("started");
    assert!(!publishes().await, "the run may still be going on");
    let long_ago = now - SignedDuration::from_hours(1);
    registry.start_run(Source::Lindas.name(), long_ago).await.expect("started");
    assert!(publishes().await);
    assert!(!publishes().await);
}
