//! Monitored subjects are screened again when a list changes, and their teams are notified once.

use std::{
    ops::Deref,
    sync::atomic::{AtomicUsize, Ordering},
};

use access::{Environment, Role, Scope, Tier};
use axum::Router;
use fetch::{Fetcher, Settings};
use http::StatusCode;
use jobs::{JobId, ListJob, MailJob};
use serde_json::{Value, json};
use sources::lists::ListFormat;
use tests::{
    Answer, Service,
    workers_by_hand::{killed_after, waiting},
};

const SECO: &str = include_str!("../../shared/sources/fixtures/lists/seco.xml");
const SUBJECTS: &str = "/v1/screening/subjects";
/// Nobody on the invented lists has a similar name.
const NAME: &str = "Aurelio Zapletal";
const ENTRY: &str = "seco:96005";

/// A service with the worker that updates lists.
struct Updated {
    service: Service,
    worker: screening_updates::Worker,
    messages: AtomicUsize,
}

impl Deref for Updated {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

impl Updated {
    async fn start() -> Self {
        let service = Service::start().await;
        service.publish_lists().await;
        let fetcher = Fetcher::with_service(Settings::default(), Router::new());
        let worker = service.list_worker(fetcher);
        Self { service, worker, messages: AtomicUsize::new(0) }
    }

    /// The id of another message.
    fn message(&self) -> JobId {
        let number = self.messages.fetch_add(1, Ordering::Relaxed);
        JobId::of_message(&format!("message-{number}"), None)
    }

    /// Publishes a list of SECO, and returns the first job of the re-screening.
    async fn publish(&self, text: &str) -> Vec<ListJob> {
        let key = "screening/files/seco.xml".to_owned();
        self.cloud.objects.put(&key, text.to_owned()).await.expect("stored");
        let format = ListFormat::Seco;
        let job = ListJob::ImportList { format, key, accept_shrunk: true };
        self.worker.handle(job, self.message(), self.now()).await.expect("published");
        self.waiting().await
    }

    async fn waiting(&self) -> Vec<ListJob> {
        waiting(&self.cloud.lists_queue, &ListJob::FetchLists { lists: Vec::new() }).await
    }

    /// Publishes a list of SECO and screens the subjects again. Every job is delivered twice.
    async fn update(&self, text: &str) {
        let mut jobs = self.publish(text).await;
        while !jobs.is_empty() {
            for job in jobs {
                let id = self.message();
                for _ in 0..2 {
                    self.worker.handle(job.clone(), id.clone(), self.now()).await.expect("done");
                }
            }
            jobs = self.waiting().await;
        }
    }

    async fn monitor(&self, key: &str, name: &str) -> Answer {
        let body = json!({ "name": name, "monitor": true });
        let answer = self.post_as(key, "/v1/screening", body).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        answer
    }

    /// The team's notifications of hits, newest first.
    async fn told(&self, key: &str) -> Vec<Value> {
        let answer = self.get_as(key, "/v1/notifications?limit=100").await;
        let all = answer.body["items"].as_array().unwrap_or_else(|| panic!("{answer:?}")).clone();
        all.into_iter().filter(|it| it["category"] == "screening").collect()
    }

    async fn subject(&self, key: &str) -> Value {
        let answer = self.get_as(key, SUBJECTS).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        answer.body[0].clone()
    }
}

/// The list with another entry of this name.
fn with_entry(name: (&str, &str)) -> String {
    let start = SECO.find("<target ssid=\"95005\">").expect("a target");
    let end = start + SECO[start..].find("</target>").expect("its end") + "</target>".len();
    let entry = SECO[start..end].replace("ssid=\"95", "ssid=\"96").replace("Xugou", name.0);
    let entry = entry.replace("Wei", name.1).replace("虚构", name.0).replace("魏", name.1);
    let entry = entry.replace("G90000001", "Z70000007").replace("110000196802300000", "7");
    format!("{}{entry}\n  {}", &SECO[..end], &SECO[end..])
}

#[tokio::test]
async fn a_team_is_told_once_of_a_new_listing_of_its_subject() {
    let service = Updated::start().await;
    let (key, other) = (service.key(Tier::Free).await, service.key(Tier::Free).await);
    let monitored = service.monitor(&key, NAME).await;
    assert_eq!(monitored.body["hitCount"], 0);
    service.monitor(&other, "Annemarie Unverdächtig").await;
    service.pass_seconds(60);
    service.update(&with_entry(("Aurelio", "Zapletal"))).await;
    let told = service.told(&key).await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["title"], "Aurelio Zapletal: 1 possible match");
    let evidence = service.get_as(&key, told[0]["link"].as_str().expect("a link")).await;
    assert_eq!(evidence.body["hits"][0]["id"], ENTRY, "{evidence:?}");
    assert_eq!(evidence.body["sourcesChecked"], json!(["seco"]));
    let subject = service.subject(&key).await;
    assert_eq!(subject["id"], monitored.body["subjectId"]);
    assert_eq!((&subject["hitCount"], &subject["name"]), (&json!(1), &json!(NAME)));
    assert_ne!(subject["riskLevel"], "clear");
    assert_eq!(subject["lastScreenedAt"], evidence.body["screenedAt"]);
    assert_eq!(service.told(&other).await, Vec::<Value>::new());
    assert_eq!(service.subject(&other).await["riskLevel"], "clear");
}

