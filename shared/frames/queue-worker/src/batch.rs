//! Handling the messages of an invocation. The answer lists the messages that failed.

use std::{collections::BTreeSet, panic::AssertUnwindSafe, time::Duration};

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use futures_util::FutureExt;
use jobs::{JobId, Message, Queue};
use lambda_runtime::{Error, LambdaEvent};
use tokio::time::Instant;
use tracing::Instrument;

use crate::retry;

/// The result of handling a message.
enum Outcome {
    Done,
    Failed(Error),
    /// The handler panicked. The panic itself has been logged.
    Panicked,
    /// The body is not a job.
    Unreadable(serde_json::Error),
}

/// Handles an invocation. All log lines have its request id: the span of the Lambda runtime is not logged
/// (see `telemetry::log`).
pub(crate) async fn invoke<T: Message, E: Into<Error>>(
    event: LambdaEvent<SqsEvent>,
    queue: &Queue<T>,
    handler: &impl AsyncFn(T, JobId) -> Result<(), E>,
) -> SqsBatchResponse {
    let span = tracing::info_span!(
        "invocation",
        lambda_request_id = event.context.request_id,
        trace_id = event.context.xray_trace_id
    );
    handle(event.payload, queue, handler).instrument(span).await
}

/// Handles the messages one after another and returns those to be retried. After a failure, the later messages
/// of the same group are returned without being handled, so that the group stays in order.
///
/// A message that is returned unhandled has used up one of its receives. The event sources in `template.yaml`
/// therefore have a batch size of 1.
pub(crate) async fn handle<T: Message, E: Into<Error>>(
    event: SqsEvent,
    queue: &Queue<T>,
    handler: &impl AsyncFn(T, JobId) -> Result<(), E>,
) -> SqsBatchResponse {
    let mut response = SqsBatchResponse::default();
    let mut blocked_groups = BTreeSet::new();
    for message in event.records {
        let group = message.attributes.get("MessageGroupId").cloned();
        let delay = if group.as_ref().is_some_and(|it| blocked_groups.contains(it)) {
            Some(Duration::ZERO)
        } else {
            handle_message(&message, handler).await
        };
        let Some(delay) = delay else { continue };
        blocked_groups.extend(group);
        let receipt_handle = message.receipt_handle.unwrap_or_default();
        if let Err(error) = queue.retry_after(&receipt_handle, delay).await {
            let error = errors::chain(&error);
            tracing::warn!(error, "the message is retried only after its visibility timeout");
        }
        response.add_failure(message.message_id.unwrap_or_default());
    }
    response
}

/// Handles a message. Returns the delay before the next attempt if it failed.
async fn handle_message<T: Message, E: Into<Error>>(
    message: &SqsMessage,
    handler: &impl AsyncFn(T, JobId) -> Result<(), E>,
) -> Option<Duration> {
    let started = Instant::now();
    let message_id = message.message_id.as_deref().unwrap_or_default();
    let deduplication_id = message.attributes.get("MessageDeduplicationId").map(String::as_str);
    let id = JobId::of_message(message_id, deduplication_id);
    let outcome = match serde_json::from_str(message.body.as_deref().unwrap_or_default()) {
        Err(error) => Outcome::Unreadable(error),
        // A panic may stop a job at any point. Handlers must allow for that anyway, because a process may
        // be killed.
        Ok(job) => match AssertUnwindSafe(handler(job, id)).catch_unwind().await {
            Ok(Ok(())) => Outcome::Done,
            Ok(Err(error)) => Outcome::Failed(error.into()),
            Err(_) => Outcome::Panicked,
        },
    };
    let receives = message.attributes.get("ApproximateReceiveCount");
    let receives: u32 = receives.and_then(|it| it.parse().ok()).unwrap_or_default();
    let milliseconds = started.elapsed().as_millis() as u64;
    log(message_id, receives, milliseconds, &outcome);
    (!matches!(outcome, Outcome::Done)).then(|| retry::delay(receives))
}

/// Writes one log line for each message, without its body.
fn log(message_id: &str, receive_count: u32, milliseconds: u64, outcome: &Outcome) {
    let (outcome, reason) = match outcome {
        Outcome::Done => {
            tracing::info!(message_id, receive_count, milliseconds, outcome = "done", "job done");
            return;
        }
        Outcome::Failed(error) => ("failed", errors::chain(error.as_ref())),
        Outcome::Panicked => ("panicked", "the handler panicked".to_owned()),
        Outcome::Unreadable(error) => ("unreadable", position(error)),
    };
    tracing::error!(message_id, receive_count, milliseconds, outcome, reason, "job failed");
}

/// Where a body is invalid. The message of the error is not used, because it quotes the body.
fn position(error: &serde_json::Error) -> String {
    let kind = match error.classify() {
        serde_json::error::Category::Data => "not a job",
        _ => "not JSON",
    };
    format!("{kind}, at line {} column {}", error.line(), error.column())
}
