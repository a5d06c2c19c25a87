//! Notifications of changes of watched companies.

use std::{collections::HashSet, time::Duration};

use access::{Environment, Scope, Tier};
use auth::{Owner, Principal, TeamId};
use delivery::Worker;
use http_service::FeedCursor;
use jobs::{DeliveryJob, ScheduleJob, WebhookJob};
use publications::Publication;
use serde_json::{Value, json};
use store::keys;
use teams::{Watchlist, WatchlistEntry};
use tests::{Service, operator, workers_by_hand::waiting};
use uuid::Uuid;

use crate::{change_feed::follow, items::Items};

const FIRST: &str = "CHE-107.787.577";
const SECOND: &str = "CHE-600.000.001";
/// The day of the test's clock.
const TODAY: &str = "2026-11-20";

fn worker(service: &Service) -> Worker {
    service.delivery_worker()
}

async fn deliver(service: &Service) {
    worker(service).handle(DeliveryJob::NotifyWatchers).await.expect("delivered");
}

/// Two companies in the register, without changes that anyone watches.
async fn service() -> Service {
    let service = Service::start().await;
    publish(&service, [change(FIRST, 1, TODAY), change(SECOND, 2, TODAY)]).await;
    service
}

/// A change of purpose, published on this day.
fn change(company: &str, number: u64, day: &str) -> Publication {
    let purpose = format!("Handel {number}");
    Publication::mutation(company, "Muster AG").number(number).on(day).new_purpose("Bau", &purpose)
}

/// Adds publications to the feed, without a new generation.
async fn publish(service: &Service, publications: impl IntoIterator<Item = Publication>) {
    let publications: Vec<Publication> = publications.into_iter().collect();
    let batch = tests::read_publications(&publications);
    service.ingest(domain::Source::Shab, batch).await;
}

async fn watch(service: &Service, key: &str, company: &str) {
    let body = json!({ "companyUid": company });
    assert_eq!(service.post_as(key, "/v1/watches", body).await.status, 201);
}

/// Creates a watchlist with these companies and returns its id.
async fn watchlist(service: &Service, key: &str, name: &str, uids: &[&str]) -> String {
    let created = service.post_as(key, "/v1/watchlists", json!({ "name": name })).await;
    let id = created.body["id"].as_str().expect("an id").to_owned();
    let path = format!("/v1/watchlists/{id}/companies");
    assert_eq!(service.post_as(key, &path, json!({ "uids": uids })).await.status, 200);
    id
}

/// The notifications of a team, newest first.
async fn notifications(service: &Service, key: &str) -> Vec<Value> {
    let page = service.get_as(key, "/v1/notifications?limit=100").await.body;
    let items = page["items"].as_array().expect("items").clone();
    assert_eq!(page["total"], items.len());
    items
}

#[tokio::test]
async fn changes_after_the_watch_notify_the_teams_that_watch() {
    let service = service().await;
    let (key, other) = (service.key(Tier::Free).await, service.key(Tier::Free).await);
    watch(&service, &key, FIRST).await;
    watch(&service, &other, SECOND).await;
    deliver(&service).await;
    assert!(notifications(&service, &key).await.is_empty(), "published before the watch");

    publish(&service, [change(FIRST, 3, TODAY)]).await;
    deliver(&service).await;
    let found = notifications(&service, &key).await;
    assert_eq!(found.len(), 1, "{found:?}");
    let feed = service.get_as(&key, "/v1/changes/feed?limit=100").await.body;
    let event = feed["items"].as_array().and_then(|it| it.last()).expect("an event");
    for (member, value) in [
        ("title", json!("Muster AG: Change of purpose")),
        ("body", event["description"].clone()),
        ("category", json!("change")),
        ("severity", json!("low")),
        ("isRead", json!(false)),
        ("link", json!(format!("/v1/companies/{FIRST}/events"))),
        ("companyUid", json!(FIRST)),
        ("eventId", event["id"].clone()),
        ("createdAt", event["detectedAt"].clone()),
    ] {
        assert_eq!(found[0][member], value, "{member}");
    }
    assert!(found[0].get("watchlistIds").is_none());
    assert!(notifications(&service, &other).await.is_empty());

    service.delete_as(&key, &format!("/v1/watches/{FIRST}")).await;
    publish(&service, [change(FIRST, 4, TODAY)]).await;
    deliver(&service).await;
    assert_eq!(notifications(&service, &key).await, found, "no longer watched");
}

