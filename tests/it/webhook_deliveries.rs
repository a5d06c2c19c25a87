//! Deliveries of changes to webhooks.

mod alerts;
mod daily_limit;
mod hits;
mod killed_workers;
mod receiver;
mod verification;

use std::{collections::HashSet, time::Duration};

use access::{Environment, Scope, Tier};
use auth::TeamId;
use axum::Router;
use fetch::{Fetcher, Settings};
use futures_util::{FutureExt, future::BoxFuture};
use http::StatusCode;
use jiff::SignedDuration;
use jobs::{Delivery, DeliveryJob, Queue, ScheduleJob, WebhookJob};
use local::workers;
use network::outgoing::OutgoingHttp;
use outgoing::webhooks::{KeySecret, WebhookSender};
use publications::Publication;
use serde_json::{Value, json};
use store::TeamKey;
use teams::WebhookDelivery;
use tests::{Service, operator};
use tokio::sync::oneshot;

use self::receiver::Receiver;

const FIRST: &str = "CHE-107.787.577";
const SECOND: &str = "CHE-600.000.001";
/// The day of the test's clock.
const TODAY: &str = "2026-11-20";
const HOUR: i64 = 3_600;
/// Type of the events that ask receivers to prove themselves.
const CHALLENGE: &str = "ch.gotthard.webhook.verify";

/// A team with a key, in a service with two companies.
struct Team {
    service: Service,
    id: TeamId,
    key: String,
}

impl Team {
    async fn new() -> Self {
        let service = Service::start().await;
        let id = service.team(Tier::Professional).await;
        let key = service.key_of(&id, Environment::Live, &Scope::ALL).await;
        let team = Self { service, id, key };
        team.publish([purpose(FIRST, 1), purpose(SECOND, 2)]).await;
        team.match_events().await;
        team
    }

    /// Creates a webhook. Returns the answer.
    async fn webhook(&self, body: Value) -> Value {
        let created = self.service.post_as(&self.key, "/v1/webhooks", body).await;
        assert_eq!(created.status, 201, "{created:?}");
        created.body
    }

    /// Creates a webhook about all companies. Returns its id.
    async fn webhook_to(&self, receiver: &Receiver) -> String {
        id(&self.webhook(json!({ "url": receiver.url() })).await)
    }

    /// Adds publications to the feed.
    async fn publish(&self, publications: impl IntoIterator<Item = Publication>) {
        let publications: Vec<Publication> = publications.into_iter().collect();
        let batch = tests::read_publications(&publications);
        self.service.ingest(domain::Source::Shab, batch).await;
    }

    /// Runs the worker that decides which webhooks get the new events.
    async fn match_events(&self) {
        let worker = self.service.delivery_worker();
        worker.handle(DeliveryJob::NotifyWatchers).await.expect("delivered");
    }

    fn worker(&self) -> webhooks::Worker {
        self.service.webhook_worker()
    }

    fn job(&self, webhook: &str) -> WebhookJob {
        WebhookJob::Deliver {
            team: self.id.clone(),
            environment: Environment::Live,
            webhook: webhook.to_owned(),
        }
    }

    /// Makes the deliveries of a webhook that are due.
    async fn deliver(&self, webhook: &str) {
        let done = self.worker().handle(self.job(webhook), self.service.now()).await;
        done.expect("delivered");
    }

    /// Publishes changes and makes the deliveries of a webhook.
    async fn change(&self, webhook: &str, publications: impl IntoIterator<Item = Publication>) {
        self.publish(publications).await;
        self.match_events().await;
        self.deliver(webhook).await;
    }

    /// The deliveries of a webhook, newest first, without challenges.
    async fn deliveries(&self, webhook: &str) -> Vec<Value> {
        let path = format!("/v1/webhooks/{webhook}/deliveries?limit=100");
        let listed = self.service.get_as(&self.key, &path).await;
        assert_eq!(listed.status, 200, "{listed:?}");
        let mut deliveries = listed.body.as_array().expect("a list").clone();
        deliveries.retain(|it| it["eventType"] != CHALLENGE);
        deliveries
    }

