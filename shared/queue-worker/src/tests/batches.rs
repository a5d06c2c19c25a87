use std::{
    io::Write,
    sync::{
        Arc, LazyLock, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use aws_lambda_events::sqs::SqsEvent;
use lambda_runtime::LambdaEvent;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::*;
use crate::{
    answer,
    batch::{AT_A_TIME, invoked},
};

/// An event as Lambda hands it over, with a message for each body.
fn event(bodies: &[(&str, &str)]) -> SqsEvent {
    let record = |(id, body): &(&str, &str)| {
        json!({
            "messageId": id,
            "receiptHandle": "AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a...",
            "body": body,
            "attributes": {
                "ApproximateReceiveCount": "2",
                "SentTimestamp": "1545082649183",
                "SenderId": "AIDAIENQZJOLO23YVJ4VO",
                "ApproximateFirstReceiveTimestamp": "1545082649185"
            },
            "messageAttributes": {},
            "md5OfBody": "098f6bcd4621d373cade4e832627b4f6",
            "eventSource": "aws:sqs",
            "eventSourceARN": "arn:aws:sqs:eu-central-2:123456789012:ingest",
            "awsRegion": "eu-central-2"
        })
    };
    let records: Vec<Value> = bodies.iter().map(record).collect();
    serde_json::from_value(json!({ "Records": records })).expect("an event")
}

#[tokio::test]
async fn only_what_failed_is_handed_back() {
    let event = event(&[
        ("good", r#""succeed""#),
        ("bad", r#""fail""#),
        ("torn", r#""suc"#),
        ("unknown", r#""dance""#),
        ("panicking", r#""panic""#),
        ("late", r#""succeed""#),
    ]);
    let response = answer(event, &obey).await;
    let mut failed: Vec<&str> =
        response.batch_item_failures.iter().map(|it| it.item_identifier.as_str()).collect();
    failed.sort_unstable();
    assert_eq!(failed, ["bad", "panicking", "torn", "unknown"]);
}

#[tokio::test]
async fn a_batch_without_failures_answers_an_empty_list() {
    let response = answer(event(&[("good", r#""succeed""#)]), &obey).await;
    let response = serde_json::to_value(response).expect("JSON");
    assert_eq!(response, json!({ "batchItemFailures": [] }));
}

#[tokio::test]
async fn failures_are_named_as_lambda_reads_them() {
    let response = answer(event(&[("bad", r#""fail""#)]), &obey).await;
    let response = serde_json::to_value(response).expect("JSON");
    assert_eq!(response, json!({ "batchItemFailures": [{ "itemIdentifier": "bad" }] }));
}

#[tokio::test(start_paused = true)]
async fn messages_are_under_way_together_but_not_all() {
    let bodies: Vec<_> = (0..AT_A_TIME * 3).map(|_| ("id", r#""succeed""#)).collect();
    let (now, peak) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let begun = Instant::now();
    answer(event(&bodies), &async |_: Job| {
        peak.fetch_max(now.fetch_add(1, SeqCst) + 1, SeqCst);
        sleep(Duration::from_secs(1)).await;
        now.fetch_sub(1, SeqCst);
        Ok::<_, lambda_runtime::Error>(())
    })
    .await;
    assert_eq!(peak.into_inner(), AT_A_TIME);
    assert_eq!(begun.elapsed().as_secs(), 3);
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

/// The log of the whole process: what is decided once for every test, whether a line is written at all,
/// must not depend on which test comes first.
static LOG: LazyLock<Log> = LazyLock::new(|| {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().json().with_writer(move || writer.clone()).finish();
    tracing::subscriber::set_global_default(subscriber).expect("the only subscriber");
    log
});

#[tokio::test(start_paused = true)]
async fn each_message_is_one_line_of_the_log_and_its_body_in_none() {
    #[derive(Debug, thiserror::Error)]
    #[error("the job was not done")]
    struct NotDone(#[source] std::io::Error);

    let log = &*LOG;
    let event = event(&[
        ("log-good", r#""succeed""#),
        ("log-bad", r#""fail""#),
        ("log-unknown", r#""of-the-body""#),
        ("log-torn", r#"{"of-the-body"#),
    ]);
    let mut invocation = lambda_runtime::Context::default();
    invocation.request_id = "the-invocation".to_owned();
    let handler = async |job| {
        sleep(Duration::from_millis(7)).await;
        match job {
            Job::Succeed => Ok(()),
            _ => Err(NotDone(std::io::Error::other("because"))),
        }
    };
    invoked(LambdaEvent::new(event, invocation), &handler).await;
    let written = log.0.lock().expect("not poisoned").clone();
    let written = String::from_utf8(written).expect("text");
    assert!(!written.contains("of-the-body"), "{written}");
    let lines = written.lines().filter(|it| it.contains("\"log-"));
    let lines: Vec<Value> = lines.map(|it| serde_json::from_str(it).expect("JSON")).collect();
    assert_eq!(lines.len(), 4, "{written}");
    for (id, outcome, milliseconds, reason) in [
        ("log-good", "done", 7, json!(null)),
        ("log-bad", "failed", 7, json!("the job was not done: because")),
        ("log-unknown", "unreadable", 0, json!("JSON, but no job, at line 1 column 13")),
        ("log-torn", "unreadable", 0, json!("no JSON, at line 1 column 13")),
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
