//! Hundreds of events for twenty webhooks, with workers that are killed.

use access::Tier;
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex},
    time::Duration,
};

use auth::{Principal, TeamId};
use axum::{Router, extract::State, http::HeaderMap, routing::post};
use domain::changes::Severity;
use http::StatusCode;
use jobs::{DeliveryJob, WebhookJob};
use outgoing::webhooks::WebhookSender;
use store::{Team, TeamKey};
use teams::{DeliveryStatus, EventFilter, Watchlist, WatchlistEntry, Webhook, WebhookStatus};
use tests::{Service, operator};
use tokio::net::TcpListener;
use uuid::Uuid;

use super::purpose;

const EVENTS: usize = 300;
const WATCHERS: usize = 20;
const COMPANIES: usize = 100;
/// Milliseconds within which workers are killed at first: so few that most do not end.
const SHORTEST: u64 = 50;

/// What arrived: for each webhook, which is the last part of the path, the ids and the events.
type Arrived = Arc<Mutex<HashMap<String, Vec<(String, Uuid)>>>>;

/// A receiver that answers one of twenty requests with an error, after it has recorded the request.
async fn receiver(arrived: Arrived) -> String {
    let receive = async |State(arrived): State<Arrived>,
                         axum::extract::Path(webhook): axum::extract::Path<String>,
                         headers: HeaderMap,
                         body: axum::Json<serde_json::Value>| {
        let id = headers["webhook-id"].to_str().expect("text").to_owned();
        let event = body["id"].as_str().and_then(|it| it.parse().ok()).expect("an id");
        let mut arrived = arrived.lock().expect("not poisoned");
        let of_webhook = arrived.entry(webhook).or_default();
        of_webhook.push((id, event));
        match of_webhook.len() % 20 {
            0 => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::OK,
        }
    };
    let router = Router::new().route("/{webhook}", post(receive)).with_state(arrived);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(axum::serve(listener, router).into_future());
    format!("http://{address}")
}

/// Different numbers, the same in each run.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// A team with a watchlist of all companies, and a webhook about it.
async fn watcher(service: &Service, number: usize, companies: &[String], url: &str) -> TeamKey {
    let tenants = &service.cloud.tenants;
    let team = operator(TeamId(format!("0199c0de-0000-7000-8000-{number:012}")));
    let enterprise = Team { id: team.team().clone(), name: "Team".into(), tier: Tier::Enterprise };
    tenants.put_team(&enterprise).await.expect("a team");
    let (list, now) = (format!("0199c0de-0001-7000-8000-{number:012}"), service.now());
    let created_by = Principal::api_key("k");
    let watchlist = Watchlist {
        id: list.clone(),
        name: "All".into(),
        description: String::new(),
        created_by: created_by.clone(),
        created_at: now,
        updated_at: now,
    };
    tenants.create(&team, Tier::Enterprise, &watchlist).await.expect("created");
    let entry = |uid: &String| WatchlistEntry {
        watchlist_id: list.clone(),
        company_uid: uid.parse().expect("a company number"),
        after_sequence: 0,
        created_by: created_by.clone(),
        added_at: now,
    };
    let entries: Vec<_> = companies.iter().map(entry).collect();
    tenants.add_to_watchlist(&team, Tier::Enterprise, &list, &entries).await.expect("added");
    let id = webhook_of(number);
    let (key, _) = service
        .components
        .get::<WebhookSender>()
        .new_key(&team, &id, Default::default(), now)
        .await
        .expect("a key");
    let webhook = Webhook {
        url: format!("{url}/{id}"),
        id,
        description: String::new(),
        event_filters: vec![EventFilter::Any],
        company_filters: Vec::new(),
        watchlist_filters: vec![list],
        watched_only: false,
        minimum_severity: Severity::Low,
        alert_id: None,
        status: WebhookStatus::Active,
        signing_keys: vec![key],
        after_sequence: 0,
        created_by,
        created_at: now,
        updated_at: now,
    };
    tenants.create(&team, Tier::Enterprise, &webhook).await.expect("created");
    service.prove_receiver(&team, &webhook.id).await;
    team
}

fn webhook_of(number: usize) -> String {
    format!("0199c0de-0002-7000-8000-{number:012}")
}

