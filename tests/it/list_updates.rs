//! A service whose screening lists a test updates, and of what its teams are notified.

use std::{
    ops::Deref,
    sync::atomic::{AtomicUsize, Ordering},
};

use axum::Router;
use fetch::{Fetcher, Settings};
use http::StatusCode;
use jobs::{JobId, ListJob};
use serde_json::{Value, json};
use sources::lists::ListFormat;
use tests::{Answer, Service, workers_by_hand::waiting};

pub(crate) const SECO: &str = include_str!("../../shared/rules/sources/fixtures/lists/seco.xml");
pub(crate) const SUBJECTS: &str = "/v1/screening/subjects";
/// Nobody on the invented lists has a similar name.
pub(crate) const NAME: &str = "Aurelio Zapletal";
pub(crate) const ENTRY: &str = "seco:96005";

/// A service with the worker that updates lists.
pub(crate) struct Updated {
    pub(crate) service: Service,
    pub(crate) worker: screening_updates::Worker,
    messages: AtomicUsize,
}

impl Deref for Updated {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

impl Updated {
    pub(crate) async fn start() -> Self {
        let service = Service::start().await;
        service.publish_lists().await;
        let fetcher = Fetcher::with_service(Settings::default(), Router::new());
        let worker = service.list_worker(fetcher);
        Self { service, worker, messages: AtomicUsize::new(0) }
    }

    /// The id of another message.
    pub(crate) fn message(&self) -> JobId {
        let number = self.messages.fetch_add(1, Ordering::Relaxed);
        JobId::of_message(&format!("message-{number}"), None)
    }

    /// Publishes a list of SECO, and returns the first job of the re-screening.
    pub(crate) async fn publish(&self, text: &str) -> Vec<ListJob> {
        let key = "screening/files/seco.xml".to_owned();
        self.cloud.objects.put(&key, text.to_owned()).await.expect("stored");
        let format = ListFormat::Seco;
        let job = ListJob::ImportList { format, key, accept_shrunk: true };
        self.worker.handle(job, self.message(), self.now()).await.expect("published");
        self.waiting().await
    }

    pub(crate) async fn waiting(&self) -> Vec<ListJob> {
        waiting(&self.cloud.lists_queue, &ListJob::FetchLists { lists: Vec::new() }).await
    }

    /// Publishes a list of SECO and screens again. Every job is delivered twice.
    pub(crate) async fn update(&self, text: &str) {
        let jobs = self.publish(text).await;
        assert_eq!(self.run_all(jobs).await, Vec::new());
    }

    /// Runs jobs and those that they send, each delivered twice. Returns those that fail.
    pub(crate) async fn run_all(&self, mut jobs: Vec<ListJob>) -> Vec<ListJob> {
        let mut failed = Vec::new();
        while !jobs.is_empty() {
            for job in jobs {
                let id = self.message();
                for _ in 0..2 {
                    let done = self.worker.handle(job.clone(), id.clone(), self.now()).await;
                    if done.is_err() && !failed.contains(&job) {
                        failed.push(job.clone());
                    }
                }
            }
            jobs = self.waiting().await;
        }
        failed
    }

    pub(crate) async fn monitor(&self, key: &str, name: &str) -> Answer {
        let body = json!({ "name": name, "monitor": true });
        let answer = self.post_as(key, "/v1/screening", body).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        answer
    }

    /// The team's notifications of hits, newest first.
    pub(crate) async fn notifications(&self, key: &str) -> Vec<Value> {
        let answer = self.get_as(key, "/v1/notifications?limit=100").await;
        let all = answer.body["items"].as_array().unwrap_or_else(|| panic!("{answer:?}")).clone();
        all.into_iter().filter(|it| it["category"] == "screening").collect()
    }

    pub(crate) async fn subject(&self, key: &str) -> Value {
        let answer = self.get_as(key, SUBJECTS).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        answer.body[0].clone()
    }
}

/// The list with another entry of this name.
pub(crate) fn with_entry(name: (&str, &str)) -> String {
    let start = SECO.find("<target ssid=\"95005\">").expect("a target");
    let end = start + SECO[start..].find("</target>").expect("its end") + "</target>".len();
    let entry = SECO[start..end].replace("ssid=\"95", "ssid=\"96").replace("Xugou", name.0);
    let entry = entry.replace("Wei", name.1).replace("虚构", name.0).replace("魏", name.1);
    let entry = entry.replace("G90000001", "Z70000007").replace("110000196802300000", "7");
    format!("{}{entry}\n  {}", &SECO[..end], &SECO[end..])
}

/// The list with these persons and organisations as further entries.
pub(crate) fn with_targets(entries: &[(u32, &str, &str)]) -> String {
    let at = SECO.rfind("</target>").expect("a target") + "</target>".len();
    let target = |(id, kind, name): &(u32, &str, &str)| {
        format!(
            "<target ssid=\"{id}\"><sanctions-set-id>94387</sanctions-set-id><{kind}>\
             <identity ssid=\"{id}1\" main=\"true\">\
             <name ssid=\"{id}2\" name-type=\"primary-name\" quality=\"good\" lang=\"eng\">\
             <name-part order=\"1\" name-part-type=\"whole-name\"><value>{name}</value></name-part>\
             </name></identity></{kind}>\
             <modification modification-type=\"listed\" enactment-date=\"2026-11-20\" \
             publication-date=\"2026-11-20\" effective-date=\"2026-11-20\"/></target>"
        )
    };
    let targets: String = entries.iter().map(target).collect();
    format!("{}{targets}{}", &SECO[..at], &SECO[at..])
}
