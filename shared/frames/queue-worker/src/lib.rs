//! What all queue workers share: running a handler for each job, reporting failures, and retries.
//!
//! Invariant: a failed job is retried after a delay that grows with each attempt, and finally moves to the
//! dead-letter queue. The jobs of a group run in order: if one fails, the next ones wait for its retry. A job
//! may run more than once, so a handler must be idempotent. A handler must finish within the message's
//! visibility timeout.
//!
//! A worker is a type that implements [`Worker`]; its `main.rs` is `components::main!(queue_worker::serve::<name::Worker>());`.
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

use components::{Component, Components};
use jiff::Timestamp;
use jobs::{JobId, Message, Queue};
use lambda_runtime::service_fn;
use tokio::runtime::Builder;

pub use lambda_runtime::Error;

pub use chain::{Function, trace_header};
pub use poll::{poll, run};
pub use retry::MAX_RECEIVES;

/// Threads of a worker's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    One,
    Number(usize),
    /// As many as the machine has cores.
    Cores,
}

/// What handles the jobs of one queue. It is opened as a component, once for a process.
pub trait Worker: Component {
    /// Its jobs. They name the queue.
    type Job: Message;
    /// Why a job failed, and is tried again.
    type Error: Into<Error>;
    /// Name of the function: that of its folder.
    const NAME: &'static str;
    /// Threads of a process.
    const THREADS: Threads = Threads::One;
    /// Number of jobs that the local server runs in parallel, each of another message group.
    const PARALLEL: usize = 1;

    /// Runs a job that starts now.
    fn work(
        &self,
        job: Self::Job,
        id: JobId,
        now: Timestamp,
    ) -> impl Future<Output = Result<(), Self::Error>>;
}

/// Runs a worker on Lambda. The event source must have `ReportBatchItemFailures`: without it, Lambda deletes failed messages.
pub fn serve<W: Worker>() -> Result<(), Error> {
    telemetry::start(W::NAME);
    let mut runtime = match W::THREADS {
        Threads::One => Builder::new_current_thread(),
        Threads::Number(_) | Threads::Cores => Builder::new_multi_thread(),
    };
    if let Threads::Number(number) = W::THREADS {
        runtime.worker_threads(number);
    }
    runtime.enable_all().build()?.block_on(async {
        let components = Components::load().await;
        let (queue, worker): (Queue<W::Job>, W) = (components.get(), components.get());
        // Boxed here and below, because the nested futures exceed the compiler's recursion limit.
        let handler = async |job, id| Box::pin(worker.work(job, id, now())).await;
        let invoke = async |event| {
            let response = Box::pin(batch::invoke(event, &queue, &handler)).await;
            Ok::<_, Error>(response)
        };
        lambda_runtime::run(service_fn(invoke)).await
    })
}

/// The time at which a job starts.
#[expect(clippy::disallowed_methods, reason = "the outermost code of a worker")]
fn now() -> Timestamp {
    Timestamp::now()
}