    async fn status(&self, webhook: &str) -> Value {
        self.service.get_as(&self.key, &format!("/v1/webhooks/{webhook}")).await.body
    }

    async fn set_status(&self, webhook: &str, status: &str) {
        let path = format!("/v1/webhooks/{webhook}");
        let changed = self.service.put_as(&self.key, &path, json!({ "status": status })).await;
        assert_eq!((changed.status.as_u16(), &changed.body["status"]), (200, &json!(status)));
    }

    fn operator(&self) -> TeamKey {
        operator(self.id.clone())
    }
}

fn id(created: &Value) -> String {
    created["webhook"]["id"].as_str().expect("an id").to_owned()
}

fn mutation(company: &str, number: u64) -> Publication {
    Publication::mutation(company, "Muster AG").number(number).on(TODAY)
}

/// A change of purpose, whose severity is low.
fn purpose(company: &str, number: u64) -> Publication {
    mutation(company, number).new_purpose("Bau", &format!("Handel {number}"))
}

/// A change of the board, whose severity is medium.
fn board(company: &str, number: u64) -> Publication {
    let officer =
        format!("Muster, Eva{number}, von Chur, in Bern, Mitglied, mit Einzelunterschrift");
    mutation(company, number).persons_entered(&officer)
}

/// From the change to the signed request, through the queues and the scheduler. A receiver that does not answer does not
/// delay another one.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_arrives_signed_although_another_receiver_is_slow() {
    let team = Team::new().await;
    let (receiver, slow) = (Receiver::start().await, Receiver::start().await);
    let mut slow_ones = Vec::new();
    for _ in 0..5 {
        slow_ones.push(team.webhook_to(&slow).await);
    }
    slow.never_answers();
    let created = team.webhook(json!({ "url": receiver.url() })).await;
    let service = &team.service;
    let fetcher = Fetcher::with_service(Settings::default(), Router::new());
    let components = service.components.clone().with(fetcher);
    let components = workers::components(components, service.downloads.path());
    let (_stop, stopped) = oneshot::channel::<()>();
    workers::start(&components, stopped.map(drop).shared()).expect("workers");
    team.publish([purpose(FIRST, 3)]).await;
    let request = receiver.wait_for(1).await.remove(0);
    slow.wait_for(1).await;

    assert_eq!(request.header("content-type"), "application/cloudevents+json; charset=utf-8");
    let delivery = team.deliveries(&id(&created)).await.remove(0);
    assert_eq!(delivery["id"], request.header("webhook-id"));
    assert_eq!((&delivery["status"], &delivery["attempt"]), (&json!("delivered"), &json!(1)));
    assert_eq!((&delivery["httpStatus"], delivery.get("errorMessage")), (&json!(200), None));
    assert_eq!(delivery["eventId"], request.body["id"]);
    assert_eq!(delivery["eventType"], "ch.gotthard.company.purpose_change");
    let secret = created["signingSecret"].as_str().expect("a secret");
    assert_eq!(request.header("webhook-signature"), request.v1_signature(secret));
    // The same CloudEvent as in the list of the company's events.
    let path = format!("/v1/companies/{FIRST}/events?limit=1");
    let batch = http::Request::get(&path).header("accept", "application/cloudevents-batch+json");
    assert_eq!(request.body, service.send(batch).await.body[0]);
    for webhook in slow_ones {
        assert_eq!(team.deliveries(&webhook).await[0]["status"], "pending");
    }
}

