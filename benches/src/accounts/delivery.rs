//! From the change feed to stored notifications and sent webhooks.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use auth::Principal;
use aws_sdk_dynamodb::{
    config::{
        ConfigBag, Intercept, RuntimeComponents, interceptors::BeforeTransmitInterceptorContextRef,
    },
    error::BoxError,
};
use axum::{Router, routing};
use domain::{Source, Uid, changes::Severity};
use fetch::{Fetcher, Settings};
use futures_util::FutureExt;
use jiff::Timestamp;
use jobs::WebhookJob;
use local::{
    cloud::{Cloud, TABLES, clients},
    workers,
};
use outgoing::webhooks::WebhookSender;
use publications::Publication;
use serde_json::Value;
use store::{Registry, Tenants};
use teams::{EventFilter, PendingDelivery, Verification, Webhook, WebhookState, WebhookStatus};
use tokio::{net::TcpListener, sync::oneshot};
use uuid::Uuid;

use super::{folder, operator};
use crate::{
    Error, machine, process,
    samples::{Samples, median_and_tail, row},
    watchlists,
};

/// Number of teams, each of which watches all watched companies.
const TEAMS: usize = 20;
const WATCHED: usize = 500;
/// Number of companies with a notice. Those that nobody watches are read too.
const COMPANIES: usize = 1_000;
/// Number of notices whose latency is measured.
const NOTICES: usize = 60;
const DELIVERIES: usize = 5_000;

/// Counts the requests that read from the tables, by operation.
#[derive(Clone, Debug, Default)]
struct Reads(Arc<[AtomicUsize; 3]>);

/// The operations that read. The SDK names the operation in a header.
const READS: [&str; 3] = ["GetItem", "BatchGetItem", "Query"];

impl Intercept for Reads {
    fn name(&self) -> &'static str {
        "Reads"
    }

    fn read_before_transmit(
        &self,
        context: &BeforeTransmitInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let target = context.request().headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default();
        if let Some(index) = READS.iter().position(|it| *it == operation) {
            self.0[index].fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }
}

pub(super) async fn measure() -> Result<(), Error> {
    let cloud = Cloud::in_memory().await?;
    eprintln!("accounts: {} watches …", TEAMS * WATCHED);
    let watched = (0..WATCHED).map(company).collect::<Result<Vec<Uid>, Error>>()?;
    for number in 0..TEAMS {
        watchlists::create(&cloud.tenants, &operator(number), watched.iter().copied()).await?;
    }
    from_feed(&cloud).await?;
    latency(&cloud).await?;
    webhooks(&cloud).await
}

fn company(index: usize) -> Result<Uid, Error> {
    Ok(format!("CHE{}", 300_000_000 + index).parse()?)
}

/// A notice of today that changes purpose and board.
fn notice(company: Uid, number: usize, now: Timestamp) -> Publication {
    let officer =
        format!("Muster, Eva{number}, von Chur, in Bern, Mitglied, mit Einzelunterschrift");
    Publication::mutation(&company.to_string(), "Muster AG")
        .number(number as u64 + 1)
        .on(&now.strftime("%Y-%m-%d").to_string())
        .new_purpose("Bau", &format!("Handel {number}"))
        .persons_entered(&officer)
}

async fn ingest(cloud: &Cloud, notices: &[Publication]) -> Result<(), Error> {
    let file: Vec<Value> = notices.iter().map(Publication::json).collect();
    let batch = sources::read(Source::Shab, Value::from(file).to_string().as_bytes())?;
    let (registry, objects) = (&cloud.registry, &cloud.objects);
    ingest::ingest(registry, objects, Source::Shab, batch, machine::now()).await?;
    Ok(())
}

