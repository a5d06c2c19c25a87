use std::sync::Arc;

use aws::{Limits, SdkConfig};
pub use aws_sdk_bedrockruntime::Client;
use aws_sdk_bedrockruntime::{
    config::{Builder, retry::RetryConfig},
    error::SdkError,
    operation::converse::{ConverseError, ConverseOutput},
    types::{
        ContentBlock, ConversationRole, ConverseOutput as Output, InferenceConfiguration, Message,
        StopReason, SystemContentBlock,
    },
};

use crate::{Assignment, Failure};

/// Maximum number of tokens of an answer: more than the longest dossier has.
const MAX_TOKENS: i32 = 8_192;
/// Maximum length of an answer in bytes.
const MAX_ANSWER: usize = 400_000;
/// Number of attempts when the model is overloaded or not ready, with growing pauses. The time limit of the caller ends them.
const ATTEMPTS: u32 = 4;

/// How long the model may take. The time limit of the caller is shorter.
const LIMITS: Limits = Limits::of_seconds(60, 120);

/// A client with the connections and credentials that all AWS clients share.
#[expect(clippy::disallowed_methods, reason = "the one place that creates this client")]
pub fn client(aws: &SdkConfig) -> Client {
    let retries = RetryConfig::standard().with_max_attempts(ATTEMPTS);
    Client::from_conf(Builder::from(&LIMITS.of(aws)).retry_config(retries).build())
}

/// A model of Amazon Bedrock.
#[derive(Clone, Debug)]
pub struct Bedrock {
    client: Client,
    model: Arc<str>,
}

impl Bedrock {
    /// The model with this id, or that of an inference profile.
    pub fn new(client: Client, model: impl Into<Arc<str>>) -> Self {
        Self { client, model: model.into() }
    }

    pub(crate) fn model(&self) -> &str {
        &self.model
    }

    /// Asks the model once, as <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html> describes.
    pub(crate) async fn converse(&self, assignment: &Assignment) -> Result<String, Failure> {
        let message = Message::builder()
            .role(ConversationRole::User)
            .content(ContentBlock::Text(assignment.input.clone()))
            .build()
            .map_err(|_| Failure::Malformed)?;
        // The lowest temperature: the text should say what the facts say.
        let inference =
            InferenceConfiguration::builder().max_tokens(MAX_TOKENS).temperature(0.0).build();
        let answer = self
            .client
            .converse()
            .model_id(&*self.model)
            .system(SystemContentBlock::Text(assignment.instructions.clone()))
            .messages(message)
            .inference_config(inference)
            .send()
            .await
            .map_err(|it| failure(&it))?;
        if let Some(usage) = answer.usage() {
            tracing::info!(
                model = &*self.model,
                input_tokens = usage.input_tokens(),
                output_tokens = usage.output_tokens(),
                "text model answered"
            );
        }
        text(answer)
    }
}

/// The text of an answer that is complete.
fn text(answer: ConverseOutput) -> Result<String, Failure> {
    match answer.stop_reason {
        StopReason::EndTurn | StopReason::StopSequence => {}
        StopReason::MaxTokens => return Err(Failure::CutOff),
        StopReason::ContentFiltered | StopReason::GuardrailIntervened => {
            return Err(Failure::Refused);
        }
        _ => return Err(Failure::Malformed),
    }
    let Some(Output::Message(message)) = answer.output else { return Err(Failure::Empty) };
    if message.role != ConversationRole::Assistant {
        return Err(Failure::Malformed);
    }
    let mut text = String::new();
    for block in message.content {
        match block {
            ContentBlock::Text(part) => text.push_str(&part),
            // What a model thinks before it writes is no part of the text.
            ContentBlock::ReasoningContent(_) => {}
            _ => return Err(Failure::Malformed),
        }
    }
    if text.len() > MAX_ANSWER {
        return Err(Failure::Malformed);
    }
    match text.trim().is_empty() {
        true => Err(Failure::Empty),
        false => Ok(text),
    }
}

/// Why a request failed. The SDK has repeated it already where that can help.
fn failure(error: &SdkError<ConverseError>) -> Failure {
    // Only the messages: the SDK's error may hold the answer.
    tracing::warn!(failure = errors::chain(error), "request to the text model failed");
    match error {
        SdkError::TimeoutError(_) => Failure::TooSlow,
        SdkError::ResponseError(_) => Failure::Malformed,
        SdkError::ServiceError(service) => match service.err() {
            ConverseError::ThrottlingException(_) => Failure::Throttled,
            ConverseError::ModelTimeoutException(_) => Failure::TooSlow,
            ConverseError::ValidationException(_)
            | ConverseError::AccessDeniedException(_)
            | ConverseError::ResourceNotFoundException(_) => Failure::Refused,
            _ => Failure::Unavailable,
        },
        _ => Failure::Unavailable,
    }
}
