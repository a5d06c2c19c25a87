//! The rules of every batch, and the form of its answer.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::refusal::Refusal;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Batch<T> {
    #[serde(default)]
    pub(crate) queue_url: String,
    #[serde(default = "Vec::new")]
    pub(crate) entries: Vec<Entry<T>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Entry<T> {
    id: String,
    #[serde(flatten)]
    pub(crate) value: T,
}

impl<T> Batch<T> {
    /// 1 to 10 entries, each with an id of its own.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        let count = self.entries.len();
        if count == 0 {
            let message = "There should be at least one entry in the request.";
            return Err(Refusal::new("EmptyBatchRequest", message));
        }
        if count > 10 {
            let message =
                format!("Maximum number of entries per request are 10. You have sent {count}.");
            return Err(Refusal::new("TooManyEntriesInBatchRequest", message));
        }
        if !self.entries.iter().all(|it| is_id(&it.id)) {
            let message = "A batch entry id can only contain alphanumeric characters, hyphens and \
                           underscores. It can be at most 80 letters long.";
            return Err(Refusal::new("InvalidBatchEntryId", message));
        }
        let mut seen = BTreeSet::new();
        match self.entries.iter().find(|it| !seen.insert(&it.id)) {
            Some(entry) => {
                let message = format!("Id {} repeated.", entry.id);
                Err(Refusal::new("BatchEntryIdsNotDistinct", message))
            }
            None => Ok(()),
        }
    }

    /// Carries out each entry; one that is refused does not hold up the others.
    pub(crate) fn answer(self, mut carry_out: impl FnMut(T) -> Result<Value, Refusal>) -> Value {
        let (mut successful, mut failed) = (Vec::new(), Vec::new());
        for Entry { id, value } in self.entries {
            match carry_out(value) {
                Ok(Value::Object(mut members)) => {
                    members.insert("Id".to_owned(), id.into());
                    successful.push(Value::Object(members));
                }
                Ok(_) => successful.push(json!({ "Id": id })),
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

/// The alphabet of names and ids.
pub(crate) fn is_id(text: &str) -> bool {
    let allowed = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
    (1..=80).contains(&text.len()) && text.chars().all(allowed)
}