#[tokio::test]
async fn filters_select_what_is_delivered() {
    let team = Team::new().await;
    let (service, key) = (&team.service, &team.key);
    let list = service.post_as(key, "/v1/watchlists", json!({ "name": "List" })).await;
    let list = list.body["id"].as_str().expect("an id").to_owned();
    let path = format!("/v1/watchlists/{list}/companies");
    assert_eq!(service.post_as(key, &path, json!({ "uids": [FIRST] })).await.status, 200);
    let watched = service.post_as(key, "/v1/watches", json!({ "companyUid": SECOND })).await;
    assert_eq!(watched.status, 201);
    let other = Team {
        key: service.key(Tier::Free).await,
        id: team.id.clone(),
        service: service.second_process(),
    };
    let mut webhooks = Vec::new();
    for (filters, expected) in [
        (
            json!({}),
            vec![
                (FIRST, "purpose_change"),
                (FIRST, "board_change"),
                (SECOND, "purpose_change"),
                (SECOND, "board_change"),
            ],
        ),
        (
            json!({ "eventFilters": ["board_change"] }),
            vec![(FIRST, "board_change"), (SECOND, "board_change")],
        ),
        (
            json!({ "minimumSeverity": "medium" }),
            vec![(FIRST, "board_change"), (SECOND, "board_change")],
        ),
        (json!({ "minimumSeverity": "critical" }), vec![]),
        (
            json!({ "companyFilters": [SECOND] }),
            vec![(SECOND, "purpose_change"), (SECOND, "board_change")],
        ),
        (
            json!({ "watchlistFilters": [list] }),
            vec![(FIRST, "purpose_change"), (FIRST, "board_change")],
        ),
        (
            json!({ "watchlistFilters": [list], "companyFilters": [SECOND], "eventFilters": ["PurposeChange"] }),
            vec![(FIRST, "purpose_change"), (SECOND, "purpose_change")],
        ),
        (
            json!({ "watchedOnly": true, "minimumSeverity": "medium" }),
            vec![(FIRST, "board_change"), (SECOND, "board_change")],
        ),
    ] {
        let receiver = Receiver::start().await;
        let mut body = filters.clone();
        body["url"] = json!(receiver.url());
        webhooks.push((id(&team.webhook(body).await), receiver, expected, filters));
    }
    // Another team watches nothing.
    let receiver = Receiver::start().await;
    let body = json!({ "url": receiver.url(), "watchedOnly": true });
    let created = other.webhook(body).await;
    webhooks.push((id(&created), receiver, vec![], json!("another team")));
    team.publish([purpose(FIRST, 3), board(FIRST, 4), purpose(SECOND, 5), board(SECOND, 6)]).await;
    team.match_events().await;
    for (webhook, receiver, mut expected, filters) in webhooks {
        team.deliver(&webhook).await;
        let requests = receiver.requests();
        let text = |it: &Value| it.as_str().expect("text").to_owned();
        let mut found: Vec<(String, String)> = requests
            .iter()
            .map(|it| (text(&it.body["subject"]), text(&it.body["data"]["category"])))
            .collect();
        found.sort_unstable();
        expected.sort_unstable();
        let expected: Vec<(String, String)> =
            expected.into_iter().map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
        assert_eq!(found, expected, "{filters}");
    }
}

#[tokio::test]
async fn a_failed_delivery_is_sent_again_later_with_the_same_id() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let webhook = team.webhook_to(&receiver).await;
    receiver.answers(StatusCode::SERVICE_UNAVAILABLE);
    team.change(&webhook, [purpose(FIRST, 3)]).await;
    let failed = team.deliveries(&webhook).await.remove(0);
    assert_eq!((&failed["status"], &failed["attempt"]), (&json!("pending"), &json!(1)));
    assert_eq!((&failed["httpStatus"], failed.get("deliveredAt")), (&json!(503), None));
    assert_eq!(failed["errorMessage"], "the receiver answered 503");
    assert!(failed["nextAttemptAt"].as_str().expect("a time") > "2026-11-20T12:30:05");
    let state = team.status(&webhook).await;
    assert!(state["failingSince"].as_str().is_some_and(|it| it.starts_with("2026-11-20T12:30:0")));

    team.deliver(&webhook).await;
    assert_eq!(receiver.requests().len(), 1, "the next attempt is not due");
    team.service.pass_seconds(10);
    team.deliver(&webhook).await;
    // The third attempt is due five minutes after the second.
    team.service.pass_seconds(200);
    team.deliver(&webhook).await;
    assert_eq!(receiver.requests().len(), 2);
    receiver.answers(StatusCode::NO_CONTENT);
    team.service.pass_seconds(200);
    team.deliver(&webhook).await;
    let requests = receiver.requests();
    assert_eq!(requests.len(), 3);
    let ids: HashSet<&str> = requests.iter().map(|it| it.header("webhook-id")).collect();
    let timestamps: HashSet<&str> =
        requests.iter().map(|it| it.header("webhook-timestamp")).collect();
    assert_eq!((ids.len(), timestamps.len()), (1, 3));
    let delivered = team.deliveries(&webhook).await;
    assert_eq!(delivered.len(), 1);
    assert_eq!(
        (&delivered[0]["status"], &delivered[0]["attempt"]),
        (&json!("delivered"), &json!(3))
    );
    assert!(delivered[0].get("errorMessage").is_none() && delivered[0]["deliveredAt"].is_string());
    assert!(team.status(&webhook).await.get("failingSince").is_none());
}