#[tokio::test]
async fn a_part_of_the_feed_that_cannot_be_decoded_stops_nothing_and_is_delivered_with_the_generation()
 {
    let service = service().await;
    let key = service.key(Tier::Free).await;
    watch(&service, &key, FIRST).await;
    let before = follow(&service, "", 100, None).await;
    deliver(&service).await;
    publish(&service, [change(FIRST, 3, TODAY)]).await;
    let items = Items::of(&service);
    items.damage(&keys::feed_chunk(1)).await;
    publish(&service, [change(FIRST, 4, TODAY), change(SECOND, 5, TODAY)]).await;

    deliver(&service).await;
    assert!(notifications(&service, &key).await.is_empty(), "none before those that precede it");
    let last = before.last().expect("a change")["sequence"].as_u64().expect("a number");
    let path = format!("/v1/changes/feed?cursor={}", FeedCursor::after(last));
    let page = service.get_as(&key, &path).await.body;
    assert_eq!((&page["items"], &page["hasMore"]), (&json!([]), &json!(false)));
    assert_eq!(page["nextCursor"], FeedCursor::after(last).to_string());

    service.publish().await;
    deliver(&service).await;
    let found = notifications(&service, &key).await;
    let mut bodies: Vec<&str> = found.iter().filter_map(|it| it["body"].as_str()).collect();
    bodies.sort_unstable();
    assert_eq!(bodies.len(), 2, "{found:?}");
    assert!(bodies[0].contains("Handel 3") && bodies[1].contains("Handel 4"), "{bodies:?}");
    assert_eq!(follow(&service, "", 100, None).await.len(), before.len() + 3);
}

#[tokio::test]
async fn preferences_that_cannot_be_decoded_count_as_the_defaults_and_stop_nobody() {
    let service = service().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let other = service.key(Tier::Free).await;
    for key in [&key, &other] {
        watch(&service, key, FIRST).await;
    }
    let body = json!({ "minimumSeverity": "medium" });
    let changed = service.put_as(&key, "/v1/notifications/preferences", body).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    let items = Items::of_tenants(&service);
    let preferences = keys::notification_preferences(&operator(team), &Owner::ApiKeys);
    let whole = items.damage(&preferences).await;
    publish(&service, [change(FIRST, 3, TODAY)]).await;
    deliver(&service).await;
    assert_eq!(notifications(&service, &other).await.len(), 1);
    assert_eq!(notifications(&service, &key).await.len(), 1, "one too many, rather than none");

    items.put(whole).await;
    publish(&service, [change(FIRST, 4, TODAY)]).await;
    deliver(&service).await;
    assert_eq!(notifications(&service, &other).await.len(), 2);
    assert_eq!(notifications(&service, &key).await.len(), 1, "the severity is low");
}

/// Creates a webhook about a company, whose receiver has proven itself, and returns its id.
async fn webhook(service: &Service, key: &str, company: &str) -> String {
    let body = json!({ "url": "https://hooks.example/gotthard", "companyFilters": [company] });
    let created = service.post_as(key, "/v1/webhooks", body).await;
    assert_eq!(created.status, 201, "{created:?}");
    let id = created.body["webhook"]["id"].as_str().expect("an id").to_owned();
    let team = service.get_as(key, "/v1/teams/me").await.body["id"].clone();
    let team = TeamId(team.as_str().expect("an id").to_owned());
    service.prove_receiver(&operator(team), &id).await;
    id
}