async fn from_feed(cloud: &Cloud) -> Result<(), Error> {
    let now = machine::now();
    let mut notices = Vec::with_capacity(COMPANIES);
    for index in 0..COMPANIES {
        notices.push(notice(company(index)?, index, now));
    }
    ingest(cloud, &notices).await?;
    let events = cloud.registry.feed_end().await?;
    let reads = Reads::default();
    let tables = clients::dynamodb_client(&cloud.endpoints.dynamodb);
    let tables = tables.config().to_builder().interceptor(reads.clone()).build();
    #[expect(clippy::disallowed_methods, reason = "a client that counts its requests")]
    let tables = store::Client::from_conf(tables);
    let folder = folder()?;
    let components = process::components(cloud, folder.path())
        .with(Registry::named(tables.clone(), TABLES[0]))
        .with(Tenants::named(tables, TABLES[1]));
    let worker: delivery::Worker = components.get();
    eprintln!("accounts: {events} events …");
    let (mut notifications, started) = (0, Instant::now());
    loop {
        let delivered = worker.deliver_next().await?;
        notifications += delivered.notifications;
        if !delivered.has_more {
            break;
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let by_operation = reads.0.iter().map(|it| it.load(Ordering::Relaxed));
    let by_operation: BTreeMap<_, _> = READS.into_iter().zip(by_operation).collect();
    let all: usize = by_operation.values().sum();
    row([
        &format!(
            "delivery of {events} events to {TEAMS} teams that watch half of the companies: events per second"
        ),
        &format!("{:.0}", events as f64 / seconds),
    ]);
    row([
        "– notifications per second",
        &format!("{:.0}", f64::from(u32::try_from(notifications)?) / seconds),
    ]);
    row([
        &format!("– read requests to DynamoDB per event ({by_operation:?})"),
        &format!("{:.2}", all as f64 / events as f64),
    ]);
    Ok(())
}

/// From the time at which an event is in the feed until a team can read its notification.
async fn latency(cloud: &Cloud) -> Result<(), Error> {
    eprintln!("accounts: the latency of {NOTICES} notices …");
    let folder = folder()?;
    let components = process::components(cloud, folder.path())
        .with(Fetcher::with_service(Settings::default(), Router::new()));
    let (_stop, stopped) = oneshot::channel::<()>();
    workers::start(&workers::components(components, folder.path()), stopped.map(drop).shared())?;
    let (team, mut samples) = (operator(0), Samples::default());
    for index in 0..NOTICES {
        // Not in step with the workers.
        let pause = index * 379 % 1_000;
        tokio::time::sleep(Duration::from_millis(pause as u64)).await;
        let before = cloud.registry.feed_end().await?;
        let now = machine::now();
        ingest(cloud, &[notice(company(index)?, COMPANIES + index, now)]).await?;
        let part = cloud.registry.feed(before, 1).await?;
        let event = part.events.first().ok_or("the notice caused no event")?;
        let is_of_event = |it: &teams::Notification| it.event_id == Some(event.event.id);
        loop {
            let now = machine::now();
            let page = cloud.tenants.notifications(&team, false, (0, 10), now).await?;
            if page.items.iter().any(is_of_event) {
                let waited = now.duration_since(event.recorded_at);
                samples.push(Duration::try_from(waited).unwrap_or_default());
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    row([
        "from the published event to the stored notification, local server, p50 / p99 ms",
        &median_and_tail(&samples),
    ]);
    Ok(())
}

async fn webhooks(cloud: &Cloud) -> Result<(), Error> {
    eprintln!("accounts: {DELIVERIES} deliveries …");
    let received = Arc::new(AtomicUsize::new(0));
    let counted = received.clone();
    let receive = move || {
        counted.fetch_add(1, Ordering::Relaxed);
        async {}
    };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/hook", listener.local_addr()?);
    let router = Router::new().route("/hook", routing::post(receive));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let folder = folder()?;
    let components = process::components(cloud, folder.path());
    let sender: WebhookSender = components.get();
    let (team, id, now) = (operator(TEAMS), Uuid::now_v7().to_string(), machine::now());
    let (key, _) = sender.new_key(&team, &id, Default::default(), now).await?;
    let webhook = Webhook {
        id: id.clone(),
        url,
        description: String::new(),
        event_filters: vec![EventFilter::Any],
        company_filters: Vec::new(),
        watchlist_filters: Vec::new(),
        watched_only: false,
        minimum_severity: Severity::Low,
        alert_id: None,
        status: WebhookStatus::Active,
        signing_keys: vec![key],
        after_sequence: 0,
        created_by: Principal::api_key("k"),
        created_at: now,
        updated_at: now,
    };
    let tier = access::Tier::Enterprise;
    let name = "Webhooks".to_owned();
    cloud.tenants.put_team(&store::Team { id: team.team().clone(), name, tier }).await?;
    cloud.tenants.create(&team, tier, &webhook).await?;
    let deliveries: Vec<PendingDelivery> = (0..DELIVERIES)
        .map(|_| PendingDelivery::test(Uuid::now_v7(), process::PUBLIC_URL, &id, now))
        .collect();
    cloud.tenants.add_webhook_deliveries(&team, &id, &deliveries).await?;
    let proven = Verification::proven(&webhook.url, now);
    let change = |it: &mut WebhookState| it.verification = Some(proven.clone());
    cloud.tenants.change_webhook_state(&team, &id, change).await?;
    let worker: ::webhooks::Worker = components.get();
    let (team, environment) = (team.team().clone(), team.environment());
    let started = Instant::now();
    worker.handle(WebhookJob::Deliver { team, environment, webhook: id }, machine::now()).await?;
    let seconds = started.elapsed().as_secs_f64();
    let received = received.load(Ordering::Relaxed);
    if received != DELIVERIES {
        return Err(format!("{received} of {DELIVERIES} deliveries arrived").into());
    }
    let per_second = DELIVERIES as f64 / seconds;
    row([
        "deliveries to one webhook, signed, sent and recorded, per second",
        &format!("{per_second:.0}"),
    ]);
    Ok(())
}
