//! A message as it is sent: validation, size, and the digests that a client checks.

use std::collections::BTreeMap;

use base64::{Engine, prelude::BASE64_STANDARD};
use md5::Md5;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::Refusal;

pub(crate) type Attributes = BTreeMap<String, Attribute>;

/// A message attribute: a typed value in addition to the body.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Attribute {
    data_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) string_value: Option<String>,
    /// In Base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    binary_value: Option<String>,
}

/// The content of a message that is sent.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Draft {
    #[serde(default)]
    pub(crate) message_body: String,
    delay_seconds: Option<u64>,
    message_group_id: Option<String>,
    message_deduplication_id: Option<String>,
    #[serde(default)]
    pub(crate) message_attributes: Attributes,
    #[serde(default)]
    pub(crate) message_system_attributes: Attributes,
}

impl Draft {
    /// Size in bytes, as it counts towards the limits.
    pub(crate) fn size(&self) -> usize {
        let attribute = |(name, it): (&String, &Attribute)| {
            name.len() + it.data_type.len() + it.bytes().map_or(0, |(_, bytes)| bytes.len())
        };
        self.message_body.len() + self.message_attributes.iter().map(attribute).sum::<usize>()
    }

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
        self.message_attributes.iter().try_for_each(|(name, it)| it.check(name))?;
        if self.message_attributes.len() > 10 {
            let count = self.message_attributes.len();
            let message =
                format!("Number of message attributes [{count}] exceeds the allowed maximum [10].");
            return Err(Refusal::new("InvalidParameterValueException", message));
        }
        if self.size() as u64 > max_size {
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

impl Attribute {
    /// The value and its transport type: 1 for text, 2 for bytes.
    fn bytes(&self) -> Option<(u8, Vec<u8>)> {
        let kind = self.data_type.split('.').next().unwrap_or_default();
        match (kind, &self.string_value, &self.binary_value) {
            ("String" | "Number", Some(text), None) => Some((1, text.clone().into_bytes())),
            ("Binary", None, Some(base64)) => Some((2, BASE64_STANDARD.decode(base64).ok()?)),
            _ => None,
        }
    }

    fn check(&self, name: &str) -> Result<(), Refusal> {
        let allowed = |it: char| it.is_ascii_alphanumeric() || "_-.".contains(it);
        let is_name = (1..=256).contains(&name.len()) && name.chars().all(allowed);
        let has_value = self.bytes().is_some_and(|(_, it)| !it.is_empty());
        if is_name && has_value {
            return Ok(());
        }
        let message =
            format!("The message attribute '{name}' with type '{}' is not valid.", self.data_type);
        Err(Refusal::new("InvalidParameterValueException", message))
    }
}

fn is_allowed(it: char) -> bool {
    matches!(it, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// The MD5 digest of a body, in hexadecimal.
pub(crate) fn digest(body: &str) -> String {
    hex::encode(Md5::digest(body))
}

/// The MD5 digest of attributes, in hexadecimal. `None` if there are none.
///
/// Format: "Calculating the MD5 message digest for message attributes" in the SQS developer guide.
pub(crate) fn digest_of_attributes(attributes: &Attributes) -> Option<String> {
    let mut digest = Md5::new();
    for (name, attribute) in attributes {
        let (transport, value) = attribute.bytes()?;
        for part in [name.as_bytes(), attribute.data_type.as_bytes()] {
            digest.update((part.len() as u32).to_be_bytes());
            digest.update(part);
        }
        digest.update([transport]);
        digest.update((value.len() as u32).to_be_bytes());
        digest.update(&value);
    }
    (!attributes.is_empty()).then(|| hex::encode(digest.finalize()))
}