/// The number of deliveries to a webhook.
async fn deliveries(service: &Service, key: &str, webhook: &str) -> usize {
    let listed = service.get_as(key, &format!("/v1/webhooks/{webhook}/deliveries")).await;
    let listed = listed.body.as_array().unwrap_or_else(|| panic!("{listed:?}"));
    listed.iter().filter(|it| it["eventType"] != "ch.gotthard.webhook.verify").count()
}

#[tokio::test]
async fn a_webhook_that_cannot_be_decoded_gets_nothing_and_does_not_stop_the_others() {
    let service = service().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let other = service.key(Tier::Free).await;
    let damaged = webhook(&service, &key, FIRST).await;
    let whole = [webhook(&service, &key, FIRST).await, webhook(&service, &other, FIRST).await];
    watch(&service, &key, FIRST).await;
    let items = Items::of_tenants(&service);
    let copy = items.damage(&keys::webhook_of_team(&operator(team), &damaged)).await;
    publish(&service, [change(FIRST, 3, TODAY)]).await;
    deliver(&service).await;
    for (key, webhook) in [&key, &other].into_iter().zip(&whole) {
        assert_eq!(deliveries(&service, key, webhook).await, 1);
    }
    assert_eq!(notifications(&service, &key).await.len(), 1);
    assert_eq!(deliveries(&service, &key, &damaged).await, 0);

    items.put(copy).await;
    publish(&service, [change(FIRST, 4, TODAY)]).await;
    deliver(&service).await;
    assert_eq!(deliveries(&service, &other, &whole[1]).await, 2);
    assert_eq!(deliveries(&service, &key, &damaged).await, 1, "what follows its repair");
}

#[tokio::test]
async fn deliveries_to_a_webhook_whose_state_cannot_be_decoded_wait_and_the_others_are_made() {
    let service = service().await;
    let id = service.team(Tier::Free).await;
    let key = service.key_of(&id, Environment::Live, &Scope::ALL).await;
    let other = service.key(Tier::Free).await;
    let damaged = webhook(&service, &key, FIRST).await;
    let whole = webhook(&service, &other, FIRST).await;
    let team = operator(id.clone());
    let tenants = &service.cloud.tenants;
    let failed = tenants.change_webhook_state(&team, &damaged, |it| it.failures = 1).await;
    let failed = failed.expect("stored");
    let items = Items::of_tenants(&service);
    let state = items.damage(&keys::webhook_state(&team, &damaged)).await;
    publish(&service, [change(FIRST, 3, TODAY)]).await;
    deliver(&service).await;
    assert_eq!(deliveries(&service, &other, &whole).await, 1);

    let environment = Environment::Live;
    let job = WebhookJob::Deliver { team: id, environment, webhook: damaged.clone() };
    let made = service.webhook_worker().handle(job, service.now()).await;
    made.expect_err("it may be disabled");
    items.put(state).await;
    let known = tenants.webhook_state(&team, &damaged).await.expect("read");
    assert_eq!(known, failed, "nothing has replaced it");
    let pending = tenants.pending_webhook_deliveries(&team, &damaged, 10).await;
    assert_eq!(pending.expect("read").len(), 1);
}

/// Runs the scheduler, and returns the jobs that it has sent for webhooks.
async fn due_webhooks(service: &Service) -> Vec<WebhookJob> {
    let scheduler = service.scheduler();
    scheduler.handle(ScheduleJob::SendDueWebhooks, service.now()).await.expect("sent");
    let last = WebhookJob::Deliver {
        team: TeamId("nobody".into()),
        environment: Environment::Live,
        webhook: Uuid::new_v4().to_string(),
    };
    waiting(&service.cloud.webhooks_queue, &last).await
}

