//! Exports whose workers are killed, whose messages are doubled, whose storage and queue fail, and which their team cancels.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use access::{Environment, Tier};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use domain::Canton;
use futures_util::{StreamExt, future::join_all, stream};
use generations::Generations;
use http::StatusCode;
use jobs::{ExportJob, Queue};
use local::cloud::{Cloud, clients};
use objects::Objects;
use serde_json::{Value, json};
use store::Tenants;
use tests::{
    Service, company,
    faults::{Fault, Faults},
    workers_by_hand::{killed_after, polled},
};

use super::exports::{PATH, PROFILES, id, uids};

const EXPORTS: usize = 100;
/// The first of them, whose jobs cannot be sent when they are created.
const UNSENT: usize = 10;
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
        generators[export_of(job)].clone()
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

/// A queue whose requests fail at random.
struct FailingQueue {
    failing: Queue<ExportJob>,
    reliable: Queue<ExportJob>,
    faults: Faults,
    /// While it is set, the queue accepts no message.
    is_down: Arc<AtomicBool>,
}

/// A message that was received.
struct Received {
    job: ExportJob,
    /// Absent if it is not known any more: another delivery of the message has another one.
    receipt: Option<String>,
}

impl FailingQueue {
    #[expect(clippy::disallowed_methods, reason = "a client without retries, as for the storage")]
    async fn of(cloud: &Cloud, random: &Random) -> Self {
        let faults = Faults::before(&cloud.endpoints.sqs).await;
        let is_down = Arc::new(AtomicBool::new(false));
        let (random, outage) = (random.clone(), is_down.clone());
        faults.decide(move |operation, _| match operation {
            "SendMessageBatch" if outage.load(Ordering::SeqCst) => Some(Fault::Down),
            _ => match random.below(20) {
                0 | 1 => Some(Fault::LoseAnswer),
                2 => Some(Fault::Down),
                3 => Some(Fault::FailAfterwards),
                _ => None,
            },
        });
        let config = clients::sqs_client(&faults.address).config().to_builder();
        let client = jobs::Client::from_conf(config.retry_config(RetryConfig::disabled()).build());
        let reliable = cloud.exports_queue.clone();
        Self { failing: Queue::new(client, reliable.url()), reliable, faults, is_down }
    }

    /// Receives the messages that wait. Those whose answers are lost stay in flight for longer than the test takes.
    async fn receive(&self) -> (Vec<Received>, usize) {
        // Sent last, so it is received last. Each one has a group of its own, as one that is lost blocks its group.
        let mut last = self.end().await;
        let (mut received, mut failures) = (Vec::new(), 0);
        loop {
            let Ok(delivery) = self.failing.receive().await else {
                failures += 1;
                last = self.end().await;
                continue;
            };
            let Some(delivery) = delivery else { continue };
            let job: ExportJob = serde_json::from_str(&delivery.body).expect("a job");
            if job == last {
                return (received, failures);
            }
            received.push(Received { job, receipt: Some(delivery.receipt_handle) });
        }
    }

