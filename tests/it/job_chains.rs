//! Chains of jobs: one does not fork if a job is killed, and Lambda's limit of calls ends none that has to be long.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use access::Tier;
use axum::{Router, extract::Query, routing::get};
use domain::{Source, Uid, lists::List};
use fetch::{Fetcher, Settings};
use ingest::{JobError, MAX_FILE_BYTES, Worker, locations};
use jobs::{Delivery, DeliveryJob, ExportJob, IngestJob, JobId, ListJob, Message, Queue};
use serde_json::{Value, json};
use sources::Page;
use tests::{Service, company, workers_by_hand::waiting};

use crate::{
    exports,
    list_updates::{SECO, Updated},
    localities::{DIRECTORY, FIRST},
    risk_changes::{self, MUSTER, bankruptcy},
};

/// Longer than a queue recognises a message that is sent again.
const AFTER_DEDUPLICATION: Duration = Duration::from_secs(301);

fn worker(service: &Service, sources: Router) -> Worker {
    let settings = Settings { contact: Some("gotthard@example.org".into()), ..Settings::default() };
    service.ingest_worker(Fetcher::with_service(settings, sources))
}

/// A feed of three pages, and how often each was fetched.
fn feed() -> (Router, Arc<Mutex<BTreeMap<u32, u32>>>) {
    let fetched: Arc<Mutex<BTreeMap<u32, u32>>> = Arc::default();
    let fetches = fetched.clone();
    let page = async move |Query(query): Query<BTreeMap<String, u32>>| {
        let page = query["page"];
        *fetches.lock().expect("not poisoned").entry(page).or_default() += 1;
        let mut feed = json!({
            "version": "https://jsonfeed.org/version/1.1", "title": "News", "items": [],
        });
        if page < 3 {
            feed["next_url"] = json!(format!("https://news.example/feed?page={}", page + 1));
        }
        feed.to_string()
    };
    (Router::new().route("/feed", get(page)), fetched)
}

/// The job of a message and its id, as a worker gets them.
fn job(delivery: &Delivery) -> (IngestJob, JobId) {
    let job = serde_json::from_str(&delivery.body).expect("a job");
    let deduplication_id = delivery.attributes.get("MessageDeduplicationId").map(String::as_str);
    (job, JobId::of_message(&delivery.id, deduplication_id))
}

#[tokio::test]
async fn a_job_killed_after_sending_its_successor_does_not_fork_the_chain() {
    let service = Service::start().await;
    let (sources, fetched) = feed();
    let worker = worker(&service, sources);
    let queue = &service.cloud.ingest_queue;
    let first = Page::News { address: "https://news.example/feed?page=1".to_owned(), number: 0 };
    queue.send(&IngestJob::FetchPage { page: first }).await.expect("sent");

    let delivery = queue.receive().await.expect("received").expect("the first job");
    let (page, id) = job(&delivery);
    worker.handle(page, id).await.expect("done");
    // The worker is killed before the message is deleted. It is delivered again, after more than five minutes.
    tokio::time::pause();
    tokio::time::advance(AFTER_DEDUPLICATION).await;
    tokio::time::resume();
    queue.retry_after(&delivery.receipt_handle, Duration::ZERO).await.expect("visible");

    while !fetched.lock().expect("not poisoned").contains_key(&3) {
        let delivery = queue.receive().await.expect("received").expect("a job");
        let (page, id) = job(&delivery);
        worker.handle(page, id).await.expect("done");
        queue.delete(&delivery.receipt_handle).await.expect("deleted");
    }
    let fetched = fetched.lock().expect("not poisoned").clone();
    assert_eq!(fetched, BTreeMap::from([(1, 2), (2, 1), (3, 1)]));
}

