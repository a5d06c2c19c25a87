use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use aws_sdk_sqs::{
    Client,
    config::{
        BehaviorVersion, Credentials, Region, StalledStreamProtectionConfig, retry::RetryConfig,
        timeout::TimeoutConfig,
    },
    types::QueueAttributeName::{
        ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible, FifoQueue, QueueArn,
        RedrivePolicy,
    },
};
use emulators::sqs::Queues;
use jobs::Queue;
use lambda_runtime::Error;
use tokio::{
    net::TcpListener,
    sync::oneshot,
    time::{Instant, sleep},
};

use super::*;
use crate::{MAX_RECEIVES, poll};

/// A queue with a visibility timeout of 30 seconds, and its dead-letter queue.
pub(super) struct World {
    client: Client,
    pub(super) queue: Queue<Job>,
    url: String,
    dead: String,
}

impl World {
    /// `max_receives` is the number of receives before a message moves to the dead-letter queue.
    pub(super) async fn new(max_receives: u32) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
        let forever = std::future::pending();
        tokio::spawn(emulators::sqs::serve(listener, Queues::new(), forever));
        let client = client(&endpoint);
        let dead = create_queue(&client, "dead.fifo", None).await;
        let arn = client.get_queue_attributes().queue_url(&dead).attribute_names(QueueArn).send();
        let arn = arn.await.expect("attributes").attributes.expect("some");
        let arn = &arn[&QueueArn];
        let policy =
            format!(r#"{{"deadLetterTargetArn":"{arn}","maxReceiveCount":{max_receives}}}"#);
        let url = create_queue(&client, "queue.fifo", Some(policy)).await;
        Self { queue: Queue::new(client.clone(), &url), client, url, dead }
    }

    /// Sends a message with any body.
    async fn send_raw(&self, body: &str) {
        let request = self.client.send_message().queue_url(&self.url).message_body(body);
        let request = request.message_group_id("raw").message_deduplication_id("raw");
        request.send().await.expect("sent");
    }

    pub(super) fn client(&self) -> Client {
        self.client.clone()
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// The jobs in the dead-letter queue.
    pub(super) async fn dead_jobs<T: jobs::Message>(&self) -> Vec<T> {
        let queue = Queue::<T>::new(self.client.clone(), &self.dead);
        let mut jobs = Vec::new();
        while let Some(letter) = queue.receive().await.expect("received") {
            queue.delete(&letter.receipt_handle).await.expect("deleted");
            jobs.push(serde_json::from_str(&letter.body).expect("a job"));
        }
        jobs
    }

    /// Number of messages of the queue, including hidden ones.
    pub(super) async fn left(&self) -> usize {
        self.count(&self.url).await
    }

    pub(super) async fn dead_letters(&self) -> usize {
        self.count(&self.dead).await
    }

    async fn count(&self, url: &str) -> usize {
        let names = [ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible];
        let request = self.client.get_queue_attributes().queue_url(url);
        let request = request.set_attribute_names(Some(names.to_vec()));
        let counts = request.send().await.expect("attributes").attributes.expect("some");
        names.iter().map(|it| counts[it].parse::<usize>().expect("a number")).sum()
    }
}

async fn create_queue(client: &Client, name: &str, redrive_policy: Option<String>) -> String {
    let request = client.create_queue().queue_name(name).attributes(FifoQueue, "true");
    let request = match redrive_policy {
        Some(policy) => request.attributes(RedrivePolicy, policy),
        None => request,
    };
    request.send().await.expect("a queue").queue_url.expect("a URL")
}

/// A client without timeouts: paused time would jump to them.
#[expect(
    clippy::disallowed_methods,
    reason = "a client of the emulator with settings of this test"
)]
fn client(endpoint: &str) -> Client {
    let config = aws_sdk_sqs::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(emulators::sqs::REGION))
        .endpoint_url(endpoint)
        .retry_config(RetryConfig::disabled())
        .timeout_config(TimeoutConfig::disabled())
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .credentials_provider(Credentials::new("local", "local", None, None, "local"));
    Client::from_conf(config.build())
}

async fn pass(seconds: u64) {
    sleep(Duration::from_secs(seconds)).await;
}

#[tokio::test(start_paused = true)]
async fn successful_jobs_are_deleted_and_failing_ones_become_dead_letters() {
    let world = World::new(3).await;
    let jobs = [Job::Succeed, Job::Fail, Job::Succeed, Job::Panic];
    world.queue.send_all(&jobs).await.expect("sent");
    world.send_raw("not a job").await;
    let tries = AtomicUsize::new(0);
    let handler = async |job: Job, id| {
        tries.fetch_add(1, SeqCst);
        run(job, id).await
    };
    poll(&world.queue, FUNCTION, handler, pass(3)).await;
    assert_eq!((world.left().await, world.dead_letters().await), (3, 0));
    poll(&world.queue, FUNCTION, handler, pass(100)).await;
    assert_eq!((world.left().await, world.dead_letters().await), (0, 3));
    assert_eq!(tries.load(SeqCst), 2 + 2 * 3, "two successes once, two failures three times");
}