    /// Sends a job of an export that does not exist.
    async fn end(&self) -> ExportJob {
        let export = uuid::Uuid::new_v4().to_string();
        let team = auth::TeamId("nobody".to_owned());
        let job = ExportJob::Run { team, environment: Environment::Live, export, again: None };
        self.reliable.send(&job).await.expect("sent");
        job
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
    jobs: &Queue<ExportJob>,
) -> (bulk_export::Worker, Faults, Faults) {
    let table = Faults::before(&service.cloud.endpoints.dynamodb).await;
    let bucket = Faults::before(&service.cloud.endpoints.s3).await;
    let once = RetryConfig::disabled();
    let config = clients::dynamodb_client(&table.address).config().to_builder();
    let client = aws_sdk_dynamodb::Client::from_conf(config.retry_config(once.clone()).build());
    let tenants = Tenants::named(client, &service.cloud.tables[1]);
    let config = clients::s3_client(&bucket.address).config().to_builder();
    let client = objects::Client::from_conf(config.retry_config(once).build());
    let objects = Objects::named(client, &service.cloud.bucket);
    let generations = Generations::new(objects.clone(), service.downloads.path());
    let worker = bulk_export::Worker {
        tenants,
        objects,
        generations,
        jobs: jobs.clone(),
        part: PART,
        rows_per_group: 100,
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

/// What a team does while its export is written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Interference {
    Cancel,
    /// Cancels it, and deletes it then.
    Delete,
}

/// Some teams interfere, each once.
fn interference(number: usize) -> Option<Interference> {
    // No multiple of what [`wanted`] repeats: exports of all kinds and sizes are cancelled.
    match number % 7 {
        3 => Some(Interference::Cancel),
        5 => Some(Interference::Delete),
        _ => None,
    }
}

/// What the test expects of an export.
struct Expected {
    format: &'static str,
    companies: BTreeSet<String>,
    interference: Option<Interference>,
}

/// How an attempt to run a job ended.
#[derive(Default)]
struct Attempt {
    /// The message, if the queue delivers it again.
    again: Option<Received>,
    was_killed: bool,
    has_failed: bool,
    was_not_deleted: bool,
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
    let mut cloud = tests::cloud().await;
    let messages = FailingQueue::of(&cloud, &random).await;
    cloud.exports_queue = messages.failing.clone();
    let service = Service::over(cloud).await;
    service.register(companies).await;
    let key = service.key(Tier::Enterprise).await;
    let mut exports = BTreeMap::new();
    let mut generators = BTreeMap::new();
    let create = async |number: usize| {
        let Wanted { path, body, format, companies } = wanted(number);
        let id = id(&service.post_as(&key, path, body).await);
        (id, number, Expected { format, companies, interference: interference(number) })
    };
    let mut created = Vec::new();
    for number in UNSENT..EXPORTS {
        created.push(create(number).await);
    }
    // The jobs of these exports are never sent.
    messages.is_down.store(true, Ordering::SeqCst);
    created.extend(join_all((0..UNSENT).map(&create)).await);
    messages.is_down.store(false, Ordering::SeqCst);
    for (id, number, expected) in created {
        generators.insert(id.clone(), Random::new(1_000 + number as u64));
        exports.insert(id, expected);
    }
    let (worker, table, bucket) = failing_worker(&service, &random, &messages.failing).await;
    let (worker, generators, expected) = (&worker, &generators, &exports);
    let (received, mut lost_answers) = messages.receive().await;
    let mut queue: VecDeque<Received> = received.into();
    queue.retain(|it| is_known(&it.job, expected));
    assert!(queue.len() <= EXPORTS - UNSENT, "{}", queue.len());
    let interfered: Mutex<BTreeSet<String>> = Mutex::default();
    let is_first =
        |export: &str| interfered.lock().expect("not poisoned").insert(export.to_owned());
    let (mut kills, mut failures, mut undeleted) = (0, 0, 0);
    for round in 0.. {
        assert!(round < 200, "some exports do not end");
        let jobs: Vec<Received> = queue.drain(..).collect();
        let now = service.now();
        let run = stream::iter(jobs).map(async |message: Received| {
            let job = &message.job;
            let random = Random::of(job, generators);
            let twice = random.below(5) == 0;
            let killed = random.below(3) == 0;
            let polls = usize::try_from(1 + random.below(60)).expect("small");
            // Some messages are lost for good, as if they were in the dead-letter queue.
            let is_lost = random.below(10) == 0;
            let again = |receipt| Received { job: job.clone(), receipt };
            let export = export_of(job);
            let wish = expected[export].interference.filter(|_| is_first(export));
            let mut attempt = Attempt::default();
            if let Some(interference) = wish {
                let mut writing = pin!(worker.handle(job.clone(), now));
                let mut result = polled(polls, writing.as_mut()).await;
                interfere(&service, &key, export, interference).await;
                if result.is_none() {
                    result = Some(writing.await);
                }
                attempt.has_failed = result.is_some_and(|it| it.is_err());
            } else if killed {
                let killed = killed_after(polls, worker.handle(job.clone(), now)).await;
                attempt.was_killed = killed;
            } else {
                let first = worker.handle(job.clone(), now);
                attempt.has_failed = match twice {
                    true => {
                        let (one, other) = tokio::join!(first, worker.handle(job.clone(), now));
                        one.is_err() || other.is_err()
                    }
                    false => first.await.is_err(),
                };
            }
            // The queue delivers a message again that failed, or that was not deleted.
            if attempt.was_killed || attempt.has_failed {
                attempt.again = (!is_lost).then(|| again(None));
            } else if let Some(receipt) = &message.receipt
                && messages.failing.delete(receipt).await.is_err()
            {
                attempt.was_not_deleted = true;
                attempt.again = Some(again(None));
            }
            attempt
        });
        let attempts: Vec<Attempt> = run.buffer_unordered(PARALLEL).collect().await;
        for attempt in attempts {
            queue.extend(attempt.again);
            kills += usize::from(attempt.was_killed);
            failures += usize::from(attempt.has_failed);
            undeleted += usize::from(attempt.was_not_deleted);
        }
        service.pass_seconds(if round % 3 == 2 { AFTER_A_LEASE } else { 5 });
        let polls = usize::try_from(1 + random.below(3_000)).expect("small");
        killed_after(polls, async {
            let _fails_sometimes = worker.handle(ExportJob::Sweep, service.now()).await;
        })
        .await;
        let (received, lost) = messages.receive().await;
        lost_answers += lost;
        queue.extend(received.into_iter().filter(|it| is_known(&it.job, expected)));
        if queue.is_empty() && all_ended(&service, &key).await {
            break;
        }
    }
    assert!(kills > 10 && failures > 10, "{kills} kills, {failures} failures");
    assert!(
        lost_answers > 10 && undeleted > 5,
        "{lost_answers} receives failed, {undeleted} messages were not deleted"
    );
    for faults in [&table, &bucket, &messages.faults] {
        faults.decide(|_, _| None);
    }
    // Later than any worker can still write.
    for _ in 0..3 {
        service.pass_seconds(25 * 60);
        worker.handle(ExportJob::Sweep, service.now()).await.expect("swept");
    }

    assert_eq!(service.cloud.objects.abort_uploads("exports/").await.expect("listed"), 0);
    let objects = service.cloud.objects.keys("exports/").await.expect("listed");
    let interfered = interfered.into_inner().expect("not poisoned");
    let (mut completed, mut cancelled, mut deleted) = (0, 0, 0);
    for (id, Expected { format, companies, interference }) in &exports {
        let answer = service.get_as(&key, &format!("{PATH}/{id}")).await;
        let of_export: Vec<&String> = objects.iter().filter(|it| it.contains(id)).collect();
        if answer.status == StatusCode::NOT_FOUND {
            deleted += 1;
            assert!(interference.is_some() && interfered.contains(id), "{id}");
            assert!(of_export.is_empty(), "{id}: {of_export:?}");
            continue;
        }
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
                let is_cancelled = reason == "The export was cancelled.";
                cancelled += usize::from(is_cancelled);
                assert!(!is_cancelled || interfered.contains(id), "{answer:?}");
                assert!(is_cancelled || reason.contains("The last time, "), "{answer:?}");
                assert!(of_export.is_empty(), "{id}: {of_export:?}");
            }
            _ => panic!("{answer:?}"),
        }
    }
    assert_eq!(objects.len(), completed);
    assert!(completed > EXPORTS / 2, "{completed} completed");
    assert!(cancelled > 2 && deleted > 2, "{cancelled} cancelled, {deleted} deleted");
}

