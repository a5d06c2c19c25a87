//! A batch: every message is tried, and the answer names those that failed.

use std::panic::AssertUnwindSafe;

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent, SqsMessage};
use futures_util::{FutureExt, StreamExt, stream};
use jobs::Message;
use lambda_runtime::{Error, LambdaEvent};
use tokio::time::Instant;
use tracing::Instrument;

/// How many messages of a batch are under way at the same time.
pub(crate) const AT_A_TIME: usize = 10;

/// What became of a message.
enum Outcome {
    Done,
    /// The handler said why not.
    Failed(Error),
    /// The handler said so by a panic, which has been logged where it happened.
    Panicked,
    /// There is no job in it.
    Unreadable(serde_json::Error),
}

/// Answers an invocation. All that is logged meanwhile names it: the runtime's own span is not told
/// (`telemetry::log`).
pub(crate) async fn invoked<T: Message, E: Into<Error>>(
    event: LambdaEvent<SqsEvent>,
    handler: &impl AsyncFn(T) -> Result<(), E>,
) -> SqsBatchResponse {
    let span = tracing::info_span!(
        "invocation",
        lambda_request_id = event.context.request_id,
        trace_id = event.context.xray_trace_id
    );
    answer(event.payload, handler).instrument(span).await
}

/// Hands each message to the handler, and names those to be delivered again.
pub async fn answer<T: Message, E: Into<Error>>(
    event: SqsEvent,
    handler: &impl AsyncFn(T) -> Result<(), E>,
) -> SqsBatchResponse {
    let mut response = SqsBatchResponse::default();
    let tried = stream::iter(event.records).map(|it| tried(it, handler));
    let mut tried = std::pin::pin!(tried.buffer_unordered(AT_A_TIME));
    while let Some((id, outcome)) = tried.next().await {
        if !matches!(outcome, Outcome::Done) {
            response.add_failure(id);
        }
    }
    response
}

async fn tried<T: Message, E: Into<Error>>(
    message: SqsMessage,
    handler: &impl AsyncFn(T) -> Result<(), E>,
) -> (String, Outcome) {
    let begun = Instant::now();
    let outcome = match serde_json::from_str(message.body.as_deref().unwrap_or_default()) {
        Err(error) => Outcome::Unreadable(error),
        // Unwind-safe as far as it matters: a job cut short anywhere is what every handler must bear
        // already, since a process may die.
        Ok(job) => match AssertUnwindSafe(handler(job)).catch_unwind().await {
            Ok(Ok(())) => Outcome::Done,
            Ok(Err(error)) => Outcome::Failed(error.into()),
            Err(_) => Outcome::Panicked,
        },
    };
    let receives = message.attributes.get("ApproximateReceiveCount");
    let receives: u32 = receives.and_then(|it| it.parse().ok()).unwrap_or_default();
    let id = message.message_id.unwrap_or_default();
    log(&id, receives, begun.elapsed().as_millis() as u64, &outcome);
    (id, outcome)
}

/// One line a message, and nothing of what it says.
fn log(message_id: &str, receive_count: u32, milliseconds: u64, outcome: &Outcome) {
    let (outcome, reason) = match outcome {
        Outcome::Done => {
            tracing::info!(message_id, receive_count, milliseconds, outcome = "done", "handled");
            return;
        }
        Outcome::Failed(error) => ("failed", errors::chain(error.as_ref())),
        Outcome::Panicked => ("panicked", "its handler panicked".to_owned()),
        Outcome::Unreadable(error) => ("unreadable", place(error)),
    };
    tracing::error!(message_id, receive_count, milliseconds, outcome, reason, "not handled");
}

/// Where a message stops being a job. What `serde_json` says beside it quotes the message.
fn place(error: &serde_json::Error) -> String {
    let kind = match error.classify() {
        serde_json::error::Category::Data => "JSON, but no job",
        _ => "no JSON",
    };
    format!("{kind}, at line {} column {}", error.line(), error.column())
}
