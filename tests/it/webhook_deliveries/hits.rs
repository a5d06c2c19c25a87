//! New hits after an update of a screening list are sent to the webhooks that want them.

use access::{Environment, Scope, Tier};
use auth::TeamId;
use http::StatusCode;
use jobs::{ScheduleJob, WebhookJob};
use publications::Publication;
use serde_json::{Value, json};
use tests::workers_by_hand::waiting;

use super::{CHALLENGE, Receiver};
use crate::list_updates::{NAME, SECO, Updated, with_targets};

const WATCHED: &str = "CHE-600.000.012";
const NAMED: &str = "CHE-600.000.029";

/// A service with a team that watches one of two companies and monitors a person.
struct Team {
    service: Updated,
    id: TeamId,
    key: String,
}

impl Team {
    async fn new() -> Self {
        let service = Updated::start().await;
        let id = service.team(Tier::Professional).await;
        let key = service.key_of(&id, Environment::Live, &Scope::ALL).await;
        let watched = Publication::registration(WATCHED, "Quendelhof Rohstoffe AG").number(1);
        let named = Publication::registration(NAMED, "Zwölfte Probe AG").number(2);
        service.ingest_publications([watched.on("2020-01-06"), named.on("2020-01-06")]).await;
        service.update(SECO).await;
        let watch = json!({ "companyUid": WATCHED });
        assert!(service.post_as(&key, "/v1/watches", watch).await.status.is_success());
        service.monitor(&key, NAME).await;
        Self { service, id, key }
    }

    /// Creates a webhook. Returns its id.
    async fn webhook(&self, receiver: &Receiver, mut more: Value) -> String {
        more["url"] = json!(receiver.url());
        let created = self.service.post_as(&self.key, "/v1/webhooks", more).await;
        assert_eq!(created.status, StatusCode::CREATED, "{created:?}");
        created.body["webhook"]["id"].as_str().expect("an id").to_owned()
    }

    /// Sends the jobs that are due, and makes the deliveries.
    async fn deliver(&self) {
        let Self { service, .. } = self;
        service
            .scheduler()
            .handle(ScheduleJob::SendDueWebhooks, service.now())
            .await
            .expect("sent");
        for job in waiting(&service.cloud.webhooks_queue, &self.job("nothing")).await {
            service.webhook_worker().handle(job, service.now()).await.expect("delivered");
        }
    }

    fn job(&self, webhook: &str) -> WebhookJob {
        let (team, environment) = (self.id.clone(), Environment::Live);
        WebhookJob::Deliver { team, environment, webhook: webhook.to_owned() }
    }
}

/// The list with entries that may be the watched company and the monitored person.
fn listing_both() -> String {
    with_targets(&[(70_001, "entity", "Quendelhof Rohstoffe"), (70_002, "individual", NAME)])
}

/// Whom the deliveries to a receiver are about, sorted.
fn subjects(receiver: &Receiver) -> Vec<Value> {
    let requests = receiver.requests();
    let mut subjects: Vec<Value> =
        requests.iter().map(|it| it.body["data"]["subjectName"].clone()).collect();
    subjects.sort_by_key(Value::to_string);
    subjects
}

#[tokio::test]
async fn hits_arrive_once_although_every_job_is_delivered_twice() {
    let (team, receiver) = (Team::new().await, Receiver::start().await);
    let webhook = team.webhook(&receiver, json!({ "eventFilters": ["screening.hit"] })).await;
    team.service.update(&listing_both()).await;
    team.deliver().await;
    team.deliver().await;
    assert_eq!(subjects(&receiver), [json!(NAME), json!("Quendelhof Rohstoffe AG")]);
    let requests = receiver.requests();
    let body = &requests
        .iter()
        .find(|it| it.body["subject"] == WATCHED)
        .expect("a delivery about the company")
        .body;
    assert_eq!(body["type"], "ch.gotthard.screening.hit");
    let data = &body["data"];
    assert_eq!((&data["companyUid"], &data["officerOf"]), (&json!(WATCHED), &Value::Null));
    assert_eq!(data["hits"][0]["id"], "seco:70001");
    let evidence = format!("/v1/screenings/{}", data["screeningId"].as_str().expect("an id"));
    let evidence = team.service.get_as(&team.key, &evidence).await;
    assert_eq!(evidence.body["hits"][0]["score"], data["hits"][0]["score"], "{evidence:?}");
    let listed = format!("/v1/webhooks/{webhook}/deliveries");
    let listed = team.service.get_as(&team.key, &listed).await;
    let listed = listed.body.as_array().expect("a list").iter();
    let listed: Vec<_> = listed.filter(|it| it["eventType"] != CHALLENGE).collect();
    assert_eq!(listed.len(), 2, "{listed:?}");
    assert_eq!(listed[0]["status"], "delivered");
}

#[tokio::test]
async fn only_webhooks_that_want_the_hits_of_a_company_get_them() {
    let team = Team::new().await;
    let hits = json!(["screening.hit"]);
    let (changes, watched) = (Receiver::start().await, Receiver::start().await);
    let (named, paused) = (Receiver::start().await, Receiver::start().await);
    team.webhook(&changes, json!({})).await;
    team.webhook(&watched, json!({ "eventFilters": hits, "watchedOnly": true })).await;
    team.webhook(&named, json!({ "eventFilters": hits, "companyFilters": [NAMED] })).await;
    let id = team.webhook(&paused, json!({ "eventFilters": hits })).await;
    let path = format!("/v1/webhooks/{id}");
    let changed = team.service.put_as(&team.key, &path, json!({ "status": "paused" })).await;
    assert_eq!(changed.status, StatusCode::OK, "{changed:?}");
    team.service.update(&listing_both()).await;
    team.deliver().await;
    assert_eq!(subjects(&watched), [json!("Quendelhof Rohstoffe AG")]);
    for other in [changes, named, paused] {
        assert_eq!(subjects(&other), Vec::<Value>::new());
    }
}

/// Preferences of notifications have no effect on webhooks.
#[tokio::test]
async fn hits_of_a_watched_company_arrive_without_notifications() {
    let (team, receiver) = (Team::new().await, Receiver::start().await);
    team.webhook(&receiver, json!({ "eventFilters": ["screening.hit"], "watchedOnly": true }))
        .await;
    let off = json!({ "isEnabled": false });
    let set = team.service.put_as(&team.key, "/v1/notifications/preferences", off).await;
    assert_eq!(set.status, StatusCode::OK, "{set:?}");
    team.service.update(&listing_both()).await;
    team.deliver().await;
    assert_eq!(subjects(&receiver), [json!("Quendelhof Rohstoffe AG")]);
    let notifications = team.service.notifications(&team.key).await;
    assert!(notifications.iter().all(|it| it["companyUid"] != WATCHED), "{notifications:?}");
}