/// The scheduler finds what waits, without a new event.
#[tokio::test]
async fn the_scheduler_sends_a_job_when_the_next_attempt_is_due() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let webhook = team.webhook_to(&receiver).await;
    receiver.answers(StatusCode::INTERNAL_SERVER_ERROR);
    team.change(&webhook, [purpose(FIRST, 3)]).await;
    let mut messages = Messages::of(&team.service.cloud.webhooks_queue);
    assert_eq!(messages.received(1).await, [team.job(&webhook)], "of the event");
    let scheduler = team.service.scheduler();
    for seconds in [0, 2] {
        team.service.pass_seconds(seconds);
        scheduler.handle(ScheduleJob::SendDueWebhooks, team.service.now()).await.expect("sent");
    }
    assert_eq!(messages.received(0).await, []);
    team.service.pass_seconds(60);
    scheduler.handle(ScheduleJob::SendDueWebhooks, team.service.now()).await.expect("sent");
    scheduler.handle(ScheduleJob::SendDueWebhooks, team.service.now()).await.expect("sent");
    assert_eq!(messages.received(1).await, [team.job(&webhook)]);
}

/// Takes the messages of a queue. It gives up no request: the queue might still answer it, with a message that nobody gets.
struct Messages<'a> {
    queue: &'a Queue<WebhookJob>,
    next: BoxFuture<'a, Result<Option<Delivery>, jobs::Error>>,
}

impl<'a> Messages<'a> {
    fn of(queue: &'a Queue<WebhookJob>) -> Self {
        Self { queue, next: queue.receive().boxed() }
    }

    /// The next messages, of which this number is expected.
    async fn received(&mut self, number: usize) -> Vec<WebhookJob> {
        let mut jobs = Vec::new();
        // One more than expected would be received at once.
        let wait = |it: usize| Duration::from_millis(if it < number { 5_000 } else { 300 });
        while let Ok(message) = tokio::time::timeout(wait(jobs.len()), &mut self.next).await {
            self.next = self.queue.receive().boxed();
            if let Some(message) = message.expect("received") {
                jobs.push(serde_json::from_str(&message.body).expect("a job"));
                self.queue.delete(&message.receipt_handle).await.expect("deleted");
            }
        }
        jobs
    }
}

/// A matcher that is killed before it sends the jobs has stored the deliveries, and the scheduler finds them.
#[tokio::test]
async fn deliveries_are_made_although_their_job_is_lost() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let webhook = team.webhook_to(&receiver).await;
    let cloud = &team.service.cloud;
    let nowhere = Queue::new(
        local::cloud::clients::sqs_client(&cloud.endpoints.sqs),
        format!("{}/000000000000/nowhere.fifo", cloud.endpoints.sqs),
    );
    let killed = delivery::Worker { webhooks: nowhere, ..team.service.delivery_worker() };
    team.publish([purpose(FIRST, 3)]).await;
    killed.handle(DeliveryJob::NotifyWatchers).await.expect_err("no queue");
    assert_eq!(team.deliveries(&webhook).await[0]["status"], "pending");
    let later = team.service.now() + SignedDuration::from_mins(16);
    let mut messages = Messages::of(&cloud.webhooks_queue);
    let scheduler = team.service.scheduler();
    scheduler.handle(ScheduleJob::SendDueWebhooks, later).await.expect("sent");
    assert_eq!(messages.received(1).await, [team.job(&webhook)]);
    // The job of the matcher that runs again neither loses nor repeats it.
    team.match_events().await;
    assert_eq!(messages.received(1).await, [team.job(&webhook)]);
    for _ in 0..2 {
        team.deliver(&webhook).await;
    }
    assert_eq!(receiver.requests().len(), 1);
}