#[tokio::test]
async fn addresses_in_a_file_of_the_bucket_are_read_by_each_run_and_a_missing_file_stops_only_its_source()
 {
    let service = Service::start().await;
    let feeds = ["https://a.example/feed", "s3:settings/news-feeds.txt"].map(str::to_owned).into();
    let reports = vec!["s3:settings/reports.txt".to_owned()];
    let contact = Some("gotthard@example.org".into());
    let settings = Settings { contact, feeds, reports, ..Settings::default() };
    let worker = service.ingest_worker(Fetcher::with_service(settings, Router::new()));
    let queue = &service.cloud.ingest_queue;
    let sources = vec![Source::Reports, Source::News];
    let fetched = async |id: &str, last: Source| {
        let fetch = IngestJob::FetchSources { sources: sources.clone() };
        worker.handle(fetch, JobId::of_message(id, None)).await.expect("done");
        let jobs = waiting(queue, &IngestJob::Reprocess { source: last }).await;
        jobs.into_iter().map(|it| match it {
            IngestJob::FetchPage { page: Page::News { address, .. } } => address,
            other => panic!("{other:?}"),
        })
    };
    let objects = &service.cloud.objects;
    let file = "https://b.example/feed\nhttps://c.example/feed https://d.example/feed\n";
    objects.put("settings/news-feeds.txt", file).await.expect("stored");
    let all = ["a", "b", "c", "d"].map(|it| format!("https://{it}.example/feed"));
    assert!(fetched("first", Source::Shab).await.eq(all));
    let status = service.cloud.registry.source_status(Source::Reports).await.expect("read");
    let reason = "there is no object `settings/reports.txt`";
    assert_eq!(status.last_failure.as_deref(), Some(reason));
    objects.put("settings/news-feeds.txt", "https://e.example/feed").await.expect("stored");
    let fewer = ["a", "e"].map(|it| format!("https://{it}.example/feed"));
    assert!(fetched("second", Source::Six).await.eq(fewer));
}

#[tokio::test]
async fn a_job_of_the_screening_lists_that_is_sent_twice_runs_once() {
    let service = Service::start().await;
    let fetched: Arc<Mutex<u32>> = Arc::default();
    let fetches = fetched.clone();
    let source = Router::new().fallback(async move || {
        *fetches.lock().expect("not poisoned") += 1;
        SECO
    });
    let settings = Settings { contact: Some("gotthard@example.org".into()), ..Settings::default() };
    let worker = service.list_worker(Fetcher::with_service(settings, source));
    let queue = &service.cloud.lists_queue;
    queue.send(&ListJob::FetchLists { lists: vec![List::Seco] }).await.expect("sent");
    for _ in 0..2 {
        let delivery = queue.receive().await.expect("received").expect("a job");
        let job: ListJob = serde_json::from_str(&delivery.body).expect("a job");
        let deduplication_id = delivery.attributes.get("MessageDeduplicationId");
        let id = JobId::of_message(&delivery.id, deduplication_id.map(String::as_str));
        worker.handle(job.clone(), id.clone(), service.now()).await.expect("done");
        // The worker is killed before it can delete the message.
        worker.handle(job, id, service.now()).await.expect("done");
        queue.delete(&delivery.receipt_handle).await.expect("deleted");
    }
    assert_eq!(*fetched.lock().expect("not poisoned"), 1);
}

/// The job that imports a file of the commercial register.
fn import(key: &str) -> IngestJob {
    let (source, key) = (Source::Zefix, key.to_owned());
    IngestJob::ImportFile { source, key, offset: 0, accept_shrunk: false }
}

#[tokio::test]
async fn a_file_that_fits_in_no_memory_is_split_and_every_part_imported() {
    let service = Service::start().await;
    let worker = worker(&service, Router::new());
    // More bytes than a job reads at once, in few records.
    let uids = ["CHE-600.000.012", "CHE-600.000.026"];
    let purpose = "x".repeat(usize::try_from(MAX_FILE_BYTES).expect("64 bits") / 2);
    let record = |uid: &&str| json!({ "name": format!("Muster {uid} AG"), "uid": uid.replace(['-', '.'], ""), "canton": "ZH", "status": "ACTIVE", "sogcDate": "2026-03-24", "other": purpose });
    let records: Vec<Value> = uids.iter().map(record).collect();
    let file = Value::from(records).to_string();
    service.cloud.objects.put("incoming/register.json", file.into_bytes()).await.expect("put");
    let queue = &service.cloud.ingest_queue;
    queue.send(&import("incoming/register.json")).await.expect("sent");
    // The file and each of its parts.
    for _ in 0..=uids.len() {
        let delivery = queue.receive().await.expect("received").expect("a job");
        let (import, id) = job(&delivery);
        // Twice, as a queue may deliver it.
        worker.handle(import.clone(), id.clone()).await.expect("done");
        worker.handle(import, id).await.expect("done");
        queue.delete(&delivery.receipt_handle).await.expect("deleted");
    }
    for uid in uids {
        let company = service.get(&format!("/v1/companies/{uid}")).await;
        assert_eq!(company.body["name"], format!("Muster {uid} AG"), "{}", company.text);
    }
}

