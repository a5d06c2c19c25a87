//! The queues: what is asked of the workers, and how it gets there.
//!
//! Invariant: the only crate that knows the SQS SDK. A queue delivers at least once and in no
//! order, so every job says why doing it twice is harmless.
//!
//! | Read this | To learn |
//! |---|---|
//! | `job` | every job there is, and the queue that it goes to |
//! | `send` | how many are sent, and what happens to those that are not taken |
//! | `receive` | the other end, for whoever plays Lambda's part |

mod job;
mod receive;
mod send;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use aws_environment::SdkConfig;
pub use aws_sdk_sqs::Client;
pub use job::{IndexJob, IngestJob, Message};
pub use receive::Delivery;
pub use send::{NotSent, Unsent};

/// What can go wrong between us and a queue.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the queue did not answer")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("{0} of the messages were not deleted, and will come again")]
    NotDeleted(usize),
}

/// The client for an environment.
pub fn client(environment: &SdkConfig) -> Client {
    Client::new(environment)
}

/// The queue of one kind of message. Clones share one connection pool.
#[derive(Clone, Debug)]
pub struct Queue<T> {
    client: Client,
    url: String,
    carries: PhantomData<fn(T)>,
}

impl<T: Message> Queue<T> {
    pub fn new(client: Client, url: impl Into<String>) -> Self {
        Self { client, url: url.into(), carries: PhantomData }
    }

    /// The queue that the environment names. Stops the start where none is named.
    #[expect(
        clippy::disallowed_methods,
        reason = "the queues' addresses are read here and nowhere else"
    )]
    pub fn from_env(client: Client) -> Self {
        match std::env::var(T::VARIABLE) {
            Ok(url) if !url.is_empty() => Self::new(client, url),
            _ => panic!("{} is not set; template.yaml sets it", T::VARIABLE),
        }
    }
}

/// Keeps the messages only: the SDK's error may hold an answer with the bodies of messages.
fn unavailable(error: impl std::error::Error + 'static) -> Error {
    Error::Unavailable(errors::chain(&error).into())
}
