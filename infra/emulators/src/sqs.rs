//! An in-memory emulator of SQS FIFO queues, over HTTP in the protocol of the AWS SDKs (AWS JSON 1.0).
//!
//! It implements what `template.yaml` deploys and our code uses: message groups, deduplication, visibility
//! timeouts, delays and dead-letter queues, and the trace header of a request, which it hands on with the message. Standard queues,
//! message attributes and other operations are refused.
//!
//! Invariant: where AWS allows several behaviours, the emulator has the strictest one. For example, an old
//! receipt handle deletes nothing. All time is tokio's time, so that tests can control it.
//!
//! | Module | Content |
//! |---|---|
//! | `protocol` | the list of operations, and the format of requests and answers |
//! | `queues`, `messages` | the operations |
//! | `queue` | one queue: order, visibility and message groups |
//! | `deduplication` | which messages are duplicates |

mod address;
mod batch;
mod deduplication;
mod error;
mod message;
mod messages;
mod protocol;
mod queue;
mod queues;
mod settings;
mod state;
#[cfg(test)]
mod tests;

use std::{future::Future, io};

use tokio::net::TcpListener;

pub use self::address::{ACCOUNT, REGION, url};
pub use self::protocol::router;
pub use self::state::Queues;

/// Serves the queues on the listener until `shutdown` completes. Requests that wait for messages are then
/// answered without messages.
pub async fn serve(
    listener: TcpListener,
    queues: Queues,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let ending = {
        let queues = queues.clone();
        async move {
            shutdown.await;
            queues.stop_waiting();
        }
    };
    axum::serve(listener, router(queues)).with_graceful_shutdown(ending).await
}
