//! Sending: in batches, and again for what was not taken.

use std::{fmt, time::Duration};

use aws_sdk_sqs::{
    error::{ProvideErrorMetadata, SdkError},
    operation::send_message_batch::{SendMessageBatchError, SendMessageBatchOutput},
    types::SendMessageBatchRequestEntry,
};
use futures_util::{StreamExt, stream};
use uuid::Uuid;

use crate::{Message, Queue};

/// What a batch may hold.
const MOST_ENTRIES: usize = 10;
const LONGEST_BATCH: usize = 1024 * 1024;
/// How many batches are under way at the same time.
const BATCHES_AT_A_TIME: usize = 4;
/// How often a batch is tried: each time only what is left of it, after a pause twice as long.
const ATTEMPTS: u32 = 5;
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// Some messages were not sent, or it is not known that they were; all others were.
#[derive(Debug, thiserror::Error)]
#[error("{} of {of} messages were not sent: {}", unsent.len(), Listed(unsent))]
pub struct NotSent {
    /// How many were to be sent.
    pub of: usize,
    /// Those that were not, in their order.
    pub unsent: Vec<Unsent>,
}

/// A message that was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsent {
    /// Its place among those to be sent, from 0.
    pub index: usize,
    pub reason: String,
}

/// A message as it goes into a batch.
struct Entry {
    index: usize,
    body: String,
    order: Option<Order>,
}

/// What a FIFO queue wants to know beside.
struct Order {
    group: String,
    /// Of every message another: what is asked for twice is meant twice. Where an answer was lost and the
    /// message is sent again, it arrives once.
    id: String,
}

/// Why an entry was not taken.
struct Refusal {
    reason: String,
    /// It would be refused again.
    is_final: bool,
}

impl<T: Message> Queue<T> {
    /// Sends a message. Where the answer was lost it may have been sent all the same.
    pub async fn send(&self, message: &T) -> Result<(), NotSent> {
        self.send_all(std::slice::from_ref(message)).await
    }

    /// Sends messages, as many as can be. Where an answer was lost, some may arrive twice.
    pub async fn send_all(&self, messages: &[T]) -> Result<(), NotSent> {
        let mut unsent = Vec::new();
        let mut entries = Vec::new();
        // The name of a FIFO queue says that it is one.
        let is_fifo = self.url.ends_with(".fifo");
        for (index, message) in messages.iter().enumerate() {
            match serde_json::to_string(message) {
                Ok(body) if body.len() <= LONGEST_BATCH => {
                    let order = is_fifo.then(|| Order {
                        group: message.group().to_owned(),
                        id: Uuid::new_v4().to_string(),
                    });
                    entries.push(Entry { index, body, order });
                }
                Ok(body) => {
                    let length = body.len();
                    let reason = format!("{length} bytes are longer than {LONGEST_BATCH}");
                    unsent.push(Unsent { index, reason });
                }
                Err(error) => unsent.push(Unsent { index, reason: error.to_string() }),
            }
        }
        let batches = stream::iter(batches(entries)).map(|it| self.send_batch(it));
        let failed: Vec<Vec<Unsent>> = batches.buffer_unordered(BATCHES_AT_A_TIME).collect().await;
        unsent.extend(failed.into_iter().flatten());
        if unsent.is_empty() {
            return Ok(());
        }
        unsent.sort_by_key(|it| it.index);
        Err(NotSent { of: messages.len(), unsent })
    }

    async fn send_batch(&self, mut batch: Vec<Entry>) -> Vec<Unsent> {
        let mut unsent = Vec::new();
        for attempt in 1.. {
            let mut again = Vec::new();
            for (entry, refusal) in self.attempt(batch).await {
                if refusal.is_final || attempt == ATTEMPTS {
                    unsent.push(Unsent { index: entry.index, reason: refusal.reason });
                } else {
                    again.push(entry);
                }
            }
            if again.is_empty() {
                break;
            }
            batch = again;
            tokio::time::sleep(FIRST_PAUSE * 2_u32.pow(attempt - 1)).await;
        }
        unsent
    }

    /// What of a batch was not taken, and why.
    async fn attempt(&self, batch: Vec<Entry>) -> Vec<(Entry, Refusal)> {
        let mut request = self.client.send_message_batch().queue_url(&self.url);
        for (place, entry) in batch.iter().enumerate() {
            let builder = SendMessageBatchRequestEntry::builder();
            let (group, id) =
                entry.order.as_ref().map(|it| (it.group.clone(), it.id.clone())).unzip();
            let builder = builder.set_message_group_id(group).set_message_deduplication_id(id);
            let built = builder.id(place.to_string()).message_body(&entry.body).build();
            #[expect(clippy::expect_used, reason = "an entry needs an id and a body, and has them")]
            let built = built.expect("a whole entry");
            request = request.entries(built);
        }
        let answer = request.send().await;
        let places = batch.into_iter().enumerate();
        let refused = places.filter_map(|(place, it)| Some((it, refusal(&answer, place)?)));
        refused.collect()
    }
}

/// Why the entry at this place was not taken; `None` if it was.
fn refusal(
    answer: &Result<SendMessageBatchOutput, SdkError<SendMessageBatchError>>,
    place: usize,
) -> Option<Refusal> {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            let reason = errors::chain(error);
            return Some(Refusal { reason, is_final: is_final(error) });
        }
    };
    let id = place.to_string();
    if answer.successful().iter().any(|it| it.id() == id) {
        return None;
    }
    let failed = answer.failed().iter().find(|it| it.id() == id);
    Some(Refusal {
        reason: failed.map_or_else(
            || "the answer does not mention it".to_owned(),
            |it| format!("{}: {}", it.code(), it.message().unwrap_or_default()),
        ),
        is_final: failed.is_some_and(|it| it.sender_fault()),
    })
}

/// Whether a request would be refused again: it is wrong itself, and not merely too early.
fn is_final(error: &SdkError<SendMessageBatchError>) -> bool {
    match error {
        SdkError::ConstructionFailure(_) => true,
        SdkError::ServiceError(it) => {
            let throttled = it.err().code().is_some_and(|it| it.contains("Throttl"));
            it.raw().status().is_client_error() && !throttled
        }
        _ => false,
    }
}

/// Groups entries in their order, each group within what a batch may hold.
fn batches(entries: Vec<Entry>) -> Vec<Vec<Entry>> {
    let mut batches: Vec<Vec<Entry>> = Vec::new();
    let mut length = 0;
    for entry in entries {
        let added = entry.body.len();
        match batches.last_mut() {
            Some(last) if last.len() < MOST_ENTRIES && length + added <= LONGEST_BATCH => {
                length += added;
                last.push(entry);
            }
            _ => {
                length = added;
                batches.push(vec![entry]);
            }
        }
    }
    batches
}

/// The first few, so that a line of a log stays one.
struct Listed<'a>(&'a [Unsent]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 3;
        for (place, Unsent { index, reason }) in self.0.iter().take(SHOWN).enumerate() {
            let separator = if place == 0 { "" } else { ", " };
            write!(f, "{separator}number {index} ({reason})")?;
        }
        if self.0.len() > SHOWN { f.write_str(", …") } else { Ok(()) }
    }
}
