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

use jobs::Message;
use lambda_runtime::{Error, service_fn};

pub use batch::answer;
pub use poll::poll;

/// Serves the worker with this name on Lambda. Its event source must have `ReportBatchItemFailures`: without it,
/// Lambda deletes the messages that failed.
pub async fn serve<T: Message, E: Into<Error>>(
    function: &'static str,
    handler: impl AsyncFn(T) -> Result<(), E>,
) -> Result<(), Error> {
    telemetry::start(function);
    let invoked = async |event| Ok::<_, Error>(batch::invoked(event, &handler).await);
    lambda_runtime::run(service_fn(invoked)).await
}