#[tokio::test]
async fn a_receiver_that_is_gone_disables_the_webhook_and_the_team_is_notified_once() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let webhook = team.webhook_to(&receiver).await;
    receiver.answers(StatusCode::GONE);
    team.change(&webhook, [purpose(FIRST, 3)]).await;
    team.change(&webhook, [purpose(FIRST, 4)]).await;
    let requests = receiver.requests();
    assert_eq!(requests.len(), 1, "nothing is sent to it any more");
    let deliveries = team.deliveries(&webhook).await;
    assert_eq!(deliveries.len(), 1, "{deliveries:?}");
    assert_eq!(
        (&deliveries[0]["status"], &deliveries[0]["httpStatus"]),
        (&json!("failed"), &json!(410))
    );
    let state = team.status(&webhook).await;
    assert_eq!((&state["status"], &state["disabledReason"]), (&json!("disabled"), &json!("gone")));
    assert!(state["disabledAt"].is_string());
    let notifications = team.service.get_as(&team.key, "/v1/notifications").await.body;
    assert_eq!(notifications["total"], 1, "{notifications}");
    let notification = &notifications["items"][0];
    assert_eq!(notification["category"], "webhook");
    assert_eq!(notification["title"], "Webhook to 127.0.0.1 disabled");
    assert_eq!(notification["link"], format!("/v1/webhooks/{webhook}"));
    assert!(!notification.to_string().contains("token"), "only the host of the address");
    let path = format!("/v1/webhooks/{webhook}/replay");
    let body = json!({ "from": "2026-11-20T00:00:00Z" });
    let refused = team.service.post_as(&team.key, &path, body).await;
    assert_eq!((refused.status.as_u16(), refused.slug()), (409, "conflict"));

    receiver.answers(StatusCode::OK);
    team.set_status(&webhook, "active").await;
    team.change(&webhook, [purpose(FIRST, 5)]).await;
    assert_eq!(receiver.requests().len(), 2);
}

#[tokio::test]
async fn a_receiver_that_fails_for_three_days_disables_the_webhook() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let webhook = team.webhook_to(&receiver).await;
    receiver.answers(StatusCode::INTERNAL_SERVER_ERROR);
    team.change(&webhook, [purpose(FIRST, 3)]).await;
    let mut hours = 0;
    while team.status(&webhook).await["status"] == "active" {
        team.service.pass_seconds(HOUR);
        hours += 1;
        team.deliver(&webhook).await;
        assert!(hours < 100, "not disabled");
    }
    // Each retry is up to an hour late here.
    assert!((75..85).contains(&hours), "{hours}");
    assert_eq!(receiver.requests().len(), 10);
    let state = team.status(&webhook).await;
    assert_eq!(state["disabledReason"], "failing");
    let delivery = team.deliveries(&webhook).await.remove(0);
    assert_eq!((&delivery["status"], &delivery["attempt"]), (&json!("failed"), &json!(10)));
    let notifications = team.service.get_as(&team.key, "/v1/notifications").await.body;
    assert_eq!(notifications["total"], 1, "{notifications}");
}

/// While all attempts fail, those that are due do not use up attempts.
#[tokio::test]
async fn many_deliveries_to_a_receiver_that_fails_are_tried_a_few_at_a_time() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let webhook = team.webhook_to(&receiver).await;
    receiver.answers(StatusCode::BAD_GATEWAY);
    team.change(&webhook, (3..43).map(|it| purpose(FIRST, it))).await;
    assert_eq!(receiver.requests().len(), 8);
    receiver.answers(StatusCode::OK);
    team.service.pass_seconds(60);
    team.deliver(&webhook).await;
    let ids: HashSet<String> =
        receiver.requests().iter().map(|it| it.header("webhook-id").to_owned()).collect();
    assert_eq!((ids.len(), receiver.requests().len()), (40, 48));
}