#[tokio::test]
async fn a_file_that_fits_in_no_memory_and_cannot_be_split_is_refused() {
    let service = Service::start().await;
    let worker = worker(&service, Router::new());
    let key = "incoming/register.json";
    let size = usize::try_from(MAX_FILE_BYTES).expect("64 bits") + 1;
    service.cloud.objects.put(key, vec![b' '; size]).await.expect("put");
    let refused = worker.handle(import(key), JobId::of_message("root", None)).await;
    let reason = "`incoming/register.json` has 67108865 bytes, more than 67108864, and cannot be split: \
                  only an array of JSON records can be split";
    assert!(matches!(refused, Err(JobError::Ingest(ingest::Error::TooLarge { .. }))));
    let status = service.get("/v1/sync/status").await;
    assert!(status.text.contains(reason), "{}", status.text);
}

/// Number of calls of a function in a chain after which Lambda ends it.
const MAX_CALLS: u32 = 16;

/// Runs the jobs of a queue as Lambda runs the function of the template with this name, until something holds. Returns the length of
/// the longest chain.
async fn run_as<T: Message, E: Into<lambda_runtime::Error>>(
    name: &'static str,
    queue: &Queue<T>,
    handler: impl AsyncFn(T, JobId) -> Result<(), E>,
    is_done: impl AsyncFn() -> bool,
) -> u32 {
    let longest = AtomicU32::new(0);
    let counted = async |job, id| {
        let chain = queue_worker::trace_header().expect("in a job");
        let calls = chain.rsplit(&format!("{name}:")).next().and_then(|it| it.parse().ok());
        longest.fetch_max(calls.expect("a number of calls"), SeqCst);
        handler(job, id).await
    };
    let done = async {
        let started = Instant::now();
        while !is_done().await {
            assert!(started.elapsed() < Duration::from_secs(30), "the chain has ended too early");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    queue_worker::poll(queue, local::template::function(name), counted, done).await;
    longest.into_inner()
}

/// The handler of `Ingest`, as after the pause between two pages.
fn ingesting(
    service: &Service,
    sources: &Router,
) -> impl AsyncFn(IngestJob, JobId) -> Result<(), JobError> {
    async move |job, id| worker(service, sources.clone()).handle(job, id).await
}

#[tokio::test]
async fn lambda_ends_the_chain_of_a_function_that_may_not_loop() {
    let service = Service::start().await;
    let queue = &service.cloud.ingest_queue;
    queue.send(&IngestJob::FetchLocalities).await.expect("sent");
    let calls = AtomicU32::new(0);
    let feeding = async |job: IngestJob, _| {
        calls.fetch_add(1, SeqCst);
        queue.send(&job).await
    };
    let function = queue_worker::Function { name: "Feeding", may_loop: false };
    let later = tokio::time::sleep(Duration::from_secs(2));
    queue_worker::poll(queue, function, feeding, later).await;
    assert_eq!(calls.into_inner(), MAX_CALLS);
}

#[tokio::test]
async fn all_pages_of_the_register_as_linked_data_are_fetched() {
    let service = Service::start().await;
    let pages = Arc::new(AtomicU32::new(0));
    let served = pages.clone();
    let source = Router::new().fallback(async move |query: String| {
        if query.contains("dateModified") {
            return json!({ "results": { "bindings": [] } }).to_string();
        }
        let number = served.fetch_add(1, SeqCst);
        let entity =
            json!({ "value": format!("https://register.ld.admin.ch/company/{number:03}") });
        let rows = (number < 20).then(|| json!({ "entity": entity }));
        json!({ "results": { "bindings": Vec::from_iter(rows) } }).to_string()
    });
    let queue = &service.cloud.ingest_queue;
    let page = Page::Lindas { after: None, day: None };
    queue.send(&IngestJob::FetchPage { page }).await.expect("sent");
    let all = async || pages.load(SeqCst) == 21;
    assert!(run_as("ingest", queue, ingesting(&service, &source), all).await > MAX_CALLS);
}

#[tokio::test]
async fn all_pages_of_gleif_are_fetched() {
    let service = Service::start().await;
    let pages = Arc::new(AtomicU32::new(0));
    let served = pages.clone();
    let source = Router::new().fallback(async move || {
        let number = served.fetch_add(1, SeqCst) + 1;
        let next = format!("https://api.gleif.org/api/v1/lei-records?page%5Bcursor%5D={number}");
        let next = (number < 20).then_some(next);
        json!({ "data": [{}], "links": { "next": next } }).to_string()
    });
    let queue = &service.cloud.ingest_queue;
    let page = Page::Gleif { address: None, number: 0 };
    queue.send(&IngestJob::FetchPage { page }).await.expect("sent");
    let all = async || pages.load(SeqCst) == 20;
    assert!(run_as("ingest", queue, ingesting(&service, &source), all).await > MAX_CALLS);
}

#[tokio::test]
async fn the_locations_of_all_companies_are_updated() {
    let service = Service::start().await;
    let uid = |it: u32| Uid::from_number(300_000_100 + it).expect("nine digits").to_string();
    let companies = (0..20).map(|it| company(&uid(it), "Muster AG")).collect();
    service.cloud.registry.put_companies(companies).await.expect("stored");
    let (objects, queue) = (&service.cloud.objects, &service.cloud.ingest_queue);
    locations::save(objects, DIRECTORY.as_bytes(), FIRST).await.expect("saved");
    let update = IngestJob::UpdateLocations { after: None, directory: None };
    queue.send(&update).await.expect("sent");
    let one_by_one = Worker { stored_per_job: 1, ..worker(&service, Router::new()) };
    let handler = async |job, id| one_by_one.handle(job, id).await;
    let all = async || !locations::is_update_needed(objects).await.expect("read");
    assert!(run_as("ingest", queue, handler, all).await > MAX_CALLS);
}

#[tokio::test]
async fn all_facts_of_a_file_are_stored() {
    let service = Service::start().await;
    let uids =
        (0..20).map(|it| Uid::from_number(300_000_100 + it).expect("nine digits").to_string());
    let records: Vec<Value> = uids.clone().map(|uid| {
        json!({ "name": "Muster AG", "uid": uid.replace(['-', '.'], ""), "canton": "ZH", "status": "ACTIVE", "sogcDate": "2026-03-24" })
    }).collect();
    let key = "incoming/register.json";
    service.cloud.objects.put(key, Value::from(records).to_string()).await.expect("put");
    let queue = &service.cloud.ingest_queue;
    queue.send(&import(key)).await.expect("sent");
    let one_by_one = Worker { stored_per_job: 1, ..worker(&service, Router::new()) };
    let handler = async |job, id| one_by_one.handle(job, id).await;
    let uids: Vec<Uid> = uids.map(|it| it.parse().expect("a UID")).collect();
    let registry = &service.cloud.registry;
    let all = async || {
        let stored =
            futures_util::future::join_all(uids.iter().map(|it| registry.company(*it))).await;
        stored.iter().all(|it| it.as_ref().expect("read").is_some())
    };
    assert!(run_as("ingest", queue, handler, all).await > MAX_CALLS);
}

#[tokio::test]
async fn all_subjects_and_companies_are_screened_after_an_update() {
    let service = Updated::start().await;
    let queue = &service.cloud.lists_queue;
    let [job] = &service.publish(SECO).await[..] else { panic!("one job") };
    queue.send(job).await.expect("sent");
    let handler = async |job, id| service.worker.handle(job, id, service.now()).await;
    let tenants = &service.cloud.tenants;
    let all = async || tenants.rescreened(List::Seco).await.expect("read").is_some();
    assert!(run_as("screening-updates", queue, handler, all).await > MAX_CALLS);
}

/// Those in `.ci/template.py` that send jobs to themselves, and need not be allowed to.
#[tokio::test]
async fn other_chains_are_short() {
    let service = risk_changes::service().await;
    let key = service.key(Tier::Professional).await;
    risk_changes::watch(&service, &key, MUSTER).await;
    risk_changes::publish(&service, [bankruptcy(MUSTER, 3)]).await;
    let queue = &service.cloud.delivery_queue;
    queue.send(&DeliveryJob::NotifyWatchers).await.expect("sent");
    let worker = service.delivery_worker();
    let handler = async |job, _| worker.handle(job).await;
    let compared = async || !risk_changes::risk_levels(&service, &key).await.is_empty();
    assert_eq!(run_as("delivery", queue, handler, compared).await, 2);

    let (service, key) = exports::service().await;
    let id = exports::id(&service.post_as(&key, exports::PATH, json!({ "maxRows": 2 })).await);
    let queue = &service.cloud.exports_queue;
    assert_eq!(waiting(queue, &ExportJob::Sweep).await.len(), 1, "lost");
    service.pass_seconds(61);
    queue.send(&ExportJob::Sweep).await.expect("sent");
    let worker = service.export_worker();
    let handler = async |job, _| worker.handle(job, service.now()).await;
    let written = async || exports::job(&service, &key, &id).await["status"] == "completed";
    assert_eq!(run_as("bulk-export", queue, handler, written).await, 2);
}