#[tokio::test]
async fn only_material_changes_notify_again_and_a_removed_entry_ends_the_hit() {
    let service = Updated::start().await;
    let key = service.key(Tier::Free).await;
    service.monitor(&key, NAME).await;
    let listed = with_entry(("Aurelio", "Zapletal"));
    service.update(&listed).await;
    assert_eq!(service.told(&key).await.len(), 1);
    // Another entry, and an entry in something on which no screening depends.
    service.update(&listed.replace("The Ferryman", "The Boatman")).await;
    service.update(&listed.replace("Holds assets of her husband.", "Holds assets.")).await;
    assert_eq!(service.told(&key).await.len(), 1, "nothing that concerns the subject");
    service.update(&listed.replace("Z70000007", "Z80000008")).await;
    assert_eq!(service.told(&key).await.len(), 2, "the entry has another passport");
    service.update(SECO).await;
    assert_eq!(service.told(&key).await.len(), 2);
    let subject = service.subject(&key).await;
    assert_eq!((&subject["hitCount"], &subject["riskLevel"]), (&json!(0), &json!("clear")));
}

#[tokio::test]
async fn a_false_positive_notifies_again_only_after_its_entry_has_changed() {
    let service = Updated::start().await;
    let key = service.key(Tier::Free).await;
    let listed = with_entry(("Aurelio", "Zapletal"));
    // Another team's screening of the list with the entry does not matter.
    service.update(&listed).await;
    let monitored = service.monitor(&key, NAME).await;
    assert_eq!(monitored.body["hits"][0]["id"], ENTRY, "{monitored:?}");
    let path = |id: &Value| {
        format!("/v1/screenings/{}/hits/{ENTRY}/decision", id.as_str().expect("an id"))
    };
    let verdict = json!({ "verdict": "false_positive" });
    let decided = service.put_as(&key, &path(&monitored.body["id"]), verdict).await;
    assert_eq!(decided.status, StatusCode::OK, "{decided:?}");
    assert_eq!(service.subject(&key).await["riskLevel"], "clear");
    service.update(SECO).await;
    service.update(&listed).await;
    assert_eq!(service.told(&key).await, Vec::<Value>::new(), "listed again as before");
    service.update(&listed.replace("Z70000007", "Z80000008")).await;
    assert_eq!(service.told(&key).await.len(), 1);
}

#[tokio::test]
async fn a_killed_worker_neither_loses_nor_repeats_a_notification() {
    let service = Updated::start().await;
    let key = service.key(Tier::Free).await;
    service.monitor(&key, NAME).await;
    let mut jobs = service.publish(&with_entry(("Aurelio", "Zapletal"))).await;
    let mut kills = 0;
    while let Some(job) = jobs.pop() {
        let id = service.message();
        let run = || service.worker.handle(job.clone(), id.clone(), service.now());
        for polls in (1..60).step_by(4) {
            if !killed_after(polls, run()).await {
                break;
            }
            kills += 1;
            service.pass_seconds(1);
        }
        run().await.expect("done");
        jobs.extend(service.waiting().await);
    }
    assert!(kills > 16, "{kills}");
    assert_eq!(service.told(&key).await.len(), 1);
    let evidence = service.get_as(&key, "/v1/screenings").await;
    assert_eq!(evidence.body.as_array().map(Vec::len), Some(2), "{evidence:?}");
}

#[tokio::test]
async fn a_subject_is_monitored_once_and_no_longer_after_it_was_deleted() {
    let service = Updated::start().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let reader = service.key_of(&team, Environment::Live, &[Scope::Read]).await;
    let body = json!({ "name": NAME, "monitor": true });
    let refused = service.post_as(&reader, "/v1/screening", body).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{refused:?}");
    let id = service.monitor(&key, NAME).await.body["subjectId"].clone();
    assert_eq!(service.monitor(&key, "aurelio  ZAPLETAL").await.body["subjectId"], id);
    let second = service.monitor(&key, "Radim Neznamov").await.body["subjectId"].clone();
    let page = service.get_as(&key, &format!("{SUBJECTS}?limit=1")).await;
    assert_eq!(page.body[0]["id"], second);
    let next = format!("{SUBJECTS}?limit=1&before={}", second.as_str().expect("an id"));
    assert_eq!(service.get_as(&key, &next).await.body[0]["id"], id);
    let path = format!("{SUBJECTS}/{}", id.as_str().expect("an id"));
    assert_eq!(service.delete_as(&key, &path).await.status, StatusCode::NO_CONTENT);
    assert_eq!(service.delete_as(&key, &path).await.status, StatusCode::NOT_FOUND);
    service.update(&with_entry(("Aurelio", "Zapletal"))).await;
    assert_eq!(service.told(&key).await, Vec::<Value>::new());
    assert_eq!(service.get_as(&key, SUBJECTS).await.body.as_array().map(Vec::len), Some(1));
    assert_ne!(service.monitor(&key, NAME).await.body["subjectId"], id);
}

#[tokio::test]
async fn a_user_who_monitors_a_subject_gets_one_mail() {
    let service = Updated::start().await;
    let team = service.team(Tier::Free).await;
    let user = service.member(&team, Role::Owner).await;
    let preferences = json!({ "channel": "Email" });
    let set = service.put_as(&user.token, "/v1/notifications/preferences", preferences).await;
    assert_eq!(set.status, StatusCode::OK, "{set:?}");
    service.monitor(&user.token, NAME).await;
    service.update(&with_entry(("Aurelio", "Zapletal"))).await;
    let nobody = auth::Owner::User("nobody".to_owned());
    let last = MailJob::Send { team, environment: Environment::Live, owner: nobody };
    for job in waiting(&service.cloud.mails_queue, &last).await {
        service.mail_worker().handle(job, service.now()).await.expect("sent");
    }
    let mails = service.mails();
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert_eq!(mails[0].subject, "Aurelio Zapletal: 1 possible match");
    assert!(mails[0].text.contains("A list was updated."), "{}", mails[0].text);
}