#[tokio::test]
async fn a_paused_webhook_gets_nothing_until_it_is_replayed() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let webhook = team.webhook_to(&receiver).await;
    receiver.answers(StatusCode::INTERNAL_SERVER_ERROR);
    team.change(&webhook, [purpose(FIRST, 3)]).await;
    team.set_status(&webhook, "paused").await;
    receiver.answers(StatusCode::OK);
    team.service.pass_seconds(60);
    team.change(&webhook, [purpose(FIRST, 4)]).await;
    assert_eq!(receiver.requests().len(), 1);
    team.set_status(&webhook, "active").await;
    team.deliver(&webhook).await;
    assert_eq!(receiver.purposes(), [3, 3], "what waited is continued");

    // One minute: only the change during the pause.
    let path = format!("/v1/webhooks/{webhook}/replay");
    let body = json!({ "from": "2026-11-20T12:31:00Z", "to": "2026-11-20T12:32:00Z" });
    team.service.pass_seconds(600);
    let accepted = team.service.post_as(&team.key, &path, body.clone()).await;
    assert_eq!(accepted.status, 202, "{accepted:?}");
    assert_eq!(accepted.body["from"], "2026-11-20T12:31:00Z");
    let again = team.service.post_as(&team.key, &path, body.clone()).await;
    assert_eq!((again.status.as_u16(), again.slug()), (409, "conflict"), "{again:?}");
    team.deliver(&webhook).await;
    assert_eq!(receiver.purposes(), [3, 3, 4]);
    assert_eq!(team.service.post_as(&team.key, &path, body).await.status, 202, "it has ended");
}

#[tokio::test]
async fn a_replay_delivers_again_what_matches_with_the_same_ids() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let body = json!({ "url": receiver.url(), "companyFilters": [FIRST] });
    let webhook = id(&team.webhook(body).await);
    team.change(&webhook, (3..153).map(|it| purpose(if it == 9 { SECOND } else { FIRST }, it)))
        .await;
    let first: HashSet<String> =
        receiver.requests().iter().map(|it| it.header("webhook-id").to_owned()).collect();
    assert_eq!(first.len(), 149);
    let before: Vec<WebhookDelivery> = team
        .service
        .cloud
        .tenants
        .webhook_deliveries(&team.operator(), &webhook, 1_000)
        .await
        .expect("read");
    team.service.pass_seconds(HOUR);
    let path = format!("/v1/webhooks/{webhook}/replay");
    let body = json!({ "from": "2026-11-20T00:00:00Z" });
    assert_eq!(team.service.post_as(&team.key, &path, body).await.status, 202);
    // Killed at any step, and continued.
    let mut runs = 0;
    loop {
        runs += 1;
        // The clock of a worker goes on while it runs.
        team.service.pass_seconds(1);
        let worker = team.worker();
        let run = worker.handle(team.job(&webhook), team.service.now());
        let limit = Duration::from_millis(20 * runs);
        if let Ok(done) = tokio::time::timeout(limit, run).await {
            done.expect("delivered");
            break;
        }
    }
    let requests = receiver.requests();
    let again: HashSet<String> =
        requests[149..].iter().map(|it| it.header("webhook-id").to_owned()).collect();
    // Also the change from before the webhook was created.
    assert_eq!(again.len(), 150);
    assert!(again.is_superset(&first));
    let after = &team.service.cloud.tenants;
    let after = after.webhook_deliveries(&team.operator(), &webhook, 1_000).await.expect("read");
    assert_eq!(after.len(), before.len() + 1);
}