/// The team cancels or deletes its export. What has ended is deleted at once.
async fn interfere(service: &Service, key: &str, export: &str, interference: Interference) {
    let path = format!("{PATH}/{export}");
    let answer = service.delete_as(key, &path).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT, "{answer:?}");
    if interference == Interference::Delete {
        let again = service.delete_as(key, &path).await;
        let is_gone = [StatusCode::NO_CONTENT, StatusCode::NOT_FOUND].contains(&again.status);
        assert!(is_gone, "{again:?}");
        assert_eq!(service.get_as(key, &path).await.status, StatusCode::NOT_FOUND);
    }
}

fn export_of(job: &ExportJob) -> &str {
    match job {
        ExportJob::Run { export, .. } => export,
        ExportJob::Sweep => panic!("the test sweeps itself"),
    }
}

/// Not a job that [`FailingQueue::end`] sent.
fn is_known(job: &ExportJob, exports: &BTreeMap<String, Expected>) -> bool {
    exports.contains_key(export_of(job))
}

async fn all_ended(service: &Service, key: &str) -> bool {
    let list = service.get_as(key, &format!("{PATH}?limit=100")).await.body;
    let mut all = list.as_array().expect("a list").iter();
    all.all(|it| it["status"] == "completed" || it["status"] == "failed")
}