#[tokio::test]
async fn a_due_webhook_that_cannot_be_decoded_stays_and_does_not_stop_the_others() {
    let service = Service::start().await;
    let mut webhooks = Vec::new();
    let mut jobs = Vec::new();
    for _ in 0..2 {
        let (team, environment) = (service.team(Tier::Free).await, Environment::Live);
        let webhook = Uuid::new_v4().to_string();
        webhooks.push((operator(team.clone()), webhook.clone()));
        jobs.push(WebhookJob::Deliver { team, environment, webhook });
    }
    service.cloud.tenants.schedule_webhooks(&webhooks, service.now()).await.expect("stored");
    let items = Items::of_tenants(&service);
    let (team, webhook) = &webhooks[0];
    let whole = items.damage(&keys::due_webhook(team, webhook, service.now())).await;
    assert_eq!(due_webhooks(&service).await, jobs[1..]);
    assert_eq!(due_webhooks(&service).await, []);
    items.put(whole).await;
    assert_eq!(due_webhooks(&service).await, jobs[..1]);
    assert_eq!(due_webhooks(&service).await, []);
}

#[tokio::test]
async fn backfilled_history_notifies_nobody() {
    let service = service().await;
    let key = service.key(Tier::Free).await;
    watch(&service, &key, FIRST).await;
    publish(&service, [change(FIRST, 3, "2026-11-12"), change(FIRST, 4, "2020-01-06")]).await;
    publish(&service, [change(FIRST, 5, "2026-11-13")]).await;
    deliver(&service).await;
    let found = notifications(&service, &key).await;
    assert_eq!(found.len(), 1, "only the one published seven days ago: {found:?}");
    assert!(found[0]["body"].as_str().is_some_and(|it| it.contains("Handel 5")), "{found:?}");
}

#[tokio::test]
async fn a_team_is_notified_once_of_a_company_that_it_watches_in_several_ways() {
    let service = service().await;
    let key = service.key(Tier::Free).await;
    watch(&service, &key, FIRST).await;
    let one = watchlist(&service, &key, "One", &[FIRST, SECOND]).await;
    let two = watchlist(&service, &key, "Two", &[FIRST]).await;
    let deleted = watchlist(&service, &key, "Deleted", &[FIRST, SECOND]).await;
    let path = format!("/v1/watchlists/{deleted}");
    assert_eq!(service.delete_as(&key, &path).await.status, 204);
    let path = format!("/v1/watchlists/{one}/companies/{SECOND}");
    assert_eq!(service.delete_as(&key, &path).await.status, 204);
    publish(&service, [change(FIRST, 3, TODAY), change(SECOND, 4, TODAY)]).await;
    deliver(&service).await;
    deliver(&service).await;
    let found = notifications(&service, &key).await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["watchlistIds"], json!([one, two]));
}

/// A killed request may leave companies of a deleted watchlist.
#[tokio::test]
async fn companies_of_a_watchlist_that_no_longer_exists_notify_nobody() {
    let service = service().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let id = watchlist(&service, &key, "Deleted", &[FIRST]).await;
    let team = operator(team);
    let deleted = service.cloud.tenants.delete::<Watchlist>(&team, &id, |_| true).await;
    assert!(deleted.expect("deleted").is_some());
    let first = FIRST.parse().expect("a company number");
    assert_eq!(service.cloud.tenants.watchers(first).await.expect("read").len(), 1);
    publish(&service, [change(FIRST, 3, TODAY)]).await;
    deliver(&service).await;
    assert!(notifications(&service, &key).await.is_empty());
}

#[tokio::test]
async fn preferences_of_the_team_select_changes() {
    let service = service().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let sandbox = service.key_of(&team, Environment::Test, &Scope::ALL).await;
    watch(&service, &key, FIRST).await;
    watch(&service, &sandbox, FIRST).await;
    let path = "/v1/notifications/preferences";
    for (number, preferences, expected) in [
        (3, json!({ "watchedChangeTypes": ["name_change"] }), 0),
        (4, json!({ "watchedChangeTypes": ["purpose_change"] }), 1),
        (5, json!({ "minimumSeverity": "medium" }), 1),
        (6, json!({ "minimumSeverity": "low" }), 2),
        (7, json!({ "isEnabled": false }), 2),
    ] {
        assert_eq!(service.put_as(&key, path, preferences.clone()).await.status, 200);
        publish(&service, [change(FIRST, number, TODAY)]).await;
        deliver(&service).await;
        let found = notifications(&service, &key).await.len();
        assert_eq!(found, expected, "{preferences}");
        let found = notifications(&service, &sandbox).await.len();
        assert_eq!(found, number as usize - 2, "the sandbox has its own preferences");
    }
}

