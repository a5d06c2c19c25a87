//! Tests against the emulator, through a proxy that injects faults.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use aws_sdk_sqs::config::{
    BehaviorVersion, Credentials, Region, StalledStreamProtectionConfig, retry::RetryConfig,
    timeout::TimeoutConfig,
};
use aws_sdk_sqs::types::QueueAttributeName::FifoQueue;
use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::StatusCode,
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
};
use emulators::sqs::Queues;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::{net::TcpListener, time::Instant};

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Text(String);

impl Message for Text {
    const VARIABLE: &'static str = "TEXT_QUEUE";

    fn group(&self) -> &str {
        &self.0[..1]
    }
}

/// Number of attempts for each batch.
const ATTEMPTS: usize = 5;

/// What the proxy does with the next batch.
enum Fault {
    /// Refuses the entries at these positions. The flag is `SenderFault`.
    Refused(Vec<usize>, bool),
    /// Does not forward the request.
    Down,
    /// Forwards the request, but not the answer.
    AnswerLost,
}

/// A proxy between client and queue.
#[derive(Clone, Default)]
struct Proxy {
    faults: Arc<Mutex<VecDeque<Fault>>>,
    /// Number of entries of each batch.
    batches: Arc<Mutex<Vec<usize>>>,
    /// The entries of the last batch.
    entries: Arc<Mutex<Vec<Value>>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("not poisoned")
}

async fn forward(State(proxy): State<Proxy>, request: Request, next: Next) -> Response {
    let operation = request.headers().get("x-amz-target").cloned();
    if operation.is_none_or(|it| it != "AmazonSQS.SendMessageBatch") {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("a body");
    let mut batch: Value = serde_json::from_slice(&body).expect("JSON");
    let entries = batch["Entries"].as_array_mut().expect("entries");
    locked(&proxy.batches).push(entries.len());
    locked(&proxy.entries).clone_from(entries);
    let fault = locked(&proxy.faults).pop_front();
    let mut refused = Vec::new();
    match &fault {
        Some(Fault::Down) => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Some(Fault::Refused(positions, sender_fault)) => {
            for position in positions.iter().rev() {
                let entry = entries.remove(*position);
                refused.push(json!({
                    "Id": entry["Id"],
                    "SenderFault": sender_fault,
                    "Code": "Refused",
                    "Message": "today",
                }));
            }
        }
        _ => {}
    }
    let mut answer = json!({ "Successful": [], "Failed": [] });
    if !entries.is_empty() {
        let forwarded = Request::from_parts(head, Body::from(batch.to_string()));
        let response = next.run(forwarded).await;
        let (head, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.expect("a body");
        if !head.status.is_success() {
            return Response::from_parts(head, Body::from(body));
        }
        answer = serde_json::from_slice(&body).expect("JSON");
    }
    if matches!(fault, Some(Fault::AnswerLost)) {
        return StatusCode::GATEWAY_TIMEOUT.into_response();
    }
    answer["Failed"].as_array_mut().expect("a list").extend(refused);
    answer.to_string().into_response()
}

/// A new queue. The client has no timeouts, because paused time would jump to them, and no retries, so that a
/// test counts our own attempts.
async fn queue(faults: impl IntoIterator<Item = Fault>) -> (Queue<Text>, Proxy) {
    let proxy = Proxy::default();
    locked(&proxy.faults).extend(faults);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
    let emulator = emulators::sqs::router(Queues::new());
    let service = emulator.layer(from_fn_with_state(proxy.clone(), forward));
    tokio::spawn(async move { axum::serve(listener, service).await });
    let config = aws_sdk_sqs::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(emulators::sqs::REGION))
        .endpoint_url(endpoint)
        .retry_config(RetryConfig::disabled())
        .timeout_config(TimeoutConfig::disabled())
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .credentials_provider(Credentials::new("local", "local", None, None, "local"));
    #[expect(
        clippy::disallowed_methods,
        reason = "a client of the emulator with settings of this test"
    )]
    let client = Client::from_conf(config.build());
    let request = client.create_queue().queue_name("texts.fifo");
    let created = request.attributes(FifoQueue, "true").send().await.expect("a queue");
    (Queue::new(client, created.queue_url.expect("a URL")), proxy)
}

