//! Exports whose workers are killed, whose messages are doubled, and whose storage fails.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, Mutex},
};

use access::Tier;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use domain::Canton;
use futures_util::{StreamExt, stream};
use generations::Generations;
use jobs::ExportJob;
use local::cloud::clients;
use objects::Objects;
use serde_json::{Value, json};
use store::{Registry, Tenants};
use tests::{
    Service, company,
    faults::{Fault, Faults},
    workers_by_hand::{killed_after, waiting},
};

use super::exports::{PATH, PROFILES, id, uids};

const EXPORTS: usize = 100;
/// More than one block of records, so that there is something to interrupt.
const COMPANIES: usize = 1_100;
/// Jobs that run at the same time.
const PARALLEL: usize = 10;
/// Small, so that a file has several parts.
const PART: usize = objects::MIN_PART;
/// Seconds after which a worker that died has lost its lease.
const AFTER_A_LEASE: i64 = 121;

/// Random numbers that are the same in every run (`SplitMix64`).
#[derive(Clone)]
pub(crate) struct Random(Arc<Mutex<u64>>);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(seed)))
    }

    /// That of one export. What other exports do meanwhile does not change it.
    fn of(job: &ExportJob, generators: &BTreeMap<String, Self>) -> Self {
        match job {
            ExportJob::Run { export, .. } => generators[export].clone(),
            ExportJob::Sweep => panic!("the test sweeps itself"),
        }
    }

    /// A text that no compression makes much smaller.
    fn text(&self, length: usize) -> String {
        let letter = || char::from(u8::try_from(self.below(94)).expect("small") + b'!');
        (0..length).map(|_| letter()).collect()
    }

    pub(crate) fn below(&self, limit: u64) -> u64 {
        let mut state = self.0.lock().expect("not poisoned");
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = *state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }
}

/// A worker whose table and bucket fail at random: which request of which export fails depends on the order in which tasks run,
/// so a failure of this test may need several runs to occur again. The SDK repeats nothing, so that every fault is the worker's.
#[expect(
    clippy::disallowed_methods,
    reason = "clients without retries: the worker itself must repeat"
)]
async fn failing_worker(
    service: &Service,
    random: &Random,
) -> (bulk_export::Worker, Faults, Faults) {
    let table = Faults::before(&service.cloud.endpoints.dynamodb).await;
    let bucket = Faults::before(&service.cloud.endpoints.s3).await;
    let once = RetryConfig::disabled();
    let config = clients::dynamodb_client(&table.address).config().to_builder();
    let client = aws_sdk_dynamodb::Client::from_conf(config.retry_config(once.clone()).build());
    let registry = Registry::named(client.clone(), &service.cloud.tables[0]);
    let tenants = Tenants::named(client, &service.cloud.tables[1]);
    let config = clients::s3_client(&bucket.address).config().to_builder();
    let client = objects::Client::from_conf(config.retry_config(once).build());
    let objects = Objects::named(client, &service.cloud.bucket);
    let generations = Generations::new(objects.clone(), service.downloads.path());
    let worker = bulk_export::Worker {
        registry,
        tenants,
        objects,
        generations,
        part: PART,
        rows_per_group: 100,
        ..service.export_worker()
    };
    for faults in [&table, &bucket] {
        let random = random.clone();
        faults.decide(move |_, _| match random.below(300) {
            0..2 => Some(Fault::LoseAnswer),
            2..4 => Some(Fault::Down),
            4..5 => Some(Fault::FailAfterwards),
            5..6 => Some(Fault::Throttle),
            _ => None,
        });
    }
    (worker, table, bucket)
}

/// An export that is asked for.
struct Wanted {
    path: &'static str,
    body: Value,
    format: &'static str,
    /// The companies that it must contain, exactly.
    companies: BTreeSet<String>,
}

/// The export with this number. About a third of them have more than one part.
fn wanted(number: usize) -> Wanted {
    if number % 10 == 9 {
        let companies: BTreeSet<String> = (0..COMPANIES).step_by(number).map(uid).collect();
        let body = json!({ "uids": companies, "includeBoard": true, "includeTimeline": true });
        return Wanted { path: PROFILES, body, format: "ndjson", companies };
    }
    let format = ["ndjson", "csv", "parquet"][number % 3];
    let mut body = json!({ "format": format });
    let canton = [None, Some("ZH"), None, Some("BE")][number / 3 % 4];
    if let Some(canton) = canton {
        body["canton"] = canton.into();
    }
    let matches = |it: &usize| canton.is_none_or(|canton| canton_of(*it).code() == canton);
    let mut companies: Vec<String> = (0..COMPANIES).filter(matches).map(uid).collect();
    if number.is_multiple_of(4) {
        body["maxRows"] = 700.into();
        companies.truncate(700);
    }
    Wanted { path: PATH, body, format, companies: companies.into_iter().collect() }
}

fn uid(number: usize) -> String {
    let digits = (100_000_000 + number).to_string();
    format!("CHE-{}.{}.{}", &digits[..3], &digits[3..6], &digits[6..])
}

