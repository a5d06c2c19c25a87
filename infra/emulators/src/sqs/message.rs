//! A message as it is sent: validation, and the digest that a client checks.

use md5::Md5;
use serde::{Deserialize, de::IgnoredAny};
use sha2::{Digest as _, Sha256};

use crate::sqs::error::Refusal;

/// The content of a message that is sent.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Draft {
    #[serde(default)]
    pub(crate) message_body: String,
    delay_seconds: Option<u64>,
    message_group_id: Option<String>,
    message_deduplication_id: Option<String>,
    /// Refused, as the next member is.
    message_attributes: Option<IgnoredAny>,
    message_system_attributes: Option<IgnoredAny>,
}

impl Draft {
    pub(crate) fn check(&self, max_size: u64) -> Result<(), Refusal> {
        if self.message_body.is_empty() {
            return Err(Refusal::missing("MessageBody"));
        }
        if !self.message_body.chars().all(is_allowed) {
            let message = "Invalid characters found. Valid unicode characters are #x9 | #xA | \
                           #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF";
            return Err(Refusal::new("InvalidMessageContents", message));
        }
        if let Some(delay) = self.delay_seconds.filter(|it| *it > 0) {
            let reason = "A message of a FIFO queue cannot have a delay of its own.";
            return Err(Refusal::invalid_value("DelaySeconds", delay, reason));
        }
        if self.message_attributes.is_some() || self.message_system_attributes.is_some() {
            let message = "This emulator has no message attributes.";
            return Err(Refusal::new("UnsupportedOperation", message));
        }
        if self.message_body.len() as u64 > max_size {
            let message = format!(
                "One or more parameters are invalid. \
                 Reason: Message must be shorter than {max_size} bytes."
            );
            return Err(Refusal::new("InvalidParameterValueException", message));
        }
        Ok(())
    }

    pub(crate) fn group(&self) -> Result<String, Refusal> {
        let group =
            self.message_group_id.as_deref().ok_or_else(|| Refusal::missing("MessageGroupId"))?;
        checked_id("MessageGroupId", group)
    }

    /// The given deduplication id, or else a digest of the body if `by_content`.
    pub(crate) fn deduplication_id(&self, by_content: bool) -> Result<String, Refusal> {
        match &self.message_deduplication_id {
            Some(id) => checked_id("MessageDeduplicationId", id),
            None if by_content => Ok(hex::encode(Sha256::digest(&self.message_body))),
            None => {
                let message = "The queue should either have ContentBasedDeduplication enabled or \
                               MessageDeduplicationId provided explicitly";
                Err(Refusal::new("InvalidParameterValueException", message))
            }
        }
    }
}

fn checked_id(member: &str, id: &str) -> Result<String, Refusal> {
    if (1..=128).contains(&id.len()) && id.chars().all(|it| it.is_ascii_graphic()) {
        return Ok(id.to_owned());
    }
    let reason = "It can have 1 to 128 alphanumeric characters and punctuation.";
    Err(Refusal::invalid_value(member, id, reason))
}

fn is_allowed(it: char) -> bool {
    matches!(it, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// The MD5 digest of a body, in hexadecimal.
pub(crate) fn digest(body: &str) -> String {
    hex::encode(Md5::digest(body))
}