/// Different numbers, the same in each run.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// Every job runs twice at the same time, and is killed at any step.
#[tokio::test(flavor = "multi_thread")]
async fn each_of_a_thousand_events_notifies_each_of_fifty_watchers_once_although_workers_are_killed()
 {
    const EVENTS: usize = 1_000;
    const TEAMS: usize = 50;
    let service = Service::start().await;
    let companies: Vec<String> = (0..100).map(|it| format!("CHE{}", 300_000_000 + it)).collect();
    let tenants = &service.cloud.tenants;
    let mut teams = Vec::new();
    for number in 0..TEAMS {
        let team = operator(TeamId(format!("0199c0de-0000-7000-8000-{number:012}")));
        let watchlist = Watchlist {
            id: format!("0199c0de-0001-7000-8000-{number:012}"),
            name: "All".into(),
            description: String::new(),
            created_by: Principal::api_key("k"),
            created_at: service.now(),
            updated_at: service.now(),
        };
        tenants.create(&team, Tier::Enterprise, &watchlist).await.expect("created");
        let entry = |uid: &String| WatchlistEntry {
            watchlist_id: watchlist.id.clone(),
            company_uid: uid.parse().expect("a company number"),
            after_sequence: 0,
            created_by: Principal::api_key("k"),
            added_at: service.now(),
        };
        let entries: Vec<_> = companies.iter().map(entry).collect();
        tenants
            .add_to_watchlist(&team, Tier::Enterprise, &watchlist.id, &entries)
            .await
            .expect("added");
        teams.push(team);
    }
    let company = |number: usize| &companies[number % companies.len()];
    let publications = (0..EVENTS).map(|it| change(company(it), it as u64 + 1, TODAY));
    publish(&service, publications).await;
    let last = service.cloud.registry.feed_end().await.expect("read");
    assert_eq!(last as usize, EVENTS);

    let (mut state, mut killed, mut longest, mut reached) = (7, 0, 400, 0);
    while reached < last {
        let before = reached;
        reached = tenants.delivered_through().await.expect("read");
        // On a slow machine, a worker needs longer for its next step.
        longest = if reached == before { longest * 4 } else { 400 };
        let limit = Duration::from_millis(next(&mut state) % longest);
        let run = |limit: Duration| {
            let worker = worker(&service);
            let run = async move { worker.handle(DeliveryJob::NotifyWatchers).await };
            tokio::spawn(async move { tokio::time::timeout(limit, run).await })
        };
        let (one, other) =
            (run(limit), run(limit + Duration::from_millis(next(&mut state) % longest)));
        for run in [one, other] {
            match run.await.expect("no panic") {
                Ok(done) => done.expect("delivered"),
                Err(_) => killed += 1,
            }
        }
    }
    deliver(&service).await;
    assert!(killed >= 5, "{killed} workers were killed");
    let feed = service.cloud.registry.feed(0, EVENTS).await.expect("read");
    let events: HashSet<_> = feed.events.iter().map(|it| it.event.id).collect();
    for team in &teams {
        let page = tenants.notifications(team, false, (0, 2 * EVENTS), service.now()).await;
        let page = page.expect("read");
        assert_eq!((page.total, page.unread), (EVENTS as u64, EVENTS as u64));
        let found: HashSet<_> = page.items.iter().filter_map(|it| it.event_id).collect();
        assert_eq!((page.items.len(), found == events), (EVENTS, true));
    }
}

#[tokio::test]
async fn cursor_of_the_delivery_never_moves_back() {
    let service = Service::start().await;
    let tenants = &service.cloud.tenants;
    assert!(tenants.advance_delivery(0, 100).await.expect("moved"));
    assert!(!tenants.advance_delivery(0, 50).await.expect("refused"));
    assert_eq!(tenants.delivered_through().await.expect("read"), 100);
    assert!(tenants.advance_delivery(100, 101).await.expect("moved"));
}