/// Every job of the matcher runs twice at the same time and is killed at any step; every message of a webhook is delivered
/// twice, in any order, to workers that are killed too, until one is not.
#[tokio::test(flavor = "multi_thread")]
async fn every_event_arrives_at_every_webhook_although_workers_are_killed() {
    let service = Service::start().await;
    let arrived = Arrived::default();
    let url = receiver(arrived.clone()).await;
    let companies: Vec<String> =
        (0..COMPANIES).map(|it| format!("CHE{}", 300_000_000 + it)).collect();
    let mut teams = Vec::new();
    for number in 0..WATCHERS {
        teams.push(watcher(&service, number, &companies, &url).await);
    }
    let publications: Vec<_> =
        (0..EVENTS).map(|it| purpose(&companies[it % COMPANIES], it as u64 + 1)).collect();
    service.ingest(domain::Source::Shab, tests::read_publications(&publications)).await;
    let cloud = &service.cloud;
    let last = cloud.registry.feed_end().await.expect("read");
    assert_eq!(last as usize, EVENTS);

    let (mut state, mut killed, mut longest, mut reached) = (11, 0, SHORTEST, 0);
    while reached < last {
        let before = reached;
        reached = cloud.tenants.delivered_through().await.expect("read");
        // On a slow machine, a worker needs longer for its next step.
        longest = if reached == before { longest * 4 } else { SHORTEST };
        let runs: Vec<_> = (0..2)
            .map(|_| {
                let limit = Duration::from_millis(next(&mut state) % longest);
                let worker = service.delivery_worker();
                let run = async move { worker.handle(DeliveryJob::NotifyWatchers).await };
                tokio::spawn(async move { tokio::time::timeout(limit, run).await })
            })
            .collect();
        for run in runs {
            match run.await.expect("no panic") {
                Ok(done) => done.expect("matched"),
                Err(_) => killed += 1,
            }
        }
    }
    assert!(killed >= 5, "{killed} matchers were killed");

    // The messages, each twice, in another order.
    let mut messages: Vec<usize> = (0..2 * WATCHERS).map(|it| it % WATCHERS).collect();
    for index in (1..messages.len()).rev() {
        messages.swap(index, next(&mut state) as usize % (index + 1));
    }
    let (mut killed, mut longest) = (0, SHORTEST);
    while !messages.is_empty() {
        let together: Vec<usize> = messages.drain(..messages.len().min(8)).collect();
        let before = messages.len();
        let runs: Vec<_> = together
            .into_iter()
            .map(|number| {
                let limit = Duration::from_millis(next(&mut state) % longest);
                let (worker, now) = (service.webhook_worker(), service.now());
                let job = WebhookJob::Deliver {
                    team: teams[number].team().clone(),
                    environment: teams[number].environment(),
                    webhook: webhook_of(number),
                };
                let run = async move { worker.handle(job, now).await };
                tokio::spawn(async move { (number, tokio::time::timeout(limit, run).await) })
            })
            .collect();
        for run in runs {
            match run.await.expect("no panic") {
                (_, Ok(done)) => done.expect("delivered"),
                // The queue delivers the message of a killed worker again.
                (number, Err(_)) => {
                    messages.push(number);
                    killed += 1;
                }
            }
        }
        // Longer after a round in which all were killed.
        longest = if messages.len() == before + 8 { longest * 2 } else { longest.max(SHORTEST) };
    }
    assert!(killed >= 20, "{killed} workers were killed");

    // The retries of what the receiver refused.
    for _ in 0..4 {
        service.pass_seconds(3_600);
        for (number, team) in teams.iter().enumerate() {
            let job = WebhookJob::Deliver {
                team: team.team().clone(),
                environment: team.environment(),
                webhook: webhook_of(number),
            };
            service.webhook_worker().handle(job, service.now()).await.expect("delivered");
        }
    }
    let feed = cloud.registry.feed(0, EVENTS).await.expect("read");
    let events: HashSet<Uuid> = feed.events.iter().map(|it| it.event.id).collect();
    let arrived = arrived.lock().expect("not poisoned").clone();
    for (number, team) in teams.iter().enumerate() {
        let id = webhook_of(number);
        let of_webhook = &arrived[&id];
        let pairs: HashSet<&(String, Uuid)> = of_webhook.iter().collect();
        let found: HashSet<Uuid> = pairs.iter().map(|it| it.1).collect();
        assert_eq!(found, events, "every event has arrived at {id}");
        assert_eq!(pairs.len(), EVENTS, "every event always had the same id at {id}");
        let ids: HashSet<&String> = pairs.iter().map(|it| &it.0).collect();
        assert_eq!(ids.len(), EVENTS, "every event had an id of its own at {id}");
        let logged = cloud.tenants.webhook_deliveries(team, &id, 2 * EVENTS).await.expect("read");
        assert_eq!(logged.len(), EVENTS);
        assert!(logged.iter().all(|it| it.status == DeliveryStatus::Delivered), "{logged:?}");
        let waiting = cloud.tenants.pending_webhook_deliveries(team, &id, 1).await.expect("read");
        assert!(waiting.is_empty(), "{waiting:?}");
    }
    let total: usize = arrived.values().map(Vec::len).sum();
    assert!(total < 2 * EVENTS * WATCHERS, "{total} requests: few are repeated");
}