#[tokio::test]
async fn a_test_is_sent_at_once_and_its_result_returned() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let created = team.webhook(json!({ "url": receiver.url(), "signatureScheme": "v1a" })).await;
    let path = format!("/v1/webhooks/{}/test", id(&created));
    for (status, expected) in [
        (StatusCode::OK, json!({ "success": true, "httpStatus": 200 })),
        (
            StatusCode::NOT_FOUND,
            json!({ "success": false, "httpStatus": 404, "error": "the receiver answered 404" }),
        ),
        (
            StatusCode::TEMPORARY_REDIRECT,
            json!({ "success": false, "httpStatus": 307,
                "error": "the receiver answered 307; redirects are not followed" }),
        ),
    ] {
        receiver.answers(status);
        let tested = team.service.post_as(&team.key, &path, json!({})).await;
        assert_eq!((tested.status.as_u16(), &tested.body), (200, &expected));
    }
    let requests = receiver.requests();
    assert_eq!(requests.len(), 3);
    assert_eq!(requests[0].body["type"], "ch.gotthard.webhook.test");
    assert_eq!(requests[0].body["id"], requests[0].header("webhook-id"));
    requests[0].verify_v1a(created["publicKey"].as_str().expect("a public key"));
    receiver.answers_with_a_large_body();
    let tested = team.service.post_as(&team.key, &path, json!({})).await;
    assert_eq!(tested.body["error"], "the response is larger than 65536 bytes", "{tested:?}");
    let logged = team.deliveries(&id(&created)).await;
    let statuses: Vec<_> = logged.iter().map(|it| it["status"].as_str()).collect();
    assert_eq!(statuses, [Some("failed"), Some("failed"), Some("failed"), Some("delivered")]);
    assert_eq!(team.status(&id(&created)).await["status"], "active", "tests disable nothing");
    receiver.stop();
    let tested = team.service.post_as(&team.key, &path, json!({})).await;
    let error = tested.body["error"].as_str().expect("an error");
    assert!(error.starts_with("the receiver cannot be reached: "), "{error}");
}

#[tokio::test]
async fn deliveries_are_signed_with_old_and_new_key_during_the_overlap() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let created = team.webhook(json!({ "url": receiver.url() })).await;
    let webhook = id(&created);
    let path = format!("/v1/webhooks/{webhook}/rotate");
    let rotated = team.service.post_as(&team.key, &path, json!({ "overlapHours": 1 })).await.body;
    team.change(&webhook, [purpose(FIRST, 3)]).await;
    team.service.pass_seconds(HOUR);
    team.change(&webhook, [purpose(FIRST, 4)]).await;
    let requests = receiver.requests();
    let [old, new] = [&created, &rotated].map(|it| it["signingSecret"].as_str().expect("a secret"));
    let both = format!("{} {}", requests[0].v1_signature(new), requests[0].v1_signature(old));
    assert_eq!(requests[0].header("webhook-signature"), both);
    assert_eq!(requests[1].header("webhook-signature"), requests[1].v1_signature(new));
}

/// What is not refused when a webhook is created, because only the name server knows it.
#[tokio::test]
async fn an_address_that_leads_to_a_private_network_is_refused_at_every_delivery() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    // A name, whose address is that of this machine.
    let url = receiver.url().replace("http://127.0.0.1", "https://localhost");
    let webhook = id(&team.webhook(json!({ "url": url })).await);
    let secret = KeySecret::given(auth::Secret::new(tests::WEBHOOK_SECRET.into()));
    let public = WebhookSender::new(secret, OutgoingHttp::public());
    team.service.prove_receiver(&team.operator(), &webhook).await;
    let worker = webhooks::Worker { sender: public, ..team.worker() };
    team.publish([purpose(FIRST, 3)]).await;
    team.match_events().await;
    worker.handle(team.job(&webhook), team.service.now()).await.expect("handled");
    let delivery = team.deliveries(&webhook).await.remove(0);
    assert_eq!((&delivery["status"], &delivery["attempt"]), (&json!("pending"), &json!(1)));
    assert!(delivery.get("httpStatus").is_none(), "{delivery}");
    let error = delivery["errorMessage"].as_str().expect("a text");
    assert!(error.contains("the host is not on the public internet"), "{error}");
    assert!(receiver.requests().is_empty());
}

/// A job makes many deliveries one after the other, and takes minutes.
#[tokio::test]
async fn a_webhook_that_is_deleted_during_a_job_gets_no_more() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let webhook = team.webhook_to(&receiver).await;
    team.publish((3..103).map(|it| purpose(FIRST, it))).await;
    team.match_events().await;
    let (worker, job) = (team.worker(), team.job(&webhook));
    let path = format!("/v1/webhooks/{webhook}");
    let delete = async {
        receiver.wait_for(1).await;
        assert_eq!(team.service.delete_as(&team.key, &path).await.status, 204);
        receiver.requests().len()
    };
    let (done, before) = tokio::join!(worker.handle(job, team.service.now()), delete);
    done.expect("handled");
    let after = receiver.requests().len() - before;
    assert!(after <= 8, "{after} after the webhook was deleted: at most those of one step");
    assert!(receiver.requests().len() < 100);
}

