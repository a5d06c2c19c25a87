//! A job that was sent twice by a job that was killed runs once, so that a chain of jobs does not fork.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{Router, extract::Query, routing::get};
use domain::lists::List;
use fetch::{Fetcher, Settings};
use ingest::{JobError, MAX_FILE_BYTES, Worker};
use jobs::{Delivery, IngestJob, JobId, ListJob};
use serde_json::{Value, json};
use sources::Page;
use statements::Source;
use tests::Service;

use crate::list_updates::SECO;

/// Longer than a queue recognises a message that is sent again.
const AFTER_DEDUPLICATION: Duration = Duration::from_secs(301);

fn worker(service: &Service, sources: Router) -> Worker {
    let settings = Settings { contact: Some("gotthard@example.org".into()), ..Settings::default() };
    Worker {
        registry: service.cloud.registry.clone(),
        objects: service.cloud.objects.clone(),
        generations: service.generations.clone(),
        fetcher: Fetcher::with_service(settings, sources),
        jobs: service.cloud.ingest_queue.clone(),
    }
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
