//! The rules for batches of messages, and the format of the answer.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::sqs::{error::Refusal, message::Draft};

const MAX_ENTRIES: usize = 10;
/// Maximum total size of the messages, in bytes.
const MAX_SIZE: usize = 1_048_576;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Batch {
    #[serde(default)]
    pub(crate) queue_url: String,
    #[serde(default)]
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Entry {
    id: String,
    #[serde(flatten)]
    draft: Draft,
}

impl Batch {
    /// A batch has 1 to 10 entries with distinct ids, and at most one mebibyte.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        let count = self.entries.len();
        if count == 0 {
            let message = "There should be at least one entry in the request.";
            return Err(Refusal::new("EmptyBatchRequest", message));
        }
        if count > MAX_ENTRIES {
            let message =
                format!("Maximum number of entries per request are 10. You have sent {count}.");
            return Err(Refusal::new("TooManyEntriesInBatchRequest", message));
        }
        if !self.entries.iter().all(|it| is_name(&it.id)) {
            let message = "A batch entry id can only contain alphanumeric characters, hyphens and \
                           underscores. It can be at most 80 letters long.";
            return Err(Refusal::new("InvalidBatchEntryId", message));
        }
        let mut seen = BTreeSet::new();
        if let Some(entry) = self.entries.iter().find(|it| !seen.insert(&it.id)) {
            let message = format!("Id {} repeated.", entry.id);
            return Err(Refusal::new("BatchEntryIdsNotDistinct", message));
        }
        let size: usize = self.entries.iter().map(|it| it.draft.message_body.len()).sum();
        if size > MAX_SIZE {
            let message = format!(
                "Batch requests cannot be longer than {MAX_SIZE} bytes. You have sent {size} bytes."
            );
            return Err(Refusal::new("BatchRequestTooLong", message));
        }
        Ok(())
    }

    /// Sends each entry. A refused entry does not affect the others.
    pub(crate) fn answer(self, mut send: impl FnMut(Draft) -> Result<Value, Refusal>) -> Value {
        let (mut successful, mut failed) = (Vec::new(), Vec::new());
        for Entry { id, draft } in self.entries {
            match send(draft) {
                Ok(mut sent) => {
                    sent["Id"] = id.into();
                    successful.push(sent);
                }
                Err(it) => failed.push(json!({
                    "Id": id,
                    "SenderFault": true,
                    "Code": it.code(),
                    "Message": it.message(),
                })),
            }
        }
        json!({ "Successful": successful, "Failed": failed })
    }
}

/// Whether a text is valid as the name of a queue (without `.fifo`) or the id of a batch entry.
pub(crate) fn is_name(text: &str) -> bool {
    let is_allowed = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
    (1..=80).contains(&text.len()) && text.chars().all(is_allowed)
}