#[tokio::test]
async fn a_team_requests_few_replays() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let webhook = team.webhook_to(&receiver).await;
    let path = format!("/v1/webhooks/{webhook}/replay");
    let body = json!({ "from": "2026-11-19T00:00:00Z" });
    for _ in 0..3 {
        let replayed = team.service.post_as(&team.key, &path, body.clone()).await;
        assert_eq!(replayed.status, 202, "{replayed:?}");
        team.deliver(&webhook).await;
    }
    let refused = team.service.post_as(&team.key, &path, body.clone()).await;
    assert_eq!((refused.status.as_u16(), refused.slug()), (429, "rate-limit-exceeded"));
    assert_eq!(refused.body["violatedPolicies"], json!(["replays"]));
    team.service.pass_seconds(600);
    assert_eq!(team.service.post_as(&team.key, &path, body).await.status, 202);
}

#[tokio::test]
async fn a_team_requests_few_tests_because_a_receiver_decides_how_long_they_take() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let path = format!("/v1/webhooks/{}/test", team.webhook_to(&receiver).await);
    for _ in 0..10 {
        assert_eq!(team.service.post_as(&team.key, &path, json!({})).await.status, 200);
    }
    let refused = team.service.post_as(&team.key, &path, json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.slug()), (429, "rate-limit-exceeded"));
    assert_eq!(refused.body["violatedPolicies"], json!(["webhook_tests"]));
    let other = team.service.key_of(&team.id, Environment::Live, &Scope::ALL).await;
    assert_eq!(team.service.post_as(&other, &path, json!({})).await.status, 429, "of the team");
    assert_eq!(receiver.requests().len(), 10);
    team.service.pass_seconds(600);
    assert_eq!(team.service.post_as(&team.key, &path, json!({})).await.status, 200);
}

#[tokio::test]
async fn webhooks_of_the_sandbox_send_nothing() {
    let team = Team::new().await;
    let key = team.service.key_of(&team.id, Environment::Test, &Scope::ALL).await;
    let receiver = Receiver::start().await;
    let created =
        team.service.post_as(&key, "/v1/webhooks", json!({ "url": receiver.url() })).await.body;
    let webhook = id(&created);
    let path = format!("/v1/webhooks/{webhook}");
    let tested = team.service.post_as(&key, &format!("{path}/test"), json!({})).await;
    assert_eq!(tested.body["error"], "webhooks of the sandbox send nothing", "{tested:?}");
    team.change(&webhook, [purpose(FIRST, 3)]).await;
    let body = json!({ "from": "2026-11-20T00:00:00Z" });
    assert_eq!(team.service.post_as(&key, &format!("{path}/replay"), body).await.status, 202);
    let job = WebhookJob::Deliver {
        team: team.id.clone(),
        environment: Environment::Test,
        webhook: webhook.clone(),
    };
    team.worker().handle(job, team.service.now()).await.expect("handled");
    assert!(receiver.requests().is_empty());
    let listed = team.service.get_as(&key, &format!("{path}/deliveries")).await.body;
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "only the test: {listed}");
}

#[tokio::test]
async fn a_deleted_webhook_gets_nothing_more() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let body = json!({ "url": receiver.url(), "companyFilters": [FIRST] });
    let webhook = id(&team.webhook(body).await);
    team.publish([purpose(FIRST, 3)]).await;
    team.match_events().await;
    let path = format!("/v1/webhooks/{webhook}");
    assert_eq!(team.service.delete_as(&team.key, &path).await.status, 204);
    team.deliver(&webhook).await;
    team.change(&webhook, [purpose(FIRST, 4)]).await;
    assert!(receiver.requests().is_empty());
    // Its copies are deleted too.
    let first = FIRST.parse().expect("a company number");
    let tenants = &team.service.cloud.tenants;
    assert!(tenants.watchers(first).await.expect("read").is_empty());
    assert!(tenants.webhooks_of_team(&team.operator()).await.expect("read").is_empty());
}
