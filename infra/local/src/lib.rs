//! The whole service in one process: every function on one port, over an embedded DynamoDB,
//! S3 and SQS.
//!
//! Invariant: nothing here answers a request. The functions, and the way of a request through them,
//! are the ones that go live; only what is around them is local.
//!
//! | Read this | To learn |
//! |---|---|
//! | [`cloud`] | the embedded DynamoDB, S3 and SQS, and what is in them |
//! | [`functions`] | every function, mounted on one port |
//! | [`workers`] | every worker, and who hands it its jobs |
//! | [`examples`] | what the functions answer, as the description shows it |
//! | [`gateway`] | what is generated for the gateway and for `cargo lambda watch` |
//! | [`teams`] | the four teams of a local server and their keys |
//! | [`directory`] | what lies in a data directory, and who holds it |
//! | [`register`] | how the register gets in: the demo, imports, the generation |
//! | [`command`] | the command line |

pub mod cloud;
pub mod command;
pub mod directory;
pub mod examples;
pub mod functions;
pub mod gateway;
pub mod register;
pub mod teams;
pub mod workers;

/// What stops a command: one line for whoever typed it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Stop(pub String);

impl Stop {
    /// A line that names what was tried, and why it failed.
    pub fn because(tried: &str, cause: impl Into<Box<dyn std::error::Error>>) -> Self {
        Self(format!("{tried}: {}", errors::chain(&*cause.into())))
    }
}
