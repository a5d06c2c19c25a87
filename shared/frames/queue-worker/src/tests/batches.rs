use std::{
    io::Write,
    sync::{Arc, LazyLock, Mutex},
    time::Duration,
};

use aws_lambda_events::sqs::SqsEvent;
use jobs::Queue;
use lambda_runtime::LambdaEvent;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{polling::World, *};
use crate::batch::{handle, invoke};

/// A message of an event as Lambda sends it.
fn record(id: &str, group: &str, body: &str) -> Value {
    json!({
        "messageId": id,
        "receiptHandle": "AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a...",
        "body": body,
        "attributes": {
            "ApproximateReceiveCount": "2",
            "MessageGroupId": group,
            "SentTimestamp": "1545082649183",
            "SenderId": "AIDAIENQZJOLO23YVJ4VO",
            "ApproximateFirstReceiveTimestamp": "1545082649185"
        },
        "messageAttributes": {},
        "md5OfBody": "098f6bcd4621d373cade4e832627b4f6",
        "eventSource": "aws:sqs",
        "eventSourceARN": "arn:aws:sqs:eu-central-2:123456789012:ingest.fifo",
        "awsRegion": "eu-central-2"
    })
}

/// An event with a message for each id and body. Each message is in its own group.
fn event(bodies: &[(&str, &str)]) -> SqsEvent {
    let records: Vec<Value> = bodies.iter().map(|(id, body)| record(id, id, body)).collect();
    serde_json::from_value(json!({ "Records": records })).expect("an event")
}

async fn queue() -> Queue<Job> {
    World::new(3).await.queue
}

#[tokio::test]
async fn only_failed_messages_are_returned() {
    let event = event(&[
        ("good", r#""succeed""#),
        ("bad", r#""fail""#),
        ("torn", r#""suc"#),
        ("unknown", r#""dance""#),
        ("panicking", r#""panic""#),
        ("late", r#""succeed""#),
    ]);
    let response = handle(event, &queue().await, &run).await;
    let failed: Vec<&str> =
        response.batch_item_failures.iter().map(|it| it.item_identifier.as_str()).collect();
    assert_eq!(failed, ["bad", "torn", "unknown", "panicking"]);
}

#[tokio::test]
async fn a_batch_without_failures_returns_an_empty_list() {
    let response = handle(event(&[("good", r#""succeed""#)]), &queue().await, &run).await;
    let response = serde_json::to_value(response).expect("JSON");
    assert_eq!(response, json!({ "batchItemFailures": [] }));
}

#[tokio::test]
async fn failures_have_the_format_that_lambda_expects() {
    let response = handle(event(&[("bad", r#""fail""#)]), &queue().await, &run).await;
    let response = serde_json::to_value(response).expect("JSON");
    assert_eq!(response, json!({ "batchItemFailures": [{ "itemIdentifier": "bad" }] }));
}

#[tokio::test]
async fn after_a_failure_the_rest_of_its_group_is_returned_unhandled() {
    let records = [
        record("a1", "a", r#""succeed""#),
        record("a2", "a", r#""fail""#),
        record("b1", "b", r#""succeed""#),
        record("a3", "a", r#""succeed""#),
    ];
    let event = serde_json::from_value(json!({ "Records": records })).expect("an event");
    let handled = Mutex::new(Vec::new());
    let handler = async |job: Job, id| {
        handled.lock().expect("not poisoned").push(job.clone());
        run(job, id).await
    };
    let response = handle(event, &queue().await, &handler).await;
    let failed: Vec<&str> =
        response.batch_item_failures.iter().map(|it| it.item_identifier.as_str()).collect();
    assert_eq!(failed, ["a2", "a3"]);
    let handled = handled.into_inner().expect("not poisoned");
    assert_eq!(handled, [Job::Succeed, Job::Fail, Job::Succeed]);
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("not poisoned").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The log of the whole process. `tracing` caches whether a line is written, so the subscriber must be the
/// same for all tests.
static LOG: LazyLock<Log> = LazyLock::new(|| {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().json().with_writer(move || writer.clone()).finish();
    tracing::subscriber::set_global_default(subscriber).expect("the only subscriber");
    log
});

#[tokio::test(start_paused = true)]
async fn each_message_is_logged_in_one_line_without_its_body() {
    #[derive(Debug, thiserror::Error)]
    #[error("the job failed")]
    struct JobError(#[source] std::io::Error);

    let log = &*LOG;
    let event = event(&[
        ("log-good", r#""succeed""#),
        ("log-bad", r#""fail""#),
        ("log-unknown", r#""of-the-body""#),
        ("log-torn", r#"{"of-the-body"#),
    ]);
    let mut invocation = lambda_runtime::Context::default();
    invocation.request_id = "the-invocation".to_owned();
    let handler = async |job, _| {
        sleep(Duration::from_millis(7)).await;
        match job {
            Job::Succeed => Ok(()),
            _ => Err(JobError(std::io::Error::other("because"))),
        }
    };
    invoke(LambdaEvent::new(event, invocation), &queue().await, &handler).await;
    let written = log.0.lock().expect("not poisoned").clone();
    let written = String::from_utf8(written).expect("text");
    assert!(!written.contains("of-the-body"), "{written}");
    let lines = written.lines().filter(|it| it.contains("\"message_id\":\"log-"));
    let lines: Vec<Value> = lines.map(|it| serde_json::from_str(it).expect("JSON")).collect();
    assert_eq!(lines.len(), 4, "{written}");
    for (id, outcome, milliseconds, reason) in [
        ("log-good", "done", 7, json!(null)),
        ("log-bad", "failed", 7, json!("the job failed: because")),
        ("log-unknown", "unreadable", 0, json!("not a job, at line 1 column 13")),
        ("log-torn", "unreadable", 0, json!("not JSON, at line 1 column 13")),
    ] {
        let line = lines.iter().find(|it| it["fields"]["message_id"] == id).expect("a line");
        let fields = &line["fields"];
        assert_eq!(fields["outcome"], outcome);
        assert_eq!(fields["receive_count"], 2);
        assert_eq!(fields["milliseconds"], milliseconds);
        assert_eq!(fields["reason"], reason);
        assert_eq!(line["span"]["lambda_request_id"], "the-invocation");
    }
}
