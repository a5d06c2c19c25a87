//! The text model: Amazon Bedrock (the operation Converse), or the writer that is built in.
//!
//! Invariants: the only crate that uses the SDK of Bedrock. An answer that was cut off, filtered or is empty is a failure and no
//! text. Whoever uses a text checks it: a model can say anything.

mod bedrock;

use std::{sync::Arc, time::Duration};

use components::{Component, Components};

pub use bedrock::{Bedrock, Client, client};

/// The environment variable with the id of the model in Bedrock, or of an inference profile. Without it, the writer that is built
/// in is used.
pub const MODEL_VARIABLE: &str = "BEDROCK_MODEL_ID";

/// What is to be written.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The instructions. They contain nothing that a stranger has written.
    pub instructions: String,
    /// The facts.
    pub input: String,
    /// What the writer that is built in writes: composed from the facts by code.
    pub composed: String,
}

/// Writes texts.
#[derive(Clone, Debug)]
pub enum TextModel {
    /// The writer that is built in: the same assignment gives the same text, without network.
    Embedded,
    /// A model of Amazon Bedrock.
    Bedrock(Bedrock),
    /// A model of a test: it answers with what the function returns.
    Scripted(Script),
    /// A model of a test that never answers.
    Silent,
}

/// Answers of a model in a test.
#[derive(Clone)]
pub struct Script(Arc<Answering>);

type Answering = dyn Fn(&Assignment) -> Result<String, Failure> + Send + Sync;

impl std::fmt::Debug for Script {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Script(…)")
    }
}

/// Why there is no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    #[error("the text model did not answer in time")]
    TooSlow,
    #[error("the text model is overloaded")]
    Throttled,
    #[error("the text model is not available")]
    Unavailable,
    #[error("the text model refused the request")]
    Refused,
    #[error("the answer of the text model was cut off")]
    CutOff,
    #[error("the answer of the text model is empty")]
    Empty,
    #[error("the answer of the text model cannot be understood")]
    Malformed,
}

async fn in_time(
    limit: Duration,
    answer: impl Future<Output = Result<String, Failure>>,
) -> Result<String, Failure> {
    tokio::time::timeout(limit, answer).await.unwrap_or(Err(Failure::TooSlow))
}

/// The model of Amazon Bedrock that the setting names, or the one that is built in.
impl Component for TextModel {
    fn open(components: &Components) -> Self {
        match components.setting(MODEL_VARIABLE) {
            Some(model) => Self::Bedrock(Bedrock::new(components.client(client), model)),
            None => Self::Embedded,
        }
    }
}

impl TextModel {
    /// A model for a test, which answers with what the function returns.
    pub fn scripted(
        answer: impl Fn(&Assignment) -> Result<String, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self::Scripted(Script(Arc::new(answer)))
    }

    /// Name in responses.
    pub fn name(&self) -> &str {
        match self {
            Self::Embedded => "extractive-1",
            Self::Bedrock(bedrock) => bedrock.model(),
            Self::Scripted(_) => "scripted",
            Self::Silent => "silent",
        }
    }

    /// Writes a text within a time limit.
    pub async fn write(&self, assignment: &Assignment, limit: Duration) -> Result<String, Failure> {
        let text = match self {
            Self::Embedded => return Ok(assignment.composed.clone()),
            Self::Scripted(script) => (script.0)(assignment),
            Self::Bedrock(bedrock) => in_time(limit, bedrock.converse(assignment)).await,
            Self::Silent => in_time(limit, std::future::pending()).await,
        };
        text.inspect_err(|failure| {
            tracing::warn!(
                metric = "TextModelFailure",
                model = self.name(),
                failure = errors::chain(failure),
                "no text from the text model"
            );
        })
    }
}
