//! The jobs of the workers, and the SQS FIFO queues that carry them.
//!
//! Invariant: the only crate that uses the SQS SDK. A queue may deliver a job more than once, so every job is
//! safe to run twice.
//!
//! | Module | Content |
//! |---|---|
//! | `job` | all jobs, a module for each queue |
//! | `id` | the identity of a job |
//! | `send` | sending jobs in batches |
//! | `receive` | receiving, deleting and retrying jobs |

mod id;
mod job;
mod receive;
mod send;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use aws::{Limits, SdkConfig};
pub use aws_sdk_sqs::Client;
use components::{Component, Components};
pub use id::JobId;
pub use job::*;
pub use receive::Delivery;
pub use send::{NotSent, Unsent};

/// A request to a queue failed: the queue did not answer, or it refused the request.
#[derive(Debug, thiserror::Error)]
#[error("the request to the queue failed")]
pub struct Error(#[source] Box<dyn std::error::Error + Send + Sync>);

impl Error {
    /// Keeps only the messages of the SDK's error: the error may contain an answer with message bodies,
    /// which must not be logged.
    fn new(error: impl std::error::Error + 'static) -> Self {
        Self(errors::chain(&error).into())
    }
}

/// How long a request may take. Receiving waits longer.
const LIMITS: Limits = Limits::of_seconds(2, 8);

/// The SQS client for an environment.
#[expect(clippy::disallowed_methods, reason = "the one place that creates this client")]
pub fn client(environment: &SdkConfig) -> Client {
    Client::new(&LIMITS.of(environment))
}

/// A FIFO queue of messages of one type. Clones share one connection pool.
#[derive(Clone, Debug)]
pub struct Queue<T> {
    client: Client,
    url: String,
    message_type: PhantomData<fn(T)>,
}

impl<T: Message> Queue<T> {
    pub fn new(client: Client, url: impl Into<String>) -> Self {
        Self { client, url: url.into(), message_type: PhantomData }
    }

    /// The address of the queue.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// The queue whose URL is the setting [`Message::VARIABLE`].
impl<T: Message> Component for Queue<T> {
    fn open(components: &Components) -> Self {
        let url = components.required_setting(T::VARIABLE);
        Self::new(components.client(client), url)
    }
}