fn canton_of(number: usize) -> Canton {
    [Canton::Zh, Canton::Be, Canton::Ge][number % 3]
}

#[tokio::test]
async fn every_export_ends_once_and_completely_whatever_fails() {
    let random = Random::new(18);
    let companies = (0..COMPANIES).map(|number| {
        let mut company = company(&uid(number), &format!("Muster {number} AG"));
        company.canton = Some(canton_of(number));
        company.purpose = Some(random.text(8_000));
        company
    });
    let service = Service::with(companies).await;
    let key = service.key(Tier::Enterprise).await;
    let mut exports = BTreeMap::new();
    let mut generators = BTreeMap::new();
    for number in 0..EXPORTS {
        let Wanted { path, body, format, companies } = wanted(number);
        let id = id(&service.post_as(&key, path, body).await);
        generators.insert(id.clone(), Random::new(1_000 + number as u64));
        exports.insert(id, (format, companies));
    }
    let (worker, table, bucket) = failing_worker(&service, &random).await;
    let (worker, generators) = (&worker, &generators);
    let mut queue: VecDeque<ExportJob> = take(&service).await.into();
    let (mut kills, mut failures) = (0, 0);
    for round in 0.. {
        assert!(round < 200, "some exports do not end");
        let jobs: Vec<ExportJob> = queue.drain(..).collect();
        let now = service.now();
        let run = stream::iter(jobs).map(async |job: ExportJob| {
            let random = Random::of(&job, generators);
            let twice = random.below(5) == 0;
            let killed = random.below(3) == 0;
            let polls = usize::try_from(1 + random.below(60)).expect("small");
            // Some messages are lost for good, as if they were in the dead-letter queue.
            let is_lost = random.below(10) == 0;
            if killed {
                let killed = killed_after(polls, worker.handle(job.clone(), now)).await;
                return (Some(job).filter(|_| killed && !is_lost), usize::from(killed), 0);
            }
            let first = worker.handle(job.clone(), now);
            let failed = match twice {
                true => {
                    let (one, other) = tokio::join!(first, worker.handle(job.clone(), now));
                    one.is_err() || other.is_err()
                }
                false => first.await.is_err(),
            };
            // The queue delivers a failed message again.
            (Some(job).filter(|_| failed && !is_lost), 0, usize::from(failed))
        });
        let results: Vec<_> = run.buffer_unordered(PARALLEL).collect().await;
        for (again, was_killed, has_failed) in results {
            queue.extend(again);
            kills += was_killed;
            failures += has_failed;
        }
        service.pass_seconds(if round % 3 == 2 { AFTER_A_LEASE } else { 5 });
        let polls = usize::try_from(1 + random.below(3_000)).expect("small");
        killed_after(polls, async {
            let _fails_sometimes = worker.handle(ExportJob::Sweep, service.now()).await;
        })
        .await;
        queue.extend(take(&service).await);
        if queue.is_empty() && all_ended(&service, &key).await {
            break;
        }
    }
    assert!(kills > 10 && failures > 10, "{kills} kills, {failures} failures");
    for faults in [&table, &bucket] {
        faults.decide(|_, _| None);
    }
    // Later than any worker can still write.
    for _ in 0..3 {
        service.pass_seconds(25 * 60);
        worker.handle(ExportJob::Sweep, service.now()).await.expect("swept");
    }

    assert_eq!(service.cloud.objects.abort_uploads("exports/").await.expect("listed"), 0);
    let objects = service.cloud.objects.keys("exports/").await.expect("listed");
    let mut completed = 0;
    for (id, (format, companies)) in &exports {
        let answer = service.get_as(&key, &format!("{PATH}/{id}")).await;
        let of_export: Vec<&String> = objects.iter().filter(|it| it.contains(id)).collect();
        match answer.body["job"]["status"].as_str() {
            Some("completed") => {
                completed += 1;
                assert_eq!(of_export.len(), 1, "{id}: {of_export:?}");
                let file = service.cloud.objects.get(of_export[0]).await.expect("read");
                let found = uids(format, &file.expect("an object"));
                assert_eq!(found.len(), companies.len(), "{id} as {format}");
                assert!(found.iter().eq(companies), "{id} as {format}");
            }
            Some("failed") => {
                let reason = answer.body["job"]["errorMessage"].as_str().unwrap_or_default();
                assert!(reason.contains("The last time, "), "{answer:?}");
                assert!(of_export.is_empty(), "{id}: {of_export:?}");
            }
            _ => panic!("{answer:?}"),
        }
    }
    assert_eq!(objects.len(), completed);
    assert!(completed > EXPORTS / 2, "{completed} completed");
}

async fn take(service: &Service) -> Vec<ExportJob> {
    waiting(&service.cloud.exports_queue, &ExportJob::Sweep).await
}

async fn all_ended(service: &Service, key: &str) -> bool {
    let list = service.get_as(key, &format!("{PATH}?limit=100")).await.body;
    let all = list.as_array().expect("a list").iter();
    all.filter(|it| it["status"] == "completed" || it["status"] == "failed").count() == EXPORTS
}
