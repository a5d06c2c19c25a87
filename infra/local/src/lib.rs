//! The whole service in one process: every function on one port, with embedded DynamoDB, S3 and SQS.
//!
//! Invariant: no code here answers an API request. Requests go through the same functions and the same
//! middleware as in the cloud; only the infrastructure around them is local.
//!
//! | Module | Contents |
//! |---|---|
//! | [`command`] | the command line |
//! | [`cloud`] | the embedded DynamoDB, S3 and SQS, and SDK clients for them |
//! | [`functions`] | every HTTP function, mounted on one port |
//! | [`workers`] | every queue worker, and the poller that passes it its jobs |
//! | [`outbox`] | the mails that the functions have written, and their list |
//! | [`register`] | loading the demo register, importing files, publishing a generation |
//! | [`data_directory`] | the files in a data directory, and its lock |
//! | [`teams`] | the four teams of a local server and their API keys |
//! | [`erasures`] | erases users and teams for the operator, also in audit logs |
//! | [`openapi`] | the files that `cargo openapi` writes |
//! | [`examples`] | the examples in `openapi.json`: real answers of the functions |
//! | [`gateway`] | the paths of the gateway and of `cargo lambda watch` |

pub mod cloud;
pub mod command;
pub mod data_directory;
pub mod erasures;
pub mod examples;
pub mod functions;
pub mod gateway;
pub mod openapi;
pub mod outbox;
pub mod register;
pub mod teams;
pub mod template;
pub mod trials;
pub mod workers;

use std::error::Error;

/// Why a command failed: one line, printed on standard error.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct CommandError(pub String);

impl CommandError {
    /// The line `context: cause: cause of the cause …`.
    pub fn new(context: impl std::fmt::Display, cause: impl Into<Box<dyn Error>>) -> Self {
        Self(format!("{context}: {}", errors::chain(&*cause.into())))
    }
}

/// Converts any error to a [`CommandError`].
trait Context<T> {
    /// Says what failed, such as "cannot listen on port 9000", or the file it failed for.
    fn context(self, context: impl std::fmt::Display) -> Result<T, CommandError>;
}

impl<T, E: Into<Box<dyn Error>>> Context<T> for Result<T, E> {
    fn context(self, context: impl std::fmt::Display) -> Result<T, CommandError> {
        self.map_err(|it| CommandError::new(context, it))
    }
}
