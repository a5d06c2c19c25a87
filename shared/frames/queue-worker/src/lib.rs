//! What all queue workers share: running a handler for each job, reporting failures, and retries.
//!
//! Invariant: a failed job is retried after a delay that grows with each attempt, and finally moves to the
//! dead-letter queue. The jobs of a group run in order: if one fails, the next ones wait for its retry. A job
//! may run more than once, so a handler must be idempotent. A handler must finish within the message's
//! visibility timeout.
//!
//! ```no_run
//! # async fn read(_: jobs::IngestJob, _: jobs::JobId) -> Result<(), lambda_runtime::Error> { Ok(()) }
//! # async fn example(queue: jobs::Queue<jobs::IngestJob>) -> Result<(), lambda_runtime::Error> {
//! queue_worker::serve("ingest", &queue, async |job, id| read(job, id).await).await
//! # }
//! ```
//!
//! | Module | Content |
//! |---|---|
//! | `batch` | handling the messages of an invocation |
//! | `retry` | the delays of retries |
//! | `poll` | replaces Lambda's event source in the local server |
//! | `chain` | counts calls as Lambda does, in the local server |

mod batch;
mod chain;
mod poll;
mod retry;
#[cfg(test)]
mod tests;

use jobs::{JobId, Message, Queue};
use lambda_runtime::{Error, service_fn};

pub use chain::{Function, trace_header};
pub use poll::poll;
pub use retry::MAX_RECEIVES;

/// Runs the worker on Lambda. `queue` is the queue of its event source, which must have
/// `ReportBatchItemFailures`: without it, Lambda deletes failed messages.
pub async fn serve<T: Message, E: Into<Error>>(
    function: &'static str,
    queue: &Queue<T>,
    handler: impl AsyncFn(T, JobId) -> Result<(), E>,
) -> Result<(), Error> {
    telemetry::start(function);
    // Boxed, because the nested futures exceed the compiler's recursion limit.
    let invoke = async |event| {
        let response = Box::pin(batch::invoke(event, queue, &handler)).await;
        Ok::<_, Error>(response)
    };
    lambda_runtime::run(service_fn(invoke)).await
}
