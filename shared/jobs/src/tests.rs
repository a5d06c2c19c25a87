//! Against the emulator, with something between that refuses, loses and breaks.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard},
};

use aws_sdk_sqs::config::{
    BehaviorVersion, Credentials, Region, StalledStreamProtectionConfig, retry::RetryConfig,
    timeout::TimeoutConfig,
};
use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::StatusCode,
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
};
use queue_emulator::Queues;
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

/// How often a batch is tried in all.
const ATTEMPTS_IN_ALL: usize = 5;

/// What happens to the next batch that is sent.
enum Fault {
    /// The entries at these places are refused, by the fault of the sender or not.
    Refused(Vec<usize>, bool),
    /// It does not arrive.
    Down,
    /// It arrives; the answer does not.
    AnswerLost,
}

/// What stands between client and queue.
#[derive(Clone, Default)]
struct Between {
    faults: Arc<Mutex<VecDeque<Fault>>>,
    /// How many entries each batch had.
    batches: Arc<Mutex<Vec<usize>>>,
    /// The entries of the last batch, as they came.
    entries: Arc<Mutex<Vec<Value>>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("not poisoned")
}

async fn pass(State(between): State<Between>, request: Request, next: Next) -> Response {
    let operation = request.headers().get("x-amz-target").cloned();
    if operation.is_none_or(|it| it != "AmazonSQS.SendMessageBatch") {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("a body");
    let mut batch: Value = serde_json::from_slice(&body).expect("JSON");
    let entries = batch["Entries"].as_array_mut().expect("entries");
    locked(&between.batches).push(entries.len());
    locked(&between.entries).clone_from(entries);
    let fault = locked(&between.faults).pop_front();
    let mut refused = Vec::new();
    match &fault {
        Some(Fault::Down) => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Some(Fault::Refused(places, of_sender)) => {
            for place in places.iter().rev() {
                let entry = entries.remove(*place);
                refused.push(json!({
                    "Id": entry["Id"],
                    "SenderFault": of_sender,
                    "Code": "Refused",
                    "Message": "today",
                }));
            }
        }
        _ => {}
    }
    let mut answer = json!({ "Successful": [], "Failed": [] });
    if !entries.is_empty() {
        let passed = Request::from_parts(head, Body::from(batch.to_string()));
        let response = next.run(passed).await;
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

/// A queue of one's own. The client has no timeouts, for paused time would jump to them, and tries
/// once, so that a test sees our own attempts.
async fn queue(faults: impl IntoIterator<Item = Fault>) -> (Queue<Text>, Between) {
    let between = Between::default();
    locked(&between.faults).extend(faults);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
    let emulator = queue_emulator::router(Queues::new());
    let service = emulator.layer(from_fn_with_state(between.clone(), pass));
    tokio::spawn(async move { axum::serve(listener, service).await });
    let config = aws_sdk_sqs::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(queue_emulator::REGION))
        .endpoint_url(endpoint)
        .retry_config(RetryConfig::disabled())
        .timeout_config(TimeoutConfig::disabled())
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .credentials_provider(Credentials::new("local", "local", None, None, "local"));
    let client = Client::from_conf(config.build());
    let made = client.create_queue().queue_name("texts").send().await.expect("a queue");
    (Queue::new(client, made.queue_url.expect("an address")), between)
}

fn texts(count: usize) -> Vec<Text> {
    (0..count).map(|it| Text(format!("text {it:02}"))).collect()
}

/// All that is in the queue, sorted.
async fn arrived(queue: &Queue<Text>) -> Vec<Text> {
    let mut texts = Vec::new();
    loop {
        let received = queue.receive().await.expect("received");
        if received.is_empty() {
            texts.sort_by(|a: &Text, b| a.0.cmp(&b.0));
            return texts;
        }
        let receipts: Vec<String> = received.iter().map(|it| it.receipt.clone()).collect();
        queue.delete(&receipts).await.expect("deleted");
        texts.extend(received.iter().map(|it| serde_json::from_str(&it.body).expect("a text")));
    }
}

#[tokio::test(start_paused = true)]
async fn a_message_arrives_as_it_was_sent_and_is_gone_when_deleted() {
    let (queue, _) = queue([]).await;
    queue.send(&Text("Zürich".to_owned())).await.expect("sent");
    let delivered = queue.receive().await.expect("received").remove(0);
    assert_eq!(delivered.body, r#""Zürich""#);
    assert_eq!(delivered.attributes["ApproximateReceiveCount"], "1");
    assert!(delivered.attributes.contains_key("SentTimestamp"));
    queue.delete(&[delivered.receipt]).await.expect("deleted");
    assert!(queue.receive().await.expect("an empty answer").is_empty());
    let failure = queue.delete(&["nonsense".to_owned()]).await.expect_err("no receipt");
    assert!(matches!(failure, Error::NotDeleted(1)), "{failure}");
}

#[tokio::test(start_paused = true)]
async fn many_go_in_batches_of_ten() {
    let (queue, between) = queue([]).await;
    queue.send_all(&[]).await.expect("nothing to do");
    queue.send_all(&texts(95)).await.expect("sent");
    let mut batches = locked(&between.batches).clone();
    batches.sort_unstable();
    assert_eq!(batches, [5, 10, 10, 10, 10, 10, 10, 10, 10, 10]);
    assert_eq!(arrived(&queue).await, texts(95));
}

#[tokio::test(start_paused = true)]
async fn a_batch_stays_within_a_mebibyte() {
    let (queue, between) = queue([]).await;
    let half = || Text("x".repeat(512 * 1024 - 2));
    let texts = vec![half(), half(), half(), half(), Text("one more".to_owned())];
    queue.send_all(&texts).await.expect("sent");
    let mut batches = locked(&between.batches).clone();
    batches.sort_unstable();
    assert_eq!(batches, [1, 2, 2]);
    assert_eq!(arrived(&queue).await.len(), 5);
}

#[tokio::test(start_paused = true)]
async fn only_what_was_refused_is_sent_again() {
    let faults = [Fault::Refused(vec![1, 4], false), Fault::Refused(vec![0], false)];
    let (queue, between) = queue(faults).await;
    let begun = Instant::now();
    queue.send_all(&texts(10)).await.expect("sent");
    assert_eq!(*locked(&between.batches), [10, 2, 1]);
    assert_eq!(begun.elapsed().as_millis(), 300, "two pauses, the second twice the first");
    assert_eq!(arrived(&queue).await, texts(10));
}

#[tokio::test(start_paused = true)]
async fn what_stays_refused_is_named_and_the_rest_is_sent() {
    let always = |_| Fault::Refused(vec![0], false);
    let (queue, between) = queue((0..ATTEMPTS_IN_ALL).map(always)).await;
    let failure = queue.send_all(&texts(3)).await.expect_err("not all");
    assert_eq!(*locked(&between.batches), [3, 1, 1, 1, 1]);
    let unsent = Unsent { index: 0, reason: "Refused: today".to_owned() };
    assert_eq!((failure.of, &failure.unsent), (3, &vec![unsent]));
    let said = "1 of 3 messages were not sent: number 0 (Refused: today)";
    assert_eq!(failure.to_string(), said);
    assert_eq!(arrived(&queue).await, texts(3)[1..]);
}

#[tokio::test(start_paused = true)]
async fn what_is_refused_by_our_own_fault_is_not_sent_again() {
    let (queue, between) = queue([Fault::Refused(vec![2], true)]).await;
    let failure = queue.send_all(&texts(10)).await.expect_err("not all");
    assert_eq!(failure.unsent[0].index, 2);
    assert_eq!(*locked(&between.batches), [10]);
}

#[tokio::test(start_paused = true)]
async fn a_message_that_is_too_long_is_named_and_the_others_are_sent() {
    let (queue, _) = queue([]).await;
    let mut texts = texts(12);
    texts[11] = Text("x".repeat(1024 * 1024));
    let failure = queue.send_all(&texts).await.expect_err("not all");
    let said = "1 of 12 messages were not sent: number 11 (1048578 bytes are longer than 1048576)";
    assert_eq!(failure.to_string(), said);
    assert_eq!(arrived(&queue).await, texts[..11]);
}

#[tokio::test(start_paused = true)]
async fn a_queue_that_is_down_for_a_while_loses_nothing() {
    let (queue, _) = queue([Fault::Down, Fault::Down]).await;
    queue.send_all(&texts(10)).await.expect("sent");
    assert_eq!(arrived(&queue).await, texts(10));
}

#[tokio::test(start_paused = true)]
async fn a_queue_that_stays_down_names_every_message() {
    let down = |_| Fault::Down;
    let (queue, _) = queue((0..ATTEMPTS_IN_ALL).map(down)).await;
    let failure = queue.send_all(&texts(10)).await.expect_err("none");
    let indices: Vec<usize> = failure.unsent.iter().map(|it| it.index).collect();
    assert_eq!(indices, (0..10).collect::<Vec<_>>());
    assert!(failure.to_string().ends_with(", …"), "{failure}");
    assert!(arrived(&queue).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_sends_twice_rather_than_never() {
    let (queue, _) = queue([Fault::AnswerLost]).await;
    queue.send(&Text("once".to_owned())).await.expect("sent");
    let twice = vec![Text("once".to_owned()), Text("once".to_owned())];
    assert_eq!(arrived(&queue).await, twice);
}

#[tokio::test(start_paused = true)]
async fn only_a_queue_that_keeps_an_order_is_told_of_groups() {
    let (queue, between) = queue([]).await;
    queue.send(&Text("one".to_owned())).await.expect("sent");
    assert_eq!(locked(&between.entries)[0].get("MessageGroupId"), None);
    // There is none such here: only what it is told counts.
    let ordered = Queue::<Text>::new(queue.client.clone(), format!("{}.fifo", queue.url));
    let twice = [Text("one".to_owned()), Text("one".to_owned())];
    ordered.send_all(&twice).await.expect_err("no queue");
    let told = locked(&between.entries).clone();
    assert!(told.iter().all(|it| it["MessageGroupId"] == "o"), "{told:?}");
    assert_ne!(told[0]["MessageDeduplicationId"], told[1]["MessageDeduplicationId"]);
    assert!(told[0]["MessageDeduplicationId"].is_string(), "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn a_queue_that_does_not_exist_is_not_asked_again() {
    let (queue, between) = queue([]).await;
    let nowhere = Queue::new(queue.client.clone(), format!("{}-not", queue.url));
    let failure = nowhere.send(&Text("x".to_owned())).await.expect_err("no queue");
    assert_eq!(locked(&between.batches).len(), 1);
    assert_eq!(
        failure.to_string(),
        "1 of 1 messages were not sent: number 0 (service error: QueueDoesNotExist: \
         The specified queue does not exist.)"
    );
    assert!(matches!(nowhere.receive().await, Err(Error::Unavailable(_))));
}
