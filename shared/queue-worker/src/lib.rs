//! What every worker of a queue shares: a handler of one job, lifted to batches.
//!
//! Invariant: the only crate that knows batches. Every message is tried, whatever becomes of the
//! others; what fails is delivered again, and after as many receives as its queue allows, kept with
//! the dead letters. A message may come twice, so a handler must not mind; and whoever takes longer
//! than his message is hidden has not done it.
//!
//! ```no_run
//! # async fn read(_: jobs::IngestJob) -> Result<(), lambda_runtime::Error> { Ok(()) }
//! #[tokio::main]
//! async fn main() -> Result<(), lambda_runtime::Error> {
//!     queue_worker::serve("ingest", async |job: jobs::IngestJob| read(job).await).await
//! }
//! ```
//!
//! | Read this | To learn |
//! |---|---|
//! | `batch` | what becomes of each message |
//! | `poll` | who plays Lambda's part locally |

mod batch;
mod poll;
#[cfg(test)]
mod tests;

use aws_lambda_events::sqs::SqsEvent;
use jobs::Message;
use lambda_runtime::{Error, LambdaEvent, service_fn};
use tracing::Instrument;

pub use batch::answer;
pub use poll::poll;

/// Serves the worker with this name on Lambda. Its event source must have `ReportBatchItemFailures`: without it,
/// Lambda deletes the messages that failed.
pub async fn serve<T: Message, E: Into<Error>>(
    function: &'static str,
    handler: impl AsyncFn(T) -> Result<(), E>,
) -> Result<(), Error> {
    telemetry::start(function);
    lambda_runtime::run(service_fn(async |event: LambdaEvent<SqsEvent>| {
        // The runtime's own span is not told (`telemetry::log`).
        let span = tracing::info_span!(
            "invocation",
            lambda_request_id = event.context.request_id,
            trace_id = event.context.xray_trace_id
        );
        Ok::<_, Error>(answer(event.payload, &handler).instrument(span).await)
    }))
    .await
}
