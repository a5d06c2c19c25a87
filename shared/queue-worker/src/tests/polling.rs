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
        ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible, QueueArn, RedrivePolicy,
    },
};
use jobs::Queue;
use lambda_runtime::Error;
use queue_emulator::Queues;
use tokio::{
    net::TcpListener,
    sync::oneshot,
    time::{Instant, sleep},
};

use super::*;
use crate::poll;

/// A queue whose messages are hidden for 30 seconds and received three times at most.
pub(super) struct World {
    client: Client,
    pub(super) queue: Queue<Job>,
    url: String,
    dead: String,
}

impl World {
    pub(super) async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
        let forever = std::future::pending();
        tokio::spawn(queue_emulator::serve(listener, Queues::new(), forever));
        let client = client(&endpoint);
        let dead = client.create_queue().queue_name("dead").send().await.expect("a queue");
        let dead = dead.queue_url.expect("an address");
        let arn = client.get_queue_attributes().queue_url(&dead).attribute_names(QueueArn).send();
        let arn = arn.await.expect("attributes").attributes.expect("some");
        let policy =
            format!(r#"{{"deadLetterTargetArn":"{}","maxReceiveCount":3}}"#, arn[&QueueArn]);
        let request = client.create_queue().queue_name("queue").attributes(RedrivePolicy, policy);
        let url = request.send().await.expect("a queue").queue_url.expect("an address");
        Self { queue: Queue::new(client.clone(), &url), client, url, dead }
    }

    /// A message that may be none.
    async fn send_raw(&self, body: &str) {
        let request = self.client.send_message().queue_url(&self.url).message_body(body);
        request.send().await.expect("sent");
    }

    pub(super) fn client(&self) -> Client {
        self.client.clone()
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// What the dead letters say, each a number.
    pub(super) async fn dead_bodies(&self) -> std::collections::BTreeSet<usize> {
        let letters = Queue::<Job>::new(self.client.clone(), &self.dead);
        let mut bodies = std::collections::BTreeSet::new();
        loop {
            let received = letters.receive().await.expect("received");
            if received.is_empty() {
                return bodies;
            }
            let receipts: Vec<String> = received.iter().map(|it| it.receipt.clone()).collect();
            letters.delete(&receipts).await.expect("deleted");
            bodies.extend(received.iter().map(|it| it.body.parse::<usize>().expect("a number")));
        }
    }

    /// How many messages the queue has, hidden ones too.
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

/// A client without timeouts: paused time would jump to them.
fn client(endpoint: &str) -> Client {
    let config = aws_sdk_sqs::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(queue_emulator::REGION))
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
async fn what_is_done_is_deleted_and_the_rest_ends_with_the_dead_letters() {
    let world = World::new().await;
    let jobs = [Job::Succeed, Job::Fail, Job::Succeed, Job::Panic];
    world.queue.send_all(&jobs).await.expect("sent");
    world.send_raw("no job").await;
    let tries = AtomicUsize::new(0);
    let handler = async |job: Job| {
        tries.fetch_add(1, SeqCst);
        obey(job).await
    };
    poll(world.queue.clone(), handler, pass(10)).await;
    assert_eq!((world.left().await, world.dead_letters().await), (3, 0));
    poll(world.queue.clone(), handler, pass(100)).await;
    assert_eq!((world.left().await, world.dead_letters().await), (0, 3));
    assert_eq!(tries.load(SeqCst), 2 + 2 * 3, "the successes once, two failures three times");
}

#[tokio::test(start_paused = true)]
async fn a_job_that_outlasts_its_visibility_is_handed_out_again_and_then_gone() {
    let world = World::new().await;
    world.queue.send(&Job::Succeed).await.expect("sent");
    let tries = Arc::new(AtomicUsize::new(0));
    let worker = || {
        let (queue, tries) = (world.queue.clone(), tries.clone());
        let handler = async move |_: Job| {
            let is_first = tries.fetch_add(1, SeqCst) == 0;
            pass(if is_first { 40 } else { 20 }).await;
            Ok::<_, Error>(())
        };
        tokio::spawn(poll(queue, handler, pass(100)))
    };
    let workers = [worker(), worker()];
    for it in workers {
        it.await.expect("no panic");
    }
    assert_eq!(tries.load(SeqCst), 2);
    // The first deleted with the receipt of an older delivery, the second with its own.
    assert_eq!((world.left().await, world.dead_letters().await), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn what_a_killed_worker_had_in_hand_is_done_by_the_next() {
    let world = World::new().await;
    world.queue.send(&Job::Succeed).await.expect("sent");
    let stuck = async |_: Job| std::future::pending::<Result<(), Error>>().await;
    let killed = tokio::spawn(poll(world.queue.clone(), stuck, std::future::pending()));
    pass(1).await;
    killed.abort();
    killed.await.expect_err("killed");
    let begun = Instant::now();
    let (done, stop) = oneshot::channel::<()>();
    let done = std::sync::Mutex::new(Some(done));
    let handler = async |_: Job| {
        done.lock().expect("not poisoned").take().expect("once").send(()).expect("heard");
        Ok::<_, Error>(())
    };
    poll(world.queue.clone(), handler, async { stop.await.unwrap_or(()) }).await;
    assert_eq!(begun.elapsed().as_secs(), 29, "as soon as it is visible");
    assert_eq!(world.left().await, 0);
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_lets_a_batch_end_and_takes_no_other() {
    let world = World::new().await;
    world.queue.send_all(&vec![Job::Succeed; 15]).await.expect("sent");
    let begun = Instant::now();
    let slow = async |_: Job| {
        pass(5).await;
        Ok::<_, Error>(())
    };
    poll(world.queue.clone(), slow, pass(1)).await;
    assert_eq!(begun.elapsed().as_secs(), 5);
    assert_eq!(world.left().await, 5);
    assert_eq!(world.queue.receive().await.expect("received").len(), 5, "they were not touched");
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_does_not_wait_for_messages() {
    let world = World::new().await;
    let begun = Instant::now();
    poll(world.queue.clone(), obey, pass(3)).await;
    assert_eq!(begun.elapsed().as_secs(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_queue_that_does_not_answer_is_asked_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let client = client(&format!("http://{address}"));
    let url = format!("http://{address}/{}/late", queue_emulator::ACCOUNT);
    let queue = Queue::<Job>::new(client.clone(), url);
    let tries = Arc::new(AtomicUsize::new(0));
    let handler = {
        let tries = tries.clone();
        async move |_: Job| {
            tries.fetch_add(1, SeqCst);
            Ok::<_, Error>(())
        }
    };
    let poller = tokio::spawn(poll(queue.clone(), handler, pass(60)));
    pass(10).await;
    let listener = TcpListener::bind(address).await.expect("the same port");
    tokio::spawn(queue_emulator::serve(listener, Queues::new(), std::future::pending()));
    client.create_queue().queue_name("late").send().await.expect("a queue");
    queue.send(&Job::Succeed).await.expect("sent");
    poller.await.expect("no panic");
    assert_eq!(tries.load(SeqCst), 1);
}
