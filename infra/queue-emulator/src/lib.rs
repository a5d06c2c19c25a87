//! SQS's standard queues in memory, over HTTP: AWS JSON 1.0, as the SDKs speak it.
//!
//! Invariant: where AWS leaves a choice, the harsher one is taken (an old receipt handle deletes
//! nothing, a message joins the dead letters only when it would be received once more), except that
//! order is kept and nothing is delivered twice without a reason. All time is tokio's, so that
//! tests steer it.
//!
//! | Read this | To learn |
//! |---|---|
//! | `protocol` | which operations there are, and how a refusal looks |
//! | `queue` | when a message is visible, in flight, delayed, gone |
//! | `messages`, `queues`, `moves` | the operations |

mod batch;
mod message;
mod messages;
mod moves;
mod protocol;
mod queue;
mod queues;
mod refusal;
mod settings;
mod state;
#[cfg(test)]
mod tests;

use std::{future::Future, io};

use tokio::net::TcpListener;

pub use protocol::router;
pub use state::{ACCOUNT, Queues, REGION, url};

/// Answers on the listener until `shutdown` is ready; waiting receives then end empty-handed.
pub async fn serve(
    listener: TcpListener,
    queues: Queues,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let ending = {
        let queues = queues.clone();
        async move {
            shutdown.await;
            queues.end_waiting();
        }
    };
    axum::serve(listener, router(queues)).with_graceful_shutdown(ending).await
}