fn texts(count: usize) -> Vec<Text> {
    (0..count).map(|it| Text(format!("text {it:02}"))).collect()
}

/// Receives and deletes all messages of the queue. Returns them sorted.
async fn arrived(queue: &Queue<Text>) -> Vec<Text> {
    let mut texts = Vec::new();
    while let Some(received) = queue.receive().await.expect("received") {
        queue.delete(&received.receipt_handle).await.expect("deleted");
        texts.push(serde_json::from_str(&received.body).expect("a text"));
    }
    texts.sort_by(|a: &Text, b| a.0.cmp(&b.0));
    texts
}

#[tokio::test(start_paused = true)]
async fn a_message_is_received_and_can_be_deleted() {
    let (queue, _) = queue([]).await;
    queue.send(&Text("Zürich".to_owned())).await.expect("sent");
    let delivered = queue.receive().await.expect("received").expect("a message");
    assert_eq!(delivered.body, r#""Zürich""#);
    assert_eq!(delivered.attributes["ApproximateReceiveCount"], "1");
    assert_eq!(delivered.attributes["MessageGroupId"], "Z");
    queue.delete(&delivered.receipt_handle).await.expect("deleted");
    assert!(queue.receive().await.expect("received").is_none());
    let failure = queue.delete("nonsense").await.expect_err("no receipt handle");
    assert!(errors::chain(&failure).contains("ReceiptHandleIsInvalid"), "{failure:?}");
}

#[tokio::test(start_paused = true)]
async fn a_message_can_be_retried_after_a_delay() {
    let (queue, _) = queue([]).await;
    queue.send(&Text("once".to_owned())).await.expect("sent");
    let first = queue.receive().await.expect("received").expect("a message");
    let started = Instant::now();
    queue.retry_after(&first.receipt_handle, Duration::from_secs(5)).await.expect("changed");
    let second = queue.receive().await.expect("received").expect("a message");
    assert_eq!(started.elapsed().as_secs(), 5);
    assert_eq!(second.attributes["ApproximateReceiveCount"], "2");
}

#[tokio::test(start_paused = true)]
async fn messages_are_sent_in_batches_of_ten() {
    let (queue, proxy) = queue([]).await;
    queue.send_all(&[]).await.expect("nothing to do");
    queue.send_all(&texts(95)).await.expect("sent");
    let mut batches = locked(&proxy.batches).clone();
    batches.sort_unstable();
    assert_eq!(batches, [5, 10, 10, 10, 10, 10, 10, 10, 10, 10]);
    assert_eq!(arrived(&queue).await, texts(95));
}

#[tokio::test(start_paused = true)]
async fn a_batch_has_at_most_one_mebibyte() {
    let (queue, proxy) = queue([]).await;
    let half = || Text("x".repeat(512 * 1024 - 2));
    let texts = vec![half(), half(), half(), half(), Text("one more".to_owned())];
    queue.send_all(&texts).await.expect("sent");
    let mut batches = locked(&proxy.batches).clone();
    batches.sort_unstable();
    assert_eq!(batches, [1, 2, 2]);
    assert_eq!(arrived(&queue).await.len(), 5);
}

#[tokio::test(start_paused = true)]
async fn only_refused_messages_are_sent_again() {
    let faults = [Fault::Refused(vec![1, 4], false), Fault::Refused(vec![0], false)];
    let (queue, proxy) = queue(faults).await;
    let started = Instant::now();
    queue.send_all(&texts(10)).await.expect("sent");
    assert_eq!(*locked(&proxy.batches), [10, 2, 1]);
    assert_eq!(started.elapsed().as_millis(), 300, "two pauses, the second twice as long");
    assert_eq!(arrived(&queue).await, texts(10));
}

#[tokio::test(start_paused = true)]
async fn a_message_that_stays_refused_is_reported_and_the_others_are_sent() {
    let always = |_| Fault::Refused(vec![0], false);
    let (queue, proxy) = queue((0..ATTEMPTS).map(always)).await;
    let failure = queue.send_all(&texts(3)).await.expect_err("not all");
    assert_eq!(*locked(&proxy.batches), [3, 1, 1, 1, 1]);
    let unsent = Unsent { index: 0, reason: "Refused: today".to_owned() };
    assert_eq!((failure.total, &failure.unsent), (3, &vec![unsent]));
    let expected = "1 of 3 messages were not sent: number 0 (Refused: today)";
    assert_eq!(failure.to_string(), expected);
    assert_eq!(arrived(&queue).await, texts(3)[1..]);
}

#[tokio::test(start_paused = true)]
async fn a_message_refused_as_a_sender_fault_is_not_sent_again() {
    let (queue, proxy) = queue([Fault::Refused(vec![2], true)]).await;
    let failure = queue.send_all(&texts(10)).await.expect_err("not all");
    assert_eq!(failure.unsent[0].index, 2);
    assert_eq!(*locked(&proxy.batches), [10]);
}

#[tokio::test(start_paused = true)]
async fn a_message_that_is_too_large_is_reported_and_the_others_are_sent() {
    let (queue, _) = queue([]).await;
    let mut texts = texts(12);
    texts[11] = Text("x".repeat(1024 * 1024));
    let failure = queue.send_all(&texts).await.expect_err("not all");
    let expected =
        "1 of 12 messages were not sent: number 11 (1048578 bytes are more than 1048576)";
    assert_eq!(failure.to_string(), expected);
    assert_eq!(arrived(&queue).await, texts[..11]);
}

#[tokio::test(start_paused = true)]
async fn a_short_outage_of_the_queue_loses_no_message() {
    let (queue, _) = queue([Fault::Down, Fault::Down]).await;
    queue.send_all(&texts(10)).await.expect("sent");
    assert_eq!(arrived(&queue).await, texts(10));
}

#[tokio::test(start_paused = true)]
async fn a_long_outage_of_the_queue_reports_every_message() {
    let down = |_| Fault::Down;
    let (queue, _) = queue((0..ATTEMPTS).map(down)).await;
    let failure = queue.send_all(&texts(10)).await.expect_err("none");
    let indices: Vec<usize> = failure.unsent.iter().map(|it| it.index).collect();
    assert_eq!(indices, (0..10).collect::<Vec<_>>());
    assert!(failure.to_string().ends_with(", …"), "{failure}");
    assert!(arrived(&queue).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_message_sent_again_after_a_lost_answer_arrives_once() {
    let (queue, proxy) = queue([Fault::AnswerLost]).await;
    queue.send(&Text("once".to_owned())).await.expect("sent");
    assert_eq!(*locked(&proxy.batches), [1, 1]);
    assert_eq!(arrived(&queue).await, [Text("once".to_owned())]);
}

#[tokio::test(start_paused = true)]
async fn equal_messages_are_sent_to_their_group_with_distinct_deduplication_ids() {
    let (queue, proxy) = queue([]).await;
    let twice = [Text("one".to_owned()), Text("one".to_owned())];
    queue.send_all(&twice).await.expect("sent");
    let entries = locked(&proxy.entries).clone();
    assert!(entries.iter().all(|it| it["MessageGroupId"] == "o"), "{entries:?}");
    assert_eq!(arrived(&queue).await, twice);
}

#[tokio::test(start_paused = true)]
async fn a_missing_queue_is_not_tried_again() {
    let (queue, proxy) = queue([]).await;
    let nowhere = Queue::new(queue.client.clone(), queue.url.replace("texts", "nowhere"));
    let failure = nowhere.send(&Text("x".to_owned())).await.expect_err("no queue");
    assert_eq!(locked(&proxy.batches).len(), 1);
    assert_eq!(
        failure.to_string(),
        "1 of 1 messages were not sent: number 0 (service error: QueueDoesNotExist: \
         The specified queue does not exist.)"
    );
    let failure = nowhere.receive().await.expect_err("no queue");
    assert!(errors::chain(&failure).contains("QueueDoesNotExist"), "{failure:?}");
}