#[tokio::test(start_paused = true)]
async fn a_failed_job_is_retried_after_1_5_and_30_seconds_and_so_on() {
    let world = World::new(MAX_RECEIVES).await;
    world.queue.send_all(&[Job::Fail, Job::Succeed]).await.expect("sent");
    let started = Instant::now();
    let attempts = std::sync::Mutex::new(Vec::new());
    let handler = async |job: Job, id| {
        attempts.lock().expect("not poisoned").push((job.clone(), started.elapsed().as_secs()));
        run(job, id).await
    };
    poll(&world.queue, FUNCTION, handler, pass(7_200)).await;
    let attempts = attempts.into_inner().expect("not poisoned");
    let (failed, succeeded): (Vec<_>, Vec<_>) =
        attempts.into_iter().partition(|(job, _)| *job == Job::Fail);
    let seconds: Vec<u64> = failed.into_iter().map(|(_, seconds)| seconds).collect();
    let pauses: Vec<u64> = seconds.windows(2).map(|it| it[1] - it[0]).collect();
    assert_eq!(pauses, [1, 5, 30, 120, 600, 1_800]);
    assert_eq!(succeeded, [(Job::Succeed, 0)], "other groups do not wait");
    assert_eq!((world.left().await, world.dead_letters().await), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn a_job_that_exceeds_its_visibility_timeout_runs_again_and_is_then_deleted() {
    let world = World::new(3).await;
    world.queue.send(&Job::Succeed).await.expect("sent");
    let tries = Arc::new(AtomicUsize::new(0));
    let worker = || {
        let (queue, tries) = (world.queue.clone(), tries.clone());
        let handler = async move |_: Job, _| {
            let is_first = tries.fetch_add(1, SeqCst) == 0;
            pass(if is_first { 40 } else { 20 }).await;
            Ok::<_, Error>(())
        };
        tokio::spawn(async move { poll(&queue, FUNCTION, handler, pass(100)).await })
    };
    let workers = [worker(), worker()];
    for it in workers {
        it.await.expect("no panic");
    }
    assert_eq!(tries.load(SeqCst), 2);
    // The receipt handle of the first delivery had expired; the second deleted the message.
    assert_eq!((world.left().await, world.dead_letters().await), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_job_of_a_killed_worker_is_done_by_the_next_worker() {
    let world = World::new(3).await;
    world.queue.send(&Job::Succeed).await.expect("sent");
    let stuck = async |_: Job, _| std::future::pending::<Result<(), Error>>().await;
    let queue = world.queue.clone();
    let killed =
        tokio::spawn(async move { poll(&queue, FUNCTION, stuck, std::future::pending()).await });
    pass(1).await;
    killed.abort();
    killed.await.expect_err("killed");
    let started = Instant::now();
    let (done, stop) = oneshot::channel::<()>();
    let done = std::sync::Mutex::new(Some(done));
    let handler = async |_: Job, _| {
        done.lock().expect("not poisoned").take().expect("once").send(()).expect("received");
        Ok::<_, Error>(())
    };
    poll(&world.queue, FUNCTION, handler, async { stop.await.unwrap_or(()) }).await;
    assert_eq!(started.elapsed().as_secs(), 29, "as soon as the message is visible");
    assert_eq!(world.left().await, 0);
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_awaits_the_running_job_and_starts_no_other() {
    let world = World::new(3).await;
    world.queue.send_all(&vec![Job::Succeed; 15]).await.expect("sent");
    let started = Instant::now();
    let slow = async |_: Job, _| {
        pass(5).await;
        Ok::<_, Error>(())
    };
    poll(&world.queue, FUNCTION, slow, pass(1)).await;
    assert_eq!(started.elapsed().as_secs(), 5);
    assert_eq!(world.left().await, 14);
    assert!(world.queue.receive().await.expect("received").is_some(), "the next is visible");
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_does_not_wait_for_messages() {
    let world = World::new(3).await;
    let started = Instant::now();
    poll(&world.queue, FUNCTION, run, pass(3)).await;
    assert_eq!(started.elapsed().as_secs(), 3);
}

#[tokio::test(start_paused = true)]
async fn an_unavailable_queue_is_polled_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let client = client(&format!("http://{address}"));
    let url = format!("http://{address}/{}/late.fifo", emulators::sqs::ACCOUNT);
    let queue = Queue::<Job>::new(client.clone(), url);
    let tries = Arc::new(AtomicUsize::new(0));
    let handler = {
        let tries = tries.clone();
        async move |_: Job, _| {
            tries.fetch_add(1, SeqCst);
            Ok::<_, Error>(())
        }
    };
    let polled = queue.clone();
    let poller = tokio::spawn(async move { poll(&polled, FUNCTION, handler, pass(60)).await });
    pass(10).await;
    let listener = TcpListener::bind(address).await.expect("the same port");
    tokio::spawn(emulators::sqs::serve(listener, Queues::new(), std::future::pending()));
    create_queue(&client, "late.fifo", None).await;
    queue.send(&Job::Succeed).await.expect("sent");
    poller.await.expect("no panic");
    assert_eq!(tries.load(SeqCst), 1);
}
